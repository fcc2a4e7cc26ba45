/* Colours of sweeps. Lightness rises evenly, also for protan and deutan eyes; a count has flat steps. */
(function () {
  "use strict";

  const ANCHORS = {
    /* cmocean haline, for magnitudes */
    magnitude: ["#29186b", "#2a23a0", "#0f4799", "#125f8e", "#267489", "#358888", "#419d85", "#51b27c", "#6fc66b", "#a0d65b", "#d4e170", "#fdee99"],
    /* cmocean ice, for angles and rotation numbers */
    angle: ["#191933", "#2c2a57", "#3a3c7d", "#3e53a0", "#3e6db2", "#4886bb", "#599fc4", "#72b8cd", "#95cfd8", "#c0e5e8", "#eafcfd"],
    /* below and above zero */
    signed: ["#00429d", "#4a78b8", "#8fb2d0", "#d3e2e8", "#f4eee6", "#efcda6", "#e2a066", "#c96d2c", "#97400a"],
    count: ["#e9edf1", "#b9cfe4", "#4f86b8", "#12385f"],
  };
  const SHADES = 1024;
  /* Of the values, the share beyond which a few may lie far out; and so many of them are looked at. */
  const [EDGE, LOOKED] = [0.02, 20000];
  /* Positive numbers that differ by such a factor are seen by their logarithms. */
  const DECADES = 50;

  const channels = (text) => [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16));
  const clamp = (value) => Math.min(1, Math.max(0, value));

  const PARTS = Object.fromEntries(Object.entries(ANCHORS).map(([kind, anchors]) => [kind, anchors.map(channels)]));

  /* The colour of a share from 0 to 1 between anchors. */
  function mixed(kind, share) {
    const anchors = PARTS[kind];
    if (kind === "count") return anchors[Math.min(anchors.length - 1, Math.floor(clamp(share) * anchors.length))];
    const at = clamp(share) * (anchors.length - 1);
    const below = Math.min(anchors.length - 2, Math.floor(at));
    const [first, second] = [anchors[below], anchors[below + 1]];
    return first.map((value, c) => Math.round(value + (at - below) * (second[c] - value)));
  }

  const css = (kind, share) => "rgb(" + mixed(kind, share).join(" ") + ")";

  /* How light a colour is to the eye, from 0 to 1. */
  const lightness = ([red, green, blue]) => (0.2126 * red ** 2.2 + 0.7152 * green ** 2.2 + 0.0722 * blue ** 2.2) / 255 ** 2.2;

  /* Least and greatest of all numbers, and those that only a few lie beyond. */
  function spread(values) {
    let [least, greatest, count] = [Infinity, -Infinity, 0];
    const stride = Math.max(1, Math.ceil(values.length / LOOKED));
    const looked = [];
    for (let c = 0; c < values.length; c += 1) {
      const value = values[c];
      if (Number.isFinite(value)) {
        count += 1;
        if (value < least) least = value;
        if (value > greatest) greatest = value;
        if (c % stride === 0) looked.push(value);
      }
    }
    if (!count) return null;
    const some = Float64Array.from(looked).toSorted();
    const at = (share) => (some.length ? some[Math.round(share * (some.length - 1))] : least);
    return { least, greatest, low: at(EDGE), high: at(1 - EDGE), count };
  }

  /* From which to which value colours go: all values, but for a few that lie far out. */
  function scaleOf(kind, found) {
    if (!found) return { kind, from: 0, to: 1, log: false };
    const { least, greatest, low, high } = found;
    if (kind === "count") return { kind, from: 0, to: 4, log: false };
    if (kind === "signed" && least < 0 && greatest > 0) {
      const far = Math.max(-low, high);
      const all = Math.max(-least, greatest);
      const reach = all > 2 * far && far > 0 ? far : all;
      return { kind, from: -reach, to: reach, log: false };
    }
    const plain = kind === "signed" ? "magnitude" : kind;
    if (plain === "magnitude" && least > 0 && high / low > DECADES) {
      return { kind: plain, from: low / least > high / low ? low : least, to: greatest / high > high / low ? high : greatest, log: true };
    }
    const wide = high - low;
    return { kind: plain, from: least < low - wide ? low : least, to: greatest > high + wide ? high : greatest, log: false };
  }

  /* Where a value lies between both ends of a scale; counts take a step each, or each second number one. */
  function shareOf(scale, value) {
    if (scale.kind === "count") return (Math.min(3, value / (scale.unit || 2)) + 0.5) / 4;
    const [low, high, at] = scale.log ? [scale.from, scale.to, value].map(Math.log) : [scale.from, scale.to, value];
    return high > low ? clamp((at - low) / (high - low)) : 0.5;
  }

  /* The colours of a kind as pixels, one for each of many shares. */
  function table(kind) {
    const found = new Uint8ClampedArray(4 * SHADES);
    for (let k = 0; k < SHADES; k += 1) found.set([...mixed(kind, k / (SHADES - 1)), 255], 4 * k);
    return new Uint32Array(found.buffer);
  }

  /* The same as the number of a shade, for a million cells: nothing is put together anew for each of them. */
  function shadeOf(scale) {
    if (scale.kind === "count" || !(scale.to > scale.from)) return (value) => Math.round(shareOf(scale, value) * (SHADES - 1));
    const [low, high] = scale.log ? [Math.log(scale.from), Math.log(scale.to)] : [scale.from, scale.to];
    const factor = (SHADES - 1) / (high - low);
    return (value) => Math.min(SHADES - 1, Math.max(0, Math.round(((scale.log ? Math.log(value) : value) - low) * factor)));
  }

  /* Values as pixels, the last row on top; a cell without a value is transparent. */
  function paint(values, rows, columns, scale, pixels) {
    const shades = table(scale.kind);
    const shade = shadeOf(scale);
    for (let j = 0; j < rows; j += 1) {
      const [from, to] = [j * columns, (rows - 1 - j) * columns];
      for (let i = 0; i < columns; i += 1) {
        const value = values[from + i];
        pixels[to + i] = Number.isFinite(value) ? shades[shade(value)] : 0;
      }
    }
  }

  window.nhviz = window.nhviz || {};
  window.nhviz.sweeps = Object.assign(window.nhviz.sweeps || {}, { colour: { css, lightness, mixed, paint, scaleOf, shareOf, spread } });
})();
