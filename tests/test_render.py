"""From a state to what a page shows, as plain functions: pictures without a browser, sentences, files."""

import json

import numpy as np
import orjson
import pytest
from dash import dcc
from hypothesis import example, given, settings
from hypothesis import strategies as st

import nhviz
from callbacks import files, questions, shell
from callbacks.fragments import in_page, plain
from callbacks.render import to_paint
from nhviz.analysis.steps import largest_step
from nhviz.figures.arrays import resolved, typed
from nhviz.frame import find
from tests.frames import asked, opening, painted, panel, picture, without_variants
from tests.pictures.reading import numbers as numbers_of
from tests.strategies import initial, sleigh_params, spread, suslov_params

OWN = ("suslov", "sleigh")
TABS = {name: find.lab(name).scenes[0].places["detail"].views for name in OWN}


def numbers(value):
    """Every number of a figure, typed arrays decoded; None stands for a gap."""
    if isinstance(value, dict):
        if "letters" in value:
            yield from numbers_of(value)
        else:
            for inner in value.values():
                yield from numbers(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from numbers(inner)
    elif isinstance(value, float | int) and not isinstance(value, bool):
        yield value


def gaps_allowed(trace):
    """Arcs, grids, invariant and level curves are separated by NaN; nothing else contains it."""
    return trace["type"] in ("scatter", "scatter3d") and trace["mode"] == "lines" and trace["hoverinfo"] == "skip"


def check_figures(result):
    assert not result.errors
    for figure in result.figures.values():
        assert figure["data"]
        for trace in resolved(figure["data"]):
            values = np.array(list(numbers({axis: trace.get(axis) for axis in "xyz"})), dtype=float)
            assert gaps_allowed(trace) or np.isfinite(values).all()
            assert not np.isinf(values).any()
        json.dumps(figure["layout"], allow_nan=False)
    for cursors in result.moving.values():
        assert all(np.isfinite(list(numbers(cursor))).all() for cursor in cursors)


@pytest.mark.parametrize("name", find.listed())
@pytest.mark.parametrize("theme", ["light", "dark", "projector"])
def test_every_view_of_a_lab(name, theme):
    scene = find.lab(name).scenes[0]
    for tab in scene.places["detail"].views:
        result = painted(opening(name, tabs={"detail": tab.id}), theme)
        check_figures(result)
        assert set(result.figures) | set(result.texts) == set(scene.places)
        assert ("detail" in result.texts) == (tab.kind == "text")
        assert result.said["statistics"]
        assert result.said["sentence"]


@settings(max_examples=25, deadline=None, derandomize=True)
@given(suslov_params(), initial("suslov"), spread(1e-3, 1.0), st.sampled_from([view.id for view in TABS["suslov"]]))
def test_suslov_figures_are_finite_over_the_whole_ranges(params, start, step, tab):
    check_figures(painted(opening("suslov", tabs={"detail": tab}, **params, **start, step=step, duration=20 * step)))


@settings(max_examples=25, deadline=None, derandomize=True)
@example(
    {"J": 0.37, "m": 1.0, "a": 0.0, "b": 0.0},
    {"theta": 0.0, "x": 0.0, "y": 0.0, "p_theta": -1.0, "p_1": 0.0},
    1.0,
    "step",
)
@given(sleigh_params(), initial("sleigh"), spread(1e-3, 1.0), st.sampled_from([view.id for view in TABS["sleigh"]]))
def test_sleigh_figures_are_finite_over_the_whole_ranges(params, start, step, tab):
    check_figures(painted(opening("sleigh", tabs={"detail": tab}, **params, **start, step=step, duration=20 * step)))


def test_bad_values_change_their_sentences_only_and_all_of_them_are_told():
    result = painted(opening("suslov", I11=-1.0, M1=1e9))
    assert "I11 must be between 0.01 and 100" in result.errors["I11"]
    assert "M1 must be between" in result.errors["M1"]
    assert not result.figures
    assert not result.query
    assert "positive definite" in painted(opening("suslov", I13=90.0)).errors["I33"]


def test_no_method_is_a_state_and_midpoint_off_the_line_a_sentence():
    nothing = painted(without_variants(opening("sleigh")))
    assert not nothing.errors
    assert nothing.figures
    assert nothing.said["statistics"] == []
    assert "".join(part["text"] for part in nothing.said["sentence"]) == "Choose a method above."
    assert "b = 0" in painted(opening("sleigh", variants=["midpoint"], b=0.3)).errors["b"]


def test_an_option_that_is_not_on_offer_is_a_sentence():
    assert (
        "moser_veselov, cayley, both"
        in painted(opening("suslov", options={"locus.surface": "x"})).errors["locus.surface"]
    )


def test_too_many_steps_for_a_page():
    assert "2,000,000" in painted(opening("sleigh", step=1e-6, duration=100.0)).errors["step"]


def test_a_long_run_is_thinned():
    state = opening("sleigh", variants=["exact"], step=1e-4, duration=100.0)
    lead = panel(state).lead
    assert (lead.problem.steps, len(lead)) == (1_000_000, 626)
    assert len(csv_lines(state)) == 20_001


def csv_lines(state):
    lines = files.table(state)[1].decode().splitlines()
    return lines[1:]


def test_a_file_has_as_many_numbers_as_a_person_can_use():
    state = opening("sphere_n", variants=["fedorov"], n=5, step=0.001, duration=30.0)
    assert 5000 < len(csv_lines(state)) < 8000


def test_a_file_holds_every_run_that_is_shown():
    state = opening("suslov", step=0.0213, duration=0.4)
    rows = [line.split(",") for line in csv_lines(state)]
    runs = panel(state).runs
    assert {row[0] for row in rows} == set(runs) == {"exact", "moser_veselov", "cayley"}
    for name, run in runs.items():
        own = [row for row in rows if row[0] == name]
        assert [float(row[1]) for row in own] == run.t.tolist()
        # A flow that is drawn as a smooth line is computed with it, in other steps.
        assert any(
            [float(cell) for cell in column] == pytest.approx(run["M1"].tolist(), rel=0.0, abs=1e-12)
            for column in zip(*own, strict=True)
            if cell_ok(column)
        )


def cell_ok(column):
    """Whether a column holds numbers."""
    return all(cell and cell[0] in "-0123456789" for cell in column)


@pytest.mark.parametrize("name", [name for name, lab in find.labs().items() if "motion" in lab.scenes[0].all_views])
def test_shapes_of_a_body_share_its_poses(name):
    """What the browser is told of each cursor, with poses looked up, is what the picture holds."""
    drawn = picture(opening(name), "motion")
    told = drawn.frames()
    for cursor, found in zip(drawn.cursors, told, strict=True):
        assert found["track"] == cursor.track
        if cursor.shape is not None:
            assert found["shape"] == typed(cursor.shape.ravel())
            body = told[found["like"]] if "like" in found else found
            # What does not turn is told one rotation.
            turns = (cursor.rotations != cursor.rotations[0]).any()
            assert body["rotations"] == typed((cursor.rotations if turns else cursor.rotations[:1]).ravel())
            assert body["translations"] == typed(cursor.translations.ravel())
            assert (body["dimension"], body["columns"]) == cursor.rotations.shape[1:]
    poses = [found for found in told if "rotations" in found]
    assert len(poses) == len({found["rotations"]["letters"] + found["translations"]["letters"] for found in poses})


def crosses(result):
    """Where runs that stopped are marked: the keys of the runs and the places, by place of the page."""
    return {
        place: [
            (trace["meta"]["track"], list(numbers([trace[axis] for axis in "xyz" if axis in trace])))
            for trace in figure["data"]
            if trace.get("name") == "stopped"
        ]
        for place, figure in result.figures.items()
    }


def test_a_stopped_run_is_marked_where_it_ends_and_told_once():
    state = opening("suslov", step=0.034)
    result, run = painted(state), panel(state).runs["moser_veselov"]
    assert run.stopped
    ends = np.array([run["M1"][-1], run["M2"][-1]])
    ((key, place),) = crosses(result)["plane"]
    assert key == "moser_veselov"
    assert place == pytest.approx(ends, rel=1e-6)
    ((key, place),) = crosses(result)["locus"]
    assert place[:2] == pytest.approx(ends, rel=1e-6)
    (stop,) = result.said["stops"]
    assert (stop["key"], stop["values"]) == ("moser_veselov", {"step": 0.0327})
    assert "fold" in stop["text"]
    assert not any(crosses(painted(opening("suslov", step=0.03))).values())
    assert painted(opening("suslov", step=0.03)).said["stops"] == []


def test_the_gauge_ends_lanes_at_the_largest_steps():
    gauge = painted(opening("suslov", step=0.034)).said["gauges"]["step"]
    lanes = {lane["key"]: lane for lane in gauge["lanes"]}
    assert set(lanes) == {"moser_veselov", "cayley"}
    assert lanes["moser_veselov"]["bound"] == largest_step("suslov", "moser_veselov")
    assert lanes["cayley"]["bound"] == largest_step("suslov", "cayley")
    assert gauge["end"] > max(lane["bound"] or 0.0 for lane in lanes.values())


def test_the_answer_has_the_statistics_of_the_scene():
    told = painted(opening("suslov")).said["statistics"]
    assert (told[0]["label"], told[0]["value"], told[0]["unit"]) == ("Energy", "1516", "J")
    assert (told[1]["label"], told[1]["key"]) == ("Lead now", "moser_veselov")


def test_the_energy_of_the_start_is_the_form_of_its_momenta():
    state = opening("sleigh", J=0.8, b=0.3, p_theta=0.9, p_1=1.3)
    a, b, d = painted(state).said["energies"][""]
    p, q = 0.9, 1.3
    start = nhviz.simulate("sleigh", "exact", {"J": 0.8, "b": 0.3}, {"p_theta": p, "p_1": q}, step=0.1, duration=0.1)
    assert (a * p * p + 2.0 * b * p * q + d * q * q) / 2.0 == pytest.approx(start.quantity("energy")[0], rel=1e-12)


def test_pages_of_addresses():
    assert "There is no such lab" in str(shell.page("/nothing", ""))
    assert "It turns round by itself." in str(shell.page("/", ""))
    for name in find.labs():
        assert find.lab(name).heading in str(shell.page(f"/{name}", None))


def stores(page):
    """What the stores of a page hold, as the browser finds it."""
    found = {one.id: getattr(one, "data", None) for one in page.children if isinstance(one, dcc.Store)}
    return orjson.loads(orjson.dumps(found))


@pytest.mark.parametrize("name", find.labs())
def test_a_new_page_brings_the_answer_to_its_question(name):
    """The pictures, words and checksums of the very question that it came with, in the theme that the page wears."""
    found = stores(shell.page(f"/{name}", "?step=0.02", "dark"))
    result = painted(opening(name, step=0.02), "dark")
    for place, figure in result.figures.items():
        assert found["answer"]["figures"][place] == orjson.loads(plain(figure))
    assert found["answer"]["sentence"] == result.said["sentence"]
    assert found["answer"]["theme"] == "dark"
    assert found["answer"]["query"] == "step=0.02"
    assert found["sent"].keys() >= {f"figure {place}" for place in result.figures} | {"tracks"}
    assert not questions.changed({"tracks": plain(result.tracks)}, found["sent"])[0]


def test_a_page_with_a_long_run_asks_itself():
    found = stores(shell.page("/suslov", "?duration=50&step=0.002", "light"))
    assert found["answer"] is None
    assert found["sent"] == {}


def test_a_new_page_brings_its_texts():
    page = shell.page("/suslov", "?detail=python", "light")
    assert stores(page)["answer"]["figures"]
    assert "runs['moser_veselov'] = nhviz.simulate(" in str(page)
    assert "runs['moser_veselov']" not in str(shell.page("/suslov", "", "light"))


def test_an_unknown_theme_is_the_light_one():
    found = stores(shell.page("/sleigh", "", "<b>"))
    assert found["answer"]["theme"] == "light"


def test_only_what_differs_is_sent():
    def texts(parts):
        return {place: plain(part) for place, part in parts.items()}

    first, other = painted(opening("sleigh")), painted(opening("sleigh", theta=1.0))
    _, sent = questions.changed(texts(first.figures), {})
    again, sent = questions.changed(texts(painted(opening("sleigh")).figures), sent)
    assert again == {}
    turned, _ = questions.changed(texts(other.figures), sent)
    assert set(turned) == {"motion"}
    _, sums = questions.changed(texts(first.moving), {})
    moved, _ = questions.changed(texts(other.moving), sums)
    assert set(moved) == {"motion"}


def test_only_views_in_sight_are_painted():
    assert set(painted(opening("suslov", layout="motion")).figures) == {"motion"}
    assert set(painted(opening("suslov"), places=["detail"]).figures) == {"detail"}
    assert set(to_paint(opening("suslov"), None, preview=True)) == {"plane", "motion", "detail"}


def test_largest_steps_are_those_of_the_command_line():
    state = opening("sleigh", J=0.8, b=0.3, p_theta=0.9, p_1=1.3)
    bounds = panel(state).largest_steps
    shown = panel(state)
    for name, bound in bounds.items():
        assert bound == largest_step("sleigh", name, shown.params, shown.initial)
    assert set(bounds) == {"fedorov_zenkov", "naive"}


def test_an_answer_leaves_out_what_the_page_has():
    first = painted(opening("sleigh")).figures
    _, sums = questions.changed({f"figure {place}": plain(figure) for place, figure in first.items()}, {})
    known, unknown = (
        orjson.loads(questions.answered(asked(opening("sleigh")), "light", has))["answer"] for has in (sums, {})
    )
    assert known["figures"] == {}
    assert set(unknown["figures"]) == {"plane", "motion", "locus", "detail"}


def test_finished_json_is_ascii_that_may_stand_in_a_page_and_says_the_same():
    data = {"θ <i>": ["a/b", "p₁ ≤ 2·10⁻³", "\U0001d465 & 𝑦", 'quoted "\\" \n'], "x": np.array([1.5, -2.0]), "n": None}
    text = in_page(plain(data))
    assert text.isascii()
    assert not set(b"<>/") & set(text)
    assert json.loads(text) == data | {"x": [1.5, -2.0]}
