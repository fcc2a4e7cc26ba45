"""Balls for the tests of the Chaplygin sphere: bodies, starts, runs of them, and the discrete equations of a step."""

from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

import nhviz
from nhviz.analysis.steps import largest_step
from nhviz.simulate import run as run_problem
from tests.strategies import log_uniform

UP = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True)
class Ball:
    """A ball, the vertical in it, and how it turns."""

    mass_tensor: tuple[float, float, float]
    mass: float
    radius: float
    gamma: tuple[float, float, float]
    omega: tuple[float, float, float]
    place: tuple[float, float] = (0.0, 0.0)

    @property
    def params(self):
        j1, j2, j3 = map(float, self.mass_tensor)
        return {"J1": j1, "J2": j2, "J3": j3, "m": float(self.mass), "rho": float(self.radius)}

    @property
    def initial(self):
        values = {f"gamma{i}": float(part) for i, part in enumerate(self.gamma, start=1)}
        values |= {f"omega{i}": float(part) for i, part in enumerate(self.omega, start=1)}
        return values | {"x": float(self.place[0]), "y": float(self.place[1])}

    @property
    def J(self):
        return np.diag(self.mass_tensor)

    @property
    def inertia(self):
        """The inertia of a mass tensor: the integral of |x|^2 - x x^T."""
        return np.trace(self.J) * np.eye(3) - self.J

    @property
    def D(self):
        return self.mass * self.radius**2

    @property
    def up(self):
        return np.array(self.gamma) / np.linalg.norm(self.gamma)

    def about_contact(self, gamma):
        """The inertia about the contact point, rho gamma below the centre."""
        return self.inertia + self.D * (np.eye(3) - np.outer(gamma, gamma))

    @property
    def K(self):
        return self.about_contact(self.up) @ np.array(self.omega)

    @property
    def fastest(self):
        """A bound of |omega| for all time: <K, omega> is kept and at least min I |omega|^2."""
        return np.sqrt(self.K @ np.array(self.omega) / np.diag(self.inertia).min())

    @property
    def condition(self):
        """How much omega moves, over its bound, if gamma or K moves."""
        return (np.diag(self.inertia).max() + self.D) / np.diag(self.inertia).min()

    def run(self, method, step, duration, every=1, backward=False):
        problem = nhviz.Problem.create("sphere", method, self.params, self.initial, step, duration, every)
        return run_problem(problem, backward)

    def at(self, orbit, sample):
        """The same ball as it is at a sample of a run."""
        parts = {name: tuple(vectors(orbit, name)[sample]) for name in ("gamma", "omega")}
        return replace(self, **parts, place=(orbit["x"][sample], orbit["y"][sample]))

    @property
    def largest(self):
        return largest_step("sphere", "fedorov", self.params, self.initial)


DEFAULT = Ball((0.25, 0.55, 0.95), 2.0, 1.0, (2 / 7, 3 / 7, 6 / 7), (0.9, -0.5, 0.7))
BALLS = {
    "default": DEFAULT,
    # Mass far outside the radius; little mass, most of it near the surface; a heavy core.
    "unreal": Ball((0.9, 0.35, 0.6), 0.7, 0.8, (-0.5, 0.31, 0.2), (0.4, 0.6, -0.8), (1.5, -0.5)),
    "hollow": Ball((0.41, 0.17, 0.3), 0.62, 1.25, (0.1, -0.7, -0.4), (-0.7, 0.2, 0.5), (-3.0, 2.0)),
    "heavy": Ball((0.12, 0.31, 0.2), 7.0, 1.1, (0.6, 0.5, -0.3), (0.3, -0.9, 0.4), (0.2, 0.1)),
}
every_ball = pytest.mark.parametrize("ball", BALLS.values(), ids=BALLS.keys())


def parts(most):
    """Vectors with parts of up to that size, and no numbers whose squares vanish."""
    part = st.floats(-most, most).filter(lambda value: value == 0.0 or abs(value) > 1e-100)
    return st.tuples(part, part, part).filter(lambda vector: np.linalg.norm(vector) > 0.1)


balls = st.builds(
    Ball,
    st.tuples(*[log_uniform(0.05, 2.0)] * 3),
    log_uniform(0.2, 10.0),
    log_uniform(0.3, 2.0),
    parts(1.0),
    parts(2.0),
    st.tuples(st.floats(-3.0, 3.0), st.floats(-3.0, 3.0)),
)


