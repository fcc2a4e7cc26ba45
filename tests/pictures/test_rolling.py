"""The rolling ball in space: where it is and how it is turned, its path and steps, its table, both its arrows."""

import numpy as np
import pytest

from nhviz.figures.rolling import EYE
from tests.pictures.bodies import BALL, TWO
from tests.pictures.reading import ROUNDED, close, numbers, page, played, points, whole_numbers

RHO = 1.1


@pytest.fixture(scope="module")
def ball():
    here = page("sphere", BALL)
    return here, here.view("motion"), here.alone("reference")


def centre_of(alone):
    """The centre of the ball at each instant."""
    return np.stack([alone["x"], alone["y"], np.full(len(alone), RHO)], axis=1)


def seen(alone, name):
    """A vector of the body from space, sample by sample."""
    return np.array([alone["R"][n] @ [alone[f"{name}{i}"][n] for i in (1, 2, 3)] for n in range(len(alone))])


def trails(drawn):
    """The curves that grow with the clock, by their runs: points, counts, traces."""
    found = {}
    for frame in drawn.frames:
        if "counts" in frame:
            curve = np.stack([numbers(values) for values in frame["positions"]])
            found[frame["track"]] = curve, whole_numbers(frame["counts"]), drawn.traces[frame["trace"]]
    return found


def test_the_ball_is_where_it_rolls_and_turned_as_it_is(ball):
    _, drawn, alone = ball
    centre = centre_of(alone)
    body = drawn.moved(drawn.one("body"))[0]
    assert close(np.linalg.norm(body - centre[:, None], axis=2), np.full(body.shape[:2], RHO), times=8.0)
    # Its vertices are fixed in the body: R^T (place - centre) is the same at all instants.
    fixed = np.einsum("tji,tpj->tpi", alone["R"], body - centre[:, None])
    assert np.abs(fixed - fixed[0]).max() < 40.0 * ROUNDED * np.abs(centre).max()


def test_octants_have_two_tones_that_alternate(ball):
    _, drawn, alone = ball
    trace = drawn.one("body")
    corners = np.stack([whole_numbers(trace[name]) for name in "ijk"], axis=1)
    body = (points(trace).T - centre_of(alone)[0]) @ alone["R"][0]
    middles = body[corners].mean(axis=1)
    # Next to its poles some triangles have no area.
    clear = np.abs(middles).min(axis=1) > 1e-4
    assert clear.mean() > 0.95
    assert np.array_equal(whole_numbers(trace["intensity"])[clear], (np.prod(middles, axis=1) > 0)[clear])
    dark, light = (colour for _, colour in trace["colorscale"])
    brightness = [sum(int(colour[i : i + 2], 16) for i in (1, 3, 5)) for colour in (dark, light)]
    assert brightness[1] - brightness[0] > 200


@pytest.mark.parametrize(("name", "reach", "above"), [("rims", 0.27, 1.003), ("caps", 0.2, 1.007)])
def test_caps_are_about_the_ends_of_the_three_axes(ball, name, reach, above):
    _, drawn, alone = ball
    places = drawn.moved(drawn.one(name))[0]
    for sample in (0, 17, len(alone) - 1):
        own = (places[sample] - centre_of(alone)[sample]) @ alone["R"][sample] / RHO
        assert np.abs(np.linalg.norm(own, axis=1) - above).max() < 1e-5
        nearest = np.abs(own).max(axis=1) / above
        assert nearest.min() == pytest.approx(np.cos(reach), abs=1e-5)
        for axis in np.vstack([np.eye(3), -np.eye(3)]):
            assert (own @ axis / above).max() == pytest.approx(1.0, abs=1e-5)


def test_the_momentum_stands_still_on_the_skin(ball):
    _, drawn, alone = ball
    momentum = seen(alone, "K")[0]
    unit = momentum / np.linalg.norm(momentum)
    side = 1.0 if unit[2] >= 0.0 else -1.0
    shaft = drawn.moved(drawn.one("arrow K stands still"))[0] - centre_of(alone)[:, None]
    head = drawn.moved(drawn.one("head K stands still"))[0] - centre_of(alone)[:, None]
    tip = head[:, 0]
    away = 1.72 if side > 0.0 else 1.0
    assert np.abs(tip - side * away * RHO * unit).max() < 1e-5
    foot = shaft[:, 0]
    assert np.abs(foot - side * (1.0 if side > 0.0 else 1.72) * RHO * unit).max() < 1e-5
    assert drawn.one("arrow K stands still")["line"]["color"] == page("sphere", BALL).panel.theme.ink


