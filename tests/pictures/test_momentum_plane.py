"""The momentum plane: which equilibrium is stable, which energy an arc has, where the cusp is, whose run is whose."""

import numpy as np
import pytest

import nhviz
from nhviz.figures.style import THEMES
from tests.pictures import flows
from tests.pictures.bodies import SLEIGH, SUSLOV
from tests.pictures.reading import ROUNDED, close, component, lead_of, numbers, page, pieces, points

TOP, SLED = ("suslov", SUSLOV), ("sleigh", SLEIGH)
BOTH = pytest.mark.parametrize("which", [TOP, SLED, ("sleigh", SLEIGH.replace("a=0.6", "a=-0.6"))])
TURNED = ("suslov", SUSLOV.replace("I13=0.9", "I13=-0.9") + "&methods=exact.cayley")


def laws(which):
    """Parameters, rates of the two momenta, energy, and the start."""
    params, initial = page(*which).panel.params, page(*which).panel.initial
    if which[0] == "suslov":
        start = np.array([initial["M1"], initial["M2"]])
        return params, flows.suslov_rates(params), lambda m: flows.suslov_energy(params, m), start
    whole = flows.sleigh_rates(params)
    start = np.array([initial["p_theta"], initial["p_1"]])
    return params, lambda t, m: whole(t, [0.0, 0.0, 0.0, *m])[3:], lambda m: flows.sleigh_energy(params, m), start


@BOTH
def test_stable_equilibria_are_those_to_which_the_flow_returns(which):
    drawn = page(*which).view("plane")
    _, rates, _, _ = laws(which)
    for name, sign in (("stable", -1.0), ("unstable", 1.0)):
        ends = points(drawn.one(name)).T
        assert len(ends) >= 3
        for end in ends:
            rate = flows.growth(rates, end)
            assert sign * rate > 0.0
            # A rounded end is not quite at rest: it moves by its rate times its distance from rest.
            assert np.linalg.norm(rates(0.0, end)) <= 10.0 * ROUNDED * abs(rate) * np.linalg.norm(end)


@BOTH
def test_stable_equilibria_are_filled_and_unstable_ones_empty(which):
    drawn = page(*which).view("plane")
    filled, empty = drawn.one("stable")["marker"], drawn.one("unstable")["marker"]
    assert filled["color"] == filled["line"]["color"] == empty["line"]["color"] == drawn.layout["font"]["color"]
    assert empty["color"] == drawn.layout["paper_bgcolor"] != filled["color"]


@BOTH
def test_the_words_stable_and_unstable_stand_at_the_outermost(which):
    drawn = page(*which).view("plane")
    for name in ("stable", "unstable"):
        ends = points(drawn.one(name))
        (note,) = [note for note in drawn.words() if note["text"] == name]
        assert close(ends[:, np.argmax(np.hypot(*ends))], [note["x"], note["y"]])


@BOTH
def test_every_arc_is_one_ellipse_of_the_energy_with_its_own_equilibria(which):
    drawn = page(*which).view("plane")
    _, _, energy, start = laws(which)
    arcs = pieces(points(drawn.one("levels")))
    levels = []
    for arc in arcs:
        heights = energy(arc)
        assert np.ptp(heights) <= 10.0 * ROUNDED * heights.max()
        assert close(arc[:, 0], arc[:, -1])
        assert np.ptp(np.unwrap(np.arctan2(*arc))) == pytest.approx(2.0 * np.pi)
        levels.append(heights.mean() / energy(start))
    own = energy(points(drawn.one("own level")))
    assert np.abs(own / energy(start) - 1.0).max() <= 10.0 * ROUNDED
    assert drawn.one("own level")["line"]["color"] != drawn.one("levels")["line"]["color"]
    # The arc of the runs is among them, with some inside and some outside.
    assert min(abs(level - 1.0) for level in levels) <= 10.0 * ROUNDED
    assert min(levels) < 0.5
    assert max(levels) > 1.2
    for name in ("stable", "unstable"):
        ends = energy(points(drawn.one(name))) / energy(start)
        assert np.allclose(np.sort(ends), np.sort(levels), rtol=20.0 * ROUNDED, atol=0.0)


