"""A flow that is drawn as a smooth line is computed once: its run is part of that, but for round-off."""

from dataclasses import replace

import numpy as np
import pytest

import nhviz
from nhviz.frame import find
from nhviz.frame.shown import SMOOTH, panels, refinement
from nhviz.frame.state import State, opening
from nhviz.problem import Problem


def state_with(lab, **numbers):
    """The opening state of a lab with some numbers changed."""
    found = find.lab(lab)
    data = opening(found, found.scenes[0]).to_dict()
    return State.from_dict(found, data | {"numbers": data["numbers"] | numbers})


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
        ("suslov", "exact", {}),
        ("sleigh", "exact", {"step": 0.19}),
    ],
)
def test_a_run_is_part_of_its_smooth_line(lab, flow, numbers):
    run = Counted()
    (panel,) = panels(state_with(lab, **numbers), run=run).values()
    alone, found, fine = nhviz.simulate(panel.problems[flow]), panel.runs[flow], panel.smooth(flow)
    assert found.problem == panel.problems[flow]
    assert np.array_equal(found.t, alone.t)
    assert set(found.components) == set(alone.components)
    assert max(np.abs(found[name] - alone[name]).max() for name in alone.components) <= 1e-12
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
    assert np.abs(found["x"] - alone["x"]).max() <= 1e-12
    assert panel.smooth("reference") is found


@pytest.mark.parametrize(("steps", "samples"), [(1, 240), (3, 80), (100, 3), (120, 2), (239, 2), (240, 1), (5000, 1)])
def test_refinement(steps, samples):
    problem = Problem.create("sphere", "reference", step=0.1, duration=0.1 * steps)
    assert refinement(problem) == samples
    assert refinement(replace(problem, every=2)) == 1


def test_a_flow_of_no_duration_stays_where_it_is():
    assert refinement(Problem.create("sphere", "reference", duration=0.0)) == 1
