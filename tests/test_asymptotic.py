"""Slopes of errors: known laws are found again, what is told of their uncertainty is true, methods have orders."""

import numpy as np
import pytest

from nhviz import registry
from nhviz.analysis import asymptotic, pace, work_precision
from nhviz.analysis.convergence import convergence, state_components
from nhviz.problem import Problem
from nhviz.simulate import simulate

STEPS = 0.5 * 2.0 ** (-np.arange(17) / 2.0)
SETS = {
    "suslov": (60, 1.0),
    "sleigh": (50, 10.0),
    "sphere": (40, 12.0),
    "oscillator": (100, 10.0),
}
"""Steps of the longest rung and the duration."""
CASES = [
    (system, method.id, base)
    for system in SETS
    for method in registry.find(system).methods
    if not method.truth
    for base in (("euler", "rk4") if method.id == "feedback" else ("",))
]


def noisy(seed, order, bend, scatter):
    chance = np.random.default_rng(seed).standard_normal(STEPS.size)
    return 3.0 * STEPS**order * (1.0 + bend * STEPS) * np.exp(scatter * chance)


@pytest.mark.parametrize("order", [1.0, 2.0, 4.0])
def test_a_power_is_found_again(order):
    found = asymptotic.fit(STEPS, 3.0 * STEPS**order)
    assert found.order == pytest.approx(order, abs=1e-12)
    assert found.uncertainty < 1e-11
    np.testing.assert_allclose(found.at(STEPS), 3.0 * STEPS**order, rtol=1e-10)


@pytest.mark.parametrize("scatter", [0.001, 0.01, 0.05])
@pytest.mark.parametrize(("order", "bend"), [(1.0, 0.0), (2.0, 0.3), (4.0, 1.0)])
def test_the_uncertainty_covers_what_is_wrong(order, bend, scatter):
    """With scatter and a bend, in 19 of 20 cases; 120 of them may have 3 standard deviations less."""
    fits = [asymptotic.fit(STEPS, noisy(seed, order, bend, scatter)) for seed in range(120)]
    wrong = np.array([abs(one.order - order) for one in fits])
    told = np.array([one.uncertainty for one in fits])
    assert np.mean(wrong <= told) >= 0.95 - 3.0 * np.sqrt(0.95 * 0.05 / 120)
    # It is no excuse either: of a slope over a factor 256 so much scatter leaves about as much uncertain.
    assert np.median(told) < 2.0 * scatter + 0.02


def test_curved_and_rounded_ends_are_left_out():
    errors = STEPS**4 * (1.0 + 8.0 * STEPS**2)
    rounded = errors + 1e-9 * np.abs(np.sin(1e5 * STEPS))
    found = asymptotic.fit(STEPS, rounded, floor=1e-7)
    assert rounded[found.chosen].min() > 1e-7
    assert STEPS[found.chosen].max() < 0.5 * STEPS.max()
    assert found.order == pytest.approx(4.0, abs=0.05)
    assert abs(asymptotic.fit(STEPS, rounded).order - 4.0) > 0.2
    # The range begins at the shortest step above the floor.
    assert STEPS[found.chosen].min() == STEPS[rounded > 1e-7].min()


def test_too_few_points_have_no_slope():
    assert asymptotic.fit(STEPS[:2], STEPS[:2]) is None
    assert asymptotic.fit(STEPS, np.full(STEPS.size, np.nan)) is None
    assert asymptotic.fit(STEPS, STEPS**2, floor=1.0) is None
    some = np.where(np.arange(STEPS.size) < 14, np.nan, STEPS**2)
    found = asymptotic.fit(STEPS, some)
    assert sorted(found.chosen) == [14, 15, 16]
    assert found.order == pytest.approx(2.0, abs=1e-10)


def test_curves_cross_where_they_do():
    assert asymptotic.crossing(STEPS, 0.04 * STEPS, STEPS**2) == pytest.approx(0.04, rel=1e-12)
    assert asymptotic.crossing(STEPS[::-1], 0.04 * STEPS[::-1], STEPS[::-1] ** 2) == pytest.approx(0.04, rel=1e-12)
    assert asymptotic.crossing(STEPS, STEPS, 2.0 * STEPS) is None
    assert asymptotic.crossing(STEPS, np.full(STEPS.size, np.nan), STEPS) is None


