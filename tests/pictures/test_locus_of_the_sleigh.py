"""The momentum locus of the sleigh (FZ figure 7.2): ruled surface, tangent lines, the largest step, and the runs."""

import numpy as np
import pytest

import nhviz
from nhviz.figures.style import THEMES
from tests.pictures.bodies import SLEIGH
from tests.pictures.reading import ROUNDED, close, page, points

QUERIES = pytest.mark.parametrize("query", [SLEIGH, SLEIGH.replace("a=0.6", "a=-0.9")])


def cubic(params, p, q, turn):
    """FZ (7.18), times cos^3(turn/2): zero where a step with this turn has the momenta P and q."""
    s, c = np.sin(0.5 * turn), np.cos(0.5 * turn)
    return q * s**3 - p * s**2 * c + (q + 2.0 * params["J"]) * s * c**2 - p * c**3


def parts(drawn):
    """The surface, and the lines and curves that are no runs."""
    (surface,) = [points(trace) for trace in drawn.traces if trace["type"] == "surface" and "scene" not in trace]
    return surface, [points(trace) for trace in drawn.named("curve") if "scene" not in trace]


@QUERIES
def test_every_point_of_the_surface_has_its_turn(query):
    here = page("sleigh", query)
    (p, q, sine), _ = parts(here.view("locus"))
    turn = np.linspace(-np.pi, np.pi, p.shape[0])[:, None]
    size = max(np.abs(p).max(), np.abs(q).max(), here.panel.params["J"])
    assert np.abs(cubic(here.panel.params, p, q, turn)).max() <= 8.0 * ROUNDED * size
    assert close(sine, np.sin(turn) * np.ones(p.shape[1]), times=2.0)
    # Each row is a whole line: momenta of either sign, not one point.
    assert np.abs(np.diff(p, axis=1)).max() > 0.0
    assert (np.ptp(np.hypot(p - p[:, :1], q - q[:, :1]), axis=1) > here.panel.params["J"]).all()


@QUERIES
def test_the_tangent_lines_are_on_the_surface_at_a_quarter_turn(query):
    here = page("sleigh", query)
    params = here.panel.params
    _, lines = parts(here.view("locus"))
    assert [line[2].tolist() for line in lines] == [[1.0, 1.0], [-1.0, -1.0]]
    for p, q, sine in lines:
        turn = 0.5 * np.pi * sine
        assert np.abs(cubic(params, p, q, turn)).max() <= 8.0 * ROUNDED * np.abs(p).max()
        # Lemma 7.2's lines are p - q = J and -p - q = J.
        assert close(sine * p - q, np.full(2, params["J"]), times=8.0, also=8.0 * ROUNDED * np.abs(p).max())
        assert np.ptp(q) > 2.0 * params["J"]


@QUERIES
def test_the_run_is_where_its_momenta_and_turns_are(query):
    here = page("sleigh", query)
    params, step, drawn = here.panel.params, here.panel.step, here.view("locus")
    runs = drawn.runs()
    assert list(runs) == ["exact", "fedorov_zenkov"]
    p, q, lifted = points(runs["fedorov_zenkov"])
    sine = lifted - drawn.lift()
    alone = here.alone("fedorov_zenkov")
    assert close(p, step * (alone["p_theta"] + params["b"] * alone["p_1"]), times=2.0)
    assert close(q, step * params["a"] * alone["p_1"] + 2.0 * params["m"] * params["a"] ** 2, times=2.0)
    assert close(sine[:-1], np.sin(np.diff(alone["theta"])), times=4.0)
    assert abs(cubic(params, p[-1], q[-1], np.arcsin(sine[-1]))) <= 40.0 * ROUNDED * max(abs(p[-1]), abs(q[-1]))
    places, _ = drawn.markers()["fedorov_zenkov"]
    assert close(places.T, np.stack([p, q, sine + drawn.lift(3.0)]), times=4.0)


@QUERIES
def test_the_flow_is_where_the_map_would_turn_as_little_as_it_can(query):
    here = page("sleigh", query)
    params, step, drawn = here.panel.params, here.panel.step, here.view("locus")
    trace = drawn.runs()["exact"]
    p, q, lifted = points(trace)
    turn = np.arcsin(lifted - drawn.lift())
    alone = here.alone("exact")
    every = slice(None, None, trace["meta"]["stride"])
    assert close(p[every], step * (alone["p_theta"] + params["b"] * alone["p_1"]), times=2.0, also=1e-8)
    assert np.abs(cubic(params, p, q, turn)).max() <= 40.0 * ROUNDED * np.abs(q).max()
    for one, other, found in zip(p[::20], q[::20], turn[::20], strict=True):
        roots = np.roots([other, -one, other + 2.0 * params["J"], -one])
        turns = 2.0 * np.arctan(roots[np.abs(roots.imag) < 1e-9].real)
        assert np.abs(turns).min() == pytest.approx(abs(found), abs=1e-5)


def ring_of(here):
    """The dashed curve, and the energy of the runs."""
    params, initial = here.panel.params, here.panel.initial
    first = initial["p_theta"] + params["b"] * initial["p_1"]
    total = params["J"] + params["m"] * params["a"] ** 2
    return points(here.view("locus").named("largest step")[0]), 0.5 * (
        first**2 / total + initial["p_1"] ** 2 / params["m"]
    )


