"""The page's scripts as functions of values, in a browser without a page: states, questions, the clock."""

import base64
import math

import numpy as np
import pytest

from tests.conftest import ROOT

pytestmark = pytest.mark.browser

FACTS = {
    "numbers": {
        "a": {"slider": [0, 1], "min": 0, "max": 10}, "n": {"slider": [2, 5], "min": 2, "max": 5, "whole": True},
        "x": {"slider": [0, 1]}, "y": {"slider": [0, 1]},
        "z": {"slider": [0, 1], "needs": ["n", 3]},
    },
    "variants": {"methods": ["exact", "cayley", "naive"]},
    "views": {"plane": {"start": ["x", "y"]}, "space": {"start": ["x", "y", "z"]}, "drift": {"start": []}},
    "places": {"plane": ["plane"], "detail": ["drift", "space"]},
    "uses": {"a": ["cayley", "naive"]},
}  # fmt: skip
STATE = {
    "lab": "l", "scene": "s", "numbers": {"a": 0.5, "n": 2, "x": 0.1, "y": 0.2, "z": 0.3}, "options": {"o": "p"},
    "variants": {"methods": ["exact"]}, "tabs": {"detail": "drift"}, "layout": "all",
}  # fmt: skip
FACTS["opening"] = STATE
FACTS["experiments"] = [
    {"state": STATE | {"tabs": {"detail": "space"}, "numbers": STATE["numbers"] | {"a": 0.9}}, "shows": shows}
    for shows in (False, True)
]


@pytest.fixture(scope="module")
def script(context):
    """Evaluate a function of (nhviz, arguments) in a page with the scripts that need none."""
    page = context.new_page()
    for name in ("arrays", "gate", "model", "page/arcs", "page/notes", "page/player", "page/sights", "page/spread"):
        page.add_script_tag(content=(ROOT / "assets" / f"{name}.js").read_text())
    yield lambda text, *all_of: page.evaluate(f"all => ({text})(window.nhviz, ...all)", list(all_of))
    page.close()


def after(script, event, state=STATE, errors=None):
    return script(
        "({ model }, now, facts, event) => model.after(now, facts, event)",
        {"state": state, "errors": errors or {}},
        FACTS,
        event,
    )


def test_an_event_changes_one_thing_and_leaves_the_old_state_alone(script):
    next_state = after(script, {"kind": "number", "word": "a", "value": 0.7})["state"]
    assert next_state == STATE | {"numbers": STATE["numbers"] | {"a": 0.7}}
    old = script(
        "({ model }, now, facts) => { model.after(now, facts, { kind: 'number', word: 'a', value: 9 }); return now; }",
        {"state": STATE, "errors": {}},
        FACTS,
    )
    assert old["state"] == STATE


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.25", 0.25), (" 1,5 ", 1.5), ("-3e-2", -0.03), ("pi/6", math.pi / 6.0), ("1/3", 1.0 / 3.0),
        ("π/2", math.pi / 2.0),
        ("2pi", 2.0 * math.pi), ("-2 pi / 3", -2.0 * math.pi / 3.0), ("sqrt(2)/2", math.sqrt(0.5)), ("2^-1", 0.5),
        ("-2^2", -4.0), ("30°", math.pi / 6.0), ("(1 + 2) * 3 - 1", 8.0), ("−1·2", -2.0), (".5", 0.5), ("1e-3/2", 5e-4),
        ("abc", None), ("", None), ("1e999", None), ("1/0", None), ("1 2", None), ("(1", None), ("1)", None),
        ("2 +", None),
        ("alert(1)", None), ("sqrt", None), ("1..2", None), ("1" + "+1" * 40, None), ("sqrt(0-1)", None),
    ],
)  # fmt: skip
def test_typed_text_is_a_number_or_a_sentence(script, text, value):
    found = after(script, {"kind": "text", "word": "a", "text": text}, errors={"a": "old", "n": "stays"})
    assert found["state"]["numbers"]["a"] == (0.5 if value is None else pytest.approx(value, rel=1e-15))
    assert found["errors"]["n"] == "stays"
    assert ("a must be a number" in found["errors"].get("a", "")) == (value is None)


