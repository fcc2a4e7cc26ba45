/* A sweep on the wire: it is asked for again and again until it is done, one question at a time. */
(function () {
  "use strict";

  const [QUICK, SLOW, AGAIN] = [150, 400, 1500];
  const LOST = "The server could not answer. Nothing is lost: what is computed stays.";
  const GONE = "The server does not answer. Nothing is lost: this page tries again.";
  const prefix = () => JSON.parse(document.getElementById("_dash-config").textContent).requests_pathname_prefix;

  /* What the server answers: { status, data }, or { status, sentence, name }; status 0 without a connection. */
  async function post(path, body, signal) {
    try {
      const answer = await window.fetch(prefix() + path, {
        method: "POST", credentials: "same-origin", signal, body: JSON.stringify(body),
        /* A page that is being left can still say so. */
        keepalive: path === "sweep/cancel",
        headers: { Accept: "application/json", "Content-Type": "application/json" },
      });
      const text = await answer.text();
      if (answer.ok) return { status: answer.status, data: JSON.parse(text) };
      return { status: answer.status, ...refusal(answer.status, text) };
    } catch {
      return { status: 0, sentence: GONE, name: "" };
    }
  }

  /* One sentence about a question that was refused, and the name that it is about. */
  function refusal(status, text) {
    if (status >= 500) return { sentence: LOST, name: "" };
    try {
      const { sentence, name } = JSON.parse(text);
      return { sentence: sentence || LOST, name: name || "" };
    } catch {
      return { sentence: text.trim() || LOST, name: "" };
    }
  }

  /* Watch a sweep. `heard` gets every answer, and tells how many cells are there then; `refused` a sentence and a name. */
  function watch(sweep, { heard, refused, lost }) {
    const control = new AbortController();
    let [journal, since, ended] = ["", 0, false];
    let under = Promise.resolve();
    const later = (time) => window.setTimeout(ask, time);

    async function ask() {
      if (ended) return;
      under = post("sweep", { sweep, journal, since, go: true }, control.signal);
      const answer = await under;
      if (ended) return;
      /* A system that is still being prepared can be asked for later. */
      if (answer.status === 0 || answer.status >= 500 || answer.name === "system") {
        lost(answer.sentence);
        later(AGAIN);
      } else if (!answer.data) {
        ended = true;
        refused(answer);
      } else follow(answer.data);
    }

    /* What is there and was not sent yet is asked for at once; what is being computed, a little later. */
    function follow(data) {
      ({ journal, since } = data);
      const there = heard(data);
      if (there < data.done) ask();
      else if (data.state === "waiting" || data.state === "running") later(data.left !== null && data.left > 20 ? SLOW : QUICK);
      else ended = true;
    }

    function stop() {
      ended = true;
      control.abort();
    }

    /* Ask no more, and tell when what is under way has been answered: a question lets a sweep go on, also one that comes
       late. */
    function end() {
      ended = true;
      return under;
    }

    ask();
    return { end, stop };
  }

  window.nhviz = window.nhviz || {};
  window.nhviz.sweeps = Object.assign(window.nhviz.sweeps || {}, { wire: { post, prefix, watch } });
})();
