"""What stands in for a socket while an answer is made: it takes everything at once, and nobody waits for the network.

What the kernel does not take yet stays here. One thread at a time uses a wire: who makes the answer, then the poller.
"""

import socket
import struct
from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from itertools import islice

AT_ONCE = 16
"""Pieces that are given to the kernel together."""
AT_ONCE_AND_WITHOUT_REST = struct.pack("ii", 1, 0)
"""What the kernel calls to linger for no time at all."""
LARGE = 256_000
"""Bytes of a piece that is worth a look whether it is waiting already."""
IN_KERNEL = 256_000
"""Bytes that the kernel keeps for a client that does not read; without a bound they would be millions."""


class Wire:
    """The way out of a connection: pieces of bytes that have not been sent, none of them copied."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self.pieces: deque[memoryview] = deque()
        self.size, self.total = 0, 0
        self.broken, self.gone = False, False
        if sock.family != socket.AF_UNIX and hasattr(socket, "TCP_NOTSENT_LOWAT"):
            # A client that is gone already is noticed later.
            with suppress(OSError):
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, IN_KERNEL)

    def sendall(self, data: bytes) -> None:
        """Take bytes; `flush` sends them, the head of an answer together with its body."""
        if data and not self.broken:
            self.pieces.append(memoryview(data))
            self.size += len(data)
            self.total += len(data)

    def is_gone(self) -> bool:
        """Whether the client has gone while it was answered. Any thread may ask."""
        return self.gone

    def flush(self) -> None:
        """Send what the kernel takes now. Who is gone takes nothing more."""
        try:
            while self.pieces:
                self.drop(self.sock.sendmsg(list(islice(self.pieces, AT_ONCE))))
        except BlockingIOError:
            pass
        except OSError:
            self.broken, self.size = True, 0
            self.pieces.clear()

    def cut(self) -> None:
        """Close the socket. The kernel does not go on with an answer that is not whole: nobody would see to its end."""
        if self.pieces:
            with suppress(OSError):
                self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE_AND_WITHOUT_REST)
            self.pieces.clear()
        self.sock.close()

    def drop(self, count: int) -> None:
        """Forget so many bytes, which have been sent."""
        self.size -= count
        while count:
            piece = self.pieces.popleft()
            if count < len(piece):
                self.pieces.appendleft(piece[count:])
            count -= min(count, len(piece))

    def share(self, others: Iterable["Wire"]) -> None:
        """Let go of large pieces that wait on another wire, too: a class that loads a page asks for the same files."""
        for place, piece in enumerate(self.pieces):
            if len(whole(piece)) >= LARGE:
                there = large(other for other in others if other is not self)
                same = next((text for text in there if text == whole(piece)), whole(piece))
                self.pieces[place] = memoryview(same)[len(same) - len(piece) :]


def large(wires: Iterable[Wire]) -> Iterable[bytes]:
    """The large texts that wait on some wires."""
    return (whole(piece) for wire in wires for piece in wire.pieces if len(whole(piece)) >= LARGE)


def held(wires: Iterable[Wire]) -> int:
    """The memory of what waits on some wires: a piece keeps all of its text, and wires share texts."""
    return sum({id(whole(piece)): len(whole(piece)) for wire in wires for piece in wire.pieces}.values())


def whole(piece: memoryview) -> bytes:
    """The text of which a piece is the rest."""
    assert isinstance(piece.obj, bytes)
    return piece.obj
