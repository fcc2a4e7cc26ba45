/* The page of sweeps: a state becomes a sweep that is watched, tiles become a picture, the picture becomes words. */
(function () {
  "use strict";

  const { model, tiles, words } = window.nhviz.sweeps;
  const NO = () => window.dash_clientside.no_update;
  const SETTLE = 350;
  /* Drawing takes at most one of so many parts of the time while cells are coming. */
  const SHARE = 5;
  const one = (selector) => document.querySelector(".sweep-page " + selector);
  const all = (selector) => Array.from(document.querySelectorAll(".sweep-page " + selector));
  const page = { facts: null, state: null, shown: null, watched: null, at: null, zooms: 0, timer: 0, frame: 0, href: "", opens: null, reasons: new Map() };
  const sizes = new ResizeObserver(() => {
    if (page.shown) schedule();
    window.nhviz.sweeps.reading.fit();
  });

  /* A new page, with what its link says. */
  function swept(facts) {
    if (!facts || !one(".surface")) return NO();
    if (page.watched) page.watched.stop();
    const found = window.history.state && window.history.state.sweep;
    Object.assign(page, { facts, shown: null, watched: null, at: null, zooms: found ? found.zooms : 0, href: "", reasons: new Map() });
    window.nhviz.sweeps.picture.furnish(one(".drawing"));
    window.nhviz.sweeps.hands.furnish(one(".surface"), actions);
    sizes.disconnect();
    [".surface", ".run .plot"].forEach((place) => sizes.observe(one(place)));
    all("[data-preset]").forEach((button) => button.addEventListener("click", () => {
      const { state, at } = facts.presets[button.dataset.preset];
      page.at = at;
      change(model.clone(state), false);
    }));
    window.nhviz.sweeps.dock.furnish(acts);
    const first = Object.values(facts.presets).find(({ state }) => model.query(state) === model.query(facts.opening));
    page.at = first ? first.at : facts.at.some(Number.isFinite) ? facts.at : null;
    go(facts.opening, "replaceState");
    return NO();
  }

  /* A hand has changed something. While it moves, only the controls follow; then the sweep is asked for. */
  function change(state, moves) {
    window.clearTimeout(page.timer);
    if (moves) {
      page.state = state;
      return;
    }
    page.zooms = 0;
    page.timer = window.setTimeout(() => go(state, "pushState"), document.activeElement && document.activeElement.matches("input.number") ? SETTLE : 0);
  }

  /* Ask for a sweep; it takes the place of what is shown when its first answer is there. */
  function go(state, how) {
    page.state = state;
    const { facts } = page;
    window.nhviz.sweeps.controls.furnish({ facts, state, change });
    window.nhviz.sweeps.controls.calm();
    if (how === "pushState") document.getElementById("notice").textContent = "";
    if (page.watched) page.watched.stop();
    const next = { state, grid: null, data: null, told: "" };
    page.watched = window.nhviz.sweeps.wire.watch(model.sweepOf(facts, state), {
      heard: (data) => heard(next, data, how),
      refused: ({ sentence, name }) => {
        window.nhviz.sweeps.controls.complain(name, sentence);
        one(".map").classList.toggle("stale", Boolean(page.shown));
      },
      lost: (sentence) => window.nhviz.sweeps.dock.lost(sentence),
    });
  }

  /* News of a sweep: how many of its cells are there. */
  function heard(next, data, how) {
    if (!one(".surface")) {
      page.watched.stop();
      return data.done;
    }
    if (!next.grid) {
      next.grid = tiles.grid(...model.shape(next.state));
      begin(next, how);
    }
    next.data = data;
    data.tiles.forEach(({ number, values }) => tiles.put(next.grid, number, Array.isArray(values) ? values : window.nhviz.arrays.decode(values)));
    schedule();
    if (data.state === "done" && next.grid.count >= data.of) finished(next);
    return next.grid.count;
  }

  /* The sweep is one: it is shown, and its address is the page's. */
  function begin(next, how) {
    const spot = page.at || (page.shown ? spotOf(page.shown) : null);
    const middle = [next.state.x, next.state.y].map((axis) => (axis ? Math.floor(axis.count / 2) : 0));
    next.at = spot ? [next.state.x, next.state.y].map((axis, k) => (axis && Number.isFinite(spot[k]) ? model.nearest(axis, spot[k]) : 0)) : middle;
    page.at = null;
    page.shown = next;
    page.reasons.clear();
    one(".map").classList.remove("stale");
    if (how) window.history[how]({ sweep: { state: next.state, zooms: page.zooms } }, "", window.location.origin + window.location.pathname + "?" + model.query(next.state));
    one(".code pre").textContent = model.python(page.facts, next.state);
    pick(next.at);
  }

  const spotOf = ({ state, at }) => [state.x, state.y].map((axis, k) => (axis ? model.cellValue(axis, at[k]) : NaN));

  /* All cells are there: what is empty gets a name. */
  async function finished(shown) {
    const empty = window.nhviz.sweeps.places.emptyPart(shown.grid);
    if (!empty) return;
    const { data } = await question(shown, empty.i, empty.j);
    if (!data || page.shown !== shown) return;
    shown.empty = { ...empty, label: data.problem ? words.label(data.reason) : "no such body", reason: data.reason };
    schedule();
  }

  const question = (shown, i, j) => window.nhviz.sweeps.wire.post("sweep/cell", {
    sweep: model.sweepOf(page.facts, shown.state), i, j, theme: document.documentElement.dataset.theme || "light",
  });

  /* Draw once for all that has come since the last picture; while cells are coming, a large map leaves the browser most
     of its time. */
  function schedule() {
    if (page.frame) return;
    const paint = () => {
      page.frame = 0;
      const begun = window.performance.now();
      if (page.shown && page.shown.grid && one(".surface")) draw();
      page.rests = begun + SHARE * (window.performance.now() - begun);
    };
    const wait = page.view && page.view.partial ? (page.rests || 0) - window.performance.now() : 0;
    page.frame = wait > 20 ? window.setTimeout(paint, wait) : window.requestAnimationFrame(paint);
  }

  function draw() {
    const view = window.nhviz.sweeps.picture.view(page);
    page.view = view;
    window.nhviz.sweeps.picture.draw(view);
    const room = one(".insight");
    const sentence = words.sentence({ ...view, place: (cell) => [{ cell }] });
    room.replaceChildren();
    sentence.forEach((part) => tell(room, view, part));
    window.nhviz.sweeps.reading.follow(view);
    window.nhviz.sweeps.dock.follow(page, view);
  }

  /* A part of a sentence: a text, a number, or the place of a cell. */
  function tell(room, view, part) {
    if (typeof part === "string") room.append(part);
    else if (part.strong) Object.assign(room.appendChild(document.createElement("b")), { textContent: part.strong });
    else window.nhviz.sweeps.reading.place(room, view, part.cell % view.grid.columns, Math.floor(part.cell / view.grid.columns));
  }

  /* The cross-hair goes to a cell. */
  function pick(at) {
    const { shown } = page;
    Object.assign(shown, { at, reason: "" });
    if (page.view) page.view.at = at;
    Object.assign(page, { href: "", opens: null });
    schedule();
    window.nhviz.sweeps.reading.ask(page, { state: shown.state, at }, (answer) => {
      if (page.shown !== shown || shown.at !== at) return;
      shown.reason = answer.value === null ? answer.reason : "";
      page.href = answer.href;
      window.nhviz.sweeps.reading.picture(page, answer);
      schedule();
      if (page.opens === at) open();
    });
  }

  const zoom = (from, to) => {
    page.at = spotOf(page.shown);
    page.zooms += 1;
    go(model.zoomed(page.shown.state, from, to), "pushState");
  };
  /* Back to what was seen before a rectangle was drawn; else to twice the ranges. */
  const canOut = () => page.zooms > 0 || (page.shown && model.query(model.widened(page.facts, page.shown.state)) !== model.query(page.shown.state));
  function out() {
    if (page.zooms > 0) window.history.back();
    else if (canOut()) go(model.widened(page.facts, page.shown.state), "replaceState");
  }
  /* The lab of the cell, or, as long as it is not known where that is, as soon as it is. */
  function open() {
    if (page.href) window.location.assign(page.href);
    else page.opens = page.shown && page.shown.at;
  }

  const hover = (cell, pixels) => window.nhviz.sweeps.hint.show(page, cell, pixels, question);
  const leave = () => window.nhviz.sweeps.hint.hide();
  const actions = { view: () => page.view, hover, leave, pick, zoom, out, open };

  async function file(kind) {
    window.nhviz.sweeps.dock.lost(await window.nhviz.sweeps.dock.file(model.sweepOf(page.facts, page.shown.state), kind));
  }
  async function cancel() {
    page.watched.stop();
    const { shown } = page;
    const { data, sentence } = await window.nhviz.sweeps.wire.post("sweep/cancel", { sweep: model.sweepOf(page.facts, shown.state) });
    if (data) shown.data = { ...shown.data, ...data, tiles: [], state: "cancelled" };
    else window.nhviz.sweeps.dock.lost(sentence);
    schedule();
  }
  /* What is there stays: the sweep is watched again, into the same grid. */
  function goOn() {
    const { shown } = page;
    page.watched = window.nhviz.sweeps.wire.watch(model.sweepOf(page.facts, shown.state), {
      heard: (data) => heard(shown, data, ""), refused: ({ sentence, name }) => window.nhviz.sweeps.controls.complain(name, sentence), lost: window.nhviz.sweeps.dock.lost,
    });
  }
  const copied = (text) => (window.navigator.clipboard ? window.navigator.clipboard.writeText(text) : Promise.reject(new Error("no clipboard")));
  const acts = {
    csv: () => file("csv"), npz: () => file("npz"), cancel, on: goOn, out,
    lines: () => copied(model.python(page.facts, page.shown.state)),
    copy: () => copied(window.nhviz.sweeps.reading.text(page.view)),
    link: () => copied(window.location.href),
    png: () => window.nhviz.sweeps.save.save(one(".surface"), page.view, "png"),
    svg: () => window.nhviz.sweeps.save.save(one(".surface"), page.view, "svg"),
    canOut,
  };

  /* Another theme: the picture follows by itself, the run of the cell is drawn anew. */
  function repaint() {
    if (page.shown && page.shown.at && one(".surface")) pick(page.shown.at);
  }

  /* Before Dash hears of it: a sweep of the page that is open needs no new page. */
  window.addEventListener("popstate", (event) => {
    const found = event.state && event.state.sweep;
    if (!found || !page.facts || !one(".surface")) return;
    event.stopImmediatePropagation();
    page.zooms = found.zooms;
    if (page.shown) page.at = spotOf(page.shown);
    go(found.state, "");
  }, true);

  window.nhviz.sweeps.page = { acts, page, repaint };
  window.dash_clientside = window.dash_clientside || {};
  window.dash_clientside.nhviz = Object.assign(window.dash_clientside.nhviz || {}, { swept });
})();
