"""A flow that is integrated is so once: its run is part of the smooth line that is drawn, to the last bit."""

from dataclasses import replace

import numpy as np
import pytest

import nhviz
from nhviz.frame import find
from nhviz.frame.shown import SMOOTH, panels, refinement
from nhviz.frame.state import State, opening
from nhviz.problem import Problem


def state_with(lab, flow="", **numbers):
    """The opening state of a lab with some numbers changed, and another flow if one is named."""
    found = find.lab(lab)
    data = opening(found, found.scenes[0]).to_dict()
    data["numbers"] |= numbers
    data["variants"] = {word: [flow, *ids[1:]] if flow else ids for word, ids in data["variants"].items()}
    return State.from_dict(found, data)


class Counted:
    """Makes runs and remembers their problems."""

    def __init__(self):
        self.problems = []

    def __call__(self, problem):
        self.problems.append(problem)
        return nhviz.simulate(problem)


@pytest.mark.parametrize(
    ("lab", "flow", "numbers"),
    [
        ("sphere", "reference", {}),
        ("sphere", "reference", {"step": 0.37, "duration": 11.0}),
        ("sphere_n", "reference", {"step": 0.7}),
        ("sleigh_n", "reference", {"step": 0.13}),
        ("suslov_n", "reference", {"step": 0.3}),
        ("suslov", "reference", {"step": 0.9}),
        ("sleigh", "reference", {"step": 0.19}),
    ],
)
def test_a_run_is_part_of_its_smooth_line(lab, flow, numbers):
    run = Counted()
    (panel,) = panels(state_with(lab, flow, **numbers), run=run).values()
    alone, found, fine = nhviz.simulate(panel.problems[flow]), panel.runs[flow], panel.smooth(flow)
    assert found.problem == panel.problems[flow]
    assert np.array_equal(found.t, alone.t)
    assert set(found.components) == set(alone.components)
    assert all(np.array_equal(found[name], alone[name]) for name in alone.components)
    stride = refinement(found.problem)
    assert len(fine) - 1 == stride * (len(found) - 1) >= SMOOTH
    assert all(np.array_equal(fine[name][::stride], found[name]) for name in fine.components)
    panel.orbits("t")
    assert len(run.problems) == len(panel.problems)


def test_flows_with_enough_instants_are_their_own_lines():
    (panel,) = panels(state_with("suslov_n")).values()
    assert panel.smooth("reference") is panel.runs["reference"]


def test_a_flow_that_ends_early_is_drawn_as_far_as_its_run():
    def admitted(problem: Problem) -> Problem:
        return replace(problem, budget=60) if problem.method == "reference" else problem

    (panel,) = panels(state_with("sphere"), admitted=admitted).values()
    alone, found = nhviz.simulate(panel.problems["reference"]), panel.runs["reference"]
    assert alone.stopped
    assert found.stopped
    assert 1 < len(found) < 101
    assert np.array_equal(found.t, alone.t)
    assert np.array_equal(found["x"], alone["x"])
    assert panel.smooth("reference") is found


@pytest.mark.parametrize(("lab", "numbers"), [("sleigh", {}), ("suslov", {"step": 0.031}), ("sleigh", {"step": 0.19})])
def test_a_closed_form_is_part_of_its_smooth_line_up_to_round_off(lab, numbers):
    """Its places are sums over its samples."""
    run = Counted()
    (panel,) = panels(state_with(lab, "exact", **numbers), run=run).values()
    alone, found = nhviz.simulate(panel.problems["exact"]), panel.runs["exact"]
    assert np.array_equal(found.t, alone.t)
    assert max(np.abs(found[name] - alone[name]).max() for name in alone.components) < 1e-12
    assert panel.smooth("exact") is not found
    assert len(run.problems) == len(panel.problems)


@pytest.mark.parametrize(("steps", "samples"), [(1, 256), (3, 128), (60, 4), (100, 2), (199, 2), (200, 1), (5000, 1)])
def test_refinement(steps, samples):
    problem = Problem.create("sphere", "reference", step=0.1, duration=0.1 * steps)
    assert refinement(problem) == samples
    assert refinement(replace(problem, every=2)) == 1


def test_a_flow_of_no_duration_stays_where_it_is():
    assert refinement(Problem.create("sphere", "reference", duration=0.0)) == 1
