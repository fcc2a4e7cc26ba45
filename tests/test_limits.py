"""How much a page may ask for: what is admitted, what a file holds, and that both are one run."""

import csv
from dataclasses import replace

import numpy as np
import pytest

import nhviz
from callbacks import files, render
from nhviz.frame.records import Lab, Panel, Scene, View
from nhviz.views import pictures, texts
from server import limits
from tests.frames import opening, painted

FLOW = nhviz.Problem.create("sphere", "reference", step=0.5, duration=10_000.0, every=10)


def test_a_flow_has_a_budget_that_depends_on_the_body_only():
    budgets = {
        limits.admitted(replace(FLOW, step=step, duration=duration, every=every)).budget
        for step, duration, every in ((0.5, 10_000.0, 10), (0.5, 10_000.0, 1), (0.01, 30.0, 7))
    }
    assert budgets == {limits.most_flow_steps(nhviz.registry.find("sphere"), dict(FLOW.params))}
    assert limits.admitted(limits.admitted(FLOW)) == limits.admitted(FLOW)
    assert limits.admitted(replace(FLOW, budget=5)).budget == 5
    assert limits.admitted(replace(FLOW, budget=10**9)) == limits.admitted(FLOW)


def test_a_map_needs_no_budget():
    problem = nhviz.Problem.create("sphere", "fedorov")
    assert limits.admitted(problem) is problem


def test_too_many_steps_are_refused_with_the_limit():
    most = limits.most_steps(nhviz.registry.find("sphere"), dict(FLOW.params))
    limits.admitted(replace(FLOW, step=0.01, duration=0.01 * most, every=1000))
    with pytest.raises(nhviz.ParameterError, match=f"at most {most:,} are shown here") as caught:
        limits.admitted(replace(FLOW, step=0.01, duration=0.01 * (most + 1), every=1000))
    assert caught.value.name == "step"


@pytest.mark.parametrize("system", nhviz.systems())
def test_a_file_has_no_more_rows_and_numbers_than_allowed(system):
    problem = nhviz.Problem.create(system, step=0.001, duration=100.0, every=1000)
    found = limits.for_file(problem)
    columns = 1 + nhviz.registry.find(system).size(dict(problem.params))
    assert replace(found, every=problem.every) == problem
    most = min(limits.FILE_ROWS, limits.FILE_NUMBERS // columns)
    assert found.steps / found.every <= most < found.steps / (found.every - 1)


def test_a_file_has_no_fewer_samples_than_the_page():
    assert limits.for_file(replace(FLOW, every=2)).every == 2
    assert limits.for_file(nhviz.Problem.create("sphere", duration=0.1)).every == 1


def columns_of(state):
    """The columns of the file that the page of a state offers."""
    lines = files.table(state)[1].decode().splitlines()
    rows = list(csv.DictReader(lines))
    return {name: np.array([float(row[name]) for row in rows]) for name in rows[0]}


@pytest.mark.parametrize(("system", "duration"), [("sphere", 1e4), ("sphere_n", 1e4), ("sphere", 96_600.0)])
def test_the_page_the_file_and_python_are_one_run(system, duration):
    """A flow that its budget ends, with hundreds of samples on the page, more in a file: where both have one it is the
    same in every bit, and they end at the same time but for the distance of samples."""
    state = opening(system, variants=["reference"], step=0.5, duration=duration)
    (shown,) = render.opened(state).values()
    page, file, lines = shown.lead, columns_of(state), {}
    exec(texts.python(shown)[0].text, lines)
    python = lines["runs"]["reference"]
    assert f"its budget of {page.problem.budget:,} internal steps is spent" in page.stopped
    assert python.problem == page.problem
    assert (python.stopped, python.t[-1]) == (page.stopped, page.t[-1])
    assert np.array_equal(python["R"], page["R"])
    times, on_page, in_file = np.intersect1d(page.t, file["t"], return_indices=True)
    assert times.size > 40
    assert np.array_equal(file["R11"][in_file], page["R"][on_page, 0, 0])
    assert np.array_equal(file["energy"][in_file], page.quantity("energy")[on_page])
    assert abs(file["t"][-1] - page.t[-1]) < page.problem.every * page.problem.step


def test_page_and_file_with_the_same_samples_end_with_the_same_numbers():
    state = opening("sphere", variants=["reference"], step=20.0, duration=20_000.0)
    page, file = next(iter(render.opened(state).values())).lead, columns_of(state)
    assert page.stopped
    assert file["t"][-1] == page.t[-1] < 20_000.0
    assert file["K1"][-1] == page["K1"][-1]


def test_a_file_of_several_runs_has_a_part_of_the_rows_for_each():
    problem = nhviz.Problem.create("sphere", step=0.001, duration=100.0, every=1000)
    alone, beside = limits.for_file(problem), limits.for_file(problem, 3)
    assert beside.every == pytest.approx(3 * alone.every, abs=3)
    state = opening("sphere", variants=["reference", "fedorov"], step=0.001, duration=100.0)
    lines = files.table(state)[1].decode().splitlines()
    rows = list(csv.DictReader(lines))
    assert {row["run"] for row in rows} == {"reference", "fedorov"}
    columns = 1 + nhviz.registry.find("sphere").size(dict(problem.params))
    assert len(rows) * columns <= limits.FILE_NUMBERS + 4 * columns


@pytest.mark.parametrize("numbers", [{"step": -1.0, "M1": 1e9}, {"I33": 0.02}, {"step": 1e-6, "duration": 1e5}, {}])
def test_a_page_says_of_a_state_what_the_state_says_of_itself(numbers):
    state = opening("suslov", **numbers)
    errors = state.errors(limits.admitted)
    assert bool(errors) == bool(numbers)
    assert painted(state).errors == errors


def test_every_panel_says_what_is_wrong_with_it():
    panels = tuple(Panel("suslov", name) for name in ("left", "right"))
    views = (View("drift", "drift", pictures.drift, panel="left"),)
    declared = Lab("both", (Scene(panels, views, readout=lambda shown: ()),))
    state = opening(declared, **{"left.step": 1e-6, "right.step": 1e-6, "left.duration": 1e5, "right.duration": 1e5})
    errors = render.errors_together(render.opened(state))
    assert errors == state.errors(limits.admitted)
    assert set(errors) == {"left.step", "right.step"}
