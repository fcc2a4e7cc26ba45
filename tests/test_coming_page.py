"""Pictures that sweeps fill in, in a real browser: every value, progress, cancel, go on, another value meanwhile."""

import json

import numpy as np
import pytest

import nhviz
from tests.conftest import ROOT, served

pytestmark = pytest.mark.browser
AXES = ("I13", -1.3, 3.9, 40), ("I23", -0.9, 3.7, 35)
VALUES = """([place, into]) => Array.from(window.probe.graph(place).data[0][into] || [],
  (row) => (row.length === undefined ? row : Array.from(row))).flat()
  .map((value) => (Number.isFinite(value) ? value : null))"""


@pytest.fixture(scope="module")
def own_address():
    """The dashboard with the lab whose pictures fill in."""
    with served(NHVIZ_LABS=str(ROOT / "tests" / "fitness" / "labs")) as url:
        yield url


@pytest.fixture
def lab(opened, own_address):
    def visit(path="filling"):
        opened.page.bring_to_front()
        opened.page.goto(f"{own_address}/{path}")
        opened.ready()
        opened.requests.clear()
        return opened

    return visit


def values(page, place, into):
    """The numbers of the first trace of a place, NaN for gaps."""
    return np.array(page.page.evaluate(VALUES, [place, into]), dtype=float)


def angles(**params):
    return np.degrees(nhviz.sweep("suslov", "axes_angle", *AXES, params=body(**params)).values)


def body(**params):
    return {name: nhviz.describe("suslov")["parameters"][name]["default"] for name in ("I11", "I22", "I33")} | params


def asked(page, route="/sweep"):
    """The sweeps that were asked for, or cancelled."""
    sent = [request for request in page.requests if request.url.endswith(route)]
    return [json.loads(request.post_data)["sweep"] for request in sent]


def header(page, place):
    """What the header of a view says of what comes."""
    return page.page.locator(f".view-{place} .coming")


def standing(page, sweep):
    """How a sweep stands, without letting it go on."""
    answer = page.page.request.post(
        page.page.url.split("/filling")[0] + "/sweep", data={"sweep": sweep, "go": False, "journal": "", "since": 0}
    )
    return answer.json()


def test_pictures_fill_with_the_values_of_python(lab):
    page = lab()
    wanted = angles()
    assert np.isnan(wanted).any()
    assert values(page, "map", "z").reshape(wanted.shape) == pytest.approx(wanted, rel=1e-12, nan_ok=True)
    line = nhviz.sweep("suslov", "axes_angle", ("I13", -1.3, 2.9, 50), params=body(I23=0.4)).values
    assert values(page, "curve", "y") == pytest.approx(line, rel=1e-12, nan_ok=True)
    assert header(page, "map").inner_text() == header(page, "curve").inner_text() == ""


def test_another_value_is_another_sweep_and_the_former_one_is_there_at_once(lab):
    page = lab()
    page.enter("I33", "6.5")
    wanted = angles(I33=6.5)
    assert values(page, "map", "z").reshape(wanted.shape) == pytest.approx(wanted, rel=1e-12, nan_ok=True)
    assert {sweep["params"]["I33"] for sweep in asked(page)} == {6.5}
    page.requests.clear()
    page.page.locator(".undo").click()
    page.settle()
    wanted = angles()
    assert values(page, "map", "z").reshape(wanted.shape) == pytest.approx(wanted, rel=1e-12, nan_ok=True)
    assert asked(page) == []


def test_what_does_not_change_a_sweep_asks_for_none(lab):
    page = lab()
    page.enter("M1", "20")
    page.wear("dark")
    page.settle()
    assert asked(page) == []
    wanted = angles()
    assert values(page, "map", "z").reshape(wanted.shape) == pytest.approx(wanted, rel=1e-12, nan_ok=True)
    page.wear("light")
    page.settle()


def slow(page, **params):
    """Open the view that takes its time, and the sweep that is asked for; every call with a body of its own."""
    for name, value in params.items():
        page.enter(name, str(value))
    page.page.locator("[data-tab='slow']").click()
    header(page, "detail").get_by_text("computing").wait_for()
    return next(sweep for sweep in asked(page) if sweep["quantity"] == "energy_drift")


