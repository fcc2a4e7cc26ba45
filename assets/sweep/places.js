/* Where everything of a map is: the map itself, the cuts above and beside it, the colour bar; and where it is empty. */
(function () {
  "use strict";

  const MARGIN = { left: 48, right: 6, top: 8, bottom: 28 };
  /* The bar is so wide, and has so much room on its left and for its numbers. */
  const BAR = { width: 12, before: 10, after: 36 };
  /* Map and cuts share the room; a narrower or lower one has no cuts. */
  const [SHARE, CUT, WIDE, HIGH] = [0.8, 0.17, 420, 330];
  /* An empty part is looked for among so many places along an axis. */
  const LOOKED = 64;

  /* Boxes { x, y, width, height } in pixels; those that there is no room or no use for are null. */
  function boxes(width, height, { isCount, isCurve }) {
    const room = { x: MARGIN.left, y: MARGIN.top, width: width - MARGIN.left - MARGIN.right, height: height - MARGIN.top - MARGIN.bottom };
    if (isCurve) return { map: room, above: null, beside: null, bar: null };
    room.width -= BAR.before + BAR.width + BAR.after;
    const barAt = room.x + room.width + BAR.before;
    const cuts = !isCount && width >= WIDE && height >= HIGH;
    if (!cuts) return { map: room, above: null, beside: null, bar: { x: barAt, y: room.y + 0.16 * room.height, width: BAR.width, height: 0.7 * room.height } };
    const map = { x: room.x, y: room.y + (1 - SHARE) * room.height, width: SHARE * room.width, height: SHARE * room.height };
    return {
      map,
      above: { x: map.x, y: room.y, width: map.width, height: CUT * room.height },
      beside: { x: room.x + (1 - CUT) * room.width, y: map.y, width: CUT * room.width, height: map.height },
      bar: { x: barAt, y: map.y + 0.1 * map.height, width: BAR.width, height: 0.88 * map.height },
    };
  }

  /* The middle of a cell, counted from the lower left corner, and the place of a pixel among cells. */
  function pixelOf(box, [rows, columns], i, j) {
    return [box.x + ((i + 0.5) / columns) * box.width, box.y + box.height - ((j + 0.5) / rows) * box.height];
  }
  function placeAt(box, [rows, columns], x, y) {
    return [((x - box.x) / box.width) * columns - 0.5, ((box.y + box.height - y) / box.height) * rows - 0.5];
  }
  const within = (box, x, y) => x >= box.x && x < box.x + box.width && y > box.y && y <= box.y + box.height;

  /* The largest part of a grid without values: a cell well inside it, and how far it is from values, in cells. */
  function emptyPart({ values, done, rows, columns }) {
    const [down, along] = [Math.ceil(rows / LOOKED), Math.ceil(columns / LOOKED)];
    const [height, width] = [Math.ceil(rows / down), Math.ceil(columns / along)];
    const cell = (x, y) => y * down * columns + x * along;
    const isEmpty = (x, y) => x >= 0 && y >= 0 && x < width && y < height && done[cell(x, y)] && !Number.isFinite(values[cell(x, y)]);
    const parts = partsOf(width, height, isEmpty).toSorted((a, b) => b.length - a.length);
    if (!parts.length) return lonely({ values, done, columns });
    const inside = new Set(parts[0].map(([x, y]) => y * width + x));
    let best = { depth: -1 };
    parts[0].forEach(([x, y]) => {
      const depth = depthOf(inside, width, height, x, y);
      if (depth > best.depth) best = { x, y, depth };
    });
    return { i: best.x * along, j: best.y * down, depth: best.depth * along, size: parts[0].length };
  }

  /* Any cell without a value; nothing where all have one. */
  function lonely({ values, done, columns }) {
    const cell = values.findIndex((value, c) => done[c] && !Number.isFinite(value));
    return cell < 0 ? null : { i: cell % columns, j: Math.floor(cell / columns), depth: 1, size: 1 };
  }

  /* Places that hang together. */
  function partsOf(width, height, belongs) {
    const seen = new Set();
    const found = [];
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        if (seen.has(y * width + x) || !belongs(x, y)) continue;
        const part = [[x, y]];
        seen.add(y * width + x);
        for (let k = 0; k < part.length; k += 1) {
          const [a, b] = part[k];
          [[a + 1, b], [a - 1, b], [a, b + 1], [a, b - 1]].forEach(([p, q]) => {
            if (belongs(p, q) && !seen.has(q * width + p)) {
              seen.add(q * width + p);
              part.push([p, q]);
            }
          });
        }
        found.push(part);
      }
    }
    return found;
  }

  /* How far a place is from what does not belong, the edges included, along its row and its column. */
  function depthOf(inside, width, height, x, y) {
    const free = (dx, dy) => {
      let steps = 1;
      while (x + steps * dx >= 0 && x + steps * dx < width && y + steps * dy >= 0 && y + steps * dy < height && inside.has((y + steps * dy) * width + x + steps * dx)) steps += 1;
      return steps;
    };
    return Math.min(free(1, 0), free(-1, 0), 2 * free(0, 1), 2 * free(0, -1));
  }

  window.nhviz = window.nhviz || {};
  window.nhviz.sweeps = Object.assign(window.nhviz.sweeps || {}, { places: { boxes, emptyPart, pixelOf, placeAt, within } });
})();
