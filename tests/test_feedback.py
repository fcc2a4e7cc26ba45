"""Feedback integrators: gradients, extended fields, motions, orders, bounds, golden numbers and bad input.

Expected values come from mass matrices, constraint forms and potentials alone, from closed forms in many digits, or
from the runs recorded in the specification (section E); nothing of nhviz enters them.
"""

import dataclasses
import re
from types import SimpleNamespace

import mpmath
import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import nhviz
from nhviz import registry
from nhviz.analysis.convergence import convergence
from nhviz.methods import feedback
from nhviz.system import Task
from nhviz.systems import heisenberg, knife_edge, oscillator, roller_racer, rolling_disk, sleigh, suslov
from tests.strategies import initial as any_start
from tests.strategies import spread, suslov_params
from tests.strategies import values as any_values

SETTINGS = settings(max_examples=25, deadline=None, derandomize=True, database=None)

# Weights of the central difference of order 8, offsets 1, 2, 3, 4.
CENTRAL = (4 / 5, -1 / 5, 4 / 105, -1 / 280)
EULER, RK4 = 2.0, 2.785293563405282
TINY = 1e-30

KNIFE = {"m": 1.7, "J": 0.6, "g": 2.3, "alpha": 0.7}
DISK = {"m": 1.3, "R": 0.7, "I": 0.45, "J": 0.31}
RACER = {"m": 1.4, "I1": 0.9, "I2": 0.35, "d1": 1.2, "d2": 0.45}
TOP = {"I11": 1.3, "I22": 2.1, "I33": 2.9, "I13": 0.8, "I23": -0.6}
SLEDGE = {"J": 0.8, "m": 1.6, "a": 0.7, "b": -0.4}
CP_TOP = {"I11": 1.0, "I22": 1.0, "I33": 2.0, "I13": 0.0, "I23": 1.0}

EXTENSIONS = {
    "suslov": (suslov.EXTENSION, TOP),
    "sleigh": (sleigh.EXTENSIONS["angle"], SLEDGE),
    "sleigh matrix": (sleigh.EXTENSIONS["matrix"], SLEDGE),
    "knife_edge": (knife_edge.EXTENSION, KNIFE),
    "rolling_disk": (rolling_disk.EXTENSION, DISK),
    "roller_racer": (roller_racer.EXTENSION, RACER),
    "heisenberg": (heisenberg.EXTENSION, {}),
    "oscillator": (oscillator.EXTENSION, {}),
}
SIZES = {
    "suslov": 12,
    "sleigh": 6,
    "sleigh matrix": 10,
    "knife_edge": 6,
    "rolling_disk": 8,
    "roller_racer": 8,
    "heisenberg": 6,
    "oscillator": 6,
}


def within(found, expected, size):
    np.testing.assert_allclose(found, expected, rtol=0, atol=size)


def values_of(extension, p, y):
    """The conserved functions at a state, complex or real, by the uncompiled function."""
    values = np.zeros(len(extension.gains), dtype=y.dtype)
    extension.conserved(y, p, values, np.zeros((values.size, y.size), dtype=y.dtype))
    return values


def complex_gradient(function, y):
    """Gradient (functions, variables) of analytic functions by the complex step: exact to round-off."""
    steps = 1j * TINY * np.eye(y.size)
    return np.stack([np.imag(function(y + step)) / TINY for step in steps], axis=-1)


def field_of(extension, p, y):
    rates = np.zeros(y.size, dtype=y.dtype)
    extension.field(y, p, rates)
    return rates


def generic_points(name, count=40):
    """Random states that satisfy no constraint, R not orthogonal."""
    return np.random.default_rng(sum(map(ord, name))).uniform(-1.5, 1.5, (count, SIZES[name]))


# --- Mechanics from mass matrices and constraint forms ---------------------------------------------------------------


def knife_model(params):
    drop = params["g"] * np.sin(params["alpha"])
    return SimpleNamespace(
        mass=np.diag([params["m"], params["m"], params["J"]]),
        forms=lambda q: np.array([[np.sin(q[2]), -np.cos(q[2]), 0.0 * q[2]]]),
        potential=lambda q: -params["m"] * drop * q[0],
        state=lambda q, p: np.array([*q, *p]),
        split=lambda y: (y[:3], y[3:]),
        kept=2,
    )


def turned(angle, x, y):
    """Momentum along and across a heading."""
    return x * np.cos(angle) + y * np.sin(angle), y * np.cos(angle) - x * np.sin(angle)


def disk_model(params):
    def forms(q):
        c, s, o = np.cos(q[0]), np.sin(q[0]), 0.0 * q[0]
        return np.array([[o, -s, c, o], [o, c, s, o - params["R"]]])

    return SimpleNamespace(
        mass=np.diag([params["J"], params["m"], params["m"], params["I"]]),
        forms=forms,
        potential=lambda q: 0.0 * q[0],
        state=lambda q, p: np.array([*q, p[0], *turned(q[0], p[1], p[2]), p[3]]),
        split=lambda y: (y[:4], np.array([y[4], *turned(-y[0], y[5], y[6]), y[7]])),
        kept=None,
    )


def racer_model(params):
    """Rear axle at (x, y), hinge d1 ahead, front axle d2 from the hinge at the angle theta + phi."""
    m, i1, i2, d1, d2 = (params[name] for name in ("m", "I1", "I2", "d1", "d2"))
    mass = np.diag([i1 + i2, m, m, i2])
    mass[0, 3] = mass[3, 0] = i2

    def forms(q):
        front, o = q[0] + q[3], 0.0 * q[0]
        # Velocity of the front axle across its wheels, term by term; that of the rear axle across its own.
        return np.array(
            [
                [d1 * np.cos(q[3]) + d2, -np.sin(front), np.cos(front), o + d2],
                [o, -np.sin(q[0]), np.cos(q[0]), o],
            ]
        )

    return SimpleNamespace(
        mass=mass,
        forms=forms,
        potential=lambda q: 0.0 * q[0],
        state=lambda q, p: np.array([*q, p[0], *turned(q[0], p[1], p[2]), p[3]]),
        split=lambda y: (y[:4], np.array([y[4], *turned(-y[0], y[5], y[6]), y[7]])),
        kept=2,
    )


def particle_model(forms, potential, kept):
    return SimpleNamespace(
        mass=np.eye(3),
        forms=forms,
        potential=potential,
        state=lambda q, p: np.array([*q, *p]),
        split=lambda y: (y[:3], y[3:]),
        kept=kept,
    )


