"""Small tools for measures: the numbers of one cell, cells as rows, equal rows answered once, cells in groups."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from nhviz.system import Array, Points


def numbers(values: Mapping[str, Any], cell: int) -> dict[str, Any]:
    """The values of one cell."""
    return {name: float(v[cell]) if isinstance(v, np.ndarray) else v for name, v in values.items()}


def rows_of(values: Mapping[str, Array], names: tuple[str, ...]) -> Array:
    """Columns of names as rows (cells, names)."""
    return np.stack([values[name] for name in names], axis=1)


def once_each(rows: Array, answer: Callable[[Array, Array], object]) -> Array:
    """A number for every row; `answer` writes those of the rows that differ, and each equal one gets the same."""
    different, which = np.unique(rows, axis=0, return_inverse=True)
    found = np.empty(len(different))
    answer(np.ascontiguousarray(different), found)
    return found[which.ravel()]


def groups(points: Points) -> Iterator[tuple[Array, dict[str, float], dict[str, Any], float]]:
    """Cells with equal parameters, options and step: their indices, and what they share."""
    shared = {**points.params, **{n: v for n, v in points.options.items() if isinstance(v, np.ndarray)}}
    rows = np.stack([points.step, *shared.values()], axis=1)
    _, first, which = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(which.ravel(), kind="stable")
    ends = np.cumsum(np.bincount(which.ravel()))
    for begin, end, cell in zip((0, *ends[:-1]), ends, first, strict=True):
        params = {name: float(values[cell]) for name, values in points.params.items()}
        options = {n: float(v[cell]) if isinstance(v, np.ndarray) else v for n, v in points.options.items()}
        yield order[begin:end], params, options, float(points.step[cell])
