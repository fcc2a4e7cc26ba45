"""Poincare sections: where a run crosses a plane, interpolated as finely as its method deserves."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from nhviz import kernels
from nhviz.parameters import ParameterError, check_names, finite_number
from nhviz.problem import Trajectory
from nhviz.system import Array

EXACT_ORDER, LEAST_POINTS = 8, 4


@dataclass(frozen=True)
class Section:
    """The crossings of a run: their times, and every scalar component there."""

    t: Array
    components: Mapping[str, Array]

    def __len__(self) -> int:
        return self.t.size

    def __getitem__(self, name: str) -> Array:
        return self.components[name]


def section(run: Trajectory, normal: Mapping[str, Any], level: Any = 0.0, direction: int = 1) -> Section:
    """Where sum of normal[name] * component = level, crossed upwards (1), downwards (-1) or either way (0).

    Between two samples every component is the polynomial through the nearest samples, of a degree that matches the
    order of the method: the crossing is then as accurate as the run itself.
    """
    scalars = {name: values for name, values in run.components.items() if values.ndim == 1}
    check_names(scalars, normal, f"scalar component of {run.problem.system}")
    if not normal:
        raise ParameterError("The plane needs at least one component in its normal.", "normal")
    if direction not in (-1, 0, 1):
        raise ParameterError(f"direction must be 1, -1 or 0, not {direction!r}.", "direction")
    height = np.full(len(run), -finite_number("level", level))
    for name, weight in normal.items():
        height = height + finite_number(name, weight) * scalars[name]
    # A crossing belongs to the interval that leaves the plane: a start on it counts, a touch does not.
    rising, falling = (height[:-1] <= 0.0) & (height[1:] > 0.0), (height[:-1] >= 0.0) & (height[1:] < 0.0)
    counted = {1: rising, -1: falling, 0: rising | falling}[direction]
    intervals = np.flatnonzero(counted)
    firsts, shares = np.empty(intervals.size, dtype=np.int64), np.empty((intervals.size, min(points_of(run), len(run))))
    kernels.crossings.write_crossings(height, intervals, firsts, shares)
    near = firsts[:, None] + np.arange(shares.shape[1])
    parts = {name: (shares * values[near]).sum(axis=1) for name, values in scalars.items()}
    return Section((shares * run.t[near]).sum(axis=1), parts)


def order_of(run: Trajectory) -> int:
    """The order of the run's method with its options."""
    return run.method.order_with(dict(run.problem.options)) or EXACT_ORDER


def points_of(run: Trajectory) -> int:
    """How many samples an interpolation uses: an even number, one more than the order at least."""
    return max(LEAST_POINTS, 2 * ((order_of(run) + 2) // 2))