@BOTH
def test_the_solid_half_of_the_line_is_the_stable_one(which):
    drawn = page(*which).view("plane")
    _, rates, energy, start = laws(which)
    for trace, name, dash in zip(drawn.named("equilibria"), ("unstable", "stable"), ("dot", "solid"), strict=True):
        assert trace["line"]["dash"] == dash
        half = points(trace)
        far = half[:, np.argmax(np.linalg.norm(half, axis=0))]
        assert np.linalg.norm(half, axis=0).min() == 0.0
        assert (flows.growth(rates, far) < 0.0) == (name == "stable")
        ends = points(drawn.one(name))
        assert close(ends, np.outer(far, far @ ends) / (far @ far), times=4.0)
        # It goes on beyond the outermost arc.
        assert energy(far) > energy(ends).max() >= 1.2 * energy(start)


@BOTH
def test_runs_are_where_their_methods_go(which):
    here = page(*which)
    drawn, (_, rates, _, start) = here.view("plane"), laws(which)
    runs = drawn.runs()
    assert sorted(runs) == sorted(here.panel.runs)
    for method, trace in runs.items():
        alone = here.alone(method)
        if method == "exact":
            stride = trace["meta"]["stride"]
            count = (len(alone) - 1) * stride + 1
            fine = np.linspace(0.0, alone.t[-1], count)
            assert close(points(trace), flows.followed(rates, start, fine), also=flows.ACCURACY)
            assert trace["mode"] == "lines"
        else:
            names = [component(title, here)[0] for title in drawn.titles()]
            assert close(points(trace), np.stack([alone[name] for name in names]))
            assert trace["mode"] == "markers"


def test_the_axes_are_the_momenta_with_their_units():
    top, sled = page(*TOP).view("plane"), page(*SLED).view("plane")
    assert top.titles() == ["<i>M</i><sub>1</sub> (kg m²/s)", "<i>M</i><sub>2</sub> (kg m²/s)"]
    assert sled.titles() == ["<i>p</i><sub>θ</sub> (kg m²/s)", "<i>p</i><sub>1</sub> (kg m/s)"]
    for drawn in (top, sled):
        assert drawn.layout["yaxis"]["scaleanchor"] == "x"


@pytest.mark.parametrize("query", [SLEIGH, SLEIGH.replace("b=-0.35", "b=0.8"), ""])
def test_the_cusp_line_is_where_the_blade_stands_still_and_meets_every_arc(query):
    drawn, (params, _, energy, start) = page("sleigh", query).view("plane"), laws(("sleigh", query))
    line = points(drawn.one("cusps"))
    (note,) = [note for note in drawn.words() if note["text"] == "cusp: <i>v</i> = 0"]
    assert close(line[:, np.argmin(line[0])], [note["x"], note["y"]])
    _, speed = flows.sleigh_velocities(params, *line)
    assert np.abs(speed).max() <= 10.0 * ROUNDED * np.abs(line[1] / params["m"]).max() + 1e-300
    assert close(line[:, 0], -line[:, -1])
    outermost = max(energy(arc[:, 0]) for arc in pieces(points(drawn.one("levels"))))
    assert (energy(line) >= outermost).all()
    assert outermost > energy(start)
    assert not page(*TOP).view("plane").named("cusps")


