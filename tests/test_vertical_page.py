"""The ball with vertical momentum in a real browser: views drawn, clicked and played, gauges, presets, refusals."""

from itertools import pairwise

import numpy as np
import pytest

from nhviz.analysis import vertical

pytestmark = pytest.mark.browser

STRANGE = {"J1": 0.01, "J2": 0.2, "J3": 1.0, "m": 0.2}
VIEWS = ("staircase", "cobweb", "increments", "densities")
TABS = (("increments", "equations"), ("densities", "drift"), ("densities", "series"), ("increments", "python"))
EDGES = (0.61453674, 0.61464526)


@pytest.fixture
def ball(opened, address):
    opened.page.bring_to_front()
    opened.page.goto(f"{address}/sphere?scene=vertical")
    opened.ready()
    return opened


def number(ball, word):
    return ball.state()["numbers"][word]


def filled(ball, name="staircase", axis="x"):
    """Wait until all heights of a curve have come; the curve."""
    ball.page.wait_for_function(
        """name => { const data = window.probe.data("staircase").find((trace) => trace.name === name);
        return data && Array.from(data.y).filter(Number.isFinite).length > 0.9 * data.y.length
            && !document.querySelector(".view-staircase .note").textContent.includes("computing"); }""",
        arg=name,
        timeout=120_000,
    )
    return ball.trace("staircase", name, axis)


def test_every_view_is_drawn(ball):
    ball.check_drawn(*VIEWS)
    ball.check_covered("globe")
    for place, tab in TABS:
        ball.page.locator(f".view-{place} .tabs [data-tab='{tab}']").click()
        ball.settle()
    assert "sphere_vertical" in ball.page.inner_text(".view-increments > div.text")
    assert not [line for line in ball.said if line.startswith("error")]


def test_heights_come_and_are_rotation_numbers(ball):
    curve = filled(ball)
    for i in (30, 120, 200):
        truth = -2.0 * vertical.vertical_map(STRANGE, float(curve["x"][i]), 1.149).rotation().value
        assert curve["y"][i] == pytest.approx(truth, abs=1e-6)


def test_a_click_on_a_name_zooms_to_its_plateau_whose_edges_are_found(ball):
    """From the whole staircase to the plateau: the numbers on the screen have the edges of the third."""
    filled(ball)
    left, top = ball.page.evaluate("() => window.probe.pixel('staircase', 0.585, 1 / 3)")
    ball.page.mouse.click(left, top)
    ball.page.wait_for_function("() => window.nhviz.page.state.now.state.options['staircase.part'] === 'plateau'")
    ball.settle()
    assert EDGES[0] < number(ball, "h") < EDGES[1]
    curve = filled(ball, "enlarged")
    locked = curve["x"][np.abs(curve["y"] - 1.0 / 3.0) < 1e-9]
    cell = curve["x"][1] - curve["x"][0]
    assert (locked.min(), locked.max()) == pytest.approx(EDGES, abs=cell)
    words = ball.page.locator(".view-staircase .annotation-text").all_text_contents()
    assert {f"{edge:.8f}" for edge in EDGES} <= set(words)


def test_clicks_set_the_momentum_and_the_place(ball):
    left, top = ball.page.evaluate("() => window.probe.pixel('staircase', 0.42, 0.02)")
    ball.page.mouse.click(left, top)
    ball.page.wait_for_function("() => Math.abs(window.nhviz.page.state.now.state.numbers.h - 0.42) < 0.01")
    ball.settle()
    assert "is not locked" in ball.page.inner_text(".insight")
    left, top = ball.page.evaluate("() => window.probe.pixel('cobweb', 0.7, 0.1)")
    ball.page.mouse.click(left, top)
    ball.page.wait_for_function("() => Math.abs(window.nhviz.page.state.now.state.numbers.u - 0.7) < 0.02")
    ball.settle()
    assert "u=0.7" in ball.page.url or "u=0.69" in ball.page.url


def test_the_cycle_of_the_preset_repeats_after_three_steps_on_the_screen(ball):
    ball.page.locator(".tries button", has_text="Locked at 1/3").click()
    ball.settle()
    places = []
    ball.seek(0)
    for step in range(7):
        head = next(trace for trace in ball.data("cobweb") if len(trace["x"]) == 1 and trace["track"] == "fedorov")
        places.append((float(head["x"][0]), float(head["y"][0])))
        assert ball.time() == step
        ball.page.keyboard.press("ArrowRight")
        ball.settle()
    assert np.allclose(places[3:], places[:4], atol=1e-6)
    assert np.abs(np.subtract(places[1], places[0])).max() > 0.2


