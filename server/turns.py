"""Turns for long runs: a few at a time on the whole machine, and only some threads of a process may wait for one.

A turn is a lock on a file, so that it is free again when the process that has it dies. Where there is no folder for
such files, or no longer, a process keeps turns of its own.
"""

import fcntl
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LOOK = 0.02
"""Seconds between two looks for a free turn."""


class BusyError(Exception):
    """There was no turn in time."""


class Turns:
    """At most `at_once` turns at a time on a machine, and at most `waiting` threads of a process that have or want one.

    Without that second limit a queue of long runs would take all threads, and nobody could move a slider.
    """

    def __init__(self, at_once: int, waiting: int, folder: Path | None = None) -> None:
        self.at_once, self.folder = at_once, folder
        self.places = threading.BoundedSemaphore(waiting)
        self.own = threading.BoundedSemaphore(at_once)

    @contextmanager
    def turn(self, patience: float) -> Iterator[None]:
        """Have a turn, after waiting for it no longer than so many seconds; raises BusyError."""
        if not self.places.acquire(blocking=False):
            raise BusyError
        try:
            with self.machine(patience) if self.is_shared() else self.process(patience):
                yield
        finally:
            self.places.release()

    def is_shared(self) -> bool:
        """Whether there is a folder for locks."""
        return self.folder is not None and os.access(self.folder, os.W_OK)

    @contextmanager
    def process(self, patience: float) -> Iterator[None]:
        """A turn among the threads of this process."""
        if not self.own.acquire(timeout=max(patience, 0.0)):
            raise BusyError
        try:
            yield
        finally:
            self.own.release()

    @contextmanager
    def machine(self, patience: float) -> Iterator[None]:
        """A turn among all processes that use the folder."""
        handle, until = self.free(), time.monotonic() + patience
        while handle is None:
            if time.monotonic() > until:
                raise BusyError
            time.sleep(LOOK)
            handle = self.free()
        try:
            yield
        finally:
            os.close(handle)

    def free(self) -> int | None:
        """A lock on a turn that nobody has, or None."""
        for number in range(self.at_once):
            handle = os.open(f"{self.folder}/turn-{number}", os.O_CREAT | os.O_RDWR, 0o600)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return handle
            except BlockingIOError:
                os.close(handle)
        return None
