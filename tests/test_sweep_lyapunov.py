"""Lyapunov exponents: nearby starts part as they say, and at equilibria they are the logarithm of the multiplier."""

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import nhviz
from nhviz import kernels
from nhviz.maps import sphere_branches
from nhviz.registry import find

BALL = {"J1": 0.31, "J2": 0.52, "J3": 0.87, "m": 1.7, "rho": 0.9}
TURN = np.array(kernels.sphere_tangent.FIRST_TURN)


def turned(params, initial, angle):
    """The start after a turn of the body by a small angle: gamma and K are carried along."""
    *inertia, d = sphere_branches.ball(params)
    gamma = sphere_branches.unit(sphere_branches.vectors(initial, "gamma"))
    momentum = sphere_branches.momentum(params, gamma, sphere_branches.vectors(initial, "omega"))
    turn = Rotation.from_rotvec(angle * TURN).as_matrix()
    gamma, momentum = turn @ gamma, turn @ momentum
    matrix = np.diag(inertia) + d * (np.eye(3) - np.outer(gamma, gamma))
    both = {"gamma": gamma, "omega": np.linalg.solve(matrix, momentum)}
    return initial | {f"{name}{i + 1}": float(part[i]) for name, part in both.items() for i in range(3)}


def state(run, sample):
    """gamma, and K in units of its size."""
    gamma, momentum = (np.array([run[f"{name}{i}"][sample] for i in (1, 2, 3)]) for name in ("gamma", "K"))
    return np.concatenate([gamma, momentum / np.linalg.norm(momentum)])


def test_nearby_balls_part_by_the_tangent_map():
    found = nhviz.sweep("sphere", "lyapunov", ("omega1", -2.0, 2.3, 4), ("J1", 0.2, 0.5, 3), params=without("J1"))
    for i, j in ((0, 1), (2, 2), (3, 0)):
        problem = found.problem(i, j)
        params, initial = dict(problem.params), dict(problem.initial)
        runs = [nhviz.simulate("sphere", "fedorov", params, turned(params, initial, angle)) for angle in (1e-5, -1e-5)]
        first, last = (np.linalg.norm(state(runs[0], k) - state(runs[1], k)) for k in (0, -1))
        # A central difference: off by the square of 1e-5, and by round-off over 1e-5.
        assert found.values[j, i] == pytest.approx(math.log(last / first) / problem.duration, abs=1e-8)


def without(name):
    return {other: value for other, value in BALL.items() if other != name}


@pytest.mark.parametrize("method", ["exact", "moser_veselov", "cayley"])
def test_at_the_unstable_rest_point_of_the_top_it_is_the_multiplier(method):
    params, step = {"I11": 2.7, "I22": 4.1, "I33": 6.0, "I13": 0.8, "I23": -0.6}, 0.01
    local = find("suslov").method(method).local
    maker = local.rest_points or find("suslov").method("moser_veselov").local.rest_points
    unstable, _ = maker(params, step, 900.0)
    rate = math.log(abs(local.multiplier(params, step, unstable))) / step
    growth = []
    for duration in (0.4, 0.8):
        found = nhviz.sweep(
            "suslov",
            "lyapunov",
            ("I33", 6.0, 7.0, 2),
            method=method,
            params={name: value for name, value in params.items() if name != "I33"},
            initial={"M1": unstable[0], "M2": unstable[1]},
            step=step,
            duration=duration,
        )
        growth.append(found.values[0] * duration)
    # What the first direction has of the unstable one is the same in both; the rest has decayed by exp(-0.4 rate).
    assert (growth[1] - growth[0]) / 0.4 == pytest.approx(rate, rel=2.0 * math.exp(-0.4 * rate))
    assert rate > 5.0


