"""For which h and l the sphere with vertical momentum has its circle map: the fold, bad values, equal moments."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.special import ellipj

from nhviz.analysis.vertical import VerticalMap, largest_h, vertical_map
from nhviz.parameters import ParameterError
from tests.vertical_balls import BALL, BALLS, LEVEL, STRONG, accuracy, ball, levels, make, moments, own_increment

EPS = np.finfo(float).eps


def explicit_fold(mapping):
    """min over u of the first maximum over delta of |h|, which the relation gives explicitly: nothing is followed."""
    k2, v, d, l, mu, alpha, beta = mapping.curve
    quarter = mapping.quarter

    def h(delta, u):
        sn, cn, dn, _ = ellipj(delta, k2)
        s, w = sn**2, sn * cn * dn
        cross = 1.0 - k2 * ellipj(u + delta, k2)[0] ** 2 * s
        return 2.0 * w * (cross - d * (l - mu * s)) / (v * cross * (1.0 + alpha * s - beta * s**2))

    grid = np.sign(v) * np.linspace(0.0, 1.0, 1200)[1:] * quarter

    def fold(u):
        values = h(grid, u)
        top = int(np.flatnonzero((values[1:-1] > values[:-2]) & (values[1:-1] >= values[2:]))[0]) + 1
        best = minimize_scalar(
            lambda x: -h(x, u),
            bounds=sorted((grid[top + 1], grid[top - 1])),
            method="bounded",
            options={"xatol": 1e-10},
        )
        return -best.fun

    points = np.linspace(0.0, 2.0, 65)[:-1] * quarter
    lowest = points[int(np.argmin([fold(u) for u in points]))]
    width = points[1]
    return minimize_scalar(fold, bounds=(lowest - width, lowest + width), method="bounded", options={"xatol": 1e-9}).fun


@pytest.mark.parametrize("interval", [0, 1])
@pytest.mark.parametrize("name", list(BALLS))
def test_largest_h_is_the_fold(name, interval):
    masses, d = BALLS[name]
    mapping, fold = make(masses, d, interval, 0.55, 0.5)
    # delta has the sign of V for h > 0: negative on the upper interval, positive on the lower one.
    assert np.sign(mapping.curve[1]) == np.sign(mapping.increment(0.0)) == (1.0, -1.0)[interval]
    assert fold == pytest.approx(explicit_fold(mapping), rel=1e-7)
    u = np.linspace(0.0, 2.0, 33) * mapping.quarter
    below = vertical_map(ball(masses, d), (1.0 - 1e-6) * fold, mapping.level)
    assert np.all(np.isfinite(below.direct_increment(u)))
    for sign in (1.0, -1.0):
        with pytest.raises(ParameterError, match=f"h.*< {fold:.6g}"[:-2]) as caught:
            vertical_map(ball(masses, d), sign * (1.0 + 1e-6) * fold, mapping.level)
        assert caught.value.name == "h"


def test_increments_next_to_the_fold_do_not_depend_on_their_order():
    """1e-6 below the fold, at a u alone and after another u: the same increment, within half a turn of zero."""
    masses, d = STRONG
    fold = largest_h(VerticalMap(moments(masses), d, 1.0, LEVEL))
    mapping = vertical_map(BALL, (1.0 - 1e-6) * fold, LEVEL)
    alone = float(mapping.increment(2.41833893))
    assert abs(alone) < 2.0 * mapping.quarter
    after = mapping.increment(np.array([-1.01234796, 2.41833893]))
    assert after[1] == pytest.approx(alone, rel=0.0, abs=accuracy(mapping, fold))


@pytest.mark.parametrize(
    ("h", "l", "words", "name"),
    [
        (0.0, 0.33, "h must not be 0", "h"),
        (2.0, 0.33, r"\|h\| < 1\.0373", "h"),
        (-2.0, 0.33, r"\|h\| < 1\.0373", "h"),
        (0.5, 0.2, r"between 0\.3125 and 0\.3571428\d+ or between 0\.2857142\d+ and 0\.3125", "level"),
        (0.5, 0.4, r"between 0\.3125 and 0\.3571428\d+ or between 0\.2857142\d+ and 0\.3125", "level"),
        (0.5, 1.0 / 3.2, r"between 0\.3125 and 0\.3571428\d+ or between 0\.2857142\d+ and 0\.3125", "level"),
        (0.5, 1.0 / 3.5, r"between 0\.3125", "level"),
        (0.5, -0.33, r"between 0\.3125", "level"),
        (float("nan"), 0.33, "h must be a finite number", "h"),
        (0.5, float("inf"), "l must be a finite number", "l"),
        ("0.5", 0.33, "h must be a number", "h"),
    ],
)
def test_bad_values_are_refused_with_one_sentence(h, l, words, name):
    """Default ball: Lam = (3.5, 3.2, 2.8)."""
    with pytest.raises(ParameterError, match=words) as caught:
        vertical_map(None, h, l)
    assert caught.value.name == name
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)


def test_bad_balls_are_refused():
    with pytest.raises(ParameterError, match="J1 = J2 = J3"):
        vertical_map({"J1": 0.5, "J2": 0.5, "J3": 0.5}, 0.1, 0.3)
    with pytest.raises(ParameterError, match="J9"):
        vertical_map({"J9": 0.5}, 0.1, 0.3)
    with pytest.raises(ParameterError, match="J1 must be between"):
        vertical_map({"J1": -0.5}, 0.1, 0.3)


@pytest.mark.parametrize(
    "masses", [(0.3, 0.3, 0.8), (0.8, 0.3, 0.3), (0.3, 0.8, 0.3), (0.8, 0.8, 0.3), (0.3, 0.8, 0.8)]
)
def test_two_equal_moments(masses):
    """A circle instead of an oval: k = 0 and a constant increment, which is that of the map."""
    d = 0.7
    low, high = min(levels(masses, d)), max(levels(masses, d))
    for share in (0.2, 0.8):
        l = low + share * (high - low)
        fold = largest_h(VerticalMap(moments(masses), d, 1.0, l))
        mapping = vertical_map(ball(masses, d), 0.9 * fold, l)
        assert mapping.parameter == pytest.approx(0.0, abs=10 * EPS)
        assert mapping.quarter == pytest.approx(0.5 * np.pi, rel=10 * EPS)
        u = np.linspace(-2.0, 2.0, 17) * mapping.quarter
        increment = mapping.increment(u)
        assert np.ptp(increment) < accuracy(mapping, fold)
        np.testing.assert_allclose(own_increment(mapping, masses, u), increment, rtol=0.0, atol=accuracy(mapping, fold))
        assert mapping.rotation().value == pytest.approx(increment[0] / (2.0 * np.pi), rel=1e-13)
    with pytest.raises(ParameterError, match="two equal moments"):
        mapping.midpoint(0.1)
    # Only one interval is left; its ends are refused.
    for l in (low, high):
        with pytest.raises(ParameterError, match="between") as caught:
            vertical_map(ball(masses, d), 0.1, l)
        assert " or " not in str(caught.value)
