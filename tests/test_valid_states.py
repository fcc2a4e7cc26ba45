"""Good questions in random states of all labs: each is answered by pictures without a hole, or by a sentence.

All of them, ten thousand, are in benchmarks/malformed; here is a sample, and whether what is wrong would be noticed.
"""

import copy
import random

import numpy as np
import pytest

from benchmarks import answers, malformed, states
from benchmarks.malformed import valid
from layouts import ids
from nhviz.figures.arrays import typed
from nhviz.frame.shown import visible
from nhviz.frame.words import vocabulary
from server import limits
from tests.bodies import body, post

SEED, SAMPLE, PARTS = 3, 150, 3


@pytest.fixture(scope="module")
def client():
    return malformed.client_of_app()


@pytest.mark.parametrize("part", range(PARTS))
def test_a_sample_of_good_questions(client, part):
    for number in range(malformed.VALID + part, malformed.VALID + SAMPLE, PARTS):
        case = malformed.make(SEED, number)
        outcome = malformed.attempt(client, case)
        assert not outcome.wrong, (number, case.about, outcome)


@pytest.fixture(scope="module")
def many():
    """What many pages ask for."""
    return [states.ask(random.Random(number)) for number in range(2000)]


def test_everything_on_offer_is_asked_for(many):
    """Every view and variant of every lab, every option, and everything that a page can want."""
    seen = {(one.state.scene, view.id) for one in many for view in visible(one.state).values()}
    assert seen == {(scene, view) for _, scene, _, view in states.sights()}
    chosen = {(one.state.scene, word, way) for one in many for word, ways in one.state.variants for way in ways}
    options = {(one.state.scene, word, text) for one in many for word, text in one.state.options}
    for scene in {scene for _, scene, _, _ in states.sights()}:
        words = vocabulary(scene)
        assert {(scene, word, way) for word, panel in words.variants.items() for way in panel.ways} <= chosen
        assert {(scene, word, text) for word, option in words.options.items() for text in option.allowed} <= options
    assert {one.what for one in many} == {"question", "click", "ghosts", "csv"}
    assert any(not ways for one in many for _, ways in one.state.variants)


def test_nearly_all_states_can_be_shown(many):
    assert not any(one.state.errors_alone() for one in many)
    assert np.mean([not one.state.errors(limits.admitted) for one in many]) > 0.99


def test_numbers_reach_the_ends_of_their_ranges(many):
    ends, tiny = set(), 0
    for one in many:
        for word, value in one.state.numbers:
            declared = vocabulary(one.state.scene).numbers[word].declared
            ends |= {end for end in (declared.minimum, declared.maximum) if value == end}
            tiny += 0.0 < abs(value) < 1e-6 * declared.maximum
    assert len(ends) > 10
    assert tiny > 20


@pytest.fixture(scope="module")
def answer(client):
    """A good answer of the Suslov lab."""
    return post(client, body(malformed.RENDER)).get_json()


def test_a_good_answer_is_good(answer):
    assert answers.wrong_question(answer) == ""


def curve(answer, kind="scatter"):
    """The first trace of a kind in an answer."""
    figures = answer["answer"]["figures"].values()
    return next(trace for figure in figures for trace in figure["data"] if trace["type"] == kind)


def hole(answer):
    curve(answer)["x"] = typed(np.array([1.0, np.nan, 2.0]))
    curve(answer)["y"] = typed(np.array([1.0, 3.0, 2.0]))


def infinity(answer):
    curve(answer)["x"] = curve(answer)["y"] = typed(np.array([1.0, np.inf, 2.0]))


def shorter(answer):
    curve(answer)["x"] = [1.0]
    curve(answer)["y"] = [1.0, 2.0]


def corner(answer):
    trace = curve(answer, "mesh3d")
    trace["i"] = [len(answers.read(trace["x"]))]
    trace["j"] = trace["k"] = [0]


def surface(answer):
    trace = curve(answer, "surface")
    trace["z"] = typed(np.full(trace["z"]["shape"], np.nan))


def axis(answer):
    answer["answer"]["figures"]["plane"]["layout"]["xaxis"]["range"] = [None, None]


def cursor(answer):
    answer["answer"]["moving"]["plane"][0]["positions"] = [typed(np.array([np.nan]))]


def words(answer):
    answer["answer"]["statistics"][0]["value"] = "nan"


def complaint(answer):
    answer["answer"]["errors"] = {"I11": "ZeroDivisionError\n"}


@pytest.mark.parametrize("spoil", [hole, infinity, shorter, corner, surface, axis, cursor, words, complaint])
def test_what_is_wrong_is_noticed(answer, spoil):
    spoiled = copy.deepcopy(answer)
    spoil(spoiled)
    assert answers.wrong_question(spoiled)


def test_a_gap_between_two_pieces_of_a_line_is_meant(answer):
    parted = copy.deepcopy(answer)
    curve(parted)["x"] = curve(parted)["y"] = typed(np.array([1.0, np.nan, 2.0]))
    assert answers.wrong_question(parted) == ""


@pytest.mark.parametrize("problem", ["", "its distance is nan.", "Traceback"])
def test_a_click_sets_values_or_says_why_not(problem):
    assert answers.wrong_click({ids.START: {"data": {"values": {}, "problem": problem}}})
    assert answers.wrong_click({ids.START: {"data": {"values": {"M1": None}}}})
    assert not answers.wrong_click({ids.START: {"data": {"values": {"M1": 1.0, "branch": "0"}}}})


def test_only_ghosts_may_be_nothing_and_files_a_sentence():
    nothing, complaint = '{"multi": true, "response": {}}', '{"answer": {"errors": {"step": "no"}}}'
    assert not valid.wrong_answer(ids.GHOSTS, 200, nothing)
    assert not valid.wrong_answer(ids.GHOSTS, 204, "")
    assert not valid.wrong_answer(malformed.CSV, 422, "The server is busy.\n")
    assert not valid.wrong_answer(malformed.CSV, 200, "t,x\n0.0,1.0\n")
    for store, status, text in (
        (malformed.RENDER, 200, complaint), (ids.START, 200, nothing), (ids.GHOSTS, 500, ""),
        (malformed.CSV, 422, "no"), (malformed.CSV, 204, ""), (malformed.CSV, 200, "t,x\n0.0,nan\n"),
    ):  # fmt: skip
        assert valid.wrong_answer(store, status, text)
