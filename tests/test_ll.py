"""Left-invariant nonholonomic systems against derivations of their own: nothing of `nhviz.ll` enters what is expected.

The flow is compared with Euler-Poincare equations with Lagrange multipliers on the whole algebra and with the closed
forms of three systems; the maps with derivatives of l_d, taken by a complex step, which has no cancellation.
"""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp
from scipy.linalg import expm, null_space

import nhviz
from nhviz import ll
from nhviz.analysis.steps import largest_step
from tests.ll_cases import CASES, SE2, SO3, WHEEL, system, velocity
from tests.test_groups import log_by_series

SETTINGS = settings(max_examples=15, deadline=None, derandomize=True, database=None)
every_case = pytest.mark.parametrize("name", CASES)
both = [(name, one) for name in CASES for one in ll.LAGRANGIANS if CASES[name][0].has_cayley or one != "cayley"]
every_map = pytest.mark.parametrize(("name", "lagrangian"), both)


def matrices(one, x):
    """Allowed directions are rows of coordinates in the basis of the algebra."""
    return np.einsum("...i,ia,abc->...bc", x, one.directions, one.group.basis)


def with_multipliers(one, x, times):
    """I y' = ad*_y (I y) + A^T lambda with A y = 0 on the whole algebra, and g' = g y (FZ (2.5)-(2.7))."""
    basis, size = one.group.basis, one.group.size
    flat = basis.reshape(len(basis), -1).T
    inertia = np.array([[np.trace(a @ one.mass @ b.T) for b in basis] for a in basis])
    forbidden = null_space(one.directions).T
    free, bound = len(basis), len(forbidden)
    matrix = np.block([[inertia, -forbidden.T], [forbidden, np.zeros((bound, bound))]])

    def rate(_, state):
        y, g = state[:free], state[free:].reshape(size, size)
        xi = np.tensordot(y, basis, 1)
        turned = np.array([np.linalg.lstsq(flat, (xi @ e - e @ xi).ravel(), rcond=None)[0] for e in basis])
        change = np.linalg.solve(matrix, np.concatenate([turned @ inertia @ y, np.zeros(bound)]))[:free]
        return np.concatenate([change, (g @ xi).ravel()])

    start = np.concatenate([x @ one.directions, np.eye(size).ravel()])
    found = solve_ivp(rate, (0, times[-1]), start, "DOP853", times, rtol=1e-12, atol=1e-13).y.T
    return found[:, :free], found[:, free:].reshape(-1, size, size)


@every_case
def test_flow_is_dalembert_on_the_whole_algebra(name):
    """Both integrators have local errors of 1e-12; over three time units at unit speed 1e-9 leaves room for growth."""
    one = system(name)
    x = velocity(one)
    run = one.flow(velocity=x, step=0.25, duration=3.0)
    full, elements = with_multipliers(one, x, run.t)
    scale = max(1.0, np.abs(elements).max())
    assert np.abs(run.velocities @ one.directions - full).max() < 1e-9
    assert np.abs(run.elements - elements).max() < 1e-9 * scale
    inertia = np.array([[np.trace(a @ one.mass @ b.T) for b in one.group.basis] for a in one.group.basis])
    assert np.abs(run.momenta - full @ inertia @ one.directions.T).max() < 1e-9
    assert np.allclose(run.energies, np.einsum("ti,ij,tj->t", full, inertia, full) / 2, rtol=1e-9)
    energies = one.flow(velocity=x, step=0.1, duration=10.0).energies
    assert np.ptp(energies) < 1e-10 * energies[0]


@st.composite
def tops(draw):
    """A Suslov top whose tensor is positive with room to spare, and a momentum."""
    i11, i22, size, angle = (draw(st.floats(*r)) for r in ((0.5, 5.0), (0.5, 5.0), (0.05, 0.9), (0.0, 6.28)))
    i33 = draw(st.floats(0.5, 5.0))
    i13, i23 = size * np.sqrt(i33 * i11) * np.cos(angle), size * np.sqrt(i33 * i22) * np.sin(angle)
    params = {"I11": i11, "I22": i22, "I33": i33, "I13": float(i13), "I23": float(i23)}
    turn = draw(st.floats(0.0, 6.28))
    return params, {"M1": float(np.sqrt(i11) * np.cos(turn)), "M2": float(np.sqrt(i22) * np.sin(turn))}


