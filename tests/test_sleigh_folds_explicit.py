"""Folds and half turns of the discrete sleighs by identities, closed forms and certified counts."""

import math

import numpy as np
import pytest
import sympy
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import nhviz
from nhviz.analysis.steps import largest_step
from nhviz.maps import sleigh_branches
from nhviz.simulate import run as simulate_problem
from tests.sleighs import UNIT, constants, random_body, scaled_start

# --- FZ: the fold, its level, and the sharp bounds ----------------------------------------------------------------


def test_level_of_the_fold_of_fedorov_zenkov():
    """2 E eps^2/(m a^2) on the fold, its derivative in factors, and its least values, by exact algebra."""
    x, s, t, mu = sympy.symbols("x s t mu", positive=True)
    p, q = (sympy.simplify(value) for value in symbolic_fold(x * mu, mu, t))
    level = (p**2 / (mu * (1 + x)) + (q - 2 * mu) ** 2 / mu) / mu
    claimed = 16 * x**2 * s**3 * (1 - s) / (1 + x) + 4 * (1 - x * (2 * s - 1) * (1 - s)) ** 2
    assert sympy.simplify(level - claimed.subs(s, t**2 / (1 + t**2))) == 0
    w = x * s / (1 + x)
    assert sympy.simplify(sympy.diff(claimed, s) - 8 * x * (1 + x) * (4 * s - 3) * (2 * w - 1) * (w - 1)) == 0
    cusp = (x + 4) ** 3 / (16 * (1 + x))
    assert sympy.simplify(claimed.subs(s, sympy.Rational(3, 4)) - cusp) == 0
    assert sympy.simplify(claimed.subs(s, (1 + x) / (2 * x)) - (1 + x) ** 2 / x) == 0
    assert sympy.simplify(claimed.subs(s, 0) - 4 * (1 + x) ** 2) == 0
    assert claimed.subs(s, 1) == 4
    # Over all sleighs: at x = 1/2, and (9 sqrt 3/8)^2 = 243/64 < 4.
    assert sympy.solve(sympy.diff(cusp, x), x) == [sympy.Rational(1, 2)]
    assert cusp.subs(x, sympy.Rational(1, 2)) == sympy.Rational(243, 64) == (9 * sympy.sqrt(3) / 8) ** 2
    assert sympy.factor(64 * (1 + x) - (x + 4) ** 3) == -x * (x**2 + 12 * x - 16)
    assert sympy.solve(x**2 + 12 * x - 16, x) == [2 * sympy.sqrt(13) - 6]


def symbolic_fold(spin, mu, t):
    """(P, q) where t is a double root of q t^3 - P t^2 + (q + 2J) t - P: two linear equations."""
    p, q, x = sympy.symbols("P q X")
    cubic = q * x**3 - p * x**2 + (q + 2 * spin) * x - p
    found = sympy.solve([cubic.subs(x, t), sympy.diff(cubic, x).subs(x, t)], [p, q], dict=True)[0]
    return found[p], found[q]


def test_fold_level_is_the_level_of_cubic_fold():
    for x in (0.2, 1.0, 5.0):
        body = {"J": x * 0.7 * 1.3**2, "m": 0.7, "a": 1.3, "b": 0.4}
        total, mu = constants(body)
        for s in (0.0, 0.2, 0.75, 0.9):
            p, q = sleigh_branches.cubic_fold(body, np.sqrt(s / (1 - s)))
            level = (p**2 / total + (q - 2 * mu) ** 2 / mu) / mu
            assert sleigh_branches.fold_level(x, s) == pytest.approx(level, rel=1e-12)


def real_turns(body, p, q):
    """The number of real roots of the cubic, by Sturm's theorem in exact arithmetic."""
    t = sympy.symbols("t")
    p, q, j = (sympy.Rational(float(value)) for value in (p, q, body["J"]))
    return sympy.Poly(q * t**3 - p * t**2 + (q + 2 * j) * t - p, t).count_roots()


