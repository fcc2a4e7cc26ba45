"""Feedback integrators with bad input, absurd gains, and anywhere in the declared ranges."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import nhviz
from nhviz import registry
from tests.extensions import RACER, RUNS, STARTS, all_gains, extension_of, run_of, sane, within
from tests.strategies import initial as any_start
from tests.strategies import spread, suslov_params
from tests.strategies import values as any_values

SETTINGS = settings(max_examples=25, deadline=None, derandomize=True, database=None)


@pytest.mark.parametrize(
    ("system", "arguments", "hint"),
    [
        ("knife_edge", {"k1": -1.0}, "k1 must be between 0 and 1e"),
        ("oscillator", {"k3": 1e300}, "k3 must be between 0 and 1e"),
        ("suslov", {"k0": float("nan")}, "k0 must be a finite number"),
        ("sleigh", {"k2": float("inf")}, "k2 must be a finite number"),
        ("roller_racer", {"k1": "10"}, "k1 must be a number"),
        ("heisenberg", {"base": "rk5"}, "base must be one of euler, rk4"),
        ("sleigh", {"rotation": "quaternion"}, "rotation must be one of angle, matrix"),
        ("knife_edge", {"k4": 1.0}, "k4"),
        ("rolling_disk", {"params": {"R": 0.0}}, "R must be between 0.001"),
        ("roller_racer", {"params": {"d2": 0.0}}, "d2 must be between 0.001"),
        ("roller_racer", {"initial": {"Pi_x": 1.0}}, "Pi_x"),
        ("knife_edge", {"params": {"alpha": 1.6}}, "alpha must be between"),
        ("oscillator", {"method": "exact"}, "exact"),
    ],
)
def test_bad_input_is_refused(system, arguments, hint):
    with pytest.raises(nhviz.ParameterError, match=hint) as caught:
        nhviz.simulate(system, **{"method": "feedback", **arguments})
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize("phi", [0.0, np.pi, -2.0 * np.pi])
def test_the_racer_may_start_straight(phi):
    start = {**STARTS["roller_racer"], "phi": phi}
    run = nhviz.simulate("roller_racer", "feedback", RACER, start, 1e-4, 1.0)
    true = nhviz.simulate("roller_racer", "reference", RACER, start, 1e-4, 1.0)
    assert run.stopped is None
    assert run["u"][0] == pytest.approx(start["u"], rel=1e-15)
    assert run["omega"][0] == pytest.approx(start["omega"], rel=1e-13)
    for name in true.components:
        within(run[name], true[name], 3e-3)
    within(true["Pi_y"], 0.0, 0.0)
    within(true.quantity("energy"), true.quantity("energy")[0], 1e-11)
    within(true.quantity("constraint_1"), 0.0, 1e-11)


@pytest.mark.parametrize("base", ["euler", "rk4"])
@pytest.mark.parametrize(("system", "options"), [*RUNS, ("heisenberg", {})])
@pytest.mark.parametrize("gain", [1e5, 1e12])
def test_absurd_gains_stop_with_a_sentence(system, options, base, gain):
    run = run_of(system, options, gain, 0.01, 2.0, base=base)
    sane(run)
    if system != "rolling_disk":
        assert "the largest stable gains for this run are" in run.stopped
    assert np.isfinite(run.quantity("stability")).all()


def params_of(system):
    return suslov_params() if system == "suslov" else any_values(registry.find(system).parameters)


@pytest.mark.parametrize(("system", "options"), [*RUNS, ("heisenberg", {})])
@settings(SETTINGS, max_examples=12)
@given(st.data())
def test_anywhere_in_the_ranges(system, options, data):
    params, start = data.draw(params_of(system)), data.draw(any_start(system))
    gain, step = data.draw(spread(0.0, 1e12)), data.draw(spread(1e-9, 100.0))
    base, every = data.draw(st.sampled_from(["euler", "rk4"])), data.draw(st.integers(1, 5))
    extension = extension_of(system, options)
    first = extension.start(params, {name: np.array([value]) for name, value in start.items()})
    # A start beyond the limit is a defect of its own, below.
    assume(np.max(np.abs(first)) < 1e6)
    gains = all_gains(system, options, gain)
    sane(nhviz.simulate(system, "feedback", params, start, step, 30 * step, every, base=base, **gains))
