"""The server's own process: requests that are read whole, deadlines, bounds, clients that are gone, a graceful end."""

import contextlib
import json
import os
import re
import select
import signal
import socket
import subprocess
import sys
import time
import urllib.request

import pytest

from benchmarks.dashboard import opening, question, question_body
from nhviz.frame import find
from tests.conftest import ROOT, free_port, served
from tests.page import ASK

QUICK = {"NHVIZ_READ_SECONDS": "0.5", "NHVIZ_WRITE_SECONDS": "0.5", "NHVIZ_CONNECTIONS_EACH": "200"}


@contextlib.contextmanager
def plain(**variables):
    """The port of a worker with the small application, and its process."""
    port = free_port()
    command = [sys.executable, "-m", "gunicorn", "-k", "server.worker.BufferedWorker", "-b", f"127.0.0.1:{port}"]
    command += ["--threads", "8", "--no-control-socket", "--pythonpath", str(ROOT), "tests.plain:application"]
    # Not where the configuration of the dashboard would be found.
    server = subprocess.Popen(command, cwd=ROOT / "tests", env=os.environ | variables, stderr=subprocess.DEVNULL)
    try:
        for _ in range(600):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                break
            time.sleep(0.05)
        yield port, server
    finally:
        server.terminate()
        server.wait(20)


@pytest.fixture(scope="module")
def port():
    with plain(**QUICK, NHVIZ_PROXIES="127.0.0.9, 10.0.0.0/8") as (port, _):
        yield port


def connected(port, sent=b"", address="127.0.0.1"):
    """A connection that has sent something."""
    sock = socket.create_connection(("127.0.0.1", port), timeout=20, source_address=(address, 0))
    sock.sendall(sent)
    return sock


def heard(sock):
    """Everything until the server closes."""
    with sock:
        return b"".join(iter(lambda: sock.recv(65_536), b""))


def talk(port, sent, address="127.0.0.1"):
    """What the server answers until it closes; nothing if it does not, or takes it back."""
    sock = connected(port, sent, address)
    sock.settimeout(20)
    try:
        return heard(sock)
    except (TimeoutError, ConnectionResetError):
        return b""


@pytest.fixture
def sockets():
    """What is entered here is closed in the end."""
    with contextlib.ExitStack() as stack:
        yield stack


def get(path, *headers, method="GET", version="1.1", end=True):
    """A request as it is sent, by default the last one of its connection."""
    lines = [f"{method} {path} HTTP/{version}", "Host: a", *headers, *(["Connection: close"] if end else [])]
    return "\r\n".join([*lines, "", ""]).encode()


def refusals(answer):
    """Status and sentence of an answer that is nothing else."""
    head, _, body = answer.partition(b"\r\n\r\n")
    assert b"Content-Type: text/plain" in head
    assert body.count(b"\n") == 1
    return int(head.split()[1]), body.decode().strip()


@pytest.mark.parametrize(
    ("sent", "status", "words"),
    [
        (b"nonsense\n", 400, "not HTTP"),
        (b"\x16\x03\x01\r\n\r\n", 400, "not HTTP"),
        (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400, "not HTTP"),
        (get("/echo", "Content-Length: 5", "Content-Length: 6"), 400, "not HTTP"),
        (get("/echo", "Content-Length: -5"), 400, "not HTTP"),
        (b"GET /echo HT", 408, "not come in in time"),
        (get("/echo", "Content-Length: 5", method="POST") + b"abc", 408, "not come in in time"),
        (get("/echo", "Transfer-Encoding: chunked", method="POST") + b"3\r\nabc\r\n0\r\n\r\n", 411, "how long it is"),
        (get("/echo", "Content-Length: 300000", method="POST"), 413, "larger than 256,000 bytes."),
        (get("/echo", "Content-Length: 300000", method="POST") + b"x" * 300_000, 413, "larger than 256,000 bytes."),
        (get("/" + "a" * 5000), 414, "too long"),
        (get("/echo", "Expect: a-miracle"), 417, "expects"),
        (get("/echo", "A: " + "a" * 40_000), 431, "too large"),
        (b"GET /echo HTTP/1.1\r\nA: " + b"a" * 40_000, 431, "too large"),
        (get("/echo", "Transfer-Encoding: brotli"), 501, "transfer coding"),
        (get("/fail"), 500, "could not answer"),
    ],
)
def test_what_is_refused_has_a_status_and_one_sentence(port, sent, status, words):
    found, sentence = refusals(talk(port, sent))
    assert found == status
    assert words in sentence


def test_requests_that_come_together_are_answered_in_order(port):
    bodies = [b"a", b"b" * 70_000, b"", b"c" * 200_000]
    asked = [get("/echo", f"Content-Length: {len(body)}", method="POST", end=False) + body for body in bodies]
    answer = talk(port, b"".join(asked) + get("/echo"))
    assert answer.count(b"HTTP/1.1 200 OK") == 5
    assert [len(part) for part in re.findall(rb"\r\n\r\n([abc]*)(?=HTTP|$)", answer)] == [1, 70_000, 0, 200_000, 0]


def test_a_request_in_pieces_is_one(port):
    with connected(port) as sock:
        for byte in get("/echo", "Content-Length: 3", method="POST", end=False) + b"abc":
            sock.sendall(bytes([byte]))
        assert sock.recv(65_536).endswith(b"\r\n\r\nabc")
        sock.sendall(get("/client"))
        assert heard(sock).endswith(b"\r\n\r\n127.0.0.1")


