"""Time grows in proportion to the steps; memory only with the samples kept."""

import tracemalloc
from collections.abc import Iterator
from functools import partial

import nhviz
from benchmarks.clock import best
from benchmarks.orbits import MOVING, Case
from benchmarks.table import Row

SHORT, LONG = 20_000, 200_000
KEPT = 2_000


def linearity(case: Case, repeats: int) -> Row:
    """Time of ten times as many steps of the same length, over ten times the time."""
    times = best({"long": partial(case.simulate, LONG), "short": partial(case.simulate, SHORT)}, 3 * repeats)
    return Row(
        f"{case.method}, time of {LONG:,} steps over {LONG // SHORT} x that of {SHORT:,}",
        times["long"] / times["short"] * SHORT / LONG,
        target=1.25,
        details={"long ms": 1e3 * times["long"], "short ms": 1e3 * times["short"]},
    )


def peak(case: Case, steps: int) -> float:
    """Most memory that a run of so many steps held at once, in MB."""
    problem = nhviz.Problem.create(
        case.system, case.method, step=case.step, duration=case.step * steps, every=steps // KEPT
    )
    nhviz.simulate(problem)
    tracemalloc.start()
    try:
        nhviz.simulate(problem)
        return tracemalloc.get_traced_memory()[1] / 1e6
    finally:
        tracemalloc.stop()


def memory(case: Case) -> Row:
    """Peak memory of ten times as many steps with as many samples."""
    long, short = peak(case, 10 * LONG), peak(case, LONG)
    return Row(
        f"{case.method}, memory of {10 * LONG:,} steps over {LONG:,}, {KEPT:,} samples each",
        long / short,
        target=1.1,
        details={"long MB": long, "short MB": short},
    )


def rows(repeats: int) -> Iterator[Row]:
    """All rows of this module."""
    for case in MOVING:
        yield linearity(case, repeats)
    for case in MOVING:
        yield memory(case)
