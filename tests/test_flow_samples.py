"""Kernels between the starts, states and samples of flows, against numpy and scipy, at values without any symmetry."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from nhviz import kernels
from nhviz.methods import turning
from nhviz.methods.reference import compiled_field
from nhviz.systems import suslov_n

RANDOM = np.random.default_rng(7)
BALL = (1.3, 0.7, 1.1, 0.6)


def skew(above, n):
    """The skew matrix with these entries above the diagonal."""
    matrix = np.zeros((n, n))
    matrix[np.triu_indices(n, 1)] = above
    return matrix - matrix.T


def momentum_of_ball(gamma, omega):
    """(I + D (1 - gamma gamma^T)) omega as matrices."""
    *moments, d = BALL
    return (np.diag(moments) + d * (np.eye(3) - np.outer(gamma, gamma))) @ omega


def test_a_matrix_is_applied_to_every_sample():
    matrix, vectors = RANDOM.normal(size=(3, 3)), RANDOM.normal(size=(3, 2, 5))
    assert np.allclose(turning.applied(matrix, vectors), np.einsum("ij,jos->ios", matrix, vectors), rtol=1e-14)


@pytest.mark.parametrize(("n", "slides"), [(4, 0), (3, 1), (2, 1)])
def test_elements_are_read_and_made_rotations(n, slides):
    """The nearest rotation of B is the orthogonal factor of its singular value decomposition."""
    width, first = n + slides, 3
    blocks = np.linalg.qr(RANDOM.normal(size=(2, 5, n, n)))[0] + 1e-7 * RANDOM.normal(size=(2, 5, n, n))
    placed = RANDOM.normal(size=(2, 5, n * slides))
    elements = RANDOM.normal(size=(2, 5, width, width))
    elements[..., :n, :n] = blocks
    if slides:
        elements[..., :n, n] = placed
    states = RANDOM.normal(size=(first + width**2, 2, 5))
    states[first:] = np.moveaxis(elements.reshape(2, 5, -1), -1, 0)
    attitudes, places = np.empty((2, 5, n, n)), np.empty((2, 5, n * slides))
    kernels.turning.read_elements(first, states, attitudes, places)
    left, _, right = np.linalg.svd(blocks)
    assert np.abs(attitudes - left @ right).max() < 1e-12
    assert np.array_equal(places, placed)


def test_starts_and_samples_of_the_ball():
    """The first attitude takes gamma to e3 about a level axis; K is fixed in space, and omega has the momentum K."""
    orbits, samples = 2, 4
    gammas = RANDOM.normal(size=(3, orbits))
    gammas /= np.linalg.norm(gammas, axis=0)
    omegas, places = RANDOM.normal(size=(3, orbits)), RANDOM.normal(size=(2, orbits))
    first = np.empty((9, orbits))
    kernels.sphere_flow.write_starts(BALL, gammas, omegas, places, first)
    for i in range(orbits):
        turn = Rotation.from_quat(np.roll(first[:4, i], -1))
        assert np.allclose(turn.apply(gammas[:, i]), [0.0, 0.0, 1.0], atol=1e-15)
        assert first[3, i] == 0.0
        assert np.array_equal(first[4:6, i], places[:, i])
        assert np.allclose(first[6:, i], turn.apply(momentum_of_ball(gammas[:, i], omegas[:, i])), rtol=1e-13)
    states = RANDOM.normal(size=(9, orbits, samples))
    states[:, :, 0] = first
    state, attitudes = np.empty((11, orbits, samples)), np.empty((orbits, samples, 3, 3))
    kernels.sphere_flow.read_samples(BALL, gammas, omegas, states, state, attitudes)
    for i in range(orbits):
        for sample in range(samples):
            omega, gamma, k = state[:9, i, sample].reshape(3, 3)
            turn = Rotation.from_quat(np.roll(states[:4, i, sample], -1))
            assert np.allclose(attitudes[i, sample], turn.as_matrix(), atol=1e-14)
            assert np.allclose(gamma, turn.inv().apply([0.0, 0.0, 1.0]), atol=1e-14)
            assert np.allclose(k, turn.inv().apply(states[6:, i, sample]), rtol=1e-12, atol=1e-13)
            assert np.allclose(momentum_of_ball(gamma, omega), k, rtol=1e-12, atol=1e-13)
        assert np.array_equal(state[:6, i, 0], [*omegas[:, i], *gammas[:, i]])
    assert np.array_equal(state[9:], states[4:6])


def test_samples_of_the_ball_without_attitudes():
    states, gammas, omegas = RANDOM.normal(size=(9, 1, 3)), np.array([[0.6], [0.0], [0.8]]), np.ones((3, 1))
    found = [np.empty((11, 1, 3)) for _ in range(2)]
    kernels.sphere_flow.read_samples(BALL, gammas, omegas, states, found[0], np.empty((1, 3, 3, 3)))
    kernels.sphere_flow.read_samples(BALL, gammas, omegas, states, found[1], np.empty((1, 0, 3, 3)))
    assert np.array_equal(*found)


@pytest.mark.parametrize("n", [3, 4, 5, 6])
def test_field_of_the_ball_in_n_dimensions(n):
    """omega by solving CS (2.13) for all its entries at once; then R' = R omega and r' = (R omega R^T) e_n."""
    mass, d, size = RANDOM.uniform(0.2, 1.0, n), 1.7, n * (n - 1) // 2
    r, above = np.linalg.qr(RANDOM.normal(size=(n, n)))[0], RANDOM.normal(size=size)
    y, dy = np.concatenate([r.ravel(), RANDOM.normal(size=n - 1)]), np.empty(n * n + n - 1)
    compiled_field(kernels.sphere_n_flow.field)(y, np.array([*mass, d, *above]), dy)
    weight = np.diag(mass) + d * np.outer(r[-1], r[-1])
    units = [skew(row, n) for row in np.eye(size)]
    columns = np.array([(weight @ e + e @ weight)[np.triu_indices(n, 1)] for e in units]).T
    in_body = (r.T @ skew(above, n) @ r)[np.triu_indices(n, 1)]
    omega = skew(np.linalg.solve(columns, in_body), n)
    assert np.allclose(dy[: n * n].reshape(n, n), r @ omega, rtol=1e-12, atol=1e-13)
    assert np.allclose(dy[n * n :], (r @ omega @ r.T)[:-1, -1], rtol=1e-12, atol=1e-13)


def test_lines_of_the_flow_of_the_top():
    """Followed with scipy's own method; steps of 0.02 leave errors of 1e-9."""
    c, j = np.array([2.2, 2.7, 3.4]), np.array([0.4, -0.3, 0.5])
    lines = np.empty((3, 5, 3))
    lines[:, 0] = RANDOM.normal(size=(3, 3))
    kernels.suslov_lines.follow(tuple(c), tuple(j), 0.02, 15, lines)

    def rate(_, w):
        return (w * (j @ w) - j * (w @ w)) / c

    for line in lines:
        true = solve_ivp(rate, (0.0, 1.2), line[0], "DOP853", 0.3 * np.arange(5), rtol=1e-12, atol=1e-13).y.T
        assert np.abs(line - true).max() < 1e-8


