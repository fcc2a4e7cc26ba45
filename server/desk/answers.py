"""What the desk answers: how a sweep stands, with the tiles that the page does not have yet; or all its values."""

import struct
import time
from typing import Any

import numpy as np
import orjson

from nhviz.figures.arrays import letters
from nhviz.sweeps.found import Found
from nhviz.sweeps.value import Sweep
from server.desk.record import READING, WAITING, Record

MOST_CELLS = 23_000
"""Cells of an answer, about 250 kB; the page asks again at once for more."""
COUNTS = struct.Struct("<Q")


def standing(record: Record, state: str, told: str, journal: str, since: int, ahead: int) -> bytes:
    """How a sweep stands, and the tiles after the first `since` that came, if the page has this journal."""
    begin = since if journal == record.journal and 0 <= since <= len(record.came) else 0
    end, cells = begin, 0
    tiles: list[dict[str, Any]] = []
    while end < len(record.came) and cells < MOST_CELLS:
        number = record.came[end]
        values = record.values_of(number)
        tiles.append({"number": number, "values": {"dtype": "f8", "letters": letters(values.astype("<f8").data)}})
        cells += values.size
        end += 1
    return orjson.dumps(
        {
            "journal": record.journal,
            "since": end,
            "tiles": tiles,
            "more": end < len(record.came),
            "done": record.done,
            "of": record.sweep.cells,
            "state": WAITING if state == READING else state,
            "sentence": told or record.sentence,
            "seconds": record.seconds,
            "left": seconds_left(record),
            "ahead": ahead,
        }
    )


def seconds_left(record: Record) -> float | None:
    """How long the rest will take if it goes on as since it was begun; None if that is not known."""
    fresh = record.done - record.before
    if not record.is_active or fresh <= 0:
        return None
    return (time.monotonic() - record.began) / fresh * (record.sweep.cells - record.done)


def everything(record: Record) -> bytes:
    """All values, and a byte for each cell that says whether it is done."""
    found = record.found()
    return COUNTS.pack(record.sweep.cells) + found.values.astype("<f8").tobytes() + found.done.tobytes()


def read_everything(data: bytes, sweep: Sweep) -> Found:
    """The same in the process that has asked."""
    (cells,) = COUNTS.unpack_from(data)
    values = np.frombuffer(data, "<f8", cells, COUNTS.size).astype(np.float64)
    done = np.frombuffer(data, bool, cells, COUNTS.size + 8 * cells)
    return Found(sweep, values.reshape(sweep.shape), done.reshape(sweep.shape))