@pytest.mark.parametrize("ratio", [0.05, 0.5, 1.0, 1.2, 1.3, 6.0])
def test_sharp_single_valued_step(ratio):
    """One real branch at every momentum below, two or three at some momentum above, for every J/(m a^2)."""
    body = {"J": ratio * 0.8 * 1.3**2, "m": 0.8, "a": 1.3, "b": 0.3}
    total, mu = constants(body)
    bound = sleigh_branches.sharp_single_valued_step(body, 0.5)
    universal = 9 * 3**0.5 / 8 * mu**0.5
    assert bound >= universal * (1 - 1e-15)
    assert sleigh_branches.single_valued_step(body, 0.5) < universal
    assert bound <= sleigh_branches.fedorov_zenkov_largest_step(body, 0.5) * (1 + 1e-15)
    if ratio == 0.5:
        assert bound == pytest.approx(universal, rel=1e-15)
    # The worst momentum is the cusp P = 3 sqrt 3 J/4, q = J/4, entered along dq/dP = 1/sqrt 3, or P = q = 0.
    if ratio < 2 * 13**0.5 - 6:
        worst, inwards = np.array([0.75 * 3**0.5, 0.25]), np.array([-(3**0.5), -1.0])
    else:
        worst, inwards = np.zeros(2), np.array([0.0, -1.0])
    p, q = body["J"] * worst
    assert bound**2 == pytest.approx(p**2 / total + (q - 2 * mu) ** 2 / mu, rel=1e-14)
    assert real_turns(body, *(body["J"] * (worst + 1e-3 * inwards))) == 3
    for angle in np.linspace(0.0, 2 * np.pi, 41):
        p, c = bound * (1 - 1e-6) * np.array([total**0.5 * np.cos(angle), mu**0.5 * np.sin(angle)])
        assert real_turns(body, p, c + 2 * mu) == 1


def test_largest_step_of_fedorov_zenkov_in_closed_form():
    """A/sqrt(2 E J) from J = 2 m a^2 on: without an arm sqrt(J/2E), as sin dtheta = P/J."""
    for a in (0.0, 1e-300, 1e-9, 0.5):
        body = {"J": 1.3, "m": 0.7, "a": a, "b": 0.0}
        total, _ = constants(body)
        assert largest_step("sleigh", "fedorov_zenkov", body, energy=0.4) == pytest.approx(total / 1.04**0.5, rel=1e-14)
        for part, count in ((1 - 1e-9, 1), (1 + 1e-9, 0)):
            at = {"p_theta": part * 1.3, "p_1": 0.0}
            if a < 1e-100:
                found = nhviz.branches("sleigh", "fedorov_zenkov", body, 1.0, at)
                assert sum(branch["principal"] for branch in found) == count
                assert len(found) == 2 * count


# --- FZ: through the half turn ------------------------------------------------------------------------------------


def test_fedorov_zenkov_passes_a_half_turn():
    """At q = 0 the branch turns by exactly pi; before and after the step is the same smooth function of eps."""
    start = {"p_theta": 6.0, "p_1": -2.5}
    # q = eps a p_1 + 2 m a^2 = 0.
    half = 0.8
    body = {**UNIT, "b": 0.4}
    eps = half + np.linspace(-1e-3, 1e-3, 5)
    runs = [nhviz.simulate("sleigh", "fedorov_zenkov", body, start, step, step) for step in eps]
    assert all(run.stopped is None for run in runs)
    turn = np.array([run["theta"][1] for run in runs])
    assert turn[2] == pytest.approx(np.pi, abs=1e-15)
    assert np.all(np.diff(turn) > 0.0)
    for name in ("theta", "x", "y", "p_theta", "p_1", "p_2"):
        values = np.array([run[name][min(1, len(run) - 1)] for run in runs])
        # Third differences of a smooth function over steps of 5e-4: (5e-4)^3 times its third derivative.
        assert np.abs(np.diff(values, 3)).max() < 1e-7
    at = {"p_theta": 6.0, "p_1": -2.5}
    branch = next(b for b in nhviz.branches("sleigh", "fedorov_zenkov", body, half, at) if b["principal"])
    assert branch["dtheta"] == pytest.approx(np.pi, abs=1e-15)
    assert branch["V1"] == 0.0
    # FZ (7.5): (J + m a^2 + m b^2) sin d + a m V2 - b m V1 = eps p_theta.
    assert branch["V2"] == pytest.approx(half * 6.0, rel=1e-15)


