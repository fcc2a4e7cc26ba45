"""Fedorov's map against CS and the discrete Lagrange-d'Alembert principle, its order, integrals and energy.

Nothing of nhviz enters the expected values: the equations are checked on the attitudes and places of a run.
"""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from tests.balls import (
    BALLS,
    DEFAULT,
    UP,
    assert_within,
    balls,
    every_ball,
    finite_rotations,
    hat,
    momenta_of_rotations,
    not_orthogonal,
    path,
    principal_rotation,
    turned,
    vectors,
    vee,
)

SETTINGS = settings(max_examples=40, deadline=None, derandomize=True, database=None)


# --- The map against the paper and against the discrete principle ----------------------------------------------------


@pytest.mark.parametrize("share", [0.05, 0.5, 0.75])
@every_ball
def test_every_step_satisfies_the_equations_of_the_paper(ball, share):
    step = share * ball.largest
    orbit = ball.run("fedorov", step, 400 * step)
    assert len(orbit) == 401
    check_equations_of_the_paper(ball, step, orbit)


@SETTINGS
@given(balls, st.floats(0.01, 0.999))
def test_every_step_of_any_ball_satisfies_the_equations_of_the_paper(ball, share):
    step = min(share * ball.largest, 100.0)
    orbit = ball.run("fedorov", step, 40 * step)
    assert len(orbit) > 1
    check_equations_of_the_paper(ball, step, orbit)


def check_equations_of_the_paper(ball, step, orbit):
    rotations, k, gamma = finite_rotations(orbit), step * vectors(orbit, "K"), vectors(orbit, "gamma")
    vertical = gamma[:, :, None] * gamma[:, None, :]
    # Omega has the round-off of two products of rotations; the momentum multiplies it by the masses.
    small = 1e-14 * (np.trace(ball.J) + ball.D)
    assert_within(momenta_of_rotations(ball, rotations, gamma[:-1]), k[:-1], small)
    # (4.12): both are carried by Omega.
    assert_within(hat(k[1:]), turned(rotations) @ hat(k[:-1]) @ rotations, small)
    assert_within(vertical[1:], turned(rotations) @ vertical[:-1] @ rotations, 1e-14)
    assert_within(gamma[1:], np.einsum("sji,sj->si", rotations, gamma[:-1]), 1e-14)
    # Remark 3.
    s = ball.J + 0.5 * ball.D * (vertical[:-1] + vertical[1:])
    assert_within(hat(k[:-1]), rotations @ s - s @ turned(rotations), small)
    assert_within(hat(k[1:]), s @ rotations - turned(rotations) @ s, small)
    # (5.2), with Euler parameters that make Omega.
    q0 = 0.5 * np.sqrt(1.0 + np.trace(rotations, axis1=1, axis2=2))
    q = vee(rotations - turned(rotations)) / (4.0 * q0[:, None])
    scalar_last = np.concatenate([q, q0[:, None]], axis=1)
    assert_within(Rotation.from_quat(scalar_last).as_matrix(), rotations, 1e-14)
    iq = q @ ball.inertia
    level = q - np.sum(gamma[:-1] * q, axis=1)[:, None] * gamma[:-1]
    found = 2.0 * (q0[:, None] * iq + np.cross(q, iq)) + 2.0 * ball.D * q0[:, None] * level
    assert_within(found, k[:-1], small / q0.min())
    # (4.9), for a vertical that points up: level, and rolling forward.
    about_space = orbit["R"][1:] @ turned(orbit["R"][:-1])
    rolled = 0.5 * ball.radius * (about_space - turned(about_space)) @ UP
    reach = np.max(np.abs(path(orbit))) + ball.radius
    assert_within(np.diff(path(orbit), axis=0), rolled, 1e-14 * reach)
    assert np.max(np.abs(rolled[:, 2])) < 1e-15 * ball.radius


