"""Branches of the discrete maps: counted by exact elimination, followed from small steps, scanned by brute force."""

import numpy as np
import pytest
import sympy
from hypothesis import Phase, assume, example, given, settings
from hypothesis import strategies as st

import nhviz
from nhviz.maps import cayley_folds, sleigh_branches, steiner, suslov_branches
from tests import continuation

SETTINGS = settings(
    max_examples=25, deadline=None, derandomize=True, database=None, phases=(Phase.explicit, Phase.generate)
)
FEW = settings(SETTINGS, max_examples=12)
GENERIC = {"I11": 3.0, "I22": 4.0, "I33": 5.0, "I13": 1.0, "I23": 0.5}
# A thin rod, nearly along the first axis: principal moments 0.010, 10.010, 10.010, so a real body.
ROD = {"I11": 0.11, "I22": 10.01, "I33": 9.91, "I13": -0.995, "I23": 0.0}
# No real body has these (the largest principal moment exceeds the sum of the others).
FOLDING = {"I11": 1.0, "I22": 1.3, "I33": 50.0, "I13": 5.0, "I23": 1.0}
SKEW = {"I11": 0.495, "I22": 1.337, "I33": 260.0, "I13": -8.75, "I23": 1.73}
# Real bodies with large products of inertia.
LONG = {"I11": 0.727, "I22": 4.934, "I33": 4.339, "I13": -1.635, "I23": 0.0126}
LONGER = {"I11": 0.0627, "I22": 4.9947, "I33": 4.9425, "I13": -0.507, "I23": -0.0053}
NAMES = ("I11", "I22", "I13", "I23")


def log_uniform(low, high):
    return st.floats(np.log(low), np.log(high)).map(lambda power: float(np.clip(np.exp(power), low, high)))


@st.composite
def tensors(draw, most=0.97):
    """Positive definite tensors, real bodies or not."""
    i11, i22, i33 = draw(log_uniform(0.2, 20.0)), draw(log_uniform(0.2, 20.0)), draw(log_uniform(0.2, 200.0))
    part, angle = draw(st.floats(0.05, most)), draw(st.floats(0.0, 2.0 * np.pi))
    i13 = float(part * np.cos(angle) * np.sqrt(i11 * i33))
    i23 = float(part * np.sin(angle) * np.sqrt(i22 * i33))
    return {"I11": i11, "I22": i22, "I33": i33, "I13": i13, "I23": i23}


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


bodies = st.fixed_dictionaries(
    {
        "J": log_uniform(0.05, 50.0),
        "m": log_uniform(0.05, 50.0),
        "a": st.one_of(st.floats(0.1, 4.0), st.floats(-4.0, -0.1)),
        "b": st.floats(-4.0, 4.0),
    }
)
angles = st.floats(0.0, 2.0 * np.pi)


# --- GJ (28) and (41) in the scaled variables (x, y) = (eps/2)(u, v), m = (eps/2) M -------------------------------


def equations(scheme, tensor, x, y, m1, m2):
    """(f, g): both vanish at a displacement with momentum (m1, m2). Numbers, arrays or sympy expressions."""
    i11, i22, i13, i23 = tensor
    k = i13 * x + i23 * y
    if scheme == "moser_veselov":
        d = 1 + x * x + y * y
        return i11 * x + y * k - m1 * d, i22 * y - x * k - m2 * d
    s = i11 * x * x + i22 * y * y
    return i11 * x + y * k + x * s - m1, i22 * y - x * k + y * s - m2


def momentum(scheme, tensor, x, y):
    f, g = equations(scheme, tensor, x, y, 0.0, 0.0)
    over = 1.0 / (1.0 + x * x + y * y) if scheme == "moser_veselov" else 1.0
    return f * over, g * over


