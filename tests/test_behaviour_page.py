"""How a page behaves under a hand, in a real browser: drags, clicks, bad values, the clock, the address."""

import json

import numpy as np
import pytest

import nhviz
from nhviz.figures.style import THEMES
from tests.page import Lab, identity

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def opened(context, address):
    return Lab(context, f"{address}/sleigh")


@pytest.fixture
def lab(opened, address):
    def visit(path):
        opened.page.bring_to_front()
        opened.page.goto(f"{address}/{path}")
        opened.ready()
        opened.requests.clear()
        return opened

    return visit


def drag(lab, name, moves, release=True):
    """Drag a knob through places of its track."""
    knob, track = lab.knob(name).bounding_box(), lab.page.locator(identity("slider", name=name)).bounding_box()
    height = knob["y"] + knob["height"] / 2
    lab.page.mouse.move(knob["x"] + knob["width"] / 2, height)
    lab.page.mouse.down()
    for share in moves:
        lab.page.mouse.move(track["x"] + share * track["width"], height)
        lab.page.wait_for_timeout(5)
    if release:
        lab.page.mouse.up()


SLOW = """delay => {
  const quick = window.fetch;
  window.asked = { now: 0, most: 0, all: 0, began: performance.now() };
  window.fetch = async (...all) => {
    window.asked.now += 1;
    window.asked.all += 1;
    window.asked.most = Math.max(window.asked.most, window.asked.now);
    const answer = await quick(...all);
    await new Promise((done) => setTimeout(done, delay));
    window.asked.now -= 1;
    return answer;
  };
}"""


def test_of_sixty_moves_one_question_is_under_way_and_the_last_value_wins(lab):
    """With answers that take 150 ms there can be no more of them than time has passed."""
    page = lab("sleigh")
    page.page.evaluate(SLOW, 150)
    drag(page, "a", np.linspace(0.3, 0.9, 60), release=False)
    asked, elapsed = page.page.evaluate("() => [window.asked, performance.now() - window.asked.began]")
    assert asked["most"] == 1
    assert 2 <= asked["all"] <= elapsed / 150 + 1
    page.page.mouse.up()
    page.settle()
    # Besides the last question of the moving hand that of the hand at rest, which waits for nothing.
    assert page.page.evaluate("() => window.asked.most") <= 2
    a = page.number("a")
    run = nhviz.simulate("sleigh", "exact", params={"a": a})
    assert page.trace("motion", "exact")["x"][-1] == pytest.approx(run["x"][-1], abs=1e-5)
    assert f"a={a:g}" in page.page.url


def test_a_click_is_one_round_trip(lab):
    page = lab("sleigh")
    page.click("plane", 0.5, 0.8)
    asked = [json.loads(request.post_data)["output"] for request in page.updates()]
    assert len(asked) == 1
    assert "graph" in asked[0]


def test_a_double_click_starts_nothing(lab):
    page = lab("sleigh")
    before = page.everything()
    page.page.mouse.dblclick(*page.still_pixel("plane", 0.5, 0.8))
    page.page.wait_for_timeout(900)
    page.settle()
    assert "p_1" not in page.page.url
    assert page.updates() == []
    again = page.everything()
    assert all(
        np.array_equal(a["x"], b["x"]) for a, b in zip(before["plane"], again["plane"], strict=True) if a["track"]
    )


def test_a_new_orbit_starts_at_its_beginning(lab):
    page = lab("suslov?detail=disk")
    page.seek(1000)
    assert page.page.inner_text("#time") == "t = 1.005 s"
    for place in ((0.2, 0.3), (-0.3, 0.2)):
        page.click("detail", *place)
        assert page.page.inner_text("#time").startswith("t = 0.000")
        assert page.page.locator("#clock").input_value() == "0"
    page.seek(400)
    page.experiment(1)
    assert page.page.inner_text("#time").startswith("t = 0.000")
    page.seek(400)
    now = page.page.inner_text("#time")
    page.enter("I13", "1.2")
    assert page.page.inner_text("#time") == now != "t = 0.000 s", "another body goes on where the clock is"


