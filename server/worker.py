"""A process of the server, in which threads never wait for the network, and slow clients harm nobody.

The main thread, the poller, reads requests completely before a thread has them, and sends what a client does not take
at once. Threads find a request in memory and leave the answer there. All waiting for clients is in one place, with
deadlines (`server.connection`), and whose request is next is decided in one place, too (`server.crew`).

It speaks HTTP/1.1 and 1.0 by gunicorn's parser and response. It knows neither TLS nor HTTP/2, which are a proxy's, nor
gunicorn's hooks around a request.
"""

import os
import selectors
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from gunicorn.workers.base import Worker

from server import clients, memory
from server.answer import Answer
from server.connection import Connection, Patience, State
from server.crew import Crew
from server.crowd import Crowd
from server.door import Door
from server.incoming import Incoming, RefusedError
from server.settings import Settings

READ, WRITE = selectors.EVENT_READ, selectors.EVENT_WRITE
PIECE = 65_536
"""Bytes that are read at once, and that are read ahead while a request is answered."""
TICK = 1.0
"""Seconds between two looks at deadlines."""


class BufferedWorker(Worker):
    """The poller: connections, the queue of complete requests, and threads that answer them."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.settings = Settings.read()
        self.patience = Patience(self.settings.read_seconds, self.settings.write_seconds, self.settings.idle_seconds)
        self.crowd = Crowd(self.settings)
        self.swept = 0.0

    def run(self) -> None:
        """Serve until the end is asked for, or the parent is gone; then finish what is under way."""
        memory.give_back_large()
        self.selector = selectors.DefaultSelector()
        self.crew = Crew(self.cfg.threads, self.work, self.wake)
        self.selector.register(self.PIPE[0], READ)
        self.door = Door(self.sockets, self.selector)
        while self.alive and self.ppid == os.getppid():
            self.turn()
        self.finish()

    def finish(self) -> None:
        """Accept nothing more, and leave when the last answer is sent, or the time for it is over."""
        self.alive = False
        self.door.close()
        for connection in list(self.crowd.idle()):
            self.close(connection)
        until = time.monotonic() + self.cfg.graceful_timeout
        while self.crowd.members and time.monotonic() < until:
            self.turn()
        self.crew.leave()

    def turn(self) -> None:
        """One round of the poller: what has happened, whose turn it is, whose time is over."""
        self.notify()
        for key, events in self.selector.select(self.pause()):
            self.attend(key.fileobj, events)
        now = time.monotonic()
        for newcomer in self.door.admitted(now):
            self.welcome(*newcomer)
        for connection in self.crew.finished():
            self.see_to(connection, self.take_back)
        self.crew.dispatch()
        if now - self.swept >= TICK:
            self.sweep(now)

    def pause(self) -> float:
        """Seconds until something is due even if nothing happens."""
        now = time.monotonic()
        opens = [] if self.door.opens_at is None else [self.door.opens_at]
        return max(0.0, min([self.swept + TICK, *opens, *self.crew.due(now)]) - now)

    def attend(self, what: Any, events: int) -> None:
        """Something has happened."""
        if what == self.PIPE[0]:
            with suppress(BlockingIOError):
                os.read(what, PIECE)
        elif not isinstance(what, Connection):
            self.door.hesitate(len(self.crowd.members) + len(self.crew.queue), time.monotonic())
        elif not what.is_closed:
            self.see_to(what, self.write if events & WRITE else self.read)

    def see_to(self, connection: Connection, action: Callable[[Connection], None]) -> None:
        """Do something for a connection; should it ever fail, that one is lost, and not all of them."""
        try:
            action(connection)
        except Exception:
            self.log.exception("A connection is given up.")
            self.lose(connection)

    # New connections.

    def welcome(self, sock: socket.socket, peer: clients.Peer, here: clients.Peer) -> None:
        """A new connection, for which another one may have to make room."""
        sock.setblocking(False)
        incoming = Incoming(self.cfg, peer, self.settings.max_body)
        connection = Connection(sock, peer, here, incoming, time.monotonic())
        while self.crowd.is_full_for(connection):
            other = self.crowd.to_make_room_for(connection)
            if other is None:
                self.turn_away(connection)
                return
            self.close(other)
        self.crowd.members.add(connection)
        self.watch(connection, READ)
        self.see_to(connection, self.read)

    def turn_away(self, connection: Connection) -> None:
        """Say that there is no room, to whoever may hear it."""
        # What has been sent is read: closed before, the connection would take the sentence back.
        with suppress(OSError):
            connection.sock.recv(PIECE)
        with suppress(OSError):
            connection.sock.send(RefusedError(503, "Too many connections are open; try again in a moment.").text())
        connection.sock.close()

    # What comes in.

    def read(self, connection: Connection) -> None:
        """Take what a client sends: a request, what follows it, or the news that the client is gone."""
        try:
            data = connection.sock.recv(PIECE)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self.lose(connection)
        elif connection.state is State.READING:
            if not connection.incoming.begun():
                connection.since = time.monotonic()
            connection.incoming.data += data
            self.look_for_request(connection)
            self.bound_incoming()
        elif connection.state is not State.LINGERING:
            connection.incoming.data += data
            if len(connection.incoming.data) > self.settings.max_body + PIECE:
                # Nobody sends more than the next request ahead; unheard, a client could not be seen to leave.
                self.lose(connection)

    def lose(self, connection: Connection) -> None:
        """A client is gone. Whoever works for it can know, and its answer is not looked for any more."""
        connection.wire.gone = True
        if connection.state is State.RUNNING:
            self.watch(connection, 0)
        else:
            self.close(connection)

    def look_for_request(self, connection: Connection) -> None:
        """Queue the next request of a connection if it is complete."""
        try:
            request = connection.incoming.take()
        except RefusedError as refusal:
            self.refuse(connection, refusal)
            return
        if request is None:
            if connection.incoming.asks_to_go_on():
                connection.wire.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
                connection.wire.flush()
            return
        client = clients.told(connection.address, request.headers, self.settings.proxies)
        more = {
            "nhviz.client": client,
            "nhviz.gone": connection.wire.is_gone,
            "nhviz.waits": partial(self.crew.let_others, connection),
        }
        connection.take_question(Answer(self.wsgi, request, connection.wire, connection.ends, more), client)
        if self.crowd.has_too_much_asked():
            self.refuse(connection, RefusedError(503, "The server is busy; try again in a moment."))
        else:
            self.enqueue(connection)

    def enqueue(self, connection: Connection) -> None:
        """Let a connection wait for its turn, with its first part of an answer or the next."""
        self.crew.enqueue(connection)
        self.watch(connection, READ)

    def refuse(self, connection: Connection, refusal: RefusedError) -> None:
        """Answer with one sentence, and hear no more."""
        self.log.debug("Refused %s: %s", connection.address, refusal.sentence)
        connection.wire.sendall(refusal.text())
        connection.wire.flush()
        self.linger(connection)

    def bound_incoming(self) -> None:
        """When too much has come in of requests that are not complete, the slowest of them ends."""
        while self.crowd.has_too_much_incoming():
            self.close(self.crowd.slowest_writer())

    # What is answered.

    def work(self, connection: Connection) -> None:
        """In a thread: make an answer, or the next part of it."""
        connection.current.keeps = self.alive
        connection.current.go_on(self.cfg, self.log)

    def wake(self) -> None:
        """In a thread: have the poller look. A full pipe wakes it, too."""
        with suppress(BlockingIOError):
            os.write(self.PIPE[1], b"1")

    def take_back(self, connection: Connection) -> None:
        """A thread has done its part."""
        if connection.wire.broken:
            self.close(connection)
        elif connection.wire.size:
            connection.wire.share(self.crowd.wires())
            connection.start_writing(time.monotonic())
            self.watch(connection, WRITE)
            self.bound_outgoing()
        else:
            self.go_on(connection)

    def bound_outgoing(self) -> None:
        """When too much waits to be sent, whoever has not listened for longest is not waited for."""
        while self.crowd.has_too_much_outgoing():
            self.close(self.crowd.slowest_reader())

    # What goes out.

    def write(self, connection: Connection) -> None:
        """Send what the client takes."""
        connection.wire.flush()
        connection.note_progress(time.monotonic())
        if connection.wire.broken:
            self.close(connection)
        elif not connection.wire.size:
            self.go_on(connection)

    def go_on(self, connection: Connection) -> None:
        """Everything is sent: make the next part of the answer, or read the next request, or end."""
        if connection.wire.gone:
            self.close(connection)
        elif not connection.current.is_whole:
            self.enqueue(connection)
        elif not connection.current.keeps or (not self.alive and not connection.incoming.begun()):
            self.linger(connection)
        else:
            connection.answer = None
            connection.become(State.READING, time.monotonic())
            self.watch(connection, READ)
            if connection.incoming.begun():
                self.look_for_request(connection)

    def linger(self, connection: Connection) -> None:
        """Say that nothing more is to come, and listen to the client until it has understood."""
        connection.become(State.LINGERING, time.monotonic())
        with suppress(OSError):
            connection.sock.shutdown(socket.SHUT_WR)
        self.watch(connection, READ)

    # Ends.

    def sweep(self, now: float) -> None:
        """Part from those whose time is over, and from the memory of those who left."""
        self.swept = now
        self.crew.queue.forget()
        for connection in self.crowd.overdue(now, self.patience):
            if connection.state is State.READING and connection.incoming.begun():
                self.refuse(connection, RefusedError(408, "The request did not come in in time."))
            else:
                self.close(connection)

    def watch(self, connection: Connection, events: int) -> None:
        """What to hear of a connection."""
        if events == connection.watched:
            return
        if not events:
            self.selector.unregister(connection)
        elif not connection.watched:
            self.selector.register(connection, events)
        else:
            self.selector.modify(connection, events)
        connection.watched = events

    def close(self, connection: Connection) -> None:
        """Part from a connection that no thread works for."""
        self.watch(connection, 0)
        self.crew.forget(connection)
        self.crowd.members.discard(connection)
        connection.is_closed = True
        connection.wire.cut()
        if connection.answer is not None and not connection.answer.is_whole:
            connection.answer.abandon(self.log)
        connection.answer = None
