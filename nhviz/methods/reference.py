"""The reference flow: a system's own equations, integrated by a method of order 8 with a tolerance of 1e-14 per step.

A system gives its field as a plain function field(y, p, dy) of arrays, written with scalars; it is
compiled on first use. It shares nothing with the closed forms and the maps it is compared with.

How far it is from the true flow depends on how long it runs. Sums are compensated, so that round-off does not add up;
what does is the error that each step allows itself. Let Phi be the angle in radians that the body has turned.

* A motion that settles, as the Suslov top and the sleigh do, carries these errors along unchanged: Euler parameters are
  off by at most 3e-15 Phi, a place by at most 3e-15 of the way.
* A motion that goes round for ever, as the ball's, changes its integrals by these errors and hence its frequencies,
  which add up once more: Euler parameters and place of the default ball are off by at most 3e-15 Phi + 1.5e-16 Phi^2.

So "about 1e-11" holds up to some thousand radians for the top and two hundred for the ball. The default ball
is off by 3e-11 at t = 500 and 6e-10 at t = 2000. Unstable motions multiply the errors as they multiply any other.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from nhviz.system import Array, Task

TOLERANCE = 1e-14
USUAL_BUDGET = 1_000_000
"""Most internal steps of an orbit whose task names no budget."""

Field = Callable[[Array, Array, Array], None]


@cache
def compiled_field(field: Field) -> Any:
    """The field as machine code with the signature the integrator expects."""
    from nhviz.kernels.compile import FIELD_SIGNATURE, as_argument

    return as_argument(field, FIELD_SIGNATURE)


def integrate(
    field: Field, parameters: Array, starts: Array, task: Task
) -> tuple[Array, Array, tuple[str | None, ...]]:
    """States (variables, orbits, samples) of y' = field(y; parameters), valid lengths and reasons.

    Parameters are the same for all orbits, or have a column for each.
    Every orbit may take as many internal steps as the task's budget says. They do not depend on the samples: orbits
    with other samples, or of another duration, agree in every bit where they have a time in common.
    """
    from nhviz.kernels import flow

    machine = compiled_field(field)
    budget = USUAL_BUDGET if task.budget is None else task.budget
    times = task.times
    states = np.empty((starts.shape[0], task.orbits, times.size))
    lengths, reasons = np.empty(task.orbits, dtype=int), []
    row = np.empty((starts.shape[0], times.size))
    for i in range(task.orbits):
        start = np.ascontiguousarray(starts[:, i])
        own = parameters if parameters.ndim == 1 else np.ascontiguousarray(parameters[:, i])
        reached = flow.integrate(machine, start, own, times, TOLERANCE, budget, row)
        lengths[i] = abs(reached)
        reasons.append(None if reached == times.size else why_ended(times[lengths[i] - 1], reached < 0, budget))
        # What was not reached holds the last point: nobody computes with unwritten memory.
        row[:, lengths[i] :] = row[:, lengths[i] - 1 : lengths[i]]
        states[:, i] = row
    return states, lengths, tuple(reasons)


def why_ended(t: float, too_small: bool, budget: int) -> str:
    """Why a reference run ended early at a sample: its internal steps were too small to go on, or too many."""
    if too_small:
        return (
            f"the reference flow ended at t = {t:.6g}: a tolerance of {TOLERANCE:g} needs steps below round-off there."
        )
    return (
        f"the reference flow ended at t = {t:.6g}: its budget of {budget:,} internal steps is spent; "
        "lower the duration or the speed, or raise the budget."
    )
