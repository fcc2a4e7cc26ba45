"""Error: distances to the motion itself, recomputed here from runs of their own; panels by part of the state."""

import numpy as np
import pytest

import nhviz
from nhviz.frame import find
from tests.pictures import flows
from tests.pictures.bodies import BALL, SLEIGH, SUSLOV, TWO, USUAL
from tests.pictures.reading import ROUNDED, close, page, points

FLOOR = 1e-16
PAGES = {"suslov": SUSLOV, "sleigh": SLEIGH, "sphere": BALL + TWO, **USUAL}
EACH = pytest.mark.parametrize("lab", PAGES)
PARTS = {
    "suslov": {"Momenta": [("M1", "M2")], "Attitude": ["R"]},
    "sleigh": {"Momenta": [("p_theta",), ("p_1",)], "Path": [("x", "y")], "Attitude": [("theta",)]},
    "sphere": {"Velocities": [("omega1", "omega2", "omega3")], "Path": [("x", "y")], "Attitude": ["R"]},
    "knife_edge": {"Momenta": [("p_phi",), ("v",)], "Path": [("x", "y")], "Attitude": [("phi",)]},
    "heisenberg": {"Momenta": [("p_x", "p_y")], "Path": [("x", "y", "z")]},
}
"""What belongs together, by unit."""


def panels(drawn):
    """The curves of each panel by the run, by the title of the panel and what it is measured in."""
    titles = {note["xref"].removesuffix(" domain")[1:]: note["text"][3:-4] for note in drawn.words("title")}
    return {
        tuple(titles[panel].removesuffix(")").split(" (")): {
            trace["meta"]["track"]: trace for trace in each if "offset" in trace.get("meta", {})
        }
        for panel, each in drawn.panels().items()
    }


def truth_of(here):
    """The closed form if there is one, else the reference."""
    methods = [method.id for method in here.panel.system.methods]
    return "exact" if "exact" in methods else "reference"


@pytest.mark.parametrize("lab", PARTS)
def test_every_curve_is_the_distance_of_its_run_to_the_truth(lab):
    here = page(lab, PAGES[lab])
    found = panels(here.view("error"))
    assert [part for part, _ in found] == list(PARTS[lab])
    truth = here.alone(truth_of(here))
    for (part, measure), curves in found.items():
        assert measure == {"Path": "m", "Attitude": "rad"}.get(part, "relative")
        assert set(curves) == {name for name in here.panel.runs if name != truth_of(here)}
        for variant, trace in curves.items():
            alone = here.alone(variant)
            square = np.zeros(len(alone))
            for members in PARTS[lab][part]:
                if members == "R":
                    difference = (alone["R"] - truth["R"][: len(alone)]).reshape(len(alone), -1)
                    square += np.sum(difference**2, axis=1) / 2.0
                    continue
                theirs = np.stack([truth[name] for name in members])
                ours = np.stack([alone[name] for name in members])
                scale = np.sqrt(np.sum(theirs**2, axis=0)).max() if measure == "relative" else 1.0
                square += np.sum((ours - theirs[:, : len(alone)]) ** 2, axis=0) / scale**2
            times, series = points(trace)
            assert close(times, alone.t[1:])
            assert close(series, np.maximum(np.sqrt(square[1:]), FLOOR), times=2.0, also=1e-15)
            assert series.max() > 1e-7 or lab == "heisenberg"


def test_the_angle_between_rotations_is_what_it_is_called():
    here = page("suslov", SUSLOV)
    trace = panels(here.view("error"))["Attitude", "rad"]["moser_veselov"]
    alone = here.alone("moser_veselov")
    start = [here.panel.initial["M1"], here.panel.initial["M2"]]
    _, attitudes = flows.attitude(here.panel.params, start, alone.t)
    cosine = 0.5 * (np.einsum("tij,tij->t", alone["R"], attitudes) - 1.0)
    angle = np.arccos(np.clip(cosine, -1.0, 1.0))[1:]
    # |R - R'| = 2 sqrt 2 sin(angle / 2).
    near = (angle > 1e-4) & (angle < 0.5)
    assert near.sum() > 5
    assert np.abs(points(trace)[1][near] / (2.0 * np.sin(0.5 * angle[near])) - 1.0).max() <= 1e-5


def test_the_truth_need_not_be_among_the_runs():
    alone = panels(page("sleigh", SLEIGH + "&methods=naive.fedorov_zenkov").view("error"))
    beside = panels(page("sleigh", SLEIGH).view("error"))
    for part, curves in alone.items():
        for variant, trace in curves.items():
            assert np.array_equal(points(trace), points(beside[part][variant]))


def test_the_reference_is_measured_against_the_closed_form():
    drawn = page("sleigh", SLEIGH + "&methods=exact.reference.fedorov_zenkov").view("error")
    for curves in panels(drawn).values():
        assert sorted(curves) == ["fedorov_zenkov", "reference"]
        assert 2.0 * FLOOR < points(curves["reference"])[1].max() < 1e-7


def test_the_truth_alone_has_an_empty_picture_with_a_clock():
    drawn = page("sleigh", SLEIGH + "&methods=exact").view("error")
    assert not any(panels(drawn).values())
    assert {frame["track"] for frame in drawn.frames} == {"exact"}
    for name in ("yaxis", "yaxis2"):
        assert np.isfinite(drawn.layout[name]["range"]).all()


def test_the_order_of_a_method_can_be_read():
    # Half the step, a quarter of the error, where the closed form is known.
    errors = []
    for step in (0.02, 0.01):
        query = SLEIGH.replace("step=0.2", f"step={step}").replace("duration=12", "duration=2")
        errors.append(points(panels(page("sleigh", query).view("error"))["Path", "m"]["fedorov_zenkov"])[1][-1])
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.02)


@EACH
def test_errors_are_on_one_logarithmic_scale_over_time(lab):
    drawn = page(lab, PAGES[lab]).view("error")
    assert drawn.titles() == ["<i>t</i> (s)"]
    ranges = {tuple(drawn.layout[f"yaxis{panel}"]["range"]) for panel in drawn.panels()}
    assert len(ranges) == 1
    for panel in drawn.panels():
        axis = drawn.layout[f"yaxis{panel}"]
        assert axis["type"] == "log"
        assert axis.get("matches", "y") == "y"
        assert axis["tickvals"]
    assert len(drawn.frames) == len(drawn.panels())


@pytest.mark.parametrize("lab", list(find.listed()))
def test_every_lab_has_the_view(lab):
    view = find.lab(lab).scenes[0].all_views["error"]
    assert view.title == "Error"


def test_a_run_that_stops_is_measured_as_far_as_it_goes():
    query = SUSLOV.replace("step=0.12", "step=0.8") + "&methods=moser_veselov.cayley"
    here = page("suslov", query)
    run = here.alone("moser_veselov")
    assert run.stopped
    if len(run) > 1:
        trace = panels(here.view("error"))["Momenta", "relative"]["moser_veselov"]
        truth = nhviz.simulate("suslov", "exact", here.panel.params, here.panel.initial, 0.8, 6)
        last = np.hypot(run["M1"][-1] - truth["M1"][len(run) - 1], run["M2"][-1] - truth["M2"][len(run) - 1])
        scale = np.hypot(truth["M1"], truth["M2"]).max()
        assert points(trace)[1][-1] == pytest.approx(last / scale, rel=4.0 * ROUNDED)
        assert len(here.view("error").named("stopped")) == 2
