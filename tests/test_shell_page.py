"""The page around the labs in a real browser: menus, search, themes, the start page with its run."""

import math
import re

import pytest

import nhviz
from nhviz.analysis import cusps
from nhviz.frame import find
from nhviz.showpiece import START
from tests import boxes
from tests.conftest import ROOT, served
from tests.page import Lab

pytestmark = pytest.mark.browser
HARMLESS = ("GPU stall due to ReadPixels", "willReadFrequently")
"""What chromium says about plotly's surfaces."""
THEME = "() => document.documentElement.dataset.theme"
PAPER = "() => getComputedStyle(document.querySelector('.bar')).backgroundColor"


@pytest.fixture
def start(browser, address):
    """The start page in a window of its own, which must not complain and must not leave the house."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = Lab(context, address, wait=False)
    page.page.wait_for_selector(".card .picture path")
    yield page
    assert [text for text in page.said if not any(words in text for words in HARMLESS)] == []
    assert [r.url for r in page.requests if not r.url.startswith((address, "data:", "blob:"))] == []
    context.close()


def visit(browser, address, **more):
    """The start page as somebody else sees it."""
    page = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, **more}).new_page()
    page.goto(address)
    page.wait_for_selector(".stage[data-instant] svg")
    return page


def instant(page):
    return float(page.locator(".stage").get_attribute("data-instant"))


def test_the_start_page_offers_every_lab(start, address):
    page = start.page
    for name in find.listed():
        card = page.locator(f"#lab-{name}")
        assert card.locator("h3").inner_text() == find.lab(name).heading
        assert len(card.locator("p").inner_text()) > 10
        assert card.locator("svg path").count() > 0
    page.locator("#lab-sleigh").click()
    page.wait_for_selector(".lab")
    assert page.url == f"{address}/sleigh"
    page.wait_for_function("() => document.title === 'Chaplygin sleigh · nhviz'")
    page.go_back()
    page.wait_for_function("() => document.title === 'nhviz'")


def test_the_start_page_fits_the_screen(start):
    page = start.page
    assert page.evaluate("() => document.documentElement.scrollHeight") <= 800
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 1280
    bottom = max(box["y"] + box["height"] for box in (card.bounding_box() for card in page.locator(".card").all()))
    assert 700 < bottom <= 800
    clipped = page.evaluate(
        "() => Array.from(document.querySelectorAll('.card h3, .card p, .facts dd, .said, .bar a, .bar button'))"
        ".filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth).map((one) => one.textContent)"
    )
    assert clipped == []


@pytest.mark.parametrize(("width", "height"), [(390, 844), (768, 1024), (1920, 1080)])
def test_no_screen_scrolls_sideways(browser, address, width, height):
    page = visit(browser, address, viewport={"width": width, "height": height})
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
    if width == 390:
        small = page.evaluate(
            "() => Array.from(document.querySelectorAll('.bar a, .bar button, .button, .go'))"
            ".map((one) => one.getBoundingClientRect())"
            ".filter(({ width, height }) => width && Math.min(width, height) < 44).length"
        )
        assert small == 0
    page.context.close()


def test_the_numbers_on_the_stage_are_computed(start):
    run = nhviz.simulate("sleigh", "exact", initial=START, step=0.05, duration=10.0)
    (cusp,) = cusps.cusps(run)
    turn = cusps.total_turn(run.params) * 57.29577951308232
    said = start.page.inner_text(".said")
    assert said == f"The sleigh stops at its cusp after {cusp.t:.2f} s and turns by {turn:.1f}° in all."
    facts = start.page.inner_text(".facts")
    assert f"{cusp.t:.3f} s" in facts
    assert f"{turn:.1f}° always" in facts
    tick = start.page.locator(".rail u").evaluate("one => parseFloat(one.style.left)")
    assert tick == pytest.approx(10.0 * cusp.t, abs=1e-3)


def test_the_stage_plays_rests_under_the_mouse_and_by_its_button(start):
    page = start.page
    page.mouse.move(5, 300)
    moves = "was => Number(document.querySelector('.stage').dataset.instant) > was"
    page.wait_for_function(moves, arg=instant(page) + 0.2)
    page.mouse.move(700, 300)
    start.frames(3)
    held = instant(page)
    start.frames(20)
    assert instant(page) == held
    page.mouse.move(5, 300)
    page.wait_for_function(moves, arg=held)
    button = page.locator(".stage .go")
    assert button.get_attribute("aria-label") == "Pause"
    button.click()
    page.mouse.move(5, 300)
    start.frames(3)
    held = instant(page)
    start.frames(20)
    assert instant(page) == held
    assert button.get_attribute("aria-label") == "Play"
    slider = page.get_by_role("slider", name="instant")
    slider.focus()
    slider.press("ArrowRight")
    start.frames(3)
    assert instant(page) == pytest.approx(held, abs=0.11)
    assert instant(page) != held
    button.click()
    page.mouse.move(5, 300)
    page.wait_for_function(moves, arg=instant(page))


def test_the_sleigh_is_where_its_run_is(start):
    """The body's mass and the head in the momentum plane, read back from the drawing."""
    page = start.page
    page.locator(".stage .go").click()
    page.locator(".rail input").fill("5")
    start.frames(3)
    assert page.inner_text(".times b") == "5.00 s"
    run = nhviz.simulate("sleigh", "exact", initial=START, step=0.05, duration=10.0)
    drawn = page.evaluate(
        """() => {
          const ice = document.querySelector(".ice svg"), number = (text) => text.match(/-?[\\d.]+/g).map(Number);
          const all = number(ice.querySelector(":scope > path[style*='opacity:.28']").getAttribute("d"));
          const mass = number(ice.querySelector("g > g").getAttribute("transform"));
          const dots = ice.querySelectorAll("g > path[style*='round']")[0].getAttribute("d").match(/M/g).length;
          return { all, mass, dots };
        }"""
    )
    xs, ys = drawn["all"][::2], drawn["all"][1::2]
    scale = (xs[0] - xs[-1]) / (run["x"][0] - run["x"][-1])
    # The centre of mass is a metre ahead of the blade.
    x, y = run["x"][100] + math.cos(run["theta"][100]), run["y"][100] + math.sin(run["theta"][100])
    assert drawn["mass"][0] == pytest.approx(xs[0] + scale * (x - run["x"][0]), abs=0.5)
    assert drawn["mass"][1] == pytest.approx(ys[0] - scale * (y - run["y"][0]), abs=0.5)
    assert drawn["dots"] == 26


