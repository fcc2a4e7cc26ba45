"""The gallery in a real browser: outlines that fill in, filters as addresses, opened cards and entries, the search."""

import pytest

import nhviz
from nhviz.analysis import cusps
from nhviz.frame import find
from nhviz.frame.said import readable, spoken
from tests import looks
from tests.conftest import ROOT, served

pytestmark = pytest.mark.browser
KINDS = ("cards", "corrections", "results")
FITNESS = ROOT / "tests" / "fitness"
WINDOWS = ((1280, 800), (768, 1024), (390, 844), (1920, 1080))
FILLED = "name => !document.querySelector(`[data-entry='${name}']`).matches('.pending')"
SEEN = (
    "() => [...document.querySelectorAll('[data-entry]')].filter((one) => !one.hidden).map((one) => one.dataset.entry)"
)

FITS = """() => [...document.querySelectorAll('.drawings .plot')].every((one) =>
  one._fullLayout && one._fullLayout.width === one.clientWidth)"""
WORN = "theme => [...document.querySelectorAll('.drawings')].every((one) => one.dataset.worn === theme)"
FIRST = "words => (document.querySelector('[role=option]') || document.body).textContent.startsWith(words)"


@pytest.fixture(scope="module")
def gallery_address():
    """The dashboard with everything in `tests/fitness`."""
    with served(**{f"NHVIZ_{kind.upper()}": str(FITNESS / kind) for kind in KINDS}) as url:
        yield url


@pytest.fixture
def page(opened, gallery_address):
    """The page of this module, and how to go to an address in it."""
    opened.page.bring_to_front()
    opened.page.set_viewport_size({"width": 1280, "height": 800})
    opened.go = lambda path: opened.page.goto(f"{gallery_address}/{path}")
    opened.start = gallery_address
    return opened


def told(page, name):
    """What an entry tells, once it does."""
    page.page.wait_for_function(FILLED, arg=name)
    return page.page.locator(f"[data-entry='{name}'] .told").inner_text()


def when(**params):
    """When the sleigh of a card stops, by its own run."""
    run = nhviz.simulate("sleigh", "exact", params=params, step=0.1, duration=12.0)
    return readable(cusps.cusps(run)[0].t)


def test_it_opens_with_outlines_and_fills_in(page):
    held, is_held = [], ["yes"]
    page.page.route("**/gallery/told", lambda route: held.append(route) if is_held else route.continue_())
    page.go("gallery")
    card = page.page.locator("[data-entry='card try-never-turns']")
    card.wait_for()
    assert card.locator("a").evaluate("one => Number(getComputedStyle(one).opacity)") == pytest.approx(0.5)
    assert (card.locator(".badge").inner_text(), card.locator(".told").inner_text()) == ("", "")
    assert card.locator("h2").inner_text() == "No cusp at all"
    is_held.clear()
    for route in held:
        route.continue_()
    assert told(page, "card try-never-turns") == f"The blade stops at {when(a=0.8)} s."
    assert card.locator(".badge").inner_text() == "does not hold"
    assert told(page, "card turns-once") == "The path of the contact point has exactly one cusp."
    assert page.page.locator("[data-entry='card turns-once'] .badge").inner_text() == "holds"
    page.page.wait_for_function("() => !document.querySelector('.gallery .pending')")
    shown = page.page.locator(".fig .badge.yes").count()
    assert page.page.locator("[data-tally='yes'] b").inner_text() == str(shown)
    assert page.page.locator(".fig .picture").count() == page.page.locator(".fig").count()
    page.page.unroute("**/gallery/told")


