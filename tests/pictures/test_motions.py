"""What the usual labs draw: bodies at the places and attitudes of their runs, seen as their geometry says."""

import numpy as np
import pytest

from tests.pictures import flows
from tests.pictures.bodies import USUAL
from tests.pictures.reading import ROUNDED, close, page, points, whole_numbers


def shown(lab, more=""):
    """The page of a lab, its motion, and the run that moves, by itself."""
    here = page(lab, USUAL[lab] + more)
    return here, here.view("motion"), here.alone(next(iter(here.panel.runs)))


def moved(drawn, name, which=0):
    """Every place of a part by its role; roles may occur more than once."""
    return drawn.moved(drawn.named(name)[which])[0]


def mesh(drawn):
    """The body that is a mesh and moves."""
    moving = [drawn.traces[frame["trace"]] for frame in drawn.frames]
    (trace,) = [trace for trace in moving if trace["type"] == "mesh3d" and trace["name"] != "shadow"]
    return drawn.moved(trace)[0]


def heading(angle):
    """Unit vectors along and to the left of headings."""
    along = np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    return along, np.stack([-along[..., 1], along[..., 0]], axis=-1)


@pytest.mark.parametrize("lab", USUAL)
def test_everything_that_moves_follows_the_first_run_from_its_start(lab):
    here, drawn, _ = shown(lab)
    first = next(iter(here.panel.runs))
    assert drawn.frames
    heads = [trace for _, trace in drawn.markers().values()]
    assert {frame["track"] for frame in drawn.frames if "counts" in frame} <= {first}
    for frame in drawn.bodies():
        trace = drawn.traces[frame["trace"]]
        if trace in heads:
            continue
        assert frame["track"] == first
        places, _ = drawn.moved(trace)
        assert close(points(trace).T, places[0], times=4.0)
        assert len(places) == len(here.panel.tracks[first])


def test_the_poses_of_a_body_are_sent_once():
    for lab, parts in (("roller_racer", 2), ("sphere_n", 2)):
        frames = shown(lab)[1].frames
        assert len([frame for frame in frames if "rotations" in frame]) == parts < len(frames)


@pytest.mark.parametrize("lab", [lab for lab in USUAL if lab not in ("suslov_n", "roller_racer")])
def test_the_axes_of_space_have_names_and_hold_the_motion(lab):
    _, drawn, _ = shown(lab)
    titles = drawn.titles()
    assert len(set(titles)) == 3
    assert all(titles)
    for frame in drawn.bodies():
        places, _ = drawn.moved(drawn.traces[frame["trace"]])
        for i, axis in enumerate(("xaxis", "yaxis", "zaxis")):
            low, high = drawn.layout["scene"][axis]["range"]
            assert low <= places[..., i].min()
            assert places[..., i].max() <= high


def test_the_ball_rolls_on_the_plane_with_the_vertical_of_its_body():
    rho = 1.0
    _, drawn, alone = shown("sphere_n", "&n=3")
    centre = np.stack([alone["x1"], alone["x2"], np.full(len(alone), rho)], axis=1)
    ball = mesh(drawn)
    assert close(0.5 * (ball.max(axis=1) + ball.min(axis=1)), centre, also=0.02 * rho)
    assert close(np.linalg.norm(ball - centre[:, None], axis=2), np.full(ball.shape[:2], rho), times=8.0)
    for i in (1, 2, 3):
        axis = moved(drawn, f"axis_{i}")
        assert close(axis.mean(axis=1), centre, times=4.0)
        arm = axis[:, 1] - centre
        # gamma = R^T e3: the height of a body axis is the vertical's part along it.
        assert close(arm[:, 2], 1.25 * rho * alone[f"gamma{i}"], times=8.0)
        assert close(arm, 1.25 * rho * alone["R"][:, :, i - 1], times=8.0)
    path = points(drawn.one("path"))
    assert close(path[:2], centre[:, :2].T)
    assert np.abs(path[2]).max() == 0.0
    # It stands on the floor, which reaches as far as it rolls, and its shadow goes with it.
    floor = points(drawn.one("ground"))
    # Whoever turns the picture over still sees the body.
    assert drawn.one("ground")["opacity"] < 0.8
    assert -0.1 * rho < floor[2].min() == floor[2].max() < 0.0
    for low, high, line in zip(floor.min(axis=1)[:2], floor.max(axis=1)[:2], path[:2], strict=True):
        assert low < line.min() < line.max() < high
    for trace in drawn.named("shadow"):
        places, _ = drawn.moved(trace)
        assert 0.0 < places[..., 2].min() == places[..., 2].max() < 0.02 * rho
        beside = (places - centre[:, None])[..., :2].mean(axis=1)
        assert np.ptp(beside, axis=0).max() <= 20.0 * ROUNDED * np.abs(centre).max()
        assert np.abs(beside).max() < rho


