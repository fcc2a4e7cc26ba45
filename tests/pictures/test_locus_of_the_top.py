"""The momentum loci of the Suslov top: surfaces, the plane d*, where they meet, and the runs on them."""

import itertools

import numpy as np
import pytest
from scipy.optimize import brentq, root

from nhviz.figures.style import THEMES
from tests.pictures import flows
from tests.pictures.bodies import SUSLOV
from tests.pictures.reading import ROUNDED, close, page, points

TITLES = [f"<i>M</i><sub>{i}</sub> (kg m²/s)" for i in (1, 2, 3)]
CHOICES = ("moser_veselov", "cayley", "both")
CHOSEN = {"moser_veselov": ["moser_veselov"], "cayley": ["cayley"], "both": ["moser_veselov", "cayley"]}
NEAR = SUSLOV
WIDE = SUSLOV.replace("step=0.12", "step=0.45")
"""A step at which the runs take a good part of both surfaces."""
RIM = {"moser_veselov": 0.5 * np.pi - 1e-6, "cayley": 0.8}
"""Half the rotations at the rims of whole surfaces; next to a half turn tan is large, and exact enough."""
# The last row may be next to the rim by 1e-6 of a turn, as are its momenta.
RIM_ERROR = 1e-5


def shown(surface="moser_veselov", part="whole", query=WIDE):
    return page("suslov", f"{query}&locus.surface={surface}&locus.part={part}")


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


def surfaces(drawn, scene="scene"):
    """The loci in a scene."""
    return [
        points(trace)
        for trace in drawn.traces
        if trace["type"] == "surface" and trace.get("name") != "plane" and trace.get("scene", "scene") == scene
    ]


def curves(drawn, scene="scene"):
    """The curves where loci meet the plane."""
    return [points(trace) for trace in drawn.named("curve") if trace.get("scene", "scene") == scene]


def ranges(drawn, scene="scene"):
    """The corners of what a scene shows."""
    return np.array([drawn.layout[scene][f"{axis}axis"]["range"] for axis in "xyz"]).T


def momenta(here, surface, halves, rows, columns):
    """The momenta of a grid of rotations: rows by half the angle, columns by the axis, all round."""
    half, direction = np.linspace(*halves, rows)[:, None], np.linspace(0.0, 2.0 * np.pi, columns)[None, :]
    return FORMULAS[surface](here.panel.params, here.panel.step, *displaced(here.panel.step, half, direction))


def farthest(here, surface, locus):
    """Half the rotation of the last row of a surface about the identity, by its first point."""
    step, params = here.panel.step, here.panel.params

    def missed(half):
        return FORMULAS[surface](params, step, *displaced(step, half, 0.0))[0] - locus[0, -1, 0]

    return brentq(missed, 0.0, 0.7)


@pytest.mark.parametrize(
    ("surface", "part", "halves"),
    [
        ("moser_veselov", "whole", (0.0, RIM["moser_veselov"])),
        ("moser_veselov", "0.4-0.8", (np.arccos(0.8), np.arccos(0.4))),
        ("cayley", "whole", (0.0, RIM["cayley"])),
    ],
)
def test_every_point_of_a_surface_is_the_momentum_of_its_rotation(surface, part, halves):
    # The locus of Cayley is the larger one.
    here = shown(surface, part, WIDE if surface == "moser_veselov" else SUSLOV.replace("step=0.12", "step=1.2"))
    assert "scene2" not in here.view("locus").layout
    (locus,) = surfaces(here.view("locus"))
    rows, columns = locus.shape[1:]
    expected = momenta(here, surface, halves, rows, columns)
    assert close(locus, expected, 4.0, RIM_ERROR * np.abs(expected).max() if part == "whole" else 0.0)
    assert rows > 20 < columns


