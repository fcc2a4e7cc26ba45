"""Several panels in one flat picture: their axes, titles, curves over time, and the line of the clock in each."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nhviz.figures.flat import flat_axis, inside, word
from nhviz.figures.orbits import HOVER, add_cross
from nhviz.figures.style import MARGIN, Array, Canvas, Cursor, Look, Theme, common
from nhviz.figures.symbols import power_of_ten
from nhviz.once import once

MARKED = 7
"""So many points of a curve of a map have its marker."""


@dataclass(frozen=True)
class Curves:
    """Times of a run and some series of values at them, by name."""

    look: Look
    discrete: bool
    t: Array
    parts: dict[str, Array]
    stopped: bool = False

    @once
    def later(self) -> Array:
        """The times from the second instant on."""
        return self.t[1:]


def panel_name(number: int) -> str:
    """What plotly calls the axes of a panel, after x and y."""
    return "" if number == 0 else str(number + 1)


def panel_layout(
    theme: Theme, count: int, columns: int, time: str, alike: bool = False, lines: int = 0, between: float = 0.12
) -> dict[str, Any]:
    """Panels row by row, all over one time; with `alike` they have one scale upwards too, told once in each row.

    Above each are so many `lines` for its title; each takes a share `between` of the height.
    """
    rows = -(-count // columns)
    across, upwards = (0.035 if alike else 0.09), (0.06 + between * lines)
    width, height = (1.0 - across * (columns - 1)) / columns, (1.0 - upwards * (rows - 1)) / rows
    layout = common(theme) | {
        "margin": {
            "l": (3.5 if alike else 3.1) * theme.size, "r": 0.9 * theme.size, "b": 1.9 * theme.size,
            "t": (0.3 + 1.4 * lines) * theme.size if lines else 4,
        },
        "annotations": [inside(theme, time, "across", panel_name(count - 1))],
        "shapes": [],
    }  # fmt: skip
    for i in range(count):
        row, column = divmod(i, columns)
        name, left, top = panel_name(i), column * (width + across), 1.0 - row * (height + upwards)
        layout[f"xaxis{name}"] = flat_axis(theme) | {
            "domain": [left, min(left + width, 1.0)], "anchor": f"y{name}", "showticklabels": i + columns >= count,
            "nticks": 4 if columns > 2 else 6, "zeroline": False, **({"matches": "x"} if i else {}),
        }  # fmt: skip
        layout[f"yaxis{name}"] = flat_axis(theme) | {
            "domain": [max(top - height, 0.0), top], "anchor": f"x{name}", "nticks": 6 if rows == 1 else 4,
            **({"showticklabels": column == 0} if alike else {}), **({"matches": "y"} if alike and i else {}),
        }  # fmt: skip
    return layout


def title(theme: Theme, text: str, number: int, right: bool = False, wide: bool = False) -> dict[str, Any]:
    """Words above a panel, at its left or at its right."""
    name = panel_name(number)
    font = {"size": theme.size, "color": theme.soft} if right else {"size": theme.size + 0.5, "color": theme.ink}
    return word(
        theme, int(right), 1, text, xref=f"x{name} domain", yref=f"y{name} domain", xanchor=("left", "right")[right],
        yanchor="bottom", font=font, align="left", name="wide" if wide else "title",
    )  # fmt: skip


def logarithmic(theme: Theme, layout: dict[str, Any], low: float, high: float, every: int | None = None) -> None:
    """Give all panels one logarithmic scale between two powers of ten, with few ticks, or at `every` so many powers."""
    every = every or (4 if high - low > 9.0 else 2 if high - low > 4.0 else 1)
    powers = [power for power in range(int(np.ceil(low)), int(np.floor(high)) + 1) if power % every == 0]
    for name in [name for name in layout if name.startswith("yaxis")]:
        layout[name] |= {
            "type": "log", "range": [low, high], "tickvals": [10.0**power for power in powers],
            "ticktext": [power_of_ten(power) for power in powers], "zeroline": False,
        }  # fmt: skip


def add_curve(canvas: Canvas, run: Curves, series: Array, number: int, quiet: bool) -> None:
    """One series of a run from its second instant on; a quiet one is thin, another of a map has some markers."""
    theme, look, name = canvas.theme, run.look, panel_name(number)
    marked = run.discrete and not quiet
    canvas.add(
        "scatter", x=canvas.shared(run.later, "x"), y=series[1:], xaxis=f"x{name}", yaxis=f"y{name}", name=look.label,
        mode="lines+markers" if marked else "lines", hoverinfo="all", hovertemplate=HOVER,
        opacity=0.75 if quiet else 1, meta={"track": look.key, "offset": 1},
        line={"color": look.colour, "width": (0.8 if quiet else 2.0) * theme.weight},
        marker={
            "color": look.colour, "symbol": look.symbol, "size": 5.5 * theme.weight, "maxdisplayed": MARKED,
            "line": {"color": look.colour, "width": 1.1 * theme.weight},
        },
    )  # fmt: skip
    if run.stopped and len(run.t) > 1:
        place = float(run.t[-1]), float(series[-1])
        add_cross(canvas, look, *place, xaxis=f"x{name}", yaxis=f"y{name}")


def add_clocks(canvas: Canvas, layout: dict[str, Any], tracks: Sequence[tuple[str, Array]], count: int) -> None:
    """A line in each panel that moves with the clock, from edge to edge; it is that of the run that lasts longest."""
    track, t = max(tracks, key=lambda each: each[1][-1])
    span, positions = float(t[-1] - t[0]) or 1.0, (np.repeat(t, 2),)
    for number in range(count):
        name = panel_name(number)
        axis = layout[f"yaxis{name}"]
        low, high = axis["range"]
        ends = [10.0**low, 10.0**high] if axis.get("type") == "log" else [low, high]
        layout[f"xaxis{name}"]["range"] = [float(t[0]) - 0.02 * span, float(t[-1]) + 0.02 * span]
        index = canvas.add(
            "scatter", x=[float(t[0])] * 2, y=ends, xaxis=f"x{name}", yaxis=f"y{name}", mode="lines", name="clock",
            line={"color": canvas.theme.faint, "width": canvas.theme.weight},
        )  # fmt: skip
        canvas.cursors.append(Cursor(index, track, positions, points=2))


def range_of(arrays: Sequence[Array]) -> tuple[float, float]:
    """Least and greatest value of several arrays."""
    return min(float(values.min()) for values in arrays), max(float(values.max()) for values in arrays)


def with_room(low: float, high: float, above: float = 0.0) -> list[float]:
    """A range with a little more at both ends, and `above` a share of it for the title of its axis.

    What differs by less than a browser's 32-bit floats is one value.
    """
    room = MARGIN * (high - low) if high - low > 1e-6 * max(abs(low), abs(high)) else 1.0
    return [low - room, high + room + above * (high - low)]
