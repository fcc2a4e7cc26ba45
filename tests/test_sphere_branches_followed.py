"""The principal rotation of the ball, followed by arc length, its fold, and what every branch keeps."""

import numpy as np
import pytest

from nhviz.analysis.steps import largest_step
from tests.ball_rotations import (
    BALLS,
    DEFAULT,
    ball,
    branches,
    euler,
    jacobian,
    moments,
    momentum,
    null_space_roots,
    quadrics,
    random_points,
    size_of,
    table,
)

EPS = np.finfo(float).eps


def rotation(q):
    """Omega of CS (5.1) with entry (3, 2) corrected: R(q) v = v + 2 q0 (q x v) + 2 q x (q x v)."""
    v = np.array([[0.0, -q[3], q[2]], [q[3], 0.0, -q[1]], [-q[2], q[1], 0.0]])
    return np.eye(3) + 2.0 * q[0] * v + 2.0 * v @ v


# --- The principal branch -----------------------------------------------------------------------------------------


def follow(masses, d, k, gamma, longest=0.02):
    """Follow the rotation of momentum s K from s = 0 along the curve's arc length in (q, s), for arrays of points.

    Returns (reached, q, s): q at s = 1 where the curve gets there; else s at its first turning point, to about the
    square of the stride. Strides shrink until the tangent turns by less than 0.2 rad and Newton settles.
    """
    count = len(k)
    scale = 1.0 / (moments(masses).sum() + d)
    at_rest = np.zeros((count, 3, 4, 4))
    a = scale * (np.diag(moments(masses)) + d * (np.eye(3) - gamma[:, :, None] * gamma[:, None, :]))
    at_rest[:, :, 0, 1:] = at_rest[:, :, 1:, 0] = a
    for i in range(3):
        j, n = (i + 1) % 3, (i + 2) % 3
        difference = scale * (moments(masses)[n] - moments(masses)[j])
        at_rest[:, i, 1 + j, 1 + n] = at_rest[:, i, 1 + n, 1 + j] = difference
    goal = scale * k

    def equations(y, who):
        half = np.einsum("nkij,nj->nki", at_rest[who], y[:, :4])
        value = np.einsum("nki,ni->nk", half, y[:, :4]) - y[:, 4:] * goal[who]
        matrix = np.zeros((len(y), 4, 5))
        matrix[:, :3, :4], matrix[:, :3, 4], matrix[:, 3, :4] = 2.0 * half, -goal[who], 2.0 * y[:, :4]
        size = np.linalg.norm(matrix, axis=2)
        value = np.concatenate([value, np.sum(y[:, :4] ** 2, axis=1)[:, None] - 1.0], axis=1)
        return value / size, matrix / size[:, :, None]

    def tangent(y, who, before):
        v = np.linalg.svd(equations(y, who)[1])[2][:, 4]
        return v * np.where(np.sum(v * before, axis=1) < 0.0, -1.0, 1.0)[:, None]

    y = np.tile([1.0, 0.0, 0.0, 0.0, 0.0], (count, 1))
    everyone = np.arange(count)
    along = tangent(y, everyone, np.tile([0.0, 0.0, 0.0, 0.0, 1.0], (count, 1)))
    stride, state = np.full(count, 1e-3), np.zeros(count, dtype=int)
    ends, turned_at = np.zeros((count, 4)), np.full(count, np.inf)
    for _ in range(20_000):
        who = np.flatnonzero(state == 0)
        if who.size == 0:
            break
        new = y[who] + stride[who, None] * along[who]
        for _ in range(5):
            value, matrix = equations(new, who)
            ahead = np.sum((new - y[who]) * along[who], axis=1) - stride[who]
            change = np.linalg.solve(
                np.concatenate([matrix, along[who][:, None, :]], axis=1),
                np.concatenate([value, ahead[:, None]], axis=1)[..., None],
            )[..., 0]
            new = new - change
        direction = tangent(new, who, along[who])
        good = (np.linalg.norm(change, axis=1) < 1e-12) & (np.sum(direction * along[who], axis=1) > 0.98)
        stride[who] *= np.where(good, 1.3, 0.4)
        stride = np.minimum(stride, longest)
        assert np.all(stride[who] > 1e-13)
        accepted, new, direction = who[good], new[good], direction[good]
        folded = direction[:, 4] <= 0.0
        turned_at[accepted[folded]] = np.maximum(y[accepted[folded], 4], new[folded, 4])
        arrived = ~folded & (new[:, 4] >= 1.0)
        state[accepted[folded]], state[accepted[arrived]] = 2, 1
        ends[accepted[arrived]] = land(equations, accepted[arrived], y[accepted[arrived]], new[arrived])
        y[accepted], along[accepted] = new, direction
    assert np.all(state > 0)
    return state == 1, ends, turned_at


