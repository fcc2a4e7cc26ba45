"""Measures against other ways to find the same numbers, at cells of maps without any symmetry."""

import math

import numpy as np
import pytest

import nhviz
from nhviz.analysis import cusps, phase, sleigh_turn, vertical
from nhviz.analysis.drift import drift_of
from nhviz.analysis.limit_axes import limit_axes_angle
from nhviz.analysis.oscillator_section import return_map
from nhviz.analysis.steps import largest_step
from nhviz.maps import cayley_folds, steiner
from nhviz.maps.sphere_branches import point_of_start
from nhviz.measures.suslov import cayley_radii, moser_veselov_radii
from nhviz.methods import ellipse
from nhviz.registry import find

STRANGE = {"J1": 0.01, "J2": 0.2, "J3": 1.0, "m": 0.2}
TOP = {"I11": 3.3, "I22": 4.1, "I33": 9.0}
SLED = {"m": 1.3, "b": 0.4}


def cells(found, count=25):
    """Some cells of a map, with their problems and values."""
    chance = np.random.default_rng(11)
    for i, j in zip(chance.integers(0, found.x.size, count), chance.integers(0, found.y.size, count), strict=True):
        yield found.problem(i, j), found.values[j, i]


def random_tensors(count):
    """Tensors of bodies of any shape, rods among them, some of them without a product of inertia."""
    chance, found = np.random.default_rng(5), []
    while len(found) < count:
        i11, i22, i33 = 10.0 ** chance.uniform(-2.0, 2.0, 3)
        i13, i23 = chance.uniform(-1.0, 1.0, 2) * np.sqrt([i11 * i33, i22 * i33]) * (chance.random(2) > 0.1)
        if i33 > i13**2 / i11 + i23**2 / i22:
            found.append((i11, i22, i13, i23))
    return np.array(found)


def test_largest_steps_of_all_tops_are_the_single_ones():
    tensors = random_tensors(150)
    found = np.empty(len(tensors))
    moser_veselov_radii(tensors, found)
    single = [math.sqrt(steiner.admissible_level_of(tuple(t)) / (4.0 * t[0] * t[1])) for t in tensors.tolist()]
    # The same formulas: only the last digits of cosines may differ.
    assert found == pytest.approx(np.array(single), rel=1e-13)
    cayley_radii(tensors[:40], found[:40])
    assert found[:40].tolist() == [cayley_folds.least_radius(tuple(t)) for t in tensors[:40].tolist()]


def test_up_to_the_largest_step_every_start_of_the_energy_has_a_step():
    found = nhviz.sweep("suslov", "largest_step", ("I13", -2.0, 2.3, 5), ("I23", -1.7, 2.0, 5), params=TOP)
    for problem, value in cells(found, 6):
        params, plane = dict(problem.params), find("suslov").plane
        energy = float(ellipse.energy(plane, params, np.array([v for _, v in problem.initial])))
        m1, m2 = ellipse.ellipse(plane, params, energy, 721)
        for share, stops in ((1.0 - 1e-6, False), (1.0 + 1e-3, True)):
            step = share * value
            runs = nhviz.ensemble(
                "suslov", "moser_veselov", params, {"M1": m1, "M2": m2}, step=step, duration=step, skip=("R",)
            )
            assert any(runs.stopped) == stops


@pytest.mark.parametrize("method", ["fedorov_zenkov", "midpoint", "naive"])
def test_largest_steps_of_the_sleigh(method):
    params = SLED if method != "midpoint" else {"m": 1.3}
    found = nhviz.sweep("sleigh", "largest_step", ("J", 0.1, 5.0, 9), ("a", -2.0, 1.7, 9), method, params=params)
    for problem, value in cells(found):
        single = largest_step("sleigh", method, dict(problem.params), dict(problem.initial))
        assert value == pytest.approx(single, rel=1e-14)


def test_angles_between_limit_axes():
    found = nhviz.sweep("suslov", "axes_angle", ("I13", -3.0, 3.1, 9), ("I23", -3.0, 2.7, 9), params=TOP)
    for problem, value in cells(found):
        assert value == pytest.approx(limit_axes_angle(dict(problem.params)), rel=1e-13)