def test_variants_keep_the_order_of_the_lab(script):
    state = STATE | {"variants": {"methods": ["naive"]}}
    found = after(script, {"kind": "variant", "word": "methods", "name": "exact"}, state)["state"]
    assert found["variants"] == {"methods": ["exact", "naive"]}
    found = after(script, {"kind": "variant", "word": "methods", "name": "naive"}, found)["state"]
    assert found["variants"] == {"methods": ["exact"]}
    assert after(script, {"kind": "variant", "word": "methods", "name": "exact"}, found)["state"]["variants"] == {
        "methods": []
    }


def test_a_place_is_enlarged_and_all_is_as_before(script):
    for home in ("all", "focus.detail", "focus.plane"):
        events = [{"kind": "enlarge", "place": place} for place in ("detail", "plane", "plane")]
        found = script(
            """({ model }, now, facts, events) => {
              const layouts = [];
              events.forEach((event) => { now = model.after(now, facts, event); layouts.push(now.state.layout); });
              return layouts;
            }""",
            {"state": STATE | {"layout": home}, "errors": {}},
            FACTS,
            events,
        )
        assert found == ["detail", "plane", home]


def test_three_layouts_keep_the_place_that_is_large(script):
    layouts = {}
    for before in ("all", "focus.detail", "detail"):
        for name in ("all", "focus", "single"):
            state = STATE | {"layout": before}
            layouts[before, name] = after(script, {"kind": "layout", "name": name}, state)["state"]["layout"]
    assert layouts == {
        ("all", "all"): "all", ("all", "focus"): "focus.plane", ("all", "single"): "plane",
        ("focus.detail", "all"): "all", ("focus.detail", "focus"): "focus.detail", ("focus.detail", "single"): "detail",
        ("detail", "all"): "all", ("detail", "focus"): "focus.detail", ("detail", "single"): "detail",
    }  # fmt: skip


def test_a_gain_is_heard_while_a_method_with_gains_runs(script):
    heard = "({ model }, state, facts, word) => model.isHeard(state, facts, word)"
    assert not script(heard, STATE, FACTS, "a")
    assert script(heard, STATE | {"variants": {"methods": ["exact", "naive"]}}, FACTS, "a")
    assert script(heard, STATE, FACTS, "x")


def test_momenta_have_the_energy_and_the_direction_that_were_asked_for(script):
    form, (p, q) = (0.7, -0.2, 1.9), (0.4, -1.5)
    found = script("({ model }, form, at) => model.energyAndAngle(form, at)", form, [p, q])
    assert found["energy"] == pytest.approx(0.5 * (0.7 * p * p - 0.4 * p * q + 1.9 * q * q), rel=1e-14)
    assert found["angle"] == pytest.approx(math.degrees(math.atan2(q, p)), rel=1e-14)
    back = script("({ model }, form, wanted) => model.momenta(form, wanted)", form, found)
    assert back == pytest.approx([p, q], rel=1e-7)
    for energy, angle in ((2.5, 30.0), (0.01, -179.5), (900.0, 90.0)):
        momenta = script(
            "({ model }, form, wanted) => model.momenta(form, wanted)", form, {"energy": energy, "angle": angle}
        )
        again = script("({ model }, form, at) => model.energyAndAngle(form, at)", form, momenta)
        assert again["energy"] == pytest.approx(energy, rel=1e-6)
        assert again["angle"] == pytest.approx(angle, abs=1e-5)


def test_momenta_of_velocities_and_back(script):
    """K = diagonal * v - less <v, n> n, and what it comes from, also where less is nearly all of the diagonal."""
    velocities, along = np.array([0.2, -0.6, 1.2]), np.array([3.0, -2.0, 1.0])
    n = along / np.linalg.norm(along)
    for less in (0.0, 1.3, 1e7):
        diagonal = less + np.array([0.95, 0.79, 0.24])
        expected = diagonal * velocities - less * (velocities @ n) * n
        form = {"diagonal": diagonal.tolist(), "less": less}
        momenta = "({ model }, form, v, along) => model.momentaOf(form, v, along)"
        found = script(momenta, form, velocities.tolist(), along.tolist())
        assert found == pytest.approx(expected.tolist(), rel=1e-12, abs=1e-15 * (1.0 + less))
        back = "({ model }, form, k, along) => model.velocitiesOf(form, k, along)"
        # Twelve digits are kept; round-off of the momenta counts by less over the least moment.
        again = script(back, form, found, along.tolist())
        assert again == pytest.approx(velocities.tolist(), rel=1e-11, abs=4e-16 * (1.0 + less) / 0.24)
        assert script(momenta, form, velocities.tolist(), [0, 0, 0]) is None
        assert script(back, form, velocities.tolist(), [0, 0, 0]) is None


