"""Feedback integrators converge with the order of their scheme, are plain loops, and keep integrals to step/gain."""

import numpy as np
import pytest

import nhviz
from nhviz.analysis.convergence import convergence
from tests.extensions import PARAMS, RUNS, STARTS, complex_gradient, extension_of, field_of, run_of, values_of, within


@pytest.mark.parametrize(("base", "order", "step"), [("euler", 1, 0.002), ("rk4", 4, 0.02)])
@pytest.mark.parametrize(("system", "options"), RUNS)
@pytest.mark.parametrize("gain", [0.0, 3.0])
def test_orders(system, options, base, order, step, gain):
    errors = []
    for size in (step, step / 2):
        run = run_of(system, options, gain, size, 1.6, base=base)
        true = nhviz.simulate(system, "reference", PARAMS[system], STARTS[system], size, 1.6)
        assert run.stopped is None
        errors.append(max(np.max(np.abs(run[name][-1] - true[name][-1])) for name in true.components))
    assert errors[0] < 0.05
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.05 * order + 0.05)


@pytest.mark.parametrize(
    ("system", "order"), [("knife_edge", 2), ("sleigh", 2), ("oscillator", 2), ("rolling_disk", 4)]
)
def test_gains_that_grow_as_one_over_step_lower_the_order_of_rk4(system, order):
    """Not where the integrals are linear and kept by every stage, as on the rolling disk."""
    steps = (0.001, 0.0005, 0.00025) if order == 2 else (0.08, 0.04, 0.02)
    measured = convergence(system, "feedback", steps, 1.6, None, PARAMS[system], STARTS[system], base="rk4")
    assert measured.order == pytest.approx(order, abs=0.1)


@pytest.mark.parametrize("base", ["euler", "rk4"])
@pytest.mark.parametrize(("system", "options"), [*RUNS, ("heisenberg", {})])
@pytest.mark.parametrize("gain", [0.0, 2.0])
def test_a_run_is_a_plain_loop(system, options, base, gain):
    """With gains 0 the plain scheme; else with -k (c - c0) grad c added, by gradients of the complex step."""
    extension, step = extension_of(system, options), 0.01
    p = extension.parameters(PARAMS[system])
    y = extension.start(PARAMS[system], {name: np.array([value]) for name, value in STARTS[system].items()})[:, 0]
    targets = values_of(extension, p, y)

    def slope(z):
        rates = field_of(extension, p, z)
        if gain:
            gradients = complex_gradient(lambda w: values_of(extension, p, w), z)
            rates -= gain * (values_of(extension, p, z) - targets) @ gradients
        return rates

    run = run_of(system, options, gain, step, 40 * step, base=base)
    for _ in range(40):
        k1 = slope(y)
        if base == "euler":
            y = y + step * k1
        else:
            k2 = slope(y + 0.5 * step * k1)
            k3 = slope(y + 0.5 * step * k2)
            y = y + step / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + slope(y + step * k3))
    expected = extension.components(PARAMS[system], y[:, None])
    for name, value in expected.items():
        within(run[name][-1], value[0], 1e-13)
    if gain == 0.0:
        assert np.all(run.quantity("stability") == 0.0)


@pytest.mark.parametrize(
    ("system", "names"),
    [
        ("knife_edge", ("energy", "constraint", "p_phi")),
        ("oscillator", ("energy", "energy_y", "constraint")),
        ("roller_racer", ("energy", "constraint_1")),
        ("suslov", ("energy", "constraint", "orthogonality")),
        ("sleigh", ("energy", "constraint")),
    ],
)
def test_integrals_are_kept_to_step_over_gain(system, names):
    def errors(step, gain):
        run = run_of(system, {}, gain, step, 8.0)
        assert run.stopped is None
        return np.array([np.max(np.abs(run.quantity(name) - run.quantity(name)[0])) for name in names])

    base = errors(5e-4, 100.0)
    assert np.all(base > 1e-8)
    np.testing.assert_allclose(base / errors(2.5e-4, 100.0), 2.0, rtol=0, atol=0.1)
    np.testing.assert_allclose(base / errors(5e-4, 200.0), 2.0, rtol=0, atol=0.3)


def test_every_keeps_each_kth_step():
    full = run_of("roller_racer", {}, 50.0, 1e-3, 2.0)
    thin = run_of("roller_racer", {}, 50.0, 1e-3, 2.0, every=7)
    for name in full.components:
        assert np.array_equal(full[name][::7], thin[name])


def test_an_ensemble_is_its_single_runs():
    starts = {"phi": [0.1, 0.9, 2.0], "u": [1.0, -0.5, 0.2]}
    many = nhviz.ensemble("roller_racer", "feedback", None, starts, 1e-3, 0.5)
    for i in range(3):
        one = nhviz.simulate("roller_racer", "feedback", None, {k: v[i] for k, v in starts.items()}, 1e-3, 0.5)
        for name in one.components:
            assert np.array_equal(many[name][i], one[name])
