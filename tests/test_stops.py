"""A run that ends early says after how many steps: as many as it has made, whichever samples it keeps."""

import re

import numpy as np
import pytest

import nhviz
from nhviz import groups, ll, registry
from nhviz.methods import stops
from nhviz.simulate import run

# Runs that end after some steps: system, method, parameters, initial values, step, options; gains are over the step.
LATE = [
    ("suslov", "moser_veselov", {}, {}, 0.0331, {}),
    ("suslov", "cayley", {"I11": 0.078, "I22": 4.838, "I33": 41.0, "I13": 0.343, "I23": 0.034},
     {"M1": -0.761, "M2": -2.88}, 8.8155, {}),
    ("suslov", "feedback", {}, {}, 0.0484, {}),
    ("sleigh", "fedorov_zenkov", {"J": 2.638, "a": 0.358, "b": 0.308}, {"p_theta": 0.87, "p_1": -2.903}, 0.618, {}),
    ("sleigh", "midpoint", {"J": 1.944, "a": 0.152}, {"p_theta": 0.306, "p_1": -2.285}, 2.0809, {}),
    ("sleigh", "naive", {"J": 1.775, "a": 0.17}, {"p_theta": -0.245, "p_1": -2.806}, 1.6209, {}),
    ("sleigh", "feedback", {}, {}, 1.3692, {}),
    ("sphere", "fedorov", {}, {}, 0.7902, {}),
    ("knife_edge", "feedback", {}, {}, 0.0235, {"k1": 3.0}),
    ("knife_edge", "feedback", {}, {}, 0.0116, {"k1": 4.0, "base": "rk4"}),
    ("roller_racer", "feedback", {}, {}, 0.0166, {"k1": 4.0}),
    ("heisenberg", "feedback", {}, {}, 0.7795, {}),
    ("oscillator", "dla", {}, {}, 2.3256, {}),
    ("oscillator", "feedback", {}, {}, 0.0196, {"k1": 4.0}),
    ("suslov_n", "moser_veselov", {}, {"p1": 0.987, "p2": -0.821}, 1.3151, {}),
    ("sleigh_n", "fedorov_zenkov", {}, {}, 0.7633, {}),
    ("sphere_n", "fedorov", {}, {}, 0.6927, {}),
    ("sphere_vertical", "fedorov", {}, {}, 1.7304, {}),
]  # fmt: skip
# Maps that cannot make their first step, with a step like this.
NEVER = [
    ("suslov", "moser_veselov", 0.7), ("sleigh", "fedorov_zenkov", 4.7), ("sleigh", "midpoint", 3.6),
    ("sleigh", "naive", 5.9), ("sphere", "fedorov", 3.7), ("suslov_n", "moser_veselov", 1.8),
    ("sleigh_n", "fedorov_zenkov", 3.8), ("sphere_n", "fedorov", 4.4),
    ("sphere_vertical", "fedorov", 3.7),
]  # fmt: skip
TOP = ll.define(
    groups.special_orthogonal(3), np.array([[1.0, 0.0, 0.4], [0.0, 2.0, 0.3], [0.4, 0.3, 3.0]]), allowed=["w1", "w2"]
)


def steps_said(reason):
    """The number of steps in a sentence."""
    (found,) = re.findall(r"after step (\d+)[:;]", reason)
    return int(found)


def problem(system, method, params, initial, step, options, every=1):
    scaled = {name: value if isinstance(value, str) else value / step for name, value in options.items()}
    return nhviz.Problem.create(system, method, params, initial, step, 84 * step, every, scaled)


def test_every_map_that_can_stop_is_here():
    """The momenta of the rolling disk are constant even for the plain scheme: it has nothing to lose."""
    maps = {(s.id, m.id) for s in registry.registered().values() for m in s.methods if m.discrete}
    assert maps - {(system, method) for system, method, *_ in LATE} == {("rolling_disk", "feedback")}


@pytest.mark.parametrize("every", [1, 2, 3, 7, 84])
@pytest.mark.parametrize("settings", LATE, ids=lambda settings: " ".join(settings[:2]))
def test_the_number_is_that_of_the_steps_made(settings, every):
    orbit = run(problem(*settings))
    made = len(orbit) - 1
    assert 1 < made < 84
    assert steps_said(orbit.stopped) == made
    thin = run(problem(*settings, every=every))
    assert thin.stopped == orbit.stopped
    assert len(thin) == made // every + 1


@pytest.mark.parametrize("settings", LATE, ids=lambda settings: " ".join(settings[:2]))
def test_one_step_less_does_not_stop(settings):
    """All steps that were made can be made; the next one cannot."""
    whole = problem(*settings)
    made = len(run(whole)) - 1
    for steps in (made, made + 1):
        orbit = nhviz.Problem.from_dict({**whole.to_dict(), "duration": steps * whole.step})
        assert (run(orbit).stopped is None) == (steps == made)


@pytest.mark.parametrize("settings", LATE, ids=lambda settings: " ".join(settings[:2]))
def test_backward_runs_count_alike(settings):
    orbit = run(problem(*settings), backward=True)
    if orbit.stopped is not None and len(orbit) > 1:
        assert steps_said(orbit.stopped) == len(orbit) - 1


@pytest.mark.parametrize("every", [1, 3])
@pytest.mark.parametrize(("system", "method", "step"), NEVER)
def test_no_step_at_all_is_said(system, method, step, every):
    orbit = nhviz.simulate(system, method, step=step, duration=6 * step, every=every)
    assert len(orbit) == 1
    assert orbit.stopped.startswith("no real branch before the first step is complete: the principal branch has folded")


@pytest.mark.parametrize("every", [1, 2, 5])
@pytest.mark.parametrize(
    ("lagrangian", "velocity", "step"), [("difference", [1.06, 0.63], 0.78), ("logarithm", [-1.84, 1.94], 1.096)]
)
def test_orbits_of_any_group_count_alike(lagrangian, velocity, step, every):
    orbit = TOP.orbit(velocity=velocity, step=step, duration=40 * step, lagrangian=lagrangian)
    thin = TOP.orbit(velocity=velocity, step=step, duration=40 * step, lagrangian=lagrangian, every=every)
    made = orbit.t.size - 1
    assert steps_said(orbit.stopped) == made > 1
    assert (thin.stopped, thin.t.size) == (orbit.stopped, made // every + 1)


def test_words():
    assert stops.after(3) == "after step 3"
    assert stops.after(0) == stops.after(-1) == "before the first step is complete"


def test_nothing_is_computed_with_memory_behind_the_end(monkeypatch):
    """Whatever is in it; warnings of numpy are errors here."""
    monkeypatch.setattr("numpy.empty", lambda shape, dtype=float, **_: np.full(shape, np.inf).astype(dtype))
    start = {"L2": 1.6, "p_1": -6.8}
    run = nhviz.simulate("sleigh_n", "fedorov_zenkov", {"a1": 0.3, "a2": 0.5}, start, step=3.0, duration=150.0)
    assert run.stopped.startswith("no real branch")
    assert len(run) == 1
