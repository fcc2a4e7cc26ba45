"""The rest of a visit: playing, themes, an empty console, phones, downloads, the keyboard, and other systems."""

import pytest

import nhviz
from nhviz import export
from tests.conftest import ROOT, served
from tests.page import SCREEN, Lab, identity, same

pytestmark = pytest.mark.browser

HARMLESS = ("GL Driver Message", "willReadFrequently")


@pytest.fixture(scope="module")
def opened(context, address):
    return Lab(context, f"{address}/sleigh")


@pytest.fixture
def sleigh(opened):
    opened.reset()
    opened.seek(1)
    opened.seek(0)
    return opened


@pytest.fixture
def fresh(browser):
    """A browser context of its own, with nothing stored."""
    context = browser.new_context(viewport=SCREEN)
    yield context
    context.close()


def test_play_moves_all_views_without_the_server(sleigh):
    before, first, start = sleigh.everything(), len(sleigh.requests), sleigh.time()
    sleigh.page.click("#play")
    sleigh.page.wait_for_function("() => parseFloat(document.getElementById('time').textContent) > 0.5")
    assert sleigh.playing()
    sleigh.page.click("#play")
    assert not sleigh.playing()
    sleigh.settle()
    stopped, after = sleigh.time(), sleigh.everything()
    assert stopped > start
    assert float(sleigh.page.input_value("#clock")) == pytest.approx(100 * stopped, abs=1)
    sleigh.frames(20)
    assert sleigh.time() == stopped
    assert len(sleigh.requests) == first
    for view in ("plane", "motion", "locus"):
        assert not same(before[view], after[view])
    index = round(stopped / 0.1)
    assert {cursor["track"] for cursor in after["plane"][-3:]} == {"exact", "fedorov_zenkov", "naive"}
    for cursor in after["plane"][-3:]:
        line = sleigh.trace("plane", cursor["track"])
        stride = (len(line["x"]) - 1) // 100
        assert cursor["x"][0] == pytest.approx(line["x"][stride * index], rel=1e-5)


def test_range_input_scrubs(sleigh):
    before, first = sleigh.everything(), len(sleigh.requests)
    sleigh.seek(400)
    assert sleigh.time() == pytest.approx(4.0)
    bar = sleigh.page.locator("#clock").bounding_box()
    sleigh.page.mouse.click(bar["x"] + 0.7 * bar["width"], bar["y"] + bar["height"] / 2)
    sleigh.settle()
    assert sleigh.time() == pytest.approx(7.0, abs=0.4)
    assert len(sleigh.requests) == first
    assert not same(before["motion"], sleigh.data("motion"))


def test_hovering_an_orbit_moves_every_view(sleigh):
    before, flow = sleigh.everything(), sleigh.trace("plane", "exact")
    left, top = sleigh.page.evaluate("all => window.probe.pixel(...all)", ["plane", flow["x"][80], flow["y"][80]])
    sleigh.page.mouse.move(left - 60, top - 20)
    sleigh.page.mouse.move(left, top, steps=4)
    sleigh.page.wait_for_function("() => document.getElementById('time').textContent !== '0.00 s'")
    sleigh.settle()
    assert sleigh.time() == pytest.approx(4.0, abs=0.4)
    for view in ("plane", "motion", "locus"):
        assert not same(before[view], sleigh.data(view)), view
    centre = sleigh.trace("motion", "centre_of_mass")
    path = sleigh.trace("motion", "exact")
    place = 2 * round(sleigh.time() / 0.1)
    assert (centre["x"][0] - path["x"][place]) ** 2 + (centre["y"][0] - path["y"][place]) ** 2 == pytest.approx(1.0)


def test_themes_change_everything_and_stay(fresh, address):
    lab = Lab(fresh, f"{address}/sleigh")
    look = """() => {
      const body = getComputedStyle(document.body), graph = window.probe.graph("plane");
      const tick = getComputedStyle(graph.querySelector(".xtick text"));
      return { paper: body.backgroundColor, size: parseFloat(body.fontSize), ink: graph._fullLayout.font.color,
        tick: tick.fill, words: parseFloat(tick.fontSize) };
    }"""
    light = lab.page.evaluate(look)
    lab.wear("dark")
    lab.settle()
    dark = lab.page.evaluate(look)
    for part in ("paper", "ink", "tick"):
        assert dark[part] != light[part]
    assert dark["paper"] == "rgb(14, 18, 22)"
    lab.check_drawn()
    lab.page.reload()
    lab.ready()
    assert lab.page.evaluate(look) == dark
    lab.wear("projector")
    lab.settle()
    projector = lab.page.evaluate(look)
    assert projector["ink"] == "#000000"
    assert projector["paper"] == "rgb(255, 255, 255)"
    lab.check_drawn()