def jacobian(scheme, tensor, x, y, m1, m2):
    i11, i22, i13, i23 = tensor
    k = i13 * x + i23 * y
    if scheme == "moser_veselov":
        return (
            i11 + i13 * y - 2 * m1 * x,
            k + i23 * y - 2 * m1 * y,
            -k - i13 * x - 2 * m2 * x,
            i22 - i23 * x - 2 * m2 * y,
        )
    s = i11 * x * x + i22 * y * y
    return (
        i11 + i13 * y + s + 2 * i11 * x * x,
        k + i23 * y + 2 * i22 * x * y,
        -k - i13 * x + 2 * i11 * x * y,
        i22 - i23 * x + s + 2 * i22 * y * y,
    )


def values(tensor):
    return tuple(tensor[name] for name in NAMES)


def eliminated(scheme, tensor, m1, m2):
    """The resultant in x as an exact polynomial in y: floats are rational numbers."""
    x, y = sympy.symbols("x y")
    exact = [sympy.Rational(float(value)) for value in (*values(tensor), m1, m2)]
    f, g = equations(scheme, exact[:4], x, y, exact[4], exact[5])
    return sympy.Poly(sympy.resultant(sympy.Poly(f, x, y), sympy.Poly(g, x, y), x), y)


def follow(scheme, tensor, m1, m2, stages=500):
    """Follow the displacement from the identity as eps grows from 0, for arrays of momenta.

    Returns (alive, x, y): alive where the branch reaches eps without meeting a fold (its Jacobian stays positive).
    """
    m1, m2 = np.atleast_1d(np.asarray(m1, dtype=float)), np.atleast_1d(np.asarray(m2, dtype=float))
    tensor = values(tensor)
    x, y = np.zeros_like(m1), np.zeros_like(m1)
    alive = np.ones(m1.shape, dtype=bool)
    # Stages crowd towards the end, where a fold may be near.
    for s in 1.0 - (1.0 - np.arange(1, stages + 1) / stages) ** 2:
        guess_x, guess_y = x, y
        old_x, old_y = x, y
        for _ in range(6):
            f, g = equations(scheme, tensor, guess_x, guess_y, s * m1, s * m2)
            a, b, c, d = jacobian(scheme, tensor, guess_x, guess_y, s * m1, s * m2)
            determinant = a * d - b * c
            with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
                dx = np.where(alive, (d * f - b * g) / determinant, 0.0)
                dy = np.where(alive, (a * g - c * f) / determinant, 0.0)
            guess_x, guess_y = guess_x - dx, guess_y - dy
        with np.errstate(invalid="ignore"):
            settled = np.hypot(dx, dy) <= 1e-10 * (1e-3 + np.hypot(guess_x, guess_y))
            near = np.hypot(guess_x - old_x, guess_y - old_y) <= 0.3 * (0.2 + np.hypot(old_x, old_y))
            alive = alive & settled & near & (determinant > 0)
        x, y = np.where(alive, guess_x, old_x), np.where(alive, guess_y, old_y)
    return alive, x, y


def branches(scheme, tensor, m1, m2):
    """nhviz's branches; with step 2 the scaled variables are (u, v) and (M1, M2) themselves."""
    return nhviz.branches("suslov", scheme, params=tensor, step=2.0, at={"M1": float(m1), "M2": float(m2)})


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


# --- Suslov: largest steps ----------------------------------------------------------------------------------------


def test_largest_steps_of_the_papers_examples():
    energy = 41.07400078**2 / 6 + 99.38251558**2 / 8
    assert steiner.largest_step(GENERIC, energy) == pytest.approx(0.03273, abs=5e-6)
    special = {"I11": 3.0, "I22": 3.0, "I33": 5.0, "I13": 0.0, "I23": 0.5}
    energy = (179.9836568**2 + 2.4255507998**2) / 6
    assert steiner.largest_step(special, energy) == pytest.approx(0.016667, abs=5e-7)


