"""A portrait: two or three components of the runs against each other, in the plane, in space or on the unit sphere."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from nhviz.figures.flat import flat_layout, word
from nhviz.figures.orbits import add_heads, add_orbit, add_orbit_in_space, in_order
from nhviz.figures.style import Canvas, Orbit, Picture, Theme, frame, space_layout
from nhviz.shapes import Curve, Mesh, Shape, points_of, unit_sphere


def in_plane(
    theme: Theme,
    axes: tuple[str, str],
    orbits: Sequence[Orbit],
    equal: bool,
    background: Sequence[Shape] = (),
    names: Sequence[str] = (),
    down: bool = False,
) -> Picture:
    """Orbits in the plane of two components; equal scales where both have one unit.

    `names` are initial values that a start is set by; with `down` the second component grows downwards.
    """
    canvas = Canvas(theme)
    words = [found for shape in background for found in add_flat_background(canvas, shape)]
    painted = in_order(orbits)
    for orbit in painted:
        add_orbit(canvas, orbit)
    add_heads(canvas, painted)
    handles = [{"at": [float(values[0]) for values in orbits[0].moving], "names": list(names)}] if names else []
    picture = canvas.picture(flat_layout(theme, *axes, equal=equal, words=words, handles=handles))
    if down:
        picture.figure["layout"]["yaxis"]["range"].reverse()
    return picture


def in_space(
    theme: Theme,
    axes: tuple[str, str, str],
    orbits: Sequence[Orbit],
    on_sphere: bool = False,
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
    for orbit in in_order(orbits):
        add_orbit_in_space(canvas, orbit)
    for orbit in orbits:
        canvas.cursor(orbit.look, *orbit.moving)
    layout = space_layout(theme, *axes, cube=on_sphere)
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
        kind, **place, mode="markers", name=shape.role,
        marker={"symbol": symbol, "size": 5 if space else 11, "color": fill, "line": {"color": edge, "width": 2}},
    )  # fmt: skip


def add_flat_background(canvas: Canvas, shape: Shape) -> list[dict[str, Any]]:
    """The same in the plane; returns the words at it."""
    theme, weight, points = canvas.theme, canvas.theme.weight, points_of(shape)
    x, y = points.T
    if isinstance(shape, Curve):
        colour = theme.soft if shape.role == "equilibria" else theme.faint
        line = {"color": colour, "width": 1.2 * weight if shape.role == "equilibria" else weight}
        canvas.add("scatter", x=x, y=y, mode="lines", name=shape.role, line=line)
        return []
    empty, cusp = shape.role == "unstable", shape.role == "cusp"
    canvas.add(
        "scatter", x=x, y=y, mode="markers", name=shape.role,
        marker={
            "symbol": "star" if cusp else "circle", "size": (12 if cusp else 7) * weight,
            "color": theme.paper if empty else theme.ink,
            "line": {"color": theme.paper if cusp else theme.ink, "width": 1.4 * weight},
        },
    )  # fmt: skip
    if not len(points):
        return []
    # Towards the middle, where there is room.
    side, shift = ("right", -9.0) if x[0] > 0.0 else ("left", 9.0)
    return [word(theme, float(x[0]), float(y[0]), shape.role, xanchor=side, xshift=shift * weight)]
