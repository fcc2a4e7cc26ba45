"""The Suslov top in n dimensions against the classical top, the engine for any group, and FZ's own equations.

Nothing of the system enters the expected values: the flow is FZ (4.10) with its multipliers, a step is FZ (6.2), (6.6)
and (6.13) on the attitudes of a run alone.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.integrate import solve_ivp

import nhviz
from nhviz import ll
from nhviz.analysis.convergence import convergence
from nhviz.groups import plane, special_orthogonal
from tests.tops_n import assert_within, generic, momenta, tops

SETTINGS = settings(max_examples=25, deadline=None, derandomize=True, database=None)
every_dimension = pytest.mark.parametrize("n", [3, 4, 5, 6])


# --- Three dimensions: the classical top -----------------------------------------------------------------------------


def assert_classical(top, method, theirs, step, duration, tolerance):
    j1, j2 = top.masses
    params = {"I11": j2 + top.last, "I22": j1 + top.last, "I33": j1 + j2}
    params |= {"I13": -top.products[0], "I23": -top.products[1]}
    initial = {"M1": -top.momentum[1], "M2": top.momentum[0]}
    ours, classical = top.run(method, step, duration), nhviz.simulate("suslov", theirs, params, initial, step, duration)
    assert ours.stopped is None
    assert classical.stopped is None
    expected = np.stack([classical["M2"], -classical["M1"]], axis=1)
    assert_within(momenta(ours), expected, tolerance * np.linalg.norm(top.momentum))
    # The attitude adds up the errors of the velocities.
    assert_within(ours["R"], classical["R"], tolerance * (1.0 + duration * np.linalg.norm(top.momentum) / top.C.min()))


@SETTINGS
@given(tops(3))
def test_three_dimensions_step_as_the_classical_top(top):
    step = 0.3 * top.largest
    assert_classical(top, "moser_veselov", "moser_veselov", step, 40 * step, 40 * 1e-15 * top.condition)


@SETTINGS
@given(tops(3))
def test_three_dimensions_flow_as_the_classical_top(top):
    assert_classical(top, "reference", "exact", 0.25, 5.0, 1e-11 * top.condition)


# --- The flow --------------------------------------------------------------------------------------------------------


def suslov_rates(top):
    """FZ (4.10): d/dt (J w + w J) = [J w + w J, w] + multipliers of e_p ^ e_q, p < q < n, with w in (4.8)."""
    n, J = top.n, top.J
    rows, columns = np.triu_indices(n, 1)
    allowed = [plane(n, i, n - 1) for i in range(n - 1)]
    forces = [plane(n, i, k) for i in range(n - 1) for k in range(i + 1, n - 1)]
    matrix = np.array([(J @ e + e @ J)[rows, columns] for e in allowed] + [-f[rows, columns] for f in forces]).T

    def rates(_, y):
        w = np.tensordot(y[: n - 1], allowed, 1)
        momentum = J @ w + w @ J
        change = np.linalg.solve(matrix, (momentum @ w - w @ momentum)[rows, columns])[: n - 1]
        return np.concatenate([change, (y[n - 1 :].reshape(n, n) @ w).ravel()])

    return rates


@every_dimension
def test_reference_is_the_flow_with_multipliers(n):
    top = generic(n)
    orbit = top.run("reference", 0.5, 6.0)
    start = np.concatenate([np.array(top.momentum) / top.C, np.eye(n).ravel()])
    solution = solve_ivp(suslov_rates(top), (0.0, 6.0), start, "DOP853", orbit.t, rtol=3e-14, atol=1e-14)
    velocities = np.stack([orbit[f"w{i}"] for i in range(1, n)], axis=1)
    assert_within(np.hstack([velocities, orbit["R"].reshape(len(orbit), -1)]), solution.y.T, 1e-11)
    # C w' = w <j, w> - j |w|^2.
    for y in solution.y.T:
        w = y[: n - 1]
        assert_within(top.C * suslov_rates(top)(0.0, y)[: n - 1], w * (top.j @ w) - top.j * (w @ w), 1e-14)


# --- The map ---------------------------------------------------------------------------------------------------------


@SETTINGS
@given(tops())
def test_map_is_that_of_the_engine(top):
    n, step = top.n, 0.4 * top.largest
    ours = top.run("moser_veselov", step, 40 * step)
    system = ll.define(special_orthogonal(n), top.J, allowed=[plane(n, i, n - 1) for i in range(n - 1)])
    theirs = system.orbit(momentum=top.momentum, step=step, duration=40 * step, lagrangian="difference")
    assert len(ours) == len(theirs) == 41
    tolerance = 40 * 2e-15 * top.condition
    assert_within(momenta(ours), theirs.momenta, tolerance * np.linalg.norm(top.momentum))
    assert_within(ours["R"], theirs.elements, 40 * tolerance)


@SETTINGS
@given(tops())
def test_each_step_is_that_of_fedorov_and_zenkov(top):
    step = 0.6 * top.largest
    orbit = top.run("moser_veselov", step, 30 * step)
    R, J, size = orbit["R"], top.J, 1e-14 * np.linalg.norm(top.J)
    omega = np.swapaxes(R[:-1], 1, 2) @ R[1:]
    # (6.6), and the angle of the principal branch is below a half turn.
    assert_within(omega[:, :-1, :-1], np.swapaxes(omega[:, :-1, :-1], 1, 2), 1e-14)
    assert_within(omega[:, :-1, -1], -omega[:, -1, :-1], 1e-14)
    assert np.linalg.det(omega) == pytest.approx(np.ones(len(omega)), abs=1e-13)
    # (6.2) is the momentum of the samples, (6.13) holds but for multipliers off the last row and column.
    M = omega @ J - J @ np.swapaxes(omega, 1, 2)
    assert_within(M[:, :-1, -1], step * momenta(orbit)[:-1], size)
    change = M[1:] - np.swapaxes(omega[:-1], 1, 2) @ M[:-1] @ omega[:-1]
    assert_within(change[:, :, -1], 0.0, 2 * size)


@every_dimension
def test_energy_and_rotations_are_kept_over_many_steps(n):
    top = generic(n)
    orbit = top.run("moser_veselov", 0.5 * top.largest, 50_000 * top.largest, every=1000)
    assert orbit.stopped is None
    assert len(orbit) == 101
    # At most a rounding error per step, all of one sign: 1e5 x 1e-16 at the fixed point, where nothing averages.
    np.testing.assert_allclose(orbit.quantity("energy"), top.energy, rtol=2e-12)
    assert orbit.quantity("orthogonality").max() < 1.5e-14
    assert np.linalg.det(orbit["R"][-1]) == pytest.approx(1.0, abs=1e-14)


@every_dimension
def test_order_is_two(n):
    top, names = generic(n), [f"p{i}" for i in range(1, n)]
    steps = [2.0 / k for k in (100, 200, 400)]
    found = convergence("suslov_n", "moser_veselov", steps, 2.0, [*names, "R"], top.params, top.initial)
    assert found.order == pytest.approx(2.0, abs=0.02)


@SETTINGS
@given(tops())
def test_backward_undoes_forward(top):
    step = 0.3 * top.largest
    forward = top.run("moser_veselov", step, 15 * step)
    end = top.at(momenta(forward)[-1])
    back = end.run("moser_veselov", step, 15 * step, backward=True)
    assert len(back) == 16
    # Backwards the sink repels: a step enlarges errors by less than 2 at this share, 15 of them by 3e4.
    tolerance = 1e-15 * 15 * 2.0**15 * top.condition
    assert_within(momenta(back)[::-1], momenta(forward), tolerance * np.linalg.norm(top.momentum))
    assert_within(forward["R"][-1] @ back["R"][::-1], forward["R"], 15 * tolerance)
