"""The declarations of a system, checked when it is loaded: what is wrong is one sentence instead of a surprise later.

A page, a link and `--set` know parameters, initial values, the step, the duration and options by name alone, so no two
of them may share one. What is named must exist, ids must be words, defaults must lie in their ranges. An initial value
may be called like a component: it is where that one starts.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from math import isfinite
from numbers import Real
from typing import Any, get_args, get_origin

from nhviz.kernels import MODULES
from nhviz.parameters import Choice, Parameter, ParameterError, shown
from nhviz.system import Measure, Method, System

WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
# Arguments of `simulate`, beside which options are given, and what a link calls the chosen methods.
OF_EVERY_RUN = ("system", "method", "methods", "params", "initial", "step", "duration", "every", "budget")
# How the numbers of a measure are shown.
KINDS = ("magnitude", "angle", "signed", "count")
# Columns that an exported run has besides its components.
OF_EVERY_EXPORT = ("t", "problem", "stopped")


def check(system: System) -> None:
    """Raise a ParameterError for the first thing that is wrong with a declaration."""
    for rule in (
        tuples,
        words,
        controls,
        results,
        ranges,
        dimensions,
        methods,
        pictures,
        experiments,
        kernels,
        measures,
    ):
        for complaint in rule(system):
            raise ParameterError(f"The system {shown(system.id)} is not declared well: {complaint}.", "system")


def tuples(system: System) -> Iterator[str]:
    """What lists things is a tuple of them: the comma of a tuple of one thing is easily forgotten."""
    yield from lists_of(system, "")
    for method in system.methods:
        yield from lists_of(method, f" of {method.id}")
    for measure in system.measures:
        yield from lists_of(measure, f" of {measure.id}")


def lists_of(record: System | Method | Measure, whose: str) -> Iterator[str]:
    """Complaints about the fields that list things."""
    for field in fields(record):
        value = getattr(record, field.name)
        if get_origin(field.type) is tuple:
            kind = get_args(field.type)[0]
            if not isinstance(value, tuple) or not all(isinstance(item, kind) for item in value):
                yield f"{field.name}{whose} must be a tuple of {getattr(kind, '__name__', kind)}, not {shown(value)}"


def words(system: System) -> Iterator[str]:
    """Ids and names can stand in an address and in a call."""
    for kind, name in (("id", system.id), *settings(system), *named(system)):
        if not isinstance(name, str) or not WORD.fullmatch(name):
            yield f"the {kind} {shown(name)} must be a word: letters, digits and _, beginning with a letter"


def settings(system: System) -> list[tuple[str, str]]:
    """All that can be set, by kind and name; an option of several methods once."""
    return [
        *(("parameter", p.name) for p in system.parameters),
        *(("initial value", p.name) for p in system.initial),
        *(("option", name) for name in {o.name: o for m in system.methods for o in m.options}),
    ]


def named(system: System) -> list[tuple[str, str]]:
    """All else that has a name, by kind and name."""
    return [
        *(("component", c.name) for c in system.components),
        *(("quantity", q.id) for q in system.quantities),
        *(("method", m.id) for m in system.methods),
        *(("portrait", p.id) for p in system.portraits),
        *(("measure", m.id) for m in system.measures),
        *(("name of a measure", p.name) for m in system.measures for p in m.axes),
        *(("view of a locus", p.name) for m in system.methods for p in views_of(m)),
    ]


def views_of(method: Method) -> tuple[Parameter, ...]:
    """The values that choose a part of a method's locus."""
    return method.surface.view if method.surface else ()


def controls(system: System) -> Iterator[str]:
    """No two controls share a name; an option of several methods is one control."""
    for parameter, name in ((system.step, "step"), (system.duration, "duration")):
        if parameter.name != name:
            yield f"its {name} must be called {name}, not {shown(parameter.name)}"
    yield from twice(settings(system), OF_EVERY_RUN)
    known: dict[str, Parameter | Choice] = {}
    for method in system.methods:
        yield from twice([("option", option.name) for option in method.options])
        yield from twice([("view of a locus", parameter.name) for parameter in views_of(method)], OF_EVERY_RUN)
        for option in method.options:
            if known.setdefault(option.name, option) != option:
                yield f"the option {option.name} of {method.id} differs from that of another method"


