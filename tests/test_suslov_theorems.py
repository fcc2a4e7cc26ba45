"""Theorems about the Suslov maps as properties over random parameters: FZ 6.2 and 6.3, GJ 7.1 and 7.2, H on RP^2."""

import heapq

import numpy as np
import pytest
from hypothesis import Phase, assume, example, given, settings
from hypothesis import strategies as st

import nhviz
from nhviz.maps import steiner
from nhviz.simulate import run as simulate_problem
from tests.strategies import log_uniform
from tests.tops import LONG, LONGER, SKEW

SETTINGS = settings(
    max_examples=40, deadline=None, derandomize=True, database=None, phases=(Phase.explicit, Phase.generate)
)
GENERIC = {"I11": 3.0, "I22": 4.0, "I33": 5.0, "I13": 1.0, "I23": 0.5}
SPECIAL = {"I11": 3.0, "I22": 3.0, "I33": 5.0, "I13": 0.0, "I23": 0.5}


@st.composite
def tensors(draw, least=0.1, most=0.6):
    i11, i22, i33 = draw(log_uniform(0.5, 20.0)), draw(log_uniform(0.5, 20.0)), draw(log_uniform(0.5, 20.0))
    part, angle = draw(st.floats(least, most)), draw(st.floats(0.0, 2.0 * np.pi))
    i13 = float(part * np.cos(angle) * np.sqrt(i11 * i33))
    i23 = float(part * np.sin(angle) * np.sqrt(i22 * i33))
    return {"I11": i11, "I22": i22, "I33": i33, "I13": i13, "I23": i23}


angles = st.floats(0.0, 2.0 * np.pi)


def suslov_rate(tensor, radius):
    """Rate r kappa of the connection at sqrt(2 E) = radius."""
    kappa = np.hypot(tensor["I13"] / tensor["I11"] ** 0.5, tensor["I23"] / tensor["I22"] ** 0.5)
    return radius * kappa / (tensor["I11"] * tensor["I22"]) ** 0.5


def suslov_start(tensor, radius, angle):
    return {
        "M1": float(radius * tensor["I11"] ** 0.5 * np.cos(angle)),
        "M2": float(radius * tensor["I22"] ** 0.5 * np.sin(angle)),
    }


def legendre(scheme, tensor, eps, u, v):
    """(M1, M2) of GJ (28) or (41); the sign of eps tells before (+) from after (-) the step."""
    i11, i22, i13, i23 = (tensor[name] for name in ("I11", "I22", "I13", "I23"))
    k, s = i13 * u + i23 * v, i11 * u**2 + i22 * v**2
    if scheme == "moser_veselov":
        over = 2.0 / (4.0 + eps**2 * (u**2 + v**2))
        return over * (2 * i11 * u + eps * v * k), over * (2 * i22 * v - eps * u * k)
    return (
        i11 * u + eps * v * k / 2 + eps**2 * u * s / 4,
        i22 * v - eps * u * k / 2 + eps**2 * v * s / 4,
    )


def integral(tensor, alpha, psi):
    """H of FZ (6.17) at the rotation by 2 alpha about (cos psi, sin psi, 0)."""
    i11, i22, i13, i23 = (tensor[name] for name in ("I11", "I22", "I13", "I23"))
    q0, q1, q2 = np.cos(alpha), np.sin(alpha) * np.cos(psi), np.sin(alpha) * np.sin(psi)
    return 4.0 * (i11 * q1**2 + i22 * q2**2) * (i11 * i22 * q0**2 + (i13 * q1 + i23 * q2) ** 2)


# --- FZ Theorems 6.2 and 6.3, GJ Propositions 7.1 and 7.2 ---------------------------------------------------------


