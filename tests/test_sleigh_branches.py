"""Branches and largest steps of the discrete sleighs, followed from small steps and scanned by brute force."""

import numpy as np
import pytest
from hypothesis import Phase, assume, example, given, settings
from hypothesis import strategies as st

import nhviz
from nhviz.maps import sleigh_branches
from tests.sleighs import constants
from tests.strategies import log_uniform

SETTINGS = settings(
    max_examples=25, deadline=None, derandomize=True, database=None, phases=(Phase.explicit, Phase.generate)
)
FEW = settings(SETTINGS, max_examples=12)
bodies = st.fixed_dictionaries(
    {
        "J": log_uniform(0.05, 50.0),
        "m": log_uniform(0.05, 50.0),
        "a": st.one_of(st.floats(0.1, 4.0), st.floats(-4.0, -0.1)),
        "b": st.floats(-4.0, 4.0),
    }
)
angles = st.floats(0.0, 2.0 * np.pi)


def turn_equation(method, body, p, c, d):
    """The equation for the turn d and its derivative in d; P = eps (p_theta + b p_1), c = eps a p_1."""
    total, mu = constants(body)
    half = 0.5 * d
    if method == "fedorov_zenkov":
        # (7.18) over 2 sin(d/2): J sin d cos(d/2) - P cos(d/2) + (c + 2 mu) sin(d/2).
        value = body["J"] * np.sin(d) * np.cos(half) - p * np.cos(half) + (c + 2 * mu) * np.sin(half)
        slope = body["J"] * (np.cos(d) * np.cos(half) - 0.5 * np.sin(d) * np.sin(half))
        return value, slope + 0.5 * p * np.sin(half) + 0.5 * (c + 2 * mu) * np.cos(half)
    if method == "midpoint":
        value = (total * d - p) * np.cos(half) + 0.5 * d * (c + mu * d * np.sin(half))
        slope = total * np.cos(half) - 0.5 * (total * d - p) * np.sin(half) + 0.5 * c
        return value, slope + mu * (d * np.sin(half) + 0.25 * d * d * np.cos(half))
    offset = body["a"] * body["b"] * body["m"]
    return total * np.sin(d) - offset * (1 - np.cos(d)) - p, total * np.cos(d) - offset * np.sin(d)


def follow_turn(method, body, p, c, stages=500):
    """(alive, d): follow the turn from 0 as eps grows from 0."""
    p, c = np.atleast_1d(np.asarray(p, dtype=float)), np.atleast_1d(np.asarray(c, dtype=float))
    d, alive = np.zeros_like(p), np.ones(p.shape, dtype=bool)
    for s in 1.0 - (1.0 - np.arange(1, stages + 1) / stages) ** 2:
        guess = d
        for _ in range(6):
            value, slope = turn_equation(method, body, s * p, s * c, guess)
            with np.errstate(divide="ignore", invalid="ignore"):
                change = np.where(alive, value / slope, 0.0)
            guess = guess - change
        alive = alive & (np.abs(change) <= 1e-10) & (np.abs(guess - d) <= 0.1) & (slope > 0) & (np.abs(guess) < np.pi)
        d = np.where(alive, guess, d)
    return alive, d


def scanned_turns(method, body, p, c, cells=20_000):
    """All turns in (-pi, pi), by sign changes on a fine grid and secant steps."""
    grid = np.linspace(-np.pi, np.pi, cells + 1)[1:-1] + 1e-7
    value, _ = turn_equation(method, body, p, c, grid)
    low = np.flatnonzero(np.sign(value[:-1]) * np.sign(value[1:]) < 0)
    d = grid[low]
    for _ in range(8):
        value, slope = turn_equation(method, body, p, c, d)
        d = d - value / slope
    return np.sort(d)


def check_turns(method, body, eps, p_theta, p_1):
    """nhviz's turns are all of the scan's, each solves its equation, the principal one is the followed one."""
    p, c = eps * (p_theta + body["b"] * p_1), eps * body["a"] * p_1
    total, _ = constants(body)
    found = nhviz.branches("sleigh", method, params=body, step=eps, at={"p_theta": p_theta, "p_1": p_1})
    turns = np.array([branch["dtheta"] for branch in found])
    scale = total + abs(p) + abs(c) + abs(body["a"] * body["b"] * body["m"])
    for d in turns:
        assert abs(turn_equation(method, body, p, c, d)[0]) <= 1e-12 * scale * 4
    scanned = scanned_turns(method, body, p, c)
    slopes = [turn_equation(method, body, p, c, d)[1] for d in (*scanned, *turns)]
    # Two roots within a cell of the scan, or next to half a turn, are beyond brute force.
    assume(all(abs(slope) > 1e-2 * scale for slope in slopes))
    assume(all(abs(d) < np.pi - 1e-3 for d in (*scanned, *turns)))
    assert turns.size == scanned.size
    np.testing.assert_allclose(np.sort(turns), scanned, atol=1e-9)
    assert list(np.abs(turns)) == sorted(np.abs(turns))
    alive, followed = follow_turn(method, body, p, c)
    flagged = [branch["dtheta"] for branch in found if branch["principal"]]
    if alive[0]:
        assert len(flagged) == 1
        assert flagged[0] == pytest.approx(followed[0], abs=1e-8)
    else:
        assert flagged == [] or follow_turn(method, body, 0.97 * p, 0.97 * c)[0][0]
    return found


MANY = settings(SETTINGS, max_examples=60)


