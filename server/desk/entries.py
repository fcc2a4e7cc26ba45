"""A tile of a sweep as bytes, and back, in the spirit of `server.entries`: believed only after everything was checked.

An entry is a header (a name, the version of this format, the number of the tile, lengths), a digest of all the rest,
the text of the sweep, and its numbers, of eight bytes each, the lowest first. Empty cells are NaN; nothing is infinite.
"""

import struct

import numpy as np

from nhviz.system import Array
from server.entries import DIGEST, EntryError, Reader, digest

MAGIC = b"nhviztil"
VERSION = 1
HEADER = struct.Struct("<8sHIIIQ")
"""Name, version, number of the tile, length of the text, how many numbers, length of the entry."""


def encode(text: str, number: int, values: Array) -> bytes:
    """The entry of a tile of the sweep with this text."""
    words = text.encode()
    rest = words + values.astype("<f8").tobytes()
    header = HEADER.pack(MAGIC, VERSION, number, len(words), values.size, HEADER.size + DIGEST + len(rest))
    return header + digest(header, rest) + rest


def decode(data: bytes, text: str, number: int, count: int) -> Array:
    """The values of a tile that has so many; an EntryError for anything else."""
    reader = Reader(data)
    header = bytes(reader.take(HEADER.size))
    magic, version, found, text_length, size, length = HEADER.unpack(header)
    if (magic, version) != (MAGIC, VERSION):
        raise EntryError("it is no tile in the present format")
    if length != len(data):
        raise EntryError("it has another length than it says")
    said = reader.take(DIGEST)
    if said != digest(header, reader.data[reader.at :]):
        raise EntryError("it is damaged")
    if (found, size) != (number, count) or reader.take(text_length) != text.encode():
        raise EntryError("it belongs to another tile")
    values = np.frombuffer(reader.take(8 * count), "<f8").astype(np.float64)
    if reader.left:
        raise EntryError("there is something after its end")
    if np.isinf(values).any():
        raise EntryError("not all of its numbers are finite or empty")
    return np.where(np.isnan(values), np.nan, values)