def check_theorem_6_3(tensor, radius, angle, eps, steps):
    start = suslov_start(tensor, radius, angle)
    run = nhviz.simulate("suslov", method="moser_veselov", params=tensor, initial=start, step=eps, duration=eps * steps)
    assert run.stopped is None
    u, v = run["u"], run["v"]
    k = tensor["I13"] * u + tensor["I23"] * v
    size = np.hypot(tensor["I13"], tensor["I23"]) * np.hypot(u, v)
    # In one half plane, until k is round-off.
    clear = np.abs(k) > 1e-10 * size
    assert len(set(np.sign(k[clear]))) <= 1
    # On the inner branch of the invariant curve: H rises along the meridian.
    psi, alpha = np.arctan2(v, u), np.arctan(0.5 * eps * np.hypot(u, v))
    assert np.all(integral(tensor, alpha + 1e-6, psi) > integral(tensor, alpha - 1e-6, psi))
    # Forward to the half-line (-I23, I13).
    assert abs(k[-1]) < 1e-3 * size[-1]
    assert tensor["I13"] * v[-1] - tensor["I23"] * u[-1] > 0
    # M2-like coordinate of the proof never decreases.
    forward = tensor["I13"] * run["M2"] - tensor["I23"] * run["M1"]
    assert np.all(np.diff(forward) >= -1e-13 * np.abs(forward).max())


@SETTINGS
@given(tensors(), angles, st.floats(0.05, 0.9))
def test_theorem_6_3(tensor, angle, part):
    delta = np.arctan2(tensor["I23"] / tensor["I22"] ** 0.5, tensor["I13"] / tensor["I11"] ** 0.5)
    # Not on the equilibrium line itself.
    assume(abs(np.cos(angle - delta)) > 1e-3)
    radius = 5.0
    eps = part * steiner.largest_step(tensor, 0.5 * radius**2)
    assume(eps < 50.0)
    steps = int(25.0 / (eps * suslov_rate(tensor, radius))) + 20
    assume(steps < 50_000)
    check_theorem_6_3(tensor, radius, angle, eps, steps)


@pytest.mark.parametrize("tensor", [GENERIC, LONG, LONGER], ids=["generic", "long", "longer"])
def test_theorem_6_3_next_to_the_pass(tensor):
    """All around the ellipse at 0.98 of the largest step, for real bodies."""
    radius = 5.0
    eps = 0.98 * steiner.largest_step(tensor, 0.5 * radius**2)
    delta = np.arctan2(tensor["I23"] / tensor["I22"] ** 0.5, tensor["I13"] / tensor["I11"] ** 0.5)
    for angle in np.linspace(0.0, 2.0 * np.pi, 48, endpoint=False) + delta + 0.01:
        check_theorem_6_3(tensor, radius, angle, eps, int(30.0 / (eps * suslov_rate(tensor, radius))) + 60)


@pytest.mark.parametrize("branch", [0, 1])
@SETTINGS
@given(tensors(), angles, st.floats(0.05, 0.95))
def test_moser_veselov_keeps_energy_on_both_branches(branch, tensor, angle, part):
    radius = 5.0
    eps = part * steiner.largest_step(tensor, 0.5 * radius**2)
    assume(eps < 50.0)
    start = suslov_start(tensor, radius, angle)
    run = nhviz.simulate(
        "suslov", method="moser_veselov", params=tensor, initial=start, step=eps, duration=50 * eps, branch=branch
    )
    energy = run.quantity("energy")
    assert energy[0] == pytest.approx(0.5 * radius**2, rel=1e-13)
    # The recurrence (30), by formulas of this file.
    before = np.array(legendre("moser_veselov", tensor, eps, run["u"], run["v"]))
    after = np.array(legendre("moser_veselov", tensor, -eps, run["u"], run["v"]))
    momenta = np.array([run["M1"], run["M2"]])
    size = radius * max(tensor["I11"], tensor["I22"]) ** 0.5
    # On the outer branch (u, v) may be next to a half turn, where the momentum is a difference of large terms.
    rho = 0.5 * eps * np.hypot(run["u"], run["v"])
    condition = 1.0 + rho**2 * (eps * np.hypot(tensor["I13"], tensor["I23"]) + 1.0)
    assume(condition.max() < 1e4)
    assert np.abs(before - momenta).max() <= 1e-12 * size * condition.max()
    assert np.abs(after[:, :-1] - momenta[:, 1:]).max() <= 1e-12 * size * condition.max()
    np.testing.assert_allclose(energy, energy[0], rtol=1e-12 * condition.max())
    if branch == 1 and len(run) > 1:
        inner = nhviz.simulate("suslov", method="moser_veselov", params=tensor, initial=start, step=eps, duration=0.0)
        assert np.hypot(run["u"][0], run["v"][0]) > np.hypot(inner["u"][0], inner["v"][0])


