"""What is printed against what is right: curves, places and blades of both, and what each formula leaves over."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from nhviz.figures.flat import flat_layout, word
from nhviz.figures.panels import logarithmic, with_room
from nhviz.figures.series import FLOOR, LOWEST, ROUND_OFF
from nhviz.figures.style import Array, Canvas, Picture, Theme, text_colour

Role = Literal["printed", "corrected", "independent", "ground"]
Shape = Literal["line", "places", "blades"]
ABOVE, BELOW = 0.16, 0.08
"""The parts of the picture above and below its curves, for its words."""
EDGE = "legend"
"""The name of the words that tell the two forms apart."""


@dataclass(frozen=True)
class Drawn:
    """A curve, some places, or short strokes with NaN between them; `role` says whose, `name` what they are."""

    x: Array
    y: Array
    role: Role
    shape: Shape = "line"
    name: str = ""


def against(
    theme: Theme, axes: tuple[str, str], drawn: Sequence[Drawn], equal: bool = False, upside_down: bool = False
) -> Picture:
    """Curves of both forms in the plane; `upside_down` the second coordinate grows downwards."""
    canvas = Canvas(theme)
    for one in drawn:
        add(canvas, one)
    layout = flat_layout(theme, *axes, equal=equal, words=[legend(theme)], clicks=False)
    if upside_down:
        layout["yaxis"]["autorange"] = "reversed"
    elif not equal:
        heights = np.concatenate([one.y for one in drawn])
        low, high = float(np.nanmin(heights)), float(np.nanmax(heights))
        layout["yaxis"]["range"] = with_room(low - BELOW * (high - low), high, above=ABOVE)
    return canvas.picture(layout)


def left_over(theme: Theme, axes: tuple[str, str], x: Array, printed: Array, corrected: Array) -> Picture:
    """The size of what each form leaves over, which should be nothing, on a logarithmic scale with its round-off."""
    canvas = Canvas(theme)
    sizes = [np.maximum(np.abs(values), FLOOR) for values in (printed, corrected)]
    for one in (Drawn(x, sizes[0], "printed"), Drawn(x, sizes[1], "corrected")):
        add(canvas, one)
    layout = flat_layout(theme, *axes, words=[legend(theme)], clicks=False)
    top = float(np.log10(max(np.abs(printed).max(), np.abs(corrected).max(), 1.0)))
    logarithmic(theme, layout, LOWEST, top + 1.6)
    layout["shapes"] = [
        {
            "type": "rect", "xref": "x domain", "yref": "y", "x0": 0, "x1": 1, "y0": 10.0**LOWEST, "y1": ROUND_OFF,
            "fillcolor": theme.band, "line": {"width": 0}, "layer": "below", "name": "round-off",
        }
    ]  # fmt: skip
    place = {"xref": "x domain", "xanchor": "left", "yanchor": "bottom", "font": {"size": theme.size - 0.5}}
    layout["annotations"].append(word(theme, 0.03, float(np.log10(ROUND_OFF)), "round-off", **place))
    return canvas.picture(layout)


def add(canvas: Canvas, one: Drawn) -> None:
    """One of them: printed is dashed and in the colour of alarm, corrected in that of the motion itself."""
    theme, weight = canvas.theme, canvas.theme.weight
    colour = colour_of(theme, one)
    looks: dict[str, dict[str, Any]] = {
        "line": {
            "mode": "lines",
            "line": {
                "color": colour, "width": (1.2 if one.role == "ground" else 2.0) * weight,
                "dash": "dash" if one.role == "printed" else "solid",
            },
        },
        "places": {
            "mode": "markers",
            "marker": {
                "color": colour, "size": (11 if one.role == "printed" else 8) * weight,
                "symbol": {"printed": "x-thin-open", "independent": "square-open"}.get(one.role, "circle"),
                "line": {"color": colour, "width": 2.0 * weight},
            },
        },
        "blades": {"mode": "lines", "line": {"color": colour, "width": 3.6 * weight}},
    }  # fmt: skip
    canvas.add("scatter", x=one.x, y=one.y, name=one.name or one.role, **looks[one.shape])


def colour_of(theme: Theme, one: Drawn) -> str:
    """The colour of a role; a corrected blade is ink, to be seen on its own path."""
    if one.role == "corrected" and one.shape == "blades":
        return theme.ink
    return {
        "printed": theme.alarm, "corrected": theme.methods[0], "independent": theme.methods[5], "ground": theme.faint,
    }[one.role]  # fmt: skip


def legend(theme: Theme) -> dict[str, Any]:
    """Both names in their colours, at the upper right, below the line in which a long title of the axis ends."""
    printed, corrected = (text_colour(theme, colour) for colour in (theme.alarm, theme.methods[0]))
    text = f'<span style="color:{printed}">– – printed</span>   <span style="color:{corrected}">— corrected</span>'
    return word(
        theme, 1, 1, text, xref="x domain", yref="y domain", xanchor="right", yanchor="top", yshift=-1.6 * theme.size,
        name=EDGE,
    )  # fmt: skip


def strokes(x: Array, y: Array, angle: Array, length: float) -> tuple[Array, Array]:
    """Short strokes at places, each in its direction, with NaN between them."""
    aside = np.array([-0.5, 0.5, np.nan]) * length
    ends = [(at[:, None] + along[:, None] * aside).ravel() for at, along in ((x, np.cos(angle)), (y, np.sin(angle)))]
    return ends[0], ends[1]
