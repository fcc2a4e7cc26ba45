"""Sleighs in n dimensions for the tests: bodies as clouds of points, starts, runs of them as poses and momenta."""

from dataclasses import dataclass, replace

import numpy as np
from hypothesis import strategies as st

import nhviz
from nhviz.analysis.steps import largest_step
from nhviz.simulate import run as run_problem


@dataclass(frozen=True)
class Sleigh:
    """Masses along the axes, products with the first, mass, centre, momenta (L2, ..., p_1)."""

    masses: tuple[float, ...]
    products: tuple[float, ...]
    m: float
    centre: tuple[float, ...]
    momentum: tuple[float, ...]

    @property
    def n(self):
        return len(self.masses)

    @property
    def params(self):
        found = {f"J{i}": value for i, value in enumerate(self.masses, 1)}
        found |= {f"J1{i}": value for i, value in enumerate(self.products, 2)}
        return {"n": self.n, "m": self.m, **found} | {f"a{i}": value for i, value in enumerate(self.centre, 1)}

    @property
    def initial(self):
        return dict(zip(names(self.n), self.momentum, strict=True))

    @property
    def J(self):
        tensor = np.diag(self.masses)
        tensor[0, 1:] = tensor[1:, 0] = self.products
        return tensor

    @property
    def cloud(self):
        """Point masses with this mass, centre and mass tensor: two on each principal axis."""
        sizes, frame = np.linalg.eigh(self.J)
        arms = (frame * np.sqrt(self.n * sizes / self.m)).T
        return np.array(self.centre) + np.vstack([arms, -arms]), np.full(2 * self.n, self.m / (2 * self.n))

    @property
    def moves(self):
        """The allowed velocities of the points of the cloud, one array (points, n) for each of w2, ..., v."""
        points, _ = self.cloud
        slide = np.zeros_like(points)
        slide[:, 0] = 1.0
        return np.array([*(points @ turn(self.n, i).T for i in range(1, self.n)), slide])

    @property
    def inertia(self):
        """Momenta are this times velocities."""
        return np.einsum("apk,bpk,p->ab", self.moves, self.moves, self.cloud[1])

    @property
    def energy(self):
        return 0.5 * np.array(self.momentum) @ np.linalg.solve(self.inertia, self.momentum)

    @property
    def condition(self):
        return np.linalg.cond(self.inertia)

    @property
    def bound(self):
        return largest_step("sleigh_n", "fedorov_zenkov", self.params, self.initial)

    @property
    def largest(self):
        """The bound or 2, for tests that only need an admissible step."""
        return min(self.bound or np.inf, 2.0)

    def run(self, method, step, duration, every=1, backward=False):
        problem = nhviz.Problem.create("sleigh_n", method, self.params, self.initial, step, duration, every)
        return run_problem(problem, backward)

    def at(self, momentum):
        return replace(self, momentum=tuple(np.asarray(momentum).tolist()))


def names(n):
    return [*(f"L{i}" for i in range(2, n + 1)), "p_1"]


def turn(n, i):
    """The velocity matrix of w_i = 1: e_1 turns towards e_i."""
    matrix = np.zeros((n, n))
    matrix[i, 0], matrix[0, i] = 1.0, -1.0
    return matrix


def momenta(orbit):
    return np.stack([orbit[name] for name in names(orbit["R"].shape[1])], axis=1)


def velocities(orbit):
    return np.stack([*(orbit[f"w{i}"] for i in range(2, orbit["R"].shape[1] + 1)), orbit["v"]], axis=1)


def poses(orbit):
    """(samples, n + 1, n + 1) matrices of SE(n)."""
    n = orbit["R"].shape[1]
    g = np.tile(np.eye(n + 1), (len(orbit), 1, 1))
    g[:, :n, :n] = orbit["R"]
    g[:, :n, n] = np.stack([orbit[f"x{i}"] for i in range(1, n + 1)], axis=1)
    return g


def assert_within(found, expected, tolerance):
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=tolerance)


@st.composite
def sleighs(draw, n=None):
    """Generic bodies of about one metre and kilogramme, sent off in every direction."""
    n = draw(st.integers(2, 4)) if n is None else n
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    masses, m = np.exp(rng.uniform(-1.5, 0.5, n)), float(rng.uniform(0.5, 3.0))
    share = rng.normal(size=n - 1)
    share *= rng.uniform(0.1, 0.8) / np.linalg.norm(share)
    centre = rng.uniform(0.2, 1.0, n) * rng.choice([-1.0, 1.0], n)
    parts = (masses, share * np.sqrt(masses[0] * masses[1:]), centre, rng.normal(size=n))
    masses, products, centre, momentum = (tuple(part.tolist()) for part in parts)
    return Sleigh(masses, products, m, centre, momentum)


def generic(n):
    """Sent off backwards, with a cusp within two seconds or so."""
    masses, products, centre = (0.4, 0.3, 0.35, 0.25), (0.05, -0.08, 0.06), (0.6, 0.2, -0.25, 0.15)
    return Sleigh(masses[:n], products[: n - 1], 1.5, centre[:n], (*(0.8, 0.5, -0.6)[: n - 1], -1.4))


def rates(body):
    """d'Alembert's principle over the cloud: a point b has, in its body, the acceleration V' + w V + (w' + w^2) b."""
    n, moves, (points, mass) = body.n, body.moves, body.cloud

    def field(_, y):
        w = np.tensordot(y[: n - 1], [turn(n, i) for i in range(1, n)], 1)
        slide = y[n - 1] * np.eye(n)[0]
        known = w @ slide + points @ (w @ w).T
        change = np.linalg.solve(body.inertia, -np.einsum("apk,pk,p->a", moves, known, mass))
        R = y[n:].reshape(n, n + 1)[:, :n]
        return np.concatenate([change, np.column_stack([R @ w, R @ slide]).ravel()])

    return field
