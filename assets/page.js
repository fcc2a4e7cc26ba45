/* Between the page and its state: controls become events, states become questions, answers become sentences, and the
   address follows what the server could show. */
(function () {
  "use strict";

  const NO = () => window.dash_clientside.no_update;
  const { gate, model } = window.nhviz;
  /* A second click within this time is a double click, which resets the axes and starts nothing. */
  const DOUBLE = 320;
  let presses = 0;

  const page = { facts: null, now: null, asked: null, about: "", touched: false, gate: null, clicking: null, dragging: null };

  function setProps(id, props) {
    window.dash_clientside.set_props(id, props);
  }

  /* A new page: its state is the one that it came with, its clock stands at the beginning. */
  function opened(facts, asked) {
    if (!facts || !asked) return NO();
    window.clearTimeout(page.clicking);
    Object.assign(page, {
      facts, gate: gate((question) => setProps("asked", { data: question }), () => window.performance.now()), about: asked.about, touched: false, now: { state: model.clone(asked.state), errors: {} },
      asked: asked.state, clicking: null, dragging: null,
    });
    window.nhviz.player.reset();
    arrange();
    nameControls(200);
    return NO();
  }

  function splitTrigger(text) {
    const dot = text.lastIndexOf(".");
    const id = text.slice(0, dot);
    return [id.startsWith("{") ? JSON.parse(id) : id, text.slice(dot + 1)];
  }

  /* What a control said, as an event; null if it is no news. */
  function eventOf(spoke, property, value) {
    const { numbers } = page.now.state;
    switch (spoke.kind || spoke) {
      case "slider": {
        if (value === null || value === undefined) return null;
        /* A slider that only follows its box is not news, unless a hand has just let it go. */
        const range = page.facts.numbers[spoke.name].slider;
        const follows = Math.abs(model.clamp(numbers[spoke.name], range) - value) <= 1e-9 * (1 + Math.abs(value));
        const released = property === "value" && page.dragging === spoke.name;
        if (follows && !released) return null;
        return { kind: "number", word: spoke.name, value: follows ? numbers[spoke.name] : value };
      }
      case "box":
        return { kind: "text", word: spoke.name, text: value };
      case "option":
        return { kind: "option", word: spoke.name, value };
      case "variants":
        return { kind: "variants", word: spoke.name, value };
      case "tabs":
        return { kind: "tab", place: spoke.place, view: value };
      case "enlarge":
        return value ? { kind: "enlarge", place: spoke.place } : null;
      case "experiment":
        return value ? { kind: "experiment", number: spoke.number } : null;
      case "start":
        return value ? { kind: "start", ...value } : null;
      default:
        return null;
    }
  }

  /* One event, one new state, one question; the controls that did not speak follow. */
  function gather() {
    const context = window.dash_clientside.callback_context;
    const nothing = context.outputs_list.map((output) => (Array.isArray(output) ? output.map(NO) : NO()));
    if (!context.triggered.length || !page.now) return nothing;
    const [spoke, property] = splitTrigger(context.triggered[0].prop_id);
    const event = eventOf(spoke, property, context.triggered[0].value);
    if (!event) return nothing;
    const preview = property === "drag_value";
    const released = page.dragging && !preview;
    page.dragging = preview ? spoke.name : null;
    if (event.kind === "experiment" || event.kind === "start") window.nhviz.player.rewind();
    return moved(event, preview, released, spoke, context);
  }

  function moved(event, preview, released, spoke, context) {
    const before = page.now;
    page.now = model.after(before, page.facts, event);
    page.touched = true;
    const news = !model.same(page.now.state, before.state);
    if (news || released) ask(preview);
    arrange();
    return [page.now.errors, ...followers(context, spoke)];
  }

  function ask(preview) {
    const places = preview ? null : model.placesToPaint(page.asked, page.now.state);
    /* What is painted is known only when no value was skipped on the way. */
    page.asked = preview ? null : page.now.state;
    page.gate.ask({ state: page.now.state, preview, places, about: page.about });
  }

  /* Controls show the state; the one that spoke is left alone. */
  function followers(context, spoke) {
    const { state, errors } = page.now;
    const spoken = JSON.stringify(spoke);
    const follow = (outputs, value) => outputs.map((output) => (JSON.stringify(output.id) === spoken ? NO() : value(output.id)));
    const [, sliders, boxes, options, variants, tabs] = context.outputs_list;
    return [
      follow(sliders, ({ name }) => model.clamp(state.numbers[name], page.facts.numbers[name].slider)),
      boxes.map(({ id }) => (errors[id.name] ? NO() : model.shown(state.numbers[id.name]))),
      follow(options, ({ name }) => state.options[name]),
      follow(variants, ({ name }) => state.variants[name]),
      follow(tabs, ({ place }) => state.tabs[place]),
    ];
  }

  /* The browser counts presses in quick succession; what plotly tells of them may come late. */
  document.addEventListener("mousedown", (event) => {
    presses = event.detail;
  }, true);

  /* A click in a view, once it is certain that no second one follows. In space plotly tells it several times. */
  function clicked() {
    const context = window.dash_clientside.callback_context;
    if (!context.triggered.length || !context.triggered[0].value || !page.now) return NO();
    const [{ place }] = splitTrigger(context.triggered[0].prop_id);
    const at = placeOf(context.triggered[0].value);
    window.clearTimeout(page.clicking);
    page.clicking = window.setTimeout(() => {
      if (at && presses < 2) startFrom(model.viewOf(page.now.state, page.facts, place), at);
    }, DOUBLE);
    return NO();
  }

  /* Coordinates of a click: in the plane those of the mouse, in space those of the point that was hit. */
  function placeOf(click) {
    if (click.xvals && click.yvals) return [click.xvals[0], click.yvals[0]];
    const point = (click.points || [])[0];
    if (!point || point.x === undefined || point.y === undefined) return null;
    return point.z === undefined ? [point.x, point.y] : [point.x, point.y, point.z];
  }

  /* Where the view names what a click sets, the browser sets it; what needs mathematics is asked. */
  function startFrom(view, place) {
    const { state } = page.now;
    const values = model.startAt(state, page.facts, view, place);
    if (values) setProps("start", { data: { values } });
    else if (page.facts.views[view].asks) setProps("clicked", { data: { state, view, place } });
  }

  /* Sentences beside the controls, and what belongs to no control above them; pictures that no longer belong to the
     controls are dimmed. The address holds the last state that could be shown. */
  function tell(answer, aside, notice) {
    const context = window.dash_clientside.callback_context;
    const [messages] = context.outputs_list;
    if (!answer) return [messages.map(NO), NO(), NO()];
    const fresh = context.triggered.some(({ prop_id: id }) => id.startsWith("answer"));
    if (fresh && page.gate) page.gate.answered();
    const errors = { ...answer.errors, ...aside };
    const known = new Set(messages.map(({ id }) => id.name));
    const others = Object.keys(errors).filter((word) => !known.has(word));
    if (fresh && !Object.keys(answer.errors).length && !answer.preview) showAddress(answer.query);
    const verdict = document.getElementById("verdict");
    if (verdict && fresh) verdict.textContent = answer.verdict;
    hideUnused();
    return [
      messages.map(({ id }) => errors[id.name] || ""),
      /* What was wrong with a link stays until something changes. */
      page.touched || others.length ? others.map((word) => errors[word]).join(" ") : notice,
      Object.keys(answer.errors).length ? "views stale" : "views",
    ];
  }

  function showAddress(query) {
    const address = window.location.pathname + (query ? "?" + query : "");
    window.history.replaceState(window.history.state, "", address);
  }

  /* Places as the layout wants them, each with its graph or its text. */
  function arrange() {
    const { state } = page.now;
    const views = document.getElementById("views");
    if (views) views.dataset.layout = state.layout;
    document.querySelectorAll(".view[data-place]").forEach((figure) => {
      const { place } = figure.dataset;
      figure.hidden = state.layout !== "all" && state.layout !== place;
      figure.classList.toggle("shows-text", page.facts.views[model.viewOf(state, page.facts, place)].kind === "text");
    });
  }

  /* A control that the dimension leaves without meaning is out of the way. */
  function hideUnused() {
    Object.keys(page.facts ? page.facts.numbers : {}).forEach((word) => {
      const holder = document.getElementById('{"kind":"box","name":"' + word + '"}');
      const control = holder && holder.closest(".control");
      if (control) control.hidden = !model.isUsed(page.now.state, page.facts, word);
    });
  }

  /* Sliders, boxes and the clock get the names that a screen reader says. They arrive one by one while the page
     loads: look again until all are there. */
  function nameControls(tries) {
    const { facts } = page;
    let missing = 0;
    Object.entries(facts.numbers).forEach(([word, { meaning }]) => {
      ["slider", "box"].forEach((kind) => {
        const holder = document.getElementById('{"kind":"' + kind + '","name":"' + word + '"}');
        const control = holder && (holder.matches("input") ? holder : holder.querySelector("[role=slider], input"));
        if (control) control.setAttribute("aria-label", word + ", " + meaning);
        else missing += 1;
      });
    });
    const clock = document.getElementById("clock");
    if (clock) clock.setAttribute("aria-label", "instant");
    const speed = document.querySelector("#speed, .speed button");
    if (speed) speed.setAttribute("aria-label", "speed");
    const places = document.querySelectorAll(".view[data-place]").length;
    if (places) arrange();
    if ((missing || !places) && tries > 0) {
      window.setTimeout(() => page.facts === facts && nameControls(tries - 1), 100);
    }
  }

  function copy() {
    const done = window.navigator.clipboard
      ? window.navigator.clipboard.writeText(window.location.href)
      : Promise.reject(new Error("no clipboard"));
    return done.then(
      () => "link copied",
      () => "copy it from the address bar"
    );
  }

  window.dash_clientside = window.dash_clientside || {};
  window.dash_clientside.nhviz = Object.assign(window.dash_clientside.nhviz || {}, {
    opened, gather, clicked, tell, copy,
  });
})();