def top_system(p):
    """I = tr(m) - m on the axes, so that m = tr(I)/2 - I."""
    tensor = np.diag([p["I11"], p["I22"], p["I33"]])
    tensor[2, :2] = tensor[:2, 2] = p["I13"], p["I23"]
    return ll.define(SO3, 0.5 * np.trace(tensor) * np.eye(3) - tensor, ["w1", "w2"])


@st.composite
def sleighs(draw):
    names = ("J", "m", "a", "b", "p_theta", "p_1")
    ranges = ((0.3, 3.0), (0.3, 3.0), (-1.5, 1.5), (-1.5, 1.5), (-1.0, 1.0), (-1.0, 1.0))
    p = {name: draw(st.floats(*r)) for name, r in zip(names, ranges, strict=True)}
    return {k: p[k] for k in names[:4]}, {k: p[k] for k in names[4:]}


def sleigh_system(p, share=0.3):
    """The planar mass tensor enters by its trace only."""
    centre = np.array([p["a"], p["b"]])
    mass = np.zeros((3, 3))
    mass[:2, :2] = p["J"] * np.array([[share, 0.1], [0.1, 1.0 - share]]) + p["m"] * np.outer(centre, centre)
    mass[2, :2] = mass[:2, 2] = p["m"] * centre
    mass[2, 2] = p["m"]
    return ll.define(SE2, mass, ["w", "v1"])


def planar(run):
    """theta, x, y as matrices of SE(2)."""
    c, s, zero = np.cos(run["theta"]), np.sin(run["theta"]), 0.0 * run.t
    return np.array([[c, -s, run["x"]], [s, c, run["y"]], [zero, zero, zero + 1]]).transpose(2, 0, 1)


@SETTINGS
@given(top=tops(), body=sleighs())
def test_flow_is_the_closed_form_of_top_and_sleigh(top, body):
    """Flows of unit speed over two time units: integration to 1e-11, grown and multiplied by at most 1e2."""
    known = nhviz.simulate("suslov", "exact", *top, step=0.2, duration=2.0)
    run = top_system(top[0]).flow(momentum=[top[1]["M1"], top[1]["M2"]], step=0.2, duration=2.0)
    assert np.abs(run.momenta - np.stack([known["M1"], known["M2"]], 1)).max() < 1e-9
    assert np.abs(run.elements - known["R"]).max() < 1e-9
    known = nhviz.simulate("sleigh", "exact", *body, step=0.2, duration=2.0)
    run = sleigh_system(body[0]).flow(momentum=list(body[1].values()), step=0.2, duration=2.0)
    assert np.abs(run.momenta - np.stack([known["p_theta"], known["p_1"]], 1)).max() < 1e-8
    assert np.abs(run.elements - planar(known)).max() < 1e-8


def test_flow_is_the_closed_form_of_the_rolling_disk():
    m, R, I, J, turning, rolling = 1.3, 0.7, 0.4, 0.25, 0.15, 0.8
    one = ll.define(WHEEL, np.diag([0.6 * J, 0.4 * J, m, 0.5 * I, 0.5 * I]), ["w", {"v1": R, "phi": 1}])
    known = nhviz.simulate(
        "rolling_disk", "exact", {"m": m, "R": R, "I": I, "J": J}, {"Pi_theta": turning, "Pi_psi": rolling}, 0.3, 6.0
    )
    run = one.flow(velocity=[turning / J, rolling / I], step=0.3, duration=6.0)
    assert np.abs(run.elements[:, :3, :3] - planar(known)).max() < 1e-9
    assert np.abs(run.elements[:, 4, 3] - np.sin(known["psi"])).max() < 1e-9
    assert np.abs(run.momenta - [turning, (m * R * R + I) * rolling / I]).max() < 1e-10


