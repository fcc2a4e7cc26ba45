"""The state of a page as a value with one text form, which is its address.

A state holds what a person has set: values, options, variants, what is shown. It does not hold the theme, the camera,
the clock, or what is wrong with a value. The text names only what differs from the opening state.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qsl, quote

from nhviz.frame.records import Lab, Panel, Scene, Variant
from nhviz.frame.words import LAYOUT, SCENE, VARIANTS, Number, Vocabulary, vocabulary
from nhviz.once import once
from nhviz.parameters import Choice, Parameter, ParameterError, is_used, shown, used_or_default
from nhviz.problem import STEPS_LIMIT, Problem

LONGEST = 4000
COMPLAINTS = 5
SAMPLES = 2000
"""A page keeps every step of a run up to so many."""
POINTS = 700
"""The clock has no more instants; of a longer run only these are kept, evenly."""

Pairs = tuple[tuple[str, Any], ...]
Admitted = Callable[[Problem], Problem]


@dataclass(frozen=True)
class State:
    """What a page shows. Make it with `opening`, `from_query` or `from_dict`; values may be out of their ranges."""

    lab: Lab
    scene: Scene
    numbers: Pairs
    options: Pairs
    variants: Pairs
    tabs: Pairs
    layout: str

    @property
    def vocabulary(self) -> Vocabulary:
        """The words of its scene."""
        return vocabulary(self.scene)

    @once
    def values(self) -> dict[str, float]:
        """The numbers by their words."""
        return dict(self.numbers)

    def number(self, word: str) -> float:
        """The number of a word."""
        return self.values[word]

    def is_used(self, number: Number) -> bool:
        """Whether the dimension leaves a number its meaning."""
        return number.needs is None or is_used(number.needs, self.values)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as the browser has it."""
        return {
            "lab": self.lab.id,
            "scene": self.scene.id,
            "numbers": dict(self.numbers),
            "options": dict(self.options),
            "variants": {word: list(ids) for word, ids in self.variants},
            "tabs": dict(self.tabs),
            "layout": self.layout,
        }

    @classmethod
    def from_dict(cls, lab: Lab, data: Mapping[str, Any]) -> "State":
        """The state of `to_dict` of a lab. Its shape must have been checked."""
        return cls(
            lab=lab,
            scene=lab.scene(data["scene"]),
            numbers=tuple(data["numbers"].items()),
            options=tuple(data["options"].items()),
            variants=tuple((word, tuple(ids)) for word, ids in data["variants"].items()),
            tabs=tuple(data["tabs"].items()),
            layout=data["layout"],
        )

    def said(self) -> dict[str, str]:
        """All words of the state, each as text; those without a meaning in this dimension are left out."""
        numbers = self.vocabulary.numbers
        return {
            SCENE: self.scene.id,
            **{word: written(value) for word, value in self.numbers if self.is_used(numbers[word])},
            **{word: ".".join(ids) for word, ids in self.variants},
            **dict(self.options),
            **dict(self.tabs),
            LAYOUT: self.layout,
        }

    def query(self) -> str:
        """The text of the state: what differs from the opening one, as in an address behind the question mark."""
        usual = said_at_first(self.lab, self.scene)
        words = [(word, text) for word, text in self.said().items() if usual.get(word) != text]
        return "&".join(f"{quote(word)}={quote(text)}" for word, text in words)

    @classmethod
    def from_query(cls, lab: Lab, text: str | None, admitted: Admitted = lambda p: p) -> tuple["State", list[str]]:
        """The state of a text, and a sentence for everything in it that could not be used.

        Values that do not go together, or that `admitted` refuses, give the opening state and the reason.
        """
        query = (text or "").lstrip("?")
        pairs = parse_qsl(query[:LONGEST], keep_blank_values=True)
        complaints = [f"The link is longer than {LONGEST:,} characters; the rest is ignored."] * (len(query) > LONGEST)
        name = dict(pairs).get(SCENE, lab.scenes[0].id)
        known = [scene.id for scene in lab.scenes]
        if name not in known:
            complaints.append(f"The link says scene = {shown(name[:20])}; it can be {', '.join(known)}.")
        first = opening(lab, lab.scene(name if name in known else known[0]))
        reader = Reader(first)
        for word, value in pairs:
            complaints += reader.read(lab.former.get(word, word), value)
        problem = next(iter(reader.state().errors(admitted).values()), "")
        told = few(complaints)
        return (first, [*told, f"The link cannot be shown: {problem}"]) if problem else (reader.state(), told)

    def chosen(self, panel: Panel) -> list[Variant]:
        """The variants of a panel that run, in the order in which the lab declares them."""
        ids = dict(self.variants)[panel.word(VARIANTS)]
        return [way for way in panel.ways.values() if way.id in ids]

    def problems(self, panel: Panel, admitted: Admitted = lambda problem: problem) -> dict[str, Problem]:
        """A problem for each chosen variant of a panel; ParameterError, with the word, for what cannot be used."""
        ways = self.chosen(panel)
        # Nothing may run, but what is drawn stands at a start: its values must go together all the same.
        first = self.problem(panel, ways[0] if ways else next(iter(panel.ways.values())), admitted)
        others = {way.id: self.problem(panel, way, admitted, first) for way in ways[1:]}
        return ({ways[0].id: first} if ways else {}) | others

    def problem(self, panel: Panel, way: Variant, admitted: Admitted, like: Problem | None = None) -> Problem:
        """The problem of a variant, thinned to what a page can show; `like` is that of another variant."""
        model = panel.model
        values = {name: self.values[panel.word(name)] for name in self.names(panel)}
        try:
            step, duration = model.step.check(values["step"]) * way.share, model.duration.check(values["duration"])
            every = every_of(round(min(duration / step, STEPS_LIMIT)))
            options = {o.name: self.option(panel, way, o, step) for o in model.method(way.method).options}
            if like is not None:
                return admitted(like.by(way.method, step, every, options))
            params, start = (used_or_default(part, values, values) for part in (model.parameters, model.initial))
            return admitted(Problem.create(model.id, way.method, params, start, step, duration, every, options))
        except ParameterError as error:
            raise ParameterError(str(error), panel.word(error.name) if error.name else "") from None

    def names(self, panel: Panel) -> list[str]:
        """The names of the numbers of a panel."""
        return self.vocabulary.names[panel.name]

    def option(self, panel: Panel, way: Variant, declared: Choice | Parameter, step: float) -> Any:
        """An option of a variant: its own, or what the panel says; a gain is given in multiples of 1/step."""
        word = panel.word(declared.name)
        if isinstance(declared, Choice):
            return way.options.get(declared.name, dict(self.options).get(word, declared.default))
        value = way.options.get(declared.name, self.values.get(word, declared.default))
        return value / step if declared.per_step else value

    def errors(self, admitted: Admitted = lambda problem: problem) -> dict[str, str]:
        """A sentence for every word whose value cannot be used; then, if each is good alone, for what goes together."""
        found = self.errors_alone()
        for panel in () if found else self.scene.panels:
            try:
                self.problems(panel, admitted)
            except ParameterError as error:
                found[error.name] = str(error)
        return found

    def errors_alone(self) -> dict[str, str]:
        """A sentence for every word whose value cannot be used whatever the others are."""
        words = self.vocabulary
        used = [(word, value) for word, value in self.numbers if self.is_used(words.numbers[word])]
        found = {word: complaint(word, words.numbers[word].declared, value) for word, value in used}
        found |= {word: complaint(word, words.options[word].declared, text) for word, text in self.options}
        return {word: sentence for word, sentence in found.items() if sentence}


