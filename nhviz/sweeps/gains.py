"""Measures of feedback integrators: their stability number, and the largest gain that is stable.

Lambda, which the feedback's stability depends on, is taken along the motion itself: a run that is being lost visits
places of its own. So cells that differ in their gains share the motion.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from nhviz import registry
from nhviz.methods.stability import BOUNDS, FLOW_SAMPLES
from nhviz.parameters import Parameter
from nhviz.problem import Trajectory
from nhviz.sweeps.batches import problem_at
from nhviz.system import Array, Measure, Points, System, Task


def measures(model: System) -> list[Measure]:
    """The measures of methods that have a stability number and gains, if there is a motion to measure along."""
    methods = tuple(m.id for m in model.methods if any(q.id == "stability" for q in m.quantities))
    if not methods or not any(method.truth for method in model.methods):
        return []
    number = "greatest step times Lambda along the motion; Euler needs less than 2, RK4 less than 2.785"
    gain = "the gain up to which the scheme is stable along the motion, if all gains are the same"
    return [
        Measure("stability", "Stability number", "", number, methods, stability, no_motion),
        Measure("stable_gain", "Largest stable gain", "1/s", gain, methods, stable_gain, no_gain),
    ]


def stability(points: Points) -> Array:
    """The greatest stability number along each motion."""
    found = np.full(points.size, np.nan)
    for cells, motion in motions(points):
        for cell in cells:
            found[cell] = replace(motion, problem=problem_at(points, cell), peaks={}).greatest("stability")
    return found


def stable_gain(points: Points) -> Array:
    """The bound of the scheme over the stability number with all gains 1, which is proportional to the gains."""
    method = registry.find(points.system).method(points.method)
    ones = {o.name: np.ones(points.size) for o in method.options if isinstance(o, Parameter) and o.per_step}
    with np.errstate(divide="ignore"):
        return BOUNDS[str(points.options["base"])] / stability(replace(points, options={**points.options, **ones}))


def motions(points: Points) -> Iterator[tuple[list[int], Trajectory]]:
    """Cells of equal parameters, start and step, and the motion itself at about as many instants as they have steps."""
    truth = registry.find(points.system).truth
    rows = np.stack([points.step, *points.params.values(), *points.initial.values()], axis=1)
    _, first, which = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    for group, cell in enumerate(first):
        problem = problem_at(points, cell)
        stride = max(1, problem.steps // FLOW_SAMPLES)
        starts = {name: np.array([value]) for name, value in problem.initial}
        options = {option.name: option.default for option in truth.options}
        task = Task(dict(problem.params), starts, stride * problem.step, problem.steps // stride, 1, options)
        samples = truth.run(task)
        if samples.reasons[0] is None:
            components = {name: values[0] for name, values in samples.components.items()}
            yield np.flatnonzero(which.ravel() == group).tolist(), Trajectory(problem, task.times, components, None)


def no_motion(points: Points) -> str:
    """Why a cell has no stability number."""
    return "The motion itself cannot be told to the end of the run."


def no_gain(points: Points) -> str:
    """Why a cell has no largest gain."""
    return "Every gain is stable here, as no integral has a gradient, or the motion ends before the run does."
