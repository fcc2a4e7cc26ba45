"""Runs by the value of their problem: kept in the process, and in a cache that all workers share.

Identical requests that come at the same time compute once: in a process the second waits for the first, and between
processes of one machine a file lock does the same. The shared cache (files, or Redis) only ever makes things faster:
whatever goes wrong with it is logged, counts as a miss, and lets it rest for a while. Entries are arrays without
pickles of their own, and hold the text of their problem; one that does not fit is a miss.
"""

import contextlib
import hashlib
import io
import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from flask import Flask
from flask_caching import Cache
from flask_caching.backends.base import BaseCache

import nhviz
from nhviz import registry
from nhviz.problem import Problem, Trajectory
from server import locks
from server.patience import Patience
from server.settings import Settings

KEPT = 64
WEEK = 7 * 24 * 3600
STALE = 3600.0
"""Seconds after which a lock file is what a process that died has left."""
REST = 5.0
"""Seconds for which a shared cache that failed is left alone."""
PATIENCE = 0.25
"""Seconds that Redis may take to answer."""

log = logging.getLogger("nhviz.cache")


def encode(run: Trajectory) -> bytes:
    """A run as an npz of plain arrays."""
    buffer = io.BytesIO()
    parts: dict[str, Any] = {f"part_{name}": values for name, values in run.components.items()}
    np.savez(buffer, problem=run.problem.text(), stopped=run.stopped or "", t=run.t, **parts)
    return buffer.getvalue()


def decode(data: bytes, problem: Problem) -> Trajectory:
    """The run of a problem; ValueError, KeyError or OSError for anything else."""
    with np.load(io.BytesIO(data), allow_pickle=False) as stored:
        if str(stored["problem"]) != problem.text():
            raise ValueError("the entry belongs to another problem")
        components = {name[5:]: stored[name] for name in stored.files if name.startswith("part_")}
        return Trajectory(problem, stored["t"], components, str(stored["stopped"]) or None)


class SharedCache:
    """flask-caching over files or Redis, of which nothing can break a request."""

    def __init__(self, cache: BaseCache) -> None:
        self.cache = cache
        self.resting_until = 0.0

    def get(self, key: str) -> bytes | None:
        """The bytes of a key, or None."""
        found = self.attempt("read", lambda: self.cache.get(key))
        return found if isinstance(found, bytes) else None

    def set(self, key: str, data: bytes) -> None:
        """Keep bytes, if that is possible."""
        self.attempt("write", lambda: self.cache.set(key, data))

    def is_resting(self) -> bool:
        """Whether it has failed a moment ago."""
        return time.monotonic() < self.resting_until

    def attempt(self, what: str, action: Callable[[], Any]) -> Any:
        """What an action answers; None while the cache rests or if it fails."""
        if self.is_resting():
            return None
        try:
            return action()
        # A backend can raise anything: a lost connection, a full disk, bytes that are no pickle.
        except Exception as error:
            self.resting_until = time.monotonic() + REST
            reason = f"it cannot {what} ({type(error).__name__}: {error})"
            log.warning("Doing without the shared cache for %g s: %s.", REST, reason)
            return None


