"""Algebraic surfaces through points of space: the polynomials of a degree that vanish on all of them."""

from itertools import combinations_with_replacement

import numpy as np

from nhviz.system import Array

SMALL = 1e-10
"""A singular value that is none: round-off, with room for the condition of powers of coordinates in [-1, 1]."""


def monomials(points: Array, degree: int, scale: float) -> Array:
    """All products (n, count) of at most so many coordinates of points (n, 3), in units of a scale."""
    factors = np.column_stack([np.ones(len(points)), points / scale])
    chosen = combinations_with_replacement(range(factors.shape[1]), degree)
    return np.stack([factors[:, list(one)].prod(axis=1) for one in chosen], axis=1)


def vanishing(points: Array, degree: int) -> Array:
    """The independent polynomials (count, k) of a degree that vanish on points (n, 3), in units of their greatest."""
    _, sizes, rows = np.linalg.svd(monomials(points, degree, float(np.abs(points).max())), full_matrices=False)
    return np.asarray(rows[sizes <= SMALL * sizes[0]].T)


def values(polynomials: Array, degree: int, points: Array, scale: float) -> Array:
    """The values (n, k) of such polynomials at points."""
    return np.asarray(monomials(points, degree, scale) @ polynomials)
