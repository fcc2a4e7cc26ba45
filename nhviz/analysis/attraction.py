"""How a run falls onto the level set of the integrals that a feedback pulls to.

V = sum of (k_i/2)(c_i - c_i(0))^2, with the values c_i(0) of the start on the constraint. Near the level set the
distances d_i = c_i - c_i(0) obey d' = -G K d, G_ij = <grad c_i, grad c_j>, K the gains: a function that is off alone
falls by the rate k_i |grad c_i|^2, and takes others along where gradients are not orthogonal. A scheme with the
stability polynomial R multiplies d by R(-step G K) in a step: 1 - z for Euler's, the first five terms of exp(-z) for
RK4's. That is theory here, along the states of the run.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from nhviz.methods import extensions
from nhviz.problem import Trajectory
from nhviz.system import Array

ABOVE = 5.0
"""A fall is over where the distance is less than so many times that of the later half of the run."""
LEAST = 4
"""A slope is that of so many samples at least."""
HEAD = 1500
MOST = 1e30


@dataclass(frozen=True)
class Fall:
    """A run and the level set: its distances from it, by the gain that pulls, and V.

    `off` is how far the constraint's function is off at the first samples, `predicted` the same by theory; so many
    of them as `first` says are the fall, 0 if there is none, and `rate` and `expected` are minus the slopes of both
    logarithms over these.
    """

    distances: Mapping[str, Array]
    potential: Array
    constraint: str
    off: Array
    predicted: Array
    first: int
    rate: float | None
    expected: float | None


def fall(run: Trajectory, options: Mapping[str, Any], weights: Mapping[str, Any], samples: Array | None = None) -> Fall:
    """The fall of a run of a system with a feedback, with distances at some of its samples, by default at all.

    `options` are those of the run, or a feedback's without gains for a run of another method; `weights` are the options
    whose gains V is made of, so that runs with different ones are compared in one V. A fall is looked for among the
    first `HEAD` samples.
    """
    method = run.system.method("feedback")
    assert method.extension is not None
    extension = method.extension(options)
    away, _ = strayed(extension, run, np.arange(len(run)) if samples is None else samples)
    distances = {
        name: np.sqrt(sum(away[:, i] ** 2 for i, gain in enumerate(extension.gains) if gain == name))
        for name in dict.fromkeys(extension.gains)
    }
    potential = 0.5 * away**2 @ extensions.gains_of(extension, weights)
    head, gradients = strayed(extension, run, np.arange(min(len(run), HEAD)))
    own = extension.gains.index(extension.constraint)
    gains = extensions.gains_of(extension, options)
    predicted = np.abs(by_theory(run, str(options["base"]), gradients, gains, head[0]))[:, own]
    off, later = np.abs(head[:, own]), float(np.max(np.abs(away[len(away) // 2 :, own])))
    first = fallen(off, later)
    return Fall(distances, potential, extension.constraint, off, predicted, first, slope(run.t, off, first),
                slope(run.t, predicted, first))  # fmt: skip


def strayed(extension: extensions.Extension, run: Trajectory, samples: Array) -> tuple[Array, Array]:
    """c_i - c_i(0) at some samples of a run (samples, functions), and the gradients there."""
    states = extension.state({name: values[samples] for name, values in run.components.items()})
    values, gradients = extensions.evaluate(extension, extension.parameters(run.params), states)
    return values - targets(extension, run), gradients


def by_theory(run: Trajectory, base: str, gradients: Array, gains: Array, start: Array) -> Array:
    """Distances (samples, functions) by the linear law, from those of the start and the gradients along the run."""
    step, every, one = run.problem.step, run.problem.every, np.eye(gains.size)
    z = step * (gradients @ gradients.transpose(0, 2, 1)) * gains
    factors = one - z if base == "euler" else one - z @ (one - z @ (one / 2.0 - z @ (one / 6.0 - z / 24.0)))
    found = np.empty((len(gradients), gains.size))
    found[0] = start
    with np.errstate(over="ignore", invalid="ignore"):
        factors = np.linalg.matrix_power(factors, every)
        for i in range(len(found) - 1):
            found[i + 1] = factors[i] @ found[i]
    # An unstable law leaves every bound; what it says then is only that it does.
    return np.clip(np.nan_to_num(found, nan=MOST, posinf=MOST, neginf=-MOST), -MOST, MOST)


def targets(extension: extensions.Extension, run: Trajectory) -> Array:
    """The values of all functions at the start on the constraint."""
    start = extension.start(run.params, {name: np.array([value]) for name, value in run.problem.initial})
    return extensions.evaluate(extension, extension.parameters(run.params), start.T)[0][0]


def fallen(off: Array, later: float) -> int:
    """How many samples at the beginning belong to the fall, which ends near what is off later; 0 for none."""
    low = np.flatnonzero(off <= max(ABOVE * later, 1e-14))
    count = int(low[0]) if low.size else off.size
    return count if count >= LEAST and off[count - 1] < off[0] else 0


def slope(t: Array, off: Array, first: int) -> float | None:
    """Minus the slope of ln(off) over the first samples; None where these are too few, or off by nothing."""
    if first < LEAST or not np.all(off[:first] > 0.0):
        return None
    return -float(np.polyfit(t[:first], np.log(off[:first]), 1)[0])
