"""Labs, a card and a lesson from folders of one's own, in a real browser."""

import numpy as np
import pytest

import nhviz
from tests.conftest import ROOT, served
from tests.page import identity

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def own_address():
    """The dashboard with everything in `tests/fitness`."""
    folder = ROOT / "tests" / "fitness"
    with served(**{f"NHVIZ_{kind.upper()}": str(folder / kind) for kind in ("labs", "cards", "lessons")}) as url:
        yield url


@pytest.fixture
def lab(opened, own_address):
    def visit(path):
        opened.page.bring_to_front()
        opened.page.goto(f"{own_address}/{path}")
        opened.ready()
        return opened

    return visit


def test_scenes_have_controls_and_a_clock_of_their_own(lab):
    page = lab("bench")
    page.check_drawn("plane", "one")
    page.seek(1000)
    assert page.time() == pytest.approx(0.495)
    page.option("one.component", "M1")
    run = nhviz.simulate("suslov", "exact", initial={"M1": 30.0}, duration=0.5)
    assert page.trace("one", "exact")["y"][-1] == pytest.approx(run["M1"][-1], rel=1e-5)
    page.page.locator(".scenes").get_by_text("Ice").click()
    page.page.wait_for_selector(identity("box", name="a"), state="attached")
    page.ready()
    assert page.page.url.endswith("bench?scene=ice")
    assert page.time() == 0.0
    page.check_drawn("motion", "drift")
    page.enter("a", "0.4")
    assert page.page.url.endswith("scene=ice&a=0.4")
    run = nhviz.simulate("sleigh", "naive", params={"a": 0.4}, duration=7.0)
    assert page.trace("motion", "naive")["x"][-1] == pytest.approx(run["x"][-1], abs=1e-5)


def blade(page, place):
    """The middle of the blade that is drawn in a place."""
    trace = page.trace(place, "blade")
    return np.array([trace["x"].mean(), trace["y"].mean()])


def test_panels_move_by_one_clock_and_are_set_apart(lab):
    page = lab("pair")
    page.check_drawn("left", "right", "plane")
    page.seek(500)
    now = page.time()
    assert now == pytest.approx(0.5 * 143 * 0.07, abs=0.07)
    for place, a, step, duration in (("left", 0.6, 0.1, 6.0), ("right", -0.6, 0.07, 10.0)):
        run = nhviz.simulate("sleigh", "exact", params={"a": a}, step=step, duration=duration)
        i = int(np.searchsorted(run.t, now * (1.0 + 1e-6), side="right")) - 1
        assert blade(page, place) == pytest.approx(np.array([run["x"][i], run["y"][i]]), abs=1e-4)
    page.enter("behind.b", "0.2")
    assert page.page.url.endswith("pair?behind.b=0.2")
    place, pixel = page.click("right", 0.5, 0.5)
    assert abs(page.number("behind.x") - place[0]) <= pixel[0]
    assert page.number("front.x") == 0.0
    page.enter("front.J", "-1")
    assert "front.J must be between" in page.message("front.J")
    assert page.message("behind.J") == ""


def test_a_race_shows_one_method_three_times(lab):
    page = lab("race")
    paths = {trace["run"]: trace for trace in page.data("motion") if trace["run"]}
    assert set(paths) == {"truth", "euler", "rk4", "loose"}
    assert not np.allclose(paths["euler"]["x"], paths["rk4"]["x"], atol=1e-6)
    page.toggle("loose")
    assert page.page.url.endswith("methods=truth.euler.rk4")
    assert {trace["track"] for trace in page.data("motion")} == {"truth", "euler", "rk4", ""}


def test_a_card_says_whether_its_claim_holds_for_what_is_shown(lab):
    page = lab("card/turns-once")
    assert "exactly one cusp" in page.page.inner_text(".companion")
    assert page.page.inner_text("#verdict") == "It holds."
    assert page.page.locator("[role=tab][aria-selected=true]").get_attribute("data-tab") == "time"
    page.enter("a", "0")
    page.enter("duration", "1")
    assert page.page.inner_text("#verdict") == "It does not hold."


def test_a_lesson_goes_on_and_its_question_is_answered(lab):
    page = lab("lesson/cusp/1")
    assert page.page.locator(".companion strong").inner_text() == "stops"
    page.page.locator(".companion").get_by_text("next").click()
    page.page.wait_for_function("() => document.querySelector('.ask').textContent.includes('without a cusp')")
    page.ready()
    assert page.page.inner_text("#verdict") == "Not yet."
    page.enter("a", "0")
    assert page.page.inner_text("#verdict") == "Yes: that is it."


def test_nothing_was_said_on_the_console(opened):
    harmless = ("willReadFrequently", "GPU stall", "WebGL")
    assert [text for text in opened.said if not any(word in text for word in harmless)] == []
