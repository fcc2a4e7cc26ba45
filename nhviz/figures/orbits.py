"""Runs in pictures: a flow as a line, a map as dots, in the plane and in space."""

from nhviz.figures.style import Canvas, Orbit, look


def dots_first(orbits: dict[str, Orbit]) -> list[tuple[str, Orbit]]:
    """Maps before flows: a line stays visible on a dense row of dots."""
    return sorted(orbits.items(), key=lambda item: not item[1].discrete)


def add_orbit(canvas: Canvas, method: str, orbit: Orbit) -> None:
    """A flow as a line, a map as dots; both can be hovered."""
    style = look(canvas.theme, method)
    canvas.add(
        "scatter", x=orbit.drawn[0], y=orbit.drawn[1], name=method, hoverinfo="x+y+name",
        mode="markers" if orbit.discrete else "lines", meta=orbit.meta,
        line={"color": style.colour, "width": canvas.theme.line},
        marker={"color": style.colour, "size": 5, "symbol": style.symbol},
    )  # fmt: skip


def add_orbit_in_space(canvas: Canvas, method: str, orbit: Orbit) -> None:
    """The same in three dimensions."""
    style = look(canvas.theme, method)
    x, y, z = orbit.drawn
    canvas.add(
        "scatter3d", x=x, y=y, z=z, mode="markers" if orbit.discrete else "lines", name=method, hoverinfo="name",
        marker={"color": style.colour, "size": 3}, line={"color": style.colour, "width": 2 * canvas.theme.line},
        meta=orbit.meta,
    )  # fmt: skip
