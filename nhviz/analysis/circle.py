"""Maps of a circle to itself: rotation number, invariant density, and the plateaus where the rotation is locked."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate
from math import gcd

import numpy as np
from scipy.optimize import brentq, minimize_scalar

from nhviz.parameters import ParameterError, whole_number
from nhviz.system import Array

SHORTEST_ORBIT, LONGEST_ORBIT = 1 << 10, 1 << 17
DENSITY_EFFORTS = ((1 << 15, 64), (1 << 17, 64), (1 << 17, 256))
SMOOTH = 1e-10
SAMPLES = 128
RESOLUTION = 1e-12


@dataclass(frozen=True)
class CircleMap:
    """u -> u + increment(u) on a circle of the given period, increasing and differentiable.

    `increments(u)` gives the increments and their slopes at points u; `orbit(u, n)` the n increments along an orbit.
    """

    increments: Callable[[Array], tuple[Array, Array]]
    orbit: Callable[[float, int], Array]
    period: float

    def iterate(self, u: Array, times: int) -> tuple[Array, Array]:
        """Total increment and derivative of the map's power at points u."""
        place, total, derivative = np.array(u, dtype=float), np.zeros(np.shape(u)), np.ones(np.shape(u))
        for _ in range(times):
            increment, slope = self.increments(place)
            place = np.mod(place + increment, self.period)
            total += increment
            derivative *= 1.0 + slope
        return total, derivative


@dataclass(frozen=True)
class Rotation:
    """A rotation number in turns per step, an estimate of its error, and the length of the orbit behind it."""

    value: float
    error: float
    iterates: int


@dataclass(frozen=True)
class Density:
    """An invariant density: its Fourier coefficients c_m = mean of exp(-2 pi i m u/period), and what is left over.

    `residual` is the greatest violation of Liouville's equation density(u) = density(f u) f'(u), relative to the mean
    density. It is round-off where the map is smoothly conjugate to a rotation and of order one on a plateau.
    """

    period: float
    coefficients: Array
    residual: float

    def __call__(self, u: Array) -> Array:
        """The density at points u; its integral over the period is 1."""
        m = np.arange(1, self.coefficients.size)
        waves = np.exp(2j * np.pi * np.multiply.outer(np.asarray(u, dtype=float), m) / self.period)
        return (1.0 + 2.0 * (waves @ self.coefficients[1:]).real) / self.period


@dataclass(frozen=True)
class Cycle:
    """A periodic orbit: its points, and the factor by which a small deviation grows in one round."""

    points: Array
    multiplier: float

    @property
    def attracting(self) -> bool:
        """Whether neighbours approach it."""
        return self.multiplier < 1.0


@dataclass(frozen=True)
class Plateau:
    """Where the rotation number is p/q: an interval of the family's parameter, and the cycles in its middle."""

    p: int
    q: int
    low: float
    high: float
    cycles: tuple[Cycle, ...]

    @property
    def width(self) -> float:
        """Length of the interval."""
        return self.high - self.low


Family = Callable[[float], CircleMap]


def bump(steps: int) -> Array:
    """Weights exp(-1/(t (1 - t))), of sum 1: averages with them converge faster than any power of 1/steps."""
    t = (np.arange(steps) + 0.5) / steps
    weights = np.exp(-1.0 / (t * (1.0 - t)))
    return weights / weights.sum()


def rotation_number(circle: CircleMap, start: float = 0.0, tolerance: float = 1e-13) -> Rotation:
    """The mean increment over the period, by weighted averages over orbits that double until they agree.

    The error is the larger one of two differences, to half as many steps and to an orbit from elsewhere: next to a
    plateau orbits stay long at one place, and only the second one tells. It is never less than round-off.
    """
    elsewhere = start + 0.381966 * circle.period
    steps, before = SHORTEST_ORBIT, np.inf
    while True:
        value = weighted_mean(circle, start, steps)
        error = max(abs(value - before), 4e-16 * abs(value))
        if error <= tolerance or steps >= LONGEST_ORBIT:
            error = max(error, abs(value - weighted_mean(circle, elsewhere, steps)))
            if error <= tolerance or steps >= LONGEST_ORBIT:
                return Rotation(value, error, steps)
        steps, before = 2 * steps, value


def weighted_mean(circle: CircleMap, start: float, steps: int) -> float:
    """The weighted mean increment along an orbit, in periods."""
    return float(bump(steps) @ circle.orbit(start, steps)) / circle.period


def invariant_density(
    circle: CircleMap, modes: int | None = None, steps: int | None = None, start: float = 0.0
) -> Density:
    """The density along an orbit, as a Fourier series of weighted averages.

    What is not given is raised until Liouville's equation holds: longer orbits where a multiple of the rotation is
    nearly whole, more modes next to a fold.
    """
    best = None
    for length, waves in DENSITY_EFFORTS:
        density = density_of_orbit(circle, modes or waves, steps or length, start)
        best = density if best is None or density.residual < best.residual else best
        if best.residual <= SMOOTH or (modes and steps):
            break
    assert best is not None
    return best


def density_of_orbit(circle: CircleMap, modes: int, steps: int, start: float) -> Density:
    """The Fourier series of one orbit, with the violation of Liouville's equation between its nodes."""
    increments = circle.orbit(start, steps)
    # The places as the orbit itself has them, within a period.
    places = np.fromiter(
        accumulate(increments[:-1], lambda u, step: (u + step) % circle.period, initial=start), float, steps
    )
    phase = np.exp(-2j * np.pi * places / circle.period)
    coefficients = np.ones(modes + 1, dtype=complex)
    wave = bump(steps).astype(complex)
    for m in range(1, modes + 1):
        wave = wave * phase
        coefficients[m] = wave.sum()
    density = Density(circle.period, coefficients, 0.0)
    u = np.linspace(0.0, circle.period, 4 * modes, endpoint=False)
    increment, slope = circle.increments(u)
    violation = density(u + increment) * (1.0 + slope) - density(u)
    return Density(circle.period, coefficients, float(np.max(np.abs(violation))) * circle.period)


