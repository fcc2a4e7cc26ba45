"""Problem: what to compute, as a frozen value. Trajectory and Ensemble: what came out.

A Problem holds every number of a run, defaults included, so that two equal problems are the same
run: it is the key of a cache, the content of a store and the text of a link.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np

from nhviz import registry
from nhviz.once import once
from nhviz.parameters import (
    Parameter,
    ParameterError,
    check_names,
    fill,
    fill_options,
    shown,
    unknown,
    whole_number,
)
from nhviz.system import Array, Method, System

STEPS_LIMIT = 1_000_000_000
SAMPLES_LIMIT = 5_000_000
EVERY = Parameter("every", 1, 1, STEPS_LIMIT, "keep each k-th step")
FIELDS = ("system", "method", "params", "initial", "step", "duration", "every", "options", "budget")

Pairs = tuple[tuple[str, Any], ...]
Made = TypeVar("Made")


@dataclass(frozen=True)
class Problem:
    """One run, completely described and checked. Make it with `Problem.create`.

    `budget` is the most internal steps of a flow that is integrated; None leaves it to the method.
    """

    system: str
    method: str
    params: Pairs
    initial: Pairs
    step: float
    duration: float
    every: int
    options: Pairs
    budget: int | None = None

    @once
    def code(self) -> int:
        """A number that equal problems share."""
        return hash(tuple(getattr(self, name) for name in FIELDS))

    def __hash__(self) -> int:
        # Asked for several times by every cache that it goes through.
        return self.code

    @classmethod
    def create(
        cls,
        system: str,
        method: str | None = None,
        params: Mapping[str, Any] | None = None,
        initial: Mapping[str, Any] | None = None,
        step: Any = None,
        duration: Any = None,
        every: Any = 1,
        options: Mapping[str, Any] | None = None,
        budget: Any = None,
    ) -> "Problem":
        """Fill in the defaults, check everything, and freeze it."""
        model = registry.find(system)
        chosen = find_method(model, method)
        values = checked_parameters(model, chosen, params)
        start = checked_start(model, values, initial)
        size = model.step.check(model.step.default if step is None else step)
        problem = cls(
            system=model.id,
            method=chosen.id,
            params=tuple(values.items()),
            initial=tuple(start.items()),
            step=size,
            duration=model.duration.check(model.duration.default if duration is None else duration),
            every=whole_number("every", every, 1, STEPS_LIMIT),
            options=tuple(fill_options(chosen.options, options, size, f"option of {chosen.id}").items()),
            budget=None if budget is None else whole_number("budget", budget, 1, STEPS_LIMIT),
        )
        problem.check_size()
        return problem

    def by(self, method: str, step: Any, every: Any, options: Mapping[str, Any]) -> "Problem":
        """The same motion by another method with another step; its parameters and its start are checked already."""
        model = registry.find(self.system)
        chosen = find_method(model, method)
        if chosen.check is not None:
            chosen.check(dict(self.params))
        size = model.step.check(step)
        problem = replace(
            self,
            method=chosen.id,
            step=size,
            every=whole_number("every", every, 1, STEPS_LIMIT),
            options=tuple(fill_options(chosen.options, options, size, f"option of {chosen.id}").items()),
            budget=None,
        )
        problem.check_size()
        return problem

    def check_size(self) -> None:
        """Refuse runs that no memory or patience would hold, with the limit and a way out."""
        if self.duration / self.step > STEPS_LIMIT:
            raise ParameterError(
                f"duration / step is {self.duration / self.step:.3g} steps; at most {STEPS_LIMIT:,} are allowed: "
                "raise step or lower duration.",
                "step",
            )
        if self.samples > SAMPLES_LIMIT:
            raise ParameterError(
                f"The run would keep {self.samples:,} samples; at most {SAMPLES_LIMIT:,} are allowed: "
                f"set every to {-(-self.steps // SAMPLES_LIMIT) + 1} or more, raise step or lower duration.",
                "every",
            )

    @property
    def steps(self) -> int:
        """Number of steps of the complete run."""
        return round(self.duration / self.step)

    @property
    def samples(self) -> int:
        """Number of samples of the complete run."""
        return self.steps // self.every + 1

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON. A budget is there only if there is one: texts from before there were any stay."""
        facts = {
            "system": self.system,
            "method": self.method,
            "params": dict(self.params),
            "initial": dict(self.initial),
            "step": self.step,
            "duration": self.duration,
            "every": self.every,
            "options": dict(self.options),
        }
        return facts if self.budget is None else facts | {"budget": self.budget}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Problem":
        """The problem of `to_dict`, checked again: the data may come from a link."""
        if not isinstance(data, Mapping) or "system" not in data:
            raise ParameterError(f"A problem is a mapping with the key system, not {shown(data)}.")
        check_names(FIELDS, data, "field of a problem")
        return cls.create(**{str(name): value for name, value in data.items()})

    def text(self) -> str:
        """The canonical text: equal for equal problems, different for different ones."""
        return json.dumps(self.to_dict(), sort_keys=True, separators=(",", ":"))


