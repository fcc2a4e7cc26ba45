"""The Suslov and the sleigh lab in a browser: what is drawn, and how sliders, clicks, links and bad input change it."""

import numpy as np
import pytest

from nhviz import describe, simulate
from nhviz.analysis.starts import from_disk
from nhviz.analysis.steps import largest_step
from tests.page import COVERED, DRAWN, Lab, identity, same

pytestmark = pytest.mark.browser

VIEWS = {"plane", "locus", "motion", "detail"}
GRAPHS = {
    "suslov": ("drift", "time", "lead", "error", "disk"),
    "sleigh": ("drift", "time", "lead", "error", "step"),
}
METHODS = {"suslov": ("exact", "moser_veselov", "cayley"), "sleigh": ("exact", "fedorov_zenkov", "naive")}
BAD_LINKS = {
    "/sleigh?a=abc&nonsense=1&J=-5": ("abc", "nonsense", "-5"),
    "/suslov?M1=": ("M1",),
    "/suslov?I33=0.1": ("I33", "0.1"),
    "/sleigh?step=1e-9&duration=1e6": ("steps",),
}


@pytest.fixture(scope="module")
def opened(context, address):
    """Both labs, opened once."""
    return {name: Lab(context, f"{address}/{name}") for name in GRAPHS}


@pytest.fixture
def suslov(opened):
    opened["suslov"].reset()
    return opened["suslov"]


@pytest.fixture
def sleigh(opened):
    opened["sleigh"].reset()
    return opened["sleigh"]


@pytest.fixture(params=GRAPHS)
def lab(request, opened):
    opened[request.param].reset()
    return opened[request.param]


def name_of(lab):
    return lab.page.url.split("/")[3].split("?")[0]


def changed(before, after):
    return {view for view in before if not same(before[view], after[view])}


def starts(lab, view):
    """Where the orbits of all methods begin in a view."""
    return [(trace["x"][0], trace["y"][0]) for trace in lab.data(view) if trace["run"] in METHODS[name_of(lab)]]


def test_every_view_shows_a_drawing(lab):
    assert set(lab.everything()) == VIEWS
    lab.check_drawn()


@pytest.mark.parametrize("view", ["plane", "locus"])
def test_pixel_count_tells_an_empty_plot(sleigh, view):
    sleigh.everywhere()
    full, covered = sleigh.count(sleigh.graph(view).screenshot())
    sleigh.page.evaluate(
        """async (view) => {
          const graph = window.probe.graph(view), box = graph.getBoundingClientRect(), empty = graph.cloneNode(false);
          empty.id = "empty";
          empty.style = "position: fixed; background: white; z-index: 9999; left: 0; top: 0; width: " + box.width +
            "px; height: " + box.height + "px";
          document.body.appendChild(empty);
          const axes = { type: "scatter3d", mode: "text", text: [""], x: [0], y: [0], z: [0] };
          await window.Plotly.newPlot(empty, view === "locus" ? [axes] : [], graph.layout);
        }""",
        view,
    )
    coloured, marked = sleigh.count(sleigh.page.locator("#empty").screenshot())
    sleigh.page.evaluate("() => { window.Plotly.purge('empty'); document.getElementById('empty').remove(); }")
    assert marked > 1000
    assert coloured < DRAWN / 10
    if view == "plane":
        assert full > 5 * DRAWN
    else:
        # Surfaces are pale: they cover much, and colour little of it.
        assert covered > 10 * marked
        assert full > 3 * DRAWN
        assert marked < 0.75 * COVERED


