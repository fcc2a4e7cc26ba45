/* The inputs of the sidebar: sliders and numbers in their rows, buttons of which one is pressed, the gauge of the step.
   What a hand does to them becomes an event; a new state is written into those that the hand does not hold. */
(function () {
  "use strict";

  const { model } = window.nhviz;
  /* A hand that moves by less than this means a click. */
  const STILL = 3;
  let say = () => {};
  let held = null;

  const all = (selector, root) => Array.from((root || document).querySelectorAll(selector));
  const identity = (kind, name) => JSON.stringify({ kind, name });

  function element(tag, properties, parent) {
    const made = Object.assign(document.createElement(tag), properties);
    if (parent) parent.append(made);
    return made;
  }

  /* A number that is dragged sideways, ten times finer with Shift, or typed after a click. `unit` is the change for a pixel. */
  function numberField(room, { id, label, value, unit, changed, typed }) {
    const input = element("input", { type: "text", inputMode: "decimal", className: "number", autocomplete: "off", spellcheck: false }, room);
    if (id) input.id = id;
    input.setAttribute("aria-label", label);
    let from = null;
    input.addEventListener("pointerdown", (event) => {
      if (document.activeElement === input || event.button) return;
      event.preventDefault();
      from = { x: event.clientX, value: value(), moved: false };
      input.setPointerCapture(event.pointerId);
    });
    input.addEventListener("pointermove", (event) => {
      if (!from) return;
      const pixels = event.clientX - from.x;
      if (!from.moved && Math.abs(pixels) <= STILL) return;
      from.moved = true;
      held = input;
      changed(from.value + pixels * unit() * (event.shiftKey ? 0.1 : 1), true);
    });
    const release = () => {
      if (!from) return;
      const { moved } = from;
      from = null;
      held = null;
      if (moved) changed(value(), false);
      else {
        input.focus();
        input.select();
      }
    };
    input.addEventListener("pointerup", release);
    input.addEventListener("pointercancel", release);
    /* All digits, and what is typed replaces them. */
    input.addEventListener("focus", () => {
      if (!input.closest(".bad")) input.value = model.shown(value());
      input.select();
    });
    const commit = () => {
      if (input.value !== model.shown(value())) typed(input.value);
    };
    input.addEventListener("keydown", (event) => {
      if (event.key === "Enter") commit();
      if (event.key === "Escape") {
        input.value = model.shown(value());
        input.blur();
      }
      if (event.key === "ArrowUp" || event.key === "ArrowDown") {
        event.preventDefault();
        changed(value() + (event.key === "ArrowUp" ? 1 : -1) * unit() * (event.shiftKey ? 0.1 : 1), false);
      }
    });
    input.addEventListener("blur", () => {
      commit();
      if (!input.closest(".bad")) input.value = model.brief(value());
    });
    return input;
  }

  /* A slider: it speaks while it moves, and once when it is let go. */
  function slider(room, { id, label, range, value, changed, unit }) {
    const input = element("input", { type: "range", min: range[0], max: range[1], step: "any", className: "slider" }, room);
    if (id) input.id = id;
    input.setAttribute("aria-label", label);
    input.value = value();
    let keys = false;
    input.addEventListener("pointerdown", () => {
      keys = false;
    });
    input.addEventListener("keydown", (event) => {
      keys = true;
      const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
      if (!by || !unit) return;
      /* One number of the grid, where the browser would take a hundredth of the range. */
      event.preventDefault();
      changed(value() + by * unit, false);
    });
    input.addEventListener("input", () => {
      held = input;
      changed(Number(input.value), !keys);
      shade(input);
    });
    input.addEventListener("change", () => {
      held = null;
      if (!keys) changed(Number(input.value), false);
      keys = false;
    });
    return input;
  }

  function shade(input) {
    const [low, high] = [Number(input.min), Number(input.max)];
    input.style.setProperty("--p", (100 * (Number(input.value) - low)) / (high - low) + "%");
  }

  /* Room in a row for a slider, and for a number with its unit. */
  function rooms(row) {
    const line = row.querySelector(".row");
    const slides = element("span", { className: "slider-room" }, line);
    const val = element("span", { className: "val" }, line);
    const number = element("span", { className: "number-room" }, val);
    element("small", { textContent: line.dataset.unit }, val);
    return [slides, number];
  }

  /* The row of a declared number, and below it a line for what is wrong with it. */
  function furnishRow(row, page) {
    const { word } = row.dataset;
    const facts = page.facts.numbers[word];
    const label = facts.meaning + " (" + word + ")";
    const value = () => page.now.state.numbers[word];
    const put = (next, preview) => say(window.nhviz.momenta.kept(row, page, next) || { kind: "number", word, value: next }, preview);
    const changed = (next, preview) => put(model.onGrid(next, facts), preview);
    const [room, box] = rooms(row);
    slider(room, { id: identity("slider", word), label, range: facts.slider, value, changed, unit: facts.whole ? 1 : model.roundBelow((facts.slider[1] - facts.slider[0]) / 400) });
    if (facts.whole) room.firstChild.step = 1;
    numberField(box, {
      id: identity("box", word), label, value, unit: () => (facts.slider[1] - facts.slider[0]) / 400,
      changed: (next, preview) => put(within(next, facts), preview),
      typed: (text) => {
        const { value: next } = model.readNumber(word, text);
        const event = next === undefined ? null : window.nhviz.momenta.kept(row, page, next);
        say(event || { kind: "text", word, text }, false);
      },
    });
    element("div", { id: identity("message", word), className: "message", role: "alert" }, row);
  }

  function within(value, facts) {
    return facts.whole ? Math.round(model.clamp(value, [facts.min, facts.max])) : model.clamp(Number(value.toPrecision(6)), [facts.min, facts.max]);
  }

  /* Energy and direction of the start: rows for what follows from two momenta. */
  function furnishDerived(row, page) {
    const { derived, panel, meaning } = row.dataset;
    const words = page.facts.planes[panel];
    const form = () => page.energies[panel];
    const now = () => (form() ? model.energyAndAngle(form(), words.map((word) => page.now.state.numbers[word])) : { energy: 1, angle: 0 });
    const changed = (next, preview) => {
      if (!form()) return;
      const least = derived === "energy" ? Math.max(next, 1e-9) : next;
      const values = model.momenta(form(), { ...now(), [derived]: least });
      say({ kind: "start", values: Object.fromEntries(words.map((word, i) => [word, values[i]])) }, preview);
    };
    const value = () => now()[derived];
    const range = derived === "angle" ? [-180, 180] : [0, 1];
    const [room, box] = rooms(row);
    slider(room, { label: meaning, range, value, changed: (next, preview) => changed(derived === "angle" ? Math.round(next * 2) / 2 : next, preview) });
    numberField(box, {
      label: meaning, value, unit: () => (derived === "angle" ? 0.5 : Number(room.firstChild.max) / 400), changed,
      typed: (text) => {
        const { value: typed } = model.readNumber(meaning, text);
        if (typed !== undefined) changed(typed, false);
      },
    });
  }

  /* Buttons of which one is pressed. */
  function furnishOption(row) {
    all("button", row).forEach((button) =>
      button.addEventListener("click", () => say({ kind: "option", word: row.dataset.option, value: button.dataset.choice }, false)));
  }

  function furnish(page, dispatch) {
    say = dispatch;
    held = null;
    all(".control[data-word]").forEach((row) => furnishRow(row, page));
    all(".control[data-derived]").forEach((row) => furnishDerived(row, page));
    all(".control[data-momentum]").forEach((row) => window.nhviz.momenta.furnish(row, page, { slider, numberField, rooms, say: dispatch }));
    all(".control[data-option]").forEach((row) => furnishOption(row));
    all(".step[data-gauge]").forEach((step) => window.nhviz.gauge.furnish(step, page, { numberField, within, say: dispatch, hold: (input) => { held = input; } }));
    all(".seg[data-panel] button").forEach((button) =>
      button.addEventListener("click", (event) => {
        event.preventDefault();
        choose(button);
      }));
  }

  /* Coordinates of the start: both are there, one is shown. */
  function choose(button) {
    all("button", button.parentElement).forEach((other) => {
      other.classList.toggle("on", other === button);
      other.setAttribute("aria-pressed", String(other === button));
    });
    button.closest(".group").dataset.coordinates = button.dataset.coordinates;
  }

  function write(input, value) {
    if (!input || input === held) return;
    if (input.type === "range") {
      input.value = value;
      shade(input);
    } else if (document.activeElement !== input) input.value = model.brief(value);
    else if (!input.closest(".bad")) input.value = model.shown(value);
  }

  /* Everything shows the state; what a hand holds is left alone. */
  function follow(page) {
    const { state } = page.now;
    all(".control[data-word]").forEach((row) => {
      const { word } = row.dataset;
      row.hidden = !model.isUsed(state, page.facts, word) || !model.isHeard(state, page.facts, word);
      if (page.now.errors[word]) return;
      write(row.querySelector(".slider"), model.clamp(state.numbers[word], page.facts.numbers[word].slider));
      const box = row.querySelector(".number");
      if (box) box.dataset.value = model.shown(state.numbers[word]);
      bound(row, page, word);
      write(box, state.numbers[word]);
    });
    all(".control[data-option]").forEach((row) => {
      row.hidden = !model.isHeard(state, page.facts, row.dataset.option);
      all("button", row).forEach((button) => {
        const on = button.dataset.choice === state.options[row.dataset.option];
        button.classList.toggle("on", on);
        button.setAttribute("aria-pressed", String(on));
      });
    });
    all(".control[data-derived]").forEach((row) => followDerived(row, page));
    all(".control[data-momentum]").forEach((row) => window.nhviz.momenta.follow(row, page, { write, isHeld: (input) => input === held }));
    all(".step[data-gauge]").forEach((step) => window.nhviz.gauge.follow(step, page, held));
    all(".group").forEach((group) => {
      group.hidden = all(".control", group).every((row) => row.hidden);
      const chosen = all(".control[data-option]:not([hidden]) button.on", group).map((button) => button.textContent);
      const summary = group.querySelector("summary em");
      if (summary && chosen.length) summary.textContent = chosen.join(" · ");
    });
    all(".message").forEach((line) => {
      const holder = line.closest(".control, .step");
      if (holder) holder.classList.toggle("bad", line.textContent !== "");
    });
  }

  /* The bound of a number on its track: hatched beyond it; the slider goes on. */
  function bound(row, page, word) {
    const lane = window.nhviz.gauge.tightest((page.gauges[word] || { lanes: [] }).lanes);
    const input = row.querySelector(".slider");
    const [low, high] = page.facts.numbers[word].slider;
    row.classList.toggle("bounded", Boolean(lane));
    row.classList.toggle("over", Boolean(lane && page.now.state.numbers[word] > lane.bound));
    if (lane) input.style.setProperty("--bound", model.clamp((100 * (lane.bound - low)) / (high - low), [0, 100]) + "%");
    row.title = lane ? lane.label + ": stable up to " + model.brief(Number(lane.bound.toPrecision(3))) : "";
  }

  function followDerived(row, page) {
    const { derived, panel } = row.dataset;
    const form = page.energies[panel];
    const words = page.facts.planes[panel];
    if (!form) return;
    const now = model.energyAndAngle(form, words.map((word) => page.now.state.numbers[word]));
    const input = row.querySelector(".slider");
    if (derived === "energy" && input !== held) {
      const top = 4 * model.roundBelow(Math.max(now.energy, 1e-9));
      if (!(Number(input.max) >= now.energy && Number(input.max) <= 20 * now.energy && Number(input.max) !== 1)) input.max = top;
    }
    write(input, now[derived]);
    write(row.querySelector(".number"), now[derived]);
  }

  window.nhviz = Object.assign(window.nhviz || {}, { controls: { all, element, follow, furnish, identity, numberField, shade } });
})();
