"""Symmetries of the Chaplygin sphere and of its map, and motions known in closed form."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from tests.balls import (
    UP,
    assert_within,
    balls,
    check_mirrored,
    every_ball,
    finite_rotations,
    momenta_of_rotations,
    path,
    turned,
    vectors,
)

SETTINGS = settings(max_examples=40, deadline=None, derandomize=True, database=None)


# --- Symmetries -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("share", [0.05, 0.4, 0.75])
@every_ball
def test_backward_run_undoes_the_map(ball, share):
    step = share * ball.largest
    there = ball.run("fedorov", step, 300 * step)
    back = ball.at(there, -1).run("fedorov", step, 300 * step, backward=True)
    # Round-off of 300 steps; neighbours separate linearly.
    check_mirrored(there, back, 1e-15 * 300**2 * ball.condition)


@pytest.mark.parametrize("share", [0.3, 0.8, 0.97])
@every_ball
def test_reversed_rotation_solves_the_equation_of_the_next_point(ball, share):
    """Omega^T belongs to -K and gamma of the next point, on whatever branch: the equations are symmetric."""
    step = share * ball.largest
    orbit = ball.run("fedorov", step, 50 * step)
    found = momenta_of_rotations(ball, turned(finite_rotations(orbit)), vectors(orbit, "gamma")[1:])
    small = 1e-14 * (np.trace(ball.J) + ball.D)
    assert_within(found, -step * vectors(orbit, "K")[1:], small)


@pytest.mark.parametrize("method", ["fedorov", "reference"])
@every_ball
def test_turning_the_other_way_is_going_back_in_time(ball, method):
    """omega -> -omega, step -> -step: K changes its sign, everything else stays."""
    step = 0.5 * ball.largest
    back = ball.run(method, step, 100 * step, backward=True)
    other = replace(ball, omega=tuple(-part for part in ball.omega)).run(method, step, 100 * step)
    np.testing.assert_array_equal(back.t, -other.t)
    for name, sign in (("gamma", 1.0), ("omega", -1.0), ("K", -1.0)):
        assert_within(vectors(back, name), sign * vectors(other, name), 1e-10)
    assert_within(back["R"], other["R"], 1e-10)
    assert_within(path(back), path(other), 1e-10)


def check_same_motion(ball, changed, method, body, space, share=0.5):
    """The changed ball moves as the ball does, seen from other axes in the body (`body`) and in space (`space`).

    Vectors of the body go with `body`, and axial ones with its determinant too.
    """
    step = share * ball.largest
    first, second = (b.run(method, step, 100 * step) for b in (ball, changed))
    assert first.stopped is None
    # A hundred steps, and the reference's 2e-14 a step over its phase.
    small = 1e-12 * ball.condition
    axial = np.linalg.det(body) * body
    assert_within(vectors(second, "gamma"), vectors(first, "gamma") @ body.T, small)
    assert_within(vectors(second, "omega"), vectors(first, "omega") @ axial.T, 10.0 * small)
    scale = np.linalg.norm(ball.K)
    assert_within(vectors(second, "K"), vectors(first, "K") @ axial.T, small * scale)
    if space is None:
        # The start chooses the attitude; a turn about the vertical, or a mirror through it, is free.
        space = second["R"][0] @ body @ first["R"][0].T
        assert_within(space @ UP, UP, 1e-14)
    assert_within(second["R"], space @ first["R"] @ body.T, small)
    moved, expected = (path(orbit) - path(orbit)[0] for orbit in (second, first))
    assert_within(moved, expected @ space.T, small * (1.0 + np.max(np.abs(expected))))


@pytest.mark.parametrize("method", ["fedorov", "reference"])
@pytest.mark.parametrize(
    "axes",
    [
        np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]),
        np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]),
        np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]),
        np.diag([1.0, -1.0, -1.0]),
        np.diag([-1.0, -1.0, 1.0]),
        np.diag([-1.0, 1.0, 1.0]),
        np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]),
    ],
    ids=["cycle", "cycle back", "quarter turn", "half turn 1", "half turn 3", "mirror", "exchange"],
)
@every_ball
def test_axes_of_the_body_may_be_renamed_turned_and_mirrored(ball, axes, method):
    changed = replace(
        ball,
        mass_tensor=tuple(np.diag(axes @ ball.J @ axes.T)),
        gamma=tuple(axes @ ball.up),
        omega=tuple(np.linalg.det(axes) * axes @ np.array(ball.omega)),
    )
    check_same_motion(ball, changed, method, axes, None)


@pytest.mark.parametrize("method", ["fedorov", "reference"])
@every_ball
def test_turning_the_plane_over(ball, method):
    """gamma -> -gamma leaves omega and K as they are, and takes the path the other way."""
    step = 0.5 * ball.largest
    first, second = (b.run(method, step, 50 * step) for b in (ball, replace(ball, gamma=tuple(-ball.up))))
    small = 1e-12 * ball.condition
    assert_within(vectors(second, "gamma"), -vectors(first, "gamma"), small)
    assert_within(vectors(second, "omega"), vectors(first, "omega"), 10.0 * small)
    turn = second["R"][0] @ first["R"][0].T
    assert_within(turn @ UP, -UP, 1e-14)
    moved, expected = (path(orbit) - path(orbit)[0] for orbit in (second, first))
    assert_within(moved, -expected @ turn.T, small * (1.0 + np.max(np.abs(expected))))


@pytest.mark.parametrize("method", ["fedorov", "reference"])
@every_ball
def test_units_of_mass_length_and_time(ball, method):
    step, factor = 0.5 * ball.largest, 1.7
    tensor = np.array(ball.mass_tensor)
    heavier = replace(ball, mass_tensor=tuple(factor * tensor), mass=factor * ball.mass)
    longer = replace(ball, mass_tensor=tuple(factor**2 * tensor), radius=factor * ball.radius)
    # The same D with another radius: only the path is longer.
    wider = replace(ball, radius=factor * ball.radius, mass=ball.mass / factor**2)
    faster = replace(ball, omega=tuple(factor * np.array(ball.omega)))
    first = ball.run(method, step, 100 * step)
    assert first.stopped is None
    for changed, time, length, momentum in (
        (heavier, 1.0, 1.0, factor),
        (longer, 1.0, factor, factor**2),
        (wider, 1.0, factor, 1.0),
        (faster, factor, 1.0, factor),
    ):
        second = changed.run(method, step / time, 100 * step / time)
        small = 1e-12 * ball.condition
        assert_within(vectors(second, "gamma"), vectors(first, "gamma"), small)
        assert_within(vectors(second, "omega"), time * vectors(first, "omega"), 10.0 * small)
        assert_within(vectors(second, "K"), momentum * vectors(first, "K"), small * momentum * np.linalg.norm(ball.K))
        assert_within(second["R"], first["R"], small)
        moved, expected = (path(orbit) - path(orbit)[0] for orbit in (second, first))
        assert_within(moved, length * expected, small * (1.0 + np.max(np.abs(expected))))
        assert changed.largest == pytest.approx(ball.largest / time, rel=1e-8)


@every_ball
@pytest.mark.parametrize("method", ["fedorov", "reference"])
def test_the_plane_is_the_same_everywhere(ball, method):
    first, second = (replace(ball, place=place).run(method, 0.1, 5.0) for place in ((0.0, 0.0), (-700.0, 30.0)))
    assert_within(path(second) - path(second)[0], path(first), 1e-11)
    assert_within(second["R"], first["R"], 1e-11)


# --- Motions known in closed form ------------------------------------------------------------------------------------


@SETTINGS
@given(balls, st.floats(0.02, 0.98))
def test_homogeneous_ball_rolls_straight(ball, share):
    """Equal masses: omega is fixed in space. The map turns by arcsin(step |omega|) and rolls exactly as far."""
    ball = replace(ball, mass_tensor=(ball.mass_tensor[0],) * 3)
    speed = np.linalg.norm(ball.omega)
    step = share / speed
    assert ball.largest == pytest.approx(1.0 / speed, rel=1e-8)
    for method, angle in (("reference", share), ("fedorov", np.arcsin(share))):
        orbit = ball.run(method, step, 40 * step)
        assert orbit.stopped is None
        in_space = orbit["R"][0] @ np.array(ball.omega)
        # The map's equation is singular at share = 1; there its condition is 1 / cos(angle).
        small = 1e-12 * ball.condition / np.sqrt(1.0 - share**2)
        assert_within(np.einsum("sij,sj->si", orbit["R"], vectors(orbit, "omega")), [in_space] * 41, small * speed)
        velocity = ball.radius * np.cross(in_space, UP)
        expected = [*ball.place, 0.0] + orbit.t[:, None] * velocity
        assert_within(path(orbit), expected, small * (1.0 + np.max(np.abs(expected))))
        turns = Rotation.from_rotvec(np.arange(41)[:, None] * angle * in_space / speed).as_matrix()
        assert_within(orbit["R"], turns @ orbit["R"][0], small)


@pytest.mark.parametrize("vertical", [0, 1, 2])
@pytest.mark.parametrize("axis", [0, 1, 2])
@every_ball
def test_steady_turning_about_a_principal_axis(ball, vertical, axis):
    """About a vertical axis the ball spins on the spot; about a level one it rolls straight on."""
    speed, step = -1.3, 0.25
    ball = replace(ball, gamma=tuple(np.eye(3)[vertical]), omega=tuple(speed * np.eye(3)[axis]))
    assert ball.largest == pytest.approx(1.0 / abs(speed), rel=1e-8)
    for method, angle in (("reference", step * speed), ("fedorov", np.arcsin(step * speed))):
        orbit = ball.run(method, step, 40 * step)
        assert orbit.stopped is None
        # About the middle axis round-off grows by e^(speed t) at most.
        small = 1e-15 * np.exp(abs(speed) * 40 * step)
        assert_within(vectors(orbit, "omega"), [ball.omega] * 41, small)
        in_space = orbit["R"][0] @ np.eye(3)[axis]
        expected = [*ball.place, 0.0] + orbit.t[:, None] * speed * ball.radius * np.cross(in_space, UP)
        assert_within(path(orbit), expected, small * 40)
        assert (np.max(np.abs(path(orbit) - path(orbit)[0])) < 1e-9) == (axis == vertical)
        turns = Rotation.from_rotvec(np.arange(41)[:, None] * angle * in_space).as_matrix()
        assert_within(orbit["R"], turns @ orbit["R"][0], small)


@pytest.mark.parametrize(("method", "step"), [("fedorov", 100.0), ("fedorov", 1e-9), ("reference", 10.0)])
@every_ball
def test_a_ball_at_rest_stays_at_rest(ball, method, step):
    orbit = replace(ball, omega=(0.0, 0.0, 0.0)).run(method, step, 1000 * step)
    assert orbit.stopped is None
    assert len(orbit) == 1001
    for name in ("omega", "K"):
        assert not np.any(vectors(orbit, name))
    assert np.array_equal(path(orbit), [[*ball.place, 0.0]] * 1001)
    assert_within(vectors(orbit, "gamma"), [ball.up] * 1001, 4e-16)
