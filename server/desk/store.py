"""Finished tiles, kept by the value of their sweep in the cache that all processes share."""

import hashlib

from nhviz.sweeps.tiles import Tile
from nhviz.system import Array
from server.desk import entries
from server.entries import EntryError
from server.shared import SharedCache


class Store:
    """The tiles of all sweeps; without a shared cache nothing is kept."""

    def __init__(self, shared: SharedCache | None) -> None:
        self.shared = shared

    def read(self, text: str, tile: Tile) -> Array | None:
        """The values of a tile, or None; what is none is a miss, and goes."""
        if self.shared is None:
            return None
        name = key(text, tile.number)
        try:
            data = self.shared.get(name)
            return None if data is None else entries.decode(data, text, tile.number, tile.indices()[0].size)
        except EntryError as error:
            self.shared.sweep(name, error)
            return None

    def write(self, text: str, tile: Tile, values: Array) -> None:
        """Keep the values of a tile, if that is possible."""
        if self.shared is not None:
            self.shared.set(key(text, tile.number), entries.encode(text, tile.number, values))


def key(text: str, number: int) -> str:
    """What a tile is called."""
    return hashlib.sha256(f"tile {number} of {text}".encode()).hexdigest()
