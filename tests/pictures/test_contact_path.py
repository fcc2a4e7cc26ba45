"""The contact path of the sleigh with its cusps, and the sleigh that moves along it."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from tests.pictures import flows
from tests.pictures.bodies import SLEIGH
from tests.pictures.reading import close, page, pieces, points

QUERIES = pytest.mark.parametrize("query", [SLEIGH, SLEIGH.replace("b=-0.35", "b=0.5").replace("a=0.6", "a=-0.8")
                                            .replace("p_1=-1.1", "p_1=1.4")])  # fmt: skip
STATE = ("theta", "x", "y", "p_theta", "p_1")


def start(here):
    """The initial state."""
    return np.array([here.panel.initial[name] for name in STATE])


@QUERIES
def test_paths_are_where_the_methods_go(query):
    here = page("sleigh", query)
    runs = here.view("motion").runs()
    assert sorted(runs) == ["exact", "fedorov_zenkov", "naive"]
    for method in ("fedorov_zenkov", "naive"):
        alone = here.alone(method)
        assert close(points(runs[method]), np.stack([alone["x"], alone["y"]]))
        assert runs[method]["mode"] == "markers"
    path = points(runs["exact"])
    times = np.linspace(0.0, here.alone("exact").t[-1], path.shape[1])
    assert close(path, flows.followed(flows.sleigh_rates(here.panel.params), start(here), times)[1:3], also=1e-9)
    assert runs["exact"]["mode"] == "lines"


def flow_cusp(here):
    """The place where v changes its sign, by the solver's own search for it; none if it does not."""
    params = here.panel.params

    def speed(_, y):
        return flows.sleigh_velocities(params, y[3], y[4])[1]

    end = here.alone("exact").t[-1]
    found = solve_ivp(flows.sleigh_rates(params), (0.0, end), start(here), "DOP853", rtol=1e-12, atol=1e-13,
                      events=speed, max_step=0.1)  # fmt: skip
    return [state[1:3] for state in found.y_events[0]]


def map_cusps(alone):
    """The samples at which a path turns back: its way along the mean heading changes sign there."""
    found = []
    for i in range(1, len(alone) - 1):
        ways = []
        for k in (i - 1, i):
            heading = 0.5 * (alone["theta"][k] + alone["theta"][k + 1])
            ways.append((alone["x"][k + 1] - alone["x"][k]) * np.cos(heading)
                        + (alone["y"][k + 1] - alone["y"][k]) * np.sin(heading))  # fmt: skip
        if ways[0] * ways[1] < 0.0:
            found.append(np.array([alone["x"][i], alone["y"][i]]))
    return found


@QUERIES
def test_every_run_has_its_cusp_marked_and_nothing_else_is(query):
    here = page("sleigh", query)
    marks = points(here.view("motion").one("cusp")).T
    expected = flow_cusp(here) + map_cusps(here.alone("fedorov_zenkov")) + map_cusps(here.alone("naive"))
    assert len(marks) == len(expected) == 3
    for place in expected:
        # The solver finds its event to about a root of round-off, where the path stands still.
        assert min(np.linalg.norm(marks - place, axis=1)) <= 1e-6 * np.abs(marks).max()
    assert here.view("motion").one("cusp")["marker"]["symbol"] == "star"


def test_a_run_without_a_cusp_has_none_marked():
    drawn = page("sleigh", SLEIGH.replace("p_1=-1.1", "p_1=1.1")).view("motion")
    assert points(drawn.one("cusp")).size == 0
    assert not [note for note in drawn.words() if "cusp" in note["text"]]


@pytest.mark.parametrize(("query", "way"), [(SLEIGH, "forwards"), (SLEIGH.replace("a=0.6", "a=-0.6")
                                            .replace("p_1=-1.1", "p_1=1.1"), "backwards")])  # fmt: skip
def test_the_words_at_the_cusp_say_when_it_is_and_what_follows(query, way):
    here = page("sleigh", query)
    (short,) = [note for note in here.view("motion").words() if note["text"].startswith("<b>cusp</b>")]
    (long,) = [note for note in here.view("motion").words("wide") if "blade stops" in note["text"]]
    (place,) = flow_cusp(here)
    for note in (short, long):
        assert np.hypot(note["x"] - place[0], note["y"] - place[1]) <= 1e-5
    alone = here.alone("exact")
    turn = np.flatnonzero(np.diff(np.sign(alone["v"])))[0]
    told = float(short["text"].removeprefix("<b>cusp</b> at ").removesuffix(" s"))
    assert alone.t[turn] - 0.01 <= told <= alone.t[turn + 1] + 0.01
    assert long["text"].endswith(f"runs {way}")
    assert (alone["v"][-1] > 0.0) == (way == "forwards")


