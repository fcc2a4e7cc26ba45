"""How a map keeps the energy: its band over time, and how wide the band is for each step."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nhviz.figures.flat import flat_axis, inside, word
from nhviz.figures.orbits import HOVER, add_cross, dots_over_time
from nhviz.figures.panels import add_clocks, title, with_room
from nhviz.figures.style import Array, Canvas, Look, Picture, Theme, common, fade, text_colour
from nhviz.figures.symbols import power_of_ten

ACROSS = (0.6, 0.72)
"""Where the first panel ends and the second begins."""
TIME = "<i>t</i> (s)"
STEP = "<i>ε</i> (s)"
BESIDE = 0.13
"""The picture reaches so much farther than its curves, in shares of their time: there the steps of bands stand."""
TICKS = 3
"""A telephone has room for so many steps below the second panel."""
FILL = (0.16, 0.09)
"""How opaque bands are: those of shorter steps more than those of longer ones."""


@dataclass(frozen=True)
class Band:
    """(E - E0)/E0 of a run over time, and what its band is called."""

    look: Look
    discrete: bool
    t: Array
    values: Array
    text: str = ""
    stopped: bool = False


@dataclass(frozen=True)
class Widths:
    """The widths of bands for several steps, the present step with its width, the fold, and the time they are made of.

    A width that there is not is NaN.
    """

    look: Look
    steps: Array
    widths: Array
    here: tuple[float, float]
    fold: float | None = None
    note: str = ""


def energy(theme: Theme, bands: Sequence[Band], found: Widths | None, verdict: str) -> Picture:
    """Bands over time at the left; at the right, if there is a map, their widths over the step. `verdict` is said."""
    canvas = Canvas(theme)
    most = max((float(np.abs(band.values).max()) for band in bands), default=0.0)
    power = int(np.floor(np.log10(most))) if most > 0.0 else 0
    layout = common(theme) | {
        "margin": {"l": 3.1 * theme.size, "r": 0.9 * theme.size, "t": 1.7 * theme.size, "b": 1.9 * theme.size},
        "xaxis": flat_axis(theme) | {"domain": [0.0, ACROSS[0] if found else 1.0], "anchor": "y", "zeroline": False},
        "yaxis": flat_axis(theme) | {"anchor": "x", "nticks": 5},
        "shapes": [],
        "annotations": [inside(theme, TIME, "across")],
    }
    add_bands(canvas, layout, bands, 10.0**-power)
    unit = f" · {power_of_ten(-power)}" if power else ""
    layout["annotations"] += [
        title(theme, f"<b>Energy</b>  (<i>E</i> − <i>E</i>₀)/<i>E</i>₀{unit}", 0),
        title(theme, verdict, 0, right=True, wide=True),
    ]
    if bands:
        add_clocks(canvas, layout, [(band.look.key, band.t) for band in bands], 1)
        begin, end = layout["xaxis"]["range"]
        layout["xaxis"]["range"] = [begin, end + BESIDE * (end - begin) * any(band.text for band in bands)]
    if found is not None:
        add_widths(canvas, layout, found)
    return canvas.picture(layout)


def add_bands(canvas: Canvas, layout: dict[str, Any], bands: Sequence[Band], scale: float) -> None:
    """Each map as dots on a thin line in its filled band, the flow as a line; values times a power of ten."""
    theme, size = canvas.theme, canvas.theme.size
    maps = [band for band in bands if band.discrete]
    for band in bands:
        look, values = band.look, scale * band.values
        low, high = float(values.min()), float(values.max())
        lines = {"color": look.colour, "width": (0.9 if band.discrete else 1.8) * theme.weight}
        canvas.add(
            "scatter", x=band.t, y=values, mode="lines+markers" if band.discrete else "lines", line=lines,
            name=look.label, hoverinfo="all", hovertemplate=HOVER, meta={"track": look.key, "stride": 1},
            opacity=0.75 if band.discrete and look.scale < 1.0 else 1.0,
            marker=dots_over_time(theme, look, len(band.t)) | {"size": 3.0 * look.scale * theme.weight},
        )  # fmt: skip
        if band.stopped:
            add_cross(canvas, look, float(band.t[-1]), float(values[-1]))
        if band.discrete:
            fill = fade(look.colour, FILL[0] if look.scale < 1.0 else FILL[1])
            layout["shapes"].append(
                {
                    "type": "rect", "xref": "x domain", "yref": "y", "x0": 0, "x1": 1, "y0": low, "y1": high,
                    "fillcolor": fill, "line": {"width": 0}, "layer": "below", "name": look.key,
                }
            )  # fmt: skip
            font = {"size": size - 0.5, "color": text_colour(theme, look.colour)}
            layout["annotations"].append(
                word(theme, 0.995, low, band.text, xref="x domain", yref="y", xanchor="right", font=font,
                     yanchor="bottom", bgcolor=fade(theme.paper, 0.8), name="band")
            )  # fmt: skip
    spread = [scale * float(end) for band in maps or bands for end in (band.values.min(), band.values.max())]
    low, high = with_room(min([*spread, 0.0]), max([*spread, 0.0]))
    # Below the lowest band is room for the title of the time.
    layout["yaxis"]["range"] = [low - 0.09 * (high - low), high]


def add_widths(canvas: Canvas, layout: dict[str, Any], found: Widths) -> None:
    """The width of the band over the step, both logarithmic, a line of slope 2, and the fold."""
    theme, look, weight = canvas.theme, found.look, canvas.theme.weight
    place = {"xaxis": "x2", "yaxis": "y2"}
    known = np.isfinite(found.widths) & (found.widths > 0.0)
    steps, widths = found.steps[known], found.widths[known]
    layout["xaxis2"] = flat_axis(theme) | {"domain": [ACROSS[1], 1.0], "anchor": "y2", "type": "log", "zeroline": False}
    layout["yaxis2"] = flat_axis(theme) | {"anchor": "x2", "type": "log", "zeroline": False}
    layout["annotations"] += [
        title(theme, "<b>Width of the band</b>" + found.note, 1), inside(theme, STEP, "across", "2"),
    ]  # fmt: skip
    ends = np.array([found.steps[0] / 1.25, max(found.steps[-1], found.fold or 0.0) * 1.25])
    if len(steps):
        line = widths[0] * (ends / steps[0]) ** 2
        canvas.add(
            "scatter", x=ends, y=line, mode="lines", name="slope 2", **place,
            line={"color": theme.soft, "width": 1.1 * weight, "dash": "4px,3px"},
        )  # fmt: skip
        canvas.add(
            "scatter", x=steps, y=widths, mode="markers", name=look.label, hoverinfo="all", hovertemplate=HOVER,
            marker={"color": look.colour, "symbol": look.head, "size": 5.5 * weight}, **place,
        )  # fmt: skip
        third = len(steps) // 3
        layout["annotations"].append(
            word(theme, float(np.log10(steps[third])), float(np.log10(widths[third])), "slope 2", xref="x2", yref="y2",
                 xanchor="right", yanchor="bottom", xshift=-4, name="wide")
        )  # fmt: skip
        ranges(layout, ends, np.array([*widths, *line]))
    else:
        ranges(layout, ends, np.array([1e-8, 1.0]))
    if found.here[1] > 0.0:
        canvas.add(
            "scatter", x=[found.here[0]], y=[found.here[1]], mode="markers", name="present step", **place,
            marker={"color": look.colour, "size": 11 * weight, "line": {"color": theme.paper, "width": 2 * weight}},
        )  # fmt: skip
    if found.fold is not None:
        add_fold(theme, layout, found.fold, look)


def ranges(layout: dict[str, Any], steps: Array, widths: Array) -> None:
    """The ranges of the logarithmic axes, with few ticks."""
    low, high = np.log10(widths.min()), np.log10(widths.max())
    layout["xaxis2"]["range"] = [float(np.log10(steps[0]) - 0.02), float(np.log10(steps[-1]) + 0.02)]
    layout["yaxis2"]["range"] = [float(low - 0.1), float(high + 0.1)]
    powers = list(range(int(np.ceil(low)), int(np.floor(high)) + 1))[:: max(1, round((high - low) / 4.0))]
    layout["yaxis2"] |= {"tickvals": [10.0**p for p in powers], "ticktext": [power_of_ten(p) for p in powers]}
    rounds = [share * 10.0**p for p in range(-9, 3) for share in (1.0, 2.0, 5.0)]
    ticks = [one for one in rounds if 1.1 * steps[0] <= one <= steps[-1]]
    few = ticks[:: -(-len(ticks) // TICKS)] if ticks else []
    layout["xaxis2"] |= {"tickvals": few, "ticktext": [f"{one:g}" for one in few], "tickangle": 0}


def add_fold(theme: Theme, layout: dict[str, Any], fold: float, look: Look) -> None:
    """The largest step, as a dotted line."""
    colour = text_colour(theme, look.colour)
    layout["shapes"].append(
        {
            "type": "line", "xref": "x2", "yref": "y2 domain", "x0": fold, "x1": fold, "y0": 0, "y1": 1, "name": "fold",
            "line": {"color": look.colour, "width": 1.5 * theme.weight, "dash": "2px,2px"},
        }
    )  # fmt: skip
    layout["annotations"].append(
        word(theme, float(np.log10(fold)), 0.16, "fold", xref="x2", yref="y2 domain", xanchor="right", xshift=-3,
             font={"color": colour})
    )  # fmt: skip
