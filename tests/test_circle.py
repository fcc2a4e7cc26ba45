"""Circle maps whose rotation numbers, densities and plateaus are known exactly."""

import numpy as np
import pytest

from nhviz.analysis.circle import (
    CircleMap,
    cycles,
    defect,
    invariant_density,
    plateau,
    plateaus,
    rotation_number,
)
from nhviz.parameters import ParameterError

EPS = np.finfo(float).eps
GOLDEN = 0.5 * (np.sqrt(5.0) - 1.0)
# A circle that is not of length 1.
PERIOD = 2.6


def circle_map(increments, period=1.0):
    """A circle map from increments and slopes; its orbit is iterated here."""

    def orbit(u, steps):
        out = np.empty(steps)
        for i in range(steps):
            out[i] = increments(np.array([u]))[0][0]
            u = (u + out[i]) % period
        return out

    return CircleMap(increments, orbit, period)


def rigid(a, period=1.0):
    def orbit(u, steps):
        return np.full(steps, a)

    return CircleMap(lambda u: (np.full(np.shape(u), a), np.zeros(np.shape(u))), orbit, period)


def arnold(a, b):
    """u + a + b sin(2 pi u)/(2 pi), b < 1."""

    def increments(u):
        return a + b * np.sin(2.0 * np.pi * u) / (2.0 * np.pi), b * np.cos(2.0 * np.pi * u)

    return circle_map(increments)


def conjugated(a, b, period=1.0):
    """c^-1(c(u) + a period) with c(u) = u + b sin(2 pi u/period) period/(2 pi): rotation number a, density c'."""
    k = 2.0 * np.pi / period

    def c(u):
        return u + b * np.sin(k * u) / k

    def slope(u):
        return 1.0 + b * np.cos(k * u)

    def increments(u):
        goal = c(u) + a * period
        after = u + a * period
        for _ in range(60):
            change = (c(after) - goal) / slope(after)
            after = after - change
            if np.abs(change).max() < 1e-15 * period:
                break
        return after - u, slope(u) / slope(after) - 1.0

    return circle_map(increments, period)


# --- Rotation numbers ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("a", [GOLDEN, -GOLDEN, 0.25, 1e-9, 0.0, 3.7])
def test_rigid_rotations(a):
    found = rotation_number(rigid(a * PERIOD, PERIOD))
    assert found.value == pytest.approx(a, rel=8 * EPS, abs=0.0)
    assert found.error <= 1e-13


@pytest.mark.parametrize("a", [GOLDEN, -np.sqrt(2.0) / 7.0, 1.0 / 3.0, np.pi / 50.0])
def test_conjugated_rotations(a):
    """A rotation number is that of the rotation, rational or not."""
    found = rotation_number(conjugated(a, 0.4, PERIOD), start=0.3)
    assert found.value == pytest.approx(a, rel=0.0, abs=max(2.0 * found.error, 20 * EPS))
    assert found.error <= 1e-13


@pytest.mark.parametrize("share", [-0.95, 0.0, 0.4, 0.95])
def test_arnold_map_is_locked_to_zero(share):
    """|a| <= b/(2 pi): there is a fixed point, whatever the start."""
    b = 0.8
    found = rotation_number(arnold(share * b / (2.0 * np.pi), b), start=0.37)
    # The transient falls with the multiplier of the fixed point; the bump's foot forgets it.
    assert abs(found.value) <= max(2.0 * found.error, 1e-12)


def test_arnold_map_outside_is_not_locked():
    """a > b/(2 pi): every step goes forward; after n steps the mean is within 1/n of the rotation number."""
    b = 0.2
    for a in (0.05, 0.2):
        increments = arnold(a, b)
        found = rotation_number(increments)
        orbit = increments.orbit(0.0, 4000)
        assert abs(found.value - orbit.sum() / 4000) < 1.0 / 4000
        assert found.value > 0.01
        assert found.error < 1e-9


# --- Densities ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("period", [1.0, PERIOD])
def test_density_of_a_conjugated_rotation(period):
    """c' = 1 + b cos: one Fourier coefficient, b/2."""
    b = 0.4
    circle = conjugated(GOLDEN, b, period)
    modes, steps = 32, 1 << 13
    density = invariant_density(circle, modes, steps)
    assert density.coefficients[0] == 1.0
    # c_m = mean of exp(-2 pi i m u/period) under the density; after n steps u has the round-off of n turns.
    expected = np.zeros(modes)
    expected[0] = 0.5 * b
    allowed = 2.0 * np.pi * steps * EPS * np.arange(1, modes + 1) + 1e-11
    assert np.all(np.abs(density.coefficients[1:] - expected) <= allowed)
    u = np.linspace(0.0, period, 100)
    np.testing.assert_allclose(density(u), (1.0 + b * np.cos(2.0 * np.pi * u / period)) / period, rtol=1e-9)
    assert density.residual < 1e-9
    fine = np.linspace(0.0, period, 512, endpoint=False)
    assert np.mean(density(fine)) * period == pytest.approx(1.0, rel=1e-14)


def test_density_does_not_depend_on_the_start():
    circle = conjugated(np.sqrt(2.0) - 1.0, 0.5)
    one, two = (invariant_density(circle, modes=8, steps=1 << 13, start=start) for start in (0.0, 0.77))
    # Twice the round-off of 2^13 turns, times the number of the mode.
    np.testing.assert_allclose(one.coefficients, two.coefficients, atol=4.0 * np.pi * 2**13 * 8 * EPS)


def test_locked_maps_have_no_smooth_density():
    """An orbit settles on a cycle: its density is a point mass, and Liouville's equation fails by order one."""
    assert invariant_density(arnold(0.05, 0.8), modes=32, steps=1 << 12).residual > 1.0