def test_play_ends_with_its_page(lab):
    page = lab("sleigh")
    page.page.click("#play")
    page.frames(10)
    page.visit("Top", "Suslov top")
    page.page.wait_for_function("() => document.querySelector('h1').textContent.includes('Suslov')")
    page.ready()
    assert "play" in page.page.inner_text("#play")
    assert page.page.inner_text("#time").startswith("t = 0.000")
    page.frames(20)
    assert page.page.inner_text("#time").startswith("t = 0.000")
    page.page.click("#play")
    page.page.wait_for_function("() => !document.getElementById('time').textContent.startsWith('t = 0.000')")
    assert "pause" in page.page.inner_text("#play")
    page.page.click("#play")


def test_every_bad_value_is_told_pictures_dim_and_the_address_stays_good(lab):
    page = lab("suslov?step=0.034")
    assert "exceeded" in page.page.inner_text(".largest")
    good, before = page.page.url, page.everything()
    page.enter("I11", "-5")
    page.enter("M1", "1e9")
    assert "I11 must be between" in page.message("I11")
    assert "M1 must be between" in page.message("M1")
    assert page.page.url == good
    assert page.page.locator(".views.stale").count() == 1
    assert page.page.inner_text(".largest") == "", "what was exceeded may no longer be"
    assert np.array_equal(before["plane"][0]["x"], page.data("plane")[0]["x"], equal_nan=True)
    page.enter("M1", "40")
    assert page.message("M1") == ""
    assert "I11 must be between" in page.message("I11")
    page.enter("I11", "3.5")
    assert page.message("I11") == ""
    assert page.page.locator(".views.stale").count() == 0
    assert "I11=3.5" in page.page.url
    assert "largest step of Moser–Veselov: 0.0356" in page.page.inner_text(".largest")


def test_the_address_holds_what_is_shown(lab, context):
    page = lab("suslov")
    page.tab("lead")
    assert page.page.url.endswith("suslov?detail=lead")
    assert len(page.updates()) == 1
    again = Lab(context, page.page.url)
    assert again.page.locator(".tabs input:checked").get_attribute("value") == "lead"
    assert again.trace("detail", "cayley")["x"].size > 10
    again.close()


def test_a_view_can_be_large(lab):
    page = lab("suslov")
    small = page.graph("motion").bounding_box()
    page.page.locator(identity("enlarge", place="motion")).click()
    page.settle()
    large = page.graph("motion").bounding_box()
    assert large["width"] > 1.8 * small["width"]
    assert large["height"] > 1.8 * small["height"]
    assert page.page.locator(".view:visible").count() == 1
    page.check_drawn("motion")
    assert page.page.url.endswith("layout=motion")
    page.enter("I13", "1.3")
    page.page.locator(identity("enlarge", place="motion")).click()
    page.settle()
    assert page.page.locator(".view:visible").count() == 4
    run = nhviz.simulate("suslov", "exact", params={"I13": 1.3})
    assert page.trace("plane", "exact")["x"][-1] == pytest.approx(run["M1"][-1], rel=1e-5)
    page.check_drawn()


def test_a_click_on_the_other_sheet_follows_that_sheet(lab):
    """The surface has several points above most (M1, M2): the orbit is on the sheet that was clicked."""
    page = lab("suslov?methods=moser_veselov")
    sheets = nhviz.branches("suslov", "moser_veselov", None, 0.015, {"M1": 60.0, "M2": 30.0})
    for sheet, branch in zip(sheets[:2], ("0", "1"), strict=True):
        place = {"x": 60.0, "y": 30.0, "z": sheet["M3"]}
        # As plotly tells a click on a surface.
        before = len(page.updates())
        page.page.evaluate(
            "([id, place]) => window.dash_clientside.set_props(id, { clickData: { points: [place] } })",
            [{"kind": "graph", "place": "locus"}, place],
        )
        page.asked_since(before)
        first = page.trace("locus", "moser_veselov")
        assert [first[axis][0] for axis in "xyz"] == pytest.approx([60.0, 30.0, sheet["M3"]], rel=1e-5)
        checked = page.page.locator(identity("option", name="branch")).locator("input:checked")
        assert checked.get_attribute("value") == branch


def test_swatches_have_the_colours_of_the_runs(lab):
    page = lab("suslov")
    swatches = page.page.evaluate(
        "() => Array.from(document.querySelectorAll('.swatch'), (swatch) => getComputedStyle(swatch).color)"
    )
    colours = [f"rgb({int(c[1:3], 16)}, {int(c[3:5], 16)}, {int(c[5:7], 16)})" for c in THEMES["light"].methods]
    assert swatches == [colours[slot] for slot in (0, 1, 2, 3, 5)]