@SETTINGS
@given(tensors(), angles, log_uniform(0.02, 1.0))
def test_cayley_changes_energy_as_gj_7_2_says(tensor, angle, turn):
    """I22 M1^2 + I11 M2^2 changes by (eps^3 u v / 2)(I11 - I22) S k in a step."""
    radius = 5.0
    eps = turn * min(tensor["I11"], tensor["I22"]) ** 0.5 / radius
    start = suslov_start(tensor, radius, angle)
    run = nhviz.simulate("suslov", method="cayley", params=tensor, initial=start, step=eps, duration=40 * eps)
    i11, i22, i13, i23 = (tensor[name] for name in ("I11", "I22", "I13", "I23"))
    value = i22 * run["M1"] ** 2 + i11 * run["M2"] ** 2
    u, v = run["u"], run["v"]
    expected = 0.5 * eps**3 * u * v * (i11 - i22) * (i11 * u**2 + i22 * v**2) * (i13 * u + i23 * v)
    np.testing.assert_allclose(np.diff(value), expected[:-1], atol=1e-13 * value.max(), rtol=1e-12)
    after = np.array(legendre("cayley", tensor, -eps, u, v))[:, :-1]
    np.testing.assert_allclose(after, [run["M1"][1:], run["M2"][1:]], atol=1e-12 * np.sqrt(value.max()))
    equal = tensor | {"I22": i11, "I33": tensor["I33"] + 2.0 * (i13**2 + i23**2) / i11}
    run = nhviz.simulate("suslov", method="cayley", params=equal, initial=start, step=eps, duration=40 * eps)
    np.testing.assert_allclose(run.quantity("energy"), run.quantity("energy")[0], rtol=1e-12)


# --- The integral H on RP^2 ---------------------------------------------------------------------------------------


def minimax(tensor, rows=121, columns=240):
    """Lowest level that joins the identity with the half turn about the equilibrium axis, by Dijkstra on a grid."""
    alpha = np.linspace(0.0, np.pi, rows)[:, None]
    start = np.arctan2(-tensor["I13"], tensor["I23"])
    psi = start + np.linspace(0.0, 2.0 * np.pi, columns, endpoint=False)[None, :]
    heights = integral(tensor, alpha, psi)
    goals = {(rows // 2, 0), (rows // 2, columns // 2)}
    best = np.full(heights.shape, np.inf)
    best[0] = heights[0]
    queue = [(0.0, 0, column) for column in range(columns)]
    while queue:
        level, row, column = heapq.heappop(queue)
        if (row, column) in goals:
            return level
        for row_step, column_step in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)):
            near = row + row_step, (column + column_step) % columns
            if not 0 <= near[0] < rows:
                continue
            reached = max(level, heights[near])
            if reached < best[near]:
                best[near] = reached
                heapq.heappush(queue, (reached, *near))
    raise AssertionError("the goal is on the grid")


@pytest.mark.parametrize(
    ("tensor", "share"),
    [(GENERIC, 1.0), (SPECIAL, 1.0), (SKEW, 1.0), (LONG, 0.97), (LONGER, 0.9)],
    ids=["generic", "special", "skew", "long", "longer"],
)
def test_admissible_level_is_the_least_summit_of_a_meridian(tensor, share):
    """The smallest value over the directions of the largest one along each; elongated bodies fold a little earlier."""
    alpha = np.linspace(0.0, 0.5 * np.pi, 2001)[:, None]
    summits = integral(tensor, alpha, np.linspace(0.0, np.pi, 1001)[None, :]).max(axis=0)
    assert share * summits.min() * (1 - 1e-3) <= steiner.admissible_level(tensor) <= summits.min() * (1 + 1e-3)


