"""Whose turn it is: of all who wait the client that has used least, and of its connections the one that has.

Each has a virtual time: the seconds that it has used, on a clock that goes with whoever is served (start-time fair
queueing). Who comes anew begins where the clock is, and who comes back after a pause a little before it: a hand that
drags a slider goes before those who ask in a loop.
"""

import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

GUESS = 0.01
"""Seconds that a request is expected to use until it is known."""
DEBT = 0.25
"""Most seconds by which anybody is behind the clock: after a long run one waits for a while, not for minutes."""
CREDIT = 0.05
"""Most seconds that anybody saves in a pause."""
MEMORY = 10.0
"""Seconds after which one who asked nothing is forgotten."""

Connection = TypeVar("Connection", bound=Hashable)


class Shares:
    """What each has used, on the clock of those who share something."""

    def __init__(self) -> None:
        self.clock = 0.0
        self.used: dict[Hashable, float] = {}

    def time(self, who: Hashable) -> float:
        """The virtual time of one; not long before the clock."""
        return max(self.clock - CREDIT, self.used.get(who, self.clock))

    def begin(self, who: Hashable) -> None:
        """One is served; the clock goes with it."""
        start = self.time(who)
        self.clock = max(self.clock, start)
        self.used[who] = start + GUESS

    def end(self, who: Hashable, seconds: float) -> None:
        """What one has used instead of the guess."""
        behind = self.used.get(who, self.clock + GUESS) - GUESS + seconds
        self.used[who] = min(behind, self.clock + DEBT)


@dataclass
class Client(Generic[Connection]):
    """Connections of a client that wait, those that are served, what each has used, and when it was last heard of."""

    waiting: dict[Connection, None]
    served: int
    shares: Shares
    heard: float


class FairQueue(Generic[Connection]):
    """Connections with a request, which wait for their turn; each has one request at a time."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self.now = now
        self.shares = Shares()
        self.clients: dict[str, Client[Connection]] = {}
        self.length = 0

    def __len__(self) -> int:
        return self.length

    def put(self, name: str, connection: Connection) -> None:
        """A connection of a client waits."""
        client = self.clients.setdefault(name, Client({}, 0, Shares(), 0.0))
        client.waiting[connection] = None
        client.heard = self.now()
        self.length += 1

    def remove(self, name: str, connection: Connection) -> None:
        """A connection waits no more."""
        client = self.clients.get(name)
        if client is not None and connection in client.waiting:
            del client.waiting[connection]
            self.length -= 1

    def part(self, name: str, connection: Connection) -> None:
        """A connection has ended: nothing of it is remembered, however busy its client is."""
        self.remove(name, connection)
        if name in self.clients:
            self.clients[name].shares.used.pop(connection, None)

    def take(self) -> Connection:
        """The connection whose turn it is; those with equal times in the order in which they came."""
        name = min((name for name, client in self.clients.items() if client.waiting), key=self.shares.time)
        client = self.clients[name]
        connection = min(client.waiting, key=client.shares.time)
        self.remove(name, connection)
        self.shares.begin(name)
        client.shares.begin(connection)
        client.served += 1
        return connection

    def end(self, name: str, connection: Connection, seconds: float) -> None:
        """A connection has been served, which used so many seconds."""
        client = self.clients[name]
        self.shares.end(name, seconds)
        client.shares.end(connection, seconds)
        client.served -= 1
        client.heard = self.now()

    def forget(self) -> None:
        """Forget clients that have asked nothing for a while, and connections that owe nothing."""
        for name, client in list(self.clients.items()):
            if not client.waiting and not client.served and self.now() - client.heard > MEMORY:
                del self.clients[name]
                self.shares.used.pop(name, None)
            elif not client.waiting and not client.served:
                client.shares = Shares()
