/* What the page says besides its pictures: the sentence, chips, statistics, stops, remarks, the clock in words. */
(function () {
  "use strict";

  const { model } = window.nhviz;
  const all = (selector) => Array.from(document.querySelectorAll(selector));

  function element(tag, className, text, parent) {
    const made = document.createElement(tag);
    made.className = className;
    made.textContent = text;
    if (parent) parent.append(made);
    return made;
  }

  const colour = (page, key) => "var(--method-" + ((page.facts.runs[key] || {}).slot || 0) + ")";

  let last = null;

  /* The sentence: numbers in ink, methods in their colours; what tells of a picture to come, once that has. */
  function sentence(page, parts) {
    const room = document.getElementById("insight");
    if (!room) return;
    last = { page, parts };
    room.replaceChildren();
    parts.forEach(({ text, kind, key }) => {
      if (!kind) room.append(text);
      else if (kind === "coming") shares(room, text);
      else {
        const made = element("b", kind === "method" ? "m" : "", text, room);
        if (key) made.style.setProperty("--c", colour(page, key));
      }
    });
  }

  function shares(room, text) {
    const one = window.nhviz.coming.teller();
    if (!one) return;
    text.split(/(\{share \d+\})/).forEach((part, i) => {
      const words = window.nhviz.coming.told(part, one, "");
      if (i % 2) element("b", "", words, room);
      else room.append(words);
    });
  }

  /* More of a picture has come. */
  function again() {
    if (last && last.parts.some(({ kind }) => kind === "coming")) sentence(last.page, last.parts);
  }

  /* Chips are pressed while their variant runs; one that stopped says so, others what there is to note. */
  function chips(page, ended, notes) {
    const stopped = new Set(ended.map(({ key }) => key));
    all(".chip").forEach((chip) => {
      const { variants, variant, key, small } = chip.dataset;
      const on = page.now.state.variants[variants].includes(variant);
      chip.classList.toggle("on", on);
      chip.classList.toggle("stopped", on && stopped.has(key));
      chip.setAttribute("aria-pressed", String(on));
      chip.querySelector("small").textContent = on && stopped.has(key) ? "stopped" : (on && notes[key]) || small;
    });
  }

  /* The first run that stopped is told once, in the header of the first picture, with the values that mend it. */
  function stops(page, found, dispatch) {
    all(".note").forEach((note) => note.replaceChildren());
    all(".view").forEach((view) => view.classList.remove("noted"));
    const first = all(".view").find((view) => !view.hidden && view.querySelector("h2"));
    if (!found.length || !first) return;
    const { text, values, label } = found[0];
    const note = first.querySelector(".note");
    first.classList.add("noted");
    element("b", "", text, note);
    if (!label) return;
    const button = element("button", "", label, note);
    button.addEventListener("click", () => dispatch({ kind: "numbers", values }, false));
  }

  /* Labels over values; those that follow the clock are written at every instant. */
  function statistics(page, found) {
    const list = document.getElementById("readout");
    if (!list) return;
    list.replaceChildren();
    page.moving = [];
    found.forEach(({ label, value, unit, key, values, rare, size }) => {
      const one = element("div", rare ? "opt" : "", "", list);
      element("dt", "", label, one);
      const number = element("dd", "", "", one);
      if (key && page.facts.runs[key]) element("span", "dot", "", number).style.setProperty("--c", colour(page, key));
      const text = element("span", "value", value, number);
      if (unit) element("small", "", (unit === "°" ? "" : " ") + unit, number);
      if (values) page.moving.push({ text, key, size, values: window.nhviz.arrays.decode(values) });
    });
  }

  function remarks(found) {
    all(".remarks").forEach((line) => {
      line.textContent = found[line.dataset.panel] || "";
    });
  }

  const written = (value, size) => (value > 0 && !size ? "+" : "") + model.brief(Number(value.toPrecision(3)));

  /* The clock in words, its knob, and the numbers that follow it. */
  function clock(page, { time, end, share, playing }) {
    const label = document.getElementById("time");
    if (!label || !page.facts) return;
    const digits = Math.max(0, Math.min(4, 3 - Math.floor(Math.log10(Math.max(end, 1e-9)))));
    label.textContent = time.toFixed(end >= 1 ? Math.min(digits, 3) : digits) + " s";
    const key = Object.keys(page.facts.runs).find((name) => page.facts.runs[name].discrete && page.running.has(name));
    const step = page.now.state.numbers[key ? page.facts.runs[key].step : Object.keys(page.now.state.numbers).find((word) => /(^|\.)step$/.test(word))];
    all(".steps").forEach((line) => {
      line.textContent = end ? "step " + Math.round(time / step) + " of " + Math.round(end / step) : "";
    });
    const input = document.getElementById("clock");
    if (input && document.activeElement !== input) input.value = 1000 * share;
    if (input) {
      input.setAttribute("aria-valuetext", label.textContent);
      input.parentElement.style.setProperty("--t", 100 * share + "%");
    }
    const go = document.getElementById("play");
    if (go) {
      go.firstChild.className = "i i-" + (playing ? "pause" : "play");
      go.setAttribute("aria-label", playing ? "pause" : "play");
    }
    (page.moving || []).forEach(({ text, key: run, size, values }) => {
      const value = window.nhviz.player.valueOf(values, run);
      text.textContent = value === null ? "–" : written(value, size);
    });
  }

  /* A tick for each step, long every tenth; where there are very many, for a round number of them. */
  function ticks(count) {
    const room = document.querySelector(".beats");
    if (!room) return;
    const drawing = room.querySelector("svg");
    const every = count > 120 ? model.roundBelow(count / 50) : 1;
    let [short, long] = ["", ""];
    for (let k = 0; k <= count; k += every) {
      const x = ((1000 * k) / count).toFixed(1);
      if ((k / every) % 10 === 0) long += "M" + x + " 8V20";
      else short += "M" + x + " 12V17";
    }
    drawing.children[0].setAttribute("d", short);
    drawing.children[1].setAttribute("d", long);
  }

  window.nhviz = Object.assign(window.nhviz || {}, { say: { again, chips, clock, remarks, sentence, statistics, stops, ticks } });
})();
