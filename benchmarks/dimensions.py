"""Cost of a step in n dimensions, against the kernel of the classical top; and of the engine for any group."""

from collections.abc import Iterator
from functools import partial

import nhviz
from benchmarks.agree import require
from benchmarks.clock import best
from benchmarks.table import Row
from nhviz.systems import suslov_n

STEPS = 10_000
STEP = 0.002
BODY = {"J1": 1.0, "J2": 1.5, "Jn": 1.2, "J1n": 0.4, "J2n": -0.3}
START = {"p1": 3.0, "p2": -2.0}
ENGINE_STEPS = 500


def top(n: int) -> nhviz.Problem:
    """The top in n dimensions while it moves from one turn to the other."""
    return nhviz.Problem.create("suslov_n", "moser_veselov", {"n": n}, step=STEP, duration=STEPS * STEP)


def classical() -> nhviz.Problem:
    """The same body and start as `top(3)` in the names of the classical top."""
    inertia = {
        "I11": BODY["J2"] + BODY["Jn"],
        "I22": BODY["J1"] + BODY["Jn"],
        "I33": BODY["J1"] + BODY["J2"],
        "I13": -BODY["J1n"],
        "I23": -BODY["J2n"],
    }
    start = {"M1": -START["p2"], "M2": START["p1"]}
    return nhviz.Problem.create("suslov", "moser_veselov", inertia, start, STEP, STEPS * STEP)


def growth(n: int, repeats: int) -> Row:
    """Time of a run in n dimensions over that of the classical kernel; it should grow no faster than n^3."""
    mine, peer = nhviz.simulate(top(3)), nhviz.simulate(classical())
    require({"p1": peer["M2"], "p2": -peer["M1"]}, mine.components, 1e-10)
    times = best({"n": partial(nhviz.simulate, top(n)), "3": partial(nhviz.simulate, classical())}, 3 * repeats)
    return Row(
        f"moser_veselov, n = {n}, {STEPS:,} steps, over the classical kernel",
        times["n"] / times["3"],
        target=round((n / 3) ** 3, 2) if n > 3 else None,
        details={"ns/step": 1e9 * times["n"] / STEPS, "classical ns/step": 1e9 * times["3"] / STEPS},
    )


def engine(repeats: int) -> Row:
    """Time per step of the engine for any group over that of the kernel, n = 5; no target: generality has its price."""
    problem = top(5)
    run = nhviz.simulate(problem)
    system = suslov_n.body(run.params).system
    start = [dict(problem.initial)[name] for name in suslov_n.names(run.params, "p")]
    call = partial(system.orbit, momentum=start, step=STEP, duration=ENGINE_STEPS * STEP)
    require({"p1": call().momenta[:, 0]}, {"p1": run["p1"][: ENGINE_STEPS + 1]}, 1e-10)
    times = best({"engine": call, "kernel": partial(nhviz.simulate, problem)}, repeats)
    ours, theirs = times["engine"] / ENGINE_STEPS, times["kernel"] / STEPS
    return Row(
        "the engine for any group on SO(5), a step over that of the kernel",
        ours / theirs,
        details={"engine us/step": 1e6 * ours, "kernel ns/step": 1e9 * theirs},
    )


def rows(repeats: int) -> Iterator[Row]:
    """All rows of this module."""
    for n in (3, 5, 6):
        yield growth(n, repeats)
    yield engine(repeats)
