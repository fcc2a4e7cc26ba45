"""The misprints of GJ: the printed form fails, the corrected one holds to round-off."""

import numpy as np
import pytest
import sympy

from nhviz.corrections.gj import expansions, runs, septic
from nhviz.problem import Problem
from nhviz.simulate import run
from tests.corrections import settled

OTHER = {"I11": 1.3, "I22": 2.9, "I33": 3.1, "I13": -0.45, "I23": 0.7}
bodies = pytest.mark.parametrize("body", [expansions.BODY, OTHER], ids=["paper", "other"])


@bodies
def test_flow_expansion(body):
    """The third order of the flow, by which the exact solution is extrapolated from short times."""
    settled(expansions.flow_expansion(body), 1e-2, 1e-14)
    start = {"M1": 1.7, "M2": -1.1}
    h = 1e-2
    motion = run(Problem.create("suslov", "exact", body, start, h, 8 * h))
    values = motion["M1"], motion["M2"]
    m1, m2 = values[0][4], values[1][4]
    # The third difference of order 4 over h^3, whose error is about h^4 times a seventh derivative, and round-off.
    weights = np.array([-7, 72, -338, 488, 0, -488, 338, -72, 7]) / 240.0
    truth = expansions.third_derivative(body, m1, m2)
    for found, series in zip(truth, values, strict=True):
        assert found == pytest.approx(float(weights @ series) / h**3 / 6.0, abs=1e-8)


@bodies
def test_transformation(body):
    settled(expansions.transformation(body), 1.0, 1e-12)


def test_count():
    """Three real solutions of GJ (42), each of which solves it."""
    assert set(runs.counts()[1]) == {1.0, 3.0}
    i11, i22, i13, i23 = expansions.entries(runs.ROD)
    found = runs.suslov_branches.cayley(runs.ROD, 1.0, runs.THREE)
    assert len(found) == 3
    for one in found:
        u, v = one["u"], one["v"]
        k, s = i13 * u + i23 * v, i11 * u**2 + i22 * v**2
        size = abs(i11 * u) + abs(v * k) + abs(u * s) + 1.0
        assert i11 * u + v * k / 2 + u * s / 4 == pytest.approx(runs.THREE["M1"], abs=1e-11 * size)
        assert i22 * v - u * k / 2 + v * s / 4 == pytest.approx(runs.THREE["M2"], abs=1e-11 * size)


def test_coefficients():
    """The resultant's leading coefficients, exactly."""
    settled(expansions.coefficients(), 0.5, 1e-10)
    rational = sympy.Rational
    u, v = sympy.symbols("u v")
    for i22 in (rational(5), rational(3)):
        i11, i13, i23 = rational(3), rational(2, 3), rational(7, 4)
        k, s = i13 * u + i23 * v, i11 * u**2 + i22 * v**2
        first, second = i11 * u + v * k / 2 + u * s / 4, i22 * v - u * k / 2 + v * s / 4
        found = sympy.Poly(sympy.resultant(first, second, u), v)
        if i22 == i11:
            assert found.degree() == 5
            assert found.LC() == i11 * (i13**2 + i23**2) ** 2 / 64
        else:
            assert found.degree() == 7
            assert found.LC() == (i11 - i22) ** 2 * (i11 * i23**2 + i22 * i13**2) / 256
            assert found.LC() != (i11 - i22) ** 2 * (i11 * i23**2 + i22 * i23**2) / 256
            rest = i11**2 * i22 - i11 * i22**2 - i11 * i23**2 - i13**2 * i22
            assert found.coeff_monomial(v**6) == i13 * (i11 - i22) * rest / 64


def solved(body, eps, m1, m2):
    """(u, v) of GJ (41), by Newton's method."""
    i11, i22, i13, i23 = expansions.entries(body)
    place = np.array([m1 / i11, m2 / i22])
    for _ in range(50):
        u, v = place
        k, s = i13 * u + i23 * v, i11 * u**2 + i22 * v**2
        first = i11 * u + eps * v * k / 2 + eps**2 * u * s / 4 - m1
        second = i22 * v - eps * u * k / 2 + eps**2 * v * s / 4 - m2
        place = place - np.array([first / i11, second / i22])
    return place


@bodies
def test_inversion(body):
    """The second order of the inverse, from the sum of its values for both signs of eps."""
    settled(expansions.inversion(body), 1e-2, 1e-14)
    m1, m2, eps = 0.8, -0.6, 1e-3
    second = (solved(body, eps, m1, m2) + solved(body, -eps, m1, m2) - 2.0 * solved(body, 0.0, m1, m2)) / (2 * eps**2)
    # eps^2 times the fourth order, and round-off over eps^2.
    assert expansions.inverse(body, m1, m2)[2:] == pytest.approx(second, abs=1e-6)


@bodies
def test_momentum_expansion(body):
    """The third order of one step of the map itself."""
    settled(expansions.momentum_expansion(body), 1e-2, 1e-13)
    i13, i23 = body["I13"], body["I23"]
    m1, m2, eps = 0.8, -0.6, 1e-2

    def change(step):
        u, v = solved(body, step, m1, m2)
        return -step * v * (i13 * u + i23 * v)

    # Of the odd part, h and h/2 give the third order to h^2.
    halves = [(change(h) - change(-h)) / (2.0 * h) for h in (eps, eps / 2.0)]
    third = (halves[0] - halves[1]) / (0.75 * eps**2)
    assert float(expansions.third_order(body, m1, m2)) == pytest.approx(third, abs=1e-4)


def test_step():
    """The largest step of the paper's data is a tenth of what is printed; runs agree."""
    assert runs.bound() == pytest.approx(0.03273, abs=5e-6)
    taken = {step: runs.steps_of(step) for step in (0.03, 0.04, 0.3)}
    assert taken[0.03][0] == taken[0.03][1] == 33
    assert taken[0.04][0] < taken[0.04][1]
    assert taken[0.3][0] < taken[0.3][1]


@pytest.mark.parametrize("step", [0.005, 0.015, 0.03])
def test_lead(step):
    """The remark has both signs wrong: the first map is ahead at all times, the second behind."""
    (_, first), (_, second) = runs.leads(step).values()
    assert np.all(first[1:] > 0.0)
    assert np.all(second[1:] < 0.0)


@bodies
def test_surface(body):
    """Uniqueness: tests/test_suslov_loci.py::test_corrected_quartic_is_the_only_one_exactly."""
    settled(expansions.surface(body), 1e-2, 1e-14)


@pytest.mark.parametrize("other", [septic.BODY, {"I11": 4, "I22": 3, "I13": 1, "I23": 2}], ids=["first", "other"])
def test_septic(other):
    """Among all polynomials of degrees 5 to 7 one vanishes on the locus, and its highest part is the corrected one."""
    settled(septic.septic(other), 0.01, 1e-15)
    assert septic.highest(other) == {
        powers: septic.square(other, 1).get(powers, 0) for powers in septic.POWERS if sum(powers) == 7
    }
    assert septic.highest(other)[0, 0, 7] != septic.square(other, -1)[0, 0, 7]
