"""A portrait: two or three components of the runs against each other, in the plane, in space or on the unit sphere."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from nhviz.figures import space
from nhviz.figures.flat import flat_layout, word
from nhviz.figures.orbits import add_heads, add_orbit, in_order
from nhviz.figures.style import Array, Canvas, Orbit, Picture, Theme
from nhviz.shapes import Curve, Mesh, Shape, points_of

GLOBE = space.Camera((0.94, 0.74, 0.72))
GLOBE_LIGHT = {"ambient": 0.72, "diffuse": 0.36, "specular": 0.08, "roughness": 0.7, "fresnel": 0.05}


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
        add_globe(canvas)
    for shape in background:
        add_behind(canvas, shape)
    for orbit in in_order(orbits):
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
        layout["meta"]["fills"] = True
    return canvas.picture(layout)


def add_globe(canvas: Canvas, rows: int = 25, columns: int = 49) -> None:
    """The unit sphere, a little smaller, so that curves on it stand out of its flat faces."""
    theme = canvas.theme
    x, y, z = 0.985 * np.moveaxis(globe(rows, columns), -1, 0)
    canvas.add(
        "surface", x=x, y=y, z=z, opacity=1.0, showscale=False, hoverinfo="none", lighting=GLOBE_LIGHT,
        lightposition={"x": 9000, "y": 3000, "z": 14000}, colorscale=[[0, theme.surface_low], [1, theme.surface_high]],
        contours={axis: {"highlight": False} for axis in "xyz"}, name="globe",
    )  # fmt: skip


@lru_cache(maxsize=4)
def globe(rows: int = 25, columns: int = 49) -> Array:
    """Points (rows, columns, 3) of the unit sphere by latitude and longitude."""
    latitude = np.linspace(np.pi, 0.0, rows)[:, None]
    longitude = np.linspace(-np.pi, np.pi, columns)[None, :]
    x, y = np.sin(latitude) * np.cos(longitude), np.sin(latitude) * np.sin(longitude)
    return np.stack(np.broadcast_arrays(x, y, np.cos(latitude)), axis=-1)


def add_behind(canvas: Canvas, shape: Shape) -> None:
    """What a system puts behind its runs in space: levels calm, geometry in ink, unstable points empty."""
    theme, (x, y, z) = canvas.theme, points_of(shape).T
    if isinstance(shape, Mesh):
        i, j, k = space.whole_numbers(shape.triangles.T.astype("<u2").tobytes(), 3)
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


def add_flat_background(canvas: Canvas, shape: Shape) -> list[dict[str, Any]]:
    """What a system puts behind its runs in the plane; returns the words at it."""
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
