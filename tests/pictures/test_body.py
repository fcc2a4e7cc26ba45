"""The turning top: its axes by the attitude that follows from its angular velocity, the axes of rotation, its shape."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from nhviz.figures.style import THEMES
from tests.pictures import flows
from tests.pictures.bodies import SUSLOV
from tests.pictures.reading import ROUNDED, close, page, points, whole_numbers

MAPS = pytest.mark.parametrize("method", ["moser_veselov", "cayley"])


def flow():
    """The page whose first run is the flow, with its momenta and attitudes."""
    here = page("suslov", SUSLOV)
    start = [here.panel.initial["M1"], here.panel.initial["M2"]]
    return here, *flows.attitude(here.panel.params, start, here.alone("exact").t)


def turned(alone, step):
    """The attitudes of a map: R_{k+1} = R_k W_k, W_k turns about (u, v, 0) by 2 atan(eps |(u, v)|/2)."""
    rotation, found = Rotation.identity(), []
    for u, v in zip(alone["u"], alone["v"], strict=True):
        found.append(rotation.as_matrix())
        size = np.hypot(u, v)
        rotation = rotation * Rotation.from_rotvec(2.0 * np.arctan(0.5 * step * size) / size * np.array([u, v, 0.0]))
    return np.array(found)


def forbidden_axis(drawn):
    """The tip (instants, 3) of the axis from the origin that the body may not turn about."""
    places, track = drawn.moved(drawn.one("forbidden_axis"))
    assert np.abs(places[:, 0]).max() == 0.0
    assert close(points(drawn.one("forbidden_axis")).T, places[0])
    ends, _ = drawn.moved(drawn.one("tip"))
    assert np.array_equal(ends[:, 0], places[:, 1])
    return places[:, 1], track


def skin(drawn):
    """Every place (instants, points, 3) of the body's surface, and its trace."""
    places, mesh = skin(drawn)
    for i in (0, len(attitudes) // 2, -1):
        own = places[i] @ attitudes[i]
        levels = np.einsum("pi,ij,pj->p", own, tensor, own)
        assert np.ptp(levels) <= 30.0 * ROUNDED * levels.max()
    # It fits into the unit sphere.
    assert 0.5 < np.linalg.norm(places[0], axis=1).max() < 1.0
    # Its octants alternate between two tones: neighbours across a principal plane differ.
    principal = np.linalg.eigh(tensor)[1]
    triangles = np.stack([whole_numbers(mesh[axis]) for axis in "ijk"], axis=1)
    sides = np.sign((places[0] @ attitudes[0] @ principal)[triangles].mean(axis=1))
    tones = whole_numbers(mesh["intensity"])
    assert set(tones) == {0, 1}
    assert np.ptp(np.where(tones == 1, 1, -1) * np.prod(sides, axis=1)) == 0
    assert mesh["colorscale"][0][1] == THEMES["light"].methods[0] != mesh["colorscale"][1][1]


@pytest.mark.parametrize("query", [SUSLOV, f"{SUSLOV}&methods=cayley", f"{SUSLOV}&step=0.004"])
def test_the_path_is_coloured_up_to_the_clock(query):
    here = page("suslov", query)
    drawn = here.view("motion")
    curve, counts, trace = drawn.trail()
    assert np.array_equal(curve, points(drawn.one("forbidden_axis_path")))
    axis, track = forbidden_axis(drawn)
    assert trace["meta"]["track"] == track
    # At each instant it ends at the axis, which is on the path.
    assert close(curve[:, counts - 1].T, axis, also=flows.ACCURACY)
    assert counts[0] == 1
    assert counts[-1] == curve.shape[1]
    assert points(trace).shape == (3, 1)
    colours = [drawn.one(name)["line"]["color"] for name in ("forbidden_axis", "forbidden_axis_path")]
    assert trace["line"]["color"] == colours[0] != colours[1]


def test_a_body_that_stopped_is_crossed_where_its_axis_is():
    drawn = page("suslov", "step=0.036&methods=moser_veselov").view("motion")
    assert np.array_equal(points(drawn.one("stopped"))[:, 0], points(drawn.one("forbidden_axis_path"))[:, -1])
    assert drawn.one("stopped")["meta"] == {"track": "moser_veselov"}
    assert not page("suslov", SUSLOV).view("motion").named("stopped")


def test_three_great_circles_tell_where_space_is():
    circles = [points(trace) for trace in page("suslov", SUSLOV).view("motion").named("circle")]
    assert len(circles) == 3
    normals = [np.linalg.svd(circle)[0][:, 2] for circle in circles]
    assert close(np.abs(normals).sum(axis=0), np.ones(3), times=8.0)
    for circle in circles:
        assert close(np.linalg.norm(circle, axis=0), np.ones(circle.shape[1]), times=2.0)
        assert np.abs(circle[:, 0] - circle[:, -1]).max() <= 8.0 * ROUNDED


def test_the_room_holds_every_direction_alike():
    layout = page("suslov", SUSLOV).view("motion").layout
    scene = layout["scene"]
    ranges = [scene[axis]["range"] for axis in ("xaxis", "yaxis", "zaxis")]
    assert ranges[0] == ranges[1] == ranges[2]
    assert ranges[0][0] == -ranges[0][1] < -1.1
    assert set(scene["aspectratio"].values()) == {1.0}
    # Near, and nothing but the body: the browser steps back where a view is narrow.
    assert layout["meta"]["near"]
    assert all(scene[axis]["visible"] is False for axis in ("xaxis", "yaxis", "zaxis"))
