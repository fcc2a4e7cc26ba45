"""The turning top: its axes by the attitude that follows from its angular velocity, the axes of rotation, its shape."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from tests.pictures import flows
from tests.pictures.bodies import SUSLOV
from tests.pictures.reading import ROUNDED, close, page, points

AXES = ("axis_1", "axis_2", "forbidden_axis")
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


def body_axes(drawn):
    """The tips (instants, 3) of the three body axes, each from the origin."""
    tips = []
    for name in AXES:
        places, track = drawn.moved(drawn.one(name))
        assert np.abs(places[:, 0]).max() == 0.0
        tips.append(places[:, 1])
        assert close(points(drawn.one(name)).T, places[0])
    return np.stack(tips, axis=-1), track


def test_the_axes_of_the_body_are_the_columns_of_its_attitude():
    here, _, attitudes = flow()
    columns, track = body_axes(here.view("motion"))
    assert track == "exact"
    assert close(columns, attitudes, also=flows.ACCURACY)


@MAPS
def test_the_axes_of_a_map_turn_by_its_displacements(method):
    here = page("suslov", f"{SUSLOV}&methods={method}")
    columns, track = body_axes(here.view("motion"))
    assert track == method
    # Fifty products of rotations, each rounded to 64 bits.
    assert close(columns, turned(here.alone(method), here.panel.step), times=2.0)


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
        # A little longer than the axes of the body, through the fixed point, towards the rotation vector.
        assert 1.0 < length < 1.15
        assert close(segment / length, np.stack([-axis, axis]), times=2.0, also=flows.ACCURACY)
        assert drawn.one(name)["line"]["dash"] == dash
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
    (mesh,) = [trace for trace in drawn.traces if trace["type"] == "mesh3d"]
    places, track = drawn.moved(mesh)
    assert track == "exact"
    for i in (0, len(attitudes) // 2, -1):
        own = places[i] @ attitudes[i]
        levels = np.einsum("pi,ij,pj->p", own, tensor, own)
        assert np.ptp(levels) <= 30.0 * ROUNDED * levels.max()
    # It fits into its axes.
    assert 0.5 < np.linalg.norm(places[0], axis=1).max() < 1.0


def test_the_forbidden_axis_looks_unlike_the_others():
    drawn = page("suslov", SUSLOV).view("motion")
    colours = [drawn.one(name)["line"]["color"] for name in AXES]
    assert colours[0] == colours[1] != colours[2]
    assert colours[2] == drawn.one("forbidden_axis_path")["line"]["color"]


def test_the_room_holds_every_direction_alike():
    scene = page("suslov", SUSLOV).view("motion").layout["scene"]
    ranges = [scene[axis]["range"] for axis in ("xaxis", "yaxis", "zaxis")]
    assert ranges[0] == ranges[1] == ranges[2]
    assert ranges[0][0] == -ranges[0][1] < -1.1
    assert scene["aspectmode"] == "cube"
