"""Misprints of CS (5.8) and from (5.13) on: the vertical case in elliptic functions, with h = 1 as the paper assumes.

gamma = (C1 cn u, C2 sn u, C3 dn u); ubar and delta are the mean of u and u~ and half their difference, s = sn^2 delta,
w = sn cn dn(delta), Dcal = 1 - k^2 sn^2(ubar) s.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy import special

from nhviz.analysis.vertical import vertical_map
from nhviz.corrections.cs.rolling import BALL
from nhviz.system import Array, Values
from nhviz.views.leftovers import Leftover

LEVEL, H = 0.33, 1.0
PHASE = "place u on the curve"


@dataclass(frozen=True)
class Constants:
    """What the paper computes of the ball and the level l; `c3_square` is that of C3."""

    lam: tuple[float, float, float]
    d: float
    level: float

    @property
    def squares(self) -> tuple[float, float, float]:
        """C1^2, C2^2 and C3^2, corrected."""
        a, b, c = self.lam
        return (
            a * (1.0 - c * self.level) / (a - c),
            b * (1.0 - c * self.level) / (b - c),
            c * (a * self.level - 1.0) / (a - c),
        )

    @property
    def modulus(self) -> float:
        """k^2."""
        a, b, c = self.lam
        return (a - b) * (1.0 - c * self.level) / ((b - c) * (a * self.level - 1.0))

    @property
    def speed(self) -> float:
        """V, which is negative."""
        a, b, c = self.lam
        return -float(np.sqrt((b - c) * (a * self.level - 1.0) / (a * b * c)))

    @property
    def mu(self) -> float:
        """mu of Pi1."""
        _, b, c = self.lam
        return (1.0 - c * self.level) / (b - c)

    @property
    def beta(self) -> float:
        """beta of G."""
        a, b, c = self.lam
        return a * c / (b - c) ** 2 * (1.0 - c * self.level) / (a * self.level - 1.0)


def constants(ball: Values = BALL, level: float = LEVEL) -> Constants:
    """Those of a ball with J1 < J2 < J3."""
    d = ball["m"] * ball["rho"] ** 2
    lam = (ball["J2"] + ball["J3"] + d, ball["J1"] + ball["J3"] + d, ball["J1"] + ball["J2"] + d)
    return Constants(lam, d, level)


def jacobi(u: Array, modulus: float) -> tuple[Array, Array, Array]:
    """sn, cn, dn."""
    sn, cn, dn, _ = special.ellipj(u, modulus)
    return sn, cn, dn


@dataclass(frozen=True)
class Steps:
    """Steps of the map at places u of the curve, by Newton's method on the rotation, and what the formulas use."""

    of: Constants
    u: Array
    delta: Array

    @property
    def middle(self) -> tuple[Array, Array, Array]:
        """sn, cn, dn at ubar."""
        return jacobi(self.u + self.delta, self.of.modulus)

    @property
    def half(self) -> tuple[Array, Array, Array]:
        """sn, cn, dn at delta."""
        return jacobi(self.delta, self.of.modulus)

    @property
    def cross(self) -> Array:
        """Dcal."""
        return 1.0 - self.of.modulus * (self.middle[0] * self.half[0]) ** 2

    @property
    def first(self) -> Array:
        """Pi1."""
        return (self.of.level - self.of.mu * self.half[0] ** 2) / self.cross

    @property
    def second(self) -> Array:
        """Pi2, as printed after CS (5.14), which is right."""
        (sn, cn, dn), (_, c, d) = self.middle, self.half
        parts = (cn * c) ** 2, (sn * c * d) ** 2, (dn * d) ** 2
        shares = zip(self.of.squares, self.of.lam, parts, strict=True)
        found = sum(square / lam**2 * part for square, lam, part in shares)
        return np.asarray(found) / self.cross**2


@lru_cache(maxsize=8)
def steps_at(level: float) -> Steps:
    """Steps all around the curve of the default ball."""
    of, mapping = constants(level=level), vertical_map(BALL, H, level)
    quarter = float(special.ellipk(of.modulus))
    u = np.linspace(-1.9, 1.9, 39) * quarter
    return Steps(of, u, np.array([0.5 * mapping.direct_increment(float(one)) for one in u]))


def parametrisation(level: float = LEVEL) -> Leftover:
    """|gamma|^2 - 1 with C3^2 = Lam3 (1 - Lam1 l)/(Lam1 - Lam3), as printed in CS (5.8), and with Lam1 l - 1."""
    one = constants(level=level)
    u = np.linspace(0.0, 4.0 * float(special.ellipk(one.modulus)), 81)
    sn, cn, dn = jacobi(u, one.modulus)
    first, second, third = one.squares
    printed, corrected = (first * cn**2 + second * sn**2 + sign * third * dn**2 - 1.0 for sign in (-1.0, 1.0))
    return Leftover("The difference of |γ|² from 1", PHASE, u, printed, corrected)


