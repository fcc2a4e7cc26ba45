"""The projective plane RP^2 of displacements as a disk whose opposite rim points are the same."""

from collections.abc import Sequence

import numpy as np

from nhviz.figures.flat import flat_layout, word
from nhviz.figures.orbits import add_heads, add_orbit, in_order
from nhviz.figures.style import Array, Canvas, Orbit, Picture, Theme
from nhviz.figures.symbols import symbol


def displacement_disk(
    theme: Theme,
    curves: Array,
    separatrix: Array,
    line: Array,
    saddles: list[tuple[float, float]],
    centres: list[tuple[float, float]],
    orbits: Sequence[Orbit],
) -> Picture:
    """curves, separatrix (2, n) with NaN between pieces; line (2, n)."""
    canvas, weight = Canvas(theme), theme.weight
    angle = np.linspace(0.0, 2.0 * np.pi, 181)
    for x, y, name, style in (
        (np.cos(angle), np.sin(angle), "rim", {"color": theme.soft, "width": 1.2 * weight}),
        (curves[0], curves[1], "levels", {"color": theme.line, "width": weight}),
        (separatrix[0], separatrix[1], "h = h*", {"color": theme.faint, "width": 1.2 * weight, "dash": "dash"}),
        (line[0], line[1], "equilibria", {"color": theme.soft, "width": 1.2 * weight}),
    ):
        canvas.add("scatter", x=x, y=y, mode="lines", name=name, line=style)
    words = []
    for places, name, symbol_of in ((saddles, "saddles", "x"), (centres, "centres", "circle-dot")):
        points = np.array(places).reshape(-1, 2)
        canvas.add(
            "scatter", x=points[:, 0], y=points[:, 1], mode="markers", name=name,
            marker={"size": 7 * weight, "symbol": symbol_of, "color": theme.ink},
        )  # fmt: skip
        if points.size:
            x, y = map(float, points[np.argmax(points @ (0.6, 0.8))])
            words.append(word(theme, x, y, name.removesuffix("s"), xanchor="left", xshift=8 * weight))
    x, y = map(float, line[:, np.argmax(line[1])])
    words.append(word(theme, x, y, "equilibria", xanchor="left" if x >= 0.0 else "right", yanchor="bottom"))
    if np.isfinite(separatrix).any():
        x, y = map(float, separatrix[:, np.nanargmin(np.abs(separatrix[0]) + np.where(separatrix[1] < 0.0, 0.0, 9.0))])
        words.append(word(theme, x, y, f"{symbol('h')} = {symbol('h')}*", name="wide", yanchor="top"))
    painted = in_order(orbits)
    for orbit in painted:
        add_orbit(canvas, orbit)
    add_heads(canvas, painted)
    return canvas.picture(flat_layout(theme, symbol("q_1"), symbol("q_2"), equal=True, words=words))
