"""The workshop: a process that makes what takes long, so that requests stay quick.

It is forked from the server before the workers, and forks for every order in turn. Such a child yields to everything
else on the machine, has limits of its own, and can be ended at any instant: when its time is up, or when nobody waits
for it any more. Clients take turns. A keeper forks the workshop again should it ever die.

An order comes as one packet with a socket, on which the answer goes back: a letter, a length, the seconds that it took,
and so many bytes. Who closes that socket does not want it any more.
"""

import contextlib
import ctypes
import json
import logging
import os
import resource
import selectors
import signal
import socket
import struct
import time
from dataclasses import dataclass
from typing import Any

from nhviz.parameters import ParameterError
from server import jobs, readiness
from server.rounds import Rounds

MADE, REFUSED, BUSY, LATE, FAILED = b"+", b"?", b"b", b"t", b"!"
"""How an answer begins: what was made, why it is not made, no turn in time, time is up, something went wrong."""
HEAD = struct.Struct("<cQd")
LARGEST = 100_000
"""Bytes of an order."""
OF_ONE, OF_ALL = 64, 512
"""Orders of one client that may wait, and of all."""
LOOK = 0.1
"""Seconds between two looks at the clock while somebody waits."""
YIELDING = 10
"""How nice a child is: with 10, what is quick has nine times its share."""
PATIENCE = 3.0
"""How much longer than its time of computing a child may take: others come first."""
END_WITH_PARENT, TAKE_NAME = 1, 15
"""PR_SET_PDEATHSIG and PR_SET_NAME of <linux/prctl.h>."""
NAME = "nhviz-workshop"
"""What the keeper, the workshop and its children are called in a list of processes."""
FIRST_TO_GO = "800"
"""A child is the first to end where memory runs out, before anything that answers people."""

log = logging.getLogger("nhviz.workshop")


@dataclass(eq=False)
class Order:
    """What somebody waits for: at most so many seconds of work, begun before a time of the monotonic clock."""

    client: str
    job: dict[str, Any]
    seconds: float
    until: float
    answer: socket.socket


@dataclass(eq=False)
class Child:
    """A process that performs an order, until a time at the latest; `life` can be read once it has ended."""

    order: Order
    pid: int
    life: int
    until: float


class Workshop:
    """Takes orders from a channel until nobody holds its other end, and has at most so many performed at once."""

    def __init__(self, channel: socket.socket, at_once: int) -> None:
        self.channel, self.at_once = channel, at_once
        self.rounds: Rounds[Order] = Rounds(OF_ONE, OF_ALL)
        self.children: set[Child] = set()
        self.poller = selectors.DefaultSelector()
        self.is_open = True

    def run(self) -> None:
        """Work until everybody has gone."""
        self.poller.register(self.channel, selectors.EVENT_READ, self.receive)
        while self.is_open:
            self.begin_next()
            for key, _ in self.poller.select(LOOK if self.children or len(self.rounds) else None):
                # What an event of the same moment has closed is no longer known.
                if self.poller.get_map().get(key.fd) is key:
                    key.data()
            self.look_at_clock()
        for child in set(self.children):
            self.end(child)

    def receive(self) -> None:
        """Take an order; without a sender nobody is left."""
        packet, handles, _, _ = socket.recv_fds(self.channel, LARGEST, 1)
        if not packet:
            self.is_open = False
            return
        order = read_order(packet, handles)
        if order is None:
            return
        answer = order.answer
        if self.rounds.add(order.client, order):
            self.poller.register(answer, selectors.EVENT_READ, lambda: self.forget(order))
        else:
            reply(order, BUSY)

    def forget(self, order: Order) -> None:
        """Nobody waits for an order any more."""
        child = next((child for child in self.children if child.order is order), None)
        if child is not None:
            self.end(child)
        else:
            self.rounds.drop(order.client, order)
            self.dismiss(order)

    def begin_next(self) -> None:
        """Begin orders while there is room for them."""
        while len(self.children) < self.at_once and len(self.rounds):
            self.begin(self.rounds.take())

    def begin(self, order: Order) -> None:
        """Have an order performed. What it needs is loaded here, once and for all children."""
        try:
            for name in jobs.systems(order.job):
                readiness.is_open(name)
            child = forked(order)
        # Code that cannot be loaded, or no room for a process: that must not end the work of others.
        except Exception:
            log.exception("An order could not be begun.")
            self.dismiss(order, FAILED)
            return
        self.children.add(child)
        self.poller.register(child.life, selectors.EVENT_READ, lambda: self.finish(child))

    def look_at_clock(self) -> None:
        """End what has taken too long, and tell those who have waited too long."""
        now = time.monotonic()
        for child in [child for child in self.children if child.until < now]:
            self.end(child)
        for order in [order for order in self.rounds.waiting() if order.until < now]:
            self.rounds.drop(order.client, order)
            self.dismiss(order, BUSY)

    def finish(self, child: Child, ended: bool = False) -> None:
        """Bury a child; one that did not get through, as its time was up or for another reason, is answered for."""
        self.poller.unregister(child.life)
        os.close(child.life)
        self.children.remove(child)
        _, status = os.waitpid(child.pid, 0)
        is_late = ended or (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU)
        self.dismiss(child.order, b"" if status == 0 else LATE if is_late else FAILED)

    def end(self, child: Child) -> None:
        """End a child whose time is up, or that nobody waits for."""
        os.kill(child.pid, signal.SIGKILL)
        self.finish(child, ended=True)

    def dismiss(self, order: Order, letter: bytes = b"") -> None:
        """Have done with an order, with a last letter if it needs one."""
        self.poller.unregister(order.answer)
        reply(order, letter)


