/* The picture of a sweep: cells are the pixels of a canvas, everything else is SVG in the colours of the theme. */
(function () {
  "use strict";

  const { colour, contours, model, places, words } = window.nhviz.sweeps;
  const SVG = "http://www.w3.org/2000/svg";
  /* Lines are looked for among so many cells along an axis, and there are about so many. */
  const [LOOKED, LEVELS] = [200, 6];
  /* A square whose corners differ by more than so many levels is a jump, not a slope. */
  const STEEP = 2.5;
  /* On colours lighter than this words and lines are dark. */
  const LIGHT = 0.2;
  /* Labels of lines are so far apart, and leave so much room for the names of axes in their corners. */
  const [APART, ROOM] = [30, [112, 38]];

  function make(name, properties, parent, text) {
    const made = document.createElementNS(SVG, name);
    Object.entries(properties).forEach(([key, value]) => made.setAttribute(key, value));
    if (text !== undefined) made.textContent = text;
    if (parent) parent.append(made);
    return made;
  }

  const path = (points) => points.map(([x, y], k) => (k ? "L" : "M") + x.toFixed(1) + " " + y.toFixed(1)).join("");

  /* A symbol such as I₁₃ in SVG, with its unit. */
  function symbol(parent, { symbol: [base, sub], unit }) {
    make("tspan", { class: "sym" }, parent, base);
    if (sub) make("tspan", { class: "sym sub", dy: "0.28em" }, parent, sub);
    if (unit) make("tspan", sub ? { dy: "-0.2em" } : {}, parent, " (" + unit + ")");
  }

  /* Whether words at a place of the map stand on a dark colour, on a light one, or on nothing. */
  function ground({ grid, scale }, i, j, along, down) {
    let [light, count, all] = [0, 0, 0];
    const [stepDown, stepAlong] = [down, along].map((size) => Math.max(1, Math.floor(size / 4)));
    for (let y = Math.max(0, Math.round(j - down)); y <= Math.min(grid.rows - 1, j + down); y += stepDown) {
      for (let x = Math.max(0, Math.round(i - along)); x <= Math.min(grid.columns - 1, i + along); x += stepAlong) {
        const value = grid.seen[y * grid.columns + x];
        all += 1;
        if (Number.isFinite(value)) {
          count += 1;
          light += colour.lightness(colour.mixed(scale.kind, colour.shareOf(scale, value)));
        }
      }
    }
    if (count < 0.5 * all) return "on-ground";
    return light / count > LIGHT ? "on-light" : "on-dark";
  }

  /* Cells, once for every answer. */
  function paint(canvas, { grid, scale }) {
    if (canvas.width !== grid.columns || canvas.height !== grid.rows) Object.assign(canvas, { width: grid.columns, height: grid.rows });
    const context = canvas.getContext("2d");
    const image = context.createImageData(grid.columns, grid.rows);
    colour.paint(grid.seen, grid.rows, grid.columns, scale, new Uint32Array(image.data.buffer));
    context.putImageData(image, 0, 0);
  }

  /* Ticks of an axis along or up a box. */
  function ticks(parent, box, axis, upwards) {
    const room = upwards ? box.height : box.width;
    const shape = upwards ? [axis.count, 1] : [1, axis.count];
    contours.rounds(axis.first, axis.last, Math.max(2, room / (upwards ? 75 : 72)), axis.log).forEach((value) => {
      const place = model.placeOf(axis, value);
      const [x, y] = places.pixelOf(box, shape, upwards ? 0 : place, upwards ? place : 0);
      if (upwards) {
        make("path", { class: "tick", d: "M" + (box.x - 5) + " " + y + "h4" }, parent);
        make("text", { x: box.x - 9, y: y + 4, "text-anchor": "end" }, parent, words.short(value));
      } else {
        make("path", { class: "tick", d: "M" + x + " " + (box.y + box.height + 1) + "v4" }, parent);
        make("text", { x, y: box.y + box.height + 18, "text-anchor": "middle" }, parent, words.short(value));
      }
    });
  }

  /* How wide a corner without values is, at the height of a name: above on the left, or below on the right. A wide one is
     no corner. */
  function corner(box, { grid: { rows, columns, seen, done } }, isAbove) {
    const away = Math.round((14 / box.height) * rows);
    const row = (isAbove ? rows - 1 - away : away) * columns;
    const isEmpty = (k) => done[row + k] && !Number.isFinite(seen[row + k]);
    let count = 0;
    while (count < columns && isEmpty(isAbove ? count : columns - 1 - count)) count += 1;
    return count < 0.2 * columns ? (count / columns) * box.width : 0;
  }

  /* The names of both axes, in corners of the map. */
  function names(parent, box, view) {
    const { grid, numbers, state } = view;
    const spots = [
      { axis: state.y, x: box.x + 9 + corner(box, view, true), y: box.y + 19, anchor: "start", i: 0.08 * grid.columns, j: 0.96 * grid.rows },
      { axis: state.x, x: box.x + box.width - 9 - corner(box, view, false), y: box.y + box.height - 10, anchor: "end", i: 0.9 * grid.columns, j: 0.03 * grid.rows },
    ];
    spots.filter(({ axis }) => axis).forEach(({ axis, x, y, anchor, i, j }) => {
      const kind = state.y ? ground(view, i, j, 0.08 * grid.columns, 0.03 * grid.rows) : "on-ground";
      symbol(make("text", { x, y, "text-anchor": anchor, class: "axis-name " + kind }, parent), numbers[axis.name]);
    });
  }

  /* Whether a label would lie on the name of an axis, in its corner, or across the edge. */
  function nearNames(box, x, y) {
    const [left, top] = [x - box.x, y - box.y];
    const [right, bottom] = [box.width - left, box.height - top];
    const onEdge = Math.min(left, top, right, bottom) < 12;
    return onEdge || (left < ROOM[0] && top < ROOM[1]) || (right < ROOM[0] && bottom < ROOM[1]);
  }

  /* Values as the levels of lines see them. */
  const levelled = ({ grid, scale }) => (scale.log ? { ...grid, values: grid.values.map(Math.log) } : grid);

  /* Lines of equal value where cells are fine, each with its number; those that mean something are marked. */
  function lines(parent, box, view) {
    const { grid, scale, factor, marks } = view;
    if (scale.kind === "count") return;
    const [from, to] = [scale.from * factor, scale.to * factor];
    const plain = contours.rounds(from, to, LEVELS, scale.log).filter((level) => level > from && level < to);
    const levels = plain.filter((level) => !marks.some(([mark]) => Math.abs(mark * factor - level) < 1e-9 * Math.abs(level)));
    const at = (level) => (scale.log ? Math.log(level / factor) : level / factor);
    const gap = plain.length > 1 ? Math.abs(at(plain[1]) - at(plain[0])) : Infinity;
    const field = levelled(view);
    const shape = [grid.rows, grid.columns];
    const taken = [];
    const isFree = (x, y) => !nearNames(box, x, y) && taken.every((other) => Math.hypot(other.x - x, other.y - y) > APART);
    const draw = (level, text, look, found) => {
      const light = colour.lightness(colour.mixed(scale.kind, colour.shareOf(scale, level / factor))) > 0.62 ? " dark" : "";
      found.forEach((points) => {
        const { parts, at: label } = contours.labelled(points.map(([i, j]) => places.pixelOf(box, shape, i, j)), 10 + 5.4 * text.length, isFree);
        if (label) taken.push(label);
        parts.forEach((part) => make("path", { class: look + light, d: path(part) }, parent));
        if (label) make("text", { class: "level" + light, "text-anchor": "middle", transform: "translate(" + label.x.toFixed(1) + " " + label.y.toFixed(1) + ") rotate(" + label.turn.toFixed(1) + ")", y: 4 }, parent, text);
      });
    };
    levels.forEach((level) => draw(level, words.short(level), "contour", contours.contours(field, [at(level)], STEEP * gap, LOOKED).map(({ points }) => points)));
    marks.forEach(([level, text]) => draw(level * factor, text, "mark", contours.across(field, at(level * factor), STEEP * gap)));
  }

  /* What an empty part is, in words: inside of it, or beside it with a line that leads there. */
  function emptiness(parent, box, view) {
    const { grid, empty } = view;
    if (!empty || !empty.label) return;
    const [x, y] = places.pixelOf(box, [grid.rows, grid.columns], empty.i, empty.j);
    const rooms = (2 * empty.depth * box.width) / grid.columns;
    if (rooms > 7.2 * empty.label.length) make("text", { class: "empty on-ground", x, y: y + 4, "text-anchor": "middle" }, parent, empty.label);
    else {
      const [inwards, up] = [x > box.x + box.width / 2 ? -1 : 1, y > box.y + box.height / 2 ? -1 : 1];
      const end = (side) => x + side * (34 + 6.4 * empty.label.length);
      const side = [inwards, -inwards].find((way) => !nearNames(box, end(way), y + up * 14)) || inwards;
      const [i, j] = places.placeAt(box, [grid.rows, grid.columns], x + side * (30 + 3.2 * empty.label.length), y + up * 14);
      const kind = ground(view, i, j, 0.04 * grid.columns, 0.01 * grid.rows);
      make("path", { class: "leader " + kind, d: path([[x, y], [x + side * 26, y + up * 12]]) }, parent);
      make("text", { class: "empty " + kind, x: x + side * 30, y: y + up * 14 + 4, "text-anchor": side < 0 ? "end" : "start" }, parent, empty.label);
    }
  }

  /* The colour bar: a ramp with round numbers, or a step for each count. */
  function bar(parent, box, { scale, unit, factor, clipped }) {
    if (scale.kind === "count") {
      for (let k = 0; k < 4; k += 1) {
        const y = box.y + box.height * (1 - (k + 1) / 4);
        make("rect", { x: box.x, y, width: box.width, height: box.height / 4, fill: colour.css(scale.kind, (k + 0.5) / 4) }, parent);
        make("text", { x: box.x + box.width + 6, y: y + box.height / 8 + 4 }, parent, String(k * scale.unit) + (k === 3 ? "+" : ""));
      }
      return;
    }
    const shade = make("linearGradient", { id: "sweep-shade", x1: 0, x2: 0, y1: 1, y2: 0 }, parent);
    for (let k = 0; k <= 22; k += 1) make("stop", { offset: k / 22, "stop-color": colour.css(scale.kind, k / 22) }, shade);
    make("rect", { x: box.x, y: box.y, width: box.width, height: box.height, fill: "url(#sweep-shade)" }, parent);
    make("text", { x: box.x + box.width / 2, y: box.y - 8, "text-anchor": "middle" }, parent, words.brief(unit));
    contours.rounds(scale.from * factor, scale.to * factor, 5, scale.log).forEach((value) => {
      const y = box.y + box.height * (1 - colour.shareOf(scale, value / factor));
      make("text", { x: box.x + box.width + 6, y: y + 4 }, parent, (clipped(value / factor) || "") + words.short(value));
    });
  }

  /* Everything but the cross-hair. */
  function frame(layer, view) {
    layer.replaceChildren();
    const { map, bar: barBox } = view.boxes;
    if (!view.state.y) {
      ticks(layer, map, view.state.x, false);
      window.nhviz.sweeps.cuts.valueTicks(layer, map, view, true, 6);
      names(layer, map, view);
      return;
    }
    ticks(layer, map, view.state.x, false);
    ticks(layer, map, view.state.y, true);
    const clip = make("clipPath", { id: "sweep-clip" }, layer);
    make("rect", { x: map.x, y: map.y, width: map.width, height: map.height }, clip);
    const inside = make("g", { "clip-path": "url(#sweep-clip)" }, layer);
    lines(inside, map, view);
    emptiness(inside, map, view);
    names(layer, map, view);
    bar(layer, barBox, view);
  }

  window.nhviz.sweeps.map = { frame, make, paint };
})();
