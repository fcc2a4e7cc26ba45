"""Portraits of the usual labs: the components that the axes name, in the plane, in space, and on the sphere."""

import numpy as np
import pytest

from nhviz.frame import find
from tests.pictures.bodies import USUAL
from tests.pictures.reading import close, component, page, points

FLAT_BODIES = {"sleigh_n": "n=2", "suslov_n": "n=3&duration=10", "sphere_n": "n=3&duration=6"}


def portraits():
    """Every portrait of every usual lab, and those of fewer dimensions."""
    for queries in (USUAL, FLAT_BODIES):
        for lab, query in queries.items():
            system = find.lab(lab).scenes[0].panels[0].model
            yield from ((lab, query, portrait.id) for portrait in system.portraits)


EACH = pytest.mark.parametrize(("lab", "query", "view"), list(portraits()))


def test_every_usual_lab_is_here():
    assert set(find.labs()) == {*USUAL, "suslov", "sleigh", "sphere", "feedback", "convergence"}


@EACH
def test_the_data_on_an_axis_are_the_component_that_it_names(lab, query, view):
    here = page(lab, query)
    drawn = here.view(view)
    named = [component(title, here) for title in drawn.titles()]
    declared = next(portrait for portrait in here.panel.system.portraits if portrait.id == view)
    assert [name for name, _ in named] == [name for name in declared.components if name in here.panel.components]
    assert [unit for _, unit in named] == [here.panel.components[name].unit for name, _ in named]
    runs = drawn.runs()
    assert sorted(runs) == sorted(here.panel.runs)
    for variant, trace in runs.items():
        alone, discrete = here.alone(variant), here.panel.system.method(variant).discrete
        expected = np.stack([alone[name] for name, _ in named])
        # Finer steps of a flow differ by its accuracy.
        assert close(points(trace)[:, :: trace["meta"]["stride"]], expected, also=0.0 if discrete else 1e-8)
        assert trace["name"] == here.panel.system.method(variant).title
        assert trace["mode"] == ("markers" if discrete else "lines")


def test_names_are_written_as_in_the_papers():
    titles = {(lab, view): page(lab, query).view(view).titles() for lab, query, view in portraits()}
    assert titles["roller_racer", "steering"] == ["<i>φ</i> (rad)", "<i>p</i><sub>φ</sub> (kg m²/s)"]
    # Across is to the right.
    assert titles["knife_edge", "path"] == ["<i>y</i> (m)", "<i>x</i> (m) down the slope"]
    expected = [f"<i>ω</i><sub>{i}</sub> (rad/s)" for i in (12, 13, 14, 23)]
    assert page("sphere_n", "duration=6").view("time").titles()[1:] == expected


def test_down_the_slope_is_down_in_the_picture():
    here = page("knife_edge", USUAL["knife_edge"])
    axes = here.view("path").layout
    assert axes["xaxis"]["range"][0] < axes["xaxis"]["range"][1]
    assert axes["yaxis"]["range"][0] > axes["yaxis"]["range"][1]
    # Seen from above, with the normal towards the eye: down the slope turns into across by a quarter turn to the left.
    right, down = np.array([1.0, 0.0]), np.array([0.0, -1.0])
    assert down[0] * right[1] - down[1] * right[0] == 1.0
    for drawn in (here.view("drift"), page("rolling_disk", USUAL["rolling_disk"]).view("path")):
        assert drawn.layout["yaxis"]["range"][0] < drawn.layout["yaxis"]["range"][1]


@EACH
def test_the_start_of_a_flat_portrait_can_be_taken_by_hand(lab, query, view):
    here = page(lab, query)
    drawn = here.view(view)
    if "scene" in drawn.layout:
        return
    names = [component(title, here)[0] for title in drawn.titles()]
    handles = drawn.layout.get("meta", {}).get("handles", [])
    if not set(names) <= set(here.panel.initial):
        assert not handles
    else:
        assert handles == [{"at": [here.panel.initial[name] for name in names], "names": names}]


@EACH
def test_a_click_sets_what_the_axes_name(lab, query, view):
    here = page(lab, query)
    declared = here.state.scene.all_views[view]
    names = [component(title, here)[0] for title in here.view(view).titles()]
    if not set(names) <= {p.name for p in here.panel.system.initial}:
        assert not declared.start
    elif callable(declared.start):
        place = [0.1 * (i + 1) for i in range(len(names))]
        assert declared.start(here.panel, *place) == dict(zip(names, place, strict=True))
    else:
        assert list(declared.start) == names


@EACH
def test_scales_are_equal_where_units_are(lab, query, view):
    here = page(lab, query)
    drawn = here.view(view)
    units = {component(title, here)[1] for title in drawn.titles()}
    if "scene" in drawn.layout:
        scene = drawn.layout["scene"]
        lengths = [np.ptp(scene[axis]["range"]) for axis in ("xaxis", "yaxis", "zaxis")]
        shares = [scene.get("aspectratio", dict.fromkeys("xyz", 1.0))[axis] for axis in "xyz"]
        assert np.ptp(np.array(lengths) / shares) <= 1e-12 * max(lengths)
    else:
        assert ("scaleanchor" in drawn.layout["yaxis"]) == (len(units) == 1)


@EACH
def test_the_room_of_a_portrait_in_space_holds_its_runs(lab, query, view):
    drawn = page(lab, query).view(view)
    if "scene" in drawn.layout:
        for trace in drawn.traces:
            for axis, values in zip("xyz", points(trace), strict=True):
                low, high = drawn.layout["scene"][f"{axis}axis"]["range"]
                assert not values.size or (low < values.min() and values.max() < high)


def test_dots_are_drawn_over_lines():
    for lab, query in USUAL.items():
        here = page(lab, query)
        for portrait in here.panel.system.portraits:
            modes = [trace["mode"] for trace in here.view(portrait.id).runs().values()]
            assert modes == sorted(modes)
