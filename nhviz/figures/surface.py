"""Momentum loci in three dimensions, with a plane, curves on them, and the runs."""

from collections.abc import Sequence

from nhviz.figures.orbits import add_orbit_in_space
from nhviz.figures.style import Array, Canvas, Orbit, Picture, Theme, space_layout

SCALES = ("Viridis", "Cividis")


def locus(
    theme: Theme,
    axes: tuple[str, str, str],
    surfaces: Sequence[Array],
    plane: Array | None,
    curves: list[Array],
    orbits: Sequence[Orbit],
    cube: bool = False,
) -> Picture:
    """surfaces (rows, columns, 3); plane (2, 2, 3); curves (3, n) on them; orbits."""
    canvas = Canvas(theme)
    for i, points in enumerate(surfaces):
        canvas.add(
            "surface", x=points[..., 0], y=points[..., 1], z=points[..., 2], opacity=0.75, showscale=False,
            colorscale=SCALES[i % 2], contours={"z": {"highlight": False}}, hoverinfo="x+y+z",
            lighting={"ambient": 0.7, "diffuse": 0.5, "specular": 0.1},
        )  # fmt: skip
    if plane is not None:
        canvas.add(
            "surface", x=plane[..., 0], y=plane[..., 1], z=plane[..., 2], opacity=0.35, showscale=False,
            colorscale=[[0, theme.faint], [1, theme.faint]], hoverinfo="skip",
        )  # fmt: skip
    for curve in curves:
        canvas.add(
            "scatter3d", x=curve[0], y=curve[1], z=curve[2], mode="lines",
            line={"color": theme.accent, "width": 2.6 * theme.weight},
        )  # fmt: skip
    for orbit in orbits:
        add_orbit_in_space(canvas, orbit)
    for orbit in orbits:
        canvas.cursor(orbit.look, *orbit.moving)
    return canvas.picture(space_layout(theme, *axes, cube=cube))
