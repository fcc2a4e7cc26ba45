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
    (mesh,) = [trace for trace in drawn.traces if trace["type"] == "mesh3d"]
    return drawn.moved(mesh)[0], mesh


def test_the_axis_and_the_skin_of_the_body_turn_by_its_attitude():
    here, _, attitudes = flow()
    drawn = here.view("motion")
    axis, track = forbidden_axis(drawn)
    assert track == "exact"
    assert close(axis, attitudes[:, :, 2], also=flows.ACCURACY)
    places, _ = skin(drawn)
    own = places[0] @ attitudes[0]
    assert close(places, np.einsum("tij,pj->tpi", attitudes, own), times=8.0, also=flows.ACCURACY)


@MAPS
def test_the_axis_and_the_skin_of_a_map_turn_by_its_displacements(method):
    here = page("suslov", f"{SUSLOV}&methods={method}")
    drawn = here.view("motion")
    axis, track = forbidden_axis(drawn)
    assert track == method
    # Fifty products of rotations, each rounded to 64 bits.
    attitudes = turned(here.alone(method), here.panel.step)
    assert close(axis, attitudes[:, :, 2], times=2.0)
    places, _ = skin(drawn)
    assert close(places, np.einsum("tij,pj->tpi", attitudes, places[0]), times=8.0)


def test_the_path_behind_the_body_is_that_of_its_forbidden_axis():
    here, _, _ = flow()
    path = points(here.view("motion").one("forbidden_axis_path"))
    times = np.linspace(0.0, here.alone("exact").t[-1], path.shape[1])
    start = [here.panel.initial["M1"], here.panel.initial["M2"]]
    _, attitudes = flows.attitude(here.panel.params, start, times)
    # A smooth curve, finer than the steps.
    assert path.shape[1] > len(here.alone("exact")) + 100
    assert close(path.T, attitudes[:, :, 2], also=flows.ACCURACY)


@MAPS
def test_the_path_of_a_map_goes_through_its_own_instants(method):
    here = page("suslov", f"{SUSLOV}&methods={method}")
    path = points(here.view("motion").one("forbidden_axis_path"))
    assert close(path.T, turned(here.alone(method), here.panel.step)[:, :, 2], times=2.0)


def test_the_first_and_the_last_axis_are_those_of_rotation_in_space():
    here, momenta, attitudes = flow()
    drawn, params = here.view("motion"), here.panel.params
    for name, i, dash in (("first axis", 0, "dash"), ("last axis", -1, "solid")):
        omega = np.array([momenta[0, i] / params["I11"], momenta[1, i] / params["I22"], 0.0])
        axis = attitudes[i] @ omega / np.linalg.norm(omega)
        segment = points(drawn.one(name)).T
        length = np.linalg.norm(segment[1])
        # A little longer than the axis of the body, through the fixed point, towards the rotation vector.
        assert 1.0 < length < 1.25
        assert close(segment / length, np.stack([-axis, axis]), times=2.0, also=flows.ACCURACY)
        assert drawn.one(name)["line"]["dash"] == dash
        (words,) = [trace for trace in drawn.named("words") if trace["text"] == [name]]
        assert words["textfont"]["color"] == THEMES["light"].soft
        # At its end, the first above, the last below.
        place = points(words)[:, 0] - (0.0, 0.0, 0.1 if i == 0 else -0.1)
        assert any(close(place, end, times=4.0) for end in segment)
    assert drawn.one("first axis")["line"]["color"] != drawn.one("last axis")["line"]["color"]


def test_the_body_is_its_inertia_ellipsoid():
    here, _, attitudes = flow()
    params, drawn = here.panel.params, here.view("motion")
    tensor = np.array(
        [
            [params["I11"], 0.0, params["I13"]],
            [0.0, params["I22"], params["I23"]],
            [params["I13"], params["I23"], params["I33"]],
        ]
    )
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
    middles = (places[0] @ attitudes[0] @ principal)[triangles].mean(axis=1)
    # At the poles some triangles have no area.
    clear = np.abs(middles).min(axis=1) > 1e-3
    tones = whole_numbers(mesh["intensity"])
    assert set(tones) == {0, 1}
    assert np.ptp((np.where(tones == 1, 1, -1) * np.prod(np.sign(middles), axis=1))[clear]) == 0
    assert clear.mean() > 0.8
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
