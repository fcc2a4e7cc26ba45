"""The details of the feedback race, read back: falls, level sets, stability numbers, orders, sections."""

import numpy as np
import pytest

import nhviz
from nhviz import registry
from nhviz.analysis.level_sets import LEVELS
from nhviz.analysis.oscillator_section import return_map
from nhviz.analysis.sections import section
from nhviz.frame import sweeping
from nhviz.frame.sweeping import problem_of
from nhviz.labs.feedback import stability
from nhviz.labs.feedback.racers import RACERS
from tests.extensions import EXTENSIONS, values_of
from tests.pictures.reading import close, numbers, page, points, told, whole_numbers

RACER = "scene=roller_racer&m=1.4&I1=0.9&I2=0.35&d1=1.2&d2=0.45&phi=0.8&u=0.9&omega=0.6&step=0.05&duration=6"
OFF = RACER + "&off=0.3&pull=0.2&k1=0.9&k2=0.7&k3=0.6"
SPRING = "scene=oscillator&x=0.9&y=-0.7&z=0.4&p_y=0.8&p_z=0.5"
SCHEMES = {"euler": "euler", "euler_feedback": "euler", "rk4": "rk4", "rk4_feedback": "rk4"}
LIMITS = {"euler": 2.0, "rk4": 2.785293563405282}


def gains_of(here, variant):
    """The gains of a scheme by name, as numbers; a plain one has none."""
    names = dict.fromkeys(EXTENSIONS[here.panel.system.id][0].gains)
    plain = variant in ("euler", "rk4")
    return {name: 0.0 if plain else here.panel.values[name] / here.panel.step for name in names}


def alone(here, variant, step=None, duration=None, scale=1.0, **more):
    """A run by itself, with the numbers of a page, or with other steps and with gains times a scale."""
    values, model = here.panel.values, here.panel.system
    params, initial = ({p.name: values[p.name] for p in part} for part in (model.parameters, model.initial))
    options = {}
    if variant in SCHEMES:
        gains = {name: scale * gain for name, gain in gains_of(here, variant).items()}
        options = {"base": SCHEMES[variant], **gains, "off": values["off"]} | (
            {} if "pull" in more else {"pull": values["pull"]}
        )
    method = "feedback" if variant in SCHEMES else variant
    step, duration = step or values["step"], duration or values["duration"]
    return nhviz.simulate(model.id, method, params, initial, step, duration, **options | more)


def away(here, run):
    """c - c(0) along a run (samples, functions), by the uncompiled functions."""
    extension, params = EXTENSIONS[here.panel.system.id][0], here.panel.params
    start = extension.start(params, {name: np.array([value]) for name, value in run.problem.initial})[:, 0]
    p, states = extension.parameters(params), extension.state(run.components)
    return np.array([values_of(extension, p, state) for state in states]) - values_of(extension, p, start)


# --- Drift ------------------------------------------------------------------------------------------------------------


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


# --- Attraction -------------------------------------------------------------------------------------------------------


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


# --- Stability --------------------------------------------------------------------------------------------------------


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


# --- Order ------------------------------------------------------------------------------------------------------------


def final_error(here, variant, truth, **more):
    run = alone(here, variant, **more)
    names = ("theta", "x", "y", "phi", "u", "omega")
    return max(abs(run[name][-1] - truth[name][-1]) for name in names)


def test_errors_over_the_step_with_gains_held_and_growing():
    here = page("feedback", RACER + "&off=0.2")
    drawn = here.view("order")
    truth = alone(here, "reference", step=6.0)
    steps = 6.0 / np.array([30, 60, 120, 240, 480, 960])
    for (_, traces), held in zip(drawn.panels().items(), (True, False), strict=True):
        assert [trace["name"] for trace in traces] == [here.panel.looks[name].label for name in SCHEMES]
        for variant, trace in zip(SCHEMES, traces, strict=True):
            shown, errors = points(trace)
            assert close(shown, steps)
            for step, error in list(zip(steps, errors, strict=True))[1:4]:
                scale = 1.0 if held else here.panel.step / step
                assert error == pytest.approx(
                    final_error(here, variant, truth, step=step, scale=scale, off=0.0), rel=1e-5
                )


def test_feedback_does_not_raise_the_order():
    """Euler 1 both ways; RK4 4, and 2 with gains that grow as 1/step (README, and the module of the method)."""
    here = page("feedback", "scene=oscillator&step=0.02&duration=4&x=0.9&y=-0.7&z=0.4&p_y=0.8&p_z=0.5")
    orders = []
    for words in here.view("order").words("slopes"):
        orders.append([float(line.removesuffix("</span>").rsplit(" ", 1)[1]) for line in words["text"].split("<br>")])
    assert orders[0] == pytest.approx([1.0, 1.0, 4.0, 4.0], abs=0.1)
    assert orders[1] == pytest.approx([1.0, 1.0, 4.0, 2.0], abs=0.12)
    for shape in here.view("order").layout["shapes"]:
        assert shape["x0"] == here.panel.step


def test_a_long_run_is_looked_at_in_its_beginning():
    here = page("feedback", "scene=rolling_disk&step=0.001&duration=50")
    drawn = here.view("order")
    assert [note["text"] for note in drawn.words("wide")] == ["first 3 s"]
    steps = points(drawn.panels()[""][0])[0]
    assert steps.min() == pytest.approx(3.0 / 24_000, rel=1e-6)
    assert "round-off" in drawn.words("slopes")[0]["text"]


