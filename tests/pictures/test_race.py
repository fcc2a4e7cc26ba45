"""The race: ghosts are where their run is, off the truth by the number that is shown, in the colour of their method."""

import numpy as np
import pytest

import nhviz
from nhviz.figures import race_space
from nhviz.figures.style import THEMES
from nhviz.frame import find
from tests.extensions import PARAMS, STARTS
from tests.pictures.reading import ROUNDED, close, numbers, page, points

STEPS = {
    "roller_racer": (0.11, 6.0), "sleigh": (0.13, 6.0), "knife_edge": (0.09, 6.0), "rolling_disk": (0.17, 8.0),
    "suslov": (0.06, 5.0), "heisenberg": (0.05, 1.5), "oscillator": (0.07, 6.0),
}  # fmt: skip
"""Bodies and starts without symmetry, with steps so long that Euler's scheme is off by what can be seen."""
SCENES = pytest.mark.parametrize("scene", STEPS)
LOOKS = {
    "euler": (4, "triangle-up-open"), "euler_feedback": (5, "square"), "rk4": (3, "diamond-open"),
    "rk4_feedback": (2, "diamond"), "dla": (1, "circle-open"),
}  # fmt: skip
PULL = 0.13


def raced(scene, more=""):
    """The race of a system with generic numbers."""
    step, duration = STEPS[scene]
    values = {**PARAMS[scene], **STARTS[scene], "step": step, "duration": duration, "pull": PULL}
    words = "&".join(f"{name}={value!r}" for name, value in values.items())
    return page("feedback", f"scene={scene}&{words}{more}")


def alone(scene, variant):
    """A run of the race past everything that makes pictures."""
    step, duration = STEPS[scene]
    model = nhviz.describe(scene)
    if variant == "truth":
        name = next(name for name, method in model["methods"].items() if not method["discrete"])
        return nhviz.simulate(scene, name, PARAMS[scene], STARTS[scene], step, duration)
    base, _, pulled = variant.partition("_")
    gains = [name for name in model["methods"]["feedback"]["options"] if name.startswith("k")]
    own = dict.fromkeys(gains, PULL / step if pulled else 0.0)
    return nhviz.simulate(scene, "feedback", PARAMS[scene], STARTS[scene], step, duration, base=base, **own)


def distance(scene, variant):
    """How far a run is from the truth at each step: the length between two places, or the angle of two attitudes."""
    run, truth = alone(scene, variant), alone(scene, "truth")
    if scene == "suslov":
        return np.sqrt(((run["R"] - truth["R"]) ** 2).sum(axis=(1, 2)) / 2.0)
    names = [name for name in "xyz" if name in run.components]
    return np.sqrt(sum((run[name] - truth[name]) ** 2 for name in names))


def place(scene, run):
    """Where a run is drawn: its contact point, its particle, or the tip of the axis about which a top may not turn."""
    if scene == "suslov":
        return run["R"][:, :, 2]
    if scene == "knife_edge":
        alpha = PARAMS[scene]["alpha"]
        return np.stack([run["x"] * np.cos(alpha), run["y"], -run["x"] * np.sin(alpha)], axis=1)
    parts = [run[name] for name in "xyz" if name in run.components]
    flat = np.stack(parts, axis=1)
    return np.hstack([flat, np.zeros((len(flat), 1))]) if scene == "rolling_disk" else flat


def of_track(drawn, name, track):
    """The only trace of a name that belongs to a run."""
    (found,) = [trace for trace in drawn.named(name) if trace["meta"]["track"] == track]
    return found


def noted(drawn):
    """The words that go with ghosts, by the key of their run."""
    return {cursor["track"]: cursor["note"] for cursor in drawn.frames if "note" in cursor}


def led_from(drawn, track):
    """Where the line to the words of a run begins at each instant, by coordinate."""
    (cursor,) = [cursor for cursor in drawn.frames if cursor["track"] == track and "note" in cursor]
    return np.array([numbers(values) for values in cursor["positions"]])


@SCENES
def test_a_ghost_is_off_the_truth_by_the_number_beside_it(scene):
    drawn = raced(scene).view("thing")
    notes = noted(drawn)
    assert set(notes) == (set() if scene == "heisenberg" else {"euler", "euler_feedback"})
    for variant, note in notes.items():
        expected = distance(scene, variant)
        # The two differ by far more than a rounding.
        assert expected.max() > 0.005
        assert close(numbers(note["numbers"]), expected, times=4.0, also=1e-8)
        ends, track = drawn.moved(of_track(drawn, "error", variant))
        assert track == variant
        assert close(ends[:, 0], place(scene, alone(scene, "truth")), times=4.0, also=1e-8)
        assert close(ends[:, 1], place(scene, alone(scene, variant)), times=4.0, also=1e-8)
        if scene != "suslov":
            size = 8.0 * ROUNDED * np.abs(ends).max()
            assert np.abs(np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1) - expected).max() < size
        # The line to its words begins at the ghost.
        assert close(led_from(drawn, variant), ends[:, 1].T)
    assert notes.get("euler", {"before": " thinks it is here,"})["before"] == " thinks it is here,"


@SCENES
def test_words_say_the_unit_and_whose_ghost_it_is(scene):
    unit = "rad" if scene == "suslov" else "m"
    drawn = raced(scene).view("thing")
    for variant, note in noted(drawn).items():
        slot, _ = LOOKS[variant]
        assert note["after"] == f" {unit} off"
        assert note["name"] == {"euler": "Euler", "euler_feedback": "with feedback"}[variant]
        assert note["line"] == THEMES["light"].methods[slot]
        # Flat words and their lines are traces of their run; words in space are the browser's own.
        if "scene" in drawn.layout:
            assert note["leader"] == -1
        else:
            assert drawn.traces[note["leader"]] is of_track(drawn, "leader", variant)


