"""The numbers below the pictures: each is measured here in another way."""

import re

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import nhviz
from nhviz.views import numbers
from tests.pictures import flows
from tests.pictures.bodies import SLEIGH, SUSLOV, USUAL
from tests.pictures.reading import page
from tests.pictures.test_drift import expected

NUMBER = r"-?\d+\.?\d*(?:e[+-]\d+)?"


def told(text):
    """The numbers in a text."""
    return [float(number) for number in re.findall(NUMBER, text)]


@pytest.mark.parametrize("query", [SUSLOV, SUSLOV.replace("I13=0.9", "I13=-2.2")])
def test_the_angle_between_the_limit_axes_is_that_of_the_flow_at_both_ends(query):
    here = page("suslov", query)
    params, start = here.panel.params, np.array([here.panel.initial["M1"], here.panel.initial["M2"]])
    rate = np.sqrt(2.0 * flows.suslov_energy(params, start) * (params["I13"] ** 2 / params["I11"]
                   + params["I23"] ** 2 / params["I22"]) / (params["I11"] * params["I22"]))  # fmt: skip
    axes = []
    for way in (-1.0, 1.0):
        # Rest is approached like exp(-rate t): 16 times its time leave 1e-7.
        momenta, attitudes = flows.attitude(params, start, np.array([0.0, way * 16.0 / rate]))
        omega = np.array([momenta[0, -1] / params["I11"], momenta[1, -1] / params["I22"], 0.0])
        axes.append(attitudes[-1] @ omega / np.linalg.norm(omega))
    text = here.readout["limit axes of the flow"]
    assert text.endswith("° apart")
    (degrees,) = told(text)
    assert degrees == pytest.approx(np.degrees(np.arccos(axes[0] @ axes[1])), abs=0.006)
    assert degrees > 1.0


def test_a_balanced_top_keeps_every_rotation():
    query = "I11=2&I22=3.7&I33=6&I13=0&I23=0&M1=3.1&M2=4.3"
    assert page("suslov", query).readout["limit axes of the flow"] == "every rotation stays"


@pytest.mark.parametrize("query", [SLEIGH, SLEIGH.replace("a=0.6", "a=-1.4")])
def test_the_total_turn_is_that_of_the_flow_from_end_to_end(query):
    here = page("sleigh", query)
    params = here.panel.params
    start = [here.panel.initial[name] for name in ("theta", "x", "y", "p_theta", "p_1")]
    total = params["J"] + params["m"] * params["a"] ** 2
    rate = abs(params["a"]) * np.sqrt(2.0 * params["m"] * flows.sleigh_energy(params, start[3:])) / total
    ends = [flows.followed(flows.sleigh_rates(params), start, [0.0, way * 20.0 / rate])[0, -1] for way in (-1.0, 1.0)]
    (degrees,) = told(here.readout["total turn of the flow"])
    assert degrees == pytest.approx(np.degrees(abs(ends[1] - ends[0])), abs=0.006)


def test_without_an_offset_the_sleigh_turns_for_ever():
    assert page("sleigh", SLEIGH.replace("a=0.6", "a=0")).readout["total turn of the flow"] == "turns for ever"


def test_the_cusp_is_told_when_and_where():
    here = page("sleigh", SLEIGH)
    params = here.panel.params
    start = [here.panel.initial[name] for name in ("theta", "x", "y", "p_theta", "p_1")]
    found = solve_ivp(flows.sleigh_rates(params), (0.0, 12.0), start, "DOP853", rtol=1e-12, atol=1e-13, max_step=0.1,
                      events=lambda _, y: flows.sleigh_velocities(params, y[3], y[4])[1])  # fmt: skip
    text = here.readout["cusp"]
    # Four digits.
    assert told(text) == pytest.approx([found.t_events[0][0], *found.y_events[0][0][1:3]], rel=6e-4)
    assert re.fullmatch(rf"t = {NUMBER} s at \({NUMBER}, {NUMBER}\) m", text)
    assert page("sleigh", SLEIGH.replace("p_1=-1.1", "p_1=1.1")).readout["cusp"] == "none in this run"