def test_with_reduced_motion_the_stage_stands_still(browser, address):
    page = visit(browser, address, reduced_motion="reduce")
    page.wait_for_timeout(400)
    assert instant(page) == 6.1
    assert page.locator(".stage .go").get_attribute("aria-label") == "Play"
    page.locator(".stage .go").click()
    page.wait_for_function("() => Number(document.querySelector('.stage').dataset.instant) > 6.2")
    page.context.close()


def test_menus_by_mouse(start, address):
    start.visit("Relatives", "Roller racer")
    start.page.wait_for_url(f"{address}/roller_racer")
    start.page.wait_for_selector(".lab")
    assert start.page.locator(".kind.here").inner_text() == "Relatives"
    start.ready()


def test_menus_by_keyboard(start, address):
    page = start.page
    page.locator("header nav").get_by_role("button", name="Sphere", exact=True).focus()
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.activeElement.getAttribute('role') === 'menuitem'")
    page.keyboard.press("Escape")
    page.wait_for_selector("[role=menuitem]", state="detached")
    assert "Sphere" in page.evaluate("() => document.activeElement.textContent")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.activeElement.getAttribute('role') === 'menuitem'")
    page.keyboard.press("ArrowDown")
    page.wait_for_function("() => document.activeElement.textContent.startsWith('Chaplygin sphere in n')")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{address}/sphere_n")


def test_a_stroke_opens_the_search(start, address):
    page = start.page
    page.keyboard.press("/")
    box = page.get_by_role("textbox", name="Search")
    box.wait_for()
    page.wait_for_function("() => document.activeElement.id === 'found'")
    page.wait_for_selector("[role=option]")
    page.keyboard.type("fold suslov")
    page.get_by_role("option", name="Beyond the fold · Suslov top").wait_for()
    page.wait_for_function("() => document.querySelectorAll('[role=option]').length === 1")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{address}/suslov?step=0.04")
    page.wait_for_selector(".lab")
    page.wait_for_selector("#found", state="detached")
    start.ready()
    page.keyboard.press("/")
    page.wait_for_function("() => document.activeElement.id === 'found'")
    assert page.locator("#found").input_value() == ""
    page.keyboard.type("no such thing")
    page.get_by_text("Nothing has all these words.").wait_for()
    page.keyboard.press("Escape")
    page.wait_for_selector("#found", state="detached")


def test_a_stroke_in_a_box_is_a_stroke(context, address):
    lab = Lab(context, f"{address}/sleigh")
    lab.box("a").focus()
    lab.page.keyboard.press("/")
    lab.page.wait_for_timeout(300)
    assert lab.page.locator("#found").count() == 0
    lab.close()


def test_the_button_goes_through_the_themes_and_they_stay(start):
    page = start.page
    seen = []
    for _ in range(3):
        seen.append((page.evaluate(THEME), page.evaluate(PAPER)))
        page.locator("#theme-button").click()
        page.wait_for_function("was => document.documentElement.dataset.theme !== was", arg=seen[-1][0])
    assert seen == [
        ("light", "rgb(255, 255, 255)"),
        ("dark", "rgb(22, 27, 33)"),
        ("projector", "rgb(255, 255, 255)"),
    ]
    assert page.evaluate(THEME) == "light"
    start.wear("dark")
    page.reload()
    page.wait_for_selector(".card .picture path")
    assert page.evaluate(THEME) == "dark"
    assert page.evaluate("() => document.documentElement.dataset.mantineColorScheme") == "dark"
    stroke = "() => getComputedStyle(document.querySelector('#lab-sleigh svg path:nth-of-type(6)')).stroke"
    assert page.evaluate(stroke) == "rgb(86, 180, 233)"


