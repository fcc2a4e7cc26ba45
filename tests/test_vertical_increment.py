"""The sphere with vertical momentum as a circle map: its coordinate and increment, against the map and 40 digits."""

from itertools import permutations, product

import mpmath as mp
import numpy as np
import pytest
from scipy.special import ellipj, ellipk

import nhviz
from nhviz import kernels
from nhviz.analysis.vertical import VerticalMap, largest_h, vertical_map
from nhviz.parameters import ParameterError
from tests.vertical_balls import (
    BALLS,
    DEFAULT,
    STRONG,
    accuracy,
    ball,
    level,
    make,
    modulo,
    moments,
    own_increment,
    own_step,
)

EPS = np.finfo(float).eps


# --- The elliptic coordinate ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("interval", [0, 1])
@pytest.mark.parametrize("order", list(permutations(range(3))), ids=str)
def test_parametrisation(order, interval):
    """gamma(u) runs once round an oval of the level curve; u is its inverse, on both ovals; all orders of the axes."""
    masses, d = DEFAULT
    masses = tuple(masses[i] for i in order)
    mapping, fold = make(masses, d, interval, 0.35, 0.6)
    lam = np.array(moments(masses)) + d
    period = 4.0 * mapping.quarter
    u = np.linspace(-1.7, 2.9, 97) * period
    gamma = mapping.gamma(u)
    tight = 100 * EPS / np.abs(1.0 - lam * mapping.level).min()
    assert gamma.shape == (97, 3)
    np.testing.assert_allclose(np.sum(gamma**2, axis=1), 1.0, rtol=tight)
    np.testing.assert_allclose(np.sum(gamma**2 / lam, axis=1), mapping.level, rtol=tight)
    np.testing.assert_allclose(modulo(mapping.u(gamma) - u, period), 0.0, atol=tight * period)
    assert np.all(np.abs(mapping.u(gamma)) <= 2.0 * mapping.quarter)
    # The other oval, by the half turns about the axes; the map commutes with them.
    allowed = accuracy(mapping, fold) + 4.0 * tight * period
    for signs in ([1, -1, -1], [-1, 1, -1], [-1, -1, 1]):
        turned = gamma * signs
        assert np.sum(turned**2 / lam, axis=1) == pytest.approx(mapping.level, rel=tight)
        v = mapping.u(turned)
        after = own_step(masses, d, mapping.h, turned[:12])
        change = modulo(mapping.u(after) - v[:12], period)
        np.testing.assert_allclose(change, mapping.increment(v[:12]), atol=allowed)
    assert mapping.gamma(0.3).shape == (3,)
    assert np.shape(mapping.u(mapping.gamma(0.3))) == ()


def test_formulas_of_the_paper():
    """CS (5.7), (5.8) with C3 corrected: Lam1 l - 1 is positive where the paper prints 1 - Lam1 l."""
    masses, d = DEFAULT
    mapping, _ = make(masses, d)
    a, b, c = np.array(moments(masses)) + d
    l = mapping.level
    assert a > b > c
    assert 1.0 / b < l < 1.0 / c
    assert a * l - 1.0 > 0.0
    k2 = (a - b) * (1.0 - c * l) / ((b - c) * (a * l - 1.0))
    assert mapping.parameter == pytest.approx(k2, rel=1e-13)
    for u in (0.3, -1.1, 2.4):
        sn, cn, dn = (float(mp.ellipfun(name, mp.mpf(u), m=mp.mpf(k2))) for name in ("sn", "cn", "dn"))
        expected = [
            np.sqrt(a * (1.0 - c * l) / (a - c)) * cn,
            np.sqrt(b * (1.0 - c * l) / (b - c)) * sn,
            np.sqrt(c * (a * l - 1.0) / (a - c)) * dn,
        ]
        assert mapping.gamma(u) == pytest.approx(expected, rel=1e-12)


