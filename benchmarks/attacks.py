"""Clients that harm the others: slow ones, greedy ones, and a worker that is killed while a class is at work.

One person drags a slider at the pace of a hand, first alone, then while others do what they should not. Those who are
slow come again as soon as they are thrown out, and have one address together; those who ask in a loop have one each.
"""

import contextlib
import http.client
import json
import multiprocessing
import os
import select
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from benchmarks.dashboard import opening, post, question, question_body
from benchmarks.load import PACE, labs, memory, served, starts, workers
from benchmarks.table import Row
from nhviz.frame import find
from nhviz.frame.records import Lab

SLOW, LOOPS, CLIENTS, FILES, LONG = 300, 16, 30, 12, 8
SECONDS, PATIENCE = 12.0, 10.0
"""Seconds of a measurement, and for an answer."""
KILLED, KILLING = 5, 20.0
"""How often a worker is killed, in how many seconds."""
LARGE = "/_dash-component-suites/plotly/package_data/plotly.min.js"
ASKING = "POST /table HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: "
BODY = 100_000

Attack = Callable[[int], AbstractContextManager[None]]


@dataclass
class Steps:
    """What became of the steps of a slider: seconds of each that was answered, and how many were not."""

    seconds: list[float] = field(default_factory=list)
    failed: int = 0

    def share(self, part: float) -> float:
        """The seconds that so large a part of the steps did not exceed; one without an answer took all patience."""
        sorted_seconds = sorted([*self.seconds, *[PATIENCE] * self.failed])
        return sorted_seconds[int(part * (len(sorted_seconds) - 1))]

    def summary(self) -> str:
        """Half of them, 19 of 20, and the worst, in milliseconds."""
        return " ".join(f"{1e3 * self.share(part):.0f}" for part in (0.5, 0.95, 1.0))


def slider(port: int, seconds: float, address: str = "127.0.0.1") -> Steps:
    """Steps of a slider at the pace of a hand; the page asks anew on a new connection what got no answer."""
    lab, steps, until = find.lab("sleigh"), Steps(), time.monotonic() + seconds
    state, connection = opening(lab), connected(port, address)
    while time.monotonic() < until:
        began = time.monotonic()
        try:
            state["numbers"]["p_theta"] *= 1.0001
            steps.seconds.append(post(connection, question_body(question(state)))[0])
        except (OSError, ValueError, RuntimeError, http.client.HTTPException):
            steps.failed += 1
            connection.close()
            connection = connected(port, address)
        time.sleep(max(0.0, PACE - (time.monotonic() - began)))
    connection.close()
    return steps


def connected(port: int, address: str) -> http.client.HTTPConnection:
    """A connection from an address of this machine, which it has many of."""
    return http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE, source_address=(address, 0))


def slider_under(
    port: int,
    server: subprocess.Popen,
    what: str,
    attack: Attack,
    address: str = "127.0.0.1",
    target: float | None = 3.0,
) -> Row:
    """p95 of slider steps during an attack over that before it; and the memory of the server."""
    quiet, before = slider(port, SECONDS, address), memory(server)
    with attack(port):
        during, after = slider(port, SECONDS, address), memory(server)
    details = {
        "before ms, p50 p95 worst": quiet.summary(),
        "during": during.summary(),
        "answered": f"{len(during.seconds)} of {len(during.seconds) + during.failed}",
        "memory before, during MB": f"{before:.0f} {after:.0f}",
    }
    return Row(
        f"slider steps during {what}, p95 over that before", during.share(0.95) / quiet.share(0.95),
        target=target, details=details,
    )  # fmt: skip


@contextlib.contextmanager
def slow(port: int, first: bytes, more: bytes) -> Iterator[None]:
    """Clients that send something, then nothing but one byte a second, if that, and never read."""
    over = threading.Event()

    def keep_at_it() -> None:
        sockets = [slow_client(port, first) for _ in range(SLOW)]
        while not over.wait(1.0):
            for place, one in enumerate(sockets):
                if is_closed(one) or not trickled(one, more):
                    one.close()
                    sockets[place] = slow_client(port, first)
        for one in sockets:
            one.close()

    thread = threading.Thread(target=keep_at_it)
    thread.start()
    time.sleep(2.0)
    yield
    over.set()
    thread.join()


