"""What feedback does to the order of a scheme: nothing while its gains are held, and RK4 loses two if they grow.

Every rung of the ladder is a run of its own, made as all runs of the page are.
"""

from dataclasses import replace

import numpy as np

from nhviz import registry
from nhviz.analysis import ladder
from nhviz.figures import slopes
from nhviz.figures.slopes import Slope
from nhviz.figures.style import Picture
from nhviz.frame.shown import Shown
from nhviz.labs.feedback.racers import METHOD, gains
from nhviz.problem import Problem, Trajectory
from nhviz.system import Array

HELD, GROWING = "Gains held", "Gains grow as 1/step"


def order(shown: Shown) -> Picture:
    """Errors at the end over the step, with gains that are held and with gains that grow as 1/step."""
    maps = [name for name in shown.maps if shown.problems[name].steps > 0]
    if not maps:
        return slopes.slopes(shown.theme, {HELD: (), GROWING: ()}, shown.step, "")
    problem = shown.problems[maps[0]]
    duration = ladder.lasting(problem.steps, problem.step)
    truth = true_end(shown, problem, duration)
    panels = {
        heading: [slope_of(shown, name, duration, truth, heading == HELD) for name in maps]
        for heading in (HELD, GROWING)
    }
    note = "" if duration == problem.steps * problem.step else f"first {duration:.3g} s"
    return slopes.slopes(shown.theme, panels, shown.step, note)


def true_end(shown: Shown, problem: Problem, duration: float) -> Trajectory:
    """The motion itself at the end alone."""
    return shown.run(replace(problem, duration=duration).by(shown.system.truth.id, duration, 1, {}))


def slope_of(shown: Shown, variant: str, duration: float, truth: Trajectory, held: bool) -> Slope:
    """The errors of a variant over the ladder; a rung that ends early is left out."""
    problem = shown.problems[variant]
    found, steps = [], []
    for count in ladder.counts(round(duration / problem.step)):
        steps.append(duration / count)
        run = shown.run(on_rung(problem, duration, count, held))
        found.append(ladder.final_error(run, truth))
    errors = np.array(found)
    slope = ladder.slope(steps, errors, ladder.scale_of(truth))
    told = "round-off" if is_round_off(errors, truth) else "–" if slope is None else f"{slope:.2f}"
    known = np.isfinite(errors) & (errors > 0.0)
    label = shown.looks[variant].label
    return Slope(shown.looks[variant], np.array(steps)[known], errors[known], f"{label} {told}")


def is_round_off(errors: Array, truth: Trajectory) -> bool:
    """Whether all errors are round-off."""
    known = errors[np.isfinite(errors)]
    return bool(known.size) and bool(np.all(known <= ladder.ROUND_OFF * ladder.scale_of(truth)))


def on_rung(problem: Problem, duration: float, count: int, held: bool) -> Problem:
    """A run of so many steps from the start on the constraint to the same end, with gains held or growing as 1/step."""
    options, step = dict(problem.options), duration / count
    if "off" in options:
        options["off"] = 0.0
    if problem.method == METHOD and not held:
        names = gains(registry.find(problem.system).method(METHOD))
        options |= {name: options[name] * problem.step / step for name in names}
    return replace(problem, duration=duration).by(problem.method, step, count, options)
