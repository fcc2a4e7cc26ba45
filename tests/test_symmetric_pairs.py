"""Where the difference Lagrangian keeps the energy: the theorem of `symmetric_pairs`, its hypotheses, and its verdicts.

`energy_change` is written from l_d alone and takes any displacement in exp d, so that it tests every branch, also those
beyond the fold that no orbit takes. Kept means to round-off: 1e-12 of the energy, for condition numbers below 10^3.
"""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from scipy.linalg import expm

from nhviz import ll
from nhviz.analysis.symmetric_pairs import energy_verdict, symmetric_pair
from nhviz.groups import Group, circle, plane, product, special_euclidean, special_orthogonal
from tests.ll_cases import random_mass
from tests.test_groups import harmonic, heisenberg, special_linear

SETTINGS = settings(max_examples=8, deadline=None, derandomize=True, database=None, phases=[Phase.generate])
seeds = st.integers(0, 10**6)
SO3, SO4, SO5 = map(special_orthogonal, (3, 4, 5))
SE2, SE3, SE4 = map(special_euclidean, (2, 3, 4))
WHEEL, TWICE, SL2 = product(SE2, circle()), product(SO3, SO3), special_linear(2)


def split(first, size):
    """Planes between the first directions and the others: SO(n) over SO(first) x SO(n - first)."""
    return [f"w{i}{j}" for i in range(1, first + 1) for j in range(first + 1, size + 1)]


def anticommuting(n):
    """SO(2 n) over U(n): skew matrices that anticommute with the complex structure."""
    group = special_orthogonal(2 * n)
    turn = sum(plane(2 * n, i, n + i) for i in range(n))
    parts = [0.5 * (e + turn @ e @ turn) for e in group.basis]
    rows = group.coordinates(np.array(parts))
    return np.linalg.svd(rows)[2][: np.linalg.matrix_rank(rows)]


def quaternionic():
    """SO(8) over Sp(2) Sp(1): hermitian traceless 2 x 2 quaternion matrices times right multiplication by i, j, k.

    Its involution is not X -> T X T^-1: it comes from the standard SO(8)/(SO(3) x SO(5)) by triality.
    """

    def left(a, b, c, d):
        return np.array([[a, -b, -c, -d], [b, a, -d, c], [c, d, a, -b], [d, -c, b, a]], dtype=float)

    mirror = np.diag([1.0, -1.0, -1.0, -1.0])
    units = [left(*row) for row in np.eye(4)]
    hermitian = [np.kron(np.diag([1, -1]), units[0]), np.kron([[0, 1], [1, 0]], units[0])]
    hermitian += [np.kron([[0, 1], [-1, 0]], unit) for unit in units[1:]]
    right = [np.kron(np.eye(2), mirror @ unit @ mirror) for unit in units[1:]]
    return [a @ b for a in hermitian for b in right]


PAIRS = {
    "SO(3)": (SO3, ["w1", "w2"]),
    "SO(4) planes": (SO4, split(3, 4)),
    "SO(5) planes": (SO5, split(4, 5)),
    "SO(4)/SO(2)xSO(2)": (SO4, split(2, 4)),
    "SO(5)/SO(2)xSO(3)": (SO5, split(2, 5)),
    "SO(4)/U(2)": (SO4, list(anticommuting(2))),
    "SO(6)/U(3)": (special_orthogonal(6), list(anticommuting(3))),
    "SE(2)": (SE2, ["w", "v1"]),
    "SE(3)": (SE3, ["w2", "w3", "v1"]),
    "SE(4)": (SE4, ["w12", "w13", "w14", "v1"]),
    "SO(3)xSO(3) swap": (TWICE, [{f"w{i}_1": 1, f"w{i}_2": -1} for i in (1, 2, 3)]),
    "SO(3) beside SO(3)": (TWICE, ["w1_1", {"w2_1": 1, "w3_1": 2}]),
    "SE(2) x S^1": (WHEEL, ["w", "v1"]),
    "SE(2) x S^1 all": (WHEEL, ["w", "v1", "phi"]),
}
LOST = {
    "SE(3) turns and v1": (SE3, ["w1", "w2", "w3", "v1"]),
    "rolling disk": (WHEEL, ["w", {"v1": 0.7, "phi": 1}]),
    "SO(4) chain": (SO4, ["w12", "w23", "w34"]),
    "SO(3) in 5": (harmonic(), ["w1", "w2"]),
    "SO(8)/Sp(2)Sp(1)": (special_orthogonal(8), quaternionic()),
    "SE(2) x S^1 tilted": (WHEEL, [{"w": 1, "phi": 0.7}, "v1"]),
}


