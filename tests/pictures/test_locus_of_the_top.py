"""The momentum loci of the Suslov top: surfaces, the plane d*, where they meet, and the runs on them."""

import itertools

import numpy as np
import pytest
from scipy.optimize import brentq, root

from tests.pictures import flows
from tests.pictures.bodies import SUSLOV
from tests.pictures.reading import ROUNDED, close, page, points

TITLES = [f"<i>M</i><sub>{i}</sub> (kg m²/s)" for i in (1, 2, 3)]
CHOICES = ("moser_veselov", "cayley", "both")


def shown(surface="moser_veselov", part="whole"):
    return page("suslov", f"{SUSLOV}&locus.surface={surface}&locus.part={part}")


def moser_veselov(params, step, u, v):
    """GJ (28): the momentum before a step with the displacement Cay(eps (u, v, 0))."""
    k, square = params["I13"] * u + params["I23"] * v, 4.0 + step**2 * (u**2 + v**2)
    first = 2.0 * params["I11"] * u + step * v * k
    second = 2.0 * params["I22"] * v - step * u * k
    third = 2.0 * k + step * (params["I22"] - params["I11"]) * u * v
    return 2.0 / square * np.stack([first, second, third])


def cayley(params, step, u, v):
    """GJ (41)."""
    k, s = params["I13"] * u + params["I23"] * v, params["I11"] * u**2 + params["I22"] * v**2
    first = params["I11"] * u + step * v * k / 2.0 + step**2 * u * s / 4.0
    second = params["I22"] * v - step * u * k / 2.0 + step**2 * v * s / 4.0
    return np.stack([first, second, k + step * (params["I22"] - params["I11"]) * u * v / 2.0])


FORMULAS = {"moser_veselov": moser_veselov, "cayley": cayley}


def displaced(step, half, direction):
    """(u, v) of the rotation by twice `half` about (cos, sin) of a direction."""
    size = 2.0 / step * np.tan(half)
    return size * np.cos(direction), size * np.sin(direction)


def above_the_plane(params, momentum):
    """M3 minus that of d* (GJ (13))."""
    first, second = params["I13"] / params["I11"], params["I23"] / params["I22"]
    return momentum[2] - first * momentum[0] - second * momentum[1]


def surfaces(drawn):
    """The traces of surfaces: the loci, and the plane last."""
    return [points(trace) for trace in drawn.traces if trace["type"] == "surface"]


def curves(drawn):
    """The curves where loci meet the plane."""
    return [points(trace) for trace in drawn.traces if trace["type"] == "scatter3d" and trace["mode"] == "lines"
            and "meta" not in trace]  # fmt: skip


@pytest.mark.parametrize(
    ("surface", "part", "halves"),
    [
        # Rotations by pi are a rim of the whole surface; next to it tan is large, and exact enough.
        ("moser_veselov", "whole", (0.0, 0.5 * np.pi - 1e-6)),
        ("moser_veselov", "0.4-0.8", (np.arccos(0.8), np.arccos(0.4))),
        ("cayley", "whole", (0.0, 0.8)),
    ],
)
def test_every_point_of_a_surface_is_the_momentum_of_its_rotation(surface, part, halves):
    here = shown(surface, part)
    locus, _ = surfaces(here.view("locus"))
    rows, columns = locus.shape[1:]
    half, direction = np.linspace(*halves, rows)[:, None], np.linspace(0.0, 2.0 * np.pi, columns)[None, :]
    expected = FORMULAS[surface](here.panel.params, here.panel.step, *displaced(here.panel.step, half, direction))
    # The last row is next to the rim by 1e-6 of a turn, as are its momenta.
    assert close(locus, expected, times=4.0, also=1e-5 * np.abs(expected).max() if part == "whole" else 0.0)
    assert rows > 20 < columns


def test_both_surfaces_are_the_two_and_can_be_told_apart():
    both = shown("both").view("locus")
    first, second, _ = surfaces(both)
    assert np.array_equal(first, surfaces(shown("moser_veselov").view("locus"))[0])
    assert np.array_equal(second, surfaces(shown("cayley").view("locus"))[0])
    scales = [trace["colorscale"] for trace in both.traces if trace["type"] == "surface"]
    assert len({str(scale) for scale in scales}) == 3


