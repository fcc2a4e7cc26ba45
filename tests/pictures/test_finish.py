"""The finish of the race: its numbers are those of drifts and errors, the sentence and the readout say the same."""

import numpy as np
import pytest

import nhviz
from nhviz.analysis import drift, errors
from nhviz.frame import find
from nhviz.labs.feedback import finish, results, words
from nhviz.methods.stability import BOUNDS
from nhviz.views import numbers
from tests.extensions import EXTENSIONS, PARAMS, complex_gradient, values_of
from tests.pictures.reading import page, told
from tests.pictures.test_race import SCENES, STEPS, alone, distance, raced

SCHEMES = ("euler", "euler_feedback", "rk4", "rk4_feedback")
TWO_DIGITS = 0.051
"""A number of two digits is off by half of its last one, at most this share of itself."""


def table(here):
    """The finish of a page, its rows by the key of their run."""
    (found,) = finish.finish(here.panel)
    return found, {row.key: row for row in found.rows}


def number_of(cell):
    """The number in a cell, 0 for what is kept."""
    return 0.0 if cell.text in ("kept", "round-off") else told(cell.text.replace("·", " · "))[0]


def is_told(cell, expected):
    """Whether a cell says a number in two digits, or that it is round-off."""
    found = number_of(cell)
    return expected < 1e-12 if found == 0.0 else abs(found - expected) <= TWO_DIGITS * expected


@SCENES
def test_the_numbers_of_the_table_are_drifts_and_errors(scene):
    found, rows = table(raced(scene))
    model = nhviz.describe(scene)
    columns = len(found.head) - 3
    assert found.head[columns:] == ("off the truth", "field / step", "time / step")
    assert list(rows) == [raced(scene).panel.system.truth.id, *SCHEMES]
    kept = []
    for quantity in model["quantities"]:
        largest = {name: float(drift.drift_of(alone(scene, name), quantity).max()) for name in SCHEMES}
        if max(largest.values()) < 1e-12:
            kept.append(quantity)
            continue
        column = [one for one in model["quantities"] if one not in kept].index(quantity)
        for name in SCHEMES:
            assert is_told(rows[name].cells[column], largest[name]), (quantity, name)
    assert columns == len(model["quantities"]) - len(kept)
    for name in SCHEMES:
        cell = rows[name].cells[columns]
        assert is_told(cell, distance(scene, name).max()), name
        assert cell.text.endswith(" rad" if scene == "suslov" else " m") or cell.text == "round-off"
        assert rows[name].cells[columns + 1].text == ("1" if name.startswith("euler") else "4")
        assert rows[name].cells[columns + 2].text.startswith("≈ ")
        assert rows[name].cells[columns + 2].text.endswith(" µs")


@SCENES
def test_the_largest_error_is_that_of_the_part_that_is_seen(scene):
    here = raced(scene)
    part = "Attitude" if scene == "suslov" else "Path"
    for name in SCHEMES:
        expected = errors.errors(alone(scene, name), alone(scene, "truth"))[part].max()
        assert results.result(here.panel, name).off == pytest.approx(expected, rel=1e-9, abs=1e-13)


@SCENES
def test_dots_mark_the_least_and_bars_are_logarithms(scene):
    found, rows = table(raced(scene))
    columns = len(found.head) - 3
    for column in range(columns + 1):
        values = {name: number_of(rows[name].cells[column]) for name in SCHEMES}
        best = {name for name in SCHEMES if rows[name].cells[column].best}
        if max(values.values()) == 0.0:
            assert not best
        else:
            assert best
            assert all(values[name] <= min(values.values()) * (1.0 + 1e-9) for name in best)
    offs = {name: distance(scene, name).max() for name in SCHEMES}
    bars = {name: rows[name].cells[columns].bar for name in SCHEMES}
    if scene == "heisenberg":
        assert set(bars.values()) == {None}
        return
    most = max(offs, key=lambda name: offs[name])
    assert bars[most] == pytest.approx(1.0)
    # Lengths differ as logarithms do.
    first, last = sorted(offs, key=lambda name: offs[name])[:: len(offs) - 1]
    span = np.log10(offs[last] / offs[first])
    assert bars[last] - bars[first] == pytest.approx(span / (span + 1.5), rel=1e-6)


@SCENES
def test_the_row_to_take_is_as_near_as_the_best_and_costs_least(scene):
    _, rows = table(raced(scene))
    (taken,) = [name for name, row in rows.items() if row.chosen]
    assert taken == ("euler" if scene == "heisenberg" else "rk4")
    few, _ = table(raced(scene, "&methods=euler.euler_feedback"))
    (taken,) = [row.key for row in few.rows if row.chosen]
    euler, pulled = (max(distance(scene, name).max(), 1e-12) for name in ("euler", "euler_feedback"))
    assert taken == ("euler_feedback" if euler > 3.0 * pulled else "euler")