def test_a_first_visit_has_the_theme_that_the_system_prefers(browser, address):
    page = visit(browser, address, color_scheme="dark")
    assert page.evaluate(THEME) == "dark"
    page.locator("#theme-button").click()
    page.wait_for_function("() => document.documentElement.dataset.theme === 'projector'")
    page.reload()
    page.wait_for_selector(".stage[data-instant] svg")
    assert page.evaluate(THEME) == "projector"
    page.context.close()


def test_the_theme_is_there_before_the_page_is(browser, address):
    """Nothing is painted in another one first."""
    context = browser.new_context(color_scheme="dark")
    page = context.new_page()
    page.route(re.compile("dash_renderer|_dash-layout"), lambda route: route.abort())
    page.goto(address)
    page.wait_for_selector(".bar")
    assert page.evaluate(PAPER) == "rgb(22, 27, 33)"
    context.close()


def test_only_a_lab_can_be_shared(start):
    page = start.page
    share = page.get_by_role("button", name="Share", exact=True, include_hidden=True)
    assert not share.is_visible()
    assert not page.locator("#present").is_visible()
    page.locator("#lab-heisenberg").click()
    page.wait_for_selector(".lab")
    start.ready()
    share.click()
    page.wait_for_selector("[role=menuitem]")
    words = page.locator("[role=menuitem]").all_inner_texts()
    assert words == ["Copy link", "Data as CSV", "Pictures as PNG", "Pictures as SVG", "Python lines", "Sweep this"]


def test_a_phone_has_one_menu_of_all_labs(browser, address):
    page = visit(browser, address, viewport={"width": 390, "height": 844})
    assert not page.locator("header nav").is_visible()
    page.get_by_role("button", name="All labs").click()
    page.wait_for_selector("[role=menuitem]")
    # The last two lead to the gallery and to the sweeps.
    assert page.locator("[role=menuitem]").count() == len(find.listed()) + 2
    page.get_by_role("menuitem").filter(has_text="Knife edge").click()
    page.wait_for_url(f"{address}/knife_edge")
    page.get_by_role("button", name="Knife edge").wait_for()
    page.context.close()


def test_fonts_come_from_here(start):
    start.page.wait_for_function("() => document.fonts.status === 'loaded'")
    loaded = [r.url.split("/")[-1].split("?")[0] for r in start.requests if ".woff2" in r.url]
    assert {"fira-sans-latin-400.woff2", "fira-sans-latin-500.woff2"} <= set(loaded)
    assert start.page.evaluate("() => document.fonts.check('14px \"Fira Sans\"')")


def test_paper_shows_what_there_is_to_see(start):
    start.page.emulate_media(media="print")
    assert not start.page.locator(".bar").is_visible()
    assert start.page.locator(".said").is_visible()
    assert start.page.locator("#lab-suslov").is_visible()


@pytest.fixture(scope="module")
def own_address():
    """The dashboard with a card and a lesson."""
    folder = ROOT / "tests" / "fitness"
    with served(**{f"NHVIZ_{kind.upper()}": str(folder / kind) for kind in ("labs", "cards", "lessons")}) as url:
        yield url


def test_lessons_and_cards_have_their_menus(browser, own_address):
    page = visit(browser, own_address)
    assert page.locator(".card.entry h3").all_inner_texts() == ["Gallery", "Sweeps", "Lessons"]
    page.locator("header nav").get_by_role("button", name="Lessons").click()
    page.wait_for_selector("[role=menuitem]")
    name, lesson = next(iter(lessons().items()))
    page.get_by_role("menuitem").filter(has_text=lesson.title).click()
    page.wait_for_url(f"{own_address}/lesson/{name}")
    page.wait_for_function("title => document.title === title", arg=f"{lesson.title} · nhviz")
    page.context.close()


def lessons():
    return find.load_lessons(str(ROOT / "tests" / "fitness" / "lessons"))


LAYOUTS = ("sleigh?layout=all", "suslov?layout=motion", "suslov?detail=python")
WINDOWS = {
    "desk": ({"width": 1280, "height": 800}, 1.0, LAYOUTS),
    "phone": ({"width": 390, "height": 844}, 12.0, (*find.listed(), *LAYOUTS)),
}
"""With how many pixels a view may move (a phone's clock grows a little), and where. The labs as they open, at a desk,
are watched by tests/test_looks_page.py."""


@pytest.mark.parametrize("window", WINDOWS)
def test_no_picture_jumps_while_a_lab_loads(browser, address, window):
    """Where the outline of a view stood, the view stands from its first moment on."""
    size, moves, links = WINDOWS[window]
    context = browser.new_context(viewport=size)
    page = context.new_page()
    page.add_init_script(boxes.SCRIPT)
    for link in links:
        page.goto(f"{address}/{link}")
        page.wait_for_selector(".lab.furnished")
        page.wait_for_function("() => document.querySelector('#insight').textContent")
        boxes.check_still(boxes.found(page), moves, outlined=window == "desk")
    context.close()
