"""Controls in a real browser: numbers dragged and typed, energy and direction, groups, the gauge, chips."""

import math

import numpy as np
import pytest

import nhviz
from nhviz.analysis.steps import largest_step
from tests.page import identity

pytestmark = pytest.mark.browser

MOMENTA = {"sleigh": ("p_theta", "p_1"), "suslov": ("M1", "M2")}


def numbers(page):
    return page.state()["numbers"]


def facts(page, word):
    return page.page.evaluate("word => window.nhviz.page.state.facts.numbers[word]", word)


def values(page, system, part):
    """The parameters or initial values of a system that the page shows."""
    return {name: numbers(page)[name] for name in nhviz.describe(system)[part]}


def drag_number(page, name, pixels, shift=False):
    """Drag a number sideways."""
    page.uncover(name)
    page.box(name).scroll_into_view_if_needed()
    box = page.box(name).bounding_box()
    left, top = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.page.mouse.move(left, top)
    if shift:
        page.page.keyboard.down("Shift")
    page.page.mouse.down()
    page.page.mouse.move(left + pixels, top, steps=6)
    page.page.mouse.up()
    if shift:
        page.page.keyboard.up("Shift")
    page.settle()


def test_a_number_is_dragged_sideways_and_ten_times_finer_with_shift(lab):
    page = lab("sleigh")
    low, high = facts(page, "a")["slider"]
    unit, before = (high - low) / 400.0, page.number("a")
    drag_number(page, "a", -40)
    assert page.number("a") == pytest.approx(before - 40.0 * unit, rel=1e-5)
    run = nhviz.simulate("sleigh", "exact", values(page, "sleigh", "parameters"))
    assert page.trace("motion", "exact")["x"][-1] == pytest.approx(run["x"][-1], abs=1e-5)
    before = page.number("a")
    drag_number(page, "a", -40, shift=True)
    assert page.number("a") == pytest.approx(before - 4.0 * unit, rel=1e-5)
    assert f"a={page.number('a'):g}" in page.page.url


def test_a_click_in_a_number_is_for_typing_and_changes_nothing(lab):
    page = lab("sleigh")
    before = page.state()
    page.uncover("a")
    page.box("a").click()
    assert page.page.evaluate("() => document.activeElement.id") == identity("box", name="a")[5:-2]
    page.page.keyboard.press("Escape")
    assert page.state() == before
    assert page.updates() == []


@pytest.mark.parametrize(("text", "value"), [("pi/6", math.pi / 6.0), ("1/3", 1.0 / 3.0), ("0.25", 0.25)])
def test_a_number_is_typed_also_as_a_formula(lab, text, value):
    page = lab("sleigh")
    for name in ("theta", "a"):
        page.enter(name, text)
        assert numbers(page)[name] == pytest.approx(value, rel=1e-14)
        assert page.message(name) == ""
    run = nhviz.simulate("sleigh", "exact", {"a": value}, {"theta": value})
    path = page.trace("motion", "exact")
    assert (path["x"][-1], path["y"][-1]) == pytest.approx((run["x"][-1], run["y"][-1]), abs=1e-5)


def test_what_is_typed_replaces_the_number_that_tab_has_reached(lab):
    """The number is shown short and typed in full: its digits must not stay before those that are typed."""
    page = lab("suslov")
    page.page.locator("[data-coordinates='momenta']").click()
    page.knob("M1").focus()
    page.page.keyboard.press("Tab")
    page.page.keyboard.type("40")
    page.page.keyboard.press("Enter")
    page.settle()
    assert page.number("M1") == 40.0


def test_arrow_keys_in_a_number_are_small_steps(lab):
    page = lab("sleigh")
    low, high = facts(page, "a")["slider"]
    unit, before = (high - low) / 400.0, page.number("a")
    page.box("a").focus()
    page.page.keyboard.press("ArrowUp")
    page.page.keyboard.press("Shift+ArrowUp")
    page.settle()
    assert page.number("a") == pytest.approx(before + 1.1 * unit, rel=1e-5)


def derived(page, kind):
    """The number of a row that follows from the momenta."""
    return page.page.locator(f".control[data-derived='{kind}'] .number")


def set_derived(page, kind, text):
    derived(page, kind).fill(text)
    derived(page, kind).press("Enter")
    page.settle()