@SCENES
def test_the_sentence_says_what_the_table_says(scene):
    here = raced(scene)
    text, first = here.sentence, here.panel.system.quantities[0].id
    euler, pulled = (distance(scene, name).max() for name in ("euler", "euler_feedback"))
    assert len(text) <= 140
    if scene == "heisenberg":
        assert text == "Euler is exact here, and the pull has nothing to correct. Take Euler, at one evaluation a step."
        return
    assert text.endswith("RK4 needs none: take it, at four evaluations a step.")
    said = told(text)
    drifts = [drift.drift_of(alone(scene, name), first).max() for name in ("euler", "euler_feedback")]
    times = drifts[0] / drifts[1] if drifts[1] > 1e-12 else 1.0
    if euler > 1.25 * pulled or pulled > 1.25 * euler:
        verb = "cuts" if euler > pulled else "raises"
        assert text.startswith(f"Feedback {verb} Euler’s error from ")
        assert said[0] == pytest.approx(euler, rel=TWO_DIGITS)
        assert said[1] == pytest.approx(pulled, rel=TWO_DIGITS)
        if times > 1.25:
            assert said[2] == pytest.approx(times, rel=TWO_DIGITS)
    elif times > 1.25:
        assert said[0] == pytest.approx(times, rel=TWO_DIGITS)
        assert said[1] == pytest.approx(pulled, rel=TWO_DIGITS)
    else:
        assert text.startswith("Euler keeps its integrals by itself")
        assert said[0] == pytest.approx(pulled, rel=TWO_DIGITS)


def test_it_is_said_where_the_pull_makes_things_worse():
    here = page("feedback")
    found, _ = table(here)
    ratio = here.panel.drifts["rk4_feedback"]["energy"].max() / here.panel.drifts["rk4"]["energy"].max()
    assert ratio > 2.0
    assert "With feedback the energy of RK4 drifts" in found.note
    assert told(found.note)[-1] == pytest.approx(ratio, rel=TWO_DIGITS)
    assert "All keep the slip of the rear axle to round-off." in found.note


@pytest.mark.parametrize("scene", [scene for scene in STEPS if scene != "heisenberg"])
def test_the_gauge_of_the_pull_ends_where_the_stability_number_does(scene):
    here, (extension, params) = raced(scene), EXTENSIONS[scene]
    truth, p = here.panel.runs[here.panel.system.truth.id], extension.parameters(params)
    states = extension.state(truth.components)
    largest = 0.0
    for state in states:
        gradient = complex_gradient(lambda y: values_of(extension, p, y), state.astype(complex))
        largest = max(largest, float(np.linalg.eigvalsh(gradient @ gradient.T)[-1]))
    (gauge,) = words.gauges(here.panel)
    assert gauge.word == "pull"
    for lane, base in zip(gauge.lanes, ("euler", "rk4"), strict=True):
        # With gains of 1/step the number is the pull times the largest eigenvalue.
        assert lane.bound == pytest.approx(BOUNDS[base] / largest, rel=1e-6)
        assert lane.key == f"{base}_feedback"
        assert told(lane.note)[0] == pytest.approx(0.13 * largest, rel=6e-3)


def test_every_page_opens_with_a_gain_of_a_tenth_of_the_step():
    """As CP has it: gain times step is 0.1, of all gains, and Euler is within its bound."""
    for scene in find.lab("feedback").scenes:
        panel = page("feedback", f"scene={scene.id}").panel
        given = dict(panel.problems["euler_feedback"].options)
        gains = [gain for name, gain in given.items() if name.startswith("k")]
        assert [gain * given["pull"] * panel.step for gain in gains] == pytest.approx([0.1] * len(gains))
        (gauge,) = words.gauges(panel)
        assert panel.values["pull"] < gauge.lanes[0].bound


def test_past_the_bound_it_is_beyond_and_only_what_is_lost_is_called_so():
    beyond = page("feedback", "scene=roller_racer&pull=0.55")
    (gauge,) = words.gauges(beyond.panel)
    assert gauge.lanes[0].bound < 0.55 < gauge.lanes[1].bound
    assert not numbers.stops(beyond.panel)
    assert beyond.sentence.startswith("Beyond the bound: Euler + feedback has εΛ = 2.18 of 2, and yet it arrives.")
    lost = page("feedback", "scene=oscillator&pull=0.6")
    (stop,) = numbers.stops(lost.panel)
    assert stop.text.startswith("Lost its integrals after step ")
    assert stop.label == f"Use kε = {stop.values['pull']:g}"
    mended = page("feedback", f"scene=oscillator&pull={stop.values['pull']!r}")
    assert not numbers.stops(mended.panel)
    assert ": the pull is past its largest stable value " in lost.sentence


@SCENES
def test_a_start_off_the_constraint_falls_back_with_the_pull_only(scene):
    here = raced(scene, "&off=0.2")
    names = [q.id for q in here.panel.system.quantities if q.id.startswith("constraint")]
    pulled, plain = (here.panel.runs[name] for name in ("euler_feedback", "euler"))
    name = max(names, key=lambda one: abs(pulled.quantity(one)[0]))
    away = np.abs(pulled.quantity(name))
    said = told(here.sentence)
    assert here.sentence.startswith("Started ")
    assert said[0] == pytest.approx(away[0], rel=TWO_DIGITS)
    back = np.flatnonzero(away <= 0.05 * away[0])
    if back.size:
        assert said[2] == pytest.approx(pulled.t[back[0]], rel=TWO_DIGITS)
    assert said[-1] == pytest.approx(abs(plain.quantity(name)[-1]), rel=TWO_DIGITS)


