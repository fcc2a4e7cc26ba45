"""The flows of the Suslov top and the Chaplygin sleigh, derived anew with sympy's Kane method.

Nothing of nhviz enters the expected values: Kane's method gets a rigid body, its inertia, its velocity
constraint and nothing else. The momenta are derivatives of the kinetic energy.
"""

from functools import cache

import numpy as np
import pytest
import sympy
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sympy.physics.mechanics import KanesMethod, Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

import nhviz
from nhviz.simulate import run as simulate_problem
from nhviz.systems import sleigh, suslov
from tests.strategies import log_uniform

SETTINGS = settings(max_examples=100, deadline=None, derandomize=True, database=None)

# Weights of the central difference of order 8, offsets 1, 2, 3, 4.
CENTRAL = (4 / 5, -1 / 5, 4 / 105, -1 / 280)


@cache
def suslov_by_kane():
    """(u', v') as a function of u, v, I11, I22, I33, I13, I23."""
    angles, speeds = dynamicsymbols("q1:4"), dynamicsymbols("w1:4")
    i11, i22, i33, i13, i23 = sympy.symbols("I11 I22 I33 I13 I23")
    space, body, fixed = ReferenceFrame("N"), ReferenceFrame("B"), Point("O")
    body.orient_body_fixed(space, angles, "XYZ")
    rates = body.ang_vel_in(space)
    kinematic = [speed - rates.dot(axis) for speed, axis in zip(speeds, body, strict=True)]
    body.set_ang_vel(space, sum((s * axis for s, axis in zip(speeds, body, strict=True)), 0 * body.x))
    fixed.set_vel(space, 0)
    tensor = inertia(body, i11, i22, i33, 0, i23, i13)
    # The mass plays no part: the body turns about its mass centre, which does not move.
    top = RigidBody("top", fixed, body, sympy.Symbol("m"), (tensor, fixed))
    method = KanesMethod(
        space,
        q_ind=angles,
        u_ind=speeds[:2],
        u_dependent=speeds[2:],
        kd_eqs=kinematic,
        velocity_constraints=[speeds[2]],
    )
    method.kanes_equations([top], [])
    solution = method.mass_matrix.LUsolve(method.forcing).subs(speeds[2], 0)
    return sympy.lambdify((*speeds[:2], i11, i22, i33, i13, i23), list(solution[:2]))


@cache
def sleigh_by_kane():
    """Functions of (omega, v, J, m, a, b): accelerations (omega', v'), and momenta (p_theta, p_1, p_2)."""
    theta, x, y, omega, along, across = dynamicsymbols("theta x y omega v w")
    spin, mass, a, b = sympy.symbols("J m a b")
    space, body = ReferenceFrame("N"), ReferenceFrame("B")
    body.orient_axis(space, theta, space.z)
    body.set_ang_vel(space, omega * space.z)
    contact, centre = Point("contact"), Point("C")
    contact.set_vel(space, along * body.x + across * body.y)
    centre.set_pos(contact, a * body.x + b * body.y)
    centre.v2pt_theory(contact, space, body)
    # Acceleration of the mass centre follows from its velocity expressed in the turning frame.
    sledge = RigidBody("sledge", centre, body, mass, (inertia(body, 0, 0, spin), centre))
    cosine, sine = sympy.cos(theta), sympy.sin(theta)
    kinematic = [
        theta.diff() - omega,
        x.diff() - along * cosine + across * sine,
        y.diff() - along * sine - across * cosine,
    ]
    method = KanesMethod(
        space,
        q_ind=[theta, x, y],
        u_ind=[omega, along],
        u_dependent=[across],
        kd_eqs=kinematic,
        velocity_constraints=[across],
    )
    method.kanes_equations([sledge], [])
    solution = method.mass_matrix.LUsolve(method.forcing).subs(across, 0)
    energy = sledge.kinetic_energy(space)
    momenta = [energy.diff(speed).subs(across, 0) for speed in (omega, along, across)]
    arguments = (omega, along, spin, mass, a, b)
    return sympy.lambdify(arguments, list(solution[:2])), sympy.lambdify(arguments, momenta)


