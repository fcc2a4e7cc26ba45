"""Where connections come in. All processes listen on the same sockets, and who has fewer connections goes first.

Who has many leaves a new connection to the others for a moment: else the one that happens to wake first would take all,
and when it dies, or is busy, all of them would suffer.
"""

import selectors
import socket
from collections.abc import Iterator
from contextlib import suppress

from server.clients import Peer

HESITATION, LONGEST_HESITATION = 0.0005, 0.01
"""Seconds of hesitation for each connection that a process has, and in all."""
AT_ONCE = 8
"""Connections that are accepted at once."""


class Door:
    """The listening sockets of a process. `opens_at` is the time at which those who knock are let in."""

    def __init__(self, listeners: list[socket.socket], selector: selectors.BaseSelector) -> None:
        self.listeners, self.selector = listeners, selector
        self.opens_at: float | None = None
        self.listen()

    def listen(self) -> None:
        """Hear of those who knock."""
        for listener in self.listeners:
            listener.setblocking(False)
            self.selector.register(listener, selectors.EVENT_READ)

    def hesitate(self, load: int, now: float) -> None:
        """Somebody knocks; open in a moment, which is longer the more there is to do."""
        self.leave()
        self.opens_at = now + min(LONGEST_HESITATION, HESITATION * load)

    def leave(self) -> None:
        """Hear of nobody."""
        self.opens_at = None
        for listener in self.listeners:
            with suppress(KeyError, ValueError):
                self.selector.unregister(listener)

    def admitted(self, now: float) -> Iterator[tuple[socket.socket, Peer, Peer]]:
        """Those who are still there when the door opens, each with both ends of its connection."""
        if self.opens_at is None or now < self.opens_at:
            return
        self.opens_at = None
        self.listen()
        for listener in self.listeners:
            # Nobody is left, or there is no room for another file.
            with suppress(OSError):
                for _ in range(AT_ONCE):
                    sock, peer = listener.accept()
                    yield sock, peer, listener.getsockname()

    def close(self) -> None:
        """Let nobody in any more: a connection that is refused can go elsewhere at once."""
        self.leave()
        for listener in self.listeners:
            listener.close()