@MANY
@given(bodies, angles, log_uniform(0.05, 6.0))
def test_fedorov_zenkov_branches(body, angle, size):
    total, mu = constants(body)
    p, c = size * np.sqrt(total * mu) * np.cos(angle), size * mu * np.sin(angle)
    p_1 = c / body["a"]
    found = check_turns("fedorov_zenkov", body, 1.0, p - body["b"] * p_1, p_1)
    q = c + 2 * mu
    roots = np.roots([q, -p, q + 2 * body["J"], -p])
    assume(
        np.abs(roots[0] - roots[1]) > 1e-4 and np.abs(roots[0] - roots[2]) > 1e-4 and np.abs(roots[1] - roots[2]) > 1e-4
    )
    real = np.sort(roots.real[np.abs(roots.imag) < 1e-8 * (1 + np.abs(roots))])
    assert len(found) == real.size
    np.testing.assert_allclose(np.sort([np.tan(0.5 * branch["dtheta"]) for branch in found]), real, rtol=1e-7)
    for branch in found:
        assert branch["V2"] == pytest.approx(branch["V1"] * np.tan(0.5 * branch["dtheta"]), rel=1e-9, abs=1e-12)


@MANY
@given(bodies, angles, log_uniform(0.05, 8.0))
def test_midpoint_branches(body, angle, size):
    body = body | {"b": 0.0}
    total, mu = constants(body)
    p, c = size * np.sqrt(total * mu) * np.cos(angle), size * mu * np.sin(angle)
    for branch in check_turns("midpoint", body, 1.0, p, c / body["a"]):
        d = branch["dtheta"]
        # DS (20): p_2 = m V_1 - m a d sin(d/2), with the blade's chord towards d/2.
        along = body["m"] * branch["V1"] - body["m"] * body["a"] * d * np.sin(0.5 * d)
        assert along == pytest.approx(c / body["a"], rel=1e-9, abs=1e-11 * (1 + body["m"]))
        assert branch["V2"] == pytest.approx(branch["V1"] * np.tan(0.5 * d), rel=1e-9, abs=1e-12)


@MANY
@given(bodies, angles, log_uniform(0.05, 4.0))
def test_naive_branches(body, angle, size):
    total, _ = constants(body)
    p, p_1 = size * total * np.cos(angle), size * np.sin(angle)
    for branch in check_turns("naive", body, 1.0, p - body["b"] * p_1, p_1):
        d, m = branch["dtheta"], body["m"]
        assert branch["V2"] == 0.0
        along = m * branch["V1"] - body["a"] * m * (1 - np.cos(d)) - body["b"] * m * np.sin(d)
        assert along == pytest.approx(p_1, rel=1e-9, abs=1e-11 * (1 + m * (abs(body["a"]) + abs(body["b"]))))


def sleigh_ellipse(body, energy, eps, count=360):
    """(P, c) of the momenta of one energy, the two equilibria P = 0 included."""
    total, mu = constants(body)
    angle = np.linspace(0.0, 2.0 * np.pi, count, endpoint=False) + 0.001
    radius = eps * np.sqrt(2.0 * energy)
    p = np.append(radius * np.sqrt(total) * np.cos(angle), [0.0, 0.0])
    return p, np.append(radius * np.sqrt(mu) * np.sin(angle), radius * np.sqrt(mu) * np.array([1.0, -1.0]))


@pytest.mark.parametrize(
    ("method", "largest_step"),
    [
        ("fedorov_zenkov", sleigh_branches.fedorov_zenkov_largest_step),
        ("midpoint", sleigh_branches.midpoint_largest_step),
        ("naive", sleigh_branches.naive_largest_step),
    ],
)
@FEW
@given(bodies, log_uniform(0.1, 100.0))
@example({"J": 1.0, "m": 1.0, "a": 2.0, "b": 0.0}, 1.0)
def test_sleigh_largest_steps_by_brute_force(method, largest_step, body, energy):
    if method == "midpoint":
        body = body | {"b": 0.0}
    bound = largest_step(body, energy)
    alive, _ = follow_turn(method, body, *sleigh_ellipse(body, energy, 0.98 * bound))
    assert alive.all()
    alive, _ = follow_turn(method, body, *sleigh_ellipse(body, energy, 1.02 * bound))
    assert not alive.all()


@MANY
@given(bodies, log_uniform(0.1, 100.0))
def test_single_valued_step(body, energy):
    """Theorem 7.4: one real root at every momentum of the ellipse, by the discriminant of the cubic."""
    bound = sleigh_branches.single_valued_step(body, energy)
    assert bound == pytest.approx(np.sqrt(body["m"] * body["a"] ** 2 / (2 * energy)), rel=1e-14)
    assert bound <= sleigh_branches.fedorov_zenkov_largest_step(body, energy) * (1 + 1e-12)
    _, mu = constants(body)
    for part in (0.3, 0.7, 0.999):
        p, c = sleigh_ellipse(body, energy, part * bound)
        q, j = c + 2 * mu, body["J"]
        # Discriminant of q t^3 - P t^2 + (q + 2J) t - P: b^2 c^2 - 4 a c^3 - 4 b^3 d - 27 a^2 d^2 + 18 a b c d.
        r = q + 2 * j
        discriminant = p**2 * r**2 - 4 * q * r**3 - 4 * p**4 - 27 * q**2 * p**2 + 18 * q * p**2 * r
        assert np.all(discriminant < 0)
