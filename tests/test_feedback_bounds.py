"""The bound on step * Lambda of a feedback integrator is sharp, and a run beyond it ends with a sentence that helps."""

import re

import numpy as np
import pytest

import nhviz
from nhviz import registry
from nhviz.methods import feedback
from tests.extensions import (
    CP_TOP,
    PARAMS,
    RACER,
    RUNS,
    SLEDGE,
    STARTS,
    all_gains,
    complex_gradient,
    extension_of,
    run_of,
    sane,
    values_of,
    within,
)

EULER, RK4 = 2.0, 2.785293563405282


# --- The bound on step * Lambda -----------------------------------------------------------------------------------


def unit_lambda(system, options, params, start, duration):
    """Largest eigenvalue of the Gram matrix of the gradients along the true motion, all gains 1."""
    extension = extension_of(system, options)
    p = extension.parameters(params)
    run = nhviz.simulate(system, "reference", params, start, duration / 400, duration)
    components = dict(run.components)
    states = extension.state(components)
    largest = 0.0
    for y in states:
        gradients = complex_gradient(lambda z: values_of(extension, p, z), y)
        largest = max(largest, float(np.linalg.eigvalsh(gradients @ gradients.T)[-1]))
    return largest


BOUNDED = [
    ("suslov", {}, CP_TOP, {"M1": 0.0, "M2": 1.0}, 20.0),
    ("sleigh", {"rotation": "angle"}, SLEDGE, STARTS["sleigh"], 40.0),
    ("sleigh", {"rotation": "matrix"}, SLEDGE, STARTS["sleigh"], 40.0),
    ("roller_racer", {}, RACER, STARTS["roller_racer"], 40.0),
    ("knife_edge", {}, {}, {}, 40.0),
    ("oscillator", {}, {}, {}, 40.0),
]


@pytest.mark.parametrize(("base", "bound"), [("euler", EULER), ("rk4", RK4)])
@pytest.mark.parametrize(("system", "options", "params", "start", "duration"), BOUNDED)
def test_the_bound_is_sharp(system, options, params, start, duration, base, bound):
    step = 1e-3
    model = registry.find(system)
    params = {q.name: params.get(q.name, q.default) for q in model.parameters}
    start = {q.name: start.get(q.name, q.default) for q in model.initial}
    most = bound / (step * unit_lambda(system, options, params, start, duration))
    below, above = (
        nhviz.simulate(
            system, "feedback", params, start, step, duration, base=base, **all_gains(system, options, share * most)
        )
        for share in (0.94, 1.1)
    )
    assert below.stopped is None
    assert np.max(np.abs(below.quantity("energy") - below.quantity("energy")[0])) < 1e-4
    assert np.max(below.quantity("stability")) == pytest.approx(0.94 * bound, rel=0.01)
    if above.stopped is None:
        # The bound is passed for a short time only: the run comes back, but its integrals were amplified.
        worst = [np.max(np.abs(run.quantity("energy") - run.quantity("energy")[0])) for run in (below, above)]
        assert worst[1] > 100.0 * worst[0]
    else:
        number = re.search(
            r"step \* Lambda had reached ([0-9.e+-]+), and (\w+) needs less than ([0-9.]+);", above.stopped
        )
        assert number is not None
        # What Lambda had been until the integrals were lost: between the bound and the largest of the motion.
        assert 0.95 * bound < float(number[1]) < 1.16 * bound
        assert number[2] == base
        assert float(number[3]) == pytest.approx(bound, abs=1e-3)
        gains = dict(re.findall(r"(k\d) = ([0-9.e+-]+[0-9])", above.stopped))
        assert set(gains) == set(extension_of(system, options).gains)
        for value in gains.values():
            # Those of the whole motion, sampled at a thousand instants.
            assert float(value) == pytest.approx(most, rel=5e-3)


def test_the_knife_edge_at_its_border():
    def knife(gain, **start):
        gains = {"k1": gain, "k2": gain, "k3": gain}
        return nhviz.simulate("knife_edge", "feedback", None, start, 1e-3, 60.0, **gains)

    assert knife(950).stopped is None
    assert knife(1000).stopped is None
    for lost in (knife(1100), knife(900, p_phi=0.4), knife(450, p_phi=0.25), knife(100, p_phi=0.0)):
        assert "lost its integrals" in lost.stopped
    assert knife(390, p_phi=0.25).stopped is None
    # Straight down the slope: dt k (1 + p^2) = 2 at t = 8.7, lost at 9.5.
    assert 8.7 < knife(100, p_phi=0.0).t[-1] < 9.7


@pytest.mark.parametrize(("base", "fine", "wrecked"), [("euler", 1.15e-3, 1.25e-3), ("rk4", 1.60e-3, 1.70e-3)])
def test_the_oscillator_at_its_border(base, fine, wrecked):
    gains = {"k1": 500, "k2": 300, "k3": 300, "base": base}
    good, bad = (
        nhviz.simulate("oscillator", "feedback", step=step, duration=200.0, **gains) for step in (fine, wrecked)
    )
    assert good.stopped is None
    assert np.max(np.abs(good.quantity("energy") - 1.5)) < 3e-5
    assert np.max(good.quantity("stability")) / fine == pytest.approx(1698.6, abs=0.5)
    assert np.max(np.abs(bad.quantity("energy") - 1.5)) > 0.01
    assert "lost its integrals" in bad.stopped


