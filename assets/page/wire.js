/* Questions to the server and their answers, past the components of the page: hundreds of them would look at each.
   The body is the one that Dash itself would send for the callback that answers questions. */
(function () {
  "use strict";

  const CALLBACK = '..{"kind":"text","place":["ALL"]}.children...answer.data...sent.data..';
  const LOST = "The server could not answer. Nothing is lost: change a value, or try again.";
  const GONE = "The server does not answer. Nothing is lost: try again when the connection is back.";
  const prefix = () => JSON.parse(document.getElementById("_dash-config").textContent).requests_pathname_prefix;

  function body(question, theme, sent, places) {
    const text = (place) => ({ id: { kind: "text", place }, property: "children" });
    const store = (id, more) => ({ id, property: "data", ...more });
    return JSON.stringify({
      output: CALLBACK,
      outputs: [places.map(text), store("answer"), store("sent")],
      inputs: [store("asked", { value: question })],
      state: [store("theme", { value: theme }), store("sent", { value: sent })],
      changedPropIds: ["asked.data"],
    });
  }

  /* The wire of one page: its places, and the checksums of what it has. The server leaves out what the page has; of an
     answer that is not taken it has nothing. `heard` gets every answer, `missed` a
     sentence where there is none. A new question takes the place of one that is under way. */
  function wire({ places, sent, heard, missed }) {
    const address = prefix() + "_dash-update-component";
    let under = new AbortController();
    let has = sent;

    /* What the server answers, as [its answer, nothing] or [nothing, a sentence]. */
    async function fetched(question, theme, signal) {
      const answer = await window.fetch(address, {
        method: "POST", credentials: "same-origin", signal, body: body(question, theme, has, places),
        headers: { Accept: "application/json", "Content-Type": "application/json" },
      }).catch(() => null);
      if (!answer) return [null, GONE];
      if (answer.ok) return answer.json().then((found) => [found, ""], () => [null, LOST]);
      const told = answer.status < 500 ? await answer.text().catch(() => "") : "";
      return [null, told.trim() || LOST];
    }

    /* Who has left the lab does not see what was asked there. */
    const isLeft = () => !document.querySelector(".lab");

    function take({ response }) {
      const { answer, sent: sums, ...texts } = response;
      has = sums.data;
      Object.entries(texts).forEach(([id, props]) => window.dash_clientside.set_props(JSON.parse(id), props));
      heard(answer.data);
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