@pytest.mark.parametrize("share", [0.1, 0.7])
@every_ball
def test_map_is_the_discrete_lagrange_d_alembert_principle(ball, share):
    """L = -Tr(R J R~^T) + (m/2)|dr|^2 is stationary along every virtual displacement that the rolling allows."""
    step = share * ball.largest
    orbit = ball.run("fedorov", step, 60 * step)
    attitudes, places = orbit["R"], path(orbit)
    assert len(orbit) > 20

    def rate_of_change(coefficient, k, turning):
        """The derivative of the two terms with the k-th configuration; L is linear in each attitude."""
        varied = attitudes[k] @ hat(turning)
        shift = ball.radius * np.cross(attitudes[k] @ turning, UP)
        turns = np.trace(attitudes[k - 1] @ ball.J @ varied.T) + np.trace(varied @ ball.J @ attitudes[k + 1].T)
        rolls = (places[k] - places[k - 1]) @ shift - (places[k + 1] - places[k]) @ shift
        return coefficient * turns + ball.mass * rolls

    rates = np.array(
        [[[rate_of_change(c, k, e) for e in np.eye(3)] for k in range(1, len(orbit) - 1)] for c in (-1.0, 0.5)]
    )
    reach = ball.mass * ball.radius * np.max(np.abs(places))
    assert np.max(np.abs(rates[0])) < 1e-14 * (np.trace(ball.J) + ball.D + reach)
    # The coefficient printed in CS (4.1) does not give the map.
    assert np.max(np.abs(rates[1])) > 1e-2 * share**2 * np.trace(ball.J)


@pytest.mark.parametrize("name", ["default", "unreal", "heavy"])
def test_every_step_takes_the_branch_that_grows_out_of_the_identity(name):
    ball = BALLS[name]
    step = 0.85 * ball.largest
    orbit = ball.run("fedorov", step, 25 * step)
    gamma, momenta = vectors(orbit, "gamma"), vectors(orbit, "K")
    for k, taken in enumerate(finite_rotations(orbit)):
        reached, rotation, determinant = principal_rotation(ball, gamma[k], momenta[k], step)
        assert reached == pytest.approx(step, rel=1e-9)
        assert determinant > 0.0
        # The condition of the rotation next to a fold: the inverse of the determinant, over that at the identity.
        loss = np.linalg.det(ball.about_contact(gamma[k])) / determinant
        assert_within(taken, rotation, 1e-9 * loss)


@every_ball
def test_a_run_may_be_cut_anywhere(ball):
    """The map depends on the state alone: a run from the middle of another one goes on as it does."""
    step = 0.6 * ball.largest
    whole = ball.run("fedorov", step, 200 * step)
    rest = ball.at(whole, 70).run("fedorov", step, 130 * step)
    turn = rest["R"][0] @ whole["R"][70].T
    # 130 steps, whose neighbours separate linearly, with a condition each.
    small = 1e-15 * 130**2 * ball.condition
    assert_within(vectors(rest, "gamma"), vectors(whole, "gamma")[70:], small)
    assert_within(rest["R"], turn @ whole["R"][70:], small)
    moved = (path(whole)[70:] - path(whole)[70]) @ turn.T
    assert_within(path(rest) - path(rest)[0], moved, small * ball.radius)


@every_ball
def test_every_keeps_each_kth_step(ball):
    fine, coarse = (ball.run("fedorov", 0.1, 20.0, every=every) for every in (1, 7))
    assert len(coarse) == 29
    for name in fine.components:
        assert np.array_equal(coarse[name], fine[name][::7])


# --- Order, integrals, energy ---------------------------------------------------------------------------------------


@every_ball
def test_order_two_in_everything(ball):
    duration = 3.0
    exact = ball.run("reference", duration, duration)
    errors = []
    for steps in (200, 400, 800):
        end = ball.run("fedorov", duration / steps, duration, every=steps)
        assert end.stopped is None
        errors.append([np.max(np.abs(end[name][-1] - exact[name][-1])) for name in ("gamma1", "gamma2", "x", "y", "R")])
    order = np.log2(np.array(errors[:-1]) / np.array(errors[1:]))
    # A symmetric map has only even powers of the step: the orders measured differ from 2 by (angle of a step)^2,
    # here about (0.02)^2, times a ratio of coefficients of order one to ten.
    assert_within(order, 2.0, 0.005)


