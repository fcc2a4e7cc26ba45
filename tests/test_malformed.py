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
from callbacks.shape import MalformedError
from layouts import ids
from nhviz.__main__ import main
from nhviz.analysis import starts
from nhviz.frame import find
from nhviz.frame.state import COMPLAINTS, State
from server import limits
from server.settings import Settings
from server.web import StrictJSON
from tests.frames import opening

SAMPLE = 400


@pytest.fixture(scope="module")
def client():
    return malformed.client_of_app()


def body(callback, lab="suslov"):
    """A good body for a lab; a click is one that needs mathematics."""
    found = malformed.body(random.Random(1), callback, lab)
    if callback == malformed.START:
        malformed.asked_of(found).update(view="locus", place=[41.0, -99.0, 5.0])
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


CALLBACKS = [
    malformed.RENDER,
    malformed.START,
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
    assert {malformed.callback_names()[name] for name in CALLBACKS} == set(malformed.callback_names().values())


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


@pytest.mark.parametrize("field", ["output", "outputs", "inputs"])
def test_every_part_of_a_body_is_needed(client, field):
    data = body(malformed.RENDER)
    del data[field]
    assert refused(post(client, data))


STRANGE = [None, 3, "nothing", [[]], {"a": 1}]


@pytest.mark.parametrize("callback", [malformed.RENDER, malformed.START, malformed.CSV])
@pytest.mark.parametrize("value", STRANGE)
def test_what_is_no_state_is_refused(client, callback, value):
    data = body(callback)
    malformed.asked_of(data)["state"] = value
    assert refused(post(client, data))


@pytest.mark.parametrize("field", ["lab", "scene", "numbers", "options", "variants", "tabs", "layout"])
@pytest.mark.parametrize("value", STRANGE)
def test_a_state_without_its_shape_is_refused(client, field, value):
    data = body(malformed.RENDER)
    malformed.state_of(data)[field] = value
    assert refused(post(client, data))
    del malformed.state_of(data)[field]
    assert refused(post(client, data))


@pytest.mark.parametrize(
    ("field", "values"),
    [("preview", STRANGE), ("places", [3, "nothing", [[]], [None], {"a": 1}, ["detail"] * 600]),
     ("about", [None, 3, ["card"], {"a": 1}, "x" * 101])],
)  # fmt: skip
def test_a_question_without_its_shape_is_refused(client, field, values):
    for callback in (malformed.RENDER, malformed.CSV):
        data = body(callback)
        for value in values:
            malformed.asked_of(data)[field] = value
            assert refused(post(client, data)), value
        del malformed.asked_of(data)[field]
        assert refused(post(client, data))


@pytest.mark.parametrize("about", ["card/nothing", "lesson/nothing/1", "lesson//99999", "<script>", "card"])
def test_a_page_about_nothing_is_a_page(client, about):
    data = body(malformed.RENDER)
    malformed.asked_of(data)["about"] = about
    answer = post(client, data)
    assert answer.get_json()["response"][ids.ANSWER]["data"]["verdict"] == ""


def test_places_that_the_page_does_not_have_paint_nothing(client):
    data = body(malformed.RENDER)
    malformed.asked_of(data)["places"] = ["nothing", "<script>"]
    answer = post(client, data)
    assert answer.status_code == 200
    assert "figure" not in answer.get_data(as_text=True)


WORDS = [
    ("numbers", "I11"),
    ("numbers", "step"),
    ("options", "locus.surface"),
    ("variants", "methods"),
    ("tabs", "detail"),
]


@pytest.mark.parametrize(("field", "word"), WORDS)
def test_a_state_that_lacks_a_word_or_has_another_is_refused(client, field, word):
    for change in (lambda words: words.pop(word), lambda words: words.update({"left.step": words[word]})):
        data = body(malformed.RENDER)
        change(malformed.state_of(data)[field])
        assert refused(post(client, data))


@pytest.mark.parametrize("value", ["3", None, True, [3], {"a": 3}])
def test_what_is_no_number_is_refused(client, value):
    data = body(malformed.RENDER)
    malformed.state_of(data)["numbers"]["I11"] = value
    assert refused(post(client, data))


def errors(answer):
    """The sentences beside controls in an answer; nothing else of the page may change then."""
    assert answer.status_code == 200
    found = answer.get_json()["response"]
    assert not [part for part in found.values() if "figure" in part]
    assert ids.FRAMES not in found
    return found[ids.ANSWER]["data"]["errors"]


@pytest.mark.parametrize(
    ("name", "value", "hint"),
    [
        ("M1", 1e308, "between"),
        ("I11", -3, "between"),
        ("step", 1e-320, "between"),
        ("step", -1, "between"),
        ("step", 1e-9, "2,000,000"),
        ("duration", 1e300, "between"),
        ("duration", 2**63, "between"),
    ],
)
def test_a_bad_value_is_told_beside_its_control(client, name, value, hint):
    data = body(malformed.RENDER)
    malformed.state_of(data)["numbers"][name] = value
    assert hint in errors(post(client, data))[name]


@pytest.mark.parametrize(
    "chosen",
    [["nothing"], ["exact", "exact"], ["midpoint"], ["exact"] * 10_000, "exact", ["exact", None], {"exact": 1}],
)
def test_variants_that_cannot_be_chosen_are_no_state(client, chosen):
    data = body(malformed.RENDER)
    malformed.state_of(data)["variants"]["methods"] = chosen
    assert refused(post(client, data))


def test_no_variant_at_all_is_told(client):
    data = body(malformed.RENDER)
    malformed.state_of(data)["variants"]["methods"] = []
    assert errors(post(client, data)) == {"methods": "Choose at least one method."}


def test_an_option_that_is_not_on_offer_is_told(client):
    for callback in (malformed.RENDER, malformed.START):
        data = body(callback)
        malformed.state_of(data)["options"]["locus.surface"] = "<script>"
        answer = post(client, data)
        assert answer.status_code == 200
        assert "moser_veselov, cayley, both" in answer.get_data(as_text=True)


@pytest.mark.parametrize("value", ["nothing", [], "portrait3", 7, {}, None, "suslov"])
def test_tabs_and_layouts_that_do_not_exist(client, value):
    for change in ({"tabs": {"detail": value}}, {"layout": value}):
        data = body(malformed.RENDER, "sleigh_n")
        malformed.state_of(data).update(change)
        assert refused(post(client, data))


@pytest.mark.parametrize("value", [7, {}, [], True])
def test_what_is_no_theme_is_refused(client, value):
    data = body(malformed.RENDER, "sleigh_n")
    data["inputs"][1]["value"] = value
    assert refused(post(client, data))


def test_an_unknown_theme_is_light(client):
    data = body(malformed.RENDER)
    light = post(client, data).get_json()
    data["inputs"][1]["value"] = "neon"
    assert post(client, data).get_json() == light


@pytest.mark.parametrize("name", ["nothing", "portrait3", "path", 3])
@pytest.mark.parametrize(("group", "key"), [(0, "place"), (1, "place"), (2, "panel"), (3, "panel")])
def test_a_page_of_another_lab_is_refused(client, group, key, name):
    data = body(malformed.RENDER)
    data["outputs"][group][0]["id"][key] = name
    assert refused(post(client, data))


@pytest.mark.parametrize("group", range(4))
def test_a_page_that_lacks_a_part_gets_the_others(client, group):
    data = body(malformed.RENDER)
    del data["outputs"][group][0]
    assert post(client, data).status_code == 200


@pytest.mark.parametrize("click", [3, [], "x", {}, {"points": [{"x": 1, "y": 2}]}])
def test_what_is_no_click_is_refused(client, click):
    data = body(malformed.START)
    data["inputs"][0]["value"] = click
    assert refused(post(client, data))


@pytest.mark.parametrize(
    "place", [None, 3, "x", {"x": 1, "y": 2, "z": 3}, [], [1.0], [1.0, 2.0], [1.0, 2.0, 3.0, 4.0], ["1", 2, 3],
              [None, 1, 2], [[1], 2, 3], [True, 1, 2], [{"0": 1}, 1, 2]],
)  # fmt: skip
def test_a_click_without_a_place_is_refused(client, place):
    data = body(malformed.START)
    malformed.asked_of(data)["place"] = place
    assert refused(post(client, data))
    del malformed.asked_of(data)["place"]
    assert refused(post(client, data))


@pytest.mark.parametrize("view", [None, 3, "nothing", "detail", "portrait3", ["locus"], {"id": "locus"}])
def test_a_click_in_no_view_of_the_scene_is_refused(client, view):
    data = body(malformed.START)
    malformed.asked_of(data)["view"] = view
    assert refused(post(client, data))
    del malformed.asked_of(data)["view"]
    assert refused(post(client, data))


def test_a_click_of_the_plane_has_two_coordinates(client):
    for place, good in (([0.1, 0.2], True), ([0.1, 0.2, 0.3], False)):
        data = body(malformed.START)
        malformed.asked_of(data).update(view="disk", place=place)
        assert refused(post(client, data)) is not good


def started(answer):
    """What a click sets."""
    assert answer.status_code == 200
    return answer.get_json()["response"].get(ids.START, {}).get("data")


def test_a_click_that_nobody_made_starts_nothing(client):
    data = body(malformed.START)
    data["inputs"][0]["value"] = None
    assert started(post(client, data)) is None
    data["changedPropIds"] = ["nothing.data"]
    assert refused(post(client, data))


def test_a_click_that_needs_no_mathematics_starts_nothing(client):
    data = body(malformed.START)
    malformed.asked_of(data).update(view="plane", place=[1.0, 2.0])
    assert started(post(client, data)) is None


@pytest.mark.parametrize(
    ("lab", "view", "place"),
    [
        ("suslov", "locus", [1e300, -1e308, 1.0]),
        ("suslov", "disk", [1e300, 0.0]),
        ("sleigh", "locus", [1e308, -1e308, 0.0]),
    ],
)
@pytest.mark.parametrize("surface", ["moser_veselov", "cayley"])
def test_a_click_far_away_gets_a_sentence(client, lab, view, place, surface):
    data = body(malformed.START, lab)
    malformed.asked_of(data).update(view=view, place=place)
    if lab == "suslov":
        malformed.state_of(data)["options"]["locus.surface"] = surface
    found = started(post(client, data))
    assert found["values"] == {}
    assert found["problem"].endswith(".")


def test_a_start_far_away_is_out_of_range():
    params = {"I11": 3.0, "I22": 4.0, "I33": 5.0, "I13": 1.0, "I23": 0.5}
    with pytest.raises(nhviz.ParameterError, match="M2 must be between"):
        starts.from_suslov_locus(params, 0.015, ["cayley"], 1.0, 1e300, 0.0)


@pytest.mark.parametrize(("group", "word", "value"), [("numbers", "step", -1), ("variants", "methods", [])])
def test_a_click_in_a_state_that_cannot_be_shown_starts_nothing(client, group, word, value):
    data = body(malformed.START)
    malformed.state_of(data)[group][word] = value
    found = started(post(client, data))
    assert found["values"] == {}
    assert found["problem"]


def test_a_mark_behind_a_property_hides_nothing(client):
    data = body(malformed.RENDER)
    data["inputs"][0] |= {"property": "data@1", "value": []}
    data["changedPropIds"] = []
    assert refused(post(client, data))


def test_a_refusal_repeats_nothing(client):
    evil = "<script>alert(1)</script>"
    for callback in (malformed.RENDER, malformed.START, malformed.CSV):
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
    found = post(client, data).get_json()["response"][ids.DOWNLOAD]["data"]
    assert found["filename"] == name


def test_a_file_of_a_state_that_cannot_be_shown_is_none(client):
    data = body(malformed.CSV)
    malformed.state_of(data)["numbers"]["step"] = -1
    answer = post(client, data)
    assert answer.status_code == 200
    assert "content" not in answer.get_data(as_text=True)


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
    ours = {"/", *(f"/{name}" for name in find.labs())}
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
    malformed.state_of(data)["numbers"] |= {"n": 4, "J1": 100.0, "J2": 100.0}
    assert post(client, data).status_code == 200
