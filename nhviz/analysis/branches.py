"""branches and locus: the multivalued side of the discrete maps, asked of the system that declares it."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nhviz import registry
from nhviz.parameters import ParameterError, check_names, fill, finite_number, is_sequence
from nhviz.problem import checked_parameters, find_method
from nhviz.system import Array, Branches, BranchTable, Locus, Method, System, Values


def branches(
    system: str,
    method: str | None = None,
    params: Mapping[str, Any] | None = None,
    step: Any = None,
    at: Mapping[str, Any] | None = None,
) -> Any:
    """Every real displacement with a given momentum, smallest rotation first; the principal one is marked.

    `at` holds the momentum; what is missing takes that of the default start. If one of its values is a sequence, the
    answer is a list with one such list for every point; `branch_table` gives arrays instead.
    """
    model, chosen, values, size = prepare(system, method, params, step)
    declared = branches_of(model, chosen)
    columns = momentum_columns(model, declared, values, at)
    points = [
        {name: float(column[i]) for name, column in columns.items()} for i in range(next(iter(columns.values())).size)
    ]
    if not any(is_sequence(value) for value in (at or {}).values()):
        return declared.solve(values, size, points[0])
    if declared.many is None:
        return [declared.solve(values, size, point) for point in points]
    table = declared.many(values, size, columns)
    return [table.rows(i) for i in range(len(points))]


def branch_table(
    system: str,
    method: str | None = None,
    params: Mapping[str, Any] | None = None,
    step: Any = None,
    at: Mapping[str, Any] | None = None,
) -> BranchTable:
    """`branches` at many points as arrays, for a method that can solve many at once."""
    model, chosen, values, size = prepare(system, method, params, step)
    declared = chosen.branches
    if declared is None or declared.many is None:
        having = [m for m in model.methods if m.branches is not None and m.branches.many is not None]
        raise ParameterError(none_here(model, chosen, "table of branches", having), "method")
    return declared.many(values, size, momentum_columns(model, declared, values, at))


def branches_of(model: System, method: Method) -> Branches:
    """What a method declares about its branches, or a ParameterError."""
    if method.branches is None:
        having = [m for m in model.methods if m.branches is not None]
        raise ParameterError(none_here(model, method, "branches", having), "method")
    return method.branches


def momentum_columns(
    model: System, declared: Branches, params: Values, at: Mapping[str, Any] | None
) -> dict[str, Array]:
    """Arrays of momenta of one length: given ones, single numbers repeated, and those of the default start."""
    given = {} if at is None else at
    check_names(declared.at, given, f"momentum of {model.id}")
    usual = point_of_start(declared, params, {p.name: p.default for p in model.initial})
    columns = {name: finite_column(name, value) for name, value in given.items() if is_sequence(value)}
    sizes = {column.size for column in columns.values()}
    if len(sizes) > 1 or 0 in sizes:
        raise ParameterError("Every sequence of momenta must have as many values as the others, at least one.", "at")
    size = sizes.pop() if sizes else 1
    return {
        name: columns[name] if name in columns else np.full(size, finite_number(name, given.get(name, usual[name])))
        for name in declared.at
    }


def finite_column(name: str, values: Any) -> Array:
    """A sequence of finite numbers as an array; what is none of them is named."""
    if isinstance(values, np.ndarray) and values.ndim == 1 and values.dtype.kind in "fi" and np.isfinite(values).all():
        return values.astype(float)
    return np.array([finite_number(name, value) for value in values])


def point_of_start(declared: Branches, params: Values, initial: Values) -> Values:
    """The momentum of a start, in the names at which branches are asked."""
    if declared.of_start is not None:
        return declared.of_start(params, initial)
    return {name: initial[name] for name in declared.at}


def locus(
    system: str,
    method: str | None = None,
    params: Mapping[str, Any] | None = None,
    step: Any = None,
    **view: Any,
) -> Array:
    """The momentum locus as a grid of points, an array (rows, columns, 3); see `locus_surface` for its axes."""
    return locus_surface(system, method, params, step, **view).points


def locus_surface(
    system: str,
    method: str | None = None,
    params: Mapping[str, Any] | None = None,
    step: Any = None,
    **view: Any,
) -> Locus:
    """The momentum locus with the names of its axes. `view`, listed by `describe`, chooses the part and the grid."""
    model, chosen, values, size = prepare(system, method, params, step)
    if chosen.surface is None:
        having = [m for m in model.methods if m.surface is not None]
        raise ParameterError(none_here(model, chosen, "momentum locus", having), "method")
    asked = fill(chosen.surface.view, view, f"view of the locus of {chosen.id}")
    found = chosen.surface.locus(values, size, asked)
    if not np.all(np.isfinite(found.points)):
        raise ParameterError("The locus leaves the range of numbers; raise step or lower the inertia.", "step")
    return found


def prepare(
    system: str, method: str | None, params: Mapping[str, Any] | None, step: Any
) -> tuple[System, Method, dict[str, float], float]:
    """Find and check what both questions need."""
    model = registry.find(system)
    chosen = find_method(model, method)
    values = checked_parameters(model, chosen, params)
    return model, chosen, values, model.step.check(model.step.default if step is None else step)


def none_here(model: System, chosen: Method, what: str, having: Sequence[Method]) -> str:
    """One sentence for a method that has no branches or locus, with those that have."""
    names = ", ".join(method.id for method in having) or "no method"
    return f"The method {chosen.id} of {model.id} has no {what}; {names} has."
