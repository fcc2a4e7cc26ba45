"""A cell of a sweep, and all cells that a desk has: what is asked for outside of the desk."""

import json
from pathlib import Path

import numpy as np

from nhviz.sweeps.compute import values_at, why
from nhviz.sweeps.found import Found
from nhviz.sweeps.value import Sweep
from server.desk import answers, wire
from server.refusals import LostError

PATIENCE = 20.0


def cell_of(sweep: Sweep, i: int, j: int) -> tuple[float | None, str]:
    """The value of a cell, or None and the reason."""
    value = float(values_at(sweep, np.array([i]), np.array([j]))[0])
    return (None, why(sweep, i, j) or "") if np.isnan(value) else (value, "")


def found_at(folder: Path, name: str, sweep: Sweep) -> Found:
    """What the desk with this name has of a sweep; a LostError if it has ended."""
    line = wire.connected(folder, name)
    if line is None:
        raise LostError("there is no desk")
    with line:
        line.settimeout(PATIENCE)
        question = json.dumps({"kind": "values", "sweep": sweep.text(), "client": ""}).encode()
        return answers.read_everything(wire.asked(line, question), sweep)
