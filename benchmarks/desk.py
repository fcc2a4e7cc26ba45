"""Sweeps on processes: the speed-up of two; the desk of a server: first tile, sliders beside it, a million cells."""

import contextlib
import http.client
import json
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import nhviz
from benchmarks.clock import best
from benchmarks.load import all_latencies, served, together
from benchmarks.table import Row
from nhviz.sweeps import cluster
from nhviz.sweeps.value import Sweep

SIDE = 200
PACE = 0.15
"""Seconds between two questions of a page about its sweep."""
SETTLING = 2.0
DRAGGING = 15.0
"""Seconds for which sliders are dragged, without a sweep and beside one."""
BALL = {"J1": 0.01, "J2": 0.2, "J3": 1.0, "m": 0.2}
STEPS = Sweep.create("suslov", "largest_step", ("I13", -1.5, 1.5, SIDE), ("I23", -1.0, 1.0, SIDE), "moser_veselov")
ROTATIONS = Sweep.create("sphere", "rotation_number", ("h", 0.05, 0.7, SIDE), ("level", 0.85, 1.2, SIDE), params=BALL)
LONG = Sweep.create(
    "suslov", "energy_drift", ("I13", -1.3, 1.1, 300), ("I23", -0.9, 0.7, 300), "cayley", step=0.01, duration=50.0
)
MILLION = Sweep.create("suslov", "axes_angle", ("I13", -1.5, 1.5, 1000), ("I23", -1.0, 1.0, 1000))


def speed_up(repeats: int) -> Iterator[Row]:
    """How much of a perfect speed-up two processes have, which are there already and have loaded their code."""
    with cluster.client_of("local") as client:
        count = len(client.nthreads())
        for title, sweep in (("largest steps", STEPS), ("rotation numbers", ROTATIONS)):
            calls = {"serial": partial(nhviz.sweep, sweep), "processes": partial(nhviz.sweep, sweep, on=client)}
            times = best(calls, max(2, repeats // 5))
            yield Row(
                f"{SIDE} x {SIDE} {title} on {count} processes, share of a perfect speed-up",
                times["serial"] / times["processes"] / count,
                target=0.85,
                at_most=False,
                details={f"{name} s": found for name, found in times.items()},
            )


class Page:
    """A page with a sweep: asks again and again, and counts what it gets."""

    def __init__(self, port: int, sweep: Sweep) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.sweep = sweep.to_dict()
        self.journal, self.since, self.tiles = "", 0, 0

    def ask(self, go: bool = True) -> dict[str, Any]:
        """One question."""
        body = {"sweep": self.sweep, "journal": self.journal, "since": self.since, "go": go}
        self.connection.request("POST", "/sweep", json.dumps(body), {"Content-Type": "application/json"})
        answer = json.loads(self.connection.getresponse().read())
        self.journal, self.since = answer["journal"], answer["since"]
        self.tiles += len(answer["tiles"])
        return answer

    def watch(self, enough: Any) -> float:
        """Ask until it is enough; the seconds that it took."""
        began = time.perf_counter()
        while not enough(answer := self.ask()):
            if answer["state"] == "failed":
                raise RuntimeError(answer["sentence"])
            if not answer["more"]:
                time.sleep(PACE)
        return time.perf_counter() - began


def first_tile() -> Row:
    """From the first question to the first tile, at a server that has had no sweep: the desk is started for it."""
    with served() as (port, _):
        # Nobody asks in the moment in which it comes up.
        time.sleep(SETTLING)
        page = Page(port, STEPS)
        took = page.watch(lambda _: page.tiles > 0)
    return Row("first tile of a server's first sweep", took, "s", target=2.0)


def sliders_beside_a_sweep() -> Row:
    """How long one waits for a slider step while a sweep runs, over the same without: 19 of 20 wait no longer."""
    with served() as (port, _):
        together(port, 1, 5.0, pause=0.2)
        alone = all_latencies(together(port, 1, DRAGGING, pause=0.2))
        page, dragged = Page(port, LONG), threading.Event()
        page.watch(lambda _: page.tiles > 4)
        watching = threading.Thread(target=page.watch, args=(lambda _: dragged.is_set(),))
        watching.start()
        beside = all_latencies(together(port, 1, DRAGGING, pause=0.2))
        dragged.set()
        watching.join()
        state = page.ask()["state"]
    p95 = {"alone": alone[int(0.95 * len(alone))], "beside": beside[int(0.95 * len(beside))]}
    return Row(
        "slider steps beside a sweep over those without, 19 of 20",
        p95["beside"] / p95["alone"],
        target=1.5,
        details={**{f"{name} ms": 1e3 * time for name, time in p95.items()}, "sweep": state},
    )


def a_million_cells() -> Row:
    """The memory of the desk after a million cells, over their array; before it has had a small sweep."""
    with served() as (port, server):
        Page(port, STEPS).watch(lambda answer: answer["state"] == "done")
        before = peak(desk_below(server.pid))
        page = Page(port, MILLION)
        took = page.watch(lambda answer: answer["state"] == "done" and not answer["more"])
        grown = peak(desk_below(server.pid)) - before
    array = 8.0 * MILLION.cells
    return Row(
        "memory that a million cells take at the desk, over their array",
        grown / array,
        target=4.0,
        details={"MB": grown / 1e6, "s": took},
    )


def desk_below(pid: int) -> int:
    """The process of the desk that a server has started."""
    for folder in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if folder.name.isdigit() and b"server.desk" in (folder / "cmdline").read_bytes():
                parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
                above = int(Path(f"/proc/{parent}/stat").read_text().rpartition(")")[2].split()[1])
                if pid in (parent, above):
                    return int(folder.name)
    raise RuntimeError("the server has no desk")


def peak(pid: int) -> float:
    """The most bytes of memory that a process has had."""
    status = Path(f"/proc/{pid}/status").read_text()
    return 1e3 * float(status.partition("VmHWM:")[2].split()[0])


def rows(repeats: int) -> Iterator[Row]:
    """All rows of this module."""
    yield from speed_up(repeats)
    yield first_tile()
    yield sliders_beside_a_sweep()
    yield a_million_cells()
