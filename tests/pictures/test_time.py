"""Components in time: every curve is the component that it is called, of the run that it is called."""

import numpy as np
import pytest

from nhviz.frame import find
from tests.pictures import flows
from tests.pictures.bodies import SLEIGH, SUSLOV
from tests.pictures.reading import close, component, numbers, page, points

LABS = pytest.mark.parametrize("lab", list(find.listed()))
QUERIES = {
    "sphere": "duration=0.5&methods=reference.fedorov",
    "suslov": SUSLOV,
    "sleigh": SLEIGH,
    "oscillator": "methods=reference.dla.feedback&duration=0.5&x=0.7&z=-0.4",
}


def shown(lab):
    return page(lab, QUERIES.get(lab, "duration=0.5"))


def traces(here):
    """The traces of runs by variant and component, which is that of the panel."""
    drawn, found = here.view("time"), {}
    names = {note["yref"].removesuffix(" domain")[1:]: note["text"] for note in drawn.words("upwards")}
    for panel, each in drawn.panels().items():
        name, _ = component(names[panel], here)
        for trace in each:
            if "stride" in trace.get("meta", {}):
                variant = trace["meta"]["track"]
                assert trace["name"] == here.panel.looks[variant].label
                assert (variant, name) not in found
                found[variant, name] = trace
    return found


@LABS
def test_every_curve_is_the_component_of_its_name(lab):
    here = shown(lab)
    found = traces(here)
    assert {variant for variant, _ in found} == set(here.panel.runs)
    for (variant, name), trace in found.items():
        alone, stride = here.alone(variant), trace["meta"]["stride"]
        times, series = points(trace)
        discrete = here.panel.method(variant).discrete
        assert trace["mode"] == ("markers" if discrete else "lines")
        # At the instants of the run itself, whatever lies between; finer steps of a flow differ by its accuracy.
        assert close(times[::stride], alone.t)
        assert close(series[::stride], alone[name], also=0.0 if discrete else 1e-8)


DENSE = {
    "knife_edge": "duration=20",
    "rolling_disk": "duration=12",
    "roller_racer": "duration=10",
    "oscillator": "methods=reference.dla.feedback&duration=20",
    "heisenberg": "duration=2",
}


def shown_dots(times, most, low, high):
    """The dots that plotly draws of a trace that has at most so many: of those in sight each k-th."""
    inside = np.flatnonzero((times >= low) & (times <= high))
    return inside[:: -(-len(inside) // most)]


@pytest.mark.parametrize("lab", DENSE)
def test_of_steps_too_dense_to_be_told_apart_about_eighty_dots_are_drawn(lab):
    here = page(lab, DENSE[lab])
    dense = [trace for (variant, _), trace in traces(here).items() if variant in here.panel.maps]
    assert dense
    for trace in dense:
        marker, (times, series) = trace["marker"], points(trace)
        assert len(times) == len(series) > 300
        # All of one size, and no smaller than those of a run of eighty steps.
        assert marker["size"] == pytest.approx(5.0 * (72 / 80) ** 0.5 * (1.15 if "open" in marker["symbol"] else 1.0))
        low, high = here.view("time").layout["xaxis"]["range"]
        drawn = shown_dots(times, marker["maxdisplayed"], low, high)
        assert 40 < len(drawn) <= 80
        # Half a second of a run has dots of its own, where the whole has few.
        near = shown_dots(times, marker["maxdisplayed"], 0.5, 1.0)
        assert len(near) > np.count_nonzero((times[drawn] >= 0.5) & (times[drawn] <= 1.0))


def test_few_steps_have_all_their_dots():
    here = page("knife_edge", "step=0.01&duration=0.79")
    found = [trace for (variant, _), trace in traces(here).items() if variant == "feedback"]
    for trace in found:
        assert points(trace).shape == (2, 80)
        assert "maxdisplayed" not in trace["marker"]
    assert found


def test_the_flows_are_those_of_the_papers():
    top, sled = shown("suslov"), shown("sleigh")
    for here, names, rates in (
        (top, ("M1", "M2"), flows.suslov_rates(top.panel.params)),
        (sled, ("theta", "x", "y", "p_theta", "p_1"), flows.sleigh_rates(sled.panel.params)),
    ):
        found = traces(here)
        shown_names = [name for name in names if ("exact", name) in found]
        times = points(found["exact", shown_names[0]])[0]
        expected = flows.followed(rates, [here.panel.initial[name] for name in names], times)
        assert len(shown_names) >= 2
        for name in shown_names:
            # Between rounded times a component differs by its rate.
            assert close(points(found["exact", name])[1], expected[names.index(name)], times=4.0, also=1e-9)


@LABS
def test_every_panel_names_its_component_and_its_unit(lab):
    here = shown(lab)
    across, *upwards = here.view("time").titles()
    assert across == "<i>t</i> (s)"
    named = [component(title, here) for title in upwards]
    assert [name for name, _ in named] == list(dict.fromkeys(name for _, name in traces(here)))
    assert [unit for _, unit in named] == [here.panel.components[name].unit for name, _ in named]
    assert len(upwards) == len(here.view("time").panels())


@LABS
def test_no_two_curves_of_a_panel_look_alike(lab):
    here = shown(lab)
    for each in here.view("time").panels().values():
        runs = [trace for trace in each if "stride" in trace.get("meta", {})]
        looks = {(t["mode"], t["line"]["color"] if t["mode"] == "lines" else t["marker"]["color"]) for t in runs}
        assert len(looks) == len(runs) == len(here.panel.runs)


def test_the_clock_is_that_of_the_longest_run():
    # Moser-Veselov stops after its first step; it comes first here.
    query = SUSLOV.replace("step=0.12", "step=0.9") + "&methods=moser_veselov.cayley"
    here = page("suslov", query)
    assert here.alone("moser_veselov").t[-1] < here.alone("cayley").t[-1]
    for view in ("time", "drift", "lead"):
        assert {cursor["track"] for cursor in here.view(view).frames} == {"cayley"}


@LABS
def test_the_clock_is_a_line_at_the_instant(lab):
    here = shown(lab)
    drawn = here.view("time")
    assert len(drawn.frames) == len(drawn.panels())
    longest = max(here.panel.runs, key=lambda name: here.alone(name).t[-1])
    for panel, each in drawn.panels().items():
        (line,) = [trace for trace in each if trace["name"] == "clock"]
        places, track = drawn.moved(line)
        assert here.alone(track).t[-1] == here.alone(longest).t[-1]
        assert close(places[:, :, 0], np.repeat(here.panel.tracks[track][:, None], 2, axis=1))
        # From edge to edge, with all values between.
        low, high = drawn.layout[f"yaxis{panel}"]["range"]
        assert close(numbers(line["y"]), [low, high])
        every = np.concatenate([points(trace)[1] for trace in each if "stride" in trace.get("meta", {})])
        assert low < every.min() <= every.max() < high


def test_a_component_that_stops_has_its_cross():
    query = SUSLOV.replace("step=0.12", "step=0.9") + "&methods=moser_veselov.cayley"
    here = page("suslov", query)
    crosses = here.view("time").named("stopped")
    assert len(crosses) == 2
    for cross, name in zip(crosses, ("M1", "M2"), strict=True):
        alone = here.alone("moser_veselov")
        assert close(points(cross)[:, 0], [alone.t[-1], alone[name][-1]])
        assert cross["meta"] == {"track": "moser_veselov"}
