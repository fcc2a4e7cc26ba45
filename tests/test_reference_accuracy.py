"""How far the reference flow is from the true one, and how that grows: the same equations in extended precision."""

import math

import numpy as np
import pytest

import nhviz
from benchmarks.extended import solution
from nhviz.kernels import flow
from nhviz.methods import reference
from nhviz.system import Task
from nhviz.systems import sleigh, sphere, suslov

EPS = np.finfo(float).eps
extended = pytest.mark.skipif(np.finfo(np.longdouble).eps > 1e-18, reason="no extended precision on this machine")


def compared(field, parameters, start, interval, steps):
    """States (steps + 1, variables) in extended precision, and how far the reference flow is from them."""

    def rates(y):
        dy = np.empty_like(y)
        field(y, parameters, dy)
        return dy

    truth = solution(rates, np.array(start), interval, steps + 1)
    task = Task({}, {"start": np.zeros(1)}, interval, steps, 1)
    states, _, stops = reference.integrate(field, np.array(parameters), np.array(start)[:, None], task)
    assert stops == (None,)
    return truth.astype(float), np.abs(states[:, 0].T - truth).astype(float)


def turned(q):
    """The angle turned along Euler parameters (samples, 4)."""
    return np.concatenate([[0.0], np.cumsum(2.0 * np.linalg.norm(np.diff(q, axis=0), axis=1))])


def way(place):
    """The length of a path (samples, 2)."""
    return np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(place, axis=0), axis=1))])


@extended
def test_the_top_errs_in_proportion_to_the_angle_turned():
    """Six hundred radians at the defaults; the momentum settles, and its error with it."""
    start = [41.07400078, -99.38251558, 1.0, 0.0, 0.0, 0.0]
    truth, errors = compared(suslov.field, [3.0, 4.0, 1.0, 0.5], start, 2.0**-7, 2560)
    angle = turned(truth[:, 2:])
    assert angle[-1] > 500.0
    assert np.all(errors[:, 2:].max(axis=1) <= 3e-15 * angle + 4.0 * EPS)
    # One tolerance per step as long as the momentum moves, a few dozen steps; later only round-off of its size.
    assert errors[:, :2].max() <= 10.0 * reference.TOLERANCE * 100.0


@extended
def test_the_sleigh_errs_in_proportion_to_its_way():
    start = [0.0, 0.0, 0.0, 0.4, -1.5]
    truth, errors = compared(sleigh.field, [1.0, 1.0, 1.0, 0.0], start, 2.0**-4, 1600)
    assert np.all(errors[:, 1:3].max(axis=1) <= 3e-15 * (1.0 + way(truth[:, 1:3])))
    assert errors[:, [0, 3, 4]].max() <= reference.TOLERANCE


@extended
def test_the_ball_errs_in_proportion_to_the_square_of_the_angle_turned():
    """The default ball up to t = 500, where "about 1e-11" is no longer true."""
    model = nhviz.registry.find("sphere")
    values = {p.name: p.default for p in (*model.parameters, *model.initial)}
    inertia = [values["J2"] + values["J3"], values["J1"] + values["J3"], values["J1"] + values["J2"]]
    load = values["m"] * values["rho"] ** 2
    gamma, omega = (np.array([values[f"{name}{i}"] for i in (1, 2, 3)]) for name in ("gamma", "omega"))
    momentum = (np.array(inertia) + load) * omega - load * (omega @ gamma) * gamma
    # A rotation with R gamma = e3: half a turn about the bisector of both.
    bisector = gamma + np.eye(3)[2]
    axis = bisector / np.linalg.norm(bisector)
    in_space = 2.0 * axis * (axis @ momentum) - momentum
    start = [0.0, *axis, 0.0, 0.0, *in_space]
    truth, errors = compared(sphere.field, [*inertia, load, values["rho"]], start, 2.0**-3, 4000)
    angle, worst = turned(truth[:, :4]), errors.max(axis=1)
    allowed = 3e-15 * angle + 1.5e-16 * angle**2 + 4.0 * EPS * (1.0 + way(truth[:, 4:6]))
    assert np.all(worst <= allowed)
    # Four times as long is sixteen times as far, not four times.
    growth = worst[:4001].max() / worst[:1001].max()
    assert 8.0 < growth < 32.0
    assert worst.max() > 1e-11


def test_round_off_does_not_add_up():
    """y' = 1/3 over a hundred thousand steps: the sum is as good as one product, a plain sum loses two more digits."""

    def field(y, p, dy):
        dy[0] = p[0]

    times = 0.1 * np.arange(100_001)
    out = np.empty((1, times.size))
    machine = reference.compiled_field(field)
    assert flow.integrate(machine, np.zeros(1), np.array([1.0 / 3.0]), times, 1e-14, 1_000_000, out) == times.size
    assert np.abs(out[0] - times / 3.0).max() <= 2.0 * EPS * times[-1] / 3.0


def test_time_does_not_run_slow_or_fast():
    """A fast oscillation with few samples: a time that is a sum of rounded steps would show in the phase.

    Ten thousand steps with t up to 100 would each be rounded by up to 7e-15, or 7e-13 of a radian; exact ones leave
    3e-15 for each radian, as for a top.
    """

    def field(y, p, dy):
        dy[0], dy[1] = p[0] * y[1], -p[0] * y[0]

    rate, end = 100.0, 100.0
    out = np.empty((2, 2))
    machine = reference.compiled_field(field)
    times = np.array([0.0, end])
    flow.integrate(machine, np.array([0.0, 1.0]), np.array([rate]), times, reference.TOLERANCE, 1_000_000, out)
    phase = math.remainder(math.atan2(out[0, 1], out[1, 1]) - rate * end, 2.0 * math.pi)
    assert abs(phase) <= 3e-15 * rate * end
