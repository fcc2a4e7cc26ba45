"""Runs by the value of their problem: kept in the process, and in a cache that all workers share.

Identical requests that come at the same time compute once: in a process the second waits for the first, and between
processes of one machine a file lock does the same. An entry of the shared cache that is not the run of its problem is a
miss, and removed.
"""

import contextlib
import hashlib
import logging
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np

from nhviz.problem import Problem, Trajectory
from server import locks
from server.entries import EntryError, decode, encode
from server.kept import Kept
from server.patience import Patience
from server.shared import SharedCache
from server.told import Told

log = logging.getLogger("nhviz.cache")


class Runs:
    """Runs by the value of their problem; those that nobody has are made with patience.

    Those that took at least `slow` seconds go into the shared cache; `locks` is the folder of locks between processes.
    """

    def __init__(self, patience: Patience, shared: SharedCache | None, locks: Path | None, slow: float) -> None:
        self.patience, self.shared, self.locks, self.slow = patience, shared, locks, slow
        self.kept, self.told = Kept(), Told(log)
        self.guard = threading.Lock()
        self.under_way: dict[Problem, threading.Lock] = {}
        self.took: dict[tuple[str, str, int], float] = {}

    def run(self, problem: Problem) -> Trajectory:
        """The run of a problem, from wherever it is quickest to have."""
        found = self.kept.recall(problem)
        if found is not None:
            return found
        return self.made_once(problem)

    def made_once(self, problem: Problem) -> Trajectory:
        """A run that this process does not have. Who asks while it is made waits for it, but not for ever."""
        with self.guard:
            mine = self.under_way.setdefault(problem, threading.Lock())
        mine_now = self.patience.waited(lambda: mine.acquire(blocking=False) or None)
        try:
            found = self.kept.recall(problem) or self.fetch(problem)
            self.kept.keep(problem, found)
            return found
        finally:
            with self.guard:
                self.under_way.pop(problem, None)
            if mine_now:
                mine.release()

    def fetch(self, problem: Problem) -> Trajectory:
        """A run from the shared cache, or computed; only one process of this machine computes it.

        The likes of it that were far too quick to be shared need neither a look nor a lock: both would take longer.
        """
        if self.took.get(kind(problem), np.inf) < 0.5 * self.slow:
            return self.timed(problem)[0]
        key = hashlib.sha256(problem.text().encode()).hexdigest()
        found = self.stored(key, problem)
        if found is not None:
            return found
        with self.file_lock(key):
            return self.stored(key, problem) or self.computed(key, problem)

    def stored(self, key: str, problem: Problem) -> Trajectory | None:
        """A run from the shared cache; what is none is a miss, and goes."""
        if self.shared is None:
            return None
        try:
            data = self.shared.get(key)
            return decode(data, problem) if data is not None else None
        except EntryError as error:
            self.shared.sweep(key, error)
            return None

    def computed(self, key: str, problem: Problem) -> Trajectory:
        """A new run; one that took its time is shared."""
        found, seconds = self.timed(problem)
        if self.shared and seconds >= self.slow:
            self.share(self.shared, key, found)
        return found

    def share(self, shared: SharedCache, key: str, run: Trajectory) -> None:
        """Put a run into the shared cache, if it can be an entry."""
        try:
            shared.set(key, encode(run))
        except EntryError as error:
            self.told.once(run.problem.system, f"Runs of {run.problem.system} are not shared: {error}.")

    def timed(self, problem: Problem) -> tuple[Trajectory, float]:
        """A new run and what it took, which is remembered for its kind."""
        began = time.perf_counter()
        found = self.patience.simulate(problem)
        seconds = self.took[kind(problem)] = time.perf_counter() - began
        return found, seconds

    @contextlib.contextmanager
    def file_lock(self, key: str) -> Iterator[None]:
        """Held by one process at a time; one that has waited long enough goes on without it.

        There is no lock without a folder for it, nor while nothing is shared: waiting would gain nothing.
        """
        path, handle = None, None
        try:
            if self.locks is not None and self.shared is not None and not self.shared.is_resting():
                path = self.locks / f"lock-{key}"
                handle = self.patience.waited(partial(locks.attempt, path))
        except OSError as error:
            self.told.once("lock", f"No lock between processes ({error}).")
        try:
            yield
        finally:
            if path is not None and handle is not None:
                locks.remove(path, handle)


def kind(problem: Problem) -> tuple[str, str, int]:
    """What a run's time depends on most: the method, and the number of steps to a factor of two."""
    return problem.system, problem.method, problem.steps.bit_length()
