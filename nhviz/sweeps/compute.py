"""The values of a tile, and why a cell has none. The same sweep and tile give the same bits in every process."""

import numpy as np

from nhviz.parameters import ParameterError
from nhviz.sweeps.points import points_of
from nhviz.sweeps.tiles import tiles
from nhviz.sweeps.valid import valid
from nhviz.sweeps.value import Sweep
from nhviz.system import Array


def compute(sweep: Sweep, number: int) -> Array:
    """The values (n,) of the cells of a tile, in the order of its indices; NaN where there is none."""
    return values_at(sweep, *tiles(sweep)[number].indices())


def values_at(sweep: Sweep, i: Array, j: Array) -> Array:
    """The values of cells, i along x and j along y."""
    points = points_of(sweep, i, j)
    possible = valid(points)
    values = np.full(i.size, np.nan)
    if possible.any():
        found = np.asarray(sweep.measure.evaluate(points if possible.all() else points.take(possible)), dtype=float)
        values[possible] = np.where(np.isfinite(found), found, np.nan)
    return values


def why(sweep: Sweep, i: int, j: int = 0) -> str | None:
    """One sentence for a cell that is empty, else None; found for this cell alone."""
    i, j = sweep.cell(i, j)
    try:
        sweep.problem(i, j)
    except ParameterError as error:
        return str(error)
    cell = np.array([i]), np.array([j])
    if np.isfinite(values_at(sweep, *cell)[0]):
        return None
    measure = sweep.measure
    told = measure.why(points_of(sweep, *cell)) if measure.why else None
    return told or f"{measure.title}: there is no such number here."
