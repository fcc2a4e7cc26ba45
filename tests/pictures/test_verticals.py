"""The vertical in the rolling ball on its globe: its runs, the curves that hold it, and those of other energies."""

from itertools import pairwise

import numpy as np
import pytest

from tests.pictures.bodies import BALL
from tests.pictures.reading import close, numbers, page, points, whole_numbers
from tests.test_vertical_region import energies

ABOVE = {"curve": 1.006, "past": 1.014, "dots": 1.045, "edge": 1.01, "levels": 1.004}
"""How far above the globe, which has a radius of 0.985, each is."""


@pytest.fixture(scope="module")
def globe():
    here = page("sphere", BALL)
    return here, here.view("gamma")


def vertical(run):
    """The vertical of a run, (3, n)."""
    return np.stack([run[f"gamma{i}"] for i in (1, 2, 3)])


def extremes(here, gamma):
    """The least and the largest energy over many directions of the momentum, and its own, from the start itself."""
    run, p = here.alone("reference"), here.panel.params
    d = p["m"] * p["rho"] ** 2
    moments = np.array([p["J2"] + p["J3"], p["J1"] + p["J3"], p["J1"] + p["J2"]])
    omega, up = (np.array([run[f"{name}{i}"][0] for i in (1, 2, 3)]) for name in ("omega", "gamma"))
    k = moments * omega + d * (omega - omega @ up * up)

    class Same:
        ball = (*moments, d)
        along = float(k @ up)
        across = float(np.linalg.norm(k - k @ up * up))

    values = [energies(Same, gamma)(angle) for angle in np.linspace(0.0, 2.0 * np.pi, 2001)]
    return min(values), max(values), float(k @ omega)


def test_the_globe_is_whole_and_a_little_smaller_than_one(globe):
    _, drawn = globe
    surface = points(drawn.one("globe"))
    assert close(np.linalg.norm(surface, axis=0), np.full(surface.shape[1:], 0.985), times=2.0)
    for direction in np.vstack([np.eye(3), -np.eye(3), np.full((1, 3), -(3.0**-0.5))]):
        assert np.einsum("i,irc->rc", direction, surface).max() > 0.98


def test_runs_are_verticals_and_the_past_grows_with_the_clock(globe):
    here, drawn = globe
    flow, steps = here.alone("reference"), here.alone("fedorov")
    (curve,) = drawn.named("Flow")
    (dots,) = drawn.named("Fedorov")
    stride = curve["meta"]["stride"]
    assert close(points(curve)[:, ::stride] / ABOVE["curve"], vertical(flow), times=4.0, also=1e-8)
    assert close(points(dots) / ABOVE["dots"], vertical(steps), times=4.0)
    grown = {frame["track"]: frame for frame in drawn.frames if "counts" in frame}
    assert set(grown) == {"reference", "fedorov"}
    for track, run, above, mode in (("reference", flow, "past", "lines"), ("fedorov", steps, "dots", "markers")):
        places = np.stack([numbers(values) for values in grown[track]["positions"]])
        counts = whole_numbers(grown[track]["counts"])
        assert drawn.traces[grown[track]["trace"]]["mode"] == mode
        assert len(counts) == len(run)
        assert close(places[:, counts - 1] / ABOVE[above], vertical(run), times=4.0, also=1e-8)
    for track, (places, _) in drawn.markers().items():
        run, above = (flow, "past") if track == "reference" else (steps, "dots")
        assert close(places.T / ABOVE[above], vertical(run), times=4.0)


def test_on_the_ink_curves_the_energy_is_the_least_or_the_largest(globe):
    here, drawn = globe
    edge = points(drawn.one("edge")) / ABOVE["edge"]
    vertices = edge[:, np.isfinite(edge[0])].T
    assert np.abs(np.linalg.norm(vertices, axis=1) - 1.0).max() < 1e-6
    for gamma in vertices[::29]:
        low, high, own = extremes(here, gamma / np.linalg.norm(gamma))
        # Angles half a thousandth of a turn apart, vertices of 32 bits.
        assert min(abs(low - own), abs(high - own)) < 1e-5 * own
    low, high, own = extremes(here, vertical(here.alone("reference"))[:, 7])
    assert low <= own <= high


def test_thin_curves_are_those_of_other_energies(globe):
    here, drawn = globe
    trace = drawn.one("other energies")
    curves = points(trace) / ABOVE["levels"]
    gaps = np.flatnonzero(np.isnan(curves[0]))
    found = []
    for vertices in (part[:, np.isfinite(part[0])].T for part in np.split(curves, gaps, axis=1)):
        if len(vertices) > 1:
            pairs = np.array([extremes(here, gamma / np.linalg.norm(gamma))[:2] for gamma in vertices[::5]])
            # One energy is the least, or the largest, at all of them.
            alike = (value for value in pairs[0] if all(np.abs(pair - value).min() < 1e-5 * value for pair in pairs))
            found.append(next(alike))
    energies = sorted(found)
    different = [energies[0], *(b for a, b in pairwise(energies) if b - a > 1e-4 * b)]
    assert 1 <= len(different) <= 4
    assert np.diff(different) == pytest.approx([np.diff(different)[0]] * (len(different) - 1), rel=1e-3)
    assert trace["line"]["width"] < drawn.one("edge")["line"]["width"]


def test_axes_are_named(globe):
    here, drawn = globe
    words = drawn.one("words")
    assert words["text"] == [f"<i>γ</i><sub>{i}</sub>" for i in (1, 2, 3)]
    assert pytest.approx(1.24 * np.eye(3)) == points(words).T
    lines = points(drawn.one("axes"))
    assert pytest.approx(np.eye(3)) == lines[:, 0::3].T
    assert pytest.approx(1.14 * np.eye(3)) == lines[:, 1::3].T
    assert np.isnan(lines[:, 2::3]).all()
    assert here.state.scene.all_views["gamma"].start == ("gamma1", "gamma2", "gamma3")


def test_steps_of_other_lengths_are_not_on_the_globe(globe):
    _, drawn = globe
    assert {(trace.get("meta") or {}).get("track") for trace in drawn.traces} == {None, "reference", "fedorov"}


@pytest.mark.parametrize("query", ["&omega1=0&omega2=0&omega3=0", "&J1=0.5&J2=0.5&J3=0.5"])
def test_where_every_vertical_is_possible_there_are_no_curves(query):
    drawn = page("sphere", BALL + query).view("gamma")
    assert not drawn.named("edge")
    assert not drawn.named("other energies")
