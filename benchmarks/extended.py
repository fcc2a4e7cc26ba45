"""A solution to judge others by: the extrapolated midpoint rule in extended precision."""

from collections.abc import Callable

import numpy as np

PARTS = (2, 4, 6, 8, 10, 12)

Field = Callable[[np.ndarray], np.ndarray]


def midpoint(field: Field, y: np.ndarray, h: np.longdouble, parts: int) -> np.ndarray:
    """One step of Gragg's rule in an even number of parts; its error is a series in parts^-2."""
    part = h / parts
    before, now = y, y + part * field(y)
    for _ in range(parts - 1):
        before, now = now, before + 2 * part * field(now)
    return (before + now + part * field(now)) / 2


def extrapolated(field: Field, y: np.ndarray, h: np.longdouble) -> np.ndarray:
    """One step of order 12."""
    table: list[np.ndarray] = []
    for i, parts in enumerate(PARTS):
        value = midpoint(field, y, h, parts)
        row = [value]
        for j in range(i):
            ratio = np.longdouble(parts) / PARTS[i - 1 - j]
            value = value + (value - table[j]) / (ratio * ratio - 1)
            row.append(value)
        table = row
    return table[-1]


def solution(field: Field, start: np.ndarray, h: float, samples: int) -> np.ndarray:
    """States (samples, variables) at 0, h, 2 h, ...; each interval is one step, so h must be short."""
    states = np.empty((samples, len(start)), dtype=np.longdouble)
    states[0] = start
    for n in range(1, samples):
        states[n] = extrapolated(field, states[n - 1], np.longdouble(h))
    return states
