"""One process leads: it holds the lock of the folder, sends the crew, and tells how far it is.

`prepare` does so for a program that waits. `python -m nhviz.preparing.lead` does so for a server, in a process of its
own that ends when the server does.
"""

import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence

from nhviz import registry
from nhviz.kernels import cache
from nhviz.preparing import crew, plan, progress
from nhviz.preparing.bar import Bar

PAUSE = 0.2
"""Seconds between two looks at the work of another process."""
ATTEMPTS = 5
USUAL = 5.0
"""Weight for which a usual core is expected before anything was measured: the first parts also start processes."""


@contextlib.contextmanager
def leading() -> Iterator[bool]:
    """Whether this process leads; a lock that its holder loses when it dies."""
    place = cache.folder()
    if place is None or sys.platform == "win32":
        yield place is not None
        return
    import fcntl

    with open(place / "lead.lock", "w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True


def is_vacant() -> bool:
    """Whether nobody leads."""
    with leading() as ours:
        return ours


def prepare(names: Sequence[str] | None = None) -> None:
    """Compile what systems (by default all) need and the disk does not have, on all cores, with a bar.

    If another process does so already, wait for it. Where nothing can be kept on a disk this does nothing.
    """
    names = registry.systems() if names is None else names
    left = plan.missing(names)
    if not left or cache.folder() is None:
        return
    with Bar(left) as bar:
        while left:
            with leading() as ours:
                if ours:
                    lead(lambda: list(names), bar)
                    return
            time.sleep(PAUSE)
            left = bar.watch(left)


def lead(order: Callable[[], list[str]], bar: Bar) -> None:
    """Send the crew, and keep account of its pace and of what cannot be done."""
    cache.forget_failures()
    progress.write_pace(1.0 / crew.size())
    began, weight = time.monotonic(), 0.0

    def step(part: plan.Part, reason: str) -> None:
        nonlocal weight
        weight += part.weight
        progress.write_pace((time.monotonic() - began + USUAL / crew.size()) / (weight + USUAL))
        if reason:
            cache.note_failure(part.marker, reason)
        bar.step(part, reason)

    crew.work(crew.Queue(order), step)


def end_with_server() -> None:
    """End this process when standard input closes: then no process of the server is left."""
    # Read without Python's buffer, whose lock would be in the way when this process ends by itself.
    while os.read(sys.stdin.fileno(), 1):
        pass
    os._exit(0)


def main() -> None:
    """Prepare everything for a server; whoever leads already does it as well."""
    threading.Thread(target=end_with_server, daemon=True).start()
    # Somebody who only looks whether there is a leader holds the lock for a moment, too.
    for _ in range(ATTEMPTS):
        with leading() as ours:
            if ours:
                with Bar(plan.missing(registry.systems())) as bar:
                    lead(progress.in_order, bar)
                return
        time.sleep(PAUSE)


if __name__ == "__main__":
    main()