def energy_change(group, directions, mass, x):
    """(E after - E before)/E of the displacement exp(x): momenta are derivatives of tr((W - 1) m (W - 1)^T)/2."""
    parts = np.tensordot(directions, group.basis, 1)
    w = expm(np.tensordot(x, parts, 1))
    apart = (w - np.eye(len(w))).T
    inertia = np.array([[np.trace(a @ mass @ b.T) for b in parts] for a in parts])
    ends = [np.array([np.trace(moved @ mass @ apart) for moved in side]) for side in (parts @ w, w @ parts)]
    before, after = (p @ np.linalg.solve(inertia, p) for p in ends)
    return (after - before) / max(before, after)


def most_changed(group, directions, seed=0, size=1.0):
    """Over random masses and displacements, some of them of several radians."""
    rng = np.random.default_rng(seed)
    tries = [(random_mass(group.size, seed + 2 * k), size * rng.normal(size=len(directions))) for k in range(6)]
    return max(abs(energy_change(group, directions, mass, x)) for mass, x in tries)


def matrix_rank(rows):
    return np.linalg.matrix_rank(np.asarray(rows).reshape(len(rows), -1), tol=1e-8)


def is_complement(group, directions, complement):
    """h + d = g and (FZ (3.3)), by ranks of spans of matrices: no coordinates of the algebra."""
    d, h = (list(np.tensordot(rows, group.basis, 1)) for rows in (directions, complement))
    if not len(d) + len(h) == matrix_rank(d + h) == group.dimension:
        return False
    targets = ((h, h, h), (d, d, h), (h, d, d))
    return all(matrix_rank([*c, *(a @ b - b @ a for a in x for b in y)]) == len(c) for x, y, c in targets)


def rows_of(case):
    return ll.constraint(case[0], case[1], None)


def turned(name, seed):
    """The directions of a pair, turned by a random element of the group: Ad is an automorphism."""
    group = PAIRS[name][0]
    turn = group.adjoint(group.exp(0.5 * np.random.default_rng(seed).normal(size=group.dimension)))
    return rows_of(PAIRS[name]) @ turn.T


@pytest.mark.parametrize("name", PAIRS)
@SETTINGS
@given(seed=seeds)
def test_pairs_keep_the_energy(name, seed):
    """Every displacement in exp d, and orbits with big steps, for random masses; also with d turned in the group."""
    group = PAIRS[name][0]
    for directions in (rows_of(PAIRS[name]), turned(name, seed)):
        one = ll.define(group, random_mass(group.size, seed), list(directions))
        assert most_changed(group, directions, seed) < 1e-11
        speed = np.random.default_rng(seed + 1).normal(size=one.freedom)
        speed /= np.sqrt(speed @ one.constrained_inertia @ speed)
        run = one.orbit(velocity=speed, step=0.3, duration=9.0)
        assert len(run) > 3
        assert np.ptp(run.energies) < 1e-12 * run.energies[0]


@pytest.mark.parametrize("name", PAIRS)
def test_pairs_are_seen(name):
    """Also SO(6)/U(3), whose d has no basis of labels."""
    group, directions = PAIRS[name][0], rows_of(PAIRS[name])
    verdict = energy_verdict(ll.define(group, random_mass(group.size, 1), list(directions)))
    assert verdict.guaranteed, verdict.why
    assert verdict.pair.holds, verdict.pair.why
    assert is_complement(group, directions, verdict.pair.complement)


@pytest.mark.parametrize("name", PAIRS)
@SETTINGS
@given(seed=seeds)
def test_turned_pairs_are_seen(name, seed):
    """Where a triple product vanishes, its round-off is compared with its factors."""
    group, directions = PAIRS[name][0], turned(name, seed)
    verdict = energy_verdict(ll.define(group, random_mass(group.size, 1), list(directions)))
    assert verdict.pair.holds, verdict.pair.why
    assert is_complement(group, directions, verdict.pair.complement)
    assert verdict.guaranteed, verdict.why


