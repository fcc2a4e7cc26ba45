/* Pictures on the screen: plotly draws what the server has sent, once for each answer, with everything that moves where
   the clock has it; flat pictures first, then those in space, one at a time, and never one that is out of date. */
(function () {
  "use strict";

  const { arrays, model } = window.nhviz;
  const CONFIG = { displayModeBar: false, scrollZoom: true, doubleClick: false, showTips: false };
  const WIDE = 440;
  /* How much farther a high scene is seen from, unless it says so itself; if its axes have names, which stand outside of
     it, farther still. */
  const [WITHOUT, WITH_WORDS] = [1.5, 1.75];
  /* What is so much wider than high is a low picture. */
  const LOW = 1.4;
  /* A narrower scene has no room for words in it. */
  const NARROW = 330;
  /* The distance of two ticks, in sizes of their font. */
  const LINE = 1.35;
  /* So many pixels are left between words and the edge of their picture. */
  const EDGE = 3;
  /* And so many from words on the left of a curve to where they would stand on its right. */
  const ACROSS = 32;
  const FONTS = ['400 12px "Fira Sans"', '500 12px "Fira Sans"', 'italic 400 12px "Source Serif 4"'];
  const PATIENCE = 1000;
  /* A scene that a hand lets go of is looked at so many times, after so many milliseconds each. */
  const WATCHED = 6;
  const REST = 200;
  /* Pictures that take less together, in milliseconds, are drawn for one frame: each frame costs time of its own. */
  const TOGETHER = 40;
  /* An older range is kept while the new picture fills at least this share of it. */
  const FILLS = 0.45;

  let places = {};
  let waiting = [];
  let listen = () => {};
  let loading = null;

  /* plotly, loaded once, when a lab is first opened. */
  function library(address) {
    if (window.Plotly) return Promise.resolve(window.Plotly);
    if (!loading) {
      loading = new Promise((done, failed) => {
        const script = document.createElement("script");
        script.src = address;
        script.addEventListener("load", () => done(window.Plotly));
        script.addEventListener("error", () => failed(new Error("plotly could not be loaded")));
        document.head.append(script);
      });
    }
    return loading;
  }

  /* plotly measures words when it draws them: their fonts are to be there, unless they keep a page waiting. */
  const patience = new Promise((done) => {
    window.setTimeout(done, PATIENCE);
  });
  const lettered = Promise.race([Promise.allSettled(FONTS.map((font) => document.fonts.load(font, "aθ"))), patience]);

  function holder(place) {
    return document.getElementById('{"kind":"graph","place":"' + place + '"}');
  }

  /* A new page: nothing of the last one is left. */
  function reset(names, address, listener) {
    sizes.disconnect();
    Object.values(places).forEach(({ element }) => {
      if (element && window.Plotly) window.Plotly.purge(element);
    });
    waiting = [];
    listen = listener;
    places = Object.fromEntries(names.map((name) => [name, { name, element: holder(name), figure: null, cursors: [], coming: [], slots: {}, fits: 0, kept: {}, moved: {}, turned: {}, frozen: null, ghosts: {} }]));
    Object.values(places).forEach(({ element }) => element && sizes.observe(element));
    library(address);
  }

  const isSpace = (figure) => Boolean(figure && figure.layout.scene);
  const isSeen = ({ element }) => Boolean(element && element.offsetParent !== null && element.clientWidth > 20);

  /* Another size is another picture: words appear where there is room. */
  const sizes = new ResizeObserver((entries) => {
    entries.forEach(({ target }) => {
      const one = Object.values(places).find(({ element }) => element === target);
      if (one && one.figure && one.element.data && (target.clientWidth !== one.width || target.clientHeight !== one.height)) queue(one);
    });
  });

  /* Take what is new of an answer and draw it: flat pictures now, those in space one after the other. */
  function paint({ figures, moving, coming }, views, address) {
    Object.entries(moving).forEach(([name, cursors]) => {
      if (places[name]) places[name].cursors = window.nhviz.player.prepare(cursors);
    });
    Object.entries(coming).forEach(([name, records]) => {
      if (places[name]) places[name].coming = records;
    });
    Object.entries(figures).forEach(([name, figure]) => {
      if (!places[name]) return;
      Object.assign(places[name], { figure: { ...figure, data: arrays.traces(figure.data) }, view: views[name] });
    });
    return Promise.all([library(address), lettered]).then(() => {
      const due = Object.values(places).filter((one) => one.figure && (one.name in figures || one.name in coming));
      const flat = due.filter((one) => !isSpace(one.figure));
      const first = flat.some((one) => one.element.data) ? flat : largest(flat);
      first.forEach(draw);
      flat.filter((one) => !first.includes(one)).concat(due.filter((one) => isSpace(one.figure))).forEach(queue);
    });
  }
  /* A new page shows its largest flat picture at once, before it makes the others. */
  function largest(flat) {
    const area = ({ element }) => element.clientWidth * element.clientHeight;
    return flat.toSorted((one, other) => area(other) - area(one)).slice(0, 1);
  }

  /* One picture in the next free moment; one that waits already is drawn with what is newest. */
  function queue(one) {
    if (!waiting.includes(one)) waiting.push(one);
    if (waiting.length === 1) afterFrame(drawNext);
  }
  /* What is drawn already is to be seen first. */
  function afterFrame(act) {
    const later = () => window.setTimeout(act, 0);
    if (document.hidden) later();
    else window.requestAnimationFrame(later);
  }
  function drawNext() {
    const until = window.performance.now() + TOGETHER;
    do {
      const one = waiting[0];
      if (one && places[one.name] === one && window.Plotly) draw(one);
      waiting.shift();
    } while (waiting.length && window.performance.now() < until);
    if (waiting.length) window.setTimeout(drawNext, 0);
  }

  function draw(one) {
    if (!isSeen(one) || !window.Plotly) return;
    const { element } = one;
    one.width = element.clientWidth;
    one.height = element.clientHeight;
    const first = !element.data;
    forgetRoom(element);
    const layout = layoutOf(one);
    const camera = cameraOf(one);
    one.seenFrom = JSON.stringify(camera);
    window.nhviz.notes.settle(one, layout, camera);
    window.Plotly.react(element, traces(one), layout, CONFIG);
    tuck(element);
    one.time = window.nhviz.player.now();
    if (first) {
      listen(one.name, element);
      element.on("plotly_relayout", (change) => moved(one, change));
    }
    element.parentElement.classList.add("drawn");
  }

  /* The camera of a scene that a hand has turned; else it is that of its picture. */
  function cameraOf(one) {
    const { _scene: scene } = ((one.element._fullLayout || {}).scene) || {};
    return scene && one.turned[revisionOf(one)] ? scene.getCamera() : undefined;
  }

  /* Words find their places anew. A scene turns on a little after a hand lets go of it: it is watched for a while. */
  function resettle(one, rounds) {
    window.setTimeout(() => {
      if (places[one.name] !== one) return;
      if (rounds === WATCHED || JSON.stringify(cameraOf(one)) !== one.seenFrom) queue(one);
      if (rounds > 1 && isSpace(one.figure)) resettle(one, rounds - 1);
    }, REST);
  }

  /* When a scene is turned plotly also notes the shape of its room, which it does not recognise in the next picture. */
  function forgetRoom({ _fullLayout }) {
    const edits = (_fullLayout && _fullLayout._preGUI) || {};
    Object.keys(edits).filter((name) => name.includes(".aspectratio.")).forEach((name) => delete edits[name]);
  }

  /* Words that would stick out of a flat picture, because it is narrow, stand at its edge; those on the right of a point
     stand on its left, beyond the curve that they are beside, where there is room. */
  function tuck(element) {
    const words = Array.from(element.querySelectorAll(".textpoint text, .annotation-text-g"));
    words.forEach(({ style }) => {
      style.translate = "";
    });
    const { left, right } = element.getBoundingClientRect();
    words.map((word) => [word, word.getBoundingClientRect()]).forEach(([word, box]) => {
      const out = Math.max(box.right + EDGE - right, 0) || Math.min(box.left - EDGE - left, 0);
      if (!out || !box.width) return;
      const across = box.width + ACROSS;
      const turns = out > 0 && word.closest(".textpoint") && box.left - across > left + EDGE;
      word.style.translate = -(turns ? across : out) + "px";
    });
  }

  /* The traces of a figure with what moves at the instant of the clock, and behind them what is pinned. */
  function traces(one) {
    const found = one.figure.data.slice();
    window.nhviz.player.placed(one.cursors).forEach(({ trace, at, said }) => {
      found[trace] = { ...found[trace], ...at, ...said };
    });
    window.nhviz.coming.filled(one).forEach(({ trace, into, values }) => {
      found[trace] = { ...found[trace], [into]: values };
    });
    if (isSpace(one.figure) && one.width < NARROW) {
      found.forEach((trace, i) => {
        if (trace.name === "words") found[i] = { ...trace, visible: false };
      });
    }
    return found.concat(one.ghosts[one.view] || []);
  }

  const revisionOf = (one) => one.view + " " + one.fits;

  function layoutOf(one) {
    const layout = model.clone(one.figure.layout);
    const meta = layout.meta || {};
    const revision = revisionOf(one);
    Object.assign(layout, { width: one.width, height: one.height, autosize: false, uirevision: revision });
    layout.annotations = (layout.annotations || []).filter(({ name }) => (name !== "wide" || one.width >= WIDE) && (name !== "narrow" || one.width < WIDE));
    layout.annotations.forEach((words) => {
      if (words.text) words.text = window.nhviz.coming.told(words.text, one, "…");
    });
    Object.keys(layout).filter((key) => /^scene\d*$/.test(key)).forEach((key) => {
      layout[key].uirevision = revision;
      adaptScene(layout[key], meta, one);
    });
    thinTicks(layout);
    if (!layout.xaxis2) keepRanges(layout, one, revision);
    Object.entries({ ...one.moved[revision], ...one.frozen }).forEach(([axis, range]) => {
      if (layout[axis]) layout[axis].range = range.slice();
    });
    return layout;
  }

  /* No more ticks at the side of a low picture than lines of text have room there. */
  function thinTicks(layout) {
    const { margin, font, height } = layout;
    Object.keys(layout).filter((key) => /^yaxis\d*$/.test(key)).forEach((key) => {
      const [low, high] = layout[key].domain || [0, 1];
      const room = (high - low) * (height - margin.t - margin.b);
      const most = Math.max(2, Math.floor(room / (LINE * font.size)));
      layout[key].nticks = Math.min(layout[key].nticks || 6, most);
      const { tickvals, ticktext } = layout[key];
      if (!tickvals || !ticktext) return;
      const every = Math.ceil(tickvals.length / most);
      const stays = (_, i) => (tickvals.length - 1 - i) % every === 0;
      Object.assign(layout[key], { tickvals: tickvals.filter(stays), ticktext: ticktext.filter(stays) });
    });
  }

  /* A hand has turned a scene or moved a flat picture: its axes stay as it left them until "fit". plotly itself would forget those that
     it had adapted to equal scales. */
  function moved(one, change) {
    const axes = Object.keys(change).map((name) => /^([xy]axis\d*)\.range/.exec(name)).filter(Boolean).map(([, axis]) => axis);
    const revision = revisionOf(one);
    if (change["scene.camera"]) one.turned[revision] = true;
    if (one.cursors.some(({ note }) => note)) resettle(one, WATCHED);
    axes.forEach((axis) => {
      one.moved[revision] = { ...one.moved[revision], [axis]: one.element._fullLayout[axis].range.slice() };
    });
  }

  /* While a hand drags a start its picture stands still under it. */
  function freeze(name, is) {
    const one = places[name];
    const { xaxis, yaxis } = one.element._fullLayout;
    one.frozen = is ? { xaxis: xaxis.range.slice(), yaxis: yaxis.range.slice() } : null;
  }

  /* Names and ticks in space only where there is room for them; what is narrow is seen from farther away, as is what
     stands upright in a low picture, so that nothing of it is cut off. */
  function adaptScene(scene, meta, one) {
    const words = one.width >= (meta.scene_words_from || 0);
    /* Words for narrow pictures stand below the scene. */
    const below = one.width < WIDE ? meta.below || 0 : 0;
    if (below) scene.domain.y = [Math.min(below / one.height, 0.5), 1];
    if (!words) {
      ["xaxis", "yaxis", "zaxis"].forEach((axis) => {
        if (scene[axis]) Object.assign(scene[axis], { showticklabels: false, title: { text: "" } });
      });
      /* The eye looks lower where words stand below; what fills its room from top to bottom is looked at in the middle. */
      if (meta.fills) scene.camera.center.z = Math.max(scene.camera.center.z, -0.03);
    }
    if (scene.camera) {
      const named = words && scene.xaxis && scene.xaxis.title && scene.xaxis.title.text;
      const upright = one.width > LOW * one.height ? meta.upright || 1 : 1;
      const room = named ? WITH_WORDS : meta.wide || WITHOUT;
      const away = Math.max(upright, (room * (one.height - below)) / one.width);
      ["x", "y", "z"].forEach((axis) => {
        scene.camera.eye[axis] *= away;
      });
    }
  }

  /* A flat picture keeps its ranges while parameters change, so that the change is seen, as long as it fits into them. */
  function keepRanges(layout, one, revision) {
    const { xaxis, yaxis } = layout;
    if (!xaxis || !yaxis || !xaxis.range || !yaxis.range) return;
    const kept = one.kept[one.view];
    const fresh = { revision, x: xaxis.range, y: yaxis.range };
    if (kept && kept.revision === revision && fits(kept, fresh)) {
      xaxis.range = kept.x;
      yaxis.range = kept.y;
    } else one.kept[one.view] = fresh;
  }
  function fits(kept, fresh) {
    const share = ["x", "y"].map((axis) => {
      const [low, high] = kept[axis];
      const [from, to] = fresh[axis];
      const room = 0.03 * (high - low);
      return (from - low) * Math.sign(high - low) >= -Math.abs(room) && (high - to) * Math.sign(high - low) >= -Math.abs(room) ? (to - from) / (high - low) : -1;
    });
    return Math.min(...share) > 0 && Math.max(...share) >= FILLS;
  }

  /* What is painted next is seen as a new page is: whole, and by the first camera. */
  function forget() {
    Object.values(places).forEach((one) => {
      one.fits += 1;
    });
  }

  /* The whole picture again, and the first camera. */
  function fit(name) {
    const one = places[name];
    if (!one || !one.figure) return;
    one.fits += 1;
    draw(one);
  }

  /* Everything that is in sight again: after a change of layout. */
  function redraw() {
    Object.values(places).filter((one) => one.figure && one.element.data && (one.element.clientWidth !== one.width || one.element.clientHeight !== one.height)).forEach((one) =>
      (isSpace(one.figure) ? queue(one) : draw(one)));
  }

  /* The runs of a key to the front: the others fade. Nothing brings all back. */
  function front(key) {
    Object.values(places).filter((one) => isSeen(one) && one.element.data).forEach(({ element }) => {
      const runs = element.data.map((trace, i) => [i, (trace.meta || {}).track]).filter(([, track]) => track);
      if (!runs.length) return;
      const opacity = runs.map(([, track]) => (!key || track === key ? 1 : 0.13));
      window.Plotly.restyle(element, { opacity }, runs.map(([i]) => i));
    });
  }

  /* Runs that stay while parameters change, without colour. */
  function ghostly(runs) {
    const faint = window.getComputedStyle(document.documentElement).getPropertyValue("--faint").trim();
    return runs.filter((trace) => trace.type.startsWith("scatter")).map((trace) => Object.assign({}, trace, {
      name: "pinned", meta: undefined, hoverinfo: "skip", opacity: 0.75,
      line: Object.assign({}, trace.line, { color: faint, dash: "dot" }),
      marker: Object.assign({}, trace.marker, { color: faint, symbol: "circle-open", line: { color: faint, width: 1 } }),
    }));
  }
  function pin(view, found) {
    Object.values(places).forEach((one) => {
      one.ghosts[view] = ghostly(found);
      if (one.view === view && one.figure) queue(one);
    });
  }
  function unpin() {
    Object.values(places).forEach((one) => {
      one.ghosts = {};
      if (one.figure) queue(one);
    });
  }

  /* What WebGL has drawn is gone before a printer sees it: a still of it is laid over each scene meanwhile. It must be
     taken in the moment in which it is drawn. */
  function still({ element }) {
    const { _scene: scene } = element._fullLayout.scene;
    const canvas = element.querySelector(".gl-container canvas");
    if (!scene || !scene.glplot || !canvas) return;
    scene.glplot.redraw();
    const picture = Object.assign(document.createElement("img"), { className: "still", src: canvas.toDataURL(), alt: "" });
    element.append(picture);
  }
  window.addEventListener("beforeprint", () =>
    Object.values(places).filter((one) => isSeen(one) && one.element.data && isSpace(one.figure)).forEach(still));
  window.addEventListener("afterprint", () => document.querySelectorAll(".plot > .still").forEach((picture) => picture.remove()));

  /* A lab is on its way: plotly is made ready while the browser waits for it. */
  const ahead = document.querySelector('link[rel="preload"][as="script"]');
  if (ahead) library(ahead.href);

  window.nhviz = Object.assign(window.nhviz || {}, {
    pictures: { draw, fit, fits, forget, freeze, front, holder, isSeen, isSpace, library, paint, pin, redraw, reset, tuck, unpin, of: (name) => places[name], all: () => Object.values(places) },
  });
})();
