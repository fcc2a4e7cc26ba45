"""The Chaplygin sphere in n dimensions against the classical ball and against d'Alembert's principle.

Nothing of the system enters the expected values. The flow is d'Alembert's principle over the masses of the ball, the
map is the discrete principle on the attitudes and places of a run; with n = 3 both are the system `sphere`.
"""

from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp
from scipy.linalg import expm

import nhviz
from nhviz.analysis.convergence import convergence
from nhviz.analysis.steps import largest_step
from nhviz.simulate import run as run_problem
from tests.strategies import spread

SETTINGS = settings(max_examples=30, deadline=None, derandomize=True, database=None)
TRACES = ("tr_K2", "tr_K4", "tr_K2_Gamma")
every_dimension = pytest.mark.parametrize("n", [3, 4, 5])


@dataclass(frozen=True)
class Ball:
    """A ball in n dimensions, the vertical in it, and how it turns: omega12, omega13, ..."""

    mass_tensor: tuple[float, ...]
    D: float
    gamma: tuple[float, ...]
    omega: tuple[float, ...]

    @property
    def n(self):
        return len(self.gamma)

    @property
    def params(self):
        return {"n": self.n, "D": self.D} | {f"J{i}": j for i, j in enumerate(self.mass_tensor, start=1)}

    @property
    def initial(self):
        turning = dict(zip(planes("omega", self.n), self.omega, strict=True))
        return turning | {f"gamma{i}": part for i, part in enumerate(self.gamma, start=1)}

    @property
    def J(self):
        return np.diag(self.mass_tensor)

    @property
    def up(self):
        return np.array(self.gamma) / np.linalg.norm(self.gamma)

    @property
    def skew(self):
        return sum(w * basis for w, basis in zip(self.omega, skew_basis(self.n), strict=True))

    @property
    def K(self):
        """The momentum by its pairing with every turn: that of the masses, and that of the centre with lever gamma."""
        basis = skew_basis(self.n)
        pairing = [paired(self, self.up, self.skew, turn) for turn in basis]
        return sum(value * turn for value, turn in zip(pairing, basis, strict=True))

    @property
    def condition(self):
        low = sum(sorted(self.mass_tensor)[:2])
        return (sum(sorted(self.mass_tensor)[-2:]) + self.D) / low

    @property
    def largest(self):
        return largest_step("sphere_n", "fedorov", self.params, self.initial)

    def run(self, method, step, duration, every=1, backward=False):
        problem = nhviz.Problem.create("sphere_n", method, self.params, self.initial, step, duration, every)
        return run_problem(problem, backward)

    def at(self, orbit, sample):
        """The same ball as it is at a sample of a run."""
        omega = tuple(float(orbit[name][sample]) for name in planes("omega", self.n))
        return replace(self, gamma=tuple(verticals(orbit)[sample].tolist()), omega=omega)


def planes(name, n):
    return [f"{name}{i}{j}" for i, j in combinations(range(1, n + 1), 2)]


def skew_basis(n):
    """Skew matrices with one entry 1 above the diagonal."""
    unit = np.eye(n)
    return [np.outer(unit[i], unit[j]) - np.outer(unit[j], unit[i]) for i, j in combinations(range(n), 2)]


def paired(ball, gamma, first, second):
    """The sum over all masses of <first x, second x>, and m <first gamma, second gamma> of the centre."""
    return np.trace(first @ ball.J @ second.T) + ball.D * (first @ gamma) @ (second @ gamma)


def skews(orbit, name):
    """omega or K along a run, (samples, n, n)."""
    n = orbit["R"].shape[1]
    return sum(orbit[plane][:, None, None] * b for plane, b in zip(planes(name, n), skew_basis(n), strict=True))


def verticals(orbit):
    return np.stack([orbit[f"gamma{i + 1}"] for i in range(orbit["R"].shape[1])], axis=1)


def places(orbit):
    """The contact point in n dimensions; its last coordinate is 0."""
    n = orbit["R"].shape[1]
    return np.stack([*(orbit[f"x{i}"] for i in range(1, n)), 0.0 * orbit.t], axis=1)


def turned(matrices):
    return np.swapaxes(matrices, -1, -2)


def not_orthogonal(orbit):
    return np.max(np.abs(orbit["R"] @ turned(orbit["R"]) - np.eye(orbit["R"].shape[1])))


def assert_within(found, expected, tolerance):
    """Equal up to an absolute error; numpy would add a relative one of 1e-7."""
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=tolerance)


def assert_traces_kept(orbit, K, gamma, tolerance):
    """The three traces, by matrix products of the samples, are those of the start."""
    size = np.linalg.norm(K)
    momenta, up = skews(orbit, "K"), verticals(orbit)
    squares = momenta @ momenta
    found = {
        "tr_K2": np.trace(squares, axis1=1, axis2=2),
        "tr_K4": np.trace(squares @ squares, axis1=1, axis2=2),
        "tr_K2_Gamma": np.einsum("si,sij,sj->s", up, squares, up),
    }
    start = {"tr_K2": np.trace(K @ K), "tr_K4": np.trace(K @ K @ K @ K), "tr_K2_Gamma": gamma @ K @ K @ gamma}
    for name, degree in zip(TRACES, (2, 4, 2), strict=True):
        assert_within(found[name], start[name], tolerance * size**degree)
        assert_within(orbit.quantity(name), found[name], 1e-14 * size**degree)


def log_uniform(low, high):
    return st.floats(np.log(low), np.log(high)).map(lambda power: float(np.exp(power)))


@st.composite
def balls(draw, n=None):
    """Generic balls: from rods to heavy cores, turning in every plane."""
    n = draw(st.integers(3, 5)) if n is None else n
    mass = draw(st.tuples(*[log_uniform(0.05, 2.0)] * n))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    gamma, omega = rng.normal(size=n), rng.normal(size=n * (n - 1) // 2)
    return Ball(mass, draw(log_uniform(0.2, 10.0)), tuple(gamma.tolist()), tuple(omega.tolist()))


def generic(n):
    """A ball of n dimensions that is not the default."""
    mass, gamma = (0.4, 0.7, 0.3, 0.9, 0.55), (0.5, -0.3, 0.6, 0.4, -0.2)
    omega = (0.5, -0.4, 0.7, 0.3, -0.6, 0.2, 0.45, -0.35, 0.65, -0.25)
    return Ball(mass[:n], 1.7, gamma[:n], omega[: n * (n - 1) // 2])


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
