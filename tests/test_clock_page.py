"""The clock and the keys in a real browser: play, steps, scrubbing, layouts, the presentation."""

import pytest

from nhviz.figures.style import THEMES
from tests.page import same

pytestmark = pytest.mark.browser


def index(page):
    return page.page.evaluate("() => window.nhviz.player.state().index")


def seen(page):
    """The places that are in sight."""
    return page.page.locator(".view:visible").evaluate_all("all => all.map((view) => view.dataset.place)")


def test_space_plays_and_stops(lab):
    page = lab("sleigh")
    page.seek(0)
    page.page.keyboard.press("Space")
    page.page.wait_for_function("() => window.nhviz.player.state().index > 3")
    assert page.playing()
    page.page.keyboard.press("Space")
    assert not page.playing()
    stopped = index(page)
    page.frames(20)
    assert index(page) == stopped
    assert page.updates() == []


def test_arrow_keys_are_one_sample(lab):
    page = lab("sleigh")
    page.seek(500)
    before, body = index(page), page.data("motion")
    page.page.keyboard.press("ArrowRight")
    page.settle()
    assert index(page) == before + 1
    assert not same(body, page.data("motion"))
    page.page.keyboard.press("ArrowLeft")
    page.page.keyboard.press("ArrowLeft")
    page.settle()
    assert index(page) == before - 1
    page.page.locator("#clock").focus()
    page.page.keyboard.press("ArrowRight")
    page.settle()
    assert index(page) == before


def test_scrubbing_works_while_it_plays(lab):
    page = lab("sleigh")
    page.page.locator(".speed").select_option("0.25")
    page.seek(100)
    page.page.click("#play")
    page.page.wait_for_function("() => window.nhviz.player.state().playing")
    bar = page.page.locator("#clock").bounding_box()
    page.page.mouse.click(bar["x"] + 0.7 * bar["width"], bar["y"] + bar["height"] / 2)
    share = page.page.evaluate("() => window.nhviz.player.state().share")
    assert 0.65 < share < 0.85
    assert page.playing()
    page.page.wait_for_function("before => window.nhviz.player.state().share > before", arg=share)
    page.page.click("#play")
    assert not page.playing()
    assert page.page.evaluate("() => window.nhviz.player.state().share") > 0.65


def test_keys_in_a_field_are_for_typing(lab):
    page = lab("sleigh")
    before = page.state()
    page.box("a").focus()
    for key in ("Space", "1", "p", "f", "g"):
        page.page.keyboard.press(key)
    assert not page.playing()
    assert page.state()["layout"] == before["layout"]
    assert page.page.locator("html.presenter").count() == 0
    page.page.keyboard.press("Escape")
    assert page.state() == before


def test_a_number_makes_a_view_large_and_escape_returns(lab):
    page = lab("suslov")
    places = page.page.evaluate("() => Object.keys(window.nhviz.page.state.facts.places)")
    for number, place in enumerate(places, start=1):
        page.page.keyboard.press(str(number))
        page.settle()
        assert page.state()["layout"] == place
        assert seen(page) == [place]
        assert page.page.url.endswith(f"layout={place}")
    page.page.keyboard.press("Escape")
    page.settle()
    assert page.state()["layout"] == "all"
    assert set(seen(page)) == set(places)
    page.page.keyboard.press("2")
    page.settle()
    page.page.keyboard.press("2")
    page.settle()
    assert page.state()["layout"] == "all"
    page.check_drawn()


def test_escape_returns_to_the_layout_of_before(lab):
    page = lab("sleigh")
    assert page.home() == "focus.motion"
    page.page.keyboard.press("1")
    page.settle()
    page.page.keyboard.press("Escape")
    page.settle()
    assert page.state()["layout"] == "focus.motion"


def test_three_layouts(lab):
    page = lab("suslov")

    def size(place):
        box = page.graph(place).bounding_box()
        return box["width"] * box["height"]

    button = ".lay [data-layout='{}']"
    sizes = [size(place) for place in ("plane", "locus", "motion", "detail")]
    assert max(sizes) < 1.5 * min(sizes)
    page.page.locator(button.format("focus")).click()
    page.settle()
    assert page.state()["layout"] == "focus.plane"
    assert size("plane") > 2.0 * max(size(place) for place in ("locus", "motion", "detail"))
    assert len(seen(page)) == 4
    page.check_drawn()
    page.page.locator(button.format("single")).click()
    page.settle()
    assert (page.state()["layout"], seen(page)) == ("plane", ["plane"])
    assert size("plane") > 3.0 * max(sizes)
    page.page.locator(button.format("all")).click()
    page.settle()
    assert page.state()["layout"] == "all"
    assert len(seen(page)) == 4
    page.check_drawn()


def test_the_presentation_shows_two_views_in_large(lab):
    page = lab("suslov")
    page.page.keyboard.press("p")
    page.settle()
    assert seen(page) == ["plane", "locus"]
    assert not page.page.locator(".side").is_visible()
    assert page.page.locator("#insight").is_visible()
    size = page.page.evaluate("() => window.probe.graph('plane')._fullLayout.font.size")
    assert size == THEMES["presenter"].size > THEMES["light"].size
    asked = page.updates()[-1].post_data_json["asked"]
    assert asked["presenter"] is True
    page.check_drawn("plane", "locus")
    page.page.locator("[data-see='detail']").click()
    page.settle()
    assert set(seen(page)) == {"locus", "detail"}
    page.check_drawn("locus", "detail")
    page.page.keyboard.press("Escape")
    page.settle()
    assert len(seen(page)) == 4
    assert page.page.locator(".side").is_visible()
    assert page.page.evaluate("() => window.probe.graph('plane')._fullLayout.font.size") == THEMES["light"].size
    page.check_drawn()


def test_steps_of_a_presentation_follow_the_gauge_in_the_dock(lab):
    page = lab("suslov")
    page.page.keyboard.press("p")
    page.settle()
    number = page.page.locator(".dock [data-gauge='step'] .number")
    number.fill("0.02")
    number.press("Enter")
    page.settle()
    assert page.state()["numbers"]["step"] == 0.02
    assert page.page.url.endswith("step=0.02")
    page.page.keyboard.press("Escape")
    page.page.keyboard.press("Escape")
    page.settle()
    assert page.number("step") == 0.02
