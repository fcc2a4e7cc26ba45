"""The momentum plane: elliptic arcs, connections, the line of equilibria, and the runs of all methods."""

import numpy as np

from nhviz.figures.orbits import add_orbit
from nhviz.figures.style import Array, Canvas, Orbit, Picture, Theme, flat_layout, look, notice


def momentum_plane(
    theme: Theme,
    axes: tuple[str, str],
    arcs: Array,
    line: Array,
    ends: list[tuple[Array, bool]],
    orbits: dict[str, Orbit],
    stopped: str | None = None,
    cusp_line: Array | None = None,
    rests: dict[str, tuple[str, Array]] | None = None,
) -> Picture:
    """arcs (2, n) with NaN between; line (2, 3); ends are (momentum, stable); orbits by method.

    `rests` are titles and curves (2, n) of the rest points of methods that do not rest on the line.
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
    for method, (title, curve) in (rests or {}).items():
        canvas.add(
            "scatter", x=curve[0], y=curve[1], mode="lines", name=f"rest points: {title}", showlegend=True,
            line={"color": look(theme, method).colour, "width": 1.5, "dash": "dash"},
        )  # fmt: skip
    add_equilibria(canvas, ends)
    for method, orbit in orbits.items():
        add_orbit(canvas, method, orbit)
    for method, orbit in orbits.items():
        canvas.cursor(look(theme, method).colour, *orbit.moving)
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
