"""Poincare sections: where a run crosses a plane, interpolated as finely as its method deserves."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import brentq

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
    crossings = [crossing(height, int(i), points_of(run)) for i in np.flatnonzero(counted)]
    t = np.array([interpolate(run.t, *place) for place in crossings])
    parts = {name: np.array([interpolate(values, *place) for place in crossings]) for name, values in scalars.items()}
    return Section(t, parts)


def order_of(run: Trajectory) -> int:
    """The order of the run's method with its options."""
    return run.method.order_with(dict(run.problem.options)) or EXACT_ORDER


def points_of(run: Trajectory) -> int:
    """How many samples an interpolation uses: an even number, one more than the order at least."""
    return max(LEAST_POINTS, 2 * ((order_of(run) + 2) // 2))


def crossing(height: Array, i: int, points: int) -> tuple[int, Array]:
    """First sample and weights of the interpolation at the zero between samples i and i + 1."""
    first = min(max(i + 1 - points // 2, 0), max(height.size - points, 0))
    count = min(points, height.size)
    near = height[first : first + count]
    if near[i - first] == 0.0:
        share = 0.0
    else:
        share = float(brentq(lambda s: float(weights(i - first + s, count) @ near), 0.0, 1.0, xtol=1e-15))
    return first, weights(i - first + share, count)


def weights(place: float, count: int) -> Array:
    """Lagrange's weights of the samples 0, 1, ..., count - 1 at a place between them."""
    nodes = np.arange(count)
    found = np.ones(count)
    for j in range(count):
        others = nodes[nodes != j]
        found[j] = np.prod((place - others) / (j - others))
    return found


def interpolate(values: Array, first: int, share: Array) -> float:
    """A component at a crossing."""
    return float(share @ values[first : first + share.size])
