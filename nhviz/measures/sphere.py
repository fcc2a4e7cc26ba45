"""What of the Chaplygin sphere can be swept: real rotations, largest steps, rotation numbers, exponents."""

import numpy as np

from nhviz import kernels
from nhviz.maps import sphere_branches
from nhviz.measures import lyapunov, steps, vertical
from nhviz.system import Array, Measure, Points


def measures() -> tuple[Measure, ...]:
    """The measures that the ball declares."""
    meaning = "how many real rotations one step has at the momentum of the start: 0, 2, 4, 6 or 8"
    return (
        Measure("branch_count", "Real rotations", "", meaning, ("fedorov",), branch_counts, kind="count"),
        steps.measure(None, ("fedorov",), largest_steps),
        vertical.measure(),
        lyapunov.declared(("fedorov",), exponents),
    )


def starts(points: Points) -> Array:
    """Rows (gamma, omega), gamma of length one."""
    gamma = sphere_branches.unit(sphere_branches.vectors(points.initial, "gamma"))
    return np.ascontiguousarray(np.concatenate([gamma, sphere_branches.vectors(points.initial, "omega")]).T)


def branch_counts(points: Points) -> Array:
    """The number of real rotations of every cell."""
    found = np.empty(points.size)
    kernels.sphere_points.branch_counts(vertical.balls(points), starts(points), points.step, found)
    return found


def largest_steps(points: Points) -> Array:
    """The fold of every cell's principal branch."""
    found = np.empty(points.size)
    kernels.sphere_points.largest_steps(vertical.balls(points), starts(points), found)
    return found


def exponents(points: Points) -> Array:
    """The finite-time exponent of every cell, by the tangent map itself."""
    found, counts = np.empty(points.size), np.round(points.duration / points.step).astype(np.int64)
    kernels.sphere_tangent.exponents(vertical.balls(points), starts(points), points.step, counts, found)
    return found