def assert_within(found, expected, tolerance):
    """Equal up to an absolute error; numpy would add a relative one of 1e-7."""
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=tolerance)


def vectors(orbit, name):
    """The vectors of a run, an array (samples, 3)."""
    return np.stack([orbit[f"{name}{i}"] for i in (1, 2, 3)], axis=1)


def path(orbit):
    """The centre of the ball, without its height: an array (samples, 3)."""
    return np.stack([orbit["x"], orbit["y"], 0.0 * orbit["x"]], axis=1)


def hat(a):
    """Matrices of the vector products a x, of vectors (..., 3)."""
    a = np.asarray(a)
    zero = np.zeros(a.shape[:-1])
    rows = [[zero, -a[..., 2], a[..., 1]], [a[..., 2], zero, -a[..., 0]], [-a[..., 1], a[..., 0], zero]]
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))


def vee(a):
    return np.stack([a[..., 2, 1], a[..., 0, 2], a[..., 1, 0]], axis=-1)


def turned(matrices):
    return np.swapaxes(matrices, -1, -2)


def not_orthogonal(orbit):
    return np.max(np.abs(orbit["R"] @ turned(orbit["R"]) - np.eye(3)))


def finite_rotations(orbit):
    """Omega of every step."""
    return turned(orbit["R"][:-1]) @ orbit["R"][1:]


def momenta_of_rotations(ball, rotations, gamma):
    """CS (4.13), as vectors."""
    vertical = gamma[..., :, None] * gamma[..., None, :]
    s = ball.J + 0.5 * ball.D * vertical
    back = turned(rotations)
    return vee(rotations @ s - s @ back + 0.5 * ball.D * (vertical @ rotations - back @ vertical))


def momentum_derivative(ball, rotation, gamma):
    """The matrix dK/dOmega of CS (4.13) at Omega exp(hat(.)): K is linear in Omega."""
    changes = rotation @ hat(np.eye(3))
    return momenta_of_rotations(ball, changes, gamma).T


def principal_rotation(ball, gamma, k, furthest=np.inf):
    """(step, Omega, determinant of dK/dOmega): follow the rotation with momentum step * K from the identity.

    Davidenko's equation times the determinant has no pole at a fold: Omega' = Omega hat(adj(M) K), step' = det M with
    M = dK/dOmega. It ends at the step wanted or at the fold, where the determinant vanishes.
    """

    def rotation_of(state):
        left, _, right = np.linalg.svd(state[:9].reshape(3, 3))
        return left @ right

    def field(_, state):
        rotation = rotation_of(state)
        m = momentum_derivative(ball, rotation, gamma)
        adjugate = np.array([np.cross(m[1], m[2]), np.cross(m[2], m[0]), np.cross(m[0], m[1])]).T
        turning = adjugate @ k
        over = 1.0 / np.linalg.norm(turning)
        return np.append(rotation @ hat(over * turning), over * np.linalg.det(m))

    def folds(_, state):
        return np.linalg.det(momentum_derivative(ball, rotation_of(state), gamma))

    def arrives(_, state):
        return state[9] - furthest if np.isfinite(furthest) else -1.0

    folds.terminal = arrives.terminal = True
    start = np.append(np.eye(3), 0.0)
    # The parameter is the angle turned.
    solution = solve_ivp(field, (0.0, 7.0), start, "DOP853", rtol=1e-11, atol=1e-12, events=[folds, arrives])
    assert solution.status == 1
    rotation = rotation_of(solution.y[:, -1])
    return solution.y[9, -1], rotation, np.linalg.det(momentum_derivative(ball, rotation, gamma))


def check_mirrored(there, back, small):
    """A run and the run back from its end: the same up to a turn about the vertical, which the start chooses."""
    assert there.stopped is None
    assert back.stopped is None
    assert len(there) == len(back)
    turn = back["R"][0] @ there["R"][-1].T
    assert_within(turn @ UP, UP, 1e-14)
    speed = np.max(np.abs(vectors(there, "omega")))
    assert_within(vectors(back, "gamma"), vectors(there, "gamma")[::-1], small)
    assert_within(vectors(back, "omega"), vectors(there, "omega")[::-1], small * speed)
    assert_within(back["R"], turn @ there["R"][::-1], small)
    reach = 1.0 + np.max(np.abs(path(there)))
    moved = (path(there)[::-1] - path(there)[-1]) @ turn.T
    assert_within(path(back) - path(back)[0], moved, small * reach)
