"""Paths of the ball from above with three steps at once, and what the page says and reads out about them."""

import re

import numpy as np
import pytest

import nhviz
from nhviz.figures.style import THEMES
from nhviz.frame import shown, state
from nhviz.views import numbers
from tests.pictures.bodies import BALL
from tests.pictures.reading import close, page, points, told

SHARES = {"half": 0.5, "fedorov": 1.0, "longer": 1.5}
TITLED = ((0.0, 1.0), (1.0, 0.0))


@pytest.fixture(scope="module")
def paths():
    here = page("sphere", BALL)
    return here, here.view("path")


def alone(here, method, share=1.0):
    """A run with a share of the page's step, past everything that makes pictures."""
    values, facts = here.panel.values, nhviz.describe("sphere")
    params, initial = ({name: values[name] for name in facts[part]} for part in ("parameters", "initial"))
    return nhviz.simulate("sphere", method, params, initial, share * values["step"], values["duration"])


def off(here, share):
    """The largest distance of a run to a flow at the same times."""
    run, flow = (alone(here, method, share) for method in ("fedorov", "reference"))
    return max(np.hypot(run["x"] - flow["x"], run["y"] - flow["y"]))


def test_every_run_is_its_own_with_its_own_step(paths):
    here, drawn = paths
    runs = drawn.runs()
    assert set(runs) == {"reference", *SHARES}
    for name, share in SHARES.items():
        run = alone(here, "fedorov", share)
        assert close(points(runs[name]), np.stack([run["x"], run["y"]]))
        assert runs[name]["mode"] == "markers"
    flow = alone(here, "reference")
    assert close(points(runs["reference"])[:, :: runs["reference"]["meta"]["stride"]], np.stack([flow["x"], flow["y"]]),
                 also=1e-8)  # fmt: skip


def test_one_method_has_one_colour_and_a_longer_step_larger_dots(paths):
    here, drawn = paths
    runs = drawn.runs()
    colours = {runs[name]["marker"]["color"] for name in SHARES}
    assert colours == {THEMES["light"].methods[2]}
    sizes = [np.max(here.panel.looks[name].scale) for name in ("half", "fedorov", "longer")]
    assert sizes == sorted(sizes)
    assert len(set(sizes)) == 3
    assert runs["longer"]["marker"]["symbol"] == "circle-open"
    assert runs["reference"]["line"]["color"] == THEMES["light"].methods[0]


def astray(drawn):
    """What is said of each run, and the words themselves."""
    notes = drawn.words("astray")
    return [re.sub("<[^>]*>", "", note["text"]) for note in notes], notes


def test_words_tell_the_step_of_each_run_and_how_far_it_strays_with_its_marker(paths):
    here, drawn = paths
    texts, notes = astray(drawn)
    sizes = []
    for text, note, (name, share) in zip(texts, notes, SHARES.items(), strict=True):
        step, distance = told(text)
        assert step == pytest.approx(share * here.panel.step, rel=5e-3)
        assert distance == pytest.approx(off(here, share), rel=0.06)
        assert " s: off by " in text
        assert text[0] == ("○" if drawn.runs()[name]["marker"]["symbol"] == "circle-open" else "●")
        sizes.append(float(re.search(r"font-size: ([\d.]+)px", note["text"])[1]))
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1]


@pytest.mark.parametrize("more", ["", "&omega3=-1.1", "&omega1=-0.9&omega2=0.2", "&omega1=0.1&omega2=-0.9&omega3=0.3"])
def test_words_stand_below_one_another_in_the_emptiest_corner(more):
    drawn = page("sphere", BALL + more).view("path")
    x, y = np.concatenate([points(trace) for trace in drawn.runs().values()], axis=1)
    across, up = ((values - values.min()) / np.ptp(values) for values in (x, y))
    crowds = {
        (right, top): sum((abs(across - right) < 0.5) & (abs(up - top) < 0.45)) for right in (0, 1) for top in (0, 1)
    }
    _, notes = astray(drawn)
    ((right, top),) = {(note["x"], note["y"]) for note in notes}
    assert crowds[right, top] == min(crowds.values())
    for note in notes:
        assert (note["xref"], note["yref"]) == ("x domain", "y domain")
        assert (note["xanchor"], note["yanchor"]) == ("right" if right else "left", "top" if top else "bottom")
    heights = [note["yshift"] for note in notes]
    # The first is on top, each a line above the next, and all within the picture and clear of the title of an axis.
    assert np.diff(heights) == pytest.approx([-1.45 * 11.5] * 2)
    nearest = -heights[0] if top else heights[-1]
    assert nearest == pytest.approx((1.75 if (right, top) in TITLED else 0.3) * 11.5)