def test_progress_is_told_cancel_stops_it_and_go_on_finishes_it(lab):
    page = lab()
    sweep = slow(page, I11=3.3)
    page.page.wait_for_function("() => window.probe.graph('detail').data[0].z.some((row) => row.some(Number.isFinite))")
    header(page, "detail").get_by_role("button", name="Cancel").click()
    header(page, "detail").get_by_text("cancelled at").wait_for()
    page.settle()
    assert standing(page, sweep)["state"] == "cancelled"
    there = values(page, "detail", "z")
    page.enter("M1", "21")
    assert "cancelled at" in header(page, "detail").inner_text()
    assert values(page, "detail", "z") == pytest.approx(there, nan_ok=True)
    header(page, "detail").get_by_role("button", name="Go on").click()
    page.settle()
    assert header(page, "detail").inner_text() == ""
    wanted = nhviz.sweep(**sweep).values
    assert values(page, "detail", "z").reshape(wanted.shape) == pytest.approx(wanted, rel=1e-12, nan_ok=True)


def test_a_value_moved_meanwhile_ends_the_former_sweep(lab):
    page = lab()
    former = slow(page, I11=3.4)
    page.enter("I11", "3.45")
    assert standing(page, former)["state"] == "cancelled"
    assert former in asked(page, "/sweep/cancel")
    wanted = nhviz.sweep(**(former | {"params": former["params"] | {"I11": 3.45}})).values
    assert values(page, "detail", "z").reshape(wanted.shape) == pytest.approx(wanted, rel=1e-12, nan_ok=True)


def test_a_view_out_of_sight_and_a_page_that_is_left_have_nothing_computed(lab, own_address):
    page = lab()
    hidden = slow(page, I11=3.5)
    page.tab("plane")
    assert standing(page, hidden)["state"] == "cancelled"
    left = slow(page, I11=3.6)
    page.page.goto(f"{own_address}/sleigh")
    page.ready()
    page.page.wait_for_timeout(300)
    answer = page.page.request.post(f"{own_address}/sweep", data={"sweep": left, "go": False})
    assert answer.json()["state"] == "cancelled"


def test_a_sweep_that_cannot_be_is_a_sentence_in_the_header(lab):
    page = lab()
    refuse = {
        "status": 422,
        "content_type": "application/json",
        "body": json.dumps({"sentence": "Too many cells.", "name": "x"}),
    }
    page.page.route("**/sweep", lambda route: route.fulfill(**refuse))
    before = values(page, "map", "z")
    page.enter("I33", "7.5")
    assert header(page, "map").locator("span").inner_text() == "Too many cells."
    assert values(page, "map", "z") == pytest.approx(before, nan_ok=True)
    page.page.unroute("**/sweep")
    for place in ("map", "curve"):
        header(page, place).get_by_role("button", name="Go on").click()
    page.settle()
    wanted = angles(I33=7.5)
    assert values(page, "map", "z").reshape(wanted.shape) == pytest.approx(wanted, rel=1e-12, nan_ok=True)


def test_a_presentation_and_a_large_view_show_what_has_come(lab):
    page = lab()
    page.enlarge("curve")
    page.enlarge("curve")
    page.page.keyboard.press("p")
    page.settle()
    wanted = angles()
    assert values(page, "map", "z").reshape(wanted.shape) == pytest.approx(wanted, rel=1e-12, nan_ok=True)
    page.page.keyboard.press("Escape")
    page.settle()
    assert asked(page) == []


def test_while_a_hand_drags_nothing_is_asked_for(lab):
    page = lab()
    knob = page.knob("I33")
    box = knob.bounding_box()
    page.page.mouse.move(box["x"] + 0.3 * box["width"], box["y"] + box["height"] / 2)
    page.page.mouse.down()
    for share in (0.35, 0.4, 0.45):
        page.page.mouse.move(box["x"] + share * box["width"], box["y"] + box["height"] / 2)
        page.page.wait_for_timeout(150)
    assert asked(page) == []
    page.page.mouse.up()
    page.settle()
    assert {sweep["params"]["I33"] for sweep in asked(page)} == {page.number("I33")}


def test_nothing_was_said_on_the_console(opened):
    harmless = ("willReadFrequently", "GPU stall", "WebGL", "422")
    assert [text for text in opened.said if not any(word in text for word in harmless)] == []