# --- The increment --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("interval", [0, 1])
@pytest.mark.parametrize("name", list(BALLS))
def test_increment_is_that_of_the_map(name, interval):
    """The explicit relation against Newton on CS (5.2), by nhviz and by this file, up to 0.98 of the fold."""
    masses, d = BALLS[name]
    for order, part in product(permutations(range(3)), (-0.98, 0.05, 0.6, 0.98)):
        turned = tuple(masses[i] for i in order)
        mapping, fold = make(turned, d, interval, 0.3 + 0.1 * order[0], part)
        u = (np.linspace(-2.0, 2.0, 21) + 0.017) * mapping.quarter
        allowed = accuracy(mapping, fold)
        assert allowed < 1e-8
        increment = mapping.increment(u)
        np.testing.assert_allclose(increment, mapping.direct_increment(u), rtol=0.0, atol=allowed)
        if part == 0.98 or order == (0, 1, 2):
            np.testing.assert_allclose(increment, own_increment(mapping, turned, u), rtol=0.0, atol=allowed)
        # Half of gamma's oval is like the other half; the reversor is u -> -u.
        np.testing.assert_allclose(mapping.increment(u + 2.0 * mapping.quarter), increment, rtol=0.0, atol=allowed)
        np.testing.assert_allclose(mapping.increment(-(u + increment)), increment, rtol=0.0, atol=4.0 * allowed)


def test_opposite_momentum_is_the_inverse_map():
    """h -> -h inverts G_h."""
    masses, d = STRONG
    mapping, fold = make(masses, d, 1, 0.5, 0.8)
    back, _ = make(masses, d, 1, 0.5, -0.8)
    u = np.linspace(-2.0, 2.0, 31) * mapping.quarter
    there = mapping.increment(u)
    np.testing.assert_allclose(back.increment(u + there), -there, rtol=0.0, atol=4.0 * accuracy(mapping, fold))


@pytest.mark.parametrize(("name", "interval", "step"), [("default", 1, 0.2), ("strong", 0, 1.0), ("heavy", 1, 0.05)])
def test_increments_along_a_simulated_run(name, interval, step):
    masses, d = BALLS[name]
    mapping, fold = make(masses, d, interval, 0.6, 0.9)
    run = nhviz.simulate(
        "sphere", "fedorov", params=ball(masses, d), initial=mapping.start(0.4, step), step=step, duration=40 * step
    )
    assert run.stopped is None
    # Every start has K = (h/step) gamma.
    np.testing.assert_allclose(step * run.quantity("K_gamma"), mapping.h, rtol=1e-13)
    np.testing.assert_allclose(step**2 * run.quantity("K_K"), mapping.h**2, rtol=1e-13)
    gamma = np.stack([run["gamma1"], run["gamma2"], run["gamma3"]], axis=1)
    u = mapping.u(gamma)
    assert u[0] == pytest.approx(0.4, rel=1e-12)
    change = modulo(np.diff(u), 4.0 * mapping.quarter)
    # The momentum may be off by round-off at every step, and so may gamma.
    np.testing.assert_allclose(change, mapping.increment(u[:-1]), rtol=0.0, atol=4.0 * accuracy(mapping, fold))


@pytest.mark.parametrize("name", list(BALLS))
def test_midpoint(name):
    """sn^2 of u + delta from delta alone. Its terms cancel to D l, then to k^2 sn^2 delta."""
    masses, d = BALLS[name]
    mapping, fold = make(masses, d, 1, 0.5, 0.7)
    u = (np.linspace(-2.0, 2.0, 23) + 0.03) * mapping.quarter
    delta = 0.5 * mapping.increment(u)
    s = ellipj(delta, mapping.parameter)[0] ** 2
    expected = ellipj(u + delta, mapping.parameter)[0] ** 2
    # delta itself is off by round-off, which moves sn^2 by its slope over the range of delta.
    spread = np.ptp(delta)
    allowed = (
        200 * EPS / (mapping.d * mapping.level * mapping.parameter * s.min()) + 4 * accuracy(mapping, fold) / spread
    )
    assert allowed < 1e-4
    np.testing.assert_allclose(mapping.midpoint(delta), expected, rtol=0.0, atol=allowed)
    # Beyond the range of delta the midpoint is no real point.
    outside = mapping.midpoint(np.array([delta.min() - 0.3 * spread, delta.max() + 0.3 * spread]))
    assert np.all((outside < 0.0) | (outside > 1.0))


