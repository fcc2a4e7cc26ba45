"""The geometry of one displacement of the sleigh (FZ figure 7.1): both blades touch one circle."""

import textwrap
from typing import Any

import numpy as np

from nhviz.figures.flat import flat_layout, word
from nhviz.figures.style import Array, Canvas, Look, Picture, Theme
from nhviz.figures.symbols import label

AXES = (label("V_1", "m"), label("V_2", "m"))


def displacement(theme: Theme, look: Look, turn: float, forward: float, sideways: float, remark: str = "") -> Picture:
    """The step of a map from (0, 0) with heading 0 to (forward, sideways) with heading `turn`.

    `remark` says what is amiss.
    """
    canvas, weight = Canvas(theme), theme.weight
    end = np.array([forward, sideways])
    size = max(float(np.hypot(*end)), 1e-3)
    if abs(turn) > 1e-9 and sideways != 0.0:
        # The circle through both contact points that touches the first blade, on the side to which the step goes.
        centre = np.array([0.0, float(end @ end) / (2.0 * sideways)])
        radius = abs(centre[1])
        if radius < 20.0 * size:
            angle = np.linspace(0.0, 2.0 * np.pi, 181)
            circle = centre[:, None] + radius * np.array([np.cos(angle), np.sin(angle)])
            add_line(canvas, circle, "circle", {"color": theme.faint, "width": weight})
            for point in (np.zeros(2), end):
                spoke = np.array([centre, point]).T
                add_line(canvas, spoke, "spoke", {"color": theme.faint, "width": weight, "dash": "dot"})
    chord = np.array([[0.0, forward], [0.0, sideways]])
    line = {"color": look.colour, "width": 1.8 * weight, "dash": "dash"}
    add_line(canvas, chord, "chord", line, meta={"track": look.key})
    words = [
        *(add_blade(canvas, np.zeros(2), 0.0, 0.7 * size, "before")),
        *(add_blade(canvas, end, turn, 0.7 * size, "after")),
    ]
    return canvas.picture(flat_layout(theme, *AXES, equal=True, words=[*words, *said(theme, remark)], clicks=False))


def nowhere(theme: Theme, reason: str) -> Picture:
    """The blade before a step that does not exist, and why it does not."""
    canvas = Canvas(theme)
    words = add_blade(canvas, np.zeros(2), 0.0, 1.0, "before")
    return canvas.picture(flat_layout(theme, *AXES, equal=True, words=[*words, *said(theme, reason)], clicks=False))


def add_line(canvas: Canvas, points: Array, name: str, line: dict[str, Any], **more: Any) -> None:
    """A line through points (2, n)."""
    canvas.add("scatter", x=points[0], y=points[1], mode="lines", name=name, line=line, **more)


def add_blade(canvas: Canvas, point: Array, heading: float, length: float, name: str) -> list[dict[str, Any]]:
    """A blade with its contact point; returns the word at its front."""
    theme, blade = canvas.theme, blade_at(point, heading, length)
    canvas.add(
        "scatter", x=blade[0], y=blade[1], mode="lines+markers", name=name,
        line={"color": theme.ink if name == "after" else theme.faint, "width": 4 * theme.weight},
        marker={"size": [0, 9 * theme.weight, 0], "color": theme.ink},
    )  # fmt: skip
    x, y = map(float, blade[:, 2])
    return [word(theme, x, y, name, xanchor="left", yanchor="bottom", xshift=4)]


def said(theme: Theme, text: str) -> list[dict[str, Any]]:
    """A sentence below what is drawn."""
    if not text:
        return []
    place = {"xref": "x domain", "yref": "y domain", "xanchor": "left", "yanchor": "bottom", "align": "left"}
    return [word(theme, 0.01, 0.09, "<br>".join(textwrap.wrap(text, 58)), name="remark", **place)]


def blade_at(point: Array, heading: float, length: float) -> Array:
    """A blade as three points (2, 3), its contact point in the middle."""
    along = length * np.array([np.cos(heading), np.sin(heading)])
    return np.stack([point - along, point, point + along], axis=1)
