"""A map of a circle to itself: its graph over one period, the cobweb of a run, and the cycles where it is locked."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nhviz.figures.flat import flat_layout, word
from nhviz.figures.orbits import add_cross, ringed
from nhviz.figures.space import Trail
from nhviz.figures.style import Array, Canvas, Look, Picture, Theme, fade, text_colour

TICKS = [0, 0.25, 0.5, 0.75, 1]


@dataclass(frozen=True)
class Round:
    """A cycle: its places in the order of the steps, and the factor of a small deviation in one round."""

    places: Sequence[float]
    multiplier: float

    @property
    def attracts(self) -> bool:
        """Whether neighbours approach it."""
        return self.multiplier < 1.0


@dataclass(frozen=True)
class Walk:
    """Places of a run, perhaps unwound; `stopped` tells that it ended before its time."""

    look: Look
    places: Array
    stopped: bool = False


def circle_map(
    theme: Theme,
    axes: tuple[str, str],
    graph: tuple[Array, Array],
    walk: Walk | None,
    rounds: Sequence[Round],
    drift: Array | None,
) -> Picture:
    """`graph` are places and increments; `drift` are places of an orbit that shows where others go."""
    canvas, words = Canvas(theme), []
    if walk is not None and drift is not None:
        line = {"color": fade(walk.look.colour, 0.045), "width": 0.8 * theme.weight}
        add_web(canvas, drift, "drift", line, walk.look)
    canvas.add("scatter", x=[0.0, 1.0], y=[0.0, 1.0], mode="lines", name="diagonal",
               line={"color": theme.faint, "width": theme.weight})  # fmt: skip
    x, y = wrapped(*graph)
    canvas.add("scatter", x=x, y=y, mode="lines", name="map", line={"color": theme.ink, "width": 2.0 * theme.weight})
    if walk is not None:
        words += [add_round(canvas, one, walk.look) for one in rounds]
        add_walk(canvas, walk, quiet=bool(rounds))
    layout = flat_layout(theme, *axes, equal=True, words=words)
    for name in ("xaxis", "yaxis"):
        layout[name] |= {"range": [-0.03, 1.03], "zeroline": False, "tickvals": TICKS, "constrain": "domain"}
    return canvas.picture(layout)


def wrapped(places: Array, increments: Array) -> tuple[Array, Array]:
    """The graph within one period; it begins anew where it passes the end."""
    after = places + increments
    turns = np.floor(after)
    leaps = np.flatnonzero(np.diff(np.nan_to_num(turns)) != 0.0)
    # Where there is no next place there is a gap.
    x, y = np.where(np.isnan(after), np.nan, places), after - turns
    for i in leaps[::-1]:
        # Both branches reach the edge, at the place where the line between two samples does.
        edge = max(turns[i], turns[i + 1])
        share = (edge - after[i]) / (after[i + 1] - after[i])
        if not np.isfinite(share):
            continue
        place = places[i] + share * (places[i + 1] - places[i])
        first, second = (1.0, 0.0) if turns[i + 1] > turns[i] else (0.0, 1.0)
        x = np.insert(x, i + 1, [place, np.nan, place])
        y = np.insert(y, i + 1, [first, np.nan, second])
    return x, y


def web(places: Array) -> tuple[Array, Array]:
    """The cobweb of places: upwards to the map, across to the diagonal."""
    inside = places - np.floor(places)
    x, y = np.repeat(inside, 2)[:-1], np.repeat(inside, 2)[1:]
    return x, y


def add_web(canvas: Canvas, places: Array, name: str, line: dict[str, Any], look: Look) -> int:
    """A cobweb as a line."""
    x, y = web(places)
    return canvas.add("scatter", x=x, y=y, mode="lines", name=name, line=line, meta={"track": look.key})


def add_round(canvas: Canvas, one: Round, look: Look) -> dict[str, Any]:
    """A cycle: full and solid if it attracts, open and dashed if it repels; returns its words."""
    theme, weight = canvas.theme, canvas.theme.weight
    name = "attracts" if one.attracts else "repels"
    places = np.array([*one.places, one.places[0], one.places[1 % len(one.places)]])
    colour, width, dash = (look.colour, 2.2, "solid") if one.attracts else (theme.soft, 1.1, "dash")
    add_web(canvas, places, f"{name} web", {"color": colour, "width": width * weight, "dash": dash}, look)
    x, y = places[:-2], places[1:-1]
    canvas.add(
        "scatter", x=x, y=y, mode="markers", name=name, meta={"track": look.key},
        marker=ringed(theme, *((colour, theme.paper) if one.attracts else (theme.paper, colour)), 8, 1.4),
    )  # fmt: skip
    # Beside the longest upright line of its web there is room; those of two cycles stand at different heights.
    longest = int(np.argmax(np.abs(y - x)))
    font = {"color": text_colour(theme, look.colour) if one.attracts else theme.soft}
    height = float(x[longest] + (0.2 if one.attracts else 0.8) * (y[longest] - x[longest]))
    side, shift = ("left", 5) if x[longest] < 0.75 else ("right", -5)
    return word(
        theme, float(x[longest]), height, f"{name}<br>× {one.multiplier:.3f}", font=font,
        xanchor=side, xshift=shift * weight, align="left", bgcolor=fade(theme.paper, 0.8),
    )  # fmt: skip


def add_walk(canvas: Canvas, walk: Walk, quiet: bool) -> None:
    """The cobweb of a run up to the clock, its first instant at the diagonal, and where it is."""
    theme, look = canvas.theme, walk.look
    inside = walk.places - np.floor(walk.places)
    x, y = web(walk.places)
    index = canvas.add(
        "scatter", x=x[:1], y=y[:1], mode="lines", name=look.label, meta={"track": look.key},
        line={"color": look.colour, "width": (1.0 if quiet else 1.4) * theme.weight},
    )  # fmt: skip
    counts = np.minimum(2 * np.arange(walk.places.size) + 2, x.size)
    canvas.cursors.append(Trail(index, look.key, (x, y), counts=counts))
    # The last place has no next one that is known.
    heads = np.minimum(np.arange(inside.size), inside.size - 2) if inside.size > 1 else np.array([0])
    after = inside[np.minimum(heads + 1, inside.size - 1)]
    canvas.cursor(look, inside[heads], after)
    if walk.stopped:
        add_cross(canvas, look, float(inside[-1]), float(inside[-1]))
