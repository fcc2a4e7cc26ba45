"""The page of sweeps in a browser: every preset drawn cell by cell, hover, click-through, zoom, cancel, links."""

import re

import numpy as np
import pytest

import nhviz
from nhviz.frame import find, sweeping
from nhviz.frame.state import State
from nhviz.sweeps import link
from nhviz.sweeps.presets import PRESETS
from tests.page import Lab

pytestmark = pytest.mark.browser
# From the prototype's README, not from the script.
HALINE = "29186b 2a23a0 0f4799 125f8e 267489 358888 419d85 51b27c 6fc66b a0d65b d4e170 fdee99"
ICE = "191933 2c2a57 3a3c7d 3e53a0 3e6db2 4886bb 599fc4 72b8cd 95cfd8 c0e5e8 eafcfd"
SIGNED = "00429d 4a78b8 8fb2d0 d3e2e8 f4eee6 efcda6 e2a066 c96d2c 97400a"
COUNTS = "e9edf1 b9cfe4 4f86b8 12385f"
# A table of 1024 shades, and rounding, on the steepest slope between two anchors.
SHADE = 2
SMALL = "of=suslov&show=largest_step&map=moser_veselov&x=I13:-2:2:21&y=I23:-2:2:17&I22=4.5"
LARGE = "of=sphere&show=rotation_number&map=fedorov&x=h:0.01:0.6:400&y=level:0.25:0.45:300"
DONE = """() => {
  const { shown } = window.nhviz.sweeps.page.page;
  const done = shown && shown.data && shown.data.state === "done" && shown.grid.count >= shown.data.of;
  return Boolean(done && !document.querySelector(".partial"));
}"""


class Map:
    """A page that shows a sweep."""

    def __init__(self, context, address):
        self.lab = Lab(context, f"{address}/sweep?{SMALL}", wait=False)
        self.page, self.address = self.lab.page, address

    def visit(self, query):
        self.page.goto(f"{self.address}/sweep?{query}")
        self.done()

    def done(self):
        self.page.wait_for_function(DONE)
        self.lab.frames(2)

    def text(self, selector):
        return self.page.inner_text(f".sweep-page {selector}").strip()

    def query(self):
        return self.page.evaluate("() => window.location.search.slice(1)")

    def sweep(self):
        return link.read(self.query())[0]

    def pixel(self, i, j):
        """The middle of a cell on the screen."""
        box = self.page.locator(".cells").bounding_box()
        rows, columns = self.sweep().shape
        return box["x"] + (i + 0.5) / columns * box["width"], box["y"] + box["height"] * (1.0 - (j + 0.5) / rows)

    def click(self, i, j):
        self.page.mouse.move(*self.pixel(i, j))
        self.page.mouse.click(*self.pixel(i, j))
        self.lab.frames(2)

    def cells(self):
        """The colours of all cells, the first row below, (rows, columns, 4)."""
        flat, width = self.page.evaluate(
            """() => {
              const canvas = document.querySelector(".cells");
              const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
              return [Array.from(data), canvas.width];
            }"""
        )
        return np.array(flat).reshape(-1, width, 4)[::-1]


@pytest.fixture(scope="module")
def shown(context, address):
    found = Map(context, address)
    found.done()
    yield found
    assert [line for line in found.lab.said if "error" in line.lower() and "422" not in line] == []
    found.page.close()


def between(anchors, share):
    """Colours between anchors."""
    colours = np.array([[int(text[at : at + 2], 16) for at in (0, 2, 4)] for text in anchors.split()], dtype=float)
    at = np.clip(share, 0.0, 1.0) * (len(colours) - 1)
    return np.stack([np.interp(at, np.arange(len(colours)), channel) for channel in colours.T], axis=-1)


