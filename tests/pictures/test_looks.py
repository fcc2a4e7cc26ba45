"""Looks: a run has the colour, marker and label of its variant in every picture, and no two look alike."""

import numpy as np
import pytest

from nhviz.figures import palette
from nhviz.figures.style import THEMES
from nhviz.frame import find
from tests.pictures.bodies import SLEIGH, SUSLOV, USUAL
from tests.pictures.reading import page

# The midpoint sleigh needs b = 0.
EVERY = {"suslov": SUSLOV, "sleigh": SLEIGH.replace("b=-0.35", "b=0"), **USUAL}
LABS = pytest.mark.parametrize("lab", list(find.labs()))
PAPERS = {"exact": 0, "reference": 1, "moser_veselov": 2, "fedorov_zenkov": 2, "fedorov": 2, "cayley": 3, "midpoint": 3}


def full(lab, theme="light"):
    """A page with every method of its system."""
    methods = ".".join(method.id for method in find.lab(lab).scenes[0].panels[0].model.methods)
    return page(lab, f"{EVERY[lab]}&methods={methods}&duration=0.2", theme)


def pictures(here):
    """All pictures of a page by name."""
    return {name: here.view(name) for name, view in here.state.scene.all_views.items() if view.kind != "text"}


def colour(trace):
    """The colour of a trace of a run: that of its line or of its dots, whichever shows."""
    return (trace["line"] if "markers" not in trace["mode"] else trace["marker"])["color"]


@LABS
def test_a_run_has_one_colour_on_its_page_and_no_other_run_has_it(lab):
    here = full(lab)
    found = {}
    for drawn in pictures(here).values():
        for trace in drawn.traces:
            if "meta" in trace:
                found.setdefault(trace["meta"]["track"], set()).add(colour(trace))
        for track, (_, marker) in drawn.markers().items():
            found.setdefault(track, set()).add(marker["marker"]["color"])
    assert set(found) == {method.id for method in here.panel.system.methods}
    assert all(len(colours) == 1 for colours in found.values())
    assert len(set.union(*found.values())) == len(found)


@LABS
@pytest.mark.parametrize("theme", ["dark", "projector"])
def test_the_methods_of_the_papers_keep_their_colour_in_every_theme(lab, theme):
    here = full(lab, theme)
    flat = ("plane", "path", "momentum", "steering")
    view = next(drawn for name, drawn in pictures(here).items() if name in flat)
    for track, trace in view.runs().items():
        if track in PAPERS:
            assert colour(trace) == THEMES[theme].methods[PAPERS[track]]
    assert view.layout["paper_bgcolor"] == THEMES[theme].paper


@LABS
def test_a_run_is_called_by_its_method(lab):
    here = full(lab)
    titles = {method.id: method.title for method in here.panel.system.methods}
    assert len(set(titles.values())) == len(titles)
    for drawn in pictures(here).values():
        for trace in drawn.traces:
            if "meta" in trace:
                assert trace["name"].endswith(titles[trace["meta"]["track"]])


@LABS
def test_markers_of_maps_in_the_plane_differ_within_a_page(lab):
    here = full(lab)
    for name, drawn in pictures(here).items():
        if "scene" not in drawn.layout and name not in ("time", "drift"):
            dots = {
                track: trace["marker"]["symbol"] for track, trace in drawn.runs().items() if trace["mode"] == "markers"
            }
            assert len(set(dots.values())) == len(dots)


@LABS
def test_flows_are_lines_and_maps_are_dots(lab):
    here = full(lab)
    for name, drawn in pictures(here).items():
        for trace in drawn.traces:
            if "meta" in trace and name != "lead":
                discrete = here.panel.system.method(trace["meta"]["track"]).discrete
                assert ("markers" in trace["mode"]) == discrete


def test_colours_of_a_theme_can_be_told_from_each_other_and_from_the_paper():
    def light(colour):
        return np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)], dtype=float)

    for theme in THEMES.values():
        colours = [light(one) for one in theme.methods]
        for i, one in enumerate(colours):
            assert np.linalg.norm(one - light(theme.paper)) > 100.0
            assert all(np.linalg.norm(one - other) > 30.0 for other in colours[:i])
    assert len(palette.SYMBOLS) >= palette.COLOURS == 10


def test_slots_obey_wishes_then_habits_and_never_repeat():
    wishes = [("a", "exact", None), ("b", "exact", None), ("c", "cayley", 0), ("d", "unheard", None)]
    slots = palette.slots(wishes)
    assert slots["c"] == 0
    assert len(set(slots.values())) == 4
    assert palette.slots([("a", "exact", None), ("b", "moser_veselov", None)]) == {"a": 0, "b": 2}
    assert palette.slots([("a", "moser_veselov", None), ("b", "unheard", None)]) == {"a": 2, "b": 3}
    look = palette.look(THEMES["light"], 3, "key", "label")
    assert (look.key, look.label) == ("key", "label")
    assert (look.colour, look.symbol) == (THEMES["light"].methods[3], palette.SYMBOLS[3])
