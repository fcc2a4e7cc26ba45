"""The Chaplygin sleigh in n dimensions: cusps, straight motions, folds, whole ranges, pictures and messages."""

import csv
import io
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

import nhviz
from nhviz.export import to_csv
from nhviz.shapes import points_of
from nhviz.systems import sleigh_n
from tests.sleighs_n import Sleigh, assert_within, generic, momenta, poses, rates, sleighs, velocities
from tests.strategies import spread

SETTINGS = settings(max_examples=25, deadline=None, derandomize=True, database=None)
every_dimension = pytest.mark.parametrize("n", [2, 3, 4])
both_methods = pytest.mark.parametrize("method", ["reference", "fedorov_zenkov"])


# --- Cusps and straight motions --------------------------------------------------------------------------------------


@both_methods
@pytest.mark.parametrize("n", [2, 3, 4])
def test_cusps(n, method):
    body, duration = generic(n), 4.0
    event = solve_ivp(
        rates(body), (0.0, duration),
        np.concatenate([np.linalg.solve(body.inertia, body.momentum), np.eye(n, n + 1).ravel()]),
        "DOP853", rtol=1e-12, atol=1e-12, events=lambda _, y: y[n - 1],
    )  # fmt: skip
    expected = event.y_events[0][:, n:].reshape(-1, n, n + 1)[:, :, n]
    assert len(expected) >= 1
    errors = []
    for step in (0.1, 0.05, 0.025, 0.0125):
        orbit = body.run(method, step, duration)
        found = sleigh_n.cusps(orbit)
        assert found.shape == expected.shape
        errors.append(np.abs(found - expected).max())
        # The path stops and goes back where it came from: its chords are opposite but for the turn of the blade.
        before = np.flatnonzero(orbit["v"][1:] * orbit["v"][:-1] < 0.0)[0]
        place = poses(orbit)[:, :n, n]
        first, last = place[before] - place[before - 1], place[before + 2] - place[before + 1]
        speed = np.linalg.norm(velocities(orbit)[before, :-1])
        cosine = first @ last / np.linalg.norm(first) / np.linalg.norm(last)
        assert cosine == pytest.approx(-np.cos(2 * speed * step), abs=0.2 * speed * step)
    # Near a cusp the path goes with the square of the time: the place is found to second order.
    assert errors[-1] < 1e-3
    assert errors[-1] < errors[0] / 16
    # It really stops there: closest to the cusp the path is slower than any speed of its own.
    chords = np.linalg.norm(np.diff(place, axis=0), axis=1)
    assert chords[before] < 0.1 * chords.max()


@both_methods
@SETTINGS
@given(sleighs(), st.sampled_from([-1.0, 1.0]))
def test_straight_motions_are_stable_with_the_centre_ahead(method, body, v):
    straight = v * body.inertia[:, -1]
    step = 0.3 * body.at(straight).largest
    orbit = body.at(straight).run(method, step, 5 * step)
    assert_within(momenta(orbit), [straight] * 6, 1e-10 * np.abs(straight).max())
    assert_within(poses(orbit)[:, 0, -1], v * orbit.t, 1e-10)
    h = 1e-6
    slope = [
        [momenta(body.at(straight + s * h * d).run(method, step, step))[1] for s in (1, -1)] for d in np.eye(body.n)
    ]
    sizes = np.abs(np.linalg.eigvals(np.array([(a - b) / (2 * h) for a, b in slope])))
    # One multiplier is 1, along the line of straight motions; the others decide.
    across = np.delete(sizes, np.argmin(np.abs(sizes - 1.0)))
    assert np.all(across < 1.0) if body.centre[0] * v > 0.0 else np.all(across > 1.0)


def with_an_axis(body, mass):
    """One axis more, that nothing couples to."""
    return Sleigh(
        (*body.masses, mass), (*body.products, 0.0), body.m, (*body.centre, 0.0),
        (*body.momentum[:-1], 0.0, body.momentum[-1]),
    )  # fmt: skip


@both_methods
@SETTINGS
@given(st.integers(2, 3).flatmap(sleighs), st.floats(0.2, 1.5))
def test_an_axis_left_out_changes_nothing(method, body, mass):
    n, large = body.n, with_an_axis(body, mass)
    step = 0.4 * min(body.largest, large.largest)
    small, large = body.run(method, step, 25 * step), large.run(method, step, 25 * step)
    assert len(small) == len(large)
    tolerance = (1e-12 if method == "fedorov_zenkov" else 1e-10) * body.condition
    rest = [*range(n), n + 1]
    assert_within(np.delete(momenta(large), n - 1, axis=1), momenta(small), tolerance)
    assert_within(large[f"x{n + 1}"], 0.0, tolerance)
    assert_within(poses(large)[:, rest][:, :, rest], poses(small), tolerance * (1.0 + np.abs(poses(small)).max()))


