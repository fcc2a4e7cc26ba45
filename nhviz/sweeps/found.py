"""What a sweep has found so far: its axes, its values, and what can be asked of a cell."""

from dataclasses import dataclass

import numpy as np

from nhviz.problem import Problem
from nhviz.sweeps.compute import why
from nhviz.sweeps.tiles import Tile, tiles
from nhviz.sweeps.value import Sweep
from nhviz.system import Array


@dataclass(frozen=True, eq=False)
class Found:
    """A map (values along y, values along x), or a curve, that fills tile by tile; `done` tells which cells are there.

    A value is NaN exactly where a cell is not done yet, or could not be computed. Reasons are found when asked for.
    """

    sweep: Sweep
    values: Array
    done: Array

    @classmethod
    def empty(cls, sweep: Sweep) -> "Found":
        """Nothing found yet."""
        return cls(sweep, np.full(sweep.shape, np.nan), np.zeros(sweep.shape, dtype=bool))

    def put(self, tile: Tile, values: Array) -> None:
        """Take in the values of a tile."""
        i, j = tile.indices()
        place = i if self.sweep.y is None else (j, i)
        self.values[place] = values
        self.done[place] = True

    @property
    def x(self) -> Array:
        """The values along x."""
        return self.sweep.x.values

    @property
    def y(self) -> Array | None:
        """The values along y; None for a curve."""
        return None if self.sweep.y is None else self.sweep.y.values

    @property
    def count(self) -> int:
        """How many cells are done."""
        return int(np.count_nonzero(self.done))

    @property
    def complete(self) -> bool:
        """Whether all cells are done."""
        return bool(self.done.all())

    @property
    def missing(self) -> tuple[Tile, ...]:
        """The tiles that are not there yet, in their order."""
        flat = self.done.reshape(-1, self.sweep.x.count)
        return tuple(tile for tile in tiles(self.sweep) if not flat[tuple(p[0] for p in reversed(tile.indices()))])

    def reason(self, i: int, j: int = 0) -> str | None:
        """One sentence for a cell, i along x and j along y, that could not be computed, else None."""
        return why(self.sweep, i, j)

    def problem(self, i: int, j: int = 0) -> Problem:
        """The problem of a cell."""
        return self.sweep.problem(i, j)
