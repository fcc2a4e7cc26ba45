"""What takes long, as data that one process can hand to another: a run of many steps, a table of several runs, what an
entry of the gallery tells.

A job is performed within so many seconds or refused; `used` are those that its request has taken already. It is begun
with a hundredth of its duration: what the whole would take is then known well enough to say so in a sentence, instead
of trying and giving up.
"""

import json
import math
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson

import nhviz
from nhviz import export
from nhviz.figures.style import THEMES
from nhviz.frame import find
from nhviz.parameters import ParameterError
from nhviz.problem import Problem, Trajectory
from nhviz.sweeps import files
from nhviz.sweeps.found import Found
from nhviz.sweeps.value import Sweep
from server import entries
from server.desk.cells import cell_of, found_at

PROBE = 0.01
NUMPY = orjson.OPT_SERIALIZE_NUMPY

Job = dict[str, Any]


def of_run(problem: Problem, used: float = 0.0) -> Job:
    """The job of making a run."""
    return {"kind": "run", "problem": problem.to_dict(), "used": used}


def of_table(problems: Mapping[str, Problem]) -> Job:
    """The job of making a table of runs."""
    return {"kind": "table", "problems": {name: problem.to_dict() for name, problem in problems.items()}}


def of_cell(sweep: Sweep, i: int, j: int) -> Job:
    """The job of finding the value of a cell of a sweep, or why there is none."""
    return {"kind": "cell", "sweep": sweep.to_dict(), "i": i, "j": j}


def of_map(sweep: Sweep, kind: str, folder: str, desk: str) -> Job:
    """The job of writing what a desk has of a sweep into a file; the desk is found in its folder, by its name."""
    return {"kind": "map", "sweep": sweep.to_dict(), "file": kind, "folder": folder, "desk": desk}


def of_told(kind: str, name: str, needs: Iterable[str]) -> Job:
    """The job of computing what a correction or a result of the gallery tells, with systems that it needs."""
    return {"kind": "told", "of": kind, "id": name, "needs": list(needs)}


def of_pictures(name: str, theme: str, needs: Iterable[str]) -> Job:
    """The job of making the pictures of a correction in a theme."""
    return {"kind": "pictures", "id": name, "theme": theme, "needs": list(needs)}


def systems(job: Job) -> set[str]:
    """The systems whose compiled code a job needs."""
    if "needs" in job:
        return set(job["needs"])
    problems = [job[name] for name in ("problem", "sweep") if name in job] or job.get("problems", {}).values()
    return {problem["system"] for problem in problems}


def perform(job: Job, seconds: float) -> bytes:
    """What a job makes; a ParameterError if it would take longer."""
    return KINDS[job["kind"]](job, seconds)


def run(job: Job, seconds: float) -> bytes:
    """The entry of a run."""
    return entries.encode(simulated(Problem.from_dict(job["problem"]), seconds + job["used"], job["used"]))


def table(job: Job, seconds: float) -> bytes:
    """All runs as comma-separated values."""
    began = time.monotonic()
    runs = {
        name: simulated(Problem.from_dict(problem), seconds, time.monotonic() - began)
        for name, problem in job["problems"].items()
    }
    return export.runs_to_csv(runs)


def cell(job: Job, seconds: float) -> bytes:
    """The value of a cell, or null, and the reason why it has none."""
    sweep = Sweep.from_dict(job["sweep"])
    value, reason = cell_of(sweep, job["i"], job["j"])
    return json.dumps({"value": value, "reason": reason}).encode()


def map_file(job: Job, seconds: float) -> bytes:
    """What a desk has of a sweep, as a file."""
    sweep = Sweep.from_dict(job["sweep"])
    return MAPS[job["file"]](found_at(Path(job["folder"]), job["desk"], sweep))


def told(job: Job, seconds: float) -> bytes:
    """The sentence of a correction or a result, part by part."""
    name = job["id"]
    said = find.corrections()[name].decides() if job["of"] == "correction" else find.results()[name].told()
    return json.dumps([part.describe() for part in said]).encode()


def pictures(job: Job, seconds: float) -> bytes:
    """The figures of a correction; what moves in them stays where it is."""
    make = find.corrections()[job["id"]].pictures
    return orjson.dumps([one.figure for one in make(THEMES[job["theme"]])] if make else [], option=NUMPY)


MAPS: dict[str, Callable[[Found], bytes]] = {"csv": files.to_csv, "npz": files.to_npz, "json": files.to_json}
KINDS: dict[str, Callable[[Job, float], bytes]] = {
    "run": run,
    "table": table,
    "cell": cell,
    "map": map_file,
    "told": told,
    "pictures": pictures,
}


def simulated(problem: Problem, allowed: float, used: float) -> Trajectory:
    """A run, unless its beginning shows that it takes too long after what has been used already."""
    expected = expected_seconds(problem)
    if expected + used > allowed:
        raise ParameterError(too_long(expected, used, allowed), "duration")
    return nhviz.simulate(problem)


def too_long(expected: float, used: float, allowed: float) -> str:
    """Why a run is not made; `used` is what other runs of the same request have taken."""
    total = expected + used
    seconds = f"{math.ceil(total):,}" if total > 1.0 else f"{total:.2g}"
    advice = (
        "lower the duration, raise the step or choose fewer methods" if used else "lower the duration or raise the step"
    )
    return f"This would take about {seconds} s; at most {allowed:g} s are allowed here: {advice}."


def expected_seconds(problem: Problem) -> float:
    """The time of a run, from that of its beginning; of this thread alone, since others may be in its way just now.

    What is done once in a process, as loading the kernel, is done before the clock starts. A run that ends in its
    beginning takes no longer than that.
    """
    nhviz.simulate(replace(problem, duration=problem.step, every=1))
    part = replace(problem, duration=PROBE * problem.duration, every=max(1, round(PROBE * problem.steps)))
    began = time.thread_time()
    beginning = nhviz.simulate(part)
    seconds = time.thread_time() - began
    return seconds if beginning.stopped else seconds / PROBE
