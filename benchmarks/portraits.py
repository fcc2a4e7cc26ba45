"""A portrait, many orbits in one call, against the same orbits in a loop in C."""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

import nhviz
from benchmarks import native
from benchmarks.agree import require
from benchmarks.clock import best
from benchmarks.table import Row

SIDE, STEPS = 16, 1_000


def grid(first: str, second: str, half_width: float) -> dict[str, np.ndarray]:
    """Starts on a square grid of momenta, symmetric about 0 and without it."""
    ticks = half_width * (2.0 * np.arange(SIDE) + 1.0 - SIDE) / (SIDE - 1.0)
    columns, lines = np.meshgrid(ticks, ticks)
    return {first: columns.ravel(), second: lines.ravel()}


def compare(system: str, method: str, starts: dict, step: float, function: Callable, repeats: int) -> Row:
    """The time of one portrait over that of C."""
    ours = partial(
        nhviz.ensemble, system, method, initial=starts, step=step, duration=step * STEPS, skip=skipped(system)
    )
    run = ours()
    if any(run.stopped):
        raise RuntimeError(f"An orbit of {method} ended early.")
    problem = run.run(0).problem
    peer = partial(function, dict(problem.params), dict(problem.initial) | starts, step, STEPS)
    require(peer(), run.components, 1e-9)
    times = best({"ours": ours, "C": peer}, repeats)
    return Row(
        f"{method}, portrait of {SIDE * SIDE} x {STEPS:,} steps, against C",
        times["ours"] / times["C"],
        target=3.0,
        details={"ours ms": 1e3 * times["ours"], "C ms": 1e3 * times["C"]},
    )


def skipped(system: str) -> tuple[str, ...]:
    """A portrait does without the attitude."""
    return ("R",) if system == "suslov" else ()


def rows(repeats: int) -> Iterator[Row]:
    """All rows of this module."""
    yield compare("suslov", "moser_veselov", grid("M1", "M2", 100.0), 0.001, native.suslov_portrait, repeats)
    yield compare("sleigh", "fedorov_zenkov", grid("p_theta", "p_1", 4.0), 0.01, native.sleigh_portrait, repeats)
