"""Closed forms of the systems with an extension, against many digits and against the reference flow."""

import mpmath
import numpy as np
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import nhviz
from nhviz import registry
from tests.extensions import CP_TOP, DISK, KNIFE, STARTS, within
from tests.strategies import initial as any_start
from tests.strategies import spread
from tests.strategies import values as any_values

SETTINGS = settings(max_examples=25, deadline=None, derandomize=True, database=None)


def exact_knife(params, start, t):
    """CP's closed form, corrected, in 80 digits; without turning the uniform acceleration."""
    with mpmath.workdps(80):
        phi0, v0 = mpmath.mpf(start["phi"]), mpmath.mpf(start["v"])
        w = mpmath.mpf(start["p_phi"]) / mpmath.mpf(params["J"])
        drop, t = mpmath.mpf(params["g"]) * mpmath.sin(params["alpha"]), mpmath.mpf(t)
        if w == 0:
            path = v0 * t + drop * mpmath.cos(phi0) * t**2 / 2
            return [float(start["x"] + path * mpmath.cos(phi0)), float(start["y"] + path * mpmath.sin(phi0))]
        ratio, phi = drop / w, phi0 + w * t
        b = v0 - ratio * mpmath.sin(phi0)
        x = (b / w) * (mpmath.sin(phi) - mpmath.sin(phi0))
        x += ratio / (2 * w) * (mpmath.sin(phi) ** 2 - mpmath.sin(phi0) ** 2)
        y = -(b / w) * (mpmath.cos(phi) - mpmath.cos(phi0))
        y += ratio * (t / 2 - (mpmath.sin(2 * phi) - mpmath.sin(2 * phi0)) / (4 * w))
        return [float(start["x"] + x), float(start["y"] + y)]


TURNINGS = st.one_of(st.just(0.0), spread(1e-12, 1000.0), spread(1e-12, 1000.0).map(lambda value: -value))


@SETTINGS
@given(
    any_values(registry.find("knife_edge").parameters),
    any_start("knife_edge"),
    TURNINGS,
    st.floats(-4.0, 4.0),
    st.floats(0.01, 50.0),
)
@example(KNIFE, STARTS["knife_edge"], 1e-18, 0.3, 3.0)
@example(KNIFE, STARTS["knife_edge"], 0.0, 0.3, 3.0)
def test_exact_knife_edge_in_many_digits(params, start, p_phi, phi, duration):
    start = {**start, "p_phi": p_phi, "phi": phi, "x": 0.25, "y": -0.5}
    turn = abs(p_phi) / params["J"] * duration
    assume(turn < 1e6)
    run = nhviz.simulate("knife_edge", "exact", params, start, duration / 7, duration)
    reach = (abs(start["v"]) + params["g"] * duration) * duration
    for i in (1, 3, 7):
        # The phase itself has a round-off of its own size.
        size = 1e-14 * (1.0 + reach) * (1.0 + turn)
        within([run["x"][i], run["y"][i]], exact_knife(params, start, run.t[i]), size)


@SETTINGS
@given(
    any_values(registry.find("knife_edge").parameters),
    any_start("knife_edge"),
    TURNINGS,
    st.floats(0.01, 20.0),
)
def test_exact_knife_edge_is_the_reference(params, start, p_phi, turn):
    rate = abs(p_phi) / params["J"]
    duration = min(turn / max(rate, 1e-6), 20.0)
    start = {**start, "p_phi": p_phi, "x": 0.25, "y": -0.5, "phi": float(np.remainder(start["phi"], 6.0))}
    exact, reference = (
        nhviz.simulate("knife_edge", method, params, start, duration / 16, duration)
        for method in ("exact", "reference")
    )
    assert reference.stopped is None
    reach = 1.0 + (abs(start["v"]) + params["g"] * duration) * (1.0 + duration)
    for name in ("x", "y", "phi", "v"):
        within(exact[name], reference[name], 1e-10 * reach)
    for name in ("p_x", "p_y", "p_phi"):
        within(exact[name], reference[name], 1e-10 * (reach * params["m"] + abs(p_phi)))


@SETTINGS
@given(any_values(registry.find("rolling_disk").parameters), any_start("rolling_disk"), TURNINGS, st.floats(0.01, 20.0))
@example(DISK, STARTS["rolling_disk"], 1e-18, 3.0)
@example(DISK, STARTS["rolling_disk"], 0.0, 3.0)
def test_exact_disk_is_the_circle(params, start, turning, turn):
    rate = turning / params["J"]
    duration = min(turn / max(abs(rate), 1e-6), 20.0)
    theta = float(np.remainder(start["theta"], 6.0))
    start = {**start, "Pi_theta": turning, "theta": theta, "x": 0.25, "y": -0.5, "psi": 0.5}
    exact, reference = (
        nhviz.simulate("rolling_disk", method, params, start, duration / 16, duration)
        for method in ("exact", "reference")
    )
    assert reference.stopped is None
    rolling = start["Pi_psi"] / params["I"]
    speed = params["R"] * rolling
    for i in (1, 7, 16):
        with mpmath.workdps(80):
            w, t = mpmath.mpf(turning) / mpmath.mpf(params["J"]), mpmath.mpf(exact.t[i])
            sine, cosine = (
                (mpmath.cos(theta) * t, mpmath.sin(theta) * t)
                if w == 0
                else (
                    (mpmath.sin(theta + w * t) - mpmath.sin(theta)) / w,
                    (mpmath.cos(theta) - mpmath.cos(theta + w * t)) / w,
                )
            )
            place = [float(0.25 + speed * sine), float(-0.5 + speed * cosine)]
        within([exact["x"][i], exact["y"][i]], place, 1e-14 * (1.0 + abs(speed) * duration) * (1.0 + turn))
    within(exact["psi"], 0.5 + rolling * exact.t, 1e-14 * (1.0 + abs(rolling) * duration))
    for name in ("x", "y", "theta", "psi"):
        within(exact[name], reference[name], 1e-10 * (1.0 + (abs(speed) + abs(rolling)) * duration + turn))
    within(exact.quantity("constraint_2"), 0.0, 1e-12 * (1.0 + np.abs(exact["Pi_x"]).max()))


def test_exact_heisenberg_is_straight():
    exact, reference = (
        nhviz.simulate("heisenberg", method, None, STARTS["heisenberg"], 0.1, 5.0) for method in ("exact", "reference")
    )
    for name in ("x", "y", "z", "p_x", "p_y", "p_z"):
        within(exact[name], reference[name], 1e-12)
    within(exact.quantity("constraint"), 0.0, 1e-14)


def test_the_corrected_cycloid():
    for method in ("exact", "reference"):
        run = nhviz.simulate("knife_edge", method, duration=20.0, step=0.05)
        t = run.t
        within(run["x"], (1.0 - np.cos(t)) / 2.0, 1e-11)
        within(run["y"], (t - np.sin(t)) / 2.0, 1e-11)
        within(run["phi"], t / 2.0, 1e-11)


def test_cp_top_runs_as_tanh_and_sech():
    run = nhviz.simulate("suslov", "reference", CP_TOP, {"M1": 0.0, "M2": 1.0}, 0.05, 10.0)
    for name, expected in (("M1", -np.tanh(run.t)), ("M2", 1.0 / np.cosh(run.t)), ("M3", 1.0 / np.cosh(run.t))):
        within(run[name], expected, 1e-11)
