"""Runs of feedback integrators and of the oscillator's map as recorded in the specification (section E)."""

import numpy as np
import pytest

import nhviz
from tests.extensions import CP_TOP, STARTS, within


def largest(values):
    return float(np.max(np.abs(values)))


def test_golden_suslov():
    gains = {"k0": 100, "k1": 100, "k2": 100}
    run = nhviz.simulate("suslov", "feedback", CP_TOP, {"M1": 0.0, "M2": 1.0}, 1e-3, 10.0, **gains)
    sech = 1.0 / np.cosh(run.t)
    assert largest(run["M1"] + np.tanh(run.t)) == pytest.approx(5.4e-5, rel=0.02)
    assert largest(run["M2"] - sech) == pytest.approx(1.29e-4, rel=0.01)
    assert largest(run["M3"] - sech) == pytest.approx(1.29e-4, rel=0.01)
    # J = M3 - M2 for CP's tensor.
    assert largest(run["M3"] - run["M2"]) == pytest.approx(4.8e-6, rel=0.02)
    assert largest(run.quantity("energy") - 0.5) == pytest.approx(9.7e-6, rel=0.02)
    assert largest(run.quantity("orthogonality")) == pytest.approx(7.1e-6, rel=0.02)
    plain = nhviz.simulate("suslov", "feedback", CP_TOP, {"M1": 0.0, "M2": 1.0}, 1e-3, 10.0, k0=0, k1=0, k2=0)
    assert largest(plain["M1"] + np.tanh(plain.t)) == pytest.approx(5.7e-4, rel=0.02)
    assert largest(plain.quantity("energy") - 0.5) == pytest.approx(5.0e-4, rel=0.02)
    assert largest(plain.quantity("orthogonality")) == pytest.approx(1.4e-2, rel=0.04)
    assert largest(plain["M3"] - plain["M2"]) < 1e-13


def test_golden_knife_edge():
    gains = {"k1": 1000, "k2": 1000, "k3": 1000}
    run = nhviz.simulate("knife_edge", "feedback", step=1e-3, duration=200.0, **gains)
    assert largest(run["x"] - (1.0 - np.cos(run.t)) / 2.0) == pytest.approx(9.3e-4, rel=0.02)
    assert largest(run["y"] - (run.t - np.sin(run.t)) / 2.0) == pytest.approx(1.20e-3, rel=0.02)
    assert largest(run["phi"] - run.t / 2.0) == pytest.approx(2.0e-4, rel=0.03)
    assert largest(run.quantity("constraint")) == pytest.approx(2.5e-7, rel=0.05)
    assert largest(run["p_phi"] - 0.5) == pytest.approx(2.5e-7, rel=0.05)
    assert largest(run.quantity("energy") - 0.125) == pytest.approx(5.0e-7, rel=0.05)


def test_golden_oscillator():
    run = nhviz.simulate("oscillator", "feedback", step=1e-3, duration=200.0, k1=500, k2=300, k3=300)
    assert largest(run.quantity("energy") - 1.5) == pytest.approx(1.27e-6, rel=0.02)
    assert largest(run.quantity("energy_y") - 0.5) == pytest.approx(1.67e-6, rel=0.02)
    assert largest(run.quantity("constraint")) == pytest.approx(4.60e-6, rel=0.02)
    true = nhviz.simulate("oscillator", "reference", step=1e-3, duration=200.0)
    error = [run[name] - true[name] for name in ("x", "y", "z")]
    assert largest(error) == pytest.approx(3.0e-2, rel=0.02)
    plain = nhviz.simulate("oscillator", "feedback", step=1e-3, duration=200.0, k1=0, k2=0, k3=0)
    assert largest(plain.quantity("energy") - 1.5) == pytest.approx(2.4e-1, rel=0.03)
    # The repaired field lets y swing by itself: Euler's scheme stretches it by 1 + h^2 in every step.
    within(plain.quantity("energy_y"), 0.5 * np.exp(np.log1p(1e-6) * np.arange(200_001)), 1e-11)


def test_golden_dla():
    run = nhviz.simulate("oscillator", "dla", step=1e-3, duration=400.0)
    early = run.t <= 200.0
    energy_error = run.quantity("energy") - 1.5
    assert largest(energy_error[early]) == pytest.approx(1.02e-2, rel=0.02)
    assert energy_error[200_000] == pytest.approx(-9.9e-3, rel=0.02)
    assert energy_error[-1] == pytest.approx(-1.93e-2, rel=0.02)
    assert largest((run.quantity("energy_y") - 0.5)[early]) == pytest.approx(2.50e-4, rel=0.01)
    assert largest(run.quantity("constraint")[early]) == pytest.approx(7.94e-4, rel=0.01)
    true = nhviz.simulate("oscillator", "reference", step=1e-3, duration=200.0)
    error = [run[name][early] - true[name] for name in ("x", "y", "z")]
    assert largest(error) == pytest.approx(1.1e-2, rel=0.03)


@pytest.mark.parametrize("step", [1e-4, 0.01, 0.3])
def test_dla_is_the_recursion_of_the_paper(step):
    """CP (84), (85) with places only; its own integral and its own constraint to round-off."""
    run = nhviz.simulate("oscillator", "dla", None, STARTS["oscillator"], step, 300 * step)
    q = np.stack([run["x"], run["y"], run["z"]], axis=1)
    p = np.stack([run["p_x"], run["p_y"], run["p_z"]], axis=1)
    within(q[1], q[0] + step * p[0], 1e-15)
    within(step * p[1:], np.diff(q, axis=0), 1e-14)
    normal = np.stack([np.ones(301), np.zeros(301), q[:, 1]], axis=1)
    inner = slice(1, -1)
    force = q[2:] - 2.0 * q[inner] + q[:-2] + step**2 * q[inner]
    # All of it is along the normal at the middle place.
    rest = force - np.sum(force * normal[inner], 1)[:, None] * normal[inner] / np.sum(normal[inner] ** 2, 1)[:, None]
    within(rest, 0.0, 1e-14)
    within(np.sum(p[2:] * normal[inner], axis=1), 0.0, 1e-14)
    kept = run["y"] ** 2 + run["p_y"] ** 2 - step * run["y"] * run["p_y"]
    within(kept[1:], kept[1], 1e-13)


def test_dla_is_of_order_one_and_stable_below_two():
    errors = []
    for step in (2e-3, 1e-3):
        run = nhviz.simulate("oscillator", "dla", None, STARTS["oscillator"], step, 2.0)
        true = nhviz.simulate("oscillator", "reference", None, STARTS["oscillator"], step, 2.0)
        errors.append(max(largest(run[name][-1] - true[name][-1]) for name in true.components))
    assert errors[0] / errors[1] == pytest.approx(2.0, abs=0.05)
    assert "must stay below 2" in nhviz.simulate("oscillator", "dla", step=2.2, duration=400.0).stopped
