"""Balls with vertical momentum for the tests: bodies, levels, and the map G_h by Newton on CS (5.2)."""

import numpy as np

from nhviz.analysis.vertical import VerticalMap, largest_h, vertical_map

EPS = np.finfo(float).eps
# J1 < J2 < J3, so that the axes are in the order of the elliptic functions; D.
DEFAULT = ((0.25, 0.55, 0.95), 2.0)
HEAVY = ((0.3, 0.5, 1.1), 12.0)
REAL = ((0.05, 0.35, 0.6), 1.0)
STRONG = ((0.01, 0.2, 1.0), 0.2)
BALLS = {"default": DEFAULT, "heavy": HEAVY, "real": REAL, "strong": STRONG}
BALL = {"J1": 0.01, "J2": 0.2, "J3": 1.0, "m": 0.2, "rho": 1.0}
LEVEL = 1.149


def ball(masses, d):
    return {"J1": masses[0], "J2": masses[1], "J3": masses[2], "m": d, "rho": 1.0}


def moments(masses):
    return masses[1] + masses[2], masses[0] + masses[2], masses[0] + masses[1]


def levels(masses, d):
    """1/Lam in rising order."""
    return sorted(1.0 / (moment + d) for moment in moments(masses))


def level(masses, d, interval, share):
    low, middle, high = levels(masses, d)
    a, b = ((low, middle), (middle, high))[interval]
    return a + share * (b - a)


def make(masses, d, interval=1, share=0.4, part=0.5):
    """A map at a part of the fold, and its fold."""
    l = level(masses, d, interval, share)
    fold = largest_h(VerticalMap(moments(masses), d, 1.0, l))
    return vertical_map(ball(masses, d), part * fold, l), fold


def momentum(inertia, d, gamma, z):
    """CS (5.2) at Euler parameters (points, 4)."""
    q0, q = z[:, :1], z[:, 1:]
    aside = q - np.sum(gamma * q, axis=1, keepdims=True) * gamma
    return 2.0 * (q0 * inertia * q + np.cross(q, inertia * q)) + 2.0 * d * q0 * aside


def own_step(masses, d, h, gamma, stages=30):
    """The rotation grown out of the identity as the momentum grows to h gamma, and gamma carried by Omega^T."""
    inertia = np.array(moments(masses))
    gamma = np.atleast_2d(gamma)
    z = np.tile([1.0, 0.0, 0.0, 0.0], (len(gamma), 1))
    matrix = np.empty((len(gamma), 4, 4))
    # Stages crowd towards the end, where the fold may be near.
    for share in 1.0 - (1.0 - np.arange(1, stages + 1) / stages) ** 2:
        for _ in range(6):
            for i, e in enumerate(np.eye(4)):
                # Quadratic: half the symmetric difference is the derivative.
                ahead, behind = (momentum(inertia, d, gamma, z + sign * e) for sign in (1.0, -1.0))
                matrix[:, 1:, i] = 0.5 * (ahead - behind)
            matrix[:, 0] = 2.0 * z
            off = momentum(inertia, d, gamma, z) - share * h * gamma
            residual = np.concatenate([np.sum(z * z, axis=1, keepdims=True) - 1.0, off], axis=1)
            z = z - np.linalg.solve(matrix, residual[..., None])[..., 0]
        assert np.all(np.linalg.det(matrix) > 0.0)
    # Omega^T v = v - 2 q0 q x v + 2 q x (q x v).
    aside = np.cross(z[:, 1:], gamma)
    return gamma - 2.0 * z[:, :1] * aside + 2.0 * np.cross(z[:, 1:], aside)


def modulo(difference, period):
    return difference - period * np.round(difference / period)


def own_increment(mapping, masses, u, stages=30):
    after = own_step(masses, mapping.d, mapping.h, mapping.gamma(u), stages)
    return modulo(mapping.u(after) - u, 4.0 * mapping.quarter)


def accuracy(mapping, fold):
    """Round-off of an increment: 1 - D l and C^2 cancel, and near the fold delta moves with the root of h."""
    lam = np.array(mapping.moments) + mapping.d
    cancelled = 1.0 - mapping.d * mapping.level
    ends = np.abs(1.0 - lam * mapping.level).min() * (1.0 - mapping.parameter)
    slack = np.sqrt(1.0 - abs(mapping.h) / fold)
    return 20.0 * EPS * mapping.quarter / (cancelled * slack * min(1.0, ends))
