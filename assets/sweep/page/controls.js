/* The sidebar of sweeps: what of which system by which map, two axes, what is kept fixed, presets. */
(function () {
  "use strict";

  const { element, numberField } = window.nhviz.controls;
  const { model } = window.nhviz.sweeps;
  const plain = window.nhviz.model;
  const one = (selector, root) => (root || document).querySelector(selector);
  const all = (selector, root) => Array.from((root || document).querySelectorAll(selector));
  const COUNTS = [2, 1000];

  /* A symbol with its subscript. */
  function symbol(parent, { symbol: [base, sub] }) {
    const made = element("span", { className: "sym", textContent: base }, parent);
    if (sub) element("sub", { textContent: sub }, made);
    return made;
  }

  const SMALL = "₀₁₂₃₄₅₆₇₈₉";
  const spoken = ({ symbol: [base, sub] }) => base + (/^\d+$/.test(sub) ? [...sub].map((digit) => SMALL[digit]).join("") : sub && "_" + sub);

  /* A list of [value, words] to choose from. */
  function select(room, label, entries, chosen, changed) {
    const made = element("select", {}, room);
    if (label) made.setAttribute("aria-label", label);
    entries.forEach(([value, words]) => element("option", { value, textContent: words, selected: value === chosen }, made));
    made.addEventListener("change", () => changed(made.value));
    return made;
  }

  /* Everything in the sidebar for a state; `change` gets the next state, and whether a hand still moves. */
  function furnish({ facts, state, change }) {
    const system = model.systemOf(facts, state);
    const measure = model.measureOf(facts, state);
    const titles = (named) => Object.entries(named).map(([name, { title }]) => [name, title]);
    const lists = {
      of: titles(facts.systems), show: titles(system.measures), map: titles(system.methods).filter(([name]) => measure.methods.includes(name)),
    };
    Object.entries(lists).forEach(([what, entries]) => {
      const room = one('[data-choose="' + what + '"] .select-room');
      const held = room.contains(document.activeElement);
      room.replaceChildren();
      const made = select(room, "", entries, state[what], (name) => change(model.choose(facts, state, what, name), false));
      if (held) made.focus();
    });
    one('[data-choose="show"]').title = measure.meaning;
    axes({ facts, state, change });
    kept({ facts, state, change });
    presets({ facts, state });
  }

  /* The presets: the one that is shown is marked, and says its two sentences. */
  function presets({ facts, state }) {
    const now = model.query(state);
    const found = Object.entries(facts.presets).find(([, preset]) => model.query(preset.state) === now);
    all("[data-preset]").forEach((button) => button.setAttribute("aria-pressed", String(Boolean(found) && button.dataset.preset === found[0])));
    const about = one(".sweep-page .about");
    about.dataset.usual = about.dataset.usual || about.textContent;
    about.textContent = found ? found[1].words : about.dataset.usual;
  }

  /* A number field that changes a part of the state: `set` makes the next state from a value. */
  function field(room, { label, word, value, unit, limits, whole, set, change, wrong }) {
    const inside = (number) => (whole ? Math.round(plain.clamp(number, limits)) : Number(plain.clamp(number, limits).toPrecision(6)));
    let now = value;
    const input = numberField(room, {
      label, value: () => now, unit: () => unit,
      changed: (number, moves) => {
        now = inside(number);
        input.value = plain.brief(now);
        change(set(now), moves);
      },
      typed: (text) => {
        const { value: typed, problem } = plain.readNumber(label, text);
        if (typed === undefined) wrong(word, problem);
        else change(set(typed), false);
      },
    });
    input.value = plain.brief(value);
    input.dataset.word = word;
    return input;
  }

  /* Two rows: the name, from, to, cells; and a line for what is wrong. */
  function axes({ facts, state, change }) {
    const room = one(".sweep-page .axes");
    room.replaceChildren();
    const numbers = model.numbersOf(facts, state);
    const names = Object.keys(numbers).filter((name) => name !== facts.durationName && model.isUsed(facts, state, name)).map((name) => [name, spoken(numbers[name]) + ", " + numbers[name].meaning]);
    ["x", "y"].forEach((which) => {
      const axis = state[which];
      const row = element("div", { className: "axis control" }, room);
      row.dataset.axis = which;
      const line = element("div", { className: "axis-row" }, row);
      const name = element("span", { className: "axis-choice" }, line);
      if (axis) symbol(name, numbers[axis.name]);
      else element("span", { className: "sym", textContent: "–" }, name);
      const entries = which === "y" ? [...names, ["", "nothing: a curve"]] : names;
      select(name, "axis " + which, entries, axis ? axis.name : "", (chosen) => change(model.rename(facts, state, which, chosen), false));
      name.title = axis ? numbers[axis.name].meaning : "a curve";
      if (axis) ends(line, { which, axis, number: numbers[axis.name], state, change, wrong: complain });
      element("div", { className: "message", role: "alert" }, row).dataset.word = which;
    });
  }

  function ends(line, { which, axis, number, state, change, wrong }) {
    const limits = [number.min, number.max];
    const unit = (axis.last - axis.first) / 200;
    const set = (part) => (value) => ({ ...model.clone(state), [which]: { ...axis, [part]: value } });
    const range = element("span", { className: "range" }, line);
    field(range, { label: "first " + axis.name, word: which, value: axis.first, unit, limits, set: set("first"), change, wrong });
    const way = element("button", { type: "button", className: "way", textContent: axis.log ? "log" : "", title: axis.log ? "equal factors: make equal steps of them" : "equal steps: make equal factors of them" }, range);
    way.setAttribute("aria-label", axis.name + (axis.log ? " by equal factors" : " by equal steps"));
    way.disabled = !axis.log && axis.first <= 0;
    way.addEventListener("click", () => change(set("log")(!axis.log), false));
    field(range, { label: "last " + axis.name, word: which, value: axis.last, unit, limits, set: set("last"), change, wrong });
    const cells = element("span", { className: "count" }, line);
    field(cells, { label: "cells along " + axis.name, word: which, value: axis.count, unit: 1, limits: COUNTS, whole: true, set: set("count"), change, wrong });
    element("small", { textContent: " cells" }, cells);
  }

  /* What is kept fixed, folded, with a summary of its first values. */
  function kept({ facts, state, change }) {
    const room = one(".sweep-page .kept");
    const numbers = model.numbersOf(facts, state);
    room.replaceChildren();
    const names = model.keptOf(facts, state);
    names.forEach((name) => {
      const number = numbers[name];
      const value = model.fixed(facts, state, name);
      const row = element("div", { className: "control fixed" }, room);
      const line = element("div", { className: "fixed-row", title: number.meaning }, row);
      symbol(line, number);
      element("span", { className: "meaning", textContent: number.meaning }, line);
      const [low, high] = number.slider.map((end) => (number.perStep ? end / (model.fixed(facts, state, facts.stepName) || 1) : end));
      const box = element("span", { className: "number-room" }, line);
      if (value === null) element("span", { className: "follows", textContent: number.default + " / " + spoken(numbers[facts.stepName]) }, box);
      else {
        field(box, {
          label: number.meaning + " (" + name + ")", word: name, value, unit: (high - low) / 400, limits: [number.min, number.max], whole: number.whole, change, wrong: complain,
          set: (next) => ({ ...model.clone(state), given: { ...state.given, [name]: next } }),
        });
      }
      element("small", { textContent: number.unit }, line);
      element("div", { className: "message", role: "alert" }, row).dataset.word = name;
    });
    Object.entries(model.choicesOf(facts, state)).forEach(([name, { labels, meaning, default: usual }]) => {
      const line = element("label", { className: "fixed-row choice-row" }, element("div", { className: "control fixed" }, room));
      element("span", { className: "meaning", textContent: meaning }, line);
      const chosen = String(name in state.given ? state.given[name] : usual);
      select(element("span", { className: "select-room" }, line), meaning, Object.entries(labels), chosen, (next) => change({ ...model.clone(state), given: { ...state.given, [name]: next } }, false));
    });
    const told = names.filter((name) => model.fixed(facts, state, name) !== null && numbers[name].group !== "initial");
    const first = [...told.filter((name) => name in state.given), ...told.filter((name) => !(name in state.given))].slice(0, 4);
    one("summary em", room.closest("details")).textContent = first.map((name) => spoken(numbers[name]) + " " + plain.brief(model.fixed(facts, state, name))).join(" · ");
  }

  /* What is wrong, beside its control, or above all if it belongs to none. */
  function complain(word, sentence) {
    const line = all(".sweep-page .message").find(({ dataset }) => dataset.word === word);
    const notice = document.getElementById("notice");
    if (!line) notice.textContent = sentence;
    else {
      line.textContent = sentence;
      line.closest(".control").classList.add("bad");
      if (line.closest("details")) line.closest("details").open = true;
    }
  }

  function calm() {
    all(".sweep-page .message").forEach((line) => {
      line.textContent = "";
      line.closest(".control").classList.remove("bad");
    });
  }

  window.nhviz.sweeps.controls = { calm, complain, furnish, symbol };
})();
