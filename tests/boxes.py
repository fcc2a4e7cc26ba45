"""Where the pictures of a lab stand while it loads: its outline, its first moment, and in the end."""

import numpy as np
import pytest

SCRIPT = """
window.boxes = {};
window.measured = (selector) => [...document.querySelectorAll(selector)]
  .map((one) => one.getBoundingClientRect()).filter(({ width }) => width)
  .map(({ x, y, width, height }) => [x, y, width, height]);
new MutationObserver(() => {
  if (document.querySelector(".outline .views")) window.boxes.outline = measured(".outline .views > i");
  window.boxes.first ||= document.querySelector(".lab .views") && measured(".lab .view");
}).observe(document, { childList: true, subtree: true });
"""
"""To be run by a page before anything else."""


def found(page):
    """The boxes of a page that has loaded."""
    return page.evaluate("() => ({ ...boxes, last: measured('.lab .view') })")


def check_still(boxes, moves, outlined=True):
    """Where the outline of a view stood, the view stands from its first moment on, to a number of pixels."""
    assert boxes["last"]
    assert np.array(boxes["first"]) == pytest.approx(np.array(boxes["last"]), abs=moves)
    if outlined:
        assert np.array(sorted(boxes["outline"])) == pytest.approx(np.array(sorted(boxes["last"])), abs=5.0)
