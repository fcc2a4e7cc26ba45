/* From space to the screen and back: the camera of a scene as a matrix. Functions of values; matrices are lists of 16
   numbers, column by column. */
(function () {
  "use strict";

  function product(first, second) {
    return Array.from({ length: 16 }, (_, k) => [0, 1, 2, 3].reduce((sum, i) => sum + first[4 * i + (k % 4)] * second[4 * Math.floor(k / 4) + i], 0));
  }

  function apply(matrix, [x, y, z, w]) {
    return [0, 1, 2, 3].map((row) => matrix[row] * x + matrix[4 + row] * y + matrix[8 + row] * z + matrix[12 + row] * w);
  }

  /* What a matrix takes to a point: by elimination with the largest pivots. */
  function solve(matrix, point) {
    const rows = [0, 1, 2, 3].map((row) => [matrix[row], matrix[4 + row], matrix[8 + row], matrix[12 + row], point[row]]);
    for (let i = 0; i < 4; i += 1) {
      const best = [...rows.keys()].slice(i).reduce((top, row) => (Math.abs(rows[row][i]) > Math.abs(rows[top][i]) ? row : top), i);
      [rows[i], rows[best]] = [rows[best], rows[i]];
      rows.forEach((row, k) => {
        if (k === i) return;
        const share = row[i] / rows[i][i];
        rows[k] = row.map((value, column) => value - share * rows[i][column]);
      });
    }
    return rows.map((row, i) => row[4] / row[i]);
  }

  /* The place on the screen of a point, in pixels from the upper left corner of a scene of this size. */
  function pixel(camera, size, point) {
    const [x, y, , w] = apply(camera, [...point, 1]);
    return [(0.5 + (0.5 * x) / w) * size[0], (0.5 - (0.5 * y) / w) * size[1]];
  }

  /* Where the ray through a place on the screen meets the plane z = 0, or nothing. */
  function onFloor(camera, size, [left, top]) {
    const flat = [(2 * left) / size[0] - 1, 1 - (2 * top) / size[1]];
    const [near, far] = [-0.5, 0.5].map((depth) => {
      const [x, y, z, w] = solve(camera, [...flat, depth, 1]);
      return [x / w, y / w, z / w];
    });
    const share = near[2] / (near[2] - far[2]);
    return Number.isFinite(share) ? [0, 1].map((i) => near[i] + share * (far[i] - near[i])) : null;
  }

  window.nhviz = Object.assign(window.nhviz || {}, { eye: { apply, onFloor, pixel, product, solve } });
})();
