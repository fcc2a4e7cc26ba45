"""Branches of the Suslov maps: counted by exact elimination, and which of them is the principal one."""

import numpy as np
import pytest
import sympy
from hypothesis import Phase, assume, example, given, settings
from hypothesis import strategies as st

from nhviz.maps import cayley_folds, steiner, suslov_branches
from tests import continuation
from tests.strategies import log_uniform
from tests.tops import (
    FOLDING,
    LONG,
    LONGER,
    ROD,
    SKEW,
    branches,
    equations,
    follow,
    jacobian,
    momentum,
    tensors,
    values,
)

SETTINGS = settings(
    max_examples=25, deadline=None, derandomize=True, database=None, phases=(Phase.explicit, Phase.generate)
)


@st.composite
def real_bodies(draw):
    """Inertia tr(S) - S of a random distribution of mass with second moments S = B B^T, turned so that I12 = 0."""
    entries = [draw(st.floats(-1.0, 1.0)) for _ in range(9)]
    stretch = [draw(log_uniform(0.2, 5.0)) for _ in range(3)]
    root = np.reshape(entries, (3, 3)) * np.array(stretch) + 0.1 * np.eye(3)
    second = root @ root.T
    angle = 0.5 * np.arctan2(2.0 * second[0, 1], second[0, 0] - second[1, 1])
    c, s = np.cos(angle), np.sin(angle)
    turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    second = turn.T @ second @ turn
    tensor = np.trace(second) * np.eye(3) - second
    tensor *= 10.0 / np.trace(tensor)
    assume(np.linalg.eigvalsh(tensor)[0] > 0.02)
    return {
        "I11": float(tensor[0, 0]),
        "I22": float(tensor[1, 1]),
        "I33": float(tensor[2, 2]),
        "I13": float(tensor[0, 2]),
        "I23": float(tensor[1, 2]),
    }


angles = st.floats(0.0, 2.0 * np.pi)


# --- GJ (28) and (41) in the scaled variables (x, y) = (eps/2)(u, v), m = (eps/2) M -------------------------------


def eliminated(scheme, tensor, m1, m2):
    """The resultant in x as an exact polynomial in y: floats are rational numbers."""
    x, y = sympy.symbols("x y")
    exact = [sympy.Rational(float(value)) for value in (*values(tensor), m1, m2)]
    f, g = equations(scheme, exact[:4], x, y, exact[4], exact[5])
    return sympy.Poly(sympy.resultant(sympy.Poly(f, x, y), sympy.Poly(g, x, y), x), y)


def check_complete(scheme, tensor, m1, m2):
    """nhviz's branches are all real solutions: the exact count, each root, each equation, in order of rotation."""
    polynomial = eliminated(scheme, tensor, m1, m2)
    found = branches(scheme, tensor, m1, m2)
    assert len(found) == polynomial.count_roots()
    if found:
        roots = np.array([complex(root) for root in polynomial.nroots(n=30, maxsteps=500)])
        real = np.sort(roots.real[np.argsort(np.abs(roots.imag) / (1e-6 + np.abs(roots)))[: len(found)]])
        np.testing.assert_allclose(np.sort([branch["v"] for branch in found]), real, rtol=1e-5, atol=1e-7)
    for branch in found:
        x, y = branch["u"], branch["v"]
        residual = equations(scheme, values(tensor), x, y, m1, m2)
        i11, i22, i13, i23 = values(tensor)
        size = 1.0 + np.hypot(x, y)
        scale = (i11 + i22) * size**3 if scheme == "cayley" else (i11 + i22 + abs(m1) + abs(m2)) * size**2
        assert np.abs(residual).max() <= 1e-12 * (scale + (abs(i13) + abs(i23)) * size**2)
        q0 = 1.0 / np.sqrt(1.0 + x * x + y * y)
        assert [branch["q0"], branch["q1"], branch["q2"]] == pytest.approx([q0, x * q0, y * q0], rel=1e-12)
        assert branch["angle"] == pytest.approx(2.0 * np.arctan(np.hypot(x, y)), rel=1e-12)
        m3 = i13 * x + i23 * y + (i22 - i11) * x * y
        m3 *= q0**2 if scheme == "moser_veselov" else 1.0
        assert branch["M3"] == pytest.approx(m3, rel=1e-10, abs=1e-12 * scale)
    rotations = [branch["angle"] for branch in found]
    assert rotations == sorted(rotations)
    return polynomial, found


# --- Suslov: how many ---------------------------------------------------------------------------------------------


