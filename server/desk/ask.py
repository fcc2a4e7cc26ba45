"""Asking the desk of a server; who finds none starts it. Whoever has the lock is the desk, or starts it right now."""

import json
import os
import secrets
import socket
import subprocess
import threading
import time
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

from nhviz.preparing import crew
from server import locks
from server.desk import wire
from server.refusals import LostError
from server.settings import Settings

PATIENCE = 20.0
"""Seconds in which a desk has to be there, and to answer."""
ROOT = Path(__file__).parent.parent.parent


class Desk:
    """The desk of a server, known to all its processes: made before they fork."""

    def __init__(self, settings: Settings, folder: Path | None) -> None:
        self.settings, self.folder = settings, folder
        self.name = f"{wire.NAME}{secrets.token_hex(8)}"
        # It ends when nobody holds `held` any more.
        self.life, self.held = os.pipe()
        self.close = weakref.finalize(self, close, self.life, self.held)

    def ask(self, message: dict[str, Any], is_gone: Callable[[], bool] = locks.never) -> bytes:
        """The answer to a question; a LostError if there is no desk, and a GoneError if nobody waits for it."""
        if self.folder is None:
            raise LostError("there is no folder for what processes share")
        question = json.dumps(message).encode()
        try:
            return self.asked(self.folder, question, is_gone)
        # It was killed just now: another one is started, and knows what is kept.
        except ConnectionError:
            return self.asked(self.folder, question, is_gone)

    def asked(self, folder: Path, question: bytes, is_gone: Callable[[], bool]) -> bytes:
        """The same once; a ConnectionError if the desk ends before it has answered."""
        line = locks.wait_for(lambda: self.found(folder), time.monotonic() + PATIENCE, is_gone)
        if line is None:
            raise LostError("there is no desk")
        with line:
            line.settimeout(PATIENCE)
            try:
                return wire.asked(line, question)
            except TimeoutError:
                raise LostError("the desk does not answer") from None

    def found(self, folder: Path) -> socket.socket | None:
        """A connection to a desk, or None; starts one if there is none and nobody else does."""
        line = wire.connected(folder, self.name)
        if line is not None:
            return line
        handle = locks.attempt(folder / f"lock-{self.name}")
        if handle is None:
            return None
        try:
            # Who had the lock a moment ago may have started it.
            line = wire.connected(folder, self.name)
            if line is None:
                self.start(folder, handle)
            return line
        finally:
            os.close(handle)

    def start(self, folder: Path, lock: int) -> None:
        """Start the process, which has the lock from then on."""
        command = [*crew.command("server.desk"), str(folder), self.name, str(lock)]
        wire.sweep(folder)
        process = subprocess.Popen(
            command,
            stdin=self.life,
            stdout=subprocess.DEVNULL,
            env=environment(self.settings),
            pass_fds=[lock],
            # What ends the server from a terminal must not end half of the cluster before the desk.
            start_new_session=True,
        )
        # It is buried as soon as it has ended.
        threading.Thread(target=process.wait, name="desk", daemon=True).start()


def close(*handles: int) -> None:
    """Close files: the desk ends unless another process holds them."""
    for handle in handles:
        os.close(handle)


def environment(settings: Settings) -> dict[str, str]:
    """The variables of a desk with these settings."""
    found = crew.environment()
    return found | {
        "PYTHONPATH": os.pathsep.join((str(ROOT), found["PYTHONPATH"])),
        "REDIS_URL": settings.redis_url,
        "NHVIZ_CACHE_DIR": str(settings.cache_dir),
        "NHVIZ_CACHE_BYTES": str(settings.cache_bytes),
        "NHVIZ_SWEEPS": str(settings.sweeps),
        "NHVIZ_SWEEPS_EACH": str(settings.sweeps_each),
        "NHVIZ_SWEEP_SECONDS": repr(settings.sweep_seconds),
        "DASK_SCHEDULER_ADDRESS": settings.scheduler,
    }
