"""Branches of the discrete sphere: counted by exact elimination, found by null spaces, followed by arc length."""

from itertools import product

import numpy as np
import pytest
import sympy
from hypothesis import Phase, example, given, settings
from sympy import QQ, Rational
from sympy.polys.matrices import DomainMatrix

import nhviz
from nhviz import registry
from nhviz.analysis.branches import branch_table
from nhviz.analysis.steps import largest_step
from nhviz.parameters import ParameterError

from . import strategies

SETTINGS = settings(
    max_examples=60, deadline=None, derandomize=True, database=None, phases=(Phase.explicit, Phase.generate)
)
EPS = np.finfo(float).eps
POINT = ("K1", "K2", "K3", "gamma1", "gamma2", "gamma3")
EULER = ("q0", "q1", "q2", "q3")
DEFAULT = (0.25, 0.55, 0.95)
# Examples of the specification, with 6 and with 8 real rotations (Groebner bases, Sturm): J, D, K, gamma.
SIX = (
    (Rational(1), Rational(1, 3), Rational(4, 17)),
    Rational(83, 7),
    (Rational(-1, 14), Rational(-5, 39), Rational(-7, 48)),
    (Rational(-120, 361), Rational(300, 361), Rational(161, 361)),
)
EIGHT = (
    (Rational(7, 20), Rational(5, 8), Rational(7, 13)),
    Rational(5343, 8),
    (Rational(1, 47), Rational(0), Rational(9, 49)),
    (Rational(-300, 649), Rational(-540, 649), Rational(199, 649)),
)
BALLS = {
    "weak": (DEFAULT, 2.0),
    "heavy": (DEFAULT, 12.0),
    "very heavy": ((0.35, 0.625, 0.54), 200.0),
    "light": (DEFAULT, 1e-5),
    "nearly symmetric": ((0.5, 0.500001, 0.50003), 1.0),
    "two equal": ((0.4, 0.9, 0.4), 1.5),
    "not a real ball": ((1.1, 0.02, 0.3), 0.1),
}


def ball(masses, d):
    """Parameters with m rho^2 = d."""
    j1, j2, j3 = map(float, masses)
    rho = 1.0 if d >= 1e-2 else 0.05
    return {"J1": j1, "J2": j2, "J3": j3, "m": float(d) / rho**2, "rho": rho}


def moments(masses):
    j1, j2, j3 = masses
    return np.array([j2 + j3, j1 + j3, j1 + j2], dtype=float)


def at(k, gamma):
    """The mapping `at` of momenta and verticals (3,) or (points, 3)."""
    return dict(zip(POINT, (*np.asarray(k, dtype=float).T, *np.asarray(gamma, dtype=float).T), strict=True))


def branches(masses, d, k, gamma):
    return nhviz.branches("sphere", params=ball(masses, d), step=1.0, at=at(k, gamma))


def table(masses, d, k, gamma):
    return branch_table("sphere", params=ball(masses, d), step=1.0, at=at(k, gamma))


def euler(branch):
    return np.array([branch[name] for name in EULER])


def momentum(masses, d, gamma, q):
    """CS (5.2) as printed, for Euler parameters (..., 4)."""
    j1, j2, j3 = masses
    q0, q1, q2, q3 = np.moveaxis(np.asarray(q), -1, 0)
    m = 2.0 * np.stack(
        [
            (j2 + j3) * q0 * q1 + (j2 - j3) * q2 * q3,
            (j1 + j3) * q0 * q2 + (j3 - j1) * q1 * q3,
            (j1 + j2) * q0 * q3 + (j1 - j2) * q1 * q2,
        ],
        axis=-1,
    )
    v = np.asarray(q)[..., 1:]
    along = np.sum(gamma * v, axis=-1)[..., None]
    return m + 2.0 * d * q0[..., None] * (v - along * gamma)


def rotation(q):
    """Omega of CS (5.1) with entry (3, 2) corrected: R(q) v = v + 2 q0 (q x v) + 2 q x (q x v)."""
    v = np.array([[0.0, -q[3], q[2]], [q[3], 0.0, -q[1]], [-q[2], q[1], 0.0]])
    return np.eye(3) + 2.0 * q[0] * v + 2.0 * v @ v


def size_of(masses, d, k):
    """The size of the terms of CS (5.2) at unit Euler parameters, whose round-off is what is left."""
    return float(2.0 * moments(masses).sum() + 2.0 * d + np.linalg.norm(k))


def random_points(rng, masses, d, count):
    """Random verticals, and momenta from far below to beyond what a rotation can have."""
    gamma = rng.normal(size=(count, 3))
    gamma /= np.linalg.norm(gamma, axis=1, keepdims=True)
    largest = moments(masses).max()
    size = 10.0 ** rng.uniform(-3.0, 0.2, count) * np.where(rng.random(count) < 0.5, largest, largest + d)
    k = rng.normal(size=(count, 3))
    return k * (size / np.linalg.norm(k, axis=1))[:, None], gamma


# --- Elimination over the rational numbers ------------------------------------------------------------------------

MONOMIALS = sorted((e for e in product(range(5), repeat=3) if sum(e) <= 4), key=lambda e: (-sum(e), e[2], e[1], e[0]))
COLUMN = {e: i for i, e in enumerate(MONOMIALS)}
FORM = (1, 2, 5)


