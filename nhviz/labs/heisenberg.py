"""The lab of the Heisenberg system: a straight line, and a feedback that must fail along it."""

from math import degrees

import numpy as np

from nhviz.frame.said import Sentence, Statistic, number, sentence
from nhviz.frame.shown import Shown
from nhviz.frame.usual import Arrangement, usual_lab
from nhviz.views import numbers, sentences


def length_and_tilt(shown: Shown) -> tuple[float, float]:
    """How far the particle is from its start at the end, and by which angle its allowed plane has tilted."""
    ends = np.array([[shown.lead[name][i] for name in ("x", "y", "z")] for i in (0, -1)])
    normals = np.stack([-ends[:, 1], ends[:, 0], np.ones(2)], axis=1)
    cosine = normals[0] @ normals[1] / np.prod(np.linalg.norm(normals, axis=1))
    return float(np.linalg.norm(ends[1] - ends[0])), float(np.arccos(min(cosine, 1.0)))


def said(shown: Shown) -> Sentence:
    """The straight line, the tilt of the plane, and how near the feedback is to its end."""
    length, tilt = length_and_tilt(shown)
    far, angle = number(length, "m", 3), number(degrees(tilt), "°", 3)
    motion = sentence("The particle runs ", far, " straight on while its allowed plane tilts by ", angle, ".")
    return sentences.joined(motion, sentences.share_of_stability(shown))


def readout(shown: Shown) -> tuple[Statistic, ...]:
    """Energy, length, tilt, stability."""
    length, tilt = length_and_tilt(shown)
    return (
        *numbers.energies(shown),
        numbers.measured("Length", length, "m"),
        numbers.measured("Tilt", degrees(tilt), "°"),
        *numbers.stability(shown),
    )


LAB = usual_lab(
    "heisenberg",
    Arrangement(
        places=("motion", "path"),
        words={
            "motion": {
                "title": "The particle and its allowed plane",
                "caption": "The plane tilts, the line is straight",
                "short": "Particle",
            },
            "path": {"caption": "Every method on its line, until the feedback is lost", "short": "Path"},
        },
        layout="focus.motion",
        try_first="press play; then lengthen the run until the feedback is lost.",
        sentence=said,
        readout=readout,
    ),
)
