"""The systems with feedback in a real browser: drawn from declarations, with gains that can be turned."""

import numpy as np
import pytest

import nhviz
from nhviz import export
from tests.page import same

pytestmark = pytest.mark.browser

SYSTEMS = ("knife_edge", "rolling_disk", "roller_racer", "heisenberg", "oscillator")


def visit(lab, address):
    """Open an address in the page and wait for its pictures."""
    lab.page.bring_to_front()
    lab.page.goto(address)
    lab.ready()


@pytest.mark.parametrize("system", SYSTEMS)
def test_lab_shows_the_runs_and_moves(opened, address, system):
    visit(opened, f"{address}/{system}")
    facts = nhviz.describe(system)
    path = "motion" if system == "roller_racer" else "path"
    opened.check_drawn(path, "detail")
    flow = next(name for name, method in facts["methods"].items() if not method["discrete"])
    run = nhviz.simulate(
        system, flow, every=max(1, -(-round(facts["duration"]["default"] / facts["step"]["default"]) // 2000))
    )
    names = ("x", "y") if system == "roller_racer" else facts["portraits"][0]["components"]
    line = opened.trace(path, flow)
    for axis, name in zip("xyz", names, strict=False):
        assert line[axis][0] == pytest.approx(run[name][0], abs=1e-5)
        assert line[axis][-1] == pytest.approx(run[name][-1], abs=1e-4)
    before = opened.everything()
    opened.seek(600)
    after = opened.everything()
    assert not same(before[path], after[path])


def test_the_blade_stands_on_its_path_on_the_incline(opened, address):
    visit(opened, f"{address}/knife_edge?duration=10&step=0.01")
    run = nhviz.simulate("knife_edge", "exact", step=0.01, duration=10.0)
    opened.seek(500)
    blade = opened.trace("motion", "blade")
    middle = np.array([0.5 * (blade[axis][0] + blade[axis][1]) for axis in "xyz"])
    instant = int(np.argmin(np.abs(run.t - 5.0)))
    alpha = np.pi / 6.0
    x, y = run["x"][instant], run["y"][instant]
    # The clock of the page has 700 instants at most.
    assert np.allclose(middle, [x * np.cos(alpha), y, -x * np.sin(alpha)], atol=0.02)


def test_gains_are_turned_and_linked(opened, address):
    visit(opened, f"{address}/knife_edge")
    feedback = opened.data("detail")
    opened.enter("k3", "0.3")
    assert opened.page.url.endswith("/knife_edge?k3=0.3")
    assert not same(feedback, opened.data("detail"))
    shown = opened.everything()
    visit(opened, f"{address}/knife_edge?k3=0.3")
    assert opened.number("k3") == 0.3
    assert same(shown["detail"], opened.data("detail"))
    opened.tab("python")
    assert "k3=300.0" in opened.page.inner_text(".view-detail > .text")
    opened.enter("k3", "-1")
    assert "between 0 and" in opened.message("k3")


def test_an_unstable_gain_is_told_with_one_that_works(opened, address):
    visit(opened, f"{address}/knife_edge?k1=2.5")
    assert opened.chip("feedback").locator("small").inner_text() == "stopped"
    assert opened.note().startswith("Lost its integrals")
    button = opened.page.locator(".note button")
    assert button.inner_text() == "Use k1 = 0.95/step"
    button.click()
    opened.settle()
    assert opened.number("k1") == 0.95
    assert opened.note() == ""
    facts = nhviz.describe("knife_edge")
    step, duration = (facts[name]["default"] for name in ("step", "duration"))
    gains = {name: opened.number(name) / step for name in ("k1", "k2", "k3")}
    assert nhviz.simulate("knife_edge", "feedback", step=step, duration=duration, **gains).stopped is None


def test_what_no_single_gain_mends_all_of_them_do(opened, address):
    visit(opened, f"{address}/knife_edge?k1=1.2&k2=1.2&k3=1.2")
    assert opened.note().startswith("Lost its integrals")
    opened.page.get_by_role("button", name="of the gains").click()
    opened.settle()
    assert opened.note() == ""
    assert 0.0 < opened.number("k1") == opened.number("k2") == opened.number("k3") < 1.2
    for name in ("k1", "k2", "k3"):
        opened.enter(name, "0.85")
    assert opened.note() == ""
    assert "step * Lambda reaches" in opened.page.inner_text(".remarks")


def test_presets_without_feedback_and_csv(opened, address):
    visit(opened, f"{address}/knife_edge")
    opened.experiment(1)
    assert opened.number("k1") == opened.number("k2") == opened.number("k3") == 0.0
    with opened.page.expect_download() as download:
        opened.share("csv")
    gains = {"k1": 0.0, "k2": 0.0, "k3": 0.0}
    runs = {
        method: nhviz.simulate("knife_edge", method, step=0.02, duration=60.0, **options)
        for method, options in (("exact", {}), ("feedback", gains))
    }
    assert download.value.path().read_bytes() == export.runs_to_csv(runs)


def test_feedback_in_the_labs_of_top_and_sleigh(opened, address):
    visit(opened, f"{address}/sleigh?methods=exact.feedback&rotation=matrix")
    opened.check_drawn("plane", "motion")
    run = nhviz.simulate("sleigh", "feedback", step=0.1, duration=10.0, rotation="matrix")
    path = opened.trace("motion", "feedback")
    assert path["x"][-1] == pytest.approx(run["x"][-1], abs=1e-5)
    visit(opened, f"{address}/suslov?methods=exact.feedback")
    opened.check_drawn("plane", "motion")
    run = nhviz.simulate("suslov", "feedback", step=0.015, duration=1.0)
    assert opened.trace("plane", "feedback")["x"][-1] == pytest.approx(run["M1"][-1], rel=1e-5)


def test_a_click_in_the_drawing_moves_the_start(opened, address):
    visit(opened, f"{address}/roller_racer")
    place, pixel = opened.click("motion", 0.4, 2.2)
    assert abs(opened.number("x") - place[0]) <= pixel[0]
    assert abs(opened.number("y") - place[1]) <= pixel[1]
    assert opened.trace("motion", "reference")["y"][0] == pytest.approx(opened.number("y"), rel=1e-5)


def test_hovering_an_instant_leaves_the_axes_where_they_are(opened, address):
    """The body jumps to the hovered instant; a picture that followed it would slip away under the mouse."""
    visit(opened, f"{address}/roller_racer")
    axes = (
        "() => { const { xaxis: x, yaxis: y } = window.probe.graph('motion')._fullLayout; return [x.range, y.range]; }"
    )
    before, body = opened.page.evaluate(axes), opened.data("motion")
    path = opened.trace("motion", "reference")
    middle = len(path["x"]) // 2
    opened.page.mouse.move(*opened.still_pixel("motion", path["x"][middle], path["y"][middle]))
    opened.settle()
    assert not same(body, opened.data("motion"))
    assert opened.page.evaluate(axes) == before


@pytest.mark.parametrize("system", ["oscillator", "heisenberg"])
def test_a_path_in_space_is_wholly_in_sight(opened, address, system):
    """One scale on all axes, no side of the box longer than 1: then the camera sees all of it."""
    visit(opened, f"{address}/{system}")
    scene = opened.page.evaluate(
        "() => { const { scene } = window.probe.graph('path')._fullLayout; return { ratio: scene.aspectratio,"
        " ranges: { x: scene.xaxis.range, y: scene.yaxis.range, z: scene.zaxis.range } }; }"
    )
    sides = {axis: high - low for axis, (low, high) in scene["ranges"].items()}
    longest = max(sides.values())
    for axis, side in sides.items():
        assert scene["ratio"][axis] == pytest.approx(side / longest, rel=1e-6)
    line = opened.trace("path", "reference" if system == "oscillator" else "exact")
    for axis, (low, high) in scene["ranges"].items():
        assert low < line[axis].min()
        assert line[axis].max() < high
