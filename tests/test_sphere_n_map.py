"""The map of the Chaplygin sphere in n dimensions: the discrete principle, its fold, runs that stop, whole ranges.

Nothing of the system enters the expected values: the principle is checked on the attitudes and places of a run.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

import nhviz
from nhviz.analysis.convergence import convergence
from tests.balls_n import (
    Ball,
    assert_traces_kept,
    assert_within,
    balls,
    generic,
    not_orthogonal,
    places,
    planes,
    skew_basis,
    skews,
    turned,
    verticals,
)
from tests.strategies import spread

SETTINGS = settings(max_examples=30, deadline=None, derandomize=True, database=None)
TRACES = ("tr_K2", "tr_K4", "tr_K2_Gamma")
every_dimension = pytest.mark.parametrize("n", [3, 4, 5])


# --- The map ---------------------------------------------------------------------------------------------------------


def momenta_of_rotations(ball, rotations, gamma):
    """CS (4.13) as it is printed."""
    ups = gamma[..., :, None] * gamma[..., None, :]
    S = ball.J + 0.5 * ball.D * ups
    rolling = 0.5 * ball.D * (ups @ rotations - turned(rotations) @ ups)
    return rotations @ S - S @ turned(rotations) + rolling


def finite_rotations(orbit):
    return turned(orbit["R"][:-1]) @ orbit["R"][1:]


@SETTINGS
@given(balls())
def test_each_step_has_the_momentum_of_its_rotation(ball):
    step = 0.4 * ball.largest
    orbit = ball.run("fedorov", step, 30 * step)
    found = momenta_of_rotations(ball, finite_rotations(orbit), verticals(orbit)[:-1])
    # Round-off of the rotations and of a few products.
    assert_within(found, step * skews(orbit, "K")[:-1], 4e-15 * (np.trace(ball.J) + ball.D))
    assert not_orthogonal(orbit) < 4e-15


@SETTINGS
@given(balls())
def test_each_step_is_the_discrete_principle(ball):
    """L = -tr(R_k J R_{k+1}^T) + (m/2) |dr|^2 is stationary for every turn R_k eta with dr = (R_k eta R_k^T) e_n."""
    step = 0.4 * ball.largest
    orbit = ball.run("fedorov", step, 10 * step)
    attitude, moved, up = orbit["R"], np.diff(places(orbit), axis=0), np.eye(ball.n)[-1]
    for k in range(1, len(orbit) - 1):
        for eta in skew_basis(ball.n):
            turn = attitude[k] @ eta
            roll = turn @ attitude[k].T @ up
            work = -np.trace(turn @ ball.J @ attitude[k + 1].T) - np.trace(attitude[k - 1] @ ball.J @ turn.T)
            work += ball.D * (moved[k - 1] - moved[k]) @ roll
            assert abs(work) < 2e-14 * (np.trace(ball.J) + ball.D)
    # The discrete constraint, CS (4.9).
    across = attitude[1:] @ turned(attitude[:-1])
    assert_within(moved, 0.5 * (across - turned(across)) @ up, 1e-14)


@SETTINGS
@given(balls())
def test_map_keeps_the_traces(ball):
    step = 0.5 * ball.largest
    orbit = ball.run("fedorov", step, 300 * step)
    assert_traces_kept(orbit, ball.K, ball.up, 2e-14)


@every_dimension
def test_map_keeps_the_traces_and_the_rotations_over_many_steps(n):
    ball = generic(n)
    orbit = ball.run("fedorov", 0.1, 10_000.0, every=1000)
    assert orbit.stopped is None
    assert len(orbit) == 101
    assert_traces_kept(orbit, ball.K, ball.up, 2e-14)
    assert not_orthogonal(orbit) < 1e-14
    assert np.linalg.det(orbit["R"][-1]) == pytest.approx(1.0, abs=1e-14)
    in_space = orbit["R"] @ skews(orbit, "K") @ turned(orbit["R"])
    assert_within(in_space, [in_space[0]] * 101, 2e-14 * np.linalg.norm(ball.K))


@pytest.mark.parametrize("n", [4, 5])
def test_order_is_two(n):
    ball = generic(n)
    steps = [2.0 / k for k in (100, 200, 400)]
    names = [*(f"gamma{i + 1}" for i in range(n)), *planes("omega", n), *(f"x{i}" for i in range(1, n)), "R"]
    measured = convergence("sphere_n", "fedorov", steps, 2.0, names, ball.params, ball.initial)
    assert measured.order == pytest.approx(2.0, abs=0.01)


@SETTINGS
@given(balls())
def test_backward_undoes_forward(ball):
    step = 0.3 * ball.largest
    forward = ball.run("fedorov", step, 20 * step)
    if forward.stopped:
        return
    back = ball.at(forward, -1).run("fedorov", step, 20 * step, backward=True)
    assert back.t[-1] == -forward.t[-1]
    # Round-off of 20 steps, which the map may enlarge.
    assert_within(verticals(back)[::-1], verticals(forward), 1e-12 * ball.condition)
    scale = np.max(np.abs(skews(forward, "omega"))) * ball.condition
    assert_within(skews(back, "omega")[::-1], skews(forward, "omega"), 1e-12 * scale)
    # The first attitude of the backward run is its own: its path is that of the forward run, turned about the vertical.
    turn = forward["R"][-1] @ back["R"][0].T
    assert_within(turn @ back["R"], forward["R"][::-1], 1e-12 * ball.condition)
    there = (places(back) @ turn.T)[::-1]
    assert_within(there - there[0], places(forward), 2e-11 * ball.condition)


@every_dimension
def test_a_tiny_step_keeps_all_digits(n):
    ball = generic(n)
    orbit = ball.run("fedorov", 1e-9, 3e-9)
    velocity = orbit["R"][0] @ ball.skew @ ball.up
    # The second step moves by the velocity but for its change, of relative size 1e-9.
    assert_within(places(orbit)[1], 1e-9 * velocity, 1e-22 * 1e3)
    assert_within(places(orbit)[1:] - places(orbit)[:-1], [1e-9 * velocity] * 3, 1e-17)


def test_energy_is_in_a_band_in_three_dimensions_and_wanders_in_four():
    """Means over eighths of a long run: they agree with n = 3; with n = 4 they are far apart."""
    apart = []
    for n in (3, 4):
        orbit = nhviz.simulate("sphere_n", "fedorov", {"n": n}, step=0.1, duration=20_000.0, every=20)
        energy = orbit.quantity("energy") / orbit.quantity("energy")[0] - 1.0
        apart.append(np.ptp([part.mean() for part in np.array_split(energy, 8)]))
    assert apart[0] < 1e-6
    assert apart[1] > 1e-4


def test_orbits_separate_linearly_in_three_dimensions_and_exponentially_in_four():
    """The flow of two starts 1e-8 apart, after 200 and 300 seconds; with n = 4 it grows by e^(0.05 t) or so."""
    for n, low, high in ((3, 1e-9, 1e-5), (4, 1e-4, 2.0)):
        starts = {"omega12": [-0.7, -0.7 + 1e-8]}
        first, second = nhviz.ensemble("sphere_n", "reference", {"n": n}, starts, 1.0, 300.0)
        assert low < np.max(np.abs(verticals(first) - verticals(second))[200:]) < high


# --- The fold, and runs that stop ------------------------------------------------------------------------------------


def momentum_determinant(ball, rotation, gamma):
    """det of eta -> dK for Omega -> Omega (1 + eta), on the entries above the diagonal; K is linear in Omega."""
    upper = np.triu_indices(ball.n, 1)
    columns = [momenta_of_rotations(ball, rotation @ eta, gamma)[upper] for eta in skew_basis(ball.n)]
    return np.linalg.det(np.array(columns).T)


@settings(SETTINGS, max_examples=20)
@given(balls())
def test_largest_step_is_the_fold_of_the_principal_branch(ball):
    if ball.largest > 99.0:
        return
    falling = []
    for distance in (1e-2, 1e-6, 1e-8):
        step = (1.0 - distance) * ball.largest
        orbit = ball.run("fedorov", step, step)
        assert len(orbit) == 2
        falling.append(momentum_determinant(ball, finite_rotations(orbit)[0], ball.up))
    # The determinant falls to zero like a square root; further away others of its terms are felt.
    assert min(falling) > 0.0
    assert falling[1] / falling[2] == pytest.approx(10.0, rel=0.1)
    for share in (1.0 + 1e-6, 1.01, 5.0):
        step = share * ball.largest
        above = ball.run("fedorov", step, step)
        assert len(above) == 1
        assert above.stopped.startswith(
            f"no real branch before the first step is complete: the principal branch has folded with step {step:.6g}"
        )
        assert float(above.stopped.rstrip(".").split()[-1]) == pytest.approx(ball.largest, rel=1e-5)


def principal_rotation(ball, gamma, goal):
    """The rotation with momentum `goal` that grows out of the identity: dF(eta) = goal ds from s = 0 to 1."""
    upper, basis = np.triu_indices(ball.n, 1), skew_basis(ball.n)

    def rates(_, y):
        rotation = y.reshape(ball.n, ball.n)
        columns = [momenta_of_rotations(ball, rotation @ eta, gamma)[upper] for eta in basis]
        parts = np.linalg.solve(np.array(columns).T, goal[upper])
        return (rotation @ sum(part * eta for part, eta in zip(parts, basis, strict=True))).ravel()

    solution = solve_ivp(rates, (0.0, 1.0), np.eye(ball.n).ravel(), "DOP853", rtol=1e-11, atol=1e-12)
    return solution.y[:, -1].reshape(ball.n, ball.n)


@settings(SETTINGS, max_examples=15)
@given(balls(), st.floats(0.2, 0.95))
def test_every_step_is_on_the_principal_branch(ball, share):
    step = share * ball.largest
    orbit = ball.run("fedorov", step, 60 * step)
    rotations, momenta, up = finite_rotations(orbit), skews(orbit, "K"), verticals(orbit)
    for k in range(0, len(rotations), 6):
        # Next to a fold the branch is steep: errors of 1e-11 grow by the inverse of the determinant.
        assert_within(rotations[k], principal_rotation(ball, up[k], step * momenta[k]), 1e-6)


@every_dimension
def test_a_run_that_stops_says_where_and_why(n):
    ball, seen = generic(n), 0
    for share in (0.8, 0.9, 0.95, 0.99):
        step = share * ball.largest
        orbit = ball.run("fedorov", step, 1000 * step)
        if orbit.stopped is None:
            continue
        seen += 1
        assert f"after step {len(orbit) - 1}:" in orbit.stopped
        end = ball.at(orbit, -1).largest
        assert float(orbit.stopped.rstrip(".").split()[-1]) == pytest.approx(end, rel=1e-5)
        assert end < step
        assert ball.at(orbit, -2).largest > step
        # Every k-th step: as many samples as were reached.
        sparse = ball.run("fedorov", step, 1000 * step, every=3)
        assert len(sparse) == (len(orbit) - 1) // 3 + 1
        assert np.array_equal(sparse["R"], orbit["R"][::3])
    assert seen >= 1


def test_ensemble_with_orbits_that_stop():
    speeds = [0.4, 3.0, -0.9, 30.0]
    many = nhviz.ensemble("sphere_n", "fedorov", {"n": 5}, {"omega45": speeds}, 0.4, 20.0)
    assert {reason is None for reason in many.stopped} == {True, False}
    plain = nhviz.ensemble("sphere_n", "fedorov", {"n": 5}, {"omega45": speeds}, 0.4, 20.0, skip=("R",))
    assert "R" not in plain.components
    for i, speed in enumerate(speeds):
        alone = nhviz.simulate("sphere_n", "fedorov", {"n": 5}, {"omega45": speed}, 0.4, 20.0)
        assert many.stopped[i] == alone.stopped
        for name, values in alone.components.items():
            assert np.array_equal(many[name][i, : len(alone)], values)
            assert name == "R" or np.array_equal(plain[name][i, : len(alone)], values)


# --- The whole declared ranges ---------------------------------------------------------------------------------------


@st.composite
def declared_balls(draw):
    """Any ball and start of the declared ranges."""
    n = draw(st.integers(3, 5))
    mass = draw(st.tuples(*[spread(0.001, 100.0)] * n))
    gamma = draw(st.tuples(*[spread(-1e3, 1e3)] * n).filter(any))
    omega = draw(st.tuples(*[spread(-100.0, 100.0)] * (n * (n - 1) // 2)).filter(any))
    return Ball(mass, draw(spread(0.0, 1000.0)), gamma, omega)


@settings(SETTINGS, max_examples=60)
@given(declared_balls(), st.floats(0.01, 1.5))
def test_map_over_the_declared_ranges(ball, share):
    largest = ball.largest or np.inf
    step = min(100.0, max(1e-9, share * largest))
    orbit = ball.run("fedorov", step, 20 * step)
    for values in orbit.components.values():
        assert np.isfinite(values).all()
    assert (orbit.stopped is None) == (len(orbit) == 21)
    if abs(step / largest - 1.0) > 1e-8:
        assert (len(orbit) > 1) == (step < largest)
    assert_traces_kept(orbit, ball.K, ball.up, 1e-13)
    found = momenta_of_rotations(ball, finite_rotations(orbit), verticals(orbit)[:-1])
    assert_within(found, step * skews(orbit, "K")[:-1], 1e-14 * (np.trace(ball.J) + ball.D))


@settings(SETTINGS, max_examples=20)
@given(declared_balls())
def test_reference_over_the_declared_ranges(ball):
    unit = 0.1 * min(100.0, ball.largest or np.inf)
    orbit = ball.run("reference", max(1e-9, unit), 5 * max(1e-9, unit))
    assert orbit.stopped is None
    for values in orbit.components.values():
        assert np.isfinite(values).all()
    assert_traces_kept(orbit, ball.K, ball.up, 1e-13)
    np.testing.assert_allclose(orbit.quantity("energy"), orbit.quantity("energy")[0], rtol=1e-11 * ball.condition)