def defect(circle: CircleMap, p: int, q: int, u: Array) -> Array:
    """f^q(u) - u - p periods: zero on a cycle of rotation number p/q."""
    return circle.iterate(u, q)[0] - p * circle.period


def extremes(circle: CircleMap, p: int, q: int) -> tuple[float, float]:
    """Least and greatest defect over the circle."""
    u = np.linspace(0.0, circle.period, SAMPLES, endpoint=False)
    values = defect(circle, p, q, u)
    width = circle.period / SAMPLES
    found = []
    for sign in (1.0, -1.0):
        best = int(np.argmin(sign * values))
        refined = minimize_scalar(
            lambda at, sign=sign: float(sign * defect(circle, p, q, np.array([at]))[0]),
            bounds=(u[best] - width, u[best] + width),
            method="bounded",
            options={"xatol": 1e-9 * circle.period},
        )
        found.append(sign * min(float(refined.fun), float(sign * values[best])))
    return found[0], found[1]


def plateau(family: Family, p: int, q: int, low: float, high: float) -> Plateau | None:
    """The part of [low, high] where the rotation number is p/q; None where it is narrower than can be resolved.

    The rotation number must move monotonically from low to high, and reach p/q.
    """
    q = whole_number("q", q, 1, 1000)
    edges = locked_part(family, p, q, low, high)
    if edges is None:
        raise ParameterError(f"The rotation number does not reach {p}/{q} between {low:g} and {high:g}.", "p")
    middle = family(0.5 * (edges[0] + edges[1]))
    least, greatest = extremes(middle, p, q)
    if greatest - least <= RESOLUTION * q * middle.period:
        return None
    return Plateau(p, q, edges[0], edges[1], tuple(cycles(middle, p, q)))


def locked_part(family: Family, p: int, q: int, low: float, high: float) -> tuple[float, float] | None:
    """Where within [low, high] the defect has both signs; None if it has only one of them all along."""
    ends = [extremes(family(parameter), p, q) for parameter in (low, high)]
    # Turn a falling family round: then first the greatest defect reaches zero, then the least one leaves it.
    sign, first, last = (1.0, 1, 0) if sum(ends[0]) <= sum(ends[1]) else (-1.0, 0, 1)
    if sign * ends[0][last] > 0.0 or sign * ends[1][first] < 0.0:
        return None
    edges = []
    for side, end, locked in ((first, low, sign * ends[0][first] >= 0.0), (last, high, sign * ends[1][last] <= 0.0)):
        edges.append(end if locked else edge(family, p, q, side, low, high))
    return edges[0], edges[1]


def edge(family: Family, p: int, q: int, side: int, low: float, high: float) -> float:
    """Where the least (side 0) or greatest (side 1) defect is zero."""
    return float(brentq(lambda at: extremes(family(at), p, q)[side], low, high, xtol=1e-14, rtol=1e-14))


def plateaus(family: Family, low: float, high: float, largest_q: int) -> list[Plateau]:
    """All plateaus within [low, high] whose rotation number has a denominator of at most largest_q.

    Plateaus that reach beyond an end are cut there.
    """
    largest_q = whole_number("largest_q", largest_q, 1, 1000)
    ends = sorted(rotation_number(family(parameter)).value for parameter in (low, high))
    # An end may lie on a plateau itself, where only round-off decides on which side of p/q its rotation number is.
    first, last = ends[0] - 1e-9, ends[1] + 1e-9
    found = []
    for q in range(1, largest_q + 1):
        for p in range(int(np.ceil(first * q)), int(np.floor(last * q)) + 1):
            if gcd(p, q) == 1 and locked_part(family, p, q, low, high) is not None:
                found.append(plateau(family, p, q, low, high))
    return sorted((item for item in found if item is not None), key=lambda item: item.low)


def cycles(circle: CircleMap, p: int, q: int) -> list[Cycle]:
    """The periodic orbits of rotation number p/q, attracting ones first."""
    # The grid avoids 0 and simple fractions of the period, where symmetric maps like to have their cycles.
    u = circle.period * (np.arange(q * SAMPLES + 1) + 0.381966) / (q * SAMPLES)
    values = defect(circle, p, q, u)
    left = [
        brentq(lambda at: float(defect(circle, p, q, np.array([at]))[0]), u[i], u[i + 1], xtol=1e-14) % circle.period
        for i in np.flatnonzero((values[:-1] < 0.0) != (values[1:] < 0.0))
    ]
    found = []
    while left:
        points = [left.pop(0)]
        for _ in range(q - 1):
            increment, _ = circle.increments(np.array(points[-1:]))
            points.append(float(np.mod(points[-1] + increment[0], circle.period)))
            left = [other for other in left if gap(other, points[-1], circle.period) > 1e-6 * circle.period]
        multiplier = float(circle.iterate(np.array(points[:1]), q)[1][0])
        found.append(Cycle(np.array(sorted(points)), multiplier))
    return sorted(found, key=lambda cycle: cycle.multiplier)


def gap(a: float, b: float, period: float) -> float:
    """Distance of two points on the circle."""
    apart = (a - b) % period
    return min(apart, period - apart)
