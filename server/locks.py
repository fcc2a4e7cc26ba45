"""Locks between processes: each is a file, and free again when the process that has it dies."""

import contextlib
import fcntl
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

SHORTEST_LOOK, LONGEST_LOOK = 0.001, 0.05
"""Seconds between two looks at a lock that somebody has: few at first, more for one that is kept long."""

Found = TypeVar("Found")


def attempt(path: Path) -> int | None:
    """A lock on a file, or None if somebody has it; raises OSError where there can be none."""
    handle = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # Who had it may have removed the file: then it is another one that counts.
        if os.fstat(handle).st_ino == path.stat().st_ino:
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


def wait_for(look: Callable[[], Found | None], until: float) -> Found | None:
    """What a look finds as soon as it finds something; None if it finds nothing until a time of the monotonic clock."""
    pause = SHORTEST_LOOK
    found = look()
    while found is None and time.monotonic() < until:
        time.sleep(pause)
        pause = min(2.0 * pause, LONGEST_LOOK)
        found = look()
    return found
