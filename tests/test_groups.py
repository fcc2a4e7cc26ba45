"""Matrix groups: the axioms, Ad and ad, exp, log and Cayley, and what bad input is told.

Tolerances are round-off (1e-16) times what the formula multiplies: the matrices here have norms up to about 10 and up
to eight rows, and a few products or one expm follow each other, so that 1e-11 relative is generous and 1e-3 of any real
mistake. Derivatives are compared by differences of high order.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import expm

from nhviz.groups import Group, circle, product, special_euclidean, special_orthogonal
from nhviz.parameters import ParameterError

SETTINGS = settings(max_examples=12, deadline=None, derandomize=True, database=None)
CLOSE = 1e-11


def heisenberg():
    """Strictly upper triangular matrices of three rows: [x, y] = z."""
    basis = np.zeros((3, 3, 3))
    basis[0, 0, 1] = basis[1, 1, 2] = basis[2, 0, 2] = 1.0
    return Group("Heisenberg", basis, ("x", "y", "z"))


def special_linear(n):
    """SL(n): all traceless matrices."""
    unit = np.eye(n)
    basis = [np.outer(unit[i], unit[j]) for i in range(n) for j in range(n) if i != j]
    basis += [np.diag(unit[i] - unit[i + 1]) for i in range(n - 1)]
    return Group(f"SL({n})", np.array(basis))


def harmonic():
    """SO(3) on the traceless symmetric matrices S -> [w, S], which are five-dimensional, in an orthonormal frame."""
    frame = np.zeros((5, 3, 3))
    for k, (i, j) in enumerate([(0, 1), (1, 2), (0, 2)]):
        frame[k, i, j] = frame[k, j, i] = np.sqrt(0.5)
    frame[3], frame[4] = np.diag([1, -1, 0]) / np.sqrt(2), np.diag([1, 1, -2]) / np.sqrt(6)
    turns = special_orthogonal(3).basis[:, None] @ frame - frame @ special_orthogonal(3).basis[:, None]
    return Group("SO(3) in 5", np.einsum("aij,wbij->wab", frame, turns), ("w1", "w2", "w3"), ((0, 5),))


GROUPS = [
    *(special_orthogonal(n) for n in range(2, 7)),
    *(special_euclidean(n) for n in range(2, 5)),
    circle(),
    product(special_euclidean(2), circle()),
    product(special_orthogonal(3), special_orthogonal(3)),
    heisenberg(),
    special_linear(2),
    harmonic(),
]
every_group = pytest.mark.parametrize("group", GROUPS, ids=lambda group: group.name)
seeds = st.integers(0, 2**32 - 1)


def some(group, seed, count, size=1.0):
    """Random coordinates (count, N) of elements of the algebra whose matrices have norm at most `size`."""
    x = np.random.default_rng(seed).normal(size=(count, group.dimension))
    norms = np.linalg.norm(group.matrix(x), axis=(1, 2))
    return size * x / np.maximum(norms, 1e-3)[:, None] * np.linspace(0.3, 1.0, count)[:, None]


def close(found, wanted, tolerance=CLOSE):
    scale = max(1.0, float(np.abs(wanted).max()))
    return found.shape == wanted.shape and float(np.abs(found - wanted).max()) <= tolerance * scale


def test_known_dimensions_and_labels():
    """dim SO(n) = n (n - 1)/2, dim SE(n) = n (n + 1)/2; a product's blocks do not mix."""
    for n in range(2, 9):
        assert special_orthogonal(n).dimension == n * (n - 1) // 2
        assert special_euclidean(n).dimension == n * (n + 1) // 2
    both = product(special_euclidean(2), circle(), circle("psi"))
    assert both.labels == ("w", "v1", "v2", "phi", "psi")
    assert both.rotations == ((0, 2), (3, 2), (5, 2))
    twice = product(special_orthogonal(3), special_orthogonal(3))
    assert len(set(twice.labels)) == 6
    assert not np.abs(twice.structure[:3, 3:]).any()