def eliminant(masses, d, k, gamma):
    """The exact polynomial of degree 8 whose roots are <(1, 2, 5), q>/q0 at the rotations of CS (5.2).

    Products of the three equations with monomials of degree 2 span all of the ideal up to degree 4 (Macaulay); what
    they leave of the monomials is a basis of the quotient, in which the linear form acts as a matrix.
    """
    j1, j2, j3 = masses
    inertia = (j2 + j3, j1 + j3, j1 + j2)
    rows = []
    for i in range(3):
        j, n = (i + 1) % 3, (i + 2) % 3
        unit = np.eye(3, dtype=int)
        terms = {(0, 0, 0): -k[i] / 2}
        for c in range(3):
            terms[tuple(map(int, unit[c]))] = (inertia[i] + d if c == i else 0) - d * gamma[i] * gamma[c]
            terms[tuple(map(int, 2 * unit[c]))] = -k[i] / 2
        terms[tuple(map(int, unit[j] + unit[n]))] = inertia[n] - inertia[j]
        for shift in (e for e in MONOMIALS if sum(e) <= 2):
            row = [QQ(0)] * len(MONOMIALS)
            for e, coefficient in terms.items():
                number = Rational(coefficient)
                row[COLUMN[tuple(a + b for a, b in zip(e, shift, strict=True))]] = QQ(number.p, number.q)
            rows.append(row)
    reduced, pivots = DomainMatrix(rows, (30, 35), QQ).rref()
    reduced = reduced.to_list()
    free = [c for c in range(35) if c not in pivots]
    # Bezout's number, and no rotation with q0 = 0.
    assert len(free) == 8
    assert all(sum(MONOMIALS[c]) <= 3 for c in free)
    normal = {p: [-reduced[r][c] for c in free] for r, p in enumerate(pivots)}
    normal |= {c: [QQ(int(c == other)) for other in free] for c in free}
    action = [
        [
            sum((w * normal[COLUMN[(*e[:v], e[v] + 1, *e[v + 1 :])]][n] for v, w in enumerate(FORM)), QQ(0))
            for n in range(8)
        ]
        for e in (MONOMIALS[c] for c in free)
    ]
    coefficients = DomainMatrix(action, (8, 8), QQ).charpoly()
    return sympy.Poly([Rational(int(c.numerator), int(c.denominator)) for c in coefficients], sympy.Symbol("x"))


def check_list(masses, d, k, gamma, found):
    """What every list of branches must satisfy, whatever its length."""
    k, gamma = np.array(k, dtype=float), np.array(gamma, dtype=float)
    masses, d = [float(j) for j in masses], float(d)
    for branch in found:
        q = euler(branch)
        assert abs(q @ q - 1.0) <= 4 * EPS
        assert q[0] >= 0.0
        residual = momentum(masses, d, gamma, q) - k
        assert np.abs(residual).max() <= 8 * EPS * size_of(masses, d, k)
    angles = [branch["angle"] for branch in found]
    assert angles == sorted(angles)
    assert sum(branch["principal"] for branch in found) <= 1


@pytest.mark.parametrize(("data", "count"), [(SIX, 6), (EIGHT, 8)], ids=["six", "eight"])
def test_examples_with_six_and_eight_rotations(data, count):
    """CS, after (5.3), says at most 4. The eliminant has distinct roots, so its real roots are real rotations."""
    masses, d, k, gamma = data
    assert sum(part**2 for part in gamma) == 1
    polynomial = eliminant(masses, d, k, gamma)
    assert polynomial.degree() == 8
    assert polynomial.is_sqf
    assert polynomial.count_roots() == count
    found = branches(masses, d, k, gamma)
    assert len(found) == count
    assert all(branch["certified"] for branch in found)
    check_list(masses, d, k, gamma, found)
    exact = sorted(float(root) for root in polynomial.nroots(n=40, maxsteps=400) if root.is_real)
    values = np.array([FORM @ euler(branch)[1:] / branch["q0"] for branch in found])
    # dK/dq on unit quaternions says how round-off of K moves q; the form divides by q0 once more.
    slopes = [np.linalg.norm(np.linalg.inv(jacobian(masses, d, gamma, euler(branch))), 2) for branch in found]
    moved = np.array(slopes) * EPS * size_of([float(j) for j in masses], float(d), [float(x) for x in k])
    allowed = 16 * moved * np.array([np.linalg.norm(FORM) / branch["q0"] ** 2 for branch in found])
    order = np.argsort(values)
    assert np.all(np.abs(values[order] - exact) <= allowed[order])
    # Distinct by far more than their errors.
    assert np.all(np.diff(exact) > 100 * (allowed[order][1:] + allowed[order][:-1]))


def jacobian(masses, d, gamma, q):
    """The derivative of (CS (5.2), q.q) by Euler parameters, (4, 4), by columns of a bilinear form."""
    masses, d = [float(j) for j in masses], float(d)
    gamma = np.array(gamma, dtype=float)
    columns = [0.5 * (momentum(masses, d, gamma, q + e) - momentum(masses, d, gamma, q - e)) for e in np.eye(4)]
    return np.vstack([np.array(columns).T, 2.0 * q])


def rational_unit(rng):
    """A rational point of the unit sphere, from a stereographic projection."""
    a, b = (Rational(int(rng.integers(-30, 31)), int(rng.integers(1, 12))) for _ in range(2))
    over = 1 / (1 + a**2 + b**2)
    parts = [2 * a * over, 2 * b * over, (1 - a**2 - b**2) * over]
    return [parts[i] for i in rng.permutation(3)]


