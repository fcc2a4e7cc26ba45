"""The scripts of sweeps as functions of values, in a browser without a page: tiles, colours, lines, words, states."""

import math

import numpy as np
import pytest

from layouts.sweep_facts import systems, words
from nhviz.sweeps import link
from nhviz.sweeps.presets import PRESETS
from nhviz.sweeps.tiles import tiles_of
from nhviz.sweeps.value import Sweep
from tests.conftest import ROOT
from tests.test_sweep_links import UNUSUAL

pytestmark = pytest.mark.browser
SHAPES = [(2, 2), (1, 7), (1, 1000), (33, 5), (64, 65), (97, 121), (200, 31), (300, 301), (1000, 3)]


@pytest.fixture(scope="module")
def script(context):
    """Evaluate a function of (sweeps, arguments) in a page with the scripts that need none."""
    page = context.new_page()
    for name in ("tiles", "colour", "contours", "words", "model", "places"):
        page.add_script_tag(content=(ROOT / "assets" / "sweep" / f"{name}.js").read_text())
    yield lambda text, *all_of: page.evaluate(f"all => ({text})(window.nhviz.sweeps, ...all)", list(all_of))
    page.close()


@pytest.fixture(scope="module")
def facts():
    return {"systems": systems(), "stepName": "step", "durationName": "duration"}


@pytest.mark.parametrize("shape", SHAPES)
def test_the_browser_cuts_the_tiles_of_the_server(script, shape):
    """Told by a sum in which every cell has a weight of its place and of its turn."""
    text = """({ tiles }, shape) => tiles.tilesOf(...shape).map((tile) => {
      const cells = tiles.cellsOf(tile);
      return [cells.length, cells.reduce((sum, [i, j], k) => sum + (k + 1) * (i + 1009 * j + 1), 0)];
    })"""
    expected = []
    for tile in tiles_of(*shape):
        i, j = tile.indices()
        expected.append([i.size, int(np.sum((np.arange(i.size) + 1) * (i + 1009 * j + 1)))])
    assert script(text, shape) == expected


def test_a_grid_shows_the_nearest_cell_that_is_known(script):
    rows, columns = 70, 45
    tiles = tiles_of(rows, columns)
    known = [k for k, tile in enumerate(tiles) if tile.level == 0]
    sent = [[k, (1000.0 * tiles[k].indices()[1] + tiles[k].indices()[0]).tolist()] for k in known]
    found = script(
        """({ tiles }, rows, columns, sent) => {
          const grid = tiles.grid(rows, columns);
          sent.forEach(([number, values]) => tiles.put(grid, number, values));
          return { seen: Array.from(grid.seen), count: grid.count };
        }""",
        rows, columns, sent,
    )  # fmt: skip
    seen = np.array(found["seen"]).reshape(rows, columns)
    j, i = np.divmod(seen, 1000.0)
    assert found["count"] == sum(tiles[k].indices()[0].size for k in known)
    down, along = (int(np.diff(np.unique(axis))[0]) for axis in (j, i))
    assert (down, along) == (4, 2)
    rows_at, columns_at = np.mgrid[:rows, :columns]
    # Beyond the last known cell the nearest one may be farther than half a stride.
    assert np.abs(j - rows_at)[: -(rows % down) or None].max() <= down / 2
    assert np.abs(i - columns_at)[:, : -(columns % along) or None].max() <= along / 2


def test_a_grid_with_all_tiles_shows_every_value_itself(script):
    shape = (67, 41)
    values = np.random.default_rng(3).normal(size=shape)
    values[5:9, 7:30] = np.nan
    sent = [
        [t.number, [None if math.isnan(v) else v for v in values[t.indices()[1], t.indices()[0]].tolist()]]
        for t in reversed(tiles_of(*shape))
    ]
    found = script(
        """({ tiles }, shape, sent) => {
          const grid = tiles.grid(...shape);
          const known = (value) => (value === null ? NaN : value);
          sent.forEach(([number, values]) => tiles.put(grid, number, values.map(known)));
          const told = (value) => (Number.isNaN(value) ? null : value);
          return [grid.values, grid.seen].map((values) => Array.from(values, told));
        }""",
        shape, sent,
    )  # fmt: skip
    for one in found:
        assert np.array_equal(np.array(one, dtype=float).reshape(shape), values, equal_nan=True)


@pytest.mark.parametrize(
    ("kind", "values", "expected"),
    [
        ("magnitude", np.linspace(2.0, 7.0, 99), ("magnitude", 2.0, 7.0, False)),
        ("angle", [*np.linspace(0.1, 0.3, 200), 50.0], ("angle", 0.1, 0.3, False)),
        ("signed", np.linspace(-1.0, 3.0, 99), ("signed", -3.0, 3.0, False)),
        ("signed", np.linspace(1.0, 3.0, 99), ("magnitude", 1.0, 3.0, False)),
        ("magnitude", np.geomspace(1e-16, 1e-9, 99), ("magnitude", 1e-16, 1e-9, True)),
        ("count", [0.0, 2.0, 8.0], ("count", 0.0, 4.0, False)),
    ],
)
def test_colours_go_over_all_values_but_a_few_that_lie_far_out(script, kind, values, expected):
    text = "({ colour }, kind, values) => colour.scaleOf(kind, colour.spread(Float64Array.from(values)))"
    found = script(text, kind, list(values))
    # The edge is a quantile: of two hundred values it is the fourth.
    assert (found["kind"], found["log"]) == (expected[0], expected[3])
    assert (found["from"], found["to"]) == pytest.approx(expected[1:3], rel=0.02)


