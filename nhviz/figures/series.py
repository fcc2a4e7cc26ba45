"""Curves over time: components, phase leads, and on a logarithmic scale drifts and errors."""

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from nhviz.figures.flat import flat_layout, inside, word
from nhviz.figures.orbits import HOVER, add_cross, dots_over_time, drawn_as, in_order
from nhviz.figures.panels import (
    Curves,
    add_clocks,
    add_curve,
    logarithmic,
    panel_layout,
    panel_name,
    range_of,
    title,
    with_room,
)
from nhviz.figures.style import Array, Canvas, Look, Orbit, Picture, Theme, fade
from nhviz.figures.symbols import power_of_ten

FLOOR = 1e-16
"""Zero is drawn here."""
ROUND_OFF = 3e-15
"""The band up to here is what sums of 64-bit numbers differ by."""
KEPT = 1e-11
"""What strays by less is kept."""
LOWEST = -17.3
"""The lower end of the scale of drifts, as a power of ten."""
TIME = "<i>t</i> (s)"
LETTERS = {1: 50, 2: 20, 3: 13}
"""So many fit above a panel of a narrow picture, by the number of panels in a row."""
WIDER = 1.35
"""A wide picture holds so many times as many."""


@dataclass(frozen=True)
class Lead:
    """Times of a map's run, the angle by which it is ahead of the flow, and that angle to leading order."""

    look: Look
    t: Array
    measured: Array
    predicted: Array
    stopped: bool = False


def components(theme: Theme, labels: Sequence[str], orbits: Sequence[Orbit]) -> Picture:
    """Orbits as (t, component, component, ...), each component in a panel of its own."""
    canvas = Canvas(theme)
    columns = 1 if len(labels) <= 3 else 2
    layout = panel_layout(theme, len(labels), columns, TIME, lines=1)
    for i, label in enumerate(labels):
        name = panel_name(i)
        axes = {"xaxis": f"x{name}", "yaxis": f"y{name}"}
        for orbit in in_order(orbits):
            t, values = orbit.drawn[0], orbit.drawn[i + 1]
            canvas.add(
                "scatter", x=t, y=values, **axes, name=orbit.look.label, meta=orbit.meta,
                **drawn_as(theme, orbit.look, orbit.discrete, len(t), over_time=True),
            )  # fmt: skip
            if orbit.stopped:
                add_cross(canvas, orbit.look, float(t[-1]), float(values[-1]), **axes)
        layout[f"yaxis{name}"]["range"] = with_room(*range_of([orbit.drawn[i + 1] for orbit in orbits]))
        layout["annotations"].append(inside(theme, label, "upwards", name, above=True))
    add_clocks(canvas, layout, [(orbit.look.key, orbit.moving[0]) for orbit in orbits], len(labels))
    return canvas.picture(layout)


