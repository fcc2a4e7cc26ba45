"""Sweeps on a cluster: dask futures on tiles. The only file that knows dask; the server's desk is built on it.

A cluster gets a few tiles per thread at a time, the coarse ones first. What a worker that died had is computed by
another one. When nobody watches any more, what is left is cancelled.
"""

import asyncio
import logging
import math
import tempfile
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import dask
from distributed import Client, Future, KilledWorker, LocalCluster, as_completed
from distributed.client import FutureCancelledError

from nhviz import __version__
from nhviz.cores import available_cores
from nhviz.parameters import ParameterError, shown
from nhviz.sweeps import work, worker
from nhviz.sweeps.tiles import Tile, tiles
from nhviz.sweeps.value import Sweep
from nhviz.system import Array

__all__ = ["FutureCancelledError", "KilledWorker"]

PER_THREAD = 3
"""Tiles of which a thread computes one while the others are on their way to it."""
PATIENCE = 10.0
"""Seconds in which a cluster has to answer at first."""
TASK = 0.2
"""Seconds of a task, if there are many tiles."""
COUNTED = 1.0
"""Seconds for which the number of threads is believed."""
LOCAL = "local"
OWN = {
    "distributed.worker.multiprocessing-method": "forkserver",
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
    "distributed.worker.profile.enabled": False,
    "distributed.scheduler.active-memory-manager.start": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "5s",
}
"""Settings of a cluster of one's own: processes forked from one that has loaded dask, no pages, nothing measured that
nobody looks at."""


def watch(sweep: Sweep, on: Any) -> Iterator[tuple[Tile, Array]]:
    """Tiles with their values, as they are finished.

    `on` is "local" for processes on this computer, which end with the sweep, or the address or the client of a cluster.
    """
    with client_of(on) as client:
        yield from watched(sweep, client)


@contextmanager
def client_of(on: Any) -> Iterator[Client]:
    """The client that was given, or one that is closed in the end."""
    if isinstance(on, Client):
        if on.asynchronous:
            raise ParameterError("on must be a client that waits for its answers, not an asynchronous one.", "on")
        yield on
    elif on == LOCAL:
        with settings(), LocalCluster(**local(available_cores())) as cluster, Client(cluster) as client:
            cluster.loop.add_callback(cluster.scheduler.http_server.stop)
            yield client
    elif isinstance(on, str) and on.startswith(("tcp://", "tls://")):
        with found_at(on) as client:
            yield client
    else:
        raise ParameterError(
            f'on must be "local", an address such as tcp://host:8786, or a client, not {shown(on)}.', "on"
        )


def found_at(address: str) -> Client:
    """The client of a cluster somewhere else, or a ParameterError."""
    try:
        return Client(address, timeout=PATIENCE)
    except (OSError, ValueError) as error:
        raise ParameterError(f"on: no cluster answers at {shown(address)} ({error}).", "on") from error


@contextmanager
def settings() -> Iterator[None]:
    """How a cluster of one's own is, while it lasts."""
    with (
        tempfile.TemporaryDirectory(prefix="nhviz-cluster-", ignore_cleanup_errors=True) as folder,
        dask.config.set({"temporary-directory": folder, **OWN}),
    ):
        yield


def local(processes: int) -> dict[str, Any]:
    """What a LocalCluster is made with: processes of one thread, reached from this computer by who has its keys.

    Workers say nothing: what fails is told where it was asked for, and they would log that their cluster ends.
    """
    return {
        "n_workers": processes,
        "threads_per_worker": 1,
        "memory_limit": 0,
        "host": "127.0.0.1",
        "security": True,
        "dashboard_address": "127.0.0.1:0",
        "worker_dashboard_address": None,
        "preload": ["nhviz.sweeps.worker"],
        "silence_logs": logging.CRITICAL,
    }


def watched(sweep: Sweep, client: Client) -> Iterator[tuple[Tile, Array]]:
    """The same on a client."""
    plan, finished = Plan(client, tiles(sweep)), as_completed()
    under_way: dict[Future, list[Tile]] = {}

    def begin_more() -> None:
        while len(under_way) < PER_THREAD * plan.threads and (few := plan.take()):
            future = begin(client, sweep.text(), [tile.number for tile in few], priority=-few[0].number)
            under_way[future] = few
            finished.add(future)

    try:
        begin_more()
        for future in finished:
            found = future.result()
            few = under_way.pop(future)
            plan.learn(found)
            begin_more()
            yield from ((tile, values) for tile, (values, _) in zip(few, found, strict=True))
    finally:
        client.cancel(list(under_way), force=True)


class Plan:
    """How many tiles make one task: more of those that are quick, since a task costs some milliseconds, whatever it is.

    Towards the end tasks are small again, so that all threads are done at the same time.
    """

    def __init__(self, client: Client, every: tuple[Tile, ...]) -> None:
        self.client, self.left = client, deque(every)
        self.seconds, self.done = 0.0, 0
        self.counted, self.known = -math.inf, 1

    @property
    def threads(self) -> int:
        """How many threads the cluster has, at least one; workers may come and go."""
        if time.monotonic() - self.counted >= COUNTED:
            self.counted, self.known = time.monotonic(), max(1, sum(self.client.nthreads().values()))
        return self.known

    def learn(self, found: list[tuple[Array, float]]) -> None:
        """Tiles took so many seconds."""
        self.seconds += sum(seconds for _, seconds in found)
        self.done += len(found)

    def take(self) -> list[Tile]:
        """The tiles of the next task; none at the end."""
        several = int(TASK * self.done / self.seconds) if self.seconds > 0.0 else 1
        size = max(1, min(several, len(self.left) // (2 * PER_THREAD * self.threads)))
        return [self.left.popleft() for _ in range(min(size, len(self.left)))]


def begin(client: Client, text: str, numbers: list[int], priority: int = 0) -> Future:
    """Have tiles computed, by a future of their own, though others may ask for the same."""
    return client.submit(work.timed_tiles, text, numbers, __version__, pure=False, priority=priority)


async def embedded(processes: int) -> tuple[LocalCluster, Client]:
    """A cluster on this computer and its client, for a program that waits for many things at once."""
    cluster = await LocalCluster(asynchronous=True, **local(processes))
    cluster.scheduler.http_server.stop()
    return cluster, await Client(cluster, asynchronous=True)


async def found_soon(address: str) -> Client:
    """The client of a cluster somewhere else, for such a program; an OSError if none answers."""
    return await Client(address, asynchronous=True, timeout=PATIENCE)


async def count_threads(client: Client) -> int:
    """How many tiles a cluster computes at once."""
    return sum((await client.scheduler.ncores()).values())


async def abandon(client: Client, future: Future, patience: float) -> None:
    """Cancel a tile. A worker that is still busy with it after so many seconds is started anew."""
    at = [address for address, keys in (await client.processing()).items() if future.key in keys]
    await client.cancel([future], force=True)
    await asyncio.sleep(patience)
    busy = await client.run(worker.busy_with, workers=at, on_error="ignore") if at else {}
    again = [address for address, keys in busy.items() if future.key in keys]
    if again:
        await client.restart_workers(again, raise_for_error=False)
