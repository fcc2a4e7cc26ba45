/* One clock for all views. Everything that moves is in the browser already: playing asks the server for nothing. */
(function () {
  "use strict";

  const NO = () => window.dash_clientside.no_update;
  const clock = { t: new Float32Array(0), views: {}, index: 0, playing: false, speed: 1, last: null, busy: false };

  function decode(spec) {
    const bytes = Uint8Array.from(window.atob(spec.bdata), (letter) => letter.charCodeAt(0));
    return new Float32Array(bytes.buffer);
  }

  /* Cursors with decoded arrays. Shapes that move alike share the poses of the first of them. */
  function prepare(cursors) {
    const ready = [];
    cursors.forEach((cursor) => {
      if (cursor.positions) {
        ready.push({ trace: cursor.trace, points: cursor.points, positions: cursor.positions.map(decode) });
        return;
      }
      const body = cursor.like === undefined ? cursor : ready[cursor.like];
      ready.push({
        trace: cursor.trace,
        dimension: body.dimension,
        columns: body.columns,
        shape: decode(cursor.shape),
        rotations: body === cursor ? decode(cursor.rotations) : body.rotations,
        translations: body === cursor ? decode(cursor.translations) : body.translations,
      });
    });
    return ready;
  }

  /* New frames replace those of the painted views; others keep theirs. */
  function frames(data) {
    if (!data) return NO();
    clock.t = decode(data.t);
    Object.keys(data.views).forEach((view) => {
      clock.views[view] = prepare(data.views[view]);
    });
    clock.index = Math.min(clock.index, clock.t.length - 1);
    window.setTimeout(() => draw(clock.index), 60);
    return position();
  }

  function position() {
    return clock.t.length > 1 ? Math.round((1000 * clock.index) / (clock.t.length - 1)) : 0;
  }

  function graphOf(view) {
    const holder = document.getElementById('{"kind":"graph","view":"' + view + '"}');
    return holder ? holder.querySelector(".js-plotly-plot") : null;
  }

  /* Coordinates of one cursor at an instant, as [x, y] or [x, y, z]. */
  function place(cursor, index) {
    if (cursor.positions) {
      const count = cursor.points;
      const last = cursor.positions[0].length / count - 1;
      const i = Math.min(index, last) * count;
      return cursor.positions.map((values) => Array.from(values.slice(i, i + count)));
    }
    const d = cursor.dimension;
    const m = cursor.columns;
    const n = cursor.shape.length / m;
    const i = Math.min(index, cursor.translations.length / d - 1);
    const result = Array.from({ length: d }, () => new Array(n));
    for (let p = 0; p < n; p += 1) {
      for (let row = 0; row < d; row += 1) {
        let sum = cursor.translations[i * d + row];
        for (let column = 0; column < m; column += 1) {
          sum += cursor.rotations[(i * d + row) * m + column] * cursor.shape[p * m + column];
        }
        result[row][p] = sum;
      }
    }
    return result;
  }

  function draw(index) {
    if (!clock.t.length) return Promise.resolve();
    clock.index = Math.max(0, Math.min(index, clock.t.length - 1));
    const label = document.getElementById("time");
    if (label) label.textContent = "t = " + clock.t[clock.index].toPrecision(4) + " s";
    if (!window.Plotly) return Promise.resolve();
    const jobs = Object.keys(clock.views).map((view) => {
      const graph = graphOf(view);
      const cursors = clock.views[view].filter((cursor) => graph && graph.data && graph.data[cursor.trace]);
      if (!cursors.length || graph.offsetParent === null) return Promise.resolve();
      const changes = { x: [], y: [], z: [] };
      cursors.forEach((cursor) => {
        const at = place(cursor, clock.index);
        const trace = graph.data[cursor.trace];
        ["x", "y", "z"].forEach((axis, i) => changes[axis].push(at[i] === undefined ? trace[axis] : at[i]));
      });
      if (changes.z.every((values) => values === undefined)) delete changes.z;
      return window.Plotly.restyle(graph, changes, cursors.map((cursor) => cursor.trace));
    });
    return Promise.all(jobs);
  }

  function tick(now) {
    if (!clock.playing) return;
    /* A browser that was busy or hidden for long goes on where it was. */
    const elapsed = clock.last === null ? 0 : Math.min((now - clock.last) / 1000, 0.5);
    clock.last = now;
    const end = clock.t[clock.t.length - 1];
    clock.time += elapsed * clock.speed;
    if (clock.time > end) clock.time = 0;
    if (!clock.busy) {
      let index = clock.index;
      if (clock.t[index] > clock.time) index = 0;
      while (index < clock.t.length - 1 && clock.t[index + 1] <= clock.time) index += 1;
      if (index !== clock.index) {
        clock.busy = true;
        const slider = document.getElementById("clock");
        if (slider) slider.value = Math.round((1000 * index) / (clock.t.length - 1));
        draw(index).finally(() => {
          clock.busy = false;
        });
      }
    }
    window.requestAnimationFrame(tick);
  }

  function play(clicks, speed) {
    clock.playing = !clock.playing;
    clock.speed = speed || 1;
    clock.last = null;
    clock.time = clock.t.length ? clock.t[clock.index] : 0;
    if (clock.t.length && clock.index === clock.t.length - 1) clock.time = 0;
    if (clock.playing) window.requestAnimationFrame(tick);
    return clock.playing ? "❚❚ pause" : "▶ play";
  }

  function speed(value) {
    clock.speed = value || 1;
    return NO();
  }

  function seek(value) {
    const index = Math.round((Number(value) / 1000) * (clock.t.length - 1));
    if (Number.isFinite(index) && index !== clock.index && !clock.playing) draw(index);
    return NO();
  }

  /* Hovering an instant in one view marks it in every view. */
  function hover() {
    const context = window.dash_clientside.callback_context;
    if (!context.triggered.length || clock.playing) return NO();
    const data = context.triggered[0].value;
    const id = context.triggered[0].prop_id;
    const view = JSON.parse(id.slice(0, id.lastIndexOf("."))).view;
    const graph = graphOf(view);
    if (!data || !data.points || !data.points.length || !graph) return NO();
    const point = data.points[0];
    const trace = graph.data[point.curveNumber];
    if (trace && trace.meta && trace.meta.clock) {
      const slider = document.getElementById("clock");
      const index = Math.round(point.pointNumber / (trace.meta.stride || 1)) + (trace.meta.offset || 0);
      draw(index).then(() => {
        if (slider) slider.value = position();
      });
    }
    return NO();
  }

  function save() {
    const context = window.dash_clientside.callback_context;
    if (!context.triggered.length || !context.triggered[0].value) return NO();
    const id = JSON.parse(context.triggered[0].prop_id.slice(0, context.triggered[0].prop_id.lastIndexOf(".")));
    const graph = graphOf(id.view);
    if (graph) {
      const name = window.location.pathname.slice(1) + "-" + id.view;
      window.Plotly.downloadImage(graph, { format: id.ending, filename: name, scale: id.ending === "png" ? 2 : 1 });
    }
    return NO();
  }

  window.dash_clientside = window.dash_clientside || {};
  window.dash_clientside.nhviz = Object.assign(window.dash_clientside.nhviz || {}, {
    frames, play, speed, seek, hover, save,
  });
})();
