"""Order of convergence and work-precision data: a method against the flow over shrinking steps."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nhviz import registry
from nhviz.parameters import ParameterError
from nhviz.simulate import simulate
from nhviz.system import Array, System, Values


@dataclass(frozen=True)
class Convergence:
    """Largest errors of the compared components at the end of the run, for each step."""

    steps: Array
    errors: Array

    @property
    def order(self) -> float:
        """Slope of log error against log step."""
        return float(np.polyfit(np.log(self.steps), np.log(self.errors), 1)[0])


def convergence(
    system: str,
    method: str,
    steps: Sequence[float],
    duration: float,
    components: Sequence[str] | None = None,
    params: Mapping[str, Any] | None = None,
    initial: Mapping[str, Any] | None = None,
    **options: Any,
) -> Convergence:
    """Errors at the time `duration` against the method that the system declares to be the truth."""
    model = registry.find(system)
    truth = simulate(system, model.truth.id, params, initial, duration, duration)
    names = state_components(model, truth.params) if components is None else list(components)
    errors = []
    for step in steps:
        run = simulate(system, method, params, initial, step, duration, **options)
        if run.stopped:
            raise ParameterError(f"With step {step:g} the run stops: {run.stopped}", "step")
        if abs(run.t[-1] - duration) > 1e-9 * duration:
            raise ParameterError(f"The step {step:g} does not divide the duration {duration:g}.", "step")
        errors.append(max(float(np.max(np.abs(run[name][-1] - truth[name][-1]))) for name in names))
    return Convergence(np.array(steps, dtype=float), np.array(errors))


def state_components(model: System, params: Values) -> list[str]:
    """What a run starts from, and its attitude: velocities of a map belong to its steps, not to its samples."""
    starts = {parameter.name for parameter in model.initial}
    return [c.name for c in model.components_of(params) if c.name in starts or c.shape]
