"""Where the desk has tiles computed: on a cluster, and in a thread of its own until there is one.

The cluster is embedded, half of the cores, or it is the one at an address. The desk does not wait for it: loading it
takes a second or two, in which the first picture of a sweep can be computed. One that was lost is opened again.
"""

import asyncio
import contextlib
import logging
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib import import_module
from typing import Any, TypeVar

from nhviz.sweeps import work
from nhviz.system import Array

YIELDING = 5
"""How nice the thread of the desk is: somebody waits for the first picture, and it is all that is computed then."""
HEAD_START = 1.0
"""Seconds that the first tile has before a cluster is loaded: both would be in each other's way."""
REST = 5.0
"""Seconds between two attempts to reach a cluster."""
QUICK = 0.5
"""Seconds that a tile of the desk's own thread may take."""
LOOK = 1.0
"""Seconds between two looks at how many workers there are; and for which a cancelled tile may go on."""

Found = TypeVar("Found")

log = logging.getLogger("nhviz.desk")


class LostError(Exception):
    """The tile was lost with its worker or its cluster: it can be tried again."""


class Engine:
    """Computes tiles. `address` is that of a cluster; without one it is embedded, with so many processes."""

    def __init__(self, address: str, processes: int) -> None:
        self.address, self.processes = address, processes
        self.alone = ThreadPoolExecutor(1, "tile", initializer=partial(os.nice, YIELDING))
        self.client: Any = None
        self.cluster: Any = None
        self.dask: Any = None
        self.threads = 0
        self.ready, self.begun = asyncio.Event(), asyncio.Event()
        self.is_lonely = False
        self.trouble = ""
        self.tidying: set[asyncio.Task[None]] = set()

    @property
    def is_ready(self) -> bool:
        """Whether there is a cluster that answers."""
        return self.client is not None and self.client.status == "running"

    @property
    def room(self) -> int:
        """How many tiles may be under way: few per thread, so that turns are short."""
        return self.dask.PER_THREAD * max(1, self.threads) if self.is_ready else 1

    async def tile(self, text: str, number: int) -> tuple[Array, float]:
        """The values of a tile and the seconds that it took."""
        if not self.is_ready and await self.is_for_me(text, number):
            found = await self.here(work.timed_tile, work.read(text), number)
            self.begun.set()
            return found
        self.begun.set()
        await self.ready.wait()
        future = self.dask.begin(self.client, text, [number])
        try:
            return (await future)[0]
        except asyncio.CancelledError:
            self.tidy(future)
            raise
        except (self.dask.FutureCancelledError, self.dask.KilledWorker) as error:
            raise LostError(str(error)) from None

    async def is_for_me(self, text: str, number: int) -> bool:
        """Whether the desk itself computes a tile: one that is soon done. A thread cannot be made to give up."""
        return self.is_lonely or await self.here(work.expected_seconds, text, number) < QUICK

    async def here(self, function: Callable[..., Found], *words: Any) -> Found:
        """What the thread of the desk makes."""
        return await asyncio.get_running_loop().run_in_executor(self.alone, function, *words)

    def tidy(self, future: Any) -> None:
        """Cancel a tile that nobody wants; a worker that is still busy with it after a while is started anew."""
        task = asyncio.create_task(self.dask.abandon(self.client, future, LOOK))
        self.tidying.add(task)
        task.add_done_callback(self.tidying.discard)

    async def run(self) -> None:
        """Have a cluster for as long as there is a desk."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.begun.wait(), HEAD_START)
        try:
            self.dask = await asyncio.to_thread(import_module, "nhviz.sweeps.cluster")
        except ImportError as error:
            self.is_lonely = True
            log.warning("Sweeps are computed by one thread, since dask is not installed (%s).", error)
            return
        # It has just said otherwise; what goes wrong with a cluster is told here.
        logging.getLogger("distributed").setLevel(logging.ERROR)
        with self.dask.settings():
            try:
                while True:
                    await self.keep()
                    await self.close()
                    await asyncio.sleep(REST)
            finally:
                await self.close()

    async def keep(self) -> None:
        """Have a cluster until it is lost."""
        try:
            await self.open()
            self.ready.set()
            while self.is_ready:
                self.threads = await self.dask.count_threads(self.client)
                self.trouble = "" if self.threads else "The cluster has no workers at present."
                await asyncio.sleep(LOOK)
        # A cluster can fail in any way; the desk computes alone meanwhile.
        except Exception as error:
            self.trouble = "The cluster does not answer at present; the server computes alone." if self.address else ""
            log.warning("There is no cluster for sweeps (%s); trying again.", error or type(error).__name__)

    async def open(self) -> None:
        """Reach the cluster, or start one."""
        if self.address:
            self.client = await self.dask.found_soon(self.address)
        else:
            self.cluster, self.client = await self.dask.embedded(self.processes)

    async def close(self) -> None:
        """Let go of the cluster; an embedded one ends."""
        self.ready.clear()
        client, cluster, self.client, self.cluster = self.client, self.cluster, None, None
        for part in (client, cluster):
            if part is not None:
                with contextlib.suppress(Exception):
                    await part.close()
