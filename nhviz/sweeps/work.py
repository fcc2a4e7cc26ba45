"""What a worker of a cluster does: tiles, by the text of their sweep and their numbers.

Texts and numbers are all that goes to a cluster, and this function, by its name.
"""

import json
import time
from functools import lru_cache

from nhviz import __version__
from nhviz.sweeps.compute import compute, values_at
from nhviz.sweeps.tiles import tiles
from nhviz.sweeps.value import Sweep
from nhviz.system import Array

loaded: set[tuple[str, str, str]] = set()
"""What this process has computed before: system, method and quantity."""


@lru_cache(maxsize=16)
def read(text: str) -> Sweep:
    """The sweep of a canonical text, checked again."""
    return Sweep.from_dict(json.loads(text))


def timed_tiles(text: str, numbers: list[int], version: str) -> list[tuple[Array, float]]:
    """The values of each tile, and the seconds of the processor that they took, by the nhviz of who asks."""
    if version != __version__:
        raise RuntimeError(f"this worker has nhviz {__version__}, who asks has {version}")
    return [timed_tile(read(text), number) for number in numbers]


def timed_tile(sweep: Sweep, number: int) -> tuple[Array, float]:
    """The same of one tile."""
    load(sweep, number)
    began = time.thread_time()
    values = compute(sweep, number)
    return values, time.thread_time() - began


def expected_seconds(text: str, number: int) -> float:
    """About what a tile will take here, from one of its cells."""
    sweep = read(text)
    load(sweep, number)
    i, j = tiles(sweep)[number].indices()
    began = time.thread_time()
    values_at(sweep, i[:1], j[:1])
    return i.size * (time.thread_time() - began)


def load(sweep: Sweep, number: int) -> None:
    """Do what is done once in a process, as loading a kernel, before the clock starts: compute one cell."""
    kind = (sweep.system, sweep.method, sweep.quantity)
    if kind not in loaded:
        i, j = tiles(sweep)[number].indices()
        values_at(sweep, i[:1], j[:1])
        loaded.add(kind)
