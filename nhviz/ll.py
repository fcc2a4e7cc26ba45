"""Left-invariant nonholonomic systems on any matrix group: a group, a mass matrix, a constraint (FZ sections 2, 3).

The kinetic energy of xi = g^-1 g' is (1/2) <xi, xi> with <X, Y> = tr(X m Y^T), m the symmetric mass matrix; xi stays in
the subspace d that the constraint allows.

* Flow (Euler-Poincare-Suslov, FZ (2.6)): <xi', eta> = <xi, [xi, eta]> for every eta in d, and g' = g xi. In
  coordinates of d that is x_i' = G_iab x_a x_b. The energy is kept.
* Map (FZ (3.8)): g_{k+1} = g_k W_k with W_k in exp d (in Cay d for `cayley`), and the momentum before a step is, on d,
  that after the last one; see `nhviz.kernels.ll` for the three discrete Lagrangians. `cayley` and `logarithm` are
  symmetric and of order 2; so is `difference` on groups that move rigidly, such as SO(n) and SE(n); elsewhere it is of
  order 1.
* `difference` keeps the energy exactly where `nhviz.analysis.symmetric_pairs` says so, for every mass matrix.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nhviz.groups import SMALL, Group
from nhviz.methods import reference, stops
from nhviz.once import once
from nhviz.parameters import ParameterError, check_names, finite_number, shown, unknown, whole_number
from nhviz.problem import SAMPLES_LIMIT, STEPS_LIMIT
from nhviz.system import Array, Task

LAGRANGIANS = ("difference", "cayley", "logarithm")
Direction = str | Mapping[str, float] | Sequence[float] | Array


@dataclass(frozen=True, eq=False)
class LLSystem:
    """A group, a mass matrix (r, r) and the allowed directions (k, N) in coordinates of its algebra; see `define`."""

    group: Group
    mass: Array
    directions: Array

    @property
    def freedom(self) -> int:
        """Dimension of the constraint subspace d."""
        return len(self.directions)

    @once
    def parts(self) -> Array:
        """The allowed directions as matrices (k, r, r)."""
        return np.ascontiguousarray(self.group.matrix(self.directions))

    @once
    def inertia(self) -> Array:
        """<E_i, E_j> on the whole algebra."""
        return kinetic_form(self.group, self.mass)

    @once
    def constrained_inertia(self) -> Array:
        """<D_i, D_j> on d: momenta of the flow are this times velocities."""
        return self.directions @ self.inertia @ self.directions.T

    @once
    def brackets(self) -> Array:
        """The matrices of ad along the allowed directions."""
        return np.ascontiguousarray(self.group.ad(self.directions))

    @once
    def drive(self) -> Array:
        """G[i, a, b] of the flow x_i' = sum of G_iab x_a x_b."""
        products = self.group.bracket(self.directions[:, None], self.directions[None, :])
        force = np.einsum("ap,pq,bjq->jab", self.directions, self.inertia, products)
        return np.linalg.solve(self.constrained_inertia, force.reshape(self.freedom, -1)).reshape(force.shape)

    def energy(self, momentum: Array) -> Array:
        """The reduced constrained energy (1/2) <p, (I|d)^-1 p> of momenta (..., k) on d (FZ (2.8))."""
        return 0.5 * np.einsum("...i,ij,...j->...", momentum, np.linalg.inv(self.constrained_inertia), momentum)

    def flow(self, velocity: Any = None, momentum: Any = None, step: Any = 0.01, duration: Any = 1.0) -> "LLRun":
        """The flow at times 0, step, 2 step, ... from the identity and a velocity or momentum on d.

        `nhviz.methods.reference` says how accurate it is.
        """
        from nhviz import kernels

        start = self.start(velocity, momentum)
        task = checked_task(step, duration, 1)
        first = np.concatenate([np.linalg.solve(self.constrained_inertia, start), np.eye(self.group.size).ravel()])
        states, lengths, reasons = reference.integrate(
            kernels.ll_flow.field, self.field_parameters, first[:, None], task
        )
        n, k, r = int(lengths[0]), self.freedom, self.group.size
        velocities = states[:k, 0, :n].T
        elements = states[k:, 0, :n].T.reshape(n, r, r)
        tidy(self.group, elements)
        momenta = velocities @ self.constrained_inertia
        momenta[0] = start
        return LLRun(self, task.times[:n], momenta, np.empty((0, k)), elements, reasons[0])

    def orbit(
        self,
        velocity: Any = None,
        momentum: Any = None,
        step: Any = 0.01,
        duration: Any = 1.0,
        lagrangian: str = "difference",
        every: Any = 1,
        backward: bool = False,
    ) -> "LLRun":
        """An orbit of the discrete map, or of its inverse; keeps each `every`-th step.

        A velocity stands for the momentum that the flow would have. Where the principal branch, the one that grows from
        the identity, has ended, the orbit ends too and says which step would do.
        """
        from nhviz import kernels

        scheme = self.scheme(lagrangian)
        start = self.start(velocity, momentum)
        task = checked_task(step, duration, every)
        k, r = self.freedom, self.group.size
        samples = (
            np.empty((task.samples, k)),
            np.empty((max(task.samples - 1, 0), k)),
            np.empty((task.samples, r, r)),
        )
        side = -1 if backward else 1
        taken, share = kernels.ll.orbit(scheme, side, self.numbers, task.step * start, task.last, task.every, samples)
        n = taken // task.every + 1
        momenta, displacements, elements = samples
        tidy(self.group, elements[:n])
        reason = None if taken == task.last else ended(lagrangian, taken, task.step, share)
        return LLRun(self, side * task.times[:n], momenta[:n] / task.step, displacements[: n - 1], elements[:n], reason)

    def scheme(self, lagrangian: str) -> int:
        """The number of a discrete Lagrangian, or a ParameterError."""
        if not isinstance(lagrangian, str) or lagrangian not in LAGRANGIANS:
            raise ParameterError(unknown("discrete Lagrangian", lagrangian, LAGRANGIANS), "lagrangian")
        if lagrangian == "cayley" and not self.group.has_cayley:
            raise ParameterError(
                f"The Lagrangian cayley is not defined on {self.group.name}: its Cayley map leaves the group; "
                "use difference or logarithm.",
                "lagrangian",
            )
        return LAGRANGIANS.index(lagrangian)

    def start(self, velocity: Any, momentum: Any) -> Array:
        """The momentum on d of a start, of which exactly one form is given."""
        if (velocity is None) == (momentum is None):
            raise ParameterError("Give either a velocity or a momentum to start from.", "velocity")
        name, value = ("velocity", velocity) if momentum is None else ("momentum", momentum)
        vector = checked_vector(name, value, self.freedom)
        return self.constrained_inertia @ vector if momentum is None else vector

    @once
    def numbers(self) -> tuple[Array, ...]:
        """What the kernel of the map knows of a system."""
        blocks = np.array(self.group.rotations, dtype=np.int64).reshape(-1, 2)
        return self.mass, self.parts, self.inertia, self.directions, self.brackets, blocks

    @once
    def field_parameters(self) -> Array:
        """What the field of `kernels.ll_flow` needs: k, r, the drive, the allowed directions as matrices."""
        return np.concatenate([[self.freedom, self.group.size], self.drive.ravel(), self.parts.ravel()])


