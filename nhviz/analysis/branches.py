"""branches and locus: the multivalued side of the discrete maps, asked of the system that declares it."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from nhviz import registry
from nhviz.parameters import Parameter, ParameterError, check_names, fill, finite_number
from nhviz.problem import checked_parameters, find_method
from nhviz.system import Array, Locus, Method, System


def branches(
    system: str,
    method: str | None = None,
    params: Mapping[str, Any] | None = None,
    step: Any = None,
    at: Mapping[str, Any] | None = None,
) -> list[dict[str, Any]]:
    """Every real displacement with a given momentum, smallest rotation first; the principal one is marked.

    `at` holds the momentum; what is missing takes the initial value's default.
    """
    model, chosen, values, size = prepare(system, method, params, step)
    if chosen.branches is None:
        raise ParameterError(none_here(model, chosen, "branches", lambda m: m.branches), "method")
    declared = {p.name: p for p in model.initial if p.name in chosen.branches_at}
    check_names(chosen.branches_at, at or {}, f"momentum of {model.id}")
    point = {name: finite_number(name, (at or {}).get(name, default_of(declared, name))) for name in chosen.branches_at}
    return chosen.branches(values, size, point)


def default_of(declared: Mapping[str, Parameter], name: str) -> float:
    """The default of a momentum that is an initial value, else 0."""
    return declared[name].default if name in declared else 0.0


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
    if chosen.locus is None:
        raise ParameterError(none_here(model, chosen, "momentum locus", lambda m: m.locus), "method")
    surface = chosen.locus(values, size, fill(chosen.view, view, f"view of the locus of {chosen.id}"))
    if not np.all(np.isfinite(surface.points)):
        raise ParameterError("The locus leaves the range of numbers; raise step or lower the inertia.", "step")
    return surface


def prepare(
    system: str, method: str | None, params: Mapping[str, Any] | None, step: Any
) -> tuple[System, Method, dict[str, float], float]:
    """Find and check what both questions need."""
    model = registry.find(system)
    chosen = find_method(model, method)
    values = checked_parameters(model, chosen, params)
    return model, chosen, values, model.step.check(model.step.default if step is None else step)


def none_here(model: System, chosen: Method, what: str, declared: Any) -> str:
    """One sentence for a method that has no branches or locus."""
    having = [m.id for m in model.methods if declared(m) is not None]
    return f"The method {chosen.id} of {model.id} has no {what}; {', '.join(having) or 'no method'} has."
