"""In which order the cells of a sweep are computed: coarse to fine, and nothing twice.

Level 0 is every 2^k-th point, about 32 x 32 of them; every further level has half the stride and leaves out what
coarser levels have. A level is cut into blocks that are compact in the plane, the tiles. They depend on how many
values the axes have, and on nothing else.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from nhviz.sweeps.value import Sweep
from nhviz.system import Array

COARSE = 32
# Blocks: small ones first, so that several workers share the first picture, and large ones where there are many cells.
FIRST, SMALL, LARGE, MANY = 16, 32, 64, 65_536


@dataclass(frozen=True)
class Tile:
    """A block of points: `rows` along y and `columns` along x, but for those that are multiples of `known`.

    `known` holds the strides of the level before, along y and x; the first level has none.
    """

    number: int
    level: int
    rows: slice
    columns: slice
    known: tuple[int, int] | None = None

    def __hash__(self) -> int:
        # Slices have none before Python 3.12.
        return hash((self.number, self.level))

    def indices(self) -> tuple[Array, Array]:
        """The cells of the tile: their indices along x and along y, row by row."""
        j, i = np.mgrid[self.rows, self.columns]
        if self.known is None:
            return i.ravel(), j.ravel()
        new = (j % self.known[0] != 0) | (i % self.known[1] != 0)
        return i[new], j[new]


def tiles(sweep: Sweep) -> tuple[Tile, ...]:
    """All tiles of a sweep, in the order in which they are computed."""
    return tiles_of(sweep.cells // sweep.x.count, sweep.x.count)


@lru_cache(maxsize=64)
def tiles_of(rows: int, columns: int) -> tuple[Tile, ...]:
    """All tiles of so many rows and columns."""
    halvings = tuple(max(0, (-(-count // COARSE) - 1).bit_length()) for count in (rows, columns))
    finest = LARGE if rows * columns > MANY else SMALL
    found: list[Tile] = []
    before = None
    for level in range(max(halvings) + 1):
        down, along = (1 << max(halving - level, 0) for halving in halvings)
        for block in blocks(rows, columns, down, along, FIRST if level == 0 else finest):
            tile = Tile(len(found), level, *block, before)
            if tile.indices()[0].size:
                found.append(tile)
        before = (down, along)
    return tuple(found)


def blocks(rows: int, columns: int, down: int, along: int, side: int) -> list[tuple[slice, slice]]:
    """Slices of rows and columns with these strides, of at most side x side points; of a curve as many in a row."""
    height, width = (side, side) if rows > 1 else (1, side * side)
    return [
        (slice(top, min(top + height * down, rows), down), slice(left, min(left + width * along, columns), along))
        for top in range(0, rows, height * down)
        for left in range(0, columns, width * along)
    ]