def test_every_tab_shows_its_content(lab):
    lab.everywhere()
    for tab in GRAPHS[name_of(lab)]:
        lab.tab(tab)
        lab.check_drawn("detail")
    text = lab.page.locator(".view-detail > .text")
    lab.tab("branches")
    assert text.locator("tr", has_text="principal").first.is_visible()
    assert not lab.graph("detail").is_visible()
    lab.tab("equations")
    typeset = text.locator("mjx-container, .MathJax")
    typeset.first.wait_for()
    assert typeset.count() >= len(describe(name_of(lab))["equations"])
    assert "$$" not in text.inner_text()
    lab.tab("python")
    assert text.inner_text().count("nhviz.simulate(") == len(METHODS[name_of(lab)])


def test_keyboard_on_a_slider_changes_the_right_plots(sleigh):
    before = sleigh.everything()
    sleigh.knob("a").focus()
    for _ in range(4):
        sleigh.page.keyboard.press("ArrowRight")
    sleigh.settle()
    between = sleigh.everything()
    assert sleigh.number("a") == pytest.approx(1.04)
    assert changed(before, between) >= {"plane", "motion", "locus"}
    sleigh.knob("theta").focus()
    for _ in range(4):
        sleigh.page.keyboard.press("ArrowRight")
    sleigh.settle()
    after = sleigh.everything()
    assert sleigh.number("theta") == pytest.approx(float(sleigh.knob("theta").input_value()))
    assert sleigh.number("theta") > 0
    assert "motion" in changed(between, after)
    assert not changed(between, after) & {"plane", "locus"}


def test_dragging_previews_and_release_renders_once(sleigh):
    before, first = sleigh.everything(), len(sleigh.updates())
    box = sleigh.knob("a").bounding_box()
    left, top = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    sleigh.page.mouse.move(left, top)
    sleigh.page.mouse.down()
    for step in range(1, 7):
        sleigh.page.mouse.move(left - 4 * step, top)
        sleigh.frames(3)
    sleigh.settle()
    during, last = sleigh.everything(), len(sleigh.updates())
    assert changed(before, during) >= {"plane", "motion"}
    assert last - first >= 2
    assert sleigh.number("a") < 0.9
    sleigh.page.mouse.up()
    sleigh.settle()
    assert len(sleigh.updates()) - last == 1
    assert changed(during, sleigh.everything()) == {"locus"}
    assert changed(before, sleigh.everything()) >= {"plane", "motion", "locus"}
    assert f"a={sleigh.number('a'):g}" in sleigh.page.url


def test_click_in_the_suslov_plane_starts_an_orbit(suslov):
    suslov.tab("time")
    before = suslov.everything()
    place, pixel = suslov.click("plane", 60.0, 25.0)
    wanted = pytest.approx(place[0], abs=pixel[0]), pytest.approx(place[1], abs=pixel[1])
    assert (suslov.number("M1"), suslov.number("M2")) == wanted
    assert starts(suslov, "plane") == [wanted] * 3
    # The flow, and the map whose surface is shown.
    assert starts(suslov, "locus") == [wanted] * 2
    for method in METHODS["suslov"]:
        assert suslov.trace("detail", method)["y"][0] == wanted[0]
        assert suslov.trace("detail", method, "x2")["y"][0] == wanted[1]
    assert changed(before, suslov.everything()) == VIEWS
    suslov.check_drawn()


def test_click_in_the_sleigh_plane_starts_an_orbit(sleigh):
    sleigh.tab("time")
    before = sleigh.everything()
    place, pixel = sleigh.click("plane", -1.2, -0.6)
    wanted = pytest.approx(place[0], abs=pixel[0]), pytest.approx(place[1], abs=pixel[1])
    assert (sleigh.number("p_theta"), sleigh.number("p_1")) == wanted
    assert starts(sleigh, "plane") == [wanted] * 3
    on_locus = 0.1 * place[0], 0.1 * place[1] + 2.0
    assert starts(sleigh, "locus")[0] == pytest.approx(on_locus, abs=0.1 * pixel.max())
    for method in METHODS["sleigh"]:
        assert sleigh.trace("detail", method)["y"][0] == wanted[0]
        assert sleigh.trace("detail", method, "x2")["y"][0] == wanted[1]
    assert changed(before, sleigh.everything()) == VIEWS