def test_exact_counts_at_random_rational_points():
    """Elimination over Q and Sturm's count against nhviz; 0, 2, 4 and 6 occur."""
    rng = np.random.default_rng(5)
    seen = []
    for trial in range(70):
        masses = [Rational(int(rng.integers(1, 40)), 20) for _ in range(3)]
        if len(set(masses)) < 3:
            continue
        d = Rational(int(rng.integers(1, 400)), (200, 20, 1)[trial % 3])
        gamma = rational_unit(rng)
        k = [Rational(int(rng.integers(-60, 61)), (30, 150, 400)[trial // 3 % 3]) for _ in range(3)]
        polynomial = eliminant(masses, d, k, gamma)
        assert polynomial.is_sqf
        found = branches(masses, d, k, gamma)
        assert len(found) == polynomial.count_roots()
        assert all(branch["certified"] for branch in found)
        check_list(masses, d, k, gamma, found)
        seen.append(len(found))
    assert set(seen) >= {0, 2, 4, 6}


def test_exact_counts_of_a_ball_much_heavier_than_its_moments():
    """D/I = 1e6, within the declared ranges: D only acts across gamma and times q0, which is small there too."""
    rng = np.random.default_rng(9)
    masses, d = [Rational(2, 1000), Rational(3, 1000), Rational(1, 1000)], Rational(6000)
    seen = set()
    for trial in range(24):
        k = [Rational(int(rng.integers(-60, 61)), (10**5, 10**6, 10**7)[trial % 3]) for _ in range(3)]
        gamma = rational_unit(rng)
        polynomial = eliminant(masses, d, k, gamma)
        assert polynomial.is_sqf
        params = {"J1": 0.002, "J2": 0.003, "J3": 0.001, "m": 60.0, "rho": 10.0}
        found = nhviz.branches("sphere", params=params, step=1.0, at=at(k, gamma))
        assert len(found) == polynomial.count_roots()
        check_list(masses, d, k, gamma, found)
        seen.add(len(found))
    assert 6 in seen


# --- Null spaces in floating point --------------------------------------------------------------------------------


def powers(degree):
    return [e for e in product(range(degree + 1), repeat=4) if sum(e) == degree]


SQUARES, CUBES, QUARTICS = powers(2), powers(3), powers(4)
PLACE = {e: i for i, e in enumerate(QUARTICS)}
PRODUCTS = np.array([[PLACE[tuple(np.add(a, b).tolist())] for b in SQUARES] for a in SQUARES])
SHIFTS = np.array([[PLACE[tuple(np.add(e, axis).tolist())] for e in CUBES] for axis in np.eye(4, dtype=int)])


def quadrics(masses, d, gamma, k):
    """Symmetric (points, 3, 4, 4) matrices of CS (5.2) made homogeneous by q.q = 1, of largest entry 1."""
    inertia, count = moments(masses), len(gamma)
    h = np.zeros((count, 3, 4, 4))
    a = np.diag(inertia) + d * (np.eye(3) - gamma[:, :, None] * gamma[:, None, :])
    h[:, :, 0, 1:] = h[:, :, 1:, 0] = a
    for i in range(3):
        j, n = (i + 1) % 3, (i + 2) % 3
        h[:, i, 1 + j, 1 + n] = h[:, i, 1 + n, 1 + j] = inertia[n] - inertia[j]
        for c in range(4):
            h[:, i, c, c] -= k[:, i]
    return h / np.abs(h).max(axis=(1, 2, 3), keepdims=True)


def null_space_roots(h):
    """All 8 complex roots (points, 8, 4) of three quadrics: the null space of the Macaulay matrix of degree 4.

    Multiplication by a linear form acts on it as an 8 x 8 matrix, whose eigenvectors belong to the roots.
    """
    count = len(h)
    coefficients = np.stack(
        [
            h[:, :, pair[0], pair[1]] * (1.0 if pair[0] == pair[1] else 2.0)
            for pair in (np.repeat(np.arange(4), e) for e in SQUARES)
        ],
        axis=-1,
    )
    macaulay = np.zeros((count, 3, 10, 35))
    for i, places in enumerate(PRODUCTS):
        macaulay[:, :, i, places] = coefficients
    null = np.swapaxes(np.linalg.svd(macaulay.reshape(count, 30, 35))[2][:, 27:], 1, 2)
    shifted = null[:, SHIFTS]
    first, second = np.linalg.qr(np.random.default_rng(3).normal(size=(4, 4)))[0][:2]
    over = np.linalg.pinv(np.einsum("v,nvij->nij", second, shifted))
    vectors = np.linalg.eig(over @ np.einsum("v,nvij->nij", first, shifted))[1]
    inverse = np.linalg.inv(vectors)
    z = np.stack([np.einsum("nij,njk,nki->ni", inverse, over @ shifted[:, v], vectors) for v in range(4)], axis=-1)
    for _ in range(5):
        z = z / np.linalg.norm(z, axis=-1, keepdims=True)
        half = np.einsum("nkij,nrj->nrki", h, z)
        matrix = np.concatenate([2.0 * half, np.conj(z)[:, :, None, :]], axis=2)
        residual = np.concatenate([np.einsum("nrki,nri->nrk", half, z), np.zeros((count, 8, 1))], axis=2)
        z = z - np.linalg.solve(matrix, residual[..., None])[..., 0]
    condition = 1.0 / np.linalg.svd(matrix, compute_uv=False)[..., -1].min(axis=1)
    return z / np.linalg.norm(z, axis=-1, keepdims=True), condition


def separation(z):
    """The sine of the least angle between two of the roots."""
    products = np.abs(np.einsum("nri,nsi->nrs", z, np.conj(z))) * (1.0 - np.eye(8))
    return np.sqrt(np.maximum(0.0, 1.0 - products.max(axis=(1, 2)) ** 2))


def real_roots(z):
    """Which unit roots are real up to a phase: |z.z| = 1; an imaginary part t takes off 2 t^2."""
    return np.abs(np.sum(z * z, axis=-1)) > 1.0 - 1e-10


@pytest.mark.parametrize("name", list(BALLS))
def test_counts_and_roots_against_null_spaces(name):
    masses, d = BALLS[name]
    k, gamma = random_points(np.random.default_rng(len(name)), masses, d, 250)
    z, condition = null_space_roots(quadrics(masses, d, gamma, k))
    found = table(masses, d, k, gamma)
    real = real_roots(z)
    # Where roots are apart by more than this the threshold of `real_roots` is safe from both sides.
    clear = (separation(z) > 1e-3) & (condition < 1e6)
    assert clear.mean() > 0.95
    assert np.array_equal(found.counts[clear], real.sum(axis=1)[clear])
    assert found.certified[clear].all()
    for i in np.flatnonzero(clear):
        q = found.displacements[i, : found.counts[i], :4]
        match = np.abs(q @ z[i, real[i]].T)
        if match.size:
            # Both are within condition * round-off of the root; cos = 1 - angle^2/2 sees the square of that.
            assert match.max(axis=1).min() >= 1.0 - 8 * EPS - (100 * EPS * condition[i]) ** 2
            assert len(set(match.argmax(axis=1))) == len(q)
        check_list(masses, d, k[i], gamma[i], found.rows(i))


def test_counts_are_even_and_all_of_them_occur():
    """0, 2, 4, 6, 8; CS says 2 to 4. With D = 0 only 4 of the 8 could be real."""
    rng = np.random.default_rng(11)
    seen = set()
    for masses, d in (*BALLS.values(), ((0.35, 0.625, 7 / 13), 5343 / 8)):
        k, gamma = random_points(rng, masses, d, 1500)
        found = table(masses, d, k, gamma)
        assert np.all(found.counts[found.certified] % 2 == 0)
        assert found.certified.mean() > 0.999
        seen |= set(found.counts[found.certified].tolist())
        if d <= 1e-5:
            assert found.counts.max() <= 4
    assert seen | {len(branches(*EIGHT))} == {0, 2, 4, 6, 8}
    assert seen >= {0, 2, 4, 6}


# --- Small and large momenta --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["weak", "heavy", "very heavy", "not a real ball"])
def test_small_momenta_have_four_rotations(name):
    """One near the identity, three near the half turns, each where the linearised equation says, to second order."""
    masses, d = BALLS[name]
    inertia = moments(masses)
    gamma = np.array([2.0, -1.0, 2.0]) / 3.0
    direction = np.array([0.6, 0.5, -0.7]) * inertia.min()
    ends = np.eye(4)
    errors = []
    for share in (1e-4, 2.5e-5):
        k = share * direction
        found = branches(masses, d, k, gamma)
        assert len(found) == 4
        assert all(branch["certified"] for branch in found)
        assert [branch["principal"] for branch in found] == [True, False, False, False]
        row = []
        for end in ends:
            linear = np.linalg.solve(jacobian(masses, d, gamma, end), [*k, 0.0])
            predicted = end + linear
            predicted *= np.sign(predicted[0])
            row.append(min(np.linalg.norm(euler(branch) - predicted) for branch in found))
            assert np.linalg.norm(linear) < 0.1
        errors.append(row)
    np.testing.assert_allclose(np.array(errors[0]) / errors[1], 16.0, rtol=0.05)


@pytest.mark.parametrize("name", ["weak", "heavy", "light", "not a real ball"])
def test_zero_momentum_has_four_rotations(name):
    """<q, K>/2 = q0 (<q, I q> + D |q x gamma|^2) leaves q = 0 or q0 = 0, and then q x I q = 0."""
    masses, d = BALLS[name]
    found = branches(masses, d, np.zeros(3), np.array([0.48, 0.6, -0.64]))
    assert len(found) == 4
    assert all(branch["certified"] for branch in found)
    rotations = np.abs([euler(branch) for branch in found])
    assert rotations[0] == pytest.approx([1.0, 0.0, 0.0, 0.0], abs=EPS)
    order = np.argsort(rotations[1:].argmax(axis=1))
    np.testing.assert_allclose(rotations[1:][order], np.eye(4)[1:], atol=EPS)
    assert found[0]["principal"]
    assert found[0]["angle"] <= 1e-20
    assert [branch["angle"] for branch in found[1:]] == [pytest.approx(np.pi, rel=2 * EPS)] * 3


@pytest.mark.parametrize("name", ["weak", "heavy", "very heavy", "nearly symmetric", "not a real ball"])
def test_no_rotation_beyond_the_bound(name):
    """|K| <= (I_max + D) |2 q0 q| + 2 |q x I q| <= I_max + D + (I_max - I_min) for every rotation."""
    masses, d = BALLS[name]
    inertia = moments(masses)
    bound = 2.0 * inertia.max() - inertia.min() + d
    rng = np.random.default_rng(2)
    k = rng.normal(size=(120, 3))
    gamma = rng.normal(size=(120, 3))
    factors = np.repeat([1.0001, 1.5, 20.0, 1e4], 30)
    k *= (factors * bound / np.linalg.norm(k, axis=1))[:, None]
    gamma /= np.linalg.norm(gamma, axis=1, keepdims=True)
    found = table(masses, d, k, gamma)
    assert np.all(found.counts == 0)
    assert np.all(found.principal == -1)
    assert found.certified[null_space_roots(quadrics(masses, d, gamma, k))[1] < 1e4].all()


def test_no_rotation_for_enormous_momenta():
    for size in (1e30, 1e60, 1e100, 1e200, 1e300):
        assert branches(DEFAULT, 2.0, size * np.array([0.9, -0.3, 0.2]), np.array([2.0, 3.0, 6.0]) / 7.0) == []


# --- Special bodies, and the whole declared ranges ----------------------------------------------------------------


def test_homogeneous_ball():
    """J1 = J2 = J3: K = 2 q0 A q, so q0 q = A^-1 K/2 and sin(angle) = |A^-1 K|: two rotations or none."""
    rng = np.random.default_rng(8)
    counts = []
    for _ in range(60):
        moment, d = 2.0 * 10.0 ** rng.uniform(-2.0, 1.0), 10.0 ** rng.uniform(-2.0, 2.0)
        gamma = rng.normal(size=3)
        gamma /= np.linalg.norm(gamma)
        inverse = np.linalg.inv(moment * np.eye(3) + d * (np.eye(3) - np.outer(gamma, gamma)))
        k = rng.normal(size=3)
        sine = rng.uniform(0.02, 1.6)
        k *= sine / np.linalg.norm(inverse @ k)
        masses = [moment / 2.0] * 3
        found = branches(masses, d, k, gamma)
        counts.append(len(found))
        assert len(found) == (2 if sine < 1.0 else 0)
        if not found:
            continue
        check_list(masses, d, k, gamma, found)
        assert [branch["certified"] for branch in found] == [True, True]
        assert [branch["principal"] for branch in found] == [True, False]
        # asin has the condition number tan; the sine itself carries the condition number of A.
        allowed = 20 * EPS * (1.0 + d / moment) * np.tan(np.arcsin(sine)) + 4 * EPS
        turns = [2.0 * np.arctan2(np.linalg.norm(q[1:]), q[0]) for q in map(euler, found)]
        assert turns == pytest.approx([np.arcsin(sine), np.pi - np.arcsin(sine)], rel=0.0, abs=allowed)
    assert set(counts) == {0, 2}


def test_infinitely_many_rotations_are_not_certified():
    """K = 0 has every half turn of a homogeneous ball, and every one across the axis of a symmetric ball."""
    for masses in ([0.5, 0.5, 0.5], [0.5, 0.5, 0.9], [0.9, 0.5, 0.5], [0.5, 0.9, 0.5]):
        found = branches(masses, 1.3, np.zeros(3), np.array([2.0, 3.0, 6.0]) / 7.0)
        assert not any(branch["certified"] for branch in found)
        assert found[0]["principal"]
        check_list(masses, 1.3, np.zeros(3), np.array([2.0, 3.0, 6.0]) / 7.0, found)


def test_multiple_complex_rotations_are_not_certified():
    """J1 = J2, K and gamma along the third axis: two real rotations about it, and (0; 1, +-i, 0) three times each."""
    masses, k = [0.4, 0.4, 0.7], np.array([0.0, 0.0, 0.5])
    found = branches(masses, 1.7, k, np.array([0.0, 0.0, 1.0]))
    assert [branch["certified"] for branch in found] == [False, False]
    assert [branch["principal"] for branch in found] == [True, False]
    turn = np.arcsin(0.5 / 0.8)
    assert [2.0 * np.arccos(branch["q0"]) for branch in found] == pytest.approx([turn, np.pi - turn], rel=1e-14)
    check_list(masses, 1.7, k, np.array([0.0, 0.0, 1.0]), found)


def log_uniform(rng, low, high):
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def test_certified_nearly_always_over_the_declared_ranges():
    """The only excuse of a certificate is a root with a nearly singular derivative.

    With residuals of round-off alpha is at most a few eps condition^2: far below 0.03 for a condition of 1e4.
    """
    rng = np.random.default_rng(21)
    shares, conditions = [], []
    declared = registry.find("sphere").parameters
    for trial in range(60):
        values = {p.name: log_uniform(rng, p.minimum, p.maximum) for p in declared}
        if trial % 6 == 0:
            values["J2"] = values["J1"]
        masses, d = [values["J1"], values["J2"], values["J3"]], values["m"] * values["rho"] ** 2
        k, gamma = random_points(rng, masses, d, 40)
        found = branch_table("sphere", params=values, step=1.0, at=at(k, gamma))
        z, condition = null_space_roots(quadrics(masses, d, gamma, k))
        good = condition < 1e4
        assert found.certified[good].all()
        assert np.array_equal(found.counts[good], real_roots(z).sum(axis=1)[good])
        for i in range(len(k)):
            check_list(masses, d, k[i], gamma[i], found.rows(i))
        shares.append(found.certified.mean())
        conditions.append(good.mean())
    assert np.mean(conditions) > 0.8
    assert np.mean(shares) > 0.95


@SETTINGS
@given(
    strategies.values(registry.find("sphere").parameters),
    strategies.initial("sphere"),
    strategies.spread(1e-9, 100.0),
)
@example(
    {"J1": 0.001, "J2": 100.0, "J3": 100.0, "m": 1000.0, "rho": 10.0},
    dict.fromkeys(("x", "y", "omega1", "omega2", "omega3", "gamma2", "gamma3"), 0.0) | {"gamma1": 1.0},
    100.0,
)
def test_whole_ranges_give_finite_solutions(params, initial, step):
    gamma = np.array([initial[f"gamma{i}"] for i in (1, 2, 3)])
    if not gamma.any():
        with pytest.raises(ParameterError, match="gamma"):
            nhviz.branches("sphere", params=params, step=step, at={f"gamma{i}": 0.0 for i in (1, 2, 3)})
        return
    gamma = gamma / np.linalg.norm(gamma)
    omega = np.array([initial[f"omega{i}"] for i in (1, 2, 3)])
    masses, d = [params["J1"], params["J2"], params["J3"]], params["m"] * params["rho"] ** 2
    k = moments(masses) * omega + d * (omega - omega @ gamma * gamma)
    found = nhviz.branches("sphere", params=params, step=step, at=at(k, gamma))
    assert all(np.isfinite([*euler(branch), branch["angle"]]).all() for branch in found)
    check_list(masses, d, step * k, gamma, found)
    certified = [branch["certified"] for branch in found]
    assert len(set(certified)) <= 1
    if certified and certified[0]:
        assert len(found) % 2 == 0


# --- Many points at once, and bad input ---------------------------------------------------------------------------


def test_many_points_are_solved_as_one_by_one():
    """More points than one piece of work; the same digits."""
    masses, d = BALLS["heavy"]
    k, gamma = random_points(np.random.default_rng(4), masses, d, 1100)
    found = table(masses, d, k, gamma)
    lists = nhviz.branches("sphere", params=ball(masses, d), step=1.0, at=at(k, gamma))
    assert len(lists) == 1100
    assert [len(rows) for rows in lists] == found.counts.tolist()
    for i in range(0, 1100, 11):
        alone = branches(masses, d, k[i], gamma[i])
        assert lists[i] == alone == found.rows(i)
    assert np.all(np.isfinite(found.displacements))


def test_single_numbers_are_repeated():
    sizes = [0.1, 0.4, 0.9]
    many = nhviz.branches("sphere", step=0.2, at={"K2": sizes, "gamma1": -0.3})
    assert many == [nhviz.branches("sphere", step=0.2, at={"K2": size, "gamma1": -0.3}) for size in sizes]
    for kind in (tuple, np.array, list):
        assert nhviz.branches("sphere", step=0.2, at={"K2": kind(sizes), "gamma1": -0.3}) == many
    assert len(nhviz.branches("sphere", at={"K1": [0.2]})) == 1


def test_only_the_product_of_step_and_momentum_matters():
    masses, d = BALLS["weak"]
    k, gamma = random_points(np.random.default_rng(6), masses, d, 40)
    one = branch_table("sphere", params=ball(masses, d), step=0.25, at=at(4.0 * k, gamma))
    two = table(masses, d, k, gamma)
    assert np.array_equal(one.displacements, two.displacements)


def test_missing_values_are_those_of_the_default_start():
    """Default start: gamma = (2, 3, 6)/7, omega = (0.9, -0.5, 0.7)."""
    gamma, omega = np.array([2.0, 3.0, 6.0]) / 7.0, np.array([0.9, -0.5, 0.7])
    for masses, d in (BALLS["weak"], BALLS["heavy"]):
        k = moments(masses) * omega + d * (omega - omega @ gamma * gamma)
        usual = nhviz.branches("sphere", params=ball(masses, d), step=0.3)
        given_values = nhviz.branches("sphere", params=ball(masses, d), step=0.3, at=at(k, gamma))
        assert len(usual) == len(given_values) > 0
        np.testing.assert_allclose(
            [euler(branch) for branch in usual], [euler(branch) for branch in given_values], atol=1e-13
        )
        assert nhviz.branches("sphere", "fedorov", params=ball(masses, d), step=0.3) == usual


def test_the_vertical_is_normalised():
    k = np.array([0.3, -0.2, 0.4])
    usual = branches(DEFAULT, 2.0, k, np.array([2.0, 3.0, 6.0]) / 7.0)
    for factor in (1.0, 1e-3, 4e2, 7.0**9):
        long = branches(DEFAULT, 2.0, k, factor * np.array([2.0, 3.0, 6.0]))
        np.testing.assert_allclose([euler(branch) for branch in long], [euler(branch) for branch in usual], atol=1e-13)
    # Even in gamma.
    opposite = branches(DEFAULT, 2.0, k, -np.array([2.0, 3.0, 6.0]))
    np.testing.assert_allclose([euler(b) for b in opposite], [euler(b) for b in usual], atol=1e-13)


@pytest.mark.parametrize("size", [1e200, 1e-200])
def test_the_vertical_is_normalised_at_any_size(size):
    """A direction, or one sentence that says which sizes are allowed; never a warning, never that it is 0."""
    k = np.array([0.3, -0.2, 0.4])
    try:
        found = branches(DEFAULT, 2.0, k, size * np.array([2.0, 3.0, 6.0]))
    except ParameterError as problem:
        assert "0:" not in str(problem)
    else:
        assert len(found) == len(branches(DEFAULT, 2.0, k, np.array([2.0, 3.0, 6.0])))


@pytest.mark.parametrize(
    ("point", "words"),
    [
        ({"K1": [0.1, 0.2], "K2": [0.1, 0.2, 0.3]}, "as many values"),
        ({"K1": [0.1, 0.2], "gamma3": [1.0]}, "as many values"),
        ({"K3": []}, "at least one"),
        ({"K3": np.array([])}, "at least one"),
        ({"K1": float("nan")}, "K1"),
        ({"K1": [0.1, float("nan")]}, "K1"),
        ({"K2": np.array([0.1, np.inf])}, "K2"),
        ({"K2": "0.1"}, "K2"),
        ({"K2": [0.1, None]}, "K2"),
        ({"K2": True}, "K2"),
        ({"K1": np.ones((2, 2))}, "K1"),
        ({"K4": 0.1}, "K4"),
        ({"gamma": [0.0, 0.0, 1.0]}, "gamma"),
        ({"omega1": 0.1}, "omega1"),
        ({"gamma1": 0.0, "gamma2": 0.0, "gamma3": 0.0}, "gamma1, gamma2, gamma3"),
        ({"gamma1": [1.0, 0.0], "gamma2": 0.0, "gamma3": 0.0}, "gamma1, gamma2, gamma3"),
    ],
)
@pytest.mark.parametrize("ask", [nhviz.branches, branch_table])
def test_bad_points_are_refused_with_one_sentence(ask, point, words):
    with pytest.raises(ParameterError, match=words) as caught:
        ask("sphere", at=point)
    text = str(caught.value)
    assert text.endswith(".") or text.endswith("?")
    assert "\n" not in text


@pytest.mark.parametrize(
    "bad", [{"params": {"J1": 0.0}}, {"params": {"D": 1.0}}, {"step": 0.0}, {"step": -0.1}, {"method": "reference"}]
)
def test_bad_questions_are_refused(bad):
    with pytest.raises(ParameterError):
        nhviz.branches("sphere", **bad)
    with pytest.raises(ParameterError):
        branch_table("sphere", **bad)


# --- The principal branch -----------------------------------------------------------------------------------------


def follow(masses, d, k, gamma, longest=0.02):
    """Follow the rotation of momentum s K from s = 0 along the curve's arc length in (q, s), for arrays of points.

    Returns (reached, q, s): q at s = 1 where the curve gets there; else s at its first turning point, to about the
    square of the stride. Strides shrink until the tangent turns by less than 0.2 rad and Newton settles.
    """
    count = len(k)
    scale = 1.0 / (moments(masses).sum() + d)
    at_rest = np.zeros((count, 3, 4, 4))
    a = scale * (np.diag(moments(masses)) + d * (np.eye(3) - gamma[:, :, None] * gamma[:, None, :]))
    at_rest[:, :, 0, 1:] = at_rest[:, :, 1:, 0] = a
    for i in range(3):
        j, n = (i + 1) % 3, (i + 2) % 3
        difference = scale * (moments(masses)[n] - moments(masses)[j])
        at_rest[:, i, 1 + j, 1 + n] = at_rest[:, i, 1 + n, 1 + j] = difference
    goal = scale * k

    def equations(y, who):
        half = np.einsum("nkij,nj->nki", at_rest[who], y[:, :4])
        value = np.einsum("nki,ni->nk", half, y[:, :4]) - y[:, 4:] * goal[who]
        matrix = np.zeros((len(y), 4, 5))
        matrix[:, :3, :4], matrix[:, :3, 4], matrix[:, 3, :4] = 2.0 * half, -goal[who], 2.0 * y[:, :4]
        size = np.linalg.norm(matrix, axis=2)
        value = np.concatenate([value, np.sum(y[:, :4] ** 2, axis=1)[:, None] - 1.0], axis=1)
        return value / size, matrix / size[:, :, None]

    def tangent(y, who, before):
        v = np.linalg.svd(equations(y, who)[1])[2][:, 4]
        return v * np.where(np.sum(v * before, axis=1) < 0.0, -1.0, 1.0)[:, None]

    y = np.tile([1.0, 0.0, 0.0, 0.0, 0.0], (count, 1))
    everyone = np.arange(count)
    along = tangent(y, everyone, np.tile([0.0, 0.0, 0.0, 0.0, 1.0], (count, 1)))
    stride, state = np.full(count, 1e-3), np.zeros(count, dtype=int)
    ends, turned_at = np.zeros((count, 4)), np.full(count, np.inf)
    for _ in range(20_000):
        who = np.flatnonzero(state == 0)
        if who.size == 0:
            break
        new = y[who] + stride[who, None] * along[who]
        for _ in range(5):
            value, matrix = equations(new, who)
            ahead = np.sum((new - y[who]) * along[who], axis=1) - stride[who]
            change = np.linalg.solve(
                np.concatenate([matrix, along[who][:, None, :]], axis=1),
                np.concatenate([value, ahead[:, None]], axis=1)[..., None],
            )[..., 0]
            new = new - change
        direction = tangent(new, who, along[who])
        good = (np.linalg.norm(change, axis=1) < 1e-12) & (np.sum(direction * along[who], axis=1) > 0.98)
        stride[who] *= np.where(good, 1.3, 0.4)
        stride = np.minimum(stride, longest)
        assert np.all(stride[who] > 1e-13)
        accepted, new, direction = who[good], new[good], direction[good]
        folded = direction[:, 4] <= 0.0
        turned_at[accepted[folded]] = np.maximum(y[accepted[folded], 4], new[folded, 4])
        arrived = ~folded & (new[:, 4] >= 1.0)
        state[accepted[folded]], state[accepted[arrived]] = 2, 1
        ends[accepted[arrived]] = land(equations, accepted[arrived], y[accepted[arrived]], new[arrived])
        y[accepted], along[accepted] = new, direction
    assert np.all(state > 0)
    return state == 1, ends, turned_at


def land(equations, who, before, after):
    """Newton for q at s = 1 between two points of the curve."""
    share = ((1.0 - before[:, 4]) / (after[:, 4] - before[:, 4]))[:, None]
    y = (1.0 - share) * before + share * after
    y[:, 4] = 1.0
    for _ in range(8):
        value, matrix = equations(y, who)
        y[:, :4] -= np.linalg.solve(matrix[:, :, :4], value[..., None])[..., 0]
    return y[:, :4]


@pytest.mark.parametrize("name", list(BALLS))
def test_principal_branch_is_the_one_followed_from_the_identity(name):
    masses, d = BALLS[name]
    k, gamma = random_points(np.random.default_rng(30 + len(name)), masses, d, 80)
    k *= 2.0
    found = table(masses, d, k, gamma)
    reached, q, _ = follow(masses, d, k, gamma)
    assert 10 < reached.sum() < 75
    assert np.array_equal(found.principal >= 0, reached)
    for i in np.flatnonzero(reached):
        principal = found.displacements[i, found.principal[i], :4]
        sensitivity = np.linalg.norm(np.linalg.inv(jacobian(masses, d, gamma[i], q[i])), 2)
        allowed = 20 * EPS * sensitivity * size_of(masses, d, k[i])
        assert min(np.linalg.norm(principal - q[i]), np.linalg.norm(principal + q[i])) <= allowed


@pytest.mark.parametrize(
    "name",
    [
        "weak",
        "heavy",
        "very heavy",
        "not a real ball",
    ],
)
def test_largest_step_is_the_fold(name):
    """Below it the principal branch exists, beyond it none is marked, across it two rotations vanish."""
    masses, d = BALLS[name]
    rng = np.random.default_rng(77)
    gamma, omega = rng.normal(size=(2, 15, 3))
    gamma /= np.linalg.norm(gamma, axis=1, keepdims=True)
    k = moments(masses) * omega + d * (omega - np.sum(omega * gamma, axis=1)[:, None] * gamma)
    folds = np.array(
        [
            largest_step(
                "sphere",
                "fedorov",
                params=ball(masses, d),
                initial={f"gamma{i + 1}": g[i] for i in range(3)} | {f"omega{i + 1}": w[i] for i in range(3)},
            )
            for g, w in zip(gamma, omega, strict=True)
        ]
    )
    reached, _, turned = follow(masses, d, 1.5 * folds[:, None] * k, gamma, longest=0.002)
    assert not reached.any()
    # The turning point is the maximum of a parabola, met to within a stride of 0.002.
    np.testing.assert_allclose(1.5 * turned, 1.0, rtol=1e-5)
    parts = np.array([0.2, 0.9, 1.0 - 1e-4, 1.0 + 1e-4, 1.05, 1.7, 4.0, 30.0])
    for fold, momenta, vertical in zip(folds, k, gamma, strict=True):
        scaled, verticals = parts[:, None] * fold * momenta, np.tile(vertical, (8, 1))
        found = table(masses, d, scaled, verticals)
        assert np.array_equal(found.principal >= 0, parts < 1.0)
        assert found.certified[null_space_roots(quadrics(masses, d, verticals, scaled))[1] < 1e4].all()
        assert found.counts[2] - found.counts[3] == 2


def test_largest_step_at_rest():
    """K = 0 stays at the identity for every step."""
    still = {"omega1": 0.0, "omega2": 0.0, "omega3": 0.0}
    assert largest_step("sphere", "fedorov", initial=still) is None


@pytest.mark.parametrize("size", [1e-3, 1e-6, 1e-8, 1e-12])
def test_angles_of_small_rotations(size):
    """The angle is 2 atan2(|q|, q0), well conditioned everywhere."""
    found = branches(DEFAULT, 2.0, size * np.array([0.9, 0.3, -0.2]), np.array([2.0, 3.0, 6.0]) / 7.0)
    assert len(found) == 4
    for branch in found:
        q = euler(branch)
        turn = 2.0 * np.arctan2(np.linalg.norm(q[1:]), q[0])
        assert branch["angle"] == pytest.approx(turn, rel=4 * EPS, abs=0.0)


# --- What every branch keeps --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["weak", "heavy", "very heavy", "two equal", "not a real ball"])
def test_every_branch_keeps_the_momentum(name):
    """CS Proposition 2, along orbits that take a random branch at every step: <K, K> and <K, gamma>."""
    masses, d = BALLS[name]
    rng = np.random.default_rng(13)
    gamma = np.array([-0.48, 0.6, 0.64])
    k = rng.normal(size=3)
    k *= 0.15 * moments(masses).min() / np.linalg.norm(k)
    first_k, first_gamma = k, gamma
    taken, most, steps = set(), 0, 150
    for _ in range(steps):
        found = branches(masses, d, k, gamma)
        assert len(found) >= 2
        most = max(most, len(found))
        choice = int(rng.integers(len(found)))
        taken.add(choice)
        turn = rotation(euler(found[choice])).T
        before = k
        k, gamma = turn @ k, turn @ gamma
        # The map is symmetric: K is also the momentum of the inverse rotation, with a minus sign, after the step.
        back = momentum(masses, d, gamma, euler(found[choice]) * np.array([1.0, -1.0, -1.0, -1.0]))
        assert np.abs(back + k).max() <= 20 * EPS * size_of(masses, d, before)
        gamma = gamma / np.linalg.norm(gamma)
    assert taken == set(range(most))
    assert k @ k == pytest.approx(first_k @ first_k, rel=10 * EPS * steps)
    assert k @ gamma == pytest.approx(first_k @ first_gamma, abs=10 * EPS * steps * np.linalg.norm(k))


@pytest.mark.parametrize("h", [0.2, -0.5])
@pytest.mark.parametrize("name", ["weak", "heavy", "not a real ball"])
def test_every_branch_keeps_the_level_of_a_vertical_momentum(name, h):
    """CS Proposition 3. With a residual r of CS (5.2) the level changes by at most 4 |r|/(|sigma| Lam_min)."""
    masses, d = BALLS[name]
    lam = moments(masses) + d
    rng = np.random.default_rng(14)
    gamma = np.array([0.36, -0.48, 0.8])
    h = h * moments(masses).min()
    level, allowed = gamma @ (gamma / lam), 0.0
    taken, most = set(), 0
    for _ in range(150):
        found = branches(masses, d, h * gamma, gamma)
        assert len(found) >= 2
        most = max(most, len(found))
        choice = int(rng.integers(len(found)))
        taken.add(choice)
        q = euler(found[choice])
        residual = np.linalg.norm(momentum(masses, d, gamma, q) - h * gamma) + 4 * EPS * size_of(masses, d, h)
        # sigma = h + 2 D q0 <gamma, q> (CS after (5.4), corrected).
        sigma = h + 2.0 * d * q[0] * (gamma @ q[1:])
        allowed += 4.0 * residual / (abs(sigma) * lam.min()) + 8 * EPS / lam.min()
        gamma = rotation(q).T @ gamma
        gamma = gamma / np.linalg.norm(gamma)
        assert abs(gamma @ (gamma / lam) - level) <= allowed
    assert taken == set(range(most))
    assert allowed < 1e-9 * level
