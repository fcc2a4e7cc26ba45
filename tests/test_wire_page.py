"""Questions and answers between the page's scripts and the server, in a real browser, where something goes wrong."""

import re

import pytest

from app import create_app
from tests.conftest import ROOT
from tests.page import UPDATE, Lab

UPDATES = f"**/{UPDATE}"
SHOWN = "() => nhviz.page.state.answer.query"
NOTICE = "() => document.querySelector('#notice').textContent"


def test_the_scripts_name_the_callback_that_answers_questions():
    (name,) = re.findall(r"const CALLBACK = '(.*)';", (ROOT / "assets/page/wire.js").read_text())
    declared = create_app().callback_map[name]
    assert [one["id"] for one in declared["inputs"]] == ["asked"]
    assert [one["id"] for one in declared["state"]] == ["theme", "sent"]


@pytest.fixture
def lab(context, address):
    page = Lab(context, f"{address}/knife_edge")
    yield page
    page.page.unroute_all()
    page.page.close()


pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (lambda route: route.abort(), "The server does not answer."),
        (lambda route: route.fulfill(status=500, body="<b>Traceback</b>"), "The server could not answer."),
        (lambda route: route.fulfill(status=413, body="The request is too large.\n"), "The request is too large."),
        (lambda route: route.fulfill(status=200, body="not JSON"), "The server could not answer."),
    ],
)
def test_a_missing_answer_is_one_sentence_and_nothing_is_lost(lab, answer, told):
    lab.page.route(UPDATES, answer)
    lab.page.evaluate("() => nhviz.page.dispatch({ kind: 'number', word: 'g', value: 1.25 }, false)")
    lab.page.wait_for_function(f"() => ({NOTICE})()")
    assert lab.page.evaluate(NOTICE).startswith(told)
    assert lab.page.locator("#notice b").count() == 0
    assert lab.number("g") == 1.25
    assert lab.page.locator(".views.stale").count() == 1
    lab.page.unroute_all()
    lab.page.evaluate("() => nhviz.page.dispatch({ kind: 'number', word: 'g', value: 1.5 }, false)")
    lab.page.wait_for_function(f"() => ({SHOWN})().includes('g=1.5')")
    assert lab.page.evaluate(NOTICE) == ""
    assert lab.page.locator(".views.stale").count() == 0
    lab.check_drawn()


def test_an_older_answer_never_replaces_a_newer_one(lab):
    """The first of two questions is held back; what it asked for is not seen any more, early or late."""
    held = []

    def hold(route):
        held.append(route)

    lab.page.route(UPDATES, hold)
    lab.page.evaluate("() => nhviz.page.dispatch({ kind: 'number', word: 'g', value: 1.25 }, false)")
    lab.page.wait_for_timeout(100)
    lab.page.evaluate("() => nhviz.page.dispatch({ kind: 'number', word: 'g', value: 1.75 }, false)")
    lab.page.wait_for_timeout(100)
    first, second = held
    assert has(second) == has(first)
    second.continue_()
    lab.page.wait_for_function(f"() => ({SHOWN})().includes('g=1.75')")
    first.continue_()
    lab.page.wait_for_timeout(500)
    assert "g=1.75" in lab.page.evaluate(SHOWN)
    assert "g=1.75" in lab.page.url
    lab.page.evaluate("() => nhviz.page.dispatch({ kind: 'number', word: 'g', value: 2 }, false)")
    lab.page.wait_for_timeout(100)
    taken = second.request.response().json()["response"]["sent"]["data"]
    assert has(held[2]) == taken != has(first)


def has(route):
    """The checksums of what a page says it has."""
    theme, sent = route.request.post_data_json["state"]
    assert (theme["id"], sent["id"]) == ("theme", "sent")
    return sent["value"]


def test_who_has_left_a_lab_hears_no_more_of_it(lab, address):
    held = []
    lab.page.route(re.compile(UPDATE), lambda route: held.append(route) if not held else route.continue_())
    lab.page.evaluate("() => nhviz.page.dispatch({ kind: 'number', word: 'g', value: 1.25 }, false)")
    lab.page.wait_for_timeout(100)
    lab.page.locator(".home").click()
    lab.page.wait_for_selector("#lab-sleigh")
    held[0].continue_()
    lab.page.wait_for_timeout(500)
    assert lab.page.url == f"{address}/"
    assert quiet(lab)


def test_another_lab_hears_nothing_of_what_was_asked_in_the_last_one(lab):
    held = []
    lab.page.route(re.compile(UPDATE), lambda route: held.append(route) if not held else route.continue_())
    lab.page.evaluate("() => nhviz.page.dispatch({ kind: 'number', word: 'g', value: 1.25 }, false)")
    lab.page.wait_for_timeout(100)
    lab.visit("Sleigh", "Chaplygin sleigh")
    lab.page.wait_for_function("() => document.querySelector('h1').textContent.includes('sleigh')")
    lab.ready()
    held[0].continue_()
    lab.page.wait_for_timeout(500)
    assert lab.page.evaluate(NOTICE) == ""
    assert lab.page.locator(".views.stale").count() == 0
    assert "g=" not in lab.page.url
    lab.check_drawn()
    assert quiet(lab)


def quiet(lab):
    """Whether the console is empty, but for what chromium says about plotly's surfaces."""
    return [text for text in lab.said if "GPU stall" not in text and "willReadFrequently" not in text] == []
