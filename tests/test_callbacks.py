"""Callbacks as plain functions: states to pictures, clicks to starts, links to states, lines of Python to arrays."""

import base64
import json
import math

import numpy as np
import pytest
from callbacks.session import Session
from hypothesis import example, given, settings
from hypothesis import strategies as st

import nhviz
from callbacks import lab as labs
from callbacks import plain, shell, views
from layouts import ids, link
from layouts import plain as plain_lab
from layouts import shell as page
from layouts.lab import Lab
from nhviz.figures.style import typed
from tests.strategies import initial, sleigh_params, spread, suslov_params

LABS: list[Lab] = list(page.LABS.values())
IDS = [lab.system for lab in LABS]
ALLOWED = {name: facts["choices"] for name, facts in page.LABS["suslov"].choices.items()} | {"branch": ["0", "1"]}


def opening(lab, **values):
    facts = nhviz.describe(lab.system)
    options = {n: o for m in facts["methods"].values() for n, o in m["options"].items()}
    choices = {name: str(facts["default"]) for name, facts in (options | lab.choices).items()}
    state = link.default_state(lab.system, list(lab.methods), choices)
    state["values"].update(values)
    return state


def paint(state, tab, lab, theme="light"):
    names = [*state["values"], "methods"]
    all_views = [*lab.views, ids.DETAIL]
    return labs.render(state, tab, theme, names, set(all_views))