def difference(level: float = LEVEL) -> Leftover:
    """gamma~1 - gamma1 = +- (2 C1/Dcal) sn dn(ubar) sn dn(delta); plus as printed in CS (5.13)."""
    one = steps_at(level)
    root, modulus = np.sqrt(one.of.squares[0]), one.of.modulus
    change = root * (jacobi(one.u + 2.0 * one.delta, modulus)[1] - jacobi(one.u, modulus)[1])
    (sn, _, dn), (s, _, d) = one.middle, one.half
    formula = 2.0 * root / one.cross * sn * dn * s * d
    return Leftover("The difference of γ₁’s change", PHASE, one.u, change - formula, change + formula)


def square_root(level: float = LEVEL) -> Leftover:
    """Both sides of CS (5.14); as printed with d/2 for D and without the square of 1 - D Pi1 under the root."""
    one = steps_at(level)
    s, c, d = one.half
    pull = one.of.speed * c * d / s
    rest = {part: 1.0 - part * one.of.d * one.first for part in (0.5, 1.0)}
    printed = rest[0.5] * np.sqrt(one.cross**2 * (1.0 - one.second)) - (pull - one.cross * rest[0.5])
    corrected = np.sqrt(one.cross**2 * (rest[1.0] ** 2 - one.second)) - (pull - one.cross * rest[1.0])
    return Leftover("The difference of both sides of (5.14)", PHASE, one.u, printed, corrected)


def alpha(one: Constants, factor: float) -> float:
    """alpha of G with 2 Lam1 Lam3 times a factor: 1 as printed, l corrected."""
    a, b, c = one.lam
    return (2.0 * a * c * factor - (a + c - b)) / ((b - c) * (a * one.level - 1.0))


def shape(one: Constants, half: tuple[Array, Array, Array], modulus: float) -> Array:
    """G of delta by C1, C2, C3; its second term over k^2, where 1 as printed below CS (5.14)."""
    _, c, d = half
    first, second, third = (square / lam**2 for square, lam in zip(one.squares, one.lam, strict=True))
    return np.asarray(first / one.modulus * c**2 - second / modulus * c**2 * d**2 + third * d**2)


def form(level: float = LEVEL) -> Leftover:
    """Pi2 Dcal^2 s - (G Dcal - V^2 cn^2 dn^2), with G as printed, and with both forms of G corrected."""
    one = steps_at(level)
    s, c, d = one.half
    rest = one.second * one.cross**2 * s**2 + one.of.speed**2 * c**2 * d**2
    printed = rest - shape(one.of, one.half, 1.0) * one.cross
    closed = one.of.speed**2 * (1.0 + alpha(one.of, level) * s**2 - one.of.beta * s**4)
    sizes = [np.abs(rest - found * one.cross) for found in (shape(one.of, one.half, one.of.modulus), closed)]
    return Leftover("The difference of both sides of Π₂", PHASE, one.u, printed, np.maximum(*sizes))


def relation(level: float = LEVEL) -> Leftover:
    """CS (5.15) as printed, with its constants repaired, and h G = 2 V w (1 - D Pi1), each over its largest term."""
    one = steps_at(level)
    s, c, d = one.half
    w, v = s * c * d, one.of.speed
    g, rise = shape(one.of, one.half, one.of.modulus), one.of.level - one.of.mu * s**2
    rest = g * one.cross - (v * c * d) ** 2
    ratio = one.of.d * rise / one.cross
    printed = (-(ratio**2) / 4.0 * rest, ratio * (rest - v * w * one.cross), one.cross * (2.0 * v * w - g))
    corrected = (H * g, -2.0 * v * w * (1.0 - one.of.d * one.first))
    sizes = [np.abs(sum(terms)) / np.max(np.abs(terms), axis=0) for terms in (printed, corrected)]
    return Leftover("The rest of the relation, over its largest term,", PHASE, one.u, sizes[0], sizes[1])


def product(level: float = LEVEL) -> Leftover:
    """Dcal in terms of u and delta: as printed in CS (5.16), and corrected."""
    one = steps_at(level)
    k = one.of.modulus
    (sn, cn, dn), (s, c, d) = jacobi(one.u, k), one.half
    a, b, both = sn**2, s**2, s * c * d * sn * cn * dn
    below = (1.0 - k * a * b) ** 2
    printed = k * a * b * (2.0 - (k + 1.0) * b - k * b**2) + 2.0 * k * b * both + k * b**2 * (1.0 - k * a) - 1.0
    corrected = 1.0 - 3.0 * k * a * b + 2.0 * k * (1.0 + k) * a * b**2 - k**2 * a * b**3 - k * b**2 - 2.0 * k * b * both
    return Leftover("The difference of 𝒟", PHASE, one.u, printed / below - one.cross, corrected / below - one.cross)


def weierstrass(level: float = LEVEL) -> Leftover:
    """sn cn dn = q/(2 (p - e3)^3), as printed after CS (5.16), and -q/(2 (p - e3)^2); p - e3 = 1/sn^2, q = p'."""
    modulus = constants(level=level).modulus
    u = np.linspace(0.1, 0.95, 40) * float(special.ellipk(modulus))
    sn, cn, dn = jacobi(u, modulus)
    height, slope = 1.0 / sn**2, -2.0 * cn * dn / sn**3
    w = sn * cn * dn
    return Leftover("The difference of sn cn dn", "δu", u, w - slope / (2.0 * height**3), w + slope / (2.0 * height**2))