def land(equations, who, before, after):
    """Newton for q at s = 1 between two points of the curve."""
    share = ((1.0 - before[:, 4]) / (after[:, 4] - before[:, 4]))[:, None]
    y = (1.0 - share) * before + share * after
    y[:, 4] = 1.0
    for _ in range(8):
        value, matrix = equations(y, who)
        y[:, :4] -= np.linalg.solve(matrix[:, :, :4], value[..., None])[..., 0]
    return y[:, :4]


@pytest.mark.parametrize("name", list(BALLS))
def test_principal_branch_is_the_one_followed_from_the_identity(name):
    masses, d = BALLS[name]
    k, gamma = random_points(np.random.default_rng(30 + len(name)), masses, d, 80)
    k *= 2.0
    found = table(masses, d, k, gamma)
    reached, q, _ = follow(masses, d, k, gamma)
    assert 10 < reached.sum() < 75
    assert np.array_equal(found.principal >= 0, reached)
    for i in np.flatnonzero(reached):
        principal = found.displacements[i, found.principal[i], :4]
        sensitivity = np.linalg.norm(np.linalg.inv(jacobian(masses, d, gamma[i], q[i])), 2)
        allowed = 20 * EPS * sensitivity * size_of(masses, d, k[i])
        assert min(np.linalg.norm(principal - q[i]), np.linalg.norm(principal + q[i])) <= allowed


@pytest.mark.parametrize(
    "name",
    [
        "weak",
        "heavy",
        "very heavy",
        "not a real ball",
    ],
)
def test_largest_step_is_the_fold(name):
    """Below it the principal branch exists, beyond it none is marked, across it two rotations vanish."""
    masses, d = BALLS[name]
    rng = np.random.default_rng(77)
    gamma, omega = rng.normal(size=(2, 15, 3))
    gamma /= np.linalg.norm(gamma, axis=1, keepdims=True)
    k = moments(masses) * omega + d * (omega - np.sum(omega * gamma, axis=1)[:, None] * gamma)
    folds = np.array(
        [
            largest_step(
                "sphere",
                "fedorov",
                params=ball(masses, d),
                initial={f"gamma{i + 1}": g[i] for i in range(3)} | {f"omega{i + 1}": w[i] for i in range(3)},
            )
            for g, w in zip(gamma, omega, strict=True)
        ]
    )
    reached, _, turned = follow(masses, d, 1.5 * folds[:, None] * k, gamma, longest=0.002)
    assert not reached.any()
    # The turning point is the maximum of a parabola, met to within a stride of 0.002.
    np.testing.assert_allclose(1.5 * turned, 1.0, rtol=1e-5)
    parts = np.array([0.2, 0.9, 1.0 - 1e-4, 1.0 + 1e-4, 1.05, 1.7, 4.0, 30.0])
    for fold, momenta, vertical in zip(folds, k, gamma, strict=True):
        scaled, verticals = parts[:, None] * fold * momenta, np.tile(vertical, (8, 1))
        found = table(masses, d, scaled, verticals)
        assert np.array_equal(found.principal >= 0, parts < 1.0)
        assert found.certified[null_space_roots(quadrics(masses, d, verticals, scaled))[1] < 1e4].all()
        assert found.counts[2] - found.counts[3] == 2


