"""The systems in n dimensions in a real browser: made from declarations, with the dimension as a slider."""

import numpy as np
import pytest

import nhviz
from nhviz.systems import sleigh_n, suslov_n
from tests.page import identity

pytestmark = pytest.mark.browser

MOMENTUM, PATH = "momentum", "path"


@pytest.fixture
def lab(opened, address):
    def visit(path):
        opened.page.bring_to_front()
        opened.page.goto(f"{address}/{path}")
        opened.ready()
        return opened

    return visit


def corners(trace, axes="xyz"):
    return np.stack([trace[axis] for axis in axes], axis=1)


def shown(page, name):
    page.uncover(name)
    return page.page.locator(identity("box", name=name)).is_visible()


def test_four_dimensional_momentum_space_with_equilibria(lab):
    page = lab("suslov_n")
    run = nhviz.simulate("suslov_n", "reference")
    sink, source = suslov_n.equilibria(run.params, float(run.quantity("energy")[0]))
    assert np.allclose(corners(page.trace(MOMENTUM, "stable")), [sink], atol=1e-5)
    assert np.allclose(corners(page.trace(MOMENTUM, "unstable")), [source], atol=1e-5)
    orbit = page.trace(MOMENTUM, "moser_veselov")
    steps = nhviz.simulate("suslov_n", "moser_veselov")
    assert np.allclose(corners(orbit), np.stack([steps[f"p{i}"] for i in (1, 2, 3)], axis=1), atol=1e-5)
    # The ellipsoid, and orbits of the flow from end to end, lie on the level of the run's energy.
    moments, level = suslov_n.moments(run.params), float(run.quantity("energy")[0])
    surface = next(trace for trace in page.data(MOMENTUM) if trace["type"] == "mesh3d")
    lines = next(trace for trace in page.data(MOMENTUM) if trace["type"] == "scatter3d" and len(trace["x"]) > 1500)
    for trace in (surface, lines):
        assert np.allclose(0.5 * np.sum(corners(trace) ** 2 / moments, axis=1), level, rtol=1e-3)
    page.everywhere()
    page.check_drawn(MOMENTUM)
    page.check_covered("motion")


def test_the_shadow_of_the_body_turns_with_the_clock(lab):
    page = lab("suslov_n?n=5")
    run = nhviz.simulate("suslov_n", "reference", {"n": 5})
    for share in (400, 1000):
        page.seek(share)
        instant = round(share / 1000 * (len(run) - 1))
        axis = corners(page.trace("motion", "forbidden_axis"))
        assert np.allclose(axis[1], run["R"][instant][:3, -1], atol=1e-5)
        edges = corners(page.trace("motion", "body"))
        shape = run.system.draw(run).parts[0].shapes[0].points
        assert np.allclose(edges, shape @ run["R"][instant][:3].T, atol=1e-5)


def test_the_dimension_shows_and_hides_controls(lab):
    page = lab("suslov_n")
    assert shown(page, "J3")
    assert not shown(page, "J4")
    page.enter("n", "6")
    assert shown(page, "J5")
    assert shown(page, "p5")
    page.enter("J5", "2")
    assert page.page.url.endswith("n=6&J5=2")
    page.enter("n", "3")
    assert not shown(page, "J3")
    assert page.page.url.endswith("?n=3")
    assert {trace["type"] for trace in page.data(MOMENTUM)} == {"scatter"}
    assert page.message("n") == ""
    # What was set for six dimensions is not lost.
    page.enter("n", "6")
    assert page.number("J5") == 2.0


def test_a_broken_dimension_gets_a_sentence_and_the_pictures_stay(lab):
    page = lab("suslov_n")
    before = page.trace(MOMENTUM, "moser_veselov")["x"]
    page.enter("n", "4.5")
    assert page.message("n") == "n must be a whole number between 3 and 6, not 4.5."
    assert np.array_equal(before, page.trace(MOMENTUM, "moser_veselov")["x"])
    page.enter("n", "9")
    assert page.message("n") == "n must be between 3 and 6, not 9."
    page.enter("n", "4")
    assert page.message("n") == ""


