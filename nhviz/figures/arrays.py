"""Arrays on their way to the browser: base64 of their bytes, which `assets/arrays.js` reads.

Its letters are those of base64 with _ for /: the JSON of an answer writes each slash with six letters, in a text of
thousands of them.
"""

from math import isfinite
from typing import Any

import numpy as np
import pybase64

Array = np.ndarray
FLOAT = np.dtype("<f4")
FEW = 8
"""Arrays up to this length are sent as lists of numbers."""


class Written:
    """The arrays of one picture on their way: one that stands in several places of it is written once."""

    def __init__(self) -> None:
        self.known: dict[int, tuple[Array, dict[str, Any]]] = {}

    def sent(self, values: Array) -> dict[str, Any] | list[float]:
        """An array for the browser: a few numbers as they are, more of them, or what is nowhere, as a typed array."""
        if values.ndim == 1 and values.size <= FEW:
            plain = values.tolist()
            if all(map(isfinite, plain)):
                return plain
        return self.typed(values)

    def typed(self, values: Array) -> dict[str, Any]:
        """An array as 32-bit floats."""
        found = self.known.get(id(values))
        if found is None:
            # With the array itself: as long as it is here, no other has its identity.
            found = self.known[id(values)] = values, typed(values)
        return found[1]


def resolved(traces: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Traces with every array in its place, also those that stand in another one: {"as": [trace, axis]}."""
    found = []
    for trace in traces:
        again = {axis: trace[axis]["as"] for axis in "xyz" if isinstance(trace.get(axis), dict) and "as" in trace[axis]}
        found.append(trace | {axis: traces[number][other] for axis, (number, other) in again.items()})
    return found


def typed(values: Array) -> dict[str, Any]:
    """An array as 32-bit floats."""
    data = values.astype(FLOAT, order="C")
    result: dict[str, Any] = {"dtype": "f4", "letters": letters(data.data)}
    if data.ndim > 1:
        result["shape"] = data.shape
    return result


def outer(first: Array, second: Array) -> dict[str, Any]:
    """A table first[i] second[j], which the browser multiplies out: a sphere is made of three of them."""
    return {"outer": [typed(first), typed(second)]}


def letters(data: bytes | memoryview) -> str:
    """Bytes as letters."""
    return pybase64.b64encode_as_string(data, b"+_")
