"""The runs of a rolling ball: its flow, Fedorov's map, and that map with half and with one and a half of the step."""

from math import inf

import numpy as np

from nhviz.analysis import energy_band
from nhviz.figures.palette import LONGER, SHORTER
from nhviz.frame.records import Variant
from nhviz.frame.shown import Shown
from nhviz.problem import Trajectory
from nhviz.system import Array
from nhviz.views import pictures

WAYS = (
    Variant("reference", label="Flow", slot=0),
    Variant("fedorov"),
    Variant("half", "fedorov", "Fedorov ε/2", slot=SHORTER, share=0.5, aside=True),
    Variant("longer", "fedorov", "Fedorov 1.5 ε", slot=LONGER, share=1.5, aside=True),
)
GRID = 1e-9
"""Samples of two runs are at the same times if their strides differ by no more from whole numbers."""


def main_maps(shown: Shown) -> list[str]:
    """The maps with the step of the page, or else the first that is chosen."""
    own = [name for name in shown.maps if not shown.panel.ways[name].aside]
    return own or list(shown.maps)[:1]


def in_space(run: Trajectory, name: str) -> Array:
    """A vector of the body, name1 to name3, seen from space, (n, 3)."""
    return np.einsum("nij,nj->ni", run["R"], np.stack([run[f"{name}{i}"] for i in (1, 2, 3)], axis=1))


def momentum_in_space(run: Trajectory) -> Array:
    """K seen from space, (n, 3)."""
    return in_space(run, "K")


def wandering(run: Trajectory) -> float:
    """How far the momentum in space strays from its start, over its length."""
    momentum = run.remember(momentum_in_space)
    size = float(np.linalg.norm(momentum[0]))
    return float(np.linalg.norm(momentum - momentum[0], axis=1).max()) / (size or 1.0)


def width(run: Trajectory) -> float:
    """How wide the band of a run's energy is, relative to its start."""
    low, high = energy_band.band(run)
    return high - low


def off_the_flow(shown: Shown, variant: str) -> float:
    """The largest distance of a run's contact point to that of the flow at the same time."""
    run = shown.runs[variant]
    x, y = flow_beside(shown, variant)
    common = min(len(x), len(run))
    return float(np.hypot(run["x"][:common] - x[:common], run["y"][:common] - y[:common]).max())


def flow_beside(shown: Shown, variant: str) -> tuple[Array, Array]:
    """The path of the flow at the times of a run: from its smooth line, if that has them, else it is run for this."""
    flow = next((name for name in shown.runs if shown.method(name).truth), None)
    if flow is not None:
        fine, run = shown.smooth(flow), shown.runs[variant]
        stride = spacing(run) / spacing(fine)
        whole = round(stride) if np.isfinite(stride) else 0
        if whole >= 1 and abs(stride - whole) <= GRID and (len(run) - 1) * whole < len(fine):
            return fine["x"][::whole], fine["y"][::whole]
    truth = pictures.truth_beside(shown, variant)
    return truth["x"], truth["y"]


def spacing(run: Trajectory) -> float:
    """The time between two samples."""
    return float(run.problem.step * run.problem.every) if len(run) > 1 else inf
