"""The flow of the Chaplygin sphere and Fedorov's map against derivations of their own.

Nothing of nhviz enters the expected values. The flow is Kane's method and Newton's and Euler's laws with the contact
force eliminated; the map is the discrete Lagrange-d'Alembert principle, checked on the attitudes and places of a run.
"""

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation
from sympy.physics.mechanics import (
    KanesMethod,
    Point,
    ReferenceFrame,
    RigidBody,
    dynamicsymbols,
    inertia,
    kinematic_equations,
)

import nhviz
from nhviz.analysis.steps import largest_step
from nhviz.methods.stops import after
from nhviz.simulate import run as run_problem

SETTINGS = settings(max_examples=40, deadline=None, derandomize=True, database=None)
UP = np.array([0.0, 0.0, 1.0])
# Weights of the central difference of order 8, offsets 1, 2, 3, 4.
CENTRAL = (4 / 5, -1 / 5, 4 / 105, -1 / 280)


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


def log_uniform(low, high):
    return st.floats(np.log(low), np.log(high)).map(lambda power: float(np.exp(power)))


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


def derivative(values, step):
    """Derivative at the middle of nine equidistant samples (axis 0)."""
    return sum(w * (values[4 + k] - values[4 - k]) for k, w in enumerate(CENTRAL, start=1)) / step


def not_orthogonal(orbit):
    return np.max(np.abs(orbit["R"] @ turned(orbit["R"]) - np.eye(3)))


# --- The flow against Kane, and against Newton and Euler -----------------------------------------------------------


@cache
def kane():
    """(mass matrix, forcing) of (omega1', omega2', omega3', x'', y'') as a function of angles, omega, J, m, rho."""
    angles, place = dynamicsymbols("q1:4"), dynamicsymbols("x y")
    spin, speed = dynamicsymbols("w1:4"), dynamicsymbols("u v")
    j1, j2, j3, mass, radius = sympy.symbols("J1 J2 J3 m rho")
    space, body, centre = ReferenceFrame("N"), ReferenceFrame("B"), Point("C")
    body.orient_body_fixed(space, angles, "XYZ")
    kinematic = kinematic_equations(spin, angles, "body", "123")
    kinematic += [u - coordinate.diff() for u, coordinate in zip(speed, place, strict=True)]
    turning = sum((w * axis for w, axis in zip(spin, body, strict=True)), 0 * body.x)
    body.set_ang_vel(space, turning)
    centre.set_vel(space, speed[0] * space.x + speed[1] * space.y)
    # The material point that touches the plane has the velocity of the centre and that of the turning.
    contact = centre.vel(space) + turning.cross(-radius * space.z)
    ball = RigidBody("ball", centre, body, mass, (inertia(body, j2 + j3, j1 + j3, j1 + j2), centre))
    method = KanesMethod(
        space,
        q_ind=[*angles, *place],
        u_ind=spin,
        u_dependent=speed,
        kd_eqs=kinematic,
        velocity_constraints=[contact.dot(space.x), contact.dot(space.y)],
    )
    method.kanes_equations([ball], [(centre, -9.81 * mass * space.z)])
    arguments = (*angles, *spin, *speed, j1, j2, j3, mass, radius)
    return sympy.lambdify(arguments, [method.mass_matrix, method.forcing])


def accelerations_by_kane(ball, attitude, omega):
    """omega' and the acceleration of the centre.

    Seen from an x axis level with the body's third one, where the second angle vanishes, far from its singularity.
    """
    view = Rotation.from_rotvec(np.arctan2(attitude[0, 2], attitude[1, 2]) * UP).as_matrix()
    attitude = view @ attitude
    angles = Rotation.from_matrix(attitude).as_euler("XYZ")
    velocity = ball.radius * np.cross(attitude @ omega, UP)
    matrix, forcing = kane()(*angles, *omega, *velocity[:2], *ball.mass_tensor, ball.mass, ball.radius)
    solution = np.linalg.solve(matrix, forcing).ravel()
    return solution[:3], view[:2, :2].T @ solution[3:]


def accelerations_by_newton(ball, gamma, omega):
    """omega' of Newton's and Euler's laws, all in the body.

    The contact force f has the moment -rho gamma x f about the centre. Without slipping the centre has the velocity
    rho omega x gamma, and gamma does not turn in space, hence f = m rho omega' x gamma up to a vertical part, and
    I omega' + omega x I omega = -D (omega' - <omega', gamma> gamma).
    """
    return np.linalg.solve(ball.about_contact(gamma), np.cross(ball.inertia @ omega, omega))


@SETTINGS
@given(balls, st.integers(0, 2**32 - 1))
def test_newton_and_euler_agree_with_kane(ball, seed):
    attitude = Rotation.from_quat(np.random.default_rng(seed).normal(size=4)).as_matrix()
    found = accelerations_by_newton(ball, attitude.T @ UP, np.array(ball.omega))
    expected, acceleration = accelerations_by_kane(ball, attitude, np.array(ball.omega))
    # Both are linear solves with the inertia about the contact point.
    size = ball.condition * np.linalg.norm(ball.omega) ** 2
    assert_within(found, expected, 1e-13 * ball.condition * size)
    horizontal = ball.radius * np.cross(attitude @ found, UP)
    assert_within(horizontal[:2], acceleration, 1e-13 * ball.condition * size * ball.radius)