def test_lightness_rises_evenly(script):
    """CIE L* of haline and ice rises at every shade, by steps that differ by less than two."""
    for kind in ("magnitude", "angle"):
        colours = np.array(
            script("({ colour }, kind) => [...Array(45).keys()].map((k) => colour.mixed(kind, k / 44))", kind)
        )
        linear = np.where(colours <= 10.3, colours / 3294.6, ((colours / 255.0 + 0.055) / 1.055) ** 2.4)
        light = 116.0 * np.cbrt(linear @ [0.2126, 0.7152, 0.0722]) - 16.0
        steps = np.diff(light)
        assert steps.min() > 0.8
        assert steps.max() < 3.2


def test_lines_of_equal_value_are_where_the_value_is(script):
    """Of a cone they are circles, closed, and all of them; linear interpolation is off by the curvature."""
    j, i = np.mgrid[:41, :57]
    values = np.hypot(i - 27.3, 1.4 * (j - 19.1))
    grid = {"rows": 41, "columns": 57, "values": values.ravel().tolist(), "done": [1] * values.size}
    for level in (5.0, 12.5):
        (line,) = script("({ contours }, grid, level) => contours.linesAt(grid, 1, level, Infinity)", grid, level)
        x, y = np.array(line).T
        assert np.allclose(np.hypot(x - 27.3, 1.4 * (y - 19.1)), level, atol=0.5 / level)
        assert line[0] == line[-1]
        assert len(line) > 2 * math.pi * level / 1.4


def test_lines_keep_out_of_what_is_empty_coarse_or_steep(script):
    j, i = np.mgrid[:20, :20]
    values = 1.0 * i + 0.1 * j
    grid = {"rows": 20, "columns": 20, "values": values.ravel().tolist(), "done": (j.ravel() < 10).astype(int).tolist()}
    (line,) = script("({ contours }, grid) => contours.linesAt(grid, 1, 7.35, Infinity)", grid)
    assert max(y for _, y in line) == 9
    assert script("({ contours }, grid) => contours.linesAt(grid, 1, 7.35, 0.9)", grid) == []


def test_a_marked_line_goes_along_the_edge_of_what_is_known(script):
    """One cell past the level the values end: squares would be broken there, the line is not."""
    j, i = np.mgrid[:30, :40]
    place = 25.3 - 0.4 * j
    values = np.where(i <= place + 1.0, i - place, 1e9)
    grid = {
        "rows": 30,
        "columns": 40,
        "values": values.ravel().tolist(),
        "done": (values < 1e8).astype(int).ravel().tolist(),
    }
    (line,) = script("({ contours }, grid) => contours.across(grid, 0, 3)", grid)
    assert len(line) == 30
    assert np.allclose([x for x, _ in line], place[:, 0])


@pytest.mark.parametrize(
    ("ends", "log", "expected"),
    [
        ((-3.0, 3.0), False, [-3, -2, -1, 0, 1, 2, 3]),
        ((0.02, 0.98), False, [0.2, 0.4, 0.6, 0.8]),
        ((0.001, 0.02), True, [0.001, 0.002, 0.005, 0.01, 0.02]),
        ((1e-16, 1e-10), True, [1e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10]),
        ((2.0, 2.0), False, []),
    ],
)
def test_ticks_are_round(script, ends, log, expected):
    assert script("({ contours }, from, to, log) => contours.rounds(from, to, 6, log)", *ends, log) == pytest.approx(
        expected
    )


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ((32.7311, 4.9, 1), "32.73"), ((-141.3, 282.0, 0), "−141"), ((0.0, 5.0, 0), "0.0"), ((-0.004, 5.0, 1), "0.00"),
        ((3.8e-16, 1e-15, 0), "3.8 · 10⁻¹⁶"), ((1.01626, 0, 1), "1.016"), ((0.166667, 0.18, 1), "0.1667"),
    ],
)  # fmt: skip
def test_numbers_have_the_digits_that_their_range_needs(script, arguments, text):
    assert script("({ words }, ...all) => words.told(...all)", *arguments) == text


def test_seconds_are_told_in_the_unit_of_their_size(script):
    found = [script("({ words }, size) => words.unitOf('s', size)", size) for size in (3.0, 0.03, 3e-5)]
    assert [one["unit"] for one in found] == ["s", "ms", "µs"]
    assert script("({ words }) => words.unitOf('rad', 1)")["factor"] == pytest.approx(180.0 / math.pi)


