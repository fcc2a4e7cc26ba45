"""The threads of a process, and who has one: complete requests wait for their turn, and few are begun at a time.

Threads share the interpreter: begun together, short requests would all take as long as all of them. One that takes
longer gives up its place among the young, so that long ones never keep short ones waiting.
"""

import math
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

from server.connection import Connection, State
from server.fair import FairQueue

YOUNG = 0.05
"""Seconds for which a request has its place."""
PLACES = 1
"""Requests that are young at a time."""


class Crew:
    """So many threads, which do some work for a connection; `wake` tells the poller that one is done."""

    def __init__(self, threads: int, work: Callable[[Connection], None], wake: Callable[[], None]) -> None:
        self.size, self.work, self.wake = threads, work, wake
        self.threads = ThreadPoolExecutor(threads)
        self.queue: FairQueue[Connection] = FairQueue()
        self.running: dict[Connection, float] = {}
        self.done: deque[tuple[Connection, float]] = deque()

    def enqueue(self, connection: Connection) -> None:
        """Let a connection wait for its turn."""
        connection.become(State.WAITING, time.monotonic())
        self.queue.put(connection.client, connection)

    def forget(self, connection: Connection) -> None:
        """A connection has ended."""
        self.queue.part(connection.client, connection)

    def dispatch(self) -> None:
        """Give threads to those whose turn it is, while there is a place among the young."""
        now = time.monotonic()
        while self.queue and len(self.running) < self.size and self.young(now) < PLACES:
            connection = self.queue.take()
            connection.become(State.RUNNING, now)
            self.running[connection] = now
            self.submit(connection)

    def submit(self, connection: Connection) -> None:
        """Give a connection to a thread. Where the machine has none left for us, those that are there take it."""
        try:
            self.threads.submit(self.serve, connection)
        except RuntimeError:
            if len(self.running) == 1:
                raise

    def young(self, now: float) -> int:
        """How many have a place."""
        return sum(now - began < YOUNG for began in self.running.values())

    def due(self, now: float) -> list[float]:
        """When places become free even if nobody is done, if somebody waits for one."""
        return [began + YOUNG for began in self.running.values() if began + YOUNG > now] if self.queue else []

    def let_others(self, connection: Connection) -> None:
        """In a thread that will wait for another process: give up its place now."""
        self.running[connection] = -math.inf
        self.wake()

    def serve(self, connection: Connection) -> None:
        """In a thread: do the work, and tell how many seconds of the processor it took."""
        began = time.thread_time()
        try:
            self.work(connection)
        finally:
            self.done.append((connection, time.thread_time() - began))
            self.wake()

    def finished(self) -> Iterator[Connection]:
        """Those for whom a thread has done its part."""
        while self.done:
            connection, seconds = self.done.popleft()
            del self.running[connection]
            self.queue.end(connection.client, connection, seconds)
            yield connection

    def leave(self) -> None:
        """Begin nothing more."""
        self.threads.shutdown(wait=False, cancel_futures=True)