def test_it_plays(ball):
    ball.page.keyboard.press("Space")
    ball.page.wait_for_function("() => window.nhviz.player.state().index > 8")
    ball.page.keyboard.press("Space")
    ball.settle()
    web = ball.trace("cobweb", "Fedorov")
    assert len(web["x"]) > 16


def test_gauges_have_the_fold_the_plateaus_and_the_intervals(ball):
    momentum, level = ball.gauge("h"), ball.gauge("level")
    assert momentum.locator(".place").all_inner_texts() == ["1/3", "1/4", "1/5"]
    assert momentum.locator(".share").inner_text() == "99 % of the largest"
    assert level.locator(".share").inner_text() == "round the third axis"
    track = level.locator(".gauge").bounding_box()
    told = ball.page.evaluate("() => window.nhviz.page.state.gauges.level")
    spans = [one.bounding_box() for one in level.locator(".open").all()]
    for (low, high), box in zip(told["intervals"], spans, strict=True):
        share = [(edge - told["begin"]) / (told["end"] - told["begin"]) for edge in (low, high)]
        assert box["x"] - track["x"] == pytest.approx(share[0] * track["width"], abs=1.5)
        assert box["x"] + box["width"] - track["x"] == pytest.approx(share[1] * track["width"], abs=2.5)
    # Every end of an interval is told, also where two are near each other.
    ends = {f"{edge:.3g}": edge for span in told["intervals"] for edge in span}
    scale = {mark.inner_text(): mark.bounding_box() for mark in level.locator(".scale span").all()}
    assert list(ends) == ["0.714", "0.826", "2.44"]
    for text, edge in ends.items():
        place = track["x"] + track["width"] * (edge - told["begin"]) / (told["end"] - told["begin"])
        assert abs(scale[text]["x"] + 0.5 * scale[text]["width"] - place) < 0.5 * scale[text]["width"]
    boxes = sorted((box["x"], box["x"] + box["width"]) for box in scale.values())
    assert all(first[1] + 2.0 < second[0] for first, second in pairwise(boxes))


def test_the_level_is_dragged_and_refused_outside_its_intervals(ball):
    reach = ball.gauge("level").locator(".reach")
    box = reach.bounding_box()
    told = ball.page.evaluate("() => window.nhviz.page.state.gauges.level")
    span = told["end"] - told["begin"]
    ball.page.mouse.click(box["x"] + box["width"] * (0.76 - told["begin"]) / span, box["y"] + box["height"] / 2)
    ball.settle()
    assert number(ball, "level") == pytest.approx(0.76, abs=0.03)
    assert ball.gauge("level").locator(".share").inner_text() == "round the first axis"
    ball.gauge("level").locator(".number").click()
    ball.page.keyboard.press("Control+A")
    ball.page.keyboard.type("3")
    ball.page.keyboard.press("Enter")
    ball.settle()
    told = ball.gauge("level").locator(".message").inner_text()
    assert "between 0.826446281 and 2.43902439 or between 0.714285714 and 0.826446281" in told


def test_no_momentum_is_refused_and_beyond_the_fold_is_told(ball):
    box = ball.gauge("h").locator(".number")
    for text, words in (("0", "h must not be 0"), ("-1", "h must be between 0 and 1000")):
        box.click()
        ball.page.keyboard.press("Control+A")
        ball.page.keyboard.type(text)
        ball.page.keyboard.press("Enter")
        ball.settle()
        assert words in ball.gauge("h").locator(".message").inner_text()
    box.click()
    ball.page.keyboard.press("Control+A")
    ball.page.keyboard.type("0.65")
    ball.page.keyboard.press("Enter")
    ball.settle()
    assert "beyond the fold" in ball.gauge("h").locator(".share").inner_text()
    assert "h is past its fold at 0.6194" in ball.page.inner_text(".insight")
    ball.page.locator(".note button", has_text="Use h = 0.619").first.click()
    ball.settle()
    assert number(ball, "h") == 0.619
    assert "past" not in ball.page.inner_text(".insight")


def test_presets_lead_to_what_is_to_be_noticed(ball):
    ball.page.locator(".tries button", has_text="Just outside").click()
    ball.settle()
    assert "is not locked" in ball.page.inner_text(".insight")
    ball.page.locator(".tries button", has_text="Can a real ball lock?").click()
    ball.settle()
    assert "4-cycle" in ball.page.inner_text(".insight")
    assert "Mathematical" not in ball.page.inner_text(".side")
    ball.page.locator(".tries button", has_text="Locked at 1/3").click()
    ball.settle()
    assert "Mathematical, not a real ball" in ball.page.inner_text(".remarks")


def test_presenter(ball):
    ball.page.keyboard.press("p")
    ball.settle()
    assert ball.page.locator(".dock [data-gauge='h'] .place").first.is_visible()
    ball.page.keyboard.press("Escape")
    ball.settle()
