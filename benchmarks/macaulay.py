"""The peer for branches: one point after another with numpy, from a Macaulay matrix and its null space.

The three quadrics for Euler parameters (CS (5.2)), times all quadratic monomials, are 30 equations between the 35
monomials of degree 4. Their null space holds the monomials at the 8 roots; multiplication by one linear form over
another maps it to itself, and the eigenvectors are the roots.
"""

from itertools import combinations_with_replacement

import numpy as np

Array = np.ndarray
Monomial = tuple[int, ...]

ROOTS, POLISH_ROUNDS = 8, 2
REAL = 1e-9


def monomials(degree: int) -> list[Monomial]:
    """The monomials of a degree in four variables, each as the sorted list of its factors."""
    return list(combinations_with_replacement(range(4), degree))


def products(first: list[Monomial], second: list[Monomial]) -> Array:
    """The places of all products of two lists of monomials among those of degree 4."""
    place = {monomial: i for i, monomial in enumerate(monomials(4))}
    return np.array([[place[tuple(sorted(a + b))] for b in second] for a in first])


SIZE = len(monomials(4))
MULTIPLES = products(monomials(2), monomials(2))
SHIFTS = products(monomials(1), monomials(3))
MULTIPLIERS = np.arange(len(MULTIPLES))[:, None]
FIRST, SECOND = np.array(monomials(2)).T
SQUARES = np.flatnonzero(FIRST == SECOND)
UPPER_FORM, LOWER_FORM = np.array([0.31, -0.77, 0.52, 0.93]), np.array([0.83, 0.26, -0.61, 0.38])


def quadrics(params: dict, step: float, k: Array, gamma: Array) -> Array:
    """Coefficients (3, 10) of 2 (q0 I q + q x I q) + 2 D q0 (q - <gamma, q> gamma) - step K |(q0, q)|^2."""
    i1, i2, i3 = params["J2"] + params["J3"], params["J1"] + params["J3"], params["J1"] + params["J2"]
    d = params["m"] * params["rho"] ** 2
    coefficients = np.zeros((3, 10))
    coefficients[:, 1:4] = 2.0 * (np.diag([i1 + d, i2 + d, i3 + d]) - d * np.outer(gamma, gamma))
    coefficients[0, 8], coefficients[1, 6], coefficients[2, 5] = 2.0 * (i3 - i2), 2.0 * (i1 - i3), 2.0 * (i2 - i1)
    coefficients[:, SQUARES] = -step * k[:, None]
    return coefficients


def null_space(coefficients: Array) -> Array:
    """An orthonormal basis (35, 8) of the null space of the Macaulay matrix."""
    matrix = np.zeros((3, len(MULTIPLES), SIZE))
    matrix[:, MULTIPLIERS, MULTIPLES] = coefficients[:, None, :]
    return np.linalg.svd(matrix.reshape(-1, SIZE))[2][-ROOTS:].T


def roots(coefficients: Array) -> Array:
    """All 8 roots (8, 4), each of length one, before polishing."""
    shifted = null_space(coefficients)[SHIFTS]
    upper, lower = np.tensordot(UPPER_FORM, shifted, 1), np.tensordot(LOWER_FORM, shifted, 1)
    multiplication = np.linalg.lstsq(lower, upper, rcond=None)[0]
    # (variable, cubic monomial, root): products of a root's coordinates with its cubic monomials.
    values = shifted @ np.linalg.eig(multiplication)[1]
    largest = np.argmax(np.sum(np.abs(values), axis=0), axis=0)
    points = values[:, largest, np.arange(ROOTS)].T
    return points / np.linalg.norm(points, axis=1, keepdims=True)


def polished(coefficients: Array, points: Array) -> Array:
    """Newton's method for all roots at once, each in the plane through it at a right angle."""
    forms = np.zeros((3, 4, 4))
    forms[:, FIRST, SECOND] = coefficients
    forms = forms + forms.swapaxes(1, 2)
    for _ in range(POLISH_ROUNDS):
        gradients = np.moveaxis(forms @ points.T, 2, 0)
        matrix = np.concatenate([gradients, points.conj()[:, None, :]], axis=1)
        residual = np.zeros((ROOTS, 4, 1), dtype=complex)
        residual[:, :3, 0] = 0.5 * np.einsum("rij,rj->ri", gradients, points)
        points = points - np.linalg.solve(matrix, residual)[..., 0]
    return points


def rotations(params: dict, step: float, k: Array, gamma: Array) -> Array:
    """Every real rotation with momentum K at gamma, smallest first, as unit Euler parameters (n, 4) with q0 >= 0."""
    coefficients = quadrics(params, step, k, gamma)
    points = polished(coefficients, roots(coefficients))
    points = points / points[np.arange(ROOTS), np.argmax(np.abs(points), axis=1)][:, None]
    real = points[np.max(np.abs(points.imag), axis=1) <= REAL].real
    real = np.where(real[:, :1] < 0.0, -real, real) / np.linalg.norm(real, axis=1, keepdims=True)
    return real[np.argsort(-real[:, 0])]