def results(system: System) -> Iterator[str]:
    """No two results of a run share a name, nor one of them that of a control it does not start from."""
    starts = {parameter.name for parameter in system.initial}
    components = [("component", component.name) for component in system.components]
    yield from twice(components, OF_EVERY_EXPORT)
    others = [(kind, name) for kind, name in settings(system) if name not in starts]
    yield from twice([*others, *components], (system.step.name, system.duration.name))
    for method in system.methods:
        own = [quantity.id for quantity in method.quantities]
        yield from twice([("quantity", name) for name in (*ids_of(system.quantities), *own)], OF_EVERY_EXPORT)


def twice(things: Iterable[tuple[str, str]], taken: Iterable[str] = ()) -> Iterator[str]:
    """A complaint for each name that occurs again, or is taken by what every run has."""
    known = dict.fromkeys(taken, "")
    for kind, name in things:
        if name not in known:
            known[name] = kind
        elif known[name]:
            yield f"the {kind} {name} would hide the {known[name]} of that name"
        else:
            yield f"the {kind} {name} needs another name, as every run has one"


def ranges(system: System) -> Iterator[str]:
    """Ranges hold their defaults and their sliders, choices their default."""
    for parameter in (*system.parameters, *system.initial, system.step, system.duration):
        yield from range_of(parameter, 1.0)
        if parameter.per_step:
            yield f"{parameter.name} cannot be a multiple of 1/step: only options of methods can"
    if system.step.minimum <= 0.0:
        yield f"the step must be positive, and its range begins with {system.step.minimum:g}"
    if system.duration.minimum < 0.0:
        yield f"the duration must not be negative, and its range begins with {system.duration.minimum:g}"
    for method in system.methods:
        for option in (*method.options, *views_of(method)):
            if isinstance(option, Choice):
                yield from choices_of(option)
            else:
                yield from range_of(option, system.step.default if option.per_step else 1.0)


def range_of(parameter: Parameter, step: float) -> Iterator[str]:
    """Complaints about one range; default and slider are over this step."""
    low, high = parameter.minimum, parameter.maximum
    values = {"default": (parameter.default,), "slider": parameter.slider or (low * step, high * step)}
    for number in (low, high, *values["default"], *values["slider"]):
        if isinstance(number, bool) or not isinstance(number, Real) or not isfinite(number):
            yield f"the range of {parameter.name} is made of finite numbers, not {shown(number)}"
    if not low < high:
        yield f"{parameter.name} has no range: {low:g} is not below {high:g}"
    if not values["slider"][0] < values["slider"][1]:
        yield f"the slider of {parameter.name} has no range: {parameter.slider}"
    for what, numbers in values.items():
        for number in numbers:
            if not low <= number / step <= high:
                yield f"the {what} of {parameter.name}, {number / step:g}, is not between {low:g} and {high:g}"
    if parameter.whole and any(number != int(number) for number in (low, high, parameter.default)):
        yield f"{parameter.name} is a whole number, but its default or its range is not"


def choices_of(option: Choice) -> Iterator[str]:
    """Complaints about one choice; a link and a command line know its values as text."""
    if option.default not in option.choices:
        yield f"the default of {option.name}, {shown(option.default)}, is not among its choices"
    yield from twice([(f"choice of {option.name}", str(choice)) for choice in option.choices])


def dimensions(system: System) -> Iterator[str]:
    """What something needs, and what its shape names, is a parameter."""
    known = {parameter.name: parameter for parameter in system.parameters}
    things: tuple[Any, ...] = (*system.parameters, *system.initial, *system.components)
    for thing in things:
        if thing.needs is not None and thing.needs[0] not in known:
            yield f"{thing.name} needs {shown(thing.needs[0])}, which is no parameter"
        elif thing.needs is not None and thing.needs[1] > known[thing.needs[0]].maximum:
            yield f"{thing.name} needs {thing.needs[0]} = {thing.needs[1]:g}, which is out of its range"
    for component in system.components:
        for size in component.shape:
            if isinstance(size, str) and not (size in known and known[size].whole):
                yield f"the shape of {component.name} names {shown(size)}, which is no parameter that is whole"


def methods(system: System) -> Iterator[str]:
    """Methods have ids of their own, and what they refer to exists."""
    yield from twice([("method", method.id) for method in system.methods])
    yield from missing("default method", [system.default_method], ids_of(system.methods))
    for method in system.methods:
        yield from missing(f"quantity kept by {method.id}", method.preserves, ids_of(system.quantities))
        yield from answers(system, method)