@pytest.mark.parametrize("interval", [0, 1])
@pytest.mark.parametrize("name", list(BALLS))
def test_slope(name, interval):
    """Against central differences, extrapolated twice: h^6 is below round-off/h."""
    masses, d = BALLS[name]
    mapping, fold = make(masses, d, interval, 0.5, 0.9)
    u = (np.linspace(-2.0, 2.0, 25) + 0.01) * mapping.quarter
    _, slope = mapping.increment_and_slope(u)
    width = 4e-3 * mapping.quarter
    first = [
        (mapping.increment(u + w) - mapping.increment(u - w)) / (2.0 * w) for w in (width, width / 2.0, width / 4.0)
    ]
    second = [(4.0 * first[i + 1] - first[i]) / 3.0 for i in range(2)]
    numeric = (16.0 * second[1] - second[0]) / 15.0
    np.testing.assert_allclose(slope, numeric, rtol=0.0, atol=1e-9 + 20.0 * accuracy(mapping, fold) / width)
    assert np.all(1.0 + slope > 0.0)


@pytest.mark.parametrize("interval", [0, 1])
def test_without_rolling_the_increment_is_constant(interval):
    """D = 0 is the Euler top: CS, remark 4."""
    masses, _ = DEFAULT
    l = level(masses, 0.0, interval, 0.4)
    # For D = 0 the fold is where the turn is a right angle; this h is well below it.
    mapping = VerticalMap(moments(masses), 0.0, 0.6, l)
    u = np.linspace(-2.0, 2.0, 41) * mapping.quarter
    increment, slope = mapping.increment_and_slope(u)
    assert np.ptp(increment) <= 40 * EPS * mapping.quarter
    assert np.abs(slope).max() <= 100 * EPS
    np.testing.assert_allclose(own_increment(mapping, masses, u), increment[0], rtol=1e-13)
    np.testing.assert_allclose(mapping.direct_increment(u), increment[0], rtol=1e-13)
    assert mapping.rotation().value == pytest.approx(increment[0] / (4.0 * mapping.quarter), rel=1e-14)
    assert mapping.density().residual < 1e-10
    with pytest.raises(ParameterError, match="D = 0"):
        mapping.midpoint(0.1)
    # With D the increment is not constant, by far more than round-off.
    assert np.ptp(make(masses, 2.0, interval)[0].increment(u)) > 1e6 * EPS * mapping.quarter


# --- Against the paper ----------------------------------------------------------------------------------------------


def test_u_falls_for_positive_momentum():
    """CS (5.13) with its sign corrected: for 1/Lam2 < l < 1/Lam3, J1 < J2 < J3 and h > 0, Delta u < 0."""
    for masses, d in BALLS.values():
        for part in (0.01, 0.5, 0.98):
            u = np.linspace(-2.0, 2.0, 41) * make(masses, d)[0].quarter
            assert np.all(make(masses, d, 1, 0.4, part)[0].increment(u) < 0.0)
            assert np.all(make(masses, d, 1, 0.4, -part)[0].increment(u) > 0.0)


def test_continuous_limit():
    """Delta u/h -> C1 C3 (Lam3 - Lam1)/(C2 Lam1 Lam3 (1 - D l)), with an error of second order.

    gamma' = (h/(1 - D l)) gamma x Lam^-1 gamma, and the second component of gamma is C2 sn u.
    """
    masses, d = DEFAULT
    a, b, c = np.array(moments(masses)) + d
    l = level(masses, d, 1, 0.4)
    first = np.sqrt(a * (1.0 - c * l) / (a - c))
    second = np.sqrt(b * (1.0 - c * l) / (b - c))
    third = np.sqrt(c * (a * l - 1.0) / (a - c))
    rate = first * third * (c - a) / (second * a * c * (1.0 - d * l))
    errors = []
    for h in (0.04, 0.02, 0.01):
        mapping = vertical_map(ball(masses, d), h, l)
        u = np.linspace(0.0, 2.0, 9) * mapping.quarter
        errors.append(np.abs(mapping.increment(u) / h / rate - 1.0).max())
    assert np.array(errors[:-1]) / errors[1:] == pytest.approx([4.0, 4.0], rel=0.01)
    assert errors[-1] < 1e-3
    # The flow itself: u grows at this rate times <K, gamma>. The reference flow is good to about 1e-11 per unit.
    step, duration = 0.1, 3.0
    run = nhviz.simulate(
        "sphere", "reference", params=ball(masses, d), initial=mapping.start(0.3, step), step=step, duration=duration
    )
    gamma = np.stack([run["gamma1"], run["gamma2"], run["gamma3"]], axis=1)
    moved = np.unwrap(mapping.u(gamma), period=4.0 * mapping.quarter) - 0.3
    np.testing.assert_allclose(moved, rate * mapping.h / step * run.t, rtol=0.0, atol=1e-9)


