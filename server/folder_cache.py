"""Entries as files of a private folder, for flask-caching: bytes in, the same bytes out, and nothing is unpickled.

The folder holds no more than a number of bytes; what was not used for longest goes first. Looking through all of it at
every write would take too long. So each process looks after it has written a 256th of them, and leaves three quarters:
as many as 64 processes stay below the bound though none knows what the others write. What is larger than such a share
is written by one process at a time, after a look.
"""

import contextlib
import errno
import fcntl
import os
import secrets
import shutil
import stat
import threading
import time
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

from flask import Flask
from flask_caching.backends.base import BaseCache

from server import folders, locks
from server.entries import EntryError

ENTRY, NEW = "run-", "new-"
"""How the names of entries begin, and those of files that are being written; others are left alone."""
SHARE = 256
LARGEST = 8
"""An entry takes at most one part of so many."""
STALE = 3600.0
"""Seconds after which a file that is being written is what a process that died has left."""
LOOK = 0.5
"""Seconds for which a write waits for one that looks through the folder."""
BLOCK = 4096
READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
WRITE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
DAMAGES = {errno.ELOOP, errno.EACCES, errno.EPERM, errno.ENXIO, errno.EISDIR, errno.EIO, errno.EOPNOTSUPP}
"""What opening or reading says where something else is in the place of an entry, or the disk is bad."""


class FolderCache(BaseCache):
    """A private folder of entries that takes at most so many bytes."""

    def __init__(self, folder: Path, prefix: str, most: int) -> None:
        super().__init__()
        self.folder, self.prefix, self.most = folder, f"{ENTRY}{prefix}", most
        self.guard = threading.Lock()
        # Nothing is known yet about what others have left.
        self.unseen = most

    @classmethod
    def factory(cls, app: Flask, config: dict[str, Any], args: list[Any], kwargs: dict[str, Any]) -> "FolderCache":
        """As flask-caching makes it; its threshold is in bytes here."""
        return cls(Path(config["CACHE_DIR"]), config["CACHE_KEY_PREFIX"], config["CACHE_THRESHOLD"])

    def get(self, key: str) -> bytes | None:
        """The bytes of a key, or None; an EntryError if something else is in their place."""
        try:
            with folders.opened(self.folder) as place:
                return read(place, f"{self.prefix}{key}", self.most // LARGEST)
        except FileNotFoundError:
            return None

    def set(self, key: str, value: bytes, timeout: int | timedelta | None = None) -> bool:
        """Keep bytes, if there are not too many and nobody is in the way for long; a folder that is gone is made."""
        if on_disk(len(value)) > self.most // LARGEST or not self.guard.acquire(timeout=LOOK):
            return False
        try:
            with folders.opened(self.folder, make=True) as place:
                return self.put(place, f"{self.prefix}{key}", value)
        finally:
            self.guard.release()

    def delete(self, key: str) -> bool:
        """Remove whatever is in the place of a key."""
        try:
            with folders.opened(self.folder) as place:
                return remove(place, f"{self.prefix}{key}")
        except FileNotFoundError:
            return False

    def put(self, place: int, name: str, value: bytes) -> bool:
        """Write a file, after a look at the others if there may be too many bytes."""
        size = on_disk(len(value))
        self.unseen += size
        if self.unseen <= self.most // SHARE:
            write(place, name, value)
            return True
        handle = locks.wait_for(partial(locked, place), time.monotonic() + LOOK)
        if handle is None:
            return False
        try:
            tidy(place, 3 * self.most // 4 - size)
            write(place, name, value)
            self.unseen = 0
            return True
        finally:
            os.close(handle)


def locked(place: int) -> int | None:
    """A lock on a folder itself, or None if somebody has it."""
    handle = os.open(".", folders.WHERE, dir_fd=place)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return handle
    except OSError as error:
        os.close(handle)
        if isinstance(error, BlockingIOError):
            return None
        raise


def read(place: int, name: str, largest: int) -> bytes:
    """The bytes of a file, which counts as used now. Not for a moment does it wait for what is no file."""
    try:
        handle = os.open(name, READ, dir_fd=place)
        try:
            return read_all(handle, largest)
        finally:
            os.close(handle)
    except OSError as error:
        if error.errno in DAMAGES:
            raise EntryError(f"it cannot be read: {error.strerror}") from None
        raise


def read_all(handle: int, largest: int) -> bytes:
    """The bytes of an open file of ours."""
    facts = os.fstat(handle)
    if not stat.S_ISREG(facts.st_mode) or facts.st_uid != os.getuid():
        raise EntryError("it is no file of this user")
    if facts.st_size > largest:
        raise EntryError("it is too large")
    parts, left = [], facts.st_size
    while left and (part := os.read(handle, left)):
        parts.append(part)
        left -= len(part)
    with contextlib.suppress(OSError):
        os.utime(handle)
    return b"".join(parts)


def write(place: int, name: str, value: bytes) -> None:
    """Put a file into its place at once, or leave nothing behind."""
    new = f"{NEW}{secrets.token_hex(8)}"
    handle = os.open(new, WRITE, 0o600, dir_fd=place)
    try:
        try:
            left = memoryview(value)
            while left:
                left = left[os.write(handle, left) :]
        finally:
            os.close(handle)
        os.replace(new, name, src_dir_fd=place, dst_dir_fd=place)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(new, dir_fd=place)
        raise


def remove(place: int, name: str) -> bool:
    """Remove what has a name, be it a folder; False if there is nothing."""
    try:
        os.unlink(name, dir_fd=place)
    except FileNotFoundError:
        return False
    except (IsADirectoryError, PermissionError):
        shutil.rmtree(name, dir_fd=place)
    return True


def tidy(place: int, most: int) -> None:
    """Remove what was left behind, and files that were not used for longest until the rest is small enough."""
    found, total = [], 0
    with os.scandir(place) as entries:
        for entry in entries:
            if entry.name.startswith((ENTRY, NEW)):
                used, size = looked_at(place, entry)
                found.append((used, entry.name, size))
                total += size
    for _, name, size in sorted(found):
        if total <= most:
            return
        # A file that cannot be removed keeps its bytes; the next ones go instead.
        with contextlib.suppress(OSError):
            remove(place, name)
            total -= size


def looked_at(place: int, entry: os.DirEntry[str]) -> tuple[float, int]:
    """When a file was used, and what it takes; one that was left behind, or is none, is removed and takes nothing."""
    with contextlib.suppress(OSError):
        facts = entry.stat(follow_symlinks=False)
        left_behind = entry.name.startswith(NEW) and time.time() - facts.st_mtime > STALE
        if stat.S_ISREG(facts.st_mode) and not left_behind:
            return facts.st_mtime, max(on_disk(facts.st_size), 512 * facts.st_blocks)
        remove(place, entry.name)
    return 0.0, 0


def on_disk(length: int) -> int:
    """What so many bytes take on a disk."""
    return -(-length // BLOCK) * BLOCK
