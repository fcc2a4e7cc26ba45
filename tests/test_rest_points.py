"""Fixed points of every map with a momentum plane: a run from them stays, one beside them follows the multiplier."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import nhviz
from nhviz.analysis import backdrop
from nhviz.analysis.equilibria import equilibria, equilibrium_line
from nhviz.parameters import ParameterError

TENSOR = {"I11": 2.0, "I22": 5.0, "I33": 9.0, "I13": 1.3, "I23": -0.9}
BODIES = {
    "suslov": TENSOR,
    "sleigh": {"m": 1.7, "J": 0.8, "a": 0.6, "b": -0.4},
}
NAMES = {"suslov": ("M1", "M2"), "sleigh": ("p_theta", "p_1")}
PAIRS = [
    (system, method.id)
    for system in BODIES
    for method in nhviz.registry.find(system).methods
    if method.local is not None
]
EPS = np.finfo(float).eps
SETTINGS = settings(deadline=None, derandomize=True, database=None)


def body(system, method):
    """Generic parameters; the midpoint map needs b = 0."""
    return BODIES[system] | ({"b": 0.0} if method == "midpoint" else {})


def orbit_from(system, method, params, momentum, step, steps):
    """Momenta (2, steps + 1) of a complete run."""
    names = NAMES[system]
    start = dict(zip(names, map(float, momentum), strict=True))
    run = nhviz.simulate(system, method, params, start, step, steps * step)
    assert run.stopped is None
    assert len(run) == steps + 1
    return np.stack([run[name] for name in names])


@pytest.mark.parametrize(("system", "method"), PAIRS)
@pytest.mark.parametrize("step", [0.05, 0.3, 0.7])
def test_a_run_from_a_rest_point_stays_and_beside_it_follows_the_multiplier(system, method, step):
    params, energy = body(system, method), 1.4
    found = equilibria(system, energy, params, method, step)
    assert [point.stable for point in found] == [False, True]
    for point in found:
        size = np.linalg.norm(point.momentum)
        orbit = orbit_from(system, method, params, point.momentum, step, 3)
        # Three steps let the round-off of each grow by the multiplier; the reference flow adds its own tolerance.
        assert np.abs(orbit - point.momentum[:, None]).max() <= 30.0 * EPS * size * max(1.0, point.multiplier) ** 3
        # The distance from the line of rest points, to first order in the perturbation.
        away = 1e-6 * size
        across = np.array([-point.momentum[1], point.momentum[0]]) / size
        beside = [
            orbit_from(system, method, params, point.momentum + sign * away * across, step, 1) for sign in (1, -1)
        ]
        derivative = (beside[0][:, 1] - beside[1][:, 1]) / (2.0 * away)
        # The line's own direction has the multiplier 1: the trace of the derivative is 1 + multiplier.
        near = [equilibria(system, energy * (1.0 + sign * 1e-4), params, method, step) for sign in (1, -1)]
        place = 0 if point.multiplier > 1.0 else 1
        tangent = near[0][place].momentum - near[1][place].momentum
        shares = np.linalg.solve(np.stack([tangent, across], axis=1), derivative)
        # Central differences: (1e-6)^2 of curvature, and round-off over 1e-6.
        assert shares[1] == pytest.approx(point.multiplier, rel=1e-8)


def test_cayley_does_not_rest_where_the_flow_does():
    """A run of the Cayley map from the flow's equilibrium moves in its first step, by the third order in the step."""
    moved = []
    for step in (0.2, 0.1):
        flow = equilibria("suslov", 1.4, TENSOR)[1].momentum
        own = equilibria("suslov", 1.4, TENSOR, "cayley", step)[1].momentum
        orbit = orbit_from("suslov", "cayley", TENSOR, flow, step, 1)
        moved.append(np.linalg.norm(orbit[:, 1] - orbit[:, 0]))
        assert np.linalg.norm(own - flow) > 10.0 * moved[-1]
    # k at the flow's equilibrium is of second order, times the step; the next term is two orders further.
    assert math.log2(moved[0] / moved[1]) == pytest.approx(3.0, abs=0.1)