@pytest.mark.parametrize("system", MOMENTA)
def test_energy_and_direction_set_the_momenta(lab, system):
    page = lab(f"{system}?b=0.3" if system == "sleigh" else system)

    def energy():
        run = nhviz.simulate(
            system, "exact", values(page, system, "parameters"), values(page, system, "initial"),
            step=0.01, duration=0.01,
        )  # fmt: skip
        return run.quantity("energy")[0]

    def angle():
        first, second = (numbers(page)[name] for name in MOMENTA[system])
        return math.degrees(math.atan2(second, first))

    direction, wanted = angle(), 0.4 * energy()
    set_derived(page, "energy", f"{wanted:.6g}")
    assert energy() == pytest.approx(float(f"{wanted:.6g}"), rel=1e-6)
    assert angle() == pytest.approx(direction, abs=1e-5)
    set_derived(page, "angle", "30")
    assert angle() == pytest.approx(30.0, abs=1e-5)
    assert energy() == pytest.approx(float(f"{wanted:.6g}"), rel=1e-6)
    start = page.trace("plane", "exact")
    names = MOMENTA[system]
    assert (start["x"][0], start["y"][0]) == pytest.approx(tuple(numbers(page)[name] for name in names), rel=1e-5)
    assert all(f"{name}=" in page.page.url for name in names)


def test_coordinates_of_the_start_are_switched(lab):
    page = lab("sleigh")
    assert derived(page, "energy").is_visible()
    assert not page.box("p_theta").is_visible()
    page.page.locator("[data-coordinates='momenta']").click()
    assert page.box("p_theta").is_visible()
    assert page.box("p_1").is_visible()
    assert not derived(page, "energy").is_visible()
    page.page.locator("[data-coordinates='energy']").click()
    assert derived(page, "angle").is_visible()
    assert page.updates() == []


def test_groups_fold(lab):
    page = lab("sleigh")
    body = page.page.locator("details.group", has=page.page.locator("[data-word='a']"))
    assert page.box("a").is_visible()
    body.locator("summary").click()
    assert not page.box("a").is_visible()
    body.locator("summary").click()
    assert page.box("a").is_visible()
    place = page.page.locator("details.group", has=page.page.locator("[data-word='theta']"))
    assert not page.box("theta").is_visible()
    place.locator("summary").click()
    assert page.box("theta").is_visible()


def test_what_no_chosen_variant_listens_to_is_hidden(lab):
    page = lab("sleigh")
    gains = page.page.locator("details.group", has=page.page.locator("[data-word='k1']"))
    assert not gains.is_visible()
    page.toggle("feedback")
    assert gains.is_visible()
    gains.locator("summary").click()
    assert page.box("k1").is_visible()
    page.toggle("feedback")
    assert not gains.is_visible()


def test_the_gauge_ends_lanes_at_the_largest_steps(lab):
    page = lab("sleigh?b=0.3&methods=exact.fedorov_zenkov.naive")
    params, initial = values(page, "sleigh", "parameters"), values(page, "sleigh", "initial")
    told = page.page.evaluate("() => window.nhviz.page.state.gauges.step")
    lanes = page.gauge().locator(".lane").evaluate_all("all => all.map((one) => one.style.getPropertyValue('--fold'))")
    ends = {lane["key"]: lane["bound"] for lane in told["lanes"]}
    assert list(ends) == ["fedorov_zenkov", "naive"]
    for (key, bound), fold in zip(ends.items(), lanes, strict=True):
        assert bound == largest_step("sleigh", key, params, initial)
        shown = 100.0 if bound is None else min(100.0, 100.0 * bound / told["end"])
        assert float(fold.rstrip("%")) == pytest.approx(shown, rel=1e-9)
    track = page.gauge().locator(".gauge").bounding_box()
    marks = [mark.bounding_box() for mark in page.gauge().locator(".fold").all()]
    bounds = [bound for bound in ends.values() if bound is not None]
    for mark, bound in zip(marks, bounds, strict=True):
        place = track["x"] + track["width"] * bound / told["end"]
        assert mark["x"] + mark["width"] / 2 == pytest.approx(place, abs=2.0)


