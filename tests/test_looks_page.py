"""Every page in every theme and window: it looks like its screenshot, no text is cut off, covered or pale, and all
of it can be reached by keyboard."""

import pytest

from nhviz.frame import find
from tests import boxes, looks, reference

pytestmark = pytest.mark.browser
WHERE = """() => {
  const { activeElement: here } = document;
  if (here === document.body) return "";
  here.dataset.reached = "yes";
  return here.id || here.className || here.tagName;
}"""
# The next Tab begins at the top, wherever the mouse has clicked before.
TOP = """() => {
  document.body.tabIndex = -1;
  document.body.focus();
  document.body.removeAttribute("tabindex");
}"""
# Tabs but the chosen one are reached by arrow keys; what saves and fits appears before the button that enlarges.
MISSED = """() => Array.from(document.querySelectorAll("button, a[href], input, select, summary"))
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.disabled && one.dataset.reached !== "yes")
  .filter((one) => one.getAttribute("role") !== "tab" && !one.matches(".save, .fit"))
  .map((one) => one.outerHTML.slice(0, 160))"""
# A run in each of the pictures, also where it lies among others.
RUNS = {
    "suslov": [("plane", "Cayley"), ("plane", "Moser–Veselov"), ("locus", "Moser–Veselov"), ("detail", "Cayley")],
    "sleigh": [
        ("plane", "Fedorov–Zenkov"),
        ("motion", "Flow"),
        ("motion", "Naive constraint"),
        ("detail", "Naive constraint"),
    ],
}
HIDE = """([view, name, visible]) => {
  const graph = window.probe.graph(view), { data } = graph;
  return window.Plotly.restyle(graph, { visible }, [data.findIndex((trace) => trace.name === name)]);
}"""


@pytest.fixture(scope="module")
def watched(opened):
    """The page of this module, which notes where pictures stand while it loads."""
    opened.page.add_init_script(boxes.SCRIPT)
    return opened


@pytest.fixture(scope="module", params=looks.PAGES)
def page(request, watched, address):
    """A page in a window of the usual size, the same for all tests of this module."""
    looks.visit(watched, address, request.param)
    watched.boxes = boxes.found(watched.page)
    return watched


def test_no_picture_jumps_while_it_loads(page):
    if page.name in find.labs():
        boxes.check_still(page.boxes, 1.0)


# The first theme comes last: it is that of the tests below. The button leads from each to the next, so that every one
# is drawn once. A page that nobody has touched yet is compared.
@pytest.mark.parametrize("theme", [*looks.THEMES[1:], looks.THEMES[0]])
def test_every_theme(page, theme):
    """Nothing is pale, nobody is locked out, and it looks as before."""
    looks.wear(page, theme)
    places = reference.differing(page, page.name, theme)
    assert looks.pale(page) == []
    assert looks.faults(page) == []
    if theme != "projector":
        assert looks.barriers(page) == []
    assert len(places) <= reference.ALLOWED, f"{len(places)} blocks differ, among them {places[:12]}"


def test_a_missing_run_is_seen(page):
    """Without one trace of a run, in any picture, the page no longer looks like its reference."""
    if page.name not in ("suslov", "sleigh"):
        return
    looks.wear(page, "light")
    assert len(reference.differing(page, page.name, "light")) <= reference.ALLOWED
    for view, trace in RUNS[page.name]:
        page.page.evaluate(HIDE, [view, trace, False])
        page.frames(3)
        places = reference.differing(page, page.name, "light")
        page.page.evaluate(HIDE, [view, trace, True])
        assert len(places) > reference.ALLOWED, f"{view} without {trace}: {len(places)} blocks differ"


def test_nothing_is_cut_off_or_covered_in_any_window_and_in_the_hall(page):
    """The hall comes last: its window is that of the last size."""
    found = {}
    for size in looks.SIZES:
        looks.resize(page, size)
        found[size] = looks.faults(page)
    hall = in_the_hall(page) if page.is_lab else ([], [])
    looks.resize(page, looks.USUAL)
    if page.is_lab:
        page.settle()
    assert found == {size: [] for size in looks.SIZES}
    assert hall == ([], [])


def in_the_hall(page):
    """What is cut off or covered, and what is pale, while the lab is presented."""
    looks.resize(page, looks.HALL)
    page.page.keyboard.press("p")
    page.settle()
    looks.drawn(page)
    found = looks.faults(page), looks.pale(page)
    page.page.keyboard.press("Escape")
    return found


def test_the_main_labs_show_every_control_without_scrolling(page):
    if page.name in ("suslov", "sleigh"):
        assert page.page.evaluate("() => window.looks.outside()") == []


def test_everything_is_reached_by_the_tab_key(page):
    page.page.evaluate(TOP)
    for _ in range(120):
        page.page.keyboard.press("Tab")
        if not page.page.evaluate(WHERE):
            break
    else:
        pytest.fail("the focus never leaves the page")
    assert page.page.evaluate(MISSED) == []


def test_the_measure_sees_what_is_wrong(page):
    """A text that is cut off, two on one another, one on a control, a pale one: each is found."""
    if page.name != "sleigh":
        return
    assert looks.faults(page) == []
    page.page.evaluate("() => { document.querySelector('.dock').style.width = '420px'; }")
    assert any("cut off" in one or "sideways" in one or "overlap" in one for one in looks.faults(page))
    page.page.evaluate("() => { document.querySelector('.dock').style.width = ''; }")
    move = "(by) => { document.querySelector('.view-plane .annotation-text-g').style.translate = by; }"
    page.page.evaluate(move, "-2000px")
    assert any(one.startswith("cut off by svg") for one in looks.faults(page))
    page.page.evaluate(move, "")
    page.page.evaluate("() => { document.querySelector('.side h1').style.translate = '0 30px'; }")
    assert any(one.startswith("overlap") for one in looks.faults(page))
    page.page.evaluate("() => { document.querySelector('.side h1').style.translate = '0 130px'; }")
    assert any(one.startswith("text on a control") for one in looks.faults(page))
    page.page.evaluate("() => { document.querySelector('.side h1').style.translate = ''; }")
    assert looks.pale(page) == []
    page.page.evaluate("() => { document.querySelector('.side h1').style.color = '#999'; }")
    assert looks.pale(page) == ['2.85: "Chaplygin sleigh" in div.words']
    page.page.evaluate("() => { document.querySelector('.side h1').style.color = ''; }")


def test_play_is_reached_in_a_few_tabs(page):
    """From the top of the page: a button that leads to it, which is there for those who use the keyboard."""
    if not page.is_lab or not looks.SCENES[page.name].clock:
        return
    page.page.evaluate(TOP)
    for _ in range(10):
        page.page.keyboard.press("Tab")
        if page.page.evaluate("() => document.activeElement.textContent") == "Skip to play":
            break
    else:
        pytest.fail("no way to play within ten tabs")
    assert page.page.locator(":focus").bounding_box()["y"] >= 0
    page.page.keyboard.press("Enter")
    assert page.page.evaluate("() => document.activeElement.id") == "play"
    assert page.page.locator(".skip").first.bounding_box()["y"] < 0
