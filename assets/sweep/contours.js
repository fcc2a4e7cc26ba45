/* Lines of equal value in a grid, by marching squares, and round numbers for them and for ticks. */
(function () {
  "use strict";

  /* Crossings of neighbouring lines that are farther apart, in cells, belong to different curves; a few lines between
     them may have none. */
  const [FAR, GAP] = [4, 4];

  /* Steps of 1, 2 or 5 times a power of ten that give about so many numbers in a range. */
  function stepOf(from, to, about) {
    const rough = (to - from) / about;
    const power = 10 ** Math.floor(Math.log10(rough));
    return [1, 2, 5, 10].find((times) => times * power >= 0.8 * rough) * power;
  }

  /* Round numbers in a range; of a logarithmic one powers of ten, with 2 and 5 between a few of them. */
  function rounds(from, to, about, log) {
    if (!(to > from) || !Number.isFinite(to - from)) return [];
    const found = [];
    if (log) {
      const decades = Math.log10(to / from);
      const times = decades < 2.2 ? [1, 2, 5] : [1];
      const stride = Math.max(1, Math.ceil(decades / (2 * about)));
      for (let power = Math.floor(Math.log10(from)); power <= Math.log10(to); power += stride) times.forEach((n) => found.push(Number((n * 10 ** power).toPrecision(3))));
      return found.filter((value) => value >= from * 0.999999 && value <= to * 1.000001);
    }
    const step = stepOf(from, to, about);
    for (let k = Math.ceil(from / step - 1e-9); k * step <= to + 1e-9 * step; k += 1) found.push(Number((k * step).toPrecision(10)));
    return found;
  }

  /* Sides of a square: 0 below, 1 right, 2 above, 3 left. Which pairs a line joins, by the corners that are above it. */
  const PAIRS = { 1: [[3, 0]], 2: [[0, 1]], 3: [[3, 1]], 4: [[1, 2]], 6: [[0, 2]], 7: [[3, 2]], 8: [[2, 3]], 9: [[2, 0]], 11: [[2, 1]], 12: [[1, 3]], 13: [[1, 0]], 14: [[0, 3]] };
  const SADDLES = { 5: [[[3, 0], [1, 2]], [[3, 2], [1, 0]]], 10: [[[0, 1], [2, 3]], [[0, 3], [2, 1]]] };

  /* Lines of a level through a grid of values, in units of cells; `stride` leaves out cells between. A square in which
     a value is missing, or that is `steep`, has no line. */
  function linesAt({ values, done, rows, columns }, stride, level, steep) {
    const next = new Map();
    const places = new Map();
    const join = (a, b) => [[a, b], [b, a]].forEach(([one, other]) => next.set(one, [...(next.get(one) || []), other]));
    for (let j = 0; j + stride < rows; j += stride) {
      for (let i = 0; i + stride < columns; i += stride) {
        /* Most squares are on one side, which a few comparisons tell; a missing value is on none. */
        const [first, upper] = [j * columns + i, (j + stride) * columns + i];
        const is = values[first] >= level;
        if (is === (values[first + stride] >= level) && is === (values[upper] >= level) && is === (values[upper + stride] >= level)) continue;
        const corners = [[i, j], [i + stride, j], [i + stride, j + stride], [i, j + stride]];
        const cells = [first, first + stride, upper + stride, upper];
        const found = cells.map((c) => (done[c] ? values[c] : NaN));
        /* Not so if one of them is no number. */
        if (!(Math.max(...found) - Math.min(...found) <= steep)) continue;
        const above = found.reduce((sum, value, k) => sum + (value >= level ? 2 ** k : 0), 0);
        const mean = found.reduce((sum, value) => sum + value, 0) / 4;
        const pairs = SADDLES[above] ? SADDLES[above][mean >= level ? 1 : 0] : PAIRS[above] || [];
        pairs.forEach((pair) => {
          const keys = pair.map((side) => {
            const [a, b] = [side, (side + 1) % 4].toSorted((p, q) => cells[p] - cells[q]);
            const key = 2 * cells[a] + (corners[a][1] === corners[b][1] ? 0 : 1);
            const share = (level - found[a]) / (found[b] - found[a]);
            places.set(key, [0, 1].map((axis) => corners[a][axis] + share * (corners[b][axis] - corners[a][axis])));
            return key;
          });
          join(...keys);
        });
      }
    }
    return chains(next).map((keys) => keys.map((key) => places.get(key)));
  }

  /* Neighbours as chains: first those with ends, then rings. */
  function chains(next) {
    const left = new Set(next.keys());
    const walk = (start) => {
      const found = [start];
      left.delete(start);
      for (let at = start; ;) {
        at = next.get(at).find((key) => left.has(key));
        if (at === undefined) break;
        found.push(at);
        left.delete(at);
      }
      if (found.length > 2 && next.get(found.at(-1)).includes(start)) found.push(start);
      return found;
    };
    const ends = [...next.keys()].filter((key) => next.get(key).length === 1);
    return [...ends.filter((key) => left.has(key)).map((key) => (left.has(key) ? walk(key) : [])), ...[...next.keys()].map((key) => (left.has(key) ? walk(key) : []))]
      .filter(({ length }) => length > 1);
  }

  /* All lines of round levels. The grid is looked at with a stride that leaves at most so many cells along an axis. */
  function contours(grid, levels, steep, most) {
    const stride = 2 ** Math.max(0, Math.ceil(Math.log2(Math.max(grid.rows, grid.columns) / most)));
    return levels.flatMap((level) => linesAt(grid, stride, level, steep).map((points) => ({ level, points })));
  }

  /* Where a level is crossed along lines of cells, joined from one line to the next: unlike squares this needs two known
     cells only, and goes along the edge of what is known. `at(k, n)` is cell n of line k. */
  function followed(count, length, at, level, steep) {
    const found = [];
    let open = [];
    for (let k = 0; k < count; k += 1) {
      const here = [];
      for (let n = 0; n + 1 < length; n += 1) {
        const [first, second] = [at(k, n), at(k, n + 1)];
        const crosses = Math.abs(second - first) <= steep && (first < level) !== (second < level);
        if (crosses) here.push(n + (level - first) / (second - first));
      }
      here.forEach((place) => {
        let chain = open.find((one) => one.at(-1)[0] < k && Math.abs(one.at(-1)[1] - place) <= FAR);
        if (!chain) {
          chain = [];
          found.push(chain);
          open.push(chain);
        }
        chain.push([k, place]);
      });
      open = open.filter((one) => k - one.at(-1)[0] < GAP);
    }
    return found.filter(({ length: points }) => points > 1);
  }

  /* The lines of a level, along rows or along columns, whichever meet it more often. */
  function across({ values, done, rows, columns }, level, steep) {
    const known = (c) => (done[c] ? values[c] : NaN);
    const upwards = followed(rows, columns, (j, i) => known(j * columns + i), level, steep).map((chain) => chain.map(([j, i]) => [i, j]));
    const sideways = followed(columns, rows, (i, j) => known(j * columns + i), level, steep);
    const size = (found) => found.reduce((sum, { length }) => sum + length, 0);
    return size(upwards) >= size(sideways) ? upwards : sideways;
  }

  /* A line of pixels in two, with a gap for a label where it is straightest; no label on a short one, or where no place
     `isFree`. */
  function labelled(points, width, isFree = () => true) {
    const lengths = [0];
    for (let k = 1; k < points.length; k += 1) lengths.push(lengths[k - 1] + Math.hypot(points[k][0] - points[k - 1][0], points[k][1] - points[k - 1][1]));
    const total = lengths.at(-1);
    if (total < 2.5 * width) return { parts: [points], at: null };
    const place = (s) => {
      const k = Math.max(1, lengths.findIndex((length) => length >= s));
      const share = (s - lengths[k - 1]) / (lengths[k] - lengths[k - 1] || 1);
      return [0, 1].map((axis) => points[k - 1][axis] + share * (points[k][axis] - points[k - 1][axis]));
    };
    let best = null;
    for (const share of [0.3, 0.38, 0.46, 0.54, 0.62, 0.7, 0.22, 0.78]) {
      const middle = share * total;
      const [from, to] = [place(middle - width / 2), place(middle + width / 2)];
      const straight = Math.hypot(to[0] - from[0], to[1] - from[1]) / width;
      if (!isFree((from[0] + to[0]) / 2, (from[1] + to[1]) / 2)) continue;
      if (!best || straight > best.straight + 0.004) best = { straight, middle, from, to };
    }
    if (!best) return { parts: [points], at: null };
    const turn = (180 / Math.PI) * Math.atan2(best.to[1] - best.from[1], best.to[0] - best.from[0]);
    const upright = turn > 90 ? turn - 180 : turn < -90 ? turn + 180 : turn;
    const before = [...points.filter((_, k) => lengths[k] < best.middle - width / 2), best.from];
    const after = [best.to, ...points.filter((_, k) => lengths[k] > best.middle + width / 2)];
    return { parts: [before, after], at: { x: (best.from[0] + best.to[0]) / 2, y: (best.from[1] + best.to[1]) / 2, turn: upright } };
  }

  window.nhviz = window.nhviz || {};
  window.nhviz.sweeps = Object.assign(window.nhviz.sweeps || {}, { contours: { across, contours, labelled, linesAt, rounds } });
})();