@st.composite
def tensors(draw):
    """Positive definite tensors over the declared range, real bodies or not."""
    i11, i22 = draw(log_uniform(0.01, 100.0)), draw(log_uniform(0.01, 100.0))
    i33 = draw(log_uniform(0.01, 1000.0))
    part, angle = draw(st.floats(0.0, 0.99)), draw(st.floats(0.0, 2.0 * np.pi))
    i13 = float(part * np.cos(angle) * np.sqrt(i11 * i33))
    i23 = float(part * np.sin(angle) * np.sqrt(i22 * i33))
    assume(abs(i13) <= 100.0 and abs(i23) <= 100.0)
    return {"I11": i11, "I22": i22, "I33": i33, "I13": i13, "I23": i23}


@st.composite
def bodies(draw):
    """Sleighs with a general centre of mass."""
    return {
        "J": draw(log_uniform(0.01, 100.0)),
        "m": draw(log_uniform(0.01, 100.0)),
        # Offsets below 1e-300 have their own test.
        "a": draw(st.one_of(st.just(0.0), st.floats(1e-9, 5.0), st.floats(-5.0, -1e-9))),
        "b": draw(st.floats(-5.0, 5.0)),
    }


def derivative(values, step):
    """Derivative of the middle of nine equidistant samples (axis 0)."""
    return sum(w * (values[4 + k] - values[4 - k]) for k, w in enumerate(CENTRAL, start=1)) / step


def field_value(system, state, parameters):
    rates = np.zeros(len(state))
    system.field(np.array(state, dtype=float), np.array(parameters, dtype=float), rates)
    return rates


@SETTINGS
@given(tensors(), st.floats(-50.0, 50.0), st.floats(-50.0, 50.0))
def test_suslov_field_is_kanes(tensor, u, v):
    rates = suslov_by_kane()(u, v, *(tensor[name] for name in ("I11", "I22", "I33", "I13", "I23")))
    quaternion = np.array([0.5, -0.1, 0.7, 0.3])
    state = [tensor["I11"] * u, tensor["I22"] * v, *quaternion]
    found = field_value(suslov, state, [tensor[name] for name in ("I11", "I22", "I13", "I23")])
    # Round-off of products of four numbers; k may cancel, hence the scale uses its terms.
    k_size = abs(tensor["I13"] * u) + abs(tensor["I23"] * v)
    assert abs(found[0] - tensor["I11"] * rates[0]) <= 1e-13 * k_size * abs(v) + 1e-290
    assert abs(found[1] - tensor["I22"] * rates[1]) <= 1e-13 * k_size * abs(u) + 1e-290
    # q' = q (0, u, v, 0) / 2, by the quaternion product.
    scalar, vector, omega = quaternion[0], quaternion[1:], np.array([u, v, 0.0])
    expected = 0.5 * np.array([-vector @ omega, *(scalar * omega + np.cross(vector, omega))])
    np.testing.assert_allclose(found[2:], expected, atol=1e-14 * (abs(u) + abs(v)))


@SETTINGS
@given(bodies(), st.floats(-5.0, 5.0), st.floats(-5.0, 5.0), st.floats(-7.0, 7.0))
def test_sleigh_field_is_kanes(body, omega, v, theta):
    arguments = (omega, v, *(body[name] for name in ("J", "m", "a", "b")))
    accelerate, momenta_of = sleigh_by_kane()
    d_omega, d_v = accelerate(*arguments)
    p_theta, p_1, _ = momenta_of(*arguments)
    found = field_value(sleigh, [theta, 0.3, -0.2, p_theta, p_1], [body[name] for name in ("J", "m", "a", "b")])
    j, m, a, b = (body[name] for name in ("J", "m", "a", "b"))
    # The momenta are linear in (omega, v) along the constraint: their rates are those of the accelerations.
    expected = momenta_of(d_omega, d_v, j, m, a, b)
    reach = abs(a) + abs(b)
    speed = abs(v) + reach * abs(omega)
    # The terms that cancel in p_theta + b p_1 have the size m reach speed, over A.
    total = j + m * a * a
    condition = 1.0 + m * reach * speed * (1.0 + reach) / total
    small = 1e-13 * condition * (1.0 + abs(omega)) * (speed + abs(omega)) * (1.0 + m * (1.0 + reach) ** 2 + j)
    assert abs(found[0] - omega) <= small
    assert abs(found[1] - v * np.cos(theta)) <= small * (1.0 + 1.0 / m)
    assert abs(found[2] - v * np.sin(theta)) <= small * (1.0 + 1.0 / m)
    assert abs(found[3] - expected[0]) <= small * (1.0 + m * reach * (speed + 1.0))
    assert abs(found[4] - expected[1]) <= small * (1.0 + m * reach * (abs(omega) + 1.0))


