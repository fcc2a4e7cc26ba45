"""The globe and the plane of the sphere's rotations: counts, folds and curves against other ways to find them."""

import numpy as np
import pytest

import nhviz
from nhviz.analysis.steps import largest_step
from nhviz.maps import sphere_branches, sphere_curves, sphere_folds, sphere_starts
from nhviz.sweeps.compute import values_at
from nhviz.sweeps.points import points_of
from tests.frames import opening, painted
from tests.test_render import check_figures

# No two numbers are related: a heavy core, a light ball, a rod.
BALLS = {
    "core": {"J1": 0.013, "J2": 0.21, "J3": 0.77, "m": 290.0, "rho": 1.02},
    "light": {"J1": 0.27, "J2": 0.55, "J3": 0.91, "m": 1.9, "rho": 1.1},
    "rod": {"J1": 0.02, "J2": 0.05, "J3": 0.8, "m": 3.1, "rho": 0.9},
}
GAMMA = np.array([0.53, 0.68, 0.49]) / np.linalg.norm([0.53, 0.68, 0.49])
MOMENTUM = np.array([0.58, -0.27, 0.23])


def matrix(params, gamma):
    """I + D (1 - gamma gamma^T), the inertia about the contact point."""
    mass = np.diag([params[f"J{i}"] for i in (1, 2, 3)])
    inertia = np.trace(mass) * np.eye(3) - mass
    d = params["m"] * params["rho"] ** 2
    return inertia, inertia + d * (np.eye(3) - np.outer(gamma, gamma))


def start(params, gamma, k):
    omega = np.linalg.solve(matrix(params, gamma)[1], k)
    return {f"{name}{i + 1}": v[i] for name, v in (("gamma", gamma), ("omega", omega)) for i in range(3)}


def counted(params, gamma, k, step):
    at = {f"K{i + 1}": k[i] for i in range(3)} | {f"gamma{i + 1}": gamma[i] for i in range(3)}
    return len(nhviz.branches("sphere", "fedorov", params, step, at))


def rotated(vector, axis, angle):
    """Rodrigues' formula."""
    along = (axis @ vector) * axis
    return along + np.cos(angle) * (vector - along) + np.sin(angle) * np.cross(axis, vector)


@pytest.mark.parametrize("name", BALLS)
def test_counts_on_the_globe_are_those_of_branches(name):
    params, chance = BALLS[name], np.random.default_rng(3)
    found = nhviz.sweep(
        "sphere", "branch_count", ("longitude", 0.1, 6.1, 23), ("latitude", -1.5, 1.4, 17), "fedorov",
        params=params, initial=start(params, GAMMA, MOMENTUM), step=1.1,
    )  # fmt: skip
    for _ in range(25):
        i, j = chance.integers(23), chance.integers(17)
        latitude, longitude = found.y[j], found.x[i]
        gamma = rotated(rotated(np.eye(3)[0], -np.eye(3)[1], latitude), np.eye(3)[2], longitude)
        assert found.values[j, i] == counted(params, gamma, MOMENTUM, 1.1)
        # A click there opens a run with this vertical and the same momentum.
        initial = dict(found.problem(i, j).initial)
        assert [initial[f"gamma{n}"] for n in (1, 2, 3)] == pytest.approx(gamma, abs=1e-14)
        omega = np.array([initial[f"omega{n}"] for n in (1, 2, 3)])
        condition = np.linalg.cond(matrix(params, gamma)[1])
        assert matrix(params, gamma)[1] @ omega == pytest.approx(MOMENTUM, abs=1e-15 * condition)


@pytest.mark.parametrize("name", BALLS)
def test_counts_in_the_plane_are_those_of_branches(name):
    params, chance = BALLS[name], np.random.default_rng(4)
    found = nhviz.sweep(
        "sphere", "branch_count", ("step", 0.1, 3.0, 19), ("turn", 0.05, 3.1, 21), "fedorov",
        params=params, initial=start(params, GAMMA, MOMENTUM),
    )  # fmt: skip
    normal = np.cross(GAMMA, MOMENTUM)
    normal /= np.linalg.norm(normal)
    for _ in range(25):
        i, j = chance.integers(19), chance.integers(21)
        k = rotated(np.linalg.norm(MOMENTUM) * GAMMA, normal, found.y[j])
        assert found.values[j, i] == counted(params, GAMMA, k, found.x[i])