@QUERIES
def test_the_dashed_ring_is_the_energy_at_the_largest_step(query):
    here = page("sleigh", query)
    params = here.panel.params
    total, mu = params["J"] + params["m"] * params["a"] ** 2, params["m"] * params["a"] ** 2
    (p, q, sine), energy = ring_of(here)
    # One energy, one step: an ellipse, closed, with its turns on the surface.
    levels = p**2 / total + (q - 2.0 * mu) ** 2 / mu
    largest = np.sqrt(levels.mean() / (2.0 * energy))
    assert np.ptp(levels) <= 20.0 * ROUNDED * levels.max()
    assert np.hypot(p[0] - p[-1], q[0] - q[-1]) <= 8.0 * ROUNDED * np.abs(q).max()
    turns = np.stack([np.arcsin(np.clip(sine, -1.0, 1.0)), np.pi - np.arcsin(np.clip(sine, -1.0, 1.0))])
    missed = np.abs(cubic(params, p, q, turns)).min(axis=0)
    assert missed.max() <= 1e-3 * np.abs(q).max()
    # A little below every momentum of the energy has a next position, a little above one has none.
    angle = np.linspace(0.0, 2.0 * np.pi, 721)
    p_1 = np.sqrt(2.0 * energy * params["m"]) * np.sin(angle)
    p_theta = np.sqrt(2.0 * energy * total) * np.cos(angle) - params["b"] * p_1
    for step, lost in ((0.999 * largest, False), (1.001 * largest, True)):
        stops = [
            nhviz.simulate("sleigh", "fedorov_zenkov", params, {"p_theta": x, "p_1": y}, step, step).stopped
            for x, y in zip(p_theta, p_1, strict=True)
        ]
        assert any(stops) == lost


@QUERIES
def test_the_ring_has_its_words_and_is_dashed(query):
    drawn = page("sleigh", query + "&step=0.5").view("locus")
    ring = drawn.named("largest step")[0]
    assert ring["line"]["dash"] == "dash"
    assert ring["line"]["color"] == THEMES["light"].ink
    assert drawn.one("words")["text"] == ["largest step"]


def test_without_an_arm_there_is_no_largest_step():
    assert not page("sleigh", SLEIGH.replace("a=0.6", "a=0")).view("locus").named("largest step")


@pytest.mark.parametrize("step", [1e-4, 0.001, 0.01, 0.04, 0.1, 1.0])
def test_the_run_is_seen_at_every_step(step):
    drawn = page("sleigh", f"step={step}&duration=10").view("locus")
    scene = drawn.layout["scene"]
    low, high = np.array([scene[f"{axis}axis"]["range"] for axis in "xyz"]).T
    runs = np.concatenate([points(trace) for trace in drawn.runs().values()], axis=1)
    assert (low[:, None] <= runs).all()
    assert (runs <= high[:, None]).all()
    share = (np.ptp(runs, axis=1) / (high - low)).max()
    # The whole surface with its ring is worth a smaller run.
    assert share >= (0.25 if "scene2" in drawn.layout else 0.035)
    assert ("scene2" in drawn.layout) == (step < 0.07)


def test_near_the_run_the_surface_is_the_same():
    here = page("sleigh", "step=0.01")
    params, drawn = here.panel.params, here.view("locus")
    (p, q, sine), _ = parts(drawn)
    assert np.abs(cubic(params, p, q, np.arcsin(sine))).max() <= 20.0 * ROUNDED * np.abs(q).max()
    scene = drawn.layout["scene"]
    for values, axis in ((q, "yaxis"), (sine, "zaxis")):
        assert close([values.min(), values.max()], scene[axis]["range"], times=2.0)
    (whole,) = [points(trace) for trace in drawn.traces if trace["type"] == "surface" and "scene" in trace]
    assert np.abs(whole[2]).max() == pytest.approx(1.0, abs=0.01)
    assert np.ptp(whole[1]) > 20.0 * np.ptp(q)


def test_a_run_past_the_fold_is_crossed_where_it_had_its_last_step():
    here = page("sleigh", "J=2.23&a=0.37&p_theta=0.655&p_1=-1.568&step=1.07")
    assert here.panel.runs["fedorov_zenkov"].stopped
    drawn = here.view("locus")
    alone = here.alone("fedorov_zenkov")
    p, q, sine = points(drawn.runs()["fedorov_zenkov"])
    assert len(p) == len(alone) - 1
    assert close(sine - drawn.lift(), np.sin(np.diff(alone["theta"])), times=8.0)
    assert np.array_equal(points(drawn.one("stopped"))[:, 0], [p[-1], q[-1], sine[-1]])


def test_the_axes_say_what_is_on_them():
    assert page("sleigh", SLEIGH).view("locus").titles() == [
        "P (kg m²)",
        "Q (kg m²)",
        "sin Δθ",
    ]


def test_only_runs_of_the_map_and_flows_are_on_its_surface():
    here = page("sleigh", SLEIGH + "&methods=exact.naive")
    assert list(here.view("locus").runs()) == ["exact"]
    assert page("sleigh", SLEIGH + "&methods=naive").view("locus").runs() == {}