@pytest.mark.parametrize("lab", [lab for lab in USUAL if lab != "roller_racer"])
def test_the_path_is_coloured_up_to_the_clock(lab):
    here, drawn, alone = shown(lab)
    curve, counts, trace = drawn.trail()
    whole = next(points(t) for t in drawn.traces if t.get("name", "").endswith("path"))
    assert np.array_equal(curve, whole)
    assert np.array_equal(counts, np.arange(1, len(alone) + 1))
    first = next(iter(here.panel.runs))
    assert trace["meta"]["track"] == first
    assert trace["line"]["color"] == here.panel.looks[first].colour


def test_the_path_of_a_long_run_ends_at_its_body():
    here = page("knife_edge", USUAL["knife_edge"] + "&step=0.001&duration=1.8")
    drawn = here.view("motion")
    curve, counts, _ = drawn.trail()
    blade = moved(drawn, "blade").mean(axis=1)
    assert curve.shape[1] > len(counts) == len(blade)
    assert close(curve[:, counts - 1].T, blade, times=8.0)


def test_the_ball_in_four_dimensions_shows_the_shadows_of_its_axes():
    _, drawn, alone = shown("sphere_n")
    centre = np.stack([alone["x1"], alone["x2"], alone["x3"]], axis=1)
    for i in (1, 2, 3, 4):
        axis = moved(drawn, f"axis_{i}")
        assert close(axis[:, 1] - centre, 1.25 * alone["R"][:, :3, i - 1], times=8.0)
    assert close(points(drawn.one("path")), centre.T)


def test_the_knife_edge_lies_in_its_incline_along_its_heading():
    here, drawn, alone = shown("knife_edge")
    alpha = here.panel.params["alpha"]
    down, across = np.array([np.cos(alpha), 0.0, -np.sin(alpha)]), np.array([0.0, 1.0, 0.0])
    normal = np.cross(down, across)
    place = alone["x"][:, None] * down + alone["y"][:, None] * across
    blade = moved(drawn, "blade")
    assert close(blade.mean(axis=1), place, times=4.0)
    arm = blade[:, 1] - place
    along = np.cos(alone["phi"])[:, None] * down + np.sin(alone["phi"])[:, None] * across
    assert close(arm / np.linalg.norm(arm, axis=1)[:, None], along, times=40.0)
    assert close(points(drawn.one("path")).T, place)
    # Its plate stands on the blade, above the incline.
    heights = (moved(drawn, "body") - place[:, None]) @ normal
    assert heights.max() > 0.5 * np.linalg.norm(arm[0])
    assert heights.min() >= -8.0 * ROUNDED * np.abs(place).max()
    (incline,) = [points(t) for t in drawn.traces if t["type"] == "mesh3d"]
    # Just below the blade and its path, so that these are seen.
    depth = -(normal @ incline)
    assert np.ptp(depth) <= 16.0 * ROUNDED * np.abs(incline).max()
    assert 0.0 < depth.min() < 0.01 * np.ptp(incline, axis=1).max()
    for grid in drawn.named("grid"):
        assert np.abs(normal @ points(grid)).max() <= 8.0 * ROUNDED * np.abs(incline).max()
    assert (incline.min(axis=1) <= place.min(axis=0)).all()
    assert (incline.max(axis=1) >= place.max(axis=0)).all()