def test_click_on_the_disk_starts_an_orbit(suslov):
    suslov.tab("disk")
    place, pixel = suslov.click("detail", -0.3, 0.4)
    first = suslov.trace("detail", "moser_veselov")
    assert (first["x"][0], first["y"][0]) == pytest.approx(tuple(place), abs=pixel.max())
    params = {name: facts["default"] for name, facts in describe("suslov")["parameters"].items()}
    corners = [from_disk(params, 0.015, *(place + pixel * corner)) for corner in (-1, 1)]
    for name in ("M1", "M2"):
        middle = from_disk(params, 0.015, *place)[name]
        reach = 2 * max(abs(corner[name] - middle) for corner in corners)
        assert suslov.number(name) == pytest.approx(middle, abs=reach)
    assert starts(suslov, "plane") == [pytest.approx((suslov.number("M1"), suslov.number("M2")), rel=1e-5)] * 3


def test_click_beside_an_orbit_starts_at_the_click(sleigh):
    """Fourteen pixels inside the arc is empty area: the start is the click, not the nearest dot."""
    flow = sleigh.trace("plane", "exact")
    pixel_of = "all => window.probe.pixel(...all)"
    dot = np.array(sleigh.page.evaluate(pixel_of, ["plane", flow["x"][90], flow["y"][90]]))
    inwards = np.array(sleigh.page.evaluate(pixel_of, ["plane", 0.0, 0.0])) - dot
    left, top = dot + 14 * inwards / np.hypot(*inwards)
    place = sleigh.page.evaluate("all => window.probe.place(...all)", ["plane", left, top])
    hit, pixel = sleigh.click("plane", *place)
    assert sleigh.number("p_theta") == pytest.approx(hit[0], abs=1.5 * pixel[0])
    assert sleigh.number("p_1") == pytest.approx(hit[1], abs=1.5 * pixel[1])


def test_click_outside_the_disk_says_why_nothing_starts(suslov):
    suslov.tab("disk")
    before = suslov.number("M1")
    suslov.click("detail", 0.85, 0.85)
    assert suslov.number("M1") == before
    assert "outside the disk" in suslov.page.inner_text(".side")


def test_click_on_a_surface_starts_an_orbit(suslov):
    suslov.page.evaluate(
        "() => window.probe.graph('locus').on('plotly_hover', (event) => { window.probe.hit = event.points[0]; })"
    )
    box = suslov.graph("locus").bounding_box()
    for step in range(5):
        suslov.page.mouse.move(box["x"] + box["width"] * 0.5 + step, box["y"] + box["height"] * 0.4)
        suslov.frames(4)
    suslov.page.wait_for_function("() => window.probe.hit && window.probe.hit.data.type === 'surface'")
    hit = suslov.page.evaluate("() => [window.probe.hit.x, window.probe.hit.y]")
    suslov.page.mouse.down()
    suslov.frames(4)
    suslov.page.mouse.up()
    suslov.page.wait_for_function("() => window.location.search.includes('M1=')")
    suslov.settle()
    assert [suslov.number("M1"), suslov.number("M2")] == pytest.approx(hit, rel=1e-4)
    assert starts(suslov, "plane") == [pytest.approx(tuple(hit), rel=1e-4)] * 3


def surfaces(lab):
    """How many surfaces the view of loci has."""
    return [trace["type"] for trace in lab.data("locus")].count("surface")


