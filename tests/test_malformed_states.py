"""Questions and states that no page sends are refused, and values that cannot be used are told."""

import json

import pytest

from benchmarks import malformed
from layouts import ids
from tests.bodies import body, errors, post, refused


@pytest.fixture(scope="module")
def client():
    return malformed.client_of_app()


STRANGE = [None, 3, "nothing", [[]], {"a": 1}]


@pytest.mark.parametrize("callback", [malformed.RENDER, malformed.START, malformed.GHOSTS, malformed.CSV])
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
     ("about", [None, 3, ["card"], {"a": 1}, "x" * 101]), ("presenter", STRANGE),
     ("number", [None, True, 3.5, "1", [], {"a": 1}])],
)  # fmt: skip
def test_a_question_without_its_shape_is_refused(client, field, values):
    data = body(malformed.RENDER)
    for value in values:
        malformed.asked_of(data)[field] = value
        assert refused(post(client, data)), value
    del malformed.asked_of(data)[field]
    assert refused(post(client, data))


@pytest.mark.parametrize("value", [None, 3, [], "suslov", {}, {"state": None}, {"state": {}}, {"state": []}])
def test_what_is_saved_is_a_state(client, value):
    assert refused(post(client, {"file": value}))


@pytest.mark.parametrize("about", ["card/nothing", "lesson/nothing/1", "lesson//99999", "<script>", "card"])
def test_a_page_about_nothing_is_a_page(client, about):
    data = body(malformed.RENDER)
    malformed.asked_of(data)["about"] = about
    answer = post(client, data)
    assert answer.get_json()["answer"]["verdict"] == ""


def test_places_that_the_page_does_not_have_paint_nothing(client):
    data = body(malformed.RENDER)
    malformed.asked_of(data)["places"] = ["nothing", "<script>"]
    answer = post(client, data)
    assert answer.status_code == 200
    told = answer.get_json()["answer"]
    assert told["figures"] == told["moving"] == {}


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


def test_no_variant_at_all_is_a_state(client):
    data = body(malformed.RENDER)
    malformed.state_of(data)["variants"]["methods"] = []
    answer = post(client, data)
    assert answer.status_code == 200
    assert not answer.get_json()["answer"]["errors"]


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
    data["theme"] = value
    assert refused(post(client, data))


def test_an_unknown_theme_is_light(client):
    data = body(malformed.RENDER)
    light = post(client, data).get_json()
    data["theme"] = "neon"
    assert post(client, data).get_json() == light


@pytest.mark.parametrize("value", [None, 7, [], "x", {"tracks": -1}, {"tracks": 2**32}, {"tracks": 1.5}, {"a": None}])
def test_what_are_no_checksums_is_refused(client, value):
    data = body(malformed.RENDER)
    data["sent"] = value
    assert refused(post(client, data))


def test_texts_come_by_their_places(client):
    data = body(malformed.RENDER)
    malformed.state_of(data)["tabs"]["detail"] = "equations"
    texts = post(client, data).get_json()["texts"]
    assert list(texts) == ["detail"]
    assert texts["detail"]["namespace"] == "dash_html_components"
    assert "dash_core_components" in json.dumps(texts), "formulas are set by a component"


def pins(**changes):
    """A body that asks for what is pinned in the disk view of the top, with changes."""
    data = body(malformed.GHOSTS)
    malformed.asked_of(data).update({"views": ["disk"]} | changes)
    return data


@pytest.mark.parametrize("views", [None, 3, "disk", {"disk": 1}, ["nothing"], [None], [["disk"]], ["disk"] * 600])
def test_a_pin_in_no_view_of_the_scene_is_refused(client, views):
    data = pins(views=views)
    assert refused(post(client, data))
    del malformed.asked_of(data)["views"]
    assert refused(post(client, data))


@pytest.mark.parametrize("pinned", [3, [], "x", {}])
def test_what_is_no_pin_is_refused(client, pinned):
    data = pins()
    data["inputs"][0]["value"] = pinned
    assert refused(post(client, data))


def ghosts(answer):
    """The traces that an answer brings, by view, or None."""
    assert answer.status_code == 200
    return answer.get_json()["response"].get(ids.GHOSTS, {}).get("data")


def test_pinned_runs_are_those_of_their_state(client):
    data = pins(views=["disk", "drift"])
    malformed.state_of(data)["variants"]["methods"] = ["exact", "cayley"]
    found = ghosts(post(client, data))
    assert found.keys() == {"disk", "drift"}
    assert {trace["meta"]["track"] for traces in found.values() for trace in traces} == {"exact", "cayley"}


def test_nothing_pinned_and_what_cannot_be_shown_have_no_ghosts(client):
    data = pins()
    data["inputs"][0]["value"] = None
    assert ghosts(post(client, data)) is None
    for field, word, value in (("numbers", "step", -1), ("numbers", "I13", 90.0), ("options", "locus.surface", "x")):
        data = pins()
        malformed.state_of(data)[field][word] = value
        assert ghosts(post(client, data)) is None
