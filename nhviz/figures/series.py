"""Curves over time: components, and drifts on a logarithmic scale with round-off as a floor."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nhviz.figures.orbits import dots_first
from nhviz.figures.style import Array, Canvas, Cursor, Look, Orbit, Picture, Theme, flat_layout, label, notice

FLOOR = 1e-16
DASHES = ("solid", "dash", "dot", "dashdot", "longdash")
MARKERS = ("circle", "x", "cross", "star", "diamond")


@dataclass(frozen=True)
class Drifts:
    """Times of a run, and for each quantity |value - start| over its scale."""

    look: Look
    discrete: bool
    t: Array
    parts: dict[str, Array]


@dataclass(frozen=True)
class Lead:
    """Times of a map's run, the angle by which it is ahead of the flow, and that angle to leading order."""

    look: Look
    t: Array
    measured: Array
    predicted: Array


def components(
    theme: Theme, time: str, names: list[str], orbits: Sequence[Orbit], stopped: str | None, values: str = ""
) -> Picture:
    """Orbits as (t, component, component, ...). Colours are runs, dashes or markers are components."""
    canvas = Canvas(theme)
    for orbit in dots_first(orbits):
        style = orbit.look
        t, *parts = orbit.drawn
        for i, (name, series) in enumerate(zip(names, parts, strict=True)):
            canvas.add(
                "scatter", x=t, y=series, name=f"{name} {style.label}", hoverinfo="x+y+name",
                mode="markers" if orbit.discrete else "lines", meta=orbit.meta,
                line={"color": style.colour, "width": 2.0 * theme.weight, "dash": DASHES[i % len(DASHES)]},
                marker={"color": style.colour, "size": 4, "symbol": MARKERS[i % len(MARKERS)]},
            )  # fmt: skip
    add_legend(canvas, names, any(orbit.discrete for orbit in orbits))
    longest = max(orbits, key=lambda orbit: orbit.moving[0][-1])
    bounds = range_of([part for orbit in orbits for part in orbit.drawn[1:]])
    add_clock(canvas, longest.look.key, longest.moving[0], *bounds)
    return canvas.picture(flat_layout(theme, time, values, annotations=notice(theme, stopped), clickanywhere=False))


def drift(theme: Theme, time: str, runs: Sequence[Drifts], stopped: str | None) -> Picture:
    """Drifts of all runs, each over its scale; zero is drawn at the floor of round-off."""
    canvas = Canvas(theme)
    for run in runs:
        style = run.look
        for i, (name, series) in enumerate(run.parts.items()):
            canvas.add(
                "scatter", x=run.t[1:], y=np.maximum(series[1:], FLOOR), name=f"{name} {style.label}",
                hoverinfo="x+y+name", mode="lines+markers" if run.discrete else "lines",
                meta={"track": style.key, "offset": 1},
                line={"color": style.colour, "width": 1, "dash": DASHES[i % len(DASHES)]},
                marker={"color": style.colour, "size": 4, "symbol": style.symbol},
            )  # fmt: skip
    add_legend(canvas, list(dict.fromkeys(name for run in runs for name in run.parts)), markers=False)
    longest = max(runs, key=lambda run: run.t[-1])
    canvas.add(
        "scatter", x=longest.t[[0, -1]], y=np.full(2, FLOOR), mode="lines", name="round-off", showlegend=True,
        line={"color": theme.faint, "width": 1, "dash": "dot"},
    )  # fmt: skip
    _, high = range_of([series for run in runs for series in run.parts.values()])
    add_clock(canvas, longest.look.key, longest.t, FLOOR, max(high, 1.0))
    layout = flat_layout(
        theme, time, "|value - start| / scale", annotations=notice(theme, stopped), clickanywhere=False
    )
    layout["yaxis"] |= {"type": "log", "exponentformat": "power", "dtick": 4}
    layout["margin"]["l"] = 6.5 * theme.size
    layout["yaxis"]["title"]["standoff"] = 1
    return canvas.picture(layout)


def lead(theme: Theme, time: str, runs: Sequence[Lead]) -> Picture:
    """Phase lead of each map: measured as dots, to leading order as a line."""
    canvas = Canvas(theme)
    for run in runs:
        style = run.look
        canvas.add(
            "scatter", x=run.t, y=run.measured, mode="markers", name=style.label, showlegend=True, hoverinfo="x+y+name",
            marker={"color": style.colour, "size": 5, "symbol": style.symbol}, meta={"track": style.key},
        )  # fmt: skip
        canvas.add(
            "scatter", x=run.t, y=run.predicted, mode="lines", name="leading order", showlegend=True,
            line={"color": style.colour, "width": 2.0 * theme.weight},
        )  # fmt: skip
    if runs:
        longest = max(runs, key=lambda run: run.t[-1])
        bounds = range_of([values for run in runs for values in (run.measured, run.predicted)])
        add_clock(canvas, longest.look.key, longest.t, *bounds)
    return canvas.picture(flat_layout(theme, time, "phase lead (rad)", clickanywhere=False))


def add_legend(canvas: Canvas, names: list[str], markers: bool) -> None:
    """What the dashes and markers mean; colours are runs everywhere."""
    for i, name in enumerate(names):
        canvas.add(
            "scatter", x=[None], y=[None], name=label(name, ""), showlegend=True,
            mode="lines+markers" if markers else "lines",
            line={"color": canvas.theme.ink, "width": 1.5, "dash": DASHES[i % len(DASHES)]},
            marker={"color": canvas.theme.ink, "size": 5, "symbol": MARKERS[i % len(MARKERS)]},
        )  # fmt: skip


def add_clock(canvas: Canvas, track: str, t: Array, low: float, high: float) -> None:
    """A vertical line from low to high that moves with the clock."""
    index = canvas.add(
        "scatter", x=t[[0, 0]], y=np.array([low, high]), mode="lines", line={"color": canvas.theme.ink, "width": 1}
    )
    canvas.cursors.append(Cursor(index, track, (np.repeat(t, 2),), points=2))


def range_of(arrays: list[Array]) -> tuple[float, float]:
    """Least and greatest value of several arrays."""
    return min(float(values.min()) for values in arrays), max(float(values.max()) for values in arrays)