def test_filters_are_addresses_and_back_goes_back(page):
    page.go("gallery?tab=corrections")
    page.page.locator(".filters").wait_for()
    page.page.get_by_role("group", name="Idea").get_by_role("button", name="integrals").click()
    page.page.wait_for_url(f"{page.start}/gallery?tab=corrections&idea=integrals")
    page.page.wait_for_function("() => !document.querySelector(\"[data-entry='correction try-slow-blade']\")")
    assert "correction try-sign" in page.page.evaluate(SEEN)
    pressed = page.page.locator(".filters [aria-pressed=true]").all_inner_texts()
    assert any(text.startswith("integrals") for text in pressed)
    page.page.go_back()
    page.page.locator("[data-entry='correction try-slow-blade']").wait_for()
    page.go("gallery?paper=FZ&idea=phase")
    page.page.locator(".filters").wait_for()
    wanted = {f"card {card.id}" for card in figures() if card.paper == "FZ" and "phase" in card.ideas}
    assert set(page.page.evaluate(SEEN)) == wanted >= {"card try-never-turns"}
    page.page.get_by_role("link", name="Claims").click()
    page.page.locator("[data-entry='card try-turns-late']").wait_for()
    assert told(page, "card try-turns-late").startswith("The blade stops at ")
    assert page.page.locator("[data-entry='card try-turns-late'] .badge").inner_text() == "with correction"


def figures():
    """All figures that this page shows."""
    found = find.load_cards(str(FITNESS / "cards"))
    return [card for card in found.values() if card.drawn]


def test_a_card_opens_by_keyboard_says_its_numbers_and_follows(page):
    page.go("gallery?paper=FZ&idea=phase")
    page.page.locator("[data-entry='card try-never-turns'] a").focus()
    page.page.keyboard.press("Enter")
    page.page.wait_for_url(f"{page.start}/card/try-never-turns*")
    page.ready()
    companion = page.page.locator(".companion")
    assert companion.locator(".tag").inner_text() == "FZ 7.4"
    assert companion.locator("h2").inner_text() == "No cusp at all"
    assert "The star on the path." in companion.inner_text()
    assert page.page.inner_text("#claim") == f"The blade stops at {when(a=0.8)} s."
    assert page.page.inner_text("#verdict") == "It does not hold."
    assert page.page.title() == "No cusp at all · nhviz"
    page.enter("a", "1.2")
    assert page.page.inner_text("#claim") == f"The blade stops at {when(a=1.2)} s."
    page.toggle("exact")
    assert page.page.inner_text("#verdict") == "What is shown now does not decide it."
    companion.get_by_role("link", name="Gallery").click()
    page.page.locator(".gallery").wait_for()


def test_a_card_opens_by_mouse(page):
    page.go("gallery?tab=claims")
    page.page.locator("[data-entry='card try-turns-late']").click()
    page.ready()
    assert page.page.inner_text("#verdict") == "It holds with a correction."
    page.page.get_by_role("link", name="Its correction").click()
    page.page.wait_for_url(f"{page.start}/gallery?tab=corrections&open=try-slow-blade")
    page.page.locator("[data-entry='correction try-slow-blade'].unfolded").wait_for()


def test_a_correction_shows_what_is_printed_and_what_is_right(page):
    page.go("gallery?tab=corrections&open=try-slow-blade")
    entry = page.page.locator("[data-entry='correction try-slow-blade']")
    entry.locator(".bad mjx-container").wait_for()
    entry.locator(".good mjx-container").wait_for()
    assert told(page, "correction try-slow-blade") == spoken(
        find.load_corrections(str(FITNESS / "corrections"))["try-slow-blade"].decides()
    )
    entry.locator(".drawings .plot .scatterlayer .trace").first.wait_for()
    colour = entry.locator(".bad").evaluate("one => getComputedStyle(one).color")
    assert colour == page.page.evaluate(
        "() => { const one = document.createElement('i'); one.style.color = 'var(--alarm)'; document.body.append(one);"
        " const found = getComputedStyle(one).color; one.remove(); return found; }"
    )
    assert page.page.locator(".gallery .js-plotly-plot").count() == 1, "only what is open is drawn"
    assert "slope.py" in entry.locator(".test").inner_text()
    page.page.locator("[data-entry='correction try-sign'] a").click()
    page.page.wait_for_url(f"{page.start}/gallery?tab=corrections&open=try-sign")
    page.page.locator("[data-entry='correction try-sign'].unfolded").wait_for()
    page.page.wait_for_function("() => !document.querySelector('.gallery .js-plotly-plot')")
    page.page.go_back()
    entry.get_by_role("link", name="Show it in the lab").click()
    page.page.wait_for_url(f"{page.start}/knife_edge?step=0.05")
    page.ready()