def ellipse_momenta(tensor, energy, eps, count=360):
    """Scaled momenta (eps/2) M of one energy."""
    angle = np.linspace(0.0, 2.0 * np.pi, count, endpoint=False) + 0.001
    radius = 0.5 * eps * np.sqrt(2.0 * energy)
    return radius * np.sqrt(tensor["I11"]) * np.cos(angle), radius * np.sqrt(tensor["I22"]) * np.sin(angle)


@FEW
@given(tensors(most=0.5), log_uniform(0.1, 100.0))
@example(GENERIC, 10.0)
def test_moser_veselov_largest_step_by_brute_force(tensor, energy):
    """Just below the bound the followed branch reaches the whole ellipse; above it some ray of a fine fan ends."""
    # The rays of a fan's folds are not generic if a product of inertia vanishes.
    assume(min(abs(tensor["I13"]), abs(tensor["I23"])) > 1e-6)
    bound = steiner.largest_step(tensor, energy)
    alive, _, _ = follow("moser_veselov", tensor, *ellipse_momenta(tensor, energy, 0.98 * bound))
    assert alive.all()
    check_least_end(tensor, energy, bound)


def check_least_end(tensor, energy, bound):
    """The bound is the infimum of the ends of an independent fan of rays, or the next one if its wedge is thin."""
    inertia = np.array(suslov_branches.inertia(tensor))
    least = continuation.suslov_largest_steps("moser_veselov", inertia, energy)
    assert any(bound == pytest.approx(step, rel=1e-6) for step, _ in least)


@pytest.mark.parametrize("tensor", [LONG, LONGER], ids=["long", "longer"])
def test_elongated_bodies_fold_before_half_a_turn(tensor):
    """On a fine ellipse just below the bound every momentum has a principal displacement; above it some have none."""
    bound = steiner.largest_step(tensor, 1.0)
    for factor, everywhere in ((0.999, True), (1.02, False)):
        momenta = list(zip(*ellipse_momenta(tensor, 1.0, factor * bound, count=2400), strict=True))
        found = [any(b["principal"] for b in branches("moser_veselov", tensor, m1, m2)) for m1, m2 in momenta]
        assert all(found) == everywhere


@pytest.mark.parametrize("tensor", [GENERIC, SKEW], ids=["generic", "skew"])
def test_moser_veselov_largest_step_is_where_branches_end(tensor):
    """Below the bound every momentum of the energy has a real displacement; above it some have none."""
    bound = steiner.largest_step(tensor, 1.0)
    for factor, everywhere in ((0.98, True), (1.03, False)):
        momenta = zip(*ellipse_momenta(tensor, 1.0, factor * bound), strict=True)
        assert all(branches("moser_veselov", tensor, m1, m2) for m1, m2 in momenta) == everywhere


@pytest.mark.parametrize("tensor", [SKEW, FOLDING, LONG, LONGER, ROD], ids=["skew", "folding", "long", "longer", "rod"])
def test_moser_veselov_largest_step_of_unsymmetric_tensors(tensor):
    """The same for strongly unsymmetric tensors, real bodies among them."""
    bound = steiner.largest_step(tensor, 1.0)
    alive, _, _ = follow("moser_veselov", tensor, *ellipse_momenta(tensor, 1.0, 0.97 * bound), stages=1500)
    assert alive.all()
    if tensor["I23"] != 0.0:
        check_least_end(tensor, 1.0, bound)


