"""How runs fall onto a level set: distances on a logarithmic scale over time, with the law that they should follow."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nhviz.figures.flat import word
from nhviz.figures.orbits import HOVER, add_cross
from nhviz.figures.panels import MARKED, Curves, add_clocks, logarithmic, panel_layout, panel_name, title
from nhviz.figures.style import Array, Canvas, Look, Picture, Theme, fade, text_colour

FLOOR = 1e-16
"""Zero is drawn here."""
TIME = "<i>t</i> (s)"


@dataclass(frozen=True)
class Law:
    """What theory says of a run in the first panel, while it falls, and both rates in words."""

    look: Look
    t: Array
    values: Array
    text: str


def falling(theme: Theme, titles: dict[str, str], runs: Sequence[Curves], laws: Sequence[Law], remark: str) -> Picture:
    """Distances of runs, each kind in a panel on one logarithmic scale; `remark` is said where nothing falls."""
    canvas = Canvas(theme)
    layout = panel_layout(theme, len(titles), len(titles), TIME, True, 1)
    lowest, highest = 1.0, FLOOR
    for i, part in enumerate(titles):
        for run in runs:
            values = np.maximum(run.parts[part], FLOOR)
            add_distance(canvas, run, values, i)
            lowest, highest = min(lowest, float(values.min())), max(highest, float(values.max()))
    for law in laws:
        canvas.add(
            "scatter", x=law.t, y=np.maximum(law.values, FLOOR), mode="lines", name="law", meta={"track": law.look.key},
            line={"color": theme.ink, "width": 1.1 * theme.weight, "dash": "4px,3px"},
        )  # fmt: skip
    low, high = float(np.log10(lowest)), float(np.log10(highest))
    logarithmic(theme, layout, low - 0.08 * (high - low) - 0.2, high + 0.22 * (high - low) + 0.3)
    layout["annotations"] += [title(theme, f"<b>{words}</b>", i) for i, words in enumerate(titles.values())]
    layout["annotations"] += told(theme, laws, remark)
    add_clocks(canvas, layout, [(run.look.key, run.t) for run in runs], len(titles))
    return canvas.picture(layout)


def add_distance(canvas: Canvas, run: Curves, values: Array, number: int) -> None:
    """One series of a run from its first instant on, with some markers if it is that of a map."""
    theme, look, name = canvas.theme, run.look, panel_name(number)
    axes = {"xaxis": f"x{name}", "yaxis": f"y{name}"}
    canvas.add(
        "scatter", x=run.t, y=values, name=look.label, mode="lines+markers" if run.discrete else "lines", **axes,
        hoverinfo="all", hovertemplate=HOVER, meta={"track": look.key, "stride": 1},
        line={"color": look.colour, "width": 1.7 * theme.weight},
        marker={
            "color": look.colour, "symbol": look.symbol, "size": 5.5 * theme.weight, "maxdisplayed": MARKED,
            "line": {"color": look.colour, "width": 1.1 * theme.weight},
        },
    )  # fmt: skip
    if run.stopped:
        add_cross(canvas, look, float(run.t[-1]), float(values[-1]), **axes)


def told(theme: Theme, laws: Sequence[Law], remark: str) -> list[dict[str, object]]:
    """The rates of the runs that fall, below each other at the upper right of the first panel, or the remark."""
    lines = [
        f'<span style="color:{text_colour(theme, law.look.colour)}">{law.text}</span>' for law in laws if law.text
    ] or [remark]
    place = {"xref": "x domain", "yref": "y domain", "xanchor": "right", "yanchor": "top", "align": "right"}
    return [word(theme, 0.99, 0.99, "<br>".join(lines), name="rates", bgcolor=fade(theme.paper, 0.8), **place)]
