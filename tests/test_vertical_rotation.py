"""The circle map of the sphere with vertical momentum: rotation number, invariant density, plateaus."""

import numpy as np
import pytest
from scipy.optimize import brentq

import nhviz
from nhviz.analysis import circle
from nhviz.analysis.vertical import VerticalMap, largest_h, plateaus, vertical_map
from nhviz.parameters import ParameterError
from tests.vertical_balls import (
    BALL,
    DEFAULT,
    LEVEL,
    REAL,
    STRONG,
    ball,
    level,
    levels,
    make,
    modulo,
    moments,
    own_step,
)

EPS = np.finfo(float).eps


# --- Rotation number and density ------------------------------------------------------------------------------------


def weights(count):
    """A smooth bump over an orbit, of sum 1."""
    t = (np.arange(count) + 0.5) / count
    bump = np.exp(-1.0 / (t * (1.0 - t)))
    return bump / bump.sum()


def simulated_gamma(mapping, params, u, count):
    run = nhviz.simulate(
        "sphere", "fedorov", params=params, initial=mapping.start(u, 1.0), step=1.0, duration=float(count)
    )
    assert run.stopped is None
    return np.stack([run["gamma1"], run["gamma2"], run["gamma3"]], axis=1)


@pytest.mark.parametrize(
    ("masses", "d", "h", "l"),
    [(*DEFAULT, 0.5, 0.33), (*STRONG, 0.6, LEVEL), (*STRONG, -0.5, LEVEL), (*REAL, 0.4, 0.62)],
)
def test_rotation_number_of_the_map_itself(masses, d, h, l):
    """Turns of gamma round its oval in a simulated run: |rho - turns/n| < 1/n for every orientation preserving map.

    Weighted averages of the angle's increments converge to the same number faster than any power.
    """
    mapping = vertical_map(ball(masses, d), h, l)
    found = mapping.rotation()
    count = 16_384
    gamma = simulated_gamma(mapping, ball(masses, d), 0.5, count)
    c1, c2, _ = np.sqrt(np.array(np.max(gamma**2, axis=0)))
    # On the upper interval the oval goes round the third axis.
    assert l > levels(masses, d)[1]
    assert np.all(gamma[:, 2] > 0.0)
    angle = np.unwrap(np.arctan2(gamma[:, 1] / c2, gamma[:, 0] / c1))
    turns = (angle[-1] - angle[0]) / (2.0 * np.pi)
    assert abs(found.value - turns / count) < 1.0 / count
    # On this orbit the angle is a smooth function of u, so its mean increment is the rotation number as well.
    mean = weights(count) @ np.diff(angle) / (2.0 * np.pi)
    assert found.value == pytest.approx(mean, rel=0.0, abs=1e-11)
    assert found.error < 1e-12


def test_rotation_number_on_the_other_interval():
    """Where the curve winds round the first axis: turns counted by the sign changes of the second component."""
    masses, d = DEFAULT
    mapping, _ = make(masses, d, 0, 0.4, 0.9)
    count = 4000
    gamma = simulated_gamma(mapping, ball(masses, d), 0.5, count)
    assert np.all(gamma[:, 0] > 0.0) or np.all(gamma[:, 0] < 0.0)
    crossings = np.count_nonzero(np.diff(np.sign(gamma[:, 1])))
    # A turn has two crossings; one may be missing at either end.
    assert abs(abs(mapping.rotation().value) - 0.5 * crossings / count) < 1.0 / count


@pytest.mark.parametrize(
    ("masses", "d", "h", "l"),
    [
        (*DEFAULT, 1.0, 0.33),
        (*STRONG, 0.619, LEVEL),
        # 1e-4 and 1e-6 below the plateau of 1/3, where orbits linger.
        (*STRONG, 0.61443674, LEVEL),
        (*STRONG, 0.61453574, LEVEL),
    ],
)
def test_error_of_the_rotation_number_is_honest(masses, d, h, l):
    """Against a twice as long orbit from another start than nhviz may use; round-off of the sum on top."""
    mapping = vertical_map(ball(masses, d), h, l)
    found = mapping.rotation()
    count = max(1 << 14, 2 * found.iterates)
    longer = weights(count) @ mapping.orbit(0.9, count) / (4.0 * mapping.quarter)
    assert abs(found.value - longer) <= 2.0 * found.error + 8 * EPS
    assert found.error < 1e-7


