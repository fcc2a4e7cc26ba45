"""Misprints of CS (5.1)-(5.6) and (5.10)-(5.11): rotations by Euler parameters, and how many solve one step.

Any rotation q makes a pair of verticals of the map with K = h gamma: sigma gamma = 2 (q0 Lam q + q x Lam q).
"""

from dataclasses import dataclass

import numpy as np

from nhviz.corrections.cs.rolling import BALL
from nhviz.figures.against import Drawn, against
from nhviz.figures.style import Picture, Theme
from nhviz.frame.said import Sentence, number, sentence, whole
from nhviz.maps import sphere_branches
from nhviz.system import Array, Values
from nhviz.views.leftovers import Leftover

AXIS = np.array([2.0, -3.0, 6.0]) / 7.0
TURNS = np.linspace(0.05, 1.5, 59)
"""Below a quarter turn, where the root of CS (5.10) has its plus sign."""
TURN = "rotation of one step (rad)"
FULL = np.linspace(0.05, 3.0, 60)
SIX = (
    {"J1": 1.0, "J2": 1 / 3, "J3": 4 / 17, "m": 83 / 7, "rho": 1.0},
    (-1 / 14, -5 / 39, -7 / 48),
    (-120 / 361, 300 / 361, 161 / 361),
)
EIGHT = (
    {"J1": 7 / 20, "J2": 5 / 8, "J3": 7 / 13, "m": 5343 / 8, "rho": 1.0},
    (1 / 47, 0.0, 9 / 49),
    (-300 / 649, -540 / 649, 199 / 649),
)


def parameters(angles: Array) -> tuple[Array, Array]:
    """q0 (n,) and q (3, n) of rotations about one axis."""
    return np.cos(0.5 * angles), AXIS[:, None] * np.sin(0.5 * angles)


def matrices(q0: Array, q: Array, entry: Array) -> Array:
    """CS (5.1) as (n, 3, 3), with the given entry (3, 2)."""
    a, b, c = q
    return np.moveaxis(
        np.array(
            [
                [q0**2 + a**2 - b**2 - c**2, 2 * (a * b - c * q0), 2 * (a * c + b * q0)],
                [2 * (a * b + c * q0), q0**2 + b**2 - a**2 - c**2, 2 * (b * c - q0 * a)],
                [2 * (a * c - b * q0), entry, q0**2 + c**2 - a**2 - b**2],
            ]
        ),
        -1,
        0,
    )


def orthogonality() -> Leftover:
    """|Omega^T Omega - 1| with the entry (3, 2) -2 (q2 q3 - q0 q1), as printed in CS (5.1), and 2 (q2 q3 + q0 q1)."""
    q0, q = parameters(FULL)
    found = []
    for entry in (-2.0 * (q[1] * q[2] - q0 * q[0]), 2.0 * (q[1] * q[2] + q0 * q[0])):
        turns = matrices(q0, q, entry)
        found.append(np.linalg.norm(np.swapaxes(turns, 1, 2) @ turns - np.eye(3), axis=(1, 2)))
    return Leftover("The distance of Ω from a rotation", TURN, FULL, found[0], found[1])


@dataclass(frozen=True)
class Pair:
    """Rotations q0, q, the verticals before and after them, sigma and h, for K = h gamma; arrays (3, n) and (n,)."""

    q0: Array
    q: Array
    lam: Array
    d: float
    before: Array
    after: Array
    sigma: Array
    h: Array

    @property
    def total(self) -> Array:
        """gamma~ + gamma."""
        return self.before + self.after


def pairs(angles: Array, ball: Values = BALL) -> Pair:
    """One for each angle."""
    q0, q = parameters(angles)
    i1, i2, i3, d = sphere_branches.ball(ball)
    lam = (np.array([i1, i2, i3]) + d)[:, None]
    along, across = q0 * lam * q, np.cross(q.T, (lam * q).T).T
    sigma = 2.0 * np.linalg.norm(along + across, axis=0)
    before, after = 2.0 * (along + across) / sigma, 2.0 * (along - across) / sigma
    return Pair(q0, q, lam, d, before, after, sigma, sigma - 2.0 * d * q0 * np.sum(before * q, axis=0))