def test_the_sentence_tells_both_ends_and_where_they_are(script):
    grid = {"values": [0.0327, 0.0315, 0.0363, 0.034]}
    text = """({ words }, grid, partial) => words.sentence({
      grid: { values: Float64Array.from(grid.values) }, title: "Largest step", scale: { kind: "magnitude", log: false },
      unit: "ms", factor: 1000, partial, place: (cell) => ["cell " + cell],
    }).map((part) => part.strong || part).join("")"""
    assert script(text, grid, False) == "Largest step from 31.5 ms at cell 1 to 36.3 ms at cell 2."
    assert script(text, grid, True).startswith("So far from 31.5 to 36.3 ms;")


@pytest.mark.parametrize(
    ("reason", "label"),
    [
        ("Beyond the fold: |h| must be less than 0.6 at this level, not 0.7.", "beyond the fold"),
        (
            "Without products of inertia every rotation is permanent: there are no two limits.",
            "there are no two limits",
        ),
        ("The motion itself cannot be told to the very end of such a long run.", "no value here"),
    ],
)
def test_an_empty_part_is_called_by_the_short_part_of_its_reason(script, reason, label):
    assert script("({ words }, reason) => words.label(reason)", reason) == label


ALL = {**UNUSUAL, **{preset.id: dict(preset.sweep) for preset in PRESETS}}


@pytest.mark.parametrize("name", ALL)
def test_the_browser_says_what_the_server_says(script, facts, name):
    """The same link, the same sweep, and Python lines that make it."""
    sweep = Sweep.create(**ALL[name])
    state = words(sweep)
    assert script("({ model }, state) => model.query(state)", state) == link.query(sweep)
    sent = script("({ model }, facts, state) => model.sweepOf(facts, state)", facts, state)
    assert Sweep.from_dict(sent) == sweep
    lines = script("({ model }, facts, state) => model.python(facts, state)", facts, state)
    call = lines.removeprefix("found = nhviz.sweep(").rpartition(")\nfound.values")[0]
    assert eval(f"create({call})", {"create": Sweep.create}) == sweep


def test_a_rectangle_is_a_sweep_of_that_part(script):
    state = words(PRESETS[0].create())
    found = script("({ model }, state) => model.zoomed(state, [80, 30], [40.2, 60])", state)
    assert (found["x"]["first"], found["x"]["last"]) == pytest.approx((-3.0 + 40.2 * 0.05, 1.0), abs=0.005)
    assert (found["y"]["first"], found["y"]["last"], found["y"]["count"]) == (-1.5, 0.0, 121)
    log = script("({ model }, axis) => model.zoomed({ x: axis, y: null, given: {} }, [0, 0], [40, 0]).x",
                 {"name": "step", "first": 1e-3, "last": 1e-1, "count": 81, "log": True})  # fmt: skip
    assert (log["first"], log["last"]) == (0.001, 0.01)


def test_wider_ranges_stay_within_what_is_declared(script, facts):
    state = words(Sweep.create("sleigh", "largest_step", ("J", 0.5, 1.5, 11), ("a", -1.0, 1.0, 11)))
    found = script("({ model }, facts, state) => model.widened(facts, state)", facts, state)
    assert (found["x"]["first"], found["x"]["last"]) == (0.001, 2.0)
    assert (found["y"]["first"], found["y"]["last"]) == (-2.0, 2.0)


def test_other_choices_keep_what_still_means_something(script, facts):
    state = words(Sweep.create(**UNUSUAL["a body"]))
    choose = "({ model }, facts, state, what, name) => model.choose(facts, state, what, name)"
    angle = script(choose, facts, state, "show", "axes_angle")
    assert angle["map"] == "exact"
    assert angle["given"] == state["given"]
    other = script(choose, facts, state, "of", "sphere")
    assert Sweep.from_dict(script("({ model }, f, s) => model.sweepOf(f, s)", facts, other)).system == "sphere"
    turns = script(choose, facts, other, "show", "rotation_number")
    assert [turns[which]["name"] for which in "xy"] == ["h", "level"]
    renamed = script("({ model }, f, s) => model.rename(f, s, 'x', 'I11')", facts, state)
    assert renamed["x"]["name"] == "I11"
    assert "I11" not in renamed["given"]
    Sweep.from_dict(script("({ model }, f, s) => model.sweepOf(f, s)", facts, renamed))


def test_an_empty_part_is_found_and_its_depth(script):
    values = np.ones((50, 60))
    values[10:30, 20:55] = np.nan
    values[48, 2] = np.nan
    grid = {
        "rows": 50,
        "columns": 60,
        "values": [None if math.isnan(v) else v for v in values.ravel()],
        "done": [1] * values.size,
    }
    found = script("({ places }, grid) => places.emptyPart(grid)", grid)
    assert 20 <= found["i"] < 55
    assert 10 <= found["j"] < 30
    assert found["size"] == 20 * 35
    assert found["depth"] >= 15
