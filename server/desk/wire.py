"""Messages between the workers of a server and its desk: a length and so many bytes, one question a connection.

The socket is a file of the private folder, which nobody else can enter. Its path may be longer than the hundred
bytes that a socket's may have: where there is /proc, the folder is named by its handle.
"""

import contextlib
import os
import socket
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from server import folders

LENGTH = struct.Struct("<Q")
PIECE = 1 << 20
NAME = "desk-"
"""How the names of sockets begin."""
STALE = 60.0
"""Seconds after which a socket on which nobody listens was left behind."""


@contextmanager
def path_of(folder: Path, name: str) -> Iterator[str]:
    """A path of a socket in a private folder that is short enough; an OSError if there is no such folder."""
    with folders.opened(folder) as handle:
        yield f"/proc/self/fd/{handle}/{name}" if os.path.isdir("/proc/self/fd") else str(folder / name)


def connected(folder: Path, name: str) -> socket.socket | None:
    """A connection to the desk, or None if none listens."""
    line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        with path_of(folder, name) as path:
            line.connect(path)
        return line
    except OSError:
        line.close()
        return None


def listening(folder: Path, name: str) -> socket.socket:
    """The socket of a desk; one that a former desk has left goes."""
    line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    with path_of(folder, name) as path:
        if os.path.lexists(path):
            os.unlink(path)
        line.bind(path)
    line.listen(128)
    return line


def sweep(folder: Path) -> None:
    """Remove the sockets of desks that were killed, with their servers."""
    for path in folder.glob(f"{NAME}*"):
        line = connected(folder, path.name)
        if line is not None:
            line.close()
            continue
        with contextlib.suppress(OSError):
            if time.time() - path.lstat().st_mtime > STALE:
                path.unlink()


def asked(line: socket.socket, question: bytes) -> bytes:
    """The answer to a question; an OSError if the desk ends before."""
    line.sendall(LENGTH.pack(len(question)) + question)
    (length,) = LENGTH.unpack(received(line, LENGTH.size))
    return received(line, length)


def received(line: socket.socket, count: int) -> bytes:
    """So many bytes."""
    parts, left = [], count
    while left:
        part = line.recv(min(left, PIECE))
        if not part:
            raise ConnectionError("the desk has ended")
        parts.append(part)
        left -= len(part)
    return b"".join(parts)
