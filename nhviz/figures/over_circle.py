"""Functions of the place on a circle, over one period: increments in two ways, and densities."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nhviz.figures.flat import flat_layout, word
from nhviz.figures.orbits import ringed
from nhviz.figures.style import Array, Canvas, Look, Picture, Theme, fade, text_colour

HEADROOM = 1.42
"""A picture is so much higher than its curves: it has words above them."""


def increments(
    theme: Theme,
    axes: tuple[str, str],
    line: tuple[Array, Array],
    rings: tuple[Array, Array],
    look: Look,
    fraction: tuple[str, float] | None,
    difference: str,
) -> Picture:
    """One formula as a line, another as rings, and a fraction dotted; `difference` says how far they are apart."""
    canvas = Canvas(theme)
    line, rings = known_part(line), known_part(rings)
    canvas.add("scatter", x=line[0], y=line[1], mode="lines", name="explicit", meta={"track": look.key},
               line={"color": look.colour, "width": 2.2 * theme.weight})  # fmt: skip
    canvas.add(
        "scatter", x=rings[0], y=rings[1], mode="markers", name="direct",
        marker=ringed(theme, theme.paper, theme.ink, 6, 1.2),
    )  # fmt: skip
    words = [
        word(theme, 1.0, 1.0, "line: explicit relation<br>rings: the map itself", xref="x domain", yref="y domain",
             xanchor="right", yanchor="top", align="right", bgcolor=fade(theme.paper, 0.8)),
        word(theme, 0.02, 0.0, difference, xref="x domain", yref="y domain", xanchor="left", yanchor="bottom",
             bgcolor=fade(theme.paper, 0.8)),
    ]  # fmt: skip
    layout = flat_layout(theme, *axes, words=words)
    values = np.concatenate([line[1], rings[1]])
    values = values[np.isfinite(values)]
    low, high = (float(values.min()), float(values.max())) if values.size else (-1.0, 0.0)
    room = max(high - low, 1e-3 * abs(low))
    layout["xaxis"] |= {"range": [-0.02, 1.02], "zeroline": False, "tickvals": [0, 0.5, 1]}
    layout["yaxis"] |= {"range": [low - 0.24 * room, high + 0.42 * room], "zeroline": False}
    if fraction is not None:
        name, at = fraction
        layout["shapes"] = [{"type": "line", "x0": 0, "x1": 1, "y0": at, "y1": at, "line": {
            "color": theme.faint, "width": theme.weight, "dash": "dot"}, "layer": "below"}]  # fmt: skip
        layout["annotations"].append(word(theme, 0.01, at, name, xanchor="left", yanchor="top"))
    return canvas.picture(layout)


def known_part(curve: tuple[Array, Array]) -> tuple[Array, Array]:
    """A curve with gaps where it has no height."""
    return np.where(np.isnan(curve[1]), np.nan, curve[0]), curve[1]


@dataclass(frozen=True)
class Density:
    """A density at evenly spread places from 0 to 1, and what it is called."""

    values: Array
    name: str


def densities(
    theme: Theme,
    axes: tuple[str, str],
    flow: Look | None,
    look: Look | None,
    own: Density | None,
    other: Density | None,
    spikes: Sequence[float],
) -> Picture:
    """That of the flow is even; that of the map filled, one to compare with dashed, and a locked one a few spikes."""
    canvas, words, lines = Canvas(theme), [], []
    tops = [float(one.values.max()) for one in (own, other) if one is not None and look is not None]
    top = max(1.6, *tops, 0.0)
    if look is not None:
        for one, dash in ((own, "solid"), (other, "dash")):
            if one is not None:
                add_density(canvas, one, look, dash)
                lines.append(f"{'filled' if dash == 'solid' else 'dashed'}: {one.name}")
        for place in spikes:
            add_spike(canvas, place, look, top)
        if len(spikes):
            lines.insert(0, f"spikes: locked, {len(spikes)} points")
        font = {"color": text_colour(theme, look.colour)}
        words.append(word(theme, 1.0, 1.0, "<br>".join(lines), xref="x domain", yref="y domain", xanchor="right",
                          yanchor="top", align="right", font=font))  # fmt: skip
    if flow is not None:
        canvas.add("scatter", x=[0.0, 1.0], y=[1.0, 1.0], mode="lines", name=flow.label, meta={"track": flow.key},
                   line={"color": flow.colour, "width": 1.8 * theme.weight})  # fmt: skip
        words.append(word(theme, 0.02, 1.0, "flow: even", xanchor="left", yanchor="bottom", yshift=1,
                          font={"color": text_colour(theme, flow.colour)}, bgcolor=fade(theme.paper, 0.7)))  # fmt: skip
    layout = flat_layout(theme, *axes, words=words)
    layout["xaxis"] |= {"range": [0.0, 1.0], "zeroline": False, "tickvals": [0, 0.5, 1]}
    layout["yaxis"] |= {"range": [0.0, HEADROOM * top], "zeroline": False}
    return canvas.picture(layout)


def add_density(canvas: Canvas, one: Density, look: Look, dash: str) -> None:
    """A density as a line, filled if it is solid."""
    theme, solid = canvas.theme, dash == "solid"
    canvas.add(
        "scatter", x=np.linspace(0.0, 1.0, one.values.size), y=one.values, mode="lines", name=one.name,
        meta={"track": look.key}, line={"color": look.colour, "width": 1.5 * theme.weight, "dash": dash},
        **({"fill": "tozeroy", "fillcolor": fade(look.colour, 0.14)} if solid else {}),
    )  # fmt: skip


def add_spike(canvas: Canvas, place: float, look: Look, height: float) -> None:
    """All weight at one place."""
    weight = canvas.theme.weight
    canvas.add(
        "scatter", x=[place, place], y=[0.0, height], mode="lines+markers", name="spike", meta={"track": look.key},
        line={"color": look.colour, "width": 2.0 * weight},
        marker={"color": look.colour, "size": [0, 8 * weight], "line": {"width": 0}},
    )  # fmt: skip
