"""Bodies whose constraint turns one body axis: the flow and the map of `suslov_n` and `sleigh_n`.

The flow is that of the engine for any group (`nhviz.ll`); the map has a kernel of its own
(`nhviz.kernels.reflections`), in a frame whose first axis is the one that turns.
"""

from dataclasses import dataclass

import numpy as np

from nhviz import kernels, ll
from nhviz.methods import reference
from nhviz.system import Array, Task

FAR = 1e12
"""A step this many times longer than a body's own scale, without a fold, is taken for no bound at all."""


@dataclass(frozen=True, eq=False)
class Body:
    """A system of the engine; `order` lists its body axes, the turned one first; `slides` is 1 if that one slides."""

    system: ll.LLSystem
    order: tuple[int, ...]
    slides: int

    @property
    def mass(self) -> Array:
        """The mass matrix in the kernel's frame: the turned axis, the others, then the place."""
        index = [*self.order, *range(len(self.order), len(self.order) + self.slides)]
        return np.ascontiguousarray(self.system.mass[np.ix_(index, index)])

    @property
    def planes(self) -> int:
        """In how many planes the axis turns."""
        return len(self.order) - 1


@dataclass(frozen=True, eq=False)
class Orbits:
    """Momenta (k, orbits, samples), attitudes (orbits, samples, n, n), places (orbits, samples, n) if there are any."""

    momenta: Array
    attitudes: Array
    places: Array
    lengths: Array
    reasons: tuple[str | None, ...]


def applied(matrix: Array, vectors: Array) -> Array:
    """A matrix times vectors (k, ...), added up in one order: an orbit is the same alone and among others."""
    return np.array([sum(entry * part for entry, part in zip(row, vectors, strict=True)) for row in matrix])


def run_flow(task: Task, body: Body, starts: Array) -> Orbits:
    """The flow from momenta (k, orbits) and the identity, to about 1e-11."""
    system, n, k = body.system, body.planes + 1, body.system.freedom
    velocities = applied(np.linalg.inv(system.constrained_inertia), starts)
    identity = np.eye(system.group.size).reshape(-1, 1) * np.ones(task.orbits)
    states, lengths, reasons = reference.integrate(
        ll.field, system.field_parameters, np.vstack([velocities, identity]), task
    )
    momenta = applied(system.constrained_inertia, states[:k])
    momenta[..., 0] = starts
    flat = np.moveaxis(states[k:], 0, -1).reshape(task.orbits * task.samples, system.group.size, -1)
    ll.tidy(system.group, flat)
    elements = flat.reshape(task.orbits, task.samples, system.group.size, -1)
    return Orbits(
        momenta, elements[..., :n, :n], elements[..., :n, n:].reshape(*elements.shape[:2], -1), lengths, reasons
    )


def run_map(task: Task, body: Body, starts: Array) -> Orbits:
    """Orbits of the map with the difference Lagrangian; an orbit ends where its principal branch has folded."""
    n, k = body.planes + 1, body.system.freedom
    momenta = np.empty((k, task.orbits, task.samples))
    elements = np.empty((task.orbits, 0 if "R" in task.skip else task.samples, n, n + body.slides))
    ends = np.empty((task.orbits, k))
    taken = kernels.reflections.orbits(
        body.mass, body.planes, body.slides, np.ascontiguousarray(starts, dtype=float), task.step, task.last,
        task.every, momenta, elements, ends,
    )  # fmt: skip
    momenta[..., 0] = starts
    back = np.argsort(body.order)
    attitudes = elements[..., back, :][..., back]
    places = elements[..., back, n:].reshape(*elements.shape[:2], -1)
    reasons = tuple(None if n == task.last else folded(int(n), task, body, ends[i]) for i, n in enumerate(taken))
    return Orbits(momenta, attitudes, places, taken // task.every + 1, reasons)


def folded(step: int, task: Task, body: Body, momentum: Array) -> str:
    """Why an orbit ended early, with the number that explains it. The inverse map solves for -p."""
    return ll.folded(step, abs(task.step), largest_step(body, np.sign(task.step) * momentum) / abs(task.step))


def largest_step(body: Body, momentum: Array) -> float:
    """The step at which the principal branch of a momentum folds; infinite where it never does."""
    size = float(np.abs(momentum).max())
    if size == 0.0:
        return np.inf
    unit = float(np.abs(body.mass).max()) / size
    step = unit
    while step < FAR * unit:
        share = kernels.reflections.reach(body.mass, body.planes, body.slides, step * momentum)
        if share < 1.0 and share > 0.5:
            return share * step
        # Close to the fold its share is found with strides that suit it.
        step *= 1.25 * share if share < 1.0 else 3.0
    return np.inf