@SETTINGS
@given(balls)
def test_reference_moves_as_kane_says(ball):
    # omega' is of second degree in omega: with this unit its n-th derivatives are at most n! (2 unit)^n fastest. The
    # difference of order 8 leaves h^8 f^(9) / 630, here 3e-11 of the rate; the run's 2e-14 a step is divided by 0.01.
    unit = ball.fastest * np.diag(ball.inertia).max() / np.diag(ball.inertia).min()
    step = 0.01 / unit
    orbit = ball.run("reference", step, 8 * step)
    assert orbit.stopped is None
    attitude, omega, gamma = orbit["R"][4], vectors(orbit, "omega")[4], vectors(orbit, "gamma")[4]
    share = 1e-10 + 1e-12 * ball.condition
    expected, _ = accelerations_by_kane(ball, attitude, omega)
    assert_within(derivative(vectors(orbit, "omega"), step), expected, share * unit * ball.fastest)
    assert_within(derivative(vectors(orbit, "gamma"), step), np.cross(gamma, omega), share * ball.fastest)
    assert_within(attitude.T @ derivative(orbit["R"], step), hat(omega), share * ball.fastest)
    reach = share * (np.hypot(*ball.place) + ball.radius) * unit
    rolling = ball.radius * np.cross(attitude @ omega, UP)
    assert_within(derivative(path(orbit), step), rolling, reach)
    # No slipping: the material point of the ball that touches the plane now is at rest now.
    material = attitude.T @ (-ball.radius * UP)
    assert_within(derivative(path(orbit) + orbit["R"] @ material, step), 0.0, reach)
    # The momentum about the contact point: that of the turning and that of the centre.
    momentum = attitude @ ball.inertia @ omega + np.cross(ball.radius * UP, ball.mass * rolling)
    scale = ball.condition * np.diag(ball.inertia).max() * ball.fastest
    assert_within(vectors(orbit, "K")[4], attitude.T @ momentum, 1e-13 * scale * ball.condition)


@every_ball
def test_reference_keeps_what_the_flow_keeps(ball):
    duration = 300.0
    orbit = ball.run("reference", 0.05, duration)
    assert orbit.stopped is None
    assert len(orbit) == 6001
    gamma, omega, momenta = (vectors(orbit, name) for name in ("gamma", "omega", "K"))
    assert_within(gamma[0], ball.up, 4e-16)
    np.testing.assert_allclose(momenta[0], ball.K, rtol=1e-14)
    energy = np.einsum("si,si->s", momenta, omega)
    np.testing.assert_allclose(orbit.quantity("energy"), energy, rtol=1e-14)
    # What the reference promises; it gains or loses 2e-14 in each of its few thousand steps.
    np.testing.assert_allclose(energy, ball.K @ np.array(ball.omega), rtol=1e-11)
    kinetic = 0.5 * np.einsum("si,ij,sj->s", omega, ball.inertia, omega)
    kinetic += 0.5 * ball.mass * np.sum((ball.radius * np.cross(omega, gamma)) ** 2, axis=1)
    np.testing.assert_allclose(energy, 2.0 * kinetic, rtol=1e-13 * ball.condition)
    # K and gamma are fixed in space, and R is a rotation, all to round-off.
    length = np.linalg.norm(ball.K)
    assert_within(orbit.quantity("K_gamma"), ball.K @ ball.up, 1e-14 * length)
    np.testing.assert_allclose(orbit.quantity("K_K"), length**2, rtol=1e-14)
    assert_within(np.einsum("sij,sj->si", orbit["R"], momenta), [orbit["R"][0] @ ball.K] * 6001, 1e-14 * length)
    assert_within(np.einsum("sij,sj->si", orbit["R"], gamma), [UP] * 6001, 4e-15)
    assert not_orthogonal(orbit) < 4e-15
    # <K, gamma> = <I omega, gamma> (CS (2.4)).
    assert_within(
        np.einsum("si,ij,sj->s", omega, ball.inertia, gamma), ball.K @ ball.up, 1e-14 * length * ball.condition
    )


@pytest.mark.parametrize("method", ["reference", "fedorov"])
@pytest.mark.parametrize(
    "gamma",
    [
        (0.0, 0.0, 1.0),
        (0.0, 0.0, -1.0),
        (1e-9, -2e-9, -1.0),
        (3e-5, 4e-5, -1.0),
        (-1e-140, 2e-140, -1.0),
        (1e-8, 1e-8, 1.0),
        (1.0, 0.0, 0.0),
        (0.0, -3.0, 0.0),
        (-120.0, 300.0, 161.0),
        (0.03, 0.02, -0.06),
    ],
)
def test_first_attitude_is_the_shortest_upright_one(method, gamma):
    orbit = replace(DEFAULT, gamma=gamma).run(method, 0.1, 0.0)
    up = np.array(gamma) / np.linalg.norm(gamma)
    assert_within(vectors(orbit, "gamma")[0], up, 4e-16)
    first = orbit["R"][0]
    assert not_orthogonal(orbit) < 4e-15
    assert np.linalg.det(first) == pytest.approx(1.0, abs=4e-15)
    assert_within(first @ up, UP, 4e-15)
    # Among all rotations with R gamma = e3 the shortest turns by the angle between the two: 1 + 2 cos is its trace.
    assert np.trace(first) == pytest.approx(1.0 + 2.0 * up[2], abs=4e-15)


@every_ball
def test_backward_reference_undoes_the_flow(ball):
    there = ball.run("reference", 0.1, 20.0)
    back = ball.at(there, -1).run("reference", 0.1, 20.0, backward=True)
    assert back.t[-1] == -20.0
    check_mirrored(there, back, 1e-11 * ball.condition)