@pytest.mark.parametrize("more", ["&step=0.013&duration=4", "&methods=fedorov.longer", "&duration=3.05"])
def test_distances_are_the_same_however_the_flow_is_found(more):
    """Many steps, no flow on the page, a duration that the longer step does not divide."""
    here = page("sphere", BALL + more)
    texts, _ = astray(here.view("path"))
    chosen = [name for name in SHARES if name in here.panel.runs]
    for text, name in zip(texts, chosen, strict=True):
        assert told(text)[1] == pytest.approx(off(here, SHARES[name]), rel=0.06)


def test_the_largest_distance_need_not_be_the_last():
    here = page("sphere", "duration=17")
    run, flow = (alone(here, method, 1.5) for method in ("fedorov", "reference"))
    away = np.hypot(run["x"] - flow["x"], run["y"] - flow["y"])
    assert away[-1] < 0.9 * away.max()
    texts, _ = astray(here.view("path"))
    assert told(texts[2])[1] == pytest.approx(away.max(), rel=0.02)


def test_heads_are_those_of_the_flow_and_of_the_page_s_own_step(paths):
    here, drawn = paths
    assert set(drawn.markers()) == {"reference", "fedorov"}
    for track, (places, _) in drawn.markers().items():
        run = alone(here, track)
        assert close(places.T, np.stack([run["x"], run["y"]]))
    (handle,) = drawn.layout["meta"]["handles"]
    assert handle["names"] == ["x", "y"]
    assert handle["at"] == pytest.approx([0.2, -0.4])


def test_the_sentence_tells_how_still_the_momentum_is_and_what_is_kept(paths):
    here, _ = paths
    off_space, band = told(here.sentence)
    worst = 0.0
    for method in ("reference", "fedorov"):
        run = alone(here, method)
        momentum = np.array([run["R"][n] @ [run[f"K{i}"][n] for i in (1, 2, 3)] for n in range(len(run))])
        worst = max(worst, np.linalg.norm(momentum - momentum[0], axis=1).max() / np.linalg.norm(momentum[0]))
    # Sums in another order differ by round-off themselves.
    assert off_space == pytest.approx(worst, abs=3e-16)
    energy = alone(here, "fedorov").quantity("energy")
    width = np.ptp(energy) / energy[0]
    assert band * (0.01 if "%" in here.sentence else 1.0) == pytest.approx(width, rel=0.06)
    assert "Fedorov keeps ⟨K,K⟩ and ⟨K,γ⟩ to round-off, the energy within " in here.sentence
    assert page("sphere", BALL + "&omega1=0&omega2=0&omega3=0").sentence.startswith("The ball rests")
    alone_flow = page("sphere", BALL + "&methods=reference").sentence
    assert alone_flow.endswith(" while the ball rolls.")


def test_the_readout_tells_energy_band_distance_and_drift(paths):
    here, _ = paths
    assert list(here.readout) == ["Energy", "Band", "Off the flow", "⟨K,γ⟩ drift"]
    run = alone(here, "fedorov")
    energy = run.quantity("energy")
    assert told(here.readout["Energy"]) == pytest.approx([0.5 * energy[0]], rel=6e-4)
    assert told(here.readout["Band"]) == pytest.approx([np.ptp(energy) / energy[0]], rel=0.06)
    assert told(here.readout["Off the flow"]) == pytest.approx([off(here, 1.0)], rel=0.06)
    along = run.quantity("K_gamma")
    drift = np.abs(along - along[0]).max() / abs(along[0])
    assert told(here.readout["⟨K,γ⟩ drift"])[0] == pytest.approx(drift, abs=3e-16)


def test_what_runs_aside_has_no_lane_and_no_button():
    here = page("sphere", "omega1=0.6&omega2=0.2&step=0.85&duration=10")
    (gauge,) = numbers.gauges(here.panel)
    assert [lane.key for lane in gauge.lanes] == ["fedorov"]
    stops = {stop.key: stop for stop in numbers.stops(here.panel)}
    assert set(stops) == {"fedorov", "longer"}
    assert stops["fedorov"].values["step"] < 0.85
    assert not stops["longer"].values


def test_the_experiments_show_what_they_say():
    lab = page("sphere").state.lab
    titles = {step.title: step for step in lab.experiments}
    fold, complaints = state.State.from_query(lab, titles["Past the fold"].state.partition("?")[2])
    assert not complaints
    (panel,) = shown.panels(fold).values()
    run = panel.runs["fedorov"]
    assert "folded" in run.stopped
    assert 2 <= len(run) - 1 < 10
    rod, complaints = state.State.from_query(lab, titles["Nearly a rod"].state.partition("?")[2])
    assert not complaints
    (panel,) = shown.panels(rod).values()
    assert max(panel.params["J1"], panel.params["J2"]) < 0.05 * panel.params["J3"]
    wide, narrow = (np.ptp(one["gamma3"]) for one in (panel.runs["reference"], page("sphere").panel.runs["reference"]))
    assert wide > 2.0 * narrow
