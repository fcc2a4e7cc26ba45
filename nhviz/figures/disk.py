"""The projective plane RP^2 of displacements as a disk whose opposite rim points are the same."""

from collections.abc import Sequence

import numpy as np

from nhviz.figures.orbits import add_orbit
from nhviz.figures.style import Array, Canvas, Orbit, Picture, Theme, flat_layout, notice


def displacement_disk(
    theme: Theme,
    curves: Array,
    separatrix: Array,
    line: Array,
    saddles: list[tuple[float, float]],
    centres: list[tuple[float, float]],
    orbits: Sequence[Orbit],
    stopped: str | None = None,
) -> Picture:
    """curves, separatrix (2, n) with NaN between pieces; line (2, n)."""
    canvas = Canvas(theme)
    angle = np.linspace(0.0, 2.0 * np.pi, 181)
    canvas.add("scatter", x=np.cos(angle), y=np.sin(angle), mode="lines", line={"color": theme.ink, "width": 1.5})
    canvas.add("scatter", x=curves[0], y=curves[1], mode="lines", line={"color": theme.faint, "width": 1})
    canvas.add(
        "scatter", x=separatrix[0], y=separatrix[1], mode="lines", name="h = h*", showlegend=True,
        line={"color": theme.ink, "width": 1.5, "dash": "dash"},
    )  # fmt: skip
    canvas.add(
        "scatter", x=line[0], y=line[1], mode="lines", name="equilibria", showlegend=True,
        line={"color": theme.accent, "width": 2.0 * theme.weight},
    )  # fmt: skip
    for places, name, symbol in ((saddles, "saddles", "x"), (centres, "centres", "circle-dot")):
        points = np.array(places).reshape(-1, 2)
        canvas.add(
            "scatter", x=points[:, 0], y=points[:, 1], mode="markers", name=name, showlegend=bool(points.size),
            marker={"size": 10, "symbol": symbol, "color": theme.ink},
        )  # fmt: skip
    for orbit in orbits:
        add_orbit(canvas, orbit)
    for orbit in orbits:
        canvas.cursor(orbit.look, *orbit.moving)
    return canvas.picture(flat_layout(theme, "q₁", "q₂", equal=True, annotations=notice(theme, stopped)))
