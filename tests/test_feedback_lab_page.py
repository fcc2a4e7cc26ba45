"""The race in a real browser: each of the seven systems drawn, played and raced; ghosts, table, list of systems."""

import numpy as np
import pytest

import nhviz
from nhviz.frame import find
from tests.page import Lab, same

pytestmark = pytest.mark.browser

NOTES = """() => window.probe.graph('thing')._fullData
    .filter((trace) => trace.name === 'note').map(({ text }) => text[0])"""
SCENES = [scene.id for scene in find.lab("feedback").scenes]


@pytest.fixture(scope="module")
def race(context, address):
    found = Lab(context, f"{address}/feedback")
    yield found
    found.page.close()


def visit(race, address, query):
    race.page.bring_to_front()
    race.page.goto(f"{address}/feedback?{query}")
    race.ready()


def of_run(race, name, track):
    """The trace of a name that belongs to a run, in the picture of the race."""
    (found,) = [trace for trace in race.data("thing") if trace["name"] == name and trace["track"] == track]
    return found


@pytest.mark.parametrize("scene", SCENES)
def test_each_system_is_drawn_played_and_raced(race, address, scene):
    visit(race, address, f"scene={scene}")
    race.check_drawn("thing")
    truth = nhviz.describe(scene)
    rows = race.page.locator(".ranking tbody tr")
    assert rows.count() == 5
    assert rows.locator("th").first.inner_text() in (truth["methods"]["reference"]["title"], "Flow")
    assert race.page.locator(".ranking tr.chosen").count() == 1
    sentence = race.page.locator("#insight").inner_text()
    assert "take it" in sentence or "Take" in sentence
    before = race.everything()["thing"]
    race.seek(300)
    middle = race.everything()["thing"]
    assert not same(before, middle)
    race.page.keyboard.press("Space")
    race.page.wait_for_timeout(400)
    race.page.keyboard.press("Space")
    race.settle()
    assert not same(race.everything()["thing"], middle)
    assert not [words for words in race.said if words.startswith("error")]


def test_a_ghost_stands_off_the_truth_by_what_is_said_beside_it(race, address):
    visit(race, address, "scene=roller_racer")
    line = of_run(race, "error", "euler")
    off = float(np.hypot(*(np.diff(line[axis])[0] for axis in "xy")))
    said = race.page.evaluate(NOTES)
    assert said[0] == f"Euler thinks it is here, {float(f'{off:.2g}'):g} m off"
    assert race.page.locator("#readout").inner_text().replace("\n", " ").startswith(f"Off now {off:.3g}")
    # At the start all stand together, and nothing is said.
    race.seek(0)
    said = race.page.evaluate(NOTES)
    assert set(said) == {""}


def test_a_row_brings_its_run_to_the_front_and_again_all(race, address):
    visit(race, address, "scene=sleigh")
    row = race.page.locator(".ranking [data-front='euler']")
    row.click()
    race.settle()
    assert row.get_attribute("aria-pressed") == "true"
    shown = {trace["track"]: trace["opacity"] for trace in race.data("thing") if trace["run"]}
    assert shown["euler"] == 1
    assert shown["rk4"] < 0.5
    row.click()
    race.settle()
    assert {trace["opacity"] for trace in race.data("thing") if trace["run"]} == {1}


def test_the_list_leads_to_another_system_and_keeps_its_own_address(race, address):
    visit(race, address, "scene=sleigh")
    listed = race.page.locator(".scenes select")
    assert listed.evaluate("list => list.selectedOptions[0].textContent") == "Chaplygin sleigh"
    listed.select_option("Oscillator")
    race.page.wait_for_url("**/feedback?scene=oscillator")
    race.ready()
    assert race.page.locator(".chip").last.inner_text().startswith("DLA")


def test_too_much_gain_is_beyond_and_still_more_is_lost(race, address):
    visit(race, address, "scene=oscillator&pull=0.55")
    gauge = race.page.locator("[data-gauge='pull']").first
    assert "beyond stability" in gauge.inner_text()
    assert race.page.locator(".chip.stopped").count() == 0
    visit(race, address, "scene=oscillator&pull=0.6")
    assert race.page.locator(".chip.stopped").count() == 1
    assert "loses its integrals" in race.page.locator("#insight").inner_text()
    race.page.locator(".view .note button").first.click()
    race.settle()
    assert race.page.locator(".chip.stopped").count() == 0
