"""Left-invariant systems for the tests: groups, constraints, masses, velocities."""

from functools import cache

import numpy as np

from nhviz import ll
from nhviz.groups import circle, product, special_euclidean, special_orthogonal
from tests.test_groups import harmonic, heisenberg, special_linear

SO3, SO4, SE2, SE3 = special_orthogonal(3), special_orthogonal(4), special_euclidean(2), special_euclidean(3)
WHEEL = product(SE2, circle())
CASES = {
    "SO(3)": (SO3, ["w1", {"w2": 1.0, "w3": 0.3}]),
    "SO(4)": (SO4, ["w12", "w23", {"w34": 1.0, "w14": -0.4}]),
    "SE(2)": (SE2, ["w", {"v1": 1.0, "v2": 0.2}]),
    "SE(3)": (SE3, ["w1", "w2", {"v1": 0.7, "w3": 0.5}]),
    "SE(2) x S^1": (WHEEL, ["w", {"v1": 0.6, "phi": 1.0}]),
    "SO(3) x SO(3)": (product(SO3, SO3), [{"w1_1": 1.0, "w2_2": 0.5}, "w2_1", "w3_2"]),
    "Heisenberg": (heisenberg(), ["x", "y"]),
    "SL(2)": (special_linear(2), [{"x1": 1.0, "x2": 0.4}, "x3"]),
    "SO(3) in 5": (harmonic(), ["w1", "w2"]),
}


def random_mass(size, seed):
    """A positive mass matrix with condition number below 20, on no axes in particular."""
    frame = np.linalg.qr(np.random.default_rng(seed).normal(size=(size, size)))[0]
    return (frame * np.random.default_rng(seed + 1).uniform(0.3, 3.0, size)) @ frame.T


@cache
def system(name, seed=1):
    group, allowed = CASES[name]
    return ll.define(group, random_mass(group.size, seed), allowed)


def velocity(one, seed=4):
    """A start at unit speed."""
    x = np.random.default_rng(seed).normal(size=one.freedom)
    return x / np.linalg.norm(x)
