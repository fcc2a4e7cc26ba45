"""Declare a parameter once: default, range, symbol, unit, meaning. Everything else follows.

The same declaration validates a call, fills the description, makes the slider and its number box.
"""

import difflib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any


class ParameterError(ValueError):
    """A value that cannot be used: one sentence with its name, what is allowed and what was given."""

    def __init__(self, message: str, name: str = "") -> None:
        super().__init__(message)
        self.name = name


@dataclass(frozen=True)
class Parameter:
    """A number with a default and a closed range; `slider` is the part of the range worth dragging in.

    With `per_step` default and slider are multiples of 1/step, as for a gain. A `whole` number takes no fractions.
    `needs` = ("n", 4) says that the value is used from n = 4 on: fewer dimensions have fewer moments.
    """

    name: str
    default: float
    minimum: float
    maximum: float
    meaning: str
    symbol: str = ""
    unit: str = ""
    slider: tuple[float, float] | None = None
    per_step: bool = False
    whole: bool = False
    needs: tuple[str, float] | None = None

    def check(self, value: Any) -> float:
        """The value as a float, or a ParameterError."""
        number = finite_number(self.name, value)
        if self.whole and self.minimum <= number <= self.maximum and number != int(number):
            raise ParameterError(
                f"{self.name} must be a whole number between {self.minimum:g} and {self.maximum:g}, not {number:g}.",
                self.name,
            )
        if not self.minimum <= number <= self.maximum:
            raise ParameterError(
                f"{self.name} must be between {self.minimum:g} and {self.maximum:g}, not {number:g}.", self.name
            )
        return number

    def describe(self) -> dict[str, Any]:
        """Plain data for `nhviz.describe`."""
        low, high = self.slider or (self.minimum, self.maximum)
        return {
            "default": self.default,
            "min": self.minimum,
            "max": self.maximum,
            "meaning": self.meaning,
            "unit": self.unit,
            "symbol": self.symbol or self.name,
            "slider": [low, high],
            **({"per_step": True} if self.per_step else {}),
            **({"whole": True} if self.whole else {}),
            **({"needs": list(self.needs)} if self.needs else {}),
        }


@dataclass(frozen=True)
class Choice:
    """An option with a few allowed values, and what a page calls them, if not as they are."""

    name: str
    default: str | int
    choices: tuple[str | int, ...]
    meaning: str
    words: tuple[str, ...] = ()

    @property
    def labels(self) -> dict[str, str]:
        """What each value is called on a page."""
        return dict(zip(map(str, self.choices), self.words or map(str, self.choices), strict=True))

    def check(self, value: Any) -> str | int:
        """The allowed value equal to the given one, or a ParameterError."""
        for choice in self.choices:
            if not isinstance(value, bool) and str(value) == str(choice):
                return choice
        allowed = ", ".join(map(str, self.choices))
        raise ParameterError(f"{self.name} must be one of {allowed}, not {shown(value)}.", self.name)

    def describe(self) -> dict[str, Any]:
        """Plain data for `nhviz.describe`."""
        return {"default": self.default, "choices": list(self.choices), "meaning": self.meaning}


def finite_number(name: str, value: Any) -> float:
    """The value as a finite float, or a ParameterError that says what it is instead."""
    # A plain float, as most are, need not be asked whether it is a number.
    if type(value) is not float and (isinstance(value, bool) or not isinstance(value, Real)):
        raise ParameterError(f"{name} must be a number, not {shown(value)}.", name)
    try:
        # Adding 0 turns -0.0 into 0.0, so that equal problems have equal texts.
        number = float(value) + 0.0
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise ParameterError(f"{name} must be a finite number, not {shown(value)}.", name)
    return number


def whole_number(name: str, value: Any, minimum: int, maximum: int) -> int:
    """The value as an int between two limits, or a ParameterError."""
    number = finite_number(name, value)
    if number != int(number) or not minimum <= number <= maximum:
        raise ParameterError(
            f"{name} must be a whole number between {minimum:,} and {maximum:,}, not {shown(value)}.", name
        )
    return int(number)


def is_used(needs: tuple[str, float] | None, params: Mapping[str, Any]) -> bool:
    """Whether something with these needs is used with these parameters."""
    return needs is None or params[needs[0]] >= needs[1]


def used_or_default(declared: Iterable[Parameter], values: Mapping[str, Any], params: Mapping[str, Any]) -> dict:
    """The values of the declared names, with the default for each that is not used with these parameters."""
    return {p.name: values[p.name] if is_used(p.needs, params) else p.default for p in declared}


def fill(
    declared: Iterable[Parameter | Choice],
    given: Mapping[str, Any] | None,
    kind: str,
    params: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """All declared values: those given, checked, and the defaults of the rest.

    A value that the parameters (here the declared ones themselves) leave unused keeps its default.
    """
    declared = list(declared)
    if given is not None and not isinstance(given, Mapping):
        raise ParameterError(f"{kind} values must be a mapping from names to values, not {shown(given)}.")
    given = dict(given or {})
    check_names([parameter.name for parameter in declared], given, kind)
    values = {p.name: p.check(given.get(p.name, p.default)) for p in declared}
    for p in declared:
        if isinstance(p, Parameter) and p.needs and values[p.name] != p.default:
            check_used(p, values if params is None else params)
    return values


def check_used(declared: Parameter, params: Mapping[str, Any]) -> None:
    """Refuse a value that would have no effect."""
    if declared.needs and not is_used(declared.needs, params):
        name, least = declared.needs
        raise ParameterError(
            f"{declared.name} is used from {name} = {least:g} on; with {name} = {params[name]:g} leave it out.",
            declared.name,
        )


def fill_options(
    declared: Iterable[Parameter | Choice], given: Mapping[str, Any] | None, step: float, kind: str
) -> dict[str, Any]:
    """All options: like `fill`, with defaults in multiples of 1/step where they are declared so."""
    declared = list(declared)
    usual = {p.name: p.default / step for p in declared if isinstance(p, Parameter) and p.per_step}
    if given is not None and not isinstance(given, Mapping):
        raise ParameterError(f"{kind} values must be a mapping from names to values, not {shown(given)}.")
    return fill(declared, usual | dict(given or {}), kind)


def check_names(known: Iterable[str], given: Iterable[str], kind: str) -> None:
    """Raise for the first name that is not known, with the nearest known one."""
    known = list(known)
    for name in given:
        if name not in known:
            raise ParameterError(unknown(kind, name, known), str(name))


def unknown(kind: str, name: Any, known: Iterable[str]) -> str:
    """One sentence about a name that does not exist."""
    known = list(known)
    near = difflib.get_close_matches(str(name), known, n=1)
    hint = f" Did you mean {near[0]}?" if near else ""
    return f"There is no {kind} {shown(name)}; there is {', '.join(known) or 'none'}.{hint}"


def shown(value: Any) -> str:
    """A value as it appears in a message: on one line, never long."""
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else text[:57] + "..."


def is_sequence(value: Any) -> bool:
    """Whether a value stands for many: a sequence, or an array that is not a single number."""
    return (isinstance(value, Sequence) and not isinstance(value, str)) or getattr(value, "ndim", 0) > 0