def test_a_result_has_its_proof_its_picture_and_its_map(page):
    page.go("gallery?tab=results&open=try-whole-turn")
    entry = page.page.locator("[data-entry='result try-whole-turn']")
    assert told(page, "result try-whole-turn") == "It turns by 254.6° in all."
    entry.locator(".good mjx-container").wait_for()
    entry.locator(".drawings.drawn .plot .main-svg").first.wait_for()
    assert entry.locator(".status").inner_text() == "proved"
    proof = entry.locator("details")
    assert not proof.evaluate("one => one.open")
    proof.locator("summary").press("Enter")
    assert "energy ellipse" in proof.inner_text()
    assert "J = 1, m = 1, a = 1" in entry.inner_text()
    links = {name: entry.get_by_role("link", name=name).get_attribute("href") for name in ("Show it", "Sweep it")}
    assert links["Show it"].startswith("/sleigh?")
    assert links["Sweep it"].startswith("/sweep?of=sleigh")


QUERIES = (
    ("No cusp at all", "FZ 7.4: No cusp at all"),
    ("half as fast blade", "CP 3.2: The blade turns half as fast"),
    ("whole turn", "The whole turn"),
    ("I13", "I13, product of inertia of axes 1 and 3 · Suslov top"),
    ("I_{13}", "I13, product of inertia of axes 1 and 3 · Suslov top"),
    ("inertia third top", "I33, moment of inertia about the third body axis · Suslov top"),
)


def test_the_search_finds_titles_words_and_symbols_by_keyboard(page):
    page.go("gallery")
    page.page.locator(".gallery").wait_for()
    page.requests.clear()
    page.page.keyboard.press("/")
    page.page.wait_for_function("() => document.activeElement.id === 'found'")
    page.page.wait_for_selector("[role=option]")
    for query, label in QUERIES:
        page.page.locator("#found").fill(query)
        page.page.wait_for_function(
            "label => [...document.querySelectorAll('[role=option]')].some((one) => one.textContent === label)",
            arg=label,
        )
        assert page.page.locator("[role=option]").count() <= 12
    for spelling in ("epsilon", "ε", "\\varepsilon"):
        page.page.locator("#found").fill(spelling)
        page.page.wait_for_function(FIRST, arg="ε,")
    page.page.locator("#found").fill("no cusp at all")
    page.page.wait_for_function(FIRST, arg="FZ 7.4")
    page.page.keyboard.press("Enter")
    page.page.wait_for_url(f"{page.start}/card/try-never-turns*")
    assert len([request for request in page.requests if request.url.endswith("/entries.json")]) == 1


@pytest.mark.parametrize("tab", ["figures", "corrections", "results"])
def test_nothing_is_cut_off_pale_or_a_barrier(page, tab):
    page.go(f"gallery?tab={tab}")
    page.page.locator(".gallery [data-entry]").first.wait_for()
    page.page.wait_for_function("() => !document.querySelector('.gallery .pending')")
    page.page.evaluate(looks.SCRIPT)
    page.page.add_style_tag(content=looks.STILL)
    page.page.evaluate("() => document.fonts.ready.then(() => true)")
    for width, height in WINDOWS:
        page.page.set_viewport_size({"width": width, "height": height})
        page.page.wait_for_function(FITS)
        page.frames(2)
        assert looks.faults(page) == [], (width, height)
        wide = page.page.evaluate("() => document.documentElement.scrollWidth - window.innerWidth")
        assert wide <= 0, (width, height)
    for theme in looks.THEMES:
        page.wear(theme)
        page.page.wait_for_function(WORN, arg=theme)
        page.frames(2)
        assert looks.pale(page) == [], theme
    assert looks.barriers(page) == []
    page.wear("light")
