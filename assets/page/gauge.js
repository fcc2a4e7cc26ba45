/* The gauge of a hero, as the step: a lane for each map, full up to its value, pale up to its bound, hatched beyond; or
   the intervals in which it may be. It never refuses. */
(function () {
  "use strict";

  const { model } = window.nhviz;

  function element(tag, className, parent, style) {
    const made = document.createElement(tag);
    made.className = className;
    Object.entries(style || {}).forEach(([name, value]) => made.style.setProperty(name, value));
    if (parent) parent.append(made);
    return made;
  }

  /* Names above a track stand so far apart, in percent of it. */
  const NAMES_APART = 6.5;
  /* A number below it is so wide, in shares of it, and so far from the next one. */
  const [NUMBER, BETWEEN] = [0.135, 0.015];

  const colour = (page, key) => "var(--method-" + page.facts.runs[key].slot + ")";

  function furnish(step, page, { numberField, within, say, hold }) {
    const word = step.dataset.gauge;
    const facts = page.facts.numbers[word];
    const value = () => page.now.state.numbers[word];
    const grid = () => model.roundBelow((endOf(step, page) - beginOf(step, page)) / 400);
    const meant = (next) => within(Math.max(Math.round(next / grid()) * grid(), facts.min), facts);
    const pointed = (share) => meant(beginOf(step, page) + share * (endOf(step, page) - beginOf(step, page)));
    const room = step.querySelector(".gauge");
    const input = element("input", "reach", room);
    Object.assign(input, { type: "range", min: 0, max: 1, step: "any" });
    input.setAttribute("aria-label", facts.meaning);
    if (!step.closest(".dock")) input.id = window.nhviz.controls ? window.nhviz.controls.identity("slider", word) : "";
    let keys = false;
    input.addEventListener("pointerdown", () => {
      keys = false;
    });
    input.addEventListener("keydown", () => {
      keys = true;
    });
    input.addEventListener("input", () => {
      hold(input);
      say({ kind: "number", word, value: pointed(Number(input.value)) }, !keys);
    });
    input.addEventListener("change", () => {
      hold(null);
      if (!keys) say({ kind: "number", word, value: pointed(Number(input.value)) }, false);
      keys = false;
    });
    numberField(step.querySelector(".number-room"), {
      id: step.closest(".dock") ? "" : window.nhviz.controls.identity("box", word), label: facts.meaning, value, unit: grid,
      changed: (next, preview) => say({ kind: "number", word, value: within(next, facts) }, preview),
      typed: (text) => say({ kind: "text", word, text }, false),
    });
  }

  /* The end of the scale: as the server says, and so far that the value is on it. */
  function endOf(step, page) {
    const word = step.dataset.gauge;
    const told = page.gauges[word];
    const end = told ? told.end : page.facts.numbers[word].slider[1];
    return Math.max(end, page.now.state.numbers[word] * (page.now.state.numbers[word] > end ? 1.05 : 1));
  }

  /* The beginning of the scale: as the server says, and so near that the value is on it. */
  function beginOf(step, page) {
    const word = step.dataset.gauge;
    return Math.min((page.gauges[word] || {}).begin || 0, Math.max(page.now.state.numbers[word], 0));
  }

  /* The smallest bound of the lanes, with its lane, or nothing. */
  function tightest(lanes) {
    return lanes.filter((lane) => lane.bound !== null).reduce((least, lane) => (least && least.bound <= lane.bound ? least : lane), null);
  }

  function follow(step, page, held) {
    const word = step.dataset.gauge;
    const value = page.now.state.numbers[word];
    const told = page.gauges[word] || { lanes: [] };
    const lanes = told.lanes.filter((lane) => page.facts.runs[lane.key]);
    const [begin, end] = [beginOf(step, page), endOf(step, page)];
    const share = (number) => model.clamp((100 * (number - begin)) / (end - begin), [0, 100]);
    const input = step.querySelector(".reach");
    if (input !== held) input.value = (value - begin) / (end - begin);
    input.setAttribute("aria-valuetext", model.brief(value) + " " + page.facts.numbers[word].unit);
    const box = step.querySelector(".number");
    box.dataset.value = model.shown(value);
    if (box !== held && !page.now.errors[word]) box.value = document.activeElement === box ? model.shown(value) : model.brief(value);
    const room = step.querySelector(".gauge");
    drawLanes(room, lanes, share(value), share, page);
    drawPlaces(room, told, share, value);
    drawScale(step.querySelector(".scale"), lanes, told.intervals || [], [begin, end], page);
    drawShare(step, lanes, value, told);
    drawBounds(step.querySelector(".bounds"), lanes, page);
  }

  function drawLanes(room, lanes, at, share, page) {
    room.style.setProperty("--lanes", Math.max(lanes.length, 1));
    room.style.setProperty("--at", at + "%");
    Array.from(room.querySelectorAll(".lane, .fold, .thumb")).forEach((old) => old.remove());
    (lanes.length ? lanes : [{ key: "", bound: null }]).forEach((lane, i) => {
      const c = lane.key ? colour(page, lane.key) : "var(--soft)";
      const bound = lane.bound === null ? 100 : share(lane.bound);
      element("span", "lane", room, { "--i": i, "--c": c, "--fold": bound + "%" });
      if (lane.bound !== null) element("span", "fold", room, { "--i": i, "--c": c, "--fold": bound + "%" });
    });
    element("span", "thumb", room);
  }

  /* The intervals in which a number may be, hatched outside of them, and names of places above the track. */
  function drawPlaces(room, { intervals, marks }, share, value) {
    Array.from(room.querySelectorAll(".open, .place")).forEach((old) => old.remove());
    room.classList.toggle("parted", Boolean(intervals && intervals.length));
    room.classList.toggle("named", Boolean(marks && marks.length));
    (intervals || []).forEach(([low, high]) => {
      element("span", "open", room, { left: share(low) + "%", width: "calc(" + (share(high) - share(low)) + "% - 1px)" });
    });
    let last = -Infinity;
    (marks || []).toReversed().forEach(({ name, at }) => {
      const near = Math.abs(share(at) - share(value)) < 1;
      const place = element("span", near ? "place here" : "place", room, { left: share(at) + "%" });
      if (Math.abs(last - share(at)) < NAMES_APART) return;
      last = share(at);
      place.textContent = name;
    });
  }

  /* The ends of all intervals; two that are near each other make room by shares of their width. */
  function endsOf(intervals, span) {
    const places = Array.from(new Set(intervals.flat())).toSorted((a, b) => a - b);
    const pushed = (gap) => Math.max(0, NUMBER + BETWEEN - gap / span) / (2 * NUMBER);
    return places.map((at, i) => ({
      at, text: at.toPrecision(3), inside: true,
      aside: (i ? pushed(at - places[i - 1]) : 0) - (i + 1 < places.length ? pushed(places[i + 1] - at) : 0),
    }));
  }

  /* Round numbers along the scale and the bounds, where they do not get into each other's way. */
  function drawScale(scale, lanes, intervals, [begin, end], page) {
    scale.replaceChildren();
    const span = end - begin;
    const ends = [{ at: begin, text: model.brief(begin) }, { at: end, text: model.brief(end), last: true }];
    const marks = intervals.length ? [] : ends;
    const clear = (mark, room) => marks.every((other) => Math.abs(other.at - mark.at) > room * span);
    marks.push(...endsOf(intervals, span));
    lanes.filter((lane) => lane.bound !== null && lane.bound < 0.999 * end).forEach((lane) => {
      const mark = { at: lane.bound, text: String(Number(lane.bound.toPrecision(3))), c: colour(page, lane.key) };
      if (clear(mark, 0.14)) marks.push(mark);
    });
    const unit = model.roundBelow(span / 3);
    for (let value = Math.ceil(begin / unit) * unit; value < end; value += unit) {
      const mark = { at: value, text: model.brief(Number(value.toPrecision(6))), inside: true };
      if (clear(mark, 0.17)) marks.push(mark);
    }
    marks.forEach(({ at, text, c, last, inside, aside }) => {
      const mark = element("span", c ? "at-fold" : last ? "end" : inside ? "inside" : "", scale, { left: (100 * (at - begin)) / span + "%" });
      if (aside) mark.style.translate = -50 + 100 * aside + "% 0";
      if (c) mark.style.setProperty("--c", c);
      mark.textContent = text;
    });
  }

  /* How much of the largest value is used, or how far beyond it is. */
  function drawShare(step, lanes, value, { note }) {
    const lane = tightest(lanes);
    const share = step.querySelector(".share");
    share.replaceChildren(lane ? "" : note || "");
    step.classList.toggle("over", Boolean(lane && value > lane.bound));
    if (!lane) return;
    const beyond = value > lane.bound;
    const percent = 100 * (beyond ? value / lane.bound - 1 : value / lane.bound);
    /* Next to the bound it is not told that all is used. */
    const told = percent < 1 ? Number(percent.toPrecision(1)) : !beyond && percent >= 99.5 ? Math.floor(10 * percent) / 10 : Math.round(percent);
    element("b", "", share).textContent = told + " %";
    share.append(beyond ? (lane.what === "fold" ? " beyond the fold" : " beyond stability") : lane.what === "fold" ? " of the largest" : " of what is stable");
  }

  function drawBounds(room, lanes, page) {
    room.replaceChildren();
    lanes.forEach((lane) => {
      const { slot, label } = page.facts.runs[lane.key];
      const item = element("span", "", room, { "--c": "var(--method-" + slot + ")" });
      element("i", "sample sample-" + page.symbols[lane.key], item);
      item.append(label + (lane.note ? ": " + lane.note : ""));
    });
  }

  window.nhviz = Object.assign(window.nhviz || {}, { gauge: { endOf, follow, furnish, tightest } });
})();
