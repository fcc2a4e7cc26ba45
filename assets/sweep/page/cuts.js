/* The cross-hair of a map and the cuts through it: a row above, a column beside. A sweep over one name is such a row. */
(function () {
  "use strict";

  const { contours, places, words } = window.nhviz.sweeps;
  const make = (...all) => window.nhviz.sweeps.map.make(...all);

  /* The share of a value along a cut. */
  const along = (scale, value) => (scale.to > scale.from ? (scale.log ? Math.log(value / scale.from) / Math.log(scale.to / scale.from) : (value - scale.from) / (scale.to - scale.from)) : 0.5);

  /* Round values along a cut, with lines across it. */
  function valueTicks(parent, box, { scale, factor }, upwards, about) {
    contours.rounds(scale.from * factor, scale.to * factor, about, scale.log).forEach((value) => {
      const share = along(scale, value / factor);
      if (upwards) {
        const y = box.y + box.height * (1 - share);
        make("path", { class: "grid", d: "M" + box.x + " " + y.toFixed(1) + "h" + box.width }, parent);
        make("text", { x: box.x - 9, y: y + 4, "text-anchor": "end" }, parent, words.short(value));
      } else {
        const x = box.x + box.width * share;
        make("path", { class: "grid", d: "M" + x.toFixed(1) + " " + box.y + "v" + box.height }, parent);
        make("text", { x, y: box.y + box.height + 18, "text-anchor": "middle" }, parent, words.short(value));
      }
    });
  }

  /* A row or a column of values as a line that breaks where there are none; steps while cells are coarse. */
  function curve(values, place, isCoarse) {
    let [text, open] = ["", false];
    let before = null;
    values.forEach((value, k) => {
      if (!Number.isFinite(value)) {
        open = false;
        return;
      }
      const [x, y] = place(k, value);
      if (open && isCoarse) text += "L" + (before[0] === x ? x : before[0]).toFixed(1) + " " + before[1].toFixed(1);
      text += (open ? "L" : "M") + x.toFixed(1) + " " + y.toFixed(1);
      open = true;
      before = [x, y];
    });
    return text;
  }

  /* The cross-hair in the map and both cuts through it. */
  function cross(layer, view) {
    layer.replaceChildren();
    const { grid, scale, at: [i, j], boxes: { map, above, beside }, partial } = view;
    const shape = [grid.rows, grid.columns];
    const [x, y] = places.pixelOf(map, shape, i, j);
    const row = grid.seen.subarray(j * grid.columns, (j + 1) * grid.columns);
    const value = grid.seen[j * grid.columns + i];
    if (!view.state.y) return curveOnly(layer, view, row, value);
    ["under", "over"].forEach((look) => make("path", { class: "hair " + look, d: "M" + x + " " + map.y + "v" + map.height + "M" + map.x + " " + y + "h" + map.width }, layer));
    make("circle", { class: "ring outer", cx: x, cy: y, r: 8 }, layer);
    make("circle", { class: "ring", cx: x, cy: y, r: 6.5 }, layer);
    if (above) {
      valueTicks(layer, above, view, true, 3);
      make("path", { class: "through", d: "M" + x + " " + above.y + "v" + above.height }, layer);
      const place = (k, v) => [places.pixelOf(map, shape, k, 0)[0], above.y + above.height * (1 - Math.min(1, Math.max(0, along(scale, v))))];
      make("path", { class: "cut", d: curve(row, place, partial) }, layer);
      if (Number.isFinite(value)) make("circle", { class: "dot", cx: x, cy: place(i, value)[1], r: 4 }, layer);
    }
    if (beside) {
      valueTicks(layer, beside, view, false, 3);
      make("path", { class: "through", d: "M" + beside.x + " " + y + "h" + beside.width }, layer);
      const column = Array.from({ length: grid.rows }, (_, k) => grid.seen[k * grid.columns + i]);
      const place = (k, v) => [beside.x + beside.width * Math.min(1, Math.max(0, along(scale, v))), places.pixelOf(map, shape, 0, k)[1]];
      make("path", { class: "cut", d: curve(column, place, false) }, layer);
      if (Number.isFinite(value)) make("circle", { class: "dot", cx: place(j, value)[0], cy: y, r: 4 }, layer);
    }
  }

  /* A sweep over one name is a curve. */
  function curveOnly(layer, { grid, scale, at: [i], boxes: { map } }, row, value) {
    const place = (k, v) => [places.pixelOf(map, [1, grid.columns], k, 0)[0], map.y + map.height * (1 - along(scale, v))];
    const [x] = places.pixelOf(map, [1, grid.columns], i, 0);
    make("path", { class: "through", d: "M" + x + " " + map.y + "v" + map.height }, layer);
    make("path", { class: "cut", d: curve(row, place, false) }, layer);
    if (Number.isFinite(value)) make("circle", { class: "dot", cx: x, cy: place(i, value)[1], r: 4.5 }, layer);
  }

  window.nhviz.sweeps.cuts = { cross, valueTicks };
})();
