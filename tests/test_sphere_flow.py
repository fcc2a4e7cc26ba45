"""The flow of the Chaplygin sphere against Kane's method, and against Newton's and Euler's laws.

Nothing of nhviz enters the expected values: the contact force is eliminated, the measure and the energy are CS's.
"""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
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
from tests.balls import (
    BALLS,
    DEFAULT,
    UP,
    assert_within,
    balls,
    check_mirrored,
    every_ball,
    hat,
    not_orthogonal,
    path,
    vectors,
)

SETTINGS = settings(max_examples=40, deadline=None, derandomize=True, database=None)
# Weights of the central difference of order 8, offsets 1, 2, 3, 4.
CENTRAL = (4 / 5, -1 / 5, 4 / 105, -1 / 280)


def derivative(values, step):
    """Derivative at the middle of nine equidistant samples (axis 0)."""
    return sum(w * (values[4 + k] - values[4 - k]) for k, w in enumerate(CENTRAL, start=1)) / step


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
