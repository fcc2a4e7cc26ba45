"""The principal branch of the discrete sleighs, followed: runs, branches and largest steps agree with it."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings

import nhviz
from nhviz import kernels
from nhviz.analysis.steps import largest_step
from nhviz.parameters import ParameterError
from tests.sleigh_follow import follow
from tests.sleighs import constants, momentum_on_ellipse, random_body, scaled_start
from tests.strategies import initial, sleigh_params, spread

METHODS = ("fedorov_zenkov", "midpoint", "naive")


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
