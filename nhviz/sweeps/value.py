"""Sweep: a quantity of a system over one or two of its values, as a frozen value like a Problem.

Its canonical text is the key under which tiles are kept, and the content of a link.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nhviz import registry
from nhviz.once import once
from nhviz.parameters import Choice, Parameter, ParameterError, check_names, shown, unknown
from nhviz.problem import Pairs, Problem, find_method
from nhviz.sweeps.axis import Axis, check_range, read_axis
from nhviz.sweeps.points import problem_of
from nhviz.sweeps.usual import measures_of
from nhviz.system import Measure, Method, System

__all__ = ["Axis", "Sweep"]

FIELDS = ("system", "quantity", "method", "params", "initial", "step", "duration", "options", "x", "y")


@dataclass(frozen=True)
class Sweep:
    """One map, or one curve, completely described and checked. Make it with `Sweep.create`.

    What is not an axis is fixed: its value is here, the defaults included. `options` also holds the fixed values of
    names that belong to the quantity alone. A gain that was not given is in no list while the step is an axis: it is
    then, at every step, its usual multiple of 1/step.
    """

    system: str
    quantity: str
    method: str
    params: Pairs
    initial: Pairs
    step: float | None
    duration: float
    options: Pairs
    x: Axis
    y: Axis | None

    @once
    def code(self) -> int:
        """A number that equal sweeps share."""
        return hash(tuple(getattr(self, name) for name in FIELDS))

    def __hash__(self) -> int:
        return self.code

    @classmethod
    def create(
        cls,
        system: str,
        quantity: Any,
        x: Any,
        y: Any = None,
        method: str | None = None,
        params: Mapping[str, Any] | None = None,
        initial: Mapping[str, Any] | None = None,
        step: Any = None,
        duration: Any = None,
        options: Mapping[str, Any] | None = None,
    ) -> "Sweep":
        """Fill in the defaults, check everything, and freeze it."""
        model = registry.find(system)
        measure = find_measure(model, quantity)
        chosen = method_for(model, measure, method)
        axes = {"x": read_axis("x", x)} | ({} if y is None else {"y": read_axis("y", y)})
        check_axes(model, chosen, measure, axes)
        swept = [axis.name for axis in axes.values()]
        groups = (model.parameters, model.initial, (*chosen.options, *measure.axes))
        fixed = [
            fixed_values(declared, given, kind, swept)
            for declared, given, kind in zip(
                groups,
                (params, initial, options),
                (f"parameter of {model.id}", f"initial value of {model.id}", f"option of {chosen.id}"),
                strict=True,
            )
        ]
        if step is not None and "step" in swept:
            raise both("step")
        size = None if "step" in swept else model.step.check(model.step.default if step is None else step)
        return cls(
            system=model.id,
            quantity=measure.id,
            method=chosen.id,
            params=tuple(fixed[0].items()),
            initial=tuple(fixed[1].items()),
            step=size,
            duration=model.duration.check(model.duration.default if duration is None else duration),
            options=tuple(with_usual_gains(chosen, measure, fixed[2], options, size).items()),
            x=axes["x"],
            y=axes.get("y"),
        )

    @property
    def model(self) -> System:
        """The declarations of the system."""
        return registry.find(self.system)

    @property
    def measure(self) -> Measure:
        """The declarations of the quantity."""
        return measures_of(self.model)[self.quantity]

    @property
    def shape(self) -> tuple[int, ...]:
        """(values along y, values along x), or (values along x,) of a curve."""
        return (self.x.count,) if self.y is None else (self.y.count, self.x.count)

    @property
    def cells(self) -> int:
        """How many cells there are."""
        return self.x.count * (1 if self.y is None else self.y.count)

    def cell(self, i: int, j: int = 0) -> tuple[int, int]:
        """The indices of a cell along x and y, if there is one."""
        for which, index, count in (("i", i, self.x.count), ("j", j, self.cells // self.x.count)):
            if isinstance(index, bool) or not hasattr(index, "__index__") or not 0 <= index < count:
                raise ParameterError(
                    f"{which} must be a whole number from 0 to {count - 1}, not {shown(index)}.", which
                )
        return int(i), int(j)

    def problem(self, i: int, j: int = 0) -> Problem:
        """The problem of a cell, i along x and j along y, or a ParameterError where there is no such body."""
        return problem_of(self, *self.cell(i, j))

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON. What a sweep has not is not there: the fixed step, the second axis."""
        facts: dict[str, Any] = {
            "system": self.system,
            "quantity": self.quantity,
            "method": self.method,
            "params": dict(self.params),
            "initial": dict(self.initial),
            "duration": self.duration,
            "options": dict(self.options),
            "x": self.x.to_dict(),
        }
        facts |= {} if self.step is None else {"step": self.step}
        return facts if self.y is None else facts | {"y": self.y.to_dict()}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Sweep":
        """The sweep of `to_dict`, checked again: the data may come from a link."""
        if not isinstance(data, Mapping) or not {"system", "quantity", "x"} <= set(data):
            raise ParameterError(f"A sweep is a mapping with the keys system, quantity and x, not {shown(data)}.")
        check_names(FIELDS, data, "field of a sweep")
        return cls.create(**{str(name): value for name, value in data.items()})

    def text(self) -> str:
        """The canonical text: equal for equal sweeps, different for different ones."""
        return json.dumps(self.to_dict(), sort_keys=True, separators=(",", ":"))