def test_the_slider_of_the_dimension_has_whole_steps(lab):
    page = lab("sleigh_n")
    page.knob("n").focus()
    page.page.keyboard.press("ArrowRight")
    page.settle()
    assert page.number("n") == 4.0
    assert shown(page, "L4")


def test_a_click_on_the_ellipsoid_starts_there(lab):
    page = lab("suslov_n")
    place = page.graph(MOMENTUM).bounding_box()
    x, y = place["x"] + 0.55 * place["width"], place["y"] + 0.5 * place["height"]
    page.page.mouse.move(x - 6, y - 6)
    page.frames(10)
    page.page.mouse.move(x, y, steps=4)
    page.frames(30)
    page.page.mouse.down()
    page.frames(3)
    page.page.mouse.up()
    page.page.wait_for_function("() => location.search.includes('p1')")
    page.settle()
    chosen = [page.number(f"p{i}") for i in (1, 2, 3)]
    assert np.allclose(corners(page.trace(MOMENTUM, "moser_veselov"))[0], chosen, atol=1e-4)


def test_the_path_of_the_sleigh_in_space_with_its_cusp(lab):
    page = lab("sleigh_n")
    for method in ("reference", "fedorov_zenkov"):
        run = nhviz.simulate("sleigh_n", method)
        path = corners(page.trace(PATH, method))
        stride = (len(path) - 1) // (len(run) - 1)
        assert np.allclose(path[::stride], np.stack([run[f"x{i}"] for i in (1, 2, 3)], axis=1), atol=1e-5)
    found = sleigh_n.cusps(nhviz.simulate("sleigh_n", "reference"))
    assert len(found) == 1
    assert np.allclose(corners(page.trace(PATH, "cusp")), found, atol=1e-5)
    # The path leaves its plane: the singular values of its points are all of one size, within a factor.
    spread = np.linalg.svd(path - path.mean(axis=0), compute_uv=False)
    assert spread[2] > 0.05 * spread[0]
    page.everywhere()
    page.check_drawn(PATH)
    page.check_covered("motion")
    page.experiment(1)
    assert page.number("n") == 2.0
    flat = page.trace(PATH, "reference")
    plane = nhviz.simulate("sleigh_n", "reference", {"n": 2})
    stride = (len(flat["x"]) - 1) // (len(plane) - 1)
    assert np.allclose(corners(flat, "xy")[::stride], np.stack([plane["x1"], plane["x2"]], axis=1), atol=1e-5)
    assert np.allclose(corners(page.trace(PATH, "cusp"), "xy"), sleigh_n.cusps(plane), atol=1e-5)


def test_the_ball_in_four_dimensions_rolls_in_space(lab):
    page = lab("sphere_n")
    run = nhviz.simulate("sphere_n", "reference")
    page.seek(500)
    instant = round(0.5 * (len(run) - 1))
    ball = page.trace("motion", "shell")
    centre = np.array([run[f"x{i}"][instant] for i in (1, 2, 3)])
    assert np.allclose(np.linalg.norm(corners(ball) - centre, axis=1), 1.0, atol=1e-5)
    axis = corners(page.trace("motion", "axis_4"))
    assert np.allclose(axis[1] - centre, 1.25 * run["R"][instant][:3, 3], atol=1e-5)
    path = corners(page.trace(PATH, "fedorov"))
    steps = nhviz.simulate("sphere_n", "fedorov")
    assert np.allclose(path, np.stack([steps[f"x{i}"] for i in (1, 2, 3)], axis=1), atol=1e-5)


def test_a_link_brings_the_dimension_back(lab):
    page = lab("sphere_n?n=5&omega45=0.9&D=3")
    assert page.number("n") == 5.0
    assert shown(page, "omega45")
    run = nhviz.simulate("sphere_n", "fedorov", {"n": 5, "D": 3}, {"omega45": 0.9})
    assert np.allclose(page.trace(PATH, "fedorov")["x"], run["x1"], atol=1e-5)
    page = lab("sphere_n?n=4.5")
    assert "whole number" in page.page.locator("#notice").inner_text()


def test_nothing_was_said_on_the_console(opened):
    quiet = ("GL Driver Message", "willReadFrequently")
    assert [text for text in opened.said if not any(word in text for word in quiet)] == []