@SCENES
def test_what_cannot_be_told_from_the_truth_has_no_ghost(scene):
    here = raced(scene)
    drawn = here.view("thing")
    # As far as the runs reach, and a body beyond them: its size is some part of that.
    places = np.concatenate([place(scene, alone(scene, name)) for name in ("truth", "euler")])
    reach = np.ptp(places, axis=0).max()
    least = [note["least"] for note in noted(drawn).values()]
    assert all(0.006 * reach < one < 0.1 * max(reach, 2.44) for one in least)
    for variant in ("rk4", "rk4_feedback"):
        assert distance(scene, variant).max() < 0.006 * reach
        assert not [trace for trace in drawn.named("ghost") if trace["meta"]["track"] == variant]
    if "scene" not in drawn.layout:
        (words,) = [note["text"] for note in drawn.words("free")]
        assert words == "on the truth: RK4, RK4 with feedback"


@SCENES
def test_ghosts_have_the_colour_of_their_method_and_the_truth_is_ink(scene):
    drawn, theme = raced(scene).view("thing"), THEMES["light"]
    for name in ("ghost", "error", "leader"):
        for trace in drawn.named(name):
            slot, _ = LOOKS[trace["meta"]["track"]]
            assert (trace["line"] if "lines" in trace["mode"] else trace["marker"])["color"] == theme.methods[slot]
    inked = [trace for trace in drawn.traces if trace.get("name") in ("body", "blade", "axis_1", "forbidden_plane")]
    assert inked
    for trace in inked:
        colour = trace["line"]["color"] if "line" in trace else trace.get("color", theme.ink)
        assert colour == theme.ink


def test_the_schemes_of_the_race_have_the_colours_and_markers_of_the_prototype_on_every_page():
    for scene in find.lab("feedback").scenes:
        panel = page("feedback", f"scene={scene.id}").panel
        truth = panel.system.truth.id
        assert panel.looks[truth].colour == THEMES["light"].methods[0]
        for variant, look in panel.looks.items():
            if variant in LOOKS:
                slot, symbol = LOOKS[variant]
                assert (look.colour, look.symbol) == (THEMES["light"].methods[slot], symbol)
        assert len({look.colour for look in panel.looks.values()}) == len(panel.looks)


@pytest.mark.parametrize("scene", ["roller_racer", "sleigh"])
def test_a_flat_body_stands_at_its_place_and_a_ghost_at_its_own(scene):
    drawn = raced(scene).view("thing")
    blade = drawn.named("blade")[0]
    truth = place(scene, alone(scene, "truth"))
    wheel, track = drawn.moved(drawn.named("body")[0] if scene == "roller_racer" else blade)
    assert track == raced(scene).panel.system.truth.id
    at = wheel[:, 0] if scene == "roller_racer" else wheel.mean(axis=1)
    assert close(at, truth, times=4.0)
    for variant in ("euler", "euler_feedback"):
        ghosts = [trace for trace in drawn.named("ghost") if trace["meta"]["track"] == variant and "fill" not in trace]
        moved, track = drawn.moved(ghosts[0])
        assert track == variant
        own = moved[:, 0] if scene == "roller_racer" else moved.mean(axis=1)
        assert close(own, place(scene, alone(scene, variant)), times=8.0)


@pytest.mark.parametrize("scene", ["roller_racer", "sleigh", "oscillator"])
def test_the_ways_are_those_of_the_runs(scene):
    drawn = raced(scene).view("thing")
    for variant in ("euler", "euler_feedback"):
        expected = place(scene, alone(scene, variant)).T
        assert close(points(drawn.runs()[variant]), expected, times=2.0)
    truth = raced(scene).panel.system.truth.id
    line, stride = points(drawn.runs()[truth]), drawn.runs()[truth]["meta"]["stride"]
    assert close(line[:, ::stride], place(scene, alone(scene, "truth")).T, times=2.0, also=1e-8)


def test_three_sections_of_an_ellipsoid_lie_on_it():
    from nhviz.shapes import ellipsoid

    frame = np.linalg.qr(np.random.default_rng(2).normal(size=(3, 3)))[0]
    sides = np.array([0.4, 0.7, 1.1])
    curves = race_space.sections(ellipsoid(sides, frame, "body", toned=True))
    for number, curve in enumerate(curves):
        along = curve.points @ frame
        np.testing.assert_allclose(((along / sides) ** 2).sum(axis=1), 1.0, atol=1e-12)
        # Each in a main plane, another one each.
        assert np.abs(along[:, (2, 1, 0)[number]]).max() < 1e-12 or np.abs(along).max(axis=0).min() < 1e-12


def test_without_the_truth_only_ghosts_race_and_without_runs_the_thing_stands_still():
    drawn = raced("sleigh", "&methods=euler.rk4").view("thing")
    assert not drawn.named("blade")
    assert not drawn.named("outlines")
    assert set(noted(drawn)) == {"euler"}
    still = raced("sleigh", "&methods=").view("thing")
    assert still.named("blade")


def test_a_lost_run_ends_with_a_cross_and_the_others_go_on():
    here = page("feedback", "scene=oscillator&pull=0.8")
    assert here.panel.runs["euler_feedback"].stopped
    drawn = here.view("thing")
    crosses = [trace["meta"]["track"] for trace in drawn.named("stopped")]
    assert "euler_feedback" in crosses
    assert "euler" not in crosses
    assert here.sentence.startswith("Euler + feedback loses its integrals after ")
