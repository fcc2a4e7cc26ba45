"""The process of the desk: listens on its socket until no process of the server is left, and leaves nothing behind.

Its standard input is a pipe whose other end all processes of the server hold, and nobody writes to. The lock, which
is inherited, too, is free again when this process ends, however it ends.
"""

import asyncio
import contextlib
import ctypes
import json
import logging
import os
import signal
import sys
from pathlib import Path

from flask import Flask

from server.desk import wire
from server.desk.clerk import Clerk
from server.desk.engine import Engine
from server.desk.limits import Limits
from server.desk.store import Store
from server.service import private_folder, shared_cache
from server.settings import Settings

NAME = b"nhviz-desk"
TAKE_NAME = 15
"""PR_SET_NAME of <linux/prctl.h>."""
LARGEST = 1_000_000
"""Bytes of a question."""
FAREWELL = 5.0
"""Seconds in which a cluster has to end."""

log = logging.getLogger("nhviz.desk")


def main(folder: str, name: str, lock: str) -> None:
    """Be the desk with this name until everybody has gone; `lock` is an open file that nobody else may have."""
    # It means the server, whose end is noticed by other means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    logging.basicConfig(format="%(name)s: %(message)s", level=logging.WARNING)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(TAKE_NAME, NAME)
    os.set_inheritable(int(lock), False)
    asyncio.run(serve(Path(folder), name))
    # A thread that still computes must not be waited for.
    os._exit(0)


async def serve(folder: Path, name: str) -> None:
    """Answer questions until the server has gone, or until asked to end."""
    settings = Settings.read()
    clerk = assembled(settings)
    line = wire.listening(folder, name)
    listener = await asyncio.start_unix_server(lambda *streams: answer(clerk, *streams), sock=line)
    async with listener:
        tasks = [asyncio.create_task(work) for work in (clerk.run(), clerk.engine.run())]
        await goodbye()
        with contextlib.suppress(OSError):
            os.unlink(folder / name)
    for task in tasks:
        task.cancel()
    await asyncio.wait([*tasks, asyncio.create_task(clerk.close())], timeout=FAREWELL)


def assembled(settings: Settings) -> Clerk:
    """The clerk of a server with these settings."""
    shared = shared_cache(Flask("desk"), settings, private_folder(settings.cache_dir))
    engine = Engine(settings.scheduler, max(1, settings.cores // 2))
    return Clerk(engine, Store(shared), Limits.of(settings))


async def goodbye() -> None:
    """Wait for the end of the server."""
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, ended.set)
    loop.add_reader(0, ended.set)
    await ended.wait()
    loop.remove_reader(0)


async def answer(clerk: Clerk, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer one question; who closes early does not want the answer any more."""
    try:
        (length,) = wire.LENGTH.unpack(await reader.readexactly(wire.LENGTH.size))
        if length <= LARGEST:
            message = json.loads(await reader.readexactly(length))
            content = await clerk.answers[message["kind"]](message)
            writer.write(wire.LENGTH.pack(len(content)) + content)
            await writer.drain()
    except (OSError, EOFError):
        pass
    # A question that goes wrong must not end the work of others; who asked sees the connection end.
    except Exception:
        log.exception("A question to the desk failed.")
    finally:
        writer.close()
