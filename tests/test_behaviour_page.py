"""How a page behaves under a hand, in a real browser: drags, clicks, bad values, the clock, the address."""

import numpy as np
import pytest

import nhviz
from nhviz.analysis.steps import largest_step
from nhviz.figures.space import LIFT
from nhviz.figures.style import THEMES
from tests.page import Lab

pytestmark = pytest.mark.browser


def drag(lab, name, moves, release=True):
    """Drag a knob through places of its track."""
    track = lab.knob(name).bounding_box()
    height = track["y"] + track["height"] / 2
    lab.page.mouse.move(track["x"] + moves[0] * track["width"], height)
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
    (asked,) = page.updates()
    assert "asked" in asked.post_data_json


def test_a_double_click_starts_nothing(lab):
    page = lab("sleigh")
    before = page.everything()
    page.page.mouse.dblclick(*page.still_pixel("plane", 0.5, 0.8))
    page.page.wait_for_timeout(900)
    page.settle()
    assert "p_1" not in page.page.url
    assert page.updates() == []
    again = page.everything()
    assert all(np.array_equal(a["x"], b["x"]) for a, b in zip(before["plane"], again["plane"], strict=True) if a["run"])


def test_a_new_orbit_starts_at_its_beginning(lab):
    page = lab("suslov?detail=disk")
    page.seek(1000)
    assert page.time() == pytest.approx(1.005)
    for place in ((0.2, 0.3), (-0.3, 0.2)):
        page.click("detail", *place)
        assert page.time() == 0.0
        assert float(page.page.locator("#clock").input_value()) == 0.0
    page.seek(400)
    page.experiment(1)
    assert page.time() == 0.0
    page.seek(400)
    now = page.time()
    page.enter("I13", "1.2")
    assert page.time() == now != 0.0, "another body goes on where the clock is"


def test_play_ends_with_its_page(lab):
    page = lab("sleigh")
    page.page.click("#play")
    page.frames(10)
    page.visit("Top", "Suslov top")
    page.page.wait_for_function("() => document.querySelector('h1').textContent.includes('Suslov')")
    page.ready()
    assert not page.playing()
    still = page.time()
    page.frames(20)
    assert page.time() == still
    page.page.click("#play")
    page.page.wait_for_function(
        "before => parseFloat(document.getElementById('time').textContent) !== before", arg=still
    )
    assert page.playing()
    page.page.click("#play")


def test_every_bad_value_is_told_pictures_dim_and_the_address_stays_good(lab):
    page = lab("suslov?step=0.034")
    assert "beyond the fold" in page.gauge().locator(".share").inner_text()
    good, before = page.page.url, page.everything()
    page.enter("I11", "-5")
    page.enter("M1", "1e9")
    assert "I11 must be between" in page.message("I11")
    assert "M1 must be between" in page.message("M1")
    assert page.page.url == good
    assert page.page.locator(".views.stale").count() == 1
    assert np.array_equal(before["plane"][0]["x"], page.data("plane")[0]["x"], equal_nan=True)
    page.enter("M1", "40")
    assert page.message("M1") == ""
    assert "I11 must be between" in page.message("I11")
    page.enter("I11", "3.5")
    assert page.message("I11") == ""
    assert page.page.locator(".views.stale").count() == 0
    assert "I11=3.5" in page.page.url
    largest = largest_step("suslov", "moser_veselov", {"I11": 3.5}, {"M1": 40.0})
    assert largest > 0.034
    assert page.gauge().locator(".share").inner_text() == f"{round(3.4 / largest)} % of the largest"


def test_the_address_holds_what_is_shown(lab, context):
    page = lab("suslov")
    page.tab("lead")
    assert page.page.url.endswith("suslov?detail=lead")
    assert len(page.updates()) == 1
    again = Lab(context, page.page.url)
    assert again.page.locator("[role=tab][aria-selected=true]").get_attribute("data-tab") == "lead"
    assert again.trace("detail", "cayley")["x"].size > 10
    again.close()


def test_a_view_can_be_large(lab):
    page = lab("suslov")
    small = page.graph("motion").bounding_box()
    page.enlarge("motion")
    large = page.graph("motion").bounding_box()
    assert large["width"] > 1.8 * small["width"]
    assert large["height"] > 1.8 * small["height"]
    assert page.page.locator(".view:visible").count() == 1
    page.check_drawn("motion")
    assert page.page.url.endswith("layout=motion")
    page.enter("I13", "1.3")
    page.enlarge("motion")
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
        # As the page hears of a click on a surface.
        before = len(page.updates())
        page.page.evaluate("place => window.nhviz.page.state.launch('locus', place)", list(place.values()))
        page.asked_since(before)
        first = page.trace("locus", "moser_veselov")
        low, high = page.page.evaluate("() => window.probe.graph('locus')._fullLayout.scene.zaxis.range")
        place["z"] += LIFT * (high - low)
        assert [first[axis][0] for axis in "xyz"] == pytest.approx(list(place.values()), rel=1e-5)
        assert page.page.locator("[data-option='branch'] button.on").get_attribute("data-choice") == branch


def test_chips_have_the_colours_and_the_markers_of_the_runs(lab):
    page = lab("suslov")
    page.toggle("reference")
    chips = page.page.evaluate(
        """() => Array.from(document.querySelectorAll(".chip.on"), (chip) => [chip.dataset.key,
          getComputedStyle(chip).getPropertyValue("--c").trim(), chip.querySelector(".sample").className])"""
    )
    slots = page.page.evaluate("() => window.nhviz.page.state.facts.runs")
    drawn = page.page.evaluate(
        """() => window.probe.graph("plane").data.filter((trace) => window.probe.run(trace)).map((trace) =>
          [trace.meta.track, (trace.mode === "lines" ? trace.line : trace.marker).color, trace.marker?.symbol])"""
    )
    looks = {key: (colour, symbol) for key, colour, symbol in drawn}
    assert {key for key, _, _ in chips} == set(looks) == {"exact", "reference", "moser_veselov", "cayley"}
    for key, _, sample in chips:
        colour, symbol = looks[key]
        slot = slots[key]["slot"]
        assert colour.lower() == THEMES["light"].methods[slot].lower()
        assert sample.split("sample-")[1] == (symbol or "line")
    for key, colour, _ in chips:
        rgb = page.page.evaluate(
            "name => getComputedStyle(document.documentElement).getPropertyValue(name).trim()",
            f"--method-{slots[key]['slot']}",
        )
        assert rgb.lower() == colour.lower() == looks[key][0].lower()
