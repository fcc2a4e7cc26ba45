"""The stability number step * Lambda of pulled runs over time, each with the bound of its scheme."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nhviz.figures.flat import flat_axis, inside, word
from nhviz.figures.orbits import HOVER, add_cross
from nhviz.figures.panels import MARKED, add_clocks, title
from nhviz.figures.style import Array, Canvas, Look, Picture, Theme, common, fade, text_colour

HIGHEST = 2.0
"""A run that is lost leaves every bound: no more than so many times the largest is shown."""


@dataclass(frozen=True)
class Number:
    """The stability number of a run over time, the bound of its scheme, and what is said at that.

    `motion` is the number along the motion itself, of a run that was lost.
    """

    look: Look
    t: Array
    values: Array
    bound: float
    text: str
    stopped: bool = False
    motion: tuple[Array, Array] | None = None


def stability(theme: Theme, numbers: Sequence[Number], clock: tuple[str, Array], verdict: str) -> Picture:
    """Curves with their bounds; beyond these they are marked. `verdict` stands above."""
    canvas = Canvas(theme)
    layout = common(theme) | {
        "margin": {"l": 3.1 * theme.size, "r": 0.9 * theme.size, "t": 1.7 * theme.size, "b": 1.9 * theme.size},
        "xaxis": flat_axis(theme) | {"zeroline": False},
        "yaxis": flat_axis(theme),
        "shapes": [],
        "annotations": [inside(theme, "<i>t</i> (s)", "across"), title(theme, "<b>Step times Λ</b>", 0)],
    }
    layout["annotations"].append(title(theme, verdict, 0, right=True, wide=True))
    most = max((number.bound for number in numbers), default=1.0)
    reached = max((float(number.values.max()) for number in numbers), default=0.0)
    top = min(max(1.18 * most, 1.08 * reached), HIGHEST * most)
    for number in numbers:
        add_bound(theme, layout, number, top)
        add_number(canvas, number, top)
    layout["yaxis"]["range"] = [-0.04 * top, top]
    add_clocks(canvas, layout, [clock, *((number.look.key, number.t) for number in numbers)], 1)
    return canvas.picture(layout)


def add_number(canvas: Canvas, number: Number, top: float) -> None:
    """The curve of a run; where it is beyond its bound it has dots of alarm. What is above the picture is left out."""
    theme, look = canvas.theme, number.look
    if number.motion is not None:
        canvas.add(
            "scatter", x=number.motion[0], y=np.minimum(number.motion[1], 2.0 * top), mode="lines", name="motion",
            line={"color": look.colour, "width": 1.1 * theme.weight, "dash": "4px,3px"}, meta={"track": look.key},
        )  # fmt: skip
    values = np.minimum(number.values, 2.0 * top)
    canvas.add(
        "scatter", x=number.t, y=values, mode="lines+markers", name=look.label, hoverinfo="all", hovertemplate=HOVER,
        meta={"track": look.key, "stride": 1}, line={"color": look.colour, "width": 1.9 * theme.weight},
        marker={"color": look.colour, "symbol": look.symbol, "size": 5.5 * theme.weight, "maxdisplayed": MARKED},
    )  # fmt: skip
    beyond = number.values > number.bound
    if beyond.any():
        canvas.add(
            "scatter", x=number.t[beyond], y=values[beyond], mode="markers", name="beyond", meta={"track": look.key},
            marker={"color": theme.alarm, "size": 4.0 * theme.weight},
        )  # fmt: skip
    if number.stopped:
        add_cross(canvas, look, float(number.t[-1]), float(min(values[-1], top)))


def add_bound(theme: Theme, layout: dict[str, Any], number: Number, top: float) -> None:
    """The bound of a scheme as a line with its words, and a pale band above it."""
    colour = number.look.colour
    across = {"xref": "x domain", "yref": "y", "x0": 0, "x1": 1, "name": number.look.key, "layer": "below"}
    layout["shapes"] += [
        {"type": "rect", "y0": number.bound, "y1": 2.0 * top, "fillcolor": fade(colour, 0.06), "line": {"width": 0},
         **across},
        {"type": "line", "y0": number.bound, "y1": number.bound, **across,
         "line": {"color": colour, "width": 1.4 * theme.weight, "dash": "2px,2px"}},
    ]  # fmt: skip
    layout["annotations"].append(
        word(theme, 0.01, number.bound, number.text, xref="x domain", yref="y", xanchor="left", yanchor="bottom",
             font={"color": text_colour(theme, colour)}, name="bound", bgcolor=fade(theme.paper, 0.8))
    )  # fmt: skip
