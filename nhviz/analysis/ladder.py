"""A ladder of steps about the present one, and the slope of the error over it: the order that is seen."""

from collections.abc import Sequence

import numpy as np

from nhviz.analysis.convergence import state_components
from nhviz.problem import Trajectory
from nhviz.system import Array

RUNGS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
"""How many times as many steps each rung has as the present run."""
FEWEST, MOST = 4, 24_000
"""Steps of the coarsest rung at least, and of the finest one at most: of a longer run only the beginning counts."""
FITTED = 3
ROUND_OFF = 1e-11


def counts(steps: int) -> list[int]:
    """The numbers of steps of the rungs of a run of so many steps."""
    lasting = min(steps, int(MOST / RUNGS[-1]))
    return sorted({max(FEWEST, round(share * lasting)) for share in RUNGS})


def lasting(steps: int, step: float) -> float:
    """The time that all rungs last."""
    return min(steps, int(MOST / RUNGS[-1])) * step


def final_error(run: Trajectory, truth: Trajectory) -> float:
    """The largest error of the state at the end, as `nhviz.analysis.convergence` has it; NaN if a run ended early."""
    if run.stopped or truth.stopped:
        return float("nan")
    names = state_components(run.system, run.params)
    return max(float(np.max(np.abs(run[name][-1] - truth[name][-1]))) for name in names)


def scale_of(truth: Trajectory) -> float:
    """The size of the state at the end, by which round-off is told."""
    return max(1.0, *(float(np.max(np.abs(truth[name]))) for name in state_components(truth.system, truth.params)))


def slope(steps: Sequence[float], errors: Array, scale: float) -> float | None:
    """The slope of log error over log step at the shortest steps whose error is no round-off; None for too few."""
    known = np.isfinite(errors) & (errors > ROUND_OFF * scale)
    chosen = np.flatnonzero(known)
    chosen = chosen[np.argsort(np.asarray(steps)[chosen])][:FITTED]
    if chosen.size < FITTED:
        return None
    return float(np.polyfit(np.log(np.asarray(steps)[chosen]), np.log(errors[chosen]), 1)[0])
