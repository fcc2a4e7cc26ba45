"""Which labs can be used: those whose compiled code is on the disk, and in this process.

A server that finds everything on the disk loads it before it forks. Otherwise it answers at once, a process of its own
compiles (`nhviz.preparing.lead`), and each worker loads a system as soon as it is there.
"""

import subprocess
import threading
import time

import nhviz
from nhviz import registry
from nhviz.kernels import cache
from nhviz.preparing import crew, lead, plan, progress
from nhviz.preparing.progress import Progress
from nhviz.warm import exercise

LOOK = 0.5
"""Seconds between two looks at what has been compiled."""
PATIENCE = 5.0
"""Seconds after which a process that compiles is missed, if none does."""

begun = threading.Event()
"""Set in a server; a program that only uses its parts compiles what it needs when it needs it."""
loaded: set[str] = set()
loading = threading.Lock()
leaders: list[subprocess.Popen[bytes]] = []


def begin() -> None:
    """Load everything if it is on the disk; else have it compiled, while the server answers already."""
    begun.set()
    if cache.folder() is None:
        print("nhviz: no folder for compiled code can be written; everything is compiled at each start.", flush=True)
    if cache.folder() is None or not plan.missing(registry.systems()):
        nhviz.warm()
        loaded.update(registry.systems())
    else:
        send_leader()


def send_leader() -> None:
    """Start the process that compiles. It ends when the last process that holds its standard input does."""
    command, environment = crew.command("nhviz.preparing.lead"), crew.environment()
    leaders.append(subprocess.Popen(command, stdin=subprocess.PIPE, env=environment))


def keep_loading() -> None:
    """In a worker: load each system as soon as it is on the disk, and see to it that somebody compiles the rest."""
    if not is_everything_loaded():
        threading.Thread(target=follow, name="loading", daemon=True).start()


def follow() -> None:
    """Load what appears until everything is there; send another leader if the last one was killed."""
    missed = time.monotonic()
    while not is_everything_loaded():
        for name in progress.in_order():
            is_open(name)
        left = [part for part in plan.missing(registry.systems()) if not part.failure]
        if not left or not lead.is_vacant():
            missed = time.monotonic()
        elif time.monotonic() - missed > PATIENCE:
            send_leader()
            missed = time.monotonic()
        time.sleep(LOOK)


def is_everything_loaded() -> bool:
    """Whether all labs can be used."""
    return loaded >= set(registry.systems())


def is_open(name: str) -> bool:
    """Whether the lab of a system can be used; loads it if that has become possible."""
    if name in loaded:
        return True
    if begun.is_set() and not plan.is_ready(name):
        return False
    with loading:
        if name not in loaded:
            exercise(registry.find(name))
            loaded.add(name)
    return True


def waiting(name: str) -> Progress:
    """How far a system is that somebody waits for; it is prepared before the others."""
    progress.wish(name)
    return progress.of_systems([name])


def overview() -> tuple[Progress, dict[str, bool]]:
    """How far everything is, and which systems are ready."""
    names = registry.systems()
    if not begun.is_set() or is_everything_loaded():
        return Progress(1, 1, None), dict.fromkeys(names, True)
    return progress.of_systems(names), {name: plan.is_ready(name) for name in names}