@pytest.mark.parametrize("group", [SO3, SO4, SO5, SE2, SE3, SE4], ids=lambda group: group.name)
def test_the_whole_algebra_keeps_the_energy(group):
    """Without a constraint odd powers stay in the algebra, so that the theorem applies; `define` refuses such a d."""
    one = ll.LLSystem(group, random_mass(group.size, 3), np.eye(group.dimension))
    assert most_changed(group, one.directions) < 1e-11
    assert energy_verdict(one).guaranteed
    run = one.orbit(velocity=0.3 * np.ones(one.freedom), step=0.2, duration=4.0)
    assert run.stopped is None
    assert np.ptp(run.energies) < 1e-12 * run.energies[0]


@pytest.mark.parametrize("group", [SO3, SO4, SE2, SE3, WHEEL], ids=lambda group: group.name)
def test_the_verdict_is_right_for_every_set_of_basis_directions(group):
    """The condition on cubes decides exactly: of all spans of basis vectors those it refuses lose energy visibly."""
    for k in range(1, group.dimension + 1):
        for chosen in combinations(range(group.dimension), k):
            directions = np.eye(group.dimension)[list(chosen)]
            verdict = energy_verdict(ll.LLSystem(group, np.eye(group.size), directions))
            change = most_changed(group, directions)
            assert change < 1e-11 if verdict.guaranteed else change > 1e-6, (chosen, verdict.why)
            if verdict.pair.holds:
                assert verdict.guaranteed
                assert is_complement(group, directions, verdict.pair.complement)


def band(one, steps, duration=0.8):
    """Relative width of the energy along orbits with these steps, from one start at unit speed."""
    speed = np.random.default_rng(8).normal(size=one.freedom)
    speed /= np.sqrt(speed @ one.constrained_inertia @ speed)
    runs = [one.orbit(velocity=speed, step=step, duration=duration) for step in steps]
    assert not any(run.stopped for run in runs)
    return np.array([np.ptp(run.energies) / run.energies[0] for run in runs])


@pytest.mark.parametrize("name", LOST)
def test_energy_is_lost_to_second_order(name):
    """The change per step is 2 <C, S - (S on d)>/eps^2, C ~ eps^2 and S - (S on d) ~ eps^3: eps^2 over a fixed time."""
    group, allowed = LOST[name]
    one = ll.define(group, random_mass(group.size, 12), allowed)
    verdict = energy_verdict(one)
    assert not verdict.guaranteed
    assert "\n" not in verdict.why
    assert verdict.pair.holds == (name in ("SO(3) in 5", "SO(8)/Sp(2)Sp(1)", "SE(2) x S^1 tilted"))
    wide, narrow = band(one, (0.02, 0.01))
    assert wide > 1e-8
    assert abs(np.log2(wide / narrow) - 2.0) < 0.15


@pytest.mark.parametrize(("group", "allowed"), [(SL2, [{"x1": 1, "x2": 1}, "x3"]), (heisenberg(), ["x", "y"])])
def test_energy_is_lost_to_first_order_without_rigid_motion(group, allowed):
    """l_d(W) and l_d(W^-1) differ by eps^3/eps, so that a step changes the energy by eps^2: eps over a fixed time."""
    one = ll.define(group, random_mass(group.size, 15), allowed)
    verdict = energy_verdict(one)
    assert verdict.pair.holds
    assert not verdict.guaranteed
    assert "does not move rigidly" in verdict.why
    wide, narrow = band(one, (0.002, 0.001))
    assert wide > 1e-6
    assert abs(np.log2(wide / narrow) - 1.0) < 0.15


@pytest.mark.parametrize("name", ["SO(8)/Sp(2)Sp(1)", "SE(2) x S^1 tilted"])
def test_symmetric_pairs_that_lose_energy(name):
    """A pair on SO(n) or a product does not suffice: here no matrix T gives the involution, and cubes leave d."""
    group, directions = LOST[name][0], rows_of(LOST[name])
    pair = symmetric_pair(group, directions)
    assert pair.holds
    assert is_complement(group, directions, pair.complement)
    assert most_changed(group, directions) > 1e-3


TILTED = {
    "SE(2) x S^1 tilted": LOST["SE(2) x S^1 tilted"],
    "SE(2) x S^1 tilted more": (WHEEL, [{"w": 1, "phi": -0.4, "v1": 0.3}, {"v1": 1}]),
    "SO(3) x S^1 x S^1": (product(SO3, circle("a"), circle("b")), ["w1", "w2", {"a": 1, "b": 2}]),
    "SE(2) and SO(3)": (product(SE2, SO3), ["w", {"v1": 1, "v2": -2}]),
}


