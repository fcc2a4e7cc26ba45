"""Curves over time: components, and drifts on a logarithmic scale with round-off as a floor."""

import numpy as np

from nhviz.figures.orbits import dots_first
from nhviz.figures.style import Array, Canvas, Cursor, Orbit, Picture, Theme, flat_layout, label, look, notice

FLOOR = 1e-16
DASHES = ("solid", "dash", "dot", "dashdot", "longdash")


def components(theme: Theme, time: str, names: list[str], orbits: dict[str, Orbit], stopped: str | None) -> Picture:
    """Orbits by method as (t, component, component, ...). Colours are methods, dashes or markers are components."""
    canvas = Canvas(theme)
    for method, orbit in dots_first(orbits):
        style = look(theme, method)
        t, *parts = orbit.drawn
        for i, (name, series) in enumerate(zip(names, parts, strict=True)):
            canvas.add(
                "scatter", x=t, y=series, name=f"{name} {method}", hoverinfo="x+y+name",
                mode="markers" if orbit.discrete else "lines", meta=orbit.meta,
                line={"color": style.colour, "width": theme.line, "dash": DASHES[i % len(DASHES)]},
                marker={"color": style.colour, "size": 4, "symbol": (style.symbol, "x", "cross", "star")[min(i, 3)]},
            )  # fmt: skip
    add_legend(canvas, names, any(orbit.discrete for orbit in orbits.values()))
    t = max((orbit.moving[0] for orbit in orbits.values()), key=len)
    add_clock(canvas, t, *range_of([part for orbit in orbits.values() for part in orbit.drawn[1:]]))
    return canvas.picture(flat_layout(theme, time, "", annotations=notice(theme, stopped), clickanywhere=False))


def drift(
    theme: Theme,
    time: str,
    values: dict[str, tuple[Array, dict[str, Array]]],
    discrete: dict[str, bool],
    stopped: str | None,
) -> Picture:
    """values: method -> (t, quantity -> |value - start| over its scale); zero is drawn at the floor of round-off."""
    canvas = Canvas(theme)
    for method, (t, parts) in values.items():
        for i, (name, series) in enumerate(parts.items()):
            style = look(theme, method)
            canvas.add(
                "scatter", x=t[1:], y=np.maximum(series[1:], FLOOR), name=f"{name} {method}",
                hoverinfo="x+y+name", mode="lines+markers" if discrete[method] else "lines",
                meta={"clock": True, "offset": 1},
                line={"color": style.colour, "width": 1, "dash": DASHES[i % len(DASHES)]},
                marker={"color": style.colour, "size": 4, "symbol": style.symbol},
            )  # fmt: skip
    add_legend(canvas, list(next(iter(values.values()))[1]), markers=False)
    t = max((t for t, _ in values.values()), key=len, default=np.zeros(1))
    canvas.add(
        "scatter", x=np.array([t[0], t[-1]]), y=np.full(2, FLOOR), mode="lines", name="round-off", showlegend=True,
        line={"color": theme.faint, "width": 1, "dash": "dot"},
    )  # fmt: skip
    _, high = range_of([series for _, parts in values.values() for series in parts.values()])
    add_clock(canvas, t, FLOOR, max(high, 1.0))
    layout = flat_layout(theme, time, "|value - start|", annotations=notice(theme, stopped), clickanywhere=False)
    layout["yaxis"] |= {"type": "log", "exponentformat": "power", "dtick": 4}
    layout["margin"]["l"] = 6.5 * theme.size
    layout["yaxis"]["title"]["standoff"] = 1
    return canvas.picture(layout)


def lead(theme: Theme, time: str, curves: dict[str, tuple[Array, Array, Array]]) -> Picture:
    """Phase lead of each map: measured as dots, to leading order as a line."""
    canvas = Canvas(theme)
    for method, (t, measured, predicted) in curves.items():
        style = look(theme, method)
        canvas.add(
            "scatter", x=t, y=measured, mode="markers", name=f"{method}", showlegend=True, hoverinfo="x+y+name",
            marker={"color": style.colour, "size": 5, "symbol": style.symbol}, meta={"clock": True},
        )  # fmt: skip
        canvas.add(
            "scatter", x=t, y=predicted, mode="lines", name="leading order", showlegend=True,
            line={"color": style.colour, "width": theme.line},
        )  # fmt: skip
    if curves:
        t = max((t for t, _, _ in curves.values()), key=len)
        add_clock(canvas, t, *range_of([values for _, *leads in curves.values() for values in leads]))
    return canvas.picture(flat_layout(theme, time, "phase lead (rad)", clickanywhere=False))


def add_legend(canvas: Canvas, names: list[str], markers: bool) -> None:
    """What the dashes and markers mean; colours are methods everywhere."""
    for i, name in enumerate(names):
        canvas.add(
            "scatter", x=[None], y=[None], name=label(name, ""), showlegend=True,
            mode="lines+markers" if markers else "lines",
            line={"color": canvas.theme.ink, "width": 1.5, "dash": DASHES[i % len(DASHES)]},
            marker={"color": canvas.theme.ink, "size": 5, "symbol": ("circle", "x", "cross", "star")[min(i, 3)]},
        )  # fmt: skip


def add_clock(canvas: Canvas, t: Array, low: float, high: float) -> None:
    """A vertical line from low to high that moves with the clock."""
    index = canvas.add(
        "scatter", x=t[[0, 0]], y=np.array([low, high]), mode="lines", line={"color": canvas.theme.ink, "width": 1}
    )
    canvas.cursors.append(Cursor(index, (np.repeat(t, 2),), points=2))


def range_of(arrays: list[Array]) -> tuple[float, float]:
    """Least and greatest value of several arrays."""
    return min(float(values.min()) for values in arrays), max(float(values.max()) for values in arrays)