@pytest.mark.parametrize("L", [1e-6, 1e-3, 1e-2])
@pytest.mark.parametrize("mass", [0.2, 0.25])
def test_an_axis_left_out_does_not_undo_a_fold(L, mass):
    """Near a straight backward motion two directions fold at nearly one step: the determinant is positive beyond."""
    body = Sleigh((0.3, 0.2), (0.0,), 2.0, (0.5, 0.0), (L, -2.0))
    large = with_an_axis(body, mass)
    assert body.largest < 2.0
    # The axis may make the branch fold earlier, not later.
    assert large.largest <= body.largest * (1.0 + 1e-5)
    assert len(large.run("fedorov_zenkov", 2.2, 2.2)) == 1


def fold_in_the_plane(body):
    """Where FZ (7.18) turns back: eps = 2 tau (m a^2 tau^2 + A)/((1 + tau^2)(P - a p_1 tau)), P = p_theta + b p_1.

    For a p_1 < 0 tau may pass infinity, a half turn, and come back from below: eps then rises without end.
    """
    (p, p_1), (a, b) = body.momentum, body.centre
    square, pull, P = body.m * a * a, a * p_1, abs(p + b * p_1)
    A = sum(body.masses) + square
    if P == 0.0:
        return 2.0 * A / -pull if pull < 0.0 else None
    top, bottom = np.poly1d([2 * square, 0.0, 2 * A, 0.0]), np.poly1d([1.0, 0.0, 1.0]) * np.poly1d([-pull, P])
    # The highest power cancels.
    roots = np.roots((top.deriv() * bottom - top * bottom.deriv()).coeffs[-5:])
    turns = sorted(root.real for root in roots if abs(root.imag) < 1e-9 * abs(root) and root.real > 0.0)
    if turns and (pull <= 0.0 or turns[0] < P / pull):
        return top(turns[0]) / bottom(turns[0])
    beyond = [root.real for root in roots if abs(root.imag) < 1e-9 * abs(root) and root.real < 0.0]
    assert pull >= 0.0 or not any(turn < P / pull for turn in beyond)
    return None


@settings(SETTINGS, max_examples=100)
@given(sleighs(2))
def test_fold_in_the_plane(body):
    """The number of FZ (7.18), or none: not one like 1e8, at which round-off would stop Newton's method."""
    expected, found = fold_in_the_plane(body), body.bound
    assert found == (None if expected is None else pytest.approx(expected, rel=1e-5))


def test_the_search_for_the_fold_ends():
    """Here there is none, and a search by ever longer steps would go to and fro."""
    masses, centre = (1.3650738822745636, 0.2603973843136801), (0.26795742955102125, 0.7033838133823698)
    body = Sleigh(masses, (0.44943198555498504,), 1.1814243897965944, centre, (0.08807514133629571, 0.5252955930066644))
    assert fold_in_the_plane(body) is None
    assert body.bound is None


@pytest.mark.parametrize("step", [0.0019, 0.002, 0.01, 1.0, 10.0, 100.0])
def test_no_step_beyond_the_fold(step):
    """Nor one so long that its first stride leads to another branch."""
    body = Sleigh((0.25, 0.19), (0.0,), 4.6, (-0.05, 9.3), (3.67, -26.6))
    assert fold_in_the_plane(body) == pytest.approx(0.00191348, rel=1e-5)
    assert len(body.run("fedorov_zenkov", step, step)) == (2 if step < 0.00191 else 1)


def test_the_fold_of_a_long_body():
    """It is between the steps 1 and 3."""
    centre = (-1.0, 0.0, 12.182493960703473)
    products = (0.0848528137423857, 0.3355993885068249)
    body = Sleigh((1.0, 1.0, 15.642631884188171), products, 1.0, centre, (0.0, -1.0, -1.0))
    assert [len(body.run("fedorov_zenkov", step, step)) for step in (1.0, 3.0)] == [2, 1]
    assert 1.0 < body.bound < 3.0


@SETTINGS
@given(sleighs())
def test_largest_step_is_where_the_first_step_ends(body):
    if body.largest == 2.0:
        return
    below, above = (
        body.run("fedorov_zenkov", share * body.largest, share * body.largest) for share in (0.9999, 1.0001)
    )
    assert (len(below), len(above)) == (2, 1)
    assert (
        "no real branch before the first step is complete: the principal branch has folded with step" in above.stopped
    )
    assert float(above.stopped.rstrip(".").split()[-1]) == pytest.approx(body.largest, rel=1e-4)


# --- The whole declared ranges ---------------------------------------------------------------------------------------


@st.composite
def declared_sleighs(draw):
    n = draw(st.integers(2, 4))
    masses = draw(st.tuples(*[spread(1e-3, 100.0)] * n))
    share = draw(st.floats(0.0, 0.99)) / np.sqrt(n - 1)
    products = tuple(float(share * np.sqrt(masses[0] * mass)) for mass in masses[1:])
    centre, momentum = (draw(st.tuples(*[spread(-size, size)] * n)) for size in (100.0, 1000.0))
    return Sleigh(masses, products, draw(spread(0.01, 100.0)), centre, momentum)


