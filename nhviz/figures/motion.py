"""What a system draws in space: paths and rigid bodies, played from poses."""

import numpy as np

from nhviz.figures.style import Array, Canvas, Cursor, Picture, Theme, frame, space_layout
from nhviz.shapes import Curve, Mesh, Motion, Points, Shape, points_of

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


def space_motion(theme: Theme, motion: Motion, instants: Array, track: str, axes: Array | list[Array]) -> Picture:
    """A body in space; axes (n, 2, 3) are segments worth showing, such as the first and the last axis of rotation."""
    canvas = Canvas(theme)
    for shape in motion.background:
        add_shape(canvas, shape, np.eye(3), np.zeros(3))
    for i, segment in enumerate(axes):
        canvas.add(
            "scatter3d", x=segment[:, 0], y=segment[:, 1], z=segment[:, 2], mode="lines",
            name=("first axis", "last axis")[i],
            line={"color": (theme.faint, theme.accent)[i], "width": 6, "dash": ("dash", "solid")[i]},
        )  # fmt: skip
    add_parts(canvas, motion, instants, track)
    travels = any(np.ptp(part.translations, axis=0).any() for part in motion.parts)
    layout = space_layout(theme, *(motion.axes if travels else ("", "", "")))
    if travels:
        frame(layout, *room(motion, instants))
    else:
        for axis in ("xaxis", "yaxis", "zaxis"):
            layout["scene"][axis] |= {"range": [-1.15, 1.15], "showticklabels": False}
        layout["scene"]["aspectmode"] = "cube"
    return canvas.picture(layout)


def room(motion: Motion, instants: Array) -> tuple[Array, Array]:
    """The corners of the space that a motion takes."""
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    for part in motion.parts:
        reach = max(float(np.linalg.norm(points_of(shape), axis=1).max()) for shape in part.shapes)
        low = np.minimum(low, part.translations[instants].min(axis=0) - reach)
        high = np.maximum(high, part.translations[instants].max(axis=0) + reach)
    for points in filter(len, map(points_of, motion.background)):
        low, high = np.minimum(low, points.min(axis=0)), np.maximum(high, points.max(axis=0))
    return low, high


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
    if isinstance(shape, Mesh):
        i, j, k = (column.tolist() for column in shape.triangles.T)
        if shape.role == "incline":
            return canvas.add("mesh3d", **place, i=i, j=j, k=k, color=theme.grid, opacity=0.6)
        if shape.tones is None:
            return canvas.add("mesh3d", **place, i=i, j=j, k=k, color=theme.methods[0], opacity=0.55, flatshading=True)
        colours = [(theme.methods[0], theme.grid)[tone] for tone in shape.tones]
        return canvas.add("mesh3d", **place, i=i, j=j, k=k, facecolor=colours, flatshading=True)
    if isinstance(shape, Points):
        marker = {"symbol": "diamond", "size": 4} if shape.role == "cusp" else {"symbol": "circle-cross", "size": 9}
        return canvas.add(kind, **place, mode="markers", marker=marker | {"color": colour}, name=shape.role)
    assert isinstance(shape, Curve)
    return canvas.add(
        kind, **place, mode="lines", line={"color": colour, "width": WIDTHS.get(shape.role, 2.0)}, name=shape.role
    )