def midpoint_error(mapping, density):
    """How far the density is from 1/|Delta u|, as a function of the midpoint and normalised, at its worst."""
    period = density.period
    u = np.linspace(0.0, period, 3000, endpoint=False)
    increment = mapping.increment(u)
    middle = u + 0.5 * increment
    # du of the midpoint, by the rule of rectangles over u: spectrally accurate on a circle.
    _, slope = mapping.increment_and_slope(u)
    total = np.mean((1.0 + 0.5 * slope) / np.abs(increment)) * period
    return np.abs(density(middle) * np.abs(increment) * total - 1.0).max()


@pytest.mark.parametrize(
    ("masses", "d", "h", "l", "digit"),
    [(*DEFAULT, 0.5, 0.33, 4e-7), (*DEFAULT, 1.0, 0.33, 8e-5), (*STRONG, 0.6, LEVEL, 4e-3)],
    ids=["default", "default, longer steps", "strong"],
)
def test_density_is_nearly_the_inverse_increment(masses, d, h, l, digit):
    """Section E of the specification: 4e-7, 8e-5, 4e-3, to one digit."""
    mapping = vertical_map(ball(masses, d), h, l)
    error = midpoint_error(mapping, mapping.density())
    assert abs(error - digit) < 0.5 * 10.0 ** np.floor(np.log10(digit))


def test_density_of_the_default_ball():
    """Exponentially falling Fourier coefficients, the same from a simulated run; Liouville's equation to round-off."""
    masses, d = DEFAULT
    mapping = vertical_map(None, 0.5, 0.33)
    density = mapping.density()
    assert density.period == pytest.approx(2.0 * mapping.quarter, rel=1e-15)
    sizes = np.log10(np.abs(density.coefficients[1:5]))
    assert sizes == pytest.approx([-3.6, -4.9, -6.2, -7.7], rel=0.0, abs=0.05)
    assert density.residual < 1e-10
    u = np.linspace(0.0, density.period, 256, endpoint=False)
    assert np.mean(density(u)) * density.period == pytest.approx(1.0, rel=1e-14)
    assert np.all(density(u) > 0.0)
    np.testing.assert_allclose(density(u + density.period), density(u), rtol=1e-12)
    # Reversible: f^-1 = R f R with R: u -> -u, so the density is even.
    np.testing.assert_allclose(density(-u), density(u), rtol=1e-11)
    count = 1 << 15
    places = mapping.u(simulated_gamma(mapping, ball(masses, d), 1.1, count - 1))
    for m in range(1, 6):
        wave = weights(count) @ np.exp(-2j * np.pi * m * places / density.period)
        assert abs(wave - density.coefficients[m]) < 1e-12
    # Liouville's equation with differences of this file: density(u) du = density(f u) d(f u).
    width = 1e-4
    after = [mapping.direct_increment(u + s * width) + s * width for s in (-1.0, 1.0)]
    slope = (after[1] - after[0]) / (2.0 * width)
    middle = mapping.direct_increment(u)
    np.testing.assert_allclose(density(u + middle) * slope, density(u), rtol=1e-7)


@pytest.mark.parametrize(
    ("masses", "d", "h", "l"), [(*STRONG, 0.6, LEVEL), (*DEFAULT, 0.5, 0.28607142857142853)], ids=["63 rho", "60 rho"]
)
def test_density_residual_is_round_off_off_plateaus(masses, d, h, l):
    """63 rho = -19 + 4e-4 and 60 rho = 1 + 3e-4: the true coefficients there are far below round-off."""
    density = vertical_map(ball(masses, d), h, l).density()
    assert np.abs(density.coefficients[40:]).max() < 1e-9
    assert density.residual < 1e-8


# --- Plateaus -------------------------------------------------------------------------------------------------------

LOW, HIGH = 0.61453674, 0.61464526


def own_defect(h, q, u, stages=6):
    """f^q(u) - u + 2K of the strong ball at LEVEL, by Newton on CS (5.2)."""
    mapping = VerticalMap(moments(STRONG[0]), STRONG[1], h, LEVEL)
    gamma, total, place = mapping.gamma(np.array([u])), 0.0, u
    for _ in range(q):
        gamma = own_step(*STRONG, h, gamma, stages)
        new = float(mapping.u(gamma)[0])
        total += float(modulo(new - place, 4.0 * mapping.quarter))
        place = new
    return total + 2.0 * mapping.quarter