def test_the_disk_stands_upright_and_rolls_forwards():
    here, drawn, alone = shown("rolling_disk")
    radius = here.panel.params["R"]
    centre = np.stack([alone["x"], alone["y"], np.full(len(alone), radius)], axis=1)
    along, left = (np.concatenate([part, np.zeros((len(alone), 1))], axis=1) for part in heading(alone["theta"]))
    rim = moved(drawn, "body") - centre[:, None]
    assert close(np.linalg.norm(rim, axis=2), np.full(rim.shape[:2], radius), times=8.0)
    assert np.abs(np.einsum("tpi,ti->tp", rim, left)).max() <= 8.0 * ROUNDED * radius
    # Forwards is down in front: a spoke that points ahead turns towards the ground.
    spoke = moved(drawn, "axis_1")[:, 1] - centre
    cosine, sine = np.cos(alone["psi"])[:, None], np.sin(alone["psi"])[:, None]
    assert close(spoke, radius * (cosine * along - sine * np.array([0.0, 0.0, 1.0])), times=8.0)
    path = points(drawn.one("path"))
    assert close(path, np.stack([alone["x"], alone["y"], np.zeros(len(alone))]))


def test_no_wheel_of_the_racer_slips():
    here, drawn, alone = shown("roller_racer")
    d1, d2 = here.panel.params["d1"], here.panel.params["d2"]
    rear = np.stack([alone["x"], alone["y"]], axis=1)
    along, _ = heading(alone["theta"])
    ahead, aside = heading(alone["theta"] + alone["phi"])
    hinge, front = rear + d1 * along, rear + d1 * along + d2 * ahead
    assert close(moved(drawn, "body"), np.stack([rear, hinge], axis=1), times=4.0)
    assert close(moved(drawn, "body", 1), np.stack([hinge, front], axis=1), times=4.0)
    assert close(moved(drawn, "hinge")[:, 0], hinge, times=4.0)
    axle = moved(drawn, "axis_1", 1)
    assert close(axle.mean(axis=1), front, times=4.0)
    assert np.abs(np.einsum("ti,ti->t", axle[:, 1] - axle[:, 0], ahead)).max() <= 20.0 * ROUNDED * np.abs(front).max()
    # The drawn front axle itself moves along its wheel: over two steps h, up to h^2 times a third derivative.
    velocity = axle.mean(axis=1)[2:] - axle.mean(axis=1)[:-2]
    sideways = np.abs(np.einsum("ti,ti->t", velocity, aside[1:-1]))
    assert sideways.max() <= 1e-3 * np.linalg.norm(velocity, axis=1).max()


def test_the_paths_of_the_racer_are_those_of_its_rear_axle():
    here, drawn, _ = shown("roller_racer")
    assert drawn.titles() == ["<i>x</i> (m)", "<i>y</i> (m)"]
    assert sorted(drawn.runs()) == sorted(here.panel.runs)
    for method, trace in drawn.runs().items():
        alone = here.alone(method)
        assert close(points(trace), np.stack([alone["x"], alone["y"]]))


def test_the_particle_of_heisenberg_moves_in_its_drawn_plane():
    _, drawn, alone = shown("heisenberg")
    place = np.stack([alone["x"], alone["y"], alone["z"]], axis=1)
    normal = np.stack([-alone["y"], alone["x"], np.ones(len(alone))], axis=1)
    rim = moved(drawn, "forbidden_plane") - place[:, None]
    assert np.abs(np.einsum("tpi,ti->tp", rim, normal)).max() <= 20.0 * ROUNDED * np.abs(place).max()
    assert np.linalg.matrix_rank(rim[0], tol=1e-4) == 2
    speed = np.stack([alone["p_x"], alone["p_y"], alone["p_z"]], axis=1)
    assert np.abs(np.sum(speed * normal, axis=1)).max() <= 1e-12
    assert close(points(drawn.one("path")).T, place)