@pytest.mark.parametrize(
    "tensor", [FOLDING, FOLDING | {"I22": 1.0}, SKEW, ROD], ids=["folding", "equal", "skew", "rod"]
)
def test_cayley_folds_by_brute_force(tensor):
    """The least energy among all displacements with a Jacobian that is not positive, on a fine grid.

    That point is a cusp: below it every momentum has one displacement. Beyond it three displacements share a momentum,
    in a very thin wedge, but rays need not end there: with equal moments none ever does.
    """
    i11, i22, _, _ = inertia = suslov_branches.inertia(tensor)
    rho, psi = np.meshgrid(np.geomspace(1e-3, 20.0, 1500), np.linspace(0.0, 2.0 * np.pi, 1441))
    x, y = rho * np.cos(psi), rho * np.sin(psi)
    a, b, c, d = jacobian("cayley", values(tensor), x, y, 0.0, 0.0)
    m1, m2 = momentum("cayley", values(tensor), x, y)
    energy = np.where(a * d - b * c <= 0.0, m1**2 / i11 + m2**2 / i22, np.inf)
    # M = m with eps = 2: energy 1 has m1^2/I11 + m2^2/I22 = eps^2 / 2.
    simple = np.sqrt(2.0 * cayley_folds.simple_level(inertia) / (i11 * i22))
    assert simple == pytest.approx(np.sqrt(2.0 * energy.min()), rel=0.02)
    bound = cayley_folds.largest_step(tensor, 1.0)
    assert (bound is None) == (i11 == i22)
    bound = bound or 10.0 * simple
    assert bound >= simple
    ends = continuation.suslov_ends("cayley", np.array(inertia), 1.0, np.linspace(0.0, 2.0 * np.pi, 500) + 0.001)
    assert np.all(ends >= bound * (1.0 - 1e-6))


def test_cayley_does_not_fold_for_the_papers_tensors():
    for tensor in (GENERIC, {"I11": 3.0, "I22": 3.0, "I33": 5.0, "I13": 0.0, "I23": 0.5}):
        assert cayley_folds.largest_step(tensor, 1.0) is None
        rho, psi = np.meshgrid(np.linspace(0.0, 20.0, 400), np.linspace(0.0, 2.0 * np.pi, 361))
        a, b, c, d = jacobian("cayley", values(tensor), rho * np.cos(psi), rho * np.sin(psi), 0.0, 0.0)
        assert np.all(a * d - b * c > 0)


# --- Sleigh -------------------------------------------------------------------------------------------------------


def constants(body):
    mu = body["m"] * body["a"] ** 2
    return body["J"] + mu, mu


def turn_equation(method, body, p, c, d):
    """The equation for the turn d and its derivative in d; P = eps (p_theta + b p_1), c = eps a p_1."""
    total, mu = constants(body)
    half = 0.5 * d
    if method == "fedorov_zenkov":
        # (7.18) over 2 sin(d/2): J sin d cos(d/2) - P cos(d/2) + (c + 2 mu) sin(d/2).
        value = body["J"] * np.sin(d) * np.cos(half) - p * np.cos(half) + (c + 2 * mu) * np.sin(half)
        slope = body["J"] * (np.cos(d) * np.cos(half) - 0.5 * np.sin(d) * np.sin(half))
        return value, slope + 0.5 * p * np.sin(half) + 0.5 * (c + 2 * mu) * np.cos(half)
    if method == "midpoint":
        value = (total * d - p) * np.cos(half) + 0.5 * d * (c + mu * d * np.sin(half))
        slope = total * np.cos(half) - 0.5 * (total * d - p) * np.sin(half) + 0.5 * c
        return value, slope + mu * (d * np.sin(half) + 0.25 * d * d * np.cos(half))
    offset = body["a"] * body["b"] * body["m"]
    return total * np.sin(d) - offset * (1 - np.cos(d)) - p, total * np.cos(d) - offset * np.sin(d)


def follow_turn(method, body, p, c, stages=500):
    """(alive, d): follow the turn from 0 as eps grows from 0."""
    p, c = np.atleast_1d(np.asarray(p, dtype=float)), np.atleast_1d(np.asarray(c, dtype=float))
    d, alive = np.zeros_like(p), np.ones(p.shape, dtype=bool)
    for s in 1.0 - (1.0 - np.arange(1, stages + 1) / stages) ** 2:
        guess = d
        for _ in range(6):
            value, slope = turn_equation(method, body, s * p, s * c, guess)
            with np.errstate(divide="ignore", invalid="ignore"):
                change = np.where(alive, value / slope, 0.0)
            guess = guess - change
        alive = alive & (np.abs(change) <= 1e-10) & (np.abs(guess - d) <= 0.1) & (slope > 0) & (np.abs(guess) < np.pi)
        d = np.where(alive, guess, d)
    return alive, d


