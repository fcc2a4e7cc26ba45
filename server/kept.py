"""Runs that a process keeps in its memory: so many, and so many bytes. Those not used for longest go first."""

import threading
from collections import OrderedDict

import numpy as np

from nhviz.problem import Problem, Trajectory
from nhviz.system import Array

RUNS = 64
BYTES = 32 * 2**20
"""Of each process. A run of a page takes a fraction of a MB."""


class Kept:
    """Runs by the value of their problem, with what each of them takes."""

    def __init__(self) -> None:
        self.runs: OrderedDict[Problem, tuple[Trajectory, int]] = OrderedDict()
        self.bytes = 0
        self.guard = threading.Lock()

    def keep(self, problem: Problem, run: Trajectory) -> None:
        """Keep a run, unless it alone would be too much, and drop others until there is room."""
        size = weight(run)
        with self.guard:
            self.bytes -= self.runs.pop(problem, (run, 0))[1]
            if size > BYTES:
                return
            self.runs[problem] = run, size
            self.bytes += size
            while len(self.runs) > RUNS or self.bytes > BYTES:
                self.bytes -= self.runs.popitem(last=False)[1][1]

    def recall(self, problem: Problem) -> Trajectory | None:
        """A run that is still kept; it counts as used now."""
        with self.guard:
            if problem not in self.runs:
                return None
            self.runs.move_to_end(problem)
            return self.runs[problem][0]


def weight(run: Trajectory) -> int:
    """The bytes of a run, with all quantities that may be computed along it later."""
    owners = {id(owner): owner.nbytes for owner in map(owner_of, (run.t, *run.components.values()))}
    later = len(run.system.quantities) + len(run.method.quantities)
    return sum(owners.values()) + later * run.t.nbytes


def owner_of(values: Array) -> Array:
    """The array that has the memory of another one: of a run that ended early it holds more than the run."""
    while isinstance(values.base, np.ndarray):
        values = values.base
    return values
