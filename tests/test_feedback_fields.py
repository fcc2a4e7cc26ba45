"""Extended fields of feedback integrators: gradients, what they keep off the constraint, the motion on it.

Expected values come from mass matrices, constraint forms and potentials alone; nothing of nhviz enters them.
"""

from types import SimpleNamespace

import numpy as np
import pytest

import nhviz
from nhviz import registry
from nhviz.methods import extensions
from nhviz.systems import heisenberg, knife_edge, oscillator, roller_racer, rolling_disk, sleigh, suslov
from tests.extensions import (
    DISK,
    EXTENSIONS,
    KNIFE,
    RACER,
    SLEDGE,
    STARTS,
    TINY,
    TOP,
    complex_gradient,
    field_of,
    values_of,
    within,
)

# Weights of the central difference of order 8, offsets 1, 2, 3, 4.
CENTRAL = (4 / 5, -1 / 5, 4 / 105, -1 / 280)
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


# --- Gradients and extended fields, off the constraint ------------------------------------------------------------


@pytest.mark.parametrize("name", EXTENSIONS)
def test_gradients_are_those_of_the_values(name):
    extension, params = EXTENSIONS[name]
    p, points = extension.parameters(params), generic_points(name)
    values, gradients = extensions.evaluate(extension, p, points)
    for y, value, gradient in zip(points, values, gradients, strict=True):
        within(value, values_of(extension, p, y), 1e-13)
        within(gradient, complex_gradient(lambda z: values_of(extension, p, z), y), 1e-13)


@pytest.mark.parametrize("name", EXTENSIONS)
def test_extended_fields_keep_everything_off_the_constraint(name):
    extension, params = EXTENSIONS[name]
    p, points = extension.parameters(params), generic_points(name)
    values, gradients = extensions.evaluate(extension, p, points)
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
    values, gradients = extensions.evaluate(extension, p, points)
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


# --- The motion on the constraint ---------------------------------------------------------------------------------


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
