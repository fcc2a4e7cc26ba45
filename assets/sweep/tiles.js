/* Tiles of a sweep as the server cuts them (`nhviz/sweeps/tiles.py`), and the grid that fills as they arrive: values
   where they are known, and for every other cell the value of the nearest cell that is. */
(function () {
  "use strict";

  const COARSE = 32;
  const [FIRST, SMALL, LARGE, MANY] = [16, 32, 64, 65536];
  const bits = (value) => 32 - Math.clz32(value);
  const halvings = (count) => Math.max(0, bits(Math.ceil(count / COARSE) - 1));

  /* Blocks of so many points with these strides: [first, end, stride] of rows and of columns. */
  function blocks(rows, columns, [down, along], side) {
    const [height, width] = rows > 1 ? [side, side] : [1, side * side];
    const found = [];
    for (let top = 0; top < rows; top += height * down) {
      for (let left = 0; left < columns; left += width * along) {
        found.push({ rows: [top, Math.min(top + height * down, rows), down], columns: [left, Math.min(left + width * along, columns), along] });
      }
    }
    return found;
  }

  /* All tiles, coarse to fine, each without what coarser ones have. */
  function tilesOf(rows, columns) {
    const halved = [halvings(rows), halvings(columns)];
    const finest = rows * columns > MANY ? LARGE : SMALL;
    const found = [];
    let known = null;
    for (let level = 0; level <= Math.max(...halved); level += 1) {
      const strides = halved.map((times) => 2 ** Math.max(times - level, 0));
      for (const block of blocks(rows, columns, strides, level === 0 ? FIRST : finest)) {
        const tile = { level, strides, known, ...block };
        if (!known || hasNew(tile)) found.push(tile);
      }
      known = strides;
    }
    return found;
  }

  const isNew = ({ known }, i, j) => !known || j % known[0] !== 0 || i % known[1] !== 0;

  function hasNew(tile) {
    const { rows: [top, bottom, down], columns: [left, right, along] } = tile;
    for (let j = top; j < bottom; j += down) {
      for (let i = left; i < right; i += along) if (isNew(tile, i, j)) return true;
    }
    return false;
  }

  /* The cells of a tile as [i, j], row by row. */
  function cellsOf(tile) {
    const { rows: [top, bottom, down], columns: [left, right, along] } = tile;
    const found = [];
    for (let j = top; j < bottom; j += down) {
      for (let i = left; i < right; i += along) if (isNew(tile, i, j)) found.push([i, j]);
    }
    return found;
  }

  /* A grid with nothing in it. `seen` is what is shown, `fineness` the level from which that comes, counted from 1. */
  function grid(rows, columns) {
    const cells = rows * columns;
    return {
      rows, columns, tiles: tilesOf(rows, columns), count: 0, version: 0,
      values: new Float64Array(cells).fill(NaN), done: new Uint8Array(cells),
      seen: new Float64Array(cells).fill(NaN), fineness: new Uint8Array(cells),
    };
  }

  /* The first and the last cell of those to which a point is nearest, along one axis. */
  function reach(at, stride, count) {
    const first = at - Math.floor(stride / 2);
    const last = at + stride >= count ? count - 1 : at + Math.ceil(stride / 2) - 1;
    return [Math.max(0, first), Math.min(count - 1, last)];
  }

  /* Take in the values of a tile; a tile that is there already changes nothing. */
  function put(into, number, values) {
    const tile = into.tiles[number];
    const { rows, columns, done, seen, fineness } = into;
    const fine = tile.level + 1;
    cellsOf(tile).forEach(([i, j], k) => {
      const cell = j * columns + i;
      into.count += done[cell] ? 0 : 1;
      into.values[cell] = values[k];
      done[cell] = 1;
      const [left, right] = reach(i, tile.strides[1], columns);
      const [low, high] = reach(j, tile.strides[0], rows);
      for (let y = low; y <= high; y += 1) {
        for (let c = y * columns + left; c <= y * columns + right; c += 1) {
          if (fineness[c] <= fine && (c === cell || !done[c])) {
            seen[c] = values[k];
            fineness[c] = fine;
          }
        }
      }
    });
    into.version += 1;
  }

  window.nhviz = window.nhviz || {};
  window.nhviz.sweeps = Object.assign(window.nhviz.sweeps || {}, { tiles: { cellsOf, grid, put, tilesOf } });
})();
