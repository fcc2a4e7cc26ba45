"""The Chaplygin sphere over its whole declared ranges, and what it refuses."""

import math

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import nhviz
from nhviz import registry
from nhviz.__main__ import main
from nhviz.analysis.branches import branch_table
from nhviz.analysis.steps import largest_step
from tests.balls import assert_within, vectors
from tests.strategies import initial, spread, values

SETTINGS = settings(max_examples=150, deadline=None, derandomize=True, database=None)
PARTS = (1, 2, 3)
params_of_the_range = values(registry.find("sphere").parameters)
starts_of_the_range = initial("sphere").filter(lambda start: any(start[f"gamma{i}"] for i in PARTS))


def vector(mapping, name):
    return np.array([mapping[f"{name}{i}"] for i in PARTS])


def inertia(params):
    """(moments of inertia, D)."""
    masses = vector(params, "J")
    return masses.sum() - masses, params["m"] * params["rho"] ** 2


def momentum(params, start):
    moments, d = inertia(params)
    gamma, omega = vector(start, "gamma"), vector(start, "omega")
    gamma = gamma / np.linalg.norm(gamma)
    return moments * omega + d * (omega - gamma * (gamma @ omega))


def fastest(params, start):
    """A bound of |omega| for all time: <K, omega> is kept by the flow."""
    moments, _ = inertia(params)
    return math.sqrt(max(momentum(params, start) @ vector(start, "omega"), 0.0) / moments.min())


def check(orbit):
    """Complete or explained in one line with numbers, and finite."""
    assert 1 <= len(orbit) <= orbit.problem.samples
    # With every > 1 a run may end between its last sample and its last step.
    assert orbit.stopped is not None or len(orbit) == orbit.problem.samples
    assert orbit.stopped is None or len(orbit) < orbit.problem.samples or orbit.problem.every > 1
    for samples in orbit.components.values():
        assert len(samples) == len(orbit)
        assert np.isfinite(samples).all()
    for quantity in orbit.system.quantities:
        assert np.isfinite(orbit.quantity(quantity.id)).all()
    if orbit.stopped:
        assert "\n" not in orbit.stopped
        assert 10 < len(orbit.stopped) < 300
        assert any(letter.isdigit() for letter in orbit.stopped)
        assert "nan" not in orbit.stopped


def check_integrals(orbit):
    """All that is fixed in space is kept to round-off."""
    check(orbit)
    gamma, momenta, attitude = vectors(orbit, "gamma"), vectors(orbit, "K"), orbit["R"]
    k = momentum(orbit.params, dict(orbit.problem.initial))
    length = np.linalg.norm(k)
    moments, d = inertia(orbit.params)
    # K itself is a difference of D omega and D <omega, gamma> gamma, and its terms of one start may cancel.
    terms = (moments.max() + d) * np.linalg.norm(vector(dict(orbit.problem.initial), "omega"))
    assert_within(momenta[0], k, 2e-15 * terms)
    assert np.ptp(orbit.quantity("K_K")) <= 1e-14 * length**2 + 4e-15 * length * terms
    assert np.ptp(orbit.quantity("K_gamma")) <= 1e-14 * length + 4e-15 * terms
    assert_within(np.linalg.norm(gamma, axis=1), 1.0, 1e-14)
    assert_within(attitude @ np.swapaxes(attitude, 1, 2), np.broadcast_to(np.eye(3), attitude.shape), 1e-14)
    assert_within(np.einsum("sij,sj->si", attitude, gamma), [[0.0, 0.0, 1.0]] * len(orbit), 1e-14)
    assert_within(np.einsum("sij,sj->si", attitude, momenta), [attitude[0] @ momenta[0]] * len(orbit), 1e-14 * length)
    # omega belongs to K: the inertia about the contact point takes it back.
    omega = vectors(orbit, "omega")
    level = omega - np.sum(omega * gamma, axis=1)[:, None] * gamma
    size = np.max(np.abs(omega)) * (moments.max() + d)
    assert_within(moments * omega + d * level, momenta, 1e-14 * size)


@SETTINGS
@given(params_of_the_range, starts_of_the_range, spread(1e-9, 100.0), st.integers(0, 12))
def test_fedorov_anywhere(params, start, step, steps):
    check_integrals(nhviz.simulate("sphere", "fedorov", params, start, step, steps * step))


