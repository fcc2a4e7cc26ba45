/* Hands in the pictures: a click launches an orbit, a start is dragged, an instant is pointed at; a drag that turns or
   moves a picture does nothing else, and a finger scrolls past every picture that is not large. */
(function () {
  "use strict";

  /* Press and release within so many pixels are a click. */
  const STILL = 4;
  /* A second click within this time is a double click, which fits the picture and starts nothing. */
  const DOUBLE = 320;
  /* A hand this near to a start takes hold of it. */
  const REACH = 12;

  let page = null;
  let dispatch = () => {};
  let press = { x: 0, y: 0, up: false, moved: false, candidate: null, count: 0 };
  let launching = null;
  /* Where the mouse is, and where it was when the pictures last changed under it. */
  let mouse = "";
  let rested = "";

  function furnish(here, say) {
    page = here;
    dispatch = say;
    window.clearTimeout(launching);
  }

  document.addEventListener("pointermove", (event) => {
    mouse = event.clientX + " " + event.clientY;
    if (Math.hypot(event.clientX - press.x, event.clientY - press.y) > STILL) press.moved = true;
  }, true);
  document.addEventListener("pointerdown", (event) => {
    press = { x: event.clientX, y: event.clientY, up: false, moved: false, candidate: null, count: press.count };
    window.clearTimeout(launching);
  }, true);
  document.addEventListener("mousedown", (event) => {
    press.count = event.detail;
  }, true);
  document.addEventListener("pointerup", (event) => {
    if (Math.hypot(event.clientX - press.x, event.clientY - press.y) > STILL) press.moved = true;
    press.up = true;
    window.setTimeout(consider, 0);
  }, true);

  /* What plotly says of a click may come with the press or after the release; in space it comes several times. */
  function consider() {
    const { candidate, up, moved } = press;
    if (!candidate || !up || moved) return;
    press.candidate = null;
    window.clearTimeout(launching);
    launching = window.setTimeout(() => {
      if (press.count < 2 && page && page.now) page.launch(candidate.place, candidate.at);
    }, DOUBLE);
  }

  /* Coordinates of a click: in the plane those of the mouse, in space those of the point that was hit. */
  function placeOf(click) {
    if (click.xvals && click.yvals) return [click.xvals[0], click.yvals[0]];
    const point = (click.points || [])[0];
    if (!point || point.x === undefined || point.y === undefined) return null;
    return point.z === undefined ? [point.x, point.y] : [point.x, point.y, point.z];
  }

  /* Listen to a picture that was drawn for the first time. */
  function listen(name, element) {
    element.on("plotly_click", (click) => {
      const at = placeOf(click);
      if (!at) return;
      press.candidate = { place: name, at };
      consider();
    });
    element.on("plotly_hover", ({ points }) => {
      if (points && points.length && mouse !== rested && !dragging) {
        window.nhviz.player.point(element.data[points[0].curveNumber], points[0].pointNumber);
      }
    });
    element.on("plotly_doubleclick", () => window.nhviz.pictures.fit(name));
    element.addEventListener("mousedown", (event) => take(event, name, element), true);
    element.addEventListener("pointermove", (event) => {
      if (!dragging && !event.buttons) element.classList.toggle("can-take", Boolean(handleAt(event, name, element)));
    });
  }

  /* Pixels of a place in a flat picture, and back. */
  function axesOf(element) {
    const { xaxis, yaxis } = element._fullLayout || {};
    return xaxis && yaxis && xaxis.d2p ? { xaxis, yaxis, box: element.getBoundingClientRect() } : null;
  }
  function pixel(element, [x, y]) {
    const { xaxis, yaxis, box } = axesOf(element);
    return [box.left + xaxis._offset + xaxis.d2p(x), box.top + yaxis._offset + yaxis.d2p(y)];
  }
  function dataAt(element, left, top) {
    const { xaxis, yaxis, box } = axesOf(element);
    return [xaxis.p2d(left - box.left - xaxis._offset), yaxis.p2d(top - box.top - yaxis._offset)];
  }

  /* The start that a hand is near to, or nothing. */
  function handleAt(event, name, element) {
    const one = window.nhviz.pictures.of(name);
    const handles = (one && one.figure && one.figure.layout.meta && one.figure.layout.meta.handles) || [];
    if (!axesOf(element)) return null;
    return handles.find(({ at }) => {
      const [left, top] = pixel(element, at);
      return Math.hypot(event.clientX - left, event.clientY - top) <= REACH;
    });
  }

  let dragging = null;

  /* Take hold of a start: plotly must not pan meanwhile. */
  function take(event, name, element) {
    const handle = event.button === 0 && page && page.now ? handleAt(event, name, element) : null;
    if (!handle) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const view = window.nhviz.pictures.of(name).view;
    const from = [event.clientX, event.clientY];
    dragging = { moved: false };
    window.nhviz.pictures.freeze(name, true);
    window.clearTimeout(launching);
    const values = (later) => {
      const at = dataAt(element, later.clientX, later.clientY);
      const word = (own) => page.wordOf(view, own);
      if (!handle.angle) return Object.fromEntries(handle.names.map((own, i) => [word(own), Number(at[i].toPrecision(5))]));
      const angle = Math.atan2(at[1] - handle.pivot[1], at[0] - handle.pivot[0]);
      return { [word(handle.angle)]: Number(angle.toPrecision(4)) };
    };
    const move = (later) => {
      if (!dragging.moved && Math.hypot(later.clientX - from[0], later.clientY - from[1]) <= STILL) return;
      dragging.moved = true;
      dispatch({ kind: "start", values: values(later) }, true);
    };
    const drop = (later) => {
      document.removeEventListener("mousemove", move, true);
      document.removeEventListener("mouseup", drop, true);
      const last = values(later);
      window.nhviz.pictures.freeze(name, false);
      if (dragging.moved) dispatch({ kind: "start", values: last }, false);
      dragging = null;
    };
    document.addEventListener("mousemove", move, true);
    document.addEventListener("mouseup", drop, true);
  }

  /* A tap in a small flat picture, which otherwise lets fingers pass, starts an orbit there. */
  function tapped(event, name, element) {
    if (event.pointerType === "mouse" || press.moved || !axesOf(element)) return;
    const [left, top] = [event.clientX, event.clientY];
    const box = element.getBoundingClientRect();
    if (left < box.left || left > box.right || top < box.top || top > box.bottom) return;
    press.candidate = { place: name, at: dataAt(element, left, top) };
    press.count = 1;
    consider();
  }

  /* Pictures have changed under the mouse: a mouse that rests points at nothing. */
  function rest() {
    rested = mouse;
  }

  window.nhviz = Object.assign(window.nhviz || {}, { hands: { furnish, listen, placeOf, rest, tapped } });
})();
