"""With which axes a sweep of a quantity opens: the names that matter for it, in the ranges worth dragging in."""

from collections.abc import Iterable

from nhviz.parameters import Parameter, is_used
from nhviz.sweeps.axis import Axis
from nhviz.sweeps.usual import measures_of
from nhviz.sweeps.value import Sweep, method_for
from nhviz.system import Measure, Method, System

COUNT = 81
FIRST = "largest_step"
OF_BODY = ("largest_step", "axes_angle", "total_turn")
"""Quantities that are a matter of the body more than of the start."""
OF_STEP = ("stability",)
"""Quantities that are a matter of the step and the gains."""
PLACES = ("x", "y", "z")
"""Where a motion begins changes nothing: all systems look the same everywhere."""


def usual_measure(model: System, method: str | None = None) -> Measure:
    """What is asked first of a system or a method: how long a step may be, else what the system declares itself."""
    fitting = {m.id: m for m in measures_of(model).values() if method is None or not m.methods or method in m.methods}
    own = [measure.id for measure in model.measures]
    return fitting[next(name for name in (FIRST, *own, *fitting) if name in fitting)]


def usual_axes(model: System, method: Method, measure: Measure) -> tuple[Axis, Axis]:
    """Two axes for a quantity; the first ones of all that could be, those that matter most before the others."""
    own = () if measure.optional else measure.axes
    first, second = [*own, *in_order(model, method, measure.id)][:2]
    return axis_of(model, first), axis_of(model, second)


def in_order(model: System, method: Method, quantity: str) -> list[Parameter]:
    """All declared numbers that can be an axis, those that matter most for a quantity first."""
    body = list(reversed(usable(model, model.parameters)))[:2][::-1]
    step = [model.step, *(option for option in method.options if isinstance(option, Parameter))]
    starts = starting(model)
    groups = (body, starts, step)
    if quantity in OF_STEP:
        groups = (step, body, starts)
    elif quantity not in OF_BODY:
        groups = (starts, body, step)
    return [parameter for group in groups for parameter in group]


def starting(model: System) -> list[Parameter]:
    """The initial values worth varying: momenta of the plane, else the last two that are no places."""
    moving = [p for p in usable(model, model.initial) if p.name not in PLACES]
    if model.plane:
        return [p for name in model.plane.axes for p in moving if p.name == name]
    return moving[-2:]


def usable(model: System, declared: Iterable[Parameter]) -> list[Parameter]:
    """Numbers that are no whole ones and that the default body uses."""
    defaults = {p.name: p.default for p in model.parameters}
    return [p for p in declared if not p.whole and is_used(p.needs, defaults)]


def axis_of(model: System, declared: Parameter) -> Axis:
    """The range of a number that is worth dragging in; a gain is told in multiples of 1/step."""
    low, high = declared.slider or (declared.minimum, declared.maximum)
    scale = 1.0 / model.step.default if declared.per_step else 1.0
    return Axis(declared.name, max(low * scale, declared.minimum), min(high * scale, declared.maximum), COUNT)


def opening(model: System, quantity: str | None = None, method: str | None = None) -> Sweep:
    """The sweep with which a quantity of a system opens."""
    measure = measures_of(model)[quantity] if quantity else usual_measure(model, method)
    chosen = method_for(model, measure, method)
    x, y = usual_axes(model, chosen, measure)
    return Sweep.create(model.id, measure.id, x, y, chosen.id)
