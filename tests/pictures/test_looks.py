"""Looks: a run has the colour, marker and label of its variant in every picture, and no two look alike."""

import numpy as np
import pytest

from nhviz.figures import orbits, palette
from nhviz.figures.style import THEMES
from nhviz.frame import find
from tests.pictures.bodies import SLEIGH, SUSLOV, USUAL
from tests.pictures.reading import numbers, page

# The midpoint sleigh needs b = 0.
EVERY = {"suslov": SUSLOV, "sleigh": SLEIGH.replace("b=-0.35", "b=0"), **USUAL}
LABS = pytest.mark.parametrize("lab", [lab for lab in find.labs() if lab not in ("sphere", "feedback", "convergence")])
"""One map with several steps has one colour: the looks of the ball are in test_step_paths, of schemes in test_race."""
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


def curves(drawn):
    """The traces of a picture that are runs themselves, not what else belongs to them."""
    return [trace for trace in drawn.traces if {"stride", "offset"} & set(trace.get("meta", {}))]


@LABS
def test_a_run_has_one_colour_on_its_page_and_no_other_run_has_it(lab):
    here = full(lab)
    found = {}
    for drawn in pictures(here).values():
        for trace in curves(drawn):
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
        for trace in curves(drawn):
            assert trace["name"] == titles[trace["meta"]["track"]]


@LABS
def test_markers_of_maps_in_the_plane_differ_within_a_page(lab):
    here = full(lab)
    for name, drawn in pictures(here).items():
        if "scene" not in drawn.layout and name not in ("time", "drift", "error"):
            dots = {
                track: trace["marker"]["symbol"] for track, trace in drawn.runs().items() if trace["mode"] == "markers"
            }
            assert len(set(dots.values())) == len(dots)


@LABS
def test_flows_are_lines_and_maps_are_dots(lab):
    here = full(lab)
    for name, drawn in pictures(here).items():
        for trace in curves(drawn):
            discrete = here.panel.system.method(trace["meta"]["track"]).discrete
            # What stays in round-off is thin, without markers.
            assert ("markers" in trace["mode"]) == (discrete and trace.get("opacity") != 0.75) or name == "lead"


@LABS
def test_everything_of_a_run_says_whose_it_is_and_nothing_else_does(lab):
    here = full(lab)
    of_runs = {look.colour for look in here.panel.looks.values()}
    for drawn in pictures(here).values():
        for trace in drawn.traces:
            assert "meta" not in trace or trace["meta"]["track"] in here.panel.runs
            if "scene" not in drawn.layout and "meta" not in trace:
                assert not {trace.get(part, {}).get("color") for part in ("line", "marker")} & of_runs


@LABS
def test_no_picture_has_a_legend_and_no_name_is_an_identifier(lab):
    here = full(lab)
    for drawn in pictures(here).values():
        assert drawn.layout["showlegend"] is False
        assert not {"legend", "title"} & set(drawn.layout)
        assert not [trace for trace in drawn.traces if "showlegend" in trace]
        for text in [*drawn.titles(), *(note["text"] for note in drawn.layout.get("annotations", []))]:
            assert "_" not in text, text
            assert "\\" not in text, text


def test_only_the_first_map_is_filled_and_it_is_painted_over_the_others():
    here = full("suslov")
    for name in ("plane", "disk", "time", "lead"):
        drawn = here.view(name)
        maps = [t for t in drawn.traces if "stride" in t.get("meta", {}) and t["mode"] == "markers"]
        symbols = {"feedback": "square-open", "cayley": "diamond-open", "moser_veselov": "circle"}
        if name == "lead":
            del symbols["feedback"]
        assert {t["meta"]["track"]: t["marker"]["symbol"] for t in maps} == symbols
        assert [t["meta"]["track"] for t in maps if t.get("yaxis", "y") == "y"] == list(symbols)


def test_of_many_dots_about_eighty_are_drawn_in_full():
    look = palette.look(THEMES["presenter"], 2, "key", "label")
    ring = palette.look(THEMES["presenter"], 3, "key", "label")
    for count, size in ((2, 5.0), (72, 5.0), (80, 5.0 * (72 / 80) ** 0.5)):
        assert orbits.dots(THEMES["presenter"], look, count)["size"] == pytest.approx(1.55 * size)
        assert orbits.dots(THEMES["presenter"], ring, count)["size"] == pytest.approx(1.15 * 1.55 * size)
    for count in (81, 101, 160, 239, 700):
        for one in (look, ring):
            sizes = numbers(orbits.dots(THEMES["presenter"], one, count)["size"])
            full_size = sizes >= 0.99 * sizes.max()
            assert len(sizes) == count
            assert 40 <= full_size.sum() <= 81
            assert full_size[[0, -1]].all()
            assert (sizes > 1.0).all()
            assert sizes[~full_size].max() < 0.7 * sizes.max()


def test_of_many_dots_in_space_about_eighty_are_drawn_in_full():
    few, many = (dots_in_space(steps) for steps in (60, 400))
    assert few["size"] == 1.9
    assert "sizeref" not in few
    sizes = numbers(many["size"])
    assert len(sizes) == 401
    assert 60 < np.count_nonzero(sizes == sizes.max()) <= 81
    # plotly divides the sizes of a list by two, and by this.
    assert sizes.max() / many["sizeref"] / 2.0 == pytest.approx(1.9)
    assert sizes[0] == sizes[-1] == sizes.max()
    assert np.all(sizes[sizes < sizes.max()] == pytest.approx(0.45 * 1.9))


def dots_in_space(steps):
    """The markers of the feedback's run of the Heisenberg system in its space."""
    here = page("heisenberg", f"methods=feedback&step=0.005&duration={0.005 * steps:g}")
    (found,) = curves(here.view("path"))
    return found["marker"]


def test_heads_are_filled_markers_with_a_halo_of_paper():
    drawn = page("suslov", SUSLOV, "dark").view("plane")
    for track, (_, trace) in drawn.markers().items():
        marker = trace["marker"]
        assert marker["symbol"] == {"exact": "circle", "moser_veselov": "circle", "cayley": "diamond"}[track]
        assert (marker["size"], marker["line"]) == (11, {"color": THEMES["dark"].paper, "width": 2})


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
