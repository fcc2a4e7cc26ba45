"""Who makes room when there are too many connections, and what bytes on their way are counted."""

import socket

import pytest

from server import wire
from server.connection import Connection, State, expendable
from server.crowd import Crowd
from server.incoming import Incoming
from server.settings import Settings
from server.wire import Wire

NOW = 100.0


@pytest.fixture
def pair():
    ends = socket.socketpair()
    yield ends
    for end in ends:
        end.close()


def connection(sock, state, seconds, begun=False, is_new=False):
    """A connection that has been in a state for so many seconds."""
    one = Connection(sock, ("127.0.0.1", 1), ("127.0.0.1", 2), Incoming(None, None, 1000), NOW - seconds)
    one.state, one.is_new = state, is_new
    one.incoming.data += b"G" * begun
    return one


def test_the_slow_make_room_before_the_idle_and_the_busy_never(pair):
    sock = pair[0]
    order = [
        connection(sock, State.LINGERING, 0.1),
        connection(sock, State.READING, 9.0, is_new=True),
        connection(sock, State.READING, 8.0, begun=True),
        connection(sock, State.WRITING, 20.0),
        connection(sock, State.READING, 70.0),
        connection(sock, State.READING, 60.0),
        connection(sock, State.READING, 0.5, begun=True),
        connection(sock, State.READING, 0.4, is_new=True),
    ]
    busy = [connection(sock, state, 0.5) for state in (State.WAITING, State.RUNNING, State.WRITING, State.READING)]
    crowd = [*busy, *reversed(order)]
    for expected in order:
        assert expendable(crowd, NOW) is expected
        crowd.remove(expected)
    assert expendable(crowd, NOW) is None


def test_the_same_file_waits_once_for_all_its_readers(pair):
    wires = [Wire(pair[0]) for _ in range(10)]
    for number, one in enumerate(wires):
        one.sendall(f"HTTP/1.1 200 OK {number}".encode())
        one.sendall(bytes(bytearray(b"x" * 300_000)))
        one.drop(100_000 + number)
        one.share(wires)
    assert wire.held(wires) == 300_000
    assert [one.size for one in wires] == [200_017 - number for number in range(10)]
    other = Wire(pair[0])
    other.sendall(b"y" * 300_000)
    other.share(wires)
    assert wire.held([*wires, other]) == 600_000


def test_what_is_sent_arrives_in_order(pair):
    here, there = pair
    here.setblocking(False)
    there.setblocking(False)
    one, sent, heard = Wire(here), b"", b""
    for number in range(200):
        piece = bytes([number]) * (37 * number)
        one.sendall(piece)
        sent += piece
        one.flush()
    while one.size or len(heard) < len(sent):
        heard += there.recv(10_000)
        one.flush()
    assert heard == sent
    there.close()
    one.sendall(b"more")
    one.flush()
    assert one.broken
    assert one.size == 0


def test_only_answers_that_wait_are_looked_at(pair):
    """On the wires of others threads are at work; what was asked is counted while it waits and while it is answered."""
    crowd = Crowd(Settings.read({}))
    for state in State:
        one = connection(pair[0], state, 1.0)
        one.asked = 9_000_000
        crowd.members.add(one)
    assert [one.state for one in crowd.members if one.wire in crowd.wires()] == [State.WRITING]
    assert crowd.has_too_much_asked()
    next(one for one in crowd.members if one.state is State.RUNNING).asked = 1000
    assert not crowd.has_too_much_asked()