def test_link_brings_back_the_same_state(suslov, context):
    suslov.enter("I13", "1.25")
    suslov.knob("step").press("ArrowLeft")
    for name in ("cayley", "reference"):
        suslov.toggle(name)
    alone = surfaces(suslov)
    suslov.option("locus.surface", "both")
    suslov.click("plane", 50.0, 20.0)
    again = Lab(context, suslov.page.url)
    assert again.page.url == suslov.page.url
    # A page opens at a telling instant, a new orbit at its beginning.
    again.seek(0)
    assert again.page.inner_text("#readout") == suslov.page.inner_text("#readout")
    assert again.chosen() == suslov.chosen() == ["exact", "reference", "moser_veselov"]
    for name in ("I13", "step", "M1", "M2"):
        assert again.number(name) == suslov.number(name)
    assert surfaces(again) == surfaces(suslov) > alone
    arrays = again.everything()
    again.close()
    suslov.page.bring_to_front()
    suslov.seek(1)
    suslov.seek(0)
    assert not changed(suslov.everything(), arrays)


@pytest.mark.parametrize("link", BAD_LINKS)
def test_bad_link_gets_a_sentence_and_pictures(context, address, link):
    lab = Lab(context, address + link, wait=False)
    try:
        lab.page.wait_for_function(
            "() => Array.from(document.querySelectorAll('#notice, .message')).some((line) => line.textContent)"
        )
        lab.ready()
        words = " ".join(lab.page.locator("#notice, .message").all_inner_texts())
        assert all(word in words for word in BAD_LINKS[link]), words
        lab.check_drawn()
    finally:
        lab.close()


@pytest.mark.parametrize("text", ["abc", "", "NaN", "500", "-"])
def test_bad_input_gets_a_sentence_and_changes_nothing(sleigh, text):
    before = sleigh.everything()
    sleigh.enter("a", text)
    message = sleigh.message("a")
    assert "a must be" in message
    assert message.endswith(".")
    assert text in message
    box, line = (sleigh.page.locator(identity(kind, name="a")).bounding_box() for kind in ("box", "message"))
    assert 0 <= line["y"] - box["y"] < 60
    assert not changed(before, sleigh.everything())
    sleigh.enter("a", "0.5")
    assert sleigh.message("a") == ""
    assert changed(before, sleigh.everything()) >= {"plane", "motion", "locus"}


def test_message_follows_from_one_bad_input_to_the_next(sleigh):
    sleigh.enter("a", "500")
    assert "500" in sleigh.message("a")
    sleigh.enter("a", "abc")
    assert "abc" in sleigh.message("a")


def test_a_step_beyond_the_fold_is_explained_beside_the_plots(suslov):
    suslov.page.get_by_role("button", name="Beyond the fold").click()
    suslov.settle()
    largest = largest_step("suslov", "moser_veselov")
    beyond = round(100.0 * (suslov.number("step") / largest - 1.0))
    assert suslov.gauge().locator(".share").inner_text() == f"{beyond} % beyond the fold"
    assert "fold" in suslov.note()
    assert suslov.page.locator(".note:not(:empty)").count() == 1, "it is said once"
    run = simulate("suslov", "moser_veselov", step=suslov.number("step"))
    cross = suslov.trace("plane", "stopped")
    assert (cross["x"][0], cross["y"][0]) == pytest.approx((run["M1"][-1], run["M2"][-1]), rel=1e-5)
    words = suslov.page.evaluate("() => window.probe.graph('plane')._fullLayout.annotations.map((note) => note.text)")
    assert not any("step" in text for text in words), "no box over a plot"
    suslov.check_drawn()


def test_requests_are_few_and_small(lab):
    first, answered = len(lab.updates()), len(lab.sizes())
    lab.experiment(1)
    assert len(lab.updates()) - first == 1
    for tab in ("time", "equations"):
        first, answered = len(lab.updates()), len(lab.sizes())
        lab.tab(tab)
        assert len(lab.updates()) - first == 1
        assert lab.sizes()[answered:][0] < 60_000
    lab.tab("drift")
    first, answered = len(lab.updates()), len(lab.sizes())
    lab.knob("step").press("ArrowRight")
    lab.settle()
    assert len(lab.updates()) - first == 1
    assert np.max(lab.sizes()[answered:]) < 300_000
