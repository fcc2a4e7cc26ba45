r"""The sphere whose momentum is vertical, K = h gamma (CS section 5): a map of a circle to itself.

Here h, as in CS, is that of the scaled momentum: h = eps <K, gamma>. Then K_k = h gamma_k for ever and gamma moves by
gamma -> Omega^T gamma, the map G_h, along the curve <gamma, Lam^-1 gamma> = l (CS (5.5), kept on every branch).

* Order the axes so that Lam1 > Lam2 > Lam3, and let 1/Lam2 < l < 1/Lam3. Then (CS (5.7), (5.8), corrected)
  gamma = (C1 cn u, C2 sn u, C3 dn u), C1^2 = Lam1 (1 - Lam3 l)/(Lam1 - Lam3), C2^2 = Lam2 (1 - Lam3 l)/(Lam2 - Lam3),
  C3^2 = Lam3 (Lam1 l - 1)/(Lam1 - Lam3), k^2 = (Lam1 - Lam2)(1 - Lam3 l)/((Lam2 - Lam3)(Lam1 l - 1)).
* Between 1/Lam1 and 1/Lam2 the curve winds round the other axis: the same formulas hold with Lam1 and Lam3 exchanged.
* With delta = Delta u/2 and ubar = u + delta the midpoint is an explicit function of delta (CS (5.15), corrected):
  sn^2 ubar = (1 - C)/(k^2 sn^2 delta),  C = 2 V D w (l - mu sn^2 delta)/(2 V w - h G).
* Relabelling axes is a rotation: an odd permutation is followed by a change of sign of gamma. The curve has two ovals,
  exchanged by half turns about an axis, which commute with the map.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import ellipj

from nhviz import kernels, registry
from nhviz.analysis.circle import CircleMap, Density, Plateau, Rotation, invariant_density, rotation_number
from nhviz.analysis.circle import plateaus as locked_intervals
from nhviz.maps.vertical import Geometry, check_level
from nhviz.parameters import ParameterError, finite_number
from nhviz.problem import checked_parameters
from nhviz.system import Array

SHARE_OF_FOLD = 1.0 - 1e-8


@dataclass(frozen=True)
class VerticalMap(Geometry):
    """The map G_h on one curve: moments I and D of the ball, h, and the level l. Make it with `vertical_map`."""

    moments: tuple[float, float, float]
    d: float
    h: float
    level: float

    def increment(self, u: Any) -> Array:
        """Delta u at elliptic coordinates u, from the explicit relation."""
        return self.increment_and_slope(u)[0]

    def increment_and_slope(self, u: Any) -> tuple[Array, Array]:
        """Delta u and d(Delta u)/du, from the explicit relation."""
        points = np.atleast_1d(np.asarray(u, dtype=float))
        flat = np.ascontiguousarray(points.ravel())
        out, slopes = np.empty(flat.size), np.empty(flat.size)
        reached = kernels.elliptic.increments(self.curve, self.h, flat, out, slopes)
        if reached < flat.size:
            raise ParameterError(f"h = {self.h:.9g} is beyond the fold at u = {flat[reached]:.6g}.", "h")
        shape = np.shape(u)
        return out.reshape(shape), slopes.reshape(shape)

    def direct_increment(self, u: Any) -> Array:
        """Delta u at elliptic coordinates u, from the map G_h itself: Newton for the rotation, then back to u."""
        after = self.step(self.gamma(u))
        change = self.u(after) - np.asarray(u, dtype=float)
        period = 4.0 * self.quarter
        return change - period * np.round(change / period)

    def step(self, gamma: Array) -> Array:
        """G_h: the next vertical of verticals (..., 3), by the principal branch."""
        return np.apply_along_axis(self.step_once, -1, np.asarray(gamma, dtype=float))

    def step_once(self, gamma: Array) -> Array:
        """G_h of one vertical."""
        vertical = (float(gamma[0]), float(gamma[1]), float(gamma[2]))
        m = (0.5 * self.h * vertical[0], 0.5 * self.h * vertical[1], 0.5 * self.h * vertical[2])
        reached, g = kernels.sphere.follow((*self.moments, self.d), vertical, m, 1.0)
        if reached < 1.0:
            raise ParameterError(f"h = {self.h:.9g} is beyond the fold at h = {reached * self.h:.9g}.", "h")
        aside = np.cross(gamma, g)
        return gamma + 2.0 / (1.0 + np.dot(g, g)) * (aside + np.cross(aside, g))

    def midpoint(self, delta: Any) -> Array:
        """sn^2 of the midpoint u + delta, explicitly from delta; values outside [0, 1] belong to no real point."""
        k2, v, d, level, mu, alpha, beta = self.curve
        if k2 == 0.0 or d == 0.0:
            raise ParameterError("With two equal moments or D = 0 the increment is constant: it has no midpoint.", "J1")
        sn, cn, dn, _ = ellipj(np.asarray(delta, dtype=float), k2)
        s, w = sn * sn, sn * cn * dn
        cross = 2.0 * d * w * (level - mu * s) / (2.0 * w - self.h * v * (1.0 + alpha * s - beta * s * s))
        return (1.0 - cross) / (k2 * s)

    def circle(self) -> CircleMap:
        """The map on R/2K: half of gamma's oval, whose two halves it treats alike."""
        return CircleMap(self.increment_and_slope, self.orbit, 2.0 * self.quarter)

    def orbit(self, u: float, steps: int) -> Array:
        """The increments of u along an orbit."""
        out = np.empty(steps)
        reached = kernels.elliptic.orbit(self.curve, self.h, 2.0 * self.quarter, float(u), out)
        if reached < steps:
            raise ParameterError(f"h = {self.h:.9g} is beyond the fold at step {reached} from u = {u:.6g}.", "h")
        return out

    def rotation(self) -> Rotation:
        """Turns of gamma round its whole oval, R/4K, in one step; negative where u falls."""
        half = rotation_number(self.circle())
        return replace(half, value=0.5 * half.value, error=0.5 * half.error)

    def density(self) -> Density:
        """The invariant density of u on R/2K."""
        return invariant_density(self.circle())

    def start(self, u: float, step: float) -> dict[str, float]:
        """Initial values of a run of `sphere` with this vertical momentum and this time step."""
        gamma = self.gamma(float(u))
        lam = np.array(self.moments) + self.d
        omega = gamma / lam * (self.h / step / (1.0 - self.d * self.level))
        return {f"{name}{i + 1}": float(v[i]) for name, v in (("gamma", gamma), ("omega", omega)) for i in range(3)}