def test_the_patches_along_the_path_of_heisenberg_lie_in_the_planes_that_are_allowed_there():
    """Each is a disc about a place of the run; first and last are among them."""
    _, drawn, alone = shown("heisenberg")
    place = np.stack([alone["x"], alone["y"], alone["z"]], axis=1)
    discs = points(drawn.one("patches")).T.reshape(7, -1, 3)
    ends = points(drawn.one("path")).T
    for disc in discs:
        centre, rim = disc[0], disc[1:] - disc[0]
        assert np.abs(rim @ [-centre[1], centre[0], 1.0]).max() <= 20.0 * ROUNDED * np.abs(place).max()
        size = np.linalg.norm(rim, axis=1)
        assert np.ptp(size) <= 1e-5 * size[0]
        assert np.linalg.norm(np.cross(centre - ends[0], ends[-1] - ends[0])) <= 20.0 * ROUNDED * np.abs(place).max()
    assert close(discs[[0, -1], 0], ends[[0, -1]])
    trace = drawn.one("patches")
    corners = np.stack([whole_numbers(trace[name]) for name in "ijk"], axis=1)
    assert set(corners.ravel()) == set(range(7 * discs.shape[1]))
    assert (corners // discs.shape[1] == corners[:, :1] // discs.shape[1]).all()


def test_the_particle_of_the_oscillator_is_at_its_place():
    _, drawn, alone = shown("oscillator")
    place = np.stack([alone["x"], alone["y"], alone["z"]], axis=1)
    body = mesh(drawn)
    assert close(0.5 * (body.max(axis=1) + body.min(axis=1)), place, also=0.01)
    assert close(points(drawn.one("path")).T, place)


def test_the_axis_of_the_top_in_n_dimensions_turns_by_its_velocities():
    here, drawn, alone = shown("suslov_n")
    params, n = here.panel.params, 4
    c = np.array([params[f"J{i}"] + params["Jn"] for i in range(1, n)])
    j = np.array([params[f"J{i}n"] for i in range(1, n)])

    def rates(_, y):
        w, omega = y[: n - 1], np.zeros((n, n))
        omega[:-1, -1], omega[-1, :-1] = w, -w
        turning = y[n - 1 :].reshape(n, n) @ omega
        return np.concatenate([(w * (j @ w) - j * (w @ w)) / c, turning.ravel()])

    start = np.array([here.panel.initial[f"p{i}"] for i in range(1, n)]) / c
    y = flows.followed(rates, np.concatenate([start, np.eye(n).ravel()]), alone.t)
    axis = np.moveaxis(y[n - 1 :], 0, -1).reshape(-1, n, n)[:, :3, -1]
    assert close(moved(drawn, "forbidden_axis")[:, 1], axis, times=2.0, also=1e-8)
    assert close(points(drawn.one("forbidden_axis_path")).T, axis, times=2.0, also=1e-8)


@pytest.mark.parametrize("more", ["", "&n=2"])
def test_the_blade_of_the_sleigh_in_n_dimensions_points_where_it_goes(more):
    here, drawn, alone = shown("sleigh_n", more)
    n = int(here.panel.params["n"])
    place = np.stack([alone[f"x{i}"] for i in range(1, n + 1)], axis=1)
    blade = moved(drawn, "blade")
    assert close(blade.mean(axis=1), place, times=8.0)
    along = blade[:, 1] - blade[:, 0]
    along /= np.linalg.norm(along, axis=1)[:, None]
    velocity = place[2:] - place[:-2]
    moving = np.linalg.norm(velocity, axis=1) > 0.3 * np.linalg.norm(velocity, axis=1).max()
    cosine = np.sum(velocity * along[1:-1], axis=1)[moving] / np.linalg.norm(velocity, axis=1)[moving]
    assert np.abs(cosine).min() > 0.99
    assert (np.sign(cosine) == np.sign(alone["v"][1:-1][moving])).all()
    centre = alone["R"] @ np.array([here.panel.params[f"a{i}"] for i in range(1, n + 1)])
    assert close(moved(drawn, "axis_1"), np.stack([place, place + centre], axis=1), times=8.0)
    assert close(points(drawn.one("path")).T, place)


def test_a_coin_that_rolls_straight_on_has_a_floor_beside_it():
    """It has no thickness and does not leave its plane, in which everything lies."""
    _, drawn, alone = shown("rolling_disk", "&Pi_theta=0&theta=0")
    assert np.ptp(alone["y"]) == 0.0
    floor = points(drawn.one("ground"))
    width, length = np.ptp(floor[1]), np.ptp(floor[0])
    assert width == pytest.approx(0.25 * length, rel=ROUNDED)
    assert floor[1].mean() == pytest.approx(alone["y"][0], abs=ROUNDED * length)
    low, high = drawn.layout["scene"]["yaxis"]["range"]
    assert low < floor[1].min() < floor[1].max() < high
