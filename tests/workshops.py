"""A workshop for tests, in a process of its own, that also knows jobs which sleep, spin, crash and leave marks."""

import contextlib
import socket
import subprocess
import sys
import time
from pathlib import Path

from server import orders

ROOT = Path(__file__).parent.parent
PROGRAM = """
import os, resource, socket, sys, time
from pathlib import Path
from server import jobs, workshop

def mark(job, seconds):
    with open(job["file"], "a") as file:
        file.write(job["word"] + " ")
    while "until" in job and not Path(job["until"]).exists():
        time.sleep(0.005)
    return job["word"].encode()

def spin(job, seconds):
    Path(job["file"]).write_text(str(os.getpid()))
    while True:
        pass

def limits(job, seconds):
    score = Path("/proc/self/oom_score_adj").read_text().strip()
    open_files = len(os.listdir("/proc/self/fd"))
    return f"{os.nice(0)} {resource.getrlimit(resource.RLIMIT_CPU)[0]} {score} {open_files}".encode()

def crash(job, seconds):
    os.abort()

def fail(job, seconds):
    return 1 / 0

jobs.KINDS.update(mark=mark, spin=spin, limits=limits, crash=crash, fail=fail)
workshop.keep(socket.socket(fileno=int(sys.argv[1])), int(sys.argv[2]))
"""


@contextlib.contextmanager
def open_workshop(monkeypatch, at_once=1, log=None):
    """The process of a workshop to which this one sends its orders; it ends when nobody can order any more."""
    outside, inside = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    command = [sys.executable, "-c", PROGRAM, str(inside.fileno()), str(at_once)]
    with inside:
        keeper = subprocess.Popen(command, cwd=ROOT, pass_fds=[inside.fileno()], stderr=log)
    monkeypatch.setattr(orders, "channels", [outside])
    with outside:
        yield keeper
    assert keeper.wait(20) == 0


def ordered(job, client="somebody", seconds=30.0, wait=30.0, is_gone=lambda: False):
    """What is made of an order."""
    return orders.order(job, client, seconds, time.monotonic() + wait, is_gone)[0]


def eventually(condition):
    """Wait for a condition that others bring about."""
    for _ in range(2000):
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError("it never came about")
