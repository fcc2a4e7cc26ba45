"""From space to the screen and back, as functions of values and by a hand that turns the axis of a body."""

import numpy as np
import pytest

import nhviz
from tests.conftest import ROOT
from tests.page import Lab

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def script(context):
    """Evaluate a function of (eye, arguments) in a page that has nothing else."""
    page = context.new_page()
    page.add_script_tag(content=(ROOT / "assets" / "eye.js").read_text())
    yield lambda text, *all_of: page.evaluate(f"all => ({text})(window.nhviz.eye, ...all)", list(all_of))
    page.close()


def columns(matrix):
    """A matrix as the scripts have it: column by column."""
    return matrix.T.ravel().tolist()


def camera():
    """A camera in general position: a perspective after a rotation and a shift, and scales of the axes."""
    random = np.random.default_rng(3)
    turn, _ = np.linalg.qr(random.normal(size=(3, 3)))
    view = np.eye(4)
    view[:3, :3], view[:3, 3] = turn, (0.2, -0.3, -4.0)
    near, far, focus = 0.5, 40.0, 1.7
    lens = np.array(
        [
            [focus / 1.4, 0, 0, 0],
            [0, focus, 0, 0],
            [0, 0, -(far + near) / (far - near), -2 * far * near / (far - near)],
            [0, 0, -1, 0],
        ]
    )
    return lens @ view @ np.diag([1.3, 0.7, 0.9, 1.0])


def test_products_and_solutions_are_those_of_numpy(script):
    random = np.random.default_rng(8)
    first, second = random.normal(size=(2, 4, 4))
    point = random.normal(size=4)
    found = script("({ product }, a, b) => product(a, b)", columns(first), columns(second))
    assert np.allclose(np.array(found).reshape(4, 4).T, first @ second, atol=1e-12)
    assert np.allclose(script("({ apply }, a, p) => apply(a, p)", columns(first), point.tolist()), first @ point)
    solved = script("({ solve }, a, p) => solve(a, p)", columns(first), point.tolist())
    assert np.allclose(solved, np.linalg.solve(first, point), atol=1e-10)


def test_a_point_of_the_floor_comes_back_from_its_pixel(script):
    matrix, size = columns(camera()), [640, 400]
    for x, y in ((0.3, -0.8), (-1.1, 0.2), (0.0, 0.9)):
        pixel = script("({ pixel }, m, s, p) => pixel(m, s, p)", matrix, size, [x, y, 0.0])
        clip = camera() @ np.array([x, y, 0.0, 1.0])
        assert np.allclose(pixel, [(0.5 + 0.5 * clip[0] / clip[3]) * 640, (0.5 - 0.5 * clip[1] / clip[3]) * 400])
        back = script("({ onFloor }, m, s, p) => onFloor(m, s, p)", matrix, size, pixel)
        assert np.allclose(back, [x, y], atol=1e-9)


def still(lab, seen, at):
    """The pixel of a place, once the picture has its size and its camera."""
    before = None
    while before != (found := lab.page.evaluate(seen, at)):
        before = found
        lab.page.wait_for_timeout(300)
    return found


def test_the_axis_of_the_body_follows_the_hand_and_the_energy_stays(context, address):
    lab = Lab(context, f"{address}/suslov?layout=motion&methods=exact")
    before = {name: lab.number(name) for name in ("M1", "M2")}
    handles = "() => window.nhviz.pictures.of('motion').figure.layout.meta.handles.map(({ at }) => at)"
    seen = "at => window.nhviz.grips.pixel(window.nhviz.pictures.of('motion').element, at)"
    start = still(lab, seen, lab.page.evaluate(handles)[1])
    # Where the tip is to go: the axis turned by half a radian in its plane.
    tip = np.array(lab.page.evaluate(handles)[1])
    angle = np.arctan2(tip[1], tip[0]) + 0.5
    wanted = np.linalg.norm(tip) * np.array([np.cos(angle), np.sin(angle), 0.0])
    end = lab.page.evaluate(seen, wanted.tolist())
    eye = "() => Object.values(window.nhviz.pictures.of('motion').element._fullLayout.scene._scene.getCamera().eye)"
    camera_before = lab.page.evaluate(eye)
    lab.page.mouse.move(*start)
    lab.page.mouse.down()
    for share in np.linspace(0.1, 1.0, 8):
        lab.page.mouse.move(*(np.array(start) + share * (np.array(end) - np.array(start))))
        lab.page.wait_for_timeout(20)
    lab.page.mouse.up()
    lab.settle()
    after = {name: lab.number(name) for name in ("M1", "M2")}
    energies, runs = [], []
    for initial in (before, after):
        runs.append(nhviz.simulate("suslov", "exact", initial=initial))
        energies.append(runs[-1].quantity("energy")[0])
    # Five digits of the momenta are kept.
    assert energies[1] == pytest.approx(energies[0], rel=1e-4)
    # A pixel is a few thousandths of a radian.
    turned = np.arctan2(runs[1]["v"][0], runs[1]["u"][0]) - np.arctan2(runs[0]["v"][0], runs[0]["u"][0])
    assert turned == pytest.approx(0.5, abs=0.03)
    assert lab.page.evaluate(eye) == pytest.approx(camera_before, abs=1e-9)
    lab.close()