def test_flow_lines_go_through_their_starts_both_ways():
    """Every line joins the ends; it is an orbit: from each of its points the flow leads to the next, or back to it."""
    params = {p.name: p.default for p in suslov_n.SYSTEM.parameters} | {"J1": 1.37, "J3n": -0.45}
    c, j = suslov_n.moments(params), suslov_n.last_column(params)
    lines = suslov_n.flow_lines(params, 1.6).reshape(16, -1, 3)
    lines[1::2] = lines[1::2, ::-1]
    energies = 0.5 * (lines**2 / c).sum(axis=2)
    assert np.abs(energies - 1.6).max() < 1e-3
    middle = lines[:, 60] / c
    assert np.abs(middle @ j).max() < 1e-12
    assert len(np.unique(np.round(middle, 9), axis=0)) == 16
    assert np.all(np.diff(lines @ j, axis=1) < 0.0)
    velocities = lines / c
    slope = (velocities * (velocities @ j)[..., None] - j * (velocities**2).sum(axis=2)[..., None]) / c
    # A chord of a smooth curve is along the mean of the slopes at its ends, but for the square of its length.
    chords, means = np.diff(velocities, axis=1), 0.5 * (slope[:, 1:] + slope[:, :-1])
    long = np.linalg.norm(chords, axis=2) > 1e-3
    cosines = (chords * means).sum(axis=2) / np.linalg.norm(chords, axis=2) / np.linalg.norm(means, axis=2)
    assert cosines[long].min() > 0.999
