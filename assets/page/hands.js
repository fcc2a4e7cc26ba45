/* Hands in the pictures: a click launches an orbit, an instant is pointed at; a drag that turns or moves a picture does
   nothing else, and a finger scrolls past every picture that is not large. What is dragged is in grips.js. */
(function () {
  "use strict";

  /* Press and release within so many pixels are a click. */
  const STILL = 4;
  /* A second click within this time is a double click, which fits the picture and starts nothing. */
  const DOUBLE = 320;

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
      if (points && points.length && mouse !== rested && !window.nhviz.grips.isHeld()) {
        window.nhviz.player.point(element.data[points[0].curveNumber], points[0].pointNumber);
      }
    });
    element.on("plotly_doubleclick", () => window.nhviz.pictures.fit(name));
    window.nhviz.grips.listen(name, element, {
      page, dispatch,
      taken: () => window.clearTimeout(launching),
    });
  }

  /* A tap in a small flat picture, which otherwise lets fingers pass, starts an orbit there. */
  function tapped(event, name, element) {
    if (event.pointerType === "mouse" || press.moved || !window.nhviz.grips.isFlat(element)) return;
    const [left, top] = [event.clientX, event.clientY];
    const box = element.getBoundingClientRect();
    if (left < box.left || left > box.right || top < box.top || top > box.bottom) return;
    press.candidate = { place: name, at: window.nhviz.grips.dataAt(element, left, top) };
    press.count = 1;
    consider();
  }

  /* Pictures have changed under the mouse: a mouse that rests points at nothing. */
  function rest() {
    rested = mouse;
  }

  window.nhviz = Object.assign(window.nhviz || {}, { hands: { furnish, listen, placeOf, rest, tapped } });
})();