def find_method(system: System, name: Any) -> Method:
    """The method of a system with that id, its default for None, or a ParameterError."""
    if name is None:
        return system.method(system.default_method)
    known = [method.id for method in system.methods]
    if not isinstance(name, str) or name not in known:
        raise ParameterError(unknown(f"method of {system.id}", name, known), "method")
    return system.method(name)


def checked_parameters(system: System, method: Method | None, params: Mapping[str, Any] | None) -> dict[str, float]:
    """All parameters of a system, checked one by one, together, and for the method."""
    values = fill(system.parameters, params, f"parameter of {system.id}")
    for check in (system.check, method.check if method else None):
        if check is not None:
            check(values)
    return values


def checked_start(system: System, params: Mapping[str, float], initial: Mapping[str, Any] | None) -> dict[str, float]:
    """All initial values of a system, checked one by one and together."""
    start = fill(system.initial, initial, f"initial value of {system.id}", params)
    if system.check_start is not None:
        system.check_start(params, start)
    return start


@dataclass(frozen=True)
class Trajectory:
    """A finished run: sample times, components by name, and why it ended early if it did."""

    problem: Problem
    t: Array
    components: Mapping[str, Array]
    stopped: str | None
    known: dict[str, Array] = field(default_factory=dict, repr=False, compare=False)
    peaks: dict[str, float] = field(default_factory=dict, repr=False, compare=False)
    made: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)

    def __getitem__(self, name: str) -> Array:
        if name not in self.components:
            raise ParameterError(unknown(f"component of {self.problem.system}", name, self.components), str(name))
        return self.components[name]

    def __len__(self) -> int:
        return self.t.size

    def quantity(self, name: str) -> Array:
        """A quantity of the system along the run, computed once."""
        if name not in self.known:
            self.known[name] = self.evaluated(name)
        return self.known[name]

    def greatest(self, name: str) -> float:
        """The greatest value of a quantity along the run, found once, without all the others where that is sooner."""
        if name not in self.peaks:
            own = next((q.greatest for q in self.method.quantities if q.id == name and name not in self.known), None)
            self.peaks[name] = own(self) if own else float(self.quantity(name).max())
        return self.peaks[name]

    def remember(self, function: Callable[["Trajectory"], Made]) -> Made:
        """What a function makes of the run, computed once."""
        if function not in self.made:
            self.made[function] = function(self)
        found: Made = self.made[function]
        return found

    def evaluated(self, name: str) -> Array:
        """A quantity, from the components."""
        for own in self.method.quantities:
            if own.id == name:
                return own.evaluate(self)
        for quantity in self.system.quantities:
            if quantity.id == name:
                return quantity.evaluate(self.params, self.components)
        known = [q.id for q in self.system.quantities] + [q.id for q in self.method.quantities]
        raise ParameterError(unknown(f"quantity of {self.problem.system}", name, known), str(name))

    @once
    def system(self) -> System:
        """The declarations of the run's system."""
        return registry.find(self.problem.system)

    @once
    def method(self) -> Method:
        """The declarations of the run's method."""
        return self.system.method(self.problem.method)

    @once
    def params(self) -> dict[str, float]:
        """The run's parameters by name."""
        return dict(self.problem.params)

    @property
    def remarks(self) -> list[str]:
        """What is worth knowing about these parameters and about this run."""
        found = list(self.system.remarks(self.params)) if self.system.remarks else []
        return found + (list(self.method.run_remarks(self)) if self.method.run_remarks else [])


@dataclass(frozen=True)
class Ensemble:
    """Many runs that differ in their starts only; iterate, or take `run(i)`, for single trajectories.

    `ensemble[name]` is an array (orbits, samples, ...). An orbit that ended early, after lengths[i]
    samples, holds its last point from there on. `base` is the problem of the first orbit.
    """

    base: Problem
    starts: Mapping[str, Array]
    t: Array
    components: Mapping[str, Array]
    lengths: Array
    stopped: tuple[str | None, ...]

    def __getitem__(self, name: str) -> Array:
        if name not in self.components:
            raise ParameterError(unknown(f"component of {self.base.system}", name, self.components), str(name))
        return self.components[name]

    def __len__(self) -> int:
        return self.lengths.size

    def __iter__(self) -> Iterator[Trajectory]:
        return (self.run(i) for i in range(len(self)))

    def run(self, i: int) -> Trajectory:
        """The i-th orbit alone."""
        n = int(self.lengths[i])
        initial = tuple((name, float(values[i])) for name, values in self.starts.items())
        parts = {name: values[i, :n] for name, values in self.components.items()}
        return Trajectory(replace(self.base, initial=initial), self.t[:n], parts, self.stopped[i])


def last_held(values: Array, lengths: Array) -> Array:
    """Rows of values with everything after each row's length replaced by its last valid entry."""
    index = np.minimum(np.arange(values.shape[1])[None, :], (lengths - 1)[:, None])
    return values[np.arange(values.shape[0])[:, None], index]