def test_what_is_not_given_is_that_of_the_start():
    params = BALLS["core"]
    initial, step = start(params, GAMMA, MOMENTUM), 0.9
    latitude, longitude = np.arcsin(GAMMA[2]), np.arctan2(GAMMA[1], GAMMA[0])
    here = nhviz.Sweep.create(
        "sphere", "branch_count", ("latitude", latitude, 1.5, 5), method="fedorov", params=params, initial=initial,
        step=step,
    )  # fmt: skip
    assert values_at(here, np.array([0]), np.array([0]))[0] == counted(params, GAMMA, MOMENTUM, step)
    there = points_of(here, np.array([4]), np.array([0])).initial
    assert np.arctan2(there["gamma2"][0], there["gamma1"][0]) == pytest.approx(longitude, abs=1e-12)
    plain = nhviz.Sweep.create("sphere", "branch_count", ("gamma1", -1.0, 1.0, 5), params=params, initial={
        name: value for name, value in initial.items() if name != "gamma1"}, step=step)  # fmt: skip
    assert "latitude" not in dict(plain.options)


def test_a_vertical_momentum_can_be_turned():
    k = 0.7 * GAMMA
    for angle in (0.0, 0.6, 2.2):
        turned = sphere_starts.turned(GAMMA, k, np.asarray(angle))
        assert np.linalg.norm(turned) == pytest.approx(0.7, rel=1e-14)
        assert sphere_starts.angle_between(GAMMA, turned) == pytest.approx(angle, abs=1e-8)
    many = sphere_starts.turned(np.stack([GAMMA, np.eye(3)[0]], axis=1), np.stack([k, k], axis=1), np.array([0.6, 0.6]))
    assert many[:, 0] == pytest.approx(sphere_starts.turned(GAMMA, k, np.asarray(0.6)), abs=1e-15)


@pytest.mark.parametrize("name", BALLS)
def test_folds_over_the_angle_are_largest_steps(name):
    params, angles = BALLS[name], np.linspace(0.0, np.pi, 61)
    found = sphere_folds.along_turn(sphere_branches.ball(params), GAMMA, MOMENTUM, angles)
    for i in range(0, 61, 4):
        k = sphere_starts.turned(GAMMA, MOMENTUM, angles[i])
        assert found[i] == pytest.approx(largest_step("sphere", "fedorov", params, start(params, GAMMA, k)), rel=1e-7)


@pytest.mark.parametrize("name", BALLS)
def test_on_the_fold_of_the_globe_the_principal_rotation_is_lost(name):
    """A little before the step there is one, a little after there is none, at every point of the curve."""
    params = BALLS[name]
    ball = sphere_branches.ball(params)
    table, _ = sphere_folds.table(ball, tuple((MOMENTUM / np.linalg.norm(MOMENTUM)).tolist()))
    step = 2.0 / np.linalg.norm(MOMENTUM) * float(np.quantile(table, 0.35))
    curves = sphere_folds.on_globe(ball, MOMENTUM, step)
    assert curves
    for curve in curves:
        assert np.linalg.norm(curve, axis=0) == pytest.approx(1.0, abs=1e-14)
        for gamma in curve.T[::9]:
            at = {f"K{i + 1}": MOMENTUM[i] for i in range(3)} | {f"gamma{i + 1}": gamma[i] for i in range(3)}
            before, after = (
                any(one["principal"] for one in nhviz.branches("sphere", "fedorov", params, share * step, at))
                for share in (1.0 - 1e-6, 1.0 + 1e-6)
            )
            assert (before, after) == (True, False)


def test_the_fold_of_the_globe_is_whole():
    """Walking over the globe the largest step passes the step exactly where a curve is crossed."""
    params, step = BALLS["core"], 1.05
    ball = sphere_branches.ball(params)
    points = np.concatenate(sphere_folds.on_globe(ball, MOMENTUM, step), axis=1)
    turn = np.linspace(0.0, 2.0 * np.pi, 241)
    for tilt in (0.5, 1.1):
        circle = np.stack([np.cos(turn), np.sin(turn) * np.cos(tilt), np.sin(turn) * np.sin(tilt)])
        above = np.array([sphere_branches.largest_step_at_momentum(params, g, MOMENTUM) > step for g in circle.T])
        for i in np.flatnonzero(above[1:] != above[:-1]):
            middle = 0.5 * (circle[:, i] + circle[:, i + 1])
            # The points of a curve are as far apart as the grid of the globe is wide, a tenth.
            assert np.linalg.norm(points - middle[:, None], axis=0).min() < 0.1