def test_far_turns_keep_the_energy_and_have_an_inverse():
    """Steps of more than pi: E to round-off, and the inverse map leads back, its heading by a full turn more."""
    rng = np.random.default_rng(7)
    far = 0
    for _ in range(400):
        body = random_body(rng, "fedorov_zenkov", 0.6)
        bound = largest_step("sleigh", "fedorov_zenkov", body, energy=0.5)
        eps, start = scaled_start(body, np.exp(rng.uniform(0.0, 1.5)) * bound, rng.uniform(0.0, 2 * np.pi))
        run = nhviz.simulate("sleigh", "fedorov_zenkov", body, start, eps, eps)
        if len(run) < 2 or abs(run["theta"][1]) <= np.pi:
            continue
        far += 1
        assert abs(run["theta"][1]) < 2 * np.pi
        energy = run.quantity("energy")
        total, mu = constants(body)
        loss = 1.0 + abs(body["b"]) * (body["m"] / total) ** 0.5 + mu / total
        assert energy[1] == pytest.approx(energy[0], rel=1e-13 * loss)
        end = {name: float(run[name][1]) for name in ("theta", "x", "y", "p_theta", "p_1")}
        back = simulate_problem(nhviz.Problem.create("sleigh", "fedorov_zenkov", body, end, eps, eps), backward=True)
        size = 1.0 + np.abs(run["x"]).max() + np.abs(run["y"]).max()
        for name in ("x", "y"):
            assert back[name][1] == pytest.approx(0.0, abs=1e-9 * size)
        momenta = 1.0 + max(abs(start["p_theta"]), abs(start["p_1"])) * (1.0 + abs(body["b"]))
        for name in start:
            assert back[name][1] == pytest.approx(start[name], abs=1e-9 * momenta)
        assert abs(back["theta"][1]) == pytest.approx(2 * np.pi, abs=1e-9)
    assert far > 20


# --- DS -----------------------------------------------------------------------------------------------------------


def test_numbers_of_the_midpoint_map():
    for spin, bound in ((0.9, 3.3888), (0.999, 3.4324)):
        found = largest_step("sleigh", "midpoint", {**UNIT, "J": spin}, energy=0.5)
        assert found == pytest.approx(bound, abs=5e-5)
    body = {"J": 1.3, "m": 0.7, "a": 1e-9, "b": 0.0}
    assert largest_step("sleigh", "midpoint", body, energy=0.5) == pytest.approx(np.pi * 1.3**0.5, rel=2e-6)
    for a in (1e-300, 0.0):
        body["a"] = a
        assert largest_step("sleigh", "midpoint", body, energy=0.5) is None
        run = nhviz.simulate("sleigh", "midpoint", body, {"p_theta": 1.0, "p_1": 0.5}, 5.0, 50.0)
        assert run.stopped is None
        np.testing.assert_allclose(np.diff(run["theta"]), 5.0 / 1.3, rtol=1e-14)
        branch = nhviz.branches("sleigh", "midpoint", body, 5.0, {"p_theta": 1.0, "p_1": 0.5})
        assert [b["dtheta"] for b in branch if b["principal"]] == pytest.approx([5.0 / 1.3], rel=1e-14)
    close = nhviz.branches(
        "sleigh", "midpoint", {**UNIT, "J": 5.0}, 1.0, {"p_theta": 0.03946018627, "p_1": -11.65578026}
    )
    assert len(close) == 3
    assert [branch["principal"] for branch in close] == [True, False, False]


def test_a_balanced_midpoint_sleigh_stops_at_an_exact_half_turn():
    """Without an arm d = P/A has no bound, but the chord eps p_1/(m cos(d/2)) is infinite at d = pi."""
    body = {"J": 1.0, "m": 1.0, "a": 0.0, "b": 0.0}
    run = nhviz.simulate("sleigh", "midpoint", body, {"p_theta": np.pi, "p_1": 1.0}, 1.0, 3.0)
    assert "reaches a half turn" in run.stopped
    run = nhviz.simulate("sleigh", "midpoint", body, {"p_theta": np.pi, "p_1": 0.0}, 1.0, 3.0)
    assert run.stopped is None


