"""Theorems about the discrete sleighs as properties over random parameters: FZ 7.3 and 7.4, DS 6."""

import numpy as np
import pytest
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st

import nhviz
from nhviz.maps import sleigh_branches
from nhviz.simulate import run as simulate_problem
from tests.strategies import log_uniform

SETTINGS = settings(
    max_examples=40, deadline=None, derandomize=True, database=None, phases=(Phase.explicit, Phase.generate)
)


bodies = st.fixed_dictionaries(
    {
        "J": log_uniform(0.1, 20.0),
        "m": log_uniform(0.1, 20.0),
        "a": st.one_of(st.floats(0.2, 3.0), st.floats(-3.0, -0.2)),
        "b": st.floats(-3.0, 3.0),
    }
)
angles = st.floats(0.0, 2.0 * np.pi)


# --- The sleigh ---------------------------------------------------------------------------------------------------


def sleigh_constants(body):
    mu = body["m"] * body["a"] ** 2
    return body["J"] + mu, mu


def sleigh_start(body, radius, angle):
    """Momenta with sqrt(2 E) = radius; angle 0 is across, pi/2 along the blade."""
    total, _ = sleigh_constants(body)
    p_1 = float(radius * body["m"] ** 0.5 * np.sin(angle))
    return {"p_theta": float(radius * total**0.5 * np.cos(angle) - body["b"] * p_1), "p_1": p_1}


@pytest.mark.parametrize("offset", [0.0, 1.0])
@SETTINGS
@given(bodies, angles, st.floats(0.05, 0.999))
def test_theorem_7_4(offset, body, angle, part):
    """Below the bound: one half plane, a p_1 rises, to the stable end forward and to the unstable end backward."""
    body = body | {"b": offset * body["b"]}
    assume(abs(np.cos(angle)) > 1e-3)
    total, _ = sleigh_constants(body)
    radius = 2.0
    eps = part * sleigh_branches.single_valued_step(body, 0.5 * radius**2)
    assume(eps < 50.0)
    rate = abs(body["a"]) * body["m"] ** 0.5 * radius / total
    steps = int(25.0 / (eps * rate)) + 20
    assume(steps < 50_000)
    problem = nhviz.Problem.create(
        "sleigh", "fedorov_zenkov", body, sleigh_start(body, radius, angle), eps, eps * steps
    )
    side = np.sign(np.cos(angle))
    for backward in (False, True):
        run = simulate_problem(problem, backward)
        assert run.stopped is None
        across = run["p_theta"] + body["b"] * run["p_1"]
        noise = 1e-10 * radius * (total**0.5 + abs(body["b"]) * body["m"] ** 0.5)
        assert np.all((side * across > 0) | (np.abs(across) < noise))
        along = np.sign(body["a"]) * run["p_1"] * (-1 if backward else 1)
        assert np.all(np.diff(along) >= -1e-13 * radius * body["m"] ** 0.5)
        assert along[-1] == pytest.approx(radius * body["m"] ** 0.5, rel=1e-3)
        assert abs(across[-1]) < 1e-2 * radius * total**0.5


@SETTINGS
@given(bodies, angles, st.floats(0.05, 2.0))
def test_theorem_7_3(body, angle, part):
    """fedorov_zenkov keeps E to round-off, beyond the single-valued step as well; the recurrence is (7.20)."""
    radius = 2.0
    eps = part * sleigh_branches.single_valued_step(body, 0.5 * radius**2)
    assume(eps < 50.0)
    start = sleigh_start(body, radius, angle)
    run = nhviz.simulate("sleigh", method="fedorov_zenkov", params=body, initial=start, step=eps, duration=60 * eps)
    energy = run.quantity("energy")
    total, _ = sleigh_constants(body)
    m, a, b = body["m"], body["a"], body["b"]
    expected = (run["p_theta"] + b * run["p_1"]) ** 2 / (2 * total) + run["p_1"] ** 2 / (2 * m)
    # p_theta + b p_1 loses digits when b sqrt(m) is large against sqrt(A).
    loss = 1.0 + (abs(b) * m**0.5 / total**0.5) + (m * a * a / total)
    np.testing.assert_allclose(energy, expected, rtol=1e-12 * loss)
    np.testing.assert_allclose(energy, energy[0], rtol=1e-12 * loss)
    turn = np.diff(run["theta"])
    dx, dy = np.diff(run["x"]), np.diff(run["y"])
    v1 = dx * np.cos(run["theta"][:-1]) + dy * np.sin(run["theta"][:-1])
    v2 = -dx * np.sin(run["theta"][:-1]) + dy * np.cos(run["theta"][:-1])
    reach = 1.0 + np.abs(run["x"]).max() + np.abs(run["y"]).max() + np.abs(run["theta"]).max()
    scale = 1e-12 * m * reach**2 * (1 + abs(a) + abs(b)) ** 2 * (1 + body["J"])
    # (7.12), (7.5) and (7.20), with the discrete momenta eps times the physical ones.
    assert np.all(np.abs(v1 * (1 - np.cos(turn)) - v2 * np.sin(turn)) <= scale / m)
    p_1 = m * v1 - a * m * (1 - np.cos(turn)) - b * m * np.sin(turn)
    p_theta = (total + m * b**2) * np.sin(turn) + a * m * v2 - b * m * v1
    assert np.all(np.abs(p_1 - eps * run["p_1"][:-1]) <= scale)
    assert np.all(np.abs(p_theta - eps * run["p_theta"][:-1]) <= scale)
    assert np.all(np.abs(eps * np.diff(run["p_theta"]) + 2 * a * m * v2) <= scale)
    assert np.all(np.abs(eps * np.diff(run["p_1"]) - 2 * a * m * (1 - np.cos(turn))) <= scale)