# Its inner oval meets itself across the rim before it meets the outer one at a saddle inside, and nowhere else.
CROSSING = {"I11": 0.72, "I22": 5.06, "I33": 6.05, "I13": -1.97, "I23": -0.84}
# Every direction has the same summit: no point is a saddle.
ROUND = {"I11": 3.0, "I22": 3.0, "I33": 4.0, "I13": 0.0, "I23": 0.0}


@pytest.mark.parametrize(
    "tensor",
    [GENERIC, SPECIAL, LONG, LONGER, SKEW, CROSSING, ROUND],
    ids=["generic", "special", "long", "longer", "skew", "crossing", "round"],
)
def test_mountain_pass_by_brute_force(tensor):
    """The level at which the inner ovals meet the outer ones.

    The least summit of a meridian is lower where it is on the rim: there the inner oval meets itself.
    """
    # The grid's error at a saddle is quadratic in its spacing of 0.026.
    assert steiner.mountain_pass(tensor) == pytest.approx(minimax(tensor), rel=5e-3)


@SETTINGS
@given(tensors(most=0.97))
def test_top_level_is_the_maximum(tensor):
    alpha = np.linspace(0.0, 0.5 * np.pi, 401)[:, None]
    highest = integral(tensor, alpha, np.linspace(0.0, np.pi, 721)[None, :]).max()
    top = steiner.top_level(tensor)
    assert top >= highest * (1 - 1e-12)
    assert top == pytest.approx(highest, rel=1e-3)
    assert steiner.mountain_pass(tensor) <= top * (1 + 1e-12)
    assert steiner.invariant_curves(tensor, 1.0001 * top) == []


@SETTINGS
@given(tensors(most=0.97))
def test_critical_points_are_critical(tensor):
    step = 1e-4
    for point in steiner.critical_points(tensor):
        radius, psi = np.hypot(point.q1, point.q2), np.arctan2(point.q2, point.q1)
        alpha = np.arcsin(min(radius, 1.0))
        assert integral(tensor, alpha, psi) == pytest.approx(point.level, rel=1e-7)
        assert point.on_rim == (radius > 1 - 1e-12)

        def at(i, j, alpha=alpha, psi=psi):
            return integral(tensor, alpha + i * step, psi + j * step)

        scale = steiner.top_level(tensor) * (
            1 + 50 * max(tensor["I11"], tensor["I22"]) / min(tensor["I11"], tensor["I22"])
        )
        assert abs(at(1, 0) - at(-1, 0)) / (2 * step) <= 1e-6 * scale
        assert abs(at(0, 1) - at(0, -1)) / (2 * step) <= 1e-6 * scale
        second = (at(1, 0) + at(-1, 0) - 2 * at(0, 0)) * (at(0, 1) + at(0, -1) - 2 * at(0, 0))
        mixed = 0.25 * (at(1, 1) + at(-1, -1) - at(1, -1) - at(-1, 1))
        determinant = (second - mixed**2) / step**4
        assume(abs(determinant) > 1e-3 * point.level**2)
        assert point.saddle == (determinant < 0)


@SETTINGS
@given(tensors(most=0.97))
def test_critical_points_are_complete(tensor):
    """Morse: minima - saddles + centres = 1, the Euler characteristic of RP^2.

    The minima are the identity, the half turn about the equilibrium axis, and perhaps another half turn.
    """
    rim = integral(tensor, 0.5 * np.pi, np.linspace(0.0, np.pi, 200_000, endpoint=False))
    psi = np.linspace(0.0, np.pi, 200_000, endpoint=False)[(rim < np.roll(rim, 1)) & (rim <= np.roll(rim, -1))]
    square = (tensor["I13"] * np.cos(psi) + tensor["I23"] * np.sin(psi)) ** 2
    minima = 1 + np.sum(2.0 * square < tensor["I11"] * tensor["I22"])
    points = steiner.critical_points(tensor)
    saddles = sum(point.saddle for point in points)
    assert minima - saddles + (len(points) - saddles) == 1