@QUERIES
def test_outlines_are_the_sleigh_at_their_times(query):
    here = page("sleigh", query)
    drawn, alone = here.view("motion"), here.alone("exact")
    hulls, blades = (pieces(points(trace)) for trace in drawn.named("outlines"))
    times = [float(note["text"].removesuffix(" s")) for note in drawn.words("wide") if note["text"].endswith(" s")]
    assert len(hulls) == len(blades) == len(times) == 5
    moving = drawn.moved(drawn.one("body"))[0]
    samples = [int(np.abs(moving - hull.T).max(axis=(1, 2)).argmin()) for hull in hulls]
    assert samples[0] == 0
    assert samples[-1] == len(alone) - 1
    for sample, hull, blade, time in zip(samples, hulls, blades, times, strict=True):
        assert close(hull.T, moving[sample])
        assert close(blade.T, drawn.moved(drawn.one("blade"))[0][sample])
        # Two digits of it.
        assert abs(time - alone.t[sample]) <= 0.5 * 10.0 ** np.floor(np.log10(max(time, 0.1)) - 1.0) + 1e-9
    # Evenly along the way: no piece is half as long again as a quarter of it, but for one step.
    way = np.concatenate([[0.0], np.cumsum(np.hypot(np.diff(alone["x"]), np.diff(alone["y"])))])
    assert np.diff(way[samples]).max() <= way[-1] / 4.0 + 2.0 * np.diff(way).max()
    for trace in drawn.named("outlines"):
        assert trace["meta"] == {"track": "exact"}


def test_the_moving_sleigh_hides_what_is_behind_it():
    drawn = page("sleigh", SLEIGH).view("motion")
    assert drawn.one("body")["fillcolor"] == "rgba(255,255,255,0.78)"
    assert drawn.one("body")["fill"] == "toself"
    assert "fill" not in drawn.one("blade")
    place = drawn.traces.index(drawn.one("body"))
    assert all(drawn.traces.index(trace) < place for trace in drawn.runs().values())


@QUERIES
def test_the_start_and_the_heading_can_be_taken_by_hand(query):
    here = page("sleigh", query)
    start, tip = here.view("motion").layout["meta"]["handles"]
    initial = here.panel.initial
    assert start == {"at": [initial["x"], initial["y"]], "names": ["x", "y"]}
    assert (tip["pivot"], tip["angle"]) == (start["at"], "theta")
    arm = np.subtract(tip["at"], tip["pivot"])
    assert np.hypot(*arm) > 0.1
    assert np.arctan2(arm[1], arm[0]) == pytest.approx(initial["theta"])


@QUERIES
@pytest.mark.parametrize("method", ["exact", "fedorov_zenkov"])
def test_the_sleigh_stands_on_its_contact_point_along_its_heading(query, method):
    here = page("sleigh", f"{query}&methods={method}.naive")
    drawn, alone, params = here.view("motion"), here.alone(method), here.panel.params
    contact = np.stack([alone["x"], alone["y"]], axis=1)
    along = np.stack([np.cos(alone["theta"]), np.sin(alone["theta"])], axis=1)
    left = np.stack([-along[:, 1], along[:, 0]], axis=1)
    blade, track = drawn.moved(drawn.one("blade"))
    assert track == method
    assert close(blade.mean(axis=1), contact, times=4.0)
    lengths = np.linalg.norm(blade[:, 1] - blade[:, 0], axis=1)
    assert close((blade[:, 1] - blade[:, 0]) / lengths[:, None], along, times=40.0)
    mass, _ = drawn.moved(drawn.one("centre_of_mass"))
    assert close(mass[:, 0], contact + params["a"] * along + params["b"] * left, times=4.0)
    hull, _ = drawn.moved(drawn.one("body"))
    sideways = np.einsum("tpi,ti->tp", hull - contact[:, None], left) - params["b"]
    assert close(sideways.max(axis=1), -sideways.min(axis=1), times=100.0)
    for name in ("blade", "body", "centre_of_mass"):
        assert close(points(drawn.one(name)).T, drawn.moved(drawn.one(name))[0][0])


def test_the_axes_are_the_place_with_one_scale():
    drawn = page("sleigh", SLEIGH).view("motion")
    assert drawn.titles() == ["<i>x</i> (m)", "<i>y</i> (m)"]
    assert drawn.layout["yaxis"]["scaleanchor"] == "x"
