"""Tops in n dimensions for the tests: bodies, starts, runs of them."""

from dataclasses import dataclass, replace

import numpy as np
from hypothesis import strategies as st

import nhviz
from nhviz.analysis.steps import largest_step
from nhviz.simulate import run as run_problem


@dataclass(frozen=True)
class Top:
    """Masses along the axes, the last one too, products with the last axis, momenta."""

    masses: tuple[float, ...]
    last: float
    products: tuple[float, ...]
    momentum: tuple[float, ...]

    @property
    def n(self):
        return len(self.masses) + 1

    @property
    def params(self):
        named = {f"J{i}": value for i, value in enumerate(self.masses, 1)}
        return {"n": self.n, "Jn": self.last, **named} | {f"J{i}n": j for i, j in enumerate(self.products, 1)}

    @property
    def initial(self):
        return {f"p{i}": value for i, value in enumerate(self.momentum, 1)}

    @property
    def J(self):
        tensor = np.diag([*self.masses, self.last])
        tensor[:-1, -1] = tensor[-1, :-1] = self.products
        return tensor

    @property
    def C(self):
        return np.array(self.masses) + self.last

    @property
    def j(self):
        return np.array(self.products)

    @property
    def energy(self):
        return 0.5 * np.sum(np.array(self.momentum) ** 2 / self.C)

    @property
    def condition(self):
        """By how much round-off of a momentum may grow: extreme moments, and once the way from the source."""
        source = self.C * self.j
        scale = np.sqrt(self.C)
        size = np.linalg.norm(source / scale) * np.linalg.norm(self.momentum / scale)
        away = np.linalg.norm(self.momentum / scale - source / scale * np.sqrt(2 * self.energy / (source @ self.j)))
        near = away / np.sqrt(2 * self.energy) if size > 0.0 else 1.0
        return (self.C.max() + np.linalg.norm(self.j)) / self.C.min() / near

    @property
    def largest(self):
        return largest_step("suslov_n", "moser_veselov", self.params, self.initial)

    def run(self, method, step, duration, every=1, backward=False):
        problem = nhviz.Problem.create("suslov_n", method, self.params, self.initial, step, duration, every)
        return run_problem(problem, backward)

    def at(self, momentum):
        return replace(self, momentum=tuple(np.asarray(momentum).tolist()))


def momenta(orbit):
    return np.stack([orbit[f"p{i + 1}"] for i in range(orbit["R"].shape[1] - 1)], axis=1)


def assert_within(found, expected, tolerance):
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=tolerance)


@st.composite
def tops(draw, n=None):
    """Generic bodies: the products leave the mass tensor positive, so they are real ones."""
    n = draw(st.integers(3, 6)) if n is None else n
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    masses, last = np.exp(rng.uniform(np.log(0.2), np.log(5.0), n - 1)), float(np.exp(rng.uniform(-1.0, 1.0)))
    share = rng.normal(size=n - 1)
    share *= rng.uniform(0.1, 0.9) / np.linalg.norm(share)
    momentum = rng.normal(size=n - 1)
    momentum *= rng.uniform(0.5, 5.0) / np.linalg.norm(momentum)
    parts = (masses, share * np.sqrt(masses * last), momentum)
    masses, products, momentum = (tuple(part.tolist()) for part in parts)
    return Top(masses, last, products, momentum)


def generic(n):
    masses, products = (1.3, 0.7, 2.1, 1.7, 0.9), (0.4, -0.35, 0.3, 0.25, -0.2)
    return Top(masses[: n - 1], 1.1, products[: n - 1], (1.2, -0.8, 0.9, -0.5, 0.7)[: n - 1])
