"""Turns for long runs: a few at a time on the whole machine, and only some threads of a process are busy with them.

A turn is a lock on a file. Where there is no folder for such files, or no longer, a process keeps turns of its own.
"""

import logging
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from server import locks

log = logging.getLogger("nhviz.turns")


class BusyError(Exception):
    """There was no place, or no turn in time."""


class Turns:
    """At most `at_once` turns at a time on a machine, and at most `places` threads of a process for all that is long.

    Without places a class that waits for long runs, be it all for the same one, would take all threads, and nobody
    could move a slider.
    """

    def __init__(self, at_once: int, places: int, folder: Path | None = None) -> None:
        self.at_once, self.folder = at_once, folder
        self.places = threading.BoundedSemaphore(places)
        self.own = threading.BoundedSemaphore(at_once)

    @contextmanager
    def place(self) -> Iterator[None]:
        """Be one of the threads that are busy with something long; raises BusyError if there are enough."""
        if not self.places.acquire(blocking=False):
            raise BusyError
        try:
            yield
        finally:
            self.places.release()

    @contextmanager
    def turn(self, until: float) -> Iterator[None]:
        """Have a turn, after waiting for it no longer than until a time of the monotonic clock; raises BusyError."""
        try:
            handle = locks.wait_for(self.free, until) if self.folder else None
            shared = self.folder is not None
        except OSError as error:
            log.warning("No turns between processes (%s).", error)
            handle, shared = None, False
        if not shared:
            with self.own_turn(until):
                yield
            return
        if handle is None:
            raise BusyError
        try:
            yield
        finally:
            os.close(handle)

    @contextmanager
    def own_turn(self, until: float) -> Iterator[None]:
        """A turn among the threads of this process."""
        if not self.own.acquire(timeout=max(0.0, until - time.monotonic())):
            raise BusyError
        try:
            yield
        finally:
            self.own.release()

    def free(self) -> int | None:
        """A lock on a turn that nobody has, or None."""
        handles = (locks.attempt(Path(f"{self.folder}/turn-{number}")) for number in range(self.at_once))
        return next((handle for handle in handles if handle is not None), None)
