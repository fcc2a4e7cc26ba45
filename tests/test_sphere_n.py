"""The Chaplygin sphere in n dimensions against the classical ball, d'Alembert's principle, and balls within balls.

Nothing of the system enters the expected values. The flow is d'Alembert's principle over the masses of the ball; with
n = 3 it is the system `sphere`.
"""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.integrate import solve_ivp
from scipy.linalg import expm

import nhviz
from nhviz.analysis.steps import largest_step
from tests.balls_n import (
    Ball,
    assert_traces_kept,
    assert_within,
    balls,
    generic,
    not_orthogonal,
    paired,
    places,
    planes,
    skew_basis,
    skews,
    verticals,
)

SETTINGS = settings(max_examples=30, deadline=None, derandomize=True, database=None)
TRACES = ("tr_K2", "tr_K4", "tr_K2_Gamma")
every_dimension = pytest.mark.parametrize("n", [3, 4, 5])


# --- Three dimensions: the classical ball ----------------------------------------------------------------------------


def classical(ball, method, step, duration):
    """The same run of the system `sphere`: omega_ij = -eps_ijk omega_k."""
    omega = (-ball.omega[2], ball.omega[1], -ball.omega[0])
    params = {f"J{i}": j for i, j in enumerate(ball.mass_tensor, start=1)} | {"m": ball.D, "rho": 1.0}
    initial = {f"gamma{i}": part for i, part in enumerate(ball.gamma, start=1)}
    initial |= {f"omega{i}": part for i, part in enumerate(omega, start=1)}
    return nhviz.simulate("sphere", method, params, initial, step, duration)


def assert_classical(ball, method, step, duration, tolerance):
    ours, theirs = ball.run(method, step, duration), classical(ball, method, step, duration)
    assert len(ours) == len(theirs)
    assert (ours.stopped is None) == (theirs.stopped is None)
    for name in ("omega", "K"):
        scale = 1.0 + max(np.max(np.abs(theirs[f"{name}{k}"])) for k in (1, 2, 3))
        for plane, sign, k in (("23", -1, 1), ("13", 1, 2), ("12", -1, 3)):
            assert_within(ours[name + plane], sign * theirs[f"{name}{k}"], tolerance * scale)
    for i in (1, 2, 3):
        assert_within(ours[f"gamma{i}"], theirs[f"gamma{i}"], tolerance)
    reach = 1.0 + np.max(np.abs([theirs["x"], theirs["y"]]))
    assert_within([ours["x1"], ours["x2"]], [theirs["x"], theirs["y"]], tolerance * reach)
    assert_within(ours["R"], theirs["R"], tolerance)
    np.testing.assert_allclose(ours.quantity("energy"), theirs.quantity("energy"), rtol=tolerance)
    # <K, K> = -tr K^2 / 2, and |K gamma|^2 = <K, K> - <K, gamma>^2.
    square = theirs.quantity("K_K")
    np.testing.assert_allclose(ours.quantity("tr_K2"), -2.0 * square, rtol=tolerance)
    np.testing.assert_allclose(ours.quantity("tr_K4"), 2.0 * square**2, rtol=2.0 * tolerance)
    expected = theirs.quantity("K_gamma") ** 2 - square
    assert_within(ours.quantity("tr_K2_Gamma"), expected, tolerance * np.max(square))


@SETTINGS
@given(balls(3))
def test_three_dimensions_flow_as_the_classical_ball(ball):
    # What a reference flow promises; neighbouring orbits separate linearly.
    assert_classical(ball, "reference", 0.25, 5.0, 1e-11 * ball.condition)


@SETTINGS
@given(balls(3))
def test_three_dimensions_step_as_the_classical_ball(ball):
    step = 0.3 * ball.largest
    assert_classical(ball, "fedorov", step, 50 * step, 50 * 2e-15 * ball.condition)