def test_midpoint_says_half_turn():
    """c < -pi m a^2 and P > J |c|/(m a^2): no fold on the way, and the domain ends."""
    run = nhviz.simulate("sleigh", "midpoint", UNIT, {"p_theta": 8.0, "p_1": -4.0}, 1.0, 10.0)
    assert len(run) == 1
    assert "reaches a half turn" in run.stopped
    run = nhviz.simulate("sleigh", "midpoint", UNIT, {"p_theta": 0.1, "p_1": -4.0}, 1.0, 10.0)
    assert "has folded" in run.stopped
    run = nhviz.simulate("sleigh", "midpoint", UNIT, {"p_theta": 8.0, "p_1": -np.pi * (1 - 1e-9)}, 1.0, 0.0)
    assert run.stopped is None


def test_identities_behind_the_midpoint_map():
    """What `nhviz.kernels.sleigh_turns` and `midpoint_largest_step` say about DS (23), as identities."""
    f, spin, mu, p, c, x = sympy.symbols("f J mu P c x", positive=True)
    total, sine, cosine = spin + mu, sympy.sin(f), sympy.cos(f)
    e = cosine + f * sine
    top, bottom = 2 * f * (total * cosine + mu * f * sine), p * cosine - c * f
    u = spin * cosine**2 + mu * (e**2 + f**2 * cosine**2)
    w = f**2 * (spin * sine - mu * f * cosine)
    slope = sympy.diff(top, f) * bottom - top * sympy.diff(bottom, f)
    assert sympy.simplify(slope - 2 * (p * u + c * w)) == 0
    # DS (23) itself: top - bottom is its residual times cos f.
    ds = total * 2 * f + f * (c + 2 * mu * f * sine) / cosine - p
    assert sympy.simplify(ds * cosine - (top - bottom)) == 0
    # The fold, and its direction (f, cos f).
    fold_p, fold_c = 2 * w / e, -2 * u / e
    assert sympy.simplify((top - bottom).subs({p: fold_p, c: fold_c}, simultaneous=True)) == 0
    assert sympy.simplify(sympy.diff(fold_p, f) * cosine - sympy.diff(fold_c, f) * f) == 0
    # (W/U)' has the sign of x - k.
    k_top, k_bottom = 3 * cosine**2 + f * sympy.sin(2 * f) - f**2, 1 + sine**2 + sympy.sin(2 * f) / f
    rise = sympy.diff(w / u, f) - (spin * k_bottom - mu * k_top) * f**2 * total_factor(f, spin, mu) / u**2
    assert sympy.simplify(rise) == 0
    assert sympy.simplify(sympy.diff(k_top, f) + 2 * sympy.sin(2 * f) + 4 * f * sine**2) == 0
    # The stationary level: mu P f + A c cos f over 2 mu^2 cos f/e.
    y = f**3 * (x * sympy.tan(f) - f) - (1 + x) * (e**2 + (x + f**2) * cosine**2)
    stationary = (mu * fold_p * f + total * fold_c * cosine).subs(spin, x * mu)
    assert sympy.simplify(stationary - 2 * mu**2 * cosine / e * y) == 0
    b_slope = sympy.diff(e**2 + (x + f**2) * cosine**2, f)
    assert sympy.simplify(b_slope - 2 * f * cosine**2 * (2 - x * sympy.tan(f) / f)) == 0
    assert float((f**2 * (2 * f / sympy.sin(2 * f) - 1) - 2 * (1 + f / sympy.tan(f)) * cosine**2).subs(f, 1)) > 0.2


def total_factor(f, spin, mu):
    """A cos f + mu f sin f, the positive factor of the derivative of W/U."""
    return (spin + mu) * sympy.cos(f) + mu * f * sympy.sin(f)