# --- Sections ---------------------------------------------------------------------------------------------------------


def trails(drawn, name):
    """The crossings of a panel by the key of their run, and how many there are at each instant."""
    own = {id(trace) for trace in drawn.panels()[name]}
    found = {}
    for cursor in drawn.frames:
        trace = drawn.traces[cursor["trace"]]
        if id(trace) in own and "counts" in cursor:
            curve = np.stack([numbers(values) for values in cursor["positions"]])
            found[cursor["track"]] = curve, whole_numbers(cursor["counts"])
    return found


@pytest.mark.parametrize("length", ["step=0.05&duration=80", "step=0.002&duration=90"])
def test_the_section_of_the_oscillator_grows_over_its_ellipses(length):
    """The first keeps every step, the second one of many: crossings are those of the whole run in both."""
    here = page("feedback", f"{SPRING}&{length}&methods=reference.euler.euler_feedback.dla&pull=0.2")
    drawn = here.view("section")
    exact = return_map(here.panel.initial)
    circle = exact.circle(181)
    for panel, pair in (("", (0, 1)), ("2", (1, 2))):
        names = ("x", "z", "p_z")
        ellipse = points(next(t for t in drawn.panels()[panel] if t["name"] == "exact"))
        assert close(ellipse, circle[:, list(pair)].T, also=1e-6)
        for key, (curve, counts) in trails(drawn, panel).items():
            if key == "reference":
                expected, times = exact.crossings(curve.shape[1]), exact.time + 2.0 * np.pi * np.arange(curve.shape[1])
                expected = expected[:, list(pair)].T
            else:
                whole = section(alone(here, key), {"y": 1.0})
                expected, times = np.stack([whole[names[i]] for i in pair]), whole.t
            # What leaves the picture is left out: a third of the ellipse beyond its ends.
            low, high = circle[:, list(pair)].min(axis=0), circle[:, list(pair)].max(axis=0)
            inside = np.all(np.abs(expected.T - 0.5 * (low + high)) < (0.5 + 0.35) * (high - low), axis=1)
            expected, times = expected[:, inside], times[inside]
            instants = here.panel.part(here.panel.runs[key], "t")[0]
            # Of a thinned run crossings are interpolated between farther samples, by cubic polynomials.
            assert close(curve, expected, also=2e-6)
            assert np.array_equal(counts, [np.sum(times <= t + 1e-9) for t in instants])
            assert counts[-1] == curve.shape[1] == len(times)
    assert trails(drawn, "")["reference"][1][-1] == int((here.panel.values["duration"] - exact.time) // (2 * np.pi)) + 1


def test_the_rotation_number_is_told_in_the_middle():
    here = page("feedback", f"{SPRING}&step=0.01&duration=120&methods=reference.rk4.euler_feedback&pull=0.2")
    (words,) = here.view("section").words("turns")
    heading, exact, *others = words["text"].split("<br>")
    assert heading == "turns"
    rho = return_map(here.panel.initial).rotation_number
    assert told(exact)[0] == pytest.approx(rho, abs=5.1e-5)
    turns = [float(line.removesuffix("</span>").rsplit(">", 1)[1]) for line in others]
    assert turns[0] == pytest.approx(rho, abs=1e-4)
    assert turns[1] == pytest.approx(rho, abs=2e-3)
    circle = return_map(here.panel.initial).circle()
    assert words["x"] == pytest.approx(circle[:, 0].min() / 2 + circle[:, 0].max() / 2, abs=1e-3)


def test_what_leaves_the_picture_is_named_and_a_still_y_has_no_section():
    here = page("feedback", f"{SPRING}&step=0.05&duration=80&methods=reference.euler")
    assert {note["text"] for note in here.view("section").words("leaves")} == {"Euler leaves"}
    still = page("feedback", "scene=oscillator&y=0&p_y=0").view("section")
    assert still.words("turns")[0]["text"] == "y stays 0: it never crosses"


@pytest.mark.parametrize(("way", "sign"), [("both", 0), ("up", 1), ("down", -1)])
def test_a_section_by_any_plane(way, sign):
    query = f"scene=knife_edge&step=0.02&duration=60&section.of=x&section.level=0.4&section.way={way}"
    here = page("feedback", f"{query}&section.across=y&section.up=v&methods=exact.rk4")
    drawn = here.view("section")
    found = trails(drawn, "")
    for key in ("exact", "rk4"):
        expected = section(alone(here, key), {"x": 1.0}, 0.4, sign)
        assert close(found[key][0], np.stack([expected["y"], expected["v"]]), also=1e-6)
    (words,) = drawn.words("turns")
    sense = "" if way == "both" else f" {way}wards"
    assert words["text"] == f"<i>x</i> = 0.4{sense}: {len(expected)} crossings"
    assert drawn.titles() == ["<i>y</i> (m)", "<i>v</i> (m/s)"]


@pytest.mark.parametrize("system", [name for name in RACERS if name != "oscillator"])
def test_every_section_opens_with_a_crossing(system):
    here = page("feedback", f"scene={system}")
    assert max(counts[-1] for _, counts in trails(here.view("section"), "").values()) >= 1