@SETTINGS
@given(balls(3))
def test_three_dimensions_fold_where_the_classical_ball_does(ball):
    omega = (-ball.omega[2], ball.omega[1], -ball.omega[0])
    params = {f"J{i}": j for i, j in enumerate(ball.mass_tensor, start=1)} | {"m": ball.D, "rho": 1.0}
    initial = {f"gamma{i}": part for i, part in enumerate(ball.gamma, start=1)}
    initial |= {f"omega{i}": part for i, part in enumerate(omega, start=1)}
    # The classical search takes a branch to end at a half turn; both end their search at 1e-9 of the step.
    assert ball.largest == pytest.approx(largest_step("sphere", "fedorov", params, initial), rel=1e-8)


# --- The flow --------------------------------------------------------------------------------------------------------


def acceleration(ball, gamma, omega):
    """omega' by d'Alembert's principle: no turn of the ball that rolls does work against the accelerations.

    In the body a mass at x has the acceleration (omega' + omega^2) x relative to the centre; the centre has the
    velocity omega gamma, and gamma' = -omega gamma, hence the acceleration omega' gamma.
    """
    basis = skew_basis(ball.n)
    matrix = np.array([[paired(ball, gamma, change, turn) for change in basis] for turn in basis])
    right = np.array([-np.trace(omega @ omega @ ball.J @ turn.T) for turn in basis])
    return sum(part * turn for part, turn in zip(np.linalg.solve(matrix, right), basis, strict=True))


@every_dimension
def test_reference_is_dalemberts_principle(n):
    ball = generic(n)
    duration = 3.0
    orbit = ball.run("reference", duration / 6, duration)
    upper = np.triu_indices(n, 1)

    def rates(_, y):
        omega = np.zeros((n, n))
        omega[upper] = y[: upper[0].size]
        omega -= omega.T
        attitude = y[upper[0].size : upper[0].size + n * n].reshape(n, n)
        gamma = attitude[n - 1]
        change = acceleration(ball, gamma, omega)
        return np.concatenate([change[upper], (attitude @ omega).ravel(), attitude @ omega @ gamma])

    start = np.concatenate([ball.skew[upper], orbit["R"][0].ravel(), np.zeros(n)])
    solution = solve_ivp(rates, (0.0, duration), start, "DOP853", orbit.t, rtol=3e-14, atol=1e-14)
    found = np.concatenate(
        [skews(orbit, "omega")[:, upper[0], upper[1]], orbit["R"].reshape(len(orbit), -1), places(orbit)], axis=1
    )
    assert_within(found, solution.y.T, 1e-11)


@SETTINGS
@given(balls())
def test_momentum_and_energy_are_those_of_the_masses(ball):
    orbit = ball.run("reference", 0.5, 1.0)
    assert_within(skews(orbit, "K")[0], ball.K, 1e-14 * np.linalg.norm(ball.K) * ball.condition)
    for sample, energy in enumerate(orbit.quantity("energy")):
        up, omega = verticals(orbit)[sample], skews(orbit, "omega")[sample]
        assert energy == pytest.approx(paired(ball, up, omega, omega), rel=1e-13 * ball.condition)


@every_dimension
def test_reference_keeps_what_the_flow_keeps(n):
    ball = generic(n)
    orbit = ball.run("reference", 0.25, 100.0)
    assert orbit.stopped is None
    np.testing.assert_allclose(orbit.quantity("energy"), orbit.quantity("energy")[0], rtol=1e-11)
    assert_traces_kept(orbit, ball.K, ball.up, 2e-14)
    assert not_orthogonal(orbit) < 4e-15
    assert_within(np.einsum("sij,sj->si", orbit["R"], verticals(orbit)), [np.eye(n)[-1]] * len(orbit), 4e-15)