@SETTINGS
@given(params_of_the_range, starts_of_the_range, st.floats(0.01, 0.999), st.integers(1, 200))
def test_fedorov_with_steps_up_to_the_largest(params, start, share, steps):
    largest = largest_step("sphere", "fedorov", params, start) or np.inf
    assert largest > 0.0
    step = min(share * largest, 100.0)
    assume(step >= 1e-9)
    orbit = nhviz.simulate("sphere", "fedorov", params, start, step, steps * step)
    assert len(orbit) > 1
    check_integrals(orbit)
    # The momentum of every finite rotation, with the masses in the matrix form of CS (4.13).
    moments, d = inertia(params)
    attitude, gamma, k = orbit["R"], vectors(orbit, "gamma")[:-1], step * vectors(orbit, "K")[:-1]
    rotation = np.swapaxes(attitude[:-1], 1, 2) @ attitude[1:]
    vertical = gamma[:, :, None] * gamma[:, None, :]
    left = rotation @ (np.diag(vector(params, "J")) + 0.5 * d * vertical) + 0.5 * d * vertical @ rotation
    skew = left - np.swapaxes(left, 1, 2)
    found = np.stack([skew[:, 2, 1], skew[:, 0, 2], skew[:, 1, 0]], axis=1)
    assert_within(found, k, 2e-14 * (moments.max() + d))


@SETTINGS
@given(params_of_the_range, starts_of_the_range, st.floats(0.5, 0.9999))
def test_every_step_is_that_of_a_run_that_starts_there(params, start, share):
    """A step knows nothing of the steps before it: the branch that grows out of the identity, or none."""
    step = min(share * (largest_step("sphere", "fedorov", params, start) or np.inf), 100.0)
    assume(step >= 1e-9)
    orbit = nhviz.simulate("sphere", "fedorov", params, {**start, "x": 0.0, "y": 0.0}, step, 100 * step)
    parts = {f"{name}{i}": orbit[f"{name}{i}"] for name in ("gamma", "omega") for i in PARTS}
    assume(max(np.max(np.abs(part)) for part in parts.values()) <= 100.0)
    again = nhviz.ensemble("sphere", "fedorov", params, parts, step, step)
    assert np.all(again.lengths[: len(orbit) - 1] == 2)
    ends = np.stack([again[f"gamma{i}"][:-1, -1] for i in PARTS], axis=1)
    # Next to a fold the square root of round-off, times the condition; another branch is another direction.
    assert_within(ends, vectors(orbit, "gamma")[1:], 1e-5)


@SETTINGS
@given(params_of_the_range, starts_of_the_range, spread(1e-6, 1.0), st.integers(0, 12))
def test_reference_anywhere(params, start, angle, steps):
    """Steps of up to a radian of the fastest turning that the energy allows."""
    step = min(max(angle / max(fastest(params, start), 1e-3), 1e-9), 100.0)
    check_integrals(nhviz.simulate("sphere", "reference", params, start, step, steps * step))


@settings(SETTINGS, max_examples=3)
@given(params_of_the_range, starts_of_the_range)
@example(
    {"J1": 0.001, "J2": 0.001, "J3": 0.001, "m": 1000.0, "rho": 10.0},
    {"gamma1": 1.0, "gamma2": 0.2, "gamma3": 0.1, "omega1": 100.0, "omega2": 100.0, "omega3": -50.0, "x": 0, "y": 0},
)
def test_reference_of_any_length(params, start):
    """The fastest turning for a long time ends within the budget of steps or says that it does not."""
    check_integrals(nhviz.simulate("sphere", "reference", params, start, 100.0, 100.0))


@SETTINGS
@given(params_of_the_range, starts_of_the_range, spread(1e-9, 100.0))
def test_branches_anywhere(params, start, step):
    at = dict(zip([f"K{i}" for i in PARTS], momentum(params, start).tolist(), strict=True))
    at |= {f"gamma{i}": start[f"gamma{i}"] for i in PARTS}
    found = nhviz.branches("sphere", "fedorov", params, step, at)
    angles = [branch["angle"] for branch in found]
    assert angles == sorted(angles)
    assert len(found) in range(9)
    assert sum(branch["principal"] for branch in found) <= 1
    for branch in found:
        assert all(math.isfinite(value) for value in branch.values())
        assert np.linalg.norm([branch[f"q{i}"] for i in range(4)]) == pytest.approx(1.0, abs=1e-14)


# --- Refused, accepted, remarked -------------------------------------------------------------------------------------

NOWHERE = {"gamma1": 0.0, "gamma2": 0.0, "gamma3": 0.0}


@pytest.mark.parametrize(
    "call",
    [
        lambda: nhviz.simulate("sphere", initial=NOWHERE),
        lambda: nhviz.simulate("sphere", "reference", initial=NOWHERE),
        lambda: nhviz.ensemble("sphere", initial={**NOWHERE, "gamma3": [1.0, 0.0, 2.0]}),
        lambda: nhviz.ensemble("sphere", "reference", initial={**NOWHERE, "gamma3": [0.0]}),
        lambda: nhviz.branches("sphere", at=NOWHERE),
        lambda: nhviz.branches("sphere", at={**NOWHERE, "gamma2": [1.0, -1.0, 0.0]}),
        lambda: branch_table("sphere", at={**NOWHERE, "gamma2": [1.0, -1.0, 0.0]}),
        lambda: largest_step("sphere", "fedorov", None, NOWHERE),
        lambda: nhviz.Problem.create("sphere", initial=NOWHERE),
    ],
)
def test_a_vertical_without_direction_is_refused(call):
    with pytest.raises(nhviz.ParameterError, match="gamma1, gamma2, gamma3 must not all be 0") as caught:
        call()
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


