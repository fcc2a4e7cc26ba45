/* One clock for all views. Everything that moves is in the browser already: playing asks the server for nothing.
   Each run has its own instants, its track; the clock goes through those of the run that lasts longest. */
(function () {
  "use strict";

  const NO = () => window.dash_clientside.no_update;
  const fresh = () => ({
    tracks: {}, master: "", views: {}, index: 0, time: 0, playing: false, speed: 1, last: null, busy: false, rewind: true,
  });
  let clock = fresh();

  function decode(spec) {
    const bytes = Uint8Array.from(window.atob(spec.bdata), (letter) => letter.charCodeAt(0));
    return new Float32Array(bytes.buffer);
  }

  /* The last instant of a track that is not after a time; times are 32-bit floats. */
  function indexAt(track, time) {
    let low = 0;
    let high = track.length - 1;
    const limit = time + 1e-6 * Math.abs(time);
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (track[middle] <= limit) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /* The key of the track that lasts longest; the first of those that last equally long. */
  function longest(tracks) {
    const end = (key) => tracks[key][tracks[key].length - 1];
    return Object.keys(tracks).reduce((best, key) => (best && end(best) >= end(key) ? best : key), "");
  }

  /* Cursors with decoded arrays. Shapes that move alike share the poses of the first of them. */
  function prepare(cursors) {
    const ready = [];
    cursors.forEach((cursor) => {
      const { trace, track, points } = cursor;
      if (cursor.positions) {
        const counts = cursor.counts && decode(cursor.counts);
        ready.push({ trace, track, points, counts, positions: cursor.positions.map(decode) });
        return;
      }
      const body = cursor.like === undefined ? cursor : ready[cursor.like];
      ready.push({
        trace,
        track,
        dimension: body.dimension,
        columns: body.columns,
        shape: decode(cursor.shape),
        rotations: body === cursor ? decode(cursor.rotations) : body.rotations,
        translations: body === cursor ? decode(cursor.translations) : body.translations,
      });
    });
    return ready;
  }

  /* Coordinates of one cursor at an instant of its track, as [x, y] or [x, y, z]. */
  function place(cursor, index) {
    if (cursor.counts) {
      /* The part of a curve that is past. */
      const end = cursor.counts[Math.min(index, cursor.counts.length - 1)];
      return cursor.positions.map((values) => Array.from(values.slice(0, end)));
    }
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
    const result = Array.from({ length: d }, () => Array.from({ length: n }, () => 0));
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

  function instants() {
    return clock.tracks[clock.master] || new Float32Array(0);
  }

  /* New tracks replace the old ones, new frames those of the painted views; others keep theirs. The clock stays where
     it is, except for a new orbit, which starts at its beginning. */
  function frames(data) {
    if (!data) return NO();
    const time = clock.rewind ? 0 : instants()[clock.index] || 0;
    if (data.tracks) {
      clock.tracks = Object.fromEntries(Object.entries(data.tracks).map(([key, spec]) => [key, decode(spec)]));
      clock.master = longest(clock.tracks);
    }
    Object.keys(data.views).forEach((view) => {
      clock.views[view] = prepare(data.views[view]);
    });
    clock.rewind = false;
    rested = mouse;
    clock.index = indexAt(instants(), time);
    clock.time = time;
    window.setTimeout(() => draw(clock.index), 60);
    return position();
  }

  function position() {
    const count = instants().length;
    return count > 1 ? Math.round((1000 * clock.index) / (count - 1)) : 0;
  }

  function graphOf(name) {
    const holder = document.getElementById('{"kind":"graph","place":"' + name + '"}');
    return holder ? holder.querySelector(".js-plotly-plot") : null;
  }

  /* The words and the slider of the clock. While it plays the slider only moves; Dash learns where it came to rest. */
  function tellTime() {
    const label = document.getElementById("time");
    const slider = document.getElementById("clock");
    if (label) label.textContent = "t = " + instants()[clock.index].toPrecision(4) + " s";
    if (slider) slider.value = position();
    if (slider && !clock.playing) window.dash_clientside.set_props("clock", { value: position() });
  }

  function draw(index) {
    const t = instants();
    if (!t.length) return Promise.resolve();
    clock.index = Math.max(0, Math.min(index, t.length - 1));
    tellTime();
    if (!window.Plotly) return Promise.resolve();
    const jobs = Object.keys(clock.views).map((view) => {
      const graph = graphOf(view);
      const cursors = clock.views[view].filter((cursor) => graph && graph.data && graph.data[cursor.trace]);
      if (!cursors.length || graph.offsetParent === null) return Promise.resolve();
      return window.Plotly.restyle(graph, moves(graph.data, cursors, t[clock.index]), cursors.map((cursor) => cursor.trace));
    });
    return Promise.all(jobs);
  }

  /* The new coordinates of the traces that move, as plotly wants them. */
  function moves(traces, cursors, time) {
    const changes = { x: [], y: [], z: [] };
    cursors.forEach((cursor) => {
      const at = place(cursor, indexAt(clock.tracks[cursor.track] || instants(), time));
      const trace = traces[cursor.trace];
      ["x", "y", "z"].forEach((axis, i) => changes[axis].push(at[i] === undefined ? trace[axis] : at[i]));
    });
    if (changes.z.every((values) => values === undefined)) delete changes.z;
    return changes;
  }

  function tick(now, playing) {
    if (!playing.playing || playing !== clock) return;
    /* A browser that was busy or hidden for long goes on where it was. */
    const elapsed = clock.last === null ? 0 : Math.min((now - clock.last) / 1000, 0.5);
    clock.last = now;
    const t = instants();
    clock.time += elapsed * clock.speed;
    if (clock.time > t[t.length - 1]) clock.time = 0;
    const index = indexAt(t, clock.time);
    if (!clock.busy && index !== clock.index) {
      clock.busy = true;
      draw(index).finally(() => {
        playing.busy = false;
      });
    }
    window.requestAnimationFrame((later) => tick(later, playing));
  }

  function play(clicks, pace) {
    const t = instants();
    clock.playing = !clock.playing;
    clock.speed = pace || 1;
    clock.last = null;
    clock.time = t.length && clock.index < t.length - 1 ? t[clock.index] : 0;
    const playing = clock;
    if (clock.playing) window.requestAnimationFrame((now) => tick(now, playing));
    else if (t.length) tellTime();
    return clock.playing ? "❚❚ pause" : "▶ play";
  }

  function speed(value) {
    clock.speed = value || 1;
    return NO();
  }

  function seek(value) {
    const index = Math.round((Number(value) / 1000) * (instants().length - 1));
    if (Number.isFinite(index) && index !== clock.index && !clock.playing) draw(index);
    return NO();
  }

  /* Where the mouse is, and where it was when the pictures last changed under it. */
  let mouse = "";
  let rested = "";
  document.addEventListener("mousemove", (event) => {
    mouse = event.clientX + " " + event.clientY;
  }, true);

  /* Hovering an instant in one view marks it in every view; a picture that moves under a resting mouse does not. */
  function hover() {
    const context = window.dash_clientside.callback_context;
    if (!context.triggered.length || clock.playing || mouse === rested) return NO();
    const data = context.triggered[0].value;
    const id = context.triggered[0].prop_id;
    const graph = graphOf(JSON.parse(id.slice(0, id.lastIndexOf("."))).place);
    if (!data || !data.points || !data.points.length || !graph) return NO();
    const time = timeOf(graph.data[data.points[0].curveNumber], data.points[0].pointNumber);
    if (time !== null) draw(indexAt(instants(), time));
    return NO();
  }

  /* The time of a point of a trace that follows the clock, or null. */
  function timeOf(trace, point) {
    const { track, stride, offset } = (trace && trace.meta) || {};
    const t = clock.tracks[track];
    if (!t) return null;
    return t[Math.min(Math.round(point / (stride || 1)) + (offset || 0), t.length - 1)];
  }

  function save() {
    const context = window.dash_clientside.callback_context;
    if (!context.triggered.length || !context.triggered[0].value) return NO();
    const id = JSON.parse(context.triggered[0].prop_id.slice(0, context.triggered[0].prop_id.lastIndexOf(".")));
    const graph = graphOf(id.place);
    if (graph) {
      const name = window.location.pathname.slice(1).replaceAll("/", "-") + "-" + id.place;
      window.Plotly.downloadImage(graph, { format: id.ending, filename: name, scale: id.ending === "png" ? 2 : 1 });
    }
    return NO();
  }

  /* A new page: nothing of the last one plays on. */
  function reset() {
    clock.playing = false;
    clock = fresh();
  }

  /* The next orbit is a new one. */
  function rewind() {
    clock.rewind = true;
  }

  window.nhviz = Object.assign(window.nhviz || {}, { player: { decode, indexAt, longest, place, prepare, reset, rewind } });
  window.dash_clientside = window.dash_clientside || {};
  window.dash_clientside.nhviz = Object.assign(window.dash_clientside.nhviz || {}, {
    frames, play, speed, seek, hover, save,
  });
})();