@SETTINGS
@given(tensors(most=0.97), st.floats(0.02, 0.99))
# An elongated body, whose curve leaves through the rim and comes back in between.
@example({"I11": 0.905, "I22": 18.789, "I33": 18.789, "I13": 2.06, "I23": 0.0}, 0.0696)
def test_invariant_curves_lie_on_their_level(tensor, part):
    i11, i22, i13, i23 = (tensor[name] for name in ("I11", "I22", "I13", "I23"))
    level = part * steiner.top_level(tensor)
    curves = steiner.invariant_curves(tensor, level)
    assert curves
    for q1, q2 in curves:
        assert np.all(np.isfinite(q1))
        q0_squared = np.maximum(1.0 - q1**2 - q2**2, 0.0)
        found = 4.0 * (i11 * q1**2 + i22 * q2**2) * (i11 * i22 * q0_squared + (i13 * q1 + i23 * q2) ** 2)
        # Where inner and outer radius meet they are square roots of round-off apart.
        np.testing.assert_allclose(found, level, rtol=1e-7)
    # Brute force: every direction that meets the level is near a curve.
    everything = np.concatenate(curves, axis=1)
    for psi in np.linspace(0.0, 2.0 * np.pi, 25):
        alpha = np.linspace(0.0, 0.5 * np.pi, 2001)
        above = integral(tensor, alpha, psi) > level
        for cell in np.flatnonzero(above[1:] != above[:-1]):
            point = np.sin(alpha[cell]) * np.array([np.cos(psi), np.sin(psi)])
            gap = np.hypot(*(everything - point[:, None])).min()
            # On the rim opposite points are the same.
            gap = min(gap, np.hypot(*(everything + point[:, None])).min() if np.hypot(*point) > 0.99 else gap)
            assert gap <= 0.06


# --- Inverse maps -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["moser_veselov", "cayley", "exact"])
@SETTINGS
@given(tensors(), angles, st.floats(0.05, 0.85))
def test_suslov_backward_undoes_forward(method, tensor, angle, part):
    radius = 5.0
    eps = part * steiner.largest_step(tensor, 0.5 * radius**2)
    assume(eps < 50.0)
    # Errors of the way back grow by e^(rate t): keep that below e^4.
    steps = max(1, min(30, int(4.0 / (eps * suslov_rate(tensor, radius)))))
    start = suslov_start(tensor, radius, angle)
    there = nhviz.simulate("suslov", method=method, params=tensor, initial=start, step=eps, duration=steps * eps)
    assert there.stopped is None
    end = {"M1": float(there["M1"][-1]), "M2": float(there["M2"][-1])}
    assume(abs(end["M1"]) < 1000 and abs(end["M2"]) < 1000)
    back = simulate_problem(nhviz.Problem.create("suslov", method, tensor, end, eps, steps * eps), backward=True)
    assert back.stopped is None
    np.testing.assert_allclose(back.t, -there.t, rtol=1e-14)
    # Near the fold the inverse of the Legendre map stretches errors by 1 / sqrt(1 - part^2) in each step.
    tolerance = 1e-9 * radius * max(tensor["I11"], tensor["I22"]) ** 0.5
    for name in ("M1", "M2"):
        np.testing.assert_allclose(back[name][::-1], there[name], atol=tolerance)
    np.testing.assert_allclose(there["R"][-1] @ back["R"][-1], np.eye(3), atol=1e-9)
    np.testing.assert_allclose(there["R"][-1] @ back["R"][::-1], there["R"], atol=1e-9)