def suslov_scale(tensor, m1, m2):
    """(largest angular velocity on the energy ellipse, rate of the connection)."""
    radius = np.hypot(m1 / tensor["I11"] ** 0.5, m2 / tensor["I22"] ** 0.5)
    fastest = radius / min(tensor["I11"], tensor["I22"]) ** 0.5
    kappa = np.hypot(tensor["I13"] / tensor["I11"] ** 0.5, tensor["I23"] / tensor["I22"] ** 0.5)
    return fastest, radius * kappa / (tensor["I11"] * tensor["I22"]) ** 0.5


@pytest.mark.parametrize("method", ["exact", "reference"])
@SETTINGS
@given(tensors(), st.floats(-100.0, 100.0), st.floats(-100.0, 100.0))
def test_suslov_runs_accelerate_as_kane_says(method, tensor, m1, m2):
    assume(np.hypot(m1, m2) > 1e-2)
    fastest, rate = suslov_scale(tensor, m1, m2)
    step = 0.03 / (fastest + rate)
    assume(1e-8 < step < 50.0)
    run = nhviz.simulate(
        "suslov", method=method, params=tensor, initial={"M1": m1, "M2": m2}, step=step, duration=8 * step
    )
    assert run.stopped is None
    u, v = run["u"][4], run["v"][4]
    np.testing.assert_allclose([run["u"], run["v"]], [run["M1"] / tensor["I11"], run["M2"] / tensor["I22"]], rtol=1e-14)
    rates = suslov_by_kane()(u, v, *(tensor[name] for name in ("I11", "I22", "I33", "I13", "I23")))
    # Order 8 at a step of 0.03 time scales leaves 0.03^8 f^(9)/630 (f^(9) <= 1e4 here), and the
    # reference's own 2e-14 per unit over a step of 0.03 leaves 1e-12 of the rate.
    momentum = np.hypot(m1, m2) + (2.0 * max(tensor["I11"], tensor["I22"])) ** 0.5 * fastest
    unit = fastest + rate
    assert (
        abs(derivative(run["u"], step) - rates[0]) <= 3e-10 * fastest * unit + 1e-11 * unit * momentum / tensor["I11"]
    )
    assert (
        abs(derivative(run["v"], step) - rates[1]) <= 3e-10 * fastest * unit + 1e-11 * unit * momentum / tensor["I22"]
    )
    turning = run["R"][4].T @ derivative(run["R"], step)
    expected = np.array([[0.0, 0.0, v], [0.0, 0.0, -u], [-v, u, 0.0]])
    np.testing.assert_allclose(turning, expected, atol=3e-10 * unit)
    products = abs(tensor["I13"]) + abs(tensor["I23"])
    np.testing.assert_allclose(
        run["M3"], tensor["I13"] * run["u"] + tensor["I23"] * run["v"], atol=1e-14 * products * fastest
    )


def sleigh_scale(body, p_theta, p_1):
    """(A, sqrt(2 E), largest angular velocity, largest speed along the blade)."""
    total = body["J"] + body["m"] * body["a"] ** 2
    radius = np.hypot((p_theta + body["b"] * p_1) / total**0.5, p_1 / body["m"] ** 0.5)
    fastest = radius / total**0.5
    return total, radius, fastest, radius / body["m"] ** 0.5 + abs(body["b"]) * fastest