@lru_cache(maxsize=256)
def said_at_first(lab: Lab, scene: Scene) -> dict[str, str]:
    """The words of the opening state of a scene, those without a meaning in its dimension too, in the first scene."""
    first = opening(lab, scene)
    return first.said() | {word: written(value) for word, value in first.numbers} | {SCENE: lab.scenes[0].id}


class Reader:
    """Puts the words of a link into a state, one by one."""

    def __init__(self, first: State) -> None:
        self.first, self.data = first, first.to_dict()

    def state(self) -> State:
        """The state so far."""
        return State.from_dict(self.first.lab, self.data)

    def read(self, word: str, text: str) -> list[str]:
        """Take one word; a sentence if it cannot be used. The scene has been read already."""
        vocabulary = self.first.vocabulary
        allowed = {name: option.allowed for name, option in vocabulary.options.items()}
        found: list[str] = []
        if word in vocabulary.numbers:
            found = self.read_number(vocabulary.numbers[word], word, text)
        elif word in vocabulary.variants:
            found = self.read_variants(vocabulary.variants[word], word, text)
        elif word in allowed:
            found = self.read_choice(self.data["options"], word, text, allowed[word])
        elif word in vocabulary.tabs:
            found = self.read_choice(self.data["tabs"], word, text, vocabulary.tabs[word])
        elif word == LAYOUT:
            found = self.read_choice(self.data, word, text, vocabulary.layouts)
        elif word != SCENE:
            found = [f"The link contains {word[:20]!r}, which means nothing here; it is ignored."]
        return found

    def read_number(self, number: Number, word: str, text: str) -> list[str]:
        """A number; the opening one stays if it is none or out of range."""
        low, high = number.declared.minimum, number.declared.maximum
        try:
            value = float(text)
        except ValueError:
            return [f"The link says {word} = {text[:20]!r}, which is not a number; the default is used."]
        if not low <= value <= high:
            return [f"The link says {word} = {shown(value)}, which is not between {low:g} and {high:g}."]
        self.data["numbers"][word] = value
        return []

    def read_variants(self, panel: Panel, word: str, text: str) -> list[str]:
        """The chosen variants of a panel, perhaps none; those that it does not have are left out."""
        given = list(dict.fromkeys(text.split("."))) if text else []
        known = [name for name in panel.ways if name in given]
        self.data["variants"][word] = known if known or not text else self.data["variants"][word]
        missing = f"The link names a method that {panel.system} does not have; it is left out."
        return [missing] if len(known) < len(given) else []

    def read_choice(self, place: dict[str, Any], word: str, text: str, allowed: list[str]) -> list[str]:
        """One of a few texts; the opening one stays if it is another."""
        if text not in allowed:
            return [f"The link says {word} = {text[:20]!r}; it can be {', '.join(allowed)}."]
        place[word] = text
        return []