MODELS = {
    "knife_edge": (knife_model(KNIFE), knife_edge.EXTENSION, KNIFE),
    "rolling_disk": (disk_model(DISK), rolling_disk.EXTENSION, DISK),
    "roller_racer": (racer_model(RACER), roller_racer.EXTENSION, RACER),
    "heisenberg": (
        particle_model(lambda q: np.array([[-q[1], q[0], 1.0 + 0.0 * q[0]]]), lambda q: 0.0 * q[0], None),
        heisenberg.EXTENSION,
        {},
    ),
    "oscillator": (
        particle_model(lambda q: np.array([[1.0 + 0.0 * q[1], 0.0 * q[1], q[1]]]), lambda q: 0.5 * q @ q, 0),
        oscillator.EXTENSION,
        {},
    ),
}


def accelerations(model, q, v):
    """Lagrange-d'Alembert: M a = -dU/dq + A^T lambda with A a + (dA/dt) v = 0 (all mass matrices are constant)."""
    forms = model.forms(q)
    turning = np.imag(model.forms(q + 1j * TINY * v)) / TINY @ v
    force = -complex_gradient(lambda z: np.array([model.potential(z)]), q)[0]
    inverse = np.linalg.inv(model.mass)
    reaction = np.linalg.solve(forms @ inverse @ forms.T, -turning - forms @ inverse @ force)
    return inverse @ (force + forms.T @ reaction)


def allowed_velocity(model, q, v):
    """The projection of a velocity to the constraint."""
    forms = model.forms(q)
    return v - forms.T @ np.linalg.solve(forms @ forms.T, forms @ v)


def energy(model, y):
    q, p = model.split(y)
    return 0.5 * p @ np.linalg.solve(model.mass, p) + model.potential(q)


def extended_energy(model, y):
    """The energy without the part of the momentum that the constraint forbids."""
    q, p = model.split(y)
    forms, inverse = model.forms(q), np.linalg.inv(model.mass)
    slip = forms @ inverse @ p
    return energy(model, y) - 0.5 * slip @ np.linalg.solve(forms @ inverse @ forms.T, slip)


# --- 1. Gradients and extended fields, off the constraint ------------------------------------------------------------


@pytest.mark.parametrize("name", EXTENSIONS)
def test_gradients_are_those_of_the_values(name):
    extension, params = EXTENSIONS[name]
    p, points = extension.parameters(params), generic_points(name)
    values, gradients = feedback.evaluate(extension, p, points)
    for y, value, gradient in zip(points, values, gradients, strict=True):
        within(value, values_of(extension, p, y), 1e-13)
        within(gradient, complex_gradient(lambda z: values_of(extension, p, z), y), 1e-13)


@pytest.mark.parametrize("name", EXTENSIONS)
def test_extended_fields_keep_everything_off_the_constraint(name):
    extension, params = EXTENSIONS[name]
    p, points = extension.parameters(params), generic_points(name)
    values, gradients = feedback.evaluate(extension, p, points)
    matrix = extension.gains.count("k0")
    for y, value, gradient in zip(points, values, gradients, strict=True):
        rates = field_of(extension, p, y)
        size = 1.0 + np.max(np.abs(gradient) @ np.abs(rates))
        change = gradient @ rates
        within(change[matrix:], 0.0, 1e-14 * size)
        # R' = R hat(omega) turns R^T R: off the rotations its defect is kept as a whole, part by part only on them.
        within(value[:matrix] @ change[:matrix], 0.0, 1e-14 * size * (1.0 + np.abs(value).max()))