@SETTINGS
@given(top=tops(), body=sleighs(), share=st.floats(0.05, 0.4))
def test_maps_are_the_fast_kernels_of_top_and_sleigh(top, body, share):
    """Twelve steps at up to 0.4 of the first fold: round-off times at most 1e4 of growth and condition."""
    for method, lagrangian in (("moser_veselov", "difference"), ("cayley", "cayley")):
        step = share * largest_step("suslov", "moser_veselov", *top)
        known = nhviz.simulate("suslov", method, *top, step=step, duration=12 * step)
        start = [top[1]["M1"], top[1]["M2"]]
        run = top_system(top[0]).orbit(momentum=start, step=step, duration=12 * step, lagrangian=lagrangian)
        n = min(len(run), known.t.size)
        assert (n == 13) or (run.stopped and known.stopped)
        assert np.abs(run.momenta[:n] - np.stack([known["M1"], known["M2"]], 1)[:n]).max() < 1e-11
        assert np.abs(run.elements[:n] - known["R"][:n]).max() < 1e-11
    step = share
    known = nhviz.simulate("sleigh", "fedorov_zenkov", *body, step=step, duration=12 * step)
    run = sleigh_system(body[0]).orbit(momentum=list(body[1].values()), step=step, duration=12 * step)
    n = min(len(run), known.t.size)
    assert len(run) == known.t.size
    assert np.abs(run.momenta[:n] - np.stack([known["p_theta"], known["p_1"]], 1)[:n]).max() < 1e-11
    assert np.abs(run.elements[:n] - planar(known)[:n]).max() < 1e-11


def discrete_lagrangian(lagrangian, mass, w, eps):
    """l_d(W) = eps l(X/eps) with X = W - 1, Cay^-1 W or log W, for complex W as well."""
    one = np.eye(len(w))
    x = {"difference": w - one, "cayley": 2 * np.linalg.solve(w + one, w - one), "logarithm": log_by_series(w)}[
        lagrangian
    ]
    return np.trace(x @ mass @ x.T) / (2 * eps)


def legendre(lagrangian, one, w, eps):
    """(before, after): derivatives of l_d(e^{s xi} W) and l_d(W e^{s xi}) along d by a complex step, exact to 1e-60."""
    tiny, unit = 1e-30, np.eye(len(w))
    ahead, behind = [], []
    for xi in matrices(one, np.eye(one.freedom)):
        ahead.append(discrete_lagrangian(lagrangian, one.mass, (unit + 1j * tiny * xi) @ w, eps).imag / tiny)
        behind.append(discrete_lagrangian(lagrangian, one.mass, w @ (unit + 1j * tiny * xi), eps).imag / tiny)
    return np.array(ahead), np.array(behind)


@every_map
def test_every_step_satisfies_the_discrete_principle(name, lagrangian):
    """P_k is the momentum before W_k, P_{k+1} that after it, W_k = g_k^-1 g_{k+1} in exp d or Cay d; round-off only."""
    one = system(name)
    eps = 0.3
    run = one.orbit(velocity=velocity(one), step=eps, duration=10 * eps, lagrangian=lagrangian)
    assert run.stopped is None
    unit, scale = np.eye(one.group.size), np.abs(run.momenta).max()
    for k, x in enumerate(matrices(one, run.displacements)):
        w = np.linalg.solve(unit - x / 2, unit + x / 2) if lagrangian == "cayley" else expm(x)
        before, after = legendre(lagrangian, one, w, eps)
        assert np.abs(before - run.momenta[k]).max() < 1e-12 * scale
        assert np.abs(after - run.momenta[k + 1]).max() < 1e-12 * scale
        assert np.abs(run.elements[k] @ w - run.elements[k + 1]).max() < 1e-12 * np.abs(run.elements).max()
        assert 0.01 < np.abs(x).max() < 1.5  # a displacement worth the name, within the series of this file


def order(one, lagrangian, x, steps):
    """Observed order at T = 0.8; the next term of the error changes it by about the longer step times some units."""
    flow = one.flow(velocity=x, step=0.8, duration=0.8)
    errors = []
    for count in steps:
        run = one.orbit(velocity=x, step=0.8 / count, duration=0.8, lagrangian=lagrangian)
        apart = [run.momenta[-1] - flow.momenta[-1], run.elements[-1] - flow.elements[-1]]
        errors.append(np.linalg.norm(np.concatenate([part.ravel() for part in apart])))
    assert errors[1] > 1e-9  # far above round-off
    return np.log2(errors[0] / errors[1])


