"""Poincare sections of the race read back: crossings, ellipses, rotation numbers."""

import numpy as np
import pytest

from nhviz.analysis.oscillator_section import return_map
from nhviz.analysis.sections import section
from nhviz.labs.feedback.racers import RACERS
from tests.pictures.racing import SPRING, alone
from tests.pictures.reading import close, numbers, page, points, told, whole_numbers


def trails(drawn, name):
    """The crossings of a panel by the key of their run, and how many there are at each instant."""
    own = {id(trace) for trace in drawn.panels()[name]}
    found = {}
    for cursor in drawn.frames:
        trace = drawn.traces[cursor["trace"]]
        if id(trace) in own and "counts" in cursor:
            curve = np.stack([numbers(values) for values in cursor["positions"]])
            found[cursor["track"]] = curve, whole_numbers(cursor["counts"])
    return found


@pytest.mark.parametrize("length", ["step=0.05&duration=80", "step=0.002&duration=90"])
def test_the_section_of_the_oscillator_grows_over_its_ellipses(length):
    """The first keeps every step and goes on to 400 s, the second keeps one step of many and ends with the race: to go
    on would take more than 8000 steps. Crossings are those of the whole run in both."""
    here = page("feedback", f"{SPRING}&{length}&methods=reference.euler.euler_feedback.dla&pull=0.2")
    drawn = here.view("section")
    exact = return_map(here.panel.initial)
    circle = exact.circle(181)
    race = here.panel.values["duration"]
    whole_time = {80.0: 400.0, 90.0: 90.0}[race]
    for panel, pair in (("", (0, 1)), ("2", (1, 2))):
        names = ("x", "z", "p_z")
        ellipse = points(next(t for t in drawn.panels()[panel] if t["name"] == "exact"))
        assert close(ellipse, circle[:, list(pair)].T, also=1e-6)
        for key, (curve, counts) in trails(drawn, panel).items():
            if key == "reference":
                expected, times = exact.crossings(curve.shape[1]), exact.time + 2.0 * np.pi * np.arange(curve.shape[1])
                expected = expected[:, list(pair)].T
            else:
                whole = section(alone(here, key, duration=whole_time), {"y": 1.0})
                expected, times = np.stack([whole[names[i]] for i in pair]), whole.t
            # What leaves the picture is left out: a third of the ellipse beyond its ends.
            low, high = circle[:, list(pair)].min(axis=0), circle[:, list(pair)].max(axis=0)
            inside = np.all(np.abs(expected.T - 0.5 * (low + high)) < (0.5 + 0.35) * (high - low), axis=1)
            expected, times = expected[:, inside], times[inside]
            instants = here.panel.part(here.panel.runs[key], "t")[0]
            # Of a thinned run crossings are interpolated between farther samples, by cubic polynomials.
            assert close(curve, expected, also=2e-6)
            assert np.array_equal(counts, [np.sum(times <= t * whole_time / race + 1e-9) for t in instants])
            assert counts[-1] == curve.shape[1] == len(times)
    assert trails(drawn, "")["reference"][1][-1] == int((whole_time - exact.time) // (2 * np.pi)) + 1


def test_the_rotation_number_is_told_in_the_middle():
    here = page("feedback", f"{SPRING}&step=0.01&duration=120&methods=reference.rk4.euler_feedback&pull=0.2")
    (words,) = here.view("section").words("turns")
    heading, exact, *others = words["text"].split("<br>")
    assert heading == "turns, 120 s"
    rho = return_map(here.panel.initial).rotation_number
    assert told(exact)[0] == pytest.approx(rho, abs=5.1e-5)
    turns = [float(line.removesuffix("</span>").rsplit(">", 1)[1]) for line in others]
    assert turns[0] == pytest.approx(rho, abs=1e-4)
    assert turns[1] == pytest.approx(rho, abs=2e-3)
    circle = return_map(here.panel.initial).circle()
    assert words["x"] == pytest.approx(circle[:, 0].min() / 2 + circle[:, 0].max() / 2, abs=1e-3)


def test_what_leaves_the_picture_is_named_and_a_still_y_has_no_section():
    here = page("feedback", f"{SPRING}&step=0.05&duration=80&methods=reference.euler")
    assert {note["text"] for note in here.view("section").words("leaves")} == {"Euler leaves"}
    still = page("feedback", "scene=oscillator&y=0&p_y=0").view("section")
    assert still.words("turns")[0]["text"] == "y stays 0: it never crosses"


@pytest.mark.parametrize(("way", "sign"), [("both", 0), ("up", 1), ("down", -1)])
def test_a_section_by_any_plane(way, sign):
    query = f"scene=knife_edge&step=0.02&duration=60&section.of=x&section.level=0.4&section.way={way}"
    here = page("feedback", f"{query}&section.across=y&section.up=v&methods=exact.rk4")
    drawn = here.view("section")
    found = trails(drawn, "")
    for key in ("exact", "rk4"):
        expected = section(alone(here, key), {"x": 1.0}, 0.4, sign)
        assert close(found[key][0], np.stack([expected["y"], expected["v"]]), also=1e-6)
    (words,) = drawn.words("turns")
    sense = "" if way == "both" else f" {way}wards"
    assert words["text"] == f"<i>x</i> = 0.4{sense}: {len(expected)} crossings"
    assert drawn.titles() == ["<i>y</i> (m)", "<i>v</i> (m/s)"]


@pytest.mark.parametrize("system", [name for name in RACERS if name != "oscillator"])
def test_every_section_opens_with_a_crossing(system):
    here = page("feedback", f"scene={system}")
    most = max(counts[-1] for _, counts in trails(here.view("section"), "").values())
    # Where it is what a page opens with, there is more to see.
    assert most >= (4 if RACERS[system].telling == "section" else 1)
