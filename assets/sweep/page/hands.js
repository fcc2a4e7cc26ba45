/* Hands on the map: hovering reads, a click moves the cross-hair, a drag looks closer, keys do the same. */
(function () {
  "use strict";

  const { places } = window.nhviz.sweeps;
  /* A hand that moves by less than this means a click; a rectangle of fewer cells is none. */
  const [STILL, FEWEST] = [5, 1.5];
  const typing = (target) => target.closest && target.closest("input, select, textarea, [contenteditable=true], [role=dialog][aria-modal=true]");
  let act = null;

  /* Pixels of an event in the map's own room. */
  function at(surface, { clientX, clientY }) {
    const box = surface.getBoundingClientRect();
    return [clientX - box.left, clientY - box.top];
  }

  const cellAt = (view, [x, y]) => {
    const { grid, boxes: { map } } = view;
    const [i, j] = places.placeAt(map, [grid.rows, grid.columns], x, y);
    const inside = (place, count) => Math.min(count - 1, Math.max(0, Math.round(place)));
    return [inside(i, grid.columns), inside(j, grid.rows)];
  };

  /* Listen to a surface; `actions` has view(), hover(cell, pixels), leave(), pick(cell), zoom(from, to), out(), open(). */
  function furnish(surface, actions) {
    act = actions;
    let from = null;
    const rubber = surface.querySelector(".rubber");
    const isIn = (pixels) => act.view() && places.within(act.view().boxes.map, ...pixels);

    surface.addEventListener("pointerdown", (event) => {
      const pixels = at(surface, event);
      if (event.button || !isIn(pixels)) return;
      from = { pixels, moved: false };
      surface.setPointerCapture(event.pointerId);
    });
    surface.addEventListener("pointermove", (event) => {
      const pixels = at(surface, event);
      if (!from) {
        if (isIn(pixels)) act.hover(cellAt(act.view(), pixels), pixels);
        else act.leave();
        return;
      }
      if (!from.moved && Math.hypot(pixels[0] - from.pixels[0], pixels[1] - from.pixels[1]) <= STILL) return;
      from.moved = true;
      act.leave();
      stretch(rubber, act.view(), from.pixels, pixels);
    });
    surface.addEventListener("pointerup", (event) => {
      if (!from) return;
      const { pixels: first, moved } = from;
      const last = at(surface, event);
      from = null;
      rubber.hidden = true;
      if (!moved) act.pick(cellAt(act.view(), last));
      else close(first, last);
    });
    surface.addEventListener("pointercancel", () => {
      from = null;
      rubber.hidden = true;
    });
    surface.addEventListener("dblclick", (event) => isIn(at(surface, event)) && act.open());
    surface.addEventListener("pointerleave", () => act.leave());
  }

  /* The rectangle that a hand draws, inside of the map; of a curve the whole height. */
  function stretch(rubber, { boxes: { map }, state }, first, last) {
    const inside = (value, low, size) => Math.min(low + size, Math.max(low, value));
    const [left, right] = [first[0], last[0]].map((x) => inside(x, map.x, map.width)).toSorted((a, b) => a - b);
    const [top, bottom] = state.y ? [first[1], last[1]].map((y) => inside(y, map.y, map.height)).toSorted((a, b) => a - b) : [map.y, map.y + map.height];
    rubber.hidden = false;
    Object.assign(rubber.style, { left: left + "px", top: top + "px", width: right - left + "px", height: bottom - top + "px" });
  }

  function close(first, last) {
    const { grid, state, boxes: { map } } = act.view();
    const [a, b] = [first, last].map((pixels) => places.placeAt(map, [grid.rows, grid.columns], ...pixels));
    if (Math.abs(a[0] - b[0]) >= FEWEST && (!state.y || Math.abs(a[1] - b[1]) >= FEWEST)) act.zoom(a, b);
  }

  const STEPS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  document.addEventListener("keydown", (event) => {
    if (!act || !document.querySelector(".sweep-page") || !act.view() || event.altKey || event.ctrlKey || event.metaKey || typing(event.target)) return;
    const onMap = event.target.closest && event.target.closest(".surface");
    const nowhere = event.target === document.body;
    const step = STEPS[event.key];
    if (step && (onMap || nowhere)) {
      event.preventDefault();
      const { at: [i, j], grid } = act.view();
      const far = event.shiftKey ? 10 : 1;
      const inside = (value, count) => Math.min(count - 1, Math.max(0, value));
      act.pick([inside(i + far * step[0], grid.columns), inside(j + far * step[1], grid.rows)]);
    } else if (event.key === "Enter" && onMap) act.open();
    else if (event.key === "Escape" && (onMap || nowhere)) act.out();
  });

  window.nhviz.sweeps.hands = { cellAt, furnish };
})();
