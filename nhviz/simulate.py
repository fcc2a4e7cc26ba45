"""simulate and ensemble: the only place that runs anything."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nhviz import registry
from nhviz.parameters import ParameterError, check_names, shown
from nhviz.problem import SAMPLES_LIMIT, Ensemble, Problem, Trajectory, last_held
from nhviz.system import Samples, Task


def simulate(
    system: str | Problem,
    method: str | None = None,
    params: Mapping[str, Any] | None = None,
    initial: Mapping[str, Any] | None = None,
    step: Any = None,
    duration: Any = None,
    every: Any = 1,
    **options: Any,
) -> Trajectory:
    """Run one system by one method; what is not given takes the system's default.

    `every=k` keeps each k-th step. Further keywords are the options that `describe` lists for the
    method. Bad input raises ParameterError; a run that cannot go on ends early and says why.
    """
    problem = (
        system
        if isinstance(system, Problem)
        else Problem.create(system, method, params, initial, step, duration, every, options)
    )
    return run(problem)


def run(problem: Problem, backward: bool = False) -> Trajectory:
    """Run a problem forward, or backward with the inverse map (t then counts down from 0)."""
    starts = {name: np.array([value]) for name, value in problem.initial}
    task = make_task(problem, starts, backward)
    samples = perform(problem, task)
    n = int(samples.lengths[0])
    components = {name: values[0, :n] for name, values in samples.components.items()}
    return Trajectory(problem, task.times[:n], components, samples.reasons[0])


def ensemble(
    system: str,
    method: str | None = None,
    params: Mapping[str, Any] | None = None,
    initial: Mapping[str, Any] | None = None,
    step: Any = None,
    duration: Any = None,
    every: Any = 1,
    skip: Sequence[str] = (),
    **options: Any,
) -> Ensemble:
    """Run many orbits in one call: like `simulate`, but initial values may be sequences of one length.

    `skip` names components that are not needed (a portrait can do without the attitude R).
    """
    rows = start_rows(initial)
    problems = tuple(Problem.create(system, method, params, row, step, duration, every, options) for row in rows)
    first = problems[0]
    if first.samples * len(problems) > SAMPLES_LIMIT:
        raise ParameterError(
            f"The ensemble would keep {first.samples * len(problems):,} samples; at most {SAMPLES_LIMIT:,} "
            "are allowed: raise every or step, or lower duration or the number of orbits.",
            "every",
        )
    starts = {name: np.array([dict(problem.initial)[name] for problem in problems]) for name, _ in first.initial}
    check_names([c.name for c in registry.find(first.system).components], skip, f"component of {first.system}")
    task = make_task(first, starts, backward=False, skip=frozenset(skip))
    samples = perform(first, task)
    components = samples.components
    if np.any(samples.lengths < task.samples):
        components = {name: last_held(values, samples.lengths) for name, values in components.items()}
    return Ensemble(problems, task.times, components, samples.lengths, samples.reasons)


def make_task(
    problem: Problem, starts: Mapping[str, np.ndarray], backward: bool, skip: frozenset[str] = frozenset()
) -> Task:
    """The task of a problem for given starts."""
    return Task(
        params=dict(problem.params),
        initial=starts,
        step=-problem.step if backward else problem.step,
        steps=problem.steps,
        every=problem.every,
        options=dict(problem.options),
        skip=skip,
    )


def perform(problem: Problem, task: Task) -> Samples:
    """Hand a task to the problem's method."""
    return registry.find(problem.system).method(problem.method).run(task)


def start_rows(initial: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    """One mapping of initial values per orbit; single numbers are repeated."""
    columns: dict[str, list[Any]] = {}
    size = None
    for name, value in (initial or {}).items():
        if not np.ndim(value):
            continue
        columns[name] = list(value)
        if size not in (None, len(columns[name])) or not columns[name]:
            raise ParameterError(f"{name} must have as many values as the other initial values, at least one.", name)
        size = len(columns[name])
    if size is None:
        raise ParameterError(f"At least one initial value must be a sequence, not {shown(initial)}.")
    return [
        {name: columns[name][i] if name in columns else value for name, value in (initial or {}).items()}
        for i in range(size)
    ]
