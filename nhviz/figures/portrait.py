"""A portrait: two or three components of the runs against each other, in the plane, in space or on the unit sphere."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from nhviz.figures import space
from nhviz.figures.orbits import add_orbit, dots_first
from nhviz.figures.style import Array, Canvas, Orbit, Picture, Theme, flat_layout, notice
from nhviz.shapes import Curve, Mesh, Shape, points_of

GLOBE = space.Camera((0.94, 0.74, 0.72))
GLOBE_LIGHT = {"ambient": 0.72, "diffuse": 0.36, "specular": 0.08, "roughness": 0.7, "fresnel": 0.05}


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
    background: Sequence[Shape] = (),
) -> Picture:
    """Orbits in the space of three components; on the unit sphere, which then can be clicked."""
    canvas = Canvas(theme)
    if on_sphere:
        add_globe(canvas)
    for shape in background:
        add_behind(canvas, shape)
    for orbit in dots_first(orbits):
        space.add_orbit(canvas, orbit)
    for orbit in orbits:
        space.add_head(canvas, orbit)
    layout = space.scene_layout(theme, axes, GLOBE, near=True)
    if on_sphere:
        space.show_box(layout["scene"], np.full(3, -1.1), np.full(3, 1.1), (1.0, 1.0, 1.0))
    else:
        shown = [np.array(orbit.drawn) for orbit in orbits] + [points_of(shape).T for shape in background]
        points = np.concatenate(shown, axis=1)
        space.frame(layout, points.min(axis=1), points.max(axis=1))
    return canvas.picture(layout)


def add_globe(canvas: Canvas) -> None:
    """The unit sphere, a little smaller, so that curves on it stand out of its flat faces."""
    theme = canvas.theme
    x, y, z = 0.985 * np.moveaxis(globe(), -1, 0)
    canvas.add(
        "surface", x=x, y=y, z=z, opacity=1.0, showscale=False, hoverinfo="none", lighting=GLOBE_LIGHT,
        lightposition={"x": 9000, "y": 3000, "z": 14000}, colorscale=[[0, theme.surface_low], [1, theme.surface_high]],
        contours={axis: {"highlight": False} for axis in "xyz"}, name="globe",
    )  # fmt: skip


@lru_cache(maxsize=1)
def globe(rows: int = 25, columns: int = 49) -> Array:
    """Points (rows, columns, 3) of the unit sphere by latitude and longitude."""
    latitude = np.linspace(np.pi, 0.0, rows)[:, None]
    longitude = np.linspace(-np.pi, np.pi, columns)[None, :]
    x, y = np.sin(latitude) * np.cos(longitude), np.sin(latitude) * np.sin(longitude)
    return np.stack(np.broadcast_arrays(x, y, np.cos(latitude)), axis=-1)


def add_behind(canvas: Canvas, shape: Shape) -> None:
    """What a system puts behind its runs in space: levels of the energy calm, geometry in ink, unstable points empty."""
    theme, (x, y, z) = canvas.theme, points_of(shape).T
    if isinstance(shape, Mesh):
        i, j, k = (column.tolist() for column in shape.triangles.T)
        canvas.add(
            "mesh3d", x=x, y=y, z=z, i=i, j=j, k=k, color=theme.surface_low, opacity=0.3, hoverinfo="none",
            lighting=space.LIGHT, lightposition=space.LIGHT_FROM, name=shape.role,
        )  # fmt: skip
    elif isinstance(shape, Curve):
        colour, width = (theme.ink, 2.6) if shape.role == "equilibria" else (theme.surface_line, 1.5)
        space.add_line(canvas, np.array([x, y, z]), colour, width, name=shape.role)
    else:
        marker = {
            "symbol": "diamond" if shape.role == "cusp" else "circle", "size": 4.0 * theme.weight,
            "color": theme.paper if shape.role == "unstable" else theme.ink,
            "line": {"color": theme.ink, "width": 1.4 * theme.weight},
        }  # fmt: skip
        canvas.add("scatter3d", x=x, y=y, z=z, mode="markers", name=shape.role, marker=marker)


def add_background(canvas: Canvas, shape: Shape) -> None:
    """What a system puts behind its runs in the plane: equilibria filled or empty, cusps as stars, a level."""
    theme, points = canvas.theme, points_of(shape)
    place = dict(zip("xy", points.T, strict=True))
    if isinstance(shape, Curve):
        colour = theme.accent if shape.role == "equilibria" else theme.faint
        canvas.add("scatter", **place, mode="lines", line={"color": colour, "width": 1.5})
        return
    fill = {"stable": theme.accent, "unstable": theme.paper}.get(shape.role, theme.ink)
    edge = theme.ink if shape.role == "cusp" else theme.accent
    symbol = "star" if shape.role == "cusp" else "circle"
    canvas.add(
        "scatter", **place, mode="markers", name=shape.role, showlegend=len(points) > 0,
        marker={"symbol": symbol, "size": 11, "color": fill, "line": {"color": edge, "width": 2}},
    )  # fmt: skip
