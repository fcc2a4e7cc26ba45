"""Equilibria of the momentum plane and their stability, for the flow and for every map."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from nhviz import registry
from nhviz.analysis.steps import level
from nhviz.methods import ellipse
from nhviz.parameters import ParameterError
from nhviz.problem import checked_parameters, find_method
from nhviz.system import Array, MomentumPlane, System, Values


@dataclass(frozen=True)
class Equilibrium:
    """A point of the equilibrium line; perturbations across the line grow by `multiplier` in a step."""

    momentum: Array
    multiplier: float

    @property
    def stable(self) -> bool:
        """Whether perturbations across the line die out."""
        return abs(self.multiplier) < 1.0


def equilibria(
    system: str,
    energy: Any,
    params: Mapping[str, Any] | None = None,
    method: str | None = None,
    step: Any = None,
) -> list[Equilibrium]:
    """The equilibria of an energy, unstable one first: of the flow, or the fixed points of a map with a step.

    There are two; none where every point rests, fewer where the step is too long for a map to have them. The
    multiplier is that of the method over one step, by default that of the flow.
    """
    model = registry.find(system)
    chosen = model.truth if method is None else find_method(model, method)
    values = checked_parameters(model, chosen, params)
    if chosen.local is None:
        raise ParameterError(f"The method {chosen.id} of {model.id} declares no multiplier.", "method")
    size = model.step.check(model.step.default if step is None else step)
    plane, height = momentum_plane(model), level(energy)
    own = chosen.local.rest_points
    ends = end_points(plane, values, height) if own is None else own(values, size, height)
    return [Equilibrium(point, chosen.local.multiplier(values, size, point)) for point in ends]


def momentum_plane(model: System) -> MomentumPlane:
    """The system's momentum plane, or a ParameterError."""
    if model.plane is None:
        raise ParameterError(f"{model.id} has no momentum plane with equilibria.", "system")
    return model.plane


def end_points(plane: MomentumPlane, params: Values, energy: float) -> list[Array]:
    """Where the arcs of an energy begin and end: chi = -pi/2 and pi/2, the other way round for kappa < 0."""
    kappa, delta = plane.swing(params)
    if kappa == 0.0 or energy == 0.0:
        return []
    radius = math.copysign(math.sqrt(2.0 * energy), kappa)
    stable = ellipse.inverse(plane.matrix(params)) @ np.array([-radius * math.sin(delta), radius * math.cos(delta)])
    return [-stable, stable]


def equilibrium_line(system: str, params: Mapping[str, Any] | None = None) -> Array:
    """Unit vector along the line of equilibria in the momentum plane, towards its stable half.

    Where every point rests (kappa = 0) it is the zero vector.
    """
    model = registry.find(system)
    ends = end_points(momentum_plane(model), checked_parameters(model, None, params), 0.5)
    return ends[1] / np.linalg.norm(ends[1]) if ends else np.zeros(2)
