"""A portrait: two or three components of the runs against each other, in the plane, in space or on the unit sphere."""

import numpy as np

from nhviz.figures.orbits import add_orbit, add_orbit_in_space, dots_first
from nhviz.figures.style import Canvas, Orbit, Picture, Theme, flat_layout, frame, look, notice, space_layout
from nhviz.scene import unit_sphere


def in_plane(
    theme: Theme, axes: tuple[str, str], orbits: dict[str, Orbit], equal: bool, stopped: str | None = None
) -> Picture:
    """Orbits by method in the plane of two components; equal scales where both have one unit."""
    canvas = Canvas(theme)
    for method, orbit in dots_first(orbits):
        add_orbit(canvas, method, orbit)
    for method, orbit in orbits.items():
        canvas.cursor(look(theme, method).colour, *orbit.moving)
    return canvas.picture(flat_layout(theme, *axes, equal=equal, annotations=notice(theme, stopped)))


def in_space(
    theme: Theme,
    axes: tuple[str, str, str],
    orbits: dict[str, Orbit],
    on_sphere: bool = False,
    stopped: str | None = None,
) -> Picture:
    """Orbits by method in the space of three components; on the unit sphere, which then can be clicked."""
    canvas = Canvas(theme)
    if on_sphere:
        vertices, triangles = unit_sphere()
        # A little smaller, so that curves on the sphere stand out of its flat triangles.
        x, y, z = 0.985 * vertices.T
        i, j, k = (column.tolist() for column in triangles.T)
        canvas.add("mesh3d", x=x, y=y, z=z, i=i, j=j, k=k, color=theme.faint, opacity=0.3, hoverinfo="none")
    for method, orbit in dots_first(orbits):
        add_orbit_in_space(canvas, method, orbit)
    for method, orbit in orbits.items():
        canvas.cursor(look(theme, method).colour, *orbit.moving)
    layout = space_layout(theme, *axes, cube=on_sphere, annotations=notice(theme, stopped))
    if on_sphere:
        for axis in ("xaxis", "yaxis", "zaxis"):
            layout["scene"][axis]["range"] = [-1.1, 1.1]
    else:
        points = np.concatenate([np.array(orbit.drawn) for orbit in orbits.values()], axis=1)
        frame(layout, points.min(axis=1), points.max(axis=1))
    return canvas.picture(layout)
