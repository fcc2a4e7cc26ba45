"""A map of a circle to itself: its graph over one period, the cobweb of a run, and the cycles where it is locked."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nhviz.figures.flat import flat_layout, word
from nhviz.figures.orbits import HOVER, add_cross, ringed
from nhviz.figures.space import Trail
from nhviz.figures.style import Array, Canvas, Look, Picture, Theme, fade, text_colour

TICKS = [0, 0.25, 0.5, 0.75, 1]
WORDS, BESIDE = (0.22, 0.08), 0.012
"""How wide the words of a cycle are, half of their height, and how far from its web they are, in shares of a period."""
SHARES = np.linspace(0.1, 0.9, 9)
"""They may stand at such shares of the height of a line."""
SIDES = np.array([1.0, -1.0])[:, None, None]
SOME, FEW, FINE = 28, 4, 7
"""One of so many steps of a drift, and points of the graph, tell where they are; so many points where a line is."""
DIAGONAL = np.tile(np.linspace(0.0, 1.0, FINE), (2, 1))


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
    x, y = wrapped(*graph)
    if walk is not None and drift is not None:
        line = {"color": fade(walk.look.colour, 0.045), "width": 0.8 * theme.weight}
        add_web(canvas, drift, "drift", line, walk.look)
    canvas.add("scatter", x=[0.0, 1.0], y=[0.0, 1.0], mode="lines", name="diagonal",
               line={"color": theme.faint, "width": theme.weight})  # fmt: skip
    canvas.add("scatter", x=x, y=y, mode="lines", name="map", line={"color": theme.ink, "width": 2.0 * theme.weight})
    if walk is not None:
        taken = [np.stack([x, y])[:, ::FEW], DIAGONAL, *(covered(closed(one)) for one in rounds)]
        taken += [] if drift is None else [covered(drift, SOME)]
        for one in rounds:
            add_round(canvas, one, walk.look)
            words.append(named(theme, one, walk.look, np.concatenate(taken, axis=1)))
            taken.append(corners(words[-1]))
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


def add_round(canvas: Canvas, one: Round, look: Look) -> None:
    """A cycle: full and solid if it attracts, open and dashed if it repels."""
    theme, weight = canvas.theme, canvas.theme.weight
    name = "attracts" if one.attracts else "repels"
    places = closed(one)
    colour, width, dash = (look.colour, 2.2, "solid") if one.attracts else (theme.soft, 1.1, "dash")
    add_web(canvas, places, f"{name} web", {"color": colour, "width": width * weight, "dash": dash}, look)
    x, y = places[:-2], places[1:-1]
    canvas.add(
        "scatter", x=x, y=y, mode="markers", name=name, meta={"track": look.key},
        marker=ringed(theme, *((colour, theme.paper) if one.attracts else (theme.paper, colour)), 8, 1.4),
    )  # fmt: skip


def closed(one: Round) -> Array:
    """The places of a cycle, and again the first two: its web is closed."""
    return np.array([*one.places, one.places[0], one.places[1 % len(one.places)]])


def covered(places: Array, every: int = 1) -> Array:
    """Points (2, n) all over the cobweb of places, or over every few steps of it."""
    inside = places - np.floor(places)
    here, there = inside[:-1:every, None], inside[1::every, None]
    between = here + np.linspace(0.0, 1.0, FINE) * (there - here)
    upwards, across = np.broadcast_arrays(here, between), np.broadcast_arrays(between, there)
    return np.concatenate([np.reshape(upwards, (2, -1)), np.reshape(across, (2, -1))], axis=1)


def named(theme: Theme, one: Round, look: Look, taken: Array) -> dict[str, Any]:
    """What a cycle does, beside an upright line of its web, where fewest points that are `taken` are below it."""
    x, y = closed(one)[:-2], closed(one)[1:-1]
    heights = x[:, None] + SHARES * (y - x)[:, None]
    # On the right of each, then on the left.
    side, across, up = (
        part.reshape(-1, 1) for part in np.broadcast_arrays(SIDES, x[None, :, None], heights[None])
    )  # fmt: skip
    right, above = side * (taken[0] - across), np.abs(taken[1] - up)
    hidden = np.count_nonzero((right > BESIDE) & (right < WORDS[0]) & (above < WORDS[1]), axis=1)
    end = (across + side * WORDS[0])[:, 0]
    best = int(np.argmin(np.where((end >= 0.0) & (end <= 1.0), hidden, taken.shape[1])))
    is_right = bool(side[best, 0] > 0.0)
    font = {"color": text_colour(theme, look.colour) if one.attracts else theme.soft}
    return word(
        theme, float(across[best, 0]), float(up[best, 0]), font=font, bgcolor=fade(theme.paper, 0.8),
        text=f"{'attracts' if one.attracts else 'repels'}<br>× {one.multiplier:.3f}",
        xanchor="left" if is_right else "right", xshift=(5 if is_right else -5) * theme.weight,
        align="left" if is_right else "right",
    )  # fmt: skip


def corners(words: dict[str, Any]) -> Array:
    """Points (2, n) all over the words of a cycle."""
    side = 1.0 if words["xanchor"] == "left" else -1.0
    across, up = np.meshgrid(np.linspace(0.0, WORDS[0], FINE), np.linspace(-WORDS[1], WORDS[1], FINE))
    return np.stack([words["x"] + side * across.ravel(), words["y"] + up.ravel()])


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
    canvas.add(
        "scatter", x=inside[:-1], y=inside[1:], mode="markers", name="steps", meta={"track": look.key, "stride": 1},
        marker={"color": look.colour, "size": 3.4 * theme.weight, "line": {"width": 0}},
        hoverinfo="all", hovertemplate=HOVER,
    )  # fmt: skip
    # The last place has no next one that is known.
    heads = np.minimum(np.arange(inside.size), inside.size - 2) if inside.size > 1 else np.array([0])
    after = inside[np.minimum(heads + 1, inside.size - 1)]
    canvas.cursor(look, inside[heads], after)
    if walk.stopped:
        add_cross(canvas, look, float(inside[-1]), float(inside[-1]))
