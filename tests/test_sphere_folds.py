"""The fold of the ball's principal branch, runs that stop there, and ensembles with such runs."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

import nhviz
from nhviz.methods.stops import after
from tests.balls import (
    DEFAULT,
    assert_within,
    balls,
    every_ball,
    finite_rotations,
    momenta_of_rotations,
    momentum_derivative,
    principal_rotation,
)

SETTINGS = settings(max_examples=40, deadline=None, derandomize=True, database=None)


@settings(SETTINGS, max_examples=20)
@given(balls)
def test_largest_step_is_the_fold_of_the_principal_branch(ball):
    fold, rotation, determinant = principal_rotation(ball, ball.up, ball.K)
    size = np.linalg.det(ball.about_contact(ball.up))
    assert abs(determinant) < 1e-6 * size
    # At the fold the step is stationary along the branch: its error is the square of that of the rotation.
    assert_within(momenta_of_rotations(ball, rotation, ball.up), fold * ball.K, 1e-9 * fold * np.linalg.norm(ball.K))
    # nhviz ends its own search at 1e-9 of the step.
    assert ball.largest == pytest.approx(fold, rel=1e-8)
    if fold > 99.0:
        return
    below, above = (ball.run("fedorov", (1.0 + sign * 1e-6) * fold, (1.0 + sign * 1e-6) * fold) for sign in (-1, 1))
    assert len(below) == 2
    assert len(above) == 1
    assert "before the first step is complete:" in above.stopped
    # A relative distance of 1e-6 in the step is one of about 1e-3 in the rotation.
    assert_within(finite_rotations(below)[0], rotation, 0.02)
    found = momenta_of_rotations(ball, finite_rotations(below)[0], ball.up)
    assert_within(found, (1.0 - 1e-6) * fold * ball.K, 1e-13 * (np.trace(ball.J) + ball.D))
    # The other way round, from nhviz's fold: the determinant of dK/dOmega falls to zero like a square root.
    falling = []
    for distance in (1e-4, 1e-6):
        step = (1.0 - distance) * ball.largest
        taken = finite_rotations(ball.run("fedorov", step, step))[0]
        falling.append(np.linalg.det(momentum_derivative(ball, taken, ball.up)))
    assert falling[1] > 0.0
    assert falling[0] / falling[1] == pytest.approx(10.0, rel=0.1)


@every_ball
def test_a_run_that_stops_says_where_and_why(ball):
    """Next to the fold a run ends within a few steps; what it has is kept."""
    seen = 0
    for share in (0.9, 0.93, 0.95, 0.97, 0.98, 0.99, 1.01, 3.0):
        step = share * ball.largest
        orbit = ball.run("fedorov", step, 500 * step)
        if share < 1.0 and orbit.stopped is None:
            continue
        seen += 1
        assert "\n" not in orbit.stopped
        words = orbit.stopped.rstrip(".").split()
        # The steps taken, the step and the largest one at the last point: it is shorter than the step.
        assert f"no real branch {after(len(orbit) - 1)}:" in orbit.stopped
        assert f"with step {step:.6g};" in orbit.stopped
        largest = ball.at(orbit, -1).largest
        assert float(words[-1]) == pytest.approx(largest, rel=1e-5)
        assert largest < step * (1.0 + 1e-9)
        for before in range(len(orbit) - 1):
            assert ball.at(orbit, before).largest > step * (1.0 - 1e-9)
        # Every k-th step: as many samples as were reached.
        sparse = ball.run("fedorov", step, 500 * step, every=3)
        assert len(sparse) == (len(orbit) - 1) // 3 + 1
        assert sparse.stopped == orbit.stopped
        assert np.array_equal(sparse["R"], orbit["R"][::3])
    assert seen >= 3


def test_ensemble_with_orbits_that_stop():
    speeds = np.array([0.4, 3.0, 0.9, 1.15, 30.0])
    step, ball = 0.6, DEFAULT
    many = nhviz.ensemble("sphere", "fedorov", ball.params, {"omega1": speeds}, step, 60.0)
    assert {reason is None for reason in many.stopped} == {True, False}
    for i, speed in enumerate(speeds):
        alone = replace(ball, omega=(speed, *ball.omega[1:])).run("fedorov", step, 60.0)
        assert many.stopped[i] == alone.stopped
        assert many.lengths[i] == len(alone)
        assert (alone.stopped is None) == (len(alone) == 101)
        for name, values in alone.components.items():
            assert np.array_equal(many[name][i, : len(alone)], values)
            # What comes after the end holds the last point.
            assert np.all(many[name][i, len(alone) :] == values[-1])
            assert np.array_equal(many.run(i)[name], values)


def test_ensemble_is_its_single_runs_with_and_without_the_attitude():
    rng = np.random.default_rng(3)
    starts = {f"{part}{i}": rng.normal(size=6) for part in ("gamma", "omega") for i in (1, 2, 3)}
    for method in ("fedorov", "reference"):
        whole = nhviz.ensemble("sphere", method, initial=starts, step=0.1, duration=3.0)
        plain = nhviz.ensemble("sphere", method, initial=starts, step=0.1, duration=3.0, skip=("R",))
        assert "R" not in plain.components
        for i in range(6):
            start = {name: float(values[i]) for name, values in starts.items()}
            alone = nhviz.simulate("sphere", method, None, start, 0.1, 3.0)
            for name, values in alone.components.items():
                assert np.array_equal(whole[name][i], values)
                assert name == "R" or np.array_equal(plain[name][i], values)