@every_map
@pytest.mark.parametrize("seed", [1, 20])
def test_order(name, lagrangian, seed):
    """All are symmetric, hence of order 2, but for the difference on groups that do not move rigidly: order 1."""
    one = system(name, seed)
    first = lagrangian == "difference" and name in ("Heisenberg", "SL(2)")
    found = order(one, lagrangian, velocity(one, seed + 2), (2000, 4000) if first else (64, 128))
    assert abs(found - (1 if first else 2)) < 0.12


@every_map
def test_backward_undoes_forward(name, lagrangian):
    """Momenta and elements come back; thirty steps let round-off grow by at most 1e4."""
    one = system(name)
    there = one.orbit(velocity=velocity(one), step=0.1, duration=3.0, lagrangian=lagrangian)
    back = one.orbit(momentum=there.momenta[-1], step=0.1, duration=3.0, lagrangian=lagrangian, backward=True)
    assert np.abs(back.momenta[::-1] - there.momenta).max() < 1e-11
    wanted = np.linalg.inv(there.elements[-1]) @ there.elements
    assert np.abs(back.elements[::-1] - wanted).max() < 1e-11 * max(1.0, np.abs(wanted).max() ** 2)
    assert np.allclose(back.t, -there.t)


@pytest.mark.parametrize("lagrangian", ll.LAGRANGIANS)
@pytest.mark.parametrize("name", ["SO(4)", "SE(3)", "SE(2) x S^1"])
def test_a_long_orbit_stays_on_the_group(name, lagrangian):
    """100,000 steps: the blocks of rotations stay orthogonal to round-off, the last row of SE(n) stays exact."""
    one = system(name)
    run = one.orbit(velocity=velocity(one), step=0.05, duration=5000, lagrangian=lagrangian, every=1000)
    assert run.stopped is None
    assert len(run) == 101
    for first, size in one.group.rotations:
        block = run.elements[:, first : first + size, first : first + size]
        assert np.abs(block @ block.transpose(0, 2, 1) - np.eye(size)).max() < 1e-14
        assert np.abs(np.linalg.det(block) - 1).max() < 1e-13
    if name != "SO(4)":
        last = 3 if name == "SE(3)" else 2
        assert np.array_equal(run.elements[:, last], np.tile(np.eye(one.group.size)[last], (101, 1)))


@every_case
@pytest.mark.parametrize("seed", range(4))
def test_motion_depends_on_the_subspace_only(name, seed):
    """Another basis, the annihilator, or matrices describe the same d; conditions below 100 cost two digits."""
    one, rng = system(name), np.random.default_rng(seed)
    frame = np.linalg.qr(rng.normal(size=(one.freedom, one.freedom)))[0] * rng.uniform(0.3, 3.0, one.freedom)
    x = velocity(one)
    wanted = one.orbit(velocity=x, step=0.1, duration=1.0), one.flow(velocity=x, step=0.5, duration=1.0)
    forms = {
        "allowed": list(frame @ one.directions),
        "matrices": list(matrices(one, frame)),
        "forbidden": list(null_space(one.directions).T * 3.0),
        "array": frame @ one.directions,
    }
    for how, given_directions in forms.items():
        where = {"forbidden" if how == "forbidden" else "allowed": given_directions}
        other = ll.define(one.group, one.mass, **where)
        y = np.linalg.lstsq(other.directions.T, x @ one.directions, rcond=None)[0]
        found = other.orbit(velocity=y, step=0.1, duration=1.0), other.flow(velocity=y, step=0.5, duration=1.0)
        for a, b, tolerance in zip(found, wanted, (1e-12, 1e-10), strict=True):
            scale = np.abs(b.elements).max()
            assert np.abs(a.elements - b.elements).max() < tolerance * scale, how
            assert np.abs(a.velocities @ other.directions - b.velocities @ one.directions).max() < tolerance * 10, how