def lu_newton(function, start):
    """Newton in 40 digits with a derivative by symmetric differences, exact for quadratic equations."""
    z = mp.matrix(start)
    for _ in range(60):
        value = function(z)
        matrix = mp.matrix(len(start), len(start))
        for i in range(len(start)):
            e = mp.matrix(len(start), 1)
            e[i] = 1
            column = (function(z + e) - function(z - e)) / 2
            for j in range(len(start)):
                matrix[j, i] = column[j]
        change = mp.lu_solve(matrix, value)
        z -= change
        if mp.norm(change) < mp.mpf(10) ** (-38):
            return z
    raise AssertionError("Newton has not settled")


def exact_step(inertia, d, h, gamma):
    """G_h in 40 digits: CS (5.2) for h gamma, smallest rotation, gamma carried by Omega^T."""

    def equations(z):
        along = sum(gamma[i] * z[i + 1] for i in range(3))
        rows = []
        for i in range(3):
            j, n = (i + 1) % 3, (i + 2) % 3
            twist = z[j + 1] * inertia[n] * z[n + 1] - z[n + 1] * inertia[j] * z[j + 1]
            k = 2 * (z[0] * inertia[i] * z[i + 1] + twist) + 2 * d * z[0] * (z[i + 1] - along * gamma[i])
            rows.append(k - h * gamma[i])
        return mp.matrix([*rows, sum(part**2 for part in z) - 1])

    z = lu_newton(
        equations, [mp.mpf("0.97")] + [h * gamma[i] / (2 * (inertia[i] + d * (1 - d / 10))) for i in range(3)]
    )
    assert z[0] > mp.sqrt(mp.mpf(1) / 2)
    q = [z[1], z[2], z[3]]

    def cross(a, b):
        return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]

    aside = cross(q, gamma)
    again = cross(q, aside)
    return [gamma[i] - 2 * z[0] * aside[i] + 2 * again[i] for i in range(3)]


