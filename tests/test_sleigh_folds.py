"""Folds, half turns and largest steps of the discrete sleighs, by identities, a continuation and certified counts."""

import itertools
import math

import mpmath
import numpy as np
import pytest
import sympy
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import nhviz
from nhviz import kernels
from nhviz.analysis import sleigh_turn
from nhviz.analysis.steps import largest_step
from nhviz.maps import sleigh_branches
from nhviz.parameters import ParameterError
from nhviz.simulate import run as simulate_problem
from tests.sleigh_follow import follow
from tests.strategies import initial, sleigh_params, spread

METHODS = ("fedorov_zenkov", "midpoint", "naive")
UNIT = {"J": 1.0, "m": 1.0, "a": 1.0, "b": 0.0}


def constants(body):
    mu = body["m"] * body["a"] ** 2
    return body["J"] + mu, mu


def random_body(rng, method, width):
    """J/(m a^2) and m over `width` powers of ten on both sides of 1, within the declared ranges."""
    while True:
        m, x, a = 10.0 ** rng.uniform(-0.6 * width, 0.6 * width, 3)
        body = {"J": x * m * a * a, "m": m, "a": a * rng.choice([-1.0, 1.0]), "b": a * rng.uniform(-1.5, 1.5)}
        if method == "midpoint":
            body["b"] = 0.0
        if 0.001 <= body["J"] <= 1000.0 and 0.001 <= m <= 1000.0 and max(abs(body["a"]), abs(body["b"])) <= 100.0:
            return body


def momentum_on_ellipse(body, step, angle):
    """p_theta and p_1 of energy 1/2 times the step squared, so that a step of 1 has the level step^2."""
    total, _ = constants(body)
    p_1 = step * body["m"] ** 0.5 * np.sin(angle)
    return float(step * total**0.5 * np.cos(angle) - body["b"] * p_1), float(p_1)


def scaled_start(body, step, angle):
    """(eps, start) with eps p = the momentum at that place of the ellipse, within the declared ranges."""
    p_theta, p_1 = momentum_on_ellipse(body, step, angle)
    eps = max(1.0, abs(p_theta) / 900.0, abs(p_1) / 900.0)
    return eps, {"p_theta": p_theta / eps, "p_1": p_1 / eps}


def momenta_after(method, body, eps, at, branch):
    """FZ (7.20), DS (22), FZ (7.7): the momenta after a displacement."""
    m, a, b = body["m"], body["a"], body["b"]
    d, v1, v2 = branch["dtheta"], branch["V1"], branch["V2"]
    if method == "fedorov_zenkov":
        return at["p_theta"] - 2.0 * a * m * v2 / eps, at["p_1"] + 2.0 * a * m * (1.0 - math.cos(d)) / eps
    if method == "midpoint":
        # The chord along d/2; next to a half turn V1 vanishes with its cosine.
        chord = v1 * math.cos(0.5 * d) + v2 * math.sin(0.5 * d)
        return at["p_theta"] - m * a * d * chord / eps, at["p_1"] + 2.0 * m * a * d * math.sin(0.5 * d) / eps
    p_2 = m * (a * math.sin(d) - b * (1.0 - math.cos(d))) / eps
    return at["p_theta"] - p_2 * v1, at["p_1"] * math.cos(d) + p_2 * math.sin(d)


