"""The reduced flow that the Suslov top and the Chaplygin sleigh share: arcs of an energy ellipse.

With z = L (momentum), |z|^2 = 2 E = r^2 and z = r (cos phi, sin phi), both systems read
phi' = r kappa cos(phi - delta). Hence chi = phi - delta has sin chi = tanh(tau) and
cos chi = sign sech(tau) with tau = r kappa t + c: every arc is a heteroclinic connection from
chi = -pi/2 to chi = pi/2 (the other way round for kappa < 0). With kappa = 0 every point rests.
"""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from nhviz.system import Array, MomentumPlane, Values


@dataclass(frozen=True)
class Arc:
    """One solution: radius r, rate r kappa, phase c, the angle delta and the sign of cos chi (0 at rest)."""

    radius: float
    rate: float
    phase: float
    delta: float
    sign: float

    def angle(self, t: Array) -> tuple[Array, Array]:
        """(cos phi, sin phi) at the times t."""
        tau = self.rate * t + self.phase
        sine, cosine = np.tanh(tau), self.sign * sech(tau)
        c, s = math.cos(self.delta), math.sin(self.delta)
        return cosine * c - sine * s, sine * c + cosine * s


def sech(x: Array | float) -> Array:
    """1 / cosh x without overflow."""
    decay = np.exp(-np.abs(x))
    return 2.0 * decay / (1.0 + decay * decay)


def solve(plane: MomentumPlane, params: Values, momentum: Array) -> Arc:
    """The arc through a momentum at time 0."""
    first, second = (plane.matrix(params) @ momentum).tolist()
    kappa, delta = plane.swing(params)
    radius = math.hypot(first, second)
    c, s = math.cos(delta), math.sin(delta)
    across, along = c * first + s * second, c * second - s * first
    # On the equilibrium line to round-off: asinh of the ratio is about 36, or infinite.
    if abs(across) <= 1e-300 or radius == 0.0 or abs(across) < 1e-15 * radius:
        return Arc(radius, 0.0, math.copysign(40.0, along), delta, 0.0)
    return Arc(radius, radius * kappa, math.asinh(along / abs(across)), delta, math.copysign(1.0, across))


def momenta(plane: MomentumPlane, params: Values, start: Array, t: Array) -> Array:
    """Momenta (2, n) of the flow at the times t, from a start (2,): the closed form."""
    start = np.asarray(start, dtype=float)
    arc = solve(plane, params, start)
    if arc.rate == 0.0:
        return np.repeat(start[:, None], np.size(t), axis=1)
    times = np.asarray(t, dtype=float)
    result = arc.radius * inverse(plane.matrix(params)) @ np.array(arc.angle(times))
    result[:, times == 0.0] = start[:, None]
    return result


def inverse(matrix: Array) -> Array:
    """That of a matrix of two rows and columns."""
    (a, b), (c, d) = matrix.tolist()
    return np.array([[d, -b], [-c, a]]) / (a * d - b * c)


def energy(plane: MomentumPlane, params: Values, momentum: Array) -> Array:
    """E = |z|^2 / 2 of momenta (2, ...)."""
    z = np.tensordot(plane.matrix(params), np.asarray(momentum, dtype=float), axes=1)
    return 0.5 * (z[0] ** 2 + z[1] ** 2)


def phase(plane: MomentumPlane, params: Values, momentum: Array) -> Array:
    """Angle phi on the energy ellipse along momenta (2, n), continuous in n."""
    z = np.tensordot(plane.matrix(params), np.asarray(momentum, dtype=float), axes=1)
    return np.unwrap(np.arctan2(z[1], z[0]))


def ellipse(plane: MomentumPlane, params: Values, level: float, count: int = 200) -> Array:
    """The closed curve (2, count) of momenta of energy `level`."""
    return math.sqrt(2.0 * level) * inverse(plane.matrix(params)) @ circle(count)


@lru_cache(maxsize=16)
def circle(count: int) -> Array:
    """Points (2, count) of the unit circle, all round."""
    angle = np.linspace(0.0, 2.0 * np.pi, count)
    return np.stack([np.cos(angle), np.sin(angle)])