def test_the_gauge_moves_the_step_and_goes_beyond_the_fold(lab):
    page = lab("suslov")
    reach = page.gauge().locator(".reach")
    end = page.page.evaluate("() => window.nhviz.page.state.gauges.step.end")
    track = reach.bounding_box()
    middle = track["y"] + track["height"] / 2
    page.page.mouse.move(track["x"] + 0.2 * track["width"], middle)
    page.page.mouse.down()
    page.page.mouse.move(track["x"] + 0.95 * track["width"], middle, steps=6)
    page.page.mouse.up()
    page.settle()
    largest = largest_step("suslov", "moser_veselov")
    assert largest < page.number("step") <= end
    assert page.number("step") == pytest.approx(0.95 * end, rel=0.05)
    beyond = 100.0 * (page.number("step") / largest - 1.0)
    assert page.gauge().locator(".share").inner_text() == f"{round(beyond)} % beyond the fold"
    assert page.page.locator(".views.stale").count() == 0


def test_beyond_the_fold_the_button_sets_a_step_with_which_the_run_completes(lab):
    page = lab("suslov?step=0.034")
    assert nhviz.simulate("suslov", "moser_veselov", step=0.034).stopped
    assert page.chip("moser_veselov").locator("small").inner_text() == "stopped"
    assert page.chip("cayley").locator("small").inner_text() != "stopped"
    assert page.page.locator(".chip.stopped").count() == 1
    page.page.locator(".note button").click()
    page.settle()
    step = page.number("step")
    assert 0.99 * largest_step("suslov", "moser_veselov") < step <= largest_step("suslov", "moser_veselov")
    assert nhviz.simulate("suslov", "moser_veselov", step=step).stopped is None
    assert page.note() == ""
    assert page.page.locator(".chip.stopped").count() == 0
    assert not [trace for trace in page.data("plane") if trace["name"] == "stopped"]


def test_chips_switch_runs(lab):
    page = lab("suslov")
    runs = {trace["run"] for trace in page.data("plane")} - {""}
    assert runs == {"exact", "moser_veselov", "cayley"}
    page.toggle("cayley")
    assert page.chip("cayley").get_attribute("aria-pressed") == "false"
    assert {trace["track"] for trace in page.data("plane")} - {""} == {"exact", "moser_veselov"}
    page.toggle("reference")
    assert page.chip("reference").get_attribute("aria-pressed") == "true"
    assert {trace["run"] for trace in page.data("plane")} - {""} == {"exact", "moser_veselov", "reference"}
    assert page.page.url.endswith("methods=exact.reference.moser_veselov")


def test_hovering_a_chip_brings_its_runs_to_the_front(lab):
    page = lab("suslov")
    page.chip("cayley").hover()
    page.page.wait_for_function("() => window.probe.data('plane').some(({ opacity }) => opacity < 0.5)")
    for view in ("plane", "detail"):
        faded = {trace["track"]: trace["opacity"] for trace in page.data(view) if trace["track"]}
        assert faded["cayley"] == 1.0
        assert max(faded["exact"], faded["moser_veselov"]) < 0.3
        assert all(
            trace["opacity"] == 1.0 for trace in page.data(view) if not trace["track"] and trace["name"] != "levels"
        )
    page.page.mouse.move(5, 400)
    page.page.wait_for_function("() => window.probe.data('plane').every(({ opacity }) => opacity > 0.5)")
    assert page.updates() == []


def test_without_a_method_the_page_says_what_to_do(lab):
    page = lab("suslov?methods=cayley")
    page.toggle("cayley")
    assert page.page.inner_text("#insight") == "Choose a method above."
    assert page.page.locator("#readout").inner_text() == ""
    assert page.page.locator(".views.stale").count() == 0
    assert not [trace for trace in page.data("plane") if trace["run"]]
    page.toggle("exact")
    assert page.page.inner_text("#insight") != "Choose a method above."
    run = nhviz.simulate("suslov", "exact")
    assert np.allclose(page.trace("plane", "exact")["x"][-1], run["M1"][-1], rtol=1e-5)


def test_the_sentence_names_runs_in_their_colours(lab):
    page = lab("suslov")
    named = page.page.evaluate(
        """() => Array.from(document.querySelectorAll("#insight .m"), (word) => [word.textContent,
          word.style.getPropertyValue("--c")])"""
    )
    runs = page.page.evaluate("() => window.nhviz.page.state.facts.runs")
    slots = {facts["label"]: f"var(--method-{facts['slot']})" for facts in runs.values()}
    assert named
    for words, colour in named:
        assert colour in slots.values()
        assert words not in slots or slots[words] == colour