@pytest.mark.parametrize(("lab", "query"), [("suslov", SUSLOV), ("sleigh", SLEIGH)])
def test_energy_and_drifts_are_those_of_the_runs(lab, query):
    here = page(lab, query)
    names = ("M1", "M2") if lab == "suslov" else ("p_theta", "p_1")
    energy = flows.suslov_energy if lab == "suslov" else flows.sleigh_energy
    start = energy(here.panel.params, [here.panel.initial[name] for name in names])
    assert here.readout["energy"] == f"{start:.6g} J"
    each = here.readout["drift of energy"].split(", ")
    assert len(each) == len(here.panel.runs)
    for text, method in zip(each, here.panel.runs, strict=True):
        label, _, value = text.rpartition(" ")
        assert label == here.panel.system.method(method).title
        # Two digits of what is above round-off.
        assert float(value) == pytest.approx(expected(here, method)["energy"].max(), rel=0.06, abs=1e-14)
    assert float(each[-1].rpartition(" ")[2]) > 1e-4


@pytest.mark.parametrize("lab", USUAL)
def test_every_usual_lab_tells_the_greatest_drift_of_every_quantity(lab):
    here = page(lab, USUAL[lab])
    told_drifts = {name: text for name, text in here.readout.items() if name.startswith("drift of ")}
    assert [name.removeprefix("drift of ") for name in told_drifts] == [q.id for q in here.panel.system.quantities]
    for quantity in here.panel.system.quantities:
        each = told_drifts[f"drift of {quantity.id}"].split(", ")
        for text, method in zip(each, here.panel.runs, strict=True):
            values = here.alone(method).quantity(quantity.id)
            scale = abs(values[0]) if abs(values[0]) > 1e-9 else 1.0
            label, _, value = text.rpartition(" ")
            assert label == here.panel.system.method(method).title
            assert float(value) == pytest.approx(np.abs(values - values[0]).max() / scale, rel=0.06, abs=1e-14)


def test_a_feedback_tells_its_stability_number():
    here = page("knife_edge", USUAL["knife_edge"])
    greatest = here.alone("feedback").quantity("stability").max()
    assert told(here.readout["stability of Feedback"]) == pytest.approx([greatest], rel=6e-4)
    assert "stability of Closed form" not in here.readout


def steps_on(lab, here, method, step):
    """Whether a map that keeps the energy can step once from every phase of the start's energy."""
    params, names = here.panel.params, ("M1", "M2") if lab == "suslov" else ("p_theta", "p_1")
    start = np.array([here.panel.initial[name] for name in names])
    angles = np.linspace(0.0, 2.0 * np.pi, 721)
    if lab == "suslov":
        size = np.sqrt(2.0 * flows.suslov_energy(params, start))
        momenta = size * np.stack([np.sqrt(params["I11"]) * np.cos(angles), np.sqrt(params["I22"]) * np.sin(angles)])
    else:
        size, total = np.sqrt(2.0 * flows.sleigh_energy(params, start)), params["J"] + params["m"] * params["a"] ** 2
        p_1 = size * np.sqrt(params["m"]) * np.sin(angles)
        momenta = np.stack([size * np.sqrt(total) * np.cos(angles) - params["b"] * p_1, p_1])
    starts = dict(zip(names, momenta, strict=True))
    runs = nhviz.ensemble(lab, method, params, starts, step, step)
    return all(length == 2 for length in runs.lengths)


@pytest.mark.parametrize(
    ("lab", "query", "method"),
    [
        ("suslov", SUSLOV, "moser_veselov"),
        ("sleigh", SLEIGH, "fedorov_zenkov"),
        ("sleigh", SLEIGH.replace("a=0.6", "a=-0.9"), "fedorov_zenkov"),
    ],
)
def test_up_to_the_largest_step_every_phase_of_the_energy_can_step(lab, query, method):
    here = page(lab, query)
    bounds = numbers.largest_steps(here.panel)
    assert list(bounds) == [name for name in here.panel.runs if here.panel.system.method(name).discrete]
    assert steps_on(lab, here, method, 0.995 * bounds[method])
    # The grid of phases comes within a quarter of a degree of the worst one.
    assert not steps_on(lab, here, method, 1.02 * bounds[method])


def test_the_largest_step_of_a_start_lets_it_step():
    here = page("suslov_n", USUAL["suslov_n"] + "&p1=1.4&p2=0.7&p3=-0.6")
    (bound,) = numbers.largest_steps(here.panel).values()
    start = {name: here.panel.initial[name] for name in ("p1", "p2", "p3")}
    for share, samples in ((0.99, 2), (1.01, 1)):
        run = nhviz.simulate("suslov_n", "moser_veselov", None, start, share * bound, share * bound)
        assert len(run) == samples
