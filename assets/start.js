/* The start page: pictures are taken into the page, so that they have the colours of the theme, and the run of the
   stage is drawn and played. */
(function () {
  "use strict";

  const still = window.matchMedia("(prefers-reduced-motion: reduce)");
  /* Seconds that the end of the run stays in sight before it begins again. */
  const REST = 1.5;
  const GRID = 2;
  const files = new Map();

  /* Numbers of a data window to pixels of a box, with equal scales, as large as the margins leave room for. */
  function fit([left, right, low, high], width, height, [top, end, bottom, start]) {
    const inner = [width - start - end, height - top - bottom];
    const scale = Math.min(inner[0] / (right - left), inner[1] / (high - low));
    const middle = [(left + right) / 2, (low + high) / 2];
    return {
      scale,
      x: (value) => start + inner[0] / 2 + (value - middle[0]) * scale,
      y: (value) => top + inner[1] / 2 - (value - middle[1]) * scale,
    };
  }

  const px = (value) => value.toFixed(1);

  function through(at, xs, ys) {
    return "M" + xs.map((x, i) => px(at.x(x)) + " " + px(at.y(ys[i]))).join("L");
  }

  function stroke(d, colour, width, more) {
    return `<path d="${d}" style="fill:none;stroke:${colour};stroke-width:${width};${more || ""}"/>`;
  }

  function dots(at, xs, ys, colour, radius) {
    return stroke(xs.map((x, i) => `M${px(at.x(x))} ${px(at.y(ys[i]))}h0`).join(""), colour, 2 * radius, "stroke-linecap:round");
  }

  function disc(at, [x, y], radius, style) {
    return `<circle cx="${px(at.x(x))}" cy="${px(at.y(y))}" r="${radius}" style="${style}"/>`;
  }

  function star(at, x, y, radius) {
    const corner = (k) => {
      const reach = k % 2 ? 0.42 * radius : radius;
      const angle = -Math.PI / 2 + (k * Math.PI) / 5;
      return px(at.x(x) + reach * Math.cos(angle)) + " " + px(at.y(y) + reach * Math.sin(angle));
    };
    return `<path d="M${Array.from({ length: 10 }, (_, k) => corner(k)).join("L")}z" style="fill:var(--ink);stroke:var(--paper)"/>`;
  }

  function note(at, { x, y, dx, dy, words, strong, end }) {
    const style = strong ? "fill:var(--ink);font-weight:500;font-size:13px" : "fill:var(--soft);font-size:12px";
    return `<text x="${px(at.x(x) + dx)}" y="${px(at.y(y) + dy)}" text-anchor="${end ? "end" : "start"}" style="${style}">${words}</text>`;
  }

  /* Points of the body at a place, turned. */
  function placed(points, { x, y, angle }) {
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    return points.map(([u, v]) => [x + c * u - s * v, y + s * u + c * v]);
  }

  function outline(at, body, pose) {
    return "M" + placed(body.outline, pose).map(([x, y]) => px(at.x(x)) + " " + px(at.y(y))).join("L") + "z";
  }

  function ghost(at, body, pose, colour) {
    return `<path d="${outline(at, body, pose)}" style="fill:${colour};fill-opacity:.09;stroke:${colour};stroke-opacity:.42"/>`;
  }

  function sleigh(at, body, pose) {
    const blade = placed(body.blade, pose);
    const [[x, y]] = placed([body.mass], pose);
    const mass = `translate(${px(at.x(x))} ${px(at.y(y))})`;
    return `<path d="${outline(at, body, pose)}" style="fill:var(--paper);fill-opacity:.86;stroke:var(--ink);stroke-width:1.6"/>`
      + stroke(through(at, blade.map(([u]) => u), blade.map(([, v]) => v)), "var(--ink)", 4.5)
      + `<g transform="${mass}" style="fill:var(--paper);stroke:var(--ink);stroke-width:1.3"><circle r="4.6"/><path d="M-4.6 0H4.6M0-4.6V4.6"/></g>`;
  }

  /* Where everything is at an instant, between two samples. */
  function instant(run, t) {
    const last = run.flow.x.length - 1;
    const place = Math.min(last, (t / run.duration) * last);
    const before = Math.floor(place);
    const between = (values) => values[before] + (place - before) * (values[Math.min(last, before + 1)] - values[before]);
    const upTo = (values) => [...values.slice(0, before + 1), between(values)];
    return { before, between, upTo };
  }

  function svg(width, height, fixed) {
    return `<svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" aria-hidden="true">${fixed}<g></g></svg>`;
  }

  /* All that the sleigh touches on its way. */
  function extent(run) {
    const corners = run.ghosts.flatMap((i) => placed(run.body.outline, poseAt(run.flow, i)));
    const xs = [...run.flow.x, ...corners.map(([x]) => x)];
    const ys = [...run.flow.y, ...corners.map(([, y]) => y)];
    return [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  }

  function poseAt(flow, i) {
    return { x: flow.x[i], y: flow.y[i], angle: flow.angle[i] };
  }

  function squares(at, width, height) {
    let d = "";
    const size = GRID * at.scale;
    for (let x = at.x(0) % size; x < width; x += size) d += `M${px(x)} 0V${height}`;
    for (let y = at.y(0) % size; y < height; y += size) d += `M0 ${px(y)}H${width}`;
    return stroke(d, "var(--grid)", 1);
  }

  /* The path on the ice: what stays, and a function that draws what moves. */
  function ice(box, run, beside) {
    const [width, height] = [box.clientWidth, box.clientHeight];
    const at = fit(extent(run), width, height, [14, 14 + beside, 58, 14]);
    const [flow, map] = run.colours.map((name) => `var(${name})`);
    const { cusp } = run;
    const [x, y] = [at.x(cusp.x), at.y(cusp.y)];
    const pointer = stroke(`M${px(x + 7)} ${px(y + 5)}L${px(x + 26)} ${px(y + 48)}`, "var(--faint)", 1);
    const words = width - beside > 480 ? pointer + run.notes.map((one) => note(at, one)).join("") : "";
    box.innerHTML = svg(width, height, squares(at, width, height)
      + stroke(through(at, run.flow.x, run.flow.y), flow, 1.6, "opacity:.28") + words);
    const moving = box.querySelector("g:last-child");
    return (t, { before, between, upTo }) => {
      const steps = Math.floor(t / run.orbit.step + 1e-9) + 1;
      const few = (values) => values.slice(0, steps).filter((_, i) => i % 2 === 0);
      moving.innerHTML = run.ghosts.filter((i) => i <= before).map((i) => ghost(at, run.body, poseAt(run.flow, i), flow)).join("")
        + stroke(through(at, upTo(run.flow.x), upTo(run.flow.y)), flow, 2.6)
        + dots(at, few(run.orbit.x), few(run.orbit.y), map, 2.1)
        + star(at, cusp.x, cusp.y, 8)
        + sleigh(at, run.body, { x: between(run.flow.x), y: between(run.flow.y), angle: between(run.flow.angle) });
    };
  }

  /* The momentum plane of the same run. */
  function momenta(box, run) {
    const [width, height] = [box.clientWidth, box.clientHeight];
    const all = run.arcs.flatMap(({ points }) => points);
    const [xs, ys] = [all.map(([x]) => x), all.map(([, y]) => y)];
    const at = fit([Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)], width, height, [8, 12, 10, 12]);
    const flow = `var(${run.colours[0]})`;
    const curve = (points, colour, size, more) => stroke(through(at, points.map(([x]) => x), points.map(([, y]) => y)), colour, size, more);
    const outermost = run.ends[run.ends.length - 1];
    const word = (place, words, dx, dy, end) => note(at, { x: place[0], y: place[1], dx, dy, words, end });
    box.innerHTML = svg(width, height, run.arcs.map(({ points, own }) => curve(points, own ? "var(--faint)" : "var(--line)", 1)).join("")
      + curve(run.turning, "var(--faint)", 1, "stroke-dasharray:4 3")
      + curve(run.line.slice(1), "var(--ink)", 1.2) + curve(run.line.slice(0, 2), "var(--ink)", 1.2, "stroke-dasharray:1.5 3")
      + run.ends.map(({ stable, unstable }) => disc(at, stable, 2.8, "fill:var(--ink)")
        + disc(at, unstable, 2.8, "fill:var(--paper);stroke:var(--ink);stroke-width:1.2")).join("")
      + word(outermost.stable, "stable", 9, 4) + word(outermost.unstable, "unstable", 9, 4)
      + word(run.turning[1].map((value) => 0.78 * value), "cusp", 0, -5, true) + stroke(through(at, run.run.x, run.run.y), flow, 1.6, "opacity:.3"));
    const moving = box.querySelector("g:last-child");
    return (t, { between, upTo }) => {
      moving.innerHTML = stroke(through(at, upTo(run.run.x), upTo(run.run.y)), flow, 2)
        + disc(at, [between(run.run.x), between(run.run.y)], 5.5, `fill:${flow};stroke:var(--paper);stroke-width:1.6`);
    };
  }

  /* Play, the clock, and where the cusp is on it. */
  function controls(line, run) {
    line.innerHTML = '<button type="button" class="go icon"></button><div class="times"><b></b><span></span></div>'
      + '<div class="rail"><u></u><input type="range" min="0" aria-label="instant"></div>';
    line.querySelector(".times span").textContent = run.duration + " s";
    line.querySelector("u").style.left = (100 * run.cusp.t) / run.duration + "%";
    const [button, now, slider] = ["button", "b", "input"].map((name) => line.querySelector(name));
    Object.assign(slider, { max: run.duration, step: 0.05 });
    return {
      button, slider,
      show(t) {
        now.textContent = t.toFixed(2) + " s";
        slider.value = t;
        slider.style.setProperty("--done", (100 * t) / run.duration + "%");
      },
      tell(plays) {
        button.classList.toggle("pauses", plays);
        button.setAttribute("aria-label", plays ? "Pause" : "Play");
      },
    };
  }

  /* A stage plays by itself, rests under the mouse, and ends with the page that it is on. */
  function play(stage) {
    const run = JSON.parse(stage.dataset.run);
    const line = controls(stage.querySelector(".clock-line"), run);
    const state = { t: still.matches ? run.still : 0, plays: !still.matches, held: false, before: null, drawn: null };
    let paint = () => {};

    function lay() {
      const inset = stage.querySelector(".inset");
      const beside = inset.offsetTop < 100 ? stage.clientWidth - inset.offsetLeft : 0;
      const both = [ice(stage.querySelector(".ice"), run, beside), momenta(stage.querySelector(".momenta"), run)];
      paint = (t) => both.forEach((move) => move(t, instant(run, t)));
      state.drawn = null;
    }

    function frame(now) {
      if (!stage.isConnected) {
        sizes.disconnect();
        return;
      }
      /* A page that was out of sight goes on where it was. */
      const passed = state.before === null ? 0 : Math.min(0.1, (now - state.before) / 1000);
      state.before = now;
      if (state.plays && !state.held) state.t = (state.t + passed) % (run.duration + REST);
      const t = Math.min(run.duration, state.t);
      if (t !== state.drawn) {
        paint(t);
        line.show(t);
        state.drawn = t;
        stage.dataset.instant = t;
      }
      window.requestAnimationFrame(frame);
    }

    const sizes = new window.ResizeObserver(lay);
    sizes.observe(stage);
    line.button.addEventListener("click", () => {
      state.plays = !state.plays;
      /* Whoever presses play wants to see it move, though the mouse is there. */
      state.held = false;
      line.tell(state.plays);
    });
    line.slider.addEventListener("input", () => {
      Object.assign(state, { t: Number(line.slider.value), plays: false });
      line.tell(false);
    });
    stage.addEventListener("pointerenter", ({ pointerType }) => {
      state.held = pointerType === "mouse";
    });
    stage.addEventListener("pointerleave", () => {
      state.held = false;
    });
    line.tell(state.plays);
    lay();
    window.requestAnimationFrame(frame);
  }

  function file(address) {
    if (!files.has(address)) files.set(address, window.fetch(address).then((answer) => (answer.ok ? answer.text() : "")));
    return files.get(address);
  }

  function draw(holder) {
    holder.dataset.drawn = "";
    file(holder.dataset.picture).then((text) => {
      holder.innerHTML = text;
    });
  }

  /* Pages come and go: whatever is new on this one is drawn. */
  function look() {
    document.querySelectorAll("[data-picture]:not([data-drawn])").forEach(draw);
    document.querySelectorAll(".stage[data-run]:not([data-instant])").forEach((stage) => {
      stage.dataset.instant = "";
      play(stage);
    });
  }

  new window.MutationObserver(look).observe(document.body, { childList: true, subtree: true });
  look();
})();