# --- CS (2.6): the invariant measure; CS (2.5): the energy as printed ------------------------------------------------


def test_measure_of_the_flow_is_kept_exactly():
    """div(sqrt(F) field) = 0 in rational arithmetic, with the field of Newton and Euler on all of R^6."""
    omega, gamma = sympy.Matrix(sympy.symbols("w1:4")), sympy.Matrix(sympy.symbols("g1:4"))
    body = sympy.diag(sympy.Rational(7, 5), sympy.Rational(11, 9), sympy.Rational(8, 13))
    d = sympy.Rational(17, 4)
    # Off the sphere |gamma| = 1 any extension will do: the field is tangent to every sphere.
    about_contact = body + d * (sympy.eye(3) - gamma * gamma.T)
    rates = (about_contact.inv() * (body * omega).cross(omega)).col_join(gamma.cross(omega))
    weight = sympy.sqrt((gamma.T * body * (body + d * sympy.eye(3)).inv() * gamma)[0])
    unknowns = [*omega, *gamma]
    divergence = sum((rates[i] * weight).diff(unknowns[i]) for i in range(6)) / weight
    without = sum(rates[i].diff(unknowns[i]) for i in range(6))
    for direction in ((2, 3, 6), (-120, 300, 161), (1, -2, -2)):
        length = sympy.sqrt(sum(part**2 for part in direction))
        point = dict(zip(unknowns, (sympy.Rational(9, 10), -sympy.Rational(5, 7), 3), strict=False))
        point |= dict(zip(gamma, [part / length for part in direction], strict=True))
        assert divergence.subs(point) == 0
        assert without.subs(point) != 0


@pytest.mark.parametrize("name", ["default", "heavy"])
def test_measure_of_the_reference_flow(name):
    """The Jacobian of the flow on R^3 x S^2 has the determinant sqrt(F before / F after)."""
    ball, duration, size = BALLS[name], 2.5, 1e-3
    # An orthonormal basis at gamma, and central differences of order 4 in the five directions.
    basis = np.linalg.svd(ball.up[None])[2][1:]
    offsets, weights = np.array([-2, -1, 1, 2]) * size, np.array([1, -8, 8, -1]) / (12.0 * size)
    omegas = [np.array(ball.omega) + h * axis for axis in np.eye(3) for h in offsets] + [ball.omega] * 8
    gammas = [ball.up] * 12 + [ball.up + h * axis for axis in basis for h in offsets]
    starts = {f"omega{i + 1}": np.array(omegas)[:, i] for i in range(3)}
    starts |= {f"gamma{i + 1}": np.array(gammas)[:, i] for i in range(3)}
    many = nhviz.ensemble("sphere", "reference", ball.params, starts, duration, duration)
    ends = np.stack([many[f"{part}{i}"][:, -1] for part in ("omega", "gamma") for i in (1, 2, 3)], axis=1)
    columns = np.einsum("w,dwc->cd", weights, ends.reshape(5, 4, 6))
    middle = vectors(ball.run("reference", duration, duration), "gamma")[-1]
    columns = np.vstack([columns[:3], np.linalg.svd(middle[None])[2][1:] @ columns[3:]])

    def density(gamma):
        return np.sqrt(gamma @ np.linalg.solve(ball.inertia + ball.D * np.eye(3), ball.inertia @ gamma))

    expected = density(ball.up) / density(middle)
    assert abs(expected - 1.0) > 0.01
    # size^4 and 1e-12 / size, times the growth of the fifth derivatives over this time.
    assert abs(np.linalg.det(columns)) == pytest.approx(expected, rel=1e-7)


def test_energy_as_printed_is_not_kept():
    """CS (2.5) with its minus sign changes; with plus it is <K, omega>, and kept."""
    orbit = DEFAULT.run("reference", 0.1, 10.0)
    gamma, momenta = vectors(orbit, "gamma"), vectors(orbit, "K")
    inverse = 1.0 / (np.diag(DEFAULT.inertia) + DEFAULT.D)
    f = 1.0 - DEFAULT.D * np.sum(gamma**2 * inverse, axis=1)
    pull = DEFAULT.D / f * np.sum(gamma * inverse * momenta, axis=1) ** 2
    plain = np.sum(momenta**2 * inverse, axis=1)
    assert (plain - pull)[[0, -1]] == pytest.approx([3.661779, 4.034356], abs=6e-7)
    np.testing.assert_allclose(plain + pull, orbit.quantity("energy"), rtol=1e-13)
    np.testing.assert_allclose(plain + pull, (plain + pull)[0], rtol=1e-11)


# --- The map against the paper and against the discrete principle ----------------------------------------------------


def finite_rotations(orbit):
    """Omega of every step."""
    return turned(orbit["R"][:-1]) @ orbit["R"][1:]


def momenta_of_rotations(ball, rotations, gamma):
    """CS (4.13), as vectors."""
    vertical = gamma[..., :, None] * gamma[..., None, :]
    s = ball.J + 0.5 * ball.D * vertical
    back = turned(rotations)
    return vee(rotations @ s - s @ back + 0.5 * ball.D * (vertical @ rotations - back @ vertical))


@pytest.mark.parametrize("share", [0.05, 0.5, 0.75])
@every_ball
def test_every_step_satisfies_the_equations_of_the_paper(ball, share):
    step = share * ball.largest
    orbit = ball.run("fedorov", step, 400 * step)
    assert len(orbit) == 401
    check_equations_of_the_paper(ball, step, orbit)