# --- Balls within balls ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "still"), [(4, 0), (4, 2), (5, 0), (5, 3)])
@pytest.mark.parametrize("method", ["reference", "fedorov"])
def test_a_ball_that_leaves_an_axis_alone_has_a_dimension_less(n, still, method):
    """With omega and gamma across a body axis the ball moves as one without that axis, in the space across it."""
    small = generic(n - 1)
    rest = [i for i in range(n) if i != still]
    mass, gamma, omega = np.zeros(n), np.zeros(n), np.zeros((n, n))
    mass[rest], mass[still] = small.mass_tensor, 0.8
    gamma[rest] = small.gamma
    omega[np.ix_(rest, rest)] = small.skew
    upper = tuple(omega[np.triu_indices(n, 1)].tolist())
    large = Ball(tuple(mass.tolist()), small.D, tuple(gamma.tolist()), upper)
    inside, outside = (ball.run(method, 0.1, 6.0) for ball in (large, small))
    for name in ("omega", "K"):
        assert_within(skews(inside, name)[:, rest][:, :, rest], skews(outside, name), 1e-11)
        assert_within(skews(inside, name)[:, still], 0.0, 1e-11)
    assert_within(inside["R"][:, rest][:, :, rest], outside["R"], 1e-11)
    assert_within(inside["R"][:, still], [np.eye(n)[still]] * len(inside), 1e-11)
    assert_within(places(inside)[:, rest], places(outside), 1e-11)
    assert_within(places(inside)[:, still], 0.0, 1e-11)
    assert_within(inside.quantity("energy"), outside.quantity("energy"), 1e-11)
    # The axis left alone may make the branch fold earlier, not later.
    assert large.largest <= small.largest * (1.0 + 1e-8)


@pytest.mark.parametrize(("method", "step"), [("reference", 0.25), ("fedorov", 0.25), ("fedorov", 0.6)])
@pytest.mark.parametrize("n", [4, 5])
def test_steady_turning_in_two_planes(n, method, step):
    """Turning in two planes across each other; the vertical is in the second one, or in none of them."""
    speeds = (0.9, -1.3)
    planes_turned = ((0, 1), (2, 3))
    omega = np.zeros((n, n))
    for (i, j), speed in zip(planes_turned, speeds, strict=True):
        omega[i, j], omega[j, i] = speed, -speed
    up = np.eye(n)[n - 1]
    ball = replace(generic(n), gamma=tuple(up), omega=tuple(omega[np.triu_indices(n, 1)].tolist()))
    assert ball.largest == pytest.approx(1.0 / 1.3, rel=1e-8)
    orbit = ball.run(method, step, 20 * step)
    assert orbit.stopped is None
    # Unstable turning would enlarge round-off by e^(speed t) at most.
    small = 1e-15 * np.exp(1.3 * 20 * step)
    assert_within(skews(orbit, "omega"), [omega] * 21, small)
    assert_within(places(orbit), np.outer(orbit.t, omega @ up), 20 * small)
    angles = [step * speed if method == "reference" else np.arcsin(step * speed) for speed in speeds]
    turn = np.zeros((n, n))
    for (i, j), angle in zip(planes_turned, angles, strict=True):
        turn[i, j], turn[j, i] = angle, -angle
    assert_within(orbit["R"], [expm(k * turn) for k in range(21)], 20 * small)


