"""Questions and answers between the page's scripts and the server, in a real browser, where something goes wrong."""

import re

import pytest

from benchmarks import malformed
from callbacks import trouble
from tests.bodies import body, post
from tests.conftest import ROOT
from tests.page import ASK, UPDATE, Lab

ASKED = f"**/{ASK}"
SHOWN = "() => nhviz.page.state.answer.query"
NOTICE = "() => document.querySelector('#notice').textContent"


@pytest.fixture
def lab(opened, address):
    """The page just loaded, with what it asked for on the way."""
    opened.page.bring_to_front()
    for record in (opened.said, opened.requests, opened.responses):
        record.clear()
    opened.page.goto(f"{address}/knife_edge")
    opened.ready()
    yield opened
    opened.page.unroute_all()


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
    lab.page.route(ASKED, answer)
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


def pages_asked_for(lab):
    """The questions for the page of an address."""
    bodies = [request.post_data or "" for request in lab.requests if UPDATE in request.url]
    return [body for body in bodies if '"page.children"' in body]


def test_a_page_is_asked_for_once_and_not_by_dash(lab):
    (body,) = pages_asked_for(lab)
    assert "parsedChangedPropsIds" not in body, "Dash would say so"


def test_a_page_that_is_lost_on_the_way_is_asked_for_by_dash(context, address):
    lost = []

    def lose(route):
        lost.append(route.request.post_data)
        if len(lost) == 1:
            route.abort()
        else:
            route.continue_()

    context.route(f"**/{UPDATE}", lose)
    lab = Lab(context, f"{address}/knife_edge")
    assert len(pages_asked_for(lab)) == 2
    lab.check_drawn()
    context.unroute_all()
    lab.page.close()


def lose_the_first(lab):
    """Let the first question get lost; a list of all."""
    asked = []

    def lose(route):
        asked.append(route.request.post_data)
        if len(asked) == 1:
            route.abort()
        else:
            route.continue_()

    lab.page.route(ASKED, lose)
    return asked


def test_what_is_lost_on_the_way_is_asked_for_once_more(lab):
    asked = lose_the_first(lab)
    lab.page.evaluate("() => nhviz.page.dispatch({ kind: 'number', word: 'g', value: 1.25 }, false)")
    lab.page.wait_for_function(f"() => ({SHOWN})().includes('g=1.25')")
    assert lab.page.evaluate(NOTICE) == ""
    assert asked[0] == asked[1]


def test_what_is_lost_is_not_asked_for_again_if_something_else_is(lab):
    asked = lose_the_first(lab)
    lab.page.evaluate("() => nhviz.page.dispatch({ kind: 'number', word: 'g', value: 1.25 }, false)")
    lab.page.wait_for_timeout(100)
    lab.page.evaluate("() => nhviz.page.dispatch({ kind: 'number', word: 'g', value: 1.75 }, false)")
    lab.page.wait_for_function(f"() => ({SHOWN})().includes('g=1.75')")
    lab.page.wait_for_timeout(500)
    assert len(asked) == 2
    assert lab.page.evaluate(NOTICE) == ""


def test_an_older_answer_never_replaces_a_newer_one(lab):
    """The first of two questions is held back; what it asked for is not seen any more, early or late."""
    held = []

    def hold(route):
        held.append(route)

    lab.page.route(ASKED, hold)
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
    taken = second.request.response().json()["sent"]
    assert has(held[2]) == taken != has(first)


def has(route):
    """The checksums of what a page says it has."""
    return route.request.post_data_json["sent"]


def test_who_has_left_a_lab_hears_no_more_of_it(lab, address):
    held = []
    lab.page.route(re.compile(f"/{ASK}$"), lambda route: held.append(route) if not held else route.continue_())
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
    lab.page.route(re.compile(f"/{ASK}$"), lambda route: held.append(route) if not held else route.continue_())
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


def test_a_file_that_cannot_be_made_is_told(lab):
    """While it is made the page shows that something is awaited; each press says anew why there is none."""
    for _ in range(2):
        lab.page.evaluate("() => nhviz.page.dispatch({ kind: 'number', word: 'duration', value: 1e6 }, false)")
        lab.page.wait_for_function("() => nhviz.page.state.answer.errors.step")
        assert lab.page.evaluate(NOTICE) == ""
        lab.share("csv")
        lab.page.wait_for_function(f"() => ({NOTICE})().includes('at most 2,000,000 are shown here')")
        lab.page.wait_for_function("() => !document.querySelector('.lab.waiting')")
        lab.page.evaluate("() => nhviz.page.dispatch({ kind: 'number', word: 'duration', value: 20 }, false)")
        lab.page.wait_for_function(f"() => !({NOTICE})()")


def test_a_file_that_is_being_made_is_awaited(lab):
    """It can be long; there is nothing to give up, and it comes under the name that the server gives."""
    routes = []
    lab.page.route("**/table", lambda route: routes.append(route))  # noqa: PLW0108
    lab.share("csv")
    lab.page.wait_for_selector(".lab.waiting")
    assert lab.page.locator(".cancel").is_hidden()
    with lab.page.expect_download() as download:
        routes[0].continue_()
    lab.page.wait_for_function("() => !document.querySelector('.lab.waiting')")
    assert download.value.suggested_filename == "knife_edge.csv"
    assert download.value.path().read_bytes().startswith(b"run,t,")


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (lambda route: route.abort(), "The server does not answer."),
        (lambda route: route.fulfill(status=500, body="<b>Traceback</b>"), "The server could not answer."),
        (
            lambda route: route.fulfill(status=422, body="It is too long.\n", content_type="text/plain"),
            "It is too long.",
        ),
    ],
)
def test_a_file_that_does_not_come_is_told(lab, answer, told):
    lab.page.route("**/table", answer)
    lab.share("csv")
    lab.page.wait_for_function(f"() => ({NOTICE})()")
    assert lab.page.evaluate(NOTICE).startswith(told)


def failing(*_):
    raise ZeroDivisionError


def test_what_fails_on_the_server_is_one_sentence(lab, monkeypatch):
    """The answer of a server whose callback fails, in a browser that pins a run: Dash itself sends that."""
    monkeypatch.setattr("callbacks.lab.opened", failing)
    answer = post(malformed.client_of_app(), body(malformed.GHOSTS)).get_data(as_text=True)
    lab.page.route(f"**/{UPDATE}*", lambda route: route.fulfill(content_type="application/json", body=answer))
    pinned = "{ data: { state: nhviz.page.state.now.state, views: [] } }"
    lab.page.evaluate(f"() => dash_clientside.set_props('pinned', {pinned})")
    lab.page.wait_for_function(f"() => ({NOTICE})()")
    assert lab.page.evaluate(NOTICE) == trouble.SENTENCE
    assert f'const LOST = "{trouble.SENTENCE}";' in (ROOT / "assets/page/wire.js").read_text()