def expected(kind, values):
    """The colours of values, all of which lie within the ends of the scale or beyond by a few."""
    if kind == "count":
        return between(COUNTS, np.minimum(3, values / 2) / 3)
    low, high = np.nanquantile(values, [0.02, 0.98], method="nearest")
    least, greatest = np.nanmin(values), np.nanmax(values)
    if kind == "signed":
        far, reach = max(-low, high), max(-least, greatest)
        reach = far if reach > 2.0 * far else reach
        return between(SIGNED, (values + reach) / (2.0 * reach))
    if kind == "magnitude" and high / low > 50.0:
        return between(HALINE, np.log(values / least) / np.log(greatest / least))
    assert least >= low - (high - low)
    assert greatest <= high + (high - low)
    return between(HALINE if kind == "magnitude" else ICE, (values - least) / (greatest - least))


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.id)
def test_every_preset_is_drawn_cell_by_cell(shown, preset):
    axes = {which: (*preset.sweep[which][:3], n, *preset.sweep[which][4:]) for which, n in (("x", 37), ("y", 26))}
    sweep = preset.create(**axes)
    shown.visit(link.query(sweep))
    values = nhviz.sweep(sweep).values
    cells = shown.cells()
    known = np.isfinite(values)
    assert np.array_equal(cells[..., 3] == 255, known)
    assert np.array_equal(cells[..., 3] == 0, ~known)
    apart = np.abs(cells[..., :3] - expected(sweep.measure.kind, values))[known]
    assert apart.max() <= SHADE
    assert len(np.unique(cells[known], axis=0)) >= (3 if sweep.measure.kind == "count" else 40)
    assert shown.text(".insight").startswith(sweep.measure.title)
    assert shown.text(".far").startswith("962 cells")


def test_the_pointer_reads_a_cell_and_says_why_one_is_empty(shown):
    sweep = PRESETS[0].create(x=("I13", -3.0, 3.0, 25), y=("I23", -3.0, 3.0, 21))
    shown.visit(link.query(sweep))
    found = nhviz.sweep(sweep)
    shown.page.mouse.move(*shown.pixel(7, 13))
    assert float(shown.text(".hint > b").split()[0]) == pytest.approx(1000.0 * found.values[13, 7], abs=0.006)
    assert "= −1.25" in shown.text(".hint")
    shown.page.mouse.move(*shown.pixel(0, 0))
    shown.page.wait_for_function("() => document.querySelector('.hint > b').textContent.length > 10")
    assert shown.text(".hint > b") == found.reason(0, 0)
    shown.page.mouse.move(4, 300)
    assert shown.page.locator(".hint").is_hidden()
    assert "4 empty: no such body" in shown.text(".far")


def test_a_click_reads_its_cell_and_opens_its_run(shown):
    shown.visit(SMALL)
    found = nhviz.sweep(shown.sweep())
    i, j = 15, 4
    shown.click(i, j)
    assert float(shown.text(".reading .value").split()[0]) == pytest.approx(1000.0 * found.values[j, i], abs=0.006)
    near = np.delete(found.values[j - 1 : j + 2, i - 1 : i + 2].ravel(), 4)
    told = [float(text) for text in re.findall(r"[\d.]+", shown.text(".reading .around"))]
    assert told == pytest.approx([1000.0 * near.min(), 1000.0 * near.max()], abs=0.006)
    shown.page.wait_for_selector(".reading a[href]")
    shown.page.wait_for_selector(".run .main-svg")
    path, _, query = shown.page.locator(".reading a").get_attribute("href").partition("?")
    state, complaints = State.from_query(find.lab(path.rpartition("/")[2]), query)
    assert complaints == []
    problem = found.problem(i, j)
    for name, value in (*problem.params, *problem.initial, ("step", problem.step)):
        assert state.number(name) == pytest.approx(value, rel=1e-12)
    shown.page.locator(".reading a").click()
    shown.page.wait_for_selector(".lab.furnished")
    assert shown.page.evaluate("() => window.nhviz.page.state.now.state.numbers.I22") == 4.5
    shown.page.go_back()
    shown.done()
    assert shown.query() == SMALL


