"""A cluster of processes of their own, as compose.yaml makes one: a scheduler, and workers that find it."""

import contextlib
import os
import subprocess
import sys
from pathlib import Path

from tests.conftest import free_port

ROOT = Path(__file__).parent.parent


def part(module, *words):
    """A process of a cluster."""
    command = [sys.executable, "-m", f"distributed.cli.{module}", *words]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def worker_at(address):
    """A worker without a keeper."""
    own = ("--no-nanny", "--nthreads", "1", "--no-dashboard", "--preload", "nhviz.sweeps.worker")
    return part("dask_worker", address, *own)


def scheduler_on(port):
    """A scheduler that listens on a port."""
    own = ("--no-dashboard", "--dashboard-address", "127.0.0.1:0")
    return part("dask_scheduler", "--host", "127.0.0.1", "--port", str(port), *own)


@contextlib.contextmanager
def separate():
    """The address of a cluster with one worker."""
    port = free_port()
    parts = [scheduler_on(port), worker_at(f"tcp://127.0.0.1:{port}")]
    try:
        yield f"tcp://127.0.0.1:{port}"
    finally:
        # They have nothing to lose, and saying goodbye takes long for one who yields to everybody.
        for process in parts:
            process.kill()
            process.wait()
