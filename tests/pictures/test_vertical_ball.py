"""The ball with vertical momentum: every number of its pictures against `nhviz.analysis.vertical`, another way to it.

Pictures ask compiled loops over a Fourier series (`nhviz.analysis.locking`); here the same is found by the explicit
relation, by Newton's rotations, and by root finding over these.
"""

from functools import lru_cache
from itertools import pairwise

import numpy as np
import pytest

import nhviz
from nhviz.analysis import vertical
from nhviz.figures import staircase
from nhviz.frame import sweeping
from nhviz.sweeps.run import sweep as made
from nhviz.sweeps.value import Sweep
from nhviz.views import numbers as told_by
from tests.pictures.reading import close, numbers, page, pieces, points, told

STRANGE = {"J1": 0.01, "J2": 0.2, "J3": 1.0, "m": 0.2}
LEVEL, LOCKED = 1.149, 0.6146
HERE = "scene=vertical"
OTHER = "scene=vertical&J1=0.31&J2=0.07&J3=0.83&m=1.7&rho=0.8&level=0.55&h=0.62&u=0.137&duration=17"
"""Another ball, whose axes are in another order."""
REAL = "scene=vertical&J1=0.01&J2=0.08&J3=0.85&m=1&level=0.6744&h=0.5397&u=0.06"


def ball_of(here, h=None):
    """The map of a page, or one with another h."""
    panel = here.panel
    params = {name: panel.params[name] for name in ("J1", "J2", "J3", "m", "rho")}
    return vertical.vertical_map(params, panel.initial["h"] if h is None else h, panel.initial["level"])


@lru_cache(maxsize=1)
def plateaus():
    """The plateaus of the strange ball, by root finding; those of narrow steps take their time."""
    return vertical.plateaus(STRANGE, LEVEL, low=0.48, high=0.6193, largest_q=7)


def test_the_graph_is_the_next_place_over_the_place():
    for query in (HERE, OTHER):
        here = page("sphere", query)
        ball = ball_of(here)
        half = 2.0 * ball.quarter
        graph = points(here.view("cobweb").one("map"))
        found = np.concatenate(pieces(graph), axis=1)
        after = found[0] + ball.increment(half * found[0]) / half
        apart = (found[1] - after + 0.5) % 1.0 - 0.5
        # Where the graph passes an end it is drawn along a straight line between two of 201 places.
        assert np.abs(apart).max() < 2e-4
        assert np.median(np.abs(apart)) < 2e-7
        assert found.min() == 0.0
        assert found.max() == 1.0


