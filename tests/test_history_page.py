"""Undo and redo in a real browser: each state that was shown is an entry of its history, and Back stays in the lab."""

import pytest

from tests.page import Lab

pytestmark = pytest.mark.browser


@pytest.fixture
def lab(context, address):
    """A page of its own: a history without a past."""
    pages = []

    def visit(path):
        pages.append(Lab(context, f"{address}/{path}"))
        return pages[-1]

    yield visit
    for page in pages:
        page.close()


def drawn(page):
    return page.trace("plane", "exact")["x"][-1]


def test_keys_undo_and_redo(lab):
    page = lab("sleigh")
    first, undo, redo = page.state(), page.page.locator(".undo"), page.page.locator(".redo")
    assert undo.is_disabled()
    assert redo.is_disabled()
    page.enter("a", "0.5")
    at_half = drawn(page)
    page.page.keyboard.press("Escape")
    page.enter("b", "0.2")
    page.page.keyboard.press("Escape")
    assert undo.is_enabled()
    page.page.keyboard.press("Control+z")
    page.settle()
    assert (page.number("a"), page.number("b")) == (0.5, first["numbers"]["b"])
    assert drawn(page) == pytest.approx(at_half, rel=1e-6)
    assert page.page.url.endswith("?a=0.5")
    assert redo.is_enabled()
    page.page.keyboard.press("Control+z")
    page.settle()
    assert page.state() == first
    assert undo.is_disabled()
    page.page.keyboard.press("Control+Shift+z")
    page.settle()
    assert page.number("a") == 0.5
    page.page.keyboard.press("Control+y")
    page.settle()
    assert page.number("b") == 0.2
    assert redo.is_disabled()


def test_buttons_undo_and_what_was_undone_is_gone_after_a_change(lab):
    page = lab("sleigh")
    page.enter("a", "0.5")
    page.toggle("naive")
    page.page.locator(".undo").click()
    page.settle()
    assert "naive" in page.chosen()
    assert page.page.locator(".redo").is_enabled()
    page.enter("a", "0.7")
    assert page.page.locator(".redo").is_disabled()
    assert "naive" in page.chosen()
    page.page.locator(".undo").click()
    page.settle()
    assert page.number("a") == 0.5


def test_back_and_forward_stay_in_the_lab(lab, address):
    page = lab("suslov")
    page.page.evaluate("() => { window.still = true; }")
    page.enter("I13", "1.5")
    page.tab("time")
    page.page.locator(".lay [data-layout='focus']").click()
    page.settle()
    wanted = [("focus.plane", "time", 1.5), ("all", "time", 1.5), ("all", "drift", 1.5), ("all", "drift", 1.0)]

    def now():
        state = page.state()
        return state["layout"], state["tabs"]["detail"], state["numbers"]["I13"]

    assert now() == wanted[0]
    for layout, tab, number in wanted[1:]:
        page.page.go_back()
        page.settle()
        assert now() == (layout, tab, pytest.approx(number))
    for layout, tab, number in wanted[2::-1]:
        page.page.go_forward()
        page.settle()
        assert now() == (layout, tab, pytest.approx(number))
    assert page.page.evaluate("() => window.still"), "the page was not loaded again"
    assert page.page.url.startswith(f"{address}/suslov?")
    page.check_drawn()


def test_a_drag_is_one_entry(lab):
    page = lab("sleigh")
    first, length = page.state(), page.page.evaluate("() => history.length")
    track = page.knob("a").bounding_box()
    height = track["y"] + track["height"] / 2
    page.page.mouse.move(track["x"] + 0.5 * track["width"], height)
    page.page.mouse.down()
    for share in (0.55, 0.6, 0.65, 0.7, 0.75):
        page.page.mouse.move(track["x"] + share * track["width"], height)
        page.page.wait_for_timeout(120)
    page.page.mouse.up()
    page.settle()
    assert page.page.evaluate("() => history.length") == length + 1
    page.page.go_back()
    page.settle()
    assert page.state() == first


def test_a_reload_keeps_the_state(lab):
    page = lab("sleigh")
    page.enter("a", "0.4")
    page.toggle("naive")
    page.enlarge("plane")
    before = page.state()
    page.page.reload()
    page.ready()
    assert page.state() == before
    page.page.go_back()
    page.settle()
    assert page.state()["layout"] == page.home()
    assert page.number("a") == 0.4


def test_the_lab_that_is_open_in_the_header_opens_anew(lab):
    page = lab("suslov")
    first = page.state()
    page.enter("I13", "1.5")
    page.toggle("cayley")
    page.visit("Top", "Suslov top")
    page.settle()
    assert page.state() == first
    assert page.page.url.endswith("/suslov")
    page.page.go_back()
    page.settle()
    assert page.number("I13") == 1.5
    assert "cayley" not in page.chosen()


def test_back_from_another_page_brings_the_lab_as_it_was(lab, address):
    page = lab("sleigh")
    page.enter("a", "0.4")
    page.page.locator("a.home").click()
    page.page.wait_for_selector("#lab-sleigh")
    assert page.page.url.rstrip("/") == address
    page.page.go_back()
    page.ready()
    assert page.number("a") == 0.4
    page.page.go_back()
    page.settle()
    assert page.number("a") != 0.4


def test_an_address_with_two_slashes_is_that_of_the_lab(lab):
    """Its path alone, as an address, would name another host: the browser would refuse to write it."""
    page = lab("/sleigh")
    page.enter("a", "0.5")
    assert page.page.url.endswith("//sleigh?a=0.5")
    page.page.keyboard.press("Escape")
    page.page.keyboard.press("Control+z")
    page.settle()
    assert page.page.url.endswith("//sleigh")
