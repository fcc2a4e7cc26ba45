"""What a system draws in the plane: paths and rigid bodies, played from poses."""

from collections.abc import Sequence

import numpy as np

from nhviz.figures.orbits import add_orbit, dots_first
from nhviz.figures.style import Array, Canvas, Cursor, Orbit, Picture, Theme, flat_layout, notice
from nhviz.shapes import Curve, Motion, Points, Shape, points_of

WIDTHS = {
    "body": 1.5,
    "blade": 4.0,
    "forbidden_axis": 5.0,
    "axis_1": 3.0,
    "axis_2": 3.0,
    "axis_3": 3.0,
    "axis_4": 3.0,
    "axis_5": 3.0,
    "path": 4.0,
}


def plane_motion(
    theme: Theme,
    paths: Sequence[Orbit],
    motion: Motion,
    instants: Array,
    track: str,
    marks: Array | list[tuple[float, float]],
    axes: tuple[str, str] = ("x (m)", "y (m)"),
    stopped: str | None = None,
) -> Picture:
    """paths of runs, or what the motion draws; the motion of the run called `track`; marks (n, 2) are cusps."""
    canvas = Canvas(theme)
    marks = np.array(marks).reshape(-1, 2)
    for orbit in dots_first(paths):
        add_orbit(canvas, orbit)
    for shape in () if paths else motion.background:
        add_shape(canvas, shape, np.eye(2), np.zeros(2))
    canvas.add(
        "scatter", x=marks[:, 0], y=marks[:, 1], mode="markers", name="cusp", showlegend=bool(marks.size),
        marker={"symbol": "star", "size": 13, "color": theme.ink},
    )  # fmt: skip
    add_parts(canvas, motion, instants, track)
    return canvas.picture(flat_layout(theme, *axes, equal=True, annotations=notice(theme, stopped)))


def add_parts(canvas: Canvas, motion: Motion, instants: Array, track: str) -> None:
    """Every shape of every part at its first pose, with its poses for the player."""
    for part in motion.parts:
        rotations, translations = part.rotations[instants], part.translations[instants]
        for shape in part.shapes:
            index = add_shape(canvas, shape, rotations[0], translations[0])
            body = Cursor(index, track, shape=points_of(shape), rotations=rotations, translations=translations)
            canvas.cursors.append(body)


def add_shape(canvas: Canvas, shape: Shape, rotation: Array, translation: Array) -> int:
    """One shape at one pose."""
    theme = canvas.theme
    colour = theme.accent if "forbidden" in shape.role or shape.role == "path" else theme.ink
    points = points_of(shape) @ rotation.T + translation
    place = dict(zip("xyz", points.T, strict=False))
    kind = "scatter3d" if points.shape[1] == 3 else "scatter"
    if isinstance(shape, Points):
        marker = {"symbol": "diamond", "size": 4} if shape.role == "cusp" else {"symbol": "circle-cross", "size": 9}
        return canvas.add(kind, **place, mode="markers", marker=marker | {"color": colour}, name=shape.role)
    assert isinstance(shape, Curve)
    return canvas.add(
        kind, **place, mode="lines", line={"color": colour, "width": WIDTHS.get(shape.role, 2.0)}, name=shape.role
    )
