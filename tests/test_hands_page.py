"""Hands in the pictures, in a real browser: turning, moving, launching, dragging starts, pinning, fingers."""

import math

import numpy as np
import pytest

import nhviz
from tests.page import Lab

pytestmark = pytest.mark.browser

EYE = """view => {
  const { x, y, z } = window.probe.graph(view)._fullLayout.scene._scene.getCamera().eye;
  return [x, y, z];
}"""
RANGES = """view => {
  const { xaxis, yaxis } = window.probe.graph(view)._fullLayout;
  return [...xaxis.range, ...yaxis.range];
}"""
HARMLESS = ("GL Driver Message", "willReadFrequently", "GPU stall", "WebGL")


def eye(page, view="locus"):
    return np.array(page.page.evaluate(EYE, view))


def ranges(page, view="plane"):
    return np.array(page.page.evaluate(RANGES, view))


def middle(page, view):
    box = page.graph(view).bounding_box()
    return box["x"] + 0.5 * box["width"], box["y"] + 0.45 * box["height"]


def drag(page, start, end):
    page.page.mouse.move(*start)
    page.frames(3)
    page.page.mouse.down()
    page.page.mouse.move(*end, steps=8)
    page.page.mouse.up()


def rest(page):
    """Longer than a second click may take."""
    page.page.wait_for_timeout(700)
    page.settle()


def turned(page, view="locus"):
    """Turn a picture in space by hand; its camera before and after."""
    before, (left, top) = eye(page, view), middle(page, view)
    drag(page, (left, top), (left + 70, top + 20))
    rest(page)
    after = eye(page, view)
    assert np.linalg.norm(after - before) > 0.1
    return before, after


def test_a_drag_in_space_turns_and_starts_nothing(lab):
    page = lab("suslov")
    state = page.state()
    turned(page)
    assert page.state() == state
    assert page.updates() == []


def hit_surface(page):
    """A place of the screen at which the mouse is on the surface."""
    page.page.evaluate(
        "() => window.probe.graph('locus').on('plotly_hover', (event) => { window.probe.hit = event.points[0]; })"
    )
    box = page.graph("locus").bounding_box()
    # Beside the runs, which are in front of the surface.
    left, top = box["x"] + 0.45 * box["width"], box["y"] + 0.6 * box["height"]
    for step in range(5):
        page.page.mouse.move(left + step, top)
        page.frames(4)
    page.page.wait_for_function("() => window.probe.hit && window.probe.hit.data.type === 'surface'")
    return left + 4, top


@pytest.mark.parametrize(("pixels", "starts"), [(0, True), (3, True), (9, False)])
def test_a_launch_needs_a_still_hand(lab, pixels, starts):
    """Press and release within four pixels start an orbit on a surface; farther apart they turn it."""
    page = lab("suslov")
    state = page.state()
    left, top = hit_surface(page)
    page.page.mouse.down()
    page.frames(2)
    page.page.mouse.move(left + pixels, top)
    page.frames(2)
    page.page.mouse.up()
    if starts:
        page.page.wait_for_function("() => window.location.search.includes('M1=')")
    rest(page)
    assert (page.state()["numbers"] != state["numbers"]) is starts


def test_the_camera_survives_a_slider_and_fit_resets_it(lab):
    page = lab("suslov")
    first, now = turned(page)
    page.knob("I13").press("ArrowRight")
    page.settle()
    assert "I13=" in page.page.url
    assert eye(page) == pytest.approx(now, abs=1e-6)
    page.page.locator(".view-locus .fit").click()
    rest(page)
    assert eye(page) == pytest.approx(first, abs=1e-6)
    assert "I13=" in page.page.url