@SETTINGS
@given(balls, st.floats(0.01, 0.999))
def test_every_step_of_any_ball_satisfies_the_equations_of_the_paper(ball, share):
    step = min(share * ball.largest, 100.0)
    orbit = ball.run("fedorov", step, 40 * step)
    assert len(orbit) > 1
    check_equations_of_the_paper(ball, step, orbit)


def check_equations_of_the_paper(ball, step, orbit):
    rotations, k, gamma = finite_rotations(orbit), step * vectors(orbit, "K"), vectors(orbit, "gamma")
    vertical = gamma[:, :, None] * gamma[:, None, :]
    # Omega has the round-off of two products of rotations; the momentum multiplies it by the masses.
    small = 1e-14 * (np.trace(ball.J) + ball.D)
    assert_within(momenta_of_rotations(ball, rotations, gamma[:-1]), k[:-1], small)
    # (4.12): both are carried by Omega.
    assert_within(hat(k[1:]), turned(rotations) @ hat(k[:-1]) @ rotations, small)
    assert_within(vertical[1:], turned(rotations) @ vertical[:-1] @ rotations, 1e-14)
    assert_within(gamma[1:], np.einsum("sji,sj->si", rotations, gamma[:-1]), 1e-14)
    # Remark 3.
    s = ball.J + 0.5 * ball.D * (vertical[:-1] + vertical[1:])
    assert_within(hat(k[:-1]), rotations @ s - s @ turned(rotations), small)
    assert_within(hat(k[1:]), s @ rotations - turned(rotations) @ s, small)
    # (5.2), with Euler parameters that make Omega.
    q0 = 0.5 * np.sqrt(1.0 + np.trace(rotations, axis1=1, axis2=2))
    q = vee(rotations - turned(rotations)) / (4.0 * q0[:, None])
    scalar_last = np.concatenate([q, q0[:, None]], axis=1)
    assert_within(Rotation.from_quat(scalar_last).as_matrix(), rotations, 1e-14)
    iq = q @ ball.inertia
    level = q - np.sum(gamma[:-1] * q, axis=1)[:, None] * gamma[:-1]
    found = 2.0 * (q0[:, None] * iq + np.cross(q, iq)) + 2.0 * ball.D * q0[:, None] * level
    assert_within(found, k[:-1], small / q0.min())
    # (4.9), for a vertical that points up: level, and rolling forward.
    about_space = orbit["R"][1:] @ turned(orbit["R"][:-1])
    rolled = 0.5 * ball.radius * (about_space - turned(about_space)) @ UP
    reach = np.max(np.abs(path(orbit))) + ball.radius
    assert_within(np.diff(path(orbit), axis=0), rolled, 1e-14 * reach)
    assert np.max(np.abs(rolled[:, 2])) < 1e-15 * ball.radius


@pytest.mark.parametrize("share", [0.1, 0.7])
@every_ball
def test_map_is_the_discrete_lagrange_d_alembert_principle(ball, share):
    """L = -Tr(R J R~^T) + (m/2)|dr|^2 is stationary along every virtual displacement that the rolling allows."""
    step = share * ball.largest
    orbit = ball.run("fedorov", step, 60 * step)
    attitudes, places = orbit["R"], path(orbit)
    assert len(orbit) > 20

    def rate_of_change(coefficient, k, turning):
        """The derivative of the two terms with the k-th configuration; L is linear in each attitude."""
        varied = attitudes[k] @ hat(turning)
        shift = ball.radius * np.cross(attitudes[k] @ turning, UP)
        turns = np.trace(attitudes[k - 1] @ ball.J @ varied.T) + np.trace(varied @ ball.J @ attitudes[k + 1].T)
        rolls = (places[k] - places[k - 1]) @ shift - (places[k + 1] - places[k]) @ shift
        return coefficient * turns + ball.mass * rolls

    rates = np.array(
        [[[rate_of_change(c, k, e) for e in np.eye(3)] for k in range(1, len(orbit) - 1)] for c in (-1.0, 0.5)]
    )
    reach = ball.mass * ball.radius * np.max(np.abs(places))
    assert np.max(np.abs(rates[0])) < 1e-14 * (np.trace(ball.J) + ball.D + reach)
    # The coefficient printed in CS (4.1) does not give the map.
    assert np.max(np.abs(rates[1])) > 1e-2 * share**2 * np.trace(ball.J)


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


@pytest.mark.parametrize("name", ["default", "unreal", "heavy"])
def test_every_step_takes_the_branch_that_grows_out_of_the_identity(name):
    ball = BALLS[name]
    step = 0.85 * ball.largest
    orbit = ball.run("fedorov", step, 25 * step)
    gamma, momenta = vectors(orbit, "gamma"), vectors(orbit, "K")
    for k, taken in enumerate(finite_rotations(orbit)):
        reached, rotation, determinant = principal_rotation(ball, gamma[k], momenta[k], step)
        assert reached == pytest.approx(step, rel=1e-9)
        assert determinant > 0.0
        # The condition of the rotation next to a fold: the inverse of the determinant, over that at the identity.
        loss = np.linalg.det(ball.about_contact(gamma[k])) / determinant
        assert_within(taken, rotation, 1e-9 * loss)


