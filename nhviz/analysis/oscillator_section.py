r"""The exact Poincare section of the nonholonomic oscillator at y = 0, y' > 0.

On the constraint y = A sin t, and s = (x, z, p_z) obeys a linear system with coefficients of period 2 pi,
x' = -y p_z, z' = p_z, p_z' = -z + y (x + y z - y' p_z)/(1 + y^2), which keeps x^2 + z^2 + (1 + y^2) p_z^2. So the
return map is a rotation of the sphere |s|^2 = 2 (H - H_y): all section points lie on one circle about its axis, and
their projections on ellipses.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from nhviz import registry
from nhviz.parameters import ParameterError
from nhviz.problem import checked_start
from nhviz.system import Array

TOLERANCE = 1e-13


@dataclass(frozen=True)
class ReturnMap:
    """The rotation of (x, z, p_z) from one crossing to the next, and the first crossing."""

    matrix: Array
    first: Array
    time: float

    @property
    def axis(self) -> Array:
        """Unit vector along the axis of the rotation, with a positive last part."""
        axis = self.odd / np.linalg.norm(self.odd)
        return axis if axis[2] >= 0.0 else -axis

    @property
    def odd(self) -> Array:
        """The axis times twice the sine of the angle."""
        m = self.matrix
        return np.array([m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]])

    @property
    def rotation_number(self) -> float:
        """Turns per crossing, between 0 and 1/2."""
        return float(np.arctan2(np.linalg.norm(self.odd), np.trace(self.matrix) - 1.0) / (2.0 * np.pi))

    @property
    def height(self) -> float:
        """axis . (x, z, p_z), the same at every crossing."""
        return float(self.axis @ self.first)

    @property
    def radius(self) -> float:
        """Radius of the circle that all crossings lie on."""
        return float(np.sqrt(max(self.first @ self.first - self.height**2, 0.0)))

    def crossings(self, count: int) -> Array:
        """The first crossings, an array (count, 3)."""
        points = [self.first]
        for _ in range(count - 1):
            points.append(self.matrix @ points[-1])
        return np.array(points[:count])

    def circle(self, points: int = 181) -> Array:
        """The circle of all crossings, an array (points, 3); two of its columns are an ellipse."""
        side = np.cross(self.axis, self.first)
        angle = np.linspace(0.0, 2.0 * np.pi, points)[:, None]
        return self.height * self.axis + np.cos(angle) * (self.first - self.height * self.axis) + np.sin(angle) * side


def return_map(initial: Mapping[str, Any] | None = None) -> ReturnMap:
    """The return map of a start, and its first crossing."""
    start = checked_start(registry.find("oscillator"), {}, initial)
    amplitude = float(np.hypot(start["y"], start["p_y"]))
    if amplitude == 0.0:
        raise ParameterError("With y = p_y = 0 the oscillator never crosses y = 0: it stays there.", "y")
    phase = float(np.arctan2(start["y"], start["p_y"]))
    # y = A sin(t + phase) rises through 0 when t + phase is a whole number of turns.
    time = float(-phase % (2.0 * np.pi))
    state = np.array([start["x"], start["z"], start["p_z"]])
    return ReturnMap(carried(amplitude, 0.0, 2.0 * np.pi), carried(amplitude, phase, phase + time) @ state, time)


@lru_cache(maxsize=64)
def carried(amplitude: float, begin: float, end: float) -> Array:
    """The matrix that carries (x, z, p_z) from one phase of y to another; no matter of where they are, and kept."""
    if end == begin:
        return np.eye(3)

    def field(t: float, flat: Array) -> Array:
        y, speed = amplitude * np.sin(t), amplitude * np.cos(t)
        x, z, p_z = flat.reshape(3, -1)
        return np.stack([-y * p_z, p_z, -z + y * (x + y * z - speed * p_z) / (1.0 + y * y)]).ravel()

    solution = solve_ivp(field, (begin, end), np.eye(3).ravel(), method="DOP853", rtol=TOLERANCE, atol=TOLERANCE)
    return np.asarray(solution.y[:, -1]).reshape(3, 3)