def test_the_command_line_refuses_a_vertical_without_direction(capsys):
    nowhere = [word for name in NOWHERE for word in ("--set", f"{name}=0")]
    for command in ("simulate", "describe"):
        assert main([command, "sphere", *nowhere]) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        assert captured.err.count("\n") == 1
        assert "must not all be 0" in captured.err


@pytest.mark.parametrize("method", ["fedorov", "reference"])
@pytest.mark.parametrize("length", [1e-3, 0.3, 7.0, 900.0])
def test_a_vertical_of_any_length_is_normalised(method, length):
    direction = {"gamma1": 2 / 7, "gamma2": -3 / 7, "gamma3": 6 / 7}
    unit = nhviz.simulate("sphere", method, initial=direction, duration=2.0)
    scaled = {name: length * part for name, part in direction.items()}
    other = nhviz.simulate("sphere", method, initial=scaled, duration=2.0)
    for name in unit.components:
        assert_within(other[name], unit[name], 1e-12)
    assert largest_step("sphere", "fedorov", None, scaled) == pytest.approx(
        largest_step("sphere", "fedorov", None, direction), rel=1e-8
    )
    found, expected = (nhviz.branches("sphere", "fedorov", at=at) for at in (scaled, direction))
    assert [branch["angle"] for branch in found] == pytest.approx([branch["angle"] for branch in expected], abs=1e-12)


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        ({"params": {"J1": 0.0}}, "J1 must be between 0.001 and 100"),
        ({"params": {"m": -1.0}}, "m must be between"),
        ({"params": {"rho": 0.0}}, "rho must be between"),
        ({"params": {"I11": 1.0}}, "J1, J2, J3, m, rho"),
        ({"initial": {"K1": 1.0}}, "gamma1"),
        ({"initial": {"gamma1": float("nan")}}, "finite"),
        ({"method": "exact"}, "reference, fedorov"),
        ({"step": 0.0}, "step must be between"),
    ],
)
def test_other_bad_input_is_refused(arguments, hint):
    with pytest.raises(nhviz.ParameterError, match=hint):
        nhviz.simulate("sphere", **arguments)


@SETTINGS
@given(params_of_the_range)
@example({"J1": 0.5, "J2": 0.5, "J3": 1.0, "m": 2.0, "rho": 1.0})
@example({"J1": 0.5, "J2": 0.5, "J3": 1.0 + 1e-9, "m": 2.0, "rho": 1.0})
@example({"J1": 0.5, "J2": 0.5, "J3": 1.0 - 1e-9, "m": 2.0, "rho": 1.0})
@example({"J1": 1.0, "J2": 2.0, "J3": 6.0, "m": 4.0, "rho": 1.5})
def test_balls_that_are_not_real_are_marked(params):
    spread_of_mass, most = vector(params, "J").sum(), params["m"] * params["rho"] ** 2
    # Sums of three terms and products of three have a few units of round-off; there both answers are right.
    assume(spread_of_mass == most or abs(spread_of_mass / most - 1.0) > 1e-11)
    remarks = nhviz.describe("sphere", params)["remarks"]
    assert any("athematical, not a real ball" in remark for remark in remarks) == (spread_of_mass > most)
    assert all("\n" not in remark for remark in remarks)
    assert nhviz.simulate("sphere", params=params, duration=0.0).remarks == remarks


def test_the_command_line_marks_balls_that_are_not_real(capsys):
    mark = "athematical, not a real ball"
    for command in (["describe", "sphere"], ["simulate", "sphere", "--duration", "1"]):
        assert main(command) == 0
        assert mark not in capsys.readouterr().out
        assert main([*command, "--set", "J1=3"]) == 0
        marked = [line for line in capsys.readouterr().out.splitlines() if mark in line]
        assert len(marked) == 1
        # J1 + J2 + J3 and m rho^2.
        assert "4.5 " in marked[0]
        assert "2," in marked[0]


def test_the_command_line_tells_of_a_stop(capsys):
    fast = [
        word for name, value in (("omega1", 3), ("omega2", -2), ("omega3", 2)) for word in ("--set", f"{name}={value}")
    ]
    assert main(["simulate", "sphere", "--step", "0.7", *fast]) == 0
    assert "stopped: no real branch before the first step is complete:" in capsys.readouterr().out
