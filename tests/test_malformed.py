"""What no page sends: bodies, links and command lines that are malformed are refused, and nothing fails or hangs.

All of them, ten thousand, are in benchmarks/malformed.py; here is a sample, and what once went wrong.
"""

import copy
import random

import flask
import orjson
import pytest

import nhviz
from benchmarks import malformed
from callbacks import guard
from callbacks.shape import MalformedError
from layouts import ids
from nhviz.__main__ import main
from nhviz.frame import find
from nhviz.frame.state import COMPLAINTS, State
from server import limits
from server.settings import Settings
from server.web import StrictJSON
from tests.bodies import body, post, refused
from tests.frames import opening


@pytest.fixture(scope="module")
def client():
    return malformed.client_of_app()


SAMPLE = 400


@pytest.mark.parametrize("part", range(4))
def test_a_sample_of_malformed_things(client, part):
    for number in range(part * SAMPLE // 4, (part + 1) * SAMPLE // 4):
        case = malformed.make(2, number)
        outcome = malformed.attempt(client, case)
        assert not outcome.wrong, (number, case.about, outcome)
        assert outcome.seconds < malformed.SECONDS


def test_cases_are_reproducible():
    assert [malformed.make(3, i) for i in range(50)] == [malformed.make(3, i) for i in range(50)]


CALLBACKS = [
    malformed.RENDER,
    malformed.START,
    malformed.GHOSTS,
    malformed.CSV,
    malformed.PAGE,
    malformed.WAIT,
    malformed.WATCH,
]


@pytest.mark.parametrize("callback", CALLBACKS)
@pytest.mark.parametrize("lab", ["suslov", "sleigh", "sphere_n"])
def test_what_the_page_sends_is_let_through(client, callback, lab):
    assert post(client, malformed.body(random.Random(1), callback, lab)).status_code == 200


def test_every_callback_of_the_server_is_attacked(client):
    """Questions and files are no callbacks; they have addresses of their own."""
    names, apart = malformed.callback_names(), (malformed.RENDER, malformed.CSV)
    assert {names[name] for name in CALLBACKS if name not in apart} == set(names.values())


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
    data["inputs"][1]["value"] = "?" + "x" * Settings.read().max_body
    assert post(client, data).status_code == 413
    assert refused(client.post(malformed.UPDATE, data="x=1", content_type="application/x-www-form-urlencoded"))


@pytest.mark.parametrize(
    ("callback", "field"),
    [
        (malformed.RENDER, "sent"),
        (malformed.START, "output"),
        (malformed.START, "outputs"),
        (malformed.START, "inputs"),
    ],
)
def test_every_part_of_a_body_is_needed(client, callback, field):
    data = body(callback)
    del data[field]
    assert refused(post(client, data))


def test_a_mark_behind_a_property_hides_nothing(client):
    data = body(malformed.START)
    data["inputs"][0] |= {"property": "data@1", "value": []}
    data["changedPropIds"] = []
    assert refused(post(client, data))


def test_a_refusal_repeats_nothing(client):
    evil = "<script>alert(1)</script>"
    for callback in (malformed.RENDER, malformed.START, malformed.GHOSTS, malformed.CSV):
        data = body(callback)
        malformed.state_of(data)["lab"] = evil
        assert refused(answer := post(client, data))
        assert "script" not in answer.get_data(as_text=True)


@pytest.mark.parametrize(("chosen", "name"), [(["exact"], "suslov-exact.csv"), (["exact", "cayley"], "suslov.csv")])
def test_the_name_of_a_csv_file_is_ours(client, chosen, name):
    data = body(malformed.CSV)
    malformed.asked_of(data).update(filename="../../x", about="../../x")
    malformed.state_of(data).update(filename="../../x", errors={"filename": "../../x"})
    malformed.state_of(data)["variants"]["methods"] = chosen
    answer = post(client, data)
    assert (answer.status_code, answer.mimetype) == (200, "text/csv")
    assert answer.headers["Content-Disposition"] == f"attachment; filename={name}"


def test_a_file_of_a_state_that_cannot_be_shown_is_none(client):
    data = body(malformed.CSV)
    malformed.state_of(data)["numbers"]["step"] = -1
    answer = post(client, data)
    assert (answer.status_code, answer.mimetype) == (422, "text/plain")
    assert answer.get_data(as_text=True) == "step must be between 1e-09 and 100, not -1.\n"


def references(value):
    """Every address in a page."""
    if isinstance(value, dict):
        yield from (value[name] for name in ("href", "src") if isinstance(value.get(name), str))
        value = list(value.values())
    for inner in value if isinstance(value, list) else ():
        yield from references(inner)


@pytest.mark.parametrize(
    "path",
    [
        "/suslov",
        "/javascript:alert(1)",
        "//evil.example/suslov",
        "/",
        "/suslov?href=//evil.example",
        "/card/evil.example",
    ],
)
def test_no_text_of_a_link_becomes_an_address(client, path):
    data = body(malformed.PAGE)
    data["inputs"][0]["value"] = path
    data["inputs"][1]["value"] = "?locus=javascript:alert(1)&href=//evil.example&I11=<script>"
    found = set(references(post(client, data).get_json()))
    data["inputs"][0]["value"], data["inputs"][1]["value"] = "/", ""
    ours = {"/", *(f"/{name}" for name in find.labs()), *references(post(client, data).get_json())}
    assert {address for address in found if not address.startswith("/assets/")} <= ours


def test_an_address_with_a_question_in_its_path_names_nothing(client):
    data = body(malformed.PAGE)
    data["inputs"][0]["value"] = "/suslov?I11=4"
    assert "There is no such lab" in post(client, data).get_data(as_text=True)


def test_a_link_tells_a_few_complaints_only():
    lab = find.lab("suslov")
    state, complaints = State.from_query(lab, "?" + "&".join(f"word{i}=1" for i in range(300)))
    assert state == opening("suslov")
    assert len(complaints) == COMPLAINTS + 1
    _, complaints = State.from_query(lab, "?I11=3&x=" + "y" * 5000)
    assert "4,000" in complaints[0]
    state, complaints = State.from_query(lab, "?methods=cayley.cayley.exact.cayley")
    assert (dict(state.variants)["methods"], complaints) == (("exact", "cayley"), [])


def test_a_sleigh_in_space_without_a_cusp_is_drawn(client):
    data = body(malformed.RENDER, "sleigh_n")
    malformed.state_of(data)["numbers"]["p_1"] = 2.0
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
    state["variants"]["methods"] = ["reference"]
    state["numbers"] |= {"step": 10.0, "duration": 1e5}
    answer = post(client, data)
    assert answer.status_code == 200
    (stop,) = answer.get_json()["answer"]["stops"]
    assert (stop["key"], stop["values"], stop["label"]) == ("reference", {}, "")
    assert stop["text"].startswith("Stopped after ")


def test_an_unexpected_error_is_still_visible(client, monkeypatch, caplog):
    monkeypatch.setattr("callbacks.questions.render", lambda *_: 1 / 0)
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
    for number in range(3000):
        malformed.make(4, number)
    assert before == malformed.ODDITIES


def test_lines_of_the_flow_are_finite_with_very_unequal_moments(client):
    data = body(malformed.RENDER, "suslov_n")
    malformed.state_of(data)["numbers"] |= {"n": 4, "J1": 100.0, "J2": 100.0}
    assert post(client, data).status_code == 200