@every_ball
def test_a_run_may_be_cut_anywhere(ball):
    """The map depends on the state alone: a run from the middle of another one goes on as it does."""
    step = 0.6 * ball.largest
    whole = ball.run("fedorov", step, 200 * step)
    rest = ball.at(whole, 70).run("fedorov", step, 130 * step)
    turn = rest["R"][0] @ whole["R"][70].T
    # 130 steps, whose neighbours separate linearly, with a condition each.
    small = 1e-15 * 130**2 * ball.condition
    assert_within(vectors(rest, "gamma"), vectors(whole, "gamma")[70:], small)
    assert_within(rest["R"], turn @ whole["R"][70:], small)
    moved = (path(whole)[70:] - path(whole)[70]) @ turn.T
    assert_within(path(rest) - path(rest)[0], moved, small * ball.radius)


@every_ball
def test_every_keeps_each_kth_step(ball):
    fine, coarse = (ball.run("fedorov", 0.1, 20.0, every=every) for every in (1, 7))
    assert len(coarse) == 29
    for name in fine.components:
        assert np.array_equal(coarse[name], fine[name][::7])


# --- Order, integrals, energy ---------------------------------------------------------------------------------------


@every_ball
def test_order_two_in_everything(ball):
    duration = 3.0
    exact = ball.run("reference", duration, duration)
    errors = []
    for steps in (200, 400, 800):
        end = ball.run("fedorov", duration / steps, duration, every=steps)
        assert end.stopped is None
        errors.append([np.max(np.abs(end[name][-1] - exact[name][-1])) for name in ("gamma1", "gamma2", "x", "y", "R")])
    order = np.log2(np.array(errors[:-1]) / np.array(errors[1:]))
    # A symmetric map has only even powers of the step: the orders measured differ from 2 by (angle of a step)^2,
    # here about (0.02)^2, times a ratio of coefficients of order one to ten.
    assert_within(order, 2.0, 0.005)


@every_ball
def test_hundred_thousand_steps(ball):
    """Momenta and attitude to round-off with no growth; the energy oscillates and goes nowhere."""
    orbit = ball.run("fedorov", 0.1, 1e4)
    assert orbit.stopped is None
    assert len(orbit) == 100_001
    length = np.linalg.norm(ball.K)
    drifts = [(orbit.quantity("K_gamma") - ball.K @ ball.up) / length, orbit.quantity("K_K") / length**2 - 1.0]
    for drift in drifts:
        assert np.max(np.abs(drift)) < 5e-15
        # As large at the end as at the beginning.
        assert np.max(np.abs(drift[-25_000:])) < 2.0 * np.max(np.abs(drift[:25_000])) + 1e-15
    assert not_orthogonal(orbit) < 5e-15
    assert np.max(np.abs(np.einsum("sij,sj->si", orbit["R"], vectors(orbit, "gamma")) - UP)) < 5e-15
    energy = orbit.quantity("energy") / orbit.quantity("energy")[0] - 1.0
    band = np.ptp(energy)
    assert 1e-6 < band < 0.1
    # Its periods, some seconds, are below a thousandth of the run: means over a quarter agree, and a fitted slope
    # vanishes, to less than a hundredth of the band.
    assert abs(energy[:25_000].mean() - energy[-25_000:].mean()) < 0.01 * band
    assert abs(np.polyfit(np.linspace(0.0, 1.0, energy.size), energy, 1)[0]) < 0.01 * band


@every_ball
def test_energy_band_is_of_second_order(ball):
    bands = []
    for step in (0.04, 0.02):
        energy = ball.run("fedorov", step, 800.0).quantity("energy")
        bands.append(np.ptp(energy))
    # The runs meet the extremes of the band, which are flat, up to a few steps.
    assert bands[0] / bands[1] == pytest.approx(4.0, rel=0.01)


@pytest.mark.parametrize(
    ("step", "low", "high"),
    [
        (0.05, -1.3e-5, 3.3e-6),
        (0.1, -5.2e-5, 1.3e-5),
        (0.2, -2.1e-4, 5.4e-5),
        (0.4, -9.4e-4, 2.3e-4),
        (0.6, -2.8e-3, 5.5e-4),
    ],
)
def test_energy_bands_on_record(step, low, high):
    """The default ball, 20,000 steps; the numbers on record have two digits."""
    orbit = DEFAULT.run("fedorov", step, 20_000 * step)
    energy = orbit.quantity("energy") / orbit.quantity("energy")[0] - 1.0
    assert [energy.min(), energy.max()] == pytest.approx([low, high], rel=0.05)
    assert abs(energy[:5000].mean() - energy[-5000:].mean()) < 1e-3 * (high - low) + 1e-6


@pytest.mark.parametrize("share", [0.1, 0.6])
@every_ball
def test_vertical_momentum_keeps_one_more_integral(ball, share):
    """K = h gamma: <gamma, Lam^-1 gamma> is kept by the flow and by the map (CS Proposition 3)."""
    inverse = 1.0 / (np.diag(ball.inertia) + ball.D)
    ball = replace(ball, omega=tuple(1.3 * inverse * ball.up / (1.0 - ball.D * np.sum(inverse * ball.up**2))))
    np.testing.assert_allclose(ball.K, 1.3 * ball.up, rtol=1e-13 * ball.condition)
    step = share * ball.largest
    orbits = [ball.run("fedorov", step, 2000 * step), ball.run("reference", step, 100 * step)]
    for orbit in orbits:
        assert orbit.stopped is None
        gamma = vectors(orbit, "gamma")
        assert_within(vectors(orbit, "K"), 1.3 * gamma, 1e-13 * ball.condition)
        level = np.sum(gamma**2 * inverse, axis=1)
        assert np.ptp(gamma[:, 0]) > 0.02
        # Each of 2000 steps adds a unit of round-off.
        np.testing.assert_allclose(level, level[0], rtol=1e-15 * 2000 * ball.condition)


