"""The clock: at every instant a marker is where its run is, and a hovered point tells the instant it belongs to."""

import numpy as np
import pytest

from nhviz.frame import find
from tests.pictures.bodies import SLEIGH, SUSLOV, USUAL
from tests.pictures.reading import close, component, page, played, points

PAGES = {"suslov": SUSLOV, "sleigh": SLEIGH, **USUAL}
# More samples than the clock has instants, and every second step left out.
LONG = {
    "sleigh": SLEIGH + "&step=0.01&duration=30",
    "suslov": SUSLOV + "&step=0.002&duration=4.6",
    "knife_edge": USUAL["knife_edge"] + "&step=0.001",
}
# The sleigh makes a full turn, and reaches farthest between its outlines.
TURNING = SLEIGH.replace("a=0.6", "a=0.1").replace("p_theta=0.9", "p_theta=2.3").replace("duration=12", "duration=9")
CASES = [*PAGES.items(), *LONG.items(), ("sleigh", TURNING)]
EACH = pytest.mark.parametrize(("lab", "query"), CASES, ids=[f"{lab}-{i}" for i, (lab, _) in enumerate(CASES)])


def pictures(here):
    """All pictures of a page by name."""
    return {name: here.view(name) for name, view in here.state.scene.all_views.items() if view.kind != "text"}


@EACH
def test_tracks_are_times_of_the_runs_from_first_to_last(lab, query):
    here = page(lab, query)
    assert list(here.panel.tracks) == list(here.panel.runs)
    for variant, times in here.panel.tracks.items():
        assert times[0] == 0.0
        # A page keeps every k-th step of a long run, and the last of these.
        kept = here.panel.problems[variant].every * here.panel.step
        assert -1e-9 <= here.alone(variant).t[-1] - times[-1] < kept
        assert len(times) == min(len(here.panel.runs[variant]), 700)
        gaps = np.diff(times)
        assert gaps.min() > 0.0
        # Evenly spread, but for whole samples.
        assert gaps.max() <= 2.0 * gaps.min() * (1.0 + 1e-9)


def at(alone, name, times):
    """A component of a run at times that are among its samples."""
    index = np.searchsorted(alone.t, times - 1e-9)
    assert np.allclose(alone.t[index], times, rtol=0.0, atol=1e-9)
    return alone[name][index]


@EACH
def test_a_marker_is_where_its_run_is(lab, query):
    here = page(lab, query)
    marked = 0
    for name, drawn in pictures(here).items():
        markers = drawn.markers()
        if name in ("disk", "locus") and lab in ("suslov", "sleigh"):
            # These are places of displacements; they are drawn at every instant of a map.
            for track, (places, _) in markers.items():
                if track != "exact":
                    # On a surface they stand out of it a little more than the dots.
                    above = np.array([[0.0], [0.0], [drawn.lift(2.0)]]) if name == "locus" else 0.0
                    assert close(places.T - above, points(drawn.runs()[track]), times=2.0)
            continue
        if not markers:
            continue
        names = [component(title, here)[0] for title in drawn.titles()]
        for track, (places, trace) in markers.items():
            marked += 1
            times = here.panel.tracks[track]
            expected = np.stack([at(here.alone(track), one, times) for one in names], axis=1)
            assert close(places, expected)
            assert close(points(trace)[:, 0], places[0])
        # In a picture of the moving body that is itself the marker of its run.
        first = {next(iter(here.panel.runs))} if name == "motion" else set()
        assert set(markers) == set(drawn.runs()) - first
    assert marked >= 1


@EACH
def test_a_hovered_point_tells_its_instant(lab, query):
    here = page(lab, query)
    for name, drawn in pictures(here).items():
        markers = drawn.markers()
        for trace in drawn.traces:
            if not {"stride", "offset"} & set(trace.get("meta", {})):
                continue
            track, stride = trace["meta"]["track"], trace["meta"].get("stride", 1)
            offset = trace["meta"].get("offset", 0)
            times = here.panel.tracks[track]
            every = points(trace)
            # As the player has it: instant = point / stride + offset.
            assert (every.shape[1] - 1) // stride + offset == len(times) - 1
            assert (every.shape[1] - 1) % stride == 0
            if name in ("time", "drift", "lead", "error"):
                assert close(every[0, ::stride], times[offset:])
            elif track in markers:
                above = np.array([[0.0], [0.0], [drawn.lift(2.0)]]) if name == "locus" else 0.0
                assert close(every[:, ::stride], markers[track][0].T - above, times=2.0, also=1e-8)


@EACH
def test_flat_axes_hold_everything_at_every_instant(lab, query):
    here = page(lab, query)
    held = 0
    for name, drawn in pictures(here).items():
        if "xaxis" not in drawn.layout or not drawn.frames:
            continue
        for panel, traces in drawn.panels().items():
            for i, axis in enumerate("xy"):
                declared = drawn.layout[f"{axis}axis{panel}"]
                low, high = sorted(declared["range"])
                logarithmic = declared.get("type") == "log"
                still = [points(trace)[i] for trace in traces if trace.get("name") != "clock"]
                moving = [played(frame, drawn.frames) for frame in drawn.frames if on(drawn, frame, traces)]
                every = np.concatenate([*still, *(one[..., i].ravel() for one in moving if one.shape[-1] > i)])
                every = every[np.isfinite(every)]
                used = np.log10(every) if logarithmic else every
                assert low < used.min(), (name, axis)
                assert used.max() < high, (name, axis)
                # And not much more: three quarters of an axis are in use; panels may share a logarithmic scale.
                assert np.ptp(used) > 0.75 * (high - low) or np.ptp(used) <= 1e-6 * np.abs(used).max() or logarithmic
        held += 1
    assert held >= 2


def on(drawn, frame, traces):
    """Whether what moves is one of these traces."""
    return any(drawn.traces[frame["trace"]] is trace for trace in traces)


def test_every_lab_is_here():
    # The rolling ball and the race have cursors of their own (test_rolling, test_verticals, test_race).
    assert set(PAGES) == set(find.labs()) - {"sphere", "feedback", "convergence"}
