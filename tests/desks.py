"""Sweeps for tests of the desk: a quick one, a slow one, and what stands in the place of an engine."""

import asyncio
import base64
import contextlib
import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from nhviz.sweeps.compute import compute
from nhviz.sweeps.tiles import tiles
from nhviz.sweeps.value import Sweep
from nhviz.sweeps.work import read

# No symmetry: the axes differ in range and count, and a corner has no such body.
QUICK = Sweep.create(
    "suslov", "axes_angle", ("I13", -1.3, 3.9, 90), ("I23", -0.9, 3.7, 70), params={"I11": 3.1, "I22": 4.3, "I33": 5.2}
)
# Tenths of a second for a cell: its tiles take half a minute.
SLOW = Sweep.create(
    "suslov", "energy_drift", ("I13", -1.3, 1.1, 90), ("I23", -0.9, 0.7, 70), "cayley", step=0.01, duration=20_000.0
)


def to_the_end(story):
    """Run a coroutine in a thread of its own: that of a test may have the loop of a browser."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, story).result()


def whole(sweep):
    """All values, computed here."""
    found = np.full(sweep.shape, np.nan)
    for tile in tiles(sweep):
        i, j = tile.indices()
        found[j, i] = compute(sweep, tile.number)
    return found


def received(tile):
    """The values of a tile of an answer, as the page reads them."""
    assert tile["values"]["dtype"] == "f8"
    return np.frombuffer(base64.b64decode(tile["values"]["letters"].replace("_", "/")), "<f8")


def put_together(sweep, sent):
    """The values of tiles that were sent, each once, and NaN elsewhere."""
    found, places = np.full(sweep.shape, np.nan), tiles(sweep)
    assert len({tile["number"] for tile in sent}) == len(sent)
    for tile in sent:
        i, j = places[tile["number"]].indices()
        found[j, i] = received(tile)
    return found


def same_bits(first, second):
    """Equal to the last bit, with NaN in the same cells."""
    empty = np.isnan(first)
    return bool((empty == np.isnan(second)).all()) and first[~empty].tobytes() == second[~empty].tobytes()


class Hands:
    """An engine that computes at once, or when it may; `begun` are the tiles in their order."""

    trouble = ""

    def __init__(self, room=1, seconds=0.001):
        self.room, self.seconds = room, seconds
        self.begun, self.given_up = [], []
        self.may = asyncio.Event()
        self.may.set()

    async def tile(self, text, number):
        self.begun.append((text, number))
        try:
            await self.may.wait()
            await asyncio.sleep(0)
        except asyncio.CancelledError:
            self.given_up.append((text, number))
            raise
        return compute(read(text), number), self.seconds


def question(sweep, client="somebody", journal="", since=0, go=True, kind="look"):
    """A question to the desk."""
    return {"kind": kind, "sweep": sweep.text(), "client": client, "journal": journal, "since": since, "go": go}


async def look(clerk, sweep, **more):
    """What the clerk answers."""
    return json.loads(await clerk.look(question(sweep, **more)))


def below(pid):
    """All processes that descend from one."""
    parents = {}
    for folder in Path("/proc").iterdir():
        with contextlib.suppress(OSError, IndexError):
            if folder.name.isdigit():
                parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
    found, ahead = set(), [pid]
    while ahead:
        parent = ahead.pop()
        children = {child for child, of in parents.items() if of == parent} - found
        found |= children
        ahead += children
    return found


def is_running(pid):
    """Whether a process is there and not only its record."""
    with contextlib.suppress(OSError):
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    return False


def nice_of(pid):
    """How much a process yields."""
    return os.getpriority(os.PRIO_PROCESS, pid)


def pids_of(desk):
    """The processes that were started to be a desk, and are there."""
    found = []
    for folder in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            words = (folder / "cmdline").read_bytes().split(b"\0") if folder.name.isdigit() else []
            if desk.name.encode() in words and is_running(int(folder.name)):
                found.append(int(folder.name))
    return found


def pid_of(desk):
    """The process of a desk; None if there is none."""
    return next(iter(pids_of(desk)), None)
