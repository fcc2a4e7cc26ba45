"""All branches of the sphere at many points at once, against the same question asked one by one."""

from collections.abc import Iterator
from functools import partial

import numpy as np

import nhviz
from benchmarks import macaulay
from benchmarks.agree import require
from benchmarks.clock import best
from benchmarks.table import Row
from nhviz.analysis.branches import branch_table
from nhviz.system import BranchTable

POINTS, LOOP_POINTS, MACAULAY_POINTS = 20_000, 1_000, 300
STEP, LARGEST_MOMENTUM = 0.5, 3.0
COUNTS, OF_EACH_COUNT = (0, 2, 4, 6), 20

Array = np.ndarray


def random_points() -> tuple[Array, Array]:
    """K (points, 3) in a cube, and verticals (points, 3) in all directions."""
    source = np.random.default_rng(5)
    k, gamma = source.uniform(-LARGEST_MOMENTUM, LARGEST_MOMENTUM, (POINTS, 3)), source.normal(size=(POINTS, 3))
    return k, gamma / np.linalg.norm(gamma, axis=1, keepdims=True)


def named(k: Array, gamma: Array) -> dict:
    """Points as nhviz names them: arrays for K and gamma (points, 3), numbers for a single point."""
    columns = (*k.T, *gamma.T) if k.ndim > 1 else (*k.tolist(), *gamma.tolist())
    return dict(zip(("K1", "K2", "K3", "gamma1", "gamma2", "gamma3"), columns, strict=True))


def by_calls(k: Array, gamma: Array) -> list[list[dict]]:
    """The branches of every point by a call of its own."""
    return [nhviz.branches("sphere", "fedorov", step=STEP, at=named(*point)) for point in zip(k, gamma, strict=True)]


def by_macaulay(params: dict, k: Array, gamma: Array) -> list[Array]:
    """The branches of every point by the peer."""
    return [macaulay.rotations(params, STEP, *point) for point in zip(k, gamma, strict=True)]


def euler_parameters(branches: list[dict]) -> Array:
    """The rotations (n, 4) in one answer of `nhviz.branches`."""
    return np.array([[branch[name] for name in ("q0", "q1", "q2", "q3")] for branch in branches]).reshape(-1, 4)


def padded(rotations: list[Array]) -> dict[str, Array]:
    """Counts, and rotations (points, 8, 4) with zeros where there are none."""
    out = np.zeros((len(rotations), macaulay.ROOTS, 4))
    for room, found in zip(out, rotations, strict=True):
        room[: len(found)] = found
    return {"counts": np.array([len(found) for found in rotations]), "rotations": out}


def compared(timed: int, counts: Array) -> Array:
    """The points to compare: those that a peer is timed on, and some of every count, for many branches are rare."""
    return np.unique(np.concatenate([np.arange(timed), *(np.flatnonzero(counts == n)[:OF_EACH_COUNT] for n in COUNTS)]))


def require_same(table: BranchTable, params: dict, k: Array, gamma: Array) -> None:
    """Both peers must find as many rotations as the table, and the same ones."""
    if not set(COUNTS) <= set(table.counts.tolist()):
        raise RuntimeError(f"The points do not have every one of {COUNTS} branches.")
    ours = padded([found[:n, :4] for found, n in zip(table.displacements, table.counts, strict=True)])
    some = compared(LOOP_POINTS, table.counts)
    answers = by_calls(k[some], gamma[some])
    require(padded([euler_parameters(answer) for answer in answers]), at(ours, some), 1e-12)
    some = compared(MACAULAY_POINTS, table.counts)
    require(padded(by_macaulay(params, k[some], gamma[some])), at(ours, some), 1e-9)


def at(values: dict[str, Array], some: Array) -> dict[str, Array]:
    """The values at some points only."""
    return {name: column[some] for name, column in values.items()}


def row(peer: str, seconds: dict[str, float], certified: float) -> Row:
    """The time of a peer over that of the table, both per point."""
    return Row(
        f"fedorov, all branches at {POINTS:,} points, speed-up over {peer}",
        seconds[peer] / seconds["ours"],
        target=20.0,
        at_most=False,
        details={
            "ours us/point": 1e6 * seconds["ours"],
            f"{peer} us/point": 1e6 * seconds[peer],
            "certified": f"{certified:.2%}",
        },
    )


def rows(repeats: int) -> Iterator[Row]:
    """All rows of this module."""
    params = dict(nhviz.Problem.create("sphere", "fedorov").params)
    k, gamma = random_points()
    ours = partial(branch_table, "sphere", "fedorov", step=STEP, at=named(k, gamma))
    table = ours()
    require_same(table, params, k, gamma)
    calls = partial(by_calls, k[:LOOP_POINTS], gamma[:LOOP_POINTS])
    peer = partial(by_macaulay, params, k[:MACAULAY_POINTS], gamma[:MACAULAY_POINTS])
    times = best({"ours": ours, "single calls": calls, "Macaulay matrices": peer}, repeats)
    sizes = {"ours": POINTS, "single calls": LOOP_POINTS, "Macaulay matrices": MACAULAY_POINTS}
    seconds = {name: time / sizes[name] for name, time in times.items()}
    for name in ("single calls", "Macaulay matrices"):
        yield row(name, seconds, float(np.mean(table.certified)))
