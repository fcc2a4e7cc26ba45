"""What no page sends: bodies, links and command lines that are malformed are refused, and nothing fails or hangs.

All of them, ten thousand, are in benchmarks/malformed.py; here is a sample, and what once went wrong.
"""

import copy
import json
import random

import flask
import orjson
import pytest

import nhviz
from benchmarks import malformed
from callbacks import guard
from callbacks.state import MalformedError, lab_page
from layouts import ids, link
from nhviz.__main__ import main
from server import limits
from server.settings import Settings
from server.web import StrictJSON
from tests.test_callbacks import opening

SAMPLE = 400


@pytest.fixture(scope="module")
def client():
    return malformed.client_of_app()


def body(callback, system="suslov"):
    """A good body for a lab."""
    chance = random.Random(1)
    while True:
        found = malformed.body(chance, callback)
        if callback == malformed.PAGE or malformed.state_of(found)["system"] == system:
            return found


def post(client, data):
    content = data if isinstance(data, bytes) else json.dumps(data).encode()
    return client.post(malformed.UPDATE, data=content, content_type="application/json")


def refused(answer):
    """Whether an answer is one plain sentence with status 400."""
    text = answer.get_data(as_text=True)
    return answer.status_code == 400 and answer.mimetype == "text/plain" and text.count("\n") == 1 and len(text) < 120