def test_a_client_that_asks_whether_to_go_on_is_told(port):
    with connected(port, get("/echo", "Content-Length: 3", "Expect: 100-continue", method="POST")) as sock:
        assert sock.recv(65_536) == b"HTTP/1.1 100 Continue\r\n\r\n"
        sock.sendall(b"abc")
        answer = heard(sock)
    assert answer.startswith(b"HTTP/1.1 200 OK")
    assert answer.endswith(b"abc")


@pytest.mark.parametrize("body", [b"abc", b""])
def test_a_client_that_does_not_wait_to_be_told_is_answered(port, body):
    head = get("/echo", f"Content-Length: {len(body)}", "Expect: 100-continue", method="POST")
    answer = talk(port, head + body)
    assert answer.startswith(b"HTTP/1.1 200 OK")
    assert answer.endswith(b"\r\n\r\n" + body)


@pytest.mark.parametrize(("version", "more"), [("1.0", ()), ("1.1", ("Connection: close",))])
def test_who_wants_one_answer_gets_one(port, version, more):
    assert talk(port, get("/large", *more, version=version, end=False)).endswith(b"x" * 9_000_000)


@pytest.mark.parametrize(
    ("address", "headers", "client"),
    [
        ("127.0.0.1", ["X-Forwarded-For: 1.2.3.4"], "127.0.0.1"),
        ("127.0.0.9", [], "127.0.0.9"),
        ("127.0.0.9", ["X-Forwarded-For: 9.9.9.9, 1.2.3.4"], "1.2.3.4"),
    ],
)
def test_the_application_knows_who_asks(port, address, headers, client):
    assert talk(port, get("/client", *headers), address).rpartition(b"\r\n\r\n")[2].decode() == client


def seen(port, address="127.0.0.1"):
    """What the application has noted."""
    return talk(port, get("/seen"), address).rpartition(b"\r\n\r\n")[2].decode().split(",")


def wait_until(condition):
    for _ in range(1000):
        if condition():
            return
        time.sleep(0.01)
    raise TimeoutError


def test_a_client_that_is_gone_is_noticed(port):
    sock = connected(port, get("/watch"))
    wait_until(lambda: "watching" in seen(port))
    sock.close()
    wait_until(lambda: {"gone", "still there"} & set(seen(port)))
    assert "gone" in seen(port)


def test_a_stream_is_made_as_it_is_read_and_ends_with_its_reader(port):
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    sock.connect(("127.0.0.1", port))
    sock.sendall(get("/stream"))
    wait_until(lambda: any(note.startswith("stream ") for note in seen(port)))
    wait_until(lambda: "end of the stream" in seen(port))
    (last,) = [note for note in seen(port) if note.startswith("stream ")]
    assert int(last.split()[1]) < 50
    sock.close()
    assert talk(port, get("/stream")).count(b"x" * 100_000) == 100


def test_connections_of_one_address_are_bounded(sockets):
    """Those that are idle for a while make room; where there is none the new one is sent away, but not others."""
    with plain(NHVIZ_CONNECTIONS_EACH="4", NHVIZ_CONNECTIONS="8") as (port, _):
        idle = [sockets.enter_context(connected(port, get("/client", end=False))) for _ in range(4)]
        assert all(sock.recv(65_536) for sock in idle)
        assert b"503 Service Unavailable" in talk(port, get("/client"))
        wait_until(lambda: b"200 OK" in talk(port, get("/client")))
        assert idle[0].recv(1) == b""
        # The others were answered a little later, so they may not have been idle for long enough yet.
        for sock in idle:
            sock.close()
        busy = [sockets.enter_context(connected(port, get("/wait?seconds=2"))) for _ in range(4)]
        wait_until(lambda: seen(port, "127.0.0.2").count("waiting") == 4)
        assert b"503 Service Unavailable" in talk(port, b"")
        assert b"200 OK" in talk(port, get("/client"), "127.0.0.2")
        assert all(heard(sock).endswith(b"waited") for sock in busy)


def test_a_graceful_end_answers_what_is_under_way(sockets):
    with plain() as (port, server):
        idle, waiting, large = (
            sockets.enter_context(connected(port, get(path, end=False)))
            for path in ("/client", "/wait?seconds=1", "/large")
        )
        assert idle.recv(65_536)
        assert large.recv(1)
        server.send_signal(signal.SIGTERM)
        assert idle.recv(1) == b""
        assert heard(waiting).endswith(b"waited")
        assert heard(large).endswith(b"x" * 9_000_000)
        assert server.wait(20) == 0


PLOTLY = "/_dash-component-suites/plotly/package_data/plotly.min.js"
SLOW = {
    "heads": b"G",
    "bodies": get(f"/{ASK}", "Content-Length: 200000", method="POST") + b"x" * 100_000,
    "readers": get(PLOTLY),
}


def test_slow_clients_harm_nobody_and_are_parted_from(sockets):
    with served(NHVIZ_READ_SECONDS="3", NHVIZ_WRITE_SECONDS="3", NHVIZ_CONNECTIONS_EACH="200") as address:
        port = int(address.rpartition(":")[2])
        slow = [sockets.enter_context(connected(port, sent)) for sent in SLOW.values() for _ in range(40)]
        assert json.loads(urllib.request.urlopen(f"{address}/health", timeout=20).read())["status"] == "ok"
        assert slider_step(address) == 200
        ends = select.poll()
        for sock in slow:
            ends.register(sock, select.POLLRDHUP)
        wait_until(lambda: len(ends.poll(0)) == len(slow))


def slider_step(address):
    """The status of a step of a slider."""
    lab = find.lab("sleigh")
    body = json.dumps(question_body(question(opening(lab)))).encode()
    request = urllib.request.Request(f"{address}/{ASK}", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=20) as answer:
        return answer.status
