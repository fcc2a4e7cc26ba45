"""Runs in pictures: a flow as a line, a map as dots."""

from collections.abc import Sequence

from nhviz.figures.style import Canvas, Orbit


def dots_first(orbits: Sequence[Orbit]) -> list[Orbit]:
    """Maps before flows: a line stays visible on a dense row of dots."""
    return sorted(orbits, key=lambda orbit: not orbit.discrete)


def add_orbit(canvas: Canvas, orbit: Orbit) -> None:
    """A flow as a line, a map as dots; both can be hovered."""
    style = orbit.look
    canvas.add(
        "scatter", x=orbit.drawn[0], y=orbit.drawn[1], name=style.label, hoverinfo="x+y+name",
        mode="markers" if orbit.discrete else "lines", meta=orbit.meta,
        line={"color": style.colour, "width": 2.0 * canvas.theme.weight},
        marker={"color": style.colour, "size": 5, "symbol": style.symbol},
    )  # fmt: skip