@pytest.mark.parametrize(("name", "n"), [("suslov", 3), ("sleigh matrix", 2)])
def test_every_product_of_columns_is_kept_on_the_rotations(name, n):
    extension, params = EXTENSIONS[name]
    p, points = extension.parameters(params), generic_points(name)
    for y in points:
        y[: n * n] = np.linalg.qr(y[: n * n].reshape(n, n))[0].ravel()
    values, gradients = feedback.evaluate(extension, p, points)
    within(values[:, : n * (n + 1) // 2], 0.0, 1e-14)
    for y, gradient in zip(points, gradients, strict=True):
        within(gradient @ field_of(extension, p, y), 0.0, 1e-13)


@pytest.mark.parametrize("name", ["knife_edge", "oscillator", "rolling_disk", "heisenberg"])
def test_the_energy_itself_is_kept_off_the_constraint(name):
    model, extension, params = MODELS[name]
    p = extension.parameters(params)
    for y in generic_points(name):
        gradient = complex_gradient(lambda z: np.array([energy(model, z)]), y)[0]
        rates = field_of(extension, p, y)
        within(gradient @ rates, 0.0, 1e-14 * (1.0 + np.abs(gradient) @ np.abs(rates)))


@pytest.mark.parametrize("name", ["knife_edge", "roller_racer", "oscillator"])
def test_extended_energy_is_the_energy_without_the_forbidden_part(name):
    model, extension, params = MODELS[name]
    p = extension.parameters(params)
    for y in generic_points(name):
        assert values_of(extension, p, y)[model.kept] == pytest.approx(extended_energy(model, y), abs=1e-13)


def test_constraint_momenta_are_normalised():
    """J^2/2 + the extended energy is the energy, with a mass matrix written from the velocity of the mass centre."""
    j, m, a, b = (SLEDGE[name] for name in ("J", "m", "a", "b"))
    jacobian = np.array([[1.0, 0.0, 0.0], [-b, 1.0, 0.0], [a, 0.0, 1.0]])
    inertia = jacobian.T @ np.diag([j, m, m]) @ jacobian
    for name, tensor, place in (
        ("sleigh", inertia, slice(3, 6)),
        ("sleigh matrix", inertia, slice(6, 9)),
        ("suslov", suslov.tensor(TOP), slice(9, 12)),
    ):
        extension, params = EXTENSIONS[name]
        for y in generic_points(name):
            values, momentum = values_of(extension, extension.parameters(params), y), y[place]
            total = 0.5 * momentum @ np.linalg.solve(tensor, momentum)
            assert 0.5 * values[-2] ** 2 + values[-1] == pytest.approx(total, rel=1e-12)
    extension = roller_racer.EXTENSION
    for y in generic_points("roller_racer"):
        first, second, kept = values_of(extension, extension.parameters(RACER), y)
        total = energy(MODELS["roller_racer"][0], y)
        assert 0.5 * (first**2 + second**2) + kept == pytest.approx(total, rel=1e-12)


@pytest.mark.parametrize(("name", "n"), [("suslov", 3), ("sleigh matrix", 2)])
def test_the_matrix_part_is_a_quarter_of_the_squared_defect(name, n):
    """With one gain k0, sum of (k0/2) c_i^2 = (k0/4)|R^T R - 1|^2."""
    extension, params = EXTENSIONS[name]
    assert extension.gains.count("k0") == n * (n + 1) // 2
    for y in generic_points(name):
        r = y[: n * n].reshape(n, n)
        squares = values_of(extension, extension.parameters(params), y)[: n * (n + 1) // 2] ** 2
        assert 0.5 * squares.sum() == pytest.approx(0.25 * np.sum((r.T @ r - np.eye(n)) ** 2), rel=1e-12)


# --- 2. The motion on the constraint ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MODELS)
def test_extended_fields_are_the_motion_on_the_constraint(name):
    model, extension, params = MODELS[name]
    p, rng = extension.parameters(params), np.random.default_rng(5)
    n = len(model.mass)
    for _ in range(40):
        q = rng.uniform(-2.0, 2.0, n)
        v = allowed_velocity(model, q, rng.uniform(-2.0, 2.0, n))
        a = accelerations(model, q, v)
        y = model.state(q, model.mass @ v)
        moved = model.state(q + 1j * TINY * v, model.mass @ (v + 1j * TINY * a))
        within(field_of(extension, p, y), np.imag(moved) / TINY, 1e-12 * (1.0 + np.abs(a).max()))


STARTS = {
    "knife_edge": {"x": 0.3, "y": -0.2, "phi": 0.8, "p_phi": 0.7, "v": 1.1},
    "rolling_disk": {"x": 0.3, "y": -0.2, "theta": 0.8, "psi": 0.1, "Pi_theta": 0.4, "Pi_psi": 0.5},
    "roller_racer": {"theta": 0.4, "x": 0.3, "y": -0.2, "phi": 0.8, "u": 0.9, "omega": -0.6},
    "heisenberg": {"x": 0.3, "y": -0.7, "z": 0.2, "p_x": 0.8, "p_y": 1.1},
    "oscillator": {"x": 0.3, "y": -0.7, "z": 0.2, "p_y": 0.8, "p_z": 1.1},
    "suslov": {"M1": 0.9, "M2": -1.1},
    "sleigh": {"theta": 0.3, "x": 0.1, "y": -0.2, "p_theta": 0.9, "p_1": -0.5},
}
PARAMS = {
    "knife_edge": KNIFE,
    "rolling_disk": DISK,
    "roller_racer": RACER,
    "heisenberg": {},
    "oscillator": {},
    "suslov": TOP,
    "sleigh": SLEDGE,
}


@pytest.mark.parametrize("name", MODELS)
def test_reference_accelerates_as_lagrange_and_dalembert_say(name):
    model, _, params = MODELS[name]
    step, n = 0.006, len(model.mass)
    run = nhviz.simulate(name, "reference", params, STARTS[name], step, 300 * step)
    names = registry.find(name).components[: 2 * n]
    states = np.stack([run[c.name] for c in names], axis=1)
    for middle in range(4, 297, 8):
        rates = sum(w * (states[middle + k] - states[middle - k]) for k, w in enumerate(CENTRAL, start=1)) / step
        q, momentum = model.split(states[middle])
        v = np.linalg.solve(model.mass, momentum)
        within(model.forms(q) @ v, 0.0, 1e-12)
        moved = model.state(q + 1j * TINY * v, model.mass @ (v + 1j * TINY * accelerations(model, q, v)))
        within(rates, np.imag(moved) / TINY, 1e-10)


def test_extensions_of_the_old_systems_are_their_flow():
    rng = np.random.default_rng(8)
    p = suslov.extension_parameters(TOP)
    for _ in range(20):
        m1, m2 = rng.uniform(-2.0, 2.0, 2)
        r = rng.uniform(-1.0, 1.0, (3, 3))
        m3 = TOP["I13"] * m1 / TOP["I11"] + TOP["I23"] * m2 / TOP["I22"]
        rates = field_of(suslov.EXTENSION, p, np.array([*r.ravel(), m1, m2, m3]))
        omega, momentum = np.array([m1 / TOP["I11"], m2 / TOP["I22"], 0.0]), np.array([m1, m2, m3])
        within(rates[9:11], np.cross(momentum, omega)[:2], 1e-13)
        hat = np.array([[0.0, 0.0, omega[1]], [0.0, 0.0, -omega[0]], [-omega[1], omega[0], 0.0]])
        within(rates[:9].reshape(3, 3), r @ hat, 1e-13)
        theta, p_theta, p_1 = rng.uniform(-2.0, 2.0, 3)
        flow = np.zeros(5)
        sleigh.field(np.array([theta, 0.1, 0.2, p_theta, p_1]), np.array(sleigh.body(SLEDGE)), flow)
        start = {"theta": theta, "x": 0.1, "y": 0.2, "p_theta": p_theta, "p_1": p_1}
        for kind, first in (("angle", 1), ("matrix", 4)):
            extension = sleigh.EXTENSIONS[kind]
            y = extension.start(SLEDGE, {key: np.array(value) for key, value in start.items()})
            rates = field_of(extension, extension.parameters(SLEDGE), y)
            within(rates[first : first + 4], flow[1:], 1e-13)
            if kind == "matrix":
                c, s = np.cos(theta), np.sin(theta)
                within(rates[:4], flow[0] * np.array([-s, -c, c, -s]), 1e-13)


# --- 3. Closed forms -------------------------------------------------------------------------------------------------


def exact_knife(params, start, t):
    """CP's closed form, corrected, in 80 digits; without turning the uniform acceleration."""
    with mpmath.workdps(80):
        phi0, v0 = mpmath.mpf(start["phi"]), mpmath.mpf(start["v"])
        w = mpmath.mpf(start["p_phi"]) / mpmath.mpf(params["J"])
        drop, t = mpmath.mpf(params["g"]) * mpmath.sin(params["alpha"]), mpmath.mpf(t)
        if w == 0:
            path = v0 * t + drop * mpmath.cos(phi0) * t**2 / 2
            return [float(start["x"] + path * mpmath.cos(phi0)), float(start["y"] + path * mpmath.sin(phi0))]
        ratio, phi = drop / w, phi0 + w * t
        b = v0 - ratio * mpmath.sin(phi0)
        x = (b / w) * (mpmath.sin(phi) - mpmath.sin(phi0))
        x += ratio / (2 * w) * (mpmath.sin(phi) ** 2 - mpmath.sin(phi0) ** 2)
        y = -(b / w) * (mpmath.cos(phi) - mpmath.cos(phi0))
        y += ratio * (t / 2 - (mpmath.sin(2 * phi) - mpmath.sin(2 * phi0)) / (4 * w))
        return [float(start["x"] + x), float(start["y"] + y)]


TURNINGS = st.one_of(st.just(0.0), spread(1e-12, 1000.0), spread(1e-12, 1000.0).map(lambda value: -value))


@SETTINGS
@given(
    any_values(registry.find("knife_edge").parameters),
    any_start("knife_edge"),
    TURNINGS,
    st.floats(-4.0, 4.0),
    st.floats(0.01, 50.0),
)
@example(KNIFE, STARTS["knife_edge"], 1e-18, 0.3, 3.0)
@example(KNIFE, STARTS["knife_edge"], 0.0, 0.3, 3.0)
def test_exact_knife_edge_in_many_digits(params, start, p_phi, phi, duration):
    start = {**start, "p_phi": p_phi, "phi": phi, "x": 0.25, "y": -0.5}
    turn = abs(p_phi) / params["J"] * duration
    assume(turn < 1e6)
    run = nhviz.simulate("knife_edge", "exact", params, start, duration / 7, duration)
    reach = (abs(start["v"]) + params["g"] * duration) * duration
    for i in (1, 3, 7):
        # The phase itself has a round-off of its own size.
        size = 1e-14 * (1.0 + reach) * (1.0 + turn)
        within([run["x"][i], run["y"][i]], exact_knife(params, start, run.t[i]), size)


@SETTINGS
@given(
    any_values(registry.find("knife_edge").parameters),
    any_start("knife_edge"),
    TURNINGS,
    st.floats(0.01, 20.0),
)
def test_exact_knife_edge_is_the_reference(params, start, p_phi, turn):
    rate = abs(p_phi) / params["J"]
    duration = min(turn / max(rate, 1e-6), 20.0)
    start = {**start, "p_phi": p_phi, "x": 0.25, "y": -0.5, "phi": float(np.remainder(start["phi"], 6.0))}
    exact, reference = (
        nhviz.simulate("knife_edge", method, params, start, duration / 16, duration)
        for method in ("exact", "reference")
    )
    assert reference.stopped is None
    reach = 1.0 + (abs(start["v"]) + params["g"] * duration) * (1.0 + duration)
    for name in ("x", "y", "phi", "v"):
        within(exact[name], reference[name], 1e-10 * reach)
    for name in ("p_x", "p_y", "p_phi"):
        within(exact[name], reference[name], 1e-10 * (reach * params["m"] + abs(p_phi)))


@SETTINGS
@given(any_values(registry.find("rolling_disk").parameters), any_start("rolling_disk"), TURNINGS, st.floats(0.01, 20.0))
@example(DISK, STARTS["rolling_disk"], 1e-18, 3.0)
@example(DISK, STARTS["rolling_disk"], 0.0, 3.0)
def test_exact_disk_is_the_circle(params, start, turning, turn):
    rate = turning / params["J"]
    duration = min(turn / max(abs(rate), 1e-6), 20.0)
    theta = float(np.remainder(start["theta"], 6.0))
    start = {**start, "Pi_theta": turning, "theta": theta, "x": 0.25, "y": -0.5, "psi": 0.5}
    exact, reference = (
        nhviz.simulate("rolling_disk", method, params, start, duration / 16, duration)
        for method in ("exact", "reference")
    )
    assert reference.stopped is None
    rolling = start["Pi_psi"] / params["I"]
    speed = params["R"] * rolling
    for i in (1, 7, 16):
        with mpmath.workdps(80):
            w, t = mpmath.mpf(turning) / mpmath.mpf(params["J"]), mpmath.mpf(exact.t[i])
            sine, cosine = (
                (mpmath.cos(theta) * t, mpmath.sin(theta) * t)
                if w == 0
                else (
                    (mpmath.sin(theta + w * t) - mpmath.sin(theta)) / w,
                    (mpmath.cos(theta) - mpmath.cos(theta + w * t)) / w,
                )
            )
            place = [float(0.25 + speed * sine), float(-0.5 + speed * cosine)]
        within([exact["x"][i], exact["y"][i]], place, 1e-14 * (1.0 + abs(speed) * duration) * (1.0 + turn))
    within(exact["psi"], 0.5 + rolling * exact.t, 1e-14 * (1.0 + abs(rolling) * duration))
    for name in ("x", "y", "theta", "psi"):
        within(exact[name], reference[name], 1e-10 * (1.0 + (abs(speed) + abs(rolling)) * duration + turn))
    within(exact.quantity("constraint_2"), 0.0, 1e-12 * (1.0 + np.abs(exact["Pi_x"]).max()))


def test_exact_heisenberg_is_straight():
    exact, reference = (
        nhviz.simulate("heisenberg", method, None, STARTS["heisenberg"], 0.1, 5.0) for method in ("exact", "reference")
    )
    for name in ("x", "y", "z", "p_x", "p_y", "p_z"):
        within(exact[name], reference[name], 1e-12)
    within(exact.quantity("constraint"), 0.0, 1e-14)


def test_the_corrected_cycloid():
    for method in ("exact", "reference"):
        run = nhviz.simulate("knife_edge", method, duration=20.0, step=0.05)
        t = run.t
        within(run["x"], (1.0 - np.cos(t)) / 2.0, 1e-11)
        within(run["y"], (t - np.sin(t)) / 2.0, 1e-11)
        within(run["phi"], t / 2.0, 1e-11)


def test_cp_top_runs_as_tanh_and_sech():
    run = nhviz.simulate("suslov", "reference", CP_TOP, {"M1": 0.0, "M2": 1.0}, 0.05, 10.0)
    for name, expected in (("M1", -np.tanh(run.t)), ("M2", 1.0 / np.cosh(run.t)), ("M3", 1.0 / np.cosh(run.t))):
        within(run[name], expected, 1e-11)


# --- 4. Order, no gains, step over gain ------------------------------------------------------------------------------

RUNS = [
    ("suslov", {}),
    ("sleigh", {"rotation": "angle"}),
    ("sleigh", {"rotation": "matrix"}),
    ("knife_edge", {}),
    ("rolling_disk", {}),
    ("roller_racer", {}),
    ("oscillator", {}),
]


def all_gains(system, options, gain):
    return {**options, **dict.fromkeys(extension_of(system, options).gains, gain)}


def extension_of(system, options):
    return EXTENSIONS["sleigh matrix" if options.get("rotation") == "matrix" else system][0]


def run_of(system, options, gain, step, duration, **more):
    return nhviz.simulate(
        system, "feedback", PARAMS[system], STARTS[system], step, duration, **all_gains(system, options, gain), **more
    )


@pytest.mark.parametrize(("base", "order", "step"), [("euler", 1, 0.002), ("rk4", 4, 0.02)])
@pytest.mark.parametrize(("system", "options"), RUNS)
@pytest.mark.parametrize("gain", [0.0, 3.0])
def test_orders(system, options, base, order, step, gain):
    errors = []
    for size in (step, step / 2):
        run = run_of(system, options, gain, size, 1.6, base=base)
        true = nhviz.simulate(system, "reference", PARAMS[system], STARTS[system], size, 1.6)
        assert run.stopped is None
        errors.append(max(np.max(np.abs(run[name][-1] - true[name][-1])) for name in true.components))
    assert errors[0] < 0.05
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.05 * order + 0.05)


@pytest.mark.parametrize(
    ("system", "order"), [("knife_edge", 2), ("sleigh", 2), ("oscillator", 2), ("rolling_disk", 4)]
)
def test_gains_that_grow_as_one_over_step_lower_the_order_of_rk4(system, order):
    """Not where the integrals are linear and kept by every stage, as on the rolling disk."""
    steps = (0.001, 0.0005, 0.00025) if order == 2 else (0.08, 0.04, 0.02)
    measured = convergence(system, "feedback", steps, 1.6, None, PARAMS[system], STARTS[system], base="rk4")
    assert measured.order == pytest.approx(order, abs=0.1)


@pytest.mark.parametrize("base", ["euler", "rk4"])
@pytest.mark.parametrize(("system", "options"), [*RUNS, ("heisenberg", {})])
@pytest.mark.parametrize("gain", [0.0, 2.0])
def test_a_run_is_a_plain_loop(system, options, base, gain):
    """With gains 0 the plain scheme; else with -k (c - c0) grad c added, by gradients of the complex step."""
    extension, step = extension_of(system, options), 0.01
    p = extension.parameters(PARAMS[system])
    y = extension.start(PARAMS[system], {name: np.array([value]) for name, value in STARTS[system].items()})[:, 0]
    targets = values_of(extension, p, y)

    def slope(z):
        rates = field_of(extension, p, z)
        if gain:
            gradients = complex_gradient(lambda w: values_of(extension, p, w), z)
            rates -= gain * (values_of(extension, p, z) - targets) @ gradients
        return rates

    run = run_of(system, options, gain, step, 40 * step, base=base)
    for _ in range(40):
        k1 = slope(y)
        if base == "euler":
            y = y + step * k1
        else:
            k2 = slope(y + 0.5 * step * k1)
            k3 = slope(y + 0.5 * step * k2)
            y = y + step / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + slope(y + step * k3))
    expected = extension.components(PARAMS[system], y[:, None])
    for name, value in expected.items():
        within(run[name][-1], value[0], 1e-13)
    if gain == 0.0:
        assert np.all(run.quantity("stability") == 0.0)


@pytest.mark.parametrize(
    ("system", "names"),
    [
        ("knife_edge", ("energy", "constraint", "p_phi")),
        ("oscillator", ("energy", "energy_y", "constraint")),
        ("roller_racer", ("energy", "constraint_1")),
        ("suslov", ("energy", "constraint", "orthogonality")),
        ("sleigh", ("energy", "constraint")),
    ],
)
def test_integrals_are_kept_to_step_over_gain(system, names):
    def errors(step, gain):
        run = run_of(system, {}, gain, step, 8.0)
        assert run.stopped is None
        return np.array([np.max(np.abs(run.quantity(name) - run.quantity(name)[0])) for name in names])

    base = errors(5e-4, 100.0)
    assert np.all(base > 1e-8)
    np.testing.assert_allclose(base / errors(2.5e-4, 100.0), 2.0, rtol=0, atol=0.1)
    np.testing.assert_allclose(base / errors(5e-4, 200.0), 2.0, rtol=0, atol=0.3)


def test_every_keeps_each_kth_step():
    full = run_of("roller_racer", {}, 50.0, 1e-3, 2.0)
    thin = run_of("roller_racer", {}, 50.0, 1e-3, 2.0, every=7)
    for name in full.components:
        assert np.array_equal(full[name][::7], thin[name])


def test_an_ensemble_is_its_single_runs():
    starts = {"phi": [0.1, 0.9, 2.0], "u": [1.0, -0.5, 0.2]}
    many = nhviz.ensemble("roller_racer", "feedback", None, starts, 1e-3, 0.5)
    for i in range(3):
        one = nhviz.simulate("roller_racer", "feedback", None, {k: v[i] for k, v in starts.items()}, 1e-3, 0.5)
        for name in one.components:
            assert np.array_equal(many[name][i], one[name])


# --- 5. The bound on step * Lambda -----------------------------------------------------------------------------------


def unit_lambda(system, options, params, start, duration):
    """Largest eigenvalue of the Gram matrix of the gradients along the true motion, all gains 1."""
    extension = extension_of(system, options)
    p = extension.parameters(params)
    run = nhviz.simulate(system, "reference", params, start, duration / 400, duration)
    components = dict(run.components)
    states = extension.state(components)
    largest = 0.0
    for y in states:
        gradients = complex_gradient(lambda z: values_of(extension, p, z), y)
        largest = max(largest, float(np.linalg.eigvalsh(gradients @ gradients.T)[-1]))
    return largest


BOUNDED = [
    ("suslov", {}, CP_TOP, {"M1": 0.0, "M2": 1.0}, 20.0),
    ("sleigh", {"rotation": "angle"}, SLEDGE, STARTS["sleigh"], 40.0),
    ("sleigh", {"rotation": "matrix"}, SLEDGE, STARTS["sleigh"], 40.0),
    ("roller_racer", {}, RACER, STARTS["roller_racer"], 40.0),
    ("knife_edge", {}, {}, {}, 40.0),
    ("oscillator", {}, {}, {}, 40.0),
]


@pytest.mark.parametrize(("base", "bound"), [("euler", EULER), ("rk4", RK4)])
@pytest.mark.parametrize(("system", "options", "params", "start", "duration"), BOUNDED)
def test_the_bound_is_sharp(system, options, params, start, duration, base, bound):
    step = 1e-3
    model = registry.find(system)
    params = {q.name: params.get(q.name, q.default) for q in model.parameters}
    start = {q.name: start.get(q.name, q.default) for q in model.initial}
    most = bound / (step * unit_lambda(system, options, params, start, duration))
    below, above = (
        nhviz.simulate(
            system, "feedback", params, start, step, duration, base=base, **all_gains(system, options, share * most)
        )
        for share in (0.94, 1.1)
    )
    assert below.stopped is None
    assert np.max(np.abs(below.quantity("energy") - below.quantity("energy")[0])) < 1e-4
    assert np.max(below.quantity("stability")) == pytest.approx(0.94 * bound, rel=0.01)
    if above.stopped is None:
        # The bound is passed for a short time only: the run comes back, but its integrals were amplified.
        worst = [np.max(np.abs(run.quantity("energy") - run.quantity("energy")[0])) for run in (below, above)]
        assert worst[1] > 100.0 * worst[0]
    else:
        number = re.search(
            r"step \* Lambda had reached ([0-9.e+-]+), and (\w+) needs less than ([0-9.]+);", above.stopped
        )
        assert number is not None
        # What Lambda had been until the integrals were lost: between the bound and the largest of the motion.
        assert 0.95 * bound < float(number[1]) < 1.16 * bound
        assert number[2] == base
        assert float(number[3]) == pytest.approx(bound, abs=1e-3)
        gains = dict(re.findall(r"(k\d) = ([0-9.e+-]+[0-9])", above.stopped))
        assert set(gains) == set(extension_of(system, options).gains)
        for value in gains.values():
            # Those of the whole motion, sampled at a thousand instants.
            assert float(value) == pytest.approx(most, rel=5e-3)


def test_the_knife_edge_at_its_border():
    def knife(gain, **start):
        gains = {"k1": gain, "k2": gain, "k3": gain}
        return nhviz.simulate("knife_edge", "feedback", None, start, 1e-3, 60.0, **gains)

    assert knife(950).stopped is None
    assert knife(1000).stopped is None
    for lost in (knife(1100), knife(900, p_phi=0.4), knife(450, p_phi=0.25), knife(100, p_phi=0.0)):
        assert "lost its integrals" in lost.stopped
    assert knife(390, p_phi=0.25).stopped is None
    # Straight down the slope: dt k (1 + p^2) = 2 at t = 8.7, lost at 9.5.
    assert 8.7 < knife(100, p_phi=0.0).t[-1] < 9.7


@pytest.mark.parametrize(("base", "fine", "wrecked"), [("euler", 1.15e-3, 1.25e-3), ("rk4", 1.60e-3, 1.70e-3)])
def test_the_oscillator_at_its_border(base, fine, wrecked):
    gains = {"k1": 500, "k2": 300, "k3": 300, "base": base}
    good, bad = (
        nhviz.simulate("oscillator", "feedback", step=step, duration=200.0, **gains) for step in (fine, wrecked)
    )
    assert good.stopped is None
    assert np.max(np.abs(good.quantity("energy") - 1.5)) < 3e-5
    assert np.max(good.quantity("stability")) / fine == pytest.approx(1698.6, abs=0.5)
    assert np.max(np.abs(bad.quantity("energy") - 1.5)) > 0.01
    assert "lost its integrals" in bad.stopped


@pytest.mark.parametrize(("gain", "limit", "late"), [(10.0, 8.71, 9.5), (100.0, 2.43, 2.9)])
def test_heisenberg_is_lost_where_the_specification_says(gain, limit, late):
    run = nhviz.simulate("heisenberg", "feedback", step=1e-3, duration=20.0, k1=gain, k2=gain, k3=gain)
    number = run.quantity("stability")
    assert run.t[np.argmax(number > 2.0)] == pytest.approx(limit, abs=0.02)
    assert "lost its integrals" in run.stopped
    assert limit < run.t[-1] < late
    plain = nhviz.simulate("heisenberg", "feedback", step=1e-3, duration=20.0, k1=0, k2=0, k3=0)
    assert plain.stopped is None
    within(plain.quantity("constraint"), 0.0, 1e-10)


@pytest.mark.parametrize(("system", "options"), [*RUNS, ("heisenberg", {})])
def test_the_stability_number_is_that_of_the_gradients(system, options):
    extension = extension_of(system, options)
    p, gains = extension.parameters(PARAMS[system]), {name: 3.0 + 5.0 * int(name[1]) for name in set(extension.gains)}
    run = nhviz.simulate(system, "feedback", PARAMS[system], STARTS[system], 1e-3, 1.0, every=50, **options, **gains)
    roots = np.sqrt([gains[name] for name in extension.gains])[:, None]
    expected = []
    for y in extension.state(run.components):
        scaled = roots * complex_gradient(lambda z: values_of(extension, p, z), y)
        expected.append(1e-3 * np.linalg.eigvalsh(scaled @ scaled.T)[-1])
    np.testing.assert_allclose(run.quantity("stability"), expected, rtol=1e-10)


def test_a_run_near_the_bound_has_a_remark():
    def remarks(gain):
        run = nhviz.simulate("knife_edge", "feedback", duration=10.0, k1=gain, k2=gain, k3=gain)
        return [remark for remark in run.remarks if "Lambda" in remark]

    assert remarks(700.0) == []
    assert len(remarks(800.0)) == 1
    assert "1.6" in remarks(800.0)[0]


# --- 6. Golden numbers (section E) -----------------------------------------------------------------------------------


def largest(values):
    return float(np.max(np.abs(values)))


def test_golden_suslov():
    gains = {"k0": 100, "k1": 100, "k2": 100}
    run = nhviz.simulate("suslov", "feedback", CP_TOP, {"M1": 0.0, "M2": 1.0}, 1e-3, 10.0, **gains)
    sech = 1.0 / np.cosh(run.t)
    assert largest(run["M1"] + np.tanh(run.t)) == pytest.approx(5.4e-5, rel=0.02)
    assert largest(run["M2"] - sech) == pytest.approx(1.29e-4, rel=0.01)
    assert largest(run["M3"] - sech) == pytest.approx(1.29e-4, rel=0.01)
    # J = M3 - M2 for CP's tensor.
    assert largest(run["M3"] - run["M2"]) == pytest.approx(4.8e-6, rel=0.02)
    assert largest(run.quantity("energy") - 0.5) == pytest.approx(9.7e-6, rel=0.02)
    assert largest(run.quantity("orthogonality")) == pytest.approx(7.1e-6, rel=0.02)
    plain = nhviz.simulate("suslov", "feedback", CP_TOP, {"M1": 0.0, "M2": 1.0}, 1e-3, 10.0, k0=0, k1=0, k2=0)
    assert largest(plain["M1"] + np.tanh(plain.t)) == pytest.approx(5.7e-4, rel=0.02)
    assert largest(plain.quantity("energy") - 0.5) == pytest.approx(5.0e-4, rel=0.02)
    assert largest(plain.quantity("orthogonality")) == pytest.approx(1.4e-2, rel=0.04)
    assert largest(plain["M3"] - plain["M2"]) < 1e-13


def test_golden_knife_edge():
    gains = {"k1": 1000, "k2": 1000, "k3": 1000}
    run = nhviz.simulate("knife_edge", "feedback", step=1e-3, duration=200.0, **gains)
    assert largest(run["x"] - (1.0 - np.cos(run.t)) / 2.0) == pytest.approx(9.3e-4, rel=0.02)
    assert largest(run["y"] - (run.t - np.sin(run.t)) / 2.0) == pytest.approx(1.20e-3, rel=0.02)
    assert largest(run["phi"] - run.t / 2.0) == pytest.approx(2.0e-4, rel=0.03)
    assert largest(run.quantity("constraint")) == pytest.approx(2.5e-7, rel=0.05)
    assert largest(run["p_phi"] - 0.5) == pytest.approx(2.5e-7, rel=0.05)
    assert largest(run.quantity("energy") - 0.125) == pytest.approx(5.0e-7, rel=0.05)


def test_golden_oscillator():
    run = nhviz.simulate("oscillator", "feedback", step=1e-3, duration=200.0, k1=500, k2=300, k3=300)
    assert largest(run.quantity("energy") - 1.5) == pytest.approx(1.27e-6, rel=0.02)
    assert largest(run.quantity("energy_y") - 0.5) == pytest.approx(1.67e-6, rel=0.02)
    assert largest(run.quantity("constraint")) == pytest.approx(4.60e-6, rel=0.02)
    true = nhviz.simulate("oscillator", "reference", step=1e-3, duration=200.0)
    error = [run[name] - true[name] for name in ("x", "y", "z")]
    assert largest(error) == pytest.approx(3.0e-2, rel=0.02)
    plain = nhviz.simulate("oscillator", "feedback", step=1e-3, duration=200.0, k1=0, k2=0, k3=0)
    assert largest(plain.quantity("energy") - 1.5) == pytest.approx(2.4e-1, rel=0.03)
    # The repaired field lets y swing by itself: Euler's scheme stretches it by 1 + h^2 in every step.
    within(plain.quantity("energy_y"), 0.5 * np.exp(np.log1p(1e-6) * np.arange(200_001)), 1e-11)


def test_golden_dla():
    run = nhviz.simulate("oscillator", "dla", step=1e-3, duration=400.0)
    early = run.t <= 200.0
    energy_error = run.quantity("energy") - 1.5
    assert largest(energy_error[early]) == pytest.approx(1.02e-2, rel=0.02)
    assert energy_error[200_000] == pytest.approx(-9.9e-3, rel=0.02)
    assert energy_error[-1] == pytest.approx(-1.93e-2, rel=0.02)
    assert largest((run.quantity("energy_y") - 0.5)[early]) == pytest.approx(2.50e-4, rel=0.01)
    assert largest(run.quantity("constraint")[early]) == pytest.approx(7.94e-4, rel=0.01)
    true = nhviz.simulate("oscillator", "reference", step=1e-3, duration=200.0)
    error = [run[name][early] - true[name] for name in ("x", "y", "z")]
    assert largest(error) == pytest.approx(1.1e-2, rel=0.03)


@pytest.mark.parametrize("step", [1e-4, 0.01, 0.3])
def test_dla_is_the_recursion_of_the_paper(step):
    """CP (84), (85) with places only; its own integral and its own constraint to round-off."""
    run = nhviz.simulate("oscillator", "dla", None, STARTS["oscillator"], step, 300 * step)
    q = np.stack([run["x"], run["y"], run["z"]], axis=1)
    p = np.stack([run["p_x"], run["p_y"], run["p_z"]], axis=1)
    within(q[1], q[0] + step * p[0], 1e-15)
    within(step * p[1:], np.diff(q, axis=0), 1e-14)
    normal = np.stack([np.ones(301), np.zeros(301), q[:, 1]], axis=1)
    inner = slice(1, -1)
    force = q[2:] - 2.0 * q[inner] + q[:-2] + step**2 * q[inner]
    # All of it is along the normal at the middle place.
    rest = force - np.sum(force * normal[inner], 1)[:, None] * normal[inner] / np.sum(normal[inner] ** 2, 1)[:, None]
    within(rest, 0.0, 1e-14)
    within(np.sum(p[2:] * normal[inner], axis=1), 0.0, 1e-14)
    kept = run["y"] ** 2 + run["p_y"] ** 2 - step * run["y"] * run["p_y"]
    within(kept[1:], kept[1], 1e-13)


def test_dla_is_of_order_one_and_stable_below_two():
    errors = []
    for step in (2e-3, 1e-3):
        run = nhviz.simulate("oscillator", "dla", None, STARTS["oscillator"], step, 2.0)
        true = nhviz.simulate("oscillator", "reference", None, STARTS["oscillator"], step, 2.0)
        errors.append(max(largest(run[name][-1] - true[name][-1]) for name in true.components))
    assert errors[0] / errors[1] == pytest.approx(2.0, abs=0.05)
    assert "must stay below 2" in nhviz.simulate("oscillator", "dla", step=2.2, duration=400.0).stopped


# --- 8. Bad input, corners, whole ranges -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("system", "arguments", "hint"),
    [
        ("knife_edge", {"k1": -1.0}, "k1 must be between 0 and 1e"),
        ("oscillator", {"k3": 1e300}, "k3 must be between 0 and 1e"),
        ("suslov", {"k0": float("nan")}, "k0 must be a finite number"),
        ("sleigh", {"k2": float("inf")}, "k2 must be a finite number"),
        ("roller_racer", {"k1": "10"}, "k1 must be a number"),
        ("heisenberg", {"base": "rk5"}, "base must be one of euler, rk4"),
        ("sleigh", {"rotation": "quaternion"}, "rotation must be one of angle, matrix"),
        ("knife_edge", {"k4": 1.0}, "k4"),
        ("rolling_disk", {"params": {"R": 0.0}}, "R must be between 0.001"),
        ("roller_racer", {"params": {"d2": 0.0}}, "d2 must be between 0.001"),
        ("roller_racer", {"initial": {"Pi_x": 1.0}}, "Pi_x"),
        ("knife_edge", {"params": {"alpha": 1.6}}, "alpha must be between"),
        ("oscillator", {"method": "exact"}, "exact"),
    ],
)
def test_bad_input_is_refused(system, arguments, hint):
    with pytest.raises(nhviz.ParameterError, match=hint) as caught:
        nhviz.simulate(system, **{"method": "feedback", **arguments})
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize("phi", [0.0, np.pi, -2.0 * np.pi])
def test_the_racer_may_start_straight(phi):
    start = {**STARTS["roller_racer"], "phi": phi}
    run = nhviz.simulate("roller_racer", "feedback", RACER, start, 1e-4, 1.0)
    true = nhviz.simulate("roller_racer", "reference", RACER, start, 1e-4, 1.0)
    assert run.stopped is None
    assert run["u"][0] == pytest.approx(start["u"], rel=1e-15)
    assert run["omega"][0] == pytest.approx(start["omega"], rel=1e-13)
    for name in true.components:
        within(run[name], true[name], 3e-3)
    within(true["Pi_y"], 0.0, 0.0)
    within(true.quantity("energy"), true.quantity("energy")[0], 1e-11)
    within(true.quantity("constraint_1"), 0.0, 1e-11)


