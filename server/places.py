"""Places for what takes long: only some threads of a process wait for it, and no client takes them all."""

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from server.refusals import BusyError


class Places:
    """At most so many threads of a process are busy with what takes long, at most three of four for one client.

    Without places a class that waits for long runs, be it all for the same one, would take all threads, and nobody
    could move a slider.
    """

    def __init__(self, count: int) -> None:
        self.of_all, self.of_one = count, max(1, 3 * count // 4)
        self.guard = threading.Lock()
        self.taken: Counter[str] = Counter()

    @contextmanager
    def place(self, client: str) -> Iterator[None]:
        """Be one of the threads that are busy with something long; raises BusyError if there are enough."""
        with self.guard:
            if self.taken.total() >= self.of_all or self.taken[client] >= self.of_one:
                raise BusyError
            self.taken[client] += 1
        try:
            yield
        finally:
            with self.guard:
                self.taken[client] -= 1
                # Clients who have gone are not remembered.
                self.taken += Counter()