def test_the_angular_velocity_turns_and_is_as_long_as_it_is_large(ball):
    here, drawn, alone = ball
    omega = seen(alone, "omega")
    size = np.linalg.norm(omega, axis=1)
    upwards = omega[:, 2].mean() >= 0.0
    shaft = drawn.moved(drawn.one("arrow ω"))[0] - centre_of(alone)[:, None]
    tip = drawn.moved(drawn.one("head ω"))[0][:, 0] - centre_of(alone)
    length = 0.64 * RHO * (size / size.max())[:, None] * omega / size[:, None]
    skin = RHO * omega / size[:, None]
    first, last = (skin, skin + length) if upwards else (-skin - length, -skin)
    assert np.abs(shaft[:, 0] - first).max() < 1e-5
    assert np.abs(tip - last).max() < 1e-5
    assert drawn.one("arrow ω")["line"]["color"] == here.panel.looks["reference"].colour
    # The foot of the head is a circle across the arrow.
    rim = drawn.moved(drawn.one("head ω"))[0][:, 1:] - centre_of(alone)[:, None]
    middle = rim.mean(axis=1)
    assert np.abs(np.einsum("tpi,ti->tp", rim - middle[:, None], omega / size[:, None])).max() < 1e-5
    assert np.linalg.norm(rim - middle[:, None], axis=2) == pytest.approx(np.full(rim.shape[:2], 0.075 * RHO), rel=1e-4)


def test_the_path_is_past_up_to_the_clock_and_a_dot_is_a_step(ball):
    here, drawn, alone = ball
    fedorov, found = here.alone("fedorov"), trails(drawn)
    assert set(found) == {"reference", "fedorov"}
    curve, counts, trace = found["reference"]
    assert close(curve[:2, counts - 1], np.stack([alone["x"], alone["y"]]), also=1e-8)
    assert np.array_equal(curve, points(drawn.one("path")))
    assert trace["line"]["width"] > 2.0 * drawn.one("path")["line"]["width"]
    dots, counts, trace = found["fedorov"]
    assert close(dots[:2], np.stack([fedorov["x"], fedorov["y"]]))
    assert np.array_equal(counts, np.arange(1, len(fedorov) + 1))
    assert trace["mode"] == "markers"
    still = drawn.one("Fedorov")
    assert np.array_equal(points(still), dots)
    assert still["marker"]["size"] < trace["marker"]["size"]


def test_the_table_holds_the_path_and_its_shadow_goes_with_the_ball(ball):
    _, drawn, alone = ball
    rim = points(drawn.one("table"))
    middle = rim[:2, 0]
    radius = np.linalg.norm(rim[:2, 1:] - middle[:, None], axis=0)
    assert radius == pytest.approx(np.full(radius.size, radius[0]), rel=1e-5)
    path = np.stack([alone["x"], alone["y"]])
    drawn_paths = np.concatenate([points(drawn.one(name))[:2] for name in ("path", "Fedorov")], axis=1)
    assert middle == pytest.approx(0.5 * (drawn_paths.min(axis=1) + drawn_paths.max(axis=1)), abs=1e-5)
    assert np.linalg.norm(path - middle[:, None], axis=0).max() + 0.3 * RHO < radius[0]
    assert radius[0] >= 3.1 * RHO * (1.0 - 1e-6)
    assert rim[2].max() < 0.0
    grid = points(drawn.one("grid"))
    inside = grid[:2][:, np.isfinite(grid[:2]).all(axis=0)] - middle[:, None]
    assert np.linalg.norm(inside, axis=0).max() <= radius[0] * (1.0 + 1e-5)
    discs = np.split(drawn.moved(drawn.one("shadow"))[0], 7, axis=1)
    sizes = [np.ptp(moved[0, :, 0]) for moved in discs]
    assert np.all(np.diff(sizes) < 0.0)
    for moved in discs:
        beside = (moved[..., :2] - centre_of(alone)[:, None, :2]).mean(axis=1)
        assert np.ptp(beside, axis=0).max() <= 20.0 * ROUNDED * np.abs(path).max()
        assert np.abs(beside).max() < 0.4 * RHO
        assert 0.0 < moved[..., 2].max() < 0.02 * RHO
    ring = drawn.moved(drawn.one("contact"))[0]
    assert close(ring[:, :-1, :2].mean(axis=1), path.T, times=8.0)


