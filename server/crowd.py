"""All connections of a process, and the bounds of what they may hold together: places, and bytes on their way.

When a bound is reached, somebody has to go: who asks nothing, or who is slowest.
"""

from collections.abc import Iterator

from server import connection, wire
from server.clients import is_proxy
from server.connection import Connection, Patience, State
from server.settings import Settings
from server.wire import Wire

MOST_INCOMING, MOST_ASKED, MOST_OUTGOING = 16_000_000, 16_000_000, 32_000_000
"""Bytes of requests that are not complete, of those that are, and of answers that are not sent, in a process."""


class Crowd:
    """The connections of a process."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.members: set[Connection] = set()

    def idle(self) -> Iterator[Connection]:
        """Those that ask nothing."""
        return (one for one in self.members if one.is_idle())

    def wires(self) -> list[Wire]:
        """The ways out on which answers wait; on others a thread may be at work."""
        return [one.wire for one in self.members if one.state is State.WRITING]

    def neighbours(self, one: Connection) -> list[Connection]:
        """Those with the same address; the address of a proxy is nobody's."""
        if is_proxy(one.address, self.settings.proxies):
            return []
        return [other for other in self.members if other.home == one.home]

    def is_full_for(self, one: Connection) -> bool:
        """Whether there is no room for one more, in all or from its address."""
        return (
            len(self.members) >= self.settings.connections
            or len(self.neighbours(one)) >= self.settings.connections_each
        )

    def to_make_room_for(self, one: Connection) -> Connection | None:
        """Who goes: one of the same address if it has too many, else anyone; None if all are busy."""
        near = self.neighbours(one)
        crowd = near if len(near) >= self.settings.connections_each else self.members
        return connection.expendable(crowd, one.since)

    def overdue(self, now: float, patience: Patience) -> list[Connection]:
        """Those whose time is over."""
        return [one for one in self.members if one.is_overdue(now, patience)]

    def has_too_much_incoming(self) -> bool:
        """Whether requests that are not complete are too large together."""
        return sum(len(one.incoming.data) for one in self.members if one.state is State.READING) > MOST_INCOMING

    def has_too_much_asked(self) -> bool:
        """Whether requests that wait or are answered are too large together; what is usual takes a hundredth of it."""
        busy = [one for one in self.members if one.state in (State.WAITING, State.RUNNING)]
        return sum(one.asked + len(one.incoming.data) for one in busy) > MOST_ASKED

    def has_too_much_outgoing(self) -> bool:
        """Whether answers that wait are too large together; one alone never is."""
        wires = [one.wire for one in self.members if one.state is State.WRITING]
        return len(wires) > 1 and wire.held(wires) > MOST_OUTGOING

    def slowest_writer(self) -> Connection:
        """Whose request has been coming in for longest."""
        reading = (one for one in self.members if one.state is State.READING and one.incoming.begun())
        return min(reading, key=lambda one: one.since)

    def slowest_reader(self) -> Connection:
        """Whose answer has waited for progress for longest."""
        writing = (one for one in self.members if one.state is State.WRITING)
        return min(writing, key=lambda one: one.progressed)