def test_a_double_click_opens_the_lab_of_its_cell(shown):
    shown.visit(SMALL)
    i, j = 6, 11
    shown.page.mouse.dblclick(*shown.pixel(i, j))
    shown.page.wait_for_selector(".lab.furnished")
    numbers = shown.page.evaluate("() => window.nhviz.page.state.now.state.numbers")
    problem = link.read(SMALL)[0].problem(i, j)
    for name, value in (*problem.params, *problem.initial, ("step", problem.step)):
        assert numbers[name] == pytest.approx(value, rel=1e-12)


def test_keys_move_the_cross_hair(shown):
    shown.visit(SMALL)
    shown.click(10, 8)
    before = shown.text(".reading .at")
    shown.page.keyboard.press("ArrowRight")
    shown.page.keyboard.press("Shift+ArrowUp")
    shown.lab.frames(2)
    assert shown.page.evaluate("() => window.nhviz.sweeps.page.page.shown.at") == [11, 16]
    assert shown.text(".reading .at") != before


def test_a_rectangle_looks_closer_and_back_is_out(shown):
    shown.visit(SMALL)
    shown.click(14, 12)
    (left, top), (right, bottom) = shown.pixel(10, 14), shown.pixel(18, 6)
    shown.page.mouse.move(left, top)
    shown.page.mouse.down()
    shown.page.mouse.move(right - 9, bottom - 7)
    assert shown.page.locator(".rubber").is_visible()
    shown.page.mouse.move(right, bottom)
    shown.page.mouse.up()
    shown.page.wait_for_function("before => window.location.search.slice(1) !== before", arg=SMALL)
    shown.done()
    closer = shown.sweep()
    assert (closer.x.first, closer.x.last, closer.x.count) == (
        pytest.approx(0.0, abs=0.02),
        pytest.approx(1.6, abs=0.02),
        21,
    )
    assert (closer.y.first, closer.y.last) == (pytest.approx(-0.5, abs=0.02), pytest.approx(1.5, abs=0.02))
    assert np.array_equal(shown.cells()[..., 3] == 255, np.isfinite(nhviz.sweep(closer).values))
    shown.page.keyboard.press("Escape")
    shown.page.wait_for_function("before => window.location.search.slice(1) === before", arg=SMALL)
    shown.done()
    shown.page.go_forward()
    shown.page.wait_for_function("before => window.location.search.slice(1) !== before", arg=SMALL)
    shown.done()
    assert shown.sweep() == closer
    shown.page.get_by_role("button", name="Zoom out").click()
    shown.page.wait_for_function("before => window.location.search.slice(1) === before", arg=SMALL)
    shown.done()


def test_a_link_that_begins_closer_zooms_out_to_twice_the_ranges(shown):
    shown.page.goto("about:blank")
    shown.visit(SMALL)
    shown.page.get_by_role("button", name="Zoom out").click()
    shown.page.wait_for_function("before => window.location.search.slice(1) !== before", arg=SMALL)
    shown.done()
    assert (shown.sweep().x.first, shown.sweep().x.last) == (-4.0, 4.0)


def test_cancel_keeps_what_is_there_and_it_goes_on(shown):
    shown.page.goto(f"{shown.address}/sweep?{LARGE}")
    count = (
        "() => { const { shown } = window.nhviz.sweeps.page.page; return shown && shown.grid ? shown.grid.count : 0; }"
    )
    shown.page.wait_for_function(f"() => ({count})() > 0")
    assert re.fullmatch(r"\d+ % · [\d,]+ of 120,000 cells", shown.text(".far"))
    shown.page.get_by_role("button", name="Cancel").click()
    shown.page.get_by_role("button", name="Go on").wait_for()
    there = shown.page.evaluate(count)
    assert 0 < there < 120_000
    assert "cancelled; what is there stays" in shown.text(".far")
    shown.page.wait_for_timeout(500)
    assert shown.page.evaluate(count) == there
    shown.page.get_by_role("button", name="Go on").click()
    shown.page.wait_for_function(f"there => ({count})() > there", arg=there)
    shown.page.get_by_role("button", name="Cancel").click()
    shown.page.get_by_role("button", name="Go on").wait_for()