def scanned_turns(method, body, p, c, cells=20_000):
    """All turns in (-pi, pi), by sign changes on a fine grid and secant steps."""
    grid = np.linspace(-np.pi, np.pi, cells + 1)[1:-1] + 1e-7
    value, _ = turn_equation(method, body, p, c, grid)
    low = np.flatnonzero(np.sign(value[:-1]) * np.sign(value[1:]) < 0)
    d = grid[low]
    for _ in range(8):
        value, slope = turn_equation(method, body, p, c, d)
        d = d - value / slope
    return np.sort(d)


def check_turns(method, body, eps, p_theta, p_1):
    """nhviz's turns are all of the scan's, each solves its equation, the principal one is the followed one."""
    p, c = eps * (p_theta + body["b"] * p_1), eps * body["a"] * p_1
    total, _ = constants(body)
    found = nhviz.branches("sleigh", method, params=body, step=eps, at={"p_theta": p_theta, "p_1": p_1})
    turns = np.array([branch["dtheta"] for branch in found])
    scale = total + abs(p) + abs(c) + abs(body["a"] * body["b"] * body["m"])
    for d in turns:
        assert abs(turn_equation(method, body, p, c, d)[0]) <= 1e-12 * scale * 4
    scanned = scanned_turns(method, body, p, c)
    slopes = [turn_equation(method, body, p, c, d)[1] for d in (*scanned, *turns)]
    # Two roots within a cell of the scan, or next to half a turn, are beyond brute force.
    assume(all(abs(slope) > 1e-2 * scale for slope in slopes))
    assume(all(abs(d) < np.pi - 1e-3 for d in (*scanned, *turns)))
    assert turns.size == scanned.size
    np.testing.assert_allclose(np.sort(turns), scanned, atol=1e-9)
    assert list(np.abs(turns)) == sorted(np.abs(turns))
    alive, followed = follow_turn(method, body, p, c)
    flagged = [branch["dtheta"] for branch in found if branch["principal"]]
    if alive[0]:
        assert len(flagged) == 1
        assert flagged[0] == pytest.approx(followed[0], abs=1e-8)
    else:
        assert flagged == [] or follow_turn(method, body, 0.97 * p, 0.97 * c)[0][0]
    return found


MANY = settings(SETTINGS, max_examples=60)


@MANY
@given(bodies, angles, log_uniform(0.05, 6.0))
def test_fedorov_zenkov_branches(body, angle, size):
    total, mu = constants(body)
    p, c = size * np.sqrt(total * mu) * np.cos(angle), size * mu * np.sin(angle)
    p_1 = c / body["a"]
    found = check_turns("fedorov_zenkov", body, 1.0, p - body["b"] * p_1, p_1)
    q = c + 2 * mu
    roots = np.roots([q, -p, q + 2 * body["J"], -p])
    assume(
        np.abs(roots[0] - roots[1]) > 1e-4 and np.abs(roots[0] - roots[2]) > 1e-4 and np.abs(roots[1] - roots[2]) > 1e-4
    )
    real = np.sort(roots.real[np.abs(roots.imag) < 1e-8 * (1 + np.abs(roots))])
    assert len(found) == real.size
    np.testing.assert_allclose(np.sort([np.tan(0.5 * branch["dtheta"]) for branch in found]), real, rtol=1e-7)
    for branch in found:
        assert branch["V2"] == pytest.approx(branch["V1"] * np.tan(0.5 * branch["dtheta"]), rel=1e-9, abs=1e-12)


