"""The race in a real browser: each of the seven systems drawn, played and raced; ghosts, table, list of systems."""

import numpy as np
import pytest

import nhviz
from nhviz.frame import find
from tests.page import Lab, same

pytestmark = pytest.mark.browser

NOTES = """() => Array.from(window.probe.graph('thing').querySelectorAll('.textpoint text'), ({ textContent }) =>
    textContent)"""
# The boxes of all words at ghosts, that of the picture, and points of everything that is drawn there now, but for the
# lines to the words: flat ones as the browser has drawn them, those in space by the matrices of plotly's camera.
SEEN = """() => {
  const graph = window.probe.graph('thing'), own = graph.getBoundingClientRect();
  const box = (node) => {
    const { left, top, right, bottom } = node.getBoundingClientRect();
    return [left, top, right, bottom];
  };
  const words = Array.from(graph.querySelectorAll('.textpoint text, .annotation-text-g'))
    .filter(({ textContent }) => /off$/.test(textContent) || /^on the truth/.test(textContent));
  const points = [];
  const leaders = new Set(Array.from(graph.calcdata).filter(([one]) => one.trace.name === 'leader')
    .map(([one]) => one.node3 && one.node3.node()));
  graph.querySelectorAll('.scatterlayer .js-line').forEach((path) => {
    if (leaders.has(path.closest('.trace'))) return;
    const place = path.getScreenCTM(), length = path.getTotalLength();
    for (let at = 0; at <= length; at += 2) {
      const { x, y } = path.getPointAtLength(at).matrixTransform(place);
      points.push([x, y]);
    }
  });
  if (graph._fullLayout.scene) {
    const { glplot, dataScale } = graph._fullLayout.scene._scene, { model, view, projection } = glplot.cameraParams;
    const times = (m, v) => [0, 1, 2, 3].map((row) => [0, 1, 2, 3].reduce((sum, i) => sum + m[4 * i + row] * v[i], 0));
    const lines = graph._fullData.filter(({ mode, name }) => mode === 'lines' && name !== 'circle');
    lines.forEach(({ x, y, z }) => Array.from(x, (_, i) => {
      const scaled = [x[i], y[i], z[i]].map((value, axis) => value * dataScale[axis]);
      const at = times(projection, times(view, times(model, [...scaled, 1])));
      points.push([own.left + own.width * (1 + at[0] / at[3]) / 2, own.top + own.height * (1 - at[1] / at[3]) / 2]);
    }));
  }
  return { words: words.map(box), own: box(graph), points };
}"""
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


def check_words(race, least, most):
    """So many words stand at ghosts and the like, within their picture, on nothing that is drawn and on no others."""
    seen = race.page.evaluate(SEEN)
    words, (left, top, right, bottom) = np.array(seen["words"]).reshape(-1, 4), seen["own"]
    assert least <= len(words) <= most
    points = np.array(seen["points"])
    assert len(points) > 100
    for number, (west, north, east, south) in enumerate(words):
        assert left <= west < east <= right
        assert top <= north < south <= bottom
        x, y = points.T
        assert not ((x > west) & (x < east) & (y > north) & (y < south)).any()
        for other in words[:number]:
            assert west > other[2] or east < other[0] or north > other[3] or south < other[1]


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
    count = {"heisenberg": 0, "roller_racer": 3, "sleigh": 3}.get(scene, 2)
    check_words(race, count, count)
    before = race.everything()["thing"]
    race.seek(300)
    check_words(race, 0, count)
    middle = race.everything()["thing"]
    assert not same(before, middle)
    race.page.keyboard.press("Space")
    race.page.wait_for_timeout(400)
    check_words(race, 0, count)
    race.page.keyboard.press("Space")
    race.settle()
    assert not same(race.everything()["thing"], middle)
    assert not [words for words in race.said if words.startswith("error")]


def test_a_ghost_stands_off_the_truth_by_what_is_said_beside_it(race, address):
    visit(race, address, "scene=roller_racer")
    line = of_run(race, "error", "euler")
    off = float(np.hypot(*(np.diff(line[axis])[0] for axis in "xy")))
    said = race.page.evaluate(NOTES)
    assert said[0] == f"Euler thinks it is here,{float(f'{off:.2g}'):g} m off"
    assert race.page.locator("#readout").inner_text().replace("\n", " ").startswith(f"Off now {off:.3g}")
    # At the start all stand together, and nothing is said.
    race.seek(0)
    said = race.page.evaluate(NOTES)
    assert not said


def test_words_find_new_places_when_a_hand_turns_the_scene(race, address):
    visit(race, address, "scene=oscillator")
    box = race.page.locator(".view-thing .plot").bounding_box()
    x, y = box["x"] + 0.5 * box["width"], box["y"] + 0.7 * box["height"]
    before = race.page.evaluate(SEEN)
    race.page.mouse.move(x, y)
    race.page.mouse.down()
    race.page.mouse.move(x + 120, y + 30, steps=6)
    race.page.mouse.up()
    race.page.wait_for_timeout(1600)
    race.settle()
    assert not np.allclose(race.page.evaluate(SEEN)["points"], before["points"], atol=5.0)
    check_words(race, 2, 2)


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
