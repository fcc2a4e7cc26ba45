/* Between the page and its state: what hands do becomes events, states become questions, answers become pictures and
   words. */
(function () {
  "use strict";

  const { gate, model } = window.nhviz;
  const NO = () => window.dash_clientside.no_update;
  const all = (selector) => Array.from(document.querySelectorAll(selector));
  /* An answer that takes longer shows that it is awaited; one that takes much longer can be given up. */
  const SLOW = 300;
  const VERY_SLOW = 2000;
  const PRESENTED = 2;

  const page = {
    wire: { ask() {}, cut() {} }, facts: null, now: null, asked: null, about: "", gate: null, number: 0, given: 0, shown: null, touched: false, what: "",
    gauges: {}, energies: {}, momenta: {}, symbols: {}, running: new Set(), stops: [], notes: {}, moving: [], pinned: null, picks: [],
    launch, wordOf,
  };

  const theme = () => document.documentElement.dataset.theme || "";

  function setProps(id, props) {
    window.dash_clientside.set_props(id, props);
  }

  /* A new page: its state is the one that it came with, its clock stands at the beginning. */
  function opened(facts, asked, answer, sent) {
    if (!facts || !asked) return NO();
    /* The page may have come with the answer to its question; in a presentation that is not the one to be seen. */
    const answers = answer && answer.theme === theme() && !document.documentElement.classList.contains("presenter");
    page.wire.cut();
    page.wire = window.nhviz.wire({ sent: answers ? sent : {}, heard: (news) => window.nhviz.page.answered(news), missed });
    Object.assign(page, {
      facts, gate: gate((question) => page.wire.ask(question, theme()), () => window.performance.now()),
      about: asked.about, touched: false, now: { state: model.clone(asked.state), errors: {}, home: facts.opening.layout },
      asked: answers ? asked.state : null, shown: asked.state, number: 0, given: 0, worn: theme(), what: "", gauges: {}, energies: {}, momenta: {}, stops: [], notes: {}, moving: [], pinned: null,
      picks: telling(facts),
    });
    page.symbols = Object.fromEntries(all(".chip").map((chip) => [chip.dataset.key, chip.querySelector(".sample").className.replace("sample sample-", "")]));
    window.nhviz.player.reset((clock) => window.nhviz.say.clock(page, clock));
    window.nhviz.coming.leave();
    window.nhviz.pictures.reset(Object.keys(facts.places), facts.plotly, window.nhviz.hands.listen);
    window.nhviz.controls.furnish(page, dispatch);
    window.nhviz.hands.furnish(page, dispatch);
    window.nhviz.frame.furnish(page, dispatch);
    window.nhviz.history.opened(asked.state, returned);
    follow();
    all(".lab").forEach((lab) => lab.classList.add("furnished"));
    if (answers) answered(answer);
    else ask(false);
    return NO();
  }

  /* The places that a presentation begins with: the large one of the opening layout, then the first others. */
  function telling({ places, opening }) {
    const large = model.largePlace(opening.layout);
    return [...new Set([large, ...Object.keys(places)])].filter(Boolean).slice(0, PRESENTED);
  }

  /* One event, one new state, one question; everything on the page follows. */
  function dispatch(event, preview) {
    if (!page.now) return;
    const before = page.now;
    page.now = model.after(before, page.facts, event);
    page.touched = true;
    page.what = event.word || event.kind;
    if (event.kind === "experiment" || event.kind === "start") window.nhviz.player.rewind();
    if (event.kind === "experiment") window.nhviz.pictures.forget();
    const news = !model.same(page.now.state, before.state);
    if (news || (page.previewed && !preview)) ask(preview);
    page.previewed = preview;
    follow();
    messages({});
  }

  function ask(preview) {
    const presenter = document.documentElement.classList.contains("presenter");
    const places = presenter ? page.picks : preview ? null : model.placesToPaint(page.asked, page.now.state);
    /* What is painted is known only when no value was skipped on the way. */
    page.asked = preview || presenter ? null : page.now.state;
    page.number += 1;
    page.gate.ask({ state: page.now.state, preview, places, about: page.about, number: page.number, presenter });
    awaiting(page.number);
  }

  /* The pictures of another theme are other pictures. */
  function repaint() {
    if (!page.now || !document.querySelector(".lab") || page.worn === theme()) return;
    page.asked = null;
    ask(false);
  }

  /* No answer came: what is seen stays, and one sentence says why. */
  function missed(number, sentence) {
    page.gate.answered(number);
    page.asked = null;
    settle(number);
    messages({ server: sentence });
    stale(true);
  }

  /* Everything that shows the state itself. */
  function follow() {
    page.running = new Set(Object.entries(page.now.state.variants).flatMap(([word, names]) =>
      names.map((name) => (word === "methods" ? name : word.slice(0, -"methods".length) + name))));
    window.nhviz.controls.follow(page);
    window.nhviz.frame.follow(page);
    window.nhviz.say.chips(page, page.stops, page.notes);
  }

  /* The server has answered: pictures, words, the address. */
  function answered(answer) {
    page.gate.answered(answer.number);
    if (answer.number < page.given) return;
    settle(answer.number);
    Object.assign(page, { answer, worn: theme() });
    if (Object.keys(answer.errors).length) {
      messages(answer.errors);
      stale(true);
      return;
    }
    stale(false);
    Object.assign(page, { gauges: answer.gauges, energies: answer.energies, momenta: answer.momenta, stops: answer.stops, notes: answer.notes });
    window.nhviz.hands.rest();
    window.nhviz.player.take(answer.tracks, page.touched ? 0 : page.facts.instant);
    if (!answer.preview && answer.number === page.number) {
      page.shown = model.clone(page.now.state);
      window.nhviz.history.shown(page.now.state, answer.query, page.what);
    }
    words(answer);
    follow();
    messages({});
    window.nhviz.pictures.paint(answer, viewsNow(), page.facts.plotly);
    window.nhviz.coming.follow(answer.preview);
    if (!answer.preview) window.nhviz.frame.missingGhosts(page);
  }

  function viewsNow() {
    return Object.fromEntries(Object.keys(page.facts.places).map((place) => [place, model.viewOf(page.now.state, page.facts, place)]));
  }

  function words(answer) {
    const { say, player } = window.nhviz;
    say.sentence(page, answer.sentence);
    say.statistics(page, answer.statistics);
    say.stops(page, answer.stops, dispatch);
    say.remarks(answer.remarks);
    window.nhviz.gallery.claim(answer);
    const { end } = player.state();
    const step = page.now.state.numbers[Object.keys(page.now.state.numbers).find((word) => /(^|\.)step$/.test(word))];
    say.ticks(Math.max(1, Math.round(end / step)));
    say.clock(page, player.state());
  }

  /* Sentences beside the controls, and what belongs to no control above them. */
  function messages(errors) {
    const told = { ...errors, ...page.now.errors };
    const known = new Set();
    all(".message").forEach((line) => {
      const word = JSON.parse(line.id).name;
      known.add(word);
      line.textContent = told[word] || "";
      const holder = line.closest(".control, .step");
      if (holder) holder.classList.toggle("bad", Boolean(told[word]));
      const group = line.closest("details");
      if (told[word] && group) group.open = true;
    });
    const others = Object.keys(told).filter((word) => !known.has(word)).map((word) => told[word]);
    const notice = document.getElementById("notice");
    /* What was wrong with a link stays until something changes. */
    if (notice && (page.touched || others.length)) notice.textContent = others.join(" ");
  }

  function stale(is) {
    const views = document.getElementById("views");
    if (views) views.classList.toggle("stale", is);
  }

  /* The answer of a question is awaited: first nothing is seen of that, then a bar, then a way out. */
  let timers = [];
  function awaiting(number) {
    settleTimers();
    timers = [
      window.setTimeout(() => waiting(true), SLOW),
      window.setTimeout(() => {
        const wayOut = document.querySelector(".cancel");
        if (wayOut && number) wayOut.hidden = false;
      }, VERY_SLOW),
    ];
  }
  function settleTimers() {
    timers.forEach((timer) => window.clearTimeout(timer));
  }
  function settle(number) {
    if (number < page.number) return;
    settleTimers();
    waiting(false);
  }
  function waiting(is) {
    const lab = document.querySelector(".lab");
    if (lab) lab.classList.toggle("waiting", is);
    const wayOut = document.querySelector(".cancel");
    if (wayOut && !is) wayOut.hidden = true;
  }

  /* Give up what is under way: the controls go back to what is seen. */
  function cancel() {
    page.number += 1;
    page.given = page.number;
    page.now = { ...page.now, state: model.clone(page.shown), errors: {} };
    page.wire.cut();
    page.gate.answered(page.number);
    settle(page.number);
    follow();
    messages({});
  }

  /* What is saved is what is set now. That it is awaited is seen as for a question. */
  async function saveTable() {
    awaiting(0);
    const sentence = await window.nhviz.files.table(page.now.state);
    settle(page.number);
    if (sentence) messages({ server: sentence });
  }
  document.addEventListener("click", ({ target }) => {
    if (page.now && target.closest("#csv")) saveTable();
  });

  /* What the server says besides its answers. */
  function hear(value) {
    if (value && page.now) messages({ server: value.sentence });
    return NO();
  }

  /* A click in a view, or what was undone: where the view names what it sets the browser sets it, else it is asked. */
  function launch(place, at) {
    const view = model.viewOf(page.now.state, page.facts, place);
    const values = model.startAt(page.now.state, page.facts, view, at);
    if (values) dispatch({ kind: "start", values }, false);
    else if (page.facts.views[view].asks) setProps("clicked", { data: { state: page.now.state, view, place: at } });
  }
  function started(value) {
    if (value && page.now) dispatch({ kind: "start", ...value }, false);
    return NO();
  }
  function returned(state) {
    if (!page.now || !document.querySelector(".lab") || state.lab !== page.now.state.lab || state.scene !== page.now.state.scene) return false;
    if (window.location.pathname.split("/").pop() !== state.lab) return false;
    dispatch({ kind: "state", state }, false);
    return true;
  }

  /* The word of an initial value in the panel of a view. */
  function wordOf(view, name) {
    const { panel } = page.facts.views[view];
    return panel ? panel + "." + name : name;
  }

  window.nhviz = Object.assign(window.nhviz || {}, { page: { answered, ask, cancel, dispatch, repaint, state: page } });
  window.dash_clientside = window.dash_clientside || {};
  window.dash_clientside.nhviz = Object.assign(window.dash_clientside.nhviz || {}, { opened, started, told: hear });
})();
