"""Where the principal rotation of the sphere folds: over the angle of K to gamma, and on the globe of verticals.

Everything is a matter of the directions of K and gamma; the step of a fold is 2 t/|K| with the t of
`kernels.sphere_folds`. gamma and -gamma have the same rotations, so that half of the globe is enough: the one about K.
Across K there is a sharp ridge, of a heavy ball: it is the equator of this half, and no row of its grid crosses it.
"""

from functools import lru_cache

import numpy as np

from nhviz import kernels
from nhviz.maps import sphere_starts
from nhviz.system import Array

Ball = tuple[float, float, float, float]
Triple = tuple[float, float, float]
Edge = tuple[int, int, int]
ROWS, COLUMNS = 14, 53
ANCHORS = 4
EVERY = 300
"""So many folds of a curve, and on the globe one of so many, are followed with certainty; the others are continued."""


def along_turn(ball: Ball, gamma: Array, k: Array, angles: Array) -> Array:
    """The largest steps with K turned to angles to gamma."""
    momenta = sphere_starts.turned(gamma[:, None], k[:, None], angles)
    size = float(np.linalg.norm(k))
    t, g = np.empty(angles.size), np.empty((angles.size, 3))
    verticals = np.ascontiguousarray(np.tile(gamma, (angles.size, 1)))
    every = max(2, angles.size // ANCHORS)
    kernels.sphere_folds.folds(ball, verticals, np.ascontiguousarray(momenta.T / size), every, t, g)
    return 2.0 * t / size


def on_globe(ball: Ball, k: Array, step: float) -> list[Array]:
    """The curves (3, n) of verticals whose largest step is a given one."""
    size = float(np.linalg.norm(k))
    if size == 0.0:
        return []
    x, y, z = (k / size).tolist()
    t, g = table(ball, (x, y, z))
    level = 0.5 * step * size
    found = curves(crossings(ball, (x, y, z), level, t, g))
    return [sign * curve for curve in found for sign in (1.0, -1.0)]


@lru_cache(maxsize=32)
def table(ball: Ball, k: Triple) -> tuple[Array, Array]:
    """t and the rotations g of the folds on a grid of half of the globe, along one way from K to all of it."""
    count = ROWS * COLUMNS
    t, g = np.empty(count), np.empty((count, 3))
    way = np.arange(count).reshape(ROWS, COLUMNS)
    way[1::2] = way[1::2, ::-1]
    order = way.ravel()[::-1]
    verticals = grid(k).reshape(-1, 3)[order]
    kernels.sphere_folds.folds(ball, verticals, np.ascontiguousarray(np.tile(np.array(k), (count, 1))), EVERY, t, g)
    table_t, table_g = np.empty(count), np.empty((count, 3))
    table_t[order], table_g[order] = t, g
    return table_t.reshape(ROWS, COLUMNS), table_g.reshape(ROWS, COLUMNS, 3)


@lru_cache(maxsize=32)
def grid(k: Triple) -> Array:
    """Verticals (rows, columns, 3) from the equator to the pole, which is the unit vector k."""
    pole, flat = np.array(k), np.zeros(3)
    # Across the pole: in the plane of the two axes that are nearest to it.
    i, j = np.argsort(np.abs(pole))[1:]
    flat[i], flat[j] = -pole[j], pole[i]
    flat /= np.hypot(flat[i], flat[j])
    return places() @ np.stack([flat, np.cross(pole, flat), pole])


@lru_cache(maxsize=1)
def places() -> Array:
    """The grid about the third axis."""
    latitude, longitude = np.linspace(0.0, 0.5 * np.pi, ROWS), np.linspace(0.0, 2.0 * np.pi, COLUMNS)
    return np.moveaxis(sphere_starts.vertical(latitude[:, None], longitude[None, :]), 0, -1)


def crossings(ball: Ball, k: Triple, level: float, t: Array, g: Array) -> dict[Edge, Array]:
    """Where the fold crosses edges of the grid, which go along a row (0) or up a column (1) from a row and a column."""
    above, verticals = t > level, grid(k)
    edges: list[Edge] = []
    # The last column is the first one again.
    for way, here, there in ((0, above[:, :-1], above[:, 1:]), (1, above[:-1, :-1], above[1:, :-1])):
        edges += [(way, int(row), int(column)) for row, column in zip(*np.nonzero(here != there), strict=True)]
    if not edges:
        return {}
    ways, rows, columns = np.array(edges).T
    first, second = (rows, columns), (rows + ways, columns + 1 - ways)
    places, ends = np.empty((len(edges), 3)), np.ascontiguousarray(np.stack([t[first], t[second]], axis=1))
    kernels.sphere_folds.crossings(
        ball, k, level, verticals[first], verticals[second], ends, g[first], g[second], places
    )
    return dict(zip(edges, places, strict=True))


def curves(found: dict[Edge, Array]) -> list[Array]:
    """Crossings joined through the cells of the grid; a curve ends at the equator or where it began."""
    beside: dict[Edge, list[Edge]] = {}
    for row, column in {cell for edge in found for cell in cells_at(edge)}:
        round_it = ((0, row, column), (1, row, (column + 1) % (COLUMNS - 1)), (0, row + 1, column), (1, row, column))
        met = [edge for edge in round_it if edge in found]
        for one, other in zip(met[::2], met[1::2], strict=False):
            beside.setdefault(one, []).append(other)
            beside.setdefault(other, []).append(one)
    left, chains = dict(beside), []
    # Those that end somewhere begin there.
    for begin in sorted(beside, key=lambda edge: len(beside[edge])):
        if begin in left:
            chains.append(chain(begin, left))
    return [np.array([found[edge] for edge in one]).T for one in chains]


def cells_at(edge: Edge) -> list[tuple[int, int]]:
    """The cells on both sides of an edge, by row and column."""
    way, row, column = edge
    both = [(row, column), (row - 1, column)] if way == 0 else [(row, column), (row, (column - 1) % (COLUMNS - 1))]
    return [cell for cell in both if 0 <= cell[0] < ROWS - 1]


def chain(begin: Edge, left: dict[Edge, list[Edge]]) -> list[Edge]:
    """The edges that a curve crosses one after the other; they are taken away."""
    found, beside = [begin], left.pop(begin)
    closed = len(beside) > 1
    while onward := [edge for edge in beside if edge in left]:
        found.append(onward[0])
        beside = left.pop(onward[0])
    return [*found, begin] if closed else found