@pytest.mark.parametrize("surface", ["moser_veselov", "cayley"])
def test_a_surface_near_its_runs_is_the_same_and_beyond_what_is_shown(surface):
    here = shown(surface, query=NEAR)
    drawn = here.view("locus")
    (locus,) = surfaces(drawn)
    rows, columns = locus.shape[1:]
    half = farthest(here, surface, locus)
    assert 0.0 < half < 0.6 * RIM[surface]
    assert close(locus, momenta(here, surface, (0.0, half), rows, columns), times=20.0)
    low, high = ranges(drawn)
    inside = np.all((locus >= low[:, None, None]) & (locus <= high[:, None, None]), axis=0)
    assert inside[0].all()
    assert not inside[-1].any()
    # No finer than it need be.
    assert inside[rows // 3].any()


@pytest.mark.parametrize("surface", ["moser_veselov", "cayley"])
def test_the_whole_is_in_a_corner_with_the_part_as_a_box_in_it(surface):
    here = shown(surface, query=NEAR)
    drawn = here.view("locus")
    (whole,) = surfaces(drawn, "scene2")
    rows, columns = whole.shape[1:]
    expected = momenta(here, surface, (0.0, RIM[surface]), rows, columns)
    assert close(whole, expected, 4.0, RIM_ERROR * np.abs(expected).max())
    # Its curves are those of the whole too.
    for curve in curves(drawn, "scene2"):
        assert np.abs(above_the_plane(here.panel.params, curve)).max() <= 8.0 * ROUNDED * np.abs(whole).max()
    ends = [max(np.abs(curve).max() for curve in curves(drawn, scene)) for scene in ("scene", "scene2")]
    assert ends[1] > 1.2 * ends[0]
    low, high = ranges(drawn)
    box = points(drawn.one("part"))
    assert close(box.min(axis=1), low, times=2.0)
    assert close(box.max(axis=1), high, times=2.0)
    assert close(points(drawn.one("here"))[:, 0], 0.5 * (low + high), times=2.0, also=ROUNDED * np.abs(high).max())
    # All of it is shown, from the same side, in a corner.
    least, most = ranges(drawn, "scene2")
    assert (least[:, None, None] <= whole).all()
    assert (whole <= most[:, None, None]).all()
    assert drawn.layout["scene2"]["camera"] == drawn.layout["scene"]["camera"]
    assert drawn.layout["scene2"]["aspectratio"] == drawn.layout["scene"]["aspectratio"]
    domain = drawn.layout["scene2"]["domain"]
    assert np.ptp(domain["x"]) == pytest.approx(0.26)
    assert np.ptp(domain["y"]) == pytest.approx(0.34)
    assert drawn.layout["scene"]["domain"] == {"x": [0.0, 1.0], "y": [0.0, 1.0]}


@pytest.mark.parametrize("surface", CHOICES)
@pytest.mark.parametrize("step", [1e-5, 0.001, 0.004, 0.015, 0.03])
def test_the_runs_are_seen_at_every_step(step, surface):
    drawn = page("suslov", f"step={step}&duration=1&locus.surface={surface}").view("locus")
    low, high = ranges(drawn)
    clouds = [points(trace) for trace in drawn.runs().values()]
    runs = np.concatenate(clouds, axis=1)
    assert (low[:, None] <= runs).all()
    assert (runs <= high[:, None]).all()
    shares = np.ptp(runs, axis=1) / (high - low)
    assert shares.max() >= 0.25
    assert shares.max() <= 0.32 or "scene2" not in drawn.layout


def test_what_is_shown_changes_little_with_the_step_and_its_whole_comes_once():
    steps = 0.002 * 1.02 ** np.arange(100)
    drawn = [page("suslov", f"step={step}&methods=moser_veselov").view("locus") for step in steps]
    corners = np.array([ranges(one) for one in drawn])
    size = np.ptp(corners, axis=1)
    assert (np.abs(np.diff(corners, axis=0)) <= 0.05 * size[1:, None]).all()
    with_whole = ["scene2" in one.layout for one in drawn]
    assert with_whole == sorted(with_whole, reverse=True)
    assert with_whole[0]
    assert not with_whole[-1]


def test_a_body_at_rest_shows_the_whole():
    here = page("suslov", "M1=0&M2=0")
    low, high = ranges(here.view("locus"))
    (locus,) = surfaces(here.view("locus"))
    assert (low[:, None, None] <= locus).all()
    assert (locus <= high[:, None, None]).all()


def test_both_surfaces_are_the_two_and_can_be_told_apart():
    both = shown("both").view("locus")
    first, second = surfaces(both)
    assert np.array_equal(first, surfaces(shown("moser_veselov").view("locus"))[0])
    assert np.array_equal(second, surfaces(shown("cayley").view("locus"))[0])
    scales = [trace["colorscale"] for trace in both.traces if trace["type"] == "surface"]
    assert len({str(scale) for scale in scales}) == 3
    assert scales[0] == [[0, THEMES["light"].surface_low], [1, THEMES["light"].surface_high]]


@pytest.mark.parametrize("query", [WIDE, NEAR])
@pytest.mark.parametrize("surface", CHOICES)
def test_the_plane_is_that_of_the_flow_and_covers_its_runs(surface, query):
    here = shown(surface, query=query)
    plane = points(here.view("locus").one("plane"))
    reach = np.abs(plane).max()
    assert np.abs(above_the_plane(here.panel.params, plane)).max() <= 4.0 * ROUNDED * reach
    corners = plane[:2].reshape(2, -1).T
    assert len(np.unique(corners, axis=0)) == 4
    flow = points(here.view("locus").runs()["exact"])
    assert (np.abs(flow[:2]).max(axis=1) <= corners.max(axis=0)).all()
    # It is hardly there: a surface is in front of it.
    assert here.view("locus").one("plane")["opacity"] < 0.1


@pytest.mark.parametrize("query", [WIDE, NEAR])
def test_moser_veselov_meets_the_plane_in_two_directions(query):
    here = shown("moser_veselov", query=query)
    params, step = here.panel.params, here.panel.step

    def height(direction):
        return above_the_plane(params, moser_veselov(params, step, *displaced(step, 0.5, direction)))

    grid = np.linspace(0.0, np.pi, 41)
    zeros = [brentq(height, a, b) for a, b in itertools.pairwise(grid) if height(a) * height(b) < 0.0]
    drawn = here.view("locus")
    found = curves(drawn)
    assert len(found) == len(zeros) == 2
    reach = RIM["moser_veselov"] if query == WIDE else farthest(here, "moser_veselov", surfaces(drawn)[0])
    for direction in zeros:
        half = np.linspace(-reach, reach, found[0].shape[1])
        expected = moser_veselov(params, step, *displaced(step, half, np.full(half.size, direction)))
        # A curve may be run through either way.
        assert any(close(curve[:, ::turn], expected, 20.0, RIM_ERROR * np.abs(expected).max()) for curve in found
                   for turn in (1, -1))  # fmt: skip


@pytest.mark.parametrize("query", [WIDE, NEAR])
def test_cayley_meets_the_plane_where_it_is_drawn(query):
    here = shown("cayley", query=query)
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
    # From the identity out to the rim of the surface.
    rim = 1.6 if query == WIDE else 2.0 * farthest(here, "cayley", surfaces(here.view("locus"))[0])
    assert min(angles) < 0.05
    assert max(angles) == pytest.approx(rim, rel=0.025)


def test_curves_of_both_surfaces_are_those_of_each():
    both = curves(shown("both").view("locus"))
    each = [*curves(shown("moser_veselov").view("locus")), *curves(shown("cayley").view("locus"))]
    assert len(both) == len(each)
    assert all(np.array_equal(one, other) for one, other in zip(both, each, strict=True))


def test_geometry_is_in_ink():
    drawn = shown("both").view("locus")
    assert {trace["line"]["color"] for trace in drawn.named("curve")} == {THEMES["light"].ink}
    assert all("meta" not in trace for trace in drawn.named("curve"))


@pytest.mark.parametrize("query", [WIDE, NEAR])
@pytest.mark.parametrize("surface", CHOICES)
def test_runs_are_on_their_own_surface(surface, query):
    here = shown(surface, query=query)
    params, step, drawn = here.panel.params, here.panel.step, here.view("locus")
    runs = drawn.runs()
    assert list(runs) == ["exact", *CHOSEN[surface]]
    lift = np.array([[0.0], [0.0], [drawn.lift()]])
    for method in CHOSEN[surface]:
        alone = here.alone(method)
        found = points(runs[method])
        assert close(found - lift, FORMULAS[method](params, step, alone["u"], alone["v"]), times=2.0, also=1e-9)
        assert close(found[:2], np.stack([alone["M1"], alone["M2"]]))
        assert runs[method]["mode"] == "markers"
        places, _ = drawn.markers()[method]
        assert close(places.T - 3.0 * lift, found - lift, times=4.0)
    flow = points(runs["exact"]) - lift
    start = np.array([here.panel.initial["M1"], here.panel.initial["M2"]])
    times = np.linspace(0.0, here.alone("exact").t[-1], flow.shape[1])
    assert close(flow[:2], flows.followed(flows.suslov_rates(params), start, times), also=flows.ACCURACY)
    assert np.abs(above_the_plane(params, flow)).max() <= 8.0 * ROUNDED * np.abs(flow).max()


def test_a_run_that_stopped_is_crossed_at_its_last_point():
    here = page("suslov", "step=0.036")
    assert here.panel.runs["moser_veselov"].stopped
    drawn = here.view("locus")
    cross, theme = drawn.one("stopped"), THEMES["light"]
    assert cross["meta"] == {"track": "moser_veselov"}
    assert cross["textfont"]["color"] == theme.alarm
    assert np.array_equal(points(cross)[:, 0], points(drawn.runs()["moser_veselov"])[:, -1])
    assert not page("suslov", "step=0.03").view("locus").named("stopped")


def test_the_axes_are_the_momenta():
    assert shown().view("locus").titles() == TITLES


def test_narrow_scenes_have_no_words_at_their_axes():
    assert shown().view("locus").layout["meta"] == {"scene_words_from": 560, "near": True}