def test_velocities_out_of_range_are_told_in_one_sentence(script):
    facts = {"numbers": {"u": {"min": -1, "max": 1}, "v": {"min": -2, "max": 2}}, "momenta": {}}
    ask = "({ model }, facts, values) => model.outOfRange(facts, ['u', 'v'], values)"
    assert script(ask, facts, [0.5, -2]) == ""
    assert script(ask, facts, [0.5, -2.5]) == "This momentum asks for v = −2.5, which is not between −2 and 2."


def test_sliders_stand_on_round_numbers(script):
    grid = "({ model }, values, facts) => values.map((value) => model.onGrid(value, facts))"
    assert script(grid, [0.12345, 0.7, -3, 7], FACTS["numbers"]["a"]) == [0.124, 0.7, 0, 1]
    assert script(grid, [2.4, 2.6, 9], FACTS["numbers"]["n"]) == [2, 3, 5]
    below = "({ model }, values) => values.map(model.roundBelow)"
    assert script(below, [0.0031, 0.99, 1, 19, 55]) == pytest.approx([0.002, 0.5, 1, 10, 50])


def test_numbers_are_short_for_people(script):
    brief = "({ model }, values) => values.map(model.brief)"
    assert script(brief, [0, 0.0150001, -99.38251558, 2e-6, 123456.7, -3.2e8]) == [
        "0", "0.015", "−99.38", "2e−6", "123500", "−3.2e8",
    ]  # fmt: skip


def test_an_experiment_keeps_what_is_shown_unless_it_says_what_to_show(script):
    state = STATE | {"layout": "detail"}
    quiet, showing = (after(script, {"kind": "experiment", "number": i}, state)["state"] for i in (0, 1))
    assert quiet["numbers"]["a"] == showing["numbers"]["a"] == 0.9
    assert (quiet["tabs"], quiet["layout"]) == ({"detail": "drift"}, "detail")
    assert (showing["tabs"], showing["layout"]) == ({"detail": "space"}, "all")


def test_a_start_sets_numbers_and_options_and_its_problem_goes_with_the_next_event(script):
    found = after(script, {"kind": "start", "values": {"x": 7.0, "o": "q", "unknown": 1}})
    assert (found["state"]["numbers"]["x"], found["state"]["options"]["o"]) == (7.0, "q")
    assert "unknown" not in found["state"]["numbers"]
    outside = after(script, {"kind": "start", "values": {}, "problem": "outside"})
    assert outside["errors"] == {"click": "outside"}
    assert after(script, {"kind": "tab", "place": "detail", "view": "space"}, errors=outside["errors"])["errors"] == {}


def test_where_a_click_starts(script):
    start = "({ model }, state, facts, view, place) => model.startAt(state, facts, view, place)"
    deep = STATE | {"numbers": STATE["numbers"] | {"n": 3}}
    assert script(start, STATE, FACTS, "plane", [0.123456789, 2]) == {"x": 0.123457, "y": 2}
    assert script(start, STATE, FACTS, "drift", [1, 2]) is None
    assert script(start, deep, FACTS, "space", [1, 2, 3]) == {"x": 1, "y": 2, "z": 3}
    assert script(start, STATE, FACTS, "space", [1, 2]) == {"x": 1, "y": 2}
    assert script(start, STATE, FACTS, "space", [1, 2, 3]) is None


