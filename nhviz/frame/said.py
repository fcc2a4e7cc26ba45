"""What a page says about what it shows: sentences, statistics, gauges, stops. Small frozen records, and plain data.

Numbers are written for people: four digits at most, a real minus, powers of ten in superscripts.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from nhviz.figures.arrays import typed
from nhviz.figures.style import Look
from nhviz.system import Array

DIGITS = 4
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
POWERS = str.maketrans("23468", "²³⁴⁶⁸")
CLOSE = ("", "°", "° apart")
"""Units that stand at their number without a space."""


@dataclass(frozen=True)
class Said:
    """A part of a sentence: words, a number, or a method, which has the key of its variant.

    Words that are `coming` wait for the shares that they tell, as {share 2} (`nhviz.figures.style.Coming`).
    """

    text: str
    kind: Literal["", "number", "method", "coming"] = ""
    key: str = ""

    def describe(self) -> dict[str, Any]:
        """Plain data for the browser."""
        return {"text": self.text, "kind": self.kind, "key": self.key}


Sentence = tuple[Said, ...]


@dataclass(frozen=True, eq=False)
class Statistic:
    """A number with its label. With `values` it follows the clock, at the instants of the run `key`, and says its sign
    unless it is a `size`.

    `value` is written without its unit; `text` is both. A `rare` one is left out where there is little room.
    """

    label: str
    value: str
    unit: str = ""
    key: str = ""
    values: Array | None = None
    rare: bool = False
    size: bool = False

    @property
    def text(self) -> str:
        """The value with its unit."""
        return with_unit(self.value, self.unit)

    def describe(self) -> dict[str, Any]:
        """Plain data for the browser; values are typed as those of pictures are."""
        return {
            "label": self.label,
            "value": self.value,
            "unit": unit_of(self.unit),
            "key": self.key,
            "values": None if self.values is None else typed(self.values),
            "rare": self.rare,
            "size": self.size,
        }


@dataclass(frozen=True)
class Lane:
    """How far a number can go for one run: up to a fold, or as long as it is stable; without a bound, a note."""

    key: str
    label: str
    bound: float | None
    what: Literal["fold", "stable"]
    note: str = ""

    def describe(self) -> dict[str, Any]:
        """Plain data for the browser."""
        return {"key": self.key, "label": self.label, "bound": self.bound, "what": self.what, "note": self.note}


@dataclass(frozen=True)
class Gauge:
    """The admissible range of the number of a word, a lane for each run, on a linear scale from `begin` to `end`.

    Where no run has a lane, `intervals` are what is admissible. `marks` are places with a name, and `note` says in a
    few words where the number is.
    """

    word: str
    lanes: tuple[Lane, ...]
    end: float
    begin: float = 0.0
    intervals: tuple[tuple[float, float], ...] = ()
    marks: tuple[tuple[str, float], ...] = ()
    note: str = ""

    def describe(self) -> dict[str, Any]:
        """Plain data for the browser."""
        return {
            "word": self.word,
            "lanes": [lane.describe() for lane in self.lanes],
            "end": self.end,
            "begin": self.begin,
            "intervals": [list(ends) for ends in self.intervals],
            "marks": [{"name": name, "at": at} for name, at in self.marks],
            "note": self.note,
        }


@dataclass(frozen=True)
class Stop:
    """A run that ended early: what happened, and the numbers that mend it, by their words; none where nothing does."""

    key: str
    text: str
    values: Mapping[str, float] = field(default_factory=dict)
    label: str = ""

    def describe(self) -> dict[str, Any]:
        """Plain data for the browser."""
        return {"key": self.key, "text": self.text, "values": dict(self.values), "label": self.label}


def readable(value: float, digits: int = DIGITS) -> str:
    """A number for people: −0.03270, 1515, 4.5 · 10⁻¹⁶."""
    if value == 0.0:
        return "0"
    mantissa, _, power = f"{value:.{digits - 1}e}".partition("e")
    if not -3 <= int(power) < 5:
        short, _, power = f"{value:.1e}".partition("e")
        return f"{short} · 10".replace("-", "−") + str(int(power)).translate(SUPERSCRIPTS)
    decimals = max(0, digits - 1 - int(power))
    return f"{float(f'{mantissa}e{power}'):.{decimals}f}".replace("-", "−")


def whole(value: float) -> str:
    """A whole number for people."""
    return f"{round(value)}".replace("-", "−")


def unit_of(unit: str) -> str:
    """A unit with its powers as they are written by hand: kg m²/s."""
    parts = unit.split("^")
    return parts[0] + "".join(part[:1].translate(POWERS) + part[1:] for part in parts[1:])


def with_unit(value: str, unit: str) -> str:
    """A number with its unit."""
    return f"{value}{'' if unit in CLOSE else ' '}{unit_of(unit)}"


def words(text: str) -> Said:
    """Plain words."""
    return Said(text)


def number(value: float | str, unit: str = "", digits: int = DIGITS) -> Said:
    """A number with its unit; a text is taken as it is."""
    return Said(with_unit(value if isinstance(value, str) else readable(value, digits), unit), "number")


def percent(share: float) -> Said:
    """A share as a percentage, with two digits below ten and none after the point above."""
    value = 100.0 * share
    return number(whole(value) if abs(value) >= 9.95 else readable(value, 2), "%")


def method(look: Look) -> Said:
    """A run by the name of its method, in its colour."""
    return Said(look.label, "method", look.key)


def sentence(*parts: str | Said) -> Sentence:
    """A sentence of words, numbers and methods."""
    return tuple(words(part) if isinstance(part, str) else part for part in parts if part)


def spoken(said: Sentence) -> str:
    """A sentence as plain text."""
    return "".join(part.text for part in said)