# --- The principal branch, followed -------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("width", [0.5, 1.5, 3.0])
def test_runs_take_the_branch_that_grows_from_the_identity(method, width):
    """Every step of a run, and how it ends, against the arc-length continuation; turns of more than pi unwrapped."""
    rng = np.random.default_rng([METHODS.index(method), int(10 * width)])
    ends = set()
    for _ in range(30):
        body = random_body(rng, method, width)
        bound = largest_step("sleigh", method, body, energy=0.5)
        eps, start = scaled_start(body, np.exp(rng.uniform(-0.7, 1.2)) * bound, rng.uniform(0.0, 2.0 * np.pi))
        if not eps < 100.0:
            continue
        run = nhviz.simulate("sleigh", method, body, start, eps, 4 * eps)
        at = start
        for i in range(5):
            end, share, turn = follow(method, body, (eps * at["p_theta"], eps * at["p_1"]))
            if abs(share - 1.0) < 1e-9 and end != "reached":
                break
            marked = [branch for branch in nhviz.branches("sleigh", method, body, eps, at) if branch["principal"]]
            if end != "reached":
                ends.add(end)
                assert marked == []
                assert len(run) == max(i, 1)
                assert ("half turn" in run.stopped) == (end == "half turn")
                assert ("folded" in run.stopped) == (end == "fold")
                break
            # A turn next to a fold is known to the square root of what the momenta are known to, 1e-12.
            assert len(marked) == 1
            assert abs(np.sin(0.5 * (marked[0]["dtheta"] - turn))) < 1e-6
            assert len(run) > i
            if i + 1 < len(run):
                ends.add("passed" if abs(turn) > np.pi else "reached")
                assert run["theta"][i + 1] - run["theta"][i] == pytest.approx(turn, abs=1e-6)
                at = {name: float(run[name][i + 1]) for name in at}
            else:
                at = dict(zip(at, momenta_after(method, body, eps, at, marked[0]), strict=True))
    # Each kind of end was met: folds, for midpoint half turns as well; and one sleigh passes half turns.
    assert "fold" in ends
    assert method != "midpoint" or "half turn" in ends
    assert method != "fedorov_zenkov" or width == 3.0 or "passed" in ends


def shares(method, body, p, c):
    """(turns, s) along the ray to (p, c), p > 0, on a fine grid of turns: where s stops to rise the branch folds."""
    total, mu = constants(body)
    f = np.linspace(0.0, np.pi, 4001)[1:-1]
    with np.errstate(divide="ignore"):
        if method == "fedorov_zenkov":
            return 2 * f, 2 * np.sin(f) * (mu + body["J"] * np.cos(f) ** 2), p * np.cos(f) - c * np.sin(f)
        if method == "midpoint":
            f = 0.5 * f
            return 2 * f, 2 * f * (total * np.cos(f) + mu * f * np.sin(f)), p * np.cos(f) - c * f
    shift = body["a"] * body["b"] * body["m"] * np.sign(p)
    return f, total * np.sin(f) - shift * (1 - np.cos(f)), np.full(f.size, abs(p))


def roughly_ended(method, body, angle):
    """The share at which the branch of a momentum of level 1 ends, from the grid; infinite if it does not."""
    total, mu = constants(body)
    p, c = total**0.5 * np.cos(angle), mu**0.5 * np.sin(angle)
    if method != "naive":
        p = abs(p)
    _, top, bottom = shares(method, body, p, c)
    inside = np.cumprod(bottom > 0).astype(bool)
    s = top[inside] / bottom[inside]
    fallen = np.flatnonzero(np.diff(s) < 0)
    if fallen.size:
        return s[fallen[0]]
    return s[-1] if method == "midpoint" and inside.all() else np.inf


