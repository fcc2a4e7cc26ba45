"""Falls onto the level set read back: distances, V, rates, and the level sets themselves."""

import numpy as np
import pytest

from nhviz import registry
from nhviz.analysis.level_sets import LEVELS
from nhviz.labs.feedback.racers import RACERS
from tests.pictures.racing import OFF, RACER, SCHEMES, alone, away, gains_of
from tests.pictures.reading import close, page, points, told


def test_drifts_stand_beside_the_distance_from_the_truth():
    here = page("feedback", RACER)
    drawn = here.view("drift")
    titles = [note["text"].split("</b>")[0] for note in drawn.words("title") if note["text"].startswith("<b>")]
    assert titles == ["<b>Energy", "<b>Slip of the<br>front axle", "<b>Off the truth<br>(m)"]
    truth = alone(here, "reference")
    for variant in SCHEMES:
        run, label = alone(here, variant), here.panel.looks[variant].label
        energy, slip = (run.quantity(name) for name in ("energy", "constraint_1"))
        expected = (
            np.abs(energy / energy[0] - 1.0),
            np.abs(slip - slip[0]),
            np.hypot(run["x"] - truth["x"], run["y"] - truth["y"]),
        )
        for traces, values in zip(drawn.panels().values(), expected, strict=True):
            (trace,) = [t for t in traces if t["name"] == label]
            t, shown = points(trace)
            assert close(t, run.t[1:])
            assert close(shown, np.maximum(values[1:], 1e-16), also=1e-15)


@pytest.mark.parametrize("variant", SCHEMES)
def test_every_run_has_its_distance_and_the_common_v(variant):
    here = page("feedback", OFF)
    drawn, run = here.view("attraction"), alone(here, variant)
    strayed = away(here, run)
    assert strayed[0, 0] == pytest.approx(0.3, rel=1e-12)
    gains = 0.2 * np.array([gains_of(here, "euler_feedback")[name] for name in ("k1", "k2", "k3")])
    expected = {"": np.abs(strayed[:, 0]), "2": 0.5 * strayed**2 @ gains}
    look = here.panel.looks[variant]
    for name, traces in drawn.panels().items():
        (trace,) = [t for t in traces if t.get("meta") == {"track": look.key, "stride": 1}]
        t, values = points(trace)
        assert close(t, run.t)
        assert close(values, np.maximum(expected[name], 1e-16), also=1e-15)
        assert trace["line"]["color"] == look.colour
    titles = [note["text"] for note in drawn.words("title")]
    assert titles == ["<b>Off the constraint</b>", "<b>V</b>"]


