/* Numbers of a sweep in words: units, digits, sentences. Functions of values. */
(function () {
  "use strict";

  const UNITS = {
    s: [{ unit: "µs", factor: 1e6, below: 5e-4 }, { unit: "ms", factor: 1e3, below: 0.5 }],
    rad: [{ unit: "°", factor: 180 / Math.PI, below: Infinity }],
  };
  const MINUS = "−";
  const SUPERSCRIPTS = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };

  /* The unit in which numbers up to a size are told, and the factor that leads to it. */
  function unitOf(unit, size) {
    const found = (UNITS[unit] || []).find(({ below }) => Math.abs(size) < below);
    return found ? { unit: found.unit, factor: found.factor } : { unit, factor: 1 };
  }

  /* A unit as short as a label needs it: turns per step are turns. */
  const brief = (unit) => unit.split(" per ")[0];

  const superscript = (power) => [...String(power)].map((sign) => SUPERSCRIPTS[sign]).join("");

  /* 3.8 · 10⁻¹⁶, or 10⁻³ alone where the digits are 1. */
  function powered(value, digits) {
    const [number, power] = value.toExponential(digits).split("e");
    const plain = String(Number(number));
    return ((plain === "1" ? "" : plain === "-1" ? "-" : plain + " · ") + "10" + superscript(Number(power))).replace("-", MINUS);
  }

  /* A number with as many digits as a range of such a width needs, and some `more`; without a width, a few digits. */
  function told(value, width, more = 0) {
    if (!Number.isFinite(value)) return "";
    const size = Math.abs(value);
    if (size !== 0 && (size < 1e-3 || size >= 1e6) && (width < 1e-3 || size >= 1e6)) return powered(value, 1 + more);
    if (!(width > 0)) return String(Number(value.toPrecision(3 + more))).replace("-", MINUS);
    const text = value.toFixed(Math.min(8, Math.max(0, 1 - Math.floor(Math.log10(width / 2)) + more)));
    return (Number(text) === 0 ? text.replace("-", "") : text).replace("-", MINUS);
  }

  /* A value of an axis or of a control: as short as it can be. */
  function short(value, digits = 5) {
    const size = Math.abs(value);
    if (size !== 0 && (size < 1e-4 || size >= 1e6)) return powered(Number(value.toPrecision(digits)), 2);
    return String(Number(value.toPrecision(digits))).replace("-", MINUS);
  }

  const counted = (number) => number.toLocaleString("en-US");

  /* Seconds as people say them. */
  function lasting(seconds) {
    if (seconds < 10) return (seconds < 1 ? seconds.toFixed(2) : seconds.toFixed(1)) + " s";
    if (seconds < 90) return Math.round(seconds) + " s";
    return seconds < 5400 ? Math.round(seconds / 60) + " min" : (seconds / 3600).toFixed(1) + " h";
  }

  /* The cells with the least and the greatest value. */
  function extremes(values) {
    let [low, high] = [-1, -1];
    for (let c = 0; c < values.length; c += 1) {
      if (Number.isFinite(values[c])) {
        if (low < 0 || values[c] < values[low]) low = c;
        if (high < 0 || values[c] > values[high]) high = c;
      }
    }
    return low < 0 ? null : { low, high };
  }

  /* The range of the eight cells around one, or null. */
  function around({ values, done, rows, columns }, i, j) {
    const found = [];
    for (let y = Math.max(0, j - 1); y <= Math.min(rows - 1, j + 1); y += 1) {
      for (let x = Math.max(0, i - 1); x <= Math.min(columns - 1, i + 1); x += 1) {
        const c = y * columns + x;
        if ((x !== i || y !== j) && done[c] && Number.isFinite(values[c])) found.push(values[c]);
      }
    }
    return found.length ? [Math.min(...found), Math.max(...found)] : null;
  }

  /* How many cells have each count. */
  function tally(values) {
    const found = new Map();
    values.forEach((value) => Number.isFinite(value) && found.set(value, (found.get(value) || 0) + 1));
    return [...found].toSorted(([a], [b]) => a - b);
  }

  /* Parts of a sentence: texts, and numbers in {strong}. */
  const strong = (text) => ({ strong: text });
  const joined = (parts, by) => parts.flatMap((part, k) => (k ? [by, part] : [part]));

  /* What is seen: from which to which value, and where. `place` tells the values of a cell's axes as parts. */
  function sentence({ grid, title, scale, unit, factor, place, partial }) {
    const found = extremes(grid.values);
    if (!found) return [partial ? "The first cells are on their way." : "No cell has a value: the empty ones say why."];
    if (scale.kind === "count") return counts(grid, title, partial);
    const [low, high] = [grid.values[found.low] * factor, grid.values[found.high] * factor];
    const tell = (value) => told(value, scale.log ? 0 : high - low);
    const behind = (unit && unit !== "°" ? " " : "") + brief(unit);
    if (low === high) return [partial ? "So far " : title + " ", strong(tell(low) + behind), " everywhere."];
    if (partial) return ["So far from ", strong(tell(low)), " to ", strong(tell(high) + behind), "; the first picture is there, its cells are being refined."];
    return [title + " from ", strong(tell(low) + behind), " at ", ...place(found.low), " to ", strong(tell(high) + behind), " at ", ...place(found.high), "."];
  }

  /* How many cells have which count; a rare one is told with its number. */
  function counts({ values }, title, partial) {
    const found = tally(values);
    const all = found.reduce((sum, [, number]) => sum + number, 0);
    const parts = found.map(([value, number]) => (number < 0.01 * all
      ? [strong(String(value)), " in " + counted(number) + " of " + counted(all) + " cells"] : [strong(String(value))]));
    const listed = parts.length > 1 ? [...joined(parts.slice(0, -1), [", "]).flat(), " and ", ...parts.at(-1)] : parts[0];
    return [(partial ? title + " so far: " : title + ": "), ...listed, "."];
  }

  /* The progress of a sweep, in words. */
  function progress({ done, of }) {
    return [strong(Math.floor((100 * done) / of) + " %"), " · " + counted(done) + " of " + counted(of) + " cells"];
  }

  /* The first part of a reason that is short enough for a label in the map. */
  function label(reason) {
    const found = reason.split(/[:;,]| must /).map((part) => part.trim().replace(/\.$/, "")).find(({ length }) => length > 3 && length <= 34);
    return found ? found[0].toLowerCase() + found.slice(1) : "no value here";
  }

  window.nhviz = window.nhviz || {};
  window.nhviz.sweeps = Object.assign(window.nhviz.sweeps || {}, {
    words: { around, brief, counted, extremes, label, lasting, powered, progress, sentence, short, told, unitOf },
  });
})();
