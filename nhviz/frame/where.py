"""Where a problem is seen: the state of a lab that runs it."""

from collections.abc import Iterator
from typing import Any

from nhviz.frame.find import labs
from nhviz.frame.records import Lab, Panel, Scene, Variant, View
from nhviz.frame.shown import visible
from nhviz.frame.state import State, opening
from nhviz.frame.words import VARIANTS
from nhviz.parameters import Choice
from nhviz.problem import Problem


def state_of(problem: Problem) -> State | None:
    """The first state in which a lab runs a problem with its method alone; None if no lab does."""
    for lab, scene, panel in panels_of(problem.system):
        way = next((way for way in panel.ways.values() if runs(way, panel, problem)), None)
        if way is not None:
            return with_problem(opening(lab, scene), panel, way, problem)
    return None


def flat_view(state: State) -> View | None:
    """The first flat picture of a state that is quick to paint, if there is one."""
    return next((view for view in visible(state).values() if view.kind == "plane" and not view.waits), None)


def panels_of(system: str) -> Iterator[tuple[Lab, Scene, Panel]]:
    """Every panel of a system; those of the lab that is called like it come first."""
    known = labs()
    first = [known[system]] if system in known else []
    for lab in (*first, *(lab for lab in known.values() if lab.id != system)):
        for scene in lab.scenes:
            for panel in scene.panels:
                if panel.system == system:
                    yield lab, scene, panel


def runs(way: Variant, panel: Panel, problem: Problem) -> bool:
    """Whether a variant can be this problem: its method, the whole step, and no option of its own that differs."""
    given = numbers_of(panel, problem) | dict(problem.options)
    same = all(given.get(name) == value for name, value in way.options.items())
    return way.method == problem.method and way.share == 1.0 and same


def numbers_of(panel: Panel, problem: Problem) -> dict[str, float]:
    """The numbers of a problem as a panel has them: a gain in multiples of 1/step."""
    options = dict(problem.options)
    gains = {
        option.name: options[option.name] * (problem.step if option.per_step else 1.0)
        for option in panel.model.method(problem.method).options
        if not isinstance(option, Choice) and option.name in options
    }
    plain = dict(problem.params) | dict(problem.initial) | {"step": problem.step, "duration": problem.duration}
    return plain | gains


def with_problem(state: State, panel: Panel, way: Variant, problem: Problem) -> State:
    """A state with the values of a problem in one of its panels, and the variant that runs it chosen there."""
    data: dict[str, Any] = state.to_dict()
    for name, value in numbers_of(panel, problem).items():
        if panel.word(name) in data["numbers"]:
            data["numbers"][panel.word(name)] = value
    for name, value in problem.options:
        if panel.word(name) in data["options"]:
            data["options"][panel.word(name)] = str(value)
    data["variants"][panel.word(VARIANTS)] = [way.id]
    return State.from_dict(state.lab, data)
