"""Clicks that no page sends are refused; those that start nothing say why."""

import pytest

import nhviz
from benchmarks import answers, malformed
from layouts import ids
from nhviz.analysis import starts
from tests.bodies import body, post, refused


@pytest.fixture(scope="module")
def client():
    return malformed.client_of_app()


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
        # A browser writes it without a point: a whole number whose square no array of numbers holds.
        ("suslov", "disk", [10_000_000_001, 0]),
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
    assert answers.is_sentence(found["problem"])


def test_a_start_far_away_is_out_of_range():
    params = {"I11": 3.0, "I22": 4.0, "I33": 5.0, "I13": 1.0, "I23": 0.5}
    with pytest.raises(nhviz.ParameterError, match="M2 must be between"):
        starts.from_suslov_locus(params, 0.015, ["cayley"], 1.0, 1e300, 0.0)


@pytest.mark.parametrize(("group", "word", "value"), [("numbers", "step", -1), ("numbers", "I13", 90.0)])
def test_a_click_in_a_state_that_cannot_be_shown_starts_nothing(client, group, word, value):
    data = body(malformed.START)
    malformed.state_of(data)[group][word] = value
    found = started(post(client, data))
    assert found["values"] == {}
    assert found["problem"]


def test_a_click_starts_an_orbit_that_nothing_follows_yet(client):
    data = body(malformed.START)
    malformed.state_of(data)["variants"]["methods"] = []
    found = started(post(client, data))
    assert (found["values"]["M1"], found["values"]["M2"]) == (41.0, -99.0)
