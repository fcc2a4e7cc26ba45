"""A variant with a share of the panel's step: two steps of one method on one page, as in GJ figures 3 and 4."""

import numpy as np
import pytest

import nhviz
from nhviz.analysis.steps import largest_step
from nhviz.frame.records import Lab, Panel, Scene, Variant, View
from nhviz.frame.shown import panels
from nhviz.frame.state import opening
from nhviz.labs import sleigh
from nhviz.views import numbers, pictures
from tests.pictures.reading import Drawn, close, page, points

BODY = {"I11": 2.7, "I22": 4.1, "I33": 5.3, "I13": 0.9, "I23": -0.6}
START = {"M1": 31.0, "M2": -72.0}
QUERY = "&".join(f"{name}={value}" for name, value in {**BODY, **START, "step": 0.014}.items())
BOTH = QUERY + "&methods=exact.moser_veselov.half"


def test_both_runs_are_those_of_the_library():
    runs = page("suslov", BOTH).panel.runs
    for name, step in (("moser_veselov", 0.014), ("half", 0.007)):
        alone = nhviz.simulate("suslov", "moser_veselov", BODY, START, step, 1.0)
        assert np.array_equal(runs[name].t, alone.t)
        assert np.array_equal(runs[name]["M1"], alone["M1"])
    # At the times that both have they are different points.
    assert np.abs(runs["half"]["M1"][::2][:40] - runs["moser_veselov"]["M1"][:40]).max() > 0.1


def test_half_a_step_reaches_twice_as_far_on_the_gauge():
    bounds = page("suslov", BOTH).panel.largest_steps
    energy_bound = largest_step("suslov", "moser_veselov", BODY, START)
    assert bounds["moser_veselov"] == pytest.approx(energy_bound, rel=1e-12)
    assert bounds["half"] == pytest.approx(2.0 * energy_bound, rel=1e-12)


def test_the_lead_of_half_a_step_is_a_quarter():
    """The maps are of second order: to leading order their phase lead goes with the square of the step."""
    leads = page("suslov", BOTH).panel.leads
    whole, half = (np.abs(leads[name]).max() for name in ("moser_veselov", "half"))
    assert half / whole == pytest.approx(0.25, abs=0.02)


def test_only_the_step_of_the_surface_is_drawn_on_it():
    here = page("suslov", BOTH)
    assert {trace["meta"]["track"] for trace in here.view("locus").traces if "meta" in trace} == {
        "exact",
        "moser_veselov",
    }
    assert {"moser_veselov", "half"} <= here.view("plane").runs().keys()


def test_displacements_of_half_a_step_are_half_as_far_on_the_projective_plane():
    """(q1, q2) = eps (u, v) / 2 over sqrt(1 + eps^2 (u^2 + v^2)/4), with the step of the run."""
    here = page("suslov", BOTH)
    drawn = here.view("disk").runs()
    for name, step in (("moser_veselov", 0.014), ("half", 0.007)):
        run = here.panel.runs[name]
        u, v = 0.5 * step * run["u"], 0.5 * step * run["v"]
        wanted = np.stack([u, v]) / np.sqrt(1.0 + u * u + v * v)
        assert close(points(drawn[name]), wanted, times=2.0)


def test_the_axis_of_the_body_is_turned_by_its_ends():
    here = page("suslov", QUERY)
    first, second = here.view("motion").layout["meta"]["handles"]
    velocity = np.array([START["M1"] / BODY["I11"], START["M2"] / BODY["I22"], 0.0])
    axis = velocity / np.linalg.norm(velocity)
    for handle, sign in ((first, -1), (second, 1)):
        place = np.array(handle["at"])
        assert handle["sign"] == sign
        assert np.allclose(place / np.linalg.norm(place), sign * axis, atol=1e-12)
        # The momentum of a rotation about the axis, up to its size, is that of the start.
        momenta = np.array(handle["momenta"]) @ (sign * place[:2])
        assert momenta[0] * START["M2"] == pytest.approx(momenta[1] * START["M1"], rel=1e-12)
        assert np.sign(momenta[0]) == np.sign(START["M1"])


def halved(system, method, show):
    """A picture of a page that no lab has: a method with the whole step and with half of it."""
    panel = Panel(system, variants=(Variant("whole", method), Variant("half", method, share=0.5)))
    lab = Lab("both", (Scene((panel,), (View("picture", "Picture", show),), readout=numbers.usual),))
    (shown,) = panels(opening(lab, lab.scenes[0])).values()
    return shown, Drawn(show(shown))


def test_cayley_with_half_a_step_rests_elsewhere():
    shown, drawn = halved("suslov", "cayley", pictures.momentum_plane)
    curves = {one["meta"]["track"]: points(one) for one in drawn.traces if "rest points" in one.get("name", "")}
    assert list(curves) == ["whole", "half"]
    for name, step in (("whole", shown.step), ("half", 0.5 * shown.step)):
        start = dict(zip(("M1", "M2"), curves[name][:, -1].tolist(), strict=True))
        moved = nhviz.simulate("suslov", "cayley", shown.params, start, step, 4.0 * step)
        # The last point is on the stable side: where rounding has put it beside, the map takes it back.
        assert close(moved["M1"], np.full(5, start["M1"]))
        assert close(moved["M2"], np.full(5, start["M2"]))
    assert not close(curves["whole"][:, -1], curves["half"][:, -1], times=1000.0)


def test_only_the_step_of_the_sleigh_s_surface_is_drawn_on_it():
    shown, drawn = halved("sleigh", "fedorov_zenkov", sleigh.locus)
    assert list(shown.runs) == ["whole", "half"]
    assert list(drawn.runs()) == ["whole"]
