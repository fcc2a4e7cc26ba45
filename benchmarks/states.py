"""Random states that a person could set with the controls of a lab, and what pages in these states ask for.

Everything comes from declarations: numbers over their sliders, over their whole ranges and at the ends of them, any
methods, options, tabs and layouts. What asks for too much, or does not go together, is drawn anew.
"""

import math
import random
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from nhviz.figures.style import THEMES
from nhviz.frame import find
from nhviz.frame.records import Lab, Scene
from nhviz.frame.state import State, opening
from nhviz.frame.words import FOCUS, Number, vocabulary
from nhviz.parameters import Parameter
from server import limits

TRIES = 40
"""States that are drawn before one that can be shown is given up for one that is told why not."""
SHORT = 20_000
"""Most steps of nearly all states: longer runs take seconds, and show nothing else."""
NEAR = 1e-9
"""How near to the end of its range a number may be, as a share of the range."""


@dataclass(frozen=True)
class Asked:
    """What a page asks for: pictures, a start where it was clicked, ghosts or a file, in a state and a theme."""

    what: str
    state: State
    theme: str = "light"
    question: dict[str, Any] | None = None
    view: str = ""
    place: tuple[float, ...] = ()
    views: tuple[str, ...] = ()

    @property
    def link(self) -> str:
        """The address of the state, and where it was clicked."""
        where = f" click {self.view} {list(self.place)}" if self.place else ""
        return f"/{self.state.lab.id}?{self.state.query()}{where}"


def ask(chance: random.Random) -> Asked:
    """Anything that a page can ask for."""
    state = random_state(chance)
    what = chance.choices(("question", "click", "ghosts", "csv"), weights=(62, 7, 30, 1))[0]
    clickable = [view for view in state.scene.all_views.values() if callable(view.start)]
    if what == "click" and clickable:
        view = chance.choice(clickable)
        return Asked(what, state, view=view.id, place=anywhere(chance, 3 if view.kind == "space" else 2))
    if what == "ghosts":
        pictures = [view.id for view in state.scene.all_views.values() if view.kind != "text"]
        # All of them in one request: more pictures than a question has.
        few = chance.sample(pictures, chance.randint(1, min(3, len(pictures))))
        return Asked(what, state, theme(chance), views=tuple(chance.choice((pictures, pictures, few))))
    return Asked("csv", state) if what == "csv" else Asked("question", state, theme(chance), question(chance, state))


def theme(chance: random.Random) -> str:
    """One of the themes, most often the first."""
    return chance.choice(("light", "light", *THEMES))


def question(chance: random.Random, state: State) -> dict[str, Any]:
    """What a page asks: for everything in sight or some places, while a hand drags or not, presenting or not."""
    names = list(state.scene.places)
    some = chance.sample(names, chance.randint(1, len(names)))
    cards = [f"card/{name}" for name, card in find.cards().items() if card.state.startswith(state.lab.id)]
    return {
        "state": state.to_dict(),
        "preview": chance.random() < 0.15,
        "places": chance.choice((None, None, None, some)),
        "about": chance.choice(("", "", *cards)),
        "number": chance.randint(1, 1000),
        "presenter": chance.random() < 0.15,
    }


def anywhere(chance: random.Random, dimension: int) -> tuple[float, ...]:
    """A place that may be clicked: of any size, far beyond all pictures too."""
    size = 10.0 ** chance.choice((0, 0, chance.uniform(-3, 3), chance.uniform(3, 15), chance.uniform(-300, 300)))
    return tuple(chance.choice((0.0, 1.0, 1.0, 1.0)) * size * chance.uniform(-1.0, 1.0) for _ in range(dimension))


@cache
def sights() -> list[tuple[Lab, Scene, str, str]]:
    """Every view with its place, scene and lab; pictures, in which more can go wrong than in texts, four times."""
    return [
        (lab, scene, place.id, view.id)
        for lab in find.labs().values()
        for scene in lab.scenes
        for place in scene.places.values()
        for view in place.views
        for _ in range(1 if view.kind == "text" else 4)
    ]


