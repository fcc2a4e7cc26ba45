"""The Chaplygin sleigh in n dimensions against the sleigh in the plane, the engine on SE(n), and clouds of points.

Nothing of the system enters the expected values: the flow is d'Alembert's principle over point masses, a step is the
discrete principle FZ (3.2), (3.8) on the attitudes and places of a run alone.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.integrate import solve_ivp
from scipy.linalg import expm

import nhviz
from nhviz import ll
from nhviz.analysis.convergence import convergence
from nhviz.groups import special_euclidean
from tests.sleighs_n import assert_within, generic, momenta, names, poses, rates, sleighs, turn, velocities

SETTINGS = settings(max_examples=25, deadline=None, derandomize=True, database=None)
every_dimension = pytest.mark.parametrize("n", [2, 3, 4])


# --- The plane: the classical sleigh ---------------------------------------------------------------------------------


def assert_classical(body, method, theirs, step, duration, tolerance):
    params = {"J": sum(body.masses), "m": body.m, "a": body.centre[0], "b": body.centre[1]}
    initial = {"p_theta": body.momentum[0], "p_1": body.momentum[1]}
    ours, classical = (
        body.run(method, step, duration),
        nhviz.simulate("sleigh", theirs, params, initial, step, duration),
    )
    # A sample of the classical map needs its next step, so it may end one sample earlier.
    assert len(ours) - len(classical) in (0, 1)
    k, theta = len(classical), classical["theta"]
    found = np.stack([ours[name][:k] for name in ("L2", "p_1", "w2", "v", "x1", "x2")])
    expected = np.stack([classical[name] for name in ("p_theta", "p_1", "omega", "v", "x", "y")])
    assert_within(found, expected, tolerance * (1.0 + np.abs(expected).max()))
    turned = np.array([[np.cos(theta), -np.sin(theta)], [np.sin(theta), np.cos(theta)]])
    assert_within(ours["R"][:k], np.moveaxis(turned, -1, 0), tolerance * (1.0 + np.abs(theta).max()))


@SETTINGS
@given(sleighs(2))
def test_the_plane_steps_as_the_classical_sleigh(body):
    step = 0.3 * body.largest
    # Next to a straight motion that is not stable errors grow; 30 steps leave it.
    assert_classical(body, "fedorov_zenkov", "fedorov_zenkov", step, 30 * step, 30 * 1e-14 * body.condition)


@SETTINGS
@given(sleighs(2))
def test_the_plane_flows_as_the_classical_sleigh(body):
    assert_classical(body, "reference", "exact", 0.25, 4.0, 1e-10 * body.condition)
    assert_classical(body, "reference", "reference", 0.25, 4.0, 1e-10 * body.condition)


# --- The flow --------------------------------------------------------------------------------------------------------


@every_dimension
def test_reference_is_dalemberts_principle(n):
    body = generic(n)
    orbit = body.run("reference", 0.5, 5.0)
    start = np.concatenate([np.linalg.solve(body.inertia, body.momentum), np.eye(n, n + 1).ravel()])
    solution = solve_ivp(rates(body), (0.0, 5.0), start, "DOP853", orbit.t, rtol=3e-14, atol=1e-14)
    found = np.hstack([velocities(orbit), poses(orbit)[:, :n].reshape(len(orbit), -1)])
    assert_within(found, solution.y.T, 1e-10)


@SETTINGS
@given(sleighs())
def test_rates_of_the_docstring(body):
    """L_i' = -(q_1 w_i + M_i1 |w|^2), p_1' = m a_1 |w|^2 with q = M (0, -w, v)."""
    n = body.n
    y = np.concatenate([np.linalg.solve(body.inertia, body.momentum), np.eye(n, n + 1).ravel()])
    w, v, a = y[: n - 1], y[n - 1], np.array([*body.centre, 1.0])
    M = body.m * np.outer(a, a)
    M[:n, :n] += body.J
    q = M @ np.array([0.0, *-w, v])
    expected = np.array([*(-(q[0] * w + M[1:n, 0] * (w @ w))), body.m * a[0] * (w @ w)])
    assert_within(body.inertia @ rates(body)(0.0, y)[:n], expected, 1e-13 * (1.0 + np.abs(expected).max()))
    # The mass matrix: the energy of the points is tr(xi M xi^T)/2, and that of the run.
    xi = np.zeros((n + 1, n + 1))
    xi[1:n, 0], xi[0, 1:n], xi[0, n] = w, -w, v
    points, mass = body.cloud
    speeds = points @ xi[:n, :n].T + xi[:n, n]
    energy = 0.5 * np.sum(mass[:, None] * speeds**2)
    assert np.trace(xi @ M @ xi.T) / 2 == pytest.approx(energy, rel=1e-13)
    assert body.run("reference", 0.1, 0.0).quantity("energy")[0] == pytest.approx(energy, rel=1e-14 * body.condition)


# --- The map ---------------------------------------------------------------------------------------------------------


@SETTINGS
@given(sleighs())
def test_map_is_that_of_the_engine(body):
    n, step = body.n, 0.4 * body.largest
    ours = body.run("fedorov_zenkov", step, 30 * step)
    allowed = np.zeros((n, n + 1, n + 1))
    for i in range(1, n):
        allowed[i - 1, :n, :n] = turn(n, i)
    allowed[n - 1, 0, n] = 1.0
    a = np.array([*body.centre, 1.0])
    M = body.m * np.outer(a, a) + np.pad(body.J, (0, 1))
    theirs = ll.define(special_euclidean(n), M, allowed=list(allowed)).orbit(
        momentum=body.momentum, step=step, duration=30 * step, lagrangian="difference"
    )
    assert len(ours) == len(theirs)
    tolerance = 30 * 1e-14 * body.condition * (1.0 + np.abs(theirs.momenta).max())
    assert_within(momenta(ours), theirs.momenta, tolerance)
    assert_within(poses(ours), theirs.elements, tolerance * (1.0 + np.abs(theirs.elements).max()))


@SETTINGS
@given(sleighs())
def test_each_step_is_an_arc_with_the_right_momenta(body):
    n, step = body.n, 0.6 * body.largest
    orbit = body.run("fedorov_zenkov", step, 20 * step)
    g, a = poses(orbit), np.array([*body.centre, 1.0])
    M = body.m * np.outer(a, a) + np.pad(body.J, (0, 1))
    for k in range(len(orbit) - 1):
        W = np.linalg.solve(g[k], g[k + 1])
        # The chord is along the bisector of the blade before and after, of length l; W = exp of a turn and a slide.
        ahead = W[:n, 0] + np.eye(n)[0]
        ahead /= np.linalg.norm(ahead)
        chord, angle = W[:n, n] @ ahead, 2.0 * np.arccos(np.clip(ahead[0], -1.0, 1.0))
        size = 1e-13 * (1.0 + np.abs(g).max())
        assert_within(W[:n, n], chord * ahead, size)
        X = np.zeros((n + 1, n + 1))
        X[1:n, 0] = angle / np.sin(angle / 2) * ahead[1:] if angle > 1e-6 else 2.0 * ahead[1:]
        X[0, 1:n] = -X[1:n, 0]
        X[0, n] = chord / np.sinc(angle / (2.0 * np.pi))
        assert_within(expm(X), W, 1e2 * size)
        # FZ (3.2): the momentum before the step and after it, on every allowed velocity.
        for i in range(1, n + 1):
            xi = np.zeros((n + 1, n + 1))
            if i < n:
                xi[:n, :n] = turn(n, i)
            else:
                xi[0, n] = 1.0
            rest = M @ (W - np.eye(n + 1)).T
            tolerance = 1e2 * size * np.abs(M).max() * (1.0 + abs(chord))
            assert_within(np.trace(xi @ W @ rest), step * momenta(orbit)[k, i - 1], tolerance)
            assert_within(np.trace(W @ xi @ rest), step * momenta(orbit)[k + 1, i - 1], tolerance)


@every_dimension
def test_energy_and_rotations_are_kept_over_many_steps(n):
    body = generic(n)
    orbit = body.run("fedorov_zenkov", 0.1, 10_000.0, every=1000)
    assert orbit.stopped is None
    np.testing.assert_allclose(orbit.quantity("energy"), body.energy, rtol=2e-12)
    assert orbit.quantity("orthogonality").max() < 1.5e-14


@every_dimension
def test_order_is_two(n):
    body = generic(n)
    steps, components = [2.0 / k for k in (100, 200, 400)], [*names(n), *(f"x{i}" for i in range(1, n + 1)), "R"]
    found = convergence("sleigh_n", "fedorov_zenkov", steps, 2.0, components, body.params, body.initial)
    assert found.order == pytest.approx(2.0, abs=0.02)


@SETTINGS
@given(sleighs())
def test_backward_undoes_forward_with_the_path(body):
    step = 0.3 * body.largest
    forward = body.run("fedorov_zenkov", step, 12 * step)
    back = body.at(momenta(forward)[-1]).run("fedorov_zenkov", step, (len(forward) - 1) * step, backward=True)
    assert len(back) == len(forward)
    # Backwards the straight motion repels, by a factor of less than 3 in each of 12 steps at this share.
    size = 1e-15 * 3.0**12 * body.condition
    assert_within(momenta(back)[::-1], momenta(forward), size * (1.0 + np.abs(momenta(forward)).max()))
    there = poses(forward)[-1] @ poses(back)[::-1]
    assert_within(there, poses(forward), 12 * size * (1.0 + np.abs(poses(forward)).max()))