def certified_count(value, slope, curvature, low, high):
    """The number of zeros of a function in (low, high): halving until Taylor's formula excludes or isolates a zero."""
    count, pieces = 0, [(low, high)]
    while pieces:
        left, right = pieces.pop()
        middle, reach = 0.5 * (left + right), 0.5 * (right - left)
        assume(reach > 1e-9)
        if abs(value(middle)) > abs(slope(middle)) * reach + 0.5 * curvature * reach**2:
            continue
        if abs(slope(middle)) > curvature * reach:
            count += value(left) * value(right) < 0.0
            continue
        pieces += [(left, middle), (middle, right)]
    return count


ratios = st.floats(-3.0, 3.0).map(lambda power: 10.0**power)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(ratios, st.floats(0.02, 3.05), st.floats(-9.0, 0.5), st.booleans(), st.booleans())
def test_midpoint_branches_are_complete(ratio, turn, distance, outwards, other):
    """Next to folds, from 1e-9 to 3 away: exactly as many branches as a certified count of the zeros of DS (23)."""
    body = {"J": ratio if ratio < 1000 else 1.0, "m": 1.0, "a": 1.0, "b": 0.0}
    spin, total = body["J"], body["J"] + 1.0
    half = 0.5 * turn
    e = np.cos(half) + half * np.sin(half)
    p = 2 * half**2 * (spin * np.sin(half) - half * np.cos(half)) / e
    c = -2 * (e + (spin + half**2) * np.cos(half) ** 2 / e)
    factor = 1.0 + (1 if outwards else -1) * min(10.0**distance, 0.9)
    p, c = (-1 if other else 1) * factor * p, factor * c

    def value(f):
        return 2 * total * f * math.cos(f) + c * f + 2 * f * f * math.sin(f) - p * math.cos(f)

    def slope(f):
        rest = 2 * (2 * f * math.sin(f) + f * f * math.cos(f))
        return 2 * total * (math.cos(f) - f * math.sin(f)) + c + rest + p * math.sin(f)

    curvature = 2 * total * (2 + 0.5 * np.pi) + 2 * (2 + 2 * np.pi + 0.25 * np.pi**2) + abs(p)
    count = certified_count(value, slope, curvature, -0.5 * np.pi, 0.5 * np.pi)
    found = nhviz.branches("sleigh", "midpoint", body, 1.0, {"p_theta": p, "p_1": c})
    assert len(found) == count
    for branch in found:
        # Round-off in the terms of the equation.
        scale = total * np.pi + abs(c) + abs(p) + np.pi**2
        assert abs(value(0.5 * branch["dtheta"])) < 1e-14 * scale


@settings(max_examples=150, deadline=None, derandomize=True)
@given(ratios, st.floats(0.02, 3.12), st.floats(-9.0, 0.5), st.booleans())
def test_fedorov_zenkov_branches_are_complete(ratio, turn, distance, outwards):
    """Next to folds: as many branches as zeros of sin f (q + 2J cos^2 f) - P cos f in (-pi/2, pi/2], certified."""
    body = {"J": ratio if ratio < 1000 else 1.0, "m": 1.0, "a": 1.0, "b": 0.0}
    spin, half = body["J"], 0.5 * turn
    factor = 1.0 + (1 if outwards else -1) * min(10.0**distance, 0.9)
    p = factor * 4 * spin * np.sin(half) ** 3 * np.cos(half)
    c = factor * (-2 * spin * np.cos(half) ** 2 * np.cos(turn) - 2)
    q = c + 2.0

    def value(f):
        return math.sin(f) * (q + 2 * spin * math.cos(f) ** 2) - p * math.cos(f)

    def slope(f):
        return q * math.cos(f) + 0.5 * spin * (math.cos(f) + 3 * math.cos(3 * f)) + p * math.sin(f)

    # One period, from a place that is no root.
    first = -1.234
    count = certified_count(value, slope, abs(q) + 5 * spin + abs(p), first, first + np.pi)
    found = nhviz.branches("sleigh", "fedorov_zenkov", body, 1.0, {"p_theta": p, "p_1": c})
    assert len(found) == count