def test_zoom_and_pan_survive_a_slider_and_fit_resets_them(lab):
    page = lab("suslov")
    first, state = ranges(page), page.state()
    left, top = page.still_pixel("plane", 60.0, 20.0)
    page.page.mouse.move(left, top)
    page.page.mouse.wheel(0, -240)
    rest(page)
    near = ranges(page)
    assert near[1] - near[0] < 0.95 * (first[1] - first[0])
    drag(page, (left, top), (left + 40, top + 15))
    rest(page)
    moved = ranges(page)
    assert abs(moved[0] - near[0]) > 0.01 * (near[1] - near[0])
    assert moved[1] - moved[0] == pytest.approx(near[1] - near[0], rel=1e-6)
    assert page.state() == state, "a drag starts nothing"
    page.knob("I13").press("ArrowRight")
    page.settle()
    assert page.state()["numbers"]["I13"] != state["numbers"]["I13"]
    assert ranges(page) == pytest.approx(moved, rel=1e-9)
    page.knob("I13").press("ArrowLeft")
    page.settle()
    page.page.locator(".view-plane .fit").click()
    rest(page)
    assert ranges(page) == pytest.approx(first, rel=1e-9)


def test_the_start_is_dragged_in_the_plane(lab):
    page = lab("sleigh")
    page.everywhere()
    numbers = page.state()["numbers"]
    target = (0.9, -0.8)
    end = page.still_pixel("plane", *target)
    drag(page, page.still_pixel("plane", numbers["p_theta"], numbers["p_1"]), end)
    rest(page)
    place, beside = (
        np.array(page.page.evaluate("all => window.probe.place(...all)", ["plane", end[0] + i, end[1] + i]))
        for i in (0, 1)
    )
    pixel = np.abs(beside - place)
    found = np.array([page.state()["numbers"][name] for name in ("p_theta", "p_1")])
    assert np.all(np.abs(found - place) <= 1.5 * pixel)
    flow = page.trace("plane", "exact")
    assert (flow["x"][0], flow["y"][0]) == pytest.approx(tuple(found), rel=1e-5)
    assert len(page.updates()) >= 2, "it is seen while it is dragged"


def test_the_heading_of_the_sleigh_is_turned(lab):
    page = lab("sleigh")
    handle = page.page.evaluate(
        "() => window.nhviz.pictures.of('motion').figure.layout.meta.handles.find(({ angle }) => angle)"
    )
    (x, y), (left, top) = handle["at"], handle["pivot"]
    radius, wanted = math.hypot(x - left, y - top), math.radians(50.0)
    end = page.still_pixel("motion", left + radius * math.cos(wanted), top + radius * math.sin(wanted))
    drag(page, page.still_pixel("motion", x, y), end)
    rest(page)
    assert page.number("theta") == pytest.approx(wanted, abs=0.05)
    run = nhviz.simulate("sleigh", "exact", initial={"theta": page.number("theta")})
    assert page.trace("motion", "exact")["x"][-1] == pytest.approx(run["x"][-1], abs=1e-4)


def ghosts(page, view):
    return [trace for trace in page.data(view) if trace["name"] == "pinned"]


def test_pinned_runs_stay_as_ghosts_also_in_tabs_opened_later(lab):
    page = lab("sleigh")
    page.everywhere()
    before = {
        view: [trace for trace in page.data(view) if trace["run"]] for view in ("plane", "motion", "locus", "detail")
    }
    page.page.keyboard.press("g")
    page.settle()
    assert page.page.locator(".pin").get_attribute("aria-pressed") == "true"
    page.enter("a", "0.4")
    for view, runs in before.items():
        found = ghosts(page, view)
        for run in runs:
            assert any(
                np.allclose(ghost["x"], run["x"], atol=1e-6, equal_nan=True)
                for ghost in found
                if ghost["x"].shape == run["x"].shape
            ), (view, run["run"])
        assert not any(np.array_equal(page.trace(view, run["run"])["y"], run["y"]) for run in runs), view
    page.tab("time")
    page.page.wait_for_function("() => window.probe.data('detail').some(({ name }) => name === 'pinned')")
    flow = nhviz.simulate("sleigh", "exact")
    assert any(ghost["y"][-1] == pytest.approx(flow["p_theta"][-1], abs=1e-5) for ghost in ghosts(page, "detail"))
    page.page.locator(".pin").click()
    page.settle()
    assert not any(ghosts(page, view) for view in before)


