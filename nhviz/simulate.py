"""simulate and ensemble: the only place that runs anything."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nhviz import registry
from nhviz.parameters import ParameterError, check_names, is_sequence, shown
from nhviz.problem import SAMPLES_LIMIT, Ensemble, Problem, Trajectory, last_held
from nhviz.system import Samples, System, Task


def simulate(
    system: str | Problem,
    method: str | None = None,
    params: Mapping[str, Any] | None = None,
    initial: Mapping[str, Any] | None = None,
    step: Any = None,
    duration: Any = None,
    every: Any = 1,
    budget: Any = None,
    **options: Any,
) -> Trajectory:
    """Run one system by one method; what is not given takes the system's default.

    `every=k` keeps each k-th step. `budget` is the most internal steps of a flow that is integrated, a million unless
    given. Further keywords are the options that `describe` lists for the method. Bad input raises ParameterError; a
    run that cannot go on ends early and says why.
    """
    problem = (
        system
        if isinstance(system, Problem)
        else Problem.create(system, method, params, initial, step, duration, every, options, budget)
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
    budget: Any = None,
    **options: Any,
) -> Ensemble:
    """Run many orbits in one call: like `simulate`, but initial values may be sequences of one length.

    `skip` names components that are not needed (a portrait can do without the attitude R). `budget` is that of each
    orbit.
    """
    starts = start_columns(registry.find(system), initial)
    size = next(iter(starts.values())).size
    first = {name: float(values[0]) for name, values in starts.items()}
    base = Problem.create(system, method, params, first, step, duration, every, options, budget)
    if base.samples * size > SAMPLES_LIMIT:
        raise ParameterError(
            f"The ensemble would keep {base.samples * size:,} samples; at most {SAMPLES_LIMIT:,} "
            "are allowed: raise every or step, or lower duration or the number of orbits.",
            "every",
        )
    model = registry.find(system)
    check_names([c.name for c in model.components], skip, f"component of {system}")
    if model.check_start is not None:
        for i in range(size):
            model.check_start(dict(base.params), {name: float(values[i]) for name, values in starts.items()})
    task = make_task(base, starts, backward=False, skip=frozenset(skip))
    samples = perform(base, task)
    components = samples.components
    if np.any(samples.lengths < task.samples):
        components = {name: last_held(values, samples.lengths) for name, values in components.items()}
    return Ensemble(base, starts, task.times, components, samples.lengths, samples.reasons)


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
        budget=problem.budget,
    )


def perform(problem: Problem, task: Task) -> Samples:
    """Hand a task to the problem's method."""
    return registry.find(problem.system).method(problem.method).run(task)


def start_columns(model: System, initial: Mapping[str, Any] | None) -> dict[str, np.ndarray]:
    """An array of starts for every initial value, all of one length; single numbers are repeated."""
    if not isinstance(initial, Mapping):
        raise ParameterError(f"initial must be a mapping with at least one sequence, not {shown(initial)}.", "initial")
    check_names([p.name for p in model.initial], initial, f"initial value of {model.id}")
    columns = {name: list(value) for name, value in initial.items() if is_sequence(value)}
    sizes = {len(column) for column in columns.values()}
    if not columns:
        raise ParameterError(f"At least one initial value must be a sequence, not {shown(initial)}.", "initial")
    if len(sizes) > 1 or 0 in sizes:
        raise ParameterError("Every sequence of initial values must have as many values as the others, at least one.")
    size = sizes.pop()
    return {
        p.name: np.array([p.check(value) for value in columns[p.name]])
        if p.name in columns
        else np.full(size, p.check(initial.get(p.name, p.default)))
        for p in model.initial
    }
