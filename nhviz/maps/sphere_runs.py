"""Fedorov's map of the rolling ball, whatever its start is told by; its mathematics is in `nhviz.systems.sphere`."""

from collections.abc import Sequence

import numpy as np

from nhviz import kernels
from nhviz.maps import sphere_branches
from nhviz.methods import stops
from nhviz.system import Array, Samples, Task

VECTORS = ("omega", "gamma", "K")
COMPONENTS = (*(f"{name}{i}" for name in VECTORS for i in (1, 2, 3)), "x", "y")


def starts(task: Task) -> tuple[Array, Array, Array]:
    """gamma of length one and omega (3, orbits), and the place (2, orbits)."""
    gamma = sphere_branches.unit(sphere_branches.vectors(task.initial, "gamma"))
    omega = sphere_branches.vectors(task.initial, "omega")
    place = np.array([task.initial["x"], task.initial["y"]], dtype=float)
    return np.ascontiguousarray(gamma), np.ascontiguousarray(omega), np.ascontiguousarray(place)


def run_fedorov(task: Task, verticals: Sequence[Array] = ()) -> Samples:
    """Orbits of Fedorov's map; an orbit ends where its principal branch folds.

    Where the verticals (steps, 3) that its steps lead to are known, these tell which branch is the principal one.
    """
    gamma, omega, place = starts(task)
    state, attitude = empty_samples(task)
    body, rho, ends = sphere_branches.ball(task.params), task.params["rho"], np.empty((task.orbits, 6))
    known = np.stack(verticals) if verticals else np.empty((task.orbits, 0, 3))
    taken = kernels.sphere.orbits(
        body, rho, gamma, omega, place, task.step, task.last, task.every, state, attitude, ends, known
    )
    # The sample at which no displacement is left is still a point of the orbit.
    lengths = taken // task.every + 1
    reasons = tuple(None if n == task.last else folded(int(n), task, ends[i]) for i, n in enumerate(taken))
    return Samples(named(task, state, attitude), lengths, reasons)


def empty_samples(task: Task) -> tuple[Array, Array]:
    """Room for the scalar components, and for the attitudes unless they are skipped."""
    attitude = np.empty((task.orbits, 0 if "R" in task.skip else task.samples, 3, 3))
    return np.empty((len(COMPONENTS), task.orbits, task.samples)), attitude


def named(task: Task, state: Array, attitude: Array) -> dict[str, Array]:
    """The samples by component."""
    return dict(zip(COMPONENTS, state, strict=True)) | ({} if "R" in task.skip else {"R": attitude})


def folded(steps: int, task: Task, end: Array) -> str:
    """Why an orbit ended early, with the number that explains it. The inverse map solves for -K."""
    largest = sphere_branches.largest_step_at_momentum(task.params, end[:3], np.sign(task.step) * end[3:])
    return stops.folded(steps, task.step, largest)