def find_measure(model: System, name: Any) -> Measure:
    """The measure of a system with that id, or a ParameterError."""
    known = measures_of(model)
    if not isinstance(name, str) or name not in known:
        raise ParameterError(unknown(f"quantity of {model.id} to sweep", name, known), "quantity")
    return known[name]


def method_for(model: System, measure: Measure, name: Any) -> Method:
    """The method, or that of the system for None if the measure has it, else the first that it has."""
    if name is None and measure.methods and model.default_method not in measure.methods:
        name = measure.methods[0]
    chosen = find_method(model, name)
    if measure.methods and chosen.id not in measure.methods:
        raise ParameterError(
            f"{measure.title} is not a matter of {chosen.id}; of {model.id} {', '.join(measure.methods)} has it.",
            "method",
        )
    return chosen


def axis_names(model: System, method: Method, measure: Measure) -> dict[str, Parameter]:
    """All that can be an axis, by name."""
    options = [option for option in method.options if isinstance(option, Parameter)]
    return {p.name: p for p in (*model.parameters, *model.initial, model.step, *options, *measure.axes)}


def check_axes(model: System, method: Method, measure: Measure, axes: Mapping[str, Axis]) -> None:
    """Refuse names that are no axes, ranges that are not theirs, and one name twice."""
    known = axis_names(model, method, measure)
    for which, axis in axes.items():
        if axis.name not in known:
            raise ParameterError(f"{which}: {unknown(f'axis of {model.id}', axis.name, known)}", which)
        check_range(which, axis, known[axis.name])
    if len(axes) > 1 and axes["x"].name == axes["y"].name:
        raise ParameterError(f"x and y must be different names, not {axes['x'].name} twice.", "y")


def fixed_values(
    declared: tuple[Parameter | Choice, ...], given: Mapping[str, Any] | None, kind: str, swept: list[str]
) -> dict[str, Any]:
    """The values that are no axes: those given, checked one by one, and the defaults of the rest."""
    if given is not None and not isinstance(given, Mapping):
        raise ParameterError(f"{kind} values must be a mapping from names to values, not {shown(given)}.")
    values = dict(given or {})
    check_names([parameter.name for parameter in declared], values, kind)
    for name in swept:
        if name in values:
            raise both(name)
    return {p.name: p.check(values.get(p.name, p.default)) for p in declared if p.name not in swept}


def both(name: str) -> ParameterError:
    """For a name that is fixed and an axis."""
    return ParameterError(f"{name} is an axis; it cannot have a fixed value, too.", name)


def with_usual_gains(
    method: Method,
    measure: Measure,
    fixed: Mapping[str, Any],
    given: Mapping[str, Any] | None,
    step: float | None,
) -> dict[str, Any]:
    """The fixed options: a gain that was not given follows the step, an optional name of the measure is left out."""
    chosen = dict(fixed)
    for option in (*method.options, *measure.axes):
        if option.name in (given or {}) or option.name not in chosen or not isinstance(option, Parameter):
            continue
        if option in measure.axes and measure.optional:
            del chosen[option.name]
        elif option.per_step:
            if step is None:
                del chosen[option.name]
            else:
                chosen[option.name] = option.check(option.default / step)
    return chosen
