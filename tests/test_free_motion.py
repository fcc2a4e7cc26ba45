"""The Suslov top as a free body: which methods keep the momentum in space, and where."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import nhviz
from nhviz.analysis.equilibria import equilibria
from nhviz.analysis.free_motion import momentum_in_space, torque_form
from nhviz.analysis.limit_axes import coinciding_product, limit_axes_angle

EPS = np.finfo(float).eps
SETTINGS = settings(deadline=None, derandomize=True, database=None)
START = {"M1": 1.3, "M2": -2.1}
GENERIC = {"I11": 2.0, "I22": 5.0, "I33": 9.0, "I13": 1.3, "I23": -0.9}


def free_body(turned=False):
    """A tensor with I11 (I22 - I11) = I13^2, or with both axes exchanged."""
    product = coinciding_product(1.5, 3.5)
    if turned:
        return {"I11": 3.5, "I22": 1.5, "I33": 4.0, "I13": 0.0, "I23": -product}
    return {"I11": 1.5, "I22": 3.5, "I33": 4.0, "I13": product, "I23": 0.0}


def change(method, params, step=0.2, duration=40.0, start=None, **options):
    """The largest change of the momentum in space over a run, as a share of it, and the run."""
    run = nhviz.simulate("suslov", method, params, start or START, step, duration, **options)
    assert run.stopped is None
    momentum = momentum_in_space(run)
    return np.abs(momentum - momentum[0]).max() / np.linalg.norm(momentum[0]), run


@pytest.mark.parametrize("turned", [False, True])
def test_free_bodies_have_no_torque_and_one_limit_axis(turned):
    assert np.abs(torque_form(free_body(turned))).max() <= 4.0 * EPS * 3.5
    assert limit_axes_angle(free_body(turned)) <= 30.0 * EPS * 5.0
    run = nhviz.simulate("suslov", "exact", free_body(turned), START, 0.05, 60.0)
    axis = run["R"][-1] @ [run["u"][-1], run["v"][-1], 0.0]
    momentum = momentum_in_space(run)[-1]
    # The momentum's own axis: reached like e^-tau, with tau over 30 here.
    assert np.linalg.norm(np.cross(axis, momentum)) <= 1e-10 * np.linalg.norm(axis) * np.linalg.norm(momentum)


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("method", ["exact", "reference", "moser_veselov"])
def test_the_flow_and_moser_veselov_keep_the_momentum_of_a_free_body(method, turned):
    """Two hundred steps: some round-off in each, of the attitude and of the momentum."""
    assert change(method, free_body(turned))[0] <= 10.0 * 200 * EPS


def test_moser_veselov_keeps_it_on_the_other_branch_too():
    assert change("moser_veselov", free_body(), branch=1)[0] <= 10.0 * 200 * EPS


@SETTINGS
@given(st.floats(0.2, 5.0), st.floats(-2.0, 2.0), st.floats(-3.0, 3.0), st.floats(-3.0, 3.0))
def test_any_free_body(i11, c, m1, m2):
    """I13 = c I11 and I22 = (1 + c^2) I11, half the largest step, any start."""
    assume(abs(c) > 1e-2 and math.hypot(m1, m2) > 1e-2)
    params = {"I11": i11, "I22": i11 * (1.0 + c * c), "I33": 1.0 + i11 * c * c, "I13": c * i11, "I23": 0.0}
    start = {"M1": m1, "M2": m2}
    step = 0.5 * nhviz.analysis.steps.largest_step("suslov", "moser_veselov", params, start)
    found, _ = change("moser_veselov", params, step, 20 * step, start)
    assert found <= 100.0 * 20 * EPS * (1.0 + c * c)


def test_cayley_changes_it_by_the_third_order():
    """A step changes R M by -(2 c/eps)(x' S' - x S) R' e3, at every step of a run: seen here as its component there."""
    params, step = free_body(), 0.2
    most, run = change("cayley", params, step)
    assert most > 1e-3
    x, y = 0.5 * step * run["u"], 0.5 * step * run["v"]
    shape = params["I11"] * x**2 + params["I22"] * y**2
    expected = -2.0 * params["I13"] / params["I11"] / step * np.diff(x * shape)
    steps = np.diff(momentum_in_space(run), axis=0)
    wanted = expected[:, None] * run["R"][1:, :, 2]
    np.testing.assert_allclose(steps, wanted, rtol=0.0, atol=100.0 * EPS * np.abs(momentum_in_space(run)).max() / step)
    sizes = [np.abs(np.diff(momentum_in_space(change("cayley", params, h, h)[1]), axis=0)).max() for h in (0.1, 0.05)]
    assert math.log2(sizes[0] / sizes[1]) == pytest.approx(3.0, abs=0.2)


def test_no_map_keeps_it_for_a_generic_body():
    for method in ("exact", "moser_veselov", "cayley"):
        assert change(method, GENERIC)[0] > 0.1


@pytest.mark.parametrize("method", ["moser_veselov", "cayley"])
def test_vanishing_k_is_not_enough(method):
    """At a rest point, and for I13 = I23 = 0, a step of either map turns M3 round: 2 |M3| of change in space."""
    step = 0.3
    m1, m2 = equilibria("suslov", 1.4, GENERIC, method, step)[1].momentum
    still = GENERIC | {"I13": 0.0, "I23": 0.0}
    for params, start in ((GENERIC, {"M1": float(m1), "M2": float(m2)}), (still, START)):
        _, run = change(method, params, step, step, start)
        u, v = run["u"][0], run["v"][0]
        assert abs(params["I13"] * u + params["I23"] * v) <= 100.0 * EPS
        factor = 2.0 / (4.0 + step**2 * (u**2 + v**2)) if method == "moser_veselov" else 0.5
        m3 = factor * step * (params["I22"] - params["I11"]) * u * v
        assert abs(m3) > 1e-3
        changed = np.diff(momentum_in_space(run), axis=0)[0]
        np.testing.assert_allclose(changed, 2.0 * m3 * run["R"][1, :, 2], rtol=0.0, atol=1000.0 * EPS)


@pytest.mark.parametrize("method", ["moser_veselov", "cayley"])
def test_vanishing_k_is_enough_about_a_principal_axis(method):
    """I23 = 0 and u = 0, or I11 = I22 with I13 = I23 = 0: both maps keep the momentum in space."""
    about_second = GENERIC | {"I23": 0.0}
    round_body = GENERIC | {"I13": 0.0, "I23": 0.0, "I22": GENERIC["I11"]}
    for params, start in ((about_second, {"M1": 0.0, "M2": 2.0}), (round_body, START)):
        assert change(method, params, 0.1, 2.0, start)[0] <= 10.0 * 20 * EPS
