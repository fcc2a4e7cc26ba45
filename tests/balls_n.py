"""Balls in n dimensions for the tests: bodies, starts, runs of them as matrices, momenta of rotations."""

from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from hypothesis import strategies as st

import nhviz
from nhviz.analysis.steps import largest_step
from nhviz.simulate import run as run_problem
from tests.strategies import log_uniform

TRACES = ("tr_K2", "tr_K4", "tr_K2_Gamma")


@dataclass(frozen=True)
class Ball:
    """A ball in n dimensions, the vertical in it, and how it turns: omega12, omega13, ..."""

    mass_tensor: tuple[float, ...]
    D: float
    gamma: tuple[float, ...]
    omega: tuple[float, ...]

    @property
    def n(self):
        return len(self.gamma)

    @property
    def params(self):
        return {"n": self.n, "D": self.D} | {f"J{i}": j for i, j in enumerate(self.mass_tensor, start=1)}

    @property
    def initial(self):
        turning = dict(zip(planes("omega", self.n), self.omega, strict=True))
        return turning | {f"gamma{i}": part for i, part in enumerate(self.gamma, start=1)}

    @property
    def J(self):
        return np.diag(self.mass_tensor)

    @property
    def up(self):
        return np.array(self.gamma) / np.linalg.norm(self.gamma)

    @property
    def skew(self):
        return sum(w * basis for w, basis in zip(self.omega, skew_basis(self.n), strict=True))

    @property
    def K(self):
        """The momentum by its pairing with every turn: that of the masses, and that of the centre with lever gamma."""
        basis = skew_basis(self.n)
        pairing = [paired(self, self.up, self.skew, turn) for turn in basis]
        return sum(value * turn for value, turn in zip(pairing, basis, strict=True))

    @property
    def condition(self):
        low = sum(sorted(self.mass_tensor)[:2])
        return (sum(sorted(self.mass_tensor)[-2:]) + self.D) / low

    @property
    def largest(self):
        return largest_step("sphere_n", "fedorov", self.params, self.initial)

    def run(self, method, step, duration, every=1, backward=False):
        problem = nhviz.Problem.create("sphere_n", method, self.params, self.initial, step, duration, every)
        return run_problem(problem, backward)

    def at(self, orbit, sample):
        """The same ball as it is at a sample of a run."""
        omega = tuple(float(orbit[name][sample]) for name in planes("omega", self.n))
        return replace(self, gamma=tuple(verticals(orbit)[sample].tolist()), omega=omega)


def planes(name, n):
    return [f"{name}{i}{j}" for i, j in combinations(range(1, n + 1), 2)]


def skew_basis(n):
    """Skew matrices with one entry 1 above the diagonal."""
    unit = np.eye(n)
    return [np.outer(unit[i], unit[j]) - np.outer(unit[j], unit[i]) for i, j in combinations(range(n), 2)]


def paired(ball, gamma, first, second):
    """The sum over all masses of <first x, second x>, and m <first gamma, second gamma> of the centre."""
    return np.trace(first @ ball.J @ second.T) + ball.D * (first @ gamma) @ (second @ gamma)


def skews(orbit, name):
    """omega or K along a run, (samples, n, n)."""
    n = orbit["R"].shape[1]
    return sum(orbit[plane][:, None, None] * b for plane, b in zip(planes(name, n), skew_basis(n), strict=True))


def verticals(orbit):
    return np.stack([orbit[f"gamma{i + 1}"] for i in range(orbit["R"].shape[1])], axis=1)


def places(orbit):
    """The contact point in n dimensions; its last coordinate is 0."""
    n = orbit["R"].shape[1]
    return np.stack([*(orbit[f"x{i}"] for i in range(1, n)), 0.0 * orbit.t], axis=1)


def turned(matrices):
    return np.swapaxes(matrices, -1, -2)


def not_orthogonal(orbit):
    return np.max(np.abs(orbit["R"] @ turned(orbit["R"]) - np.eye(orbit["R"].shape[1])))


def assert_within(found, expected, tolerance):
    """Equal up to an absolute error; numpy would add a relative one of 1e-7."""
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=tolerance)


def assert_traces_kept(orbit, K, gamma, tolerance):
    """The three traces, by matrix products of the samples, are those of the start."""
    size = np.linalg.norm(K)
    momenta, up = skews(orbit, "K"), verticals(orbit)
    squares = momenta @ momenta
    found = {
        "tr_K2": np.trace(squares, axis1=1, axis2=2),
        "tr_K4": np.trace(squares @ squares, axis1=1, axis2=2),
        "tr_K2_Gamma": np.einsum("si,sij,sj->s", up, squares, up),
    }
    start = {"tr_K2": np.trace(K @ K), "tr_K4": np.trace(K @ K @ K @ K), "tr_K2_Gamma": gamma @ K @ K @ gamma}
    for name, degree in zip(TRACES, (2, 4, 2), strict=True):
        assert_within(found[name], start[name], tolerance * size**degree)
        assert_within(orbit.quantity(name), found[name], 1e-14 * size**degree)


@st.composite
def balls(draw, n=None):
    """Generic balls: from rods to heavy cores, turning in every plane."""
    n = draw(st.integers(3, 5)) if n is None else n
    mass = draw(st.tuples(*[log_uniform(0.05, 2.0)] * n))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    gamma, omega = rng.normal(size=n), rng.normal(size=n * (n - 1) // 2)
    return Ball(mass, draw(log_uniform(0.2, 10.0)), tuple(gamma.tolist()), tuple(omega.tolist()))


def generic(n):
    """A ball of n dimensions that is not the default."""
    mass, gamma = (0.4, 0.7, 0.3, 0.9, 0.55), (0.5, -0.3, 0.6, 0.4, -0.2)
    omega = (0.5, -0.4, 0.7, 0.3, -0.6, 0.2, 0.45, -0.35, 0.65, -0.25)
    return Ball(mass[:n], 1.7, gamma[:n], omega[: n * (n - 1) // 2])
