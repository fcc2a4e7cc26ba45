/* From controls to the one state of a lab, and from the state to the address bar. No mathematics here:
   the server checks every value and answers with pictures, or with a sentence beside the control. */
(function () {
  "use strict";

  const NO = () => window.dash_clientside.no_update;
  const clone = (value) => JSON.parse(JSON.stringify(value));

  function declared(facts, name) {
    return facts.parameters[name] || facts.initial[name] || facts.gains[name] || facts[name];
  }

  /* As many digits as identify the number for a person. */
  function shown(value) {
    return String(Number(Number(value).toPrecision(10)));
  }

  function clamp(value, range) {
    return Math.min(Math.max(value, range[0]), range[1]);
  }

  function setValue(state, name, value) {
    state.values[name] = value;
    delete state.errors[name];
  }

  function readBox(state, name, text) {
    const trimmed = String(text === null || text === undefined ? "" : text).trim().replace(",", ".");
    const value = Number(trimmed);
    if (trimmed === "" || !Number.isFinite(value)) {
      const found = trimmed === "" ? "nothing" : "“" + Array.from(trimmed).slice(0, 20).join("") + "”";
      state.errors[name] = name + " must be a number, not " + found + "; the last good value stays.";
      return;
    }
    setValue(state, name, value);
  }

  function applyExperiment(state, facts, number) {
    const chosen = facts.experiments[number];
    const opening = clone(facts.opens);
    Object.assign(opening.values, chosen.params, chosen.initial, chosen.gains);
    if (chosen.step !== null) opening.values.step = chosen.step;
    if (chosen.duration !== null) opening.values.duration = chosen.duration;
    if (chosen.method && !opening.methods.includes(chosen.method)) opening.methods.push(chosen.method);
    return opening;
  }

  /* One event, one new state: which control spoke decides what changes. */
  function gather(drags, sliders, boxes, presets, methods, options, launch, state, facts) {
    const context = window.dash_clientside.callback_context;
    const nothing = [NO(), sliders.map(NO), boxes.map(NO), NO()];
    if (!context.triggered.length || !state) return nothing;
    const [spoke, property] = splitTrigger(context.triggered[0].prop_id);
    const value = context.triggered[0].value;
    let next = clone(state);
    next.preview = false;
    delete next.errors.click;
    if (spoke.kind === "slider") {
      const range = declared(facts, spoke.name).slider;
      if (value === null || value === undefined) return nothing;
      /* A slider that only follows its box is not news. */
      const follows = Math.abs(clamp(state.values[spoke.name], range) - value) <= 1e-9 * (1 + Math.abs(value));
      if (follows && !(property === "value" && state.preview)) return nothing;
      if (!follows) setValue(next, spoke.name, value);
      next.preview = property === "drag_value";
    } else if (spoke.kind === "box") {
      readBox(next, spoke.name, value);
    } else if (spoke.kind === "preset") {
      if (!value) return nothing;
      next = applyExperiment(state, facts, spoke.number);
    } else if (spoke.kind === "option") {
      next.choices[spoke.name] = value;
    } else if (spoke === "methods") {
      next.methods = Object.keys(facts.methods).filter((name) => (methods || []).includes(name));
    } else if (spoke === "launch") {
      if (!launch) return nothing;
      if (launch.problem) next.errors.click = launch.problem;
      Object.keys(launch.values).forEach((name) => setValue(next, name, launch.values[name]));
    }
    if (JSON.stringify(next) === JSON.stringify(state)) return nothing;
    return [next, ...followers(context, next, facts, spoke), sameMembers(next.methods, methods) ? NO() : next.methods];
  }

  function splitTrigger(text) {
    const dot = text.lastIndexOf(".");
    const id = text.slice(0, dot);
    return [id.startsWith("{") ? JSON.parse(id) : id, text.slice(dot + 1)];
  }

  /* Sliders and boxes show the state; the control that spoke is left alone. */
  function followers(context, state, facts, spoke) {
    const slider = context.outputs_list[1].map((output) => {
      const name = output.id.name;
      if (spoke.kind === "slider" && spoke.name === name) return NO();
      return clamp(state.values[name], declared(facts, name).slider);
    });
    const box = context.outputs_list[2].map((output) => {
      const name = output.id.name;
      return state.errors[name] ? NO() : shown(state.values[name]);
    });
    return [slider, box];
  }

  function sameMembers(first, second) {
    return JSON.stringify([...(first || [])].sort()) === JSON.stringify([...(second || [])].sort());
  }

  /* Sliders, boxes and the clock get the names that a screen reader says. They arrive one by one while the page
     loads: look again until all are there. */
  function nameControls(facts, tries) {
    let missing = 0;
    const groups = [facts.parameters, facts.initial, facts.gains];
    const names = [...groups.flatMap((group) => Object.keys(group)), "step", "duration"];
    names.forEach((name) => {
      const words = name + ", " + declared(facts, name).meaning;
      ["slider", "box"].forEach((kind) => {
        const holder = document.getElementById('{"kind":"' + kind + '","name":"' + name + '"}');
        const control = holder && (holder.matches("input") ? holder : holder.querySelector("[role=slider], input"));
        if (control) control.setAttribute("aria-label", words);
        else missing += 1;
      });
    });
    const clock = document.getElementById("clock");
    if (clock) clock.setAttribute("aria-label", "instant");
    const speed = document.querySelector("#speed, .speed button");
    if (speed) speed.setAttribute("aria-label", "speed");
    if (missing && tries > 0) window.setTimeout(() => nameControls(facts, tries - 1), 100);
  }

  /* A control that the dimension leaves without meaning is out of the way. */
  function hideUnused(state, facts) {
    Object.entries({ ...facts.parameters, ...facts.initial }).forEach(([name, declaration]) => {
      const holder = document.getElementById('{"kind":"box","name":"' + name + '"}');
      const control = holder && holder.closest(".control");
      const needs = declaration.needs;
      if (control && needs) control.hidden = state.values[needs[0]] < needs[1];
    });
  }

  /* The address bar holds everything that differs from the opening state. */
  function link(state, facts) {
    if (!state || !facts || state.preview) return NO();
    nameControls(facts, 200);
    hideUnused(state, facts);
    const words = [];
    Object.keys(state.values).forEach((name) => {
      const needs = (declared(facts, name) || {}).needs;
      const used = !needs || state.values[needs[0]] >= needs[1];
      if (used && state.values[name] !== facts.opens.values[name]) words.push(name + "=" + state.values[name]);
    });
    if (!sameMembers(state.methods, facts.opens.methods)) words.push("methods=" + state.methods.join("."));
    Object.keys(state.choices).forEach((name) => {
      if (state.choices[name] !== facts.opens.choices[name]) words.push(name + "=" + encodeURIComponent(state.choices[name]));
    });
    const address = window.location.pathname + (words.length ? "?" + words.join("&") : "");
    window.history.replaceState(window.history.state, "", address);
    return NO();
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

  function theme(name) {
    document.documentElement.dataset.theme = name || "light";
    return NO();
  }

  /* The view with tabs shows its graph, or its text. */
  function tab(name, children) {
    const text = ["branches", "equations", "python"].includes(name);
    const view = document.querySelector(".view-detail");
    if (view) view.classList.toggle("shows-text", text);
    return "text";
  }

  window.dash_clientside = window.dash_clientside || {};
  window.dash_clientside.nhviz = Object.assign(window.dash_clientside.nhviz || {}, { gather, link, copy, theme, tab });
})();