@SETTINGS
@given(
    st.floats(0.1, 20.0),
    st.floats(0.1, 20.0),
    st.floats(-5.0, 5.0),
    st.floats(-5.0, 5.0),
    st.floats(1e-6, 1e3),
    st.floats(1e-3, 2.0),
    st.sampled_from(["moser_veselov", "cayley"]),
)
def test_rest_points_of_any_body(i11, i22, i13, i23, energy, step, method):
    """Whatever is returned has the energy and stays: to round-off, grown by the multiplier."""
    assume(max(abs(i13), abs(i23)) > 1e-3)
    params = {"I11": i11, "I22": i22, "I33": 1.0 + i13**2 / i11 + i23**2 / i22, "I13": i13, "I23": i23}
    for point in equilibria("suslov", energy, params, method, step):
        m1, m2 = point.momentum
        assert m1**2 / (2.0 * i11) + m2**2 / (2.0 * i22) == pytest.approx(energy, rel=30.0 * EPS)
        assume(max(abs(point.momentum)) <= 1000.0 and point.multiplier < 100.0)
        orbit = orbit_from("suslov", method, params, point.momentum, step, 1)
        # The displacement is found to round-off times the condition of its equation, which grows with the multiplier.
        ratio = max(i11, i22, abs(i13), abs(i23)) / min(i11, i22)
        assert np.abs(orbit[:, 1] - point.momentum).max() <= 100.0 * EPS * ratio**2 * (
            1.0 + abs(point.multiplier)
        ) * np.linalg.norm(point.momentum)


def test_a_step_that_is_too_long_leaves_moser_veselov_no_rest_point():
    """m (1 + rho^2) = I rho has no root for eps sqrt(E/(2 N)) > 1/2; the run ends at once there as well."""
    assert len(equilibria("suslov", 1.4, TENSOR, "moser_veselov", 1.0)) == 2
    assert equilibria("suslov", 1.4, TENSOR, "moser_veselov", 1.5) == []
    m1, m2 = equilibria("suslov", 1.4, TENSOR)[1].momentum
    run = nhviz.simulate("suslov", "moser_veselov", TENSOR, {"M1": float(m1), "M2": float(m2)}, 1.5, 15.0)
    assert run.stopped is not None
    assert len(equilibria("suslov", 1.4, TENSOR, "cayley", 1.5)) == 2


def test_no_rest_points_without_products_or_energy():
    for method in ("moser_veselov", "cayley"):
        assert equilibria("suslov", 1.4, TENSOR | {"I13": 0.0, "I23": 0.0}, method) == []
        assert equilibria("suslov", 0.0, TENSOR, method) == []
    with pytest.raises(ParameterError, match="declares no multiplier"):
        equilibria("suslov", 1.4, TENSOR, "feedback")


def test_only_curves_that_can_be_told_from_the_line_are_drawn():
    system = nhviz.registry.find("suslov")

    def curve(method, params, step):
        return backdrop.rest_curve(system.plane, system.method(method), params, step, 1.4)

    drawn = curve("cayley", TENSOR, 0.5)
    assert drawn.shape == (2, 25)
    own = equilibria("suslov", 1.1 * max(backdrop.LEVELS) * 1.4, TENSOR, "cayley", 0.5)
    np.testing.assert_allclose(drawn[:, [0, -1]].T, [own[0].momentum, own[1].momentum], rtol=1e-14)
    assert np.all(np.diff(equilibrium_line("suslov", TENSOR) @ drawn) > 0.0)
    assert curve("moser_veselov", TENSOR, 0.5) is None
    assert curve("exact", TENSOR, 0.5) is None
    assert curve("cayley", TENSOR, 1e-3) is None
    assert curve("cayley", TENSOR | {"I22": 2.0}, 0.5) is None
    assert curve("cayley", TENSOR | {"I13": 0.0, "I23": 0.0}, 0.5) is None