@pytest.mark.parametrize(("gain", "limit", "late"), [(10.0, 8.71, 9.5), (100.0, 2.43, 2.9)])
def test_heisenberg_is_lost_where_the_specification_says(gain, limit, late):
    run = nhviz.simulate("heisenberg", "feedback", step=1e-3, duration=20.0, k1=gain, k2=gain, k3=gain)
    number = run.quantity("stability")
    assert run.t[np.argmax(number > 2.0)] == pytest.approx(limit, abs=0.02)
    assert "lost its integrals" in run.stopped
    assert limit < run.t[-1] < late
    plain = nhviz.simulate("heisenberg", "feedback", step=1e-3, duration=20.0, k1=0, k2=0, k3=0)
    assert plain.stopped is None
    within(plain.quantity("constraint"), 0.0, 1e-10)


@pytest.mark.parametrize(("system", "options"), [*RUNS, ("heisenberg", {})])
def test_the_stability_number_is_that_of_the_gradients(system, options):
    extension = extension_of(system, options)
    p, gains = extension.parameters(PARAMS[system]), {name: 3.0 + 5.0 * int(name[1]) for name in set(extension.gains)}
    run = nhviz.simulate(system, "feedback", PARAMS[system], STARTS[system], 1e-3, 1.0, every=50, **options, **gains)
    roots = np.sqrt([gains[name] for name in extension.gains])[:, None]
    expected = []
    for y in extension.state(run.components):
        scaled = roots * complex_gradient(lambda z: values_of(extension, p, z), y)
        expected.append(1e-3 * np.linalg.eigvalsh(scaled @ scaled.T)[-1])
    np.testing.assert_allclose(run.quantity("stability"), expected, rtol=1e-10)


def test_a_run_near_the_bound_has_a_remark():
    def remarks(gain):
        run = nhviz.simulate("knife_edge", "feedback", duration=10.0, k1=gain, k2=gain, k3=gain)
        return [remark for remark in run.remarks if "Lambda" in remark]

    assert remarks(700.0) == []
    assert len(remarks(800.0)) == 1
    assert "1.6" in remarks(800.0)[0]


# --- Runs that end early, and what they say ---------------------------------------------------------------------------


class Poisoned:
    """numpy with memory that holds infinities where nothing was written yet."""

    def __getattr__(self, name):
        return getattr(np, name)

    @staticmethod
    def empty(shape, dtype=float):
        return np.full(shape, np.inf if np.dtype(dtype).kind == "f" else 0, dtype)


@pytest.mark.parametrize(("system", "options"), [("knife_edge", {}), ("sleigh", {"rotation": "matrix"})])
def test_samples_after_a_stop_are_never_read(monkeypatch, system, options):
    monkeypatch.setattr(feedback, "np", Poisoned())
    sane(run_of(system, options, 1e5, 0.01, 2.0))


def test_the_matrix_starts_at_the_angle_given():
    run = nhviz.simulate("sleigh", "feedback", None, {"theta": 5.0}, 0.01, 1.0, rotation="matrix")
    assert run["theta"][0] == pytest.approx(5.0, abs=1e-12)


def test_the_angle_of_the_matrix_does_not_depend_on_every():
    ends = [
        nhviz.simulate("sleigh", "feedback", step=0.01, duration=100.0, every=every, rotation="matrix", k0=10)["theta"][
            -1
        ]
        for every in (1, 5000)
    ]
    assert ends[0] == pytest.approx(ends[1], abs=1e-9)


def test_a_lost_run_is_noticed_with_any_every():
    gains = {"k1": 1100, "k2": 1100, "k3": 1100}
    runs = [
        nhviz.simulate("knife_edge", "feedback", step=1e-3, duration=20.0, every=every, **gains)
        for every in (1, 100, 5000)
    ]
    assert [run.stopped is not None for run in runs] == [True, True, True]


def test_a_start_beyond_the_limit_runs_or_says_that_it_is_the_start():
    params, start = {"m": 1000.0, "R": 1000.0, "I": 0.001}, {"Pi_theta": 0.1, "Pi_psi": 1.0}
    run = nhviz.simulate("rolling_disk", "feedback", params, start, 1e-3, 0.01)
    assert run.stopped is None or "shorten the step" not in run.stopped


def test_a_wreck_is_called_a_wreck():
    """RK4 past its bound by 4 percent: the energy is off by 16 percent, the path by 2.5 units."""
    run = nhviz.simulate("oscillator", "feedback", step=1.7e-3, duration=200.0, base="rk4", k1=500, k2=300, k3=300)
    assert run.stopped is not None


def test_the_advice_of_a_lost_run_can_be_followed():
    def knife(gain):
        return nhviz.simulate("knife_edge", "feedback", duration=20.0, k1=gain, k2=gain, k3=gain)

    advised = float(re.search(r"k1 = ([0-9.]+)", knife(5000.0).stopped)[1])
    assert knife(0.99 * advised).stopped is None
