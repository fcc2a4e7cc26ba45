"""A class of students at the lab server: latency under load, memory over many requests, a worker that dies.

The server is the one of `make run` and of the container (gunicorn.conf.py). Students are threads of this process with
one connection each: a burst of slider steps at the pace of a hand, then a look at the pictures, in all labs in turn.
All of it shares the machine's cores with the server.
"""

import contextlib
import http.client
import json
import os
import random
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from benchmarks.dashboard import opening, post, question, question_body, wait_for
from benchmarks.table import Row
from nhviz.frame import find
from nhviz.frame.records import Lab
from nhviz.frame.words import vocabulary
from server import workshop

STUDENTS = 30
SECONDS = 60.0
BURST, PACE, PAUSE = 8, 0.2, 4.0
"""Slider steps in a burst, seconds between them, seconds of looking (on average)."""
REQUESTS = 20_000
ROUNDS = 3
ROOT = Path(__file__).parent.parent


@contextlib.contextmanager
def served() -> Iterator[tuple[int, subprocess.Popen]]:
    """The lab server on a free port, with a cache folder of its own."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"NHVIZ_BIND": f"127.0.0.1:{port}", "NHVIZ_CACHE_DIR": folder}
        command = [sys.executable, "-m", "gunicorn", "-c", "gunicorn.conf.py"]
        server = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.DEVNULL)
        try:
            wait_for(port)
            healthy(port)
            yield port, server
        finally:
            server.terminate()
            server.wait(60)


def healthy(port: int) -> None:
    """Return when the server answers that it is well."""
    for _ in range(600):
        with contextlib.suppress(OSError, http.client.HTTPException):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
            connection.request("GET", "/health")
            if json.loads(connection.getresponse().read())["status"] == "ok":
                return
        time.sleep(0.1)
    raise RuntimeError("the server is not well")


@cache
def labs() -> list[Lab]:
    """All labs."""
    return list(find.labs().values())


@cache
def starts(lab: Lab) -> dict[str, float]:
    """The initial values with which a lab opens, by their words."""
    words = vocabulary(lab.scenes[0])
    return {word: number.opening for word, number in words.numbers.items() if number.group == "start"}


@dataclass
class Student:
    """One person: a lab, a random hand, and what was measured."""

    number: int
    port: int
    latencies: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    def work(self, until: float, pause: float) -> None:
        """Drag sliders in bursts until the time is up, in one lab after the other."""
        hand = random.Random(self.number)
        # Nobody begins at the same instant as the others.
        time.sleep(pause * hand.random())
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        rooms = labs()
        for visit in range(self.number, self.number + 10_000):
            lab = rooms[visit % len(rooms)]
            state = opening(lab)
            name = hand.choice(list(starts(lab)))
            for step in range(BURST):
                if time.monotonic() > until:
                    connection.close()
                    return
                state["numbers"][name] += 1e-4 * hand.random() * (1.0 + abs(state["numbers"][name]))
                self.ask(connection, question_body(question(state, step < BURST - 1)))
                time.sleep(PACE * (0.5 + hand.random()))
            time.sleep(pause * (0.5 + hand.random()))

    def ask(self, connection: http.client.HTTPConnection, body: dict) -> None:
        """One request, timed; a failure is noted, not raised."""
        try:
            self.latencies.append(post(connection, body)[0])
        except (OSError, RuntimeError, http.client.HTTPException) as error:
            self.failures.append(f"{type(error).__name__}: {error}")
            connection.close()


def together(port: int, count: int, seconds: float, pause: float = PAUSE) -> list[Student]:
    """Students at work at the same time."""
    students = [Student(i, port) for i in range(count)]
    until = time.monotonic() + seconds
    threads = [threading.Thread(target=student.work, args=(until, pause)) for student in students]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return students


def all_latencies(students: list[Student]) -> list[float]:
    """The latencies of a class, sorted."""
    return sorted(latency for student in students for latency in student.latencies)


@dataclass
class Round:
    """One student alone, then a class: the latencies of both, and how much of the machine others took meanwhile."""

    alone: float
    latencies: list[float]
    failures: list[str]
    stolen: float

    @property
    def p95(self) -> float:
        """The latency that one request of twenty exceeds."""
        return self.latencies[int(0.95 * len(self.latencies))]

    @property
    def ratio(self) -> float:
        """What the class costs a request."""
        return self.p95 / self.alone


def one_round(port: int) -> Round:
    """With shorter looks one student, too, has time for all labs: both numbers are about the same requests."""
    before, began = stolen_seconds(), time.monotonic()
    alone = together(port, 1, 2.0 * BURST * PACE * len(labs()), pause=PACE)
    students = together(port, STUDENTS, SECONDS)
    share = (stolen_seconds() - before) / (time.monotonic() - began) / (os.cpu_count() or 1)
    failures = [text for student in students for text in student.failures]
    return Round(statistics.median(all_latencies(alone)), all_latencies(students), failures, share)


def stolen_seconds() -> float:
    """Time in which this machine wanted to compute and another one on the same host did, over all cores."""
    fields = Path("/proc/stat").read_text().split()
    return int(fields[8]) / os.sysconf("SC_CLK_TCK")


def load(port: int) -> Iterator[Row]:
    """p95 of a class over the median of one student alone, and how many requests failed."""
    together(port, 8, 10.0)
    rounds = sorted((one_round(port) for _ in range(ROUNDS)), key=lambda found: found.ratio)
    middle = rounds[len(rounds) // 2]
    details = {
        "p95 ms": 1e3 * middle.p95,
        "alone, median ms": 1e3 * middle.alone,
        "requests": len(middle.latencies),
        "all rounds": " ".join(f"{found.ratio:.1f}" for found in rounds),
        "cores taken by others": " ".join(f"{100 * found.stolen:.0f}%" for found in rounds),
    }
    yield Row(
        f"{STUDENTS} students for {SECONDS:g} s, p95 over the median of one alone",
        middle.ratio,
        target=3.0,
        details=details,
    )
    failures = [text for found in rounds for text in found.failures]
    yield Row(
        "requests of the class that failed", float(len(failures)), "", 0.0, details=dict.fromkeys(failures[:3], "")
    )


def workers(server: subprocess.Popen) -> list[int]:
    """Process ids of the server's workers, without the workshop."""
    children = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()
    return [int(child) for child in children if Path(f"/proc/{child}/comm").read_text().strip() != workshop.NAME]


