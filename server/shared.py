"""The cache that processes share: flask-caching over files or Redis, of which nothing can break a request.

It only ever makes things faster. Whatever goes wrong with it is a miss, is told once, and lets it rest for a while.
"""

import hashlib
import logging
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from flask import Flask
from flask_caching import Cache
from flask_caching.backends.base import BaseCache

import nhviz
from nhviz import registry
from server.entries import EntryError
from server.settings import Settings
from server.told import Told

WEEK = 7 * 24 * 3600
REST = 5.0
"""Seconds for which a shared cache that failed is left alone."""
READ, WRITE = "read", "write"

log = logging.getLogger("nhviz.cache")


class SharedCache:
    """A backend of flask-caching for bytes."""

    def __init__(self, cache: BaseCache) -> None:
        self.cache = cache
        self.told = Told(log)
        self.resting_until = {READ: 0.0, WRITE: 0.0}

    def get(self, key: str) -> bytes | None:
        """The bytes of a key, or None; an EntryError if something else is in their place."""
        return self.attempt(READ, lambda: self.cache.get(key))

    def set(self, key: str, data: bytes) -> None:
        """Keep bytes, if that is possible."""
        self.attempt(WRITE, lambda: self.cache.set(key, data))

    def sweep(self, key: str, error: EntryError) -> None:
        """Remove an entry that is none, and say so."""
        self.told.once(key, f"An entry of the shared cache is removed and computed again: {error} ({key[:12]}).")
        self.attempt(WRITE, lambda: self.cache.delete(key))

    def is_resting(self) -> bool:
        """Whether it has failed a moment ago: then nobody can have a run from somebody else."""
        return time.monotonic() < max(self.resting_until.values())

    def attempt(self, what: str, action: Callable[[], Any]) -> Any:
        """What an action answers; None while the cache rests or if it fails."""
        if time.monotonic() < self.resting_until[what]:
            return None
        try:
            found = action()
        except EntryError:
            raise
        # A backend can raise anything, from a full disk to a lost connection.
        except Exception as error:
            self.rest(what, error)
            return None
        self.told.forget(what)
        return found

    def rest(self, what: str, error: Exception) -> None:
        """Do without it for a while. Where nothing can be read nothing is written; a full disk can still be read."""
        for part in (READ, WRITE) if what == READ else (WRITE,):
            self.resting_until[part] = time.monotonic() + REST
        self.told.once(
            what, f"Doing without the shared cache for {REST:g} s at a time: it cannot {what} ({clause(error)})."
        )


def clause(error: Exception) -> str:
    """What an error says. Words of others than the operating system may hold an address with its password."""
    return str(error) if isinstance(error, OSError) else type(error).__name__


def connected(server: Flask, settings: Settings) -> BaseCache:
    """flask-caching over Redis if an address is given, else over files; other sources have other keys."""
    config: dict[str, Any] = {"CACHE_DEFAULT_TIMEOUT": WEEK}
    if settings.redis_url:
        config |= {"CACHE_TYPE": "server.redis_cache.RedisCache", "CACHE_REDIS_URL": settings.redis_url}
        config |= {"CACHE_KEY_PREFIX": f"nhviz-{version()}-"}
    else:
        config |= {"CACHE_TYPE": "server.folder_cache.FolderCache", "CACHE_DIR": settings.cache_dir}
        config |= {"CACHE_KEY_PREFIX": f"{version()}-", "CACHE_THRESHOLD": settings.cache_bytes}
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
