"""sweep and watch: compute a map here, or hand it to a cluster."""

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Any

from nhviz.parameters import ParameterError
from nhviz.sweeps.compute import compute
from nhviz.sweeps.found import Found
from nhviz.sweeps.tiles import Tile, tiles
from nhviz.sweeps.value import Sweep
from nhviz.system import Array


def sweep(
    system: str | Sweep,
    quantity: Any = None,
    x: Any = None,
    y: Any = None,
    method: str | None = None,
    params: Mapping[str, Any] | None = None,
    initial: Mapping[str, Any] | None = None,
    step: Any = None,
    duration: Any = None,
    options: Mapping[str, Any] | None = None,
    on: Any = None,
    progress: Callable[[int, int], object] | None = None,
) -> Found:
    """A quantity over one or two values of a system; what is not given takes the system's default.

    `x` and `y` are (name, first, last, count), with "log" after them for equal factors. `on` says where: None is this
    process, "local" a cluster of processes on this computer, else the address or the client of one. `progress` is
    called with the cells that are done and the cells in all. Bad input raises ParameterError; a cell that cannot be
    computed is NaN and has a reason.
    """
    if isinstance(system, Sweep):
        asked = system
    else:
        asked = Sweep.create(system, quantity, x, y, method, params, initial, step, duration, options)
    found, done = Found.empty(asked), 0
    for tile, values in watch(asked, on):
        found.put(tile, values)
        done += values.size
        if progress is not None:
            progress(done, asked.cells)
    return found


def watch(asked: Sweep, on: Any = None) -> Iterator[tuple[Tile, Array]]:
    """Tiles with their values, as they are finished."""
    if on is not None:
        yield from on_cluster(asked, on)
        return
    for tile in tiles(asked):
        yield tile, compute(asked, tile.number)


def on_cluster(asked: Sweep, on: Any) -> Iterator[tuple[Tile, Array]]:
    """The same by a cluster, which needs a package that nhviz does without otherwise."""
    try:
        cluster = import_module("nhviz.sweeps.cluster")
    except ImportError as error:
        raise ParameterError(
            f"on must be None here: a cluster needs the package dask.distributed ({error}).", "on"
        ) from error
    yield from cluster.watch(asked, on)
