"""Bodies in space: lit and near, in two tones so that their turning shows, with the path behind and before them."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from nhviz.figures import ground, space
from nhviz.figures.space import Camera, Trail, add_line, add_words, whole_numbers
from nhviz.figures.style import Array, Canvas, Cursor, Look, Picture, Theme, picked
from nhviz.shapes import Curve, Mesh, Motion, Points, Shape, points_of

TURN = np.linspace(0.0, 2.0 * np.pi, 73)
NEAR = Camera((1.02, 0.42, 0.36), (0.0, 0.0, 0.04))
CIRCLE = np.stack([np.cos(TURN), np.sin(TURN), np.zeros(TURN.size)])
REACH = 1.22
"""How far the room about a body that stays in its place reaches."""
LIGHT = {"ambient": 0.55, "diffuse": 0.7, "specular": 0.35, "roughness": 0.35, "fresnel": 0.2}
LIGHT_FROM = {"x": 2000, "y": 1500, "z": 4000}
WIDTHS = {"blade": 5.0, "forbidden_axis": 5.0, "body": 2.0, "forbidden_plane": 2.4}
"""Lines of other roles are as wide as an axis of a body."""
AXIS = 2.0
PALE = {"shell": 0.3, "patches": 0.22}
"""What one can see through."""
FEW = 100
"""Of a shape with more points, how far they reach is enough to know."""
ENDS = ((0, "first axis", 0.1), (1, "last axis", -0.1))
"""Which end of an axis of rotation has its words, and how far above it."""


def in_space(
    theme: Theme,
    motion: Motion,
    instants: Array,
    look: Look,
    axes: Array | Sequence[Array] = (),
    stopped: bool = False,
    tip: str = "",
) -> Picture:
    """A body of a run that looks like `look`; `tip` is the name of the axis that it may not turn about.

    axes (n, 2, 3) are segments worth showing, such as the first and the last axis of rotation.
    """
    canvas = Canvas(theme)
    travels = any((part.translations != part.translations[0]).any() for part in motion.parts)
    low, high = space.thickened(*room(motion, instants)) if travels else (np.full(3, -REACH), np.full(3, REACH))
    add_surroundings(canvas, motion, travels, low, high)
    for shape in motion.background:
        if isinstance(shape, Curve) and shape.role.endswith("path"):
            add_path(canvas, shape, len(motion.parts[0].rotations), instants, look, stopped)
        elif shape.role != "incline":
            add_shape(canvas, shape, np.eye(3), np.zeros(3), look)
    add_axes(canvas, axes)
    if motion.floor and any(isinstance(shape, Mesh) for shape in motion.parts[0].shapes):
        places = motion.parts[0].translations[instants]
        ground.add_shadow(canvas, 0.85 * float(places[0, 2]), places, look.key)
    add_parts(canvas, motion, instants, look, tip)
    layout = space.scene_layout(theme, motion.axes if travels else (), NEAR, near=True)
    if travels:
        space.frame(layout, low, high)
        for axis in "xyz":
            layout["scene"][f"{axis}axis"] |= {"showgrid": not motion.floor, "showline": not motion.floor}
    else:
        space.show_box(layout["scene"], low, high, (1.0, 1.0, 1.0))
    return canvas.picture(layout)


def room(motion: Motion, instants: Array) -> tuple[Array, Array]:
    """The corners of the space that a motion takes."""
    clouds = [points_of(shape).T for shape in motion.background if len(points_of(shape))]
    for part in motion.parts:
        rotations, translations = picked(part.rotations, instants), picked(part.translations, instants)
        low, high = translations.min(axis=0)[:, None], translations.max(axis=0)[:, None]
        shapes = [points_of(shape) for shape in part.shapes]
        for points in shapes:
            if len(points) > FEW:
                reach = float(np.sqrt((points * points).sum(axis=1).max()))
                clouds += [low - reach, high + reach]
        few = [points for points in shapes if len(points) <= FEW]
        if few:
            # One product of matrices for all instants, and a row of coordinates for each of them.
            turned = rotations.reshape(-1, rotations.shape[2]) @ np.concatenate(few).T
            places = (turned + translations.reshape(-1, 1)).reshape(len(rotations), -1)
            clouds += [places.min(axis=0).reshape(3, -1), places.max(axis=0).reshape(3, -1)]
    return space.corners(*clouds)


def add_surroundings(canvas: Canvas, motion: Motion, travels: bool, low: Array, high: Array) -> None:
    """Where the body is: on an incline, on the floor, or within the unit sphere, of which three great circles show."""
    for shape in motion.background:
        if shape.role == "incline":
            corner, second, first, _ = points_of(shape)
            ground.add_ground(canvas, corner, first - corner, second - corner)
    if motion.floor:
        corner, side = low * np.array([1.0, 1.0, 0.0]), high - low
        ground.add_ground(canvas, corner, side * np.eye(3)[0], side * np.eye(3)[1])
    if not travels:
        for order in ([0, 1, 2], [0, 2, 1], [2, 0, 1]):
            add_line(canvas, CIRCLE[order], canvas.theme.line, 2.0, name="circle")


def add_path(canvas: Canvas, path: Curve, samples: int, instants: Array, look: Look, stopped: bool) -> None:
    """A path through as many samples as the motion has, or more: faint where it is to come, coloured where it was."""
    points = path.points.T
    add_line(canvas, points, canvas.theme.faint, 1.6, opacity=0.75, name=path.role)
    # Between two samples there may be several points.
    finer = (len(path.points) - 1) // max(samples - 1, 1)
    counts = finer * instants + 1
    index = add_line(canvas, points[:, :1], look.colour, 2.6, name=look.label, meta={"track": look.key})
    canvas.cursors.append(Trail(index, look.key, tuple(points), counts=counts))
    if stopped:
        space.add_cross(canvas, look, points[:, -1])


def add_axes(canvas: Canvas, axes: Array | Sequence[Array]) -> None:
    """The first axis of rotation dashed, the last one in ink, with their words at their ends."""
    theme = canvas.theme
    looks = ((theme.soft, 3.0, "dash"), (theme.ink, 4.0, "solid"))
    for segment, (colour, width, dash), (end, words, above) in zip(axes, looks, ENDS, strict=False):
        long = REACH / 1.1 * segment
        add_line(canvas, long.T, colour, width, name=words, line={"dash": dash})
        add_words(canvas, long[end] + np.array([0.0, 0.0, above]), words, "middle center", name="words")


def add_parts(canvas: Canvas, motion: Motion, instants: Array, look: Look, tip: str) -> None:
    """Every shape of every part at its first pose, with its poses for the player."""
    for part in motion.parts:
        rotations, translations = part.rotations[instants], part.translations[instants]
        for shape in (*part.shapes, *(end_of(shape) for shape in part.shapes if shape.role == "forbidden_axis")):
            index = add_shape(canvas, shape, rotations[0], translations[0], look, tip)
            body = Cursor(index, look.key, shape=points_of(shape), rotations=rotations, translations=translations)
            canvas.cursors.append(body)


def end_of(axis: Shape) -> Points:
    """The tip of an axis."""
    return Points(points_of(axis)[-1:], "tip")


def add_shape(canvas: Canvas, shape: Shape, rotation: Array, translation: Array, look: Look, tip: str = "") -> int:
    """One shape at one pose."""
    theme = canvas.theme
    points = (points_of(shape) @ rotation.T + translation).T
    if isinstance(shape, Mesh):
        return add_mesh(canvas, shape, points, look)
    if isinstance(shape, Curve):
        colour = look.colour if shape.role in ("body", "forbidden_axis") else theme.ink
        return add_line(canvas, points, colour, WIDTHS.get(shape.role, AXIS), name=shape.role)
    x, y, z = points
    if shape.role == "tip":
        marker = {"symbol": "circle", "size": 5.0 * theme.weight, "color": look.colour, "line": {"width": 0}}
        font = {"size": theme.size + 0.5, "color": look.colour}
        return canvas.add(
            "scatter3d", x=x, y=y, z=z, mode="markers+text", marker=marker, text=[tip], textposition="top center",
            textfont=font, name=shape.role,
        )  # fmt: skip
    marker = {"symbol": "diamond", "size": 4.0 * theme.weight, "color": theme.ink}
    return canvas.add("scatter3d", x=x, y=y, z=z, mode="markers", marker=marker, name=shape.role)


def add_mesh(canvas: Canvas, shape: Mesh, points: Array, look: Look) -> int:
    """A body in two tones of its run, or in one; of a shell one sees what is inside."""
    x, y, z = points
    i, j, k = whole_numbers(shape.triangles.T.astype("<u2").tobytes(), 3)
    colour = canvas.theme.soft if shape.role == "patches" else look.colour
    paint: dict[str, Any] = {"color": colour, "opacity": PALE.get(shape.role, 1.0)}
    if shape.tones is not None:
        scale = [[0, look.colour], [1, space.mixed(look.colour, canvas.theme.paper, 0.36)]]
        paint = {
            "intensity": whole_numbers(shape.tones.astype("<u2").tobytes())[0], "intensitymode": "cell", "cmin": 0,
            "cmax": 1, "colorscale": scale, "showscale": False,
        }  # fmt: skip
    return canvas.add(
        "mesh3d", x=x, y=y, z=z, i=i, j=j, k=k, **paint, flatshading=False, lighting=LIGHT, lightposition=LIGHT_FROM,
        name=shape.role,
    )  # fmt: skip