def test_a_body_that_keeps_its_state_has_no_exponent():
    """A homogeneous ball with vertical momentum turns about the vertical for ever: deviations do not grow."""
    initial = {"gamma1": 0.0, "gamma2": 0.0, "gamma3": 1.0, "omega1": 0.0, "omega2": 0.0, "omega3": 1.3}
    same = {"J1": 0.4, "J2": 0.4, "J3": 0.4}
    found = nhviz.sweep("sphere", "lyapunov", ("m", 1.0, 2.0, 3), params=same, initial=initial)
    assert found.values == pytest.approx(0.0, abs=1e-12)


def test_the_exponent_of_the_map_tends_to_that_of_the_flow():
    """As the map itself does, like the square of the step."""
    initial = {"gamma1": 0.3, "gamma2": -0.4, "gamma3": 0.7, "omega12": 0.6, "omega13": -0.9, "omega23": 0.4}
    common = {"params": {"n": 3}, "initial": initial, "duration": 6.0}
    maps = [
        nhviz.sweep("sphere_n", "lyapunov", ("D", 1.0, 1.7, 3), method="fedorov", step=step, **common).values
        for step in (0.02, 0.01)
    ]
    flow = nhviz.sweep("sphere_n", "lyapunov", ("D", 1.0, 1.7, 3), method="reference", step=0.05, **common).values
    # Second order: the error of half the step is a quarter.
    assert np.abs(maps[1] - flow).max() < 0.3 * np.abs(maps[0] - flow).max()


def test_a_run_that_ends_early_has_none():
    found = nhviz.sweep("sphere", "lyapunov", ("omega1", 0.9, 40.0, 2), step=0.4)
    assert np.isfinite(found.values[0])
    assert np.isnan(found.values[1])
    assert "ends early" in found.reason(1)


def squares(gamma, omega, eps, steps):
    """S = M^T M of the tangent map M: turns of the body -> deviations (dgamma, dK/|K|), by polarisation.

    For no steps M a = (a x gamma, a x K/|K|).
    """
    ball = sphere_branches.ball(BALL)
    momentum = sphere_branches.momentum(BALL, gamma, omega)
    parts = gamma, momentum / np.linalg.norm(momentum)

    def square(turn):
        if not turn.any():
            return 0.0
        first = sum(float(np.sum(np.cross(turn, part) ** 2)) for part in parts)
        grown = kernels.sphere_tangent.growth(ball, tuple(gamma), tuple(omega), eps, steps, tuple(turn))
        return first * math.exp(2.0 * grown)

    return np.array([[0.25 * (square(a + b) - square(a - b)) for b in np.eye(3)] for a in np.eye(3)])


def test_the_sum_of_all_exponents_is_that_of_the_invariant_measure():
    """The flow keeps the measure sqrt(F) domega dgamma, F^-1/2 times that of turns: volume grows as sqrt(F) does.

    So the exponents add up to ln(F at the end/F at the start)/2 over the time, which tends to 0; the map's do so up to
    the square of the step.
    """
    gamma = sphere_branches.unit(np.array([0.3, -0.5, 0.7]))
    omega, duration = np.array([0.8, 0.4, -0.6]), 5.0
    inertia, d = np.array(sphere_branches.ball(BALL)[:3]), sphere_branches.ball(BALL)[3]
    start = {f"{name}{i + 1}": float(v[i]) for name, v in (("gamma", gamma), ("omega", omega)) for i in range(3)}
    run = nhviz.simulate("sphere", "reference", BALL, start, step=duration, duration=duration)
    end = np.array([run[f"gamma{i}"][-1] for i in (1, 2, 3)])
    volume = [float(np.sum(inertia * g**2 / (inertia + d))) for g in (gamma, end)]
    kept = 0.5 * math.log(volume[1] / volume[0])
    before = np.linalg.slogdet(squares(gamma, omega, 0.1, 0))[1]
    away = []
    for steps in (50, 100, 200):
        after = np.linalg.slogdet(squares(gamma, omega, duration / steps, steps))[1]
        away.append(abs(0.5 * (after - before) - kept))
    assert abs(kept) > 0.01
    assert away[1] < 0.3 * away[0]
    assert away[2] < 0.3 * away[1]