def vertical_map(params: Mapping[str, Any] | None, h: Any, level: Any) -> VerticalMap:
    """The map G_h of a ball (parameters of `sphere`) on the curve <gamma, Lam^-1 gamma> = l, checked."""
    model = registry.find("sphere")
    values = checked_parameters(model, None, params)
    j1, j2, j3 = (values[name] for name in ("J1", "J2", "J3"))
    ball = VerticalMap(
        (j2 + j3, j1 + j3, j1 + j2), values["m"] * values["rho"] ** 2, finite_number("h", h), finite_number("l", level)
    )
    check_level(ball)
    check_momentum(ball)
    return ball


def check_momentum(ball: VerticalMap) -> None:
    """h must not be 0 and must stay below the fold everywhere on the curve."""
    largest = largest_h(ball)
    if not 0.0 < abs(ball.h) < largest:
        raise ParameterError(
            f"h must not be 0 and must be below the fold of the map, |h| < {largest:.9g} at l = {ball.level:.6g}, "
            f"not {ball.h:.9g}.",
            "h",
        )


def plateaus(params: Mapping[str, Any] | None, level: Any, low: Any, high: Any, largest_q: int = 12) -> list[Plateau]:
    """Where the rotation number on R/2K is locked to a fraction, for h between low and high at a level l."""
    ends = [vertical_map(params, h, level) for h in (low, high)]
    if not ends[0].h < ends[1].h:
        raise ParameterError(f"low must be below high, not {ends[0].h:g} and {ends[1].h:g}.", "low")
    return locked_intervals(lambda h: replace(ends[0], h=h).circle(), ends[0].h, ends[1].h, largest_q)


def largest_h(ball: VerticalMap) -> float:
    """The least h at which the principal branch folds somewhere on the curve."""
    points = np.linspace(0.0, 2.0 * ball.quarter, 49)
    folds = [fold(ball, u) for u in points]
    lowest = int(np.argmin(folds))
    width = points[1]
    refined = minimize_scalar(
        lambda u: fold(ball, u), bounds=(points[lowest] - width, points[lowest] + width), method="bounded"
    )
    return SHARE_OF_FOLD * min(float(refined.fun), folds[lowest])


def fold(ball: VerticalMap, u: float) -> float:
    """The h at which the principal branch folds at one point of the curve."""
    gamma = tuple(float(part) for part in ball.gamma(u))
    half = (0.5 * gamma[0], 0.5 * gamma[1], 0.5 * gamma[2])
    reached, _ = kernels.sphere.follow((*ball.moments, ball.d), gamma, half, np.inf)
    return float(reached)
