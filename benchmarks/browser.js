/* What the benchmarks of the browser measure with: hooks around plotly and the page's scripts, put in from outside. */
(function () {
  "use strict";

  const ROUND = { figures: {}, drawn: [], due: null, done: null, numbers: [] };
  let round = { ...ROUND };
  let before = {};

  const clone = (value) => structuredClone(value);
  const now = () => performance.now();
  /* What was drawn until now is on the screen: the frame has begun, and what comes after it. */
  const onScreen = () => new Promise((done) => {
    const after = new MessageChannel();
    after.port1.onmessage = () => done(now());
    requestAnimationFrame(() => after.port2.postMessage(null));
  });
  const isSpace = (layout) => Boolean(layout.scene);
  const places = () => window.nhviz.pictures.all();
  const seen = () => places().filter((one) => one.figure && window.nhviz.pictures.isSeen(one));

  /* Every picture that plotly draws is noted, with a copy of what it was given. */
  const { react } = window.Plotly;
  window.Plotly.react = function (element, data, layout, config) {
    const one = places().find((other) => other.element === element);
    const copy = one && [clone(data), clone(layout), config];
    const start = now();
    const answer = react.call(window.Plotly, element, data, layout, config);
    if (one) {
      round.figures[one.name] = copy;
      const drawn = { name: one.name, space: isSpace(layout), start, end: now() };
      round.drawn.push(drawn);
      onScreen().then((shown) => {
        drawn.shown = shown;
      });
      settle();
    }
    return answer;
  };

  /* A round ends when the answer of the newest question has come, and all its pictures that are in sight are drawn. */
  const { answered } = window.nhviz.page;
  window.nhviz.page.answered = function (answer) {
    round.numbers.push(window.nhviz.page.state.number - answer.number);
    if (answer.number === window.nhviz.page.state.number) {
      const visible = new Set(places().filter(window.nhviz.pictures.isSeen).map(({ name }) => name));
      round.due = Object.keys(answer.figures || {}).filter((name) => visible.has(name));
      round.came = now();
      round.errors = answer.errors;
    }
    const said = answered(answer);
    round.told = now();
    settle();
    return said;
  };
  function settle() {
    const newest = round.drawn.filter(({ start }) => start >= round.came).map(({ name }) => name);
    if (round.done && round.due && round.due.every((name) => newest.includes(name))) round.done();
  }

  /* Milliseconds from the event of a slider until all pictures, and the flat ones, are on the screen; until the answer
     comes, until the first picture in space is begun, and those of the page's own scripts; pictures drawn, and how many. */
  async function slide(word, value) {
    const input = document.getElementById(JSON.stringify({ kind: "slider", name: word }));
    before = { ...before, ...round.figures };
    const finished = new Promise((done) => {
      round = { ...ROUND, figures: {}, drawn: [], numbers: [], done };
    });
    await onScreen();
    const start = now();
    /* As a key does it. */
    input.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, key: "PageUp" }));
    input.value = value;
    input.dispatchEvent(new Event("input", { bubbles: true }));
    input.dispatchEvent(new Event("change", { bubbles: true }));
    const said = now();
    await finished;
    const end = await onScreen();
    if (Object.keys(round.errors).length) throw new Error(JSON.stringify(round.errors));
    const flat = round.drawn.filter(({ space }) => !space);
    const deep = round.drawn.filter(({ space }) => space);
    return {
      all: end - start,
      answer: round.came - start,
      words: said - start + round.told - round.came,
      flat: flat.length ? Math.max(...flat.map((one) => one.shown)) - start : null,
      space: deep.length ? Math.min(...deep.map((one) => one.start)) - start : null,
      draws: round.drawn.length,
      due: new Set(round.drawn.map(({ name }) => name)).size,
    };
  }

  /* Milliseconds of plotly alone for the same pictures: those of the step before, so that all of them change. */
  async function bare() {
    const figures = { ...round.figures, ...before };
    const given = seen().filter(({ name }) => figures[name]).map(({ name, element }) => [element, ...clone(figures[name].slice(0, 2)), figures[name][2]]);
    await onScreen();
    const start = now();
    given.forEach((one) => react.apply(window.Plotly, one));
    return (await onScreen()) - start;
  }

  /* A drag for some seconds, an event for each frame: how many requests were under way at most, how often pictures were drawn. */
  async function drag(word, values) {
    const input = document.getElementById(JSON.stringify({ kind: "slider", name: word }));
    let [under, most, sent] = [0, 0, 0];
    const { fetch } = window;
    window.fetch = function (...request) {
      if (!/\/(ask|_dash-update-component)$/.test(String(request[0].url || request[0]))) return fetch.apply(window, request);
      under += 1;
      sent += 1;
      most = Math.max(most, under);
      return fetch.apply(window, request).finally(() => {
        under -= 1;
      });
    };
    round = { ...ROUND, figures: {}, drawn: [], numbers: [] };
    const start = now();
    for (const value of values) {
      await new Promise(requestAnimationFrame);
      input.value = value;
      input.dispatchEvent(new Event("input", { bubbles: true }));
    }
    const seconds = (now() - start) / 1000;
    window.fetch = fetch;
    const count = {};
    round.drawn.forEach(({ name }) => {
      count[name] = (count[name] || 0) + 1;
    });
    const answers = round.numbers.length;
    const redraws = Math.max(0, ...Object.values(count));
    input.dispatchEvent(new Event("change", { bubbles: true }));
    return { most, "requests in a second": sent / seconds, "redraws for an answer": answers ? redraws / answers : 0 };
  }

  /* Frames in a second while it plays, with so many instants in a second that each frame has a new one. */
  async function play(seconds) {
    const { player } = window.nhviz;
    const { end, count } = player.state();
    player.pace((60 * end) / count);
    let [restyles, frames] = [0, 0];
    const { restyle } = window.Plotly;
    const instants = new Set();
    window.Plotly.restyle = function (...given) {
      restyles += 1;
      return restyle.apply(window.Plotly, given);
    };
    if (player.state().playing) player.play();
    player.play();
    const start = now();
    const counted = new Promise((done) => {
      const frame = () => {
        frames += 1;
        instants.add(player.state().index);
        if (now() - start < 1000 * seconds) requestAnimationFrame(frame);
        else done();
      };
      requestAnimationFrame(frame);
    });
    await counted;
    const taken = (now() - start) / 1000;
    player.play();
    window.Plotly.restyle = restyle;
    return { drawn: instants.size / taken, frames: frames / taken, "drawn by plotly": restyles / taken };
  }

  window.bench = { slide, bare, drag, play };
})();
