"""The vertical in a body as a point of a globe: where it was and will be, its steps, and the curves that hold it."""

from collections.abc import Sequence

import numpy as np

from nhviz.figures import portrait, space
from nhviz.figures.space import Camera, Trail, add_line
from nhviz.figures.style import SERIF, Array, Canvas, Orbit, Picture, Theme
from nhviz.figures.symbols import symbol

EYE = Camera((0.9, 0.71, 0.86), (0.0, 0.0, 0.035))
ROOM = 1.3
"""The room reaches so far from the middle."""
FINE = (33, 65)
"""Rows and columns of the globe."""
LEVELS, EDGE, TO_COME, PAST, DOTS = 1.004, 1.01, 1.006, 1.014, 1.045
"""How far above the globe curves and dots are, which its faces would cut."""
ENDS = (1.0, 1.14, 1.24)
"""Where the axes leave the globe, where they end, and where their names are."""
AXES = np.concatenate([np.outer(axis, (*ENDS[:2], np.nan)) for axis in np.eye(3)], axis=1)
AXES[:, 2::3] = np.nan
"""One behind the other, with gaps between them."""


def verticals(
    theme: Theme, orbits: Sequence[Orbit], edge: Array, levels: Sequence[Array], names: Sequence[str]
) -> Picture:
    """Orbits of unit vectors on a globe, with the edge (3, n) of where they may be and those of other energies."""
    canvas = Canvas(theme)
    portrait.add_globe(canvas, *FINE)
    if levels:
        # Each curve ends with a gap.
        others = LEVELS * np.concatenate(levels, axis=1)
        add_line(canvas, others, theme.surface_line, 1.5, opacity=0.6, name="other energies")
    if edge.size:
        add_line(canvas, EDGE * edge, theme.ink, 4.0, name="edge")
    add_axes(canvas, names)
    for orbit in orbits:
        if orbit.discrete:
            add_dots(canvas, orbit)
        else:
            add_curve(canvas, orbit)
    layout = space.scene_layout(theme, (), EYE, near=True)
    # A globe is as wide as it is high.
    layout["meta"]["wide"] = 1.0
    space.show_box(layout["scene"], np.full(3, -ROOM), np.full(3, ROOM), (1.18, 1.18, 1.18))
    return canvas.picture(layout)


def add_axes(canvas: Canvas, names: Sequence[str]) -> None:
    """The axes of the body, where they leave the globe, with their names."""
    theme = canvas.theme
    add_line(canvas, AXES, theme.ink, 2.4, name="axes")
    x, y, z = ENDS[2] * np.eye(3)
    canvas.add(
        "scatter3d", x=x, y=y, z=z, mode="text", text=[symbol(name) for name in names], textposition="middle center",
        textfont={"size": theme.size + 2.0, "color": theme.soft, "family": SERIF}, name="words",
    )  # fmt: skip


def add_curve(canvas: Canvas, orbit: Orbit) -> None:
    """A flow: thin as a whole, broad where it was."""
    look, points = orbit.look, np.array(orbit.drawn)
    add_line(
        canvas, TO_COME * points, look.colour, 1.3, opacity=0.6, name=look.label, hoverinfo="name", meta=orbit.meta
    )
    index = add_line(canvas, PAST * points[:, :1], look.colour, 5.0, name="past", meta={"track": look.key})
    counts = orbit.stride * np.arange(len(orbit.moving[0])) + 1
    canvas.cursors.append(Trail(index, look.key, tuple(PAST * points), counts=counts))
    finish(canvas, orbit, PAST)


def add_dots(canvas: Canvas, orbit: Orbit) -> None:
    """A map: a small dot for each step, a full one where it was."""
    look, points = orbit.look, DOTS * np.array(orbit.drawn)
    share = 1.0 if points.shape[1] <= 150 else 0.6
    for size, drawn, name in ((1.3, points, look.label), (3.2, points[:, :1], "past")):
        marker = {
            "color": look.colour, "symbol": space.in_space(look.head), "size": share * size * canvas.theme.weight,
            "line": {"width": 0}, "opacity": 1.0,
        }  # fmt: skip
        x, y, z = drawn
        index = canvas.add(
            "scatter3d", x=x, y=y, z=z, mode="markers", marker=marker, name=name, hoverinfo="name", meta=orbit.meta
        )
    canvas.cursors.append(Trail(index, look.key, tuple(points), counts=np.arange(1, points.shape[1] + 1)))
    finish(canvas, orbit, DOTS)


def finish(canvas: Canvas, orbit: Orbit, above: float) -> None:
    """Where the clock is, and a cross where the run ended before its time."""
    lifted = Orbit(orbit.drawn, tuple(above * values for values in orbit.moving), orbit.look, orbit.discrete)
    space.add_head(canvas, lifted)
    if orbit.stopped:
        space.add_cross(canvas, orbit.look, above * np.array([values[-1] for values in orbit.drawn]))
