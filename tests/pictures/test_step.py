"""One step of the sleigh (FZ figure 7.1): both blades touch one circle, and the step is the one of the cubic."""

import numpy as np
import pytest

from nhviz.figures import step as figures
from nhviz.figures.style import THEMES, Look
from tests.pictures.bodies import SLEIGH
from tests.pictures.reading import ROUNDED, close, page, points

LOOK = Look("fedorov_zenkov", "Fedorov-Zenkov", "#d55e00", "circle")
LONG = SLEIGH.replace("step=0.2", "step=0.8")
CASES = {
    "left": LONG,
    "right": LONG.replace("p_theta=0.9", "p_theta=-1.6"),
    "forwards": LONG.replace("p_1=-1.1", "p_1=1.2"),
    "forwards to the right": LONG.replace("p_theta=0.9&p_1=-1.1", "p_theta=-1.6&p_1=1.2"),
    "mass behind": LONG.replace("a=0.6", "a=-0.8"),
}
EACH = pytest.mark.parametrize("query", CASES.values(), ids=CASES.keys())


def taken(here):
    """(turn, V1, V2) of the first step: of the run itself, in the frame of the first blade."""
    alone = here.alone("fedorov_zenkov")
    heading = alone["theta"][0]
    dx, dy = alone["x"][1] - alone["x"][0], alone["y"][1] - alone["y"][0]
    forward, left = np.cos(heading) * dx + np.sin(heading) * dy, np.cos(heading) * dy - np.sin(heading) * dx
    return alone["theta"][1] - heading, forward, left


def check_cubic(here, turn, forward, left):
    """FZ (7.18), and the displacement that belongs to it."""
    params, step, start = here.panel.params, here.panel.step, here.panel.initial
    tau = np.tan(0.5 * turn)
    p = step * (start["p_theta"] + params["b"] * start["p_1"])
    q = step * params["a"] * start["p_1"] + 2.0 * params["m"] * params["a"] ** 2
    assert q * tau**3 - p * tau**2 + (q + 2.0 * params["J"]) * tau == pytest.approx(p, abs=1e-12)
    along = step * start["p_1"] / params["m"] + params["a"] * (1.0 - np.cos(turn)) + params["b"] * np.sin(turn)
    assert (forward, left) == pytest.approx((along, along * tau), abs=1e-12)


def blades(drawn):
    """Contact point and direction of the blades before and after."""
    found = []
    for name in ("before", "after"):
        back, middle, front = points(drawn.one(name)).T
        assert close(middle, 0.5 * (back + front), times=2.0, also=4.0 * ROUNDED * np.abs(front).max())
        found.append((middle, (front - back) / np.linalg.norm(front - back)))
    return found


@EACH
def test_the_blades_are_before_and_after_the_step_of_the_map(query):
    here = page("sleigh", query)
    turn, forward, left = taken(here)
    check_cubic(here, turn, forward, left)
    (first, along), (second, turned) = blades(here.view("step"))
    assert close(first, [0.0, 0.0])
    assert close(along, [1.0, 0.0])
    assert close(second, [forward, left], times=2.0, also=1e-12)
    assert close(turned, [np.cos(turn), np.sin(turn)], times=8.0)
    assert here.view("step").one("chord")["meta"] == {"track": "fedorov_zenkov"}
    assert here.view("step").one("chord")["line"]["color"] == here.panel.looks["fedorov_zenkov"].colour
    chord = points(here.view("step").one("chord"))
    assert close(chord.T, np.stack([first, second]))


@EACH
def test_the_circle_passes_both_contact_points_and_touches_both_blades(query):
    drawn = page("sleigh", query).view("step")
    circle, first, second = (points(trace) for trace in drawn.traces[:3])
    centre = 0.5 * (circle.min(axis=1) + circle.max(axis=1))
    radii = np.hypot(*(circle - centre[:, None]))
    radius = radii.mean()
    # The extreme points of a polygon are nearer by a share of half an edge, 1 - cos(1 degree).
    assert np.ptp(radii) <= 1e-3 * radius
    # The spokes begin in the centre, which they know better than the polygon.
    assert close(first[:, 0], second[:, 0])
    assert close(first[:, 0], centre, also=1e-3 * radius)
    centre = first[:, 0]
    for spoke, (contact, along) in zip((first, second), blades(drawn), strict=True):
        assert close(spoke[:, 1], contact)
        arm = contact - centre
        assert np.hypot(*arm) == pytest.approx(np.hypot(*(circle - centre[:, None])).mean(), rel=8.0 * ROUNDED)
        assert abs(arm @ along) <= 20.0 * ROUNDED * np.hypot(*arm)


def test_a_half_turn_has_its_circle_on_the_side_of_the_step():
    # There V1 = 0 and the step goes straight to the left or to the right.
    for sideways in (0.8, -0.8):
        for forward in (0.0, -0.0):
            traces = figures.displacement(THEMES["light"], LOOK, np.pi, forward, sideways).figure["data"]
            spoke = points(traces[1])
            assert close(spoke[:, 0], [0.0, 0.5 * sideways])


def test_a_step_that_the_map_does_not_take_says_so():
    here = page("sleigh", SLEIGH.replace("step=0.2", "step=1.3"))
    assert len(here.alone("fedorov_zenkov")) == 1
    (note,) = here.view("step").words("remark")
    assert "principal branch has ended" in note["text"].replace("<br>", " ")
    assert page("sleigh", LONG).view("step").words("remark") == []


def test_a_step_that_hardly_turns_needs_no_circle():
    drawn = page("sleigh", SLEIGH.replace("step=0.2", "step=0.01")).view("step")
    assert [trace["name"] for trace in drawn.traces] == ["chord", "before", "after"]


@EACH
def test_the_axes_are_the_displacement_with_one_scale(query):
    drawn = page("sleigh", query).view("step")
    assert drawn.titles() == ["<i>V</i><sub>1</sub> (m)", "<i>V</i><sub>2</sub> (m)"]
    assert drawn.layout["yaxis"]["scaleanchor"] == "x"
    before, after = drawn.one("before"), drawn.one("after")
    assert before["line"]["color"] != after["line"]["color"]
    for trace in (before, after):
        (note,) = [note for note in drawn.words() if note["text"] == trace["name"]]
        assert close(points(trace)[:, 2], [note["x"], note["y"]])


def test_without_a_step_the_picture_says_why():
    picture = figures.nowhere(THEMES["light"], "No real displacement.").figure
    said = [note["text"] for note in picture["layout"]["annotations"] if note.get("name") == "remark"]
    assert said == ["No real displacement."]
    assert [trace["name"] for trace in picture["data"]] == ["before"]
    assert close(points(picture["data"][0])[1], np.zeros(3))
