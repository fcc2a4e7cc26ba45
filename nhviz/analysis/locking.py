"""The staircase of the sphere with vertical momentum, quickly: plateaus, rotation numbers, cycles, densities.

The same questions as in `nhviz.analysis.vertical`, asked of the Fourier series of the increment by compiled loops, and
remembered: a page asks for them again and again. Here u is in half ovals, 2K(k), rotations count half ovals in a step,
and h > 0 is that of CS, so that rotations are told by their size.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from nhviz import kernels
from nhviz.maps.vertical import Oval
from nhviz.measures.vertical import weights
from nhviz.system import Array

LARGEST_Q = 7
"""Plateaus of larger denominators are too narrow to be seen."""
SURE = 1e-6
"""Coefficients of a density as small as this, at its end, tell a rotation number to round-off."""
EXACT, VISIBLE = 1e-9, 1e-5
"""How small the last coefficients of a density are, of one whose rotation is told and of one that is drawn."""
MOST, EVENLY, REMEMBERED = 64, 48, 512


@dataclass(frozen=True)
class Plateau:
    """The values of h, from low to high, for which the rotation is p/q half ovals in a step."""

    p: int
    q: int
    low: float
    high: float

    @property
    def width(self) -> float:
        """Length of the interval."""
        return self.high - self.low

    @property
    def middle(self) -> float:
        """Middle of the interval."""
        return 0.5 * (self.low + self.high)

    @property
    def name(self) -> str:
        """Its fraction, as 1/3."""
        return f"{self.p}/{self.q}"


@dataclass(frozen=True)
class Cycle:
    """Places that repeat, in the order of the steps, and the factor of a small deviation in one round."""

    places: tuple[float, ...]
    multiplier: float


def ball_of(curve: Oval) -> tuple[float, float, float, float]:
    """(I1, I2, I3, D)."""
    return (*curve.moments, curve.d)


@lru_cache(maxsize=REMEMBERED)
def largest_h(curve: Oval) -> float:
    """The h at which the map folds somewhere on the curve."""
    return float(kernels.vertical.largest_h(ball_of(curve), curve.level))


@lru_cache(maxsize=REMEMBERED)
def plateaus(curve: Oval) -> tuple[Plateau, ...]:
    """The plateaus that can be told from round-off, from the least h to the greatest."""
    rows = np.empty((MOST, 5))
    count = kernels.locking.plateaus(curve.curve, 2.0 * curve.quarter, largest_h(curve), LARGEST_Q, rows)
    found = [
        Plateau(int(p), int(q), float(low), float(high))
        for p, q, low, high, spread in rows[:count]
        if spread > kernels.locking.RESOLUTION * q
    ]
    return tuple(sorted(found, key=lambda one: one.low))


def locked(curve: Oval, h: float) -> Plateau | None:
    """The plateau in which h is."""
    return next((one for one in plateaus(curve) if one.low <= h <= one.high), None)


@lru_cache(maxsize=64)
def series_of(curve: Oval, h: float) -> tuple[Array, int]:
    """The Fourier series of the increment, and how many of its coefficients count: none beyond the fold."""
    nodes, series = np.empty(kernels.vertical.MOST), np.empty((kernels.vertical.MOST // 2, 2))
    return series, int(kernels.vertical.write_series(curve.curve, h, 2.0 * curve.quarter, nodes, series))


@lru_cache(maxsize=REMEMBERED)
def conjugate(curve: Oval, h: float, small: float = EXACT) -> tuple[Array, float, float]:
    """Coefficients of the density in cosines, the rotation, and how small the last coefficients are; none if folded."""
    density = np.empty(kernels.conjugacy.MOST + 1)
    modes, turn, last = kernels.conjugacy.conjugate(curve.curve, h, 2.0 * curve.quarter, small, density)
    return density[: modes + 1], -float(turn), float(last)


@lru_cache(maxsize=REMEMBERED)
def rotation(curve: Oval, h: float) -> float | None:
    """Half ovals in a step; None beyond the fold."""
    if not 0.0 < h < largest_h(curve):
        return None
    inside = locked(curve, h)
    if inside is not None:
        return inside.p / inside.q
    _, turn, last = conjugate(curve, h)
    if last <= SURE:
        return turn
    series, used = series_of(curve, h)
    room = np.empty((2, kernels.vertical.LONGEST))
    return -float(kernels.vertical.mean_increment(series, used, weights(), room)) if used else None


@lru_cache(maxsize=REMEMBERED)
def cycles(curve: Oval, h: float) -> tuple[Cycle, Cycle] | None:
    """The attracting and the repelling cycle of a map that is locked."""
    inside = locked(curve, h)
    series, used = series_of(curve, h)
    if inside is None or not used:
        return None
    places, multipliers = np.empty((2, inside.q)), np.empty(2)
    if not kernels.locking.cycles(series, used, -inside.p, inside.q, places, multipliers):
        return None
    first, second = (Cycle(tuple(places[i].tolist()), float(multipliers[i])) for i in (0, 1))
    return first, second


@lru_cache(maxsize=REMEMBERED)
def density(curve: Oval, h: float, count: int) -> Array | None:
    """The invariant density at so many places from 0 to 1, of mean 1; None where the map is locked or folds."""
    if not 0.0 < h < largest_h(curve) or locked(curve, h) is not None:
        return None
    coefficients, _, _ = conjugate(curve, h, VISIBLE)
    out = np.empty(count)
    kernels.conjugacy.write_density(coefficients, coefficients.size - 1, np.linspace(0.0, 1.0, count), out)
    return out


def increments(curve: Oval, h: float, places: Array) -> Array:
    """The increments at places by the explicit relation; NaN where the branch has folded."""
    out = np.empty(places.size)
    kernels.vertical_orbit.write_increments(curve.curve, h, 2.0 * curve.quarter, places, out)
    return out


@lru_cache(maxsize=64)
def graph(curve: Oval, h: float, count: int) -> Array:
    """The increments at so many places from 0 to 1."""
    return increments(curve, h, np.linspace(0.0, 1.0, count))


def direct_increments(curve: Oval, h: float, places: Array) -> Array:
    """The same by the map itself: its rotation, then back to u."""
    half = 2.0 * curve.quarter
    gammas = np.ascontiguousarray(curve.gamma(half * places))
    after = np.empty_like(gammas)
    kernels.vertical_orbit.write_steps(ball_of(curve), h, gammas, after)
    change = curve.u(after) / half - places
    return np.asarray(change - 2.0 * np.round(0.5 * change))


def orbit(curve: Oval, h: float, place: float, steps: int) -> Array:
    """The places of so many steps from a place, within one half oval; of a map that does not fold."""
    series, used = series_of(curve, h)
    out = np.empty(steps)
    kernels.vertical.write_orbit(series, used, place, 0, steps, out)
    walked = place + np.concatenate([[0.0], np.cumsum(out)])
    return np.asarray(walked - np.floor(walked))


def flow_rotation(curve: Oval, h: float) -> float:
    """Half ovals in a step of the flow, by their size."""
    _, v, d, level, *_ = curve.curve
    return abs(h * v / (1.0 - d * level) / (2.0 * curve.quarter))


@lru_cache(maxsize=REMEMBERED)
def mean_increment(curve: Oval, h: float) -> float:
    """The mean of the increments over the circle, by its size: about the rotation number, and found at once."""
    return float(-increments(curve, h, (np.arange(EVENLY) + 0.5) / EVENLY).mean())


def step_of(curve: Oval, h: float, gammas: Array) -> Array:
    """The next verticals of verticals (n, 3), by the map itself; NaN where the branch has folded."""
    after = np.empty_like(gammas)
    kernels.vertical_orbit.write_steps(ball_of(curve), h, gammas, after)
    return after