def sane(run):
    """Complete, or stopped with one sentence; finite throughout."""
    assert 1 <= len(run) <= run.problem.samples
    assert run.stopped is not None or len(run) == run.problem.samples
    for values in run.components.values():
        assert len(values) == len(run)
        assert np.isfinite(values).all()
    for quantity in run.system.quantities:
        assert np.isfinite(run.quantity(quantity.id)).all()
    if run.stopped:
        assert "\n" not in run.stopped
        assert "nan" not in run.stopped
        assert "inf" not in run.stopped
        assert len(run.stopped) < 300


@pytest.mark.parametrize("base", ["euler", "rk4"])
@pytest.mark.parametrize(("system", "options"), [*RUNS, ("heisenberg", {})])
@pytest.mark.parametrize("gain", [1e5, 1e12])
def test_absurd_gains_stop_with_a_sentence(system, options, base, gain):
    run = run_of(system, options, gain, 0.01, 2.0, base=base)
    sane(run)
    if system != "rolling_disk":
        assert "the largest stable gains for this run are" in run.stopped
    assert np.isfinite(run.quantity("stability")).all()


def params_of(system):
    return suslov_params() if system == "suslov" else any_values(registry.find(system).parameters)


@pytest.mark.parametrize(("system", "options"), [*RUNS, ("heisenberg", {})])
@settings(SETTINGS, max_examples=12)
@given(st.data())
def test_anywhere_in_the_ranges(system, options, data):
    params, start = data.draw(params_of(system)), data.draw(any_start(system))
    gain, step = data.draw(spread(0.0, 1e12)), data.draw(spread(1e-9, 100.0))
    base, every = data.draw(st.sampled_from(["euler", "rk4"])), data.draw(st.integers(1, 5))
    extension = extension_of(system, options)
    first = extension.start(params, {name: np.array([value]) for name, value in start.items()})
    # A start beyond the limit is a defect of its own, below.
    assume(np.max(np.abs(first)) < 1e6)
    gains = all_gains(system, options, gain)
    sane(nhviz.simulate(system, "feedback", params, start, step, 30 * step, every, base=base, **gains))