@dataclass(frozen=True, eq=False)
class LLRun:
    """A run: times, momenta (n, k) on d, elements of the group (n, r, r), and why it ended early if it did.

    `displacements` are the coordinates X in d of the steps that a map took from its samples: W = exp X or Cay X.
    """

    system: LLSystem
    t: Array
    momenta: Array
    displacements: Array
    elements: Array
    stopped: str | None

    def __len__(self) -> int:
        return self.t.size

    @property
    def velocities(self) -> Array:
        """The velocities (n, k) of the momenta."""
        return np.linalg.solve(self.system.constrained_inertia, self.momenta.T).T

    @property
    def energies(self) -> Array:
        """The reduced constrained energy at every sample."""
        return self.system.energy(self.momenta)


def define(
    group: Group,
    mass: Any,
    allowed: Sequence[Direction] | None = None,
    forbidden: Sequence[Direction] | None = None,
) -> LLSystem:
    """A system, checked. `allowed` directions span d, or `forbidden` one-forms vanish on it.

    Each is a label of the group ("w1"), a combination of labels ({"v1": 0.5, "phi": 1}) or its coordinates; an allowed
    direction may also be a matrix of the algebra. The constraint must not be a subalgebra: it would be integrable.
    """
    weights = checked_mass(group, mass)
    directions = constraint(group, allowed, forbidden)
    check_positive(group, weights, directions)
    check_not_integrable(group, directions)
    return LLSystem(group, weights, directions)


