"""Bodies whose constraint turns one body axis: the flow and the map of `suslov_n` and `sleigh_n`.

The flow is that of the engine for any group (`nhviz.ll`); the map has a kernel of its own
(`nhviz.kernels.reflections`), in a frame whose first axis is the one that turns.
"""

from dataclasses import dataclass

import numpy as np

from nhviz import kernels, ll
from nhviz.groups import Group
from nhviz.methods import reference, stops
from nhviz.once import once
from nhviz.system import Array, Task

FAR = 1e9
"""A step this many times longer than a body's own scale, without a fold, is taken for no bound at all."""


@dataclass(frozen=True, eq=False)
class Body:
    """A system for the engine, and the numbers of the kernel.

    `axis` is the body axis that turns, the first or the last. `moments` are C_i, `products` j_i, `offsets` a_i for the
    other axes, `along` is a_0. A body without mass does not slide.
    """

    group: Group
    mass_matrix: Array
    allowed: tuple[Array, ...]
    axis: int
    moments: Array
    products: Array
    offsets: Array
    along: float = 0.0
    mass: float = 0.0

    @once
    def system(self) -> ll.LLSystem:
        """The system for the engine; its constraint and masses need no check any more."""
        return ll.LLSystem(self.group, self.mass_matrix, self.group.coordinates(np.array(self.allowed)))

    @property
    def freedom(self) -> int:
        """How many velocities are free."""
        return self.planes + self.slides

    @property
    def slides(self) -> int:
        """Whether it slides along the turned axis, as a number."""
        return int(self.mass > 0.0)

    @property
    def numbers(self) -> tuple[Array, Array, Array, float, float]:
        """What the kernel knows of a body."""
        return 2.0 * self.moments, self.products, self.offsets, self.along, self.mass

    def shifted(self, momenta: Array, sign: float) -> Array:
        """Momenta (k, ...) with sign times a_i p_v added to p_i."""
        if not self.slides:
            return momenta
        turns = [part + sign * offset * momenta[-1] for part, offset in zip(momenta, self.offsets, strict=False)]
        return np.array([*turns, momenta[-1]])

    @property
    def planes(self) -> int:
        """In how many planes the axis turns."""
        return len(self.moments)


@dataclass(frozen=True, eq=False)
class Orbits:
    """Momenta (k, orbits, samples), attitudes (orbits, samples, n, n), places (orbits, samples, n) if there are any."""

    momenta: Array
    attitudes: Array
    places: Array
    lengths: Array
    reasons: tuple[str | None, ...]


def applied(matrix: Array, vectors: Array) -> Array:
    """A matrix times vectors (k, orbits, samples)."""
    found = np.empty(vectors.shape)
    kernels.turning.apply(matrix, vectors, found)
    return found


def run_flow(task: Task, body: Body, starts: Array) -> Orbits:
    """The flow from momenta (k, orbits) and the identity, as accurately as `nhviz.methods.reference` says."""
    system, n, k = body.system, body.planes + 1, body.system.freedom
    first = np.empty((k + system.group.size**2, task.orbits))
    first[:k] = applied(np.linalg.inv(system.constrained_inertia), starts[:, :, None])[:, :, 0]
    first[k:] = np.eye(system.group.size).reshape(-1, 1)
    states, lengths, reasons = reference.integrate(kernels.ll_flow.field, system.field_parameters, first, task)
    momenta = np.empty((k, task.orbits, task.samples))
    kernels.turning.apply(system.constrained_inertia, states, momenta)
    momenta[..., 0] = starts
    attitudes = np.empty((task.orbits, task.samples, n, n))
    places = np.empty((task.orbits, task.samples, n * body.slides))
    kernels.turning.read_elements(k, states, attitudes, places)
    return Orbits(momenta, attitudes, places, lengths, reasons)


def run_map(task: Task, body: Body, starts: Array, turning: bool) -> Orbits:
    """Orbits of the map with the difference Lagrangian; an orbit ends where its principal branch has folded.

    Without `turning` attitudes and places are not computed.
    """
    n, k = body.planes + 1, body.freedom
    # An orbit that ends early leaves its last samples as they are: nobody computes with unwritten memory.
    momenta = np.zeros((k, task.orbits, task.samples))
    elements = np.empty((task.orbits, task.samples if turning else 0, n, n + body.slides))
    ends = np.empty((task.orbits, k))
    first = np.ascontiguousarray(body.shifted(np.asarray(starts, dtype=float), 1.0))
    taken = kernels.reflections.orbits(
        body.numbers, first, task.step, task.last, task.every, body.axis, body.slides, momenta, elements, ends
    )
    momenta = body.shifted(momenta, -1.0)
    momenta[..., 0] = starts
    places = elements[..., n] if body.slides else elements[..., :0, 0]
    reasons = tuple(
        None if steps == task.last else folded(int(steps), task, body, body.shifted(ends[i], -1.0))
        for i, steps in enumerate(taken)
    )
    return Orbits(momenta, elements[..., :n], places, taken // task.every + 1, reasons)


def folded(steps: int, task: Task, body: Body, momentum: Array) -> str:
    """Why an orbit ended early, with the number that explains it. The inverse map solves for -p."""
    return stops.folded(steps, task.step, largest_step(body, np.sign(task.step) * momentum))


def largest_step(body: Body, momentum: Array) -> float:
    """The step at which the principal branch of a momentum folds; infinite where it never does."""
    size = float(np.abs(momentum).max())
    if size == 0.0:
        return np.inf
    # In units in which the branch is followed with numbers of ordinary size.
    largest = float(np.abs(body.moments).max())
    direction = momentum / size
    *turns, slide = largest * (body.shifted(direction, 1.0) if body.slides else np.array([*direction, 0.0]))
    share = kernels.reflections.follow(body.numbers, np.array(turns), float(slide), FAR, np.empty(body.planes))
    return share * (largest / size) if share < FAR else np.inf
