"""Curves on the unit sphere: the one of a run among its neighbours, with cycles numbered along it."""

from collections.abc import Sequence

import numpy as np

from nhviz.figures import portrait, space
from nhviz.figures.style import Array, Canvas, Look, Orbit, Picture, Theme, text_colour

LIFT, LABEL = 1.02, 1.16
"""Dots stand a little, their numbers well above the sphere."""
EYE = space.Camera((1.1, -0.27, 0.42))


def on_sphere(
    theme: Theme,
    curves: Array,
    own: Array,
    axis: tuple[str, Array],
    orbits: Sequence[Orbit],
    cycles: Sequence[tuple[Array, bool]],
    look: Look | None,
    named: int,
) -> Picture:
    """Curves are one line (3, n) with gaps, the `own` one of a run is in ink; `axis` is what it winds round.

    Cycles are (points (n, 3), attracting); the first `named` points of one that attracts are numbered.
    """
    canvas = Canvas(theme)
    portrait.add_globe(canvas)
    space.add_line(canvas, curves, theme.surface_line, 1.0, name="level")
    space.add_line(canvas, 1.004 * own, theme.ink, 3.2, name="own level")
    name, direction = axis
    space.add_line(canvas, np.stack([direction, 1.1 * direction], axis=1), theme.ink, 1.6, name="axis")
    space.add_words(canvas, 1.19 * direction, name, "middle center", name="axis name")
    for orbit in orbits:
        space.add_orbit(canvas, orbit)
    if look is not None:
        for points, attracts in cycles:
            add_cycle(canvas, points, attracts, look, named)
    for orbit in orbits:
        space.add_head(canvas, orbit)
    layout = space.scene_layout(theme, (), EYE, near=True)
    space.show_box(layout["scene"], np.full(3, -1.2), np.full(3, 1.2), (1.0, 1.0, 1.0))
    return canvas.picture(layout)


def add_cycle(canvas: Canvas, points: Array, attracts: bool, look: Look, named: int) -> None:
    """The points of a cycle: full and numbered if it attracts, else open."""
    theme = canvas.theme
    x, y, z = LIFT * points.T
    canvas.add(
        "scatter3d", x=x, y=y, z=z, mode="markers", name="attracts" if attracts else "repels", meta={"track": look.key},
        marker={
            "color": look.colour if attracts else theme.paper, "size": (6.0 if attracts else 5.0) * theme.weight,
            "opacity": 1.0, "line": {"color": theme.paper if attracts else theme.soft, "width": 1.2 * theme.weight},
        },
    )  # fmt: skip
    if attracts:
        x, y, z = LABEL * points[:named].T
        canvas.add(
            "scatter3d", x=x, y=y, z=z, mode="text", text=[str(i) for i in range(named)], name="numbers",
            textfont={"size": theme.size + 1.0, "color": text_colour(theme, look.colour)},
        )  # fmt: skip
