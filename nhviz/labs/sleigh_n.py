"""The lab of the Chaplygin sleigh in n dimensions: a blade in space that stops at a cusp and leaves its plane."""

from math import degrees

import numpy as np

from nhviz.frame.said import Sentence, Statistic, number, sentence
from nhviz.frame.shown import Shown
from nhviz.frame.usual import Arrangement, usual_lab
from nhviz.problem import Trajectory
from nhviz.views import numbers, sentences


def first_stop(run: Trajectory) -> float | None:
    """When the blade first stops to turn back, between two samples."""
    v = run["v"]
    turns = np.flatnonzero(v[1:] * v[:-1] < 0.0)
    if not turns.size:
        return None
    before = int(turns[0])
    share = v[before] / (v[before] - v[before + 1])
    return float(run.t[before] + share * (run.t[before + 1] - run.t[before]))


def deflection(run: Trajectory) -> float:
    """The angle between the directions in which the blade moves first and last."""
    first, last = (np.sign(run["v"][i]) * run["R"][i][:, 0] for i in (0, -1))
    return float(np.arccos(np.clip(first @ last, -1.0, 1.0)))


def said(shown: Shown) -> Sentence:
    """The cusp, the direction in which the blade leaves, and who keeps the energy."""
    when, angle = shown.lead.remember(first_stop), number(degrees(shown.lead.remember(deflection)), "°", 3)
    if when is None:
        motion = sentence("The blade glides on without a cusp and turns its course by ", angle, ".")
    else:
        motion = sentence(
            "The blade stops at a cusp after ", number(when, "s", 3), " and leaves at ", angle, " to its course."
        )
    return sentences.joined(motion, sentences.keeping(shown))


def readout(shown: Shown) -> tuple[Statistic, ...]:
    """Energy, speed now, cusp, deflection, energy drift."""
    when = shown.lead.remember(first_stop)
    return (
        *numbers.energies(shown),
        numbers.followed("Speed now", shown.lead["v"], "m/s", shown, shown.first),
        Statistic("Cusp", "none in this run") if when is None else numbers.measured("Cusp", when, "s"),
        numbers.measured("New course", degrees(shown.lead.remember(deflection)), "°"),
        *numbers.energy_drift(shown),
    )


LAB = usual_lab(
    "sleigh_n",
    Arrangement(
        places=("path", "momentum", "motion"),
        words={
            "path": {"caption": "A cusp in space: it leaves in another plane", "short": "Path"},
            "momentum": {"caption": "From one straight motion to the other", "short": "Momentum"},
            "motion": {"title": "The sliding body", "caption": "Along its blade only", "short": "Body"},
        },
        layout="focus.path",
        try_first="press play and watch the blade turn round; then set n to 2.",
        sentence=said,
        readout=readout,
    ),
)
