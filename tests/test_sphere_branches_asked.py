"""How one asks for the ball's rotations: many points at once, missing values, and what is refused."""

import numpy as np
import pytest

import nhviz
from nhviz.analysis.branches import branch_table
from nhviz.parameters import ParameterError
from tests.ball_rotations import BALLS, DEFAULT, at, ball, branches, euler, moments, random_points, table


def test_many_points_are_solved_as_one_by_one():
    """More points than one piece of work; the same digits."""
    masses, d = BALLS["heavy"]
    k, gamma = random_points(np.random.default_rng(4), masses, d, 1100)
    found = table(masses, d, k, gamma)
    lists = nhviz.branches("sphere", params=ball(masses, d), step=1.0, at=at(k, gamma))
    assert len(lists) == 1100
    assert [len(rows) for rows in lists] == found.counts.tolist()
    for i in range(0, 1100, 11):
        alone = branches(masses, d, k[i], gamma[i])
        assert lists[i] == alone == found.rows(i)
    assert np.all(np.isfinite(found.displacements))


def test_single_numbers_are_repeated():
    sizes = [0.1, 0.4, 0.9]
    many = nhviz.branches("sphere", step=0.2, at={"K2": sizes, "gamma1": -0.3})
    assert many == [nhviz.branches("sphere", step=0.2, at={"K2": size, "gamma1": -0.3}) for size in sizes]
    for kind in (tuple, np.array, list):
        assert nhviz.branches("sphere", step=0.2, at={"K2": kind(sizes), "gamma1": -0.3}) == many
    assert len(nhviz.branches("sphere", at={"K1": [0.2]})) == 1


def test_only_the_product_of_step_and_momentum_matters():
    masses, d = BALLS["weak"]
    k, gamma = random_points(np.random.default_rng(6), masses, d, 40)
    one = branch_table("sphere", params=ball(masses, d), step=0.25, at=at(4.0 * k, gamma))
    two = table(masses, d, k, gamma)
    assert np.array_equal(one.displacements, two.displacements)


def test_missing_values_are_those_of_the_default_start():
    """Default start: gamma = (2, 3, 6)/7, omega = (0.9, -0.5, 0.7)."""
    gamma, omega = np.array([2.0, 3.0, 6.0]) / 7.0, np.array([0.9, -0.5, 0.7])
    for masses, d in (BALLS["weak"], BALLS["heavy"]):
        k = moments(masses) * omega + d * (omega - omega @ gamma * gamma)
        usual = nhviz.branches("sphere", params=ball(masses, d), step=0.3)
        given_values = nhviz.branches("sphere", params=ball(masses, d), step=0.3, at=at(k, gamma))
        assert len(usual) == len(given_values) > 0
        np.testing.assert_allclose(
            [euler(branch) for branch in usual], [euler(branch) for branch in given_values], atol=1e-13
        )
        assert nhviz.branches("sphere", "fedorov", params=ball(masses, d), step=0.3) == usual


def test_the_vertical_is_normalised():
    k = np.array([0.3, -0.2, 0.4])
    usual = branches(DEFAULT, 2.0, k, np.array([2.0, 3.0, 6.0]) / 7.0)
    for factor in (1.0, 1e-3, 4e2, 7.0**9):
        long = branches(DEFAULT, 2.0, k, factor * np.array([2.0, 3.0, 6.0]))
        np.testing.assert_allclose([euler(branch) for branch in long], [euler(branch) for branch in usual], atol=1e-13)
    # Even in gamma.
    opposite = branches(DEFAULT, 2.0, k, -np.array([2.0, 3.0, 6.0]))
    np.testing.assert_allclose([euler(b) for b in opposite], [euler(b) for b in usual], atol=1e-13)


@pytest.mark.parametrize("size", [1e200, 1e-200])
def test_the_vertical_is_normalised_at_any_size(size):
    """A direction, or one sentence that says which sizes are allowed; never a warning, never that it is 0."""
    k = np.array([0.3, -0.2, 0.4])
    try:
        found = branches(DEFAULT, 2.0, k, size * np.array([2.0, 3.0, 6.0]))
    except ParameterError as problem:
        assert "0:" not in str(problem)
    else:
        assert len(found) == len(branches(DEFAULT, 2.0, k, np.array([2.0, 3.0, 6.0])))


@pytest.mark.parametrize(
    ("point", "words"),
    [
        ({"K1": [0.1, 0.2], "K2": [0.1, 0.2, 0.3]}, "as many values"),
        ({"K1": [0.1, 0.2], "gamma3": [1.0]}, "as many values"),
        ({"K3": []}, "at least one"),
        ({"K3": np.array([])}, "at least one"),
        ({"K1": float("nan")}, "K1"),
        ({"K1": [0.1, float("nan")]}, "K1"),
        ({"K2": np.array([0.1, np.inf])}, "K2"),
        ({"K2": "0.1"}, "K2"),
        ({"K2": [0.1, None]}, "K2"),
        ({"K2": True}, "K2"),
        ({"K1": np.ones((2, 2))}, "K1"),
        ({"K4": 0.1}, "K4"),
        ({"gamma": [0.0, 0.0, 1.0]}, "gamma"),
        ({"omega1": 0.1}, "omega1"),
        ({"gamma1": 0.0, "gamma2": 0.0, "gamma3": 0.0}, "gamma1, gamma2, gamma3"),
        ({"gamma1": [1.0, 0.0], "gamma2": 0.0, "gamma3": 0.0}, "gamma1, gamma2, gamma3"),
    ],
)
@pytest.mark.parametrize("ask", [nhviz.branches, branch_table])
def test_bad_points_are_refused_with_one_sentence(ask, point, words):
    with pytest.raises(ParameterError, match=words) as caught:
        ask("sphere", at=point)
    text = str(caught.value)
    assert text.endswith(".") or text.endswith("?")
    assert "\n" not in text


@pytest.mark.parametrize(
    "bad", [{"params": {"J1": 0.0}}, {"params": {"D": 1.0}}, {"step": 0.0}, {"step": -0.1}, {"method": "reference"}]
)
def test_bad_questions_are_refused(bad):
    with pytest.raises(ParameterError):
        nhviz.branches("sphere", **bad)
    with pytest.raises(ParameterError):
        branch_table("sphere", **bad)