@every_ball
def test_hundred_thousand_steps(ball):
    """Momenta and attitude to round-off with no growth; the energy oscillates and goes nowhere."""
    orbit = ball.run("fedorov", 0.1, 1e4)
    assert orbit.stopped is None
    assert len(orbit) == 100_001
    length = np.linalg.norm(ball.K)
    drifts = [(orbit.quantity("K_gamma") - ball.K @ ball.up) / length, orbit.quantity("K_K") / length**2 - 1.0]
    for drift in drifts:
        assert np.max(np.abs(drift)) < 5e-15
        # As large at the end as at the beginning.
        assert np.max(np.abs(drift[-25_000:])) < 2.0 * np.max(np.abs(drift[:25_000])) + 1e-15
    assert not_orthogonal(orbit) < 5e-15
    assert np.max(np.abs(np.einsum("sij,sj->si", orbit["R"], vectors(orbit, "gamma")) - UP)) < 5e-15
    energy = orbit.quantity("energy") / orbit.quantity("energy")[0] - 1.0
    band = np.ptp(energy)
    assert 1e-6 < band < 0.1
    # Its periods, some seconds, are below a thousandth of the run: means over a quarter agree, and a fitted slope
    # vanishes, to less than a hundredth of the band.
    assert abs(energy[:25_000].mean() - energy[-25_000:].mean()) < 0.01 * band
    assert abs(np.polyfit(np.linspace(0.0, 1.0, energy.size), energy, 1)[0]) < 0.01 * band


@every_ball
def test_energy_band_is_of_second_order(ball):
    bands = []
    for step in (0.04, 0.02):
        energy = ball.run("fedorov", step, 800.0).quantity("energy")
        bands.append(np.ptp(energy))
    # The runs meet the extremes of the band, which are flat, up to a few steps.
    assert bands[0] / bands[1] == pytest.approx(4.0, rel=0.01)


@pytest.mark.parametrize(
    ("step", "low", "high"),
    [
        (0.05, -1.3e-5, 3.3e-6),
        (0.1, -5.2e-5, 1.3e-5),
        (0.2, -2.1e-4, 5.4e-5),
        (0.4, -9.4e-4, 2.3e-4),
        (0.6, -2.8e-3, 5.5e-4),
    ],
)
def test_energy_bands_on_record(step, low, high):
    """The default ball, 20,000 steps; the numbers on record have two digits."""
    orbit = DEFAULT.run("fedorov", step, 20_000 * step)
    energy = orbit.quantity("energy") / orbit.quantity("energy")[0] - 1.0
    assert [energy.min(), energy.max()] == pytest.approx([low, high], rel=0.05)
    assert abs(energy[:5000].mean() - energy[-5000:].mean()) < 1e-3 * (high - low) + 1e-6


@pytest.mark.parametrize("share", [0.1, 0.6])
@every_ball
def test_vertical_momentum_keeps_one_more_integral(ball, share):
    """K = h gamma: <gamma, Lam^-1 gamma> is kept by the flow and by the map (CS Proposition 3)."""
    inverse = 1.0 / (np.diag(ball.inertia) + ball.D)
    ball = replace(ball, omega=tuple(1.3 * inverse * ball.up / (1.0 - ball.D * np.sum(inverse * ball.up**2))))
    np.testing.assert_allclose(ball.K, 1.3 * ball.up, rtol=1e-13 * ball.condition)
    step = share * ball.largest
    orbits = [ball.run("fedorov", step, 2000 * step), ball.run("reference", step, 100 * step)]
    for orbit in orbits:
        assert orbit.stopped is None
        gamma = vectors(orbit, "gamma")
        assert_within(vectors(orbit, "K"), 1.3 * gamma, 1e-13 * ball.condition)
        level = np.sum(gamma**2 * inverse, axis=1)
        assert np.ptp(gamma[:, 0]) > 0.02
        # Each of 2000 steps adds a unit of round-off.
        np.testing.assert_allclose(level, level[0], rtol=1e-15 * 2000 * ball.condition)
