"""Runs in pictures: a flow as a line, a map as dots."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from nhviz.figures.arrays import Array, typed
from nhviz.figures.style import Canvas, Look, Orbit, Theme

FEW = 72
"""Dots of more points than these are smaller."""
FULL = 80
"""So many dots of a run at most are drawn in full; those between them are small."""
HOVER = "%{x:.4g}, %{y:.4g}<extra>%{fullData.name}</extra>"


def in_order(orbits: Sequence[Orbit]) -> list[Orbit]:
    """As they are painted: lines below dots, and the first map on top, a dot in the rings of the others."""
    return [orbit for orbit in orbits if not orbit.discrete] + [orbit for orbit in orbits if orbit.discrete][::-1]


def add_orbit(canvas: Canvas, orbit: Orbit) -> None:
    """A flow as a line, a map as dots; both can be hovered."""
    canvas.add(
        "scatter", x=orbit.drawn[0], y=orbit.drawn[1], name=orbit.look.label, meta=orbit.meta,
        **drawn_as(canvas.theme, orbit.look, orbit.discrete, len(orbit.drawn[0])),
    )  # fmt: skip


def drawn_as(theme: Theme, look: Look, discrete: bool, count: int, over_time: bool = False) -> dict[str, Any]:
    """The line of a flow, or the dots of a map with so many points, which may be those of a curve over time."""
    marker = dots_over_time if over_time else dots
    if not discrete:
        line = {"color": look.colour, "width": 1.8 * theme.weight}
        return {"mode": "lines", "line": line, "hoverinfo": "all", "hovertemplate": HOVER}
    return {
        "mode": "markers", "marker": marker(theme, look, count), "opacity": 0.8 if look.open else 0.95,
        "hoverinfo": "all", "hovertemplate": HOVER,
    }  # fmt: skip


def ringed(theme: Theme, colour: str, edge: str, size: float, width: float) -> dict[str, Any]:
    """A marker with an edge of another colour; size and width are in units of the theme's weight."""
    return {"color": colour, "size": size * theme.weight, "line": {"color": edge, "width": width * theme.weight}}


def dots(theme: Theme, look: Look, count: int) -> dict[str, Any]:
    """The markers of a map: the more, the smaller; of many only some in full, and rings a little wider than dots."""
    size = theme.weight * look.scale * (1.15 if look.open else 1.0)
    width = 1.1 if count <= FULL else 0.8
    return {
        "color": look.colour,
        "symbol": look.symbol,
        "size": size * dot_size(count) if count <= FULL else dot_sizes(count, look.open, size),
        "line": {"color": look.colour, "width": width * theme.weight if look.open else 0},
    }


def dots_over_time(theme: Theme, look: Look, count: int) -> dict[str, Any]:
    """The markers of a map over time, where many small ones would only make a line and cover that of the flow.

    Of those in sight about `FULL` are drawn, evenly: whoever looks closer sees each step.
    """
    return dots(theme, look, min(count, FULL)) | ({"maxdisplayed": FULL} if count > FULL else {})


def dot_size(count: int) -> float:
    """The diameter in px of the dots of so many points."""
    return max(3.2, 5.0 * min(1.0, (FEW / max(count, 1)) ** 0.5))


@lru_cache(maxsize=64)
def dot_sizes(count: int, rings: bool, size: float) -> dict[str, Any]:
    """The diameters of so many dots that most of them are small, first and last in full; a ring has its line too."""
    sizes: Array = np.full(count, 1.2 if rings else 2.0)
    sizes[:: -(-count // FULL)] = sizes[-1] = dot_size(count)
    return typed(size * sizes)


def add_heads(canvas: Canvas, orbits: Sequence[Orbit]) -> None:
    """Where every run is at the clock's instant, and a cross where one has ended before its time."""
    for orbit in orbits:
        canvas.cursor(orbit.look, *orbit.moving)
    for orbit in orbits:
        if orbit.stopped:
            add_cross(canvas, orbit.look, *(float(values[-1]) for values in orbit.drawn))


def add_cross(canvas: Canvas, look: Look, x: float, y: float, **more: Any) -> None:
    """A cross at the end of a run that stopped."""
    theme = canvas.theme
    canvas.add(
        "scatter", x=[x], y=[y], mode="markers", name="stopped", meta={"track": look.key},
        marker={"color": theme.alarm, "size": 13 * theme.weight, "symbol": "x-thin",
                "line": {"color": theme.alarm, "width": 3 * theme.weight}}, **more,
    )  # fmt: skip
