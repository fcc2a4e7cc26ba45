"""What can be said about a scene: the words of a link, with what each of them may be.

A word is the name of a value, after that of its panel or view and a dot: `a`, `left.a`, `locus.surface`. The same words
are the keys of a state, of the controls on the page and of the sentences beside them.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal

from nhviz.frame.records import Panel, Scene, View
from nhviz.once import once
from nhviz.parameters import Choice, Parameter

Group = Literal["body", "start", "step", "gains", "view"]
SCENE, LAYOUT = "scene", "layout"
FOCUS = "focus."
VARIANTS = "methods"
"""The word for the chosen variants of a panel."""


@dataclass(frozen=True)
class Number:
    """A number that can be set: its declaration, whose it is, and what it is when the page opens."""

    declared: Parameter
    group: Group
    owner: str
    opening: float
    needs: tuple[str, float] | None

    def describe(self) -> dict[str, Any]:
        """Plain data for the browser; what it needs is named by its word."""
        return self.declared.describe() | ({"needs": list(self.needs)} if self.needs else {})


@dataclass(frozen=True)
class Option:
    """One of a few texts that can be set."""

    declared: Choice
    owner: str
    opening: str

    @property
    def allowed(self) -> list[str]:
        """What it can be."""
        return [str(item) for item in self.declared.choices]


class Vocabulary:
    """The words of one scene."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene

    @once
    def numbers(self) -> dict[str, Number]:
        """All words that are numbers."""
        found: dict[str, Number] = {}
        for panel in self.scene.panels:
            found |= panel_numbers(panel)
        for view in self.scene.all_views.values():
            for p in view.options:
                if isinstance(p, Parameter):
                    found[f"{view.id}.{p.name}"] = Number(p, "view", view.id, p.default, None)
        return found

    @once
    def options(self) -> dict[str, Option]:
        """All words that are one of a few texts: options of methods and of views."""
        found: dict[str, Option] = {}
        for panel in self.scene.panels:
            for choice in open_options(panel):
                if isinstance(choice, Choice):
                    opening = str(panel.options.get(choice.name, choice.default))
                    found[panel.word(choice.name)] = Option(choice, panel.name, opening)
        for view in self.scene.all_views.values():
            found |= view_options(view)
        return found

    @once
    def variants(self) -> dict[str, Panel]:
        """The words that choose variants, each with its panel."""
        return {panel.word(VARIANTS): panel for panel in self.scene.panels}

    @once
    def tabs(self) -> dict[str, list[str]]:
        """The places with tabs, each with its views."""
        return {
            place.id: [view.id for view in place.views] for place in self.scene.places.values() if len(place.views) > 1
        }

    @once
    def names(self) -> dict[str, list[str]]:
        """The names of the numbers of each panel, by its own."""
        own = [number for number in self.numbers.values() if number.group != "view"]
        return {panel.name: [n.declared.name for n in own if n.owner == panel.name] for panel in self.scene.panels}

    @once
    def layouts(self) -> list[str]:
        """How the page can be laid out: all places alike, one of them large beside the others, or one alone."""
        return ["all", *(f"{FOCUS}{place}" for place in self.scene.places), *self.scene.places]


def laid_out(layout: str) -> tuple[str, str]:
    """The kind of a layout, and the place that is large in it, if there is one."""
    if layout == "all":
        return "all", ""
    return ("focus", layout.removeprefix(FOCUS)) if layout.startswith(FOCUS) else ("single", layout)


@lru_cache(maxsize=256)
def vocabulary(scene: Scene) -> Vocabulary:
    """The words of a scene, put together once."""
    return Vocabulary(scene)


def panel_numbers(panel: Panel) -> dict[str, Number]:
    """The words of a panel that are numbers: parameters, initial values, step, duration, gains."""
    model = panel.model
    gains = [option for option in open_options(panel) if isinstance(option, Parameter)]
    groups: list[tuple[Group, list[Parameter]]] = [
        ("body", list(model.parameters)),
        ("start", list(model.initial)),
        ("step", [replace(model.step, name="step"), replace(model.duration, name="duration")]),
        ("gains", gains),
    ]
    opening = {**panel.values, **panel.options}
    return {
        panel.word(p.name): Number(
            called(panel, p),
            group,
            panel.name,
            float(opening.get(p.name, p.default)),
            (panel.word(p.needs[0]), p.needs[1]) if p.needs else None,
        )
        for group, declared in groups
        for p in declared
    }


def called(panel: Panel, declared: Parameter) -> Parameter:
    """A number as a panel declares it."""
    return replace(declared, **panel.words[declared.name]) if declared.name in panel.words else declared


def open_options(panel: Panel) -> list[Choice | Parameter]:
    """The options of methods that some variant of a panel leaves open, each once."""
    found = {
        option.name: option
        for way in panel.ways.values()
        for option in panel.model.method(way.method).options
        if option.name not in way.options
    }
    return list(found.values())


def view_options(view: View) -> dict[str, Option]:
    """The words of a view."""
    return {
        f"{view.id}.{choice.name}": Option(choice, view.id, str(choice.default))
        for choice in view.options
        if isinstance(choice, Choice)
    }