# --- Runs that end early, and what they say ---------------------------------------------------------------------------


class Poisoned:
    """numpy with memory that holds infinities where nothing was written yet."""

    def __getattr__(self, name):
        return getattr(np, name)

    @staticmethod
    def empty(shape, dtype=float):
        return np.full(shape, np.inf if np.dtype(dtype).kind == "f" else 0, dtype)


@pytest.mark.parametrize(("system", "options"), [("knife_edge", {}), ("sleigh", {"rotation": "matrix"})])
def test_samples_after_a_stop_are_never_read(monkeypatch, system, options):
    monkeypatch.setattr(feedback, "np", Poisoned())
    sane(run_of(system, options, 1e5, 0.01, 2.0))


def test_the_matrix_starts_at_the_angle_given():
    run = nhviz.simulate("sleigh", "feedback", None, {"theta": 5.0}, 0.01, 1.0, rotation="matrix")
    assert run["theta"][0] == pytest.approx(5.0, abs=1e-12)


def test_the_angle_of_the_matrix_does_not_depend_on_every():
    ends = [
        nhviz.simulate("sleigh", "feedback", step=0.01, duration=100.0, every=every, rotation="matrix", k0=10)["theta"][
            -1
        ]
        for every in (1, 5000)
    ]
    assert ends[0] == pytest.approx(ends[1], abs=1e-9)


