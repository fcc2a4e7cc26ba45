"""The small compiled tools against numpy: roots of polynomials, intersections of conics, rotations, the integrator,
eigenvalues, the velocity of a ball."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from nhviz import kernels
from nhviz.methods.reference import compiled_field
from nhviz.systems import sleigh, suslov

modest = settings(max_examples=300, deadline=None, derandomize=True)
numbers = st.floats(-10.0, 10.0).filter(lambda x: x == 0.0 or abs(x) > 1e-3)


@modest
@given(numbers, numbers, numbers)
def test_quadratic_roots(a, b, c):
    assume(b * b - 4.0 * a * c == 0.0 or abs(b * b - 4.0 * a * c) > 1e-6)
    count, *roots = kernels.polynomials.quadratic_roots(a, b, c)
    expected = np.roots([a, b, c]) if (a, b) != (0.0, 0.0) else np.zeros(0)
    real = {round(float(x.real), 6) for x in expected if abs(x.imag) < 1e-9}
    assert {round(x, 6) for x in roots[:count]} == real


@modest
@given(st.lists(st.floats(-3.0, 3.0), min_size=3, max_size=3), st.floats(0.1, 5.0))
def test_cubic_with_three_known_roots(roots, leading):
    ordered = sorted(roots)
    assume(min(np.diff(ordered)) > 0.05)
    count, found = kernels.polynomials.cubic_roots(*(leading * np.poly(ordered)))
    assert count == 3
    assert sorted(found) == pytest.approx(ordered, abs=1e-11)


@modest
@given(st.integers(0, 10_000))
def test_conics_through_known_points(seed):
    """Two conics through four random points of the plane meet there and nowhere else."""
    random = np.random.default_rng(seed)
    points = random.normal(size=(4, 3))
    points /= np.linalg.norm(points, axis=1)[:, None]
    triples = [np.linalg.det(np.delete(points, i, axis=0)) for i in range(4)]
    assume(min(map(abs, triples)) > 0.05)
    lines = [np.cross(points[i], points[j]) for i, j in ((0, 1), (2, 3), (0, 2), (1, 3))]
    pairs = [np.outer(lines[i], lines[i + 1]) for i in (0, 2)]
    basis = [pair + pair.T for pair in pairs]
    mix = random.normal(size=(2, 2))
    assume(abs(np.linalg.det(mix)) > 0.1)
    first, second = (row[0] * basis[0] + row[1] * basis[1] for row in mix)
    count, found = kernels.conics.intersect(first, second)
    assert count == 4
    overlap = np.abs(found @ points.T)
    assert sorted(np.argmax(overlap, axis=1)) == [0, 1, 2, 3]
    assert np.min(np.max(overlap, axis=1)) > 1.0 - 1e-10


def test_circle_and_outside_circle_do_not_meet():
    first = np.diag([1.0, 1.0, -1.0])
    second = np.array([[1.0, 0.0, -3.0], [0.0, 1.0, 0.0], [-3.0, 0.0, 8.0]])
    assert kernels.conics.intersect(first, second)[0] == 0


@modest
@given(st.lists(st.floats(-2.0, 2.0), min_size=6, max_size=6))
def test_quaternion_turns_are_rotations(numbers):
    start, vector = np.array(numbers[:3]), np.array(numbers[3:])
    rotation = Rotation.from_rotvec(start)
    q = np.roll(rotation.as_quat(), 1)
    kernels.attitude.turn_by_vector(q, *vector)
    matrix = np.empty((3, 3))
    kernels.attitude.write_matrix(q, matrix)
    np.testing.assert_allclose(matrix, (rotation * Rotation.from_rotvec(vector)).as_matrix(), atol=4e-15)
    size = np.linalg.norm(vector)
    q = np.roll(rotation.as_quat(), 1)
    # The Cayley vector x turns by 2 atan |x| about x.
    kernels.attitude.turn(q, *vector)
    kernels.attitude.write_matrix(q, matrix)
    same = Rotation.from_rotvec(vector * (2.0 * np.arctan(size) / size if size > 0.0 else 0.0))
    np.testing.assert_allclose(matrix, (rotation * same).as_matrix(), atol=4e-15)


def test_magnus_step_has_order_six():
    def omega(t):
        return np.cos(1.3 * t), np.sin(0.7 * t) + t, 0.4 - t * t

    def attitude(n):
        q, h = np.array([1.0, 0.0, 0.0, 0.0]), 1.0 / n
        for i in range(n):
            nodes = [(i + 0.5 + s * np.sqrt(15.0) / 10.0) * h for s in (-1, 0, 1)]
            kernels.attitude.turn_by_vector(q, *kernels.attitude.magnus_vector(h, *map(omega, nodes)))
        return q

    truth = attitude(256)
    errors = [np.max(np.abs(attitude(n) - truth)) for n in (2, 4, 8, 16)]
    slope = np.polyfit(np.log([2, 4, 8, 16]), np.log(errors), 1)[0]
    assert slope == pytest.approx(-6.0, abs=0.3)


@pytest.mark.parametrize(
    ("field", "start", "parameters"),
    [
        (suslov.field, [2.0, -1.0, 1.0, 0.0, 0.0, 0.0], [1.3, 0.8, 0.4, -0.3]),
        (sleigh.field, [0.3, 0.1, -0.2, 0.9, -1.4], [1.3, 0.7, 0.6, -0.4]),
    ],
)
def test_integrator_agrees_with_scipy(field, start, parameters):
    start, parameters = np.array(start), np.array(parameters)
    times = np.linspace(0.0, 5.0, 17)
    out = np.empty((start.size, times.size))
    done = kernels.flow.integrate(compiled_field(field), start, parameters, times, 2e-14, 10**6, out)
    assert done == times.size

    def slope(_, y):
        dy = np.empty_like(y)
        field(y, parameters, dy)
        return dy

    truth = solve_ivp(slope, (0.0, 5.0), start, "DOP853", times, rtol=3e-14, atol=1e-14)
    np.testing.assert_allclose(out, truth.y, atol=2e-12)


def test_integrator_gives_up_within_its_budget():
    start, parameters = np.array([0.0, 0.0, 0.0, 900.0, 900.0]), np.array([0.01, 0.01, 1.0, 0.0])
    times = np.linspace(0.0, 1e4, 11)
    out = np.empty((5, 11))
    done = kernels.flow.integrate(compiled_field(sleigh.field), start, parameters, times, 2e-14, 50, out)
    assert 1 <= done < 11


@modest
@given(st.integers(1, 6), st.integers(0, 2**32 - 1), st.sampled_from([1e-150, 1.0, 1e150]))
def test_largest_eigenvalue_of_a_symmetric_matrix(n, seed, size):
    """Against numpy, for Gram matrices of every rank: eigenvalues that are equal, or zero, among them."""
    hand = np.random.default_rng(seed)
    rows = hand.integers(-3, 4, (n, hand.integers(1, n + 2))) if seed % 2 else hand.normal(size=(n, n))
    matrix = size * (rows @ rows.T).astype(float)
    expected = np.linalg.eigvalsh(matrix)[-1]
    assert kernels.linear.largest_eigenvalue(matrix.copy()) == pytest.approx(expected, rel=1e-14 * n, abs=1e-14 * size)


def test_largest_eigenvalue_of_special_matrices():
    assert kernels.linear.largest_eigenvalue(np.zeros((3, 3))) == 0.0
    assert kernels.linear.largest_eigenvalue(np.diag([-2.0, -1.0, -3.0])) == -1.0
    assert kernels.linear.largest_eigenvalue(np.ones((4, 4))) == pytest.approx(4.0, rel=1e-15)
    assert kernels.linear.largest_eigenvalue(np.array([[0.0, 2.0], [2.0, 0.0]])) == pytest.approx(2.0, rel=1e-15)


@modest
@given(st.integers(3, 6), st.integers(0, 2**32 - 1), st.floats(0.0, 1000.0))
def test_velocity_of_a_ball_has_its_momentum(n, seed, d):
    """K = (J + D Gamma) omega + omega (J + D Gamma), whose condition is that of its largest to its least factor."""
    hand = np.random.default_rng(seed)
    mass, gamma, omega = 10.0 ** hand.uniform(-3.0, 2.0, n), hand.normal(size=n), hand.normal(size=(n, n))
    gamma, omega = gamma / np.linalg.norm(gamma), omega - omega.T
    operator = np.diag(mass) + d * np.outer(gamma, gamma)
    found = kernels.sphere_n.velocity(mass, d, gamma, operator @ omega + omega @ operator)
    sums = np.sort(mass)
    condition = (sums[-1] + sums[-2] + d) / (sums[0] + sums[1])
    assert np.linalg.norm(found - omega) <= 2.2e-16 * n * n * condition * np.linalg.norm(omega)
    assert np.array_equal(found, -found.T)


@pytest.mark.parametrize("n", [3, 5])
def test_distances_from_rotations(n):
    random = np.random.default_rng(n)
    exact = np.linalg.qr(random.normal(size=(4, n, n)))[0]
    bent = exact + 0.1 * random.normal(size=(4, n, n))
    for matrices in (exact, bent):
        expected = [np.linalg.norm(r.T @ r - np.eye(n)) for r in matrices]
        assert kernels.rotations.distances(matrices) == pytest.approx(expected, rel=1e-13, abs=1e-14)
