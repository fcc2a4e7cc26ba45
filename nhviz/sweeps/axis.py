"""An axis of a sweep: a name, and values from a first to a last one, evenly spaced or by equal factors."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from nhviz.once import once
from nhviz.parameters import Parameter, ParameterError, finite_number, shown, whole_number
from nhviz.system import Array

FEWEST, MOST = 2, 1000
FIELDS = ("name", "first", "last", "count", "log")
SURELY = 1e-12
"""Values that differ by more of themselves differ."""
FORM = '(name, first, last, count), and "log" after them for equal factors'


@dataclass(frozen=True)
class Axis:
    """`count` values of a name, from `first` to `last`; with `log` each is the same multiple of the one before."""

    name: str
    first: float
    last: float
    count: int
    log: bool = False

    @once
    def values(self) -> Array:
        """The values; the first and the last one are exact."""
        values = (np.geomspace if self.log else np.linspace)(self.first, self.last, self.count)
        values[0], values[-1] = self.first, self.last
        values.flags.writeable = False
        return values

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return {name: getattr(self, name) for name in FIELDS}

    def to_tuple(self) -> tuple[Any, ...]:
        """The words with which a person writes it."""
        return (self.name, self.first, self.last, self.count, *(("log",) if self.log else ()))


def read_axis(which: str, given: Any) -> Axis:
    """The axis x or y that was given, as an Axis, a tuple or plain data, with its numbers checked."""
    if isinstance(given, Axis):
        given = given.to_dict()
    if isinstance(given, Sequence) and not isinstance(given, str) and len(given) in (len(FIELDS) - 1, len(FIELDS)):
        given = dict(zip(FIELDS, given, strict=False))
        given["log"] = logarithmic(which, given.get("log", False))
    if not isinstance(given, Mapping) or not set(FIELDS[:-1]) <= set(given):
        raise ParameterError(f"{which} must be {FORM}, not {shown(given)}.", which)
    unknown = [name for name in given if name not in FIELDS]
    if unknown or not isinstance(given["name"], str):
        raise ParameterError(f"{which} must be {FORM}, not {shown(given)}.", which)
    try:
        first, last = (finite_number(f"The {name} value of {which}", given[name]) for name in ("first", "last"))
        count = whole_number(f"The number of values along {which}", given["count"], FEWEST, MOST)
    except ParameterError as error:
        raise ParameterError(str(error), which) from None
    return ordered(which, given["name"], first, last, count, logarithmic(which, given.get("log", False)))


def logarithmic(which: str, word: Any) -> bool:
    """Whether an axis is logarithmic: the word "log", or nothing."""
    if word is True or word == "log":
        return True
    if word is False or word in ("", "linear", None):
        return False
    raise ParameterError(f'{which} may end with "log" for equal factors, not with {shown(word)}.', which)


@lru_cache(maxsize=256)
def ordered(which: str, name: str, first: float, last: float, count: int, log: bool) -> Axis:
    """An axis, if its range is one; those of maps that a page shows again and again are remembered."""
    axis = Axis(name, first, last, count, log)
    if not axis.first < axis.last:
        raise ParameterError(
            f"{which} must run from a smaller to a larger value, not from {axis.first:g} to {axis.last:g}.", which
        )
    if axis.log and axis.first <= 0.0:
        raise ParameterError(f"{which} with equal factors must begin above 0, not at {axis.first:g}.", which)
    # Values that are far apart need not be looked at.
    close = axis.last - axis.first < SURELY * axis.count * max(abs(axis.first), abs(axis.last))
    if close and np.any(np.diff(axis.values) <= 0.0):
        raise ParameterError(
            f"{which} is too narrow for {axis.count} different values from {axis.first!r} to {axis.last!r}.", which
        )
    return axis


def check_range(which: str, axis: Axis, declared: Parameter) -> None:
    """Refuse an axis that leaves the declared range of its name, or takes fractions of a whole number."""
    for value in (axis.first, axis.last):
        if not declared.minimum <= value <= declared.maximum:
            raise ParameterError(
                f"{which}: {declared.name} must be between {declared.minimum:g} and {declared.maximum:g}, not "
                f"{value:g}.",
                which,
            )
    if declared.whole and np.any(axis.values != np.round(axis.values)):
        raise ParameterError(
            f"{which}: {declared.name} takes whole numbers only; {axis.count} values from {axis.first:g} to "
            f"{axis.last:g} are not whole.",
            which,
        )
