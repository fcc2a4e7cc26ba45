"""What stands behind the runs of a portrait: equilibria with their stability, levels of the energy, cusps."""

import numpy as np
import pytest

from tests.pictures import flows
from tests.pictures.bodies import USUAL
from tests.pictures.reading import ROUNDED, close, page, points

TOPS = pytest.mark.parametrize("query", [USUAL["suslov_n"], "n=3&duration=10"])
SLEIGHS = pytest.mark.parametrize("query", [USUAL["sleigh_n"], "n=2", "a1=-0.3"])


def top(params):
    """Moments C = diag(J_i + J_n), j, and the rates of the momenta p = C w: C w' = w <j, w> - j |w|^2 (FZ (4.10))."""
    count = int(params["n"]) - 1
    c = np.array([params[f"J{i}"] + params["Jn"] for i in range(1, count + 1)])
    j = np.array([params[f"J{i}n"] for i in range(1, count + 1)])

    def rates(_, p):
        w = p / c
        return w * (j @ w) - j * (w @ w)

    return c, rates


def sleigh(params):
    """The matrix K with (L, p_1) = K (w, v), and the rates of these momenta.

    M is the mass matrix about the blade, q = M (0, -w, v); twice the energy is (0, -w, v) q + M_11 |w|^2, and
    L_i' = -(q_1 w_i + M_i1 |w|^2), p_1' = m a_1 |w|^2.
    """
    n, m = int(params["n"]), params["m"]
    tensor = np.diag([params[f"J{i}"] for i in range(1, n + 1)])
    tensor[0, 1:] = tensor[1:, 0] = [params[f"J1{i}"] for i in range(2, n + 1)]
    a = np.array([params[f"a{i}"] for i in range(1, n + 1)])
    mass = np.block([[tensor + m * np.outer(a, a), m * a[:, None]], [m * a[None], np.array([[m]])]])
    row = np.zeros((n + 1, n))
    row[1:n, : n - 1], row[n, n - 1] = -np.eye(n - 1), 1.0
    k = row.T @ mass @ row + np.diag([mass[0, 0]] * (n - 1) + [0.0])

    def rates(_, momentum):
        velocity = np.linalg.solve(k, momentum)
        w, q = velocity[:-1], mass @ row @ velocity
        return np.array([*(-(q[0] * w + mass[1:n, 0] * (w @ w))), m * a[0] * (w @ w)])

    return k, rates


def check_ends(drawn, rates, level, energy):
    """The stable point attracts, the unstable one repels, both rest at the energy, and both end the drawn line."""
    ends = [points(drawn.one(name))[:, 0] for name in ("stable", "unstable")]
    assert flows.growth(rates, ends[0]) < 0.0 < flows.growth(rates, ends[1])
    for end in ends:
        assert np.abs(rates(0.0, end)).max() <= 20.0 * ROUNDED * np.abs(end).max() * abs(flows.growth(rates, end))
        assert level(end) == pytest.approx(energy, rel=20.0 * ROUNDED)
    assert drawn.one("stable")["marker"]["color"] == drawn.one("stable")["marker"]["line"]["color"]
    assert drawn.one("unstable")["marker"]["color"] == drawn.layout["paper_bgcolor"]
    line = [t for t in drawn.traces if t.get("mode") == "lines" and "meta" not in t][-1]
    assert sorted(points(line).T.tolist()) == sorted(end.tolist() for end in ends)


@TOPS
def test_the_top_goes_from_the_unstable_turn_to_the_stable_one(query):
    here = page("suslov_n", query)
    c, rates = top(here.panel.params)
    start = np.array([here.panel.initial[f"p{i + 1}"] for i in range(len(c))])
    check_ends(here.view("momentum"), rates, lambda p: 0.5 * np.sum(p**2 / c), 0.5 * np.sum(start**2 / c))


@TOPS
def test_the_level_behind_the_top_is_that_of_its_energy(query):
    here = page("suslov_n", query)
    c, _ = top(here.panel.params)
    level = points(here.view("momentum").traces[0])
    start = np.array([here.panel.initial[f"p{i + 1}"] for i in range(len(c))])
    energies = np.sum(level**2 / c[:, None], axis=0)
    assert close(energies, np.full(energies.size, np.sum(start**2 / c)), times=8.0)
    assert close(level.max(axis=1), -level.min(axis=1), times=2.0)


def test_the_lines_on_the_ellipsoid_follow_the_flow():
    here = page("suslov_n", USUAL["suslov_n"])
    c, rates = top(here.panel.params)
    drawn = here.view("momentum")
    lines = points(drawn.traces[1]).T
    start = np.array([here.panel.initial[f"p{i + 1}"] for i in range(len(c))])
    energies = np.sum(lines**2 / c, axis=1) / np.sum(start**2 / c)
    # The classical method of Runge and Kutta with a hundred steps from end to end.
    assert np.abs(energies - 1.0).max() <= 1e-3
    steps = np.diff(lines, axis=0)
    long = np.linalg.norm(steps, axis=1) > 0.02 * np.abs(lines).max()
    middle = 0.5 * (lines[1:] + lines[:-1])[long]
    flow = np.array([rates(0.0, point) for point in middle])
    cosines = np.sum(steps[long] * flow, axis=1) / np.linalg.norm(steps[long], axis=1) / np.linalg.norm(flow, axis=1)
    # Drawn there and back: along the flow or against it.
    assert long.sum() > 200
    assert np.abs(cosines).min() > 0.99
    assert cosines.min() < 0.0 < cosines.max()


@SLEIGHS
def test_the_sleigh_goes_from_the_unstable_straight_motion_to_the_stable_one(query):
    here = page("sleigh_n", query)
    k, rates = sleigh(here.panel.params)
    names = [f"L{i}" for i in range(2, len(k) + 1)] + ["p_1"]
    start = np.array([here.panel.initial[name] for name in names])

    def level(momentum):
        return 0.5 * momentum @ np.linalg.solve(k, momentum)

    check_ends(here.view("momentum"), rates, level, level(start))


@SLEIGHS
def test_the_cusps_of_the_sleigh_are_where_its_speed_changes_sign(query):
    here = page("sleigh_n", query)
    n, lead = int(here.panel.params["n"]), here.alone(next(iter(here.panel.runs)))
    place = np.stack([lead[f"x{i}"] for i in range(1, n + 1)])
    turns = np.flatnonzero(np.diff(np.sign(lead["v"])))
    assert turns.size or query == "a1=-0.3"
    expected = []
    for i in turns:
        share = lead["v"][i] / (lead["v"][i] - lead["v"][i + 1])
        expected.append((1.0 - share) * place[:, i] + share * place[:, i + 1])
    for view in ("path", "motion"):
        marks = [points(t) for t in here.view(view).named("cusp") if points(t).size]
        found = np.concatenate(marks, axis=1) if marks else np.zeros((n, 0))
        assert close(found, np.array(expected).T.reshape(n, -1), times=2.0) if expected else not found.size
