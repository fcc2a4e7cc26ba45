"""A small application for the tests of the worker: it says what it was told, and does what takes long or much room."""

import time
from urllib.parse import parse_qs

seen = []


def application(environ, start_response):
    """Answer by the name of the path."""
    found = PAGES[environ["PATH_INFO"].strip("/")](environ)
    length = [] if hasattr(found, "__next__") else [("Content-Length", str(len(found)))]
    start_response("200 OK", [("Content-Type", "text/plain"), *length])
    return found if hasattr(found, "__next__") else [found]


def wait(environ):
    """Wait for so many seconds."""
    seen.append("waiting")
    time.sleep(float(parse_qs(environ["QUERY_STRING"])["seconds"][0]))
    return b"waited"


def watch(environ):
    """Wait until the client is gone, at most ten seconds."""
    seen.append("watching")
    until = time.monotonic() + 10.0
    while not environ["nhviz.gone"]() and time.monotonic() < until:
        time.sleep(0.01)
    seen.append("gone" if environ["nhviz.gone"]() else "still there")
    return b""


def stream(environ):
    """Many pieces, each noted when it is made."""
    seen.append("stream")
    try:
        for number in range(100):
            seen[-1] = f"stream {number}"
            yield b"x" * 100_000
    finally:
        seen.append("end of the stream")


PAGES = {
    "echo": lambda environ: environ["wsgi.input"].read(),
    "client": lambda environ: environ["nhviz.client"].encode(),
    "large": lambda environ: b"x" * 9_000_000,
    "seen": lambda environ: ",".join(seen).encode(),
    "fail": lambda environ: str(1 // 0).encode(),
    "wait": wait,
    "watch": watch,
    "stream": stream,
}
