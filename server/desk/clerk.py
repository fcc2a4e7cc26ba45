"""The clerk of the desk: knows all sweeps, has their tiles computed in turns, and tells how each stands.

Everything here happens in one thread, between two awaits at once; only computing and the shared cache are waited for.
"""

import asyncio
import contextlib
import logging
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from nhviz.sweeps import work
from server.desk import answers, sentences
from server.desk.engine import Engine, LostError
from server.desk.limits import Limits
from server.desk.record import CANCELLED, DONE, FAILED, READING, RUNNING, WAITING, Record
from server.desk.store import Store
from server.desk.turns import Turns

LOOK = 0.5
"""Seconds between two looks at the clock."""
ATTEMPTS = 3
"""How often a tile is tried that is lost with its worker."""
SOON, LATE = 0.3, 15.0
"""Seconds for which an answer waits for what is kept, and for which a file does."""
AGAIN = 30.0
"""Seconds after which a sweep that failed may be tried again."""

log = logging.getLogger("nhviz.desk")


class Clerk:
    """Sweeps by their text, those asked for last at the end; `under_way` are the tiles that are being computed."""

    def __init__(self, engine: Engine, store: Store, limits: Limits) -> None:
        self.engine, self.store, self.limits = engine, store, limits
        self.records: OrderedDict[str, Record] = OrderedDict()
        self.turns = Turns()
        self.under_way: dict[asyncio.Task[None], Record] = {}
        self.others: set[asyncio.Task[None]] = set()
        # One thread: what is written is in its place before anybody reads it.
        self.files = ThreadPoolExecutor(1, "store")

    async def look(self, message: dict[str, Any]) -> bytes:
        """How a sweep stands and which tiles are new; with `go` it is begun or goes on."""
        record = await self.record(message["sweep"], message["client"], SOON)
        refused = self.go(record, message["client"]) if message["go"] else ""
        return self.standing(record, message, refused)

    async def cancel(self, message: dict[str, Any]) -> bytes:
        """Stop a sweep; what was computed stays."""
        record = await self.record(message["sweep"], message["client"], SOON)
        record.wanted = False
        if record.is_active:
            self.stop(record, CANCELLED)
        return self.standing(record, message)

    def standing(self, record: Record, message: dict[str, Any], refused: str = "") -> bytes:
        """How a sweep stands, for who has some of its tiles already."""
        told = refused or (self.engine.trouble if record.is_active else "")
        state = FAILED if refused else record.state
        return answers.standing(record, state, told, message["journal"], message["since"], self.turns.ahead(record))

    async def values(self, message: dict[str, Any]) -> bytes:
        """All values so far, and which cells are done."""
        return answers.everything(await self.record(message["sweep"], message["client"], LATE))

    @property
    def answers(self) -> dict[str, Callable[[dict[str, Any]], Awaitable[bytes]]]:
        """What can be asked."""
        return {"look": self.look, "cancel": self.cancel, "values": self.values}

    async def record(self, text: str, client: str, patience: float) -> Record:
        """The record of a sweep; it counts as asked for now. That it has what is kept is waited for, but not long."""
        record = self.records.get(text)
        if record is None:
            record = self.records[text] = Record(work.read(text), client)
            self.later(self.read(record))
            self.forget()
        record.asked = time.monotonic()
        self.records.move_to_end(text)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(record.known.wait(), patience)
        return record

    def forget(self) -> None:
        """Drop sweeps that nobody computes and that were not asked for longest, until the rest is small enough."""
        held = [record for record in self.records.values() if not record.is_active]
        size = sum(record.values.nbytes for record in held)
        for record in held[:-1]:
            if len(held) <= self.limits.held and size <= self.limits.held_bytes:
                return
            held, size = held[1:], size - record.values.nbytes
            del self.records[record.text]

    async def read(self, record: Record) -> None:
        """Take in the tiles that are kept; then it is known which are left."""
        if self.store.shared is not None:
            loop = asyncio.get_running_loop()
            for tile in record.tiles:
                values = await loop.run_in_executor(self.files, self.store.read, record.text, tile)
                if values is not None:
                    record.put(tile, values)
        self.stand_still(record, CANCELLED)
        record.known.set()
        if record.wanted and record.state != DONE:
            self.begin(record)

    def stand_still(self, record: Record, state: str) -> None:
        """A sweep has no turns for now: it is done, or in another state, and the tiles that are left are known."""
        came = set(record.came)
        record.left.clear()
        record.left.extend(tile.number for tile in record.tiles if tile.number not in came)
        record.state = state if record.left else DONE

    def go(self, record: Record, client: str) -> str:
        """Begin a sweep, or go on with it; a sentence if there is no room for another one."""
        if record.state in (WAITING, RUNNING, DONE) or (record.state == READING and record.wanted):
            return ""
        if record.state == FAILED and time.monotonic() - record.began < AGAIN:
            return ""
        refused = self.limits.refused(client, self.turns)
        if refused:
            return refused
        record.client, record.wanted, record.sentence = client, True, ""
        if record.state != READING:
            self.begin(record)
        return ""

    def begin(self, record: Record) -> None:
        """Let a sweep take turns."""
        record.state, record.began, record.before = WAITING, time.monotonic(), record.done
        self.turns.add(record)
        self.fill()

    def fill(self) -> None:
        """Have tiles computed while there is room for them."""
        while len(self.under_way) < self.engine.room and (turn := self.turns.take()) is not None:
            record, number = turn
            task = asyncio.create_task(self.perform(record, number))
            self.under_way[task] = record
            task.add_done_callback(self.finish)

    def finish(self, task: asyncio.Task[None]) -> None:
        """A tile is no longer under way: there is room for another."""
        del self.under_way[task]
        self.fill()

    async def perform(self, record: Record, number: int) -> None:
        """Have a tile computed and take it in."""
        record.state, tile = RUNNING, record.tiles[number]
        try:
            async with asyncio.timeout(self.limits.patience(record, tile.indices()[0].size)):
                values, seconds = await self.attempted(record, number)
        except TimeoutError:
            told = sentences.too_long(record.expected, self.limits.seconds)
            self.stop(record, FAILED, self.engine.trouble or told)
            return
        except LostError as error:
            log.warning("Tile %d of a sweep was lost several times (%s): %s", number, error, record.text)
            self.stop(record, FAILED, sentences.LOST)
            return
        # A mistake in the mathematics must not end the work of others.
        except Exception:
            log.exception("Tile %d of a sweep failed: %s", number, record.text)
            self.stop(record, FAILED, sentences.FAILED)
            return
        record.put(tile, values)
        record.seconds += seconds
        record.computed += values.size
        self.later(self.write(record, number))
        if record.done == record.sweep.cells:
            self.stop(record, DONE)
        elif self.limits.is_too_long(record):
            self.stop(record, FAILED, sentences.too_long(record.expected, self.limits.seconds))

    async def attempted(self, record: Record, number: int) -> Any:
        """A tile; one that is lost with its worker is tried again."""
        for attempt in range(ATTEMPTS):
            try:
                return await self.engine.tile(record.text, number)
            except LostError:
                if attempt == ATTEMPTS - 1:
                    raise
                await asyncio.sleep(LOOK)

    async def write(self, record: Record, number: int) -> None:
        """Keep a tile."""
        values, tile = record.values_of(number), record.tiles[number]
        await asyncio.get_running_loop().run_in_executor(self.files, self.store.write, record.text, tile, values)

    def stop(self, record: Record, state: str, sentence: str = "") -> None:
        """A sweep takes no more turns, and what is under way for it is given up."""
        self.turns.drop(record)
        me = asyncio.current_task()
        for task, owner in list(self.under_way.items()):
            if owner is record and task is not me:
                task.cancel()
        record.sentence = sentence
        if record.state != READING:
            self.stand_still(record, state)

    async def run(self) -> None:
        """Look at the clock: stop what nobody asks about any more; use room that a cluster has made."""
        while True:
            await asyncio.sleep(LOOK)
            for record in list(self.records.values()):
                if record.is_active and time.monotonic() - record.asked > self.limits.interest:
                    record.wanted = False
                    self.stop(record, CANCELLED)
            self.fill()

    async def close(self) -> None:
        """Stop everything; what has been computed is kept first."""
        for record in list(self.records.values()):
            record.wanted = False
            self.stop(record, CANCELLED)
        rest = [*self.under_way, *self.others]
        if rest:
            await asyncio.wait(rest)
        self.files.shutdown()

    def later(self, work: Any) -> None:
        """Do something meanwhile; a reference is needed for as long as it lasts."""
        task = asyncio.create_task(work)
        self.others.add(task)
        task.add_done_callback(self.others.discard)
