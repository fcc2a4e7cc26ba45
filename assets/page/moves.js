/* What moves in a flat picture while it plays. To plotly a point elsewhere is a new picture, of which there can be only a
   few in a second; so its lines, markers and words are taken to their places directly, as plotly has drawn them.
   When the clock stands still plotly is told where everything is. */
(function () {
  "use strict";

  const axisOf = (element, id) => element._fullLayout[id.replace(/^[xy]/, (letter) => letter + "axis")];

  /* Points as pixels; those that are nowhere as null. What moves in one direction keeps the other. */
  function pixels(element, trace, at) {
    const [across, up] = [axisOf(element, trace.xaxis || "x"), axisOf(element, trace.yaxis || "y")];
    const y = at.y || trace.y;
    return Array.from(at.x, (value, i) => {
      const [left, top] = [across.d2p(value), up.d2p(y[i])];
      return Number.isFinite(left) && Number.isFinite(top) ? [left.toFixed(2), top.toFixed(2)] : null;
    });
  }

  /* A path through the points, anew after each that is nowhere. */
  function path(points, end) {
    let text = "";
    let open = false;
    points.forEach((point) => {
      if (point) text += (open ? "L" : (text ? end : "") + "M") + point;
      open = Boolean(point);
    });
    return text && text + end;
  }

  /* The nodes of a trace on the screen, or nothing if what is to be shown needs others. */
  function nodesOf(element, { trace, said }, points) {
    const { node3, trace: full } = (element.calcdata[trace] || [{}])[0];
    const group = node3 && node3.node();
    if (!group || full.type !== "scatter" || !full.visible) return null;
    const all = (selector) => Array.from(group.querySelectorAll(selector));
    const found = { fills: all(".js-fill"), lines: all(".js-line"), dots: all(".points > path"), words: all(".text text") };
    const count = points.filter(Boolean).length;
    const drawn = full.mode.includes("lines") === found.lines.length > 0 && (!full.fill || full.fill === "none" || full.fill === "toself");
    const dots = full.mode.includes("markers") ? count : 0;
    const plain = (full.line || {}).shape !== "spline" && (full.marker || {}).angleref !== "previous";
    return drawn && dots === found.dots.length && plain && sameWords(element.data[trace], said, found.words) ? found : null;
  }

  /* Whether words that were drawn only change what they say, and do not come, go or change sides. */
  function sameWords(trace, said, words) {
    if (!said.text) return !words.length;
    return words.length === said.text.filter(Boolean).length && words.length < 2 && (!said.textposition || String(trace.textposition) === String(said.textposition));
  }

  /* Words at a place; of several lines only the last one changes. */
  function write(node, [left, top], text) {
    const lines = Array.from(node.querySelectorAll(".line"));
    const [last, told] = [lines[lines.length - 1] || node, text.split("<br>").pop()];
    if (last.textContent !== told) last.textContent = told;
    [node, ...lines].forEach((part) => {
      part.setAttribute("x", left);
      part.setAttribute("y", top);
    });
  }

  /* Take the traces of a picture to their places; those that plotly must draw are returned. */
  function move(element, found) {
    return found.filter((one) => {
      const trace = element.data[one.trace];
      const points = pixels(element, trace, one.at);
      const nodes = nodesOf(element, one, points);
      if (!nodes) return true;
      trace.x = one.at.x;
      if (one.at.y) trace.y = one.at.y;
      [[nodes.lines, ""], [nodes.fills, "Z"]].forEach(([paths, end]) =>
        paths.forEach((node, i) => node.setAttribute("d", i ? "" : path(points, end) || "M0,0")));
      const seen = points.filter(Boolean);
      nodes.dots.forEach((node, i) => node.setAttribute("transform", "translate(" + seen[i] + ")"));
      nodes.words.forEach((node, i) => write(node, seen[i], one.said.text[i]));
      return false;
    });
  }

  window.nhviz = Object.assign(window.nhviz || {}, { moves: { move, path } });
})();
