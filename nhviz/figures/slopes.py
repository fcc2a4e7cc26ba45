"""Errors over the step, both logarithmic, in panels that share their scales, with the slopes that were measured."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nhviz.figures.flat import word
from nhviz.figures.orbits import HOVER
from nhviz.figures.panels import logarithmic, panel_layout, panel_name, title
from nhviz.figures.style import Array, Canvas, Look, Picture, Theme, fade, text_colour

STEP = "<i>ε</i> (s)"
TICKS = 3


@dataclass(frozen=True)
class Slope:
    """Errors of one way to run over the step; those at the present step are `here`. `text` tells the slope."""

    look: Look
    steps: Array
    errors: Array
    text: str


def slopes(theme: Theme, panels: Mapping[str, Sequence[Slope]], here: float, note: str) -> Picture:
    """A panel for each title; the present step is a line in all of them."""
    canvas = Canvas(theme)
    layout = panel_layout(theme, len(panels), len(panels), STEP, True, 1)
    everything = [one for found in panels.values() for one in found if one.steps.size]
    for i, (heading, found) in enumerate(panels.items()):
        for one in found:
            add_slope(canvas, one, i)
        layout["annotations"] += [title(theme, f"<b>{heading}</b>", i), told(theme, found, i)]
        name = panel_name(i)
        layout["shapes"].append(
            {
                "type": "line", "xref": f"x{name}", "yref": f"y{name} domain", "x0": here, "x1": here, "y0": 0, "y1": 1,
                "line": {"color": theme.faint, "width": theme.weight, "dash": "2px,2px"}, "layer": "below",
                "name": "present step",
            }
        )  # fmt: skip
    errors = np.concatenate([one.errors for one in everything]) if everything else np.array([1e-8, 1.0])
    steps = np.concatenate([one.steps for one in everything]) if everything else np.array([here / 2.0, 2.0 * here])
    low, high = float(np.log10(errors.min())), float(np.log10(errors.max()))
    # The slopes stand in the upper left, where no error is, and the title of the step below all.
    logarithmic(theme, layout, low - 0.5, high + 0.6 * (high - low) + 0.5)
    across(layout, steps, len(panels))
    if note:
        layout["annotations"].append(title(theme, note, len(panels) - 1, right=True, wide=True))
    return canvas.picture(layout)


def across(layout: dict[str, Any], steps: Array, count: int) -> None:
    """One logarithmic scale of steps for all panels, with few ticks."""
    ends = [float(np.log10(steps.min()) - 0.1), float(np.log10(steps.max()) + 0.1)]
    rounds = [share * 10.0**p for p in range(-10, 3) for share in (1.0, 2.0, 5.0)]
    ticks = [one for one in rounds if ends[0] < np.log10(one) < ends[1]]
    few = ticks[:: -(-len(ticks) // TICKS)] if ticks else []
    for i in range(count):
        layout[f"xaxis{panel_name(i)}"] |= {
            "type": "log", "range": ends, "tickvals": few, "ticktext": [f"{one:g}" for one in few], "tickangle": 0,
        }  # fmt: skip


def add_slope(canvas: Canvas, one: Slope, number: int) -> None:
    """The errors of one way, as dots on a line."""
    theme, look, name = canvas.theme, one.look, panel_name(number)
    if not one.steps.size:
        return
    canvas.add(
        "scatter", x=one.steps, y=one.errors, mode="lines+markers", name=look.label, hoverinfo="all",
        hovertemplate=HOVER, xaxis=f"x{name}", yaxis=f"y{name}",
        line={"color": look.colour, "width": 1.4 * theme.weight},
        marker={
            "color": look.colour, "symbol": look.symbol, "size": 5.5 * theme.weight,
            "line": {"color": look.colour, "width": 1.1 * theme.weight},
        },
    )  # fmt: skip


def told(theme: Theme, found: Sequence[Slope], number: int) -> dict[str, Any]:
    """The slopes of a panel, below each other at its upper left."""
    name = panel_name(number)
    lines = [f'<span style="color:{text_colour(theme, one.look.colour)}">{one.text}</span>' for one in found]
    return word(
        theme, 0.02, 0.99, "<br>".join(lines), xref=f"x{name} domain", yref=f"y{name} domain", xanchor="left",
        yanchor="top", align="left", name="slopes", bgcolor=fade(theme.paper, 0.8),
    )  # fmt: skip
