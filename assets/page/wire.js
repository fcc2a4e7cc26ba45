/* Questions to the server and their answers, past the components of the page: hundreds of them would look at each. */
(function () {
  "use strict";

  const LOST = "The server could not answer. Nothing is lost: change a value, or try again.";
  const GONE = "The server does not answer. Nothing is lost: try again when the connection is back.";
  const PAUSE = 300;
  const prefix = () => JSON.parse(document.getElementById("_dash-config").textContent).requests_pathname_prefix;

  /* The wire of one page, with the checksums of what it has: the server leaves that out. Of an answer that is not taken
     the page has nothing. `heard` gets every answer, `missed` a sentence where there is none. A new question takes the
     place of one that is under way. */
  function wire({ sent, heard, missed }) {
    const address = prefix() + "ask";
    let under = new AbortController();
    let has = sent;

    /* What the server says, to the last word; nothing if the connection is lost before. */
    async function said(question, theme, signal) {
      try {
        const answer = await window.fetch(address, {
          method: "POST", credentials: "same-origin", signal, body: JSON.stringify({ asked: question, theme, sent: has }),
          headers: { Accept: "application/json", "Content-Type": "application/json" },
        });
        return { ok: answer.ok, status: answer.status, text: await answer.text() };
      } catch {
        return null;
      }
    }

    /* What is lost is asked for once more: a process of the server may have ended, and another one answers. */
    async function saidInTheEnd(question, theme, signal) {
      const first = await said(question, theme, signal);
      if (first || signal.aborted) return first;
      await new Promise((resolve) => { window.setTimeout(resolve, PAUSE); });
      return signal.aborted ? null : said(question, theme, signal);
    }

    /* What the server answers, as [its answer, nothing] or [nothing, a sentence]. */
    async function fetched(question, theme, signal) {
      const found = await saidInTheEnd(question, theme, signal);
      if (!found) return [null, GONE];
      if (!found.ok) return [null, (found.status < 500 && found.text.trim()) || LOST];
      try {
        return [JSON.parse(found.text), ""];
      } catch {
        return [null, LOST];
      }
    }

    /* Who has left the lab does not see what was asked there. */
    const isLeft = () => !document.querySelector(".lab");

    function take({ answer, sent: sums, texts }) {
      has = sums;
      Object.entries(texts).forEach(([place, children]) => (
        window.dash_clientside.set_props({ kind: "text", place }, { children })));
      heard(answer);
    }

    /* What is under way is not listened to any more. */
    function cut() {
      under.abort();
      under = new AbortController();
      return under;
    }

    return {
      ask(question, theme) {
        const mine = cut();
        fetched(question, theme, mine.signal).then(([answer, sentence]) => {
          if (under !== mine || isLeft()) return;
          if (answer) take(answer);
          else missed(question.number, sentence);
        });
      },
      cut,
    };
  }

  window.nhviz = Object.assign(window.nhviz || {}, { wire });
})();
