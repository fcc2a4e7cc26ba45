"""A portrait: two or three components of the runs against each other, in the plane, in space or on the unit sphere."""

from nhviz.figures.plane import add_orbit, dots_first
from nhviz.figures.style import Canvas, Orbit, Picture, Theme, flat_layout, look, notice, space_layout
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
        style = look(theme, method)
        x, y, z = orbit.drawn
        canvas.add(
            "scatter3d", x=x, y=y, z=z, mode="markers" if orbit.discrete else "lines", name=method, hoverinfo="name",
            marker={"color": style.colour, "size": 3}, line={"color": style.colour, "width": 2 * theme.line},
            meta=orbit.meta,
        )  # fmt: skip
    for method, orbit in orbits.items():
        canvas.cursor(look(theme, method).colour, *orbit.moving)
    layout = space_layout(theme, *axes, cube=on_sphere, annotations=notice(theme, stopped))
    if on_sphere:
        for axis in ("xaxis", "yaxis", "zaxis"):
            layout["scene"][axis]["range"] = [-1.1, 1.1]
    return canvas.picture(layout)