def test_a_whole_visit_leaves_the_console_empty(fresh, address):
    lab = Lab(fresh, address, wait=False)
    lab.page.locator("#lab-suslov").click()
    lab.ready()
    lab.enter("I13", "1.5")
    lab.experiment(2)
    lab.enter("I13", "1.5")
    for tab in ("time", "disk", "equations", "branches"):
        lab.tab(tab)
    lab.page.click("#play")
    lab.frames(10)
    lab.page.click("#play")
    lab.page.locator(".home").click()
    lab.page.wait_for_selector("#lab-sleigh")
    lab.page.go_back()
    lab.ready()
    assert "/suslov" in lab.page.url
    assert lab.number("I13") == 1.5
    assert lab.page.locator(".view-detail > .text tbody tr").count() > 0
    lab.check_drawn("plane", "locus", "motion")
    lab.visit("Sleigh", "Chaplygin sleigh")
    lab.page.wait_for_function("() => document.querySelector('h1').textContent.includes('sleigh')")
    lab.ready()
    lab.check_drawn()
    lab.enter("a", "abc")
    lab.experiment(1)
    lab.click("plane", 0.5, 0.2)
    lab.share("link")
    lab.page.locator(".home").click()
    lab.page.wait_for_selector("#lab-sleigh")
    said = [text for text in lab.said if not any(words in text for words in HARMLESS)]
    assert said == []
    elsewhere = [r.url for r in lab.requests if not r.url.startswith((address, "data:", "blob:"))]
    assert elsewhere == []


@pytest.mark.parametrize("name", ["suslov", "sleigh"])
def test_phone_shows_every_view_without_sideways_scrolling(browser, address, name):
    context = browser.new_context(viewport={"width": 390, "height": 844})
    try:
        lab = Lab(context, f"{address}/{name}")
        assert lab.page.evaluate("() => document.documentElement.scrollWidth") <= 390
        for view in VIEWS:
            lab.graph(view).scroll_into_view_if_needed()
            lab.settle()
            lab.check_drawn(view)
        assert lab.page.evaluate("() => document.documentElement.scrollWidth") <= 390
    finally:
        context.close()


def saved(lab, press):
    with lab.page.expect_download() as download:
        press()
    return download.value.suggested_filename, download.value.path().read_bytes()


def test_csv_holds_the_runs(sleigh):
    sleigh.enter("a", "0.75")
    name, content = saved(sleigh, lambda: sleigh.share("csv"))
    facts = nhviz.describe("sleigh")
    params, initial = ({n: f["default"] for n, f in facts[part].items()} for part in ("parameters", "initial"))
    runs = {
        method: nhviz.simulate("sleigh", method, params | {"a": 0.75}, initial, step=0.1, duration=10.0)
        for method in ("exact", "fedorov_zenkov", "naive")
    }
    assert name == "sleigh.csv"
    assert content.splitlines()[:2] == export.runs_to_csv(runs).splitlines()[:2]
    assert content == export.runs_to_csv(runs)
    sleigh.page.goto(f"{sleigh.page.url}&methods=exact")
    sleigh.ready()
    assert saved(sleigh, lambda: sleigh.share("csv")) == ("sleigh-exact.csv", export.to_csv(runs["exact"]))


@pytest.mark.parametrize("view", ["plane", "locus"])
def test_pictures_are_saved(sleigh, view):
    sleigh.enlarge(view)
    png, svg = (sleigh.page.locator(f".view-{view} [data-save='{ending}']") for ending in ("png", "svg"))
    name, content = saved(sleigh, png.click)
    assert name == f"sleigh-{view}.png"
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    assert sleigh.count(content)[0] > 1000
    name, content = saved(sleigh, svg.click)
    assert name == f"sleigh-{view}.svg"
    assert content.lstrip().startswith(b"<svg")
    assert content.count(b"<path") > 10 or b"<image" in content
    sleigh.enlarge(view)


