"""Arrays on their way to the browser: base64 of their bytes, which `assets/arrays.js` reads.

Its letters are those of base64 with _ for /: the JSON of an answer writes each slash with six letters, in a text of
thousands of them.
"""

from math import isfinite
from typing import Any

import numpy as np
import pybase64

Array = np.ndarray
FEW = 8
"""Arrays up to this length are sent as lists of numbers."""


def sent(values: Array) -> dict[str, Any] | list[float]:
    """An array for the browser: a few numbers as they are, more of them, or what is nowhere, as a typed array."""
    if values.ndim == 1 and values.size <= FEW:
        plain = values.tolist()
        if all(map(isfinite, plain)):
            return plain
    return typed(values)


def typed(values: Array) -> dict[str, Any]:
    """An array as 32-bit floats."""
    data = np.ascontiguousarray(values, dtype="<f4")
    result: dict[str, Any] = {"dtype": "f4", "letters": letters(data.data)}
    if data.ndim > 1:
        result["shape"] = data.shape
    return result


def letters(data: bytes | memoryview) -> str:
    """Bytes as letters."""
    return pybase64.b64encode_as_string(data, b"+_")
