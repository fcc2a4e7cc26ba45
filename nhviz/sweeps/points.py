"""The cells of a sweep: the numbers of many of them as arrays, and the problem of one."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from nhviz.parameters import Parameter
from nhviz.problem import Problem
from nhviz.system import Array, Points

if TYPE_CHECKING:
    from nhviz.sweeps.value import Sweep


def points_of(sweep: "Sweep", i: Array, j: Array) -> Points:
    """The numbers of the cells i along x and j along y, with the start that names of the measure alone mean."""
    model, measure = sweep.model, sweep.measure
    swept = {sweep.x.name: sweep.x.values[i]} | ({sweep.y.name: sweep.y.values[j]} if sweep.y else {})
    size = i.size

    def columns(fixed: Mapping[str, Any], declared: tuple[Any, ...]) -> dict[str, Any]:
        return {
            p.name: swept[p.name] if p.name in swept else column(fixed[p.name], size)
            for p in declared
            if p.name in swept or p.name in fixed
        }

    options = model.method(sweep.method).options
    step = swept["step"] if "step" in swept else np.full(size, sweep.step)
    # A gain that is nowhere follows the step.
    usual = {
        o.name: o.default / step for o in options if isinstance(o, Parameter) and o.per_step and o.name not in swept
    }
    fixed = dict(sweep.options)
    points = Points(
        system=sweep.system,
        method=sweep.method,
        params=columns(dict(sweep.params), model.parameters),
        initial=columns(dict(sweep.initial), model.initial),
        options=usual | columns(fixed, options),
        step=step,
        duration=sweep.duration,
        axes=columns(fixed, measure.axes),
    )
    return points if measure.start is None or not points.axes else started(points, measure.start(points))


def column(value: Any, size: int) -> Any:
    """A fixed number as an array; the value of a choice stays as it is."""
    return np.full(size, value) if isinstance(value, float) else value


def started(points: Points, start: Mapping[str, Array]) -> Points:
    """The same cells with other initial values."""
    return replace(points, initial={**points.initial, **start})


def problem_of(sweep: "Sweep", i: int, j: int) -> Problem:
    """The problem of a cell, or a ParameterError."""
    points = points_of(sweep, np.array([i]), np.array([j]))

    def single(values: Mapping[str, Any]) -> dict[str, Any]:
        return {name: float(v[0]) if isinstance(v, np.ndarray) else v for name, v in values.items()}

    return Problem.create(
        sweep.system,
        sweep.method,
        single(points.params),
        single(points.initial),
        float(points.step[0]),
        sweep.duration,
        options=single(points.options),
    )
