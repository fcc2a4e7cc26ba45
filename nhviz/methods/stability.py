"""How strong a feedback may be: the number that its scheme bounds, along a run, and why a run was lost.

Near the integrals V adds the linear part -sum k_i grad c_i grad c_i^T, whose largest eigenvalue Lambda is that of the
matrix sqrt(k_i k_j) <grad c_i, grad c_j>. Euler's scheme needs step Lambda < 2, the classical one of Runge and Kutta
2.785.
"""

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np

from nhviz.methods import stops
from nhviz.methods.extensions import Extension, compiled_conserved, gains_of, pull_of
from nhviz.methods.reference import integrate
from nhviz.problem import Trajectory
from nhviz.system import Array, Task

NEARLY = 0.97
FLOW_SAMPLES = 1000
BOUNDS = {"euler": 2.0, "rk4": 2.785293563405282}
WARNING = 1.5


def largest_eigenvalues(extension: Extension, p: Array, gains: Array, states: Array) -> Array:
    """Lambda along states (samples, variables)."""
    from nhviz import kernels

    states, out = np.ascontiguousarray(states, dtype=float), np.empty(len(states))
    kernels.feedback.eigenvalues(compiled_conserved(extension.conserved), states, p, gains, out)
    return out


def stability(extension: Extension, orbit: Trajectory) -> Array:
    """step * Lambda along a run."""
    p, gains = extension.parameters(orbit.params), gains_of(extension, dict(orbit.problem.options))
    return orbit.problem.step * largest_eigenvalues(extension, p, gains, extension.state(orbit.components))


def greatest_stability(extension: Extension, orbit: Trajectory) -> float:
    """The greatest step * Lambda along a run."""
    from nhviz import kernels

    p, gains = extension.parameters(orbit.params), gains_of(extension, dict(orbit.problem.options))
    if not gains.any():
        return 0.0
    states = np.ascontiguousarray(extension.state(orbit.components), dtype=float)
    conserved = compiled_conserved(extension.conserved)
    return orbit.problem.step * float(kernels.feedback.greatest_eigenvalue(conserved, states, p, gains))


def stable_gains(extension: Extension, orbit: Trajectory, options: Mapping[str, Any]) -> dict[str, float | None]:
    """The largest stable gain of each name along a run, the others being those of the options; None without a bound."""
    from nhviz import kernels

    names, pull = list(dict.fromkeys(extension.gains)), pull_of(options)
    if pull == 0.0:
        return dict.fromkeys(names)
    states = np.ascontiguousarray(extension.state(orbit.components), dtype=float)
    inverse = np.empty(len(names))
    kernels.feedback.inverse_gains(
        compiled_conserved(extension.conserved), states, extension.parameters(orbit.params),
        gains_of(extension, options), np.array([names.index(name) for name in extension.gains]),
        BOUNDS[str(options["base"])] / orbit.problem.step, inverse,
    )  # fmt: skip
    most = {name: 1.0 / found if found > 0.0 else None for name, found in zip(names, inverse.tolist(), strict=True)}
    return {name: gain if gain is None else gain / pull for name, gain in most.items()}


def stable_pull(extension: Extension, orbit: Trajectory, options: Mapping[str, Any]) -> float | None:
    """The largest stable factor on the gains of the options, along a run; None without a bound."""
    from nhviz import kernels

    states = np.ascontiguousarray(extension.state(orbit.components), dtype=float)
    p, gains = extension.parameters(orbit.params), gains_of(extension, {**options, "pull": 1.0})
    most = float(kernels.feedback.greatest_eigenvalue(compiled_conserved(extension.conserved), states, p, gains))
    return BOUNDS[str(options["base"])] / (orbit.problem.step * most) if most > 0.0 else None


def warnings(orbit: Trajectory) -> list[str]:
    """A sentence for a run that comes near the bound of its scheme."""
    largest = orbit.greatest("stability")
    base = str(dict(orbit.problem.options)["base"])
    if orbit.stopped or largest <= WARNING * BOUNDS[base] / BOUNDS["euler"]:
        return []
    return [f"step * Lambda reaches {largest:.4g}; {base} needs less than {BOUNDS[base]:.4g}."]


def lost(extension: Extension, task: Task, start: Array, first: Array, gains: Array, taken: int) -> str | None:
    """Why the feedback lost its integrals: its stability number and the gains that would do; None if it is stable.

    Lambda is that of the flow from the start on the constraint, and of the first state, which may be off it: a run that
    is being lost visits places of its own.
    """
    base, step = str(task.options["base"]), abs(task.step)
    p = extension.parameters(task.params)
    stride = max(1, task.steps // FLOW_SAMPLES)
    one = {"start": np.zeros(1)}
    flow = dataclasses.replace(task, initial=one, step=stride * task.step, steps=task.steps // stride, every=1)
    states, lengths, _ = integrate(extension.field, p, start[:, None], flow)
    visited = np.vstack([first, states[:, 0, 1 : lengths[0]].T])
    numbers = step * largest_eigenvalues(extension, p, gains, visited)
    largest = float(numbers.max())
    if largest <= NEARLY * BOUNDS[base]:
        return None
    reached = float(numbers[: taken // stride + 1].max())
    return (
        f"the feedback lost its integrals {stops.after(taken)}: step * Lambda had reached {reached:.4g}, and {base} "
        f"needs less than {BOUNDS[base]:.4g}; {largest_for(extension, task, BOUNDS[base] / largest)}."
    )


def largest_for(extension: Extension, task: Task, share: float) -> str:
    """What a lost run could have: so large a share of its gains, told as these, or as the pull where that is not 1."""
    pull, step = pull_of(task.options), abs(task.step)
    if pull != 1.0:
        return f"the largest stable pull for this run is {pull * share:.4g}"
    most = {name: float(task.options[name]) * share for name in dict.fromkeys(extension.gains)}
    words = ", ".join(f"{name} = {gain:.4g} = {gain * step:.3g}/step" for name, gain in most.items())
    return f"the largest stable gains for this run are {words}"
