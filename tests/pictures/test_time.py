"""Components in time: every curve is the component that it is called, of the run that it is called."""

import numpy as np
import pytest

from nhviz.frame import find
from tests.pictures import flows
from tests.pictures.bodies import SLEIGH, SUSLOV
from tests.pictures.reading import close, component, numbers, page, points

LABS = pytest.mark.parametrize("lab", list(find.labs()))
QUERIES = {"suslov": SUSLOV, "sleigh": SLEIGH, "oscillator": "methods=reference.dla.feedback&duration=0.5&x=0.7&z=-0.4"}


def shown(lab):
    return page(lab, QUERIES.get(lab, "duration=0.5"))


def traces(here):
    """The traces of runs by variant and component."""
    found = {}
    for trace in here.view("time").traces:
        if "meta" in trace:
            name, label = trace["name"].split(" ", 1)
            variant = trace["meta"]["track"]
            assert label == here.panel.system.method(variant).title
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
        discrete = here.panel.system.method(variant).discrete
        assert trace["mode"] == ("markers" if discrete else "lines")
        # At the instants of the run itself, whatever lies between; finer steps of a flow differ by its accuracy.
        assert close(times[::stride], alone.t)
        assert close(series[::stride], alone[name], also=0.0 if discrete else 1e-8)


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
def test_the_axes_name_the_components_and_their_units(lab):
    here = shown(lab)
    across, upwards = here.view("time").titles()
    assert across == "t (s)"
    named = [component(part) for part in upwards.split(", ")]
    shared = named[-1][1]
    names = list(dict.fromkeys(name for _, name in traces(here)))
    assert [name for name, _ in named] == names
    assert [unit or shared for _, unit in named] == [here.panel.components[name].unit or shared for name in names]


@LABS
def test_no_two_curves_look_alike_and_the_legend_tells_which_is_which(lab):
    here = shown(lab)
    drawn = here.view("time")
    legend = {component(t["name"])[0]: t for t in drawn.traces if "meta" not in t and numbers(t["x"]).size == 1}
    looks = set()
    for (_, name), trace in traces(here).items():
        mark = trace["marker"]["symbol"] if trace["mode"] == "markers" else trace["line"]["dash"]
        key = legend[name]
        assert mark == (key["marker"]["symbol"] if trace["mode"] == "markers" else key["line"]["dash"])
        looks.add((trace["marker"]["color"], trace["mode"], mark))
        assert trace["marker"]["color"] == trace["line"]["color"]
    assert len(looks) == len(traces(here))
    assert all(trace["showlegend"] for trace in legend.values())


def test_the_clock_is_that_of_the_longest_run():
    # Moser-Veselov stops after its first step; it comes first here.
    query = SUSLOV.replace("step=0.12", "step=0.9") + "&methods=moser_veselov.cayley"
    here = page("suslov", query)
    assert here.alone("moser_veselov").t[-1] < here.alone("cayley").t[-1]
    for view in ("time", "drift", "lead"):
        (cursor,) = here.view(view).frames
        assert cursor["track"] == "cayley"


@LABS
def test_the_clock_is_a_line_at_the_instant(lab):
    here = shown(lab)
    drawn = here.view("time")
    (cursor,) = drawn.frames
    line = drawn.traces[cursor["trace"]]
    places, track = drawn.moved(line)
    longest = max(here.panel.runs, key=lambda name: here.alone(name).t[-1])
    assert here.alone(track).t[-1] == here.alone(longest).t[-1]
    assert close(places[:, :, 0], np.repeat(here.panel.tracks[track][:, None], 2, axis=1))
    every = np.concatenate([points(trace)[1] for trace in traces(here).values()])
    assert close(numbers(line["y"]), [every.min(), every.max()])
