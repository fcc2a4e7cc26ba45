"""Rotations of a step of the ball for small and large momenta, for special bodies, over the declared ranges."""

import numpy as np
import pytest
from hypothesis import Phase, example, given, settings

import nhviz
from nhviz import registry
from nhviz.analysis.branches import branch_table
from nhviz.parameters import ParameterError
from tests.ball_rotations import (
    BALLS,
    DEFAULT,
    at,
    branches,
    check_list,
    euler,
    jacobian,
    moments,
    null_space_roots,
    quadrics,
    random_points,
    real_roots,
    table,
)

from . import strategies

SETTINGS = settings(
    max_examples=60, deadline=None, derandomize=True, database=None, phases=(Phase.explicit, Phase.generate)
)
EPS = np.finfo(float).eps


# --- Small and large momenta --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["weak", "heavy", "very heavy", "not a real ball"])
def test_small_momenta_have_four_rotations(name):
    """One near the identity, three near the half turns, each where the linearised equation says, to second order."""
    masses, d = BALLS[name]
    inertia = moments(masses)
    gamma = np.array([2.0, -1.0, 2.0]) / 3.0
    direction = np.array([0.6, 0.5, -0.7]) * inertia.min()
    ends = np.eye(4)
    errors = []
    for share in (1e-4, 2.5e-5):
        k = share * direction
        found = branches(masses, d, k, gamma)
        assert len(found) == 4
        assert all(branch["certified"] for branch in found)
        assert [branch["principal"] for branch in found] == [True, False, False, False]
        row = []
        for end in ends:
            linear = np.linalg.solve(jacobian(masses, d, gamma, end), [*k, 0.0])
            predicted = end + linear
            predicted *= np.sign(predicted[0])
            row.append(min(np.linalg.norm(euler(branch) - predicted) for branch in found))
            assert np.linalg.norm(linear) < 0.1
        errors.append(row)
    np.testing.assert_allclose(np.array(errors[0]) / errors[1], 16.0, rtol=0.05)


@pytest.mark.parametrize("name", ["weak", "heavy", "light", "not a real ball"])
def test_zero_momentum_has_four_rotations(name):
    """<q, K>/2 = q0 (<q, I q> + D |q x gamma|^2) leaves q = 0 or q0 = 0, and then q x I q = 0."""
    masses, d = BALLS[name]
    found = branches(masses, d, np.zeros(3), np.array([0.48, 0.6, -0.64]))
    assert len(found) == 4
    assert all(branch["certified"] for branch in found)
    rotations = np.abs([euler(branch) for branch in found])
    assert rotations[0] == pytest.approx([1.0, 0.0, 0.0, 0.0], abs=EPS)
    order = np.argsort(rotations[1:].argmax(axis=1))
    np.testing.assert_allclose(rotations[1:][order], np.eye(4)[1:], atol=EPS)
    assert found[0]["principal"]
    assert found[0]["angle"] <= 1e-20
    assert [branch["angle"] for branch in found[1:]] == [pytest.approx(np.pi, rel=2 * EPS)] * 3


@pytest.mark.parametrize("name", ["weak", "heavy", "very heavy", "nearly symmetric", "not a real ball"])
def test_no_rotation_beyond_the_bound(name):
    """|K| <= (I_max + D) |2 q0 q| + 2 |q x I q| <= I_max + D + (I_max - I_min) for every rotation."""
    masses, d = BALLS[name]
    inertia = moments(masses)
    bound = 2.0 * inertia.max() - inertia.min() + d
    rng = np.random.default_rng(2)
    k = rng.normal(size=(120, 3))
    gamma = rng.normal(size=(120, 3))
    factors = np.repeat([1.0001, 1.5, 20.0, 1e4], 30)
    k *= (factors * bound / np.linalg.norm(k, axis=1))[:, None]
    gamma /= np.linalg.norm(gamma, axis=1, keepdims=True)
    found = table(masses, d, k, gamma)
    assert np.all(found.counts == 0)
    assert np.all(found.principal == -1)
    assert found.certified[null_space_roots(quadrics(masses, d, gamma, k))[1] < 1e4].all()


def test_no_rotation_for_enormous_momenta():
    for size in (1e30, 1e60, 1e100, 1e200, 1e300):
        assert branches(DEFAULT, 2.0, size * np.array([0.9, -0.3, 0.2]), np.array([2.0, 3.0, 6.0]) / 7.0) == []


# --- Special bodies, and the whole declared ranges ----------------------------------------------------------------


