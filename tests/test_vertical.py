"""The sphere with vertical momentum: the circle map against the map itself, against 40 digits, against theory."""

from itertools import permutations, product

import mpmath as mp
import numpy as np
import pytest
from scipy.optimize import brentq, minimize_scalar
from scipy.special import ellipj, ellipk

import nhviz
from nhviz import kernels
from nhviz.analysis import circle
from nhviz.analysis.vertical import VerticalMap, largest_h, plateaus, vertical_map
from nhviz.parameters import ParameterError

EPS = np.finfo(float).eps
# J1 < J2 < J3, so that the axes are in the order of the elliptic functions; D.
DEFAULT = ((0.25, 0.55, 0.95), 2.0)
HEAVY = ((0.3, 0.5, 1.1), 12.0)
REAL = ((0.05, 0.35, 0.6), 1.0)
STRONG = ((0.01, 0.2, 1.0), 0.2)
BALLS = {"default": DEFAULT, "heavy": HEAVY, "real": REAL, "strong": STRONG}
BALL = {"J1": 0.01, "J2": 0.2, "J3": 1.0, "m": 0.2, "rho": 1.0}
LEVEL = 1.149


def ball(masses, d):
    return {"J1": masses[0], "J2": masses[1], "J3": masses[2], "m": d, "rho": 1.0}


def moments(masses):
    return masses[1] + masses[2], masses[0] + masses[2], masses[0] + masses[1]


def levels(masses, d):
    """1/Lam in rising order."""
    return sorted(1.0 / (moment + d) for moment in moments(masses))


def level(masses, d, interval, share):
    low, middle, high = levels(masses, d)
    a, b = ((low, middle), (middle, high))[interval]
    return a + share * (b - a)


def make(masses, d, interval=1, share=0.4, part=0.5):
    """A map at a part of the fold, and its fold."""
    l = level(masses, d, interval, share)
    fold = largest_h(VerticalMap(moments(masses), d, 1.0, l))
    return vertical_map(ball(masses, d), part * fold, l), fold


# --- The map G_h by Newton on CS (5.2), nothing of nhviz ------------------------------------------------------------


def momentum(inertia, d, gamma, z):
    """CS (5.2) at Euler parameters (points, 4)."""
    q0, q = z[:, :1], z[:, 1:]
    aside = q - np.sum(gamma * q, axis=1, keepdims=True) * gamma
    return 2.0 * (q0 * inertia * q + np.cross(q, inertia * q)) + 2.0 * d * q0 * aside


def own_step(masses, d, h, gamma, stages=30):
    """The rotation grown out of the identity as the momentum grows to h gamma, and gamma carried by Omega^T."""
    inertia = np.array(moments(masses))
    gamma = np.atleast_2d(gamma)
    z = np.tile([1.0, 0.0, 0.0, 0.0], (len(gamma), 1))
    matrix = np.empty((len(gamma), 4, 4))
    # Stages crowd towards the end, where the fold may be near.
    for share in 1.0 - (1.0 - np.arange(1, stages + 1) / stages) ** 2:
        for _ in range(6):
            for i, e in enumerate(np.eye(4)):
                # Quadratic: half the symmetric difference is the derivative.
                ahead, behind = (momentum(inertia, d, gamma, z + sign * e) for sign in (1.0, -1.0))
                matrix[:, 1:, i] = 0.5 * (ahead - behind)
            matrix[:, 0] = 2.0 * z
            off = momentum(inertia, d, gamma, z) - share * h * gamma
            residual = np.concatenate([np.sum(z * z, axis=1, keepdims=True) - 1.0, off], axis=1)
            z = z - np.linalg.solve(matrix, residual[..., None])[..., 0]
        assert np.all(np.linalg.det(matrix) > 0.0)
    # Omega^T v = v - 2 q0 q x v + 2 q x (q x v).
    aside = np.cross(z[:, 1:], gamma)
    return gamma - 2.0 * z[:, :1] * aside + 2.0 * np.cross(z[:, 1:], aside)


def modulo(difference, period):
    return difference - period * np.round(difference / period)


def own_increment(mapping, masses, u, stages=30):
    after = own_step(masses, mapping.d, mapping.h, mapping.gamma(u), stages)
    return modulo(mapping.u(after) - u, 4.0 * mapping.quarter)


def accuracy(mapping, fold):
    """Round-off of an increment: 1 - D l and C^2 cancel, and near the fold delta moves with the root of h."""
    lam = np.array(mapping.moments) + mapping.d
    cancelled = 1.0 - mapping.d * mapping.level
    ends = np.abs(1.0 - lam * mapping.level).min() * (1.0 - mapping.parameter)
    slack = np.sqrt(1.0 - abs(mapping.h) / fold)
    return 20.0 * EPS * mapping.quarter / (cancelled * slack * min(1.0, ends))


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


# --- Which h and l --------------------------------------------------------------------------------------------------


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