def least_end(method, body):
    """The least share over all momenta of level 1: the best of many angles, then golden sections by continuation."""
    total, mu = constants(body)
    step = 2 * np.pi / 720
    angles = np.arange(720) * step + 0.5 * step
    rough = [roughly_ended(method, body, angle) for angle in angles]
    best = angles[int(np.argmin(rough))]

    def ended(angle):
        p_theta, p_1 = momentum_on_ellipse(body, 1.0, angle)
        end, share, _ = follow(method, body, (p_theta, p_1), most=1.2 * min(rough))
        return np.inf if end == "reached" else share

    low, high = best - 1.5 * step, best + 1.5 * step
    golden = 0.5 * (5**0.5 - 1)
    inner = [high - golden * (high - low), low + golden * (high - low)]
    values = [ended(angle) for angle in inner]
    found = min(values)
    while high - low > 1e-8:
        if values[0] < values[1] or (values[0] == values[1] and best < inner[1]):
            high, inner[1], values[1] = inner[1], inner[0], values[0]
            inner[0] = high - golden * (high - low)
            values[0] = ended(inner[0])
        else:
            low, inner[0], values[0] = inner[0], inner[1], values[1]
            inner[1] = low + golden * (high - low)
            values[1] = ended(inner[1])
        found = min(found, *values)
    # The straight step, P = 0, is a momentum of its own: where a second displacement crosses it, c = -2A.
    return min(found, 2 * total / mu**0.5) if method != "naive" else found


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("ratio", [0.01, 0.3, 0.5, 0.9, 1.5, 2.5, 7.0, 60.0])
def test_largest_step_is_the_least_end_of_a_branch(method, ratio):
    """To 1e-6, from both sides: the declared bound equals the least end that the continuation finds."""
    body = {"J": ratio * 0.8 * 1.3**2, "m": 0.8, "a": 1.3, "b": 0.0 if method == "midpoint" else -0.7}
    bound = largest_step("sleigh", method, body, energy=0.5)
    assert bound == pytest.approx(least_end(method, body), rel=1e-6)


def worst_momentum(method, body):
    """(P, c) at the fold, where its level is least, but for 1e-8 of it."""
    total, mu = constants(body)
    spin, x = body["J"], body["J"] / mu
    if method == "fedorov_zenkov":
        # Next to the cusp s = 3/4, on the side where the branch folds: the level is stationary there.
        s = min(0.75 - 1e-5, (1 + x) / (2 * x))
        return 4 * spin * s**1.5 * (1 - s) ** 0.5, -2 * (mu - spin * (2 * s - 1) * (1 - s))
    if method == "naive":
        shift = body["a"] * body["b"] * body["m"]
        return np.copysign(total**2 / (np.hypot(total, shift) + abs(shift)), shift), 0.0
    # Dense next to the half turn, where the least level is for bodies with a large J/(m a^2).
    gap = np.concatenate([np.geomspace(1e-9, 0.1, 200_000), np.linspace(0.1, 0.5 * np.pi, 200_000)[:-1]])
    f, sine, cosine = 0.5 * np.pi - gap, np.cos(gap), np.sin(gap)
    e = cosine + f * sine
    p = 2 * f**2 * (spin * sine - mu * f * cosine) / e
    c = -2 * (mu * e + (spin + mu * f**2) * cosine**2 / e)
    level = np.where(p > 0, p**2 / total + c**2 / mu, np.inf)
    best = int(np.argmin(level))
    return (p[best], c[best]) if level[best] < 4 * total**2 / mu else (0.0, -2 * total)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("width", [0.5, 2.0, 3.0])
def test_both_sides_of_the_largest_step(method, width):
    """At the worst momentum the principal branch exists at (1 - 1e-6) times the bound, not at (1 + 1e-6) times it."""
    rng = np.random.default_rng([5, METHODS.index(method), int(10 * width)])
    for _ in range(25):
        body = random_body(rng, method, width)
        total, mu = constants(body)
        p, c = worst_momentum(method, body)
        p_1 = c / body["a"]
        start = {"p_theta": p - body["b"] * p_1, "p_1": p_1}
        eps = max(1.0, *(abs(value) / 900.0 for value in start.values()))
        start = {name: value / eps for name, value in start.items()}
        if eps > 99.0:
            continue
        bound = largest_step("sleigh", method, body, energy=(p**2 / total + c**2 / mu) / (2 * eps**2))
        assert bound == pytest.approx(eps, rel=1e-7)
        for part, exists in ((1 - 1e-6, True), (1 + 1e-6, False)):
            step = part * bound
            principal = [b for b in nhviz.branches("sleigh", method, body, step, start) if b["principal"]]
            run = nhviz.simulate("sleigh", method, body, start, step, 0.0)
            assert (len(principal) == 1) == (run.stopped is None) == exists


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
angles = st.floats(0.0, 2.0 * np.pi)


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


