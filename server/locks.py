"""Locks between processes: each is a file, and free again when the process that has it dies."""

import contextlib
import fcntl
import os
import stat
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from server import folders
from server.refusals import GoneError

LOCK = os.O_CREAT | os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
STALE = 3600.0
"""Seconds after which a lock file is what a process that died has left."""
SHORTEST_LOOK, LONGEST_LOOK = 0.001, 0.05
"""Seconds between two looks at a lock that somebody has: few at first, more for one that is kept long."""

Found = TypeVar("Found")


def attempt(path: Path) -> int | None:
    """A lock on a file of a private folder, or None if somebody has it; raises OSError where there can be none."""
    with folders.opened(path.parent, make=True) as place:
        handle = os.open(path.name, LOCK, 0o600, dir_fd=place)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            facts = os.fstat(handle)
            if not stat.S_ISREG(facts.st_mode):
                raise folders.FolderError(f"{path} is no file")
            # Who had it may have removed the file: then it is another one that counts.
            if facts.st_ino == os.stat(path.name, dir_fd=place, follow_symlinks=False).st_ino:
                os.utime(handle)
                return handle
        except (BlockingIOError, FileNotFoundError):
            pass
        except OSError:
            os.close(handle)
            raise
        os.close(handle)
        return None


def remove(path: Path, handle: int) -> None:
    """Give a lock back, with its file."""
    try:
        with contextlib.suppress(OSError):
            path.unlink()
    finally:
        os.close(handle)


def never() -> bool:
    """Whether the one who waits has gone, where nobody can tell."""
    return False


def wait_for(look: Callable[[], Found | None], until: float, is_gone: Callable[[], bool] = never) -> Found | None:
    """What a look finds as soon as it finds something; None if it finds nothing until a time of the monotonic clock.

    A GoneError as soon as nobody waits for it.
    """
    pause = SHORTEST_LOOK
    found = look()
    while found is None and time.monotonic() < until:
        if is_gone():
            raise GoneError
        time.sleep(pause)
        pause = min(2.0 * pause, LONGEST_LOOK)
        found = look()
    return found


def sweep(folder: Path) -> None:
    """Remove lock files of keys that were left behind."""
    for path in folder.glob("lock-*"):
        with contextlib.suppress(OSError):
            if time.time() - path.lstat().st_mtime > STALE:
                path.unlink()
