"""The fixtures of browser tests wait for a server as long as it gets on, and say what it said when it does not."""

import itertools
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from types import SimpleNamespace

import pytest

from tests.conftest import free_port, wait_for


@pytest.fixture
def told():
    """An address whose answers, (status, text) one after the other, a test can choose."""
    chosen = SimpleNamespace(answers=iter(()), url="")

    class Told(BaseHTTPRequestHandler):
        def do_GET(self):
            status, text = next(chosen.answers)
            self.send_response(status)
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *words):
            pass

    server = HTTPServer(("127.0.0.1", 0), Told)
    chosen.url = f"http://127.0.0.1:{server.server_port}/health"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield chosen
    server.shutdown()
    thread.join()
    server.server_close()


def starting(done):
    return 503, f'{{"status": "starting", "done": {done}, "of": 9}}'


def test_a_server_that_gets_on_has_time(told):
    """Nine parts of 0.2 s each, though nothing may stand still for longer than a second."""
    told.answers = iter([*(starting(done) for done in range(9) for _ in range(2)), (200, "well")])
    with wait_for(told.url, seconds=1.0) as answer:
        assert answer.read() == b"well"


def test_a_server_that_stands_still_is_given_up_with_what_it_said(told):
    told.answers = itertools.chain([starting(1)], itertools.cycle([starting(4), starting(3)]))
    with pytest.raises(TimeoutError, match=r'has not got on for \d s; the last that it said was: .*"done": [34]'):
        wait_for(told.url, seconds=0.8)


def test_a_failure_and_an_end_are_not_waited_for(told):
    told.answers = itertools.repeat((503, '{"status": "failed"}'))
    with pytest.raises(TimeoutError, match="failed"):
        wait_for(told.url)
    with pytest.raises(TimeoutError, match=r"has ended; .*refused"):
        wait_for(f"http://127.0.0.1:{free_port()}/", server=SimpleNamespace(poll=lambda: 1))