def kinetic_form(group: Group, mass: Array) -> Array:
    """tr(E_i m E_j^T)."""
    return np.einsum("iab,bc,jac->ij", group.basis, mass, group.basis)


def checked_mass(group: Group, mass: Any) -> Array:
    """The mass matrix as an array, or a ParameterError."""
    try:
        weights = np.array(mass, dtype=float)
    except (TypeError, ValueError):
        weights = np.empty(0)
    if weights.shape != (group.size, group.size):
        raise ParameterError(
            f"The mass matrix must have {group.size} rows and {group.size} columns for {group.name}, "
            f"not the shape {weights.shape}.",
            "mass",
        )
    if not np.isfinite(weights).all():
        raise ParameterError("The mass matrix must consist of finite numbers.", "mass")
    difference = np.abs(weights - weights.T)
    i, j = np.unravel_index(np.argmax(difference), difference.shape)
    if difference[i, j] > SMALL * np.abs(weights).max():
        raise ParameterError(
            f"The mass matrix must be symmetric: its entries ({i + 1}, {j + 1}) and ({j + 1}, {i + 1}) are "
            f"{weights[i, j]:g} and {weights[j, i]:g}.",
            "mass",
        )
    return 0.5 * (weights + weights.T)


def constraint(group: Group, allowed: Any, forbidden: Any) -> Array:
    """A basis (k, N) of the constraint subspace from what is allowed or what is forbidden."""
    if (allowed is None) == (forbidden is None):
        raise ParameterError("Give either the allowed directions or the forbidden one-forms.", "allowed")
    name, given = ("forbidden", forbidden) if allowed is None else ("allowed", allowed)
    if isinstance(given, str | Mapping) or not isinstance(given, Sequence | np.ndarray) or len(given) == 0:
        raise ParameterError(f"{name} must be a list of directions, not {shown(given)}.", name)
    rows = np.array([direction(group, one, name) for one in given])
    sizes = np.linalg.norm(rows, axis=1, keepdims=True)
    rank = int(np.linalg.matrix_rank(rows / np.where(sizes > 0.0, sizes, 1.0), tol=SMALL))
    if rank < len(rows):
        raise ParameterError(
            f"The {name} directions must be independent: {len(rows)} of them span {rank} dimensions only.", name
        )
    if name == "allowed":
        return rows
    if rank == group.dimension:
        raise ParameterError(f"{rank} independent constraints leave nothing of {group.name} to move.", name)
    return np.linalg.svd(rows)[2][rank:].copy()


def direction(group: Group, given: Any, name: str) -> Array:
    """Coordinates of one direction: a label, a combination of labels, coordinates, or a matrix of the algebra."""
    if isinstance(given, str):
        given = {given: 1.0}
    if isinstance(given, Mapping):
        check_names(group.labels, given, f"direction of {group.name}")
        return np.array([finite_number(label, given.get(label, 0.0)) for label in group.labels])
    try:
        value = np.array(given, dtype=float)
    except (TypeError, ValueError):
        value = np.empty(0)
    if value.shape == (group.size, group.size) and name == "allowed":
        if np.abs(group.outside(value)).max() > SMALL * max(np.abs(value).max(), 1.0):
            raise ParameterError(f"A matrix among the {name} directions is not in the algebra of {group.name}.", name)
        value = group.coordinates(value)
    if value.shape != (group.dimension,) or not np.isfinite(value).all():
        raise ParameterError(
            f"A direction of {group.name} is a label ({', '.join(group.labels)}), a combination of labels or "
            f"{group.dimension} finite numbers, not {shown(given)}.",
            name,
        )
    return value


