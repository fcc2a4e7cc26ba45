"""A server on a new machine, where nothing is compiled, and on one where everything is.

All times are over that of importing dash and numba in a fresh process, measured in the same run.
"""

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.startup import IMPORT, fresh
from benchmarks.table import Row

ROOT = Path(__file__).parent.parent
OFTEN = 0.02
"""Seconds between two questions."""
COMPILE = """
import time
from importlib import import_module
from nhviz import registry
from nhviz.preparing import plan
from nhviz.preparing.worker import do
parts = plan.missing(registry.systems())
start = time.perf_counter()
for part in parts:
    do(part.kind, part.key)
print(time.perf_counter() - start)
"""


@contextmanager
def started(folder: str) -> Iterator[tuple[str, float]]:
    """A server whose compiled code is in a folder; its address, and when it was started."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{probe.getsockname()[1]}"
    environment = {**os.environ, "NUMBA_CACHE_DIR": folder, "NHVIZ_BIND": address}
    began = time.perf_counter()
    server = subprocess.Popen(
        [sys.executable, "-m", "gunicorn", "-c", "gunicorn.conf.py"],
        cwd=ROOT,
        env=environment,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield f"http://{address}", began
    finally:
        server.terminate()
        server.wait()


def ready(address: str) -> set[str] | None:
    """The labs that are open by now; None as long as nothing answers."""
    try:
        with urllib.request.urlopen(f"{address}/health", timeout=5) as answer:
            return {"suslov", "everything"} if json.load(answer)["status"] == "ok" else set()
    except urllib.error.HTTPError as error:
        return set(json.load(error)["ready"])
    except OSError:
        return None


def page(address: str) -> bool:
    """Whether the start page answers."""
    try:
        with urllib.request.urlopen(f"{address}/", timeout=5) as answer:
            return bool(answer.read())
    except OSError:
        return False


def moments(folder: str) -> tuple[float, float, float]:
    """Seconds to the start page, to the Suslov lab, to everything."""
    with started(folder) as (address, began):
        while not page(address):
            time.sleep(OFTEN)
        first, suslov = time.perf_counter() - began, None
        while True:
            labs = ready(address) or set()
            now = time.perf_counter() - began
            suslov = suslov or (now if "suslov" in labs else None)
            if "everything" in labs:
                return first, suslov or now, now
            time.sleep(OFTEN)


def alone(folder: str) -> float:
    """Seconds that one process takes to compile everything."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": folder, "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, "-c", COMPILE], cwd=ROOT, env=environment, check=True, stdout=-1, text=True)
    return float(done.stdout)


def rows(repeats: int) -> Iterator[Row]:
    """All rows of this module; each start is measured once, and a warm one three times."""
    unit = min(fresh(IMPORT.format("dash, numba")) for _ in range(4))
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        page_cold, suslov, everything = moments(one)
        page_warm, _, all_warm = min(moments(one) for _ in range(3))
        compiling = alone(other)
    over = "over importing dash and numba"
    for title, seconds, target in (
        ("start on a new machine, to the start page", page_cold, 5.0),
        ("start on a new machine, to the Suslov lab", suslov, None),
        ("start on a new machine, to all labs", everything, 45.0),
        ("all kernels compiled one after the other", compiling, 60.0),
        ("second start, to the start page", page_warm, 3.0),
        ("second start, to all labs", all_warm, 3.0),
    ):
        yield Row(title, seconds, "s", target=target, details={over: seconds / unit, "import s": unit})
