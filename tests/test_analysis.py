"""Equilibria, connections, cusps, total turn, phase lead and convergence, at generic parameters."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nhviz
from nhviz.analysis.connections import connection
from nhviz.analysis.convergence import convergence
from nhviz.analysis.cusps import chords, cusps, flow_cusp, total_turn, vertices
from nhviz.analysis.equilibria import equilibria, equilibrium_line
from nhviz.analysis.phase import phase_lead, predicted_lead
from nhviz.analysis.steps import largest_step
from nhviz.simulate import run

TENSOR = {"I11": 1.7, "I22": 2.9, "I33": 3.8, "I13": -0.6, "I23": 0.45}
SPIN = {"M1": 3.1, "M2": -1.9}
SLEIGH = {"J": 1.3, "m": 0.8, "a": 0.7, "b": -0.35}
PUSH = {"theta": 0.4, "x": 0.3, "y": -0.2, "p_theta": 0.9, "p_1": -1.1}
CENTRED = {**SLEIGH, "b": 0.0}
MAPS = [
    ("suslov", "moser_veselov"),
    ("suslov", "cayley"),
    ("sleigh", "fedorov_zenkov"),
    ("sleigh", "midpoint"),
    ("sleigh", "naive"),
]
SYMMETRIC = [pair for pair in MAPS if pair[1] != "naive"]


def setting(system, method):
    """Parameters and start of the generic examples; midpoint needs b = 0."""
    if system == "suslov":
        return {"params": TENSOR, "initial": SPIN}
    return {"params": CENTRED if method == "midpoint" else SLEIGH, "initial": PUSH}


def finite_difference_multiplier(system, method, params, step, point, names):
    """Multiplier of one step of a map across the equilibrium line, by central differences of the map itself."""
    # Along the line every point rests; the other eigenvalue is the determinant of the derivative.
    size = 1e-6 * np.linalg.norm(point)
    columns = []
    for axis in np.eye(2):
        ends = []
        for sign in (1.0, -1.0):
            start = dict(zip(names, map(float, point + sign * size * axis), strict=True))
            orbit = nhviz.simulate(system, method, params, start, step, step)
            ends.append(np.array([orbit[name][1] for name in names]))
        columns.append((ends[0] - ends[1]) / (2.0 * size))
    return np.linalg.det(np.array(columns).T)


@pytest.mark.parametrize(("system", "method"), [("suslov", "exact"), ("sleigh", "exact"), *MAPS])
def test_equilibria_rest_and_their_multipliers_are_those_of_the_map(system, method):
    facts = setting(system, method)
    names = ("M1", "M2") if system == "suslov" else ("p_theta", "p_1")
    step = 0.08
    found = equilibria(system, 1.4, facts["params"], method, step)
    assert [point.stable for point in found] == [False, True]
    for point in found:
        start = dict(zip(names, map(float, point.momentum), strict=True))
        orbit = nhviz.simulate(system, method, facts["params"], start, step, 20 * step)
        assert orbit.quantity("energy")[0] == pytest.approx(1.4, rel=1e-14)
        for name in names:
            # A rest point to round-off; the unstable one lets round-off grow.
            assert np.max(np.abs(orbit[name] - start[name])) < 1e-13
        numeric = finite_difference_multiplier(system, method, facts["params"], step, point.momentum, names)
        assert point.multiplier == pytest.approx(numeric, abs=1e-8)


def test_balanced_bodies_rest_everywhere():
    assert equilibria("suslov", 1.0, {"I13": 0.0, "I23": 0.0}) == []
    assert equilibria("sleigh", 1.0, {"a": 0.0}) == []
    assert np.array_equal(equilibrium_line("sleigh", {"a": 0.0}), np.zeros(2))
    with pytest.raises(nhviz.ParameterError, match="rests"):
        connection("sleigh", params={"a": 0.0})


@pytest.mark.parametrize(("system", "method"), [("suslov", "exact"), ("sleigh", "exact"), *SYMMETRIC])
def test_connection_reaches_both_ends(system, method):
    facts = setting(system, method)
    names = ("M1", "M2") if system == "suslov" else ("p_theta", "p_1")
    whole = connection(system, method, **facts, step=0.1, gap=1e-9)
    assert max(whole.gaps) <= 1e-9
    assert whole.stopped == (None, None)
    assert np.all(np.diff(whole.t) > 0.0)
    line = equilibrium_line(system, facts["params"])
    first, last = (np.array([whole[name][end] for name in names]) for end in (0, -1))
    assert line @ first < 0.0 < line @ last
    if method != "cayley":
        # Energy is kept, or nearly: the ends are opposite points of the line.
        across = np.array([-line[1], line[0]])
        assert abs(across @ first) + abs(across @ last) < 1e-7 * np.linalg.norm(first)
    middle = int(np.flatnonzero(whole.t == 0.0)[0])
    start = run(nhviz.Problem.create(system, method, **facts, step=0.1, duration=1.0))
    for name in names:
        assert np.array_equal(whole[name][middle : middle + 11], start[name])


def test_the_naive_map_has_connections_too_between_points_of_different_energy():
    whole = connection("sleigh", "naive", SLEIGH, PUSH, step=0.1)
    assert max(whole.gaps) <= 1e-6
    assert whole["p_1"][0] < 0.0 < whole["p_1"][-1]
    assert abs(whole["p_1"][-1]) < 0.99 * abs(whole["p_1"][0])


def test_connection_through_the_middle_of_an_arc():
    for side in (1, -1):
        whole = connection("sleigh", "fedorov_zenkov", SLEIGH, step=0.1, energy=0.9, side=side)
        assert np.sign(whole["omega"][0] + whole["omega"][len(whole.t) // 2]) == side
        energy = (whole["p_theta"] + SLEIGH["b"] * whole["p_1"]) ** 2 / (2 * 1.692) + whole["p_1"] ** 2 / 1.6
        np.testing.assert_allclose(energy, 0.9, rtol=1e-12)


bodies = st.fixed_dictionaries(
    {"J": st.floats(0.2, 5.0), "m": st.floats(0.2, 5.0), "a": st.floats(0.2, 2.0), "b": st.floats(-1.5, 1.5)}
)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(bodies, st.sampled_from(["exact", "fedorov_zenkov", "midpoint"]), st.sampled_from([1, -1]))
def test_one_cusp_per_connection_and_the_total_turn(params, method, side):
    if method == "midpoint":
        params = {**params, "b": 0.0}
    energy = 1.0
    # An eighth of the bound of Theorem 7.4, so that the map is close to the flow.
    step = float(np.sqrt(params["m"] * params["a"] ** 2 / (2.0 * energy))) / 8.0
    whole = connection("sleigh", method, params, step=step, energy=energy, side=side)
    assert len(vertices(whole.t, whole.components)) == 1
    turned = whole["theta"][-1] - whole["theta"][0]
    expected = side * np.pi * np.sqrt(1.0 + params["J"] / (params["m"] * params["a"] ** 2))
    assert total_turn(params) == pytest.approx(abs(expected))
    # The ends are 1e-6 away in phase; the maps err by the square of the step.
    share = 1e-5 if method == "exact" else 0.1 * (step * np.sqrt(2.0 * energy / params["J"])) ** 2
    assert abs(turned - expected) <= share * abs(expected) + 1e-5 * abs(expected)


def test_flow_cusp_is_where_the_speed_along_the_blade_vanishes():
    cusp = flow_cusp(SLEIGH, PUSH)
    total = SLEIGH["J"] + SLEIGH["m"] * SLEIGH["a"] ** 2
    condition = SLEIGH["m"] * SLEIGH["b"] * cusp.p_theta + (total + SLEIGH["m"] * SLEIGH["b"] ** 2) * cusp.p_1
    assert abs(condition) < 1e-14
    reference = nhviz.simulate("sleigh", "reference", SLEIGH, PUSH, step=cusp.t, duration=cusp.t)
    for name in ("x", "y", "theta", "p_theta", "p_1"):
        assert reference[name][1] == pytest.approx(getattr(cusp, name), abs=1e-11)
    assert abs(reference["v"][1]) < 1e-11


@pytest.mark.parametrize("method", ["fedorov_zenkov", "midpoint"])
def test_cusps_of_the_maps_tend_to_the_flows(method):
    params = CENTRED
    truth = flow_cusp(params, PUSH)
    errors = []
    for step in (0.1, 0.05):
        orbit = nhviz.simulate("sleigh", method, params, PUSH, step, 10.0)
        (cusp,) = cusps(orbit)
        errors.append(abs(cusp.t - truth.t))
        assert np.hypot(cusp.x - truth.x, cusp.y - truth.y) < step**2 * 3.0
        assert abs(cusp.p_1 - truth.p_1) < step
    assert errors[1] < errors[0] < 0.02
    assert cusps(nhviz.simulate("sleigh", "exact", params, PUSH, 0.1, 10.0)) == [truth]
    assert cusps(nhviz.simulate("sleigh", "exact", params, PUSH, 0.1, 0.5 * truth.t)) == []


def test_a_balanced_sleigh_has_no_cusp():
    assert flow_cusp({**SLEIGH, "a": 0.0}, PUSH) is None
    assert total_turn({**SLEIGH, "a": 0.0}) is None


@pytest.mark.parametrize("method", ["fedorov_zenkov", "midpoint", "exact", "reference"])
def test_a_balanced_sleigh_runs_on_a_circle(method):
    params = {"J": 1.3, "m": 0.8, "a": 0.0, "b": 0.0}
    orbit = nhviz.simulate("sleigh", method, params, PUSH, 0.2, 20.0)
    place = orbit["x"] + 1j * orbit["y"]
    heading = np.exp(1j * orbit["theta"])
    steps = np.diff(place)
    np.testing.assert_allclose(np.abs(steps), np.abs(steps[0]), rtol=1e-10)
    ratio = steps[1:] / steps[:-1]
    np.testing.assert_allclose(ratio, heading[1] / heading[0], atol=1e-10)


@pytest.mark.parametrize(("system", "method"), SYMMETRIC)
def test_phase_lead_follows_its_leading_order(system, method):
    facts = setting(system, method)
    duration = 4.0 if system == "suslov" else 8.0
    gaps = []
    for step in (0.04, 0.02):
        orbit = nhviz.simulate(system, method, **facts, step=step, duration=duration)
        measured, predicted = phase_lead(orbit), predicted_lead(orbit)
        gaps.append(np.max(np.abs(measured - predicted)) / np.max(np.abs(predicted)))
    # The formula is the eps^2 term; the maps are symmetric, so the next one is eps^4.
    assert gaps[1] < 0.01
    assert gaps[0] / gaps[1] == pytest.approx(4.0, rel=0.15)


def test_moser_veselov_runs_ahead_and_cayley_lags_behind():
    """The generic and the special example of GJ: the opposite of the words of its remark 8.1."""
    special = {"params": {"I11": 3, "I22": 3, "I33": 5, "I13": 0, "I23": 0.5}}
    special["initial"] = {"M1": 179.9836568, "M2": 2.4255507998}
    for facts, step in (({}, 0.015), (special, 0.007)):
        ahead = phase_lead(nhviz.simulate("suslov", "moser_veselov", **facts, step=step, duration=0.5))
        behind = phase_lead(nhviz.simulate("suslov", "cayley", **facts, step=step, duration=0.5))
        assert np.all(ahead[1:] > 0.0)
        assert np.all(behind[1:] < 0.0)


def test_fedorov_zenkov_always_runs_ahead():
    lead = phase_lead(nhviz.simulate("sleigh", "fedorov_zenkov", SLEIGH, PUSH, 0.1, 8.0))
    assert np.all(lead[1:] > 0.0)


@pytest.mark.parametrize(("system", "method"), MAPS)
def test_order_at_generic_parameters(system, method):
    facts = setting(system, method)
    measured = convergence(system, method, [3.0 / n for n in (200, 400, 800, 1600)], 3.0, **facts)
    assert measured.order == pytest.approx(1.0 if method == "naive" else 2.0, abs=0.05)


def test_midpoint_is_more_accurate_than_fedorov_zenkov_without_keeping_the_energy():
    errors = {}
    for method in ("fedorov_zenkov", "midpoint"):
        names = ("p_theta", "p_1", "theta")
        errors[method] = convergence("sleigh", method, [0.1], 4.0, names, CENTRED, PUSH).errors[0]
    assert errors["midpoint"] < errors["fedorov_zenkov"]
    wobble = [
        np.ptp(nhviz.simulate("sleigh", "midpoint", CENTRED, PUSH, step, 10.0).quantity("energy"))
        for step in (0.1, 0.05)
    ]
    assert wobble[0] / wobble[1] == pytest.approx(4.0, rel=0.1)


def test_convergence_refuses_steps_that_do_not_fit():
    with pytest.raises(nhviz.ParameterError, match="divide"):
        convergence("sleigh", "midpoint", [0.3], 1.0)
    with pytest.raises(nhviz.ParameterError, match="stops"):
        convergence("suslov", "moser_veselov", [0.05], 1.0)


def test_largest_step_of_the_papers_examples():
    assert largest_step("suslov", "moser_veselov") == pytest.approx(0.03273, abs=5e-6)
    special = {"I11": 3, "I22": 3, "I33": 5, "I13": 0, "I23": 0.5}
    assert largest_step("suslov", "moser_veselov", special, {"M1": 179.9836568, "M2": 2.4255507998}) == pytest.approx(
        0.016667, abs=5e-7
    )
    assert largest_step("suslov", "cayley") is None
    assert largest_step("suslov", "exact") is None
    assert largest_step("suslov", "moser_veselov", energy=0.0) is None
    with pytest.raises(nhviz.ParameterError, match="energy"):
        largest_step("suslov", "moser_veselov", energy=-1.0)


def test_beyond_the_fold_a_run_keeps_what_it_has_and_names_both_steps():
    orbit = nhviz.simulate("suslov", "moser_veselov", step=0.034)
    n = len(orbit)
    assert 1 <= n < orbit.problem.samples
    assert orbit.stopped.startswith(f"no real branch after step {n - 1}:")
    assert "0.034" in orbit.stopped
    assert "0.0327338" in orbit.stopped


def test_chords_are_signed():
    orbit = nhviz.simulate("sleigh", "fedorov_zenkov")
    signs = np.sign(chords(orbit.components))
    assert signs[0] == -1.0
    assert signs[-1] == 1.0
