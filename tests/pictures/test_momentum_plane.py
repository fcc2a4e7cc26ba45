"""The momentum plane: which equilibrium is stable, which energy an arc has, where the cusp is, whose run is whose."""

import numpy as np
import pytest

import nhviz
from tests.pictures import flows
from tests.pictures.bodies import SLEIGH, SUSLOV
from tests.pictures.reading import ROUNDED, close, component, numbers, page, pieces, points

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
    assert filled["color"] == filled["line"]["color"] == empty["line"]["color"]
    assert empty["color"] == drawn.layout["paper_bgcolor"] != filled["color"]


@BOTH
def test_every_arc_is_one_ellipse_of_the_energy_with_its_own_equilibria(which):
    drawn = page(*which).view("plane")
    _, _, energy, start = laws(which)
    arcs = pieces(points(drawn.traces[0]))
    levels = []
    for arc in arcs:
        heights = energy(arc)
        assert np.ptp(heights) <= 10.0 * ROUNDED * heights.max()
        assert close(arc[:, 0], arc[:, -1])
        assert np.ptp(np.unwrap(np.arctan2(*arc))) == pytest.approx(2.0 * np.pi)
        levels.append(heights.mean() / energy(start))
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
    for trace, name, dash in zip(drawn.traces[1:3], ("unstable", "stable"), ("dot", "solid"), strict=True):
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
    assert list(runs) == list(here.panel.runs)
    for method, trace in runs.items():
        alone = here.alone(method)
        if method == "exact":
            stride = trace["meta"]["stride"]
            count = (len(alone) - 1) * stride + 1
            fine = np.linspace(0.0, alone.t[-1], count)
            assert close(points(trace), flows.followed(rates, start, fine), also=flows.ACCURACY)
            assert trace["mode"] == "lines"
        else:
            names = [component(title)[0] for title in drawn.titles()]
            assert close(points(trace), np.stack([alone[name] for name in names]))
            assert trace["mode"] == "markers"


def test_the_axes_are_the_momenta_with_their_units():
    assert page(*TOP).view("plane").titles() == ["M1 (kg m²/s)", "M2 (kg m²/s)"]
    assert page(*SLED).view("plane").titles() == ["p_θ (kg m²/s)", "p_1 (kg m/s)"]


@pytest.mark.parametrize("query", [SLEIGH, SLEIGH.replace("b=-0.35", "b=0.8"), ""])
def test_the_cusp_line_is_where_the_blade_stands_still_and_meets_every_arc(query):
    drawn, (params, _, energy, start) = page("sleigh", query).view("plane"), laws(("sleigh", query))
    line = points(drawn.one("cusp: v = 0"))
    _, speed = flows.sleigh_velocities(params, *line)
    assert np.abs(speed).max() <= 10.0 * ROUNDED * np.abs(line[1] / params["m"]).max() + 1e-300
    assert close(line[:, 0], -line[:, -1])
    outermost = max(energy(arc[:, 0]) for arc in pieces(points(drawn.traces[0])))
    assert (energy(line) >= outermost).all()
    assert outermost > energy(start)
    assert not page(*TOP).view("plane").named("cusp: v = 0")


@pytest.mark.parametrize("which", [TOP, TURNED])
def test_the_rest_points_of_cayley_rest(which):
    here = page(*which)
    drawn, (params, rates, energy, start) = here.view("plane"), laws(which)
    (trace,) = [one for one in drawn.traces if "rest points" in one.get("name", "")]
    assert trace["name"] == "rest points: Cayley"
    assert trace["line"]["color"] == drawn.runs()["cayley"]["line"]["color"]
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
    line = np.concatenate([points(half) for half in drawn.traces[1:3]], axis=1)
    assert energy(away.T) == pytest.approx(np.full(2, energy(line).max()), rel=10.0 * ROUNDED)
    assert np.abs(curve).sum(axis=0).min() == 0.0
    assert (np.diff((away[1] - away[0]) @ curve) > 0.0).all()


def test_moser_veselov_rests_on_the_line_of_the_flow_and_needs_no_curve():
    traces = page(*TOP).view("plane").traces
    assert [one["name"] for one in traces if "rest points" in one.get("name", "")] == ["rest points: Cayley"]


def test_a_run_that_stops_says_why():
    query = SUSLOV.replace("step=0.12", "step=0.9") + "&methods=exact.moser_veselov"
    drawn = page("suslov", query).view("plane")
    (note,) = drawn.layout["annotations"]
    reason = page("suslov", query).alone("moser_veselov").stopped
    assert note["text"].replace("<br>", " ") == f"Moser–Veselov: {reason}"
    assert len(numbers(drawn.runs()["moser_veselov"]["x"])) < len(numbers(drawn.runs()["exact"]["x"]))
    assert page(*TOP).view("plane").layout["annotations"] == []