def test_a_lost_run_is_noticed_with_any_every():
    gains = {"k1": 1100, "k2": 1100, "k3": 1100}
    runs = [
        nhviz.simulate("knife_edge", "feedback", step=1e-3, duration=20.0, every=every, **gains)
        for every in (1, 100, 5000)
    ]
    assert [run.stopped is not None for run in runs] == [True, True, True]


def test_a_start_beyond_the_limit_runs_or_says_that_it_is_the_start():
    params, start = {"m": 1000.0, "R": 1000.0, "I": 0.001}, {"Pi_theta": 0.1, "Pi_psi": 1.0}
    run = nhviz.simulate("rolling_disk", "feedback", params, start, 1e-3, 0.01)
    assert run.stopped is None or "shorten the step" not in run.stopped


def test_a_wreck_is_called_a_wreck():
    """RK4 past its bound by 4 percent: the energy is off by 16 percent, the path by 2.5 units."""
    run = nhviz.simulate("oscillator", "feedback", step=1.7e-3, duration=200.0, base="rk4", k1=500, k2=300, k3=300)
    assert run.stopped is not None


def test_the_advice_of_a_lost_run_can_be_followed():
    def knife(gain):
        return nhviz.simulate("knife_edge", "feedback", duration=20.0, k1=gain, k2=gain, k3=gain)

    advised = float(re.search(r"k1 = ([0-9.]+)", knife(5000.0).stopped)[1])
    assert knife(0.99 * advised).stopped is None


@pytest.mark.parametrize("every", [1, 7])
@pytest.mark.parametrize("gain", [20.0, 400.0, 900.0])
def test_the_fast_loop_of_the_top_is_the_general_one(every, gain):
    """Term by term the same sums in another order: round-off, amplified by the motion; and they lose a run together."""
    fast = suslov.EXTENSION
    task = Task(TOP, {"M1": np.array([0.9]), "M2": np.array([-1.1])}, 1e-3, 4000, every, {
        "base": "euler", "k0": 0.4 * gain, "k1": gain, "k2": gain,
    })  # fmt: skip
    ours, general = feedback.run(fast, task), feedback.run(dataclasses.replace(fast, euler=None), task)
    assert ours.reasons == general.reasons
    assert ours.lengths == general.lengths
    for name, part in general.components.items():
        within(ours.components[name], part, 1e-11)