@pytest.mark.parametrize("method", ["midpoint", "fedorov_zenkov"])
@SETTINGS
@given(bodies, st.floats(-0.9, 0.9), log_uniform(0.05, 5.0))
def test_ds_theorem_6(method, body, part, eps):
    """The multiplier across the equilibrium line, by central differences of one step."""
    if method == "midpoint":
        body = body | {"b": 0.0}
    total, _ = sleigh_constants(body)
    p_1 = part * 2.0 * total / (abs(body["a"]) * eps)
    assume(abs(part) > 1e-2 and abs(p_1) < 900.0 and abs(body["b"] * p_1) < 900.0)
    small = 1e-4 * total / eps
    after = []
    for sign in (1.0, -1.0):
        start = {"p_theta": sign * small - body["b"] * p_1, "p_1": p_1}
        run = nhviz.simulate("sleigh", method=method, params=body, initial=start, step=eps, duration=eps)
        assert run.stopped is None
        after.append(run["p_theta"][1] + body["b"] * run["p_1"][1])
    found = (after[0] - after[1]) / (2.0 * small)
    c = eps * body["a"] * p_1
    expected = (2.0 * total - c) / (2.0 * total + c)
    # The cubic term is of relative size (1e-4)^2 over powers of 1 + c/2A >= 0.1; round-off is 1e-16 b p_1 / small.
    noise = 1e-15 * (abs(body["b"] * p_1) + abs(p_1)) / small
    assert found == pytest.approx(expected, rel=3e-5, abs=noise + 1e-5)
    assert (abs(found) < 1.0) == (c > 0.0)
    declared = nhviz.registry.find("sleigh").method(method).local.multiplier
    assert declared(body, eps, np.array([-body["b"] * p_1, p_1])) == pytest.approx(expected, rel=1e-13)


@SETTINGS
@given(log_uniform(0.1, 10.0), log_uniform(0.1, 10.0), st.floats(0.05, 0.95), st.floats(-3.0, 3.0))
def test_naive_balanced_sleigh_spirals(spin, mass, sine, p_1):
    """a = b = 0: sin dtheta = eps p_theta / J, and the distance to the centre shrinks by cos dtheta each step."""
    assume(abs(p_1) > 1e-3)
    eps = 0.3
    start = {"p_theta": sine * spin / eps, "p_1": p_1, "theta": 0.4}
    body = {"J": spin, "m": mass, "a": 0.0, "b": 0.0}
    run = nhviz.simulate("sleigh", method="naive", params=body, initial=start, step=eps, duration=40 * eps)
    turn = np.arcsin(sine)
    np.testing.assert_allclose(np.diff(run["theta"]), turn, rtol=1e-12)
    place = run["x"] + 1j * run["y"]
    centre = eps * p_1 / mass * np.exp(0.4j) / (1.0 - np.cos(turn) * np.exp(1j * turn))
    distance = np.abs(place - centre)
    np.testing.assert_allclose(distance, distance[0] * np.cos(turn) ** np.arange(41), atol=1e-12 * distance[0])
    np.testing.assert_allclose(run["p_1"], p_1 * np.cos(turn) ** np.arange(41), atol=1e-13)
    energy = run.quantity("energy")
    lost = 0.5 * run["p_1"][:-1] ** 2 * sine**2 / mass
    np.testing.assert_allclose(np.diff(energy), -lost, atol=1e-13 * energy[0])


# --- Inverse maps -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["fedorov_zenkov", "midpoint", "naive", "exact"])
@SETTINGS
@given(bodies, angles, st.floats(0.05, 0.7), st.floats(-3.0, 3.0))
def test_sleigh_backward_undoes_forward(method, body, angle, part, theta):
    if method == "midpoint":
        body = body | {"b": 0.0}
    radius = 2.0
    total, _ = sleigh_constants(body)
    bounds = {
        "midpoint": sleigh_branches.midpoint_largest_step,
        "naive": sleigh_branches.naive_largest_step,
    }
    eps = part * bounds.get(method, sleigh_branches.single_valued_step)(body, 0.5 * radius**2)
    assume(eps < 50.0)
    rate = abs(body["a"]) * body["m"] ** 0.5 * radius / total
    steps = max(1, min(30, int(4.0 / (eps * rate))))
    if method == "naive":
        # The naive step has a unique inverse only while its Jacobian is positive; a few small steps suffice.
        eps *= 0.3
        steps = min(steps, 6)
    start = sleigh_start(body, radius, angle) | {"theta": theta, "x": 0.3, "y": -0.6}
    there = nhviz.simulate("sleigh", method=method, params=body, initial=start, step=eps, duration=steps * eps)
    assert there.stopped is None
    end = {name: float(there[name][-1]) for name in start}
    back = simulate_problem(nhviz.Problem.create("sleigh", method, body, end, eps, steps * eps), backward=True)
    assert back.stopped is None
    size = 1.0 + np.abs(there["x"]).max() + np.abs(there["y"]).max() + radius * (total + body["m"]) ** 0.5
    size *= (1.0 + abs(body["b"])) ** 2
    for name in start:
        np.testing.assert_allclose(back[name][::-1], there[name], atol=1e-9 * size)
