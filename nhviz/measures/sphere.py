"""What of the Chaplygin sphere can be swept: real rotations, largest steps, rotation numbers, exponents."""

import numpy as np

from nhviz import kernels
from nhviz.maps import sphere_branches, sphere_starts
from nhviz.measures import lyapunov, steps, vertical
from nhviz.parameters import Parameter
from nhviz.system import Array, Measure, Points

HALF = 0.5 * np.pi
AXES = (
    Parameter(
        "latitude", 0.0, -HALF, HALF, "vertical in the body above its first two axes, K fixed in the body",
        r"\vartheta", "rad", (-HALF, HALF),
    ),
    Parameter(
        "longitude", 0.0, 0.0, 4.0 * HALF, "vertical in the body round its third axis, K fixed in the body",
        r"\varphi", "rad", (0.0, 4.0 * HALF),
    ),
    Parameter(
        "turn", HALF, 0.0, 2.0 * HALF, "angle of K to the vertical, turned in their plane", r"\alpha", "rad",
        (0.0, 2.0 * HALF),
    ),
)  # fmt: skip
"""Directions of the vertical and of the momentum; those that are not given are those of the start."""


def measures() -> tuple[Measure, ...]:
    """The measures that the ball declares."""
    meaning = "how many real rotations one step has at the momentum of the start: 0, 2, 4, 6 or 8"
    return (
        Measure(
            "branch_count", "Real rotations", "", meaning, ("fedorov",), branch_counts, axes=AXES, kind="count",
            optional=True, start=directed,
        ),
        steps.measure(None, ("fedorov",), largest_steps),
        vertical.measure(),
        lyapunov.declared(("fedorov",), exponents),
    )  # fmt: skip


def directed(points: Points) -> dict[str, Array]:
    """The start with its vertical elsewhere while K stands still in the body, then with K turned to the vertical."""
    ball, gamma, omega = vertical.balls(points).T, *starts(points).T.reshape(2, 3, -1)
    k = ball[:3] * omega + ball[3] * (omega - sphere_branches.dot(omega, gamma) * gamma)
    latitude, longitude = sphere_starts.place(gamma)
    if points.axes.keys() & {"latitude", "longitude"}:
        gamma = sphere_starts.vertical(points.axes.get("latitude", latitude), points.axes.get("longitude", longitude))
    if "turn" in points.axes:
        k = sphere_starts.turned(gamma, k, points.axes["turn"])
    omega = sphere_starts.velocity(ball, gamma, k)
    return {f"{name}{i + 1}": v[i] for name, v in (("gamma", gamma), ("omega", omega)) for i in range(3)}


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