def test_the_cobweb_goes_up_to_the_map_and_across_to_the_diagonal():
    here = page("sphere", OTHER)
    run = here.alone("fedorov")
    curve, counts, _ = here.view("cobweb").trail()
    inside = run["u"] % 1.0
    assert close(curve[0][::2], inside[: curve.shape[1] // 2 + 1])
    assert close(curve[1][1::2], inside[1:])
    assert close(curve[0][1::2], inside[:-1])
    assert counts.tolist() == [min(2 * k + 2, curve.shape[1]) for k in range(len(run))]
    ((places, _),) = here.view("cobweb").markers().values()
    assert close(places[:-1].T, [inside[:-1], inside[1:]])


def test_the_run_is_that_of_the_circle_map():
    here = page("sphere", OTHER)
    run, ball = here.alone("fedorov"), ball_of(here)
    increments = ball.orbit(2.0 * ball.quarter * 0.137, len(run) - 1) / (2.0 * ball.quarter)
    assert np.abs(run["u"] - 0.137 - np.concatenate([[0.0], np.cumsum(increments)])).max() < 1e-13
    gamma = np.stack([run[f"gamma{i}"] for i in (1, 2, 3)], axis=1)
    assert np.abs(gamma - ball.gamma(2.0 * ball.quarter * run["u"])).max() < 1e-12


def test_cycles_are_where_the_map_repeats_itself():
    here = page("sphere", HERE)
    (truth,) = [one for one in plateaus() if one.q == 3]
    ball = ball_of(here)
    half, circle = 2.0 * ball.quarter, ball.circle()
    for name, side in (("attracts", -1.0), ("repels", 1.0)):
        x, y = points(here.view("cobweb").one(name))
        assert len(x) == 3
        assert np.abs((x + ball.increment(half * x) / half - y + 0.5) % 1.0 - 0.5).max() < 3e-7
        total, derivative = circle.iterate(half * x, 3)
        assert np.abs(total / half + 1.0).max() < 3e-7
        assert np.sign(derivative[0] - 1.0) == side
        words = next(note["text"] for note in here.view("cobweb").words() if note["text"].startswith(name))
        assert told(words)[0] == pytest.approx(derivative[0], abs=5.1e-4)
    assert truth.low < LOCKED < truth.high


def test_words_of_cycles_lie_on_no_line():
    """Beside an upright line of their own cycle, and clear of both cycles, of the graph, and of each other."""
    view = page("sphere", HERE).view("cobweb")
    lines = [points(view.one(name)) for name in ("attracts web", "repels web")]
    taken = [np.concatenate([np.linspace(a, b, 60) for a, b in pairwise(line.T)]) for line in lines]
    graph = points(view.one("map")).T
    boxes = []
    for name, own in zip(("attracts", "repels"), lines, strict=True):
        (note,) = [note for note in view.words() if note["text"].startswith(name)]
        side = 1.0 if note["xanchor"] == "left" else -1.0
        assert np.abs(own[0] - note["x"]).min() < 1e-6
        assert np.sign(note["xshift"]) == side
        assert 0.0 <= note["x"] + 0.22 * side <= 1.0
        for line in (*taken, graph):
            right, above = side * (line[:, 0] - note["x"]), np.abs(line[:, 1] - note["y"])
            assert not ((right > 0.02) & (right < 0.18) & (above < 0.06)).any()
        boxes.append((note["x"], note["x"] + 0.18 * side, note["y"]))
    (a, b, y), (c, d, z) = boxes
    assert abs(y - z) > 0.12 or max(min(a, b), min(c, d)) > min(max(a, b), max(c, d))


def test_each_step_is_a_dot_that_can_be_pointed_at():
    here = page("sphere", OTHER)
    dots, inside = here.view("cobweb").one("steps"), here.alone("fedorov")["u"] % 1.0
    assert close(points(dots), [inside[:-1], inside[1:]])
    assert dots["meta"] == {"track": "fedorov", "stride": 1}
    assert dots["hoverinfo"] == "all"


def test_increments_by_both_ways_and_their_difference():
    for query in (HERE, OTHER):
        here = page("sphere", query)
        ball, view = ball_of(here), here.view("increment")
        half = 2.0 * ball.quarter
        line, rings = points(view.one("explicit")), points(view.one("direct"))
        assert (line.shape, rings.shape) == ((2, 201), (2, 17))
        assert close(line[1], ball.increment(half * line[0]) / half, 2.0)
        assert close(rings[1], ball.direct_increment(half * rings[0]) / half, 2.0)
        places = np.linspace(0.0, 1.0, 25)
        apart = np.abs(ball.increment(half * places) - ball.direct_increment(half * places)).max() / half
        (words,) = [note["text"] for note in view.words() if note["text"].startswith("they differ")]
        # Both differ by round-off: what is told is of its size.
        assert told(words)[0] < 10.0 * max(apart, 1e-15)
    dotted = page("sphere", HERE).view("increment").layout["shapes"][0]
    assert dotted["y0"] == dotted["y1"] == -1.0 / 3.0


def test_densities_are_invariant():
    for h, other in ((0.58, 0.53), (0.6142, 0.6)):
        here = page("sphere", f"{HERE}&h={h}&density.other={other}")
        ball, view = ball_of(here), here.view("density")
        for name, dash, momentum in ((f"<i>h</i> = {h}", "solid", h), (f"<i>h</i> = {other}", "dash", other)):
            trace = view.one(name)
            x, y = points(trace)
            truth = ball_of(here, momentum).density()
            assert np.abs(y - truth(x * 2.0 * ball.quarter) * 2.0 * ball.quarter).max() < 1e-6
            assert trace["line"]["dash"] == dash
        assert view.one("Flow")["y"] == [1.0, 1.0]
        assert not view.named("spike")


def test_where_it_is_locked_the_density_is_spikes_at_the_attracting_cycle():
    here = page("sphere", HERE)
    spikes = sorted(trace["x"][0] for trace in here.view("density").named("spike"))
    attracting = sorted(numbers(here.view("cobweb").one("attracts")["x"]))
    assert close(spikes, attracting, 2.0)
    (truth,) = [one for one in plateaus() if one.q == 3]
    beside = truth.high + 0.32 * truth.width
    x, y = points(here.view("density").one(f"<i>h</i> = {beside:.6g}"))
    density = ball_of(here, beside).density()
    # Next to the plateau the density is sharp: the picture's series ends at 256 modes.
    assert np.abs(y - density(x * density.period) * density.period).max() < 1e-4


def test_steps_of_the_staircase_are_named_at_their_heights_with_their_widths():
    view = page("sphere", HERE).view("staircase")
    x, y = view.one("steps")["x"], view.one("steps")["y"]
    truth = plateaus()
    assert [f"{-one.p}/{one.q}" for one in truth] == ["1/5", "1/4", "2/7", "1/3"]
    for one, h, height in zip(truth, x, y, strict=True):
        assert h == pytest.approx(0.5 * (one.low + one.high), abs=1e-11)
        assert height == -one.p / one.q
        name = f"<b>{-one.p}/{one.q}</b>"
        (word,) = [note for note in view.words() if note["text"] == name]
        assert (word["x"], word["y"]) == (h, height)
        width = next(note for note in view.words("wide") if note["x"] == h and note["text"].endswith(" wide"))
        # Two digits are told.
        assert told(width["text"])[0] == pytest.approx(one.width, rel=0.05)


def test_the_flow_is_a_straight_line_and_the_fold_a_line_in_ink():
    for query in (HERE, OTHER):
        here = page("sphere", query)
        view, ball = here.view("staircase"), ball_of(here)
        flow, h = here.alone("reference"), here.panel.initial["h"]
        speed = -(flow["u"][-1] - flow["u"][0]) / flow.t[-1] / h
        x, y = view.one("Flow")["x"], view.one("Flow")["y"]
        assert y[0] == x[0] == 0.0
        assert y[1] == pytest.approx(speed * x[1], rel=1e-12)
        fold = vertical.largest_h(ball)
        line = next(shape for shape in view.layout["shapes"] if shape["type"] == "line" and shape.get("yref"))
        assert line["x0"] == line["x1"] == pytest.approx(fold, rel=1e-8)
        # The flow itself, by small steps of the map.
        small = ball_of(here, 1e-4 * h)
        assert -2.0 * small.rotation().value / (1e-4 * h) == pytest.approx(speed, rel=1e-5)


def test_heights_that_come_are_rotation_numbers():
    picture = page("sphere", HERE).view("staircase").picture
    for coming in picture.coming:
        name = picture.figure["data"][coming.trace]["name"]
        sweep = Sweep.from_dict(coming.sweep)
        assert (coming.into, coming.scale) == ("y", -2.0)
        assert picture.figure["data"][coming.trace]["x"] == sweep.x.values.tolist()
        assert sweep.x.count >= (200 if name == staircase.CURVE else 100)
        for i in (20, 77):
            h = float(sweep.x.values[i])
            truth = -2.0 * vertical.vertical_map(STRANGE, h, LEVEL).rotation().value
            found = made(
                "sphere", "rotation_number", ("h", h, h * (1 + 1e-12), 2), params=STRANGE, options={"level": LEVEL}
            )
            assert -2.0 * found.values[0] == pytest.approx(truth, abs=1e-7)
    assert {picture.figure["data"][one.trace]["name"] for one in picture.coming} == {
        staircase.CURVE,
        staircase.ENLARGED,
    }


def test_the_edges_of_the_third_are_found_by_zooming():
    """CS leaves open whether the map locks: it does, for h in [0.61453674, 0.61464526]."""
    here = page("sphere", f"{HERE}&staircase.part=plateau")
    view = here.view("staircase")
    words = [note["text"] for note in view.words()]
    assert {"0.61453674", "0.61464526"} <= set(words)
    low, high = view.one("edges")["x"]
    assert (low, high) == pytest.approx((0.61453674, 0.61464526), abs=5e-9)
    (coming,) = view.picture.coming
    sweep = Sweep.from_dict(coming.sweep)
    # The numbers of the sweep itself: locked exactly between the edges, to within a cell of it.
    found = made(sweep)
    heights, x = coming.scale * found.values, found.x
    locked = x[np.abs(heights - 1.0 / 3.0) < 1e-9]
    cell = x[1] - x[0]
    assert locked.min() == pytest.approx(low, abs=cell)
    assert locked.max() == pytest.approx(high, abs=cell)
    assert (heights[x < low - cell] < 1.0 / 3.0).all()
    assert (heights[x > high + cell] > 1.0 / 3.0).all()
    # And all of them are in the picture.
    bottom, top = view.layout["yaxis"]["range"]
    assert bottom < heights.min() < heights.max() < top
    # Refined at both edges, by halving with rotation numbers alone.
    for edge, below in ((low, 1.0), (high, -1.0)):
        inside, outside = edge + below * 2e-7, edge - below * 2e-7
        values = [-2.0 * vertical.vertical_map(STRANGE, h, LEVEL).rotation().value for h in (inside, outside)]
        assert values[0] == pytest.approx(1.0 / 3.0, abs=1e-9)
        assert abs(values[1] - 1.0 / 3.0) > 1e-6


def test_the_globe_shows_the_curve_and_the_cycle_in_order():
    here = page("sphere", HERE)
    view, ball = here.view("curve"), ball_of(here)
    lam = np.array(ball.moments) + ball.d
    own = points(view.one("own level")) / 1.004
    assert np.abs((own**2).sum(axis=0) - 1.0).max() < 1e-6
    assert np.abs((own**2 / lam[:, None]).sum(axis=0) - LEVEL).max() < 1e-5
    cycle = points(view.one("attracts")).T / 1.02
    assert cycle.shape == (6, 3)
    for k in range(6):
        assert np.abs(ball.step(cycle[k]) - cycle[(k + 1) % 6]).max() < 2e-6
    # After one round it is mirrored: gamma1 and gamma2 change their signs.
    assert np.abs(cycle[3:] - cycle[:3] * [-1.0, -1.0, 1.0]).max() < 1e-6
    assert view.one("numbers")["text"] == ["0", "1", "2"]
    assert close(points(view.one("numbers")) / 1.16, cycle[:3].T, 4.0)


def test_the_sentence_and_the_numbers_tell_the_plateau():
    here = page("sphere", HERE)
    (truth,) = [one for one in plateaus() if one.q == 3]
    derivative = ball_of(here).circle().iterate(np.array([0.2339969191908 * 2.0 * ball_of(here).quarter]), 3)[1][0]
    assert here.sentence == (
        f"The flow never locks. Fedorov’s map does: for h from {truth.low:.6f} to {truth.high:.6f} every start but "
        f"three ends on one 3-cycle, nearer by × {derivative:.3f} a round."
    )
    assert here.readout["Rotation"] == "1/3 of a half oval"
    assert told(here.readout["Plateau"])[0] == pytest.approx(truth.width, rel=0.06)
    assert 0.0 <= told(here.readout["After 6 steps"])[0] < 1e-12


def test_other_sentences():
    outside = page("sphere", f"{HERE}&h=0.61468")
    (truth,) = [one for one in plateaus() if one.q == 3]
    assert "is not locked" in outside.sentence
    assert told(outside.sentence)[-1] == pytest.approx(0.61468 - truth.high, rel=0.06)
    rotation = -2.0 * ball_of(outside).rotation().value
    assert told(outside.readout["Rotation"])[0] == pytest.approx(rotation, abs=5.1e-5)
    flow = page("sphere", f"{HERE}&methods=reference")
    assert flow.sentence.startswith("The flow never locks: 0.2009 of a half oval")
    beyond = page("sphere", f"{HERE}&h=0.7")
    assert "h is past its fold at 0.6194" in beyond.sentence


def test_a_real_ball_locks_too():
    here = page("sphere", REAL)
    assert [remark.partition(":")[0] for remark in here.panel.remarks] == ["A real ball"]
    params = {"J1": 0.01, "J2": 0.08, "J3": 0.85, "m": 1.0}
    assert sum((0.01, 0.08, 0.85)) <= 1.0
    truth = vertical.plateaus(params, 0.6744, low=0.535, high=0.54, largest_q=4)
    (fourth,) = [one for one in truth if one.q == 4]
    assert fourth.low < 0.5397 < fourth.high
    assert f"for h from {fourth.low:.6f} to {fourth.high:.6f} every start but four ends on one 4-cycle" in here.sentence
    assert "Mathematical, not a real ball" in page("sphere", HERE).panel.remarks[0]


@pytest.mark.parametrize("query", [HERE, OTHER, HERE + "&level=0.78&h=0.3"])
def test_gauges_of_the_momentum_and_of_the_level(query):
    here = page("sphere", query)
    momentum, level = told_by.gauges(here.panel)
    ball = ball_of(here)
    assert momentum.lanes[0].bound == pytest.approx(vertical.largest_h(ball), rel=1e-8)
    assert (momentum.word, level.word) == ("h", "level")
    low, middle, high = sorted(1.0 / (moment + ball.d) for moment in ball.moments)
    assert level.intervals == ((low, middle), (middle, high))
    assert level.begin < low < high < level.end
    # The curve winds round the axis whose part of gamma never changes its sign.
    gammas = ball.gamma(np.linspace(0.0, 4.0 * ball.quarter, 40))
    (axis,) = np.flatnonzero(np.abs(np.sign(gammas).sum(axis=0)) == 40)
    assert level.note == f"round the {('first', 'second', 'third')[axis]} axis"


def test_places_of_the_plateaus_stand_above_the_track():
    momentum, _ = told_by.gauges(page("sphere", HERE).panel)
    truth = {f"{-one.p}/{one.q}": 0.5 * (one.low + one.high) for one in plateaus() if one.q < 7}
    assert dict(momentum.marks) == pytest.approx(truth, abs=1e-10)


def test_clicks():
    here = page("sphere", HERE)
    views = here.state.scene.all_views
    assert views["staircase"].start(here.panel, 0.3, 0.05) == {"h": 0.3}
    (fourth,) = [one for one in plateaus() if one.q == 4]
    named = views["staircase"].start(here.panel, 0.53, 0.251)
    assert named["h"] == pytest.approx(0.5 * (fourth.low + fourth.high), abs=1e-11)
    assert named["staircase.part"] == "plateau"
    assert views["cobweb"].start(here.panel, 0.42, 0.9) == {"u": 0.42}
    ball = ball_of(here)
    for u, level in ((0.31, 1.3), (0.77, 0.95)):
        other = vertical.vertical_map(STRANGE, 0.1, level)
        found = views["curve"].start(here.panel, *(0.985 * other.gamma(2.0 * other.quarter * u)))
        assert found["level"] == pytest.approx(level, rel=1e-12)
        assert found["u"] == pytest.approx(u, abs=1e-9)
    assert ball.level == LEVEL
    with pytest.raises(nhviz.ParameterError, match="A vertical has a direction"):
        views["curve"].start(here.panel, 0.0, 0.0, 0.0)


def test_sweep_this_opens_the_tongues_of_the_same_ball():
    sweep, complaints, at = sweeping.read(f"lab=sphere&{REAL}")
    assert not complaints
    assert at == (0.5397, 0.6744)
    assert (sweep.system, sweep.quantity, sweep.x.name, sweep.y.name) == ("sphere", "rotation_number", "h", "level")
    assert dict(sweep.params)["J3"] == 0.85
    assert sweep.y.first < 0.6744 < sweep.y.last
    assert sweep.x.first < 0.5397 < sweep.x.last
