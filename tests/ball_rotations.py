"""Rotations of a step of the ball, from CS (5.2) alone: bodies, points, momenta, and how to ask nhviz about them."""

from itertools import product

import numpy as np

import nhviz
from nhviz.analysis.branches import branch_table

EPS = np.finfo(float).eps
POINT = ("K1", "K2", "K3", "gamma1", "gamma2", "gamma3")
EULER = ("q0", "q1", "q2", "q3")
DEFAULT = (0.25, 0.55, 0.95)
BALLS = {
    "weak": (DEFAULT, 2.0),
    "heavy": (DEFAULT, 12.0),
    "very heavy": ((0.35, 0.625, 0.54), 200.0),
    "light": (DEFAULT, 1e-5),
    "nearly symmetric": ((0.5, 0.500001, 0.50003), 1.0),
    "two equal": ((0.4, 0.9, 0.4), 1.5),
    "not a real ball": ((1.1, 0.02, 0.3), 0.1),
}


def ball(masses, d):
    """Parameters with m rho^2 = d."""
    j1, j2, j3 = map(float, masses)
    rho = 1.0 if d >= 1e-2 else 0.05
    return {"J1": j1, "J2": j2, "J3": j3, "m": float(d) / rho**2, "rho": rho}


def moments(masses):
    j1, j2, j3 = masses
    return np.array([j2 + j3, j1 + j3, j1 + j2], dtype=float)


def at(k, gamma):
    """The mapping `at` of momenta and verticals (3,) or (points, 3)."""
    return dict(zip(POINT, (*np.asarray(k, dtype=float).T, *np.asarray(gamma, dtype=float).T), strict=True))


def branches(masses, d, k, gamma):
    return nhviz.branches("sphere", params=ball(masses, d), step=1.0, at=at(k, gamma))


def table(masses, d, k, gamma):
    return branch_table("sphere", params=ball(masses, d), step=1.0, at=at(k, gamma))


def euler(branch):
    return np.array([branch[name] for name in EULER])


def momentum(masses, d, gamma, q):
    """CS (5.2) as printed, for Euler parameters (..., 4)."""
    j1, j2, j3 = masses
    q0, q1, q2, q3 = np.moveaxis(np.asarray(q), -1, 0)
    m = 2.0 * np.stack(
        [
            (j2 + j3) * q0 * q1 + (j2 - j3) * q2 * q3,
            (j1 + j3) * q0 * q2 + (j3 - j1) * q1 * q3,
            (j1 + j2) * q0 * q3 + (j1 - j2) * q1 * q2,
        ],
        axis=-1,
    )
    v = np.asarray(q)[..., 1:]
    along = np.sum(gamma * v, axis=-1)[..., None]
    return m + 2.0 * d * q0[..., None] * (v - along * gamma)


def size_of(masses, d, k):
    """The size of the terms of CS (5.2) at unit Euler parameters, whose round-off is what is left."""
    return float(2.0 * moments(masses).sum() + 2.0 * d + np.linalg.norm(k))


def random_points(rng, masses, d, count):
    """Random verticals, and momenta from far below to beyond what a rotation can have."""
    gamma = rng.normal(size=(count, 3))
    gamma /= np.linalg.norm(gamma, axis=1, keepdims=True)
    largest = moments(masses).max()
    size = 10.0 ** rng.uniform(-3.0, 0.2, count) * np.where(rng.random(count) < 0.5, largest, largest + d)
    k = rng.normal(size=(count, 3))
    return k * (size / np.linalg.norm(k, axis=1))[:, None], gamma


def check_list(masses, d, k, gamma, found):
    """What every list of branches must satisfy, whatever its length."""
    k, gamma = np.array(k, dtype=float), np.array(gamma, dtype=float)
    masses, d = [float(j) for j in masses], float(d)
    for branch in found:
        q = euler(branch)
        assert abs(q @ q - 1.0) <= 4 * EPS
        assert q[0] >= 0.0
        residual = momentum(masses, d, gamma, q) - k
        assert np.abs(residual).max() <= 8 * EPS * size_of(masses, d, k)
    angles = [branch["angle"] for branch in found]
    assert angles == sorted(angles)
    assert sum(branch["principal"] for branch in found) <= 1