def test_elimination_degrees_and_leading_coefficients():
    """GJ (31): degree 4 with the printed leading coefficient. GJ (42): degree 7, and 5 for I11 = I22.

    The paper prints a_7 with I22 I23^2 for I22 I13^2, a_6 without its factor I13, a_5 without a square.
    """
    u, v = sympy.symbols("u v")
    eps, i11, i22, i13, i23, first, second = sympy.symbols("eps I11 I22 I13 I23 A B")
    k, delta = i13 * u + i23 * v, 4 + eps**2 * (u**2 + v**2)
    p2 = sympy.Poly(4 * i11 * u + 2 * eps * v * k - first * delta, u, v)
    q2 = sympy.Poly(4 * i22 * v - 2 * eps * u * k - second * delta, u, v)
    quartic = sympy.Poly(sympy.resultant(p2, q2, u).as_expr(), v)
    leading = 4 * eps**5 * (i13**2 + i23**2) * (2 * i13 * second - 2 * i23 * first + eps * (first**2 + second**2))
    assert quartic.degree() == 4
    assert sympy.expand(quartic.LC() - leading) == 0
    s = i11 * u**2 + i22 * v**2
    p3 = i11 * u + eps * v * k / 2 + eps**2 * u * s / 4 - first
    q3 = i22 * v - eps * u * k / 2 + eps**2 * v * s / 4 - second
    septic = sympy.Poly(sympy.resultant(sympy.Poly(p3, u, v), sympy.Poly(q3, u, v), u).as_expr(), v)
    assert septic.degree() == 7
    a7 = eps**8 * (i11 - i22) ** 2 * (i11 * i23**2 + i22 * i13**2) / 256
    a6 = eps**7 * i13 * (i11 - i22) * (i11**2 * i22 - i11 * i22**2 - i11 * i23**2 - i13**2 * i22) / 64
    assert sympy.expand(septic.LC() - a7) == 0
    assert sympy.expand(septic.coeff_monomial(v**6) - a6) == 0
    special = sympy.Poly(septic.as_expr().subs(i22, i11), v)
    assert special.degree() == 5
    assert sympy.expand(special.LC() - i11 * eps**6 * (i13**2 + i23**2) ** 2 / 64) == 0


@SETTINGS
@given(tensors(), angles, st.floats(0.05, 1.1))
@example(SKEW, 1.36, 0.33)
@example(LONG, 1.45, 0.95)
def test_moser_veselov_branches_are_complete(tensor, angle, part):
    """4 complex solutions; nhviz returns exactly the real ones, an even number."""
    level = part**2 * steiner.top_level(tensor)
    m1 = 0.5 * np.sqrt(level / tensor["I22"]) * np.cos(angle)
    m2 = 0.5 * np.sqrt(level / tensor["I11"]) * np.sin(angle)
    polynomial, found = check_complete("moser_veselov", tensor, m1, m2)
    assert polynomial.degree() == 4
    assert len(found) in (0, 2, 4)


def test_moser_veselov_has_four_real_branches_for_some_tensors():
    """FZ and the spec say 2 or none. Counterexamples, a real body among them, by exact counts of real roots."""
    rod = {"I11": 0.11, "I22": 4.896, "I33": 4.99, "I13": 0.0328, "I23": 0.021}
    moments = np.linalg.eigvalsh(
        [[rod["I11"], 0, rod["I13"]], [0, rod["I22"], rod["I23"]], [rod["I13"], rod["I23"], rod["I33"]]]
    )
    assert moments[0] > 0
    assert moments[2] < moments[0] + moments[1]
    for tensor, m1, m2 in ((rod, 0.0125734, -0.17014371), (SKEW, 0.04425492, 0.20810309)):
        polynomial, found = check_complete("moser_veselov", tensor, m1, m2)
        assert polynomial.count_roots() == 4
        assert len(found) == 4


@SETTINGS
@given(tensors(), angles, log_uniform(0.05, 5.0))
@example(FOLDING, 4.886921905584122, 0.3)
def test_cayley_branches_are_complete(tensor, angle, size):
    assume(abs(tensor["I11"] - tensor["I22"]) > 1e-3)
    m1, m2 = size * tensor["I11"] * np.cos(angle), size * tensor["I22"] * np.sin(angle)
    polynomial, found = check_complete("cayley", tensor, m1, m2)
    assert polynomial.degree() == 7
    assert len(found) % 2 == 1
    assert sum(branch["principal"] for branch in found) <= 1


@SETTINGS
@given(tensors(), angles, log_uniform(0.05, 5.0))
def test_cayley_has_five_complex_branches_for_equal_moments(tensor, angle, size):
    i33 = tensor["I33"] * (1.0 + tensor["I22"] / tensor["I11"])
    assume(i33 < 1000.0)
    tensor = tensor | {"I22": tensor["I11"], "I33": i33}
    assume(i33 > (tensor["I13"] ** 2 + tensor["I23"] ** 2) / tensor["I11"])
    m1, m2 = size * tensor["I11"] * np.cos(angle), size * tensor["I22"] * np.sin(angle)
    polynomial, _ = check_complete("cayley", tensor, m1, m2)
    assert polynomial.degree() == 5