def test_the_flow_has_its_cusp_where_it_stands():
    axes = ("J", 0.3, 5.0, 7), ("a", -2.0, 1.7, 7)
    maps = {q: nhviz.sweep("sleigh", q, *axes, "exact", params=SLED) for q in ("cusp_time", "cusp_x", "cusp_y")}
    ahead = 0
    for j, i in np.ndindex(7, 7):
        time, x, y = (found.values[j, i] for found in maps.values())
        problem = maps["cusp_time"].problem(i, j)
        known = cusps.flow_cusp(dict(problem.params), dict(problem.initial))
        assert (time, x, y) == pytest.approx((known.t, known.x, known.y), rel=1e-12, abs=1e-12)
        if 0.0 < time < 50.0:
            ahead += 1
            run = nhviz.simulate("sleigh", "reference", dict(problem.params), step=time, duration=time)
            assert run["v"][-1] == pytest.approx(0.0, abs=1e-9)
            assert (run["x"][-1], run["y"][-1]) == pytest.approx((x, y), abs=1e-9)
    assert ahead > 5


@pytest.mark.parametrize("method", ["fedorov_zenkov", "naive"])
def test_cusps_and_phase_leads_of_maps_are_those_of_their_runs(method):
    axes = {"x": ("J", 0.1, 5.0, 9), "y": ("a", 0.2, 2.0, 9), "params": SLED, "step": 0.02, "duration": 30.0}
    when = nhviz.sweep("sleigh", "cusp_time", method=method, **axes)
    lead = nhviz.sweep("sleigh", "phase_lead", method=method, **axes)
    assert np.isfinite(when.values).sum() > 5
    for (problem, time), (_, ahead) in zip(cells(when, 12), cells(lead, 12), strict=True):
        run = nhviz.simulate(problem)
        known = cusps.cusps(run)
        # More than 1024 steps are taken in pieces, each with a first guess of its own.
        assert time == pytest.approx(known[0].t, rel=1e-10) if known else np.isnan(time)
        assert ahead == pytest.approx(phase.phase_lead(run)[-1], abs=1e-11)


@pytest.mark.parametrize("method", ["moser_veselov", "cayley"])
def test_phase_leads_of_the_top(method):
    found = nhviz.sweep("suslov", "phase_lead", ("I13", -2.0, 2.3, 9), ("step", 0.002, 0.05, 9), method, params=TOP)
    stopped = 0
    for problem, value in cells(found):
        run = nhviz.simulate(problem)
        stopped += run.stopped is not None
        assert np.isnan(value) if run.stopped else value == pytest.approx(phase.phase_lead(run)[-1], abs=1e-11)
    assert stopped > 2 or method == "cayley"


def test_total_turns():
    axes = ("J", 0.1, 5.0, 9), ("p_1", -2.0, 2.1, 9)
    found = nhviz.sweep("sleigh", "total_turn", *axes, "fedorov_zenkov", params=SLED | {"a": 0.7}, step=0.3)
    for problem, value in cells(found, 8):
        params, start = dict(problem.params), dict(problem.initial)
        plane = find("sleigh").plane
        z = plane.matrix(params) @ np.array([start["p_theta"], start["p_1"]])
        turn = sleigh_turn.total_turn(params, problem.step, 0.5 * float(z @ z), math.atan2(z[1], abs(z[0])))
        assert value == pytest.approx(turn, rel=1e-14)
    flow = nhviz.sweep("sleigh", "total_turn", *axes, "exact", params={"m": 1.3, "a": -0.7})
    for problem, value in cells(flow, 5):
        assert value == pytest.approx(math.pi * math.sqrt(1.0 + dict(problem.params)["J"] / (1.3 * 0.49)), rel=1e-15)


def test_real_rotations_and_folds_of_balls():
    axes = ("J1", 0.1, 0.9, 9), ("omega1", -6.0, 5.0, 9)
    count = nhviz.sweep("sphere", "branch_count", *axes, step=0.5)
    fold = nhviz.sweep("sphere", "largest_step", *axes)
    assert len(np.unique(count.values)) > 1
    for (problem, number), (_, step) in zip(cells(count), cells(fold), strict=True):
        params, start = dict(problem.params), dict(problem.initial)
        assert number == len(nhviz.branches("sphere", "fedorov", params, 0.5, point_of_start(params, start)))
        assert step == pytest.approx(largest_step("sphere", "fedorov", params, start), rel=1e-13)


