"""The details of the race in a real browser: every tab is drawn, sections grow with the clock, a map leads on."""

import numpy as np
import pytest

from nhviz.analysis.oscillator_section import return_map
from nhviz.frame import sweeping
from tests.page import Lab

pytestmark = pytest.mark.browser

TABS = {
    "detail": ("drift", "order", "attraction", "stability", "error", "time"), "below": ("level_set", "section"),
}  # fmt: skip
LONG = "scene=oscillator&duration=400&step=0.001&methods=reference.euler_feedback.dla&pull=0.3"


@pytest.fixture(scope="module")
def race(context, address):
    found = Lab(context, f"{address}/feedback?off=0.2")
    yield found
    found.page.close()


def visit(race, address, query):
    race.page.bring_to_front()
    race.page.goto(f"{address}/feedback?{query}")
    race.ready()


def test_every_tab_is_drawn(race):
    race.page.bring_to_front()
    for place, tabs in TABS.items():
        for tab in tabs:
            race.tab(tab)
            race.settle()
            race.check_drawn(place)
    race.tab("extension")
    assert "Where it does not help" in race.page.locator("main").inner_text()
    assert not [words for words in race.said if words.startswith("error")]


@pytest.mark.parametrize("scene", ["roller_racer", "heisenberg"])
def test_no_tab_is_cut_off(race, address, scene):
    visit(race, address, f"scene={scene}")
    for row in race.page.locator(".tabs").all():
        assert row.evaluate("row => row.scrollWidth <= row.clientWidth")


def test_a_section_of_400_time_units_grows_with_the_clock(race, address):
    """400,000 steps: 63 crossings at the end, on the exact ellipse, and half of them at half of the time."""
    visit(race, address, LONG)

    def crossings(track):
        (found, _) = [trace for trace in race.data("below") if trace["track"] == track and trace["name"] != "exact"]
        return np.array([found["x"], found["y"]])

    race.seek(1000)
    assert crossings("reference").shape[1] == crossings("euler_feedback").shape[1] == 63
    exact = return_map().crossings(63)
    assert np.abs(crossings("reference") - exact[:, :2].T).max() < 1e-6
    # Specification, section E.
    assert np.abs(crossings("dla") - exact[:, :2].T).max() < 2.2e-2
    race.seek(500)
    assert crossings("dla").shape[1] == 32


def test_sweep_this_leads_to_the_drift_over_step_and_pull(race, address):
    visit(race, address, "scene=roller_racer")
    race.page.get_by_role("button", name="Share", exact=True).click()
    race.page.locator("#sweep-this").click()
    race.page.wait_for_selector(".sweep-page")
    found = race.page.evaluate("() => window.location.search")
    assert sweeping.read("lab=feedback&scene=roller_racer")[0] == sweeping.read(found)[0]