@pytest.mark.parametrize("method", ["exact", "reference"])
@SETTINGS
@given(bodies(), st.floats(-10.0, 10.0), st.floats(-10.0, 10.0), st.floats(-3.0, 3.0))
def test_sleigh_runs_accelerate_as_kane_says(method, body, p_theta, p_1, theta):
    assume(np.hypot(p_theta, p_1) > 1e-2)
    total, radius, fastest, speed = sleigh_scale(body, p_theta, p_1)
    beta = abs(body["a"]) * body["m"] ** 0.5 * radius / total
    unit = fastest + beta
    step = 0.03 / unit
    assume(1e-8 < step < 50.0)
    start = {"theta": theta, "x": 0.4, "y": -0.7, "p_theta": p_theta, "p_1": p_1}
    run = nhviz.simulate("sleigh", method=method, params=body, initial=start, step=step, duration=8 * step)
    assert run.stopped is None
    omega, v = run["omega"][4], run["v"][4]
    arguments = (omega, v, *(body[name] for name in ("J", "m", "a", "b")))
    accelerate, momenta_of = sleigh_by_kane()
    d_omega, d_v = accelerate(*arguments)
    momentum = abs(p_theta) + abs(p_1) * (1.0 + abs(body["b"])) + radius * (total**0.5 + body["m"] ** 0.5) + 1.0
    reach = 1.0 + abs(body["a"]) + abs(body["b"])
    # As above; omega and v come from the momenta, whose relative errors grow by momentum * reach / (A omega).
    loss = 1e-12 * momentum * reach * (1.0 / total + (1.0 / body["m"]) * reach)
    assert abs(derivative(run["omega"], step) - d_omega) <= unit * (3e-10 * fastest + loss)
    assert abs(derivative(run["v"], step) - d_v) <= unit * (3e-10 * speed + loss)
    np.testing.assert_allclose(
        [run["p_theta"][4], run["p_1"][4], run["p_2"][4]], momenta_of(*arguments), atol=1e-13 * momentum * reach**2
    )
    path = unit * (3e-10 * (speed / unit + 1.0) + 1e-12) + loss
    assert abs(derivative(run["theta"], step) - omega) <= 3e-10 * unit + loss
    assert abs(derivative(run["x"], step) - v * np.cos(run["theta"][4])) <= path
    assert abs(derivative(run["y"], step) - v * np.sin(run["theta"][4])) <= path


@SETTINGS
@given(tensors(), st.floats(-100.0, 100.0), st.floats(-100.0, 100.0), st.booleans())
def test_exact_suslov_is_the_reference(tensor, m1, m2, backward):
    assume(np.hypot(m1, m2) > 1e-2)
    fastest, rate = suslov_scale(tensor, m1, m2)
    # About ten time constants of the connection, but no more than 100 radians.
    duration = min(10.0 / max(rate, 1e-9), 100.0 / fastest)
    assume(1e-6 < duration < 6e3)
    runs = [
        simulate_problem(
            nhviz.Problem.create("suslov", method, tensor, {"M1": m1, "M2": m2}, duration / 64, duration), backward
        )
        for method in ("exact", "reference")
    ]
    exact, reference = runs
    assert exact.stopped is None
    assert reference.stopped is None
    assert len(exact) == len(reference) == 65
    radius = np.hypot(m1 / tensor["I11"] ** 0.5, m2 / tensor["I22"] ** 0.5)
    for name, moment in (("M1", "I11"), ("M2", "I22")):
        np.testing.assert_allclose(exact[name], reference[name], atol=1e-10 * (1.0 + radius * tensor[moment] ** 0.5))
    np.testing.assert_allclose(exact["R"], reference["R"], atol=1e-10 * (1.0 + fastest * duration))
    assert np.max(exact.quantity("orthogonality")) < 1e-13


@SETTINGS
@given(bodies(), st.floats(-10.0, 10.0), st.floats(-10.0, 10.0), st.floats(-3.0, 3.0), st.booleans())
def test_exact_sleigh_is_the_reference(body, p_theta, p_1, theta, backward):
    assume(np.hypot(p_theta, p_1) > 1e-2)
    total, radius, fastest, speed = sleigh_scale(body, p_theta, p_1)
    beta = abs(body["a"]) * body["m"] ** 0.5 * radius / total
    duration = min(20.0 / max(beta, 1e-9), 100.0 / fastest)
    assume(1e-6 < duration < 6e3)
    start = {"theta": theta, "x": 0.4, "y": -0.7, "p_theta": p_theta, "p_1": p_1}
    exact, reference = [
        simulate_problem(nhviz.Problem.create("sleigh", method, body, start, duration / 64, duration), backward)
        for method in ("exact", "reference")
    ]
    assert exact.stopped is None
    assert reference.stopped is None
    assert len(exact) == len(reference) == 65
    momentum = 1.0 + radius * (total**0.5 + body["m"] ** 0.5 * (1.0 + abs(body["b"])))
    # A start next to the equilibrium line has an ill-conditioned phase: round-off of p_theta + b p_1
    # over its size is stretched along the whole connection.
    assume(abs(p_theta + body["b"] * p_1) > 1e-3 * radius * total**0.5)
    for name in ("p_theta", "p_1"):
        np.testing.assert_allclose(exact[name], reference[name], atol=1e-10 * momentum)
    turn = 1.0 + fastest * duration
    np.testing.assert_allclose(exact["theta"], reference["theta"], atol=1e-10 * turn)
    for name in ("x", "y"):
        np.testing.assert_allclose(exact[name], reference[name], atol=1e-10 * (1.0 + speed * duration) * turn)


