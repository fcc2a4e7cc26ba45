"""One step of a slider through the real HTTP path, against a callback of the same server with an empty figure."""

import http.client
import json
import socket
import statistics
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

from benchmarks.table import Row
from layouts import ids
from nhviz.frame import find
from nhviz.frame.records import Lab
from nhviz.frame.state import opening as first_state

ROUNDS = 120
SMALLEST = 10_000
"""An answer with fewer bytes has no pictures, only a sentence."""


@contextmanager
def served() -> Iterator[int]:
    """The port of a gunicorn that serves the dashboard and the yardstick."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "gunicorn", "--bind", f"127.0.0.1:{port}", "--threads", "4", "--no-control-socket"]
    server = subprocess.Popen([*command, "benchmarks.empty_figure:server"], stderr=subprocess.DEVNULL)
    try:
        wait_for(port)
        yield port
    finally:
        server.terminate()
        server.wait(20)


def wait_for(port: int) -> None:
    """Return when the server answers, and every lab is open: new code is compiled first."""
    for _ in range(1800):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5):
                return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError("the dashboard did not start")


def named(identity: object, prop: str) -> dict:
    """An output or input as the browser sends it."""
    return {"id": identity, "property": prop}


def opening(lab: Lab) -> dict:
    """The state a lab opens with, as the browser has it."""
    return first_state(lab, lab.scenes[0]).to_dict()


def question(state: dict, preview: bool = False) -> dict:
    """What a page in a state asks while a hand drags, or once it rests."""
    return {
        "state": state,
        "preview": preview,
        "places": None,
        "about": "",
        "number": 1,
        "presenter": False,
    }


def render_body(lab: Lab, asked: dict, key: str) -> dict:
    """The request of the callback that answers a question of a lab; the browser has nothing yet."""
    scene = lab.scene(asked["state"]["scene"])
    return {
        "output": key,
        "outputs": [
            [named(ids.text(place), "children") for place in scene.places],
            *(named(name, "data") for name in (ids.ANSWER, ids.SENT)),
        ],
        "inputs": [named(ids.ASKED, "data") | {"value": asked}],
        "state": [named(ids.THEME, "data") | {"value": "light"}, named(ids.SENT, "data") | {"value": {}}],
        "changedPropIds": [f"{ids.ASKED}.data"],
    }


def post(connection: http.client.HTTPConnection, body: dict) -> tuple[float, int]:
    """Seconds and bytes of one callback."""
    data = json.dumps(body)
    start = time.perf_counter()
    connection.request("POST", "/_dash-update-component", data, {"Content-Type": "application/json"})
    answer = connection.getresponse()
    content = answer.read()
    elapsed = time.perf_counter() - start
    if answer.status != 200:
        raise RuntimeError(f"the dashboard answered {answer.status}")
    return elapsed, len(content)


def render_key(connection: http.client.HTTPConnection) -> str:
    """The name of the render callback, asked of the server."""
    connection.request("GET", "/_dash-dependencies")
    callbacks = json.loads(connection.getresponse().read())
    return next(c["output"] for c in callbacks if f"{ids.ANSWER}.data" in c["output"])


def slider_of(lab: Lab) -> str:
    """The first number of a lab that is not a whole one, nor nothing."""
    state = first_state(lab, lab.scenes[0])
    numbers = state.vocabulary.numbers
    return next(word for word, number in numbers.items() if not number.declared.whole and state.number(word))


def slider_steps(lab: Lab, state: dict, connection: http.client.HTTPConnection, preview: bool) -> Row:
    """Medians over a drag that goes on from a state: every request has a value that was never asked before."""
    key, asked = render_key(connection), question(state, preview)
    name = slider_of(lab)
    yardstick = {
        "output": "yardstick.figure",
        "outputs": named("yardstick", "figure"),
        "inputs": [named("yardstick", "id") | {"value": "yardstick"}],
        "changedPropIds": ["yardstick.id"],
    }
    ours, least, size = [], [], 0
    for number in range(ROUNDS):
        state["numbers"][name] *= 1.0 + 1e-6 * (1 + number % 7)
        elapsed, size = post(connection, render_body(lab, asked, key))
        ours.append(elapsed)
        least.append(post(connection, yardstick)[0])
    details = {
        "ours ms": 1e3 * statistics.median(ours),
        "empty figure ms": 1e3 * statistics.median(least),
        "answer kB": size / 1e3,
    }
    kind = "while dragging" if preview else "all views"
    if size < SMALLEST:
        raise RuntimeError(f"the {lab.id} lab answers without pictures")
    ratio = statistics.median(ours) / statistics.median(least)
    return Row(f"slider step of the {lab.id} lab, {kind}, over an empty figure", ratio, target=5.0, details=details)


def rows(repeats: int) -> Iterator[Row]:
    """All rows of this module; the number of requests is fixed."""
    with served() as port:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        for lab in find.labs().values():
            state = opening(lab)
            for preview in (False, True):
                slider_steps(lab, state, connection, preview)
                yield slider_steps(lab, state, connection, preview)
        connection.close()