def residual(params, gamma, k, step, q):
    """CS (5.2): eps K - 2 (q0 I q + q x I q) - 2 D q0 (q - <gamma, q> gamma)."""
    inertia, about_contact = matrix(params, gamma)
    return step * k - 2.0 * (q[0] * about_contact @ q[1:] + np.cross(q[1:], inertia @ q[1:]))


@pytest.mark.parametrize("name", BALLS)
def test_curves_are_rotations_of_their_steps_and_all_of_them(name):
    params = BALLS[name]
    ball, largest = sphere_branches.ball(params), sphere_branches.largest_step_at_momentum(params, GAMMA, MOMENTUM)
    last = 1.2 * largest
    curves = sphere_curves.curves(ball, GAMMA, MOMENTUM, last)
    scale = max(ball)
    for curve in curves:
        assert np.linalg.norm(curve.rotations, axis=1) == pytest.approx(1.0, abs=1e-12)
        assert (curve.rotations[:, 0] > -1e-9).all()
        assert (curve.steps >= -1e-12).all()
        assert (curve.steps <= last * (1 + 1e-12)).all()
        for q, step in zip(curve.rotations, curve.steps, strict=True):
            assert np.abs(residual(params, GAMMA, MOMENTUM, step, q)).max() < 1e-10 * scale
    assert curves[0].rotations[0] == pytest.approx([1.0, 0.0, 0.0, 0.0])
    first = curves[0].steps
    fold = first[: int(np.argmax(np.diff(first) < 0.0)) + 1].max()
    # A step of the tracing is 0.03 at most, and the step at a fold changes with its square.
    assert fold == pytest.approx(largest, rel=2e-3)
    for share in (0.11, 0.43, 0.71, 0.93):
        step = share * last
        assert sum(crossed(curve.steps, step) for curve in curves) == counted(params, GAMMA, MOMENTUM, step)


def crossed(steps, step):
    """How often a curve passes a step."""
    above = steps > step
    return int(np.count_nonzero(above[1:] != above[:-1]))


def drawn_at_random(chance, case):
    """Balls and starts over the whole ranges, some of them special: equal moments, simple verticals, rest."""
    moments = np.exp(chance.uniform(np.log(1e-3), np.log(100.0), 3))
    moments[: 1 + case % 3] = moments[0]
    gamma = np.eye(3)[case % 3] if case % 4 == 1 else chance.normal(size=3)
    omega = (gamma if case % 5 == 2 else chance.normal(size=3)) * np.exp(chance.uniform(-4.0, 3.0)) * (case % 7 != 3)
    values = {f"J{i + 1}": moments[i] for i in range(3)}
    values |= {f"{name}{i + 1}": v[i] for name, v in (("gamma", gamma), ("omega", omega)) for i in range(3)}
    values |= {"m": np.exp(chance.uniform(-6.0, 6.9)), "rho": np.exp(chance.uniform(-2.3, 2.3))}
    step = np.exp(chance.uniform(-6.0, 3.0))
    return {name: float(np.clip(value, -1e3, 1e3)) for name, value in values.items()} | {
        "step": step,
        "duration": 5 * step,
    }


@pytest.mark.parametrize("case", range(24))
def test_everything_is_finite_over_the_whole_ranges(case):
    chance = np.random.default_rng(100 + case)
    for tab, follow in (("bodies", "principal"), ("bodies", "5"), ("along_run", "2")):
        state = opening("sphere", "branches", tabs={"detail": tab}, options={"bodies.follow": follow},
                        **drawn_at_random(chance, case))  # fmt: skip
        result = painted(state)
        check_figures(result)
        assert result.said["sentence"]
        for sweeps in result.coming.values():
            for one in sweeps:
                sweep = nhviz.Sweep.from_dict(one["sweep"])
                found = values_at(sweep, np.array([0, 7]), np.array([0, 50]))
                # A cell whose velocity is beyond the ranges is empty.
                assert np.isin(found[np.isfinite(found)], [0, 1, 2, 4, 6, 8]).all()
