"""A run as bytes, and back. Bytes are believed only after everything about them was checked.

An entry is a header (a name, the version of this format, lengths, a digest of all the rest), a line for each array, the
text of the problem, the reason why the run ended early, and the arrays: numbers of eight bytes, the lowest first.
Nothing in it is ever executed or unpacked. Whatever is wrong with it is an EntryError.
"""

import hashlib
import math
import struct
from dataclasses import dataclass

import numpy as np

from nhviz import registry
from nhviz.problem import Problem, Trajectory
from nhviz.system import Array

MAGIC = b"nhvizrun"
VERSION = 1
FLOAT64 = 1
"""The only kind of number that runs have."""
HEADER = struct.Struct("<8sHHIIQQ")
"""Name, version, number of arrays, lengths of the text and of the reason, number of samples, length of the entry."""
DIGEST = 32
LINE = struct.Struct("<BBB")
"""Kind of number, length of the name, number of dimensions after the samples; then those, and the name."""


class EntryError(Exception):
    """An entry that is none: one clause that says why."""


@dataclass(frozen=True)
class Line:
    """What an entry says about one of its arrays: its name, and the shape of a sample."""

    name: str
    sizes: tuple[int, ...]


def encode(run: Trajectory) -> bytes:
    """The entry of a run; an EntryError if its arrays are not as its system declares them, or hold other numbers."""
    arrays = {"": run.t, **run.components}
    if any(values.dtype != np.float64 or len(values) != len(run) for values in arrays.values()):
        raise EntryError("it has arrays of another kind")
    lines = [Line(name, values.shape[1:]) for name, values in arrays.items()]
    check_lines(lines, run.problem, len(run))
    text, reason = run.problem.text().encode(), (run.stopped or "").encode()
    numbers = (values.astype("<f8", copy=False).tobytes() for values in arrays.values())
    rest = b"".join([*map(written_line, lines), text, reason, *numbers])
    length = HEADER.size + DIGEST + len(rest)
    header = HEADER.pack(MAGIC, VERSION, len(arrays), len(text), len(reason), len(run), length)
    return header + digest(header, rest) + rest


def decode(data: bytes, problem: Problem) -> Trajectory:
    """The run of a problem from its entry; an EntryError for anything else."""
    reader = Reader(data)
    count, text_length, reason_length, samples = checked_header(reader)
    lines = [read_line(reader) for _ in range(count)]
    if reader.take(text_length) != problem.text().encode():
        raise EntryError("it belongs to another problem")
    reason = reader.text(reason_length)
    check_lines(lines, problem, samples)
    arrays = {line.name: reader.array((samples, *line.sizes)) for line in lines}
    if reader.left:
        raise EntryError("there is something after its end")
    return Trajectory(problem, arrays.pop(""), arrays, reason or None)


def digest(header: bytes, rest: bytes | memoryview) -> bytes:
    """A digest of all of an entry but itself."""
    found = hashlib.blake2b(header, digest_size=DIGEST)
    found.update(rest)
    return found.digest()


def written_line(line: Line) -> bytes:
    """What an entry says about an array, as bytes."""
    name, dimensions = line.name.encode(), len(line.sizes)
    return LINE.pack(FLOAT64, len(name), dimensions) + struct.pack(f"<{dimensions}I", *line.sizes) + name


class Reader:
    """Takes bytes from the front of an entry, never more than there are."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = memoryview(data), 0

    @property
    def left(self) -> int:
        """How many bytes were not taken yet."""
        return len(self.data) - self.at

    def take(self, count: int) -> memoryview:
        """The next bytes."""
        if count > self.left:
            raise EntryError("it ends too early")
        self.at += count
        return self.data[self.at - count : self.at]

    def text(self, count: int) -> str:
        """The next bytes as a text."""
        try:
            return str(self.take(count), "utf-8")
        except UnicodeDecodeError:
            raise EntryError("a text in it is none") from None

    def array(self, shape: tuple[int, ...]) -> Array:
        """The next bytes as finite numbers in an array of their own."""
        numbers = np.frombuffer(self.take(8 * math.prod(shape)), "<f8").astype(np.float64)
        if not np.isfinite(numbers).all():
            raise EntryError("not all of its numbers are finite")
        return numbers.reshape(shape)


def checked_header(reader: Reader) -> tuple[int, int, int, int]:
    """How many arrays, bytes of both texts and samples there are in an entry that is as it was written."""
    header = reader.take(HEADER.size)
    magic, version, count, text_length, reason_length, samples, length = HEADER.unpack(header)
    if (magic, version) != (MAGIC, VERSION):
        raise EntryError("it is no run in the present format")
    if length != len(reader.data):
        raise EntryError("it has another length than it says")
    said = reader.take(DIGEST)
    if said != digest(bytes(header), reader.data[reader.at :]):
        raise EntryError("it is damaged")
    return count, text_length, reason_length, samples


def read_line(reader: Reader) -> Line:
    """What an entry says about its next array."""
    kind, name_length, dimensions = LINE.unpack(reader.take(LINE.size))
    if kind != FLOAT64:
        raise EntryError("it has numbers of an unknown kind")
    sizes = struct.unpack(f"<{dimensions}I", reader.take(4 * dimensions))
    return Line(reader.text(name_length), sizes)


def check_lines(lines: list[Line], problem: Problem, samples: int) -> None:
    """Refuse what is no run of a system: there are times and what it declares, each once, and at least one sample."""
    params = dict(problem.params)
    declared = {part.name: part.sizes(params) for part in registry.find(problem.system).components_of(params)}
    found = {line.name: line.sizes for line in lines}
    if len(found) != len(lines) or samples < 1 or found != {"": ()} | declared:
        raise EntryError("its arrays are not those of its system")