@MANY
@given(bodies, angles, log_uniform(0.05, 8.0))
def test_midpoint_branches(body, angle, size):
    body = body | {"b": 0.0}
    total, mu = constants(body)
    p, c = size * np.sqrt(total * mu) * np.cos(angle), size * mu * np.sin(angle)
    for branch in check_turns("midpoint", body, 1.0, p, c / body["a"]):
        d = branch["dtheta"]
        # DS (20): p_2 = m V_1 - m a d sin(d/2), with the blade's chord towards d/2.
        along = body["m"] * branch["V1"] - body["m"] * body["a"] * d * np.sin(0.5 * d)
        assert along == pytest.approx(c / body["a"], rel=1e-9, abs=1e-11 * (1 + body["m"]))
        assert branch["V2"] == pytest.approx(branch["V1"] * np.tan(0.5 * d), rel=1e-9, abs=1e-12)


@MANY
@given(bodies, angles, log_uniform(0.05, 4.0))
def test_naive_branches(body, angle, size):
    total, _ = constants(body)
    p, p_1 = size * total * np.cos(angle), size * np.sin(angle)
    for branch in check_turns("naive", body, 1.0, p - body["b"] * p_1, p_1):
        d, m = branch["dtheta"], body["m"]
        assert branch["V2"] == 0.0
        along = m * branch["V1"] - body["a"] * m * (1 - np.cos(d)) - body["b"] * m * np.sin(d)
        assert along == pytest.approx(p_1, rel=1e-9, abs=1e-11 * (1 + m * (abs(body["a"]) + abs(body["b"]))))


def sleigh_ellipse(body, energy, eps, count=360):
    """(P, c) of the momenta of one energy, the two equilibria P = 0 included."""
    total, mu = constants(body)
    angle = np.linspace(0.0, 2.0 * np.pi, count, endpoint=False) + 0.001
    radius = eps * np.sqrt(2.0 * energy)
    p = np.append(radius * np.sqrt(total) * np.cos(angle), [0.0, 0.0])
    return p, np.append(radius * np.sqrt(mu) * np.sin(angle), radius * np.sqrt(mu) * np.array([1.0, -1.0]))


@pytest.mark.parametrize(
    ("method", "largest_step"),
    [
        ("fedorov_zenkov", sleigh_branches.fedorov_zenkov_largest_step),
        ("midpoint", sleigh_branches.midpoint_largest_step),
        ("naive", sleigh_branches.naive_largest_step),
    ],
)
@FEW
@given(bodies, log_uniform(0.1, 100.0))
@example({"J": 1.0, "m": 1.0, "a": 2.0, "b": 0.0}, 1.0)
def test_sleigh_largest_steps_by_brute_force(method, largest_step, body, energy):
    if method == "midpoint":
        body = body | {"b": 0.0}
    bound = largest_step(body, energy)
    alive, _ = follow_turn(method, body, *sleigh_ellipse(body, energy, 0.98 * bound))
    assert alive.all()
    alive, _ = follow_turn(method, body, *sleigh_ellipse(body, energy, 1.02 * bound))
    assert not alive.all()


@MANY
@given(bodies, log_uniform(0.1, 100.0))
def test_single_valued_step(body, energy):
    """Theorem 7.4: one real root at every momentum of the ellipse, by the discriminant of the cubic."""
    bound = sleigh_branches.single_valued_step(body, energy)
    assert bound == pytest.approx(np.sqrt(body["m"] * body["a"] ** 2 / (2 * energy)), rel=1e-14)
    assert bound <= sleigh_branches.fedorov_zenkov_largest_step(body, energy) * (1 + 1e-12)
    _, mu = constants(body)
    for part in (0.3, 0.7, 0.999):
        p, c = sleigh_ellipse(body, energy, part * bound)
        q, j = c + 2 * mu, body["J"]
        # Discriminant of q t^3 - P t^2 + (q + 2J) t - P: b^2 c^2 - 4 a c^3 - 4 b^3 d - 27 a^2 d^2 + 18 a b c d.
        r = q + 2 * j
        discriminant = p**2 * r**2 - 4 * q * r**3 - 4 * p**4 - 27 * q**2 * p**2 + 18 * q * p**2 * r
        assert np.all(discriminant < 0)
