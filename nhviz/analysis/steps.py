"""The largest admissible step of a map: up to it every momentum of an energy has a displacement to step with."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from nhviz import registry
from nhviz.methods import ellipse
from nhviz.parameters import ParameterError, fill, finite_number
from nhviz.problem import checked_parameters, checked_start, find_method
from nhviz.system import System


def largest_step(
    system: str,
    method: str,
    params: Mapping[str, Any] | None = None,
    initial: Mapping[str, Any] | None = None,
    energy: Any = None,
) -> float | None:
    """Largest admissible step at an energy, or at the energy of a start; None where there is no bound.

    Where the bound is not a matter of the energy alone it is that of the start.
    """
    model = registry.find(system)
    chosen = find_method(model, method)
    values = checked_parameters(model, chosen, params)
    if chosen.bound is None:
        return None
    if chosen.bound.at_start is not None:
        if energy is not None:
            raise ParameterError(f"The largest step of {model.id} depends on the start; give initial.", "energy")
        return finite(chosen.bound.at_start(values, checked_start(model, values, initial)))
    if chosen.bound.at_energy is None:
        return None
    return chosen.bound.at_energy(values, energy_of(model, values, initial) if energy is None else level(energy))


def finite(bound: float) -> float | None:
    """A largest step, or None where every step can be taken."""
    return bound if np.isfinite(bound) else None


def level(energy: Any) -> float:
    """An energy, checked."""
    value = finite_number("energy", energy)
    if value < 0.0:
        raise ParameterError(f"energy must not be negative, not {value:g}.", "energy")
    return value


def energy_of(model: System, params: Mapping[str, float], initial: Mapping[str, Any] | None) -> float:
    """The energy of a start on the system's momentum plane."""
    if model.plane is None:
        raise ParameterError(f"{model.id} has no momentum plane; give the energy itself.", "energy")
    start = fill(model.initial, initial, f"initial value of {model.id}")
    return float(ellipse.energy(model.plane, params, np.array([start[name] for name in model.plane.axes])))
