"""The polynomial of degree 7 of GJ Proposition 9.2, by exact linear algebra modulo a prime.

The consistent locus determines it up to a factor: parts of degree 5, 6 and 7 in (M1, M2, M3). Only the
last of them is compared here.
"""

import numpy as np

from nhviz.system import Array, Values
from nhviz.views.leftovers import Leftover

PRIME = 2**31 - 1
"""Products of two residues fit into 64 bits."""
BODY = {"I11": 3, "I22": 5, "I13": 2, "I23": 1}
POWERS = [(i, j, d - i - j) for d in (5, 6, 7) for i in range(d + 1) for j in range(d + 1 - i)]
FIRST = (4, 0, 3)
"""The term by which all are measured."""


def inverse(value: int) -> int:
    """One over a residue."""
    return pow(value, PRIME - 2, PRIME)


def power(base: Array, exponent: int) -> Array:
    """A power of residues."""
    found = np.ones_like(base)
    for _ in range(exponent):
        found = found * base % PRIME
    return found


def points(body: Values) -> tuple[Array, Array, Array]:
    """Residues of points of GJ (41) with eps = 2, somewhere."""
    i11, i22, i13, i23 = (int(body[name]) for name in ("I11", "I22", "I13", "I23"))
    u, v = np.random.default_rng(3).integers(0, PRIME, (2, len(POWERS) + 12))
    k, s = (i13 * u + i23 * v) % PRIME, (i11 * (u * u % PRIME) + i22 * (v * v % PRIME)) % PRIME
    return (
        (i11 * u + v * k % PRIME + u * s % PRIME) % PRIME,
        (i22 * v - u * k % PRIME + v * s % PRIME) % PRIME,
        (k + (i22 - i11) * (u * v % PRIME)) % PRIME,
    )


def kernel(rows: Array) -> Array:
    """The one vector that all rows are orthogonal to, as residues, by elimination."""
    rows = rows.copy()
    pivots: list[int] = []
    for column in range(rows.shape[1]):
        top = len(pivots)
        found = np.flatnonzero(rows[top:, column])
        if not found.size:
            continue
        rows[[top, top + found[0]]] = rows[[top + found[0], top]]
        rows[top] = rows[top] * inverse(int(rows[top, column])) % PRIME
        factors = rows[:, column].copy()
        factors[top] = 0
        rows = (rows - factors[:, None] * rows[top] % PRIME) % PRIME
        pivots.append(column)
    (free,) = set(range(rows.shape[1])) - set(pivots)
    vector = np.zeros(rows.shape[1], dtype=np.int64)
    vector[free] = 1
    vector[pivots] = -rows[: len(pivots), free] % PRIME
    return vector


def highest(body: Values = BODY) -> dict[tuple[int, int, int], int]:
    """The coefficients of degree 7, whole numbers: that of M1^4 M3^3 is (I11^2 I22)^2, and eps^2 = 4 is taken out."""
    x, y, z = points(body)
    rows = np.stack([power(x, i) * power(y, j) % PRIME * power(z, k) % PRIME for i, j, k in POWERS], axis=1)
    found = dict(zip(POWERS, kernel(rows).tolist(), strict=True))
    scale = int(body["I11"] ** 2 * body["I22"]) ** 2 * inverse(found[FIRST])
    top = {powers: scale * value % PRIME for powers, value in found.items() if sum(powers) == 7}
    return {powers: value - PRIME * (value > PRIME // 2) for powers, value in top.items()}


def square(body: Values, sign: int) -> dict[tuple[int, int, int], int]:
    """q7^(7) of GJ Proposition 9.2: Z^3 times a square, whose Z^2 has I11 I23^2 - I13^2 I22 as printed, or plus."""
    i11, i22, i13, i23 = (int(body[name]) for name in ("I11", "I22", "I13", "I23"))
    form = {
        (2, 0, 0): i11**2 * i22,
        (1, 0, 1): 2 * i11 * i13 * i22,
        (0, 2, 0): i11 * i22**2,
        (0, 1, 1): 2 * i11 * i22 * i23,
        (0, 0, 2): i11 * i23**2 + sign * i13**2 * i22,
    }
    found: dict[tuple[int, int, int], int] = {}
    for a, first in form.items():
        for b, second in form.items():
            powers = (a[0] + b[0], a[1] + b[1], a[2] + b[2] + 3)
            found[powers] = found.get(powers, 0) + first * second
    return found


def septic(body: Values = BODY) -> Leftover:
    """The difference of each coefficient of degree 7 from that of the locus, over the largest."""
    truth = highest(body)
    names = sorted(powers for powers, value in truth.items() if value or square(body, -1).get(powers))
    largest = max(map(abs, truth.values()))
    printed, corrected = (
        np.array([(square(body, sign).get(name, 0) - truth[name]) / largest for name in names]) for sign in (-1, 1)
    )
    return Leftover(
        "The difference of a coefficient, over the largest,",
        "term of degree 7",
        np.arange(1.0, len(names) + 1.0),
        printed,
        corrected,
    )
