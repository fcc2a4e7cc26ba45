"""The lab of the rolling disk: an upright coin runs round a circle."""

from math import inf, pi

from nhviz.frame.said import Sentence, Statistic, number, sentence
from nhviz.frame.shown import Shown
from nhviz.frame.usual import Arrangement, usual_lab
from nhviz.views import numbers, sentences


def circle(shown: Shown) -> tuple[float, float, float]:
    """Radius of the circle, the time once round it, and the speed; the first two are infinite without turning."""
    params, start = shown.params, shown.initial
    turning, speed = abs(start["Pi_theta"]) / params["J"], params["R"] * abs(start["Pi_psi"]) / params["I"]
    once = 2.0 * pi / turning if turning else inf
    return (speed / turning, once, speed) if once < inf else (inf, inf, speed)


def said(shown: Shown) -> Sentence:
    """The circle, and how far Euler's scheme strays from it."""
    radius, once, speed = circle(shown)
    if radius == inf:
        length = speed * float(shown.lead.t[-1])
        motion = sentence("Without turning the coin rolls straight on, ", number(length, "m", 3), " in all.")
    else:
        words = "The coin runs round a circle of radius "
        motion = sentence(words, number(radius, "m", 3), " once in ", number(once, "s", 3), ".")
    return sentences.joined(motion, sentences.straying(shown, ("x", "y")))


def readout(shown: Shown) -> tuple[Statistic, ...]:
    """Energy, speed, radius and time of the circle, stability."""
    radius, once, speed = circle(shown)
    if radius == inf:
        round_it = [Statistic("Radius", "straight on")]
    else:
        round_it = [numbers.measured("Radius", radius, "m"), numbers.measured("Once round", once, "s")]
    return (
        *numbers.energies(shown),
        numbers.measured("Speed", speed, "m/s"),
        *round_it,
        *numbers.stability(shown),
    )


LAB = usual_lab(
    "rolling_disk",
    Arrangement(
        places=("motion", "path"),
        words={
            "motion": {"title": "The rolling coin", "caption": "Upright, without slipping", "short": "Coin"},
            "path": {"caption": "A circle; a long step of Euler's makes it wider", "short": "Path"},
        },
        layout="focus.motion",
        try_first="press play; then take a long step and compare the circles.",
        sentence=said,
        readout=readout,
    ),
)