def opening(lab: Lab, scene: Scene) -> State:
    """The state in which a scene opens."""
    words = vocabulary(scene)
    return State(
        lab=lab,
        scene=scene,
        numbers=tuple((word, number.opening) for word, number in words.numbers.items()),
        options=tuple((word, option.opening) for word, option in words.options.items()),
        variants=tuple((word, panel.opening) for word, panel in words.variants.items()),
        tabs=tuple((place, views[0]) for place, views in words.tabs.items()),
        layout=scene.layout,
    )


def every_of(steps: int) -> int:
    """Which steps of a run a page keeps: each k-th of so many, the last one too if some k of this size allows it."""
    if steps <= SAMPLES:
        return 1
    least = min(-(-steps // (POINTS - 1)), STEPS_LIMIT)
    return next((every for every in range(least, 2 * least) if steps % every == 0), least)


def complaint(word: str, declared: Choice | Parameter, value: Any) -> str:
    """What is wrong with the value of a word, or nothing."""
    try:
        (declared if declared.name == word else replace(declared, name=word)).check(value)
    except ParameterError as error:
        return str(error)
    return ""


def written(value: float) -> str:
    """A number as the shortest text that gives it back."""
    return str(int(value)) if math.isfinite(value) and value == int(value) and abs(value) < 1e15 else repr(value)


def few(complaints: list[str]) -> list[str]:
    """Each complaint once, and no more of them than anyone reads."""
    different = list(dict.fromkeys(complaints))
    more = len(different) - COMPLAINTS
    return [*different[:COMPLAINTS], f"And {more} more."] if more > 0 else different
