"""What the desk knows of a sweep: its values so far, in which order tiles came, and how it stands."""

import asyncio
import secrets
import time
from collections import deque
from dataclasses import dataclass, field

import numpy as np

from nhviz.sweeps.found import Found
from nhviz.sweeps.tiles import Tile, tiles
from nhviz.sweeps.value import Sweep
from nhviz.system import Array

READING, WAITING, RUNNING, DONE, CANCELLED, FAILED = "reading", "waiting", "running", "done", "cancelled", "failed"


@dataclass(eq=False)
class Record:
    """A sweep on the desk. `came` are the numbers of its tiles in the order in which they came, `left` those to do.

    `seconds` of the processor were spent on `computed` cells here; what was kept from before cost nothing. `asked` is
    when somebody last asked, `began` when it was last begun, both of the monotonic clock, with `before` cells done.
    """

    sweep: Sweep
    client: str
    journal: str = field(default_factory=lambda: secrets.token_hex(8))
    state: str = READING
    sentence: str = ""
    wanted: bool = False
    seconds: float = 0.0
    computed: int = 0
    done: int = 0
    came: list[int] = field(default_factory=list)
    left: deque[int] = field(default_factory=deque)
    asked: float = field(default_factory=time.monotonic)
    began: float = 0.0
    before: int = 0

    def __post_init__(self) -> None:
        self.text = self.sweep.text()
        # Set as soon as it has what is kept.
        self.known = asyncio.Event()
        self.tiles = tiles(self.sweep)
        self.values = np.full(self.sweep.shape, np.nan)

    @property
    def is_active(self) -> bool:
        """Whether it takes turns, or will after a look at what is kept."""
        return self.state in (WAITING, RUNNING) or (self.state == READING and self.wanted)

    def put(self, tile: Tile, values: Array) -> None:
        """Take in the values of a tile."""
        self.values[place(self.sweep, tile)] = values
        self.came.append(tile.number)
        self.done += values.size

    def values_of(self, number: int) -> Array:
        """The values of a tile that has come."""
        return self.values[place(self.sweep, self.tiles[number])]

    def found(self) -> Found:
        """Everything so far, as a notebook has it."""
        done = np.zeros(self.sweep.shape, dtype=bool)
        for number in self.came:
            done[place(self.sweep, self.tiles[number])] = True
        return Found(self.sweep, self.values, done)

    @property
    def expected(self) -> float:
        """Seconds of the processor for all cells that were not kept, from those that were computed; 0 if none was."""
        rest = self.sweep.cells - self.done
        return self.seconds + (self.seconds / self.computed * rest if self.computed else 0.0)


def place(sweep: Sweep, tile: Tile) -> tuple[Array, ...]:
    """Where the cells of a tile are in the array of a sweep."""
    i, j = tile.indices()
    return (i,) if sweep.y is None else (j, i)