@pytest.mark.parametrize("which", [TOP, TURNED])
def test_the_rest_points_of_cayley_rest(which):
    here = page(*which)
    drawn, (params, rates, energy, start) = here.view("plane"), laws(which)
    (trace,) = [one for one in drawn.traces if "rest points" in one.get("name", "")]
    assert trace["name"] == "rest points: Cayley"
    assert trace["line"]["color"] == drawn.runs()["cayley"]["marker"]["color"]
    assert trace["meta"] == {"track": "cayley"}
    curve = points(trace)
    step = here.panel.step
    for m1, m2 in curve.T:
        moved = nhviz.simulate("suslov", "cayley", params, {"M1": m1, "M2": m2}, step, 20 * step)
        still = np.hypot(moved["M1"] - m1, moved["M2"] - m2)
        # Rounding moves a point across its curve; the map takes it back, or away by its multiplier 20 times over.
        rate = abs(flows.growth(rates, curve[:, 0]))
        assert still.max() <= 10.0 * ROUNDED * np.abs(curve).max() * np.exp(20 * step * rate)
    # Once through rest from the unstable to the stable side, beyond the outermost arc at both ends.
    away = np.stack([curve[:, 0], curve[:, -1]])
    assert flows.growth(rates, away[0]) > 0.0 > flows.growth(rates, away[1])
    assert energy(away.T).min() > 1.2 * energy(start)
    # It ends at the energy at which the line of the flow ends.
    line = np.concatenate([points(half) for half in drawn.named("equilibria")], axis=1)
    assert energy(away.T) == pytest.approx(np.full(2, energy(line).max()), rel=10.0 * ROUNDED)
    assert np.abs(curve).sum(axis=0).min() == 0.0
    assert (np.diff((away[1] - away[0]) @ curve) > 0.0).all()


def test_moser_veselov_rests_on_the_line_of_the_flow_and_needs_no_curve():
    traces = page(*TOP).view("plane").traces
    assert [one["name"] for one in traces if "rest points" in one.get("name", "")] == ["rest points: Cayley"]


@pytest.mark.parametrize("change", [("I23=-1.3", "I23=0"), ("I13=0.9", "I13=0"), ("I22=3.7", "I22=2")])
def test_where_cayley_rests_on_the_line_of_the_flow_it_needs_no_curve(change):
    drawn = page("suslov", SUSLOV.replace(*change)).view("plane")
    assert "cayley" in drawn.runs()
    assert not [one for one in drawn.traces if "rest points" in one.get("name", "")]


def test_a_run_that_stops_has_a_cross_at_its_end():
    query = "step=0.034&methods=exact.moser_veselov"
    drawn = page("suslov", query).view("plane")
    cross = drawn.one("stopped")
    assert page("suslov", query).alone("moser_veselov").stopped
    run = points(drawn.runs()["moser_veselov"])
    assert close(points(cross)[:, 0], run[:, -1])
    assert not close(run[:, 0], run[:, -1], times=100.0)
    assert cross["meta"] == {"track": "moser_veselov"}
    assert (cross["marker"]["size"], cross["marker"]["color"]) == (13, THEMES["light"].alarm)
    assert len(numbers(drawn.runs()["moser_veselov"]["x"])) < len(numbers(drawn.runs()["exact"]["x"]))
    assert not page(*TOP).view("plane").named("stopped")


@BOTH
def test_the_start_can_be_taken_by_hand(which):
    here = page(*which)
    _, _, _, start = laws(which)
    (handle,) = here.view("plane").layout["meta"]["handles"]
    assert handle["at"] == start.tolist()
    assert handle["names"] == [component(title, here)[0] for title in here.view("plane").titles()]


FAST = ("suslov", "step=0.015")
"""The body with which the lab opens; its maps lead and lag far enough to be seen."""
LEADING = [
    (FAST, "moser_veselov"),
    (FAST, "cayley"),
    (("suslov", SUSLOV.replace("step=0.12", "step=0.4").replace("M1=3.1&M2=4.3", "M1=-3.1&M2=-1.2")), "cayley"),
    (("sleigh", SLEIGH.replace("step=0.2", "step=0.7")), "fedorov_zenkov"),
]