def test_what_moves_is_in_the_room_and_scales_are_equal(ball):
    _, drawn, _ = ball
    scene = drawn.layout["scene"]
    sides = np.array([np.ptp(scene[f"{axis}axis"]["range"]) for axis in "xyz"])
    ratio = np.array([scene["aspectratio"][axis] for axis in "xyz"])
    assert ratio / sides == pytest.approx(np.full(3, ratio[0] / sides[0]))
    for frame in drawn.frames:
        if "counts" not in frame:
            places = played(frame, drawn.frames)
            for i, axis in enumerate("xyz"):
                low, high = scene[f"{axis}axis"]["range"]
                assert low <= places[..., i].min() + 1.5 * RHO
                assert places[..., i].max() <= high + 1.5 * RHO
    assert np.cross(list(scene["camera"]["eye"].values()), EYE.eye) == pytest.approx(np.zeros(3), abs=1e-12)


@pytest.mark.parametrize("query", [BALL, "", "J1=0.01&J2=0.02&J3=0.9&step=0.2", "omega1=3&duration=40"])
def test_the_ball_is_in_sight_on_all_its_way(query):
    """Projected as a camera does it, the ball is within a picture one and a half times as wide as high."""
    here = page("sphere", query)
    drawn, alone, rho = here.view("motion"), here.alone("reference"), here.panel.params["rho"]
    scene = drawn.layout["scene"]
    low, high = (np.array([scene[f"{axis}axis"]["range"][end] for axis in "xyz"]) for end in (0, 1))
    scale = scene["aspectratio"]["x"] / (high - low)[0]
    eye, centre = (np.array([scene["camera"][name][axis] for axis in "xyz"]) for name in ("eye", "center"))
    ahead = (centre - eye) / np.linalg.norm(centre - eye)
    right = np.cross(ahead, [0.0, 0.0, 1.0])
    right /= np.linalg.norm(right)
    centres = np.stack([alone["x"], alone["y"], np.full(len(alone), rho)], axis=1)
    places = scale * (centres - 0.5 * (low + high)) - eye
    depth = places @ ahead * np.tan(np.radians(22.5))
    assert (np.abs(places @ right) + 0.97 * scale * rho <= 1.5 * depth).all() or np.linalg.norm(eye) > 2.2


def test_a_map_alone_moves_its_own_ball():
    here = page("sphere", BALL + "&methods=fedorov")
    drawn, alone = here.view("motion"), here.alone("fedorov")
    body = drawn.moved(drawn.one("body"))[0]
    assert close(0.5 * (body.max(axis=1) + body.min(axis=1)), centre_of(alone), also=0.02 * RHO)
    assert not drawn.named("path")
    assert drawn.one("body")["colorscale"][0][1] != page("sphere", BALL).view("motion").one("body")["colorscale"][0][1]


def test_a_ball_at_rest_has_no_arrows_and_one_that_is_not_chosen_stands_at_its_start():
    rest = page("sphere", BALL + TWO + "&omega1=0&omega2=0&omega3=0").view("motion")
    assert not [trace for trace in rest.traces if trace.get("name", "").startswith("arrow")]
    none = page("sphere", BALL + "&methods=")
    body = points(none.view("motion").one("body"))
    assert body.mean(axis=1) == pytest.approx([0.2, -0.4, RHO], abs=0.03)


def test_a_momentum_that_points_down_is_drawn_above_the_ball():
    here = page("sphere", BALL + "&omega1=-0.9&omega2=0.5&omega3=-0.7")
    drawn, alone = here.view("motion"), here.alone("reference")
    assert seen(alone, "K")[0][2] < 0.0
    head = drawn.moved(drawn.one("head K stands still"))[0]
    assert np.linalg.norm(head[:, 0] - centre_of(alone), axis=1) == pytest.approx(np.full(len(alone), RHO), rel=1e-5)
    assert (head[:, 1:, 2].mean(axis=1) > head[:, 0, 2]).all()


def test_a_run_that_stops_has_a_cross_at_its_last_step():
    here = page("sphere", "omega1=0.6&omega2=0.2&step=0.85&duration=10")
    run = here.panel.runs["fedorov"]
    assert run.stopped
    cross = [t for t in here.view("motion").named("stopped") if t["meta"]["track"] == "fedorov"]
    assert points(cross[0])[:2, 0] == pytest.approx([run["x"][-1], run["y"][-1]], rel=1e-5)