@pytest.mark.parametrize(("method", "step"), [("fedorov", 100.0), ("fedorov", 1e-9), ("reference", 10.0)])
@every_dimension
def test_a_ball_at_rest_stays_at_rest(n, method, step):
    orbit = replace(generic(n), omega=(0.0,) * (n * (n - 1) // 2)).run(method, step, 100 * step)
    assert orbit.stopped is None
    assert len(orbit) == 101
    assert not np.any(places(orbit))
    for name in ("omega", "K"):
        assert not np.any(skews(orbit, name))


# --- The start -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["reference", "fedorov"])
@pytest.mark.parametrize(
    "gamma",
    [
        (0.0, 0.0, 0.0, 1.0),
        (0.0, 0.0, 0.0, -1.0),
        (0.0, 0.0, -1.0),
        (0.0, 0.0, 0.0, 0.0, -2.0),
        (1e-9, -2e-9, 0.0, -1.0),
        (-1e-140, 2e-140, 3e-140, -1.0),
        (1e-8, 1e-8, 0.0, 1e-8, 1.0),
        (1.0, 0.0, 0.0, 0.0),
        (0.03, 0.02, -0.06, 0.01, -0.07),
    ],
)
def test_first_attitude_is_the_shortest_upright_one(method, gamma):
    n = len(gamma)
    ball = replace(generic(n), gamma=gamma)
    orbit = ball.run(method, 0.1, 0.2)
    first = orbit["R"][0]
    assert_within(first @ first.T, np.eye(n), 4e-15)
    assert np.linalg.det(first) == pytest.approx(1.0, abs=4e-15)
    assert_within(first @ ball.up, np.eye(n)[-1], 4e-15)
    # The shortest rotation turns one plane, by the angle between the two: n - 2 + 2 cos is its trace.
    assert np.trace(first) == pytest.approx(n - 2 + 2 * ball.up[-1], abs=4e-15)
    # The first sample is the start itself.
    assert_within(verticals(orbit)[0], ball.up, 4e-16)
    assert [orbit[name][0] for name in planes("omega", n)] == list(ball.omega)
    assert not places(orbit)[0].any()
    if not any(gamma[:-1]) and gamma[-1] < 0.0:
        assert np.array_equal(first, np.diag([1.0] * (n - 2) + [-1.0, -1.0]))


@pytest.mark.parametrize(
    ("params", "initial", "words"),
    [
        ({"n": 3.5}, {}, "n must be a whole number between 3 and 5, not 3.5"),
        ({"n": 6}, {}, "n must be between 3 and 5, not 6"),
        ({"n": 2}, {}, "n must be between 3 and 5, not 2"),
        ({"n": 3, "J4": 0.5}, {}, "J4 is used from n = 4 on"),
        ({"n": 4, "J5": 0.5}, {}, "J5 is used from n = 5 on"),
        ({"n": 3}, {"omega14": 1.0}, "omega14 is used from n = 4 on"),
        ({"n": 4}, {"gamma5": 1.0}, "gamma5 is used from n = 5 on"),
        ({"J1": 0.0}, {}, "J1 must be between"),
        ({"D": -1.0}, {}, "D must be between"),
        ({"n": 3}, {"gamma1": 0.0, "gamma2": 0.0, "gamma3": 0.0}, "gamma1, gamma2, gamma3 must not all be 0"),
        ({}, {f"gamma{i}": 0.0 for i in (1, 2, 3, 4)}, "gamma1, gamma2, gamma3, gamma4 must not all be 0"),
        ({}, {"omega21": 1.0}, "omega12"),
    ],
)
def test_bad_input_is_one_sentence(params, initial, words):
    with pytest.raises(nhviz.ParameterError) as caught:
        nhviz.simulate("sphere_n", params=params, initial=initial)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_ball_with_mass_outside_is_remarked():
    assert nhviz.describe("sphere_n")["remarks"] == []
    for n, last in ((3, "J3"), (5, "J5")):
        remarks = nhviz.simulate("sphere_n", params={"n": n, "D": 1.0}, duration=0.0).remarks
        assert len(remarks) == 1
        assert f"+ {last} =" in remarks[0]


# --- The drawing -----------------------------------------------------------------------------------------------------


@every_dimension
def test_drawing_shows_the_ball_its_axes_and_its_path(n):
    orbit = generic(n).run("fedorov", 0.1, 3.0)
    motion = orbit.system.draw(orbit)
    assert motion.background[0].role == "path"
    axes = motion.parts[-1]
    assert [shape.role for shape in axes.shapes][-n:] == [f"axis_{i + 1}" for i in range(n)]
    # A body axis as it is seen: the first three coordinates of its direction in space.
    for i, shape in enumerate(axes.shapes[-n:]):
        assert_within(np.diff(axes.rotations @ shape.points.T, axis=2)[..., 0], 2.5 * orbit["R"][:, :3, i], 1e-15)
    height = [0.0, 0.0, 1.0] if n == 3 else [0.0, 0.0, 0.0]
    for part in motion.parts:
        assert_within(part.translations, places(orbit)[:, :3] + height, 1e-15)