def arc_and_words(drawn, track):
    """What moves of the lead of a run: the arc (instants, points, 2), the place of its words, and the lead (n)."""
    arc, words = (
        next(trace for trace in drawn.named(name) if trace["meta"]["track"] == track)
        for name in ("lead", "lead in words")
    )
    (frame,) = [frame for frame in drawn.frames if drawn.traces[frame["trace"]] is words]
    _, turn, lead = lead_of(frame, drawn.frames)
    assert frame["words"]
    assert drawn.moved(arc)[1] == frame["track"] == track
    return drawn.moved(arc)[0], drawn.moved(words)[0][:, 0], lead["sense"] * turn


@pytest.mark.parametrize(("which", "method"), LEADING)
def test_the_arc_of_a_lead_reaches_from_the_flow_to_the_map(which, method):
    here = page(*which)
    _, rates, energy, start = laws(which)
    alone, names = here.alone(method), [component(title, here)[0] for title in here.view("plane").titles()]
    flow, own = flows.followed(rates, start, alone.t), np.stack([alone[name] for name in names])
    arcs, places, leads = arc_and_words(here.view("plane"), method)
    assert len(arcs) == len(places) == len(leads) == len(alone)
    told = 0
    for k, lead in enumerate(leads):
        # The arc is on one ellipse, a little outside, and its ends are in the directions of flow and map.
        heights = energy(arcs[k].T)
        assert np.ptp(heights) <= 20.0 * ROUNDED * heights.max()
        assert 1.1 < heights.mean() / energy(start) < 1.3
        assert close(arcs[k, -1], own[:, k] * np.sqrt(heights.mean() / energy(own[:, k])), times=20.0)
        if not lead:
            assert np.ptp(arcs[k], axis=0).max() <= 20.0 * ROUNDED * np.abs(arcs).max()
            continue
        told += 1
        began = flow[:, k] * np.sqrt(heights.mean() / energy(flow[:, k]))
        assert close(arcs[k, 0], began, times=20.0, also=1e-7)
        # Ahead is where the flow goes to.
        ahead = (arcs[k, -1] - arcs[k, 0]) @ rates(0.0, flow[:, k])
        assert np.sign(lead) == np.sign(ahead)
        assert abs(lead) >= 0.02
        # Beside the arc, nearer to the map.
        assert close(energy(places[k]), 1.05**2 * heights.mean(), times=20.0)
        assert np.linalg.norm(places[k] - 1.05 * arcs[k, -1]) < np.linalg.norm(places[k] - 1.05 * arcs[k, 0])
    assert told >= 4


@pytest.mark.parametrize(("which", "method"), LEADING)
def test_the_words_of_a_lead_are_that_of_the_lead_view(which, method):
    here = page(*which)
    lead = numbers(here.view("lead").runs()[method]["y"])
    shown = arc_and_words(here.view("plane"), method)[2]
    seen = np.abs(lead) > 0.0201
    assert close(shown[seen], lead[seen], also=1e-6)
    assert not shown[np.abs(lead) < 0.0199].any()


def test_there_is_an_arc_only_beside_a_flow_and_where_it_can_be_seen():
    assert len(page(*FAST).view("plane").named("lead")) == 2
    assert not page("suslov", FAST[1] + "&methods=moser_veselov.cayley").view("plane").named("lead")
    assert not page("suslov", SUSLOV.replace("step=0.12", "step=0.004")).view("plane").named("lead")
    assert not page("sleigh", SLEIGH + "&methods=exact.naive").view("plane").named("lead")


def test_a_run_that_has_ended_has_no_arc_any_more():
    here = page("suslov", "step=0.034&methods=exact.moser_veselov")
    drawn = here.view("plane")
    assert here.alone("moser_veselov").stopped
    arcs, _, leads = arc_and_words(drawn, "moser_veselov")
    assert leads.any()
    assert leads[-1] == 0.0
    assert np.ptp(arcs[-1], axis=0).max() <= ROUNDED * np.abs(arcs[-1]).max()
