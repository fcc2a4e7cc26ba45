"""Sweeps of the pages of a server: asked of its desk, within its limits; cells and files pass the meter of all work."""

import json
from typing import Any

from nhviz.parameters import ParameterError
from nhviz.sweeps.value import Sweep
from server import jobs, service
from server.refusals import LostError


def admitted(sweep: Sweep) -> Sweep:
    """A sweep as a page may ask for it; a ParameterError if it has too many cells."""
    most = service.current().settings.sweep_cells
    if sweep.cells > most:
        raise ParameterError(f"This sweep has {sweep.cells:,} cells; at most {most:,} are computed here.", "x")
    return sweep


def look(sweep: Sweep, journal: str, since: int, go: bool) -> bytes:
    """How a sweep stands, as JSON, for a page that has so many tiles of a journal; with `go` it goes on."""
    return asked("look", sweep, journal=journal, since=since, go=go)


def cancel(sweep: Sweep, journal: str, since: int) -> bytes:
    """The same after it was stopped."""
    return asked("cancel", sweep, journal=journal, since=since)


def asked(kind: str, sweep: Sweep, **rest: Any) -> bytes:
    """What the desk answers."""
    found = service.current()
    left = found.patience.left()
    left.let_others()
    message = {"kind": kind, "sweep": sweep.text(), "client": left.client, **rest}
    return found.desk.ask(message, left.is_gone)


def cell(sweep: Sweep, i: int, j: int) -> dict[str, Any]:
    """The value of a cell, or None and the reason, made in its turn."""
    patience = service.current().patience
    with patience.said():
        return json.loads(patience.made(jobs.of_cell(sweep, i, j), patience.left()))


def file(sweep: Sweep, kind: str) -> bytes:
    """The file of what is known of a sweep, made in its turn."""
    found = service.current()
    if found.desk.folder is None:
        raise LostError("there is no folder for what processes share")
    # There is a desk after that, and it knows the sweep.
    look(sweep, "", 0, go=False)
    found.patience.wait_for_file()
    with found.patience.said():
        job = jobs.of_map(sweep, kind, str(found.desk.folder), found.desk.name)
        return found.patience.made(job, found.patience.left())
