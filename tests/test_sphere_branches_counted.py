"""All rotations of a step of the ball, counted by exact elimination and found by null spaces."""

from itertools import product

import numpy as np
import pytest
import sympy
from sympy import QQ, Rational
from sympy.polys.matrices import DomainMatrix

import nhviz
from tests.ball_rotations import (
    BALLS,
    at,
    branches,
    check_list,
    euler,
    jacobian,
    null_space_roots,
    quadrics,
    random_points,
    real_roots,
    size_of,
    table,
)

EPS = np.finfo(float).eps
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


def separation(z):
    """The sine of the least angle between two of the roots."""
    products = np.abs(np.einsum("nri,nsi->nrs", z, np.conj(z))) * (1.0 - np.eye(8))
    return np.sqrt(np.maximum(0.0, 1.0 - products.max(axis=(1, 2)) ** 2))


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