def answers(system: System, method: Method) -> Iterator[str]:
    """Complaints about what can be asked of a method."""
    if method.branches is not None and method.branches.of_start is None:
        yield from missing(f"momentum of {method.id}", method.branches.at, [p.name for p in system.initial])
    if method.bound is not None and (method.bound.at_energy is None) == (method.bound.at_start is None):
        yield f"the bound of {method.id} must be either at an energy or at a start"
    if method.local is not None and system.plane is None:
        yield f"{method.id} declares its behaviour near equilibria, but there is no momentum plane"


def pictures(system: System) -> Iterator[str]:
    """Pictures show numbers that every run has."""
    numbers = [component.name for component in system.components if not component.shape]
    yield from twice([("portrait", portrait.id) for portrait in system.portraits])
    for portrait in system.portraits:
        yield from missing(f"component of the portrait {portrait.id}", portrait.components, numbers)
        if len(portrait.components) not in ((3,) if portrait.on_sphere else (2, 3)):
            yield f"the portrait {portrait.id} cannot show {len(portrait.components)} components"
    yield from missing("component worth a curve", system.in_time, numbers)
    if system.plane is not None:
        both = [parameter.name for parameter in system.initial if parameter.name in numbers]
        yield from missing("axis of the momentum plane", system.plane.axes, both)
    if system.momentum is not None:
        starts, given = [parameter.name for parameter in system.initial], system.momentum
        yield from missing("velocity of the momentum", given.velocities, starts)
        yield from missing("direction of the momentum", given.along, starts)
        yield from missing("momentum", given.momenta, numbers)
        if not len(given.velocities) == len(given.along) == len(given.momenta):
            yield "its momentum must have as many momenta as velocities and parts of a direction"


def experiments(system: System) -> Iterator[str]:
    """Experiments set what can be set, to what is allowed."""
    gains = [o for m in system.methods for o in m.options if isinstance(o, Parameter) and o.per_step]
    for experiment in system.experiments:
        title, step = shown(experiment.title), experiment.step or system.step.default
        yield from missing(f"method of {title}", [experiment.method or system.default_method], ids_of(system.methods))
        lengths = {"step": experiment.step, "duration": experiment.duration}
        given = {name: length for name, length in lengths.items() if length is not None}
        yield from refused(title, given, (system.step, system.duration))
        yield from refused(title, {name: gain / step for name, gain in experiment.gains.items()}, gains)
        yield from refused(title, experiment.params, system.parameters)
        yield from refused(title, experiment.initial, system.initial)


def refused(title: str, given: Mapping[str, Any], allowed: Iterable[Parameter]) -> Iterator[str]:
    """A complaint for each value of an experiment that is unknown or out of its range."""
    known = {parameter.name: parameter for parameter in allowed}
    yield from missing(f"value of {title}", given, known)
    for name, value in given.items():
        try:
            known[name].check(value)
        except ParameterError as error:
            yield f"in {title} {str(error).rstrip('.')}"


def ids_of(things: Iterable[Any]) -> list[str]:
    """Their ids."""
    return [thing.id for thing in things]


def kernels(system: System) -> Iterator[str]:
    """The modules of kernels exist."""
    yield from missing("module of kernels", (*system.kernels, *system.sweep_kernels), MODULES)


def measures(system: System) -> Iterator[str]:
    """Measures have ids and names of their own, and belong to methods that exist."""
    yield from twice([("measure", measure.id) for measure in system.measures])
    for measure in system.measures:
        yield from missing(f"method of {measure.id}", measure.methods, ids_of(system.methods))
        if measure.kind not in KINDS:
            yield f"{measure.id} must be one of {', '.join(KINDS)}, not {shown(measure.kind)}"
        own = [("name of its own", parameter.name) for parameter in measure.axes]
        yield from twice([*settings(system), *own], OF_EVERY_RUN)
        for parameter in measure.axes:
            yield from range_of(parameter, 1.0)
        if measure.start is not None and not measure.axes:
            yield f"{measure.id} tells the start of names of its own, but has none"


def missing(kind: str, names: Iterable[str], known: Iterable[str]) -> Iterator[str]:
    """A complaint for each name that is not known, with those that are."""
    known = list(known)
    for name in names:
        if name not in known:
            yield f"there is no {kind} {shown(name)}; there is {', '.join(known) or 'none'}"
