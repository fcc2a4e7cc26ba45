"""The momentum locus of the sleigh (FZ figure 7.2): ruled surface, tangent lines, discriminant curve, and the run."""

import numpy as np
import pytest

from tests.pictures.bodies import SLEIGH
from tests.pictures.reading import ROUNDED, close, page, points

ERRORS = (-ROUNDED, 0.0, ROUNDED)
QUERIES = pytest.mark.parametrize("query", [SLEIGH, SLEIGH.replace("a=0.6", "a=-0.9")])


def cubic(params, p, q, turn):
    """FZ (7.18), times cos^3(turn/2): zero where a step with this turn has the momenta P and q."""
    s, c = np.sin(0.5 * turn), np.cos(0.5 * turn)
    return q * s**3 - p * s**2 * c + (q + 2.0 * params["J"]) * s * c**2 - p * c**3


def parts(drawn):
    """The surface, and the lines and curves that are no runs."""
    (surface,) = [points(trace) for trace in drawn.traces if trace["type"] == "surface"]
    lines = [points(t) for t in drawn.traces if t["type"] == "scatter3d" and t["mode"] == "lines" and "meta" not in t]
    return surface, lines


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
    _, (*lines, _) = parts(here.view("locus"))
    assert [line[2].tolist() for line in lines] == [[1.0, 1.0], [-1.0, -1.0]]
    for p, q, sine in lines:
        turn = 0.5 * np.pi * sine
        assert np.abs(cubic(params, p, q, turn)).max() <= 8.0 * ROUNDED * np.abs(p).max()
        # Lemma 7.2's lines are p - q = J and -p - q = J.
        assert close(sine * p - q, np.full(2, params["J"]), times=8.0, also=8.0 * ROUNDED * np.abs(p).max())
        assert np.ptp(q) > 2.0 * params["J"]


@QUERIES
def test_on_the_discriminant_curve_two_turns_are_one(query):
    here = page("sleigh", query)
    j = here.panel.params["J"]
    _, (*_, (p, q, height)) = parts(here.view("locus"))
    # As near to zero as the rounding of p and q leaves it.
    moved = [discriminant(j, p * (1.0 + dp), q * (1.0 + dq)) for dp in ERRORS for dq in ERRORS]
    allowed = np.ptp(moved, axis=0)
    assert (np.abs(discriminant(j, p, q)) <= allowed).all()
    assert allowed.max() < 1e-4 * np.abs(discriminant(j, 1.2 * p, q)).max()
    assert np.ptp(height) == 0.0
    assert height[0] < -1.0
    # Inside it three turns have one momentum, outside one.
    middle = 0.5 * (q.min() + q.max())
    assert real_turns(j, 0.0, middle) == 3
    assert real_turns(j, 4.0 * np.abs(p).max(), middle) == 1


def discriminant(j, p, q):
    """That of the cubic q tau^3 - p tau^2 + (q + 2J) tau - p."""
    a, b, c, d = q, -p, q + 2.0 * j, -p
    return 18 * a * b * c * d - 4 * b**3 * d + b**2 * c**2 - 4 * a * c**3 - 27 * a**2 * d**2


def real_turns(j, p, q):
    """How many real roots the cubic has in tan(turn/2), infinity included."""
    roots = np.roots([q, -p, q + 2.0 * j, -p])
    return int(np.sum(np.abs(roots.imag) < 1e-9 * (1.0 + np.abs(roots))))


@QUERIES
def test_the_run_is_where_its_momenta_and_turns_are(query):
    here = page("sleigh", query)
    params, step, drawn = here.panel.params, here.panel.step, here.view("locus")
    runs = drawn.runs()
    assert list(runs) == ["fedorov_zenkov"]
    p, q, sine = points(runs["fedorov_zenkov"])
    alone = here.alone("fedorov_zenkov")
    assert close(p, step * (alone["p_theta"] + params["b"] * alone["p_1"]), times=2.0)
    assert close(q, step * params["a"] * alone["p_1"] + 2.0 * params["m"] * params["a"] ** 2, times=2.0)
    assert close(sine[:-1], np.sin(np.diff(alone["theta"])), times=2.0)
    assert abs(cubic(params, p[-1], q[-1], np.arcsin(sine[-1]))) <= 20.0 * ROUNDED * max(abs(p[-1]), abs(q[-1]))


def test_the_axes_say_what_is_on_them():
    assert page("sleigh", SLEIGH).view("locus").titles() == [
        "P (kg m²)",
        "Q (kg m²)",
        "sin Δθ",
    ]


def test_only_a_run_of_the_map_is_on_its_surface():
    here = page("sleigh", SLEIGH + "&methods=exact.naive")
    assert here.view("locus").runs() == {}
