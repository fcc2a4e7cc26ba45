"""Runs for many cells of a sweep: cells that differ in their starts only are one ensemble."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nhviz import registry
from nhviz.measures.cells import groups, numbers
from nhviz.problem import Problem, Trajectory
from nhviz.simulate import run
from nhviz.system import Array, Method, Points, Samples, Task, Values

# Numbers that a batch may keep at once: cells come in tiles, but a run may be long.
KEPT = 2_000_000


@dataclass(frozen=True)
class Batch:
    """The runs of some cells of equal parameters, options and steps."""

    cells: Array
    params: dict[str, float]
    options: dict[str, Any]
    task: Task
    samples: Samples

    @property
    def complete(self) -> Array:
        """Which of the runs reached their end."""
        return np.array([reason is None for reason in self.samples.reasons])


def runs(points: Points, method: Method, halvings: int = 0, ends_only: bool = False) -> Iterator[Batch]:
    """The runs of all cells by a method, with the step halved so often, and all samples or the first and the last."""
    model = registry.find(points.system)
    for cells, params, options, step in groups(points):
        steps = max(round(points.duration / step), 1) << halvings
        every = steps if ends_only else 1
        most = max(1, KEPT // (model.size(params) * (steps // every + 1)))
        for begin in range(0, cells.size, most):
            part = cells[begin : begin + most]
            starts = {name: values[part] for name, values in points.initial.items()}
            task = Task(params, starts, step / (1 << halvings), steps, every, options)
            yield Batch(part, params, options, task, method.run(task))


def truth_at_the_end(batch: Batch, truth: Method) -> Samples:
    """The motion itself at the end of the runs of a batch."""
    task = batch.task
    options = {option.name: option.default for option in truth.options}
    return truth.run(replace(task, step=task.step * task.steps, steps=1, every=1, options=options))


def orbit(points: Points, cell: int) -> Trajectory:
    """The run of one cell."""
    return run(problem_at(points, cell))


def problem_at(points: Points, cell: int) -> Problem:
    """The problem of a cell that is known to be one."""
    params, initial, options = (
        numbers(points.params, cell),
        numbers(points.initial, cell),
        numbers(points.options, cell),
    )
    return Problem(
        points.system,
        points.method,
        tuple(params.items()),
        tuple(initial.items()),
        float(points.step[cell]),
        points.duration,
        1,
        tuple(options.items()),
    )


def ended_early(points: Points) -> str | None:
    """Why the run of the first cell ended early, if it did."""
    stopped = orbit(points, 0).stopped
    return f"The run ends early: {stopped}" if stopped else None


def rows_of(batch: Batch, evaluate: Any) -> Array:
    """A quantity along all runs of a batch, (orbits, samples)."""
    shape = (batch.cells.size, batch.task.samples)
    flat = {name: values.reshape(-1, *values.shape[2:]) for name, values in batch.samples.components.items()}
    params: Values = batch.params
    return np.asarray(evaluate(params, flat)).reshape(shape)