def forked(order: Order) -> Child:
    """A child that performs an order; an OSError if there can be none."""
    life, death = os.pipe()
    try:
        pid = os.fork()
    except OSError:
        os.close(life)
        os.close(death)
        raise
    if pid == 0:
        close_all_but(order.answer.fileno(), death)
        perform_and_exit(order)
    os.close(death)
    return Child(order, pid, life, time.monotonic() + 1.0 + PATIENCE * order.seconds)


def read_order(packet: bytes, handles: list[int]) -> Order | None:
    """An order; None if it was cut off, or came without a way for its answer: then nobody waits for long."""
    if not handles:
        return None
    answer = socket.socket(fileno=handles[0])
    try:
        return Order(**json.loads(packet), answer=answer)
    except ValueError:
        answer.close()
        return None


def reply(order: Order, letter: bytes) -> None:
    """Answer an order by a letter, and close."""
    with order.answer, contextlib.suppress(OSError):
        order.answer.setblocking(False)
        order.answer.send(HEAD.pack(letter, 0, 0.0) if letter else b"")


def perform_and_exit(order: Order) -> None:
    """In a child: perform an order and end. Nothing of the workshop is used, nothing is cleaned up."""
    try:
        limit_myself(order.seconds)
        letter, content = performed(order)
        order.answer.setblocking(True)
        order.answer.sendall(HEAD.pack(letter, len(content), time.process_time()))
        order.answer.sendall(content)
    # Nobody is left to answer.
    except OSError:
        os._exit(1)
    # Whatever it is, it must not go on as a second workshop.
    except BaseException:
        log.exception("An order failed.")
        os._exit(1)
    os._exit(0)


def performed(order: Order) -> tuple[bytes, bytes]:
    """The letter and the bytes of an answer."""
    try:
        return MADE, jobs.perform(order.job, order.seconds)
    except ParameterError as error:
        return REFUSED, json.dumps([str(error), error.name]).encode()


def limit_myself(seconds: float) -> None:
    """Yield to all others, end with the workshop or after the time allowed, go first where memory is short."""
    os.nice(YIELDING)
    ctypes.CDLL(None).prctl(END_WITH_PARENT, signal.SIGKILL)
    limit = int(seconds) + 2
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as score:
        score.write(FIRST_TO_GO)


def opened(at_once: int) -> socket.socket:
    """Fork the keeper of a workshop; the end of the channel that takes orders. It ends when nobody holds that end."""
    outside, inside = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    if os.fork() == 0:
        # Neither the port of the server nor anything else of it is held open.
        close_all_but(inside.fileno())
        keep(inside, at_once)
    inside.close()
    return outside


def close_all_but(*handles: int) -> None:
    """Close all files of this process but some and the standard ones."""
    for handle in {int(name) for name in os.listdir("/proc/self/fd")} - {0, 1, 2, *handles}:
        with contextlib.suppress(OSError):
            os.close(handle)


def keep(channel: socket.socket, at_once: int) -> None:
    """In the keeper: have a workshop for as long as there is a server; one that died is forked again."""
    for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2):
        # They mean the server. The workshop ends when nobody can order any more.
        signal.signal(name, signal.SIG_IGN)
    ctypes.CDLL(None).prctl(TAKE_NAME, NAME.encode())
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.set_wakeup_fd(-1)
    server = os.getppid()
    while True:
        try:
            pid = os.fork()
        except OSError as error:
            log.warning("There is no room for the workshop (%s); trying again.", error)
            time.sleep(1.0)
            continue
        if pid == 0:
            work_and_exit(channel, at_once)
        _, status = os.waitpid(pid, 0)
        if status == 0 or os.getppid() != server:
            os._exit(0)
        log.warning("The workshop ended (%s); there is a new one.", status)
        time.sleep(LOOK)


def work_and_exit(channel: socket.socket, at_once: int) -> None:
    """In the workshop: work to the end."""
    try:
        Workshop(channel, at_once).run()
    except BaseException:
        log.exception("The workshop failed.")
        os._exit(1)
    os._exit(0)
