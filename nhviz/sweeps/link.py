"""A sweep as the words of a link, and back. Quantity, map and axes are always told, other values where they differ."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, quote

from nhviz import registry
from nhviz.parameters import Choice, Parameter, ParameterError, shown
from nhviz.sweeps.axis import Axis, read_axis
from nhviz.sweeps.opening import opening
from nhviz.sweeps.presets import PRESETS
from nhviz.sweeps.usual import measures_of
from nhviz.sweeps.value import Sweep
from nhviz.system import Method, System

LONGEST = 4000
OF, SHOW, MAP, X, Y = "of", "show", "map", "x", "y"
WORDS = (OF, SHOW, MAP, X, Y)
KEPT = "kept."
"""Before a name that is a word of links, too: x and y are also places."""
STEP, DURATION = "step", "duration"


def query(sweep: Sweep) -> str:
    """The text of a sweep, as in an address behind the question mark."""
    axes = [(which, axis_text(axis)) for which, axis in ((X, sweep.x), (Y, sweep.y)) if axis]
    words = [(OF, sweep.system), (SHOW, sweep.quantity), (MAP, sweep.method), *axes]
    words += [(word_of(name), written(value)) for name, value in given(sweep).items()]
    return "&".join(f"{quote(word)}={quote(text, safe=':')}" for word, text in words)


def axis_text(axis: Axis) -> str:
    """An axis as name:first:last:count, with :log behind it for equal factors."""
    ends = f"{axis.name}:{written(axis.first)}:{written(axis.last)}:{axis.count}"
    return f"{ends}:log" if axis.log else ends


def word_of(name: str) -> str:
    """The word of a fixed value."""
    return KEPT + name if name in WORDS else name


def written(value: Any) -> str:
    """A value as the shortest text that gives it back."""
    if isinstance(value, float):
        return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)
    return str(value)


def given(sweep: Sweep) -> dict[str, Any]:
    """The fixed values that differ from what they would be if nobody had set them."""
    plain = Sweep.create(sweep.system, sweep.quantity, sweep.x, sweep.y, sweep.method, step=sweep.step)
    usual = dict(plain.params + plain.initial + plain.options)
    fixed = dict(sweep.params + sweep.initial + sweep.options)
    found = {name: value for name, value in fixed.items() if name not in usual or usual[name] != value}
    ends = {STEP: (sweep.step, sweep.model.step.default), DURATION: (sweep.duration, sweep.model.duration.default)}
    return found | {name: value for name, (value, default) in ends.items() if value not in (None, default)}


def read(text: str | None) -> tuple[Sweep, list[str]]:
    """The sweep of a text, and a sentence for everything in it that could not be used."""
    words = (text or "").lstrip("?")
    if not words:
        return PRESETS[0].create(), []
    pairs = dict(parse_qsl(words[:LONGEST], keep_blank_values=True))
    reader = Reader(pairs)
    if len(words) > LONGEST:
        reader.complaints.append(f"The link is longer than {LONGEST:,} characters; the rest is ignored.")
    return reader.sweep(), reader.complaints


class Reader:
    """Makes a sweep of the words of a link; what cannot be used is told, and left out."""

    def __init__(self, words: Mapping[str, str]) -> None:
        self.words = dict(words)
        self.complaints: list[str] = []

    def sweep(self) -> Sweep:
        """The sweep of the words that go together."""
        model = registry.find(self.one_of(OF, registry.systems(), PRESETS[0].create().system))
        known = measures_of(model)
        quantity = self.one_of(SHOW, known, opening(model).quantity)
        methods = known[quantity].methods or tuple(method.id for method in model.methods)
        first = opening(model, quantity, self.words.get(MAP) if self.words.get(MAP) in methods else None)
        method = model.method(self.one_of(MAP, methods, first.method))
        axes = self.axes(first)
        values = self.values(declared(model, method, first))
        return self.together(first, axes, values)

    def one_of(self, word: str, allowed: Any, default: str) -> str:
        """One of a few names; the default, with a sentence, for another."""
        text = self.words.get(word, default)
        if text not in allowed:
            self.complaints.append(f"The link says {word} = {shown(text[:20])}; it can be {', '.join(allowed)}.")
            return default
        return text

    def axes(self, first: Sweep) -> dict[str, Axis | None]:
        """The axes that the link names, else those with which the quantity opens; x alone is a curve."""
        x, y = self.axis(X), self.axis(Y)
        taken = [axis.name for axis in (x, y) if axis]
        spare = [axis for axis in (first.x, first.y) if axis and axis.name not in taken]
        if x is None:
            x, spare = spare[0], spare[1:]
        if y is None and (Y in self.words or X not in self.words):
            y = spare[-1] if spare else None
        return {X: x, Y: y}

    def axis(self, which: str) -> Axis | None:
        """An axis, or nothing with a sentence if it is none."""
        if which not in self.words:
            return None
        name, *numbers = self.words[which].split(":")
        try:
            return read_axis(which, (name, *map(number, numbers[:3]), *numbers[3:]))
        except ParameterError as error:
            self.complaints.append(f"The link cannot be used here: {error}")
        return None

    def values(self, names: Mapping[str, tuple[str, Parameter | Choice]]) -> dict[str, Any]:
        """The fixed values that the link names, each good by itself."""
        found: dict[str, Any] = {}
        for word, text in self.words.items():
            name = word.removeprefix(KEPT) if word.startswith(KEPT) else word
            if word in WORDS:
                continue
            if name not in names:
                self.complaints.append(f"The link contains {shown(word[:20])}, which means nothing here.")
                continue
            one = names[name][1]
            try:
                found[name] = one.check(text if isinstance(one, Choice) else number(text))
            except ParameterError as error:
                self.complaints.append(f"The link cannot be used here: {error}")
        return found

    def together(self, first: Sweep, axes: Mapping[str, Axis | None], values: dict[str, Any]) -> Sweep:
        """The sweep; a value that does not go with the others is left out, then the axes are the usual ones."""
        groups = declared(first.model, first.model.method(first.method), first)
        while True:
            try:
                return Sweep.create(
                    first.system, first.quantity, axes[X], axes[Y], first.method, **grouped(values, groups)
                )
            except ParameterError as error:
                self.complaints.append(f"The link cannot be used here: {error}")
                if error.name in values:
                    del values[error.name]
                elif axes == {X: first.x, Y: first.y}:
                    values.clear()
                else:
                    axes = {X: first.x, Y: first.y}


def number(text: str) -> Any:
    """A number, or the text itself, which is then refused with its name."""
    try:
        return float(text)
    except ValueError:
        return text


def declared(model: System, method: Method, sweep: Sweep) -> dict[str, tuple[str, Parameter | Choice]]:
    """All that can be fixed, by name, with the argument of `Sweep.create` that takes it, if that is not its own."""
    groups: dict[str, tuple[Parameter | Choice, ...]] = {
        "params": model.parameters,
        "initial": model.initial,
        "options": (*method.options, *sweep.measure.axes),
    }
    found = {p.name: (group, p) for group, names in groups.items() for p in names}
    return found | {STEP: ("", model.step), DURATION: ("", model.duration)}


def grouped(values: Mapping[str, Any], groups: Mapping[str, tuple[str, Parameter | Choice]]) -> dict[str, Any]:
    """Fixed values as the arguments of `Sweep.create`."""
    found: dict[str, Any] = {}
    for name, value in values.items():
        group = groups[name][0]
        if group:
            found.setdefault(group, {})[name] = value
        else:
            found[name] = value
    return found
