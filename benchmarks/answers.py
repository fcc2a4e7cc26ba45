"""What may be in an answer to a page: numbers that are finite, gaps where a line is meant to have one, one sentence.

A gap is a point without coordinates between two pieces of a line: all of its coordinates are missing.
"""

import base64
import math
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from layouts import ids
from nhviz.figures.arrays import resolved

NOT_NUMBERS = re.compile(r"\b(nan|inf|None)\b")
COORDINATES = ("x", "y", "z")
LINES = {"scatter", "scattergl", "scatter3d"}
"""Kinds of traces whose lines may have gaps."""


def wrong_question(response: dict[str, Any]) -> str:
    """What is wrong with the answer to a question, or nothing."""
    answer = response["answer"]
    if answer["errors"]:
        return next((f"no sentence: {told!r}" for told in answer["errors"].values() if not is_sentence(told)), "")
    problems = (
        *(f"{place}: {wrong}" for place, figure in answer["figures"].items() for wrong in wrong_figure(figure)),
        *(f"{place} moving: {wrong}" for place, moving in answer["moving"].items() for wrong in wrong_plain(moving)),
        *(f"tracks: {wrong}" for wrong in wrong_plain(answer.get("tracks", {}))),
        *(f"{name}: {wrong}" for name in SAID for wrong in wrong_plain(answer[name], SAID[name])),
        *(f"{place}: {wrong}" for place, text in response["texts"].items() for wrong in wrong_words(text)),
    )
    return next(iter(problems), "")


SAID: dict[str, tuple[str, ...]] = {
    "sentence": (), "statistics": ("values",), "gauges": ("bound",), "stops": (), "energies": (), "remarks": (),
}  # fmt: skip
"""What is said besides pictures, and what of it may be missing."""


def wrong_click(response: dict[str, Any]) -> str:
    """What is wrong with what a click sets, or with the sentence why it sets nothing."""
    found = response[ids.START]["data"]
    if not found["values"]:
        return "" if is_sentence(found.get("problem")) else "neither values nor a sentence"
    return next(iter(wrong_plain(found["values"])), "")


def wrong_ghosts(response: dict[str, Any]) -> str:
    """What is wrong with the traces of pinned runs."""
    found = response[ids.GHOSTS]["data"]
    return next((f"{v}: {wrong}" for v, traces in found.items() for t in traces for wrong in wrong_trace(t)), "")


def wrong_file(status: int, text: str) -> str:
    """What is wrong with a table, or with the sentence that says why there is none."""
    if status == 422:
        return "" if is_sentence(text.removesuffix("\n")) else "no sentence"
    if status != 200:
        return f"status {status}"
    return "a row that is not finite" if NOT_NUMBERS.search(text.partition("\n")[2]) else ""


def is_sentence(text: Any) -> bool:
    """Whether a text is one line that ends like a sentence, without what is no number."""
    return isinstance(text, str) and text.endswith(".") and "\n" not in text and not NOT_NUMBERS.search(text)


def wrong_figure(figure: dict[str, Any]) -> Iterator[str]:
    """What is wrong in a figure."""
    for number, trace in enumerate(resolved(figure["data"])):
        yield from (f"trace {number} {trace.get('name', '')!r}: {wrong}" for wrong in wrong_trace(trace))
    yield from (f"layout {wrong}" for wrong in wrong_plain(figure["layout"]))


def wrong_trace(trace: dict[str, Any]) -> Iterator[str]:
    """What is wrong in a trace: numbers, coordinates that are missing in part, corners that are not there."""
    kind = trace["type"]
    places = {name: read(trace[name]) for name in COORDINATES if name in trace}
    rest = {name: value for name, value in trace.items() if name not in places}
    yield from wrong_plain(rest)
    sizes = {values.size for values in places.values()}
    if kind in LINES and len(sizes) != 1:
        yield f"coordinates of {sizes} points"
        return
    for name, values in places.items():
        if np.isinf(values).any():
            yield f"{name} is not finite"
    missing = [np.isnan(values).ravel() for values in places.values()]
    if kind not in LINES:
        if any(gaps.any() for gaps in missing):
            yield "a corner that is nowhere"
    elif any((gaps != missing[0]).any() for gaps in missing):
        yield "a point with some of its coordinates"
    if kind == "mesh3d":
        corners = np.concatenate([read(trace[name]).ravel() for name in "ijk"])
        if corners.size and (corners.min() < 0 or corners.max() >= max(sizes)):
            yield "a triangle with a corner that is not there"


def wrong_plain(value: Any, optional: tuple[str, ...] = (), at: str = "") -> Iterator[str]:
    """Numbers in nested data that are not finite, or missing though they are not `optional`, and words for them."""
    if isinstance(value, dict) and "letters" in value:
        if not np.isfinite(read(value)).all():
            yield f"{at} is not finite"
    elif isinstance(value, dict):
        for name, inner in value.items():
            if inner is not None or name not in optional:
                yield from wrong_plain(inner, optional, f"{at}/{name}")
    elif isinstance(value, list):
        for inner in value:
            yield from wrong_plain(inner, optional, at)
    elif value is None or (isinstance(value, float) and not math.isfinite(value)):
        yield f"{at} is missing"
    elif isinstance(value, str) and NOT_NUMBERS.search(value):
        yield f"{at} says {value[:60]!r}"


def wrong_words(part: Any) -> Iterator[str]:
    """Words of a text that stand for what is no number."""
    if isinstance(part, str) and NOT_NUMBERS.search(part):
        yield f"says {part[:60]!r}"
    for inner in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        yield from wrong_words(inner)


def read(value: Any) -> np.ndarray:
    """An array as the browser reads it (`assets/arrays.js`); nothing is nowhere."""
    if isinstance(value, dict) and "outer" in value:
        return np.multiply.outer(*map(read, value["outer"])).ravel()
    if isinstance(value, dict):
        kind = {"f4": "<f4", "u2": "<u2"}[value["dtype"]]
        return np.frombuffer(base64.b64decode(value["letters"].replace("_", "/")), kind).astype(float)
    return np.array([math.nan if item is None else item for item in value], dtype=float)


JUDGES: dict[str, Callable[[dict[str, Any]], str]] = {
    ids.START: wrong_click,
    ids.GHOSTS: wrong_ghosts,
}
"""What is wrong with an answer, by the store that it is for."""
