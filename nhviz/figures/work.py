"""Errors against the step or against time, both logarithmic: curves, triangles of their slopes, where methods end."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nhviz.figures.flat import flat_layout, word
from nhviz.figures.panels import logarithmic
from nhviz.figures.style import Array, Canvas, Look, Picture, Theme, fade, text_colour
from nhviz.figures.symbols import power_of_ten

BASE = 0.3
"""The base of a triangle, in powers of ten: a little less than a halving."""
GAP = 0.035
"""A triangle stands so far below its curve, as a share of the height of the picture."""
ALIKE = 0.06
"""Slopes that differ by less have one triangle."""
TICKS = 5
FAR = 2.5
"""A method that ends beyond so many times the longest step ends outside of the picture."""
HEIGHT = 30.0
"""What is hatched reaches so many powers of ten beyond the curves: a picture may be moved."""


FARTHEST = 300.0
"""Powers of ten beyond which there are no numbers."""


@dataclass(frozen=True)
class Slope:
    """A measured slope, told to +- its uncertainty, at the steps from `first` to `last`."""

    order: float
    uncertainty: float
    first: float
    last: float

    @property
    def text(self) -> str:
        """The number with its uncertainty, as far as two decimals tell it."""
        return f"{self.order:.2f}" + (f" ± {self.uncertainty:.2f}" if self.uncertainty >= 0.005 else "")


@dataclass(frozen=True)
class Curve:
    """Errors y of one way over x; `slope` is that of a line on these scales, `formula` what is expected at all x."""

    look: Look
    x: Array
    y: Array
    slope: Slope | None = None
    formula: Array | None = None


@dataclass(frozen=True)
class End:
    """Where a way ends, in words with its number."""

    look: Look
    step: float
    text: str


def over_steps(theme: Theme, curves: Sequence[Curve], ends: Sequence[End], upwards: str) -> Picture:
    """Errors over the step; beyond the step where a way ends the picture is hatched in its colour."""
    canvas = Canvas(theme)
    drawn = [curve for curve in curves if curve.x.size]
    layout = flat_layout(theme, "step (s)", upwards, clicks=False)
    if not drawn:
        return canvas.picture(empty(theme, layout))
    low, high = reach(curve.y for curve in drawn)
    longest = max(float(curve.x.max()) for curve in drawn)
    seen = [end for end in ends if end.step < FAR * longest]
    last = max([1.15 * longest, *(1.25 * end.step for end in seen)])
    for i, end in enumerate(sorted(seen, key=lambda one: one.step)):
        add_end(canvas, layout, end, (low, high), i)
    for curve in drawn:
        add_curve(canvas, curve, "%{x:.3g} s, %{y:.3g}<extra>%{fullData.name}</extra>")
    for curve in one_of_each(drawn):
        add_triangle(canvas, layout, curve, drawn, (low, high))
    ranges(theme, layout, (min(float(curve.x.min()) for curve in drawn), last), (low, high))
    return canvas.picture(layout)


def over_time(theme: Theme, curves: Sequence[Curve], upwards: str, note: str) -> Picture:
    """Errors over the measured time of a run, in milliseconds."""
    canvas = Canvas(theme)
    drawn = [curve for curve in curves if curve.x.size]
    layout = flat_layout(theme, f"time of a run (ms), {note}", upwards, clicks=False)
    if not drawn:
        return canvas.picture(empty(theme, layout))
    for curve in drawn:
        add_curve(canvas, curve, "%{x:.3g} ms, %{y:.3g}<extra>%{fullData.name}</extra>")
    low, high = reach(curve.y for curve in drawn)
    across = min(float(c.x.min()) for c in drawn), max(float(c.x.max()) for c in drawn)
    ranges(theme, layout, across, (low, high))
    return canvas.picture(layout)


def reach(parts: Any) -> tuple[float, float]:
    """The least and the greatest of several arrays, as powers of ten."""
    values = np.concatenate(list(parts))
    return float(np.log10(values.min())), float(np.log10(values.max()))


def ranges(theme: Theme, layout: dict[str, Any], across: tuple[float, float], upwards: tuple[float, float]) -> None:
    """Logarithmic scales with room around the curves: above them for the title of the axis."""
    low, high = upwards
    room = max(0.06 * (high - low), 0.15)
    logarithmic(theme, layout, low - room, high + 1.6 * room, every=2 if 4.0 < high - low < 20.0 else None)
    first, last = (float(np.log10(end)) for end in across)
    room = max(0.05 * (last - first), 0.05)
    ends = [first - room, last + 0.3 * room]
    rounds = [share * 10.0**p for p in range(-12, 7) for share in (1.0, 2.0, 5.0)]
    inside = [one for one in rounds if ends[0] < np.log10(one) < ends[1]]
    powers = [one for one in inside if f"{one:e}".startswith("1.0")]
    # Powers of ten alone where there are enough of them.
    chosen = powers if len(powers) >= TICKS - 2 else inside[:: max(1, -(-len(inside) // TICKS))]
    layout["xaxis"] |= {
        "type": "log", "range": ends, "tickvals": chosen, "ticktext": [plain(one) for one in chosen], "zeroline": False,
    }  # fmt: skip


def plain(value: float) -> str:
    """A round number on an axis."""
    return f"{value:g}" if value >= 1e-4 else power_of_ten(round(np.log10(value))) if f"{value:e}"[0] == "1" else ""


def empty(theme: Theme, layout: dict[str, Any]) -> dict[str, Any]:
    """The layout of a picture without any curve."""
    ranges(theme, layout, (1e-3, 1e-1), (-8.0, 0.0))
    return layout


def add_curve(canvas: Canvas, curve: Curve, hover: str) -> None:
    """Dots on a line; what is expected is dashed below them."""
    theme, look = canvas.theme, curve.look
    if curve.formula is not None:
        canvas.add(
            "scatter", x=curve.x, y=curve.formula, mode="lines", name="leading order", meta={"track": look.key},
            line={"color": fade(look.colour, 0.55), "width": 1.6 * theme.weight, "dash": "dash"},
        )  # fmt: skip
    canvas.add(
        "scatter", x=curve.x, y=curve.y, mode="markers" if curve.formula is not None else "lines+markers",
        name=look.label, hoverinfo="all", hovertemplate=hover, meta={"track": look.key},
        line={"color": look.colour, "width": 1.5 * theme.weight},
        marker={
            "color": look.colour, "symbol": look.symbol, "size": 7 * theme.weight,
            "line": {"color": look.colour, "width": 1.3 * theme.weight},
        },
    )  # fmt: skip


def one_of_each(curves: Sequence[Curve]) -> list[Curve]:
    """The first curve of each slope."""
    found: list[Curve] = []
    for curve in curves:
        others = [one.slope.order for one in found if one.slope is not None]
        if curve.slope is not None and all(abs(curve.slope.order - order) >= ALIKE for order in others):
            found.append(curve)
    return found


def add_triangle(
    canvas: Canvas, layout: dict[str, Any], curve: Curve, curves: Sequence[Curve], heights: tuple[float, float]
) -> None:
    """A triangle with the slope of a curve, below it and below others of this slope, with its number beside it."""
    theme, slope = canvas.theme, curve.slope
    assert slope is not None
    right = 0.5 * (np.log10(slope.first) + np.log10(slope.last)) + 0.5 * BASE
    left = right - BASE
    alike = [one for one in curves if one.slope is not None and abs(one.slope.order - slope.order) < ALIKE]
    top = min(height_at(one, right) for one in alike) - GAP * (heights[1] - heights[0])
    bottom = top - slope.order * BASE
    x, y = 10.0 ** np.array([left, right, right, left]), 10.0 ** np.array([bottom, bottom, top, bottom])
    canvas.add(
        "scatter", x=x.tolist(), y=y.tolist(), mode="lines", name="slope", fill="toself",
        fillcolor=fade(curve.look.colour, 0.13), line={"color": curve.look.colour, "width": theme.weight},
        meta={"track": curve.look.key},
    )  # fmt: skip
    colour = {"color": text_colour(theme, curve.look.colour), "size": theme.size + 1}
    layout["annotations"] += [
        word(theme, right, 0.5 * (bottom + top), slope.text, xanchor="left", xshift=4, font=colour, name="slope"),
        word(theme, 0.5 * (left + right), bottom, "1", yanchor="top", name="slope"),
    ]


def height_at(curve: Curve, x: float) -> float:
    """The height of a curve at a place, both as powers of ten."""
    order = np.argsort(curve.x)
    return float(np.interp(x, np.log10(curve.x[order]), np.log10(curve.y[order])))


def add_end(canvas: Canvas, layout: dict[str, Any], end: End, heights: tuple[float, float], number: int) -> None:
    """A line where a way ends, hatched beyond, with words below each other."""
    theme, colour = canvas.theme, end.look.colour
    low, high = (10.0 ** np.clip([heights[0] - HEIGHT, heights[1] + HEIGHT], -FARTHEST, FARTHEST)).tolist()
    far = 1e3 * end.step
    canvas.add(
        "scatter", x=[end.step, end.step, far, far], y=[low, high, high, low], mode="lines", fill="toself",
        name="beyond", line={"color": colour, "width": 0}, fillcolor=fade(colour, 0.05),
        fillpattern={"shape": "/", "fgcolor": fade(colour, 0.5), "bgcolor": fade(colour, 0.05), "size": 9,
                     "solidity": 0.1},
        meta={"track": end.look.key},
    )  # fmt: skip
    canvas.add(
        "scatter", x=[end.step, end.step], y=[low, high], mode="lines", name="end",
        line={"color": colour, "width": 1.8 * theme.weight}, meta={"track": end.look.key},
    )  # fmt: skip
    layout["annotations"].append(
        word(
            theme, np.log10(end.step), 0.05 + 0.055 * number, end.text, yref="y domain", xanchor="right",
            yanchor="bottom", xshift=-6, name="end", bgcolor=fade(theme.paper, 0.8),
            font={"color": text_colour(theme, colour), "size": theme.size + 0.5},
        )
    )  # fmt: skip