@pytest.mark.parametrize("part", range(4))
def test_a_sample_of_malformed_things(client, part):
    for number in range(part * SAMPLE // 4, (part + 1) * SAMPLE // 4):
        case = malformed.make(2, number)
        outcome = malformed.attempt(client, case)
        assert not outcome.wrong, (number, case.about, outcome)
        assert outcome.seconds < malformed.SECONDS


def test_cases_are_reproducible():
    assert [malformed.make(3, i) for i in range(50)] == [malformed.make(3, i) for i in range(50)]


@pytest.mark.parametrize("callback", [malformed.RENDER, malformed.LAUNCH, malformed.CSV, malformed.PAGE])
def test_what_the_page_sends_is_let_through(client, callback):
    assert post(client, body(callback)).status_code == 200


@pytest.mark.parametrize(
    "content",
    [b"", b"null", b"[]", b"{}", b"x", b'{"output": "nothing.data"}', b'{"output": ["page.children"]}', b"[" * 100_000,
     b'{"output": NaN}', b"\xff\xfe", b'"\\ud800"', b"1" * 5000],
)  # fmt: skip
def test_what_is_no_callback_is_refused(client, content):
    assert refused(post(client, content))


def test_a_body_is_read_once(client, monkeypatch):
    """By the guard, and Dash finds it; strictly, also for whoever else may ask."""
    read, provider = [], client.application.json
    monkeypatch.setattr(provider, "loads", lambda text: read.append(text) or StrictJSON.loads(provider, text))
    assert post(client, body(malformed.PAGE)).status_code == 200
    assert len(read) == 1
    for text in (b'{"a": NaN}', b'{"a": Infinity}', b'{"a": 1e999}', b'"\\ud800"', b"\xff"):
        with client.application.app_context(), pytest.raises(orjson.JSONDecodeError):
            flask.json.loads(text)


def test_a_callback_of_the_browser_is_not_one_of_the_server(client):
    data = body(malformed.PAGE)
    assert refused(post(client, data | {"output": f"{ids.PAGE}.title", "outputs": malformed.named(ids.PAGE, "title")}))


def test_a_large_body_and_another_type_are_refused(client):
    data = body(malformed.PAGE)
    data["state"][0]["value"] = "?" + "x" * Settings.read().max_body
    assert post(client, data).status_code == 413
    assert refused(client.post(malformed.UPDATE, data="x=1", content_type="application/x-www-form-urlencoded"))


@pytest.mark.parametrize("field", ["output", "outputs", "inputs"])
def test_every_part_of_a_body_is_needed(client, field):
    data = body(malformed.RENDER)
    del data[field]
    assert refused(post(client, data))


@pytest.mark.parametrize("field", ["system", "values", "methods", "choices", "errors", "preview"])
@pytest.mark.parametrize("value", [None, 3, "nothing", [[]], {"a": 1}])
def test_a_state_without_its_shape_is_refused(client, field, value):
    data = body(malformed.RENDER)
    malformed.state_of(data)[field] = value
    assert refused(post(client, data))


def test_a_state_that_lacks_a_value_or_a_choice_is_refused(client):
    for group, name in (("values", "I11"), ("values", "step"), ("choices", "locus")):
        data = body(malformed.RENDER)
        del malformed.state_of(data)[group][name]
        assert refused(post(client, data))


@pytest.mark.parametrize(
    ("name", "value", "hint"),
    [
        ("I11", "3", "must be a number"),
        ("I11", None, "must be a number"),
        ("I11", True, "must be a number"),
        ("I11", [3], "must be a number"),
        ("M1", 1e308, "between"),
        ("step", 1e-320, "between"),
        ("step", -1, "between"),
        ("step", 1e-9, "2,000,000"),
        ("duration", 1e300, "between"),
    ],
)
def test_a_bad_value_is_told_beside_its_control(client, name, value, hint):
    data = body(malformed.RENDER)
    malformed.state_of(data)["values"][name] = value
    answer = post(client, data)
    assert answer.status_code == 200
    messages = answer.get_json()["response"]
    assert hint in messages[f'{{"kind":"message","name":"{name}"}}']["children"]


@pytest.mark.parametrize(
    ("methods", "hint"),
    [(["nothing"], "There is no method"), (["exact", "exact"], "once"), (["midpoint"], "no method")],
)
def test_methods_that_cannot_be_chosen(client, methods, hint):
    data = body(malformed.RENDER)
    malformed.state_of(data)["methods"] = methods
    answer = post(client, data)
    assert hint in answer.get_json()["response"]['{"kind":"message","name":"methods"}']["children"]


def test_ten_thousand_methods_are_no_state(client):
    data = body(malformed.RENDER)
    malformed.state_of(data)["methods"] = ["exact"] * 10_000
    assert refused(post(client, data))


def test_a_choice_that_is_not_on_offer_is_told(client):
    data = body(malformed.RENDER)
    malformed.state_of(data)["choices"]["locus"] = "<script>"
    answer = post(client, data)
    assert answer.status_code == 200
    assert "moser_veselov, cayley, both" in answer.get_data(as_text=True)


@pytest.mark.parametrize(("index", "value"), [(1, "nothing"), (1, []), (1, "portrait3"), (2, 7), (2, {})])
def test_tabs_and_themes_that_do_not_exist(client, index, value):
    data = body(malformed.RENDER, "sleigh_n")
    data["inputs"][index]["value"] = value
    assert refused(post(client, data))


def test_an_unknown_theme_is_light(client):
    data = body(malformed.RENDER)
    light = post(client, data).get_json()
    data["inputs"][2]["value"] = "neon"
    assert post(client, data).get_json() == light


@pytest.mark.parametrize("view", ["nothing", "portrait3", 3])
def test_a_view_of_another_lab_is_refused(client, view):
    data = body(malformed.RENDER)
    data["outputs"][0][0]["id"]["view"] = view
    assert refused(post(client, data))


@pytest.mark.parametrize(
    "click", [3, [], "x", {"points": 3}, {"points": [3]}, {"points": [{"x": "1", "y": 2}]},
              {"xvals": [None], "yvals": [1]}, {"xvals": {"0": 1}, "yvals": [1]}, {"points": [{"x": True, "y": 1}]}],
)  # fmt: skip
def test_what_is_no_click_is_refused(client, click):
    data = body(malformed.LAUNCH)
    data["inputs"][0][0]["value"] = click
    assert refused(post(client, data))


def test_a_click_that_nobody_made_starts_nothing(client):
    data = body(malformed.LAUNCH)
    data["changedPropIds"] = []
    assert "values" not in post(client, data).get_data(as_text=True)
    data["changedPropIds"] = ["nothing.clickData"]
    assert refused(post(client, data))


def test_a_mark_behind_a_property_hides_nothing(client):
    data = body(malformed.RENDER)
    data["inputs"][0] |= {"property": "data@1", "value": []}
    data["changedPropIds"] = []
    assert refused(post(client, data))


def test_a_refusal_repeats_nothing(client):
    evil = "<script>alert(1)</script>"
    for callback in (malformed.RENDER, malformed.LAUNCH, malformed.CSV):
        data = body(callback)
        malformed.state_of(data)["system"] = evil
        assert refused(answer := post(client, data))
        assert "script" not in answer.get_data(as_text=True)


def test_the_name_of_a_csv_file_is_ours(client):
    data = body(malformed.CSV)
    malformed.state_of(data)["errors"] = {"filename": "../../x"}
    found = post(client, data).get_json()["response"][ids.DOWNLOAD]["data"]
    assert found["filename"] == "suslov-exact.csv"


def references(value):
    """Every address in a page."""
    if isinstance(value, dict):
        yield from (value[name] for name in ("href", "src") if isinstance(value.get(name), str))
        value = list(value.values())
    for inner in value if isinstance(value, list) else ():
        yield from references(inner)


@pytest.mark.parametrize("path", ["/suslov", "/javascript:alert(1)", "//evil.example/suslov", "/"])
def test_no_text_of_a_link_becomes_an_address(client, path):
    data = body(malformed.PAGE)
    data["inputs"][0]["value"] = path
    data["state"][0]["value"] = "?locus=javascript:alert(1)&href=//evil.example&I11=<script>"
    found = set(references(post(client, data).get_json()))
    ours = {"/", *(f"/{name}" for name in nhviz.systems())}
    assert {address for address in found if not address.startswith("/assets/")} <= ours


def test_a_link_tells_a_few_complaints_only():
    lab = lab_page("suslov")
    state, complaints = link.read(opening(lab), "?" + "&".join(f"word{i}=1" for i in range(300)), {})
    assert state == opening(lab)
    assert len(complaints) == link.COMPLAINTS + 1
    _, complaints = link.read(opening(lab), "?I11=3&x=" + "y" * 5000, {})
    assert "4,000" in complaints[0]
    state, complaints = link.read(opening(lab), "?methods=cayley.cayley.exact.cayley", {})
    assert (state["methods"], complaints) == (["cayley", "exact"], [])


def test_a_sleigh_in_space_without_a_cusp_is_drawn(client):
    data = body(malformed.RENDER, "sleigh_n")
    malformed.state_of(data)["values"]["p_1"] = 2.0
    assert post(client, data).status_code == 200


def test_a_run_of_many_dimensions_may_have_fewer_steps():
    systems = {name: nhviz.registry.find(name) for name in ("sleigh", "sphere_n")}
    usual = {name: {p.name: p.maximum for p in system.parameters} for name, system in systems.items()}
    assert limits.most_steps(systems["sleigh"], usual["sleigh"]) == Settings.read().max_steps
    assert limits.most_steps(systems["sphere_n"], usual["sphere_n"]) < Settings.read().max_steps / 2
    few = limits.most_flow_steps(systems["sphere_n"], usual["sphere_n"])
    assert few < limits.most_flow_steps(systems["sleigh"], usual["sleigh"]) / 2


def test_a_flow_that_takes_too_long_stops_with_a_sentence(client):
    data = body(malformed.RENDER)
    state = malformed.state_of(data)
    state["methods"] = ["reference"]
    state["values"] |= {"step": 10.0, "duration": 1e5}
    answer = post(client, data)
    assert answer.status_code == 200
    assert "internal steps" in answer.get_data(as_text=True)


def test_an_unexpected_error_is_still_visible(client, monkeypatch, caplog):
    monkeypatch.setattr("callbacks.lab.render", lambda *_: 1 / 0)
    assert post(client, body(malformed.RENDER)).status_code == 500
    assert "ZeroDivisionError" in caplog.text


def test_a_missing_file_of_a_library_is_not_found(client):
    assert client.get("/_dash-component-suites/nothing/x.js").status_code == 404
    assert client.get("/_dash-component-suites/dash/x.js").status_code == 404


def test_nesting_is_measured():
    assert guard.is_shallow(malformed.nested(3), 4)
    assert not guard.is_shallow(malformed.nested(4), 4)
    with pytest.raises(MalformedError):
        guard.check_body({}, [])


@pytest.mark.parametrize(
    "words",
    [
        ["simulate", "suslov", "--out", "a\0b.csv"],
        ["simulate", "suslov", "--out", "x" * 300 + ".csv"],
        ["simulate", "suslov", "--out", "y" * 5000 + "/x.csv"],
        ["simulate", "suslov", "a\nb"],
        ["simulate", "suslov", "x" * 5000],
        ["simulate", "suslov", "--set", "x" * 5000],
        ["simulate", "suslov", "--step", "x" * 5000],
        ["simulate", "suslov", "--set", "I11=" + "x" * 5000],
    ],
    ids=range(8),
)
def test_command_lines_that_once_failed(words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    complaint = capsys.readouterr().err
    assert complaint.count("\n") == 1
    assert len(complaint) < 400
    assert list(tmp_path.iterdir()) == []


def test_the_sample_leaves_its_material_alone():
    before = copy.deepcopy(malformed.ODDITIES)
    for number in range(200):
        malformed.make(4, number)
    assert before == malformed.ODDITIES


def test_lines_of_the_flow_are_finite_with_very_unequal_moments(client):
    data = body(malformed.RENDER, "suslov_n")
    malformed.state_of(data)["values"] |= {"n": 4, "J1": 100.0, "J2": 100.0}
    assert post(client, data).status_code == 200
