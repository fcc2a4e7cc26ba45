/* What can be taken hold of in a picture, as its figure says (`layout.meta.handles`): a start in the plane, a heading that is
   turned about its pivot, the axis of a body. A hand that drags one sets the start, and plotly does not move meanwhile. */
(function () {
  "use strict";

  const { eye, model } = window.nhviz;
  /* A hand this near takes hold. */
  const REACH = 12;
  /* A hand that moves by less has only clicked. */
  const STILL = 4;
  let held = null;

  /* Pixels of a place in a flat picture, and back. */
  function axesOf(element) {
    const { xaxis, yaxis } = element._fullLayout || {};
    return xaxis && yaxis && xaxis.d2p ? { xaxis, yaxis, box: element.getBoundingClientRect() } : null;
  }
  function dataAt(element, left, top) {
    const { xaxis, yaxis, box } = axesOf(element);
    return [xaxis.p2d(left - box.left - xaxis._offset), yaxis.p2d(top - box.top - yaxis._offset)];
  }

  /* The camera of a scene as a matrix from data to the screen, and the size of the scene. */
  function cameraOf(element) {
    const { scene } = element._fullLayout || {};
    const inner = scene && scene._scene;
    if (!inner || !inner.glplot || !inner.glplot.cameraParams) return null;
    const { model: own, view, projection } = inner.glplot.cameraParams;
    const [a, b, c] = inner.dataScale;
    const scale = [a, 0, 0, 0, 0, b, 0, 0, 0, 0, c, 0, 0, 0, 0, 1];
    const camera = [projection, view, own, scale].map((matrix) => Array.from(matrix)).reduce(eye.product);
    return { camera, size: [element.clientWidth, element.clientHeight], box: element.getBoundingClientRect() };
  }

  function pixel(element, at) {
    if (at.length === 3) {
      const seen = cameraOf(element);
      if (!seen) return [NaN, NaN];
      const [left, top] = eye.pixel(seen.camera, seen.size, at);
      return [seen.box.left + left, seen.box.top + top];
    }
    const { xaxis, yaxis, box } = axesOf(element);
    return [box.left + xaxis._offset + xaxis.d2p(at[0]), box.top + yaxis._offset + yaxis.d2p(at[1])];
  }

  function handlesOf(name) {
    const one = window.nhviz.pictures.of(name);
    return (one && one.figure && one.figure.layout.meta && one.figure.layout.meta.handles) || [];
  }

  /* What a hand is near to, or nothing. */
  function handleAt({ clientX, clientY }, name, element) {
    return handlesOf(name).find(({ at }) => {
      if (at.length === 2 && !axesOf(element)) return false;
      const [left, top] = pixel(element, at);
      return Math.hypot(clientX - left, clientY - top) <= REACH;
    });
  }

  /* The values that a handle sets where a hand is, by the names of initial values, or nothing. */
  function valuesAt(handle, element, { clientX, clientY }, page, words) {
    if (handle.at.length === 3) return turned(handle, element, clientX, clientY, page, words);
    const at = dataAt(element, clientX, clientY);
    if (!handle.angle) return Object.fromEntries(handle.names.map((name, i) => [words(name), Number(at[i].toPrecision(5))]));
    const angle = Math.atan2(at[1] - handle.pivot[1], at[0] - handle.pivot[0]);
    return { [words(handle.angle)]: Number(angle.toPrecision(4)) };
  }

  /* An axis that is turned in the plane z = 0: the momenta of a rotation about it, of the same energy. */
  function turned(handle, element, clientX, clientY, page, words) {
    const seen = cameraOf(element);
    const place = seen && eye.onFloor(seen.camera, seen.size, [clientX - seen.box.left, clientY - seen.box.top]);
    const names = handle.names.map(words);
    const form = page.energies[handle.panel || ""];
    if (!place || !form || Math.hypot(...place) < 1e-6) return null;
    const axis = place.map((value) => value * handle.sign);
    const [p, q] = handle.momenta.map((row) => row[0] * axis[0] + row[1] * axis[1]);
    const { energy } = model.energyAndAngle(form, names.map((name) => page.now.state.numbers[name]));
    const found = model.momenta(form, { energy, angle: (Math.atan2(q, p) * 180) / Math.PI });
    return Object.fromEntries(names.map((name, i) => [name, Number(found[i].toPrecision(5))]));
  }

  /* Take hold, by mouse or finger. */
  function take(event, name, element, { page, dispatch, taken }) {
    const point = (later) => (later.touches || later.changedTouches ? (later.touches[0] || later.changedTouches[0]) : later);
    const handle = !event.button && !(event.touches && event.touches.length > 1) && page.now ? handleAt(point(event), name, element) : null;
    if (!handle) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    taken();
    const { view } = window.nhviz.pictures.of(name);
    const words = (own) => page.wordOf(view, own);
    const { clientX, clientY } = point(event);
    held = { moved: false, last: null };
    if (handle.at.length === 2) window.nhviz.pictures.freeze(name, true);
    const move = (later) => {
      /* A scene turns with every move of a pressed mouse, whether it saw the press or not. */
      later.stopImmediatePropagation();
      const now = point(later);
      if (!held.moved && Math.hypot(now.clientX - clientX, now.clientY - clientY) <= STILL) return;
      held.moved = true;
      held.last = valuesAt(handle, element, now, page, words) || held.last;
      if (held.last) dispatch({ kind: "start", values: held.last }, true);
    };
    const kinds = event.touches ? ["touchmove", "touchend"] : ["mousemove", "mouseup"];
    const drop = (later) => {
      document.removeEventListener(kinds[0], move, true);
      document.removeEventListener(kinds[1], drop, true);
      const { moved } = held;
      const last = moved && (valuesAt(handle, element, point(later), page, words) || held.last);
      if (handle.at.length === 2) window.nhviz.pictures.freeze(name, false);
      if (last) dispatch({ kind: "start", values: last }, false);
      held = null;
    };
    document.addEventListener(kinds[0], move, true);
    document.addEventListener(kinds[1], drop, true);
  }

  function listen(name, element, owner) {
    ["mousedown", "touchstart"].forEach((kind) => element.addEventListener(kind, (event) => take(event, name, element, owner), { capture: true, passive: false }));
    element.addEventListener("pointermove", (event) => {
      if (!held && !event.buttons) element.classList.toggle("can-take", Boolean(handleAt(event, name, element)));
    });
  }

  window.nhviz = Object.assign(window.nhviz || {}, {
    grips: { dataAt, isFlat: (element) => Boolean(axesOf(element)), isHeld: () => Boolean(held), listen, pixel },
  });
})();