def check_positive(group: Group, mass: Array, directions: Array) -> None:
    """Every allowed motion must have energy."""
    units = directions / np.linalg.norm(directions, axis=1, keepdims=True)
    form = kinetic_form(group, mass)
    sizes, vectors = np.linalg.eigh(units @ form @ units.T)
    if sizes[0] <= SMALL * max(float(np.abs(form).max()), 1e-300):
        lazy = vectors[:, 0] @ units
        worst = group.labels[int(np.argmax(np.abs(lazy)))]
        raise ParameterError(
            f"The mass matrix must be positive on the constraint: the allowed motion that is mostly {worst} has the "
            f"inertia {sizes[0]:.3g}.",
            "mass",
        )


def check_not_integrable(group: Group, directions: Array) -> None:
    """A constraint that is a subalgebra comes from a subgroup: nothing about it is nonholonomic."""
    units = directions / np.linalg.norm(directions, axis=1, keepdims=True)
    rest = outside_span(units, group.bracket(units[:, None], units[None, :]))
    if np.abs(rest).max() <= SMALL * float(np.abs(group.structure).max()):
        k = len(directions)
        raise ParameterError(
            f"The constraint is a subalgebra of {group.name}: brackets of allowed directions are allowed. It is "
            f"integrable: the body moves on a subgroup of dimension {k}, so the system is holonomic; define it on that "
            "subgroup, or allow directions whose brackets are forbidden.",
            "allowed",
        )


def outside_span(directions: Array, x: Array) -> Array:
    """The part of coordinates (..., N) that is orthogonal to the span of the rows of directions."""
    frame = np.linalg.qr(directions.T)[0]
    return x - (x @ frame) @ frame.T


def checked_vector(name: str, value: Any, size: int) -> Array:
    """A vector of finite numbers of that size, or a ParameterError."""
    try:
        vector = np.array(value, dtype=float)
    except (TypeError, ValueError):
        vector = np.empty(0)
    if vector.shape != (size,) or not np.isfinite(vector).all():
        raise ParameterError(
            f"{name} must be {size} finite numbers, one per allowed direction, not {shown(value)}.", name
        )
    return vector


def checked_task(step: Any, duration: Any, every: Any) -> Task:
    """Step, duration and every as a task, within the limits of every run."""
    size, length = finite_number("step", step), finite_number("duration", duration)
    if size <= 0.0 or length < 0.0:
        raise ParameterError(
            f"step must be positive and duration must not be negative, not {size:g} and {length:g}.", "step"
        )
    if length / size > STEPS_LIMIT:
        raise ParameterError(
            f"duration / step is {length / size:.3g} steps; at most {STEPS_LIMIT:,} are allowed.", "step"
        )
    task = Task({}, {"start": np.zeros(1)}, size, round(length / size), whole_number("every", every, 1, STEPS_LIMIT))
    if task.samples > SAMPLES_LIMIT:
        raise ParameterError(
            f"The run would keep {task.samples:,} samples; at most {SAMPLES_LIMIT:,} are allowed: raise every.", "every"
        )
    return task


def tidy(group: Group, elements: Array) -> None:
    """Bring the rotation blocks of elements (n, r, r) back to the rotations: B (3 - B^T B)/2 squares the distance."""
    for first, size in group.rotations:
        block = elements[:, first : first + size, first : first + size]
        block[:] = 0.5 * block @ (3.0 * np.eye(size) - np.swapaxes(block, 1, 2) @ block)


def ended(lagrangian: str, taken: int, step: float, share: float) -> str:
    """Why an orbit of the engine ended early."""
    if share >= 1.0:
        return f"the run ended {stops.after(taken)}: its group elements have outgrown all numbers; lower the duration."
    if lagrangian != "logarithm":
        return stops.folded(taken, step, share * step)
    return (
        f"no displacement {stops.after(taken)}: with step {step:.6g} it would turn by half a circle or more and have "
        "no principal logarithm, or its brackets would exceed 5.6; the largest admissible step there is "
        f"{share * step:.6g}."
    )
