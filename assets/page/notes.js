/* Words that go with a run (`nhviz/figures/notes.py`), and a number in them that follows the clock. They stand where
   nothing is drawn at any instant, and a thin line leads to what they belong to. */
(function () {
  "use strict";

  const { model } = window.nhviz;
  const DIGITS = 2;
  /* So many instants of a run are looked at: for where it is drawn, and for where the lines to its words lead. */
  const INSTANTS = 32;
  const LED = 9;
  /* The distance of two lines of words, in sizes of their font. */
  const LINE = 1.3;
  /* A dot takes so many pixels about its middle. */
  const DOT = 8;
  /* The distance of lines that fill a box. */
  const STRIPE = 5;
  /* Words of this name have no fixed place. */
  const FREE = "free";
  /* A narrower scene has no room for words in it. */
  const NARROW = 330;
  const ruler = document.createElement("canvas").getContext("2d");

  const numberAt = (note, index) => note.numbers[Math.min(index, note.numbers.length - 1)];
  const isSaid = (note, index) => numberAt(note, index) >= note.least;
  const told = (note, index) => model.brief(Number(numberAt(note, index).toPrecision(DIGITS))) + note.after;
  /* What is said at an instant; nothing of a number that is too small to be seen. */
  const said = (note, index) => (isSaid(note, index) ? "<b>" + note.name + "</b>" + note.before + "<br>" + told(note, index) : "");

  /* How wide words are. */
  function widthOf(text, size, weight = 400) {
    ruler.font = weight + " " + size + 'px "Fira Sans"';
    return ruler.measureText(text).width;
  }

  /* How much room a note takes. */
  function sizeOf({ name, before, size, ...note }, instants) {
    const lines = [widthOf(name, size, 700) + widthOf(before, size), ...instants.map((index) => widthOf(told(note, index), size))];
    return { width: Math.max(...lines), height: 2 * LINE * size };
  }

  /* Some instants of a cursor, first and last included. */
  function instantsOf({ positions, points, translations, dimension }, limit = INSTANTS) {
    const count = positions ? positions[0].length / (points || 1) : translations.length / dimension;
    const most = Math.min(count, limit);
    return Array.from({ length: most }, (_, i) => Math.round((i * (count - 1)) / Math.max(most - 1, 1)));
  }

  const pointsOf = (coordinates) => Array.from(coordinates[0], (_, i) => coordinates.map((values) => values[i]));
  const square = ([x, y], half) => stripes({ left: x - half, right: x + half, top: y - half, bottom: y + half });

  /* What a trace that moves covers at an instant, as lines: a closed shape is filled with spokes, a solid with stripes. */
  function covers(points, trace) {
    if (trace.type === "mesh3d") {
      const [left, top] = [0, 1].map((i) => Math.min(...points.map((point) => point[i])));
      const [right, bottom] = [0, 1].map((i) => Math.max(...points.map((point) => point[i])));
      return stripes({ left, top, right, bottom });
    }
    if (!trace.mode.includes("lines")) return points.flatMap((point) => square(point, DOT));
    const middle = [0, 1].map((i) => points.reduce((sum, point) => sum + point[i], 0) / points.length);
    return trace.fill === "toself" ? [points, ...points.map((point) => [middle, point])] : [points];
  }

  /* Everything that is drawn at some instant, as lines of pixels. */
  function drawn(one, layout, pixel) {
    const { data } = one.figure;
    const moving = new Set(one.cursors.flatMap(({ trace, note }) => [trace, ...(note ? [note.leader] : [])]));
    const still = data.filter((trace, i) => !moving.has(i) && (trace.mode || "").includes("lines"))
      .map((trace) => pointsOf([trace.x, trace.y, trace.z].filter(Boolean)).map(pixel));
    const moved = one.cursors.filter(({ note, trace }) => !note && data[trace]).flatMap((cursor) =>
      instantsOf(cursor).flatMap((index) => covers(pointsOf(window.nhviz.player.place(cursor, index)).map(pixel), data[cursor.trace])));
    const words = (layout.annotations || []).filter(({ name }) => name !== FREE);
    return [...still, ...moved, ...words.flatMap((each) => stripes(boxOf(each, layout, pixel)))];
  }

  const stripes = ({ left, top, right, bottom }) =>
    Array.from({ length: Math.ceil((bottom - top) / STRIPE) + 1 }, (_, i) => [[left, top + STRIPE * i], [right, top + STRIPE * i]]);

  /* The box of words that stand still in a plane, about. */
  function boxOf({ x, y, xref, yref, xanchor, yanchor, text, font }, { width, height, margin }, pixel) {
    const lines = text.split("<br>").map((line) => line.replace(/<[^>]*>/g, ""));
    const [wide, high] = [Math.max(...lines.map((line) => widthOf(line, font.size))), LINE * font.size * lines.length];
    const at = pixel([x, y]);
    const [across, down] = [
      /domain/.test(xref) ? margin.l + x * (width - margin.l - margin.r) : at[0],
      /domain/.test(yref) ? margin.t + (1 - y) * (height - margin.t - margin.b) : at[1],
    ];
    const left = across - wide * ({ left: 0, right: 1 }[xanchor] ?? 0.5);
    const top = down - high * ({ top: 0, bottom: 1 }[yanchor] ?? 0.5);
    return { left, top, right: left + wide, bottom: top + high };
  }

  /* The room that a note needs, and where its thing is at some instants. */
  function labelOf(cursor, { pixel }) {
    const instants = instantsOf(cursor, LED);
    return { ...sizeOf(cursor.note, instants), at: instants.map((index) => pixel(window.nhviz.player.place(cursor, index).map(([value]) => value))) };
  }

  /* The room that other words need, which would stand where they are. */
  function freeOf(words, layout, { pixel }) {
    const { left, top, right, bottom } = boxOf(words, layout, pixel);
    return { width: right - left, height: bottom - top, at: [[(left + right) / 2, (top + bottom) / 2]] };
  }

  /* Find places for all words of a picture that is to be drawn. */
  function settle(one, layout, camera) {
    const noted = one.cursors.filter(({ note }) => note);
    if (!noted.length) return;
    const { sights, spread } = window.nhviz;
    const sight = layout.scene ? sights.space(layout, camera || layout.scene.camera) : sights.plane(layout);
    const free = (layout.annotations || []).filter(({ name }) => name === FREE);
    const labels = [...free.map((words) => freeOf(words, layout, sight)), ...noted.map((cursor) => labelOf(cursor, sight))];
    const places = spread.arrange(labels, drawn(one, layout, sight.pixel), sight.room);
    noted.forEach((cursor, i) => {
      cursor.spot = { sight, at: places[free.length + i], size: labels[free.length + i] };
    });
    free.forEach((words, i) => {
      const [x, y] = sight.place(places[i]);
      Object.assign(words, { x, y, xref: "x", yref: "y", xanchor: "center", yanchor: "middle" });
    });
    if (layout.scene) layout.scene.annotations = one.width < NARROW ? [] : inFront(one);
  }

  /* The words of a flat picture and their leader at an instant, when the thing is at a place [[x], [y]]. */
  function placed({ trace, note, spot }, index, [[x], [y]]) {
    if (trace < 0 || !spot) return [];
    const { sight, at, size } = spot;
    const [words, end] = [at, window.nhviz.spread.edge(at, size, sight.pixel([x, y]))].map(sight.place);
    const far = isSaid(note, index) ? end : [x, y];
    return [
      { trace: note.leader, at: { x: [x, far[0]], y: [y, far[1]] }, said: {} },
      { trace, at: { x: [words[0]], y: [words[1]] }, said: { text: [said(note, index)] } },
    ];
  }

  /* The words of a picture in space at the instant of the clock, as plotly's annotations. */
  function inFront(one) {
    const { player } = window.nhviz;
    return one.cursors.filter(({ note, spot }) => note && spot).flatMap((cursor) => {
      const { note, spot } = cursor;
      const index = player.instant(cursor);
      const [x, y, z] = player.place(cursor, index).map(([value]) => value);
      const [left, top] = spot.sight.pixel([x, y, z]);
      return isSaid(note, index) ? [{
        x, y, z, text: said(note, index), font: { size: note.size, color: note.colour }, xanchor: "center", yanchor: "middle",
        ax: spot.at[0] - left, ay: spot.at[1] - top, arrowhead: 0, arrowwidth: 0.7, arrowcolor: note.line, borderpad: 2,
      }] : [];
    });
  }

  window.nhviz = Object.assign(window.nhviz || {}, { notes: { inFront, placed, said, settle } });
})();
