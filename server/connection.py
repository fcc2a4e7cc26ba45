"""A connection: what it is doing, since when, and how long it may go on like that.

Nobody is waited for without a deadline. A request has to come in, an answer to be taken, each in a time that grows with
its length; only what this server does itself has none.
"""

import socket
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from server import clients
from server.answer import Answer
from server.clients import Peer
from server.incoming import Incoming
from server.wire import Wire

RATE = 64_000
"""Bytes that a client sends or takes in a second at least, in the long run."""
PROGRESS = 64_000
"""Bytes of an answer that are progress."""
WHOLE = 6.0
"""So many times the patience for progress is the patience for a whole answer, beside that for its length."""
LINGER = 2.0
"""Seconds for a client to read a last answer: closed at once, a connection would take back what was sent."""
STALLED = 1.0
"""Seconds after which a client that sends nothing, or takes nothing, may have to make room."""


class State(Enum):
    """What a connection is doing. From reading to writing it goes round, as long as it is kept alive."""

    READING = "reading"
    WAITING = "waiting for its turn"
    RUNNING = "being answered"
    WRITING = "writing"
    LINGERING = "lingering"


@dataclass(frozen=True)
class Patience:
    """Seconds for a request to come in, for progress of an answer, and for the next request."""

    reading: float
    writing: float
    idle: float


class Connection:
    """One connection, from an address; `home` is who has that address, `client` who asks, perhaps through a proxy.

    `since` is when its state began; in reading when the request did, if it has begun.
    """

    def __init__(self, sock: socket.socket, peer: Peer, here: Peer, incoming: Incoming, now: float) -> None:
        self.sock, self.ends, self.incoming = sock, (peer, here), incoming
        self.address = clients.address(peer)
        self.home = self.client = clients.told(self.address, (), ())
        self.wire = Wire(sock)
        self.answer: Answer | None = None
        self.state, self.since = State.READING, now
        self.progressed, self.goal = now, 0
        self.writing_since: float | None = None
        self.is_new, self.is_closed = True, False
        self.watched, self.asked = 0, 0

    def fileno(self) -> int:
        """What a selector knows it by."""
        return self.sock.fileno()

    @property
    def current(self) -> Answer:
        """The answer to the request that has come in."""
        assert self.answer is not None
        return self.answer

    def become(self, state: State, now: float) -> None:
        """Go on to another state."""
        self.state, self.since = state, now

    def take_question(self, answer: Answer, client: str) -> None:
        """A request of a client has come in; this will be its answer."""
        self.answer, self.client, self.asked = answer, client, self.incoming.length
        self.is_new, self.writing_since, self.wire.total = False, None, 0

    def is_idle(self) -> bool:
        """Whether nothing has come of a next request."""
        return self.state is State.READING and not self.incoming.begun()

    def note_progress(self, now: float) -> None:
        """Note that enough of the answer has been taken; the next step is as large."""
        if self.wire.size <= self.goal:
            self.progressed, self.goal = now, self.wire.size - PROGRESS

    def start_writing(self, now: float) -> None:
        """What is left of an answer waits for the client."""
        self.become(State.WRITING, now)
        self.writing_since = self.writing_since or now
        self.progressed, self.goal = now, self.wire.size - PROGRESS

    def is_overdue(self, now: float, patience: Patience) -> bool:
        """Whether a deadline has passed."""
        if self.state is State.READING:
            return now - self.since > self.reading_time(patience)
        if self.state is State.WRITING:
            whole = WHOLE * patience.writing + self.wire.total / RATE
            return now - self.progressed > patience.writing or now - (self.writing_since or now) > whole
        return self.state is State.LINGERING and now - self.since > LINGER

    def reading_time(self, patience: Patience) -> float:
        """Seconds for what is being read: a first request, the next one, or the rest of one."""
        if self.incoming.begun():
            return patience.reading + self.incoming.length / RATE
        return patience.reading if self.is_new else patience.idle


def expendable(connections: Iterable[Connection], now: float) -> Connection | None:
    """The connection that is missed least, or None if all are in use."""
    ranked = [(found, number, one) for number, one in enumerate(connections) if (found := rank(one, now))]
    return min(ranked)[-1] if ranked else None


def rank(one: Connection, now: float) -> tuple[int, float] | None:
    """The kind and the time by which a connection makes room, the lowest first; None if it does not.

    First those that have been slow, then those that have asked nothing for a while: a browser opens another one. Last
    those that have just come; but none that has just been answered, as between two steps of a slider.
    """
    if one.state is State.WRITING:
        return (2, one.progressed) if now - one.progressed > STALLED else None
    if one.state is State.LINGERING:
        return 0, one.since
    if one.state is not State.READING:
        return None
    was_answered = one.is_idle() and not one.is_new
    if now - one.since > STALLED:
        return 3 if was_answered else 1, one.since
    return None if was_answered else (4, one.since)
