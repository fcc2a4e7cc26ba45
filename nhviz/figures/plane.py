"""The momentum plane: elliptic arcs, connections, the line of equilibria, and the runs of all methods."""

from collections.abc import Sequence

import numpy as np

from nhviz.figures.orbits import add_orbit
from nhviz.figures.style import Array, Canvas, Look, Orbit, Picture, Theme, flat_layout, notice


def momentum_plane(
    theme: Theme,
    axes: tuple[str, str],
    arcs: Array,
    line: Array,
    ends: list[tuple[Array, bool]],
    orbits: Sequence[Orbit],
    stopped: str | None = None,
    cusp_line: Array | None = None,
    rests: Sequence[tuple[Look, Array]] = (),
) -> Picture:
    """arcs (2, n) with NaN between; line (2, 3); ends are (momentum, stable).

    `rests` are curves (2, n) of the rest points of runs whose method does not rest on the line.
    """
    canvas = Canvas(theme)
    canvas.add("scatter", x=arcs[0], y=arcs[1], mode="lines", line={"color": theme.faint, "width": 1})
    for half, dash in ((line[:, :2], "dot"), (line[:, 1:], "solid")):
        canvas.add(
            "scatter", x=half[0], y=half[1], mode="lines", line={"color": theme.accent, "width": 1.5, "dash": dash}
        )
    if cusp_line is not None:
        canvas.add(
            "scatter", x=cusp_line[0], y=cusp_line[1], mode="lines", name="cusp: v = 0", showlegend=True,
            line={"color": theme.ink, "width": 1, "dash": "dash"},
        )  # fmt: skip
    for look, curve in rests:
        canvas.add(
            "scatter", x=curve[0], y=curve[1], mode="lines", name=f"rest points: {look.label}", showlegend=True,
            line={"color": look.colour, "width": 1.5, "dash": "dash"},
        )  # fmt: skip
    add_equilibria(canvas, ends)
    for orbit in orbits:
        add_orbit(canvas, orbit)
    for orbit in orbits:
        canvas.cursor(orbit.look, *orbit.moving)
    return canvas.picture(flat_layout(theme, *axes, annotations=notice(theme, stopped)))


def add_equilibria(canvas: Canvas, ends: list[tuple[Array, bool]]) -> None:
    """Stable equilibria filled, unstable ones empty."""
    for stable, name in ((True, "stable"), (False, "unstable")):
        points = np.array([point for point, is_stable in ends if is_stable == stable]).reshape(-1, 2)
        canvas.add(
            "scatter", x=points[:, 0], y=points[:, 1], mode="markers", name=name, showlegend=bool(points.size),
            marker={
                "size": 10, "color": canvas.theme.accent if stable else canvas.theme.paper,
                "line": {"color": canvas.theme.accent, "width": 2},
            },
        )  # fmt: skip
