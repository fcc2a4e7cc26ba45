"""The race as a picture: each run as the thing that its system is."""

import numpy as np

from nhviz.analysis import errors
from nhviz.figures import path, race, race_space
from nhviz.figures.style import Picture
from nhviz.frame.shown import Shown
from nhviz.labs.feedback.racers import PULLED_EULER, PULLED_RK4, RACERS
from nhviz.problem import Trajectory
from nhviz.shapes import Curve, Motion
from nhviz.system import Array
from nhviz.views import pictures

UNITS = {"Path": "m", "Attitude": "rad"}
SHORT = {PULLED_EULER: "with feedback", PULLED_RK4: "RK4 with feedback"}
"""What is said beside a ghost, where its label would not do."""
AXES = ("<i>x</i> (m)", "<i>y</i> (m)")


def is_truth(shown: Shown, variant: str) -> bool:
    """Whether a run is the motion itself."""
    return shown.method(variant).id == shown.system.truth.id


def off(shown: Shown, variant: str) -> Array:
    """How far a run is from the truth at its samples, up to where both are: in its path, or in its attitude."""
    return shown.remember(all_off)[variant]


def all_off(shown: Shown) -> dict[str, Array]:
    """How far each run but the truth is off it."""
    part = RACERS[shown.system.id].part
    return {
        name: errors.distance(run, pictures.truth_beside(shown, name), part)
        for name, run in shown.runs.items()
        if not is_truth(shown, name)
    }


def unit(shown: Shown) -> str:
    """The unit in which that is measured."""
    return UNITS[RACERS[shown.system.id].part]


def drawing(run: Trajectory) -> Motion:
    """What a system draws of a run, once."""
    return run.remember(drawn)


def drawn(run: Trajectory) -> Motion:
    """What a system draws of a run."""
    assert run.system.draw is not None
    return run.system.draw(run)


def way(motion: Motion) -> Array:
    """The points (n, d) of the way that a motion draws behind itself."""
    return next(shape.points for shape in motion.background if isinstance(shape, Curve) and "path" in shape.role)


def runner(shown: Shown, variant: str) -> race.Runner:
    """The truth, on a smooth line."""
    run = shown.runs[variant]
    motion, instants = drawing(run), shown.points(run)
    fine = shown.smooth(variant)
    line = way(motion) if fine is run else way(drawing(fine))
    line = line if len(line) <= len(run) or len(run) <= len(instants) else way(motion)[instants]
    return race.Runner(
        shown.looks[variant], motion, instants, run.t[instants], way(motion)[instants], line.T.copy(), False,
        run.stopped is not None,
    )  # fmt: skip


def ghost(shown: Shown, variant: str) -> race.Ghost:
    """A run that is not the truth, with where the truth is at its instants."""
    run, truth = shown.runs[variant], pictures.truth_beside(shown, variant)
    motion, instants = drawing(run), shown.points(run)
    instants = instants[instants < len(truth)]
    places = way(motion)[instants]
    return race.Ghost(
        shown.looks[variant], motion, instants, run.t[instants], places, places.T.copy(),
        shown.method(variant).discrete, run.stopped is not None, off(shown, variant)[instants],
        way(drawing(truth))[instants], SHORT.get(variant, shown.looks[variant].label), unit(shown),
    )  # fmt: skip


def thing(shown: Shown) -> Picture:
    """The race; without a run the thing at its start."""
    if not shown.runs:
        return pictures.drawn_motion(shown)
    truths = [runner(shown, name) for name in shown.runs if is_truth(shown, name)][:1]
    ghosts = [ghost(shown, name) for name in shown.runs if not is_truth(shown, name)]
    truth = truths[0] if truths else None
    if np.shape((truths or ghosts)[0].places)[1] == 3:
        return race_space.race(shown.theme, truth, ghosts, "e₃" if shown.system.id == "suslov" else "")
    handles = [] if truth is None else path.handles_of(
        path.Moving(truth.motion, truth.instants, truth.times, truth.look), "theta"
    )  # fmt: skip
    return race.flat_race(shown.theme, truth, ghosts, AXES, handles)