def family(h):
    return VerticalMap(moments(STRONG[0]), STRONG[1], h, LEVEL).circle()


@pytest.fixture(scope="module")
def third():
    """The plateau of -1/3 on R/2K."""
    return circle.plateau(family, -1, 3, 0.61, 0.618)


def test_plateau_of_one_third(third):
    """Section E: |rho| = 1/3 on R/2K for h in [0.61453674, 0.61464526], multipliers 0.991 and 1.009."""
    assert (third.p, third.q) == (-1, 3)
    assert [third.low, third.high] == pytest.approx([LOW, HIGH], rel=0.0, abs=5e-9)
    assert third.width == pytest.approx(third.high - third.low)
    assert len(third.cycles) == 2
    attracting, repelling = third.cycles
    assert (round(attracting.multiplier, 3), round(repelling.multiplier, 3)) == (0.991, 1.009)
    assert attracting.attracting
    assert not repelling.attracting
    # The reversor u -> -u exchanges them, so their multipliers are inverse to each other.
    period = 2.0 * VerticalMap(moments(STRONG[0]), STRONG[1], 0.6, LEVEL).quarter
    np.testing.assert_allclose(np.sort(np.mod(-attracting.points, period)), np.sort(repelling.points), atol=1e-9)
    assert attracting.multiplier * repelling.multiplier == pytest.approx(1.0, rel=1e-9)


def test_edges_are_where_symmetric_points_are_periodic(third):
    """The two cycles are exchanged by R: u -> -u, so they meet in a symmetric cycle, through u = 0 or u = K.

    Found by Newton on CS (5.2); q = 3.
    """
    quarter = VerticalMap(moments(STRONG[0]), STRONG[1], 0.6, LEVEL).quarter
    edges = sorted(brentq(own_defect, 0.61, 0.618, args=(3, u), xtol=1e-13) for u in (0.0, quarter))
    # The defect moves by order one with h, and has the round-off of three increments.
    assert [third.low, third.high] == pytest.approx(edges, rel=0.0, abs=1e-11)


def test_cycles_are_cycles_of_the_map_itself(third):
    middle = 0.5 * (third.low + third.high)
    for cycle in third.cycles:
        assert cycle.points.shape == (3,)
        for u in cycle.points:
            assert abs(own_defect(middle, 3, u)) < 1e-10
    # In between nothing else is periodic.
    between = 0.5 * (third.cycles[0].points[0] + third.cycles[1].points[0])
    assert abs(own_defect(middle, 3, between)) > 1e-4


def test_locked_inside_and_not_outside(third):
    """Exactly 1/6 of gamma's oval on the plateau, from any start; no smooth invariant density there."""
    for share in (0.1, 0.9):
        mapping = vertical_map(BALL, third.low + share * third.width, LEVEL)
        attracting, _ = circle.cycles(mapping.circle(), -1, 3)
        increments = mapping.orbit(0.9, 6000)
        # A deviation of at most a turn has shrunk 1900 times by the multiplier; three steps are one turn of R/2K.
        allowed = 2.0 * mapping.quarter * (attracting.multiplier**1000 + 1e-13)
        assert allowed < 0.1
        assert increments[-300:].sum() == pytest.approx(-200.0 * mapping.quarter, rel=0.0, abs=allowed)
    mapping = vertical_map(BALL, 0.5 * (third.low + third.high), LEVEL)
    found = mapping.rotation()
    assert found.value == pytest.approx(-1.0 / 6.0, rel=0.0, abs=1e-14)
    assert mapping.density().residual > 0.3
    for h in (third.low - 2e-4, third.high + 2e-4):
        count = 1 << 14
        mean = weights(count) @ vertical_map(BALL, h, LEVEL).orbit(0.0, count)
        rho = mean / (2.0 * mapping.quarter)
        assert 1e-4 < abs(rho + 1.0 / 3.0) < 2e-3


def test_edges_are_square_roots(third):
    """A saddle-node: the logarithms of the multipliers grow with the root of the distance to the edge."""
    for edge, inward in ((third.low, 1.0), (third.high, -1.0)):
        logarithms = [
            [np.log(c.multiplier) for c in circle.cycles(family(edge + inward * distance), -1, 3)]
            for distance in (1e-7, 4e-7, 1.6e-6)
        ]
        assert all(len(pair) == 2 for pair in logarithms)
        sizes = np.abs(logarithms)
        # Corrections are of the relative order of distance/width, 1.6 percent at most.
        np.testing.assert_allclose(sizes[1:] / sizes[:-1], 2.0, rtol=0.02)


