"""The band in which a discrete ball's energy oscillates: how wide it is for each step, and whether it drifts."""

import numpy as np

from nhviz import kernels
from nhviz.maps import sphere_branches
from nhviz.problem import Trajectory
from nhviz.system import Array, Values

SHARES = np.array([*2.0 ** (0.5 * np.arange(-6.0, -1.0)), 1.0, 1.5, 2.0])
"""The steps that are tried, in units of the present one, which is the sixth; long ones cost most, so they are few."""
HERE = 5
MOST = 3000
"""So many steps of all orbits together are made in about a millisecond."""
SWINGS = 4
"""What goes through its mean less often has not been seen to oscillate."""
RISE = 0.25
"""A straight line that rises by more of the band's width is a drift."""


def strayed(run: Trajectory) -> Array:
    """(E - E0)/E0 along a run; 0 at rest."""
    energy = run.quantity("energy")
    return np.asarray((energy - energy[0]) / (energy[0] or 1.0))


def band(run: Trajectory) -> tuple[float, float]:
    """The least and the largest (E - E0)/E0 of a run."""
    values = run.remember(strayed)
    return float(values.min()), float(values.max())


def oscillates(t: Array, values: Array) -> bool:
    """Whether values swing about the straight line that fits them best, which is level."""
    if len(t) < 3 or np.ptp(values) == 0.0:
        return False
    late, high = t - t.mean(), values - values.mean()
    slope = float(late @ high / (late @ late))
    beside = high - slope * late
    swings = int(np.count_nonzero(np.diff(np.sign(beside[beside != 0.0]))))
    return swings >= SWINGS and abs(slope) * float(t[-1] - t[0]) <= RISE * float(np.ptp(values))


def tried_steps(step: float) -> Array:
    """Steps about the present one, which is among them, evenly on a logarithmic scale."""
    return step * SHARES


def lasting(steps: Array, duration: float) -> float:
    """How long orbits of these steps may last: as long as the run, unless they had too many steps together."""
    return float(min(duration, MOST / np.sum(1.0 / steps)))


def widths(params: Values, initial: Values, steps: Array, duration: float) -> Array:
    """The width of the band of (E - E0)/E0 for each step, over a duration; NaN where the orbit ends early."""
    gamma = sphere_branches.unit(sphere_branches.vectors(initial, "gamma"))
    omega = sphere_branches.vectors(initial, "omega")
    counts = np.maximum(np.round(duration / steps), 1.0).astype(np.int64)
    bands = np.empty((len(steps), 2))
    ball = sphere_branches.ball(params)
    kernels.sphere_band.write_bands(ball, tuple(gamma.tolist()), tuple(omega.tolist()), steps, counts, bands)
    return bands[:, 1] - bands[:, 0]
