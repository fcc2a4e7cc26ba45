/* Arrays as the server sends them (`nhviz/figures/arrays.py`): letters of base64, with _ for /. */
(function () {
  "use strict";

  const KINDS = { f4: Float32Array, f8: Float64Array, u2: Uint16Array };
  const isArray = (value) => typeof value.letters === "string";
  const isPlain = (value) => value !== null && typeof value === "object" && !Array.isArray(value) && !ArrayBuffer.isView(value);

  function decode({ letters, dtype, shape }) {
    const text = window.atob(letters.replaceAll("_", "/"));
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i += 1) bytes[i] = text.charCodeAt(i);
    const flat = new (KINDS[dtype] || Float32Array)(bytes.buffer);
    if (!shape) return flat;
    const [rows, columns] = shape;
    return Array.from({ length: rows }, (_, row) => flat.subarray(row * columns, (row + 1) * columns));
  }

  /* A table of products: a row for each number of the first list. */
  const outer = (first, second) => Array.from(first, (factor) => second.map((value) => factor * value));

  /* A trace, or a part of one, in which every array can be read. */
  function unpacked(part) {
    if (!isPlain(part)) return part;
    if (isArray(part)) return decode(part);
    if (part.outer) return outer(...part.outer.map(decode));
    return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, unpacked(value)]));
  }

  /* All traces of a figure; an array may be that of an earlier trace: { as: [trace, axis] }. */
  function traces(data) {
    const found = data.map(unpacked);
    found.forEach((trace) => ["x", "y", "z"].filter((axis) => trace[axis] && trace[axis].as).forEach((axis) => {
      const [number, other] = trace[axis].as;
      trace[axis] = found[number][other];
    }));
    return found;
  }

  window.nhviz = Object.assign(window.nhviz || {}, { arrays: { decode, traces, unpacked } });
})();