def test_homogeneous_ball():
    """J1 = J2 = J3: K = 2 q0 A q, so q0 q = A^-1 K/2 and sin(angle) = |A^-1 K|: two rotations or none."""
    rng = np.random.default_rng(8)
    counts = []
    for _ in range(60):
        moment, d = 2.0 * 10.0 ** rng.uniform(-2.0, 1.0), 10.0 ** rng.uniform(-2.0, 2.0)
        gamma = rng.normal(size=3)
        gamma /= np.linalg.norm(gamma)
        inverse = np.linalg.inv(moment * np.eye(3) + d * (np.eye(3) - np.outer(gamma, gamma)))
        k = rng.normal(size=3)
        sine = rng.uniform(0.02, 1.6)
        k *= sine / np.linalg.norm(inverse @ k)
        masses = [moment / 2.0] * 3
        found = branches(masses, d, k, gamma)
        counts.append(len(found))
        assert len(found) == (2 if sine < 1.0 else 0)
        if not found:
            continue
        check_list(masses, d, k, gamma, found)
        assert [branch["certified"] for branch in found] == [True, True]
        assert [branch["principal"] for branch in found] == [True, False]
        # asin has the condition number tan; the sine itself carries the condition number of A.
        allowed = 20 * EPS * (1.0 + d / moment) * np.tan(np.arcsin(sine)) + 4 * EPS
        turns = [2.0 * np.arctan2(np.linalg.norm(q[1:]), q[0]) for q in map(euler, found)]
        assert turns == pytest.approx([np.arcsin(sine), np.pi - np.arcsin(sine)], rel=0.0, abs=allowed)
    assert set(counts) == {0, 2}


def test_infinitely_many_rotations_are_not_certified():
    """K = 0 has every half turn of a homogeneous ball, and every one across the axis of a symmetric ball."""
    for masses in ([0.5, 0.5, 0.5], [0.5, 0.5, 0.9], [0.9, 0.5, 0.5], [0.5, 0.9, 0.5]):
        found = branches(masses, 1.3, np.zeros(3), np.array([2.0, 3.0, 6.0]) / 7.0)
        assert not any(branch["certified"] for branch in found)
        assert found[0]["principal"]
        check_list(masses, 1.3, np.zeros(3), np.array([2.0, 3.0, 6.0]) / 7.0, found)


def test_multiple_complex_rotations_are_not_certified():
    """J1 = J2, K and gamma along the third axis: two real rotations about it, and (0; 1, +-i, 0) three times each."""
    masses, k = [0.4, 0.4, 0.7], np.array([0.0, 0.0, 0.5])
    found = branches(masses, 1.7, k, np.array([0.0, 0.0, 1.0]))
    assert [branch["certified"] for branch in found] == [False, False]
    assert [branch["principal"] for branch in found] == [True, False]
    turn = np.arcsin(0.5 / 0.8)
    assert [2.0 * np.arccos(branch["q0"]) for branch in found] == pytest.approx([turn, np.pi - turn], rel=1e-14)
    check_list(masses, 1.7, k, np.array([0.0, 0.0, 1.0]), found)


def log_uniform(rng, low, high):
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def test_certified_nearly_always_over_the_declared_ranges():
    """The only excuse of a certificate is a root with a nearly singular derivative.

    With residuals of round-off alpha is at most a few eps condition^2: far below 0.03 for a condition of 1e4.
    """
    rng = np.random.default_rng(21)
    shares, conditions = [], []
    declared = registry.find("sphere").parameters
    for trial in range(60):
        values = {p.name: log_uniform(rng, p.minimum, p.maximum) for p in declared}
        if trial % 6 == 0:
            values["J2"] = values["J1"]
        masses, d = [values["J1"], values["J2"], values["J3"]], values["m"] * values["rho"] ** 2
        k, gamma = random_points(rng, masses, d, 40)
        found = branch_table("sphere", params=values, step=1.0, at=at(k, gamma))
        z, condition = null_space_roots(quadrics(masses, d, gamma, k))
        good = condition < 1e4
        assert found.certified[good].all()
        assert np.array_equal(found.counts[good], real_roots(z).sum(axis=1)[good])
        for i in range(len(k)):
            check_list(masses, d, k[i], gamma[i], found.rows(i))
        shares.append(found.certified.mean())
        conditions.append(good.mean())
    assert np.mean(conditions) > 0.8
    assert np.mean(shares) > 0.95


@SETTINGS
@given(
    strategies.values(registry.find("sphere").parameters),
    strategies.initial("sphere"),
    strategies.spread(1e-9, 100.0),
)
@example(
    {"J1": 0.001, "J2": 100.0, "J3": 100.0, "m": 1000.0, "rho": 10.0},
    dict.fromkeys(("x", "y", "omega1", "omega2", "omega3", "gamma2", "gamma3"), 0.0) | {"gamma1": 1.0},
    100.0,
)
def test_whole_ranges_give_finite_solutions(params, initial, step):
    gamma = np.array([initial[f"gamma{i}"] for i in (1, 2, 3)])
    if not gamma.any():
        with pytest.raises(ParameterError, match="gamma"):
            nhviz.branches("sphere", params=params, step=step, at={f"gamma{i}": 0.0 for i in (1, 2, 3)})
        return
    gamma = gamma / np.linalg.norm(gamma)
    omega = np.array([initial[f"omega{i}"] for i in (1, 2, 3)])
    masses, d = [params["J1"], params["J2"], params["J3"]], params["m"] * params["rho"] ** 2
    k = moments(masses) * omega + d * (omega - omega @ gamma * gamma)
    found = nhviz.branches("sphere", params=params, step=step, at=at(k, gamma))
    assert all(np.isfinite([*euler(branch), branch["angle"]]).all() for branch in found)
    check_list(masses, d, step * k, gamma, found)
    certified = [branch["certified"] for branch in found]
    assert len(set(certified)) <= 1
    if certified and certified[0]:
        assert len(found) % 2 == 0