def random_state(chance: random.Random) -> State:
    """A state that can be shown, with any view in sight; after many tries one that cannot."""
    lab, scene, place, view = chance.choice(sights())
    for _ in range(TRIES):
        found = in_sight(chance, drawn(chance, lab, scene), place, view)
        if not found.errors(limits.admitted):
            break
    return found


def in_sight(chance: random.Random, state: State, place: str, view: str) -> State:
    """A state in which a view is seen, in any layout and among any others."""
    tabs = {name: chance.choice(views) for name, views in vocabulary(state.scene).tabs.items()}
    focus = [layout for layout in vocabulary(state.scene).layouts if layout.startswith(FOCUS)]
    layout = chance.choice(("all", state.scene.layout, chance.choice(focus), place))
    return replace(state, tabs=tuple((tabs | ({place: view} if place in tabs else {})).items()), layout=layout)


def drawn(chance: random.Random, lab: Lab, scene: Scene) -> State:
    """Any values of a scene: some of its numbers, or all of them, drawn from one kind of range or several."""
    words, first = vocabulary(scene), opening(lab, scene)
    share = chance.choice((0.3, 1.0, 1.0))
    kinds = chance.choice((*(("slider",),) * 3, ("whole",), ("end", "slider"), ("slider", "whole", "size", "end")))
    numbers = dict(first.numbers)
    for word, number in words.numbers.items():
        if chance.random() < share:
            numbers[word] = drawn_number(chance, number, chance.choice(kinds))
    if chance.random() < 0.98:
        shorten(numbers)
    return replace(
        first,
        numbers=tuple(numbers.items()),
        options=tuple((word, chance.choice(option.allowed)) for word, option in words.options.items()),
        variants=tuple((word, tuple(methods(chance, list(panel.ways)))) for word, panel in words.variants.items()),
    )


def methods(chance: random.Random, ways: list[str]) -> list[str]:
    """None of the variants, one of them, or several."""
    return chance.sample(ways, min(len(ways), chance.choice((0, 1, 1, 2, 3, len(ways)))))


def drawn_number(chance: random.Random, number: Number, kind: str) -> float:
    """A number from a kind of range: the slider, all that is allowed, the ends of that, or any order of magnitude."""
    declared = number.declared
    low, high = (declared.slider if kind == "slider" and declared.slider else None) or (
        declared.minimum, declared.maximum,
    )  # fmt: skip
    if declared.whole:
        return float(chance.randint(math.ceil(low), math.floor(high)))
    if kind == "end":
        return at_the_end(chance, declared)
    if kind == "size":
        return of_any_size(chance, low, high)
    return chance.uniform(low, high)


def at_the_end(chance: random.Random, declared: Parameter) -> float:
    """An end of the range or of the slider, a number just inside the range, or the default, or 0 if that is allowed."""
    low, high = declared.minimum, declared.maximum
    inside = NEAR * (high - low)
    zero = (0.0,) if low <= 0.0 <= high else ()
    return chance.choice((low, high, low + inside, high - inside, *(declared.slider or ()), *zero, declared.default))


def of_any_size(chance: random.Random, low: float, high: float) -> float:
    """A number of a range whose logarithm is drawn evenly, of either sign where both are allowed."""
    largest = max(abs(low), abs(high))
    least = max(low, -high, 1e-12 * largest)
    size = math.exp(chance.uniform(math.log(least), math.log(largest)))
    return chance.choice([value for value in (size, -size) if low <= value <= high] or [low])


def shorten(numbers: dict[str, float]) -> None:
    """Make the runs of all panels no longer than a few thousand steps."""
    for word in [word for word in numbers if word.rpartition(".")[2] == "duration"]:
        step = numbers[word.removesuffix("duration") + "step"]
        numbers[word] = min(numbers[word], SHORT * step)
