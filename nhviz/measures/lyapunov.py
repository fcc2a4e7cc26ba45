"""Finite-time Lyapunov exponents: the mean rate at which a deviation grows along a run.

The tangent map over a part of the run is a central difference of the runs from both ends of the deviation, which is
brought back to its size after each part. With deviations of 1e-6 of the state the error of a part's growth is about
1e-10 of it from round-off, and 1e-12 times the square of the growth from the curvature of the map.
"""

from collections.abc import Callable, Mapping

import numpy as np

from nhviz.measures.cells import groups
from nhviz.parameters import Parameter, is_used
from nhviz.system import Array, Measure, Points, Samples, Task

PARTS = 16
SMALL = 1e-6
Run = Callable[[Task], Samples]


def measure(runs: Mapping[str, Run], state: tuple[Parameter, ...]) -> Measure:
    """The measure of methods, by their functions; `state` are the initial values that a run can be resumed from."""
    names = tuple((parameter.name, parameter.needs) for parameter in state)

    def evaluate(points: Points) -> Array:
        return exponents(points, runs[points.method], names)

    return declared(tuple(runs), evaluate)


def declared(methods: tuple[str, ...], evaluate: Callable[[Points], Array]) -> Measure:
    """The measure with its words, which systems share."""
    meaning = "mean rate at which a small deviation of the state grows along the run, from the tangent map"
    return Measure("lyapunov", "Lyapunov exponent", "1/s", meaning, methods, evaluate, no_exponent, kind="signed")


def no_exponent(points: Points) -> str:
    """Why a cell has no exponent."""
    return "The run from here, or from next to it, ends early, or nothing moves: no growth can be told."


def exponents(points: Points, run: Run, declared: tuple[tuple[str, tuple[str, float] | None], ...]) -> Array:
    """The exponent of every cell; cells of equal parameters are run together."""
    found = np.full(points.size, np.nan)
    for cells, params, options, step in groups(points):
        steps = round(points.duration / step)
        names = [name for name, needs in declared if is_used(needs, params)]
        rest = {name: values[cells] for name, values in points.initial.items()}
        state = np.stack([rest[name] for name in names])
        if steps > 0:
            found[cells] = growth(run, Task(params, rest, step, steps, steps, options), names, state) / (step * steps)
    return found


def growth(run: Run, task: Task, names: list[str], state: Array) -> Array:
    """The logarithm of the growth of a deviation along the runs from states (names, cells); NaN if one ends early."""
    count = state.shape[1]
    # A direction of no importance, the same for all cells.
    deviation = np.cos(1.0 + np.arange(len(names)) ** 2)[:, None] * np.ones(count)
    deviation /= np.linalg.norm(deviation, axis=0)
    total, parts = np.zeros(count), min(PARTS, task.steps)
    for part in range(parts):
        steps = task.steps * (part + 1) // parts - task.steps * part // parts
        size = np.linalg.norm(state, axis=0)
        away = SMALL * np.where(size > 0.0, size, 1.0) * deviation
        starts = {name: np.tile(values, 3) for name, values in task.initial.items()}
        starts |= dict(zip(names, np.concatenate([state, state + away, state - away], axis=1), strict=True))
        samples = run(Task(task.params, starts, task.step, steps, steps, task.options, frozenset({"R"})))
        ends = np.stack([samples.components[name][:, -1] for name in names])
        complete = np.array([reason is None for reason in samples.reasons]).reshape(3, count).all(axis=0)
        base, ahead, behind = ends[:, :count], ends[:, count : 2 * count], ends[:, 2 * count :]
        change = (ahead - behind) / (2.0 * np.linalg.norm(away, axis=0))
        grown = np.linalg.norm(change, axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            total = np.where(complete, total + np.log(grown), np.nan)
            # A run that has ended stays where it is: its total is lost already.
            state, deviation = np.where(complete, base, state), np.where(complete & (grown > 0.0), change / grown, 1.0)
    return total