# --- Iterates, cycles, plateaus -----------------------------------------------------------------------------------


def test_iterate_and_defect():
    """The fifth power of a conjugated rotation by 2/5 is a whole number of turns, with derivative 1."""
    circle = conjugated(0.4, 0.3, PERIOD)
    u = np.linspace(0.0, PERIOD, 11)
    total, derivative = circle.iterate(u, 5)
    np.testing.assert_allclose(total, 2.0 * PERIOD, rtol=1e-14)
    np.testing.assert_allclose(derivative, 1.0, rtol=1e-13)
    np.testing.assert_allclose(defect(circle, 2, 5, u), 0.0, atol=1e-13)
    # Two steps: the increments of the rotation by 4/5, whose conjugate is known.
    np.testing.assert_allclose(circle.iterate(u, 2)[0], conjugated(0.8, 0.3, PERIOD).increments(u)[0], rtol=1e-13)


def test_plateau_of_zero_in_arnolds_family():
    """|a| <= b/(2 pi) exactly; at a the fixed points have sin(2 pi u) = -2 pi a/b and multipliers 1 + b cos(2 pi u)."""
    for b in (0.3, 0.9):
        found = plateau(lambda a, b=b: arnold(a, b), 0, 1, -0.31, 0.4)
        # The extreme of a parabola is known far better than its place.
        assert [found.low, found.high] == pytest.approx([-b / (2.0 * np.pi), b / (2.0 * np.pi)], rel=1e-12)
        assert found.width == pytest.approx(b / np.pi, rel=1e-12)
        a = 0.3 * found.high
        fixed = cycles(arnold(a, b), 0, 1)
        cosine = np.sqrt(1.0 - 0.09)
        assert [cycle.multiplier for cycle in fixed] == pytest.approx([1.0 - b * cosine, 1.0 + b * cosine], rel=1e-9)
        place = np.arcsin(0.3) / (2.0 * np.pi)
        assert [cycle.points[0] for cycle in fixed] == pytest.approx([0.5 + place, 1.0 - place], rel=1e-9)
        assert [cycle.attracting for cycle in fixed] == [True, False]


def test_cycles_through_zero():
    """At a = 0 and a = 1/2 Arnold's map has a cycle through u = 0 and another one: an attractor needs a repeller."""
    for b in (0.3, 0.5, 0.7):
        assert [cycle.multiplier for cycle in cycles(arnold(0.0, b), 0, 1)] == pytest.approx([1.0 - b, 1.0 + b])
        halves = cycles(arnold(0.5, b), 1, 2)
        assert len(halves) == 2
        assert halves[0].points == pytest.approx([0.0, 0.5], abs=1e-9)
        assert halves[0].multiplier == pytest.approx((1.0 + b) * (1.0 - b))


def test_plateau_of_one_half_in_arnolds_family():
    """Half width b^2/(8 pi) to leading order, symmetric about 1/2; the family may also fall."""
    for b, tolerance in ((0.1, 2e-3), (0.2, 8e-3)):
        found = plateau(lambda a, b=b: arnold(a, b), 1, 2, 0.41, 0.6)
        assert found.low + found.high == pytest.approx(1.0, rel=1e-12)
        # f^2(u) - u - 1 = 2 (a - 1/2) - (b^2/(4 pi)) sin(4 pi u) + O(b^4).
        assert found.width == pytest.approx(b**2 / (4.0 * np.pi), rel=tolerance)
        falling = plateau(lambda a, b=b: arnold(-a, b), -1, 2, 0.41, 0.6)
        assert [falling.low, falling.high] == pytest.approx([found.low, found.high], rel=1e-12)


def test_points_of_a_cycle():
    found = cycles(arnold(0.345, 0.8), 1, 3)
    assert [cycle.attracting for cycle in found] == [True, False]
    increments = arnold(0.345, 0.8).increments
    for cycle in found:
        assert np.all((cycle.points >= 0.0) & (cycle.points <= 1.0))
        assert np.all(np.diff(cycle.points) > 0.0)
        image = np.sort(np.mod(cycle.points + increments(cycle.points)[0], 1.0))
        np.testing.assert_allclose(image, cycle.points, atol=1e-12)
        assert cycle.multiplier == pytest.approx(np.prod(1.0 + increments(cycle.points)[1]), rel=1e-10)


def test_rotations_have_no_plateau():
    """Rigid or conjugated: every rotation number is taken once."""
    assert plateau(rigid, 1, 3, 0.2, 0.5) is None
    assert plateau(lambda a: conjugated(a, 0.4), 2, 5, 0.35, 0.47) is None
    assert plateaus(rigid, 0.21, 0.55, 5) == []


def test_plateaus_in_order():
    """Every fraction of the Farey list between the ends, in order, apart, and each of rotation number p/q."""

    def family(a):
        return arnold(a, 0.9)

    found = plateaus(family, 0.3, 0.63, 4)
    assert [(item.p, item.q) for item in found] == [(1, 3), (1, 2)]
    assert found[0].high < found[1].low
    for item in found:
        for cycle in item.cycles:
            assert cycle.points.size == item.q
        inside = rotation_number(family(0.3 * item.low + 0.7 * item.high))
        assert inside.value == pytest.approx(item.p / item.q, rel=0.0, abs=1e-9)


def test_bad_questions_are_refused():
    with pytest.raises(ParameterError, match="does not reach 1/2"):
        plateau(lambda a: arnold(a, 0.5), 1, 2, 0.1, 0.2)
    with pytest.raises(ParameterError, match="q must be"):
        plateau(lambda a: arnold(a, 0.5), 1, 0, 0.1, 0.2)
    with pytest.raises(ParameterError, match="largest_q must be"):
        plateaus(lambda a: arnold(a, 0.5), 0.1, 0.2, 0)