def test_rotation_numbers_of_the_vertical_ball():
    found = nhviz.sweep("sphere", "rotation_number", ("h", -0.5, 0.7, 9), ("level", 0.7, 1.25, 9), params=STRANGE)
    beyond = 0
    for j, i in np.ndindex(9, 9):
        h, level, value = found.x[i], found.y[j], found.values[j, i]
        try:
            known = vertical.vertical_map(STRANGE, h, level)
        except nhviz.ParameterError:
            beyond += 1
            assert np.isnan(value)
            assert any(word in found.reason(i, j) for word in ("empty", "fold", "rests"))
        else:
            if (i + j) % 4 == 0:
                rotation = known.rotation()
                assert value == pytest.approx(rotation.value, abs=1e-10 + rotation.error)
    assert 5 < beyond < 60


def test_locked_rotation_numbers_and_the_run_of_a_cell():
    found = nhviz.sweep(
        "sphere", "rotation_number", ("h", 0.61454, 0.61464, 11), params=STRANGE, options={"level": 1.149}
    )
    # The plateau is [0.614537, 0.614645]: orbits settle slowly there, but a cycle is a cycle.
    assert (found.values == -1.0 / 6.0).all()
    beside = nhviz.sweep(
        "sphere", "rotation_number", ("h", 0.61453, 0.61466, 2), params=STRANGE, options={"level": 1.149}
    )
    assert (beside.values != -1.0 / 6.0).all()
    run = nhviz.simulate(found.problem(1))
    momentum, gamma = (np.stack([run[f"{name}{i}"] for i in (1, 2, 3)], axis=1) for name in ("K", "gamma"))
    assert np.cross(momentum, gamma) == pytest.approx(0.0, abs=1e-13 * np.abs(momentum).max())
    assert run.problem.step * np.sum(momentum * gamma, axis=1) == pytest.approx(found.x[1], rel=1e-12)


def test_the_section_of_the_oscillator():
    found = nhviz.sweep("oscillator", "rotation_number", ("y", -3.0, 2.0, 6), ("p_y", 0.3, 40.0, 5))
    for problem, value in cells(found, 8):
        assert value == pytest.approx(return_map(dict(problem.initial)).rotation_number, abs=1e-12)
    still = nhviz.sweep("oscillator", "rotation_number", ("y", 0.0, 2.0, 3), initial={"p_y": 0.0})
    assert "never crosses" in still.reason(0)


def test_drifts_are_those_of_runs():
    for system, method, x in (("suslov", "cayley", ("I13", 0.3, 2.0, 4)), ("oscillator", "dla", ("z", 0.1, 0.9, 4))):
        step = 0.01
        for quantity in ("energy", "constraint"):
            found = nhviz.sweep(system, f"{quantity}_drift", x, method=method, step=step, duration=0.5)
            for i in range(4):
                known = drift_of(nhviz.simulate(found.problem(i)), quantity).max()
                assert found.values[i] == pytest.approx(known, rel=1e-12)


def test_orders_are_seen():
    for system, method, order in (("sleigh", "fedorov_zenkov", 2), ("sleigh", "naive", 1), ("sphere", "fedorov", 2)):
        x = ("step", 1e-3, 4e-3, 3) if system == "sleigh" else ("omega1", 0.5, 1.0, 3)
        found = nhviz.sweep(system, "order", x, method=method, step=None if system == "sleigh" else 0.01, duration=1.0)
        assert found.values == pytest.approx(order, abs=0.02)


def test_with_the_largest_stable_gain_the_scheme_is_at_its_bound():
    for base, bound in (("euler", 2.0), ("rk4", 2.785293563405282)):
        found = nhviz.sweep(
            "roller_racer", "stable_gain", ("d2", 0.2, 0.9, 3), method="feedback", options={"base": base}, duration=2.0
        )
        for i, value in enumerate(found.values.tolist()):
            gains = dict.fromkeys(("k1", "k2", "k3"), value)
            again = nhviz.sweep(
                "roller_racer", "stability", found.sweep.x, method="feedback", options=gains | {"base": base},
                duration=2.0,
            )  # fmt: skip
            assert again.values[i] == pytest.approx(bound, rel=1e-12)


def test_real_branches_of_the_top():
    found = nhviz.sweep(
        "suslov", "branch_count", ("M1", -200.0, 170.0, 9), ("I13", -2.0, 2.3, 9), params=TOP, step=0.03
    )
    assert len(np.unique(found.values)) > 1
    for problem, value in cells(found):
        at = dict(problem.initial)
        assert value == len(nhviz.branches("suslov", "moser_veselov", dict(problem.params), problem.step, at))
