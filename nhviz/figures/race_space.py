"""A race in space: the motion itself, and ghosts where each integrator thinks that it is."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from nhviz.figures import body, space
from nhviz.figures.notes import add_notes_in_space
from nhviz.figures.race import Ghost, Runner, curves_of, notes_of
from nhviz.figures.style import Array, Canvas, Cursor, Look, Picture, Theme
from nhviz.shapes import Curve, Mesh, Motion, unit_sphere

VISIBLE = 0.008
"""A ghost that is off by less than this share of the scene's size cannot be told from the truth."""
UPRIGHT = 0.42
"""A scene is at least so high as this share of its longest side."""
WAYS = ("path", "forbidden_axis_path")


def race(theme: Theme, truth: Runner | None, ghosts: Sequence[Ghost], tip: str = "") -> Picture:
    """The ways of all runs, the truth, if it runs, and those that are off it; `tip` names an axis of a body."""
    canvas = Canvas(theme)
    runners: list[Runner] = [*([] if truth is None else [truth]), *ghosts]
    first = runners[0]
    travels = any((part.translations != part.translations[0]).any() for part in first.motion.parts)
    low, high = corners(runners) if travels else (np.full(3, -body.REACH), np.full(3, body.REACH))
    size = float((high - low).max())
    seen = [ghost for ghost in ghosts if ghost.off.max() >= VISIBLE * size]
    body.add_surroundings(canvas, first.motion, travels, low, high)
    for shape in first.motion.background:
        if shape.role not in ("incline", *WAYS):
            body.add_shape(canvas, shape, np.eye(3), np.zeros(3), first.look)
    for runner in [*seen[::-1], *([] if truth is None else [truth])]:
        add_way(canvas, runner)
    for ghost in seen:
        add_ghost(canvas, ghost)
    for runner in runners:
        if runner.stopped:
            space.add_cross(canvas, runner.look, runner.line[:, -1])
    add_notes_in_space(canvas, notes_of(seen, VISIBLE * size))
    if truth is not None:
        body.add_parts(canvas, truth.motion, truth.instants, inked(theme, truth.look), tip)
    layout = space.scene_layout(theme, first.motion.axes if travels else (), body.NEAR, near=True)
    set_frame(layout, first.motion, travels, low, high)
    return canvas.picture(layout)


def add_way(canvas: Canvas, runner: Runner) -> None:
    """The way of a run as a line; of those that cannot be told from the truth there is none."""
    more = {"hoverinfo": "name", "name": runner.look.label, "meta": runner.orbit.meta}
    space.add_line(canvas, runner.line, runner.look.colour, 1.8 if runner.discrete else 3.4, **more)


def set_frame(layout: dict[str, Any], motion: Motion, travels: bool, low: Array, high: Array) -> None:
    """Show the room of the race: all that a travelling body takes, or the sphere about one that turns in its place."""
    if not travels:
        space.show_box(layout["scene"], low, high, (1.0, 1.0, 1.0))
        return
    space.frame(layout, low, high)
    for axis in "xyz":
        layout["scene"][f"{axis}axis"] |= {"showgrid": not motion.floor, "showline": not motion.floor}


def corners(runners: Sequence[Runner]) -> tuple[Array, Array]:
    """The corners of the room that all runs take."""
    found = [np.stack(body.room(runner.motion, runner.instants), axis=1) for runner in runners]
    low, high = space.thickened(*space.corners(*found))
    # Above what is flat there is room for words.
    return low, np.maximum(high, low + np.array([0.0, 0.0, UPRIGHT * float((high - low).max())]))


def inked(theme: Theme, look: Look) -> Look:
    """The look of the truth's body: ink, as geometry is."""
    return Look(look.key, look.label, theme.ink, look.symbol)


def add_ghost(canvas: Canvas, ghost: Ghost) -> None:
    """The body of a ghost in its hue: its curves, a ball as a dot, an ellipsoid as three of its sections."""
    for part in ghost.motion.parts:
        rotations, translations = part.rotations[ghost.instants], part.translations[ghost.instants]
        turning = [sections(shape) for shape in part.shapes if isinstance(shape, Mesh) and shape.tones is not None]
        for curve in [*curves_of(part), *(curve for curves in turning for curve in curves)]:
            points = (curve.points @ rotations[0].T + translations[0]).T
            index = space.add_line(
                canvas, points, ghost.look.colour, 3.0 if curve.role in ("blade", "forbidden_axis") else 1.8,
                name="ghost", meta={"track": ghost.look.key},
            )  # fmt: skip
            canvas.cursors.append(
                Cursor(index, ghost.look.key, shape=curve.points, rotations=rotations, translations=translations)
            )
        if not turning and any(isinstance(shape, Mesh) for shape in part.shapes):
            add_dot(canvas, ghost, translations)
    add_error(canvas, ghost)


def sections(mesh: Mesh) -> list[Curve]:
    """The sections of an ellipsoid by its three main planes: it is a linear image of the unit sphere."""
    image, *_ = np.linalg.lstsq(unit_sphere()[0], mesh.vertices, rcond=None)
    return [Curve(body.CIRCLE[order].T @ image, "body") for order in ([0, 1, 2], [0, 2, 1], [2, 0, 1])]


def add_dot(canvas: Canvas, ghost: Ghost, places: Array) -> None:
    """A ghost that is a point."""
    look, theme, positions = ghost.look, canvas.theme, tuple(places.T.copy())
    index = canvas.add(
        "scatter3d", mode="markers", name="ghost", meta={"track": look.key},
        marker={"color": look.colour, "symbol": "circle", "size": 9.0 * theme.weight, "opacity": 0.5,
                "line": {"color": look.colour, "width": 0}},
        **{axis: [float(values[0])] for axis, values in zip("xyz", positions, strict=True)},
    )  # fmt: skip
    canvas.cursors.append(Cursor(index, look.key, positions))


def add_error(canvas: Canvas, ghost: Ghost) -> None:
    """A dashed line from where the truth is to where the ghost is."""
    positions = tuple(np.stack([ghost.beside, ghost.places], axis=1).reshape(-1, 3).T.copy())
    points = np.stack([values[:2] for values in positions])
    more = {"name": "error", "meta": {"track": ghost.look.key}, "line": {"dash": "dash"}}
    index = space.add_line(canvas, points, ghost.look.colour, 3.0, **more)
    canvas.cursors.append(Cursor(index, ghost.look.key, positions, points=2))