def numbers(value):
    """Every number of a figure, typed arrays decoded; None stands for a gap."""
    if isinstance(value, dict):
        if "bdata" in value:
            yield from np.frombuffer(base64.b64decode(value["bdata"]), "<f4")
        else:
            for inner in value.values():
                yield from numbers(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from numbers(inner)
    elif isinstance(value, float | int) and not isinstance(value, bool):
        yield value


def gaps_allowed(trace):
    """Arcs and invariant curves are separated by NaN; nothing else contains it."""
    return trace["type"] == "scatter" and trace["mode"] == "lines" and trace["hoverinfo"] == "skip"


def check_figures(result):
    assert "figures" in result, result
    for figure in result["figures"].values():
        assert figure["data"]
        for trace in figure["data"]:
            values = np.array(list(numbers({axis: trace.get(axis) for axis in "xyz"})), dtype=float)
            assert gaps_allowed(trace) or np.isfinite(values).all()
            assert not np.isinf(values).any()
        json.dumps(figure["layout"], allow_nan=False)
    for cursors in result["frames"]["views"].values():
        assert all(np.isfinite(list(numbers(cursor))).all() for cursor in cursors)


@pytest.mark.parametrize("lab", LABS, ids=IDS)
@pytest.mark.parametrize("theme", ["light", "dark", "projector"])
def test_every_view_and_tab_of_a_lab(lab, theme):
    for tab in lab.tabs:
        result = paint(opening(lab), tab, lab, theme)
        check_figures(result)
        assert set(lab.views) <= set(result["figures"])
        assert (ids.DETAIL in result["figures"]) != bool(result["text"])


@settings(max_examples=25, deadline=None, derandomize=True)
@given(suslov_params(), initial("suslov"), spread(1e-3, 1.0), st.sampled_from(sorted(page.LABS["suslov"].tabs)))
def test_suslov_figures_are_finite_over_the_whole_ranges(params, start, step, tab):
    state = opening(page.LABS["suslov"], **params, **start, step=step, duration=20 * step)
    check_figures(paint(state, tab, page.LABS["suslov"]))


@settings(max_examples=25, deadline=None, derandomize=True)
@example(
    {"J": 0.37, "m": 1.0, "a": 0.0, "b": 0.0},
    {"theta": 0.0, "x": 0.0, "y": 0.0, "p_theta": -1.0, "p_1": 0.0},
    1.0,
    "step",
)
@given(sleigh_params(), initial("sleigh"), spread(1e-3, 1.0), st.sampled_from(sorted(page.LABS["sleigh"].tabs)))
def test_sleigh_figures_are_finite_over_the_whole_ranges(params, start, step, tab):
    state = opening(page.LABS["sleigh"], **params, **start, step=step, duration=20 * step)
    check_figures(paint(state, tab, page.LABS["sleigh"]))


def test_a_bad_value_changes_its_message_only():
    lab = page.LABS["suslov"]
    result = paint(opening(lab, I11=-1.0), "drift", lab)
    assert "between 0.01 and 100" in result["messages"]["I11"]
    assert "figures" not in result
    result = paint(opening(lab, I13=90.0), "drift", lab)
    assert "positive definite" in result["messages"]["I33"]


def test_an_unreadable_box_keeps_the_picture():
    lab = page.LABS["sleigh"]
    state = opening(lab)
    state["errors"] = {"a": "a must be a number."}
    result = paint(state, "drift", lab)
    assert result["messages"]["a"] == "a must be a number."
    check_figures(result)


def test_no_method_and_midpoint_off_the_line_are_sentences():
    lab = page.LABS["sleigh"]
    state = opening(lab)
    state["methods"] = []
    assert "at least one" in paint(state, "drift", lab)["messages"]["methods"]
    state = opening(lab, b=0.3)
    state["methods"] = ["midpoint"]
    assert "b = 0" in paint(state, "drift", lab)["messages"]["b"]


def test_too_many_steps_for_a_page():
    lab = page.LABS["sleigh"]
    result = paint(opening(lab, step=1e-6, duration=100.0), "drift", lab)
    assert "2,000,000" in result["messages"]["step"]


def test_a_long_run_is_thinned():
    state = opening(page.LABS["sleigh"], step=1e-4, duration=100.0)
    session = Session(state, "light")
    assert session.lead.problem.steps == 1_000_000
    assert len(session.lead) == 2001
    assert csv_rows(state) == 20_001


def test_a_link_with_too_many_steps_says_how_many():
    state, complaints = link.read(opening(page.LABS["sleigh"]), "?step=1e-6&duration=100", ALLOWED)
    assert complaints == [
        "The link cannot be shown: duration / step is 100,000,000 steps; at most 2,000,000 are shown here."
    ]
    assert state == opening(page.LABS["sleigh"])


def csv_rows(state):
    lines = base64.b64decode(labs.save_csv(1, state)["content"]).decode().splitlines()
    return len([line for line in lines if line[0] in "0123456789"])


def test_a_file_has_as_many_numbers_as_a_person_can_use(monkeypatch):
    state = opening(plain_lab.lab("sphere_n"), n=5, step=0.001, duration=30.0)
    assert 5000 < csv_rows(state) < 8000
    monkeypatch.setattr(labs, "service", Refusing())
    assert csv_rows(state) == 2001


class Refusing:
    """A server that has no time."""

    def run(self, problem):
        raise nhviz.ParameterError("busy", "duration")


@pytest.mark.parametrize("name", nhviz.systems())
def test_shapes_of_a_body_share_its_poses(name):
    """What the browser is told of each cursor, with poses looked up, is what the picture holds."""
    lab = page.LABS.get(name) or plain_lab.lab(name)
    session = Session(opening(lab), "light")
    picture = labs.paint(session, labs.lab_of(session.state), "motion", "drift")
    told = picture.frames()
    for cursor, found in zip(picture.cursors, told, strict=True):
        if cursor.shape is not None:
            assert found["shape"] == typed(cursor.shape.ravel())
            body = told[found["like"]] if "like" in found else found
            assert body["rotations"] == typed(cursor.rotations.ravel())
            assert body["translations"] == typed(cursor.translations.ravel())
            assert (body["dimension"], body["columns"]) == cursor.rotations.shape[1:]
    poses = [found for found in told if "rotations" in found]
    assert len(poses) == len({found["rotations"]["bdata"] + found["translations"]["bdata"] for found in poses})


def test_a_stopped_run_says_so_in_the_picture():
    lab = page.LABS["suslov"]
    figure = paint(opening(lab, step=0.034), "drift", lab)["figures"]["plane"]
    text = figure["layout"]["annotations"][0]["text"].replace("<br>", " ")
    assert "no real branch after step" in text
    assert "0.0327338" in text


def test_exceeded_bounds_are_marked():
    lab = page.LABS["suslov"]
    assert "exceeded" in str(paint(opening(lab, step=0.034), "drift", lab)["largest"])
    assert "exceeded" not in str(paint(opening(lab, step=0.03), "drift", lab)["largest"])


@pytest.mark.parametrize(
    ("system", "view", "click", "expected"),
    [
        ("suslov", "plane", {"points": [], "xvals": [10.0], "yvals": [-20.0]}, {"M1": 10.0, "M2": -20.0}),
        ("suslov", "locus", {"points": [{"x": 3.0, "y": 4.0, "z": 1.0}]}, {"M1": 3.0, "M2": 4.0}),
        ("sleigh", "plane", {"points": [{"x": 0.25, "y": -1.0}]}, {"p_theta": 0.25, "p_1": -1.0}),
    ],
)
def test_a_click_becomes_a_start(system, view, click, expected):
    assert labs.launch(opening(page.LABS[system]), view, click) == {"values": expected}


def test_a_click_on_a_picture_of_displacements_gives_that_displacement():
    state = opening(page.LABS["suslov"])
    start = labs.launch(state, "disk", {"points": [], "xvals": [0.2], "yvals": [-0.3]})["values"]
    params = {name: state["values"][name] for name in nhviz.describe("suslov")["parameters"]}
    found = nhviz.branches("suslov", "moser_veselov", params, state["values"]["step"], start)
    assert found[0]["q1"] == pytest.approx(0.2, abs=1e-4)
    assert found[0]["q2"] == pytest.approx(-0.3, abs=1e-4)
    state = opening(page.LABS["sleigh"], b=0.4)
    start = labs.launch(state, "locus", {"points": [{"x": 0.3, "y": 1.7, "z": 0.1}]})["values"]
    step, a = state["values"]["step"], state["values"]["a"]
    assert step * (start["p_theta"] + 0.4 * start["p_1"]) == pytest.approx(0.3, abs=1e-5)
    assert step * a * start["p_1"] + 2.0 == pytest.approx(1.7, abs=1e-5)


def test_clicks_that_mean_nothing():
    state = opening(page.LABS["suslov"])
    assert labs.launch(state, "motion", {"points": [{"x": 1.0, "y": 1.0}]}) is None
    assert labs.launch(state, "plane", {"points": []}) is None
    assert labs.launch(state, "plane", None) is None
    assert "outside" in labs.launch(state, "disk", {"points": [], "xvals": [2.0], "yvals": [0.0]})["problem"]


def query(state, lab):
    """The query that assets/state.js writes."""
    start = opening(lab)
    words = [f"{n}={v!r}" for n, v in state["values"].items() if v != start["values"][n]]
    words += [f"methods={'.'.join(state['methods'])}"] if state["methods"] != start["methods"] else []
    words += [f"{n}={v}" for n, v in state["choices"].items() if v != start["choices"][n]]
    return "?" + "&".join(words)


@settings(max_examples=50, deadline=None, derandomize=True)
@given(suslov_params(), initial("suslov"))
def test_link_round_trip(params, start):
    lab = page.LABS["suslov"]
    state = opening(lab, **params, **start, step=0.01)
    state["methods"] = ["exact", "cayley"]
    state["choices"]["locus"] = "both"
    assert link.read(opening(lab), query(state, lab), ALLOWED) == (state, [])
    assert len(query(state, lab)) < 400


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.text(max_size=80) | st.from_regex(r"\?(I11|M1|step|methods|locus|branch)=[^&]{0,12}", fullmatch=True))
def test_any_text_as_a_link_gives_a_state_that_can_be_shown(text):
    lab = page.LABS["suslov"]
    state, complaints = link.read(opening(lab), text, ALLOWED)
    assert all(math.isfinite(value) for value in state["values"].values())
    assert all("\n" not in complaint for complaint in complaints)
    check_figures(paint(state, "drift", lab))


