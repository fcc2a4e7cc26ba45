"""Which cells of a sweep are problems at all: the rules of `Problem.create`, for many cells at once."""

from collections.abc import Callable, Mapping

import numpy as np

from nhviz import registry
from nhviz.parameters import Parameter, ParameterError
from nhviz.problem import SAMPLES_LIMIT, STEPS_LIMIT
from nhviz.system import Array, Points, System


def valid(points: Points) -> Array:
    """A truth for every cell: whether there is such a body, with such a start, and a run that can be kept."""
    model = registry.find(points.system)
    method = model.method(points.method)
    steps = points.duration / points.step
    possible: Array = (steps <= STEPS_LIMIT) & (np.round(steps) < SAMPLES_LIMIT)
    options = tuple(option for option in method.options if isinstance(option, Parameter))
    for declared, values in (
        (model.parameters, points.params), (model.initial, points.initial), (options, points.options),
    ):  # fmt: skip
        for parameter in declared:
            possible &= allowed(parameter, values[parameter.name], points.params)
    return possible & together(model, points, possible) & passes(method.check, points.params, possible)


def allowed(parameter: Parameter, value: Array, params: Mapping[str, Array]) -> Array:
    """Whether each value is in its range, and used where it is not the default."""
    inside: Array = (value >= parameter.minimum) & (value <= parameter.maximum)
    if parameter.needs is None:
        return inside
    name, least = parameter.needs
    return inside & ((value == parameter.default) | (params[name] >= least))


def together(model: System, points: Points, possible: Array) -> Array:
    """Whether the parameters go together, and the initial values with them; asked one by one where there is no rule."""
    if model.valid is not None:
        return np.asarray(model.valid(points.params, points.initial))
    found = passes(model.check, points.params, possible)
    check_start = model.check_start
    if check_start is None:
        return found
    names = tuple(points.params)

    def check(values: Mapping[str, float]) -> None:
        params = {name: values[f"p.{name}"] for name in names}
        check_start(params, {name: values[f"s.{name}"] for name in points.initial})

    both = {f"p.{name}": v for name, v in points.params.items()} | {f"s.{n}": v for n, v in points.initial.items()}
    return found & passes(check, both, possible & found)


def passes(check: Callable[[Mapping[str, float]], None] | None, values: Mapping[str, Array], asked: Array) -> Array:
    """Whether a check has nothing to say; equal cells are asked once, and those not asked pass."""
    passed = np.ones(asked.shape, dtype=bool)
    if check is None or not asked.any():
        return passed
    names = list(values)
    rows = np.stack([values[name] for name in names], axis=1)[asked]
    different, which = np.unique(rows, axis=0, return_inverse=True)
    verdicts = np.ones(len(different), dtype=bool)
    for k, row in enumerate(different.tolist()):
        try:
            check(dict(zip(names, row, strict=True)))
        except ParameterError:
            verdicts[k] = False
    passed[asked] = verdicts[which.ravel()]
    return passed
