"""Stability numbers of the race read back, and the map of drifts from there."""

import numpy as np
import pytest

import nhviz
from nhviz.frame import sweeping
from nhviz.frame.sweeping import problem_of
from nhviz.labs.feedback import stability
from nhviz.labs.feedback.racers import RACERS
from tests.extensions import EXTENSIONS
from tests.pictures.racing import LIMITS, RACER, SCHEMES, alone, gains_of
from tests.pictures.reading import close, page, points, told


@pytest.mark.parametrize("pull", [0.2, 1.3])
def test_stability_numbers_with_their_bounds(pull):
    here = page("feedback", RACER + f"&pull={pull}")
    drawn = here.view("stability")
    runs = drawn.runs()
    assert set(runs) == {"euler_feedback", "rk4_feedback"}
    truth = alone(here, "reference")
    beyond = {trace["meta"]["track"]: points(trace) for trace in drawn.named("beyond")}
    for variant, trace in runs.items():
        base, run = SCHEMES[variant], alone(here, variant)
        extension = EXTENSIONS["roller_racer"][0]
        values = pull * here.panel.step * greatest(extension, here, variant, run)
        most = here.panel.step * greatest(extension, here, variant, truth).max()
        t, shown = points(trace)
        assert close(t, run.t)
        assert close(shown, values, also=1e-6)
        assert beyond.get(variant, np.zeros((2, 0)))[0] == pytest.approx(run.t[values > LIMITS[base]], rel=1e-6)
        (words,) = [note for note in drawn.words("bound") if note["y"] == pytest.approx(LIMITS[base])]
        assert told(words["text"].split("pull")[1])[0] == pytest.approx(LIMITS[base] / most, rel=6e-3)
        lines = [s for s in drawn.layout["shapes"] if s["type"] == "line" and s["name"] == variant]
        assert [line["y0"] for line in lines] == [pytest.approx(LIMITS[base])]
    assert set(beyond) == ({"euler_feedback"} if pull > 1.0 else set())
    assert drawn.words("wide")[0]["text"] == ("beyond, and yet it arrives" if pull > 1.0 else "within its bounds")


def greatest(extension, here, variant, run):
    """Lambda with a pull of 1 along a run, by the uncompiled gradients and numpy's eigenvalues."""
    p, gains = extension.parameters(here.panel.params), list(gains_of(here, variant).values())
    roots = np.sqrt(gains)
    found = []
    for state in extension.state(run.components):
        values, gradients = np.zeros(3), np.zeros((3, state.size))
        extension.conserved(state, p, values, gradients)
        found.append(np.linalg.eigvalsh(roots[:, None] * (gradients @ gradients.T) * roots)[-1])
    return np.array(found)


def test_a_lost_run_has_the_number_of_the_motion_beside_it():
    here = page("feedback", "scene=heisenberg&pull=0.7&step=0.05&duration=3")
    drawn = here.view("stability")
    lost = alone(here, "euler_feedback")
    assert lost.stopped
    (motion,) = [trace for trace in drawn.named("motion") if trace["meta"] == {"track": "euler_feedback"}]
    t, values = points(motion)
    truth = alone(here, "exact")
    expected = 0.7 * 0.05 * greatest(EXTENSIONS["heisenberg"][0], here, "euler_feedback", truth)
    top = 2.0 * drawn.layout["yaxis"]["range"][1]
    assert close(t, truth.t)
    assert close(values, np.minimum(expected, top), also=1e-6)
    assert drawn.words("wide")[0]["text"] == "lost: see the dashed line"


def test_without_a_pull_nothing_has_a_number():
    drawn = page("feedback", RACER + "&pull=0").view("stability")
    assert drawn.runs() == {}
    assert drawn.words("wide")[0]["text"] == "nothing pulls: raise the pull"


@pytest.mark.parametrize("system", RACERS)
def test_the_map_from_here_has_the_present_run_in_its_middle(system):
    here = page("feedback", f"scene={system}&pull=0.13&k1=0.83")
    problem = problem_of(here.state, here.state.scene.panels[0])
    sweep = stability.swept(problem)
    assert (sweep.x.name, sweep.y.name, sweep.method) == ("step", "pull", "feedback")
    for axis, value in ((sweep.x, here.panel.step), (sweep.y, 0.13)):
        assert axis.log
        assert axis.values[axis.count // 2] == pytest.approx(value, rel=1e-12)
    assert sweeping.spot(sweep, problem) == (here.panel.step, 0.13)
    assert dict(sweep.options)["base"] == "euler"
    assert dict(sweep.options)["k1"] == pytest.approx(here.panel.values["k1"] / here.panel.step)


def test_a_cell_of_the_map_is_the_drift_of_its_run():
    here = page("feedback", RACER + "&pull=0.13")
    sweep = stability.swept(problem_of(here.state, here.state.scene.panels[0]))
    fewer = [(axis.name, axis.values[10], axis.values[30], 3, "log") for axis in (sweep.x, sweep.y)]
    found = nhviz.sweep("roller_racer", "energy_drift", *fewer, method="feedback", params=dict(sweep.params),
                        initial=dict(sweep.initial), duration=sweep.duration, options=dict(sweep.options))  # fmt: skip
    energy = alone(here, "euler_feedback").quantity("energy")
    assert found.values[1, 1] == pytest.approx(np.abs(energy / energy[0] - 1.0).max(), rel=1e-9)


def test_the_map_of_plain_schemes_has_the_usual_gains():
    here = page("feedback", RACER + "&methods=euler")
    sweep = stability.swept(problem_of(here.state, here.state.scene.panels[0]))
    assert dict(sweep.options)["k2"] == pytest.approx(1.0 / here.panel.step)
    assert sweep.y.values[20] == pytest.approx(0.1)