# --- Nobody disagrees ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=300, deadline=None, derandomize=True)
@given(params=sleigh_params(), start=initial("sleigh"), step=spread(1e-3, 100.0))
def test_branches_runs_and_largest_steps_agree(method, params, start, step):
    """Anywhere in the declared ranges: a run goes on if and only if a branch is principal, and below the bound."""
    if method == "midpoint":
        params = {**params, "b": 0.0}
    start = {name: start[name] for name in ("p_theta", "p_1")}
    found = nhviz.branches("sleigh", method, params, step, start)
    principal = [branch for branch in found if branch["principal"]]
    run = nhviz.simulate("sleigh", method, params, start, step, 0.0)
    assert (run.stopped is None) == (len(principal) == 1)
    assert len(principal) <= 1
    bound = largest_step("sleigh", method, params, start)
    if bound is None or step < bound * (1 - 1e-9):
        assert run.stopped is None
    if run.stopped is None:
        on = nhviz.simulate("sleigh", method, params, start, step, step)
        if len(on) == 2:
            # A nearly double root is known to the square root of round-off.
            turn = on["theta"][1] - on["theta"][0]
            assert abs(np.sin(0.5 * (turn - principal[0]["dtheta"]))) < 1e-6


# --- The total turn -----------------------------------------------------------------------------------------------


def test_total_turn_depends_on_the_phase():
    """5.6e-8, 2.3e-5, 1.1e-3 at steps .6, .8, 1 for the unit sleigh at E = 1; the symmetric orbits are the extremes."""
    for step, said in ((0.6, 5.6e-8), (0.8, 2.3e-5), (1.0, 1.1e-3)):
        spread_found = sleigh_turn.turn_spread(UNIT, step, 1.0)
        assert spread_found == pytest.approx(said, rel=0.05)
        # From c = 0 through more than one step of the orbit.
        turns = [sleigh_turn.total_turn(UNIT, step, 1.0, angle) for angle in np.linspace(0.0, 1.0, 41)]
        assert max(turns) == pytest.approx(turns[0], abs=1e-13)
        assert np.ptp(turns) <= spread_found + 1e-13
        assert np.ptp(turns) >= 0.98 * spread_found
        run = nhviz.simulate("sleigh", "fedorov_zenkov", UNIT, {"p_theta": 2.0, "p_1": 0.0}, step, 120 * step)
        assert 2 * run["theta"][-1] == pytest.approx(turns[0], abs=1e-12)


def exact_spread(step, digits=70):
    """The same for the unit sleigh with E = 1, in numbers of many digits, with nothing of nhviz."""
    with mpmath.workdps(digits):
        level = 2 * mpmath.mpf(step) ** 2

        def all_turns(p, c):
            total = mpmath.mpf(0)
            tau = p / 4
            while p > mpmath.mpf(10) ** (-digits):
                q = c + 2
                for _ in range(100):
                    change = (((q * tau - p) * tau + q + 2) * tau - p) / ((3 * q * tau - 2 * p) * tau + q + 2)
                    tau -= change
                    if abs(change) < mpmath.mpf(10) ** (-digits) * abs(tau):
                        break
                total += 2 * mpmath.atan(tau)
                p, c = 8 * tau / (1 + tau**2) - p, c + 4 * tau**2 / (1 + tau**2)
            return total

        s = level / (2 * (2 + mpmath.sqrt(4 - level)))
        turn = 2 * mpmath.asin(mpmath.sqrt(s))
        through, across = all_turns(mpmath.sqrt(2 * level), mpmath.mpf(0)), all_turns(2 * mpmath.sin(turn), 2 * s)
        return 2 * through - turn - 2 * across