def memory(server: subprocess.Popen) -> float:
    """Memory of the workers that is theirs alone or shared by them, in MB."""
    total = 0
    for worker in workers(server):
        lines = Path(f"/proc/{worker}/smaps_rollup").read_text().splitlines()
        total += next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total / 1e3


def many_requests(port: int, server: subprocess.Popen) -> Row:
    """Memory after all requests over that after the first quarter of them."""
    connections = [http.client.HTTPConnection("127.0.0.1", port, timeout=60) for _ in range(8)]
    rooms, hand = labs(), random.Random(5)
    states = [opening(lab) for lab in rooms]
    early = 0.0
    for number in range(REQUESTS):
        lab, state = rooms[number % len(rooms)], states[number % len(rooms)]
        name = hand.choice(list(starts(lab)))
        state["numbers"][name] = starts(lab)[name] * (1.0 + 1e-3 * hand.random())
        post(connections[number % 8], question_body(question(state)))
        if number == REQUESTS // 4:
            early = memory(server)
    late = memory(server)
    return Row(
        f"memory after {REQUESTS:,} requests over that after {REQUESTS // 4:,}", late / early, target=1.1,
        details={"late MB": late, "early MB": early},
    )  # fmt: skip


def killed(port: int, server: subprocess.Popen) -> Row:
    """Requests that fail after a worker was killed; the one that it was answering may."""
    os.kill(workers(server)[0], signal.SIGKILL)
    failures = 0
    lab = labs()[0]
    for _ in range(50):
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            post(connection, question_body(question(opening(lab))))
            connection.close()
        except (OSError, RuntimeError, http.client.HTTPException):
            failures += 1
    return Row("requests of 50 that fail after a worker was killed", float(failures), "", 0.0)


def heavy(port: int, durations: list[float], what: str) -> Row:
    """Median of slider steps while long runs are asked for, over that without."""
    lab = find.lab("sleigh")
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    state = opening(lab)

    def steps(many: int) -> list[float]:
        times = []
        for _ in range(many):
            state["numbers"]["p_theta"] *= 1.0001
            times.append(post(connection, question_body(question(state)))[0])
        return times

    quiet = statistics.median(steps(200))
    slow = find.lab("sphere_n")
    threads = []
    for duration in durations:
        long = opening(slow)
        long["numbers"] |= {"step": 0.0005, "duration": duration}
        other = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        threads.append(threading.Thread(target=post, args=(other, question_body(question(long)))))
        threads[-1].start()
    during: list[float] = []
    while any(thread.is_alive() for thread in threads):
        during += steps(5)
    during.sort()
    return Row(
        f"slider steps while {what} asked for, median over that without",
        statistics.median(during) / quiet, target=3,
        details={
            "during ms": 1e3 * statistics.median(during), "p95 ms": 1e3 * during[int(0.95 * len(during))],
            "worst ms": 1e3 * during[-1], "steps": len(during),
        },
    )  # fmt: skip


def rows(repeats: int) -> Iterator[Row]:
    """All rows of this module; how much is asked is fixed."""
    with served() as (port, server):
        yield from load(port)
        yield heavy(port, [390.0], "a long run is")
        yield heavy(port, [391.0 + number for number in range(8)], "8 long runs are")
        yield heavy(port, [399.0] * STUDENTS, f"{STUDENTS} times the same long run is")
        yield many_requests(port, server)
        yield killed(port, server)
