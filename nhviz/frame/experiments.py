"""Suggested experiments as states: those that a lab declares, else those of its systems."""

from dataclasses import dataclass, replace

from nhviz.frame.records import Lab, Panel, Scene, Step
from nhviz.frame.state import State, opening
from nhviz.frame.words import VARIANTS
from nhviz.system import Experiment


@dataclass(frozen=True)
class Suggestion:
    """What to set, and what to look at; `shows` tells that it also says which views and tabs to show."""

    title: str
    look: str
    state: State
    shows: bool = False


def suggestions(lab: Lab, scene: Scene) -> list[Suggestion]:
    """The experiments of a scene: those that its lab declares for it, else those of its systems."""
    steps = [(step, state_of(lab, step)) for step in lab.experiments]
    own = [Suggestion(step.title, step.words, state, shows=True) for step, state in steps if state.scene is scene]
    return own or [
        Suggestion(titled(panel, one), one.look, prepared(opening(lab, scene), panel, one))
        for panel in scene.panels
        for one in panel.model.experiments
    ]


def titled(panel: Panel, one: Experiment) -> str:
    """The title of an experiment; where panels have names it says whose it is."""
    return f"{panel.title or panel.name}: {one.title}" if panel.name else one.title


def state_of(lab: Lab, step: Step) -> State:
    """The state of a step of a lab."""
    return State.from_query(lab, step.state.partition("?")[2])[0]


def prepared(state: State, panel: Panel, one: Experiment) -> State:
    """An opening state with what an experiment of a panel's system sets; its method joins those that are chosen."""
    given = {**one.params, **one.initial, **one.gains, "step": one.step, "duration": one.duration}
    words = {panel.word(name): float(value) for name, value in given.items() if value is not None}
    ways = dict(state.variants)
    joining = [way.id for way in panel.ways.values() if way.method == one.method][:1]
    ways[panel.word(VARIANTS)] = tuple(dict.fromkeys((*ways[panel.word(VARIANTS)], *joining)))
    numbers = tuple((word, words.get(word, value)) for word, value in state.numbers)
    return replace(state, numbers=numbers, variants=tuple(ways.items()))
