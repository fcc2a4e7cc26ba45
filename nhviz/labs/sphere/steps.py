"""The runs of a rolling ball: its flow, Fedorov's map, and that map with half and with one and a half of the step."""

from fractions import Fraction

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
"""Samples of two runs are at the same times if their strides differ by no more, relative to themselves."""
FEW = 4
"""Of a run at most every fourth sample is compared: if it has other times there are many."""


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
    """The largest distance of a run's contact point to that of the flow, at the times that both have."""
    run, flow, every, other = beside(shown, variant)
    x, y = run["x"][::every], run["y"][::every]
    common = min(len(x), len(flow["x"][::other]))
    away = np.hypot(x[:common] - flow["x"][::other][:common], y[:common] - flow["y"][::other][:common])
    return float(away.max())


def beside(shown: Shown, variant: str) -> tuple[Trajectory, Trajectory, int, int]:
    """A run, a flow, and every which sample of each is at the times of both.

    The smooth line of the flow has all times of the run, or every few; if it does not, the flow is run for this.
    """
    run = shown.runs[variant]
    chosen = next((name for name in shown.runs if shown.method(name).truth), None)
    if chosen is not None and len(run) > 1:
        flow = shown.smooth(chosen)
        stride = spacing(run) / spacing(flow)
        near = Fraction(stride).limit_denominator(FEW)
        if near > 0 and abs(stride - float(near)) <= GRID * stride:
            return run, flow, near.denominator, near.numerator
    return run, pictures.truth_beside(shown, variant), 1, 1


def spacing(run: Trajectory) -> float:
    """The time between two samples."""
    return float(run.problem.step * run.problem.every)
