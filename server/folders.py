"""Folders that nobody else can change: a folder of this user, no link, closed to others. Any other one is refused.

What is done in such a folder is done relative to its handle: it stays the same folder even if its name is given to
another one meanwhile.
"""

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path

CLOSED = 0o700
WHERE = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class FolderError(OSError):
    """A folder, or something in it, that is not ours alone: one clause that says which and why."""


@contextlib.contextmanager
def opened(folder: Path, make: bool = False) -> Iterator[int]:
    """A handle of a private folder, made if need be; an OSError if there is none, or none that can be used."""
    if make:
        make_private(folder)
    handle = entered(folder)
    try:
        check(handle, folder)
        yield handle
    finally:
        os.close(handle)


def make_private(folder: Path) -> None:
    """Make a folder that is closed to others, if nothing has its name."""
    with contextlib.suppress(FileExistsError):
        try:
            os.mkdir(folder, CLOSED)
        except FileNotFoundError:
            folder.parent.mkdir(parents=True, exist_ok=True)
            os.mkdir(folder, CLOSED)


def entered(folder: Path) -> int:
    """A handle of a folder that is no link."""
    try:
        return os.open(folder, WHERE)
    except OSError as error:
        # Which of both it is for a link depends on the operating system.
        if error.errno in (errno.ENOTDIR, errno.ELOOP):
            raise FolderError(f"{folder} is a link, or no folder") from None
        raise


def check(handle: int, folder: Path) -> None:
    """Refuse a folder of somebody else, or one that is open to others; an empty one of ours is closed."""
    facts = os.fstat(handle)
    if facts.st_uid != os.getuid():
        raise FolderError(f"{folder} belongs to somebody else")
    if stat.S_IMODE(facts.st_mode) & 0o777 == CLOSED:
        return
    # Others may have put something into it; what is empty holds nothing of theirs.
    if os.listdir(handle):
        raise FolderError(f"{folder} is open to others, and its mode must be 700")
    os.fchmod(handle, CLOSED)