def jacobian(masses, d, gamma, q):
    """The derivative of (CS (5.2), q.q) by Euler parameters, (4, 4), by columns of a bilinear form."""
    masses, d = [float(j) for j in masses], float(d)
    gamma = np.array(gamma, dtype=float)
    columns = [0.5 * (momentum(masses, d, gamma, q + e) - momentum(masses, d, gamma, q - e)) for e in np.eye(4)]
    return np.vstack([np.array(columns).T, 2.0 * q])


def powers(degree):
    return [e for e in product(range(degree + 1), repeat=4) if sum(e) == degree]


SQUARES, CUBES, QUARTICS = powers(2), powers(3), powers(4)
PLACE = {e: i for i, e in enumerate(QUARTICS)}
PRODUCTS = np.array([[PLACE[tuple(np.add(a, b).tolist())] for b in SQUARES] for a in SQUARES])
SHIFTS = np.array([[PLACE[tuple(np.add(e, axis).tolist())] for e in CUBES] for axis in np.eye(4, dtype=int)])


def quadrics(masses, d, gamma, k):
    """Symmetric (points, 3, 4, 4) matrices of CS (5.2) made homogeneous by q.q = 1, of largest entry 1."""
    inertia, count = moments(masses), len(gamma)
    h = np.zeros((count, 3, 4, 4))
    a = np.diag(inertia) + d * (np.eye(3) - gamma[:, :, None] * gamma[:, None, :])
    h[:, :, 0, 1:] = h[:, :, 1:, 0] = a
    for i in range(3):
        j, n = (i + 1) % 3, (i + 2) % 3
        h[:, i, 1 + j, 1 + n] = h[:, i, 1 + n, 1 + j] = inertia[n] - inertia[j]
        for c in range(4):
            h[:, i, c, c] -= k[:, i]
    return h / np.abs(h).max(axis=(1, 2, 3), keepdims=True)


def null_space_roots(h):
    """All 8 complex roots (points, 8, 4) of three quadrics: the null space of the Macaulay matrix of degree 4.

    Multiplication by a linear form acts on it as an 8 x 8 matrix, whose eigenvectors belong to the roots.
    """
    count = len(h)
    coefficients = np.stack(
        [
            h[:, :, pair[0], pair[1]] * (1.0 if pair[0] == pair[1] else 2.0)
            for pair in (np.repeat(np.arange(4), e) for e in SQUARES)
        ],
        axis=-1,
    )
    macaulay = np.zeros((count, 3, 10, 35))
    for i, places in enumerate(PRODUCTS):
        macaulay[:, :, i, places] = coefficients
    null = np.swapaxes(np.linalg.svd(macaulay.reshape(count, 30, 35))[2][:, 27:], 1, 2)
    shifted = null[:, SHIFTS]
    first, second = np.linalg.qr(np.random.default_rng(3).normal(size=(4, 4)))[0][:2]
    over = np.linalg.pinv(np.einsum("v,nvij->nij", second, shifted))
    vectors = np.linalg.eig(over @ np.einsum("v,nvij->nij", first, shifted))[1]
    inverse = np.linalg.inv(vectors)
    z = np.stack([np.einsum("nij,njk,nki->ni", inverse, over @ shifted[:, v], vectors) for v in range(4)], axis=-1)
    for _ in range(5):
        z = z / np.linalg.norm(z, axis=-1, keepdims=True)
        half = np.einsum("nkij,nrj->nrki", h, z)
        matrix = np.concatenate([2.0 * half, np.conj(z)[:, :, None, :]], axis=2)
        residual = np.concatenate([np.einsum("nrki,nri->nrk", half, z), np.zeros((count, 8, 1))], axis=2)
        z = z - np.linalg.solve(matrix, residual[..., None])[..., 0]
    condition = 1.0 / np.linalg.svd(matrix, compute_uv=False)[..., -1].min(axis=1)
    return z / np.linalg.norm(z, axis=-1, keepdims=True), condition


def real_roots(z):
    """Which unit roots are real up to a phase: |z.z| = 1; an imaginary part t takes off 2 t^2."""
    return np.abs(np.sum(z * z, axis=-1)) > 1.0 - 1e-10
