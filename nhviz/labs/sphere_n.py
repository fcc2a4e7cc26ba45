"""The lab of the Chaplygin sphere in n dimensions: it rolls through a space of one dimension less."""

import numpy as np

from nhviz.frame.said import Sentence, Statistic, number, readable, sentence
from nhviz.frame.shown import Shown
from nhviz.frame.usual import Arrangement, usual_lab
from nhviz.problem import Trajectory
from nhviz.views import numbers, sentences


def rolled(run: Trajectory) -> float:
    """The length of the path of the contact point in radii, as its samples have it."""
    steps = [np.diff(run[f"x{i}"]) for i in range(1, int(run.params["n"]))]
    return float(np.sqrt(sum(step**2 for step in steps)).sum())


def said(shown: Shown) -> Sentence:
    """The size of the momentum stays while the ball rolls; who keeps the energy."""
    dimension, off = number(f"{shown.params['n']:g}"), numbers.greatest(shown, shown.first, "tr_K2")
    motion = sentence(
        "In ", dimension, " dimensions the momentum keeps its size to ", number(readable(off, 2)),
        " while the ball rolls ", number(shown.lead.remember(rolled), "radii", 3), ".",
    )  # fmt: skip
    return sentences.joined(motion, sentences.keeping(shown))


def readout(shown: Shown) -> tuple[Statistic, ...]:
    """Kinetic energy, length of the path, energy drift."""
    rolls = numbers.measured("Rolled", shown.lead.remember(rolled), "radii")
    return (*numbers.energies(shown, 0.5), rolls, *numbers.energy_drift(shown))


LAB = usual_lab(
    "sphere_n",
    Arrangement(
        places=("path", "gamma", "motion"),
        behind=("drift", "time"),
        words={
            "path": {"caption": "Through a space of one dimension less", "short": "Path"},
            "gamma": {"caption": "Which way is up, seen from the ball", "short": "Vertical"},
            "motion": {"title": "The ball's shadow", "caption": "Its first three dimensions", "short": "Ball"},
        },
        layout="focus.path",
        try_first="press play; then set n to 3 and to 5.",
        sentence=said,
        readout=readout,
    ),
)
