/* One clock for all views. Everything that moves is in the browser already: playing asks the server for nothing.
   Each run has its own instants, its track; the clock goes through those of the run that lasts longest. */
(function () {
  "use strict";

  const { arcs, notes } = window.nhviz;
  const { decode } = window.nhviz.arrays;
  const fresh = () => ({ tracks: {}, master: "", index: 0, time: 0, playing: false, speed: 1, last: null, busy: false, rewind: true, turn: 0, spaceFrom: 0 });
  let clock = fresh();
  let told = () => {};

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

  /* Cursors with decoded arrays. What moves alike shares the poses or the places of the first that does. */
  function prepare(cursors) {
    const ready = [];
    cursors.forEach((cursor) => {
      const { trace, track, points, words } = cursor;
      if (words !== undefined) {
        const arc = cursor.arc ? { ...cursor.arc, at: decode(cursor.arc.at), turn: decode(cursor.arc.turn) } : ready[cursor.like].arc;
        ready.push({ trace, track, words, arc });
        return;
      }
      const first = cursor.like === undefined ? null : ready[cursor.like];
      if (cursor.positions || (first && first.positions)) {
        const counts = cursor.counts && decode(cursor.counts);
        const note = cursor.note && { ...cursor.note, numbers: decode(cursor.note.numbers) };
        ready.push({ trace, track, points, counts, note, positions: first ? first.positions : cursor.positions.map(decode) });
        return;
      }
      const body = first || cursor;
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
    if (cursor.arc) return arcs.place(cursor, index);
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
    const turn = Math.min(i, cursor.rotations.length / (d * m) - 1);
    const result = Array.from({ length: d }, () => Array.from({ length: n }, () => 0));
    for (let p = 0; p < n; p += 1) {
      for (let row = 0; row < d; row += 1) {
        let sum = cursor.translations[i * d + row];
        for (let column = 0; column < m; column += 1) {
          sum += cursor.rotations[(turn * d + row) * m + column] * cursor.shape[p * m + column];
        }
        result[row][p] = sum;
      }
    }
    return result;
  }

  const instants = () => clock.tracks[clock.master] || new Float32Array(0);
  const now = () => instants()[clock.index] || 0;

  /* The instant of the clock on the track of a cursor. */
  const instant = (cursor) => indexAt(clock.tracks[cursor.track] || instants(), now());

  /* Where the traces that move are at the instant of the clock. */
  function placed(cursors) {
    return cursors.flatMap((cursor) => {
      const index = instant(cursor);
      if (cursor.note) return notes.placed(cursor, index, place(cursor, index));
      /* What moves in one direction only, such as the line of the clock, keeps the others. */
      const at = Object.fromEntries(place(cursor, index).map((values, i) => ["xyz"[i], values]));
      return [{ trace: cursor.trace, at, said: cursor.arc ? arcs.said(cursor, index) : {} }];
    });
  }

  /* New tracks replace the old ones. The clock stays where it is, except for a new orbit, which starts at its beginning. */
  function take(tracks, share) {
    const before = now();
    if (tracks) {
      clock.tracks = Object.fromEntries(Object.entries(tracks).map(([key, spec]) => [key, decode(spec)]));
      clock.master = longest(clock.tracks);
    }
    const t = instants();
    const time = clock.rewind ? (share || 0) * (t[t.length - 1] || 0) : before;
    clock.rewind = false;
    clock.index = indexAt(instants(), time);
    clock.time = time;
    told(state());
  }

  function state() {
    const t = instants();
    return { time: now(), end: t.length ? t[t.length - 1] : 0, share: t.length > 1 ? clock.index / (t.length - 1) : 0, playing: clock.playing, index: clock.index, count: t.length };
  }

  /* Move everything to an instant; while it plays flat pictures at every one, those in space in turn. */
  function draw(index) {
    const t = instants();
    if (!t.length) return Promise.resolve();
    clock.index = Math.max(0, Math.min(index, t.length - 1));
    told(state());
    const { pictures } = window.nhviz;
    const seen = pictures ? pictures.all().filter((one) => one.figure && one.element && one.element.data && one.cursors.length && pictures.isSeen(one)) : [];
    const space = seen.filter((one) => pictures.isSpace(one.figure));
    const chosen = clock.playing ? nextOf(space) : space;
    const jobs = seen.filter((one) => !space.includes(one)).concat(chosen).map(move);
    return Promise.all(jobs);
  }

  /* The picture in space whose turn it is, or none: they are slow, and have half of the time. */
  function nextOf(space) {
    const began = window.performance.now();
    if (!space.length || began < clock.spaceFrom) return [];
    const playing = clock;
    playing.turn += 1;
    playing.spaceFrom = Infinity;
    window.requestAnimationFrame(() => window.requestAnimationFrame(() => {
      const ended = window.performance.now();
      playing.spaceFrom = ended + (ended - began);
    }));
    return [space[playing.turn % space.length]];
  }

  function move(one) {
    const all = placed(one.cursors).filter(({ trace }) => one.element.data[trace]);
    const found = clock.playing && !window.nhviz.pictures.isSpace(one.figure) ? window.nhviz.moves.move(one.element, all) : all;
    if (!found.length) return Promise.resolve();
    const changes = {};
    ["x", "y", "z", "text", "textposition"].forEach((name) => {
      const places = found.map(({ at, said, trace }) => at[name] || said[name] || one.element.data[trace][name]);
      if (found.some(({ at, said }) => at[name] || said[name])) changes[name] = places;
    });
    const numbers = found.map(({ trace }) => trace);
    const noted = window.nhviz.pictures.isSpace(one.figure) && one.cursors.some(({ note }) => note);
    const done = noted ? window.Plotly.update(one.element, changes, { "scene.annotations": notes.inFront(one) }, numbers) : window.Plotly.restyle(one.element, changes, numbers);
    if (changes.text) window.nhviz.pictures.tuck(one.element);
    return done;
  }

  function tick(moment, playing) {
    if (!playing.playing || playing !== clock) return;
    /* A browser that was busy or hidden for long goes on where it was. */
    const elapsed = clock.last === null ? 0 : Math.min((moment - clock.last) / 1000, 0.5);
    clock.last = moment;
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

  function play() {
    const t = instants();
    clock.playing = !clock.playing && t.length > 1;
    clock.last = null;
    clock.time = t.length && clock.index < t.length - 1 ? t[clock.index] : 0;
    const playing = clock;
    if (clock.playing) window.requestAnimationFrame((moment) => tick(moment, playing));
    /* What was left behind while playing catches up. */
    else draw(clock.index);
    told(state());
  }

  /* To a share of the run, also while it plays. */
  function seek(share) {
    const t = instants();
    const index = Math.round(share * (t.length - 1));
    if (!Number.isFinite(index) || index === clock.index) return;
    clock.time = t[index];
    draw(index);
  }

  function nudge(by) {
    if (clock.playing) play();
    draw(clock.index + by);
  }

  /* The time of a point of a trace that follows the clock, or null. */
  function timeOf(trace, number) {
    const { track, stride, offset } = (trace && trace.meta) || {};
    const t = clock.tracks[track];
    if (!t) return null;
    return t[Math.min(Math.round(number / (stride || 1)) + (offset || 0), t.length - 1)];
  }

  /* An instant that a mouse points at. */
  function point(trace, number) {
    const time = clock.playing ? null : timeOf(trace, number);
    if (time !== null && time !== undefined) draw(indexAt(instants(), time));
  }

  /* A new page: nothing of the last one plays on. */
  function reset(listener) {
    clock.playing = false;
    clock = fresh();
    told = listener || (() => {});
  }

  /* The next orbit is a new one. */
  function rewind() {
    clock.rewind = true;
  }

  /* The value of a series of a run at the instant of the clock. */
  function valueOf(values, key) {
    const track = clock.tracks[key];
    if (!track || !values.length) return null;
    const end = track[track.length - 1];
    return now() > end * (1 + 1e-5) ? null : values[Math.min(indexAt(track, now()), values.length - 1)];
  }

  window.nhviz = Object.assign(window.nhviz || {}, {
    player: {
      indexAt, instant, longest, place, prepare, placed, now, take, state, draw, play, seek, nudge, point, reset, rewind, valueOf,
      pace(speed) {
        clock.speed = speed || 1;
      },
    },
  });
})();
