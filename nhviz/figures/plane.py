"""The momentum plane: elliptic arcs, connections, the line of equilibria, the runs of all methods and who leads."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nhviz.figures.arcs import Lead, add_lead
from nhviz.figures.flat import flat_layout, word
from nhviz.figures.orbits import add_heads, add_orbit, in_order
from nhviz.figures.style import Array, Canvas, Look, Orbit, Picture, Theme, text_colour


@dataclass(frozen=True)
class Backdrop:
    """What a momentum plane shows behind the runs.

    `levels` (2, n) with NaN between, `own` (2, n) that of the start, `line` (2, 3) of equilibria, `ends` of
    (momentum, stable), from the innermost level outwards. `rests` are curves (2, n) of the rest points of runs whose
    method does not rest on the line.
    """

    levels: Array
    own: Array
    line: Array
    ends: list[tuple[Array, bool]]
    cusp_line: Array | None = None
    rests: Sequence[tuple[Look, Array]] = ()


def momentum_plane(
    theme: Theme,
    axes: tuple[str, str],
    names: tuple[str, str],
    backdrop: Backdrop,
    orbits: Sequence[Orbit],
    leads: Sequence[Lead] = (),
) -> Picture:
    """Axes are labels, names those of the initial values that a start is set by."""
    canvas = Canvas(theme)
    words = add_backdrop(canvas, backdrop)
    painted = in_order(orbits)
    for orbit in painted:
        add_orbit(canvas, orbit)
    for lead in leads:
        add_lead(canvas, lead)
    add_heads(canvas, painted)
    start = [float(values[0]) for values in orbits[0].moving]
    handles = [{"at": start, "names": list(names)}]
    return canvas.picture(flat_layout(theme, *axes, equal=True, words=words, handles=handles))


def add_backdrop(canvas: Canvas, drawn: Backdrop) -> list[dict[str, Any]]:
    """Levels, equilibria and the line of cusps; returns the words at them."""
    theme, weight = canvas.theme, canvas.theme.weight
    for curve, colour, name in ((drawn.levels, theme.line, "levels"), (drawn.own, theme.faint, "own level")):
        canvas.add("scatter", x=curve[0], y=curve[1], mode="lines", name=name, line={"color": colour, "width": weight})
    words = []
    if drawn.cusp_line is not None:
        line = drawn.cusp_line
        canvas.add(
            "scatter", x=line[0], y=line[1], mode="lines", name="cusps",
            line={"color": theme.faint, "width": weight, "dash": "dash"},
        )  # fmt: skip
        x, y = map(float, line[:, np.argmin(line[0])])
        words.append(word(theme, x, y, "cusp: <i>v</i> = 0", xanchor="left", yshift=8 * weight))
    for half, dash in ((drawn.line[:, :2], "dot"), (drawn.line[:, 1:], "solid")):
        canvas.add(
            "scatter", x=half[0], y=half[1], mode="lines", name="equilibria",
            line={"color": theme.soft, "width": 1.2 * weight, "dash": dash},
        )  # fmt: skip
    for look, curve in drawn.rests:
        canvas.add(
            "scatter", x=curve[0], y=curve[1], mode="lines", name=f"rest points: {look.label}",
            line={"color": look.colour, "width": 1.2 * weight, "dash": "dash"}, meta={"track": look.key},
        )  # fmt: skip
        words.append(rest_word(theme, look, curve))
    return [*words, *add_equilibria(canvas, drawn.ends)]


def rest_word(theme: Theme, look: Look, curve: Array) -> dict[str, Any]:
    """Whose curve of rest points it is, at its unstable side."""
    x, y = map(float, curve[:, 3 * curve.shape[1] // 8])
    side = "left" if x >= 0.0 else "right"
    shift = (8 if side == "left" else -8) * theme.weight
    font = {"color": text_colour(theme, look.colour)}
    return word(theme, x, y, "rests here", name="wide", xanchor=side, xshift=shift, font=font)


def add_equilibria(canvas: Canvas, ends: list[tuple[Array, bool]]) -> list[dict[str, Any]]:
    """Stable equilibria filled, unstable ones empty; returns the words at the outermost."""
    theme, weight = canvas.theme, canvas.theme.weight
    words = []
    for stable, name in ((True, "stable"), (False, "unstable")):
        points = np.array([point for point, is_stable in ends if is_stable == stable]).reshape(-1, 2)
        canvas.add(
            "scatter", x=points[:, 0], y=points[:, 1], mode="markers", name=name,
            marker={
                "size": 7 * weight, "color": theme.ink if stable else theme.paper,
                "line": {"color": theme.ink, "width": 1.4 * weight},
            },
        )  # fmt: skip
        if points.size:
            x, y = points[-1].tolist()
            # Outwards, and to the left of a line that is upright.
            right = x > 0.05 * abs(y)
            shift = (9 if right else -9) * weight
            words.append(word(theme, x, y, name, xanchor="left" if right else "right", xshift=shift))
    return words
