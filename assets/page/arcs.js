/* Arcs between a map and the flow (`nhviz/figures/arcs.py`), each with its angle in words. */
(function () {
  "use strict";

  /* The words are nearer to the map, away from those of others, and a little outside of the arc. */
  const TOLD = 0.8;
  const BESIDE = 1.05;
  /* Words are beside their place rather than above it if it is so far to the side. */
  const ASIDE = 0.35;

  const at = (values, index) => values[Math.min(index, values.length - 1)];
  const onEllipse = ([a, b, c, d], angle, times) => [a, c].map((first, i) => times * (first * Math.cos(angle) + [b, d][i] * Math.sin(angle)));
  const angleOf = (arc, index, share) => at(arc.at, index) - (1 - share) * at(arc.turn, index);

  /* [x, y] of the arc, from the flow to the map, or of its words. */
  function place({ arc, words }, index) {
    const shares = words ? [TOLD] : Array.from({ length: arc.points }, (_, i) => i / (arc.points - 1));
    const points = shares.map((share) => onEllipse(arc.outside, angleOf(arc, index, share), words ? BESIDE : 1));
    return [0, 1].map((axis) => points.map((point) => point[axis]));
  }

  /* What is said, nothing of no angle, and on which side of its place. */
  function said({ arc, words }, index) {
    if (!words) return {};
    const hundredths = Math.round(100 * arc.sense * at(arc.turn, index));
    const text = hundredths ? (hundredths > 0 ? "leads " : "lags ") + (Math.abs(hundredths) / 100).toFixed(2) + " rad" : "";
    const angle = angleOf(arc, index, TOLD);
    const across = Math.cos(angle);
    const upwards = Math.sin(angle) > 0 ? "top center" : "bottom center";
    return { text: [text], textposition: [across > ASIDE ? "middle right" : across < -ASIDE ? "middle left" : upwards] };
  }

  window.nhviz = Object.assign(window.nhviz || {}, { arcs: { place, said } });
})();