class Runs:
    """Runs by the value of their problem; those that nobody has are made with patience.

    Those that took at least `slow` seconds go into the shared cache; `locks` is the folder of locks between processes.
    """

    def __init__(self, patience: Patience, shared: SharedCache | None, locks: Path | None, slow: float) -> None:
        self.patience, self.shared, self.locks, self.slow = patience, shared, locks, slow
        self.kept: OrderedDict[Problem, Trajectory] = OrderedDict()
        self.guard = threading.Lock()
        self.under_way: dict[Problem, threading.Lock] = {}
        self.took: dict[tuple[str, str, int], float] = {}

    def run(self, problem: Problem) -> Trajectory:
        """The run of a problem, from wherever it is quickest to have."""
        found = self.recall(problem)
        if found is not None:
            return found
        with self.patience.place(problem):
            return self.made_once(problem)

    def made_once(self, problem: Problem) -> Trajectory:
        """A run that this process does not have. Who asks while it is made waits for it, but not for ever."""
        with self.guard:
            mine = self.under_way.setdefault(problem, threading.Lock())
        mine_now = mine.acquire(timeout=max(0.0, self.patience.left().until - time.monotonic()))
        try:
            found = self.recall(problem) or self.fetch(problem)
            self.keep(problem, found)
            return found
        finally:
            with self.guard:
                self.under_way.pop(problem, None)
            if mine_now:
                mine.release()

    def keep(self, problem: Problem, run: Trajectory) -> None:
        """Keep a run in this process, and drop the one that was not used for longest."""
        with self.guard:
            self.kept[problem] = run
            while len(self.kept) > KEPT:
                self.kept.popitem(last=False)

    def recall(self, problem: Problem) -> Trajectory | None:
        """A run that this process still has."""
        with self.guard:
            if problem in self.kept:
                self.kept.move_to_end(problem)
                return self.kept[problem]
        return None

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
        """A run from the shared cache; what cannot be read is a miss."""
        data = self.shared.get(key) if self.shared else None
        try:
            return decode(data, problem) if data is not None else None
        except (ValueError, KeyError, OSError, EOFError) as error:
            log.warning("An entry of the shared cache is no run (%s); computing it.", error)
            return None

    def computed(self, key: str, problem: Problem) -> Trajectory:
        """A new run; one that took its time is shared."""
        found, seconds = self.timed(problem)
        if self.shared and seconds >= self.slow:
            self.shared.set(key, encode(found))
        return found

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
                handle = locks.wait_for(partial(locks.attempt, path), self.patience.left().until)
        except OSError as error:
            log.warning("No lock between processes (%s).", error)
        try:
            yield
        finally:
            if path is not None and handle is not None:
                locks.remove(path, handle)


def kind(problem: Problem) -> tuple[str, str, int]:
    """What a run's time depends on most: the method, and the number of steps to a factor of two."""
    return problem.system, problem.method, problem.steps.bit_length()


def sweep(folder: Path) -> None:
    """Remove lock files that were left behind."""
    for path in folder.glob("lock-*"):
        with contextlib.suppress(OSError):
            if time.time() - path.stat().st_mtime > STALE:
                path.unlink()


def connected(server: Flask, settings: Settings) -> BaseCache:
    """flask-caching over Redis if an address is given, else over files; other sources have other keys."""
    config: dict[str, Any] = {"CACHE_DEFAULT_TIMEOUT": WEEK}
    if settings.redis_url:
        options = {"socket_timeout": PATIENCE, "socket_connect_timeout": PATIENCE}
        config |= {"CACHE_TYPE": "RedisCache", "CACHE_REDIS_URL": settings.redis_url, "CACHE_OPTIONS": options}
        config |= {"CACHE_KEY_PREFIX": f"nhviz-{version()}-"}
    else:
        folder = settings.cache_dir / f"runs-{version()}"
        config |= {"CACHE_TYPE": "FileSystemCache", "CACHE_DIR": str(folder), "CACHE_THRESHOLD": settings.cache_entries}
    # The backend itself: the other object asks which application is answering, and knows none but this one.
    cache = Cache(server, config=config)
    backend: BaseCache = server.extensions["cache"][cache]
    return backend


def version() -> str:
    """A short name for the sources that runs come from: runs of others are not ours."""
    digest = hashlib.sha256()
    for source in sources():
        digest.update(hashlib.sha256(source.read_bytes()).digest())
    return digest.hexdigest()[:12]


def sources() -> list[Path]:
    """The files of nhviz, and those of systems from elsewhere, in an order that does not depend on where they are."""
    inside = sorted(Path(nhviz.__file__).parent.rglob("*.py"))
    return inside + [source for source in map(registry.source, registry.systems()) if source not in inside]