@pytest.mark.parametrize(("system", "method", "base"), CASES)
def test_methods_have_their_order(system, method, base):
    """Within 0.05, by errors of the whole state at the end, with gains that are held."""
    longest, duration = SETS[system]
    model = registry.find(system)
    usual = {o.name: o.default * longest / duration for o in model.method(method).options if o.name[1:].isdigit()}
    options = {"base": base} | usual if base else {}
    counts = np.array(work_precision.counts(longest, 7, 16_000))
    found = convergence(system, method, duration / counts, duration, **options)
    truth = simulate(system, model.truth.id, step=duration, duration=duration)
    size = max(float(np.abs(truth[name]).max()) for name in state_components(model, truth.params))
    slope = asymptotic.fit(found.steps, found.errors, 1e-11 * max(size, 1.0))
    order = model.method(method).order_with(options or None)
    assert slope.order == pytest.approx(order, abs=0.05)
    assert abs(slope.order - order) <= slope.uncertainty + 0.01


def test_rungs_are_equal_factors_and_keep_their_end():
    counts = work_precision.counts(34, 8, 16_000)
    assert counts[0] == 34
    assert counts[-1] == pytest.approx(34 * 2**8, rel=2e-3)
    np.testing.assert_allclose(np.diff(np.log2(counts)), 0.5, atol=0.05)
    assert all(count % work_precision.every(count) == 0 for count in counts)
    assert max(work_precision.counts(34, 12, 5_000)) <= 5_000
    assert work_precision.counts(9_000, 3, 5_000) == [9_000]
    assert work_precision.fewest(1.0, 0.03) == 34
    assert work_precision.fewest(1.0, 0.1) == 10
    assert work_precision.fewest(0.0, 0.1) == 1


def test_gains_are_held_or_grow():
    problem = Problem.create(
        "knife_edge", "feedback", step=0.1, duration=5.0, options={"k1": 3.0, "k2": 4.0, "k3": 5.0}
    )
    held, growing = (work_precision.on_rung(problem, 5.0, 200, grow) for grow in (False, True))
    assert {name: dict(held.options)[name] for name in ("k1", "k2", "k3")} == {"k1": 3.0, "k2": 4.0, "k3": 5.0}
    grown = [dict(growing.options)[name] for name in ("k1", "k2", "k3")]
    assert grown == pytest.approx([12.0, 16.0, 20.0])
    assert (held.steps, held.samples, held.duration) == (200, 2, 5.0)
    assert work_precision.on_rung(problem, 5.0, 1200, whole=True).samples == 601


def test_a_run_that_ends_early_has_no_error():
    problem = Problem.create("suslov", "moser_veselov", step=0.05, duration=1.0)
    lost = simulate(problem)
    assert lost.stopped
    truth = simulate(work_precision.true_ends(problem, 1.0))
    assert np.isnan(work_precision.end_error(lost, truth, "Momenta"))
    assert np.isnan(work_precision.greatest_drift(lost, "energy"))


def test_times_are_measured_once_for_each_number_of_steps(monkeypatch):
    pace.best_time.cache_clear()
    asked = []
    monkeypatch.setattr(pace, "simulate", asked.append)
    first = Problem.create("suslov", "moser_veselov", step=0.01, duration=1.0)
    took = pace.run_time(first)
    assert 0.0 < took < 1.0
    assert pace.FEWEST < len(asked) <= pace.BEST_OF + 1
    tries = len(asked)
    other = Problem.create("suslov", "moser_veselov", {"I11": 3.5}, step=0.02, duration=2.0)
    assert pace.run_time(other) == took
    assert len(asked) == tries
    pace.run_time(Problem.create("suslov", "cayley", step=0.01, duration=1.0))
    pace.run_time(Problem.create("suslov", "moser_veselov", step=0.01, duration=1.1))
    assert len(asked) > tries + 2 * pace.FEWEST
    pace.best_time.cache_clear()


def test_rungs_are_made_as_long_as_there_is_time(monkeypatch):
    """A clock that moves by a second at every look, and time for three of them."""
    problem = Problem.create("suslov", "cayley", step=0.02, duration=1.0)
    rungs = [work_precision.on_rung(problem, 1.0, count) for count in (50, 70, 100, 140, 200)]
    assert [run.problem for run in work_precision.climbed(rungs)] == rungs
    looks = iter(range(100))
    monkeypatch.setattr(work_precision, "thread_time", lambda: float(next(looks)))
    monkeypatch.setattr(work_precision, "ENOUGH", 2.0)
    assert [run.problem for run in work_precision.climbed(rungs)] == rungs[:3]
    monkeypatch.setattr(work_precision, "ENOUGH", 0.0)
    assert [run.problem for run in work_precision.climbed(rungs)] == rungs[:1]