def test_only_another_tab_is_painted_again(script):
    places = "({ model }, before, next) => model.placesToPaint(before, next)"
    other = STATE | {"tabs": {"detail": "space"}}
    assert script(places, STATE, other) == ["detail"]
    assert script(places, STATE, STATE) == []
    assert script(places, STATE, other | {"layout": "detail"}) is None
    assert script(places, None, other) is None


GATE = """({ gate }, events) => {
  const sent = []; let now = 0;
  const made = gate((question) => sent.push(question.name), () => now);
  events.forEach(([kind, value, preview]) => {
    if (kind === "wait") now += value;
    else if (kind === "answer") made.answered();
    else made.ask({ name: value, preview });
  });
  return sent;
}"""


def test_while_a_hand_drags_one_question_is_under_way_and_the_newest_wins(script):
    drag = [["ask", i, True] for i in range(60)]
    assert script(GATE, drag) == [0]
    assert script(GATE, [*drag, ["answer"]]) == [0, 59]
    assert script(GATE, [*drag, ["answer"], ["answer"]]) == [0, 59]
    assert script(GATE, [*drag, ["ask", "rest", False], ["answer"]]) == [0, "rest"]
    assert script(GATE, [["ask", 0, True], ["answer"], ["ask", 1, True]]) == [0, 1]


def test_a_lost_answer_is_not_waited_for(script):
    assert script(GATE, [["ask", 0, True], ["wait", 1000], ["ask", 1, True], ["wait", 1500], ["ask", 2, True]]) == [
        0,
        2,
    ]


def test_the_instant_of_a_time(script):
    t = (0.1 * np.arange(8)).astype("<f4")
    at = "({ player }, track, times) => times.map((time) => player.indexAt(Float32Array.from(track), time))"
    assert script(at, t.tolist(), [-1.0, 0.0, 0.05, 0.1, 0.3, 0.69999, 5.0]) == [0, 0, 0, 1, 3, 6, 7]
    assert script(at, t.tolist(), t.tolist()) == list(range(8))
    assert script("({ player }, tracks) => player.longest(tracks)", {"b": [0, 2], "a": [0, 3], "c": [0, 3]}) == "a"


def test_a_body_is_put_where_its_pose_says(script):
    random = np.random.default_rng(5)
    shape, rotations, translations = (random.normal(size=size).astype("<f4") for size in ((4, 3), (6, 2, 3), (6, 2)))

    def spec(values):
        return {"letters": base64.b64encode(np.ascontiguousarray(values).tobytes(), altchars=b"+_").decode()}

    body = {
        "trace": 0, "track": "k", "dimension": 2, "columns": 3, "shape": spec(shape), "rotations": spec(rotations),
        "translations": spec(translations),
    }  # fmt: skip
    other = {"trace": 1, "track": "k", "like": 0, "shape": spec(2.0 * shape)}
    place = "({ player }, cursors, which, i) => player.place(player.prepare(cursors)[which], i)"
    for i in (0, 3, 5, 9):
        pose = min(i, 5)
        wanted = shape @ rotations[pose].T + translations[pose]
        assert np.allclose(np.array(script(place, [body, other], 0, i)).T, wanted, atol=1e-6)
        wanted = 2.0 * shape @ rotations[pose].T + translations[pose]
        assert np.allclose(np.array(script(place, [body, other], 1, i)).T, wanted, atol=1e-6)