def test_brackets_of_the_usual_bases():
    """On SO(3) the bracket is the cross product and matrices act as w x r; on SE(2) [w, v1] = v2 and [w, v2] = -v1."""
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(2, 3))
    so3, se2 = special_orthogonal(3), special_euclidean(2)
    assert close(so3.bracket(x, y), np.cross(x, y))
    assert close(so3.matrix(x) @ y, np.cross(x, y))
    w, v1, v2 = np.eye(3)
    assert close(se2.bracket(w, v1), v2)
    assert close(se2.bracket(w, v2), -v1)
    assert close(se2.bracket(v1, v2), 0.0 * w)


@every_group
@SETTINGS
@given(seed=seeds)
def test_group_axioms(group, seed):
    """Closure is seen on the algebra: g xi g^-1 stays in it for products and inverses of exponentials."""
    x, y, z = some(group, seed, 3, 2.0)
    g, h, k = group.exp(x), group.exp(y), group.exp(z)
    one = np.eye(group.size)
    for element in (g @ h, np.linalg.inv(g) @ h @ k):
        assert close(group.outside(element @ group.matrix(z) @ np.linalg.inv(element)), 0.0 * one, 1e-10)
    assert close((g @ h) @ k, g @ (h @ k))
    assert close(group.product(g, h, k), g @ h @ k)
    assert np.array_equal(group.product(), one)
    assert close(g @ group.exp(-x), one)
    assert close(np.linalg.inv(g), group.exp(-x), 1e-10)
    assert close(group.exp(0.7 * x) @ group.exp(-0.2 * x), group.exp(0.5 * x))
    for first, size in group.rotations:
        block = (g @ h)[first : first + size, first : first + size]
        assert close(block @ block.T, np.eye(size))
        assert abs(np.linalg.det(block) - 1.0) < CLOSE


@every_group
@settings(SETTINGS, max_examples=3)
@given(seed=seeds)
def test_coordinates_and_axes(group, seed):
    """Coordinates invert matrix, and any leading axes give what single elements give."""
    x = some(group, seed, 6, 1.0).reshape(2, 3, -1)
    y, p = some(group, seed + 1, 6, 1.5).reshape(2, 3, -1), some(group, seed + 2, 6).reshape(2, 3, -1)
    assert close(group.coordinates(group.matrix(x)), x)
    assert close(group.outside(group.matrix(x)), np.zeros((2, 3, group.size, group.size)))
    g = group.exp(x)
    together = {
        "matrix": group.matrix(x),
        "coordinates": group.coordinates(group.matrix(x)),
        "bracket": group.bracket(x, y),
        "ad": group.ad(x),
        "ad_star": group.ad_star(x, p),
        "exp": g,
        "adjoint": group.adjoint(g),
        "adjoint_star": group.adjoint_star(g, p),
        "log": group.log(g),
        "cayley": group.cayley(x),
        "cayley_inverse": group.cayley_inverse(group.cayley(x)),
    }
    arguments = {
        "coordinates": [group.matrix(x)], "bracket": [x, y], "ad_star": [x, p], "adjoint": [g], "adjoint_star": [g, p],
        "log": [g], "cayley_inverse": [group.cayley(x)],
    }  # fmt: skip
    for name, whole in together.items():
        for i in range(2):
            for j in range(3):
                single = getattr(group, name)(*(a[i, j] for a in arguments.get(name, [x])))
                assert close(np.asarray(single), whole[i, j], 1e-12), name