@settings(SETTINGS, max_examples=100)
@given(declared_sleighs(), st.floats(0.01, 1.5))
def test_whole_declared_ranges(body, share):
    largest = body.bound
    step = min(100.0, max(1e-9, share * (largest or 1.0)))
    orbit = body.run("fedorov_zenkov", step, 20 * step)
    pace = max(1e-9, 0.01 * step)
    flow = body.run("reference", pace, 10 * pace)
    assert (orbit.stopped is None) == (len(orbit) == 21)
    if largest and 1e-9 < step < 100.0 and abs(step / largest - 1.0) > 1e-6:
        assert (len(orbit) > 1) == (step < largest)
    for found in (orbit, flow):
        assert all(np.isfinite(values).all() for values in found.components.values())
        # The momenta are kept to round-off; their energy is that times the condition of the inertia.
        tolerance = 1e-10 + 1e-13 * body.condition
        np.testing.assert_allclose(found.quantity("energy"), found.quantity("energy")[0], rtol=tolerance, atol=1e-300)
        assert found.quantity("orthogonality").max() < 1e-13


def test_every_body_that_passes_the_check_runs():
    """A heavy body far beside its blade: the engine refused it when it ran, for "mass", which is no parameter."""
    params = {"n": 2, "J1": 1e-3, "J2": 1e-3, "J12": 0.0, "m": 100.0, "a1": 0.0, "a2": 100.0}
    problem = nhviz.Problem.create("sleigh_n", "fedorov_zenkov", params, step=1e-6, duration=1e-6)
    assert len(nhviz.simulate(problem)) == 2


# --- Pictures, exports, messages -------------------------------------------------------------------------------------


@every_dimension
@both_methods
@pytest.mark.parametrize("kind", ["usual", "rest", "instant", "sparse", "centred"])
def test_pictures_and_exports(n, method, kind):
    body = generic(n).at([0.0] * n) if kind == "rest" else generic(n)
    body = replace(body, centre=(0.0,) * n) if kind == "centred" else body
    orbit = body.run(method, 0.1, 0.0 if kind == "instant" else 3.0, every=4 if kind == "sparse" else 1)
    assert len(orbit) == {"instant": 1, "sparse": 8}.get(kind, 31)
    shown, motion = min(n, 3), orbit.system.draw(orbit)
    for part in motion.parts:
        assert part.rotations.shape == (len(orbit), shown, n)
        assert part.translations.shape == (len(orbit), shown)
        assert all(shape.points.shape[1] == n for shape in part.shapes)
    flat = [*motion.background]
    for portrait in orbit.system.portraits:
        flat += portrait.background(orbit)
    assert all(points_of(shape).shape[1] == shown for shape in flat)
    shapes = [*flat, *(shape for part in motion.parts for shape in part.shapes)]
    assert all(np.isfinite(points_of(shape)).all() for shape in shapes)
    table = list(csv.reader(io.StringIO(to_csv(orbit).decode())))
    assert len(table) == len(orbit) + 1
    assert {f"x{n}", f"L{n}", f"w{n}", f"R{n}{n}", "energy", "orthogonality"} <= {*table[0]}
    assert f"x{n + 1}" not in table[0]
    assert [float(row[table[0].index("x1")]) for row in table[1:]] == orbit["x1"].tolist()


@both_methods
@every_dimension
def test_ensembles_are_their_orbits(n, method):
    starts = {"L2": [0.1, 2.0, -900.0]}
    many = nhviz.ensemble("sleigh_n", method, {"n": n}, starts, 0.05, 2.0)
    for i, start in enumerate(starts["L2"]):
        alone = nhviz.simulate("sleigh_n", method, {"n": n}, {"L2": start}, 0.05, 2.0)
        assert many.stopped[i] == alone.stopped
        assert all(np.array_equal(many[name][i, : len(alone)], alone[name]) for name in alone.components)
    plain = nhviz.ensemble("sleigh_n", method, {"n": n}, starts, 0.05, 2.0, skip=("R",))
    assert set(plain.components) == set(many.components) - {"R"}
    assert all(np.array_equal(plain[name], many[name]) for name in plain.components)
    places = [f"x{i + 1}" for i in range(n)]
    bare = nhviz.ensemble("sleigh_n", method, {"n": n}, starts, 0.05, 2.0, skip=("R", *places))
    assert set(bare.components) == set(plain.components) - set(places)


@pytest.mark.parametrize(
    ("params", "initial", "words"),
    [
        ({"n": 2, "a3": 0.5}, {}, "a3 is used from n = 3 on; with n = 2"),
        ({"n": 3, "J14": 0.1}, {}, "J14 is used from n = 4 on"),
        ({"n": 2}, {"L3": 2.0}, "L3 is used from n = 3 on"),
        ({"n": 2.5}, {}, "n must be a whole number between 2 and 4, not 2.5"),
        ({"n": 5}, {}, "n must be between 2 and 4"),
        ({"J12": 50.0}, {}, "must be positive definite: its smallest principal mass is -49."),
    ],
)
def test_bad_input_is_one_sentence(params, initial, words):
    with pytest.raises(nhviz.ParameterError) as caught:
        nhviz.simulate("sleigh_n", params=params, initial=initial)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
