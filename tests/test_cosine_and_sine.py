"""Cosine and sine as parts of loops, against longer arithmetic."""

import numpy as np
import pytest

from nhviz.kernels.circle import FAR, NEAR, QUARTER, QUARTER_REST, UNKNOWN, cosine_and_sine, turned

RANDOM = np.random.default_rng(11)
ODD = np.concatenate([RANDOM.integers(-60_000, 60_000, 400), np.arange(-9, 10)]) * (np.pi / 4.0)
"""Multiples of a half quarter turn: where signs change, where one polynomial takes over from the other."""
ANGLES = {
    "usual": RANDOM.uniform(-10.0, 10.0, 4000),
    "many turns": RANDOM.uniform(-FAR, FAR, 4000),
    "changes": np.concatenate([ODD, np.nextafter(ODD, np.inf), np.nextafter(ODD, -np.inf)]),
    "tiny": np.concatenate([[0.0, -0.0], 10.0 ** RANDOM.uniform(-320.0, -3.0, 400)]),
    "left to the library": np.array([FAR, -FAR, 3.7 * FAR, 1e22, -1e300]),
}


def longer(angles):
    """(cos, sin) in numbers of 64 bits of mantissa, where the machine has them."""
    return np.array([np.cos(angles.astype(np.longdouble)), np.sin(angles.astype(np.longdouble))])


@pytest.mark.parametrize("name", ANGLES)
def test_cosine_and_sine(name):
    """Off by as much as they say: half a unit of the last place of 1 for the angle near zero, as much for each sum."""
    angles = ANGLES[name]
    found = np.array([cosine_and_sine(angle) for angle in angles]).T
    assert np.abs(found - longer(angles)).max() <= 1.5 * 2.0**-53


def test_small_sines_keep_all_their_digits():
    angles = ANGLES["tiny"]
    found = np.array([cosine_and_sine(angle)[1] for angle in angles])
    assert np.all(np.abs(found - longer(angles)[1]) <= 2.0**-52 * np.abs(angles))


def test_a_quarter_turn_in_two_parts():
    """The first has 33 bits, so that its products with fewer than 2^20 are exact; the second has the rest."""
    assert (QUARTER * 2.0**32).is_integer()
    assert np.pi / 2.0 == QUARTER + QUARTER_REST
    assert np.cos(np.longdouble(QUARTER)) == pytest.approx(QUARTER_REST, rel=1e-15)


@pytest.mark.parametrize("angle", [np.inf, -np.inf, np.nan])
def test_no_angle(angle):
    assert np.isnan(cosine_and_sine(angle)).all()


@pytest.mark.parametrize("name", ANGLES)
def test_an_angle_near_a_known_one(name):
    """One rounding more than the angle that is known has, and what the turn makes of that one's errors."""
    angles = ANGLES[name]
    known = [(angle, *cosine_and_sine(angle)) for angle in angles]
    turns = np.concatenate([RANDOM.uniform(-NEAR, NEAR, angles.size - 2), np.nextafter([NEAR, -NEAR], 0.0)])
    # Beside a huge angle there is no other within NEAR of it.
    others = np.where(np.abs(angles + turns - angles) < NEAR, angles + turns, angles)
    found = [turned(other, one) for other, one in zip(others, known, strict=True)]
    assert all(kept == one for (_, _, kept), one in zip(found, known, strict=True))
    assert np.abs(np.array([pair[:2] for pair in found]).T - longer(others)).max() <= 2.5 * 2.0**-53


def test_an_angle_far_from_the_known_one_takes_its_place():
    for angle, known in ((0.3, UNKNOWN), (0.3, (0.3 + NEAR, *cosine_and_sine(0.3 + NEAR)))):
        assert turned(angle, known) == (*cosine_and_sine(angle), (angle, *cosine_and_sine(angle)))
    assert np.isnan(turned(np.nan, (0.3, *cosine_and_sine(0.3)))[:2]).all()


def test_errors_of_many_turns_do_not_add_up():
    angles, known, found = 0.7 + 1e-3 * np.arange(20_000), UNKNOWN, []
    for angle in angles:
        cosine, sine, known = turned(angle, known)
        found.append((cosine, sine))
    assert np.abs(np.array(found).T - longer(angles)).max() <= 2.5 * 2.0**-53