# --- Symmetries -----------------------------------------------------------------------------------------------------


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


@pytest.mark.parametrize("share", [0.05, 0.4, 0.75])
@every_ball
def test_backward_run_undoes_the_map(ball, share):
    step = share * ball.largest
    there = ball.run("fedorov", step, 300 * step)
    back = ball.at(there, -1).run("fedorov", step, 300 * step, backward=True)
    # Round-off of 300 steps; neighbours separate linearly.
    check_mirrored(there, back, 1e-15 * 300**2 * ball.condition)


@pytest.mark.parametrize("share", [0.3, 0.8, 0.97])
@every_ball
def test_reversed_rotation_solves_the_equation_of_the_next_point(ball, share):
    """Omega^T belongs to -K and gamma of the next point, on whatever branch: the equations are symmetric."""
    step = share * ball.largest
    orbit = ball.run("fedorov", step, 50 * step)
    found = momenta_of_rotations(ball, turned(finite_rotations(orbit)), vectors(orbit, "gamma")[1:])
    small = 1e-14 * (np.trace(ball.J) + ball.D)
    assert_within(found, -step * vectors(orbit, "K")[1:], small)


@pytest.mark.parametrize("method", ["fedorov", "reference"])
@every_ball
def test_turning_the_other_way_is_going_back_in_time(ball, method):
    """omega -> -omega, step -> -step: K changes its sign, everything else stays."""
    step = 0.5 * ball.largest
    back = ball.run(method, step, 100 * step, backward=True)
    other = replace(ball, omega=tuple(-part for part in ball.omega)).run(method, step, 100 * step)
    np.testing.assert_array_equal(back.t, -other.t)
    for name, sign in (("gamma", 1.0), ("omega", -1.0), ("K", -1.0)):
        assert_within(vectors(back, name), sign * vectors(other, name), 1e-10)
    assert_within(back["R"], other["R"], 1e-10)
    assert_within(path(back), path(other), 1e-10)


def check_same_motion(ball, changed, method, body, space, share=0.5):
    """The changed ball moves as the ball does, seen from other axes in the body (`body`) and in space (`space`).

    Vectors of the body go with `body`, and axial ones with its determinant too.
    """
    step = share * ball.largest
    first, second = (b.run(method, step, 100 * step) for b in (ball, changed))
    assert first.stopped is None
    # A hundred steps, and the reference's 2e-14 a step over its phase.
    small = 1e-12 * ball.condition
    axial = np.linalg.det(body) * body
    assert_within(vectors(second, "gamma"), vectors(first, "gamma") @ body.T, small)
    assert_within(vectors(second, "omega"), vectors(first, "omega") @ axial.T, 10.0 * small)
    scale = np.linalg.norm(ball.K)
    assert_within(vectors(second, "K"), vectors(first, "K") @ axial.T, small * scale)
    if space is None:
        # The start chooses the attitude; a turn about the vertical, or a mirror through it, is free.
        space = second["R"][0] @ body @ first["R"][0].T
        assert_within(space @ UP, UP, 1e-14)
    assert_within(second["R"], space @ first["R"] @ body.T, small)
    moved, expected = (path(orbit) - path(orbit)[0] for orbit in (second, first))
    assert_within(moved, expected @ space.T, small * (1.0 + np.max(np.abs(expected))))


@pytest.mark.parametrize("method", ["fedorov", "reference"])
@pytest.mark.parametrize(
    "axes",
    [
        np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]),
        np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]),
        np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]),
        np.diag([1.0, -1.0, -1.0]),
        np.diag([-1.0, -1.0, 1.0]),
        np.diag([-1.0, 1.0, 1.0]),
        np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]),
    ],
    ids=["cycle", "cycle back", "quarter turn", "half turn 1", "half turn 3", "mirror", "exchange"],
)
@every_ball
def test_axes_of_the_body_may_be_renamed_turned_and_mirrored(ball, axes, method):
    changed = replace(
        ball,
        mass_tensor=tuple(np.diag(axes @ ball.J @ axes.T)),
        gamma=tuple(axes @ ball.up),
        omega=tuple(np.linalg.det(axes) * axes @ np.array(ball.omega)),
    )
    check_same_motion(ball, changed, method, axes, None)


@pytest.mark.parametrize("method", ["fedorov", "reference"])
@every_ball
def test_turning_the_plane_over(ball, method):
    """gamma -> -gamma leaves omega and K as they are, and takes the path the other way."""
    step = 0.5 * ball.largest
    first, second = (b.run(method, step, 50 * step) for b in (ball, replace(ball, gamma=tuple(-ball.up))))
    small = 1e-12 * ball.condition
    assert_within(vectors(second, "gamma"), -vectors(first, "gamma"), small)
    assert_within(vectors(second, "omega"), vectors(first, "omega"), 10.0 * small)
    turn = second["R"][0] @ first["R"][0].T
    assert_within(turn @ UP, -UP, 1e-14)
    moved, expected = (path(orbit) - path(orbit)[0] for orbit in (second, first))
    assert_within(moved, -expected @ turn.T, small * (1.0 + np.max(np.abs(expected))))


