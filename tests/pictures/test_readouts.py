"""The numbers below the pictures: each is measured here in another way."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from nhviz.views import numbers as below
from tests.pictures import flows
from tests.pictures.bodies import BALL, SLEIGH, SUSLOV, USUAL
from tests.pictures.reading import page, told
from tests.pictures.test_drift import expected


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
    text = here.readout["Limit axes"]
    assert text.endswith("° apart")
    (degrees,) = told(text)
    assert degrees == pytest.approx(np.degrees(np.arccos(axes[0] @ axes[1])), rel=6e-4)
    assert degrees > 1.0


def test_a_balanced_top_keeps_every_rotation():
    query = "I11=2&I22=3.7&I33=6&I13=0&I23=0&M1=3.1&M2=4.3"
    assert page("suslov", query).readout["Limit axes"] == "every rotation stays"


def turned(here):
    """By how many degrees the flow of a sleigh turns from one end of time to the other."""
    params = here.panel.params
    start = [here.panel.initial[name] for name in ("theta", "x", "y", "p_theta", "p_1")]
    total = params["J"] + params["m"] * params["a"] ** 2
    rate = abs(params["a"]) * np.sqrt(2.0 * params["m"] * flows.sleigh_energy(params, start[3:])) / total
    ends = [flows.followed(flows.sleigh_rates(params), start, [0.0, way * 20.0 / rate])[0, -1] for way in (-1.0, 1.0)]
    return np.degrees(abs(ends[1] - ends[0]))


@pytest.mark.parametrize("query", [SLEIGH, SLEIGH.replace("a=0.6", "a=-1.4")])
def test_the_total_turn_is_that_of_the_flow_from_end_to_end(query):
    here = page("sleigh", query)
    assert told(here.readout["Total turn"]) == pytest.approx([turned(here)], rel=6e-4)


def test_without_an_offset_the_sleigh_turns_for_ever():
    assert page("sleigh", SLEIGH.replace("a=0.6", "a=0")).readout["Total turn"] == "for ever"


def cusp_time(here):
    """When the blade of a sleigh stands still."""
    params = here.panel.params
    start = [here.panel.initial[name] for name in ("theta", "x", "y", "p_theta", "p_1")]
    found = solve_ivp(flows.sleigh_rates(params), (0.0, 12.0), start, "DOP853", rtol=1e-12, atol=1e-13, max_step=0.1,
                      events=lambda _, y: flows.sleigh_velocities(params, y[3], y[4])[1])  # fmt: skip
    return found.t_events[0][0]


def test_the_cusp_is_told_when():
    here = page("sleigh", SLEIGH)
    assert told(here.readout["Cusp"]) == pytest.approx([cusp_time(here)], rel=6e-4)
    assert here.readout["Cusp"].endswith(" s")
    assert page("sleigh", SLEIGH.replace("p_1=-1.1", "p_1=1.1")).readout["Cusp"] == "none in this run"


@pytest.mark.parametrize(("lab", "query"), [("suslov", SUSLOV), ("sleigh", SLEIGH)])
def test_energy_and_drift_are_those_of_the_runs(lab, query):
    for chosen in ("", "&methods=cayley" if lab == "suslov" else "&methods=naive"):
        here = page(lab, query + chosen)
        names = ("M1", "M2") if lab == "suslov" else ("p_theta", "p_1")
        energy = flows.suslov_energy if lab == "suslov" else flows.sleigh_energy
        start = energy(here.panel.params, [here.panel.initial[name] for name in names])
        assert told(here.readout["Energy"]) == pytest.approx([start], rel=6e-4)
        assert here.readout["Energy"].endswith(" J")
        # Two digits of what is above round-off, of the first map.
        first = next(iter(here.panel.maps))
        assert told(here.readout["Energy drift"]) == pytest.approx(
            [expected(here, first)["energy"].max()], rel=0.06, abs=1e-14
        )
    assert told(here.readout["Energy drift"])[0] > 1e-4


@pytest.mark.parametrize(("lab", "query"), [("suslov", SUSLOV), ("sleigh", SLEIGH)])
def test_the_lead_follows_the_clock_of_the_first_map(lab, query):
    here = page(lab, query)
    (now,) = [one for one in below.statistics(here.panel) if one.label == "Lead now"]
    first = "moser_veselov" if lab == "suslov" else "fedorov_zenkov"
    assert now.key == first
    names = ("M1", "M2") if lab == "suslov" else ("p_theta", "p_1")
    assert now.values == pytest.approx(lead_of(lab, here, here.alone(first), names), abs=1e-8)
    assert np.abs(now.values).max() > 1e-4


def phase(lab, params, momenta):
    """The angle on the ellipse of an energy."""
    if lab == "suslov":
        return np.arctan2(momenta[1] / np.sqrt(params["I22"]), momenta[0] / np.sqrt(params["I11"]))
    total = params["J"] + params["m"] * params["a"] ** 2
    return np.arctan2(momenta[1] / np.sqrt(params["m"]), (momenta[0] + params["b"] * momenta[1]) / np.sqrt(total))


def lead_of(lab, here, run, names):
    """Phase of a run minus that of the flow, in the sense in which the flow moves."""
    params, momenta = here.panel.params, np.stack([run[name] for name in names])
    if lab == "suslov":
        flow = flows.followed(flows.suslov_rates(params), momenta[:, 0], run.t)
    else:
        start = [run[name][0] for name in ("theta", "x", "y", "p_theta", "p_1")]
        flow = flows.followed(flows.sleigh_rates(params), start, run.t)[3:]
    ours, theirs = (np.unwrap(phase(lab, params, one)) for one in (momenta, flow))
    return np.sign(theirs[-1] - theirs[0]) * (ours - theirs)


LABELS = {
    "knife_edge": ["Energy", "Speed now", "Down", "Across", "Energy drift"],
    "rolling_disk": ["Energy", "Speed", "Radius", "Once round", "Stability, Feedback"],
    "roller_racer": ["Energy", "Speed now", "Turning now", "Energy drift", "Stability, Feedback"],
    "heisenberg": ["Energy", "Length", "Tilt", "Stability, Feedback"],
    "oscillator": ["Energy", "Swing of y", "Energy drift, Lagrange–d’Alembert"],
    "suslov_n": ["Energy", "To the sink", "Energy drift"],
    "sleigh_n": ["Energy", "Speed now", "Cusp", "New course", "Energy drift"],
    "sphere_n": ["Energy", "Rolled", "Energy drift"],
}


@pytest.mark.parametrize("lab", USUAL)
def test_every_plain_lab_tells_its_energy_and_how_it_is_kept(lab):
    here = page(lab, USUAL[lab])
    assert list(here.readout) == LABELS[lab]
    first = next(iter(here.panel.maps))
    energy = here.alone(first).quantity("energy")
    # The quantity of the balls is twice the kinetic energy.
    share = 0.5 if lab.startswith("sphere") else 1.0
    assert told(here.readout["Energy"]) == pytest.approx([share * energy[0]], rel=6e-4)
    for label in here.readout:
        if label.startswith("Energy drift"):
            drift = np.abs(energy - energy[0]).max() / abs(energy[0])
            assert told(here.readout[label]) == pytest.approx([drift], rel=0.06, abs=1e-14)


def test_speeds_follow_the_clock_of_the_run_that_moves():
    for lab, label, name in (("roller_racer", "Speed now", "u"), ("roller_racer", "Turning now", "omega"),
                             ("sleigh_n", "Speed now", "v"), ("knife_edge", "Speed now", "v")):  # fmt: skip
        here = page(lab, USUAL[lab])
        (now,) = [one for one in below.statistics(here.panel) if one.label == label]
        run = here.alone(here.panel.first)
        assert now.key == here.panel.first
        values = np.abs(run[name]) if lab == "knife_edge" else run[name]
        assert now.values == pytest.approx(values[here.panel.points(run)], abs=1e-9)


def test_a_feedback_tells_its_stability_number():
    here = page("roller_racer", USUAL["roller_racer"])
    greatest = here.alone("feedback").quantity("stability").max()
    assert told(here.readout["Stability, Feedback"]) == pytest.approx([greatest], rel=6e-4)
    assert "Stability, Reference" not in here.readout


@pytest.mark.parametrize(("lab", "query"), [("suslov", SUSLOV), ("sleigh", SLEIGH)])
def test_the_energy_is_a_form_of_the_momenta(lab, query):
    here = page(lab, query)
    a, b, d = below.energy_form(here.panel)
    energy = flows.suslov_energy if lab == "suslov" else flows.sleigh_energy
    for first, second in np.random.default_rng(3).normal(size=(20, 2)):
        form = 0.5 * (a * first**2 + 2.0 * b * first * second + d * second**2)
        assert form == pytest.approx(energy(here.panel.params, [first, second]), rel=1e-13)
    assert (b != 0.0) == (lab == "sleigh")
    assert below.energy_form(page("sphere", BALL).panel) is None