def test_the_dependence_is_beyond_all_orders():
    """Observed over 29 powers of ten: log spread = const - pi^2/lambda + O(eps^2), so its power of eps has no bound."""
    steps = np.array([0.15, 0.2, 0.3, 0.4, 0.6])
    spreads = [exact_spread(step) for step in steps]
    assert float(spreads[-1]) == pytest.approx(sleigh_turn.turn_spread(UNIT, 0.6, 1.0), abs=1e-13)
    logs = np.array([float(mpmath.log(value)) for value in spreads])
    assert logs[-1] - logs[0] > 29 * np.log(10.0)
    c = 2**0.5 * steps
    constant = logs + np.pi**2 / np.log((4 + c) / (4 - c))
    # What remains is a function of eps^2, nearly linear, while pi^2/lambda changes by 70.
    slopes = np.diff(constant) / np.diff(steps**2)
    assert np.all((slopes > 0.25) & (slopes < 0.35))
    assert np.exp(constant[0] - slopes[0] * steps[0] ** 2) == pytest.approx(452.5, rel=2e-3)
    # The local power of eps, d log spread/d log eps, grows without bound.
    powers = np.diff(logs) / np.diff(np.log(steps))
    assert np.all(np.diff(powers) < 0.0)
    assert powers[0] > 75.0


def test_total_turn_asks_for_a_single_valued_map():
    for step, energy in ((5.0, 1.0), (0.1, 0.0), (0.0, 1.0)):
        with pytest.raises(ParameterError, match="single-valued"):
            sleigh_turn.turn_spread(UNIT, step, energy)
    with pytest.raises(ParameterError, match="single-valued"):
        sleigh_turn.total_turn({**UNIT, "a": 0.0}, 0.1, 1.0, 0.0)


def test_kernel_tells_how_a_branch_ends():
    turns = kernels.sleigh_turns
    assert turns.midpoint_principal(1.0, 1.0, 8.0, -4.0)[0] == turns.HALF_TURN
    assert turns.midpoint_principal(1.0, 1.0, 0.1, -4.0)[0] == turns.FOLDED
    assert turns.midpoint_principal(1.0, 1.0, 0.0, -4.1)[0] == turns.FOLDED
    assert turns.midpoint_principal(1.0, 1.0, 1.0, 0.5)[0] == turns.REACHED


@pytest.mark.parametrize("method", METHODS)
def test_corners_of_the_numbers(method):
    """Arms whose squares vanish, momenta next to nothing, and beyond numbers: finite answers that agree."""
    sizes = (0.0, 1e-320, 1e-200, 1e-9, 3.0, 900.0)
    for a, p_theta, p_1, step in itertools.product(
        (0.0, 1e-320, 1e-161, 1e-150, 1e-9, -100.0), sizes, (*sizes, -1e-320, -1e-9, -3.0, -900.0), (1e-9, 1.0, 100.0)
    ):
        params, start = {"a": a}, {"p_theta": p_theta, "p_1": p_1}
        found = nhviz.branches("sleigh", method, params, step, start)
        assert all(np.isfinite(value) for branch in found for value in branch.values())
        run = nhviz.simulate("sleigh", method, params, start, step, step)
        assert all(np.isfinite(values).all() for values in run.components.values())
        # A run of no steps asks for one displacement, its start's.
        here = nhviz.simulate("sleigh", method, params, start, step, 0.0).stopped is None
        assert here == any(branch["principal"] for branch in found)
        bound = largest_step("sleigh", method, params, start)
        assert bound is None or 0.0 < bound < math.inf
        assert here or step > bound * (1 - 1e-9)
    with pytest.raises(ParameterError, match="1e150"):
        nhviz.branches("sleigh", method, None, 100.0, {"p_theta": 1.7e308, "p_1": 1.0})