@pytest.mark.parametrize("lab", LABS, ids=IDS)
def test_python_lines_give_the_same_arrays(lab):
    session = Session(opening(lab, step=0.013, duration=0.7), "light")
    names = {}
    exec(views.python_lines(session), names)
    assert set(names["runs"]) == set(session.runs)
    for method, orbit in session.runs.items():
        again = names["runs"][method]
        assert np.array_equal(again.t, orbit.t)
        for name, values in orbit.components.items():
            assert np.array_equal(again[name], values)


@pytest.mark.parametrize("system", nhviz.systems())
def test_the_plain_lab_shows_any_system(system):
    from layouts.plain import lab as plain_lab

    lab = plain_lab(system)
    state = opening(lab)
    session = Session(state, "dark")
    for view in lab.views:
        picture = plain.VIEWS[view](session)
        assert picture.figure["data"]
    assert plain.readout(session)
    assert isinstance(views.largest_steps(session), dict)


def test_pages_of_addresses():
    assert "There is no such lab" in str(shell.page("/nothing", ""))
    assert "See nonholonomic mechanics" in str(shell.page("/", ""))
    for name in nhviz.systems():
        assert nhviz.describe(name)["title"] in str(shell.page(f"/{name}", None))


def test_only_changed_figures_are_sent():
    lab = page.LABS["sleigh"]
    first, sent = labs.changed(paint(opening(lab), "drift", lab)["figures"], {})
    assert set(first) == {*lab.views, ids.DETAIL}
    again, sent = labs.changed(paint(opening(lab), "drift", lab)["figures"], sent)
    assert again == {}
    turned, _ = labs.changed(paint(opening(lab, theta=1.0), "drift", lab)["figures"], sent)
    assert set(turned) == {"motion"}