@pytest.mark.parametrize("case", [*PAIRS.values(), *TILTED.values()], ids=[*PAIRS, *TILTED])
@SETTINGS
@given(seed=seeds)
def test_a_pair_does_not_depend_on_bases(case, seed):
    """Random bases of d and of the algebra: the complement that is found is one."""
    group, rng = case[0], np.random.default_rng(seed)
    frame = np.linalg.qr(rng.normal(size=(group.dimension,) * 2))[0]
    other = Group(group.name, np.tensordot(frame, group.basis, 1))
    mixed = np.linalg.qr(rng.normal(size=(len(case[1]),) * 2))[0] * rng.uniform(0.3, 3.0, len(case[1]))
    for target in (group, other):
        directions = target.coordinates(group.matrix(mixed @ rows_of(case)))
        pair = symmetric_pair(target, directions)
        assert pair.holds, pair.why
        assert is_complement(target, directions, pair.complement)


@pytest.mark.parametrize(
    ("case", "why"),
    [
        ((SO4, ["w12", "w23", "w34"]), "[h, d] is not in d"),
        ((SE3, ["w1", "w2", "w3", "v1"]), "[d, d] and d have a part in common"),
        ((SO3, ["w1"]), "[h, d] is not in d"),
        ((WHEEL, ["w", {"v1": 0.7, "phi": 1}]), "[h, d] is not in d"),
    ],
)
def test_no_pair_has_a_reason(case, why):
    pair = symmetric_pair(case[0], rows_of(case))
    assert not pair.holds
    assert pair.complement is None
    assert why in pair.why
    assert "\n" not in pair.why


def test_a_pair_is_seen_where_something_in_d_commutes_with_d():
    """d = (w1, w2, phi) in SO(3) x SO(3) x S^1 has h = (w3, so(3)), whatever the basis of the algebra.

    [h, d] in d fixes h up to elements of d that commute with d; the shortest choice need not close. Orthonormal bases
    hide it.
    """
    group = product(SO3, SO3, circle())
    assert symmetric_pair(group, np.eye(7)[[0, 1, 6]]).holds
    change = np.eye(7)
    change[3:6, 6] = 0.3, -0.5, 0.7
    skewed = Group("skewed", np.tensordot(change, group.basis, 1))
    right = np.eye(7)[2:6] - np.outer([0, 0.3, -0.5, 0.7], np.eye(7)[6])
    assert is_complement(skewed, np.eye(7)[[0, 1, 6]], right)
    assert symmetric_pair(skewed, np.eye(7)[[0, 1, 6]]).holds


def test_the_reason_names_a_bracket_with_a_part_in_d():
    """[w1_1, w2_1] = w3_1, as large as the others, has no part in d."""
    pair = symmetric_pair(TWICE, rows_of((TWICE, ["w1_1", "w2_1", "w1_2", "w2_2", "w3_2"])))
    assert not pair.holds
    assert "[w1_1, w2_1]" not in pair.why
    assert "_2]" in pair.why


def test_a_factor_that_rests_need_not_be_rigid():
    """SL(2) x SO(3) with d in so(3): what d moves, it moves rigidly."""
    case = (product(SL2, SO3), ["w1", "w2"])
    assert most_changed(case[0], rows_of(case)) < 1e-12
    assert energy_verdict(ll.define(case[0], random_mass(case[0].size, 4), case[1])).guaranteed


def test_the_theorem_is_not_sharp():
    """SO(3) x S^1 x S^1 with d = (w1, w2, a + 2 b): the cube of a + 2 b is not in d, but its momentum is kept anyway.

    The verdict says that the energy is not guaranteed, not that it is lost.
    """
    case = TILTED["SO(3) x S^1 x S^1"]
    assert most_changed(case[0], rows_of(case)) < 1e-12
    verdict = energy_verdict(ll.define(case[0], random_mass(case[0].size, 4), case[1]))
    assert not verdict.guaranteed
    assert "not guaranteed" in verdict.why


@pytest.mark.parametrize("unit", [1e-3, 1e3, 1e-7])
def test_verdicts_do_not_depend_on_units(unit):
    """Nor is anything promised for small directions that is not kept."""
    for group, allowed in (LOST["SO(4) chain"], PAIRS["SO(4) planes"]):
        plain, scaled = (
            energy_verdict(ll.LLSystem(group, np.eye(group.size), scale * rows_of((group, allowed))))
            for scale in (1.0, unit)
        )
        assert plain.guaranteed == scaled.guaranteed
        assert plain.pair.holds == scaled.pair.holds