@every_map
def test_rest_stays_at_rest(name, lagrangian):
    one = system(name)
    run = one.orbit(momentum=np.zeros(one.freedom), step=0.1, duration=1.0, lagrangian=lagrangian)
    assert len(run) == 11
    assert not run.momenta.any()
    assert np.abs(run.elements - np.eye(one.group.size)).max() < 1e-15
    assert len(one.orbit(velocity=velocity(one), duration=0.0)) == 1


def fold(one, x, lagrangian):
    """The largest admissible first step as the message has it, None where the step 40 can be taken."""
    run = one.orbit(velocity=x, step=40.0, duration=40.0, lagrangian=lagrangian)
    assert len(run) == (1 if run.stopped else 2)
    assert not run.stopped or "before the first step" in run.stopped
    return run.stopped and float(re.search(r"largest admissible step there is ([-+.e\d]+)\.$", run.stopped)[1])


@every_map
def test_the_largest_admissible_step_is_right(name, lagrangian):
    """0.999 of the number in the message can be taken, 1.001 cannot; a branch of `difference` ends in a fold.

    At 0.9999 of a fold the determinant is sqrt(1e-4) of its size. A branch of `logarithm` ends at half a circle, or
    where the series of z/(e^z - 1) does; the determinant is anything there.
    """
    one = system(name)
    x = velocity(one)
    limit = fold(one, x, lagrangian)
    for share, taken in ((0.999, 1), (1.001, 0)) if limit else ():
        again = one.orbit(velocity=x, step=share * limit, duration=share * limit, lagrangian=lagrangian)
        assert len(again) == 1 + taken
    if limit and lagrangian == "logarithm":
        last = one.orbit(velocity=x, step=0.9999 * limit, duration=0.9999 * limit, lagrangian=lagrangian)
        turn = max(np.abs(np.linalg.eigvals(matrices(one, last.displacements[0])).imag))
        reach = max(np.abs(np.linalg.eigvals(one.group.ad(last.displacements[0] @ one.directions))))
        assert turn > 0.99 * np.pi or reach > 0.85 * 2.0 * np.pi
        assert "principal logarithm" in one.orbit(velocity=x, step=40.0, duration=40.0, lagrangian=lagrangian).stopped
    elif limit:
        step = 0.9999 * limit
        near = one.orbit(velocity=x, step=step, duration=step, lagrangian=lagrangian).displacements[0]
        ends = [(before(lagrangian, one, near + e), before(lagrangian, one, near - e)) for e in 1e-6 * np.eye(len(x))]
        slope = [(a - b) / 2e-6 for a, b in ends]
        assert np.linalg.det(slope) < 0.2 * np.linalg.det(one.constrained_inertia)


def before(lagrangian, one, x):
    """The momentum before exp(x), times eps: by a complex step, or <X, B(ad_X) .> with 1/B = (e^z - 1)/z from expm."""
    if lagrangian == "difference":
        return legendre(lagrangian, one, expm(matrices(one, x)), 1.0)[0]
    if lagrangian == "cayley":
        return legendre(lagrangian, one, one.group.cayley(x @ one.directions), 1.0)[0]
    y, n = x @ one.directions, one.group.dimension
    block = np.zeros((2 * n, 2 * n))
    block[:n, :n], block[:n, n:] = one.group.ad(y), np.eye(n)
    return one.directions @ np.linalg.solve(expm(block)[:n, n:].T, one.inertia @ y)


@every_map
def test_every_step_is_on_the_principal_branch(name, lagrangian):
    """The step of a momentum does not depend on how the orbit came to it."""
    one = system(name, 11)
    x = velocity(one, 0)
    step = 0.5 * (fold(one, x, lagrangian) or 3.0)
    run = one.orbit(velocity=x, step=step, duration=20 * step, lagrangian=lagrangian)
    for momentum, displacement in zip(run.momenta, run.displacements, strict=False):
        fresh = one.orbit(momentum=momentum, step=step, duration=step, lagrangian=lagrangian)
        assert np.abs(fresh.displacements[0] - displacement).max() < 1e-9 * np.abs(displacement).max()
