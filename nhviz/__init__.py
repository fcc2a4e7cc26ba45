"""nhviz: see and compute nonholonomic mechanics. The public names, and nothing else."""

from collections.abc import Mapping
from typing import Any

from nhviz.analysis.branches import branches, locus
from nhviz.parameters import ParameterError
from nhviz.problem import Ensemble, Problem, Trajectory, checked_parameters
from nhviz.registry import find, systems
from nhviz.simulate import ensemble, simulate
from nhviz.warm import warm

__version__ = "0.1.0"

__all__ = [
    "Ensemble",
    "ParameterError",
    "Problem",
    "Trajectory",
    "branches",
    "describe",
    "ensemble",
    "locus",
    "simulate",
    "systems",
    "warm",
]


def describe(system: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Everything about a system as plain data: parameters, initial values, methods, quantities, equations.

    With `params` the remarks are those of that body, for example that it is mathematical and not a real one.
    """
    model = find(system)
    return model.describe(None if params is None else checked_parameters(model, None, params))
