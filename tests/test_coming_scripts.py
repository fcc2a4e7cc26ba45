"""Numbers that come into a picture, in a browser without a page: what a trace has at each moment."""

import base64

import numpy as np
import pytest

from tests.conftest import ROOT

pytestmark = pytest.mark.browser
# Pictures without a screen, and a server of which every question is kept, with the means to answer it.
STAGE = """() => {
  const element = { closest: () => null };
  const one = (name, figure, coming) => ({ name, view: name, figure, coming, slots: {}, element });
  const all = [];
  const watched = [], cancelled = [];
  Object.assign(window.nhviz, {
    pictures: {
      all: () => all, isSeen: ({ hidden }) => !hidden, draw() {},
      of: (name) => all.find((found) => found.name === name),
    },
  });
  window.nhviz.sweeps.wire = {
    watch: (sweep, told) => { watched.push({ sweep, ...told }); return { stop() {}, end: () => Promise.resolve() }; },
    post: (path, { sweep }) => { cancelled.push([path, sweep.id]); return Promise.resolve({}); },
  };
  window.nhviz.say = { again() {} };
  window.stage = { one, all, watched, cancelled };
}"""


@pytest.fixture
def script(context):
    """Evaluate a function of (nhviz, stage, arguments) in a page with the scripts and nothing else."""
    page = context.new_page()
    for name in ("arrays", "sweep/tiles", "page/coming"):
        page.add_script_tag(content=(ROOT / "assets" / f"{name}.js").read_text())
    page.evaluate(STAGE)
    yield lambda text, *all_of: page.evaluate(f"all => ({text})(window.nhviz, window.stage, ...all)", list(all_of))
    page.close()


def record(name="first", columns=3, rows=None, into="z", scale=1.0):
    axes = {"x": {"count": columns}} | ({} if rows is None else {"y": {"count": rows}})
    return {"trace": 0, "into": into, "scale": scale, "sweep": {"id": name, **axes}}


SHOW = """(nhviz, stage, records, own, into) => {
  stage.all.length = 0;
  stage.all.push(stage.one("place", { data: [own === null ? {} : { [into]: own }] }, records));
  nhviz.coming.follow(false);
}"""
FILLED = """(nhviz, stage) => nhviz.coming.filled(stage.all[0]).map(({ values }) =>
  Array.from(values, (row) => (row.length === undefined ? row : Array.from(row))).flat()
    .map((value) => (Number.isFinite(value) ? value : null)))"""
HEAR = """(nhviz, stage, which, tiles, state) => stage.watched[which].heard(
  { state, done: tiles.reduce((sum, { values }) => sum + values.length, 0), of: 6, sentence: "", tiles })"""


def test_until_something_comes_a_trace_has_what_the_figure_has_or_gaps(script):
    script(SHOW, [record(rows=2)], None, "z")
    assert script(FILLED) == [[None] * 6]
    script(SHOW, [record(rows=2)], [[1, 2, 3], [4, 5, 6]], "z")
    assert script(FILLED) == [[1, 2, 3, 4, 5, 6]]


def test_values_come_by_tiles_times_their_scale_and_empty_cells_are_gaps(script):
    script(SHOW, [record(rows=2, scale=10.0)], [[1, 2, 3], [4, 5, 6]], "z")
    assert script(HEAR, 0, [{"number": 0, "values": [0.5, 1.5, None, 3.5, 4.5, 5.5]}], "done") == 6
    # JSON has no NaN: an answer has typed arrays; null is what becomes of it here.
    assert script(FILLED) == [[5, 15, 0, 35, 45, 55]]
    letters = base64.b64encode(np.array([0.5, np.nan, 2.5]).tobytes(), altchars=b"+_").decode()
    script(SHOW, [record("curve", into="y", scale=2.0)], [7, 8, 9], "y")
    heard = """(nhviz, stage, letters) => stage.watched[1].heard({ state: "done", done: 3, of: 3, sentence: "",
      tiles: [{ number: 0, values: { letters, dtype: "f8" } }] })"""
    assert script(heard, letters) == 3
    assert script(FILLED) == [[1, None, 5]]


def typed(*values):
    return {"letters": base64.b64encode(np.array(values).tobytes(), altchars=b"+_").decode(), "dtype": "f8"}


TOLD = """(nhviz, stage, text) => nhviz.coming.told(text, nhviz.coming.teller() || stage.all[0], "…")"""


