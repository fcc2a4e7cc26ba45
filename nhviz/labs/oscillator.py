"""The lab of the nonholonomic oscillator: one coordinate swings by itself and drives the others round."""

from math import sqrt

from nhviz.frame.said import Sentence, Statistic, number, sentence
from nhviz.frame.shown import Shown
from nhviz.frame.usual import Arrangement, usual_lab
from nhviz.views import numbers, sentences


def amplitude(shown: Shown) -> float:
    """How far y swings: its energy alone decides."""
    return sqrt(2.0 * float(shown.lead.quantity("energy_y")[0]))


def said(shown: Shown) -> Sentence:
    """The swing of y, and who keeps the energy."""
    swing = sentence("y swings by itself by ", number(amplitude(shown), "m", 3), " and drives the others round.")
    return sentences.joined(swing, sentences.keeping(shown))


def readout(shown: Shown) -> tuple[Statistic, ...]:
    """Energy, amplitude of y, drifts of the maps."""
    drifts = [numbers.drift(shown, name, "energy") for name in shown.maps]
    swing = numbers.measured("Swing of y", amplitude(shown), "m")
    return (*numbers.energies(shown), swing, *(one for one in drifts if one), *numbers.stability(shown))[: numbers.MOST]


LAB = usual_lab(
    "oscillator",
    Arrangement(
        places=("path", "xz", "time"),
        behind=("drift",),
        words={
            "path": {"caption": "It winds round on a surface", "short": "Path"},
            "xz": {"title": "Seen along y", "caption": "x and z turn as on a sphere", "short": "x and z"},
            "time": {"title": "Coordinates in time", "caption": "y swings evenly, the others follow"},
            "motion": {"title": "The particle", "caption": "It swings about the middle", "short": "Particle"},
        },
        layout="focus.path",
        try_first="press play; then choose Feedback and compare the drifts.",
        sentence=said,
        readout=readout,
    ),
)
