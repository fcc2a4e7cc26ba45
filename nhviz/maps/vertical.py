"""The curve of the sphere whose momentum is vertical, and the elliptic coordinate u along it (CS section 5).

`nhviz.analysis.vertical` has the map along it. The curve is <gamma, Lam^-1 gamma> = l; its formulas stand there, too.
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from nhviz.maps import sphere_branches
from nhviz.once import once
from nhviz.parameters import ParameterError
from nhviz.system import Array, Values

GAP = 1e-9


def over(part: float, whole: float) -> float:
    """A quotient that is not a number where the whole is nothing, as it is between two equal moments."""
    return part / whole if whole else math.nan


class Geometry:
    """What follows from the moments I, D = m rho^2 and the level l alone."""

    moments: tuple[float, float, float]
    d: float
    level: float

    @once
    def order(self) -> list[int]:
        """The axes of the body in the order of the elliptic functions: the curve winds round the last."""
        order = sorted(range(3), key=lambda i: -self.moments[i])
        middle = 1.0 / (self.moments[order[1]] + self.d)
        return order[::-1] if self.level < middle else order

    @once
    def frame(self) -> Array:
        """The rotation that takes gamma to the ordered axes of the elliptic functions."""
        order = self.order
        even = (order[1] - order[0]) % 3 == 1
        frame = np.zeros((3, 3))
        frame[(0, 1, 2), order] = 1.0 if even else -1.0
        return frame

    @once
    def lam(self) -> tuple[float, ...]:
        """Lam1, Lam2, Lam3 along the ordered axes."""
        return tuple(self.moments[i] + self.d for i in self.order)

    @once
    def semi_axes(self) -> Array:
        """C1, C2, C3; not numbers where there is no curve."""
        a, b, c = self.lam
        squares = (
            over(a * (1.0 - c * self.level), a - c),
            over(b * (1.0 - c * self.level), b - c),
            over(c * (a * self.level - 1.0), a - c),
        )
        return np.array([math.sqrt(square) if square >= 0.0 else math.nan for square in squares])

    @once
    def parameter(self) -> float:
        """k^2, the parameter of the elliptic functions."""
        a, b, c = self.lam
        return over((a - b) * (1.0 - c * self.level), (b - c) * (a * self.level - 1.0))

    @once
    def quarter(self) -> float:
        """K(k), a quarter of the period of gamma in u."""
        # Loaded when it is needed: a program that only describes systems should not pay for it.
        from scipy.special import ellipk

        return float(ellipk(self.parameter))

    @once
    def curve(self) -> tuple[float, ...]:
        """(k^2, V, D, l, mu, alpha, beta), the constants of the relation between u and delta."""
        (a, b, c), level = self.lam, self.level
        c1, c2, c3 = self.semi_axes.tolist()
        v = -c2 * c3 * (b - c) / (c1 * b * c)
        alpha = (2.0 * a * c * level - (a + c - b)) / ((b - c) * (a * level - 1.0))
        beta = a * c / (b - c) ** 2 * (1.0 - c * level) / (a * level - 1.0)
        return self.parameter, float(v), self.d, level, (1.0 - c * level) / (b - c), alpha, beta

    def gamma(self, u: Any) -> Array:
        """Verticals (..., 3) at elliptic coordinates u, on the oval round the positive third ordered axis."""
        from scipy.special import ellipj

        sn, cn, dn, _ = ellipj(np.asarray(u, dtype=float), self.parameter)
        return (np.stack([cn, sn, dn], axis=-1) * self.semi_axes) @ self.frame

    def u(self, gamma: Array) -> Array:
        """The elliptic coordinate in (-2K, 2K] of verticals (..., 3), on either oval."""
        from scipy.special import ellipkinc

        ordered = np.asarray(gamma, dtype=float) @ self.frame.T
        side = np.where(ordered[..., 2] < 0.0, -1.0, 1.0)
        angle = np.arctan2(side * ordered[..., 1] / self.semi_axes[1], ordered[..., 0] / self.semi_axes[0])
        return np.asarray(ellipkinc(angle, self.parameter))

    @once
    def intervals(self) -> list[tuple[float, float]]:
        """Where l may be, round the axis of the least and round that of the greatest moment; if not empty."""
        low, middle, high = sorted(1.0 / (moment + self.d) for moment in self.moments)
        return [(a, b) for a, b in ((middle, high), (low, middle)) if b - a > 2.0 * GAP * high]

    @property
    def gap(self) -> float:
        """Next to an end the curve shrinks to a point or becomes a separatrix, and round-off takes over."""
        return GAP * max(1.0 / (moment + self.d) for moment in self.moments)

    @property
    def axis(self) -> int:
        """The axis of the body, 0 to 2, round which the curve winds."""
        return self.order[2]


@dataclass(frozen=True)
class Oval(Geometry):
    """A curve without a momentum. Make it with `oval`."""

    moments: tuple[float, float, float]
    d: float
    level: float


def oval(params: Values, level: float) -> Oval:
    """The curve of a ball on a level, which may be empty: see `check_level`."""
    return remembered(*sphere_branches.ball(params), level)


@lru_cache(maxsize=256)
def remembered(i1: float, i2: float, i3: float, d: float, level: float) -> Oval:
    """The curve of a ball (I1, I2, I3, D), with what has been computed of it: a page asks again and again."""
    return Oval((i1, i2, i3), d, level)


def check_level(ball: Geometry) -> None:
    """l must lie strictly inside one of the two intervals; with two equal moments there is only one."""
    if not ball.intervals:
        raise ParameterError("With J1 = J2 = J3 there is no curve to run along: gamma is at rest.", "J1")
    if not any(a + ball.gap < ball.level < b - ball.gap for a, b in ball.intervals):
        allowed = " or ".join(f"between {a:.9g} and {b:.9g}" for a, b in ball.intervals)
        raise ParameterError(
            f"l must be strictly {allowed}, inside an interval of 1/Lam1, 1/Lam2, 1/Lam3, not {ball.level:.9g}.",
            "level",
        )


def has_curve(balls: Array, levels: Array) -> Array:
    """`check_level` for rows (I1, I2, I3, D) of balls and their levels."""
    low, middle, high = np.sort(1.0 / (balls[:, :3] + balls[:, 3:]), axis=1).T
    gap = GAP * high
    inside = [(b - a > 2.0 * gap) & (a + gap < levels) & (levels < b - gap) for a, b in ((middle, high), (low, middle))]
    return np.asarray(inside[0] | inside[1])