def test_the_rates_are_the_slopes_of_the_first_samples():
    here = page("feedback", OFF)
    drawn = here.view("attraction")
    (words,) = drawn.words("rates")
    lines = words["text"].split("<br>")
    assert len(lines) == len(drawn.named("law")) == 2
    for variant, line, law in zip(("euler_feedback", "rk4_feedback"), lines, drawn.named("law"), strict=True):
        run = alone(here, variant)
        off = np.abs(away(here, run)[:, 0])
        t, values = points(law)
        # The law is drawn one sample beyond the fall.
        first = len(t) - 1
        assert off[first] <= 5.0 * off[len(off) // 2 :].max() < off[first - 1]
        slopes = [-np.polyfit(run.t[:first], np.log(part[:first]), 1)[0] for part in (off, values)]
        assert told(line.split(">", 1)[1])[0] == pytest.approx(slopes[0], rel=6e-3)
        assert told(line.split("law", 1)[1])[0] == pytest.approx(slopes[1], rel=6e-3)
        assert law["meta"] == {"track": variant}
        # On the first steps the law is hardly another than the run.
        assert values[:4] == pytest.approx(off[:4], rel=0.05)


def test_without_a_start_that_is_off_the_page_says_what_to_do():
    assert page("feedback", RACER).view("attraction").words("rates")[0]["text"] == "raise δ to start off the level set"
    still = page("feedback", OFF.replace("pull=0.2", "pull=0")).view("attraction")
    assert still.words("rates")[0]["text"] == "nothing pulls: raise the pull"
    assert still.named("law") == []
    empty = page("feedback", OFF + "&methods=").view("attraction")
    assert len(empty.named("clock")) == 2


@pytest.mark.parametrize("system", RACERS)
def test_the_level_set_is_drawn_with_every_run(system):
    here = page("feedback", f"scene={system}&off=0.2&duration=2")
    drawn, level = here.view("level_set"), LEVELS[system]
    assert drawn.titles() == list(level.axes)
    truth = registry.find(system).truth.id
    start = alone(here, truth)
    for name, trace in drawn.runs().items():
        run = alone(here, name)
        expected = level.places(run.params, run.components)
        stride = trace["meta"]["stride"]
        assert close(points(trace)[:, ::stride], expected, also=1e-7)
        marked, _ = drawn.markers()[name]
        assert close(marked.T[:2], expected[:2], also=1e-7)
    if level.curve is not None:
        assert close(points(drawn.one("equilibria")), level.curve(start.params, start.components).T, also=1e-7)
    else:
        assert close(points(drawn.one("level set")), level.surface({}, start.components).reshape(-1, 3).T, also=1e-7)
    assert close(points(drawn.one("start"))[:, 0], level.places(start.params, start.components)[:, 0], also=1e-7)


EQUATIONS = {
    "suslov": (
        "I11=1.3&I22=2.1&I33=2.9&I13=0.8&I23=-0.6&M1=0.9&M2=-1.1",
        lambda v, x, y, z: [x**2 + y**2 - 0.9**2 / 1.3 - 1.1**2 / 2.1, z],
    ),
    "sleigh": (
        "J=0.8&m=1.6&a=0.7&b=-0.4&p_theta=0.9&p_1=-0.5",
        lambda v, x, y, z: [x**2 + y**2 - (0.9 + 0.4 * 0.5) ** 2 / (0.8 + 1.6 * 0.49) - 0.25 / 1.6, z],
    ),
    "roller_racer": (
        "m=1.4&I1=0.9&I2=0.35&d1=1.2&d2=0.45&phi=0.8&u=0.9&omega=0.6",
        lambda v, x, y, z: [x**2 + y**2 - racer_energy(v), z],
    ),
    "knife_edge": (
        "m=1.7&J=0.6&g=2.3&alpha=0.7&x=0.3&v=1.1&p_phi=0.7",
        lambda v, x, y, z: [y**2 - 1.1**2 - 2.0 * 2.3 * np.sin(0.7) * (x - 0.3), z],
    ),
    "rolling_disk": ("m=1.3&R=0.7&I=0.45&Pi_psi=0.5", lambda v, x, y, z: [0.45 * x - 1.3 * 0.7 * y, z]),
    "heisenberg": (
        "x=0.3&y=-0.7&z=0.2&p_x=0.8&p_y=1.1",
        lambda v, x, y, z: [z + x, y - 0.5 * (0.64 + 1.21 + (0.7 * 0.8 + 0.3 * 1.1) ** 2)],
    ),
    "oscillator": ("x=0.9&y=-0.7&z=0.4&p_y=0.8&p_z=0.5", lambda v, x, y, z: [z + x * y]),
}
"""A body for each system, and what vanishes on its level set."""


def racer_energy(v):
    """Twice the kinetic energy of an allowed velocity."""
    turned = (v["u"] * np.sin(v["phi"]) - v["d1"] * np.cos(v["phi"]) * v["omega"]) / v["d2"]
    return v["m"] * v["u"] ** 2 + v["I1"] * v["omega"] ** 2 + v["I2"] * turned**2


@pytest.mark.parametrize("system", EQUATIONS)
def test_the_level_set_satisfies_its_equations(system):
    query, equations = EQUATIONS[system]
    here = page("feedback", f"scene={system}&{query}&off=0.3&duration=1")
    drawn = here.view("level_set")
    for name in ("level set" if system == "oscillator" else "equilibria", "start"):
        x, y, z = points(drawn.one(name))
        for zero in equations(here.panel.values, x, y, z):
            assert np.abs(zero).max() < 4e-6 * (1.0 + np.abs([x, y, z]).max() ** 2)
    first = [abs(zero[0]) for zero in equations(here.panel.values, *points(drawn.runs()["euler_feedback"]))]
    assert max(first) > 0.1


def test_a_run_that_leaves_is_drawn_up_to_there():
    here = page("feedback", "scene=oscillator&step=0.05&duration=150&methods=reference.euler.euler_feedback")
    runs = here.view("level_set").runs()
    whole, cut = len(points(runs["euler_feedback"])[0]), points(runs["euler"])
    assert len(cut[0]) < whole
    size = np.abs(points(here.view("level_set").one("level set"))).max()
    assert 2.0 * size < np.abs(alone(here, "euler")["p_x"]).max()
    assert np.abs(cut).max() <= 1.5 * 2.0 * size
