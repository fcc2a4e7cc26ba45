"""A portrait: two or three components of the runs against each other, in the plane, in space or on the unit sphere."""

from collections.abc import Sequence

import numpy as np

from nhviz.figures.orbits import add_orbit, add_orbit_in_space, dots_first
from nhviz.figures.style import Canvas, Orbit, Picture, Theme, flat_layout, frame, notice, space_layout
from nhviz.shapes import Curve, Mesh, Shape, points_of, unit_sphere


def in_plane(
    theme: Theme,
    axes: tuple[str, str],
    orbits: Sequence[Orbit],
    equal: bool,
    stopped: str | None = None,
    background: Sequence[Shape] = (),
) -> Picture:
    """Orbits in the plane of two components; equal scales where both have one unit."""
    canvas = Canvas(theme)
    for shape in background:
        add_background(canvas, shape)
    for orbit in dots_first(orbits):
        add_orbit(canvas, orbit)
    for orbit in orbits:
        canvas.cursor(orbit.look, *orbit.moving)
    return canvas.picture(flat_layout(theme, *axes, equal=equal, annotations=notice(theme, stopped)))


def in_space(
    theme: Theme,
    axes: tuple[str, str, str],
    orbits: Sequence[Orbit],
    on_sphere: bool = False,
    stopped: str | None = None,
    background: Sequence[Shape] = (),
) -> Picture:
    """Orbits in the space of three components; on the unit sphere, which then can be clicked."""
    canvas = Canvas(theme)
    if on_sphere:
        vertices, triangles = unit_sphere()
        # A little smaller, so that curves on the sphere stand out of its flat triangles.
        x, y, z = 0.985 * vertices.T
        i, j, k = (column.tolist() for column in triangles.T)
        canvas.add("mesh3d", x=x, y=y, z=z, i=i, j=j, k=k, color=theme.faint, opacity=0.3, hoverinfo="none")
    for shape in background:
        add_background(canvas, shape)
    for orbit in dots_first(orbits):
        add_orbit_in_space(canvas, orbit)
    for orbit in orbits:
        canvas.cursor(orbit.look, *orbit.moving)
    layout = space_layout(theme, *axes, cube=on_sphere, annotations=notice(theme, stopped))
    if on_sphere:
        for axis in ("xaxis", "yaxis", "zaxis"):
            layout["scene"][axis]["range"] = [-1.1, 1.1]
    else:
        shown = [np.array(orbit.drawn) for orbit in orbits] + [points_of(shape).T for shape in background]
        points = np.concatenate(shown, axis=1)
        frame(layout, points.min(axis=1), points.max(axis=1))
    return canvas.picture(layout)


def add_background(canvas: Canvas, shape: Shape) -> None:
    """What a system puts behind its runs: equilibria filled or empty, cusps as stars, a level of the energy."""
    theme, points = canvas.theme, points_of(shape)
    place = dict(zip("xyz", points.T, strict=False))
    space = points.shape[1] == 3
    if isinstance(shape, Mesh):
        i, j, k = (column.tolist() for column in shape.triangles.T)
        canvas.add("mesh3d", **place, i=i, j=j, k=k, color=theme.faint, opacity=0.25, hoverinfo="none")
        return
    kind = "scatter3d" if space else "scatter"
    if isinstance(shape, Curve):
        colour = theme.accent if shape.role == "equilibria" else theme.faint
        canvas.add(kind, **place, mode="lines", line={"color": colour, "width": 2.5 if space else 1.5})
        return
    fill = {"stable": theme.accent, "unstable": theme.paper}.get(shape.role, theme.ink)
    edge = theme.ink if shape.role == "cusp" else theme.accent
    symbol = ("diamond" if space else "star") if shape.role == "cusp" else "circle"
    canvas.add(
        kind, **place, mode="markers", name=shape.role, showlegend=len(points) > 0,
        marker={"symbol": symbol, "size": 5 if space else 11, "color": fill, "line": {"color": edge, "width": 2}},
    )  # fmt: skip