def stops(lab):
    """Every element that Tab reaches, what it stands for, and the name a screen reader says."""
    session = lab.page.context.new_cdp_session(lab.page)
    session.send("Accessibility.enable")
    lab.page.evaluate(
        """() => {
          window.stops = [];
          document.querySelectorAll("details").forEach((group) => { group.open = true; });
          document.querySelector(".home").focus();
        }"""
    )
    found = []
    for _ in range(200):
        lab.page.keyboard.press("Tab")
        here = lab.page.evaluate(
            """() => {
              const element = document.activeElement, again = window.stops.includes(element);
              window.stops.push(element);
              const place = (element.closest(".view") || { dataset: {} }).dataset.place || "";
              const { key, experiment, layout, choice, nudge, save } = element.dataset;
              const kind = ["expand", "fit", "pin", "undo", "speed"].find((name) => element.classList.contains(name));
              const own = [element.id, key, experiment, layout, choice, nudge, save, kind, element.className];
              const told = own.find(Boolean);
              return [again || element === document.body, element.tagName, [place, told].join(" ").trim(),
                element.getAttribute("role") || element.type || ""];
            }"""
        )
        if here[0]:
            break
        handle = session.send("Runtime.evaluate", {"expression": "document.activeElement"})["result"]["objectId"]
        node = session.send("Accessibility.getPartialAXTree", {"objectId": handle, "fetchRelatives": False})["nodes"][0]
        found.append((*here[1:], node.get("name", {}).get("value", "")))
    return found


@pytest.fixture(scope="module")
def stations(context, address):
    """On a page just opened, with everything unfolded: names must not wait for the first change."""
    lab = Lab(context, f"{address}/sleigh")
    lab.page.locator("[data-coordinates='momenta']").click()
    lab.toggle("feedback")
    found = stops(lab)
    lab.close()
    return found


VIEWS = ("plane", "locus", "motion", "detail")


def test_tab_reaches_every_control(stations):
    reached = {told for _, told, _, _ in stations}
    facts = nhviz.describe("sleigh")
    values = [*facts["parameters"], *facts["initial"], "step", "duration", "k1"]
    wanted = {identity(kind, name=name)[5:-2] for name in values for kind in ("slider", "box")}
    wanted |= {str(number) for number in range(3)}
    wanted |= {f"{view} {tool}" for view in VIEWS for tool in ("fit", "expand", "png", "svg")}
    wanted |= {"play", "clock", "speed", "pin", "undo", "search", "present", "theme-button", "-1", "1", "all", "focus"}
    wanted |= set(facts["methods"])
    assert wanted - reached == set()


def test_every_control_has_a_name(stations):
    nameless = [(told or tag, role) for tag, told, role, name in stations if not name.strip()]
    assert nameless == []


def test_unknown_address_leads_home(context, address):
    page = context.new_page()
    page.goto(f"{address}/nothing")
    page.wait_for_selector("main h1")
    assert "no such lab" in page.inner_text("main")
    page.locator("main").get_by_role("link", name="All labs").click()
    page.wait_for_selector("#lab-suslov")
    assert page.url.rstrip("/") == address
    page.close()


@pytest.fixture(scope="module")
def toy_address():
    """The dashboard with one more system, from a folder."""
    with served(NHVIZ_SYSTEMS=str(ROOT / "tests" / "toy")) as url:
        yield url


def test_a_system_from_a_folder_has_a_lab(context, toy_address):
    lab = Lab(context, toy_address, wait=False)
    card = lab.page.locator("#lab-skate")
    card.wait_for()
    assert "Skate on ice" in card.inner_text()
    card.click()
    lab.ready()
    lab.check_drawn("motion", "time", "detail")
    before = lab.everything()
    lab.enter("omega", "0.8")
    assert not same(before["motion"], lab.data("motion"))
    lab.close()


@pytest.mark.parametrize("system", ["suslov", "sphere_n"])
def test_a_lab_fits_the_screen_to_its_last_line(fresh, address, system):
    """However many lines the header takes, the numbers below the play bar are whole and nothing scrolls."""
    lab = Lab(fresh, f"{address}/{system}", wait=False)
    page = lab.page
    page.wait_for_function("() => document.getElementById('readout')?.textContent.includes('Energy')")
    for theme in ("light", "projector"):
        lab.wear(theme)
        box = page.locator("#readout").bounding_box()
        assert box["y"] + box["height"] <= SCREEN["height"], theme
        over = page.evaluate("() => document.documentElement.scrollHeight - document.documentElement.clientHeight")
        assert over <= 0, theme