def test_a_bad_axis_is_told_beside_it_and_the_last_map_stays(shown):
    shown.visit(SMALL)
    before = shown.cells()
    shown.page.get_by_label("first I13").fill("-900")
    shown.page.get_by_label("first I13").press("Enter")
    shown.page.wait_for_selector(".axis.bad")
    assert "I13 must be between -100 and 100, not -900" in shown.text("[data-axis='x'] .message")
    assert np.array_equal(shown.cells(), before)
    assert shown.query() == SMALL
    shown.page.get_by_label("first I13").fill("-1")
    shown.page.get_by_label("first I13").press("Enter")
    shown.page.wait_for_function("before => window.location.search.slice(1) !== before", arg=SMALL)
    shown.done()
    assert shown.page.locator(".axis.bad").count() == 0
    assert shown.sweep().x.first == -1.0


def test_choices_are_in_the_link_and_a_reload_shows_the_same(shown):
    shown.visit(SMALL)
    shown.page.locator("[data-choose='show'] select").select_option("axes_angle")
    shown.page.wait_for_function("() => window.location.search.includes('axes_angle')")
    shown.done()
    sweep, cells = shown.sweep(), shown.cells()
    assert (sweep.method, dict(sweep.params)["I22"]) == ("exact", 4.5)
    shown.page.get_by_label("axis y").select_option("")
    shown.page.wait_for_function("() => !window.location.search.includes('y=')")
    shown.done()
    assert shown.sweep().shape == (21,)
    assert shown.page.locator(".drawing .cut").count() == 1
    shown.page.go_back()
    shown.done()
    shown.page.reload()
    shown.done()
    assert shown.sweep() == sweep
    assert np.array_equal(shown.cells(), cells)


def test_bad_words_of_a_link_are_told(shown):
    shown.visit("of=suslov&show=largest_step&map=moser_veselov&x=I13:2:-2:9&y=I23:-1:1:9&colour=red")
    assert "'colour', which means nothing here" in shown.text("#notice")
    assert "from 2 to -2" in shown.text("#notice")


def test_a_lab_is_swept_with_its_values(shown):
    shown.page.goto(f"{shown.address}/suslov?I22=4.5&I13=0.3&I23=-0.7&step=0.02")
    shown.page.wait_for_selector(".lab.furnished")
    shown.page.get_by_role("button", name="Share", exact=True).click()
    shown.page.locator("#sweep-this").click()
    shown.page.wait_for_selector(".sweep-page")
    shown.done()
    assert shown.sweep() == sweeping.read("lab=suslov&I22=4.5&step=0.02")[0]
    # The cross-hair is where the lab was: next to it, half a cell at most.
    x, y = shown.sweep().x, shown.sweep().y
    i, j = shown.page.evaluate("() => window.nhviz.sweeps.page.page.shown.at")
    for axis, at, value in ((x, i, 0.3), (y, j, -0.7)):
        assert abs(axis.values[at] - value) <= 0.51 * (axis.last - axis.first) / (axis.count - 1)


def test_files_hold_the_values(shown, tmp_path):
    shown.visit(SMALL)
    values = nhviz.sweep(shown.sweep()).values
    with shown.page.expect_download() as coming:
        shown.page.get_by_role("button", name="npz").click()
    coming.value.save_as(tmp_path / "map.npz")
    with np.load(tmp_path / "map.npz") as kept:
        assert np.array_equal(kept["values"], values, equal_nan=True)
    with shown.page.expect_download() as coming:
        shown.page.get_by_role("button", name="SVG").click()
    coming.value.save_as(tmp_path / "map.svg")
    text = (tmp_path / "map.svg").read_text()
    assert text.count("<image") == 1
    assert "Largest step, Suslov top" in text
    assert "var(--" not in text


def test_python_lines_stand_there(shown):
    shown.visit(SMALL)
    assert '"suslov", "largest_step"' in shown.text(".code pre")
    assert 'params={"I22": 4.5}' in shown.text(".code pre")