def test_total_turn_and_single_cusp():
    """pi sqrt(1 + J/(m a^2)) between the asymptotes, and v = 0 once on the line of the spec."""
    body = {"J": 1.7, "m": 0.6, "a": -0.8, "b": 0.35}
    start = {"theta": 0.2, "p_theta": 0.9, "p_1": 0.4}
    total, radius, _, _ = sleigh_scale(body, start["p_theta"], start["p_1"])
    beta = abs(body["a"]) * body["m"] ** 0.5 * radius / total
    problem = nhviz.Problem.create("sleigh", "exact", body, start, 0.01 / beta, 40.0 / beta)
    forward, backward = simulate_problem(problem), simulate_problem(problem, backward=True)
    turn = abs(forward["theta"][-1] - backward["theta"][-1])
    # Both ends are e^-39 from their limits.
    assert turn == pytest.approx(np.pi * np.sqrt(1.0 + body["J"] / (body["m"] * body["a"] ** 2)), rel=1e-12)
    v = np.concatenate([backward["v"][::-1], forward["v"][1:]])
    p_theta = np.concatenate([backward["p_theta"][::-1], forward["p_theta"][1:]])
    p_1 = np.concatenate([backward["p_1"][::-1], forward["p_1"][1:]])
    line = body["m"] * body["b"] * p_theta + (body["J"] + body["m"] * (body["a"] ** 2 + body["b"] ** 2)) * p_1
    assert np.count_nonzero(np.diff(np.sign(v))) == 1
    np.testing.assert_allclose(line, body["m"] * total * v, atol=1e-12)


@pytest.mark.parametrize("method", ["exact", "reference"])
def test_balanced_sleigh_runs_on_a_circle(method):
    body = {"J": 1.3, "m": 0.7, "a": 0.0, "b": 0.4}
    run = nhviz.simulate(
        "sleigh",
        method=method,
        params=body,
        initial={"theta": 0.3, "p_theta": 1.1, "p_1": -0.6},
        step=0.05,
        duration=20.0,
    )
    omega = (1.1 + 0.4 * -0.6) / 1.3
    v = -0.6 / 0.7 + 0.4 * omega
    centre = np.array([-np.sin(0.3), np.cos(0.3)]) * v / omega
    distance = np.hypot(run["x"] - centre[0], run["y"] - centre[1])
    np.testing.assert_allclose(distance, abs(v / omega), rtol=1e-11)
    np.testing.assert_allclose(run["theta"], 0.3 + omega * run.t, rtol=1e-11)


def test_cp_example_is_hyperbolic():
    """I = [[1,0,0],[0,1,1],[0,1,2]] from (0, 1, 1): (-tanh t, sech t, sech t)."""
    tensor = {"I11": 1.0, "I22": 1.0, "I33": 2.0, "I13": 0.0, "I23": 1.0}
    for method in ("exact", "reference"):
        run = nhviz.simulate(
            "suslov", method=method, params=tensor, initial={"M1": 0.0, "M2": 1.0}, step=0.1, duration=8.0
        )
        np.testing.assert_allclose(run["M1"], -np.tanh(run.t), atol=1e-12)
        np.testing.assert_allclose(run["M2"], 1.0 / np.cosh(run.t), atol=1e-12)
        np.testing.assert_allclose(run["M3"], 1.0 / np.cosh(run.t), atol=1e-12)


@pytest.mark.parametrize("a", [5e-324, 1e-310, 1e-200, 1e-100, 1e-12])
def test_exact_sleigh_with_a_vanishing_offset_is_the_circle(a):
    """As a -> 0 the path tends to that of a = 0, and no run returns NaN."""
    start = {"theta": 0.3, "p_theta": 1.1, "p_1": -0.6}
    runs = [
        nhviz.simulate("sleigh", method="exact", params={"a": offset, "b": 0.4}, initial=start, step=0.1, duration=2.0)
        for offset in (a, 0.0)
    ]
    for name in ("theta", "x", "y", "p_theta", "p_1"):
        np.testing.assert_allclose(runs[0][name], runs[1][name], atol=1e-11)
