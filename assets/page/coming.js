/* Numbers of a picture that a sweep computes: they fill in, coarse to fine, while the picture is in sight and the hand
   rests. A sweep that no picture in sight shows any more is cancelled; what has come of it stays, and is there at once
   when it is shown again. */
(function () {
  "use strict";

  /* What takes longer, in milliseconds, tells how far it is. */
  const SLOW = 400;
  /* Drawing takes at most one of so many parts of the time while cells are coming. */
  const SHARE = 4;
  /* So many cells of sweeps are kept, the latest shown. */
  const KEPT = 1500000;
  const WAYS = { on: "Go on", cancel: "Cancel" };

  /* Sweeps by their text, those shown last at the end. */
  const known = new Map();
  let held = false;

  const keyOf = ({ sweep }) => JSON.stringify(sweep);
  const countOf = (axis) => (axis ? axis.count : 1);

  function entryOf(record) {
    const key = keyOf(record);
    const found = known.get(key) || {
      sweep: record.sweep, state: "", sentence: "", watch: null, began: 0,
      /* Whether it stands still until a hand lets it go on. */
      rests: false,
      grid: window.nhviz.sweeps.tiles.grid(countOf(record.sweep.y), countOf(record.sweep.x)),
    };
    known.delete(key);
    known.set(key, found);
    return found;
  }

  const isInSight = (one) => window.nhviz.pictures.isSeen(one) && !one.element.closest(".shows-text");
  const pictures = () => window.nhviz.pictures.all().filter((one) => one.coming.length && isInSight(one));
  const entriesOf = (one) => one.coming.map(entryOf);
  const whoShows = (entry) => pictures().filter((one) => entriesOf(one).includes(entry));
  const isDone = ({ state, grid }) => state === "done" && grid.count >= grid.values.length;

  /* Another answer is there: what is in sight now is asked for, unless the hand moves; the rest is cancelled. */
  function follow(preview) {
    const wanted = new Set(pictures().flatMap(entriesOf));
    known.forEach((entry) => {
      if (entry.watch && !wanted.has(entry)) cancel(entry);
    });
    if (!preview) wanted.forEach(begin);
    forget(wanted);
    window.nhviz.pictures.all().forEach(tell);
  }

  function begin(entry) {
    if (entry.watch || entry.rests || isDone(entry)) return;
    Object.assign(entry, {
      state: "waiting", sentence: "", began: window.performance.now(),
      watch: window.nhviz.sweeps.wire.watch(entry.sweep, {
        heard: (data) => heard(entry, data),
        refused: ({ sentence }) => ended(entry, "failed", sentence),
        lost: (sentence) => news(Object.assign(entry, { sentence })),
      }),
    });
    window.setTimeout(() => whoShows(entry).forEach(tell), SLOW);
  }

  /* Tiles have come; how many cells are there then. */
  function heard(entry, data) {
    if (!whoShows(entry).length) {
      cancel(entry);
      return data.done;
    }
    const { tiles } = window.nhviz.sweeps;
    data.tiles.forEach(({ number, values }) => tiles.put(entry.grid, number, Array.isArray(values) ? values : window.nhviz.arrays.decode(values)));
    Object.assign(entry, { state: data.state, sentence: data.sentence });
    if (isDone(entry) || data.state === "cancelled" || data.state === "failed") ended(entry, data.state, data.sentence);
    else news(entry);
    if (data.tiles.length) whoShows(entry).forEach(redraw);
    if (data.tiles.length) window.nhviz.say.again();
    return entry.grid.count;
  }

  function ended(entry, state, sentence) {
    Object.assign(entry, { state, sentence, watch: null, rests: state !== "done" });
    news(entry);
  }

  /* It is not asked for any more, and the server is told, unless it is asked for again; what has come stays. */
  function cancel(entry) {
    const answered = entry.watch ? entry.watch.end() : Promise.resolve();
    Object.assign(entry, { state: "", watch: null });
    return answered.then(() => !entry.watch && window.nhviz.sweeps.wire.post("sweep/cancel", { sweep: entry.sweep }));
  }

  /* Cells that were shown longest ago make room; what is in sight stays. */
  function forget(wanted) {
    let cells = 0;
    [...known].toReversed().forEach(([key, entry]) => {
      cells += entry.grid.values.length;
      if (cells > KEPT && !wanted.has(entry)) known.delete(key);
    });
  }

  /* The numbers of the traces of a picture: those that have come; where there are none yet, the last that were shown in
     their place; else what the figure has. A slot remembers what is shown in a trace, and what was before that. */
  function filled(one) {
    return one.coming.flatMap((record) => {
      const name = [one.view, record.trace, record.into].join(" ");
      const entry = entryOf(record);
      const own = one.figure.data[record.trace][record.into];
      let slot = one.slots[name];
      if (!slot || slot.entry !== entry) slot = { entry, before: slot && slot.values, version: -1 };
      if (slot.version !== entry.grid.version || slot.own !== own) {
        Object.assign(slot, { version: entry.grid.version, own, values: valuesOf(entry, record, slot.before, own), words: record.words && wordsOf(entry, record) });
      }
      one.slots[name] = slot;
      const { trace, into } = record;
      return [{ trace, into, values: slot.values }, ...(slot.words ? [{ trace, into: "text", values: slot.words }] : [])];
    });
  }

  /* What is said of each cell that has come: plotly itself would take the colours of a surface for those of another cell. */
  function wordsOf({ grid }, { scale, words }) {
    const { rows, columns, seen, fineness } = grid;
    const texts = new Map();
    const textOf = (value) => {
      if (!texts.has(value)) texts.set(value, words.replace("{value}", String(value)));
      return texts.get(value);
    };
    return Array.from({ length: rows }, (_, j) => Array.from({ length: columns }, (__, i) => {
      const cell = j * columns + i;
      return fineness[cell] && !Number.isNaN(seen[cell]) ? textOf(scale * seen[cell]) : "";
    }));
  }

  /* Rows of numbers, or of a sweep over one value a list; plotly takes what is empty for a gap. A surface has no gaps in
     its colours: there it has what the figure has. */
  function valuesOf({ grid, sweep }, { scale, into }, before, own) {
    const { rows, columns, seen, fineness } = grid;
    const flat = !sweep.y;
    const rest = [before, own].find((values) => values && values.length === (flat ? columns : rows) && (flat || values[0].length === columns));
    const made = Array.from({ length: rows }, (_, j) => Float64Array.from({ length: columns }, (__, i) => {
      const cell = j * columns + i;
      if (fineness[cell] && own && into === "surfacecolor" && Number.isNaN(seen[cell])) return own[j][i];
      if (fineness[cell]) return scale * seen[cell];
      return rest ? (flat ? rest[i] : rest[j][i]) : NaN;
    }));
    return flat ? made[0] : made;
  }

  /* Which part of the cells that have come, by their weights, has each value; nothing before any has, or where it is not
     told. */
  function sharesOf(one) {
    const record = one.coming.find(({ weights }) => weights);
    if (!record) return null;
    const entry = entryOf(record);
    const { grid } = entry;
    if (grid.version !== entry.counted) Object.assign(entry, { counted: grid.version, shares: counted(grid, record.weights.map(window.nhviz.arrays.decode)) });
    return entry.shares && { whole: isDone(entry), of: (value) => entry.shares.get(value) || 0 };
  }

  function counted({ rows, columns, seen, fineness }, [high, wide]) {
    const found = new Map();
    let all = 0;
    for (let j = 0; j < rows; j += 1) {
      for (let i = 0; i < columns; i += 1) {
        const cell = j * columns + i;
        if (fineness[cell]) {
          const weight = high[j] * wide[i];
          found.set(seen[cell], (found.get(seen[cell]) || 0) + weight);
          all += weight;
        }
      }
    }
    if (!all) return null;
    found.forEach((weight, value) => found.set(value, weight / all));
    return found;
  }

  /* A share in percent; while cells are coming without what the next ones will change. */
  function percent(share, whole) {
    const value = 100 * share;
    if (share && value < (whole ? 0.01 : 1)) return "< " + (whole ? "0.01" : "1") + " %";
    return (whole && value && value < 9.95 ? Number(value.toPrecision(2)) : Math.round(value)) + " %";
  }

  /* Words with the shares that they tell; `open` stands for one that is not known yet. */
  function told(text, one, open) {
    const shares = text.includes("{share ") && one && sharesOf(one);
    return text.replace(/\{share (\d+)\}/g, (_, value) => (shares ? percent(shares.of(Number(value)), shares.whole) : open));
  }
  const teller = () => window.nhviz.pictures.all().find((one) => one.coming.some(({ weights }) => weights) && sharesOf(one));

  /* A picture with what has come, alone: at once when all has. While a hand is in it, it waits. */
  function redraw(one) {
    const all = entriesOf(one).every(isDone);
    if (one.due && !all) return;
    window.clearTimeout(one.due);
    const wait = all ? 0 : (one.restsUntil || 0) - window.performance.now();
    one.due = window.setTimeout(() => {
      one.due = 0;
      if (held) {
        one.late = true;
        return;
      }
      const begun = window.performance.now();
      if (window.nhviz.pictures.of(one.name) === one) window.nhviz.pictures.draw(one);
      one.restsUntil = begun + SHARE * (window.performance.now() - begun);
    }, Math.max(0, wait));
  }
  document.addEventListener("pointerdown", ({ target }) => {
    held = Boolean(target.closest && target.closest(".plot"));
  }, true);
  ["pointerup", "pointercancel"].forEach((kind) => document.addEventListener(kind, () => {
    held = false;
    if (!window.nhviz.pictures) return;
    window.nhviz.pictures.all().filter(({ late }) => late).forEach((one) => {
      one.late = false;
      redraw(one);
    });
  }, true));

  const news = (entry) => whoShows(entry).forEach(tell);

  /* How far a picture is, in its header: a sentence, and a way to stop or to go on. */
  function tell(one) {
    const view = one.element && one.element.closest(".view");
    const room = view && view.querySelector(".coming");
    if (!room) return;
    const left = isInSight(one) ? entriesOf(one).filter((entry) => !isDone(entry)) : [];
    const now = window.performance.now();
    const idle = left.some((entry) => entry.rests);
    if (!left.length || !(idle || left.some(({ watch, began }) => watch && now - began > SLOW - 1))) {
      room.replaceChildren();
      return;
    }
    if (!room.firstChild) furnish(room, one);
    room.firstChild.textContent = said(one, left, idle);
    room.firstChild.title = room.firstChild.textContent;
    Object.assign(room.lastChild, { textContent: idle ? WAYS.on : WAYS.cancel });
    room.lastChild.dataset.act = idle ? "on" : "cancel";
  }

  function said(one, left, idle) {
    const all = entriesOf(one).map(({ grid }) => grid);
    const share = all.reduce((sum, { count }) => sum + count, 0) / all.reduce((sum, { values }) => sum + values.length, 0);
    const { sentence } = left.find((entry) => entry.sentence) || { sentence: "" };
    return sentence || (idle ? "cancelled at " : "computing, ") + Math.floor(100 * share) + " %";
  }

  function furnish(room, one) {
    const words = document.createElement("span");
    const button = document.createElement("button");
    room.replaceChildren(words, button);
    button.addEventListener("click", () => act(one.name, button.dataset.act));
  }

  /* A hand stops what comes into a picture, or lets it go on. */
  function act(name, what) {
    const one = window.nhviz.pictures.of(name);
    entriesOf(one).filter((entry) => !isDone(entry)).forEach((entry) => {
      if (what === "cancel") {
        cancel(entry);
        Object.assign(entry, { rests: true, sentence: "" });
      } else {
        entry.rests = false;
        begin(entry);
      }
      news(entry);
    });
  }

  /* The page is left: nothing of it is computed on. */
  function leave() {
    known.forEach((entry) => entry.watch && cancel(entry));
  }
  /* Nobody waits any more for what is under way then. */
  window.addEventListener("pagehide", () => known.forEach((entry) => {
    if (!entry.watch) return;
    entry.watch.stop();
    window.nhviz.sweeps.wire.post("sweep/cancel", { sweep: entry.sweep });
  }));

  /* Whether something is to come, or has come and is to be seen. */
  const isUnderWay = () => [...known.values()].some(({ watch }) => watch) || window.nhviz.pictures.all().some(({ due }) => due);

  window.nhviz = Object.assign(window.nhviz || {}, { coming: { filled, follow, isUnderWay, leave, teller, told } });
})();