def test_shares_of_values_are_told_by_the_weights_of_their_cells(script):
    weighted = record(rows=2) | {"weights": [typed(1.0, 0.5), typed(2.0, 1.0, 1.0)]}
    script(SHOW, [weighted], None, "z")
    text = "none {share 0}, two {share 2}, four {share 4}"
    assert script(TOLD, text) == "none …, two …, four …"
    tiles = [{"number": 0, "values": [0, 2, 2, 0, 0, 2]}]
    script(HEAR, 0, tiles, "done")
    # By hand: 0 weighs 2 + 1 + 0.5 of 6, 2 weighs 1 + 1 + 0.5.
    assert script(TOLD, text) == "none 58 %, two 42 %, four 0 %"
    assert script(TOLD, "no shares") == "no shares"


def test_small_shares_have_two_digits_once_all_has_come(script):
    weighted = record("fine", columns=4, rows=None) | {"weights": [typed(1.0), typed(0.5, 1.2, 98.3, 0.001)]}
    script(SHOW, [weighted], None, "z")
    script(HEAR, 0, [{"number": 0, "values": [6, 8, 2, 4]}], "done")
    assert script(TOLD, "{share 6}, {share 8}, {share 2}, {share 4}") == "0.5 %, 1.2 %, 98 %, < 0.01 %"


def test_what_has_come_is_said_of_the_cell_that_is_pointed_at(script):
    spoken = record(rows=2, scale=2.0) | {"words": "{value} rotations"}
    script(SHOW, [spoken], [[9, 9, 9], [9, 9, 9]], "z")
    texts = "(nhviz, stage) => nhviz.coming.filled(stage.all[0]).filter(({ into }) => into === 'text')[0].values"
    assert script(texts) == [["", "", ""], ["", "", ""]]
    script(HEAR, 0, [{"number": 0, "values": [0, 1, 2, 3, 1, 0]}], "done")
    assert script(texts) == [[f"{count} rotations" for count in row] for row in ((0, 2, 4), (6, 2, 0))]


def test_another_sweep_shows_the_last_picture_until_it_comes_and_the_former_one_is_cancelled(script):
    script(SHOW, [record("first", rows=2)], None, "z")
    script(FILLED)
    script(HEAR, 0, [{"number": 0, "values": [1, 2, 3, 4, 5, 6]}], "done")
    script(FILLED)
    change = """(nhviz, stage, records) => { stage.all[0].coming = records; nhviz.coming.follow(false); }"""
    script(change, [record("second", rows=2)])
    assert script("(nhviz, stage) => stage.cancelled") == []
    assert script(FILLED) == [[1, 2, 3, 4, 5, 6]]
    script(change, [record("third", rows=2)])
    assert script("(nhviz, stage) => stage.cancelled") == [["sweep/cancel", "second"]]
    script(change, [record("first", rows=2)])
    assert script("(nhviz, stage) => stage.watched.map(({ sweep }) => sweep.id)") == ["first", "second", "third"]
    assert script(FILLED) == [[1, 2, 3, 4, 5, 6]]


def test_a_moving_hand_begins_nothing_and_ends_what_it_leaves(script):
    script(SHOW, [record("first", rows=2)], None, "z")
    preview = "(nhviz, stage, records) => { stage.all[0].coming = records; nhviz.coming.follow(true); }"
    script(preview, [record("first", rows=2)])
    assert script("(nhviz, stage) => [stage.watched.length, stage.cancelled.length]") == [1, 0]
    script(preview, [record("second", rows=2)])
    assert script("(nhviz, stage) => [stage.watched.length, stage.cancelled]") == [1, [["sweep/cancel", "first"]]]


def test_what_is_out_of_sight_is_not_computed(script):
    script(SHOW, [record("first", rows=2)], None, "z")
    script("(nhviz, stage) => { stage.all[0].hidden = true; nhviz.coming.follow(false); }")
    assert script("(nhviz, stage) => stage.cancelled") == [["sweep/cancel", "first"]]
    assert not script("(nhviz) => nhviz.coming.isUnderWay()")


def test_a_table_of_products(script):
    def spec(values):
        letters = base64.b64encode(np.array(values, dtype="<f4").tobytes(), altchars=b"+_").decode()
        return {"dtype": "f4", "letters": letters}

    found = script("({ arrays }, stage, part) => arrays.unpacked(part).map((row) => Array.from(row))",
                   {"outer": [spec([2, 3]), spec([1, 0.5, -4])]})  # fmt: skip
    assert found == [[2, 1, -8], [3, 1.5, -12]]
