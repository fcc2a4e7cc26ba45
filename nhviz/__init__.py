"""nhviz: see and compute nonholonomic mechanics. The public names, and nothing else."""

from collections.abc import Mapping
from typing import Any

from nhviz.analysis.branches import branches, locus
from nhviz.parameters import ParameterError
from nhviz.problem import Ensemble, Problem, Trajectory, checked_parameters
from nhviz.registry import find, systems
from nhviz.simulate import ensemble, simulate
from nhviz.sweeps.run import sweep
from nhviz.sweeps.usual import measures_of
from nhviz.sweeps.value import Sweep
from nhviz.warm import warm

__version__ = "0.1.0"

__all__ = [
    "Ensemble",
    "ParameterError",
    "Problem",
    "Sweep",
    "Trajectory",
    "branches",
    "describe",
    "ensemble",
    "locus",
    "simulate",
    "sweep",
    "systems",
    "warm",
]


def describe(system: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Everything about a system as plain data: parameters, initial values, methods, quantities, equations, sweeps.

    With `params` the remarks are those of that body, for example that it is mathematical and not a real one.
    """
    model = find(system)
    known = model.describe(None if params is None else checked_parameters(model, None, params))
    return known | {"sweeps": {name: measure.describe(model.methods) for name, measure in measures_of(model).items()}}
