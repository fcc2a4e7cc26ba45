"""The budget of internal steps is part of a problem: what a run is depends on that, and not on its samples."""

import json

import numpy as np
import pytest

import nhviz
from nhviz.__main__ import main
from nhviz.methods import reference
from nhviz.simulate import run


@pytest.mark.parametrize("system", nhviz.systems())
def test_a_point_of_the_flow_does_not_depend_on_samples_or_duration(system):
    """Equal in every bit: with more samples, with fewer, and in a run that goes on."""
    step = nhviz.describe(system)["step"]["default"]
    dense = nhviz.simulate(system, "reference", step=step, duration=60 * step)
    thin = nhviz.simulate(system, "reference", step=step, duration=60 * step, every=20)
    long = nhviz.simulate(system, "reference", step=step, duration=90 * step, every=3)
    for name, values in dense.components.items():
        assert np.array_equal(values[::20], thin[name])
        assert np.array_equal(values[::3], long[name][:21])


@pytest.mark.parametrize("system", nhviz.systems())
def test_every_reference_flow_obeys_its_budget(system):
    found = nhviz.simulate(system, "reference", budget=1)
    assert len(found) < found.problem.samples
    assert "its budget of 1 internal steps is spent" in found.stopped
    assert run(found.problem, backward=True).stopped is not None


@pytest.mark.parametrize("every", [1, 7, 50])
def test_a_budget_ends_a_run_at_one_time_whatever_is_kept_of_it(every):
    whole = nhviz.simulate("sphere", "reference", step=0.05, duration=40.0, budget=200)
    found = nhviz.simulate("sphere", "reference", step=0.05, duration=40.0, every=every, budget=200)
    assert 100 < len(whole) < 700
    assert "200 internal steps" in found.stopped
    assert f"ended at t = {found.t[-1]:.6g}" in found.stopped
    assert len(found) == (len(whole) - 1) // every + 1
    assert np.array_equal(found["R"], whole["R"][::every])


def test_a_budget_that_suffices_changes_nothing():
    free, bounded = (nhviz.simulate("sphere", "reference", budget=budget) for budget in (None, 10_000))
    assert np.array_equal(free["R"], bounded["R"])


def test_each_orbit_of_an_ensemble_has_the_budget():
    starts = {"p_1": [-0.1, -50.0]}
    found = nhviz.ensemble("sleigh", "reference", initial=starts, budget=60)
    assert found.base.budget == 60
    assert found.stopped[0] is None
    assert "60 internal steps" in found.stopped[1]


def test_a_flow_that_runs_into_a_singular_point_does_not_blame_its_budget():
    """y' = y^2 from 1 is infinite at t = 1."""

    def field(y, p, dy):
        dy[0] = y[0] * y[0]

    task = nhviz.system.Task({}, {"start": np.zeros(1)}, 0.25, 8, 1)
    _, lengths, reasons = reference.integrate(field, np.zeros(1), np.ones((1, 1)), task)
    assert lengths.tolist() == [4]
    assert "ended at t = 0.75: a tolerance of 1e-14 needs steps below round-off" in reasons[0]


def test_a_budget_is_part_of_the_value_of_a_problem():
    plain, small, large = (nhviz.Problem.create("sphere", budget=budget) for budget in (None, 10, 11))
    assert len({plain, small, large}) == len({plain.text(), small.text(), large.text()}) == 3
    for problem in (plain, small, large):
        assert nhviz.Problem.from_dict(json.loads(problem.text())) == problem
    # Links and caches from before there were budgets keep their form.
    assert "budget" not in plain.to_dict()
    assert small.to_dict() == plain.to_dict() | {"budget": 10}


@pytest.mark.parametrize("budget", [0, -1, 2.5, float("nan"), float("inf"), True, "many", 10**12])
def test_a_bad_budget_is_a_sentence(budget):
    with pytest.raises(nhviz.ParameterError, match="budget") as caught:
        nhviz.simulate("sphere", budget=budget)
    assert caught.value.name == "budget"


def test_the_command_line_takes_a_budget(capsys):
    assert main(["simulate", "sphere", "--method", "reference", "--budget", "20"]) == 0
    assert "20 internal steps" in capsys.readouterr().out
    assert main(["simulate", "sphere", "--budget", "0"]) == 2
    assert "budget must be a whole number" in capsys.readouterr().err