def factor(ball: Values = BALL) -> Leftover:
    """CS (5.4) with sigma = h + c D q0 <gamma, q>; c = 1 as printed, there and in (5.6). h gamma is K of (5.2)."""
    one = pairs(FULL, ball)
    inertia = one.lam - one.d
    momentum = 2.0 * (one.q0 * inertia * one.q + np.cross(one.q.T, (inertia * one.q).T).T)
    level = np.sum(one.before * one.q, axis=0)
    momentum += 2.0 * one.d * one.q0 * (one.q - level * one.before)
    h = np.sum(momentum * one.before, axis=0)
    left = 2.0 * (one.q0 * one.lam * one.q + np.cross(one.q.T, (one.lam * one.q).T).T)
    printed, corrected = (np.linalg.norm(left - (h + c * one.d * one.q0 * level) * one.before, axis=0) for c in (1, 2))
    return Leftover("The difference of both sides of (5.4)", TURN, FULL, printed, corrected)


def carried(ball: Values = BALL) -> Leftover:
    """gamma_{k+1} = -+ Omega^T gamma_k against the right-hand side of CS (5.6); minus as printed."""
    one = pairs(FULL, ball)
    turned = one.before - 2.0 * one.q0 * np.cross(one.q.T, one.before.T).T
    turned += 2.0 * np.cross(one.q.T, np.cross(one.q.T, one.before.T)).T
    printed, corrected = (np.linalg.norm(s * turned - one.after, axis=0) for s in (-1.0, 1.0))
    return Leftover("The difference of the next vertical", TURN, FULL, printed, corrected)


def implicit(ball: Values = BALL) -> Leftover:
    """CS (5.10) with kappa = 2 sigma/(1 + sqrt(1 - c/4 <s, Lam^-2 s>)); c = 1 as printed, c = sigma^2 corrected."""
    one = pairs(TURNS, ball)
    square, across = np.sum((one.total / one.lam) ** 2, axis=0), np.cross(one.total.T, (one.total / one.lam).T).T
    found = []
    for c in (1.0, one.sigma**2):
        kappa = 2.0 * one.sigma / (1.0 + np.sqrt(1.0 - 0.25 * c * square))
        found.append(np.linalg.norm(one.after - one.before - 0.25 * kappa * across, axis=0))
    return Leftover("The difference of both sides of (5.10)", TURN, TURNS, found[0], found[1])


def scale(ball: Values = BALL) -> Leftover:
    """sigma = h/(1 - c D <s, Lam^-1 s>); c = 1/8 as printed in CS (5.11)."""
    one = pairs(TURNS, ball)
    square = np.sum(one.total**2 / one.lam, axis=0)
    printed, corrected = (one.sigma - one.h / (1.0 - c * one.d * square) for c in (1 / 8, 1 / 4))
    return Leftover("The difference of σ", TURN, TURNS, printed, corrected)


def count(ball: Values, k: tuple[float, ...], gamma: tuple[float, ...], step: float = 1.0) -> int:
    """How many real rotations CS (5.2) has."""
    at = {f"K{i + 1}": k[i] for i in range(3)} | {f"gamma{i + 1}": gamma[i] for i in range(3)}
    return len(sphere_branches.fedorov(ball, step, at))


def counted() -> tuple[int, int, int, int]:
    """The counts of the printed bounds' counterexamples: none, six, eight; and the four of a small momentum."""
    ball, k, gamma = SIX
    many = tuple(40.0 * part for part in k)
    little = tuple(1e-3 * part for part in k)
    return count(ball, many, gamma), count(*SIX), count(*EIGHT), count(ball, little, gamma)


def count_told() -> Sentence:
    """The four counts."""
    none, six, eight, four = (whole(found) for found in counted())
    return sentence(
        "The paper says at least 2 and at most 4. A large momentum has ", number(none),
        " real solutions, two others have ", number(six), " and ", number(eight), ", and a small one has ",
        number(four), ".",
    )  # fmt: skip


def counts() -> tuple[Array, Array]:
    """Powers of ten of multiples of the momentum of EIGHT, and the count at each."""
    ball, k, gamma = EIGHT
    powers = np.linspace(-1.0, 2.2, 161)
    return powers, np.array([count(ball, k, gamma, 10.0**power) for power in powers], dtype=float)


def count_pictures(theme: Theme) -> tuple[Picture, ...]:
    """The count against the size of the momentum, and the band in which the paper has it."""
    powers, found = counts()
    ends = np.array([powers[0], powers[-1], np.nan, powers[0], powers[-1]])
    band = Drawn(ends, np.array([2.0, 2.0, np.nan, 4.0, 4.0]), "printed")
    axes = "size of the momentum, power of ten", "real rotations"
    return (against(theme, axes, [band, Drawn(powers, found, "corrected")]),)
