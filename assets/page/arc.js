/* The lead of a map over the flow (`nhviz/figures/lead.py`): an arc between both, and its angle in words. */
(function () {
  "use strict";

  /* The words are nearer to the map, away from those of others, and a little outside of the arc. */
  const TOLD = 0.8;
  const BESIDE = 1.05;
  /* Words are beside their place rather than above it if it is so far to the side. */
  const ASIDE = 0.35;

  const at = (values, index) => values[Math.min(index, values.length - 1)];
  const onEllipse = ([a, b, c, d], angle, times) => [a, c].map((first, i) => times * (first * Math.cos(angle) + [b, d][i] * Math.sin(angle)));
  const angleOf = (lead, index, share) => at(lead.at, index) - (1 - share) * at(lead.turn, index);

  /* [x, y] of the arc, from the flow to the map, or of its words. */
  function place({ lead, words }, index) {
    const shares = words ? [TOLD] : Array.from({ length: lead.points }, (_, i) => i / (lead.points - 1));
    const points = shares.map((share) => onEllipse(lead.outside, angleOf(lead, index, share), words ? BESIDE : 1));
    return [0, 1].map((axis) => points.map((point) => point[axis]));
  }

  /* What is said, nothing of no lead, and on which side of its place. */
  function said({ lead, words }, index) {
    if (!words) return {};
    const hundredths = Math.round(100 * lead.sense * at(lead.turn, index));
    const text = hundredths ? (hundredths > 0 ? "leads " : "lags ") + (Math.abs(hundredths) / 100).toFixed(2) + " rad" : "";
    const angle = angleOf(lead, index, TOLD);
    const across = Math.cos(angle);
    const upwards = Math.sin(angle) > 0 ? "top center" : "bottom center";
    return { text: [text], textposition: [across > ASIDE ? "middle right" : across < -ASIDE ? "middle left" : upwards] };
  }

  window.nhviz = Object.assign(window.nhviz || {}, { arc: { place, said } });
})();