def slow_client(port: int, first: bytes) -> socket.socket:
    """A connection with little room for what it will not read."""
    one = socket.socket()
    one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    one.settimeout(0.5)
    with contextlib.suppress(OSError):
        one.connect(("127.0.0.1", port))
        one.sendall(first)
    return one


def is_closed(one: socket.socket) -> bool:
    """Whether the server has thrown a client out."""
    poll = select.poll()
    poll.register(one, select.POLLRDHUP)
    return bool(poll.poll(0))


def trickled(one: socket.socket, more: bytes) -> bool:
    """Whether a little more could be sent."""
    try:
        return not more or one.send(more) > 0
    except OSError:
        return False


def slow_heads(port: int) -> AbstractContextManager[None]:
    """A head that comes one byte at a time."""
    return slow(port, b"G", b"E")


def slow_bodies(port: int) -> AbstractContextManager[None]:
    """A body that comes one byte at a time."""
    return slow(port, f"{ASKING}{BODY}\r\n\r\n".encode() + b"x" * (BODY // 2), b"x")


def slow_readers(port: int) -> AbstractContextManager[None]:
    """The largest file of the page, which nobody reads."""
    return slow(port, f"GET {LARGE} HTTP/1.1\r\nHost: a\r\n\r\n".encode(), b"")


def unread_files(port: int) -> AbstractContextManager[None]:
    """The largest answer that there is, a file of 6 MB, which nobody reads."""
    body = json.dumps(csv_body(find.lab("sphere_n"), 100.0, 0.001))
    return slow(port, f"{ASKING}{len(body)}\r\n\r\n{body}".encode(), b"")


@contextlib.contextmanager
def looping(port: int, addresses: list[str]) -> Iterator[None]:
    """Clients that ask as fast as they are answered, in a process of their own."""
    process = multiprocessing.get_context("fork").Process(target=loop_all, args=(port, addresses), daemon=True)
    process.start()
    time.sleep(2.0)
    yield
    process.kill()
    process.join()


def loop_all(port: int, addresses: list[str]) -> None:
    """One loop for each address."""
    threads = [threading.Thread(target=loop, args=(port, address)) for address in addresses]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def loop(port: int, address: str) -> None:
    """Ask the same question with another value again and again."""
    lab = find.lab("sleigh")
    state, connection = opening(lab), connected(port, address)
    while True:
        try:
            state["numbers"]["p_theta"] *= 1.0001
            post(connection, question_body(question(state)))
        except (OSError, ValueError, RuntimeError, http.client.HTTPException):
            connection.close()


def loops_apart(port: int) -> AbstractContextManager[None]:
    """Loops from addresses of their own."""
    return looping(port, [f"127.0.1.{number}" for number in range(1, LOOPS + 1)])


def loops_beside(port: int) -> AbstractContextManager[None]:
    """Loops from the address of the slider."""
    return looping(port, ["127.0.0.1"] * LOOPS)


def csv_body(lab: Lab, duration: float, step: float) -> dict:
    """The request for the file of a lab."""
    state = opening(lab)
    state["numbers"] |= {"duration": duration, "step": step}
    return {"file": {"state": state}}


@contextlib.contextmanager
def asking(port: int, bodies: list[Callable[[int], dict]], pause: float = 0.0) -> Iterator[None]:
    """Clients with addresses of their own that ask for what takes long, again and again, each time something new."""
    over = threading.Event()

    def ask(number: int, body: Callable[[int], dict]) -> None:
        for visit in range(1000 * number, 1000 * (number + 1)):
            connection = http.client.HTTPConnection(
                "127.0.0.1", port, timeout=120.0, source_address=(f"127.0.2.{number + 1}", 0)
            )
            with contextlib.suppress(OSError, RuntimeError, http.client.HTTPException):
                post(connection, body(visit))
            connection.close()
            if over.wait(pause):
                return

    threads = [threading.Thread(target=ask, args=one, daemon=True) for one in enumerate(bodies)]
    for thread in threads:
        thread.start()
    time.sleep(2.0)
    yield
    over.set()


def files(port: int) -> AbstractContextManager[None]:
    """The largest files, of runs that take long."""
    lab = find.lab("sphere_n")
    return asking(port, [lambda visit: csv_body(lab, 300.0 + 1e-3 * visit, 0.0005)] * FILES)


def files_of_a_class(port: int) -> AbstractContextManager[None]:
    """Files of a class, each of another state of a lab as it opens, with all samples, every ten seconds."""
    lab = find.lab("sleigh")
    return asking(port, [lambda visit: csv_body(lab, 20.0 + 1e-3 * visit, 0.001)] * CLIENTS, pause=10.0)


def long_runs(port: int) -> AbstractContextManager[None]:
    """Runs of about 800,000 steps."""
    lab = find.lab("sphere_n")

    def body(visit: int) -> dict:
        state = opening(lab)
        state["numbers"] |= {"step": 0.0005, "duration": 390.0 + 1e-3 * visit}
        return question_body(question(state))

    return asking(port, [body] * LONG)


@dataclass
class Pupil:
    """A client that asks without a pause, asks once more what got no answer, and counts what is lost all the same."""

    number: int
    port: int
    asked: int = 0
    asked_again: int = 0
    lost: int = 0

    def work(self, until: float) -> None:
        """Ask until the time is up."""
        lab = labs()[self.number % len(labs())]
        state, connection = opening(lab), connected(self.port, "127.0.0.1")
        name = next(iter(starts(lab)))
        while time.monotonic() < until:
            state["numbers"][name] += 1e-6 * (1.0 + abs(state["numbers"][name]))
            self.asked += 1
            connection = self.ask(connection, question_body(question(state)))
            time.sleep(PACE)
        connection.close()

    def ask(self, connection: http.client.HTTPConnection, body: dict) -> http.client.HTTPConnection:
        """Ask, and once more on another connection if need be; the connection to go on with."""
        for again in (False, True):
            try:
                self.asked_again += again
                post(connection, body)
                break
            except (OSError, RuntimeError, http.client.HTTPException):
                self.lost += again
                connection.close()
                time.sleep(PACE)
                connection = connected(self.port, "127.0.0.1")
        return connection


def killed(port: int, server: subprocess.Popen) -> Row:
    """Requests without an answer while workers are killed, after each was asked once more as the page does."""
    pupils = [Pupil(number, port) for number in range(CLIENTS)]
    until = time.monotonic() + KILLING
    threads = [threading.Thread(target=pupil.work, args=(until,)) for pupil in pupils]
    for thread in threads:
        thread.start()
    for _ in range(KILLED):
        time.sleep(KILLING / (KILLED + 1))
        os.kill(workers(server)[0], signal.SIGKILL)
    for thread in threads:
        thread.join()
    details = {"asked": sum(one.asked for one in pupils), "asked again": sum(one.asked_again for one in pupils)}
    title = f"requests of {CLIENTS} clients lost while a worker is killed {KILLED} times in {KILLING:g} s"
    return Row(title, float(sum(one.lost for one in pupils)), "", 0.0, details=details)


def rows(repeats: int) -> Iterator[Row]:
    """All rows of this module; how much is asked is fixed."""
    with served() as (port, server):
        slider(port, 5.0)
        yield slider_under(port, server, f"{SLOW} slow heads", slow_heads)
        yield slider_under(port, server, f"{SLOW} slow bodies", slow_bodies)
        yield slider_under(port, server, f"{SLOW} slow readers", slow_readers)
        yield slider_under(port, server, f"{SLOW} files that nobody reads", unread_files)
        yield slider_under(port, server, f"{LOOPS} loops of others", loops_apart)
        yield slider_under(port, server, f"{LOOPS} loops from the same address", loops_beside, target=None)
        yield slider_under(port, server, f"{FILES} files of long runs", files)
        yield slider_under(port, server, f"files of {CLIENTS} students", files_of_a_class)
        yield slider_under(port, server, f"{LONG} long runs", long_runs)
        yield killed(port, server)
