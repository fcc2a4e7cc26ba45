"""Poincare sections: the points at which runs cross a plane, which come with the clock, over the exact curve."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nhviz.figures.flat import flat_axis, inside, word
from nhviz.figures.orbits import HOVER, dot_size
from nhviz.figures.space import Trail
from nhviz.figures.style import MARGIN, Array, Canvas, Look, Picture, Theme, common, fade, text_colour

BETWEEN = 0.1
"""The part of the width between two panels."""
ROOM = 0.35
"""Points may leave the exact curve by this part of its size before they leave the picture."""

ABOVE = 0.4
Ends = tuple[list[float], list[float]]


@dataclass(frozen=True)
class Crossings:
    """The crossings of a run, (n,) in each coordinate, and how many there are at each instant."""

    look: Look
    places: tuple[Array, ...]
    counts: Array
    text: str = ""


@dataclass(frozen=True)
class Panel:
    """Two of the coordinates, what they are called, and the curve (2, n) of all crossings, if it is known."""

    across: int
    up: int
    names: tuple[str, str]
    curve: Array | None = None


def crossings(theme: Theme, panels: Sequence[Panel], runs: Sequence[Crossings], words: str) -> Picture:
    """Panels beside each other; `words` stand in the middle of the first, and what runs say below them."""
    canvas = Canvas(theme)
    layout = common(theme) | {
        "margin": {"l": 3.1 * theme.size, "r": 0.9 * theme.size, "t": 6, "b": 1.9 * theme.size},
        "annotations": [],
        "clickanywhere": False,
    }
    for number, panel in enumerate(panels):
        name = "" if number == 0 else str(number + 1)
        width = (1.0 - BETWEEN * (len(panels) - 1)) / len(panels)
        left = number * (width + BETWEEN)
        layout[f"xaxis{name}"] = flat_axis(theme) | {"domain": [left, left + width], "anchor": f"y{name}", "nticks": 5}
        layout[f"yaxis{name}"] = flat_axis(theme) | {"anchor": f"x{name}", "nticks": 5}
        layout["annotations"] += [
            inside(theme, panel.names[0], "across", name), inside(theme, panel.names[1], "upwards", name),
        ]  # fmt: skip
        for axis, range_ in zip("xy", ranges(panel, runs), strict=True):
            layout[f"{axis}axis{name}"]["range"] = range_
        ends = layout[f"xaxis{name}"]["range"], layout[f"yaxis{name}"]["range"]
        add_panel(canvas, panel, runs, ends, name)
        layout["annotations"] += left_behind(theme, panel, runs, ends, name)
    layout["annotations"].append(said(theme, panels[0], runs, words))
    return canvas.picture(layout)


def ranges(panel: Panel, runs: Sequence[Crossings]) -> tuple[list[float], list[float]]:
    """What both axes show: the exact curve and some room about it, else all crossings."""
    found = []
    for row, index in enumerate((panel.across, panel.up)):
        if panel.curve is not None:
            values, room = panel.curve[row], ROOM
        else:
            values, room = np.concatenate([np.zeros(0), *(run.places[index] for run in runs)]), MARGIN
        low, high = (float(values.min()), float(values.max())) if values.size else (-1.0, 1.0)
        size = high - low if high - low > 1e-6 * max(abs(low), abs(high), 1e-3) else 1.0
        # Without a curve, the words stand above all crossings.
        above = ABOVE if panel.curve is None and row == 1 else 0.0
        found.append([low - room * size, high + (room + above) * size])
    return found[0], found[1]


def add_panel(canvas: Canvas, panel: Panel, runs: Sequence[Crossings], ends: Ends, name: str) -> None:
    """The exact curve in ink, and the crossings of every run up to the clock that are within the picture."""
    theme, axes = canvas.theme, {"xaxis": f"x{name}", "yaxis": f"y{name}"}
    if panel.curve is not None:
        canvas.add(
            "scatter", x=panel.curve[0], y=panel.curve[1], mode="lines", name="exact", **axes,
            line={"color": theme.ink, "width": 1.3 * theme.weight},
        )  # fmt: skip
    for run in runs:
        within = is_within(panel, run, ends)
        x, y = run.places[panel.across][within], run.places[panel.up][within]
        counts = np.concatenate([[0], np.cumsum(within)])[run.counts]
        past = int(counts[0])
        size = theme.weight * dot_size(len(x))
        index = canvas.add(
            "scatter", x=x[:past], y=y[:past], mode="markers", name=run.look.label, **axes,
            meta={"track": run.look.key}, hoverinfo="all", hovertemplate=HOVER,
            marker={
                "color": run.look.colour, "symbol": run.look.symbol, "size": size,
                "line": {"color": run.look.colour, "width": theme.weight},
            },
        )  # fmt: skip
        canvas.cursors.append(Trail(index, run.look.key, (x, y), counts=counts))


def is_within(panel: Panel, run: Crossings, ends: Ends) -> Array:
    """Which crossings of a run are within the picture."""
    inside = np.ones(run.places[0].size, dtype=bool)
    for index, (low, high) in zip((panel.across, panel.up), ends, strict=True):
        inside &= (run.places[index] > low) & (run.places[index] < high)
    return inside


def left_behind(theme: Theme, panel: Panel, runs: Sequence[Crossings], ends: Ends, name: str) -> list[dict[str, Any]]:
    """The name of the first run that leaves the picture, at its lower left, away from the names of axes."""
    for run in runs:
        if not is_within(panel, run, ends).all():
            place = {"xref": f"x{name} domain", "yref": f"y{name} domain", "xanchor": "left", "yanchor": "bottom"}
            font = {"color": text_colour(theme, run.look.colour)}
            return [word(theme, 0, 0, f"{run.look.label} leaves", name="leaves", font=font, **place)]
    return []


def said(theme: Theme, panel: Panel, runs: Sequence[Crossings], words: str) -> dict[str, Any]:
    """What is said of the curve and of the runs: in the middle of the curve, else at the upper right."""
    lines = [words, *(f'<span style="color:{text_colour(theme, run.look.colour)}">{run.text}</span>' for run in runs)]
    text = "<br>".join(line for run, line in zip([None, *runs], lines, strict=True) if run is None or run.text)
    if panel.curve is None:
        place = {"xref": "x domain", "yref": "y domain", "xanchor": "right", "yanchor": "top", "align": "right"}
        return word(theme, 0.99, 0.99, text, name="turns", bgcolor=fade(theme.paper, 0.8), **place)
    x, y = (float(0.5 * (row.min() + row.max())) for row in panel.curve)
    return word(theme, x, y, text, xref="x", yref="y", name="turns", bgcolor=fade(theme.paper, 0.8))
