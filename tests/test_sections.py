"""Poincare sections: crossings of known curves, and the exact return map of the nonholonomic oscillator."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import nhviz
from nhviz.analysis.oscillator_section import return_map
from nhviz.analysis.sections import section

CP_GAINS = {"k1": 500, "k2": 300, "k3": 300}
# Crossings of y = cos t upwards.
TIMES = 1.5 * np.pi + 2.0 * np.pi * np.arange(63)


def within(found, expected, size):
    np.testing.assert_allclose(found, expected, rtol=0, atol=size)


def points(found):
    return np.stack([found["x"], found["z"], found["p_z"]], axis=1)


def oscillator(method, step=1e-3, duration=400.0, initial=None, **options):
    return nhviz.simulate("oscillator", method, None, initial, step, duration, **options)


# --- The oscillator with CP's data -----------------------------------------------------------------------------------


def test_the_return_map_of_the_paper():
    found = return_map()
    assert found.rotation_number == pytest.approx(0.4126094445, abs=1e-10)
    within(found.axis, [-0.0906330, 0.0, 0.9958844], 6e-8)
    assert found.height == pytest.approx(0.3718519, abs=6e-8)
    assert found.radius == pytest.approx(1.3645, abs=6e-5)
    assert found.time == pytest.approx(1.5 * np.pi, abs=1e-14)
    within(found.matrix @ found.matrix.T, np.eye(3), 1e-12)
    assert np.linalg.det(found.matrix) == pytest.approx(1.0, abs=1e-12)
    assert found.first @ found.first == pytest.approx(2.0, abs=1e-12)
    within(found.matrix @ found.axis, found.axis, 1e-12)


def test_the_ellipses_of_the_paper():
    circle = return_map().circle(20001)
    low, high = circle.min(axis=0), circle.max(axis=0)
    within((low + high) / 2.0, [-0.0337, 0.0, 0.3703], 6e-5)
    within((high - low) / 2.0, [1.3588, 1.3645, 0.1237], 6e-5)
    within(np.linalg.norm(circle, axis=1), np.sqrt(2.0), 1e-12)
    within(circle[0], return_map().first, 1e-12)


def lagrange(t, y):
    """q'' = -q + lambda (1, 0, y) with x'' + y z'' + y' z' = 0."""
    q, v = y[:3], y[3:]
    pull = (q[0] + q[1] * q[2] - v[1] * v[2]) / (1.0 + q[1] ** 2)
    return [*v, -q[0] + pull, -q[1], -q[2] + pull * q[1]]


@pytest.mark.parametrize(
    "start",
    [
        {},
        {"x": 0.3, "y": -0.7, "z": 0.2, "p_y": 0.8, "p_z": 1.1},
        {"x": -1.2, "y": 0.4, "z": 0.0, "p_y": -2.0, "p_z": 0.5},
        {"x": 1.0, "y": 0.0, "z": 0.5, "p_y": -0.6, "p_z": 0.2},
    ],
)
def test_the_return_map_is_the_motion(start):
    full = {"x": 1.0, "y": 1.0, "z": 1.0, "p_y": 0.0, "p_z": 0.0} | start
    first = [full["x"], full["y"], full["z"], -full["y"] * full["p_z"], full["p_y"], full["p_z"]]

    def rising(t, y):
        return y[1]

    rising.direction = 1
    motion = solve_ivp(lagrange, (0.0, 40.0), first, method="DOP853", rtol=1e-12, atol=1e-13, events=rising)
    crossings = motion.y_events[0]
    found = return_map(start)
    within(motion.t_events[0], found.time + 2.0 * np.pi * np.arange(len(crossings)), 1e-9)
    within(found.crossings(len(crossings)), crossings[:, [0, 2, 5]], 1e-9)
    within(crossings @ np.array([0, 0, 0, 1.0, 0, 0]), 0.0, 1e-9)
    within(found.crossings(len(crossings)) @ found.axis, found.height, 1e-11)
    run = oscillator("reference", 0.02, 40.0, start)
    mine = section(run, {"y": 1.0})
    within(mine.t, motion.t_events[0], 1e-9)
    within(points(mine), crossings[:, [0, 2, 5]], 1e-9)


def test_section_of_the_reference():
    found = section(oscillator("reference", 0.01), {"y": 1.0})
    assert len(found) == 63
    within(found.t, TIMES, 1e-9)
    within(found["y"], 0.0, 1e-11)
    within(found["p_x"], 0.0, 1e-9)
    exact = return_map()
    within(points(found), exact.crossings(63), 1e-8)


def test_sections_of_feedback_and_dla():
    exact = return_map()
    golden = {"feedback": (CP_GAINS, 3.0e-6, 6.4e-2, 6.3e-2), "dla": ({}, 3.9e-2, 2.0e-2, 2.1e-2)}
    for method, (options, sphere, drift, distance) in golden.items():
        found = section(oscillator(method, **options), {"y": 1.0})
        assert len(found) == 63
        within(found.t, TIMES, 0.02)
        places = points(found)
        assert np.max(np.abs(np.sum(places**2, axis=1) - 2.0)) == pytest.approx(sphere, rel=0.05)
        assert np.max(np.abs(places @ exact.axis - exact.height)) == pytest.approx(drift, rel=0.04)
        assert np.max(np.abs(places - exact.crossings(63))) == pytest.approx(distance, rel=0.06)


def test_downwards_and_both_ways():
    run = oscillator("reference", 0.02, 60.0)
    up, down, both = (section(run, {"y": 1.0}, direction=direction) for direction in (1, -1, 0))
    within(up.t, TIMES[: len(up)], 1e-10)
    within(down.t, TIMES[: len(down)] - np.pi, 1e-10)
    assert np.array_equal(both.t, np.sort([*up.t, *down.t]))
    # The plane turned round changes up and down.
    within(section(run, {"y": -2.0}).t, down.t, 1e-13)


# --- Known curves ----------------------------------------------------------------------------------------------------


def test_crossings_of_the_cycloid():
    """x = (1 - cos t)/2 passes 1/4 at pi/3 and 2 pi - pi/3."""
    run = nhviz.simulate("knife_edge", "exact", step=0.05, duration=30.0)
    turns = 2.0 * np.pi * np.arange(5)
    up, down = section(run, {"x": 1.0}, 0.25), section(run, {"x": 1.0}, 0.25, -1)
    within(up.t, np.pi / 3.0 + turns, 1e-11)
    within(down.t, turns[1:] - np.pi / 3.0, 1e-11)
    within(up["phi"], up.t / 2.0, 1e-11)
    within(up["y"], (up.t - np.sin(up.t)) / 2.0, 1e-11)
    # A plane that is oblique: x + 2 phi = (1 - cos t)/2 + t rises for ever.
    oblique = section(run, {"x": 1.0, "phi": 2.0}, 2.0 * np.pi)
    assert len(oblique) == 1
    within(oblique.t, 2.0 * np.pi, 1e-11)


def test_crossings_gain_with_the_samples():
    """The interpolation of the exact curve is of an order of 8 at least."""
    errors = []
    for step in (0.4, 0.2):
        run = nhviz.simulate("knife_edge", "exact", step=step, duration=40.0)
        times = section(run, {"x": 1.0}, 0.25).t
        inner = times[1:-1]
        errors.append(np.max(np.abs(inner - np.pi / 3.0 - 2.0 * np.pi * np.arange(1, len(inner) + 1))))
    assert errors[0] < 1e-5
    assert np.log2(errors[0] / errors[1]) > 8.0


@pytest.mark.parametrize(("base", "order", "step"), [("euler", 1, 0.004), ("rk4", 4, 0.04)])
def test_crossings_are_of_the_order_of_the_method(base, order, step):
    exact = return_map().crossings(3)
    errors = []
    for size in (step, step / 2):
        found = section(oscillator("feedback", size, 20.0, base=base, k1=5, k2=5, k3=5), {"y": 1.0})
        assert len(found) == 3
        errors.append(max(np.max(np.abs(points(found) - exact)), np.max(np.abs(found.t - TIMES[:3]))))
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.12 * order)


@pytest.mark.parametrize("samples", [1, 2, 3, 5])
def test_short_runs(samples):
    run = nhviz.simulate("knife_edge", "exact", step=0.5, duration=0.5 * (samples - 1))
    found = section(run, {"phi": 1.0}, 0.2)
    assert len(found) == (0 if samples == 1 else 1)
    within(found.t, [0.4] * len(found), 1e-12)


def test_a_plane_that_is_never_met():
    found = section(oscillator("reference", 0.1, 10.0), {"y": 1.0}, 5.0)
    assert len(found) == 0
    assert found["x"].size == 0


# --- Bad input -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (({"w": 1.0},), "w"),
        (({},), "at least one component"),
        (({"y": float("nan")},), "finite"),
        (({"y": "1"},), "number"),
        (({"y": 1.0}, float("inf")), "finite"),
        (({"y": 1.0}, 0.0, 2), "direction must be 1, -1 or 0"),
        (({"y": 1.0}, 0.0, "up"), "direction must be 1, -1 or 0"),
    ],
)
def test_bad_planes_are_refused(arguments, hint):
    run = oscillator("reference", 0.1, 1.0)
    with pytest.raises(nhviz.ParameterError, match=hint) as caught:
        section(run, *arguments)
    assert "\n" not in str(caught.value)


def test_a_matrix_is_no_component_of_a_plane():
    run = nhviz.simulate("suslov", "reference", duration=0.1)
    with pytest.raises(nhviz.ParameterError, match="R"):
        section(run, {"R": 1.0})


def test_bad_starts_are_refused():
    with pytest.raises(nhviz.ParameterError, match="never crosses"):
        return_map({"y": 0.0, "p_y": 0.0})
    with pytest.raises(nhviz.ParameterError, match="p_x"):
        return_map({"p_x": 1.0})


def test_a_start_on_the_plane_is_treated_alike_by_both():
    """A start on the plane is the first crossing."""
    start = {"y": 0.0, "p_y": 1.0}
    found = section(oscillator("reference", 0.01, 20.0, start), {"y": 1.0})
    exact = return_map(start)
    within(points(found), exact.crossings(len(found)), 1e-8)


def test_a_small_rotation_number():
    """For a small amplitude A the rotation number is A/2 to first order: here by the sine of the angle."""
    found = return_map({"y": 1e-6, "p_y": 0.0})
    odd = 0.5 * (found.matrix - found.matrix.T)
    sine = np.sqrt(odd[0, 1] ** 2 + odd[0, 2] ** 2 + odd[1, 2] ** 2)
    assert found.rotation_number == pytest.approx(np.arcsin(sine) / (2.0 * np.pi), rel=1e-6)
