/* Where things of a picture are on the screen, before it is drawn: in a plane by its ranges, in space by its camera. */
(function () {
  "use strict";

  /* The angle from the lower to the upper edge of a scene, as plotly has it. */
  const ANGLE = Math.PI / 4;
  const minus = (one, other) => one.map((value, i) => value - other[i]);
  const dot = (one, other) => one.reduce((sum, value, i) => sum + value * other[i], 0);
  const cross = ([a, b, c], [d, e, f]) => [b * f - c * e, c * d - a * f, a * e - b * d];
  const unit = (one) => one.map((value) => value / Math.sqrt(dot(one, one)));
  const numbers = ({ x, y, z }) => [x, y, z];

  /* A plane whose axes may have one scale: plotly then shows more of one of them. */
  function plane({ width, height, margin, xaxis, yaxis }) {
    const [wide, high] = [width - margin.l - margin.r, height - margin.t - margin.b];
    const middle = [xaxis, yaxis].map(({ range }) => (range[0] + range[1]) / 2);
    const scale = [wide / (xaxis.range[1] - xaxis.range[0]), high / (yaxis.range[1] - yaxis.range[0])];
    const [across, up] = yaxis.scaleanchor ? [Math.min(...scale), Math.min(...scale)] : scale;
    return {
      room: { left: margin.l, top: margin.t, right: margin.l + wide, bottom: margin.t + high },
      pixel: ([x, y]) => [margin.l + wide / 2 + across * (x - middle[0]), margin.t + high / 2 - up * (y - middle[1])],
      place: ([left, top]) => [middle[0] + (left - margin.l - wide / 2) / across, middle[1] - (top - margin.t - high / 2) / up],
    };
  }

  /* A scene: its box is as long as its ratio says, about the origin. */
  function space({ width, height, scene }, camera) {
    const axes = [scene.xaxis, scene.yaxis, scene.zaxis];
    const ratio = numbers(scene.aspectratio);
    const eye = numbers(camera.eye);
    const ahead = unit(minus(numbers(camera.center), eye));
    const right = unit(cross(ahead, numbers(camera.up || { x: 0, y: 0, z: 1 })));
    const up = cross(right, ahead);
    const scale = height / 2 / Math.tan(ANGLE / 2);
    return {
      room: { left: 0, top: 0, right: width, bottom: height },
      pixel: (point) => {
        const seen = minus(point.map((value, i) => (ratio[i] * (value - (axes[i].range[0] + axes[i].range[1]) / 2)) / (axes[i].range[1] - axes[i].range[0])), eye);
        const depth = dot(seen, ahead);
        return [width / 2 + (scale * dot(seen, right)) / depth, height / 2 - (scale * dot(seen, up)) / depth];
      },
    };
  }

  window.nhviz = Object.assign(window.nhviz || {}, { sights: { plane, space } });
})();
