"""The multivalued side of the discrete sphere: every rotation of a momentum, and the step at which the branch folds.

CS (5.2) is three quadrics in the projective space of Euler parameters. They have 8 complex points in common, of which
0, 2, 4, 6 or 8 are real; `kernels.quadrics` finds and certifies all of them. The principal branch is the one that grows
out of the identity as the step grows from zero; it ends where det(dK/dq) vanishes. The rare branch that passes a half
turn before that (only of rod-like balls, within a percent of its fold) is taken to end there.
"""

import math
import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from nhviz import kernels
from nhviz.parameters import ParameterError
from nhviz.system import Array, BranchTable, Values

AXES = (1, 2, 3)
ROOTS = 8
CHUNK = 500
NO_DIRECTION = "gamma1, gamma2, gamma3 must not all be 0: they are the direction of the vertical in the body."
POINT = ("K1", "K2", "K3", "gamma1", "gamma2", "gamma3")


def ball(params: Values) -> tuple[float, float, float, float]:
    """(I1, I2, I3, D): moments of inertia I = diag(J2 + J3, J1 + J3, J1 + J2), and D = m rho^2."""
    j1, j2, j3 = params["J1"], params["J2"], params["J3"]
    return j2 + j3, j1 + j3, j1 + j2, params["m"] * params["rho"] ** 2


def unit(gamma: Array) -> Array:
    """Verticals (3, ...) of length one; a vector of length one to round-off stays as it is."""
    if gamma.size == len(AXES):
        return np.array(unit_of_one(*gamma.ravel().tolist())).reshape(gamma.shape)
    largest = np.max(np.abs(gamma), axis=0)
    if not np.all(largest > 0.0):
        raise ParameterError(NO_DIRECTION, "gamma1")
    # Scaled first, so that no square leaves the range of numbers.
    scaled = gamma / largest
    length = np.sqrt(dot(scaled, scaled))
    return np.where(np.abs(largest * length - 1.0) <= 4e-16, gamma, scaled / length)


def unit_of_one(x: float, y: float, z: float) -> tuple[float, float, float]:
    """`unit` of one vertical, digit for digit: for single numbers arrays take ten times as long."""
    largest = max(abs(x), abs(y), abs(z))
    if not largest > 0.0:
        raise ParameterError(NO_DIRECTION, "gamma1")
    a, b, c = x / largest, y / largest, z / largest
    length = math.sqrt(a * a + b * b + c * c)
    return (x, y, z) if abs(largest * length - 1.0) <= 4e-16 else (a / length, b / length, c / length)


def vectors(values: Mapping[str, Any], name: str) -> Array:
    """The three values name1, name2, name3 as an array (3, ...)."""
    return np.array([values[f"{name}{i}"] for i in AXES], dtype=float)


def dot(a: Array, b: Array) -> Array:
    """Scalar products of arrays (3, ...), term by term: one orbit gives the same digits as many."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def momentum(params: Values, gamma: Array, omega: Array) -> Array:
    """K = I omega + D (omega - <omega, gamma> gamma) of arrays (3, ...) (CS before (2.3))."""
    *moments, d = ball(params)
    shape = (3,) + (1,) * (gamma.ndim - 1)
    return np.reshape(moments, shape) * omega + d * (omega - dot(omega, gamma) * gamma)


def point_of_start(params: Values, initial: Values) -> dict[str, float]:
    """K and gamma of a start."""
    gamma = unit(vectors(initial, "gamma"))
    k = momentum(params, gamma, vectors(initial, "omega"))
    return dict(zip(POINT, (*k.tolist(), *gamma.tolist()), strict=True))


def fedorov(params: Values, step: float, at: Values) -> list[dict[str, Any]]:
    """Every real rotation of one step with momentum K at gamma, smallest first, as unit Euler parameters."""
    return fedorov_many(params, step, {name: np.array([at[name]]) for name in POINT}).rows(0)


def fedorov_many(params: Values, step: float, at: Mapping[str, Array]) -> BranchTable:
    """`fedorov` at many points."""
    gammas = np.ascontiguousarray(unit(vectors(at, "gamma")).T)
    momenta = np.ascontiguousarray(0.5 * step * vectors(at, "K").T)
    points = gammas.shape[0]
    rotations = np.zeros((points, ROOTS, 4))
    counts, roots, principal = (np.empty(points, dtype=np.int64) for _ in range(3))

    def work(first: int) -> None:
        part = slice(first, first + CHUNK)
        kernels.quadrics.solve_many(
            ball(params), gammas[part], momenta[part], rotations[part], counts[part], roots[part]
        )
        kernels.sphere.principal_many(
            ball(params), gammas[part], momenta[part], rotations[part], counts[part], principal[part]
        )

    if points <= CHUNK:
        work(0)
    else:
        # The kernels release the interpreter's lock; the pieces are independent.
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(work, range(0, points, CHUNK)))
    sine = np.sqrt(np.sum(rotations[..., 1:] ** 2, axis=2))
    angle = 2.0 * np.arctan2(sine, rotations[..., 0])
    table = np.concatenate([rotations, angle[..., None]], axis=2)
    return BranchTable(("q0", "q1", "q2", "q3", "angle"), table, counts, principal, roots == ROOTS)


def largest_step_at_momentum(params: Values, gamma: Array, k: Array) -> float:
    """The step at which the principal branch of momentum K at gamma folds; infinite for K = 0."""
    size = float(np.linalg.norm(k))
    if size == 0.0:
        return np.inf
    # In units of the fold's order of magnitude; a momentum may be too small to be divided by.
    largest = max(ball(params))
    half = tuple(float(0.5 * largest * (part / size)) for part in k)
    reached, _ = kernels.sphere.follow(ball(params), tuple(float(part) for part in gamma), half, np.inf)
    return float(reached * (largest / size))


def largest_step(params: Values, initial: Values) -> float:
    """The largest admissible step of a start."""
    gamma = unit(vectors(initial, "gamma"))
    return largest_step_at_momentum(params, gamma, momentum(params, gamma, vectors(initial, "omega")))