@every_group
@SETTINGS
@given(seed=seeds)
def test_adjoints(group, seed):
    """Ad is a homomorphism, Ad* reverses products, Ad_exp(x) = exp(ad_x), whose derivative at 0 is ad_x, and pairings.

    ad_x has up to twice the norm of x; expm of it loses a few digits, hence 1e-10.
    """
    x, y, z, p = some(group, seed, 4, 1.5)
    g, h = group.exp(x), group.exp(y)
    assert close(group.adjoint(g @ h), group.adjoint(g) @ group.adjoint(h), 1e-10)
    assert close(group.adjoint_star(g @ h, p), group.adjoint_star(h, group.adjoint_star(g, p)), 1e-10)
    assert close(group.adjoint(g), expm(group.ad(x)), 1e-10)
    assert abs(group.adjoint_star(g, p) @ z - p @ group.adjoint(g) @ z) < CLOSE * 100
    assert close(group.ad(x) @ y, group.bracket(x, y))
    assert close(
        group.matrix(group.bracket(x, y)), group.matrix(x) @ group.matrix(y) - group.matrix(y) @ group.matrix(x)
    )
    assert abs(group.ad_star(x, p) @ y - p @ group.bracket(x, y)) < CLOSE
    # Fourth-order central difference with t = 1e-3: error t^4 |ad|^5/30 + 1e-16/t, both below 1e-11.
    t = 1e-3
    slope = sum(c * group.adjoint(group.exp(k * t * x)) for k, c in ((1, 8), (-1, -8), (2, -1), (-2, 1))) / (12 * t)
    assert close(slope, group.ad(x), 1e-10)


@every_group
def test_structure_constants(group):
    """Antisymmetry and the Jacobi identity, from the structure constants alone."""
    c = group.structure
    twice = np.einsum("ijm,mkl->ijkl", c, c)
    assert close(c, -np.swapaxes(c, 0, 1), 1e-13)
    assert close(twice + np.transpose(twice, (1, 2, 0, 3)) + np.transpose(twice, (2, 0, 1, 3)), 0.0 * twice, 1e-13)


@every_group
@SETTINGS
@given(seed=seeds)
def test_log_and_cayley(group, seed):
    """log undoes exp and Cay^-1 undoes Cay for small x; Cay agrees with exp to third order: the error is x^3/12."""
    (x,) = some(group, seed, 1, 1.0)
    assert close(group.log(group.exp(x)), x, 1e-10)
    small = 1e-3 * x
    apart = group.exp(small) - group.cayley(small)
    cube = np.linalg.matrix_power(group.matrix(small), 3)
    assert np.abs(apart + cube / 12.0).max() <= 1e-12
    if group.has_cayley:
        g = group.cayley(x)
        assert close(group.cayley_inverse(g), x)
        assert close(group.cayley(-x), np.linalg.inv(g))


@pytest.mark.parametrize("group", [*GROUPS, special_linear(3)], ids=lambda group: group.name)
def test_has_cayley_says_where_cayley_stays_in_the_group(group):
    """Cay(x) is in the group, near the identity, if and only if its logarithm is in the algebra.

    Where it is not, Cay(x) = exp(x + x^3/12 + ...) leaves by the part of x^3/12 outside: 1e-4 at least for |x| ~ 0.7.
    """
    away = 0.0
    for x in some(group, 5, 8, 0.7):
        g = group.cayley(x)
        away = max(away, float(np.abs(group.matrix(group.log(g)) - log_by_series(g)).max()))
    assert group.has_cayley == (away < 1e-11)
    assert group.has_cayley or away > 1e-4


def log_by_series(g):
    """log g by its series in (g - 1)(g + 1)^-1, which converges for turns below a quarter; complex matrices too."""
    half = np.linalg.solve(g + np.eye(len(g)), g - np.eye(len(g)))
    term, total = half, half
    for k in range(3, 200, 2):
        term = term @ half @ half
        total = total + term / k
    return 2.0 * total


def test_has_cayley_by_name():
    without = {group.name for group in GROUPS if not group.has_cayley}
    assert without == {"SO(3) in 5"}
    assert not special_linear(3).has_cayley


