"""What a system is: small frozen records. A file in `nhviz/systems` fills them in and is done.

Controls, descriptions, the command line, links, exports and the contract tests all follow from
these declarations.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from nhviz.once import once
from nhviz.parameters import Choice, Parameter, ParameterError, is_used
from nhviz.shapes import Motion, Shape

if TYPE_CHECKING:
    from nhviz.problem import Trajectory

Array = np.ndarray
Values = Mapping[str, float]
Components = Mapping[str, Array]
Options = Mapping[str, Any]
LargestStep = Callable[[Values, float], float | None]


@dataclass(frozen=True)
class Task:
    """What a method is asked to do: one or many orbits of one system.

    `initial` holds an array of starts for each name. A negative step asks for the inverse map. `budget` is the most
    internal steps of an orbit that is integrated.
    """

    params: Values
    initial: Mapping[str, Array]
    step: float
    steps: int
    every: int
    options: Options = field(default_factory=dict)
    skip: frozenset[str] = frozenset()
    budget: int | None = None

    @property
    def orbits(self) -> int:
        """How many starts there are."""
        return next(iter(self.initial.values())).size

    @property
    def samples(self) -> int:
        """How many samples a complete orbit has."""
        return self.steps // self.every + 1

    @property
    def last(self) -> int:
        """The step of the last sample; steps after it need not be taken."""
        return self.steps // self.every * self.every

    @property
    def times(self) -> Array:
        """Sample times 0, every * step, 2 * every * step, ..."""
        return self.step * (self.every * np.arange(self.samples, dtype=float))


@dataclass(frozen=True)
class Samples:
    """What a method answers: for each component an array (orbits, samples, ...).

    `lengths` says how many samples of each orbit are valid, `reasons` why an orbit ended early.
    """

    components: dict[str, Array]
    lengths: Array
    reasons: tuple[str | None, ...]

    @classmethod
    def complete(cls, task: Task, components: dict[str, Array]) -> "Samples":
        """Samples of orbits that all reached their end."""
        return cls(components, np.full(task.orbits, task.samples), (None,) * task.orbits)


@dataclass(frozen=True)
class Locus:
    """A momentum locus: a grid of points (rows, columns, 3) and what its three axes are."""

    points: Array
    axes: tuple[str, str, str]


@dataclass(frozen=True)
class BranchTable:
    """All real displacements at many points: an array (points, most, coordinates) and how many of each are valid.

    `principal` is the index of the principal one, -1 for none; `certified` says that none is missing or counted twice.
    """

    names: tuple[str, ...]
    displacements: Array
    counts: Array
    principal: Array
    certified: Array

    def rows(self, point: int) -> list[dict[str, Any]]:
        """The displacements of one point, each as a dict."""
        return [
            {
                **dict(zip(self.names, self.displacements[point, i].tolist(), strict=True)),
                "principal": bool(i == self.principal[point]),
                "certified": bool(self.certified[point]),
            }
            for i in range(self.counts[point])
        ]


@dataclass(frozen=True)
class Branches:
    """Every real displacement of a step, asked at a momentum.

    `at` names the momentum and `solve` lists its displacements; `of_start` gives the momentum of a start where it is
    not among the initial values; `many` answers for many momenta at once.
    """

    at: tuple[str, ...]
    solve: Callable[[Values, float, Values], list[dict[str, Any]]]
    of_start: Callable[[Values, Values], Values] | None = None
    many: Callable[[Values, float, Mapping[str, Array]], BranchTable] | None = None


@dataclass(frozen=True)
class Surface:
    """The momentum locus of a map as a surface, and the values by which one chooses the part and the grid of it."""

    locus: Callable[[Values, float, Values], Locus]
    view: tuple[Parameter, ...] = ()


@dataclass(frozen=True)
class Bound:
    """The largest admissible step, in one of two ways: at an energy, where that alone decides, or at a start."""

    at_energy: LargestStep | None = None
    at_start: Callable[[Values, Values], float] | None = None


@dataclass(frozen=True)
class Local:
    """How a step acts near the flow.

    `multiplier` is that across the line of equilibria, at one of them; `rest_points` gives those of a step and an
    energy, unstable one first, where they are not simply the flow's, or those of several energies; `defect` gives the
    leading errors of phase and energy in one step, over the cube of its length. `rests_on_line` says that all
    rest points are on the flow's line.
    """

    multiplier: Callable[[Values, float, Array], float]
    rest_points: Callable[[Values, float, Any], Array] | None = None
    defect: Callable[[Values, Array], tuple[Array, Array]] | None = None
    rests_on_line: bool = False


@dataclass(frozen=True)
class RunQuantity:
    """A quantity that only the runs of one method have, such as the stability number of a scheme.

    `greatest` may find its greatest value along a run sooner than all the others.
    """

    id: str
    title: str
    evaluate: Callable[["Trajectory"], Array]
    unit: str = ""
    symbol: str = ""
    greatest: Callable[["Trajectory"], float] | None = None


@dataclass(frozen=True)
class Method:
    """A way to compute the motion, with what it keeps and what can be asked of it.

    `order` is that of convergence: a number, none for a closed form, or a function of the options. `truth` marks the
    motion itself, against which others are measured. `small` is a word beside the title. `stable_gains` gives the
    largest gain of each name with which the method is stable along a run, the others being those of the options, and
    `stable_pull` the largest factor on all of them; `extension` is what a feedback with these options is made of.
    """

    id: str
    title: str
    order: int | Callable[[Options], int | None] | None
    preserves: tuple[str, ...]
    run: Callable[[Task], Samples]
    discrete: bool = True
    truth: bool = False
    options: tuple[Parameter | Choice, ...] = ()
    check: Callable[[Values], None] | None = None
    branches: Branches | None = None
    surface: Surface | None = None
    bound: Bound | None = None
    local: Local | None = None
    invertible: bool = True
    quantities: tuple[RunQuantity, ...] = ()
    run_remarks: Callable[["Trajectory"], Sequence[str]] | None = None
    remark: str = ""
    small: str = ""
    stable_gains: Callable[["Trajectory", Options], Mapping[str, float | None]] | None = None
    stable_pull: Callable[["Trajectory", Options], float | None] | None = None
    extension: Callable[[Options], Any] | None = None

    def order_with(self, options: Options | None = None) -> int | None:
        """The order of convergence with these options, by default with the default ones; None for a closed form."""
        if not callable(self.order):
            return self.order
        return self.order({option.name: option.default for option in self.options} | dict(options or {}))

    def describe(self) -> dict[str, Any]:
        """Plain data for `nhviz.describe`."""
        return {
            "id": self.id,
            "title": self.title,
            "small": self.small,
            "order": self.order_with(),
            "discrete": self.discrete,
            "truth": self.truth,
            "branches": self.branches is not None,
            "preserves": list(self.preserves),
            "options": {option.name: option.describe() for option in self.options},
            "quantities": {
                q.id: {"id": q.id, "title": q.title, "unit": q.unit, "symbol": q.symbol or q.id}
                for q in self.quantities
            },
            "view": {parameter.name: parameter.describe() for parameter in (self.surface.view if self.surface else ())},
            "remark": self.remark,
        }


@dataclass(frozen=True)
class Component:
    """A component of every run of a system: a scalar, or a matrix with a shape.

    A shape may name a parameter, as in ("n", "n"); `needs` = ("n", 4) says that runs have it from n = 4 on.
    """

    name: str
    meaning: str
    unit: str = ""
    symbol: str = ""
    shape: tuple[int | str, ...] = ()
    needs: tuple[str, float] | None = None

    def sizes(self, params: Values) -> tuple[int, ...]:
        """The shape with these parameters."""
        return tuple(int(params[size]) if isinstance(size, str) else size for size in self.shape)


@dataclass(frozen=True)
class Quantity:
    """A function along a run; `conserved` says whether the flow keeps it."""

    id: str
    title: str
    conserved: bool
    evaluate: Callable[[Values, Components], Array]
    unit: str = ""
    symbol: str = ""

    def describe(self) -> dict[str, Any]:
        """Plain data for `nhviz.describe`."""
        return {
            "id": self.id,
            "title": self.title,
            "conserved": self.conserved,
            "unit": self.unit,
            "symbol": self.symbol or self.id,
        }


@dataclass(frozen=True)
class Equation:
    """One line of typeset mathematics, what it says, and where it stands in the papers."""

    tex: str
    meaning: str
    source: str = ""


@dataclass(frozen=True)
class Experiment:
    """A suggestion: what to set, and what to look at. Gains are in multiples of 1/step."""

    title: str
    look: str
    params: Mapping[str, float] = field(default_factory=dict)
    initial: Mapping[str, float] = field(default_factory=dict)
    step: float | None = None
    duration: float | None = None
    method: str | None = None
    gains: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class MomentumPlane:
    """A reduced momentum flow along ellipses, as the Suslov top and the Chaplygin sleigh have it.

    With z = matrix(params) @ momentum the energy is |z|^2 / 2, and z = r (cos phi, sin phi) moves by
    phi' = r kappa cos(phi - delta), where swing(params) = (kappa, delta).
    """

    axes: tuple[str, str]
    matrix: Callable[[Values], Array]
    swing: Callable[[Values], tuple[float, float]]


@dataclass(frozen=True)
class Momentum:
    """Momenta that may stand for the velocities of a start: K = diagonal * v - less <v, n> n.

    v are the initial values `velocities` and n is the direction of those named `along`; `momenta` are the components of
    K, and form(params) = (diagonal, less).
    """

    velocities: tuple[str, ...]
    momenta: tuple[str, ...]
    along: tuple[str, ...]
    form: Callable[[Values], tuple[tuple[float, ...], float]]


@dataclass(frozen=True)
class Portrait:
    """Two or three components that make a picture of their own: a path, or a curve in space or on the unit sphere.

    `background` gives what else is in it: equilibria, cusps, a level of the energy. Of components that these
    parameters do not have the picture shows the others. `down` says in words that the second component points down.
    """

    id: str
    title: str
    components: tuple[str, ...]
    on_sphere: bool = False
    background: Callable[["Trajectory"], Sequence[Shape]] | None = None
    down: str = ""


@dataclass(frozen=True)
class Points:
    """Many cells of a sweep, of one system and one method: all that a measure needs to know of them.

    Every number of a cell is an array (n,), also where it is the same for all; an option that is a choice is its one
    value. `axes` holds names that belong to the measure alone. Cells that are no problem are left out before.
    """

    system: str
    method: str
    params: Mapping[str, Array]
    initial: Mapping[str, Array]
    options: Mapping[str, Any]
    step: Array
    duration: float
    axes: Mapping[str, Array] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """How many cells there are."""
        return self.step.size

    def take(self, chosen: Array) -> "Points":
        """Some of the cells, by their indices or by a mask."""

        def part(values: Mapping[str, Any]) -> dict[str, Any]:
            return {name: v[chosen] if isinstance(v, np.ndarray) else v for name, v in values.items()}

        return replace(
            self,
            params=part(self.params),
            initial=part(self.initial),
            options=part(self.options),
            step=self.step[chosen],
            axes=part(self.axes),
        )


@dataclass(frozen=True)
class Measure:
    """A number that every cell of a sweep has: one function from the arrays of `Points` to an array.

    A cell for which there is no such number is NaN, and `why` tells the reason for it alone. No `methods` means all.
    `axes` are names of its own, with their ranges; they take their defaults, unless they are `optional`: then they may
    be missing. `start` gives the initial values that these names mean, of which a run of the cell starts. `kind` says
    how the number is shown: a magnitude, an angle or a rotation number, a signed number, a count.
    """

    id: str
    title: str
    unit: str
    meaning: str
    methods: tuple[str, ...]
    evaluate: Callable[[Points], Array]
    why: Callable[[Points], str | None] | None = None
    axes: tuple[Parameter, ...] = ()
    kind: str = "magnitude"
    optional: bool = False
    start: Callable[[Points], Mapping[str, Array]] | None = None

    def describe(self, methods: Sequence[Method]) -> dict[str, Any]:
        """Plain data for `nhviz.describe`, with the ids of its methods out of all of the system."""
        return {
            "id": self.id,
            "title": self.title,
            "unit": self.unit,
            "meaning": self.meaning,
            "methods": list(self.methods) or [method.id for method in methods],
            "kind": self.kind,
            "axes": {parameter.name: parameter.describe() for parameter in self.axes},
        }


@dataclass(frozen=True)
class System:
    """Everything nhviz knows about a mechanical system.

    `family` is a word for its kind, which systems share that belong together; `line` says in a few words what to see.
    `in_time` names the components worth showing over time, by default the first four. `kernels` names the modules of
    `nhviz.kernels` whose kernels it runs on, or that questions about it need: they are compiled side by side before
    anybody waits for them. What else it needs is compiled by running its methods. `sweep_kernels` are
    needed by measures only, and are compiled when all else is. `measures` can be swept over its
    parameters, besides those that every system has. `valid` answers for arrays of parameters and initial values what
    `check` and `check_start` answer for one of each: whether there is such a body with such a start.
    """

    id: str
    title: str
    summary: str
    parameters: tuple[Parameter, ...]
    initial: tuple[Parameter, ...]
    components: tuple[Component, ...]
    methods: tuple[Method, ...]
    quantities: tuple[Quantity, ...]
    step: Parameter
    duration: Parameter
    default_method: str
    position: int = 1000
    family: str = ""
    line: str = ""
    equations: tuple[Equation, ...] = ()
    experiments: tuple[Experiment, ...] = ()
    plane: MomentumPlane | None = None
    momentum: Momentum | None = None
    check: Callable[[Values], None] | None = None
    check_start: Callable[[Values, Values], None] | None = None
    portraits: tuple[Portrait, ...] = ()
    in_time: tuple[str, ...] = ()
    remarks: Callable[[Values], Sequence[str]] | None = None
    draw: Callable[["Trajectory"], Motion] | None = None
    kernels: tuple[str, ...] = ()
    sweep_kernels: tuple[str, ...] = ()
    measures: tuple[Measure, ...] = ()
    valid: Callable[[Mapping[str, Array], Mapping[str, Array]], Array] | None = None

    @once
    def by_id(self) -> dict[str, Method]:
        """The methods by their ids."""
        return {method.id: method for method in self.methods}

    def method(self, name: str) -> Method:
        """The method with that id."""
        return self.by_id[name]

    @property
    def truth(self) -> Method:
        """The method that others are measured against, the first that is marked so, or a ParameterError."""
        for method in self.methods:
            if method.truth:
                return method
        raise ParameterError(f"No method of {self.id} is the motion itself, to measure others against.", "method")

    def components_of(self, params: Values) -> tuple[Component, ...]:
        """What a run with these parameters has."""
        return tuple(c for c in self.components if is_used(c.needs, params))

    def size(self, params: Values) -> int:
        """How many numbers a sample of a run with these parameters has."""
        dimensions = tuple(params[name] for name in self.dimensions)
        if dimensions not in self.sizes:
            self.sizes[dimensions] = sum(math.prod(part.sizes(params)) for part in self.components_of(params))
        return self.sizes[dimensions]

    @once
    def dimensions(self) -> tuple[str, ...]:
        """The parameters on which it depends what a sample has; few values of them are allowed."""
        named = {size for part in self.components for size in part.shape if isinstance(size, str)}
        return tuple(sorted(named | {part.needs[0] for part in self.components if part.needs}))

    @once
    def sizes(self) -> dict[tuple[float, ...], int]:
        """The sizes of samples that have been asked for, by these parameters."""
        return {}

    def describe(self, params: Values | None = None) -> dict[str, Any]:
        """Plain data for `nhviz.describe`: numbers, texts, lists and dicts only; with the remarks on the parameters."""
        values = {p.name: p.default for p in self.parameters} if params is None else params
        return {
            "id": self.id,
            "title": self.title,
            "summary": self.summary,
            "parameters": {p.name: p.describe() for p in self.parameters},
            "initial": {p.name: p.describe() for p in self.initial},
            "step": self.step.describe(),
            "duration": self.duration.describe(),
            "default_method": self.default_method,
            "methods": {m.id: m.describe() for m in self.methods},
            "components": {
                c.name: {
                    "meaning": c.meaning,
                    "unit": c.unit,
                    "symbol": c.symbol or c.name,
                    "shape": list(c.sizes(values)),
                }
                for c in self.components_of(values)
            },
            "quantities": {q.id: q.describe() for q in self.quantities},
            "equations": [{"tex": e.tex, "meaning": e.meaning, "source": e.source} for e in self.equations],
            "experiments": [
                {
                    "title": e.title,
                    "look": e.look,
                    "params": dict(e.params),
                    "initial": dict(e.initial),
                    "step": e.step,
                    "duration": e.duration,
                    "method": e.method,
                    "gains": dict(e.gains),
                }
                for e in self.experiments
            ],
            "portraits": [
                {"id": p.id, "title": p.title, "components": list(p.components), "on_sphere": p.on_sphere}
                for p in self.portraits
            ],
            "remarks": list(self.remarks(values)) if self.remarks else [],
        }
