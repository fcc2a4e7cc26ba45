"""Maps: rotation numbers against the same in C, time of a cell of each kind of map, memory of a million cells."""

import tracemalloc
from collections.abc import Iterator
from functools import partial

import numpy as np

import nhviz
from benchmarks import native
from benchmarks.clock import best, seconds
from benchmarks.table import Row
from nhviz.measures.vertical import largest_h
from nhviz.sweeps.found import Found
from nhviz.sweeps.run import watch
from nhviz.sweeps.value import Sweep

BALL = {"J1": 0.01, "J2": 0.2, "J3": 1.0, "m": 0.2}
H, LEVEL = ("h", 0.05, 0.55, 40), ("level", 0.85, 1.15, 40)
SIDE = 200
MAPS = {
    "largest steps of moser_veselov": ("suslov", "largest_step", ("I13", -1.5, 1.5), ("I23", -1.0, 1.0), {}),
    "rotation numbers of the vertical ball": (
        "sphere",
        "rotation_number",
        ("h", 0.05, 0.7),
        ("level", 0.85, 1.2),
        BALL,
    ),
    "angles of limit axes": ("suslov", "axes_angle", ("I13", -1.5, 1.5), ("I23", -1.0, 1.0), {}),
    "cusps of the flow": ("sleigh", "cusp_x", ("a", 0.1, 2.0), ("p_theta", 0.1, 2.0), {}),
    "real rotations of the ball": ("sphere", "branch_count", ("omega1", -8.0, 8.0), ("omega2", -8.0, 8.0), {}),
}


def against_c(repeats: int) -> Row:
    """One map of rotation numbers, its folds included, over a loop in C that trusts that there are none."""

    def ours() -> Found:
        largest_h.cache_clear()
        return nhviz.sweep("sphere", "rotation_number", H, LEVEL, params=BALL)

    found = ours()
    h, levels = np.meshgrid(found.x, found.y)
    peer = partial(native.vertical_rotations, dict(found.sweep.params), h, levels)
    apart = float(np.abs(peer() - found.values.ravel()).max())
    if not apart < 1e-10:
        raise RuntimeError(f"The rotation numbers differ by {apart:.2g}.")
    times = best({"ours": ours, "C": peer}, max(2, repeats // 4))
    cells = found.values.size
    return Row(
        f"rotation numbers, map of {H[3]} x {LEVEL[3]}, against C",
        times["ours"] / times["C"],
        target=3.0,
        details={"ours us/cell": 1e6 * times["ours"] / cells, "C us/cell": 1e6 * times["C"] / cells},
    )


def per_cell(title: str) -> Row:
    """The time of a cell in one process."""
    system, quantity, x, y, params = MAPS[title]
    ours = partial(nhviz.sweep, system, quantity, (*x, SIDE), (*y, SIDE), params=params)
    nhviz.sweep(system, quantity, (*x, 2), (*y, 2), params=params)
    time = seconds(ours)
    return Row(f"{title}, {SIDE} x {SIDE}, one process", 1e6 * time / SIDE**2, "us/cell", details={"s": time})


def memory() -> Row:
    """Traced memory of a million cells that are watched, over that of ten thousand."""
    peaks = {}
    for side in (100, 1000):
        asked = Sweep.create("suslov", "axes_angle", ("I13", -1.5, 1.5, side), ("I23", -1.0, 1.0, side))
        next(watch(asked))
        tracemalloc.start()
        for _ in watch(asked):
            pass
        peaks[side] = tracemalloc.get_traced_memory()[1] / 1e6
        tracemalloc.stop()
    details = {"million MB": peaks[1000], "small MB": peaks[100]}
    return Row(
        "memory of 1,000,000 cells over that of 10,000, without their array",
        peaks[1000] / peaks[100],
        target=5.0,
        details=details,
    )


def rows(repeats: int) -> Iterator[Row]:
    """All rows of this module."""
    yield against_c(repeats)
    for title in MAPS:
        yield per_cell(title)
    yield memory()
