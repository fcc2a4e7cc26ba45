"""Phase lead: measured against the flow on the energy ellipse, and its leading order against ever shorter steps."""

import numpy as np
import pytest

import nhviz
from nhviz.figures.style import fade
from tests.pictures import flows
from tests.pictures.bodies import SLEIGH, SUSLOV
from tests.pictures.reading import ROUNDED, close, numbers, page, points

FINER = 16
"""A step so much shorter has an error of fourth order 256 times as small, relative to its second order."""
BACKWARDS = SUSLOV.replace("M1=3.1&M2=4.3", "M1=-3.1&M2=-1.2")
CASES = [
    ("suslov", SUSLOV, "moser_veselov"),
    ("suslov", SUSLOV, "cayley"),
    ("suslov", BACKWARDS, "moser_veselov"),
    # Here the energy that Cayley loses matters to its phase.
    ("suslov", BACKWARDS, "cayley"),
    ("sleigh", SLEIGH, "fedorov_zenkov"),
    ("sleigh", SLEIGH.replace("a=0.6", "a=-0.7"), "fedorov_zenkov"),
    ("sleigh", SLEIGH.replace("p_theta=0.9", "p_theta=-1.2"), "fedorov_zenkov"),
]
EACH = pytest.mark.parametrize(("lab", "query", "method"), CASES)


def angle(lab, params, run):
    """The angle on the ellipse, by coordinates whose squares add up to twice the energy."""
    if lab == "suslov":
        return np.unwrap(np.arctan2(run[1] / params["I22"] ** 0.5, run[0] / params["I11"] ** 0.5))
    total = params["J"] + params["m"] * params["a"] ** 2
    return np.unwrap(np.arctan2(run[1] / params["m"] ** 0.5, (run[0] + params["b"] * run[1]) / total**0.5))


def ahead(here, method, finer=1):
    """By how much a map with the page's step, or a finer one, is ahead of the flow at the page's instants."""
    lab, params, initial = here.state.lab.id, here.panel.params, here.panel.initial
    names = ("M1", "M2") if lab == "suslov" else ("p_theta", "p_1")
    step = here.panel.step / finer
    run = nhviz.simulate(lab, method, params, initial, step, here.panel.values["duration"])
    if lab == "suslov":
        rates, start = flows.suslov_rates(params), [initial[name] for name in names]
    else:
        whole = flows.sleigh_rates(params)
        rates, start = lambda t, m: whole(t, [0.0, 0.0, 0.0, *m])[3:], [initial[name] for name in names]
    flow = flows.followed(rates, start, run.t)
    angles = angle(lab, params, flow)
    lead = angle(lab, params, np.stack([run[name] for name in names])) - angles
    return (np.sign(angles[-1] - angles[0]) * lead)[::finer]


def pair(drawn, method):
    """The dots and the line of a method."""
    dots = drawn.runs()[method]
    (line,) = [one for one in drawn.named("leading order") if one["meta"]["track"] == method]
    assert line["line"]["color"] == fade(dots["marker"]["color"], 0.5)
    return dots, line


@EACH
def test_dots_are_the_measured_lead(lab, query, method):
    here = page(lab, query)
    dots, _ = pair(here.view("lead"), method)
    assert dots["mode"] == "markers"
    assert dots["name"] == here.panel.system.method(method).title
    times, lead = points(dots)
    assert close(times, here.alone(method).t)
    assert close(lead, ahead(here, method), also=10.0 * flows.ACCURACY)


@EACH
def test_the_line_is_the_limit_of_short_steps(lab, query, method):
    here = page(lab, query)
    _, line = pair(here.view("lead"), method)
    assert line["mode"] == "lines"
    times, predicted = points(line)
    assert close(times, here.alone(method).t)
    limit = FINER**2 * ahead(here, method, FINER)
    # What the dots differ from the line by is of fourth order; a finer step leaves its share of that, and round-off.
    beyond = np.abs(ahead(here, method) - predicted).max()
    allowed = 2.0 * beyond / FINER**2 + ROUNDED * np.abs(limit).max() + FINER**2 * 10.0 * flows.ACCURACY
    assert np.abs(predicted - limit).max() <= allowed
    # The test can tell the two from each other.
    assert beyond > 5.0 * allowed


def test_moser_veselov_runs_ahead_and_cayley_behind_for_moderate_products():
    drawn = page("suslov", SUSLOV.replace("I13=0.9&I23=-1.3", "I13=0.3&I23=-0.2")).view("lead")
    assert numbers(drawn.runs()["moser_veselov"]["y"]).sum() > 0.0 > numbers(drawn.runs()["cayley"]["y"]).sum()


def test_only_maps_with_a_known_defect_have_a_lead():
    assert list(page("sleigh", SLEIGH).view("lead").runs()) == ["fedorov_zenkov"]
    assert sorted(page("suslov", SUSLOV).view("lead").runs()) == ["cayley", "moser_veselov"]


@EACH
def test_the_axes_and_the_clock(lab, query, method):
    here = page(lab, query)
    drawn = here.view("lead")
    assert drawn.titles() == ["<i>t</i> (s)", "phase lead (rad)"]
    (cursor,) = drawn.frames
    places, track = drawn.moved(drawn.traces[cursor["trace"]])
    assert close(places[:, 0, 0], here.alone(track).t)
    assert not drawn.runs()[method].get("meta", {}).get("offset")
