"""The lab of the knife edge: pulled down a slope, the blade wanders across it."""

import numpy as np

from nhviz.frame.said import Sentence, Statistic, number, sentence
from nhviz.frame.shown import Shown
from nhviz.frame.usual import Arrangement, usual_lab
from nhviz.views import numbers, sentences

COMES_BACK = 0.98
"""An edge that ends above this share of its deepest place has turned back."""


def down_and_across(shown: Shown) -> tuple[float, float, bool]:
    """How far the edge gets down the slope (or up, if negative), how far across it ends, and whether it comes back."""
    x, y = shown.lead["x"] - shown.lead["x"][0], shown.lead["y"] - shown.lead["y"][0]
    furthest = float(x[np.abs(x).argmax()])
    return furthest, abs(float(y[-1])), bool(abs(x[-1]) < COMES_BACK * abs(furthest))


def said(shown: Shown) -> Sentence:
    """Down the slope it only swings, across it wanders."""
    down, across, back = down_and_across(shown)
    first = "The edge turns back after " if back else "The edge slides "
    side = f" {'down' if down >= 0.0 else 'up'} the slope"
    then = f"{side}, but wanders " if back else f"{side} and "
    motion = sentence(first, number(abs(down), "m", 3), then, number(across, "m", 3), " across it.")
    return sentences.joined(motion, sentences.straying(shown, ("x", "y")))


def readout(shown: Shown) -> tuple[Statistic, ...]:
    """Energy, speed now, how far down and across, energy drift."""
    down, across, _ = down_and_across(shown)
    return (
        *numbers.energies(shown),
        numbers.followed("Speed now", np.abs(shown.lead["v"]), "m/s", shown, shown.first),
        numbers.measured("Down" if down >= 0.0 else "Up", abs(down), "m"),
        numbers.measured("Across", across, "m"),
        *numbers.energy_drift(shown),
    )


LAB = usual_lab(
    "knife_edge",
    Arrangement(
        places=("path", "motion"),
        words={
            "path": {
                "caption": "A cycloid: across the slope, not down it",
                "long": "Gravity pulls along x. The spinning edge turns the fall into a drift to the side.",
                "short": "Path",
            },
            "motion": {"title": "The blade on the slope", "caption": "It slides along itself only", "short": "Blade"},
        },
        # The path is long and flat.
        grid=("path path", "motion detail"),
        try_first="press play and watch where the blade goes; then set its spin to 0.",
        sentence=said,
        readout=readout,
    ),
)