@pytest.mark.parametrize("tensor", [FOLDING, FOLDING | {"I22": 1.0}, ROD])
def test_cayley_has_three_real_branches_for_some_tensors(tensor):
    """The spec says 1 in every case tried, nhviz that no real body folds; ROD is a real body and folds.

    Near the identity the Jacobian is positive, so a point where it is negative is one of at least three preimages.
    """
    matrix = np.array(
        [
            [tensor["I11"], 0, tensor["I13"]],
            [0, tensor["I22"], tensor["I23"]],
            [tensor["I13"], tensor["I23"], tensor["I33"]],
        ]
    )
    moments = np.linalg.eigvalsh(matrix)
    assert moments[0] > 0
    assert (moments[2] <= moments[0] + moments[1]) == (tensor is ROD)
    rho, psi = np.meshgrid(np.linspace(0.02, 4.0, 200), np.linspace(0.0, 2.0 * np.pi, 361))
    x, y = rho * np.cos(psi), rho * np.sin(psi)
    a, b, c, d = jacobian("cayley", values(tensor), x, y, 0.0, 0.0)
    determinant = (a * d - b * c) / (tensor["I11"] * tensor["I22"] * (1 + rho**2) ** 2)
    worst = np.unravel_index(np.argmin(determinant), determinant.shape)
    assert determinant[worst] < 0
    m1, m2 = momentum("cayley", values(tensor), x[worst], y[worst])
    _, found = check_complete("cayley", tensor, m1, m2)
    assert len(found) == 3
    assert min(np.hypot(branch["u"] - x[worst], branch["v"] - y[worst]) for branch in found) < 1e-6
    assert np.isfinite(cayley_folds.simple_level(suslov_branches.inertia(tensor)))


# --- Suslov: which one --------------------------------------------------------------------------------------------


def check_principal(scheme, tensor, m1, m2):
    """The principal flag is on the followed branch, or on none if the followed branch folds."""
    alive, x, y = follow(scheme, tensor, m1, m2)
    found = branches(scheme, tensor, m1, m2)
    flagged = [branch for branch in found if branch["principal"]]
    if not alive[0]:
        # These stages stop at half turns and see folds only to two percent: ask a continuation that does neither.
        inertia, at = np.array(suslov_branches.inertia(tensor)), np.array([m1, m2])
        farther = {"moser_veselov": continuation.suslov_moser_veselov, "cayley": continuation.suslov_cayley}[scheme]
        there = farther(inertia, at, 2.0).at(2.0)
        assert len(flagged) == (there is not None)
        return
    assert len(flagged) == 1
    distance = np.hypot(flagged[0]["u"] - x[0], flagged[0]["v"] - y[0])
    assert distance <= 1e-6 * (1.0 + np.hypot(x[0], y[0])), (flagged, x, y)


@SETTINGS
@given(real_bodies(), angles, st.floats(0.1, 0.97))
def test_moser_veselov_principal_branch_below_the_pass(tensor, angle, part):
    """Real bodies, h < h*: the branch that tends to (M1/I11, M2/I22)."""
    level = part**2 * steiner.admissible_level(tensor)
    m1 = 0.5 * np.sqrt(level / tensor["I22"]) * np.cos(angle)
    m2 = 0.5 * np.sqrt(level / tensor["I11"]) * np.sin(angle)
    check_principal("moser_veselov", tensor, m1, m2)


@pytest.mark.parametrize(
    ("tensor", "m1", "m2"),
    [
        (LONG, -0.18597396, 1.520611),
        (SKEW, 0.04425492, 0.20810309),
        (LONGER, -0.12160564, 1.54626004),
        ({"I11": 1.4331, "I22": 4.8291, "I33": 3.7378, "I13": 2.1019, "I23": 0.0073}, -0.70412427, -1.78213014),
    ],
    ids=[
        "real body below the pass",
        "no real body below the pass",
        "real body beyond the fold",
        "real body above the pass",
    ],
)
def test_moser_veselov_principal_branch_is_not_always_the_smallest_rotation(tensor, m1, m2):
    """Momenta at which the followed branch is not the smallest rotation, or has ended although others are real."""
    check_principal("moser_veselov", tensor, m1, m2)


@SETTINGS
@given(tensors(), angles, log_uniform(0.05, 5.0))
@example(FOLDING, 4.886921905584122, 0.3)
@example(ROD, 1.6, 2.0)
def test_cayley_principal_branch(tensor, angle, size):
    # With one product of inertia next to 0 a ray may pass a pitchfork closer than the stages resolve.
    products = abs(tensor["I13"]), abs(tensor["I23"])
    assume(tensor is ROD or min(products) > 0.02 * max(products))
    m1, m2 = size * tensor["I11"] * np.cos(angle), size * tensor["I22"] * np.sin(angle)
    check_principal("cayley", tensor, m1, m2)
