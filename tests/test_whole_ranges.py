"""Anything within the declared ranges runs or stops with a reason: never NaN, never a warning, never a crash."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import nhviz
from nhviz import registry
from tests.strategies import initial, sleigh_params, spread, suslov_params

SUSLOV_METHODS = [m.id for m in registry.find("suslov").methods]
SLEIGH_METHODS = [m.id for m in registry.find("sleigh").methods]


def check(orbit):
    assert 1 <= len(orbit) <= orbit.problem.samples
    # A start that has no displacement at all is kept as the only sample, with the reason.
    assert (orbit.stopped is None) == (len(orbit) == orbit.problem.samples) or len(orbit) == 1
    for values in orbit.components.values():
        assert np.isfinite(values).all()
    for quantity in orbit.system.quantities:
        assert np.isfinite(orbit.quantity(quantity.id)).all()
    if orbit.stopped:
        assert "\n" not in orbit.stopped
        assert 10 < len(orbit.stopped) < 300


@pytest.mark.parametrize("method", SUSLOV_METHODS)
@settings(max_examples=150, deadline=None, derandomize=True)
@given(params=suslov_params(), start=initial("suslov"), step=spread(1e-6, 1.0), steps=st.integers(0, 12))
def test_suslov(method, params, start, step, steps):
    check(nhviz.simulate("suslov", method, params, start, step, steps * step))


@pytest.mark.parametrize("method", SLEIGH_METHODS)
@settings(max_examples=150, deadline=None, derandomize=True)
@given(params=sleigh_params(), start=initial("sleigh"), step=spread(1e-6, 1.0), steps=st.integers(0, 12))
def test_sleigh(method, params, start, step, steps):
    if method == "midpoint":
        params = {**params, "b": 0.0}
    check(nhviz.simulate("sleigh", method, params, start, step, steps * step))


@settings(max_examples=200, deadline=None, derandomize=True)
@given(params=suslov_params(), start=initial("suslov"), step=spread(1e-6, 1.0))
def test_energy_of_moser_veselov_to_round_off(params, start, step):
    orbit = nhviz.simulate("suslov", "moser_veselov", params, start, step, 30 * step)
    energy = orbit.quantity("energy")
    # A unit of round-off in each momentum and step, and Newton's residual: its share of the momentum is
    # bounded by the size of the terms that cancel in the Legendre equation.
    products = 1.0 + np.hypot(params["I13"], params["I23"]) / min(params["I11"], params["I22"])
    anisotropy = max(params["I11"], params["I22"]) / min(params["I11"], params["I22"])
    assert np.max(np.abs(energy - energy[0])) <= 1e-14 * energy[0] * products**2 * anisotropy


@settings(max_examples=200, deadline=None, derandomize=True)
@given(params=sleigh_params(), start=initial("sleigh"), step=spread(1e-6, 1.0))
def test_energy_of_fedorov_zenkov_to_round_off(params, start, step):
    orbit = nhviz.simulate("sleigh", "fedorov_zenkov", params, start, step, 30 * step)
    energy = orbit.quantity("energy")
    # p_theta and b p_1 cancel in the energy; their sizes set its round-off.
    total = params["J"] + params["m"] * params["a"] ** 2
    terms = (np.abs(orbit["p_theta"]) + np.abs(params["b"] * orbit["p_1"])) ** 2 / total + orbit["p_1"] ** 2 / params[
        "m"
    ]
    assert np.max(np.abs(energy - energy[0])) <= 1e-13 * np.max(terms)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(params=suslov_params(), start=initial("suslov"), step=spread(1e-6, 1.0))
@example(
    params={"I11": 1.0, "I22": 1.0, "I33": 1.0, "I13": 1.1506683362563797e-203, "I23": 1.79205975540149e-203},
    start={"M1": 0.0, "M2": 0.0},
    step=1.0,
)
def test_branches_of_suslov_are_finite_and_sorted(params, start, step):
    for method in ("moser_veselov", "cayley"):
        found = nhviz.branches("suslov", method, params, step, start)
        angles = [branch["angle"] for branch in found]
        assert angles == sorted(angles)
        assert sum(branch["principal"] for branch in found) <= 1
        assert all(np.isfinite(value) for branch in found for value in branch.values())


@settings(max_examples=100, deadline=None, derandomize=True)
@given(params=sleigh_params(), start=initial("sleigh"), step=spread(1e-6, 1.0))
def test_branches_of_sleigh_are_finite_and_sorted(params, start, step):
    at = {name: start[name] for name in ("p_theta", "p_1")}
    for method in ("fedorov_zenkov", "midpoint", "naive"):
        values = {**params, "b": 0.0} if method == "midpoint" else params
        found = nhviz.branches("sleigh", method, values, step, at)
        turns = [abs(branch["dtheta"]) for branch in found]
        assert turns == sorted(turns)
        assert all(np.isfinite(value) for branch in found for value in branch.values())