@pytest.mark.parametrize("surface", CHOICES)
def test_the_plane_is_that_of_the_flow_and_covers_its_runs(surface):
    here = shown(surface)
    *_, plane = surfaces(here.view("locus"))
    reach = np.abs(plane).max()
    assert np.abs(above_the_plane(here.panel.params, plane)).max() <= 4.0 * ROUNDED * reach
    corners = plane[:2].reshape(2, -1).T
    assert len(np.unique(corners, axis=0)) == 4
    flow = points(here.view("locus").runs()["exact"])
    assert (np.abs(flow[:2]).max(axis=1) <= corners.max(axis=0)).all()


def test_moser_veselov_meets_the_plane_in_two_directions():
    here = shown("moser_veselov")
    params, step = here.panel.params, here.panel.step

    def height(direction):
        return above_the_plane(params, moser_veselov(params, step, *displaced(step, 0.5, direction)))

    grid = np.linspace(0.0, np.pi, 41)
    zeros = [brentq(height, a, b) for a, b in itertools.pairwise(grid) if height(a) * height(b) < 0.0]
    found = curves(here.view("locus"))
    assert len(found) == len(zeros) == 2
    for direction in zeros:
        half = np.linspace(-0.5 * np.pi + 1e-6, 0.5 * np.pi - 1e-6, found[0].shape[1])
        expected = moser_veselov(params, step, *displaced(step, half, np.full(half.size, direction)))
        # A curve may be run through either way.
        assert any(close(curve[:, ::turn], expected, 4.0, 1e-5 * np.abs(expected).max()) for curve in found
                   for turn in (1, -1))  # fmt: skip


def test_cayley_meets_the_plane_where_it_is_drawn():
    here = shown("cayley")
    params, step = here.panel.params, here.panel.step
    found = curves(here.view("locus"))
    assert found
    angles = []
    for momentum in np.concatenate(found, axis=1).T:
        size = np.abs(momentum).max()
        assert abs(above_the_plane(params, momentum)) <= 4.0 * ROUNDED * max(size, 1.0)
        start = momentum[:2] / (params["I11"], params["I22"])
        velocity = root(lambda w, m=momentum: cayley(params, step, *w)[:2] - m[:2], start, tol=1e-13).x
        # M3 is as exact as the two others, times the slope of the surface.
        assert abs(cayley(params, step, *velocity)[2] - momentum[2]) <= 20.0 * ROUNDED * max(size, 1.0)
        angles.append(2.0 * np.arctan(0.5 * step * np.hypot(*velocity)))
    # From the identity out to the rim of the surface, 1.6.
    assert min(angles) < 0.05
    assert max(angles) == pytest.approx(1.6, abs=0.04)


def test_curves_of_both_surfaces_are_those_of_each():
    both = curves(shown("both").view("locus"))
    each = [*curves(shown("moser_veselov").view("locus")), *curves(shown("cayley").view("locus"))]
    assert len(both) == len(each)
    assert all(np.array_equal(one, other) for one, other in zip(both, each, strict=True))


@pytest.mark.parametrize("surface", CHOICES)
def test_runs_are_on_their_own_surface(surface):
    here = shown(surface)
    params, step, drawn = here.panel.params, here.panel.step, here.view("locus")
    runs = drawn.runs()
    assert list(runs) == ["exact", "moser_veselov", "cayley"]
    for method, formula in FORMULAS.items():
        alone = here.alone(method)
        found = points(runs[method])
        assert close(found, formula(params, step, alone["u"], alone["v"]), times=2.0, also=1e-9)
        assert close(found[:2], np.stack([alone["M1"], alone["M2"]]))
        assert runs[method]["mode"] == "markers"
    flow = points(runs["exact"])
    start = np.array([here.panel.initial["M1"], here.panel.initial["M2"]])
    times = np.linspace(0.0, here.alone("exact").t[-1], flow.shape[1])
    assert close(flow[:2], flows.followed(flows.suslov_rates(params), start, times), also=flows.ACCURACY)
    assert np.abs(above_the_plane(params, flow)).max() <= 4.0 * ROUNDED * np.abs(flow).max()


def test_the_axes_are_the_momenta():
    assert shown().view("locus").titles() == TITLES