@pytest.mark.parametrize("method", ["fedorov", "reference"])
@every_ball
def test_units_of_mass_length_and_time(ball, method):
    step, factor = 0.5 * ball.largest, 1.7
    tensor = np.array(ball.mass_tensor)
    heavier = replace(ball, mass_tensor=tuple(factor * tensor), mass=factor * ball.mass)
    longer = replace(ball, mass_tensor=tuple(factor**2 * tensor), radius=factor * ball.radius)
    # The same D with another radius: only the path is longer.
    wider = replace(ball, radius=factor * ball.radius, mass=ball.mass / factor**2)
    faster = replace(ball, omega=tuple(factor * np.array(ball.omega)))
    first = ball.run(method, step, 100 * step)
    assert first.stopped is None
    for changed, time, length, momentum in (
        (heavier, 1.0, 1.0, factor),
        (longer, 1.0, factor, factor**2),
        (wider, 1.0, factor, 1.0),
        (faster, factor, 1.0, factor),
    ):
        second = changed.run(method, step / time, 100 * step / time)
        small = 1e-12 * ball.condition
        assert_within(vectors(second, "gamma"), vectors(first, "gamma"), small)
        assert_within(vectors(second, "omega"), time * vectors(first, "omega"), 10.0 * small)
        assert_within(vectors(second, "K"), momentum * vectors(first, "K"), small * momentum * np.linalg.norm(ball.K))
        assert_within(second["R"], first["R"], small)
        moved, expected = (path(orbit) - path(orbit)[0] for orbit in (second, first))
        assert_within(moved, length * expected, small * (1.0 + np.max(np.abs(expected))))
        assert changed.largest == pytest.approx(ball.largest / time, rel=1e-8)


@every_ball
@pytest.mark.parametrize("method", ["fedorov", "reference"])
def test_the_plane_is_the_same_everywhere(ball, method):
    first, second = (replace(ball, place=place).run(method, 0.1, 5.0) for place in ((0.0, 0.0), (-700.0, 30.0)))
    assert_within(path(second) - path(second)[0], path(first), 1e-11)
    assert_within(second["R"], first["R"], 1e-11)


# --- Motions known in closed form ------------------------------------------------------------------------------------


@SETTINGS
@given(balls, st.floats(0.02, 0.98))
def test_homogeneous_ball_rolls_straight(ball, share):
    """Equal masses: omega is fixed in space. The map turns by arcsin(step |omega|) and rolls exactly as far."""
    ball = replace(ball, mass_tensor=(ball.mass_tensor[0],) * 3)
    speed = np.linalg.norm(ball.omega)
    step = share / speed
    assert ball.largest == pytest.approx(1.0 / speed, rel=1e-8)
    for method, angle in (("reference", share), ("fedorov", np.arcsin(share))):
        orbit = ball.run(method, step, 40 * step)
        assert orbit.stopped is None
        in_space = orbit["R"][0] @ np.array(ball.omega)
        # The map's equation is singular at share = 1; there its condition is 1 / cos(angle).
        small = 1e-12 * ball.condition / np.sqrt(1.0 - share**2)
        assert_within(np.einsum("sij,sj->si", orbit["R"], vectors(orbit, "omega")), [in_space] * 41, small * speed)
        velocity = ball.radius * np.cross(in_space, UP)
        expected = [*ball.place, 0.0] + orbit.t[:, None] * velocity
        assert_within(path(orbit), expected, small * (1.0 + np.max(np.abs(expected))))
        turns = Rotation.from_rotvec(np.arange(41)[:, None] * angle * in_space / speed).as_matrix()
        assert_within(orbit["R"], turns @ orbit["R"][0], small)


@pytest.mark.parametrize("vertical", [0, 1, 2])
@pytest.mark.parametrize("axis", [0, 1, 2])
@every_ball
def test_steady_turning_about_a_principal_axis(ball, vertical, axis):
    """About a vertical axis the ball spins on the spot; about a level one it rolls straight on."""
    speed, step = -1.3, 0.25
    ball = replace(ball, gamma=tuple(np.eye(3)[vertical]), omega=tuple(speed * np.eye(3)[axis]))
    assert ball.largest == pytest.approx(1.0 / abs(speed), rel=1e-8)
    for method, angle in (("reference", step * speed), ("fedorov", np.arcsin(step * speed))):
        orbit = ball.run(method, step, 40 * step)
        assert orbit.stopped is None
        # About the middle axis round-off grows by e^(speed t) at most.
        small = 1e-15 * np.exp(abs(speed) * 40 * step)
        assert_within(vectors(orbit, "omega"), [ball.omega] * 41, small)
        in_space = orbit["R"][0] @ np.eye(3)[axis]
        expected = [*ball.place, 0.0] + orbit.t[:, None] * speed * ball.radius * np.cross(in_space, UP)
        assert_within(path(orbit), expected, small * 40)
        assert (np.max(np.abs(path(orbit) - path(orbit)[0])) < 1e-9) == (axis == vertical)
        turns = Rotation.from_rotvec(np.arange(41)[:, None] * angle * in_space).as_matrix()
        assert_within(orbit["R"], turns @ orbit["R"][0], small)