def test_a_link_with_an_unknown_choice_says_what_is_allowed():
    lab = page.LABS["suslov"]
    state, complaints = link.read(opening(lab), "?locus=xx", ALLOWED)
    assert state == opening(lab)
    assert "moser_veselov, cayley, both" in complaints[0]


def test_the_dashed_curve_of_the_momentum_plane_is_where_that_map_rests():
    """A run of Cayley from any of its points stays, one of Moser-Veselov does not; the names are words."""
    lab, step = page.LABS["suslov"], 0.02
    figure = paint(opening(lab, step=step), next(iter(lab.tabs)), lab)["figures"]["plane"]
    [trace] = [trace for trace in figure["data"] if str(trace.get("name", "")).startswith("rest points")]
    assert trace["name"] == "rest points: Cayley (consistent)"
    points = np.array([list(numbers(trace[axis])) for axis in "xy"], dtype=float).T
    points = points[np.hypot(*points.T) > 10.0]
    assert len(points) > 10
    moved = {}
    for method in ("cayley", "moser_veselov"):
        runs = [
            nhviz.simulate("suslov", method, None, {"M1": m1, "M2": m2}, step=step, duration=step) for m1, m2 in points
        ]
        moved[method] = [np.hypot(run["M1"][1] - run["M1"][0], run["M2"][1] - run["M2"][0]) for run in runs]
    # Figures have seven digits, and a step moves a point by the multiplier times its distance from rest.
    assert max(moved["cayley"]) < 1e-6 * np.hypot(*points.T).max()
    assert max(moved["moser_veselov"]) > 1e-3 * np.hypot(*points.T).max()