def test_relation_to_forty_digits():
    """The corrected relation vanishes on the map to 1e-30; the printed (5.13) and (5.15) do not.

    h = 1, as the paper assumes.
    """
    with mp.workdps(40):
        j1, j2, j3, d, l, h = (mp.mpf(text) for text in ("0.25", "0.55", "0.95", "2", "0.33", "1"))
        inertia = (j2 + j3, j1 + j3, j1 + j2)
        a, b, c = (moment + d for moment in inertia)
        c1, c2 = mp.sqrt(a * (1 - c * l) / (a - c)), mp.sqrt(b * (1 - c * l) / (b - c))
        c3 = mp.sqrt(c * (a * l - 1) / (a - c))
        k2 = (a - b) * (1 - c * l) / ((b - c) * (a * l - 1))
        v = -c2 * c3 * (b - c) / (c1 * b * c)
        mu = (1 - c * l) / (b - c)
        alpha = (2 * a * c * l - (a + c - b)) / ((b - c) * (a * l - 1))
        beta = a * c / (b - c) ** 2 * (1 - c * l) / (a * l - 1)

        def jacobi(x):
            return tuple(mp.ellipfun(name, x, m=k2) for name in ("sn", "cn", "dn"))

        u = mp.mpf("0.7")
        sn, cn, dn = jacobi(u)
        gamma = [c1 * cn, c2 * sn, c3 * dn]
        after = exact_step(inertia, d, h, gamma)
        # CS Proposition 3, and back to u by the incomplete integral.
        assert abs(sum(x**2 for x in after) - 1) < mp.mpf(10) ** (-36)
        assert abs(sum(x**2 / y for x, y in zip(after, (a, b, c), strict=True)) - l) < mp.mpf(10) ** (-36)
        increment = mp.ellipf(mp.atan2(after[1] / c2, after[0] / c1), k2) - u
        delta = increment / 2
        sn, cn, dn = jacobi(delta)
        far_sn, _, far_dn = jacobi(u + delta)
        s, w = sn**2, sn * cn * dn
        cross = 1 - k2 * far_sn**2 * s
        shape = 1 + alpha * s - beta * s**2
        terms = (h * v * shape * cross, 2 * w * (cross - d * (l - mu * s)))
        assert abs(terms[0] - terms[1]) < mp.mpf(10) ** (-33)
        assert abs(terms[0]) > mp.mpf("1e-3")
        midpoint = (1 - 2 * v * d * w * (l - mu * s) / (2 * v * w - h * v**2 * shape)) / (k2 * s)
        assert abs(midpoint - far_sn**2) < mp.mpf(10) ** (-30)
        # (5.13): minus, not plus.
        change = 2 * c1 / cross * far_sn * far_dn * sn * dn
        assert abs(after[0] - gamma[0] + change) < mp.mpf(10) ** (-36)
        assert abs(after[0] - gamma[0] - change) > mp.mpf("1e-3")
        # (5.15) as printed, with the repaired constants, for either sign of V and either reading of d.
        for sign, twice in product((1, -1), (1, 2)):
            big = v**2 * shape
            rest = big * cross - v**2 * cn**2 * dn**2
            ratio = twice * d * (l - mu * s) / cross
            printed = (
                -(ratio**2) / 4 * rest,
                ratio * (rest - sign * v * w * cross),
                cross * (2 * sign * v * w - big),
            )
            assert abs(sum(printed)) > mp.mpf("1e-3") * max(map(abs, printed))
        mapping = vertical_map(None, 1.0, 0.33)
        constants = [float(x) for x in (k2, v, d, l, mu, alpha, beta)]
        assert mapping.curve == pytest.approx(constants, rel=200 * EPS)
        assert float(increment) < 0.0
        fold = largest_h(mapping)
        assert mapping.increment(0.7) == pytest.approx(float(increment), rel=0.0, abs=accuracy(mapping, fold))
        assert mapping.direct_increment(0.7) == pytest.approx(float(increment), rel=0.0, abs=accuracy(mapping, fold))


@pytest.mark.parametrize("k2", [0.0, 1e-18, 1e-9, 1e-3, 0.3, 0.7, 0.99, 1.0 - 1e-6, 1.0 - 1e-9])
def test_jacobi_functions(k2):
    """Against 40 digits. A relative change eps of k^2 moves dn at K by eps/(2 sqrt(1 - k^2)); u is rounded too."""
    quarter = float(ellipk(k2))
    points = np.concatenate([np.random.default_rng(1).uniform(-4.0, 4.0, 25), [0.0, 1.0, -2.0, 1e-9]]) * quarter
    with mp.workdps(40):
        for u in points:
            found = kernels.elliptic.jacobi(float(u), k2)
            exact = [float(mp.ellipfun(name, mp.mpf(float(u)), m=mp.mpf(k2))) for name in ("sn", "cn", "dn")]
            allowed = 4 * EPS * (1.0 + abs(u)) / np.sqrt(1.0 - k2)
            assert found == pytest.approx(exact, rel=0.0, abs=allowed)
            # scipy's own error is of the same kind, with a larger constant.
            assert found == pytest.approx(ellipj(u, k2)[:3], rel=0.0, abs=20 * allowed)
            if 0.0 < abs(u) < 1e-6:
                assert found[0] == pytest.approx(exact[0], rel=4 * EPS, abs=0.0)