@pytest.mark.parametrize("group", [*GROUPS, special_linear(3)], ids=lambda group: group.name)
def test_moves_rigidly_means_what_it_says(group):
    """(W - 1) x and (W^-1 - 1) x are equally long for all x; where a group is not rigid some W breaks that by 1e-3."""
    rng, most = np.random.default_rng(3), 0.0
    for x in some(group, 7, 8, 1.0):
        vector = rng.normal(size=group.size)
        there, back = (np.linalg.norm((group.exp(s * x) - np.eye(group.size)) @ vector) for s in (1, -1))
        most = max(most, abs(there - back))
    assert group.moves_rigidly == (most < 1e-12)
    assert group.moves_rigidly or most > 1e-3
    assert group.moves_rigidly == (group.name not in ("Heisenberg", "SL(2)", "SL(3)"))


X, Y, Z = heisenberg().basis
BAD = [
    ({"basis": [X, Y]}, "does not close under the bracket: [x1, x2]"),
    ({"basis": [X, Y, X + Y]}, "must be independent: its 3 matrices span 2"),
    ({"basis": [0 * X]}, "must be independent"),
    ({"basis": np.ones((2, 3, 4))}, "square matrices"),
    ({"basis": X}, "square matrices"),
    ({"basis": []}, "square matrices"),
    ({"basis": [X, np.eye(2)]}, "square matrices"),
    ({"basis": "so(3)"}, "square matrices"),
    ({"basis": None}, "square matrices"),
    ({"basis": [X * np.nan]}, "finite numbers"),
    ({"basis": [np.where(X > 0, np.inf, 0.0)]}, "finite numbers"),
    ({"basis": [X, Z], "labels": ("a",)}, "2 different labels"),
    ({"basis": [X, Z], "labels": ("a", "a")}, "2 different labels"),
    ({"basis": [X], "rotations": ((0, 3),)}, "no block of rotations"),
    ({"basis": [X], "rotations": ((2, 2),)}, "no block of rotations"),
    ({"basis": [X], "rotations": ((-1, 1),)}, "no block of rotations"),
    ({"basis": [X], "rotations": ((0, 0),)}, "no block of rotations"),
    ({"basis": [X], "rotations": ((5, 2),)}, "no block of rotations"),
    # One label too many, one of which occurs twice.
    ({"basis": [X], "labels": ("a", "a")}, "1 different labels"),
]


@pytest.mark.parametrize(("given_values", "told"), BAD, ids=[f"{i}-{told[:18]}" for i, (_, told) in enumerate(BAD)])
def test_a_bad_group_is_one_sentence(given_values, told):
    """One line that names the group and the trouble."""
    with pytest.raises(ParameterError) as caught:
        Group("mine", **given_values)
    message = str(caught.value)
    assert told in message
    assert "mine" in message
    assert "\n" not in message
    assert caught.value.name in given_values


@pytest.mark.parametrize("n", [1, 0, -3, 9, 2.0, 2.5, "3", None, True, np.nan, [3]])
@pytest.mark.parametrize("make", [special_orthogonal, special_euclidean])
def test_a_silly_dimension(make, n):
    """Also something that cannot be a key of a cache, such as [3]."""
    with pytest.raises(ParameterError, match="whole number between 2 and 8") as caught:
        make(n)
    assert "\n" not in str(caught.value)


def test_numpy_dimension_and_frozen_basis():
    group = special_orthogonal(np.int64(4))
    assert group.name == "SO(4)"
    with pytest.raises(ValueError, match="read-only"):
        group.basis[0, 0, 0] = 1.0


def test_a_scaled_basis_is_the_same_group():
    """In other units too SL(3) has no Cayley map, and an orbit with it is refused."""
    for unit in (1e-3, 1e3):
        for group in (special_linear(2), special_linear(3), special_euclidean(3), harmonic()):
            scaled = Group(group.name, unit * group.basis)
            assert scaled.moves_rigidly == group.moves_rigidly
            assert scaled.has_cayley == group.has_cayley
