"""nhviz: see and compute nonholonomic mechanics. The public names, and nothing else."""

from typing import Any

from nhviz.analysis.branches import branches, locus
from nhviz.parameters import ParameterError
from nhviz.problem import Ensemble, Problem, Trajectory
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


def describe(system: str) -> dict[str, Any]:
    """Everything about a system as plain data: parameters, initial values, methods, quantities, equations."""
    return find(system).describe()