def test_plateaus_finds_them():
    """1/3, 1/4 and 1/5 of the strong ball, in order of h; each has the h at which u = 0 is periodic at an edge."""
    found = plateaus(BALL, LEVEL, 0.45, 0.618, largest_q=5)
    assert [(item.p, item.q) for item in found] == [(-1, 5), (-1, 4), (-1, 3)]
    assert [found[2].low, found[2].high] == pytest.approx([LOW, HIGH], rel=0.0, abs=5e-9)
    for item in found:
        symmetric = brentq(own_defect, item.low - 1e-3, item.high + 1e-3, args=(item.q, 0.0), xtol=1e-13)
        assert min(abs(symmetric - item.low), abs(symmetric - item.high)) < 1e-12
        assert item.low < item.high
    assert found[2].width > 1e4 * found[1].width > 10.0 * found[0].width
    # The opposite momentum is the inverse map.
    mirrored = plateaus(BALL, LEVEL, -0.618, -0.61, largest_q=3)
    assert [(item.p, item.q) for item in mirrored] == [(1, 3)]
    assert [-mirrored[0].high, -mirrored[0].low] == pytest.approx([found[2].low, found[2].high], rel=0.0, abs=1e-12)


def test_default_ball_has_no_plateau_to_be_seen():
    """rho passes -1/20, -1/19 and -1/18 on R/2K."""
    assert vertical_map(None, 0.8, 0.33).rotation().value > -0.5 / 20 > -0.5 / 18
    assert vertical_map(None, 1.0, 0.33).rotation().value < -0.5 / 18
    assert plateaus(None, 0.33, 0.8, 1.0, largest_q=20) == []


def test_plateaus_of_a_range_that_ends_on_a_plateau():
    """Whatever is returned for the plateau that is cut, it is no error to ask."""
    for h in np.linspace(0.61454, 0.61464, 6):
        plateaus(BALL, LEVEL, 0.6, float(h), largest_q=3)
        plateaus(BALL, LEVEL, float(h), 0.618, largest_q=3)


def test_bad_ranges_are_refused():
    with pytest.raises(ParameterError, match="low must be below high"):
        plateaus(BALL, LEVEL, 0.6, 0.5)
    with pytest.raises(ParameterError, match="fold"):
        plateaus(BALL, LEVEL, 0.5, 0.9)
    with pytest.raises(ParameterError, match="largest_q"):
        plateaus(BALL, LEVEL, 0.5, 0.55, largest_q=2.5)


@pytest.mark.parametrize(
    ("masses", "d", "l", "q", "defect"),
    [((0.05, 0.4, 1.0), 0.3, 0.8, 10, 2.4312359e-13), (*STRONG, LEVEL, 3, 3.3e-3)],
    ids=["q = 10", "q = 3"],
)
def test_closure_defects(masses, d, l, q, defect):
    """Section E: h such that u = 0 is q-periodic on R/2K. A conjugate of a rotation has f^q(u) = u - 2K for all u.

    Double precision leaves a few units of round-off of 2K per step.
    """
    fold = largest_h(VerticalMap(moments(masses), d, 1.0, l))

    def at(h):
        return VerticalMap(moments(masses), d, h, l).circle()

    def closing(h):
        return float(circle.defect(at(h), -1, q, np.zeros(1))[0])

    tuned = at(brentq(closing, 0.1 * fold, (1.0 - 1e-6) * fold, xtol=1e-16, rtol=1e-15))
    values = circle.defect(tuned, -1, q, np.linspace(0.0, tuned.period, 400))
    allowed = 2.0 * q * EPS * tuned.period + (5e-5 if defect > 1e-4 else 0.0)
    assert np.abs(values).max() == pytest.approx(defect, rel=0.0, abs=allowed)
    assert allowed < 0.1 * defect
    # Euler's top, D = 0: nothing but round-off.
    top = VerticalMap(moments(masses), 0.0, 0.5 / level(masses, 0.0, 1, 0.5), level(masses, 0.0, 1, 0.5))
    values = circle.defect(top.circle(), -1, q, np.linspace(0.0, 2.0 * top.quarter, 50))
    assert np.ptp(values) <= 20 * q * EPS * top.quarter
