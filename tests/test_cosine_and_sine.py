"""Cosine and sine as parts of loops, against longer arithmetic."""

import numpy as np
import pytest

from nhviz.kernels.circle import FAR, QUARTER, QUARTER_REST, cosine_and_sine

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
