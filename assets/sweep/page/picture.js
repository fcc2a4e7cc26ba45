/* What is drawn of a sweep now, put together from its state and its grid, and on the screen. */
(function () {
  "use strict";

  const { colour, model, places, words } = window.nhviz.sweeps;
  const one = (selector) => document.querySelector(".sweep-page " + selector);
  let layers = {};
  let drawn = "";

  function furnish(drawing) {
    const { make } = window.nhviz.sweeps.map;
    drawing.replaceChildren();
    const svg = make("svg", { width: "100%", height: "100%" }, drawing);
    layers = { frame: make("g", { class: "frame" }, svg), cross: make("g", { class: "cross" }, svg) };
    drawn = "";
  }

  /* The levels that presets of the same quantity mark. */
  const marksOf = ({ presets }, { of, show }) => Object.values(presets).filter(({ state }) => state.of === of && state.show === show).flatMap(({ marks }) => marks);

  /* Everything about the picture: its scale, its unit, its words, its places. */
  function view({ facts, shown }) {
    const { state, grid, data, at, empty, reason } = shown;
    const measure = model.measureOf(facts, state);
    const found = colour.spread(grid.values);
    const scale = colour.scaleOf(measure.kind, found);
    if (scale.kind === "count") scale.unit = grid.values.some((value) => value % 2 === 1) ? 1 : 2;
    const { unit, factor } = words.unitOf(measure.unit, found ? Math.max(Math.abs(scale.from), Math.abs(scale.to)) : 1);
    const { clientWidth, clientHeight } = one(".surface");
    const over = found && scale.kind !== "count";
    return {
      facts, state, grid, data, at, empty, reason, measure, scale, unit, factor,
      title: measure.title, caption: model.systemOf(facts, state).title + ", " + model.systemOf(facts, state).methods[state.map].title,
      numbers: model.numbersOf(facts, state), marks: marksOf(facts, state), partial: grid.count < grid.values.length,
      /* A few values may lie beyond both ends of the colours. */
      clipped: (value) => (over && found.greatest > scale.to && value > scale.to * (1 - 1e-9) ? "≥ " : ""),
      boxes: places.boxes(clientWidth, clientHeight, { isCount: measure.kind === "count", isCurve: !state.y }),
    };
  }

  function draw(seen) {
    const { map } = window.nhviz.sweeps;
    const canvas = one(".cells");
    const { map: box } = seen.boxes;
    const size = [one(".surface").clientWidth, one(".surface").clientHeight];
    const now = [model.query(seen.state), seen.grid.version, size, seen.empty && seen.empty.label].join(" ");
    if (now !== drawn) {
      drawn = now;
      canvas.hidden = !seen.state.y;
      Object.assign(canvas.style, { left: box.x + "px", top: box.y + "px", width: box.width + "px", height: box.height + "px" });
      map.paint(canvas, seen);
      map.frame(layers.frame, seen);
      one(".map h2").textContent = seen.title;
      one(".map header p").textContent = seen.caption;
      one(".surface").setAttribute("aria-label", "map of " + seen.title.toLowerCase());
      one(".map").classList.add("drawn");
    }
    window.nhviz.sweeps.cuts.cross(layers.cross, seen);
  }

  window.nhviz.sweeps.picture = { draw, furnish, view };
})();