def test_largest_step_at_rest():
    """K = 0 stays at the identity for every step."""
    still = {"omega1": 0.0, "omega2": 0.0, "omega3": 0.0}
    assert largest_step("sphere", "fedorov", initial=still) is None


@pytest.mark.parametrize("size", [1e-3, 1e-6, 1e-8, 1e-12])
def test_angles_of_small_rotations(size):
    """The angle is 2 atan2(|q|, q0), well conditioned everywhere."""
    found = branches(DEFAULT, 2.0, size * np.array([0.9, 0.3, -0.2]), np.array([2.0, 3.0, 6.0]) / 7.0)
    assert len(found) == 4
    for branch in found:
        q = euler(branch)
        turn = 2.0 * np.arctan2(np.linalg.norm(q[1:]), q[0])
        assert branch["angle"] == pytest.approx(turn, rel=4 * EPS, abs=0.0)


# --- What every branch keeps --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["weak", "heavy", "very heavy", "two equal", "not a real ball"])
def test_every_branch_keeps_the_momentum(name):
    """CS Proposition 2, along orbits that take a random branch at every step: <K, K> and <K, gamma>."""
    masses, d = BALLS[name]
    rng = np.random.default_rng(13)
    gamma = np.array([-0.48, 0.6, 0.64])
    k = rng.normal(size=3)
    k *= 0.15 * moments(masses).min() / np.linalg.norm(k)
    first_k, first_gamma = k, gamma
    taken, most, steps = set(), 0, 150
    for _ in range(steps):
        found = branches(masses, d, k, gamma)
        assert len(found) >= 2
        most = max(most, len(found))
        choice = int(rng.integers(len(found)))
        taken.add(choice)
        turn = rotation(euler(found[choice])).T
        before = k
        k, gamma = turn @ k, turn @ gamma
        # The map is symmetric: K is also the momentum of the inverse rotation, with a minus sign, after the step.
        back = momentum(masses, d, gamma, euler(found[choice]) * np.array([1.0, -1.0, -1.0, -1.0]))
        assert np.abs(back + k).max() <= 20 * EPS * size_of(masses, d, before)
        gamma = gamma / np.linalg.norm(gamma)
    assert taken == set(range(most))
    assert k @ k == pytest.approx(first_k @ first_k, rel=10 * EPS * steps)
    assert k @ gamma == pytest.approx(first_k @ first_gamma, abs=10 * EPS * steps * np.linalg.norm(k))


@pytest.mark.parametrize("h", [0.2, -0.5])
@pytest.mark.parametrize("name", ["weak", "heavy", "not a real ball"])
def test_every_branch_keeps_the_level_of_a_vertical_momentum(name, h):
    """CS Proposition 3. With a residual r of CS (5.2) the level changes by at most 4 |r|/(|sigma| Lam_min)."""
    masses, d = BALLS[name]
    lam = moments(masses) + d
    rng = np.random.default_rng(14)
    gamma = np.array([0.36, -0.48, 0.8])
    h = h * moments(masses).min()
    level, allowed = gamma @ (gamma / lam), 0.0
    taken, most = set(), 0
    for _ in range(150):
        found = branches(masses, d, h * gamma, gamma)
        assert len(found) >= 2
        most = max(most, len(found))
        choice = int(rng.integers(len(found)))
        taken.add(choice)
        q = euler(found[choice])
        residual = np.linalg.norm(momentum(masses, d, gamma, q) - h * gamma) + 4 * EPS * size_of(masses, d, h)
        # sigma = h + 2 D q0 <gamma, q> (CS after (5.4), corrected).
        sigma = h + 2.0 * d * q[0] * (gamma @ q[1:])
        allowed += 4.0 * residual / (abs(sigma) * lam.min()) + 8 * EPS / lam.min()
        gamma = rotation(q).T @ gamma
        gamma = gamma / np.linalg.norm(gamma)
        assert abs(gamma @ (gamma / lam) - level) <= allowed
    assert taken == set(range(most))
    assert allowed < 1e-9 * level