def test_an_arc_reaches_from_the_flow_to_the_map_and_its_words_say_how_far(script):
    at, turn = np.array([0.3, 2.2, -1.1, 0.1], dtype="<f4"), np.array([0.0, 0.316, -1.2, 0.3], dtype="<f4")
    outside = np.array([[1.3, 0.4], [-0.2, 0.7]])

    def spec(values):
        return {"letters": base64.b64encode(values.tobytes(), altchars=b"+_").decode()}

    lead = {"at": spec(at), "turn": spec(turn), "sense": -1, "outside": outside.ravel().tolist(), "points": 5}
    cursors = [
        {"trace": 0, "track": "k", "words": False, "arc": lead},
        {"trace": 1, "track": "k", "words": True, "like": 0},
    ]
    place = "({ player }, cursors, which, i) => player.place(player.prepare(cursors)[which], i)"
    said = "({ player, arcs }, cursors, i) => arcs.said(player.prepare(cursors)[1], i)"
    for i in range(4):
        angles = np.linspace(at[i] - turn[i], at[i], 5)
        assert np.allclose(script(place, cursors, 0, i), outside @ [np.cos(angles), np.sin(angles)], atol=1e-6)
        angle = at[i] - 0.2 * turn[i]
        wanted = 1.05 * outside @ [np.cos(angle), np.sin(angle)]
        assert np.allclose(np.ravel(script(place, cursors, 1, i)), wanted, atol=1e-6)
    words = [script(said, cursors, i) for i in range(4)]
    assert [one["text"] for one in words] == [[""], ["lags 0.32 rad"], ["leads 1.20 rad"], ["lags 0.30 rad"]]
    sides = [one["textposition"] for one in words]
    assert sides == [["middle right"], ["middle left"], ["middle right"], ["middle right"]]
    assert script(
        "({ arcs }, arc) => arcs.said({ words: true, arc }, 0).textposition", lead | {"at": [1.5], "turn": [0.0]}
    ) == ["top center"]
    assert script("({ arcs }, arc) => arcs.said({ words: false, arc }, 0)", lead | {"at": [1.5], "turn": [0.0]}) == {}


def test_words_stand_where_nothing_is_drawn_and_apart(script):
    """Two lines cross a room; what is left of them, above and below, has room for three labels each."""
    room = {"left": 10, "top": 20, "right": 410, "bottom": 220}
    lines = [[[0, 120], [500, 120]], [[210, 0], [210, 300]]]
    label = {"width": 100, "height": 30, "at": [[200, 100], [220, 130]]}
    found = script("({ spread }, ...all) => spread.arrange(...all)", [label] * 5, lines, room)
    boxes = [(x - 50.0, y - 15.0, x + 50.0, y + 15.0) for x, y in found]
    for number, (left, top, right, bottom) in enumerate(boxes):
        assert left >= 10
        assert top >= 20
        assert right <= 410
        assert bottom <= 220
        assert not top < 120 < bottom
        assert not left < 210 < right
        assert all(left > c or right < a or top > d or bottom < b for a, b, c, d in boxes[:number])
    # The first is as near as it can be, to within the cells of its sheet.
    assert math.hypot(found[0][0] - 220.0, found[0][1] - 130.0) < math.hypot(50.0 + 20.0, 15.0 + 20.0) + 10.0


def test_words_without_room_cover_as_little_as_can_be(script):
    room = {"left": 0, "top": 0, "right": 200, "bottom": 100}
    lines = [[[0, y], [200, y]] for y in range(0, 70, 5)]
    label = {"width": 80, "height": 60, "at": [[20, 10]]}
    ((_, y),) = script("({ spread }, ...all) => spread.arrange(...all)", [label], lines, room)
    assert y > 55


@pytest.mark.parametrize(
    ("end", "crossed"), [([10, 0], True), ([10, 9], False), ([4, 0], False), ([10, -1], True), ([0, 5], False)]
)
def test_a_line_crosses_a_box(script, end, crossed):
    box = {"left": 5, "top": -1, "right": 8, "bottom": 1}
    assert script("({ spread }, ...all) => spread.crosses(...all)", [0, 0], end, box) is crossed


def test_a_plane_of_one_scale_shows_more_of_one_axis(script):
    layout = {
        "width": 460, "height": 230, "margin": {"l": 40, "r": 20, "t": 10, "b": 20},
        "xaxis": {"range": [0, 4]}, "yaxis": {"range": [-1, 3], "scaleanchor": "x"},
    }  # fmt: skip
    pixel = "({ sights }, layout, at) => sights.plane(layout).pixel(at)"
    # 400 by 200 pixels for 4 by 4: the scale is 50 along both, about the middle.
    assert script(pixel, layout, [2, 1]) == [240, 110]
    assert script(pixel, layout, [3, 2]) == [290, 60]
    back = script("({ sights }, layout, at) => sights.plane(layout).place(at)", layout, [290, 60])
    assert back == pytest.approx([3.0, 2.0])
    layout["yaxis"].pop("scaleanchor")
    assert script(pixel, layout, [3, 2]) == [340, 60]
