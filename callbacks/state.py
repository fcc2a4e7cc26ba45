"""What a request may bring: the shape of a state, a click, a text. In one place: callbacks trust what they get.

Shape is checked here and refused as a whole; a value that is out of range is a matter of `Session`, which answers
with a sentence beside its control.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import nhviz
from layouts import ids, plain, shell
from layouts.lab import Lab
from layouts.link import gains

FIELDS = {"system": str, "values": dict, "methods": list, "choices": dict, "errors": dict, "preview": bool}
LONGEST_LIST = 500


class MalformedError(ValueError):
    """A request that the page cannot have sent; one sentence that repeats nothing of it."""


def require(condition: bool, sentence: str) -> None:
    """Refuse a request that does not meet a condition."""
    if not condition:
        raise MalformedError(sentence)


def check_state(state: Any) -> None:
    """A state has its fields, names a system, and has something for everything the system declares."""
    require(isinstance(state, dict), "The state must be an object.")
    for name, kind in FIELDS.items():
        require(isinstance(state.get(name), kind), f"The state needs {name}, of its usual type.")
    require(state["system"] in nhviz.systems(), "The state names no system.")
    require(value_names(state["system"]) <= state["values"].keys(), "The state lacks a value of its system.")
    require(choices(state["system"]).keys() <= state["choices"].keys(), "The state lacks a choice of its system.")
    check_texts(state["methods"], "The methods of a state are a short list of names.")
    check_texts(list(state["choices"].values()), "The choices of a state are names.")
    check_texts(list(state["errors"].values()), "The errors of a state are sentences.")


@cache
def value_names(system: str) -> frozenset[str]:
    """Names of all numbers in a state of a system."""
    facts = nhviz.describe(system)
    return frozenset((*facts["parameters"], *facts["initial"], *gains(facts), "step", "duration"))


@cache
def choices(system: str) -> Mapping[str, list[str]]:
    """What every choice in a state of a system can be: options of methods, and what the lab shows."""
    facts = nhviz.describe(system)
    options = {n: o for m in facts["methods"].values() for n, o in m["options"].items() if "choices" in o}
    return {name: [str(item) for item in o["choices"]] for name, o in (options | lab_page(system).choices).items()}


@cache
def lab_page(system: str) -> Lab:
    """The lab of a system as it is laid out."""
    return shell.LABS.get(system) or plain.lab(system)


def check_texts(texts: list[Any], sentence: str) -> None:
    """A short list of texts."""
    require(len(texts) <= LONGEST_LIST and all(isinstance(text, str) for text in texts), sentence)


def check_text(text: Any) -> None:
    """A text, or nothing."""
    require(text is None or isinstance(text, str), "The request has something else where a text belongs.")


def check_sums(sums: Any) -> None:
    """The checksums of the figures that the browser has."""
    require(isinstance(sums, dict) and len(sums) <= LONGEST_LIST, "What was sent must be an object.")
    require(all(type(value) is int and 0 <= value < 2**32 for value in sums.values()), "A checksum is a whole number.")


def check_click(click: Any) -> None:
    """A click is nothing, or an object whose coordinates are numbers."""
    require(click is None or isinstance(click, dict), "A click must be an object.")
    for name in ("xvals", "yvals", "points"):
        require(isinstance((click or {}).get(name, []), list | None), "A click has lists of coordinates.")
    points = (click or {}).get("points") or []
    require(all(isinstance(point, dict) for point in points), "A point of a click must be an object.")
    found = [value for name in ("xvals", "yvals") for value in ((click or {}).get(name) or [])[:1]]
    found += [point[axis] for point in points[:1] for axis in "xyz" if axis in point]
    require(all(type(value) in (int, float) for value in found), "The coordinates of a click are numbers.")


def check_shown(system: str, tab: str, views: list[str]) -> None:
    """The tab and the views are those of the system's lab."""
    lab = lab_page(system)
    require(tab in lab.tabs, "This lab has no such tab.")
    require({*views} <= {*lab.views, ids.DETAIL}, "This lab has no such view.")


def check_anything(value: Any) -> None:
    """No callback looks at this value."""


SHAPES: dict[tuple[str, str], Callable[[Any], None]] = {
    (ids.STATE, "data"): check_state,
    (ids.SENT, "data"): check_sums,
    ("graph", "clickData"): check_click,
    (ids.TAB, "value"): check_text,
    (ids.THEME, "value"): check_text,
    (ids.NOTICE, "children"): check_text,
    (ids.URL, "pathname"): check_text,
    (ids.URL, "search"): check_text,
}


def check_value(name: str, prop: str, value: Any) -> None:
    """Check the value of a component's property; for components in patterns `name` is their kind."""
    SHAPES.get((name, prop), check_anything)(value)