def drift(theme: Theme, titles: dict[str, str], runs: Sequence[Curves], between: float = 0.12) -> Picture:
    """Drifts |value - start| over their scale, each quantity in a panel; titles say in words what it is.

    Between rows of panels each line of these takes a share `between` of the height.
    """
    canvas = Canvas(theme)
    columns = -(-len(titles) // -(-len(titles) // 3))
    worst = dict.fromkeys(titles, 0.0)
    for run in runs:
        for i, part in enumerate(titles):
            greatest = float(run.parts[part].max())
            worst[part] = max(worst[part], greatest)
            add_curve(canvas, run, np.maximum(run.parts[part], FLOOR), i, greatest < KEPT)
    words, lines = panel_words(theme, titles, worst, columns)
    layout = panel_layout(theme, len(titles), columns, TIME, True, lines, between)
    top = max(1.2, np.log10(max(*worst.values(), FLOOR)) + 0.5)
    logarithmic(theme, layout, LOWEST, float(top))
    for i in range(len(titles)):
        layout["shapes"].append(
            {
                "type": "rect", "xref": f"x{panel_name(i)} domain", "yref": f"y{panel_name(i)}", "x0": 0, "x1": 1,
                "y0": 10.0**LOWEST, "y1": ROUND_OFF, "fillcolor": theme.band, "line": {"width": 0}, "layer": "below",
                "name": "round-off",
            }
        )  # fmt: skip
    place = {"xref": "x domain", "xanchor": "left", "yanchor": "bottom", "font": {"size": theme.size - 0.5}}
    layout["annotations"] += [*words, word(theme, 0.03, float(np.log10(ROUND_OFF)), "round-off", **place)]
    add_clocks(canvas, layout, [(run.look.key, run.t) for run in runs], len(titles))
    return canvas.picture(layout)


def panel_words(
    theme: Theme, titles: dict[str, str], worst: dict[str, float], columns: int
) -> tuple[list[dict[str, Any]], int]:
    """What stands above each panel, its title and how far its quantity strays, and the number of lines of these.

    That is at the right of the title if there is room for it, at least in a wide picture, else below it.
    """
    letters, words, most = LETTERS[columns], [], 1
    for i, (part, text) in enumerate(titles.items()):
        lines = in_two_lines(text, letters)
        said = kept(worst[part])
        length = len(lines[-1]) + len(said)
        heading = f"<b>{'<br>'.join(lines)}</b>"
        if length > WIDER * letters:
            words.append(title(theme, f"{heading}<br>{said}", i))
            most = max(most, len(lines) + 1)
        else:
            words += [title(theme, heading, i), title(theme, said, i, right=True, wide=length > letters - 2)]
            most = max(most, len(lines))
    return words, most


@lru_cache(maxsize=256)
def in_two_lines(text: str, letters: int) -> list[str]:
    """Words in lines of no more letters, two at most."""
    return textwrap.wrap(text, letters, max_lines=2, placeholder=" …")


def kept(worst: float) -> str:
    """How far a quantity strays at most, in two digits that are not less."""
    if worst < KEPT:
        return "kept"
    power = int(np.floor(np.log10(worst)))
    digits = int(np.ceil(worst / 10.0 ** (power - 1) - 1e-9))
    power, digits = (power + 1, 10) if digits == 100 else (power, digits)
    if -4 < power < 4:
        return f"≤ {digits * 10.0 ** (power - 1):.{max(1 - power, 0)}f}"
    return f"≤ {digits / 10:.1f}·{power_of_ten(power)}"


def error(theme: Theme, titles: dict[str, str], runs: Sequence[Curves], clock: tuple[str, Array]) -> Picture:
    """Distances of runs to the motion itself, each part of the state in a panel, on one logarithmic scale."""
    canvas = Canvas(theme)
    layout = panel_layout(theme, len(titles), len(titles), TIME, True, 1)
    for run in runs:
        for i, part in enumerate(titles):
            add_curve(canvas, run, np.maximum(run.parts[part], FLOOR), i, quiet=False)
    shown = [np.maximum(run.parts[part][1:], FLOOR) for run in runs for part in titles if len(run.t) > 1]
    low, high = np.log10(range_of(shown)) if shown else (-8.0, 0.0)
    middle, half = 0.5 * (low + high), max(0.55 * (high - low), 1.0)
    logarithmic(theme, layout, float(middle - half), float(middle + half))
    layout["annotations"] += [title(theme, f"<b>{words}</b>", i) for i, words in enumerate(titles.values())]
    add_clocks(canvas, layout, [clock, *((run.look.key, run.t) for run in runs)], len(titles))
    return canvas.picture(layout)


def lead(theme: Theme, runs: Sequence[Lead]) -> Picture:
    """Phase lead of each map: measured as dots, to leading order as a line."""
    canvas = Canvas(theme)
    for run in runs[::-1]:
        look = run.look
        canvas.add(
            "scatter", x=run.t, y=run.predicted, mode="lines", name="leading order", meta={"track": look.key},
            line={"color": fade(look.colour, 0.5), "width": 1.4 * theme.weight},
        )  # fmt: skip
        canvas.add(
            "scatter", x=run.t, y=run.measured, mode="markers", name=look.label, hoverinfo="all", hovertemplate=HOVER,
            marker=dots_over_time(theme, look, len(run.t)), meta={"track": look.key, "stride": 1},
        )  # fmt: skip
        if run.stopped:
            add_cross(canvas, look, float(run.t[-1]), float(run.measured[-1]))
    corner = {"xref": "x domain", "yref": "y domain", "xanchor": "right", "yanchor": "top"}
    words = [word(theme, 1, 1, "lines: to leading order", **corner)]
    layout = flat_layout(theme, TIME, "phase lead (rad)", words=words if runs else (), clicks=False)
    layout["yaxis"]["zerolinecolor"] = theme.faint
    if runs:
        bounds = range_of([values for run in runs for values in (run.measured, run.predicted)])
        layout["yaxis"]["range"] = with_room(*bounds, above=0.12)
        add_clocks(canvas, layout, [(run.look.key, run.t) for run in runs], 1)
    return canvas.picture(layout)
