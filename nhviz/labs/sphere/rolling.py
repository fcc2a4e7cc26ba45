"""The ball rolls in loops while its momentum stands still."""

from dataclasses import replace

import numpy as np

from nhviz.frame.records import Step
from nhviz.frame.said import Sentence, Statistic, number, readable, sentence
from nhviz.frame.shown import Shown
from nhviz.frame.usual import Arrangement, usual_lab
from nhviz.problem import Trajectory
from nhviz.views import numbers, sentences


def wandering(run: Trajectory) -> float:
    """How far the momentum in space strays from its start, over its length."""
    momentum = np.stack([run["K1"], run["K2"], run["K3"]], axis=1)
    in_space = np.einsum("nij,nj->ni", run["R"], momentum)
    size = float(np.linalg.norm(momentum[0]))
    return float(np.linalg.norm(in_space - in_space[0], axis=1).max()) / (size or 1.0)


def rolled(run: Trajectory) -> float:
    """The length of the path of the contact point, as its samples have it."""
    return float(np.hypot(np.diff(run["x"]), np.diff(run["y"])).sum())


def said(shown: Shown) -> Sentence:
    """The momentum stands still while the ball rolls; who keeps the energy."""
    off, length = number(readable(wandering(shown.lead), 2)), number(shown.lead.remember(rolled), "m", 3)
    motion = sentence("The momentum K stands still in space to ", off, " while the ball rolls ", length, ".")
    return sentences.joined(motion, sentences.keeping(shown))


def readout(shown: Shown) -> tuple[Statistic, ...]:
    """Kinetic energy, momentum, length of the path, energy drift."""
    momentum = float(np.sqrt(shown.lead.quantity("K_K")[0]))
    return (
        *numbers.energies(shown, 0.5),
        numbers.measured("Momentum K", momentum, "kg m^2/s"),
        numbers.measured("Rolled", shown.lead.remember(rolled), "m"),
        *numbers.energy_drift(shown),
    )


USUAL = usual_lab(
    "sphere",
    Arrangement(
        places=("path", "gamma", "motion"),
        behind=("drift", "time"),
        words={
            "path": {
                "caption": "It loops while it drifts",
                "long": "Spun near the vertical, the ball rolls in loops; with a flatter spin, nearly straight.",
                "short": "Path",
            },
            "gamma": {"caption": "Which way is up, seen from the ball", "short": "Vertical"},
            "motion": {"title": "The rolling ball", "caption": "Uneven, but balanced at its centre", "short": "Ball"},
        },
        values={
            "gamma1": 0.5, "gamma2": 0.2, "gamma3": 0.84, "omega1": 1.0, "omega2": 0.35, "omega3": 2.2,
            "step": 0.2, "duration": 20.0,
        },
        layout="focus.path",
        sentence=said,
        readout=readout,
    ),
)  # fmt: skip

SCENE = replace(
    USUAL.scenes[0],
    id="rolling",
    title="Rolling",
    try_first="press play and watch the loops; then lower ω₃ and watch them open.",
)
EXPERIMENTS: tuple[Step, ...] = ()