@SCENES
def test_the_readout_follows_how_far_schemes_are_off(scene):
    here = raced(scene)
    found = {one.label: one for one in numbers.statistics(here.panel)}
    for label, variant in (("Off now", "euler"), ("With feedback", "euler_feedback")):
        np.testing.assert_allclose(found[label].values, distance(scene, variant), rtol=1e-9, atol=1e-14)
        assert found[label].size
        assert found[label].key == variant
    stable = here.panel.runs["euler_feedback"].quantity("stability").max()
    assert told(found["Stability εΛ"].text)[0] == pytest.approx(stable, rel=6e-3)


def preset(title, scene):
    """The page of a suggestion of the lab."""
    (step,) = [one for one in find.lab("feedback").experiments if one.title == title and f"scene={scene}" in one.state]
    return page("feedback", step.state.partition("?")[2])


def largest(values):
    return float(np.max(np.abs(values)))


def test_figures_1_and_2_of_the_paper():
    here = preset("Figure 2", "suslov")
    run, plain = here.panel.runs["euler_feedback"], here.panel.runs["euler"]
    assert dict(run.problem.options)["k0"] * dict(run.problem.options)["pull"] == pytest.approx(100.0)
    assert largest(run["M1"] + np.tanh(run.t)) == pytest.approx(5.4e-5, rel=0.03)
    assert largest(run["M2"] - 1.0 / np.cosh(run.t)) == pytest.approx(1.29e-4, rel=0.02)
    _, rows = table(here)
    # The energy is 1/2: relative to that, its drift is twice 9.7e-6. M3 - M2 is 4.8e-6, sqrt 2 times the distance.
    assert [number_of(cell) for cell in rows["euler_feedback"].cells[:3]] == pytest.approx(
        [2.0 * 9.7e-6, 4.8e-6 / 2.0**0.5, 7.1e-6], rel=0.06
    )
    assert number_of(rows["euler"].cells[0]) == pytest.approx(2.0 * 5.0e-4, rel=0.06)
    assert number_of(rows["euler"].cells[2]) == pytest.approx(1.4e-2, rel=0.06)
    assert plain.t[-1] == pytest.approx(10.0)
    assert dict(preset("Figure 1", "suslov").state.tabs)["detail"] == "error"


def test_figures_3_to_5_of_the_paper():
    here = preset("Figure 5", "knife_edge")
    run = here.panel.runs["euler_feedback"]
    assert run.stopped is None
    assert run.t[-1] == pytest.approx(200.0, rel=1e-3)
    assert largest(run["x"] - (1.0 - np.cos(run.t)) / 2.0) == pytest.approx(9.3e-4, rel=0.03)
    assert largest(run["y"] - (run.t - np.sin(run.t)) / 2.0) == pytest.approx(1.20e-3, rel=0.03)
    _, rows = table(here)
    cells = [number_of(cell) for cell in rows["euler_feedback"].cells[:3]]
    assert cells == pytest.approx([5.0e-7 / 0.125, 2.5e-7, 2.5e-7 / 0.5], rel=0.08)
    for title, tab in (("Figure 3", "drift"), ("Figure 4", "error")):
        assert dict(preset(title, "knife_edge").state.tabs)["detail"] == tab


def test_figures_6_and_7_of_the_paper():
    here = preset("Figure 6", "oscillator")
    given = dict(here.panel.runs["euler_feedback"].problem.options)
    assert [given[name] * given["pull"] for name in ("k1", "k2", "k3")] == pytest.approx([500.0, 300.0, 300.0])
    _, rows = table(here)
    found = {name: [number_of(cell) for cell in rows[name].cells[:3]] for name in ("euler_feedback", "dla")}
    assert found["euler_feedback"] == pytest.approx([1.27e-6 / 1.5, 1.67e-6 / 0.5, 4.60e-6], rel=0.08)
    assert found["dla"] == pytest.approx([1.02e-2 / 1.5, 2.50e-4 / 0.5, 7.94e-4], rel=0.08)
    assert here.panel.runs["dla"].t[-1] == pytest.approx(200.0, rel=1e-3)
    later = preset("Figure 7", "oscillator")
    assert later.panel.runs["dla"].t[-1] == pytest.approx(400.0, rel=1e-3)


@pytest.mark.parametrize("scene", STEPS)
def test_every_suggestion_can_be_shown(scene):
    for title in ("A race", "Off the level", "Too much gain"):
        here = preset(title, scene)
        assert 10 < len(here.sentence) <= 140, here.sentence
        here.view("thing")
        table(here)
    assert set(PARAMS) == set(STEPS)