def test_a_pinned_run_has_no_colour(lab):
    page = lab("sleigh")
    page.page.keyboard.press("g")
    page.settle()
    colours = page.page.evaluate(
        """() => window.probe.graph("plane").data.filter(({ name }) => name === "pinned").map(({ line, marker }) =>
          [line.color, marker.color])"""
    )
    faint = page.page.evaluate("() => getComputedStyle(document.documentElement).getPropertyValue('--faint').trim()")
    assert colours
    assert {colour for pair in colours for colour in pair} == {faint}
    page.page.keyboard.press("g")


@pytest.fixture
def phone(browser, address):
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    context.set_default_timeout(60_000)
    yield Lab(context, f"{address}/suslov")
    context.close()


def swipe(lab, x, y, across=0, down=0):
    """A finger goes over the screen."""
    session = lab.page.context.new_cdp_session(lab.page)
    for share in np.linspace(0.0, 1.0, 16):
        place = {"x": x + share * across, "y": y + share * down}
        kind = "touchMove" if share else "touchStart"
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [place]})
        lab.page.wait_for_timeout(16)
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    lab.page.wait_for_timeout(900)
    lab.settle()


def test_a_finger_scrolls_past_every_picture_and_starts_nothing(phone):
    state = phone.state()
    for number, place in enumerate(("plane", "locus", "motion")):
        left, top = middle(phone, place)
        before = phone.page.evaluate("() => document.querySelector('.views').scrollLeft")
        assert 0 < left < 390, place
        swipe(phone, left + 100, top, across=-280)
        after = phone.page.evaluate("() => document.querySelector('.views').scrollLeft")
        assert after > before + 100, place
        dots = phone.page.locator(".pages span").evaluate_all("all => all.map((dot) => dot.classList.contains('on'))")
        assert dots.index(True) == number + 1
    assert phone.state() == state


def test_a_finger_turns_and_moves_no_small_picture(phone):
    before = ranges(phone)
    left, top = middle(phone, "plane")
    swipe(phone, left, top, down=-150)
    assert ranges(phone) == pytest.approx(before, rel=1e-9)
    phone.graph("locus").scroll_into_view_if_needed()
    phone.page.wait_for_timeout(500)
    camera = eye(phone)
    left, top = middle(phone, "locus")
    swipe(phone, left, top, down=-150)
    assert eye(phone) == pytest.approx(camera, abs=1e-9)


def test_a_tap_starts_an_orbit(phone):
    left, top = phone.still_pixel("plane", 40.0, 30.0)
    place = phone.page.evaluate("all => window.probe.place(...all)", ["plane", left, top])
    phone.page.touchscreen.tap(left, top)
    phone.page.wait_for_function("() => window.location.search.includes('M1=')")
    phone.settle()
    numbers = phone.state()["numbers"]
    assert [numbers["M1"], numbers["M2"]] == pytest.approx(place, rel=0.05, abs=2.0)


def test_nothing_leaves_the_house(browser, address):
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = Lab(context, f"{address}/suslov")
    assert page.page.locator(".modebar-btn").count() == 0
    turned(page)
    page.page.keyboard.press("g")
    page.tab("lead")
    page.page.keyboard.press("p")
    page.settle()
    page.page.keyboard.press("Escape")
    page.settle()
    assert [r.url for r in page.requests if not r.url.startswith((address, "data:", "blob:"))] == []
    assert [text for text in page.said if not any(words in text for words in HARMLESS)] == []
    assert page.page.evaluate("() => document.documentElement.lang") == "en"
    context.close()
