"""One step of a slider through the real HTTP path, against a callback of the same server with an empty figure."""

import http.client
import json
import os
import socket
import statistics
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.table import Row
from callbacks import files, guard, questions
from nhviz.frame import find
from nhviz.frame.records import Lab, Scene
from nhviz.frame.state import opening as first_state

ROOT = Path(__file__).parent.parent
ROUNDS = 120
SMALLEST = 10_000
"""An answer with fewer bytes has no pictures, only a sentence."""


@contextmanager
def served() -> Iterator[int]:
    """The port of a gunicorn that serves the dashboard and the yardstick."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "gunicorn", "-c", "gunicorn.conf.py", "benchmarks.empty_figure:server"]
    environment = os.environ | {"NHVIZ_BIND": f"127.0.0.1:{port}", "NHVIZ_WORKERS": "1"}
    server = subprocess.Popen(command, env=environment, cwd=ROOT, stderr=subprocess.DEVNULL)
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


def scenes() -> dict[str, tuple[Lab, Scene]]:
    """All scenes of all labs by their name in an address: that of the lab, and of a further scene its own."""
    return {
        lab.id if scene is lab.scenes[0] else f"{lab.id}?scene={scene.id}": (lab, scene)
        for lab in find.labs().values()
        for scene in lab.scenes
    }


def opening(lab: Lab, scene: Scene | None = None) -> dict:
    """The state a lab opens with, as the browser has it."""
    return first_state(lab, scene or lab.scenes[0]).to_dict()


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


def question_body(asked: dict, theme: str = "light") -> dict:
    """What a page sends with a question; it has nothing yet."""
    return {"asked": asked, "theme": theme, "sent": {}}


def address(body: dict) -> str:
    """Where a body goes: questions and files have addresses of their own, the rest are callbacks."""
    return f"/{questions.ROUTE}" if "asked" in body else f"/{files.ROUTE}" if "file" in body else f"/{guard.ROUTE}"


def post(connection: http.client.HTTPConnection, body: dict) -> tuple[float, int]:
    """Seconds and bytes of one question, callback or file."""
    data, path = json.dumps(body), address(body)
    start = time.perf_counter()
    connection.request("POST", path, data, {"Content-Type": "application/json"})
    answer = connection.getresponse()
    content = answer.read()
    elapsed = time.perf_counter() - start
    if answer.status != 200:
        raise RuntimeError(f"the dashboard answered {answer.status}")
    return elapsed, len(content)


def slider_of(lab: Lab, scene: Scene) -> str:
    """The first number of a scene that is not a whole one, nor nothing."""
    state = first_state(lab, scene)
    numbers = state.vocabulary.numbers
    return next(word for word, number in numbers.items() if not number.declared.whole and state.number(word))


def slider_steps(
    where: str, lab: Lab, scene: Scene, state: dict, connection: http.client.HTTPConnection, preview: bool
) -> Row:
    """Medians over a drag that goes on from a state: every request has a value that was never asked before."""
    asked, name = question(state, preview), slider_of(lab, scene)
    yardstick = {
        "output": "yardstick.figure",
        "outputs": named("yardstick", "figure"),
        "inputs": [named("yardstick", "id") | {"value": "yardstick"}],
        "changedPropIds": ["yardstick.id"],
    }
    ours, least, size = [], [], 0
    for number in range(ROUNDS):
        state["numbers"][name] *= 1.0 + 1e-6 * (1 + number % 7)
        elapsed, size = post(connection, question_body(asked))
        ours.append(elapsed)
        least.append(post(connection, yardstick)[0])
    details = {
        "ours ms": 1e3 * statistics.median(ours),
        "empty figure ms": 1e3 * statistics.median(least),
        "answer kB": size / 1e3,
    }
    kind = "while dragging" if preview else "all views"
    if size < SMALLEST:
        raise RuntimeError(f"{where} answers without pictures")
    ratio = statistics.median(ours) / statistics.median(least)
    return Row(f"slider step of {where}, {kind}, over an empty figure", ratio, target=5.0, details=details)


def rows(repeats: int) -> Iterator[Row]:
    """All rows of this module; the number of requests is fixed."""
    with served() as port:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        for where, (lab, scene) in scenes().items():
            state = opening(lab, scene)
            for preview in (False, True):
                slider_steps(where, lab, scene, state, connection, preview)
                yield slider_steps(where, lab, scene, state, connection, preview)
        connection.close()