@pytest.mark.parametrize(("method", "step"), [("fedorov", 100.0), ("fedorov", 1e-9), ("reference", 10.0)])
@every_ball
def test_a_ball_at_rest_stays_at_rest(ball, method, step):
    orbit = replace(ball, omega=(0.0, 0.0, 0.0)).run(method, step, 1000 * step)
    assert orbit.stopped is None
    assert len(orbit) == 1001
    for name in ("omega", "K"):
        assert not np.any(vectors(orbit, name))
    assert np.array_equal(path(orbit), [[*ball.place, 0.0]] * 1001)
    assert_within(vectors(orbit, "gamma"), [ball.up] * 1001, 4e-16)


# --- The fold, and runs that stop ------------------------------------------------------------------------------------


@settings(SETTINGS, max_examples=20)
@given(balls)
def test_largest_step_is_the_fold_of_the_principal_branch(ball):
    fold, rotation, determinant = principal_rotation(ball, ball.up, ball.K)
    size = np.linalg.det(ball.about_contact(ball.up))
    assert abs(determinant) < 1e-6 * size
    # At the fold the step is stationary along the branch: its error is the square of that of the rotation.
    assert_within(momenta_of_rotations(ball, rotation, ball.up), fold * ball.K, 1e-9 * fold * np.linalg.norm(ball.K))
    # nhviz ends its own search at 1e-9 of the step.
    assert ball.largest == pytest.approx(fold, rel=1e-8)
    if fold > 99.0:
        return
    below, above = (ball.run("fedorov", (1.0 + sign * 1e-6) * fold, (1.0 + sign * 1e-6) * fold) for sign in (-1, 1))
    assert len(below) == 2
    assert len(above) == 1
    assert "before the first step is complete:" in above.stopped
    # A relative distance of 1e-6 in the step is one of about 1e-3 in the rotation.
    assert_within(finite_rotations(below)[0], rotation, 0.02)
    found = momenta_of_rotations(ball, finite_rotations(below)[0], ball.up)
    assert_within(found, (1.0 - 1e-6) * fold * ball.K, 1e-13 * (np.trace(ball.J) + ball.D))
    # The other way round, from nhviz's fold: the determinant of dK/dOmega falls to zero like a square root.
    falling = []
    for distance in (1e-4, 1e-6):
        step = (1.0 - distance) * ball.largest
        taken = finite_rotations(ball.run("fedorov", step, step))[0]
        falling.append(np.linalg.det(momentum_derivative(ball, taken, ball.up)))
    assert falling[1] > 0.0
    assert falling[0] / falling[1] == pytest.approx(10.0, rel=0.1)


@every_ball
def test_a_run_that_stops_says_where_and_why(ball):
    """Next to the fold a run ends within a few steps; what it has is kept."""
    seen = 0
    for share in (0.9, 0.93, 0.95, 0.97, 0.98, 0.99, 1.01, 3.0):
        step = share * ball.largest
        orbit = ball.run("fedorov", step, 500 * step)
        if share < 1.0 and orbit.stopped is None:
            continue
        seen += 1
        assert "\n" not in orbit.stopped
        words = orbit.stopped.rstrip(".").split()
        # The steps taken, the step and the largest one at the last point: it is shorter than the step.
        assert f"no real branch {after(len(orbit) - 1)}:" in orbit.stopped
        assert f"with step {step:.6g};" in orbit.stopped
        largest = ball.at(orbit, -1).largest
        assert float(words[-1]) == pytest.approx(largest, rel=1e-5)
        assert largest < step * (1.0 + 1e-9)
        for before in range(len(orbit) - 1):
            assert ball.at(orbit, before).largest > step * (1.0 - 1e-9)
        # Every k-th step: as many samples as were reached.
        sparse = ball.run("fedorov", step, 500 * step, every=3)
        assert len(sparse) == (len(orbit) - 1) // 3 + 1
        assert sparse.stopped == orbit.stopped
        assert np.array_equal(sparse["R"], orbit["R"][::3])
    assert seen >= 3


def test_ensemble_with_orbits_that_stop():
    speeds = np.array([0.4, 3.0, 0.9, 1.15, 30.0])
    step, ball = 0.6, DEFAULT
    many = nhviz.ensemble("sphere", "fedorov", ball.params, {"omega1": speeds}, step, 60.0)
    assert {reason is None for reason in many.stopped} == {True, False}
    for i, speed in enumerate(speeds):
        alone = replace(ball, omega=(speed, *ball.omega[1:])).run("fedorov", step, 60.0)
        assert many.stopped[i] == alone.stopped
        assert many.lengths[i] == len(alone)
        assert (alone.stopped is None) == (len(alone) == 101)
        for name, values in alone.components.items():
            assert np.array_equal(many[name][i, : len(alone)], values)
            # What comes after the end holds the last point.
            assert np.all(many[name][i, len(alone) :] == values[-1])
            assert np.array_equal(many.run(i)[name], values)


def test_ensemble_is_its_single_runs_with_and_without_the_attitude():
    rng = np.random.default_rng(3)
    starts = {f"{part}{i}": rng.normal(size=6) for part in ("gamma", "omega") for i in (1, 2, 3)}
    for method in ("fedorov", "reference"):
        whole = nhviz.ensemble("sphere", method, initial=starts, step=0.1, duration=3.0)
        plain = nhviz.ensemble("sphere", method, initial=starts, step=0.1, duration=3.0, skip=("R",))
        assert "R" not in plain.components
        for i in range(6):
            start = {name: float(values[i]) for name, values in starts.items()}
            alone = nhviz.simulate("sphere", method, None, start, 0.1, 3.0)
            for name, values in alone.components.items():
                assert np.array_equal(whole[name][i], values)
                assert name == "R" or np.array_equal(plain[name][i], values)
