/* Places for words in a picture: where nothing is ever drawn, near to what they belong to, and no two at one place.
   All numbers are pixels. */
(function () {
  "use strict";

  const CELL = 5;
  /* So much is left free about words. */
  const GAP = 5;
  /* How many pixels of distance it is worth not to cover a cell, and not to have leaders across other words. */
  const COVERED = 1000;
  const CROSSED = 4000;

  /* A sheet of cells, in which lines through points leave marks; a point that is nowhere breaks its line. */
  function sheet(width, height, lines) {
    const [columns, rows] = [Math.ceil(width / CELL) + 1, Math.ceil(height / CELL) + 1];
    const marked = new Uint8Array(columns * rows);
    const mark = (x, y) => {
      const [column, row] = [Math.floor(x / CELL), Math.floor(y / CELL)];
      if (column >= 0 && row >= 0 && column < columns && row < rows) marked[row * columns + column] = 1;
    };
    lines.forEach((points) => points.forEach((point, i) => {
      const before = points[i - 1] || point;
      if (!point || !Number.isFinite(point[0] + point[1] + before[0] + before[1])) return;
      const far = Math.max(Math.abs(point[0] - before[0]), Math.abs(point[1] - before[1]));
      const steps = Math.min(Math.ceil(far / CELL), columns + rows) || 1;
      for (let k = 0; k <= steps; k += 1) mark(before[0] + (k / steps) * (point[0] - before[0]), before[1] + (k / steps) * (point[1] - before[1]));
    }));
    return { columns, rows, sums: summed(marked, columns, rows) };
  }

  /* How many marks are above and to the left of each corner of a cell. */
  function summed(marked, columns, rows) {
    const wide = columns + 1;
    const sums = new Int32Array(wide * (rows + 1));
    for (let row = 0; row < rows; row += 1) {
      for (let column = 0; column < columns; column += 1) {
        const at = (row + 1) * wide + column + 1;
        sums[at] = marked[row * columns + column] + sums[at - 1] + sums[at - wide] - sums[at - wide - 1];
      }
    }
    return sums;
  }

  /* How many marked cells a box touches. */
  function covered({ columns, rows, sums }, { left, top, right, bottom }) {
    const within = (value, most) => Math.max(0, Math.min(value, most));
    const [from, to] = [within(Math.floor(left / CELL), columns), within(Math.floor(right / CELL) + 1, columns)];
    const [above, below] = [within(Math.floor(top / CELL), rows), within(Math.floor(bottom / CELL) + 1, rows)];
    const at = (row, column) => sums[row * (columns + 1) + column];
    return at(below, to) - at(above, to) - at(below, from) + at(above, from);
  }

  const boxOf = ([x, y], { width, height }, gap) => ({ left: x - width / 2 - gap, right: x + width / 2 + gap, top: y - height / 2 - gap, bottom: y + height / 2 + gap });
  const overlap = (one, other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

  /* Whether a straight line from one place to another passes through a box. */
  function crosses([x, y], [toX, toY], box) {
    let [from, to] = [0, 1];
    [[x, toX - x, box.left, box.right], [y, toY - y, box.top, box.bottom]].forEach(([start, way, low, high]) => {
      const ends = way ? [(low - start) / way, (high - start) / way] : start < low || start > high ? [2, 2] : [0, 1];
      from = Math.max(from, Math.min(...ends));
      to = Math.min(to, Math.max(...ends));
    });
    return from < to;
  }

  /* How far a place is from where something is at some instants: half of it is the distance from the last. */
  function distance([x, y], at) {
    const far = ([toX, toY]) => Math.hypot(toX - x, toY - y);
    return 0.5 * far(at[at.length - 1]) + (0.5 / at.length) * at.reduce((sum, one) => sum + far(one), 0);
  }

  /* How bad it is that words stand at a place beside others, which have theirs already. */
  function tangle(place, box, { at }, others) {
    const leaders = (other) => at.filter((end) => crosses(place, end, other.box)).length / at.length + other.at.filter((end) => crosses(other.place, end, box)).length / other.at.length;
    return others.reduce((sum, other) => sum + (overlap(box, other.box) ? COVERED * COVERED : CROSSED * leaders(other)), 0);
  }

  /* How bad a place is; what is worse than a limit need not be known. */
  function badness(cells, place, label, others, limit) {
    const box = boxOf(place, label, GAP);
    const bad = COVERED * covered(cells, box);
    if (bad >= limit) return bad;
    const far = bad + distance(place, label.at);
    return far >= limit ? far : far + tangle(place, box, label, others);
  }

  /* The middle of each label {width, height, at: [[x, y], ...]} in a room {left, top, right, bottom}; lines are what is
     drawn there. */
  function arrange(labels, lines, room) {
    const cells = sheet(room.right, room.bottom, lines);
    const found = [];
    labels.forEach((label) => {
      let best = { bad: Infinity, place: [room.left + label.width / 2, room.top + label.height / 2] };
      for (let y = room.top + label.height / 2 + GAP; y <= room.bottom - label.height / 2 - GAP; y += 2 * CELL) {
        for (let x = room.left + label.width / 2 + GAP; x <= room.right - label.width / 2 - GAP; x += 2 * CELL) {
          const bad = badness(cells, [x, y], label, found, best.bad);
          if (bad < best.bad) best = { bad, place: [x, y] };
        }
      }
      found.push({ place: best.place, at: label.at, box: boxOf(best.place, label, GAP) });
    });
    return found.map(({ place }) => place);
  }

  /* Where the line from words to a place begins: at the nearest edge of their box. */
  function edge([x, y], { width, height }, [toX, toY]) {
    const near = (value, middle, half) => Math.max(middle - half, Math.min(value, middle + half));
    return [near(toX, x, width / 2 + 2), near(toY, y, height / 2 + 1)];
  }

  window.nhviz = Object.assign(window.nhviz || {}, { spread: { arrange, crosses, edge } });
})();
