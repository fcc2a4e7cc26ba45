"""Balls side by side, drawn flat: shaded, in two tones by octants, with the poles of the body and one axis each.

An octant that is seen in part ends at the limb of its ball. All pieces of one colour are one trace.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np

from nhviz.figures.flat import word
from nhviz.figures.space import mixed
from nhviz.figures.style import Array, Canvas, Look, Picture, Theme, common, text_colour

EYE = np.array([0.62, -1.0, 0.62]) / np.linalg.norm([0.62, -1.0, 0.62])
RADIUS, REACH = 0.4, 1.42
"""Of a ball, where 1 is the distance of two; how far its axis reaches, in radii."""
ABOVE, BELOW = 0.95, 0.95
"""How far words reach from the middle of a ball."""
CAP, RIM = 0.2, 0.27
"""Angles of the cap at a pole of the body, and of its rim."""
ARC = np.linspace(0.0, 0.5 * np.pi, 13)[:-1]
ROUND = np.linspace(0.0, 2.0 * np.pi, 49)
RING = ROUND[:-1:2]
DISC = np.stack([np.cos(ROUND), np.sin(ROUND)], axis=1)
CLOSED = np.concatenate([DISC, [[np.nan, np.nan]]])
"""A disc, with a gap behind it."""
LIMB = np.linspace(0.0, 1.0, 13)
"""Shares of a way along the limb."""


@dataclass(frozen=True)
class Ball:
    """A ball at its next position: its attitude, the axis that led there (both in space), its words."""

    attitude: Array
    axis: Array
    title: str
    below: str
    kind: str = ""


@lru_cache(maxsize=1)
def screen() -> Array:
    """Rows: to the right, upwards, towards the eye."""
    right = np.cross([0.0, 0.0, 1.0], EYE)
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(EYE, right), EYE])


@lru_cache(maxsize=1)
def dark_octants() -> Array:
    """The edges (4, points, 3) of the octants whose signs have a positive product, in the frame of the body."""
    found = []
    for signs in product((1.0, -1.0), repeat=3):
        if np.prod(signs) > 0.0:
            corners = np.diag(signs)
            sides = [np.outer(np.cos(ARC), corners[i]) + np.outer(np.sin(ARC), corners[(i + 1) % 3]) for i in range(3)]
            found.append(np.concatenate(sides))
    return np.stack(found)


def seen_parts(points: Array) -> tuple[Array, Array]:
    """The parts of convex pieces (pieces, n, 3) of the sphere that face the eye, closed along the limb.

    Places (pieces, n + 14, 2), a gap behind each piece, and which of them there are.
    """
    pieces, n = points.shape[:2]
    front = points[..., 2] >= 0.0
    seen_of = np.count_nonzero(front, axis=1)
    whole, some = seen_of == n, seen_of > 0
    first = np.argmax(front & ~np.roll(front, 1, axis=1), axis=1)
    each = np.arange(pieces)
    turned = points[each[:, None], (first[:, None] + np.arange(n)) % n]
    count = np.where(whole, n, np.argmin(turned[..., 2] >= 0.0, axis=1))
    places, there = np.full((pieces, n + LIMB.size + 1, 2), np.nan), np.empty((pieces, n + LIMB.size + 1), dtype=bool)
    there[:, :n] = (np.arange(n) < count[:, None]) & some[:, None]
    there[:, n:-1], there[:, -1] = (some & ~whole)[:, None], some
    places[:, :n] = turned[..., :2]
    cut = np.flatnonzero(some & ~whole)
    start = limb_between(turned[cut, -1], turned[cut, 0])
    end = limb_between(turned[cut, count[cut] - 1], turned[cut, count[cut]])
    way = (start - end + np.pi) % (2.0 * np.pi) - np.pi
    along = end[:, None] + way[:, None] * LIMB
    places[cut, n:-1, 0], places[cut, n:-1, 1] = np.cos(along), np.sin(along)
    return places, there


def limb_between(one: Array, other: Array) -> Array:
    """The angles at which the arcs between points (n, 3) of the sphere meet the limb."""
    share = one[:, 2] / (one[:, 2] - other[:, 2])
    x, y = ((one + share[:, None] * (other - one))[:, :2]).T
    found: Array = np.arctan2(y, x)
    return found


@lru_cache(maxsize=2)
def edges_of_caps(angle: float) -> Array:
    """The edges (6, points, 3) of caps about the poles of the body, in its frame."""
    found = []
    for i in range(3):
        pole, one, other = np.eye(3)[i], np.eye(3)[(i + 1) % 3], np.eye(3)[(i + 2) % 3]
        ring = np.sin(angle) * (np.outer(np.cos(RING), one) + np.outer(np.sin(RING), other))
        found += [np.cos(angle) * pole + ring, -np.cos(angle) * pole + ring]
    return np.stack(found)


def places_of(count: int) -> list[Array]:
    """The middles of balls, in one row."""
    return [np.array([float(i), 0.0]) for i in range(count)]


def number_at(count: int, x: float, y: float) -> int | None:
    """Which of so many balls is at a place."""
    away = [float(np.hypot(x - place[0], y - place[1])) for place in places_of(count)]
    return int(np.argmin(away)) if away and min(away) < RADIUS * REACH else None


def row_of_balls(theme: Theme, look: Look, balls: Sequence[Ball]) -> Picture:
    """All balls in one row; the principal in the method's colour."""
    canvas = Canvas(theme)
    places = places_of(len(balls))
    add_room(canvas, places)
    lines = axes_of(theme, look, balls, places)
    # Under the balls, then the balls, then what is in front of them.
    draw(canvas, lines, 0)
    if balls:
        fill(canvas, look, balls, np.stack(places))
    for place in places:
        add_shade(canvas, place)
    draw(canvas, lines, 1)
    return canvas.picture(layout_of(theme, look, balls, places))


def axes_of(
    theme: Theme, look: Look, balls: Sequence[Ball], places: Sequence[Array]
) -> dict[tuple[int, str], list[Array]]:
    """The parts of all axes and their knobs, behind the balls and in front of them, by their colour."""
    lines: dict[tuple[int, str], list[Array]] = {}
    for ball, place in zip(balls, places, strict=True):
        ink = look.colour if ball.kind == "principal" else theme.ink
        axis = screen() @ ball.axis
        for sign in (1.0, -1.0):
            end = sign * axis
            front = int(end[2] >= 0.0)
            from_skin = np.stack([end[:2] if front else 0.0 * end[:2], REACH * end[:2]])
            lines.setdefault((front, ink), []).append(place + RADIUS * from_skin)
        lines.setdefault((int(axis[2] >= 0.0) + 2, ink), []).append((place + RADIUS * REACH * axis[:2])[None])
    return lines


def tones(theme: Theme, look: Look, principal: bool) -> tuple[str, str]:
    """The dark and the pale tone of a ball."""
    if principal:
        return look.colour, mixed(look.colour, theme.paper, 0.13)
    return theme.faint, mixed(theme.faint, theme.paper, 0.14)


def gapped(parts: Sequence[Array]) -> tuple[Array, Array]:
    """Polygons (n, 2) one after the other, with gaps."""
    whole = np.concatenate([np.concatenate([part, [[np.nan, np.nan]]]) for part in parts])
    return whole[:, 0], whole[:, 1]


def fill(canvas: Canvas, look: Look, balls: Sequence[Ball], places: Array) -> None:
    """Pieces of a colour as one trace, layer by layer."""
    theme = canvas.theme
    dyes = [tones(theme, look, ball.kind == "principal") for ball in balls]
    alike = {dye: np.array([one == dye for one in dyes]) for dye in dyes}
    to_screen = screen() @ np.stack([ball.attitude for ball in balls])
    for (_, pale), chosen in alike.items():
        add_pieces(canvas, "pale octants", pale, *(places[chosen][:, None] + RADIUS * CLOSED).reshape(-1, 2).T)
    octants, there = seen(dark_octants(), to_screen, places)
    for (dark, _), chosen in alike.items():
        add_pieces(canvas, "dark octants", dark, *octants[chosen][there[chosen]].T)
    edges, there = seen(np.concatenate([edges_of_caps(RIM), edges_of_caps(CAP)]), to_screen, places)
    for name, colour, part in (("rims", theme.paper, np.s_[:, :6]), ("caps", theme.ink, np.s_[:, 6:])):
        add_pieces(canvas, name, colour, *edges[part][there[part]].T)


def seen(edges: Array, to_screen: Array, places: Array) -> tuple[Array, Array]:
    """What is seen of pieces (pieces, n, 3) of each ball: places (balls, pieces, m, 2), and which of them there are."""
    turned = edges @ np.swapaxes(to_screen, 1, 2)[:, None]
    found, there = seen_parts(turned.reshape(-1, *edges.shape[1:]))
    shape = turned.shape[:2]
    return places[:, None, None] + RADIUS * found.reshape(*shape, -1, 2), there.reshape(*shape, -1)


def add_pieces(canvas: Canvas, name: str, colour: str, x: Array, y: Array) -> None:
    """Polygons of a colour."""
    if x.size:
        canvas.add(
            "scatter", name=name, x=x, y=y, mode="lines", fill="toself", fillcolor=colour,
            line={"color": colour, "width": 0.5},
        )  # fmt: skip


def draw(canvas: Canvas, lines: dict[tuple[int, str], list[Array]], front: int) -> None:
    """The parts of axes behind the balls, or those in front of them, with the knob of each."""
    weight = canvas.theme.weight
    for (side, colour), parts in lines.items():
        if side % 2 != front:
            continue
        if side < 2:
            x, y = gapped(parts)
            canvas.add("scatter", name="axes", x=x, y=y, mode="lines", line={"color": colour, "width": 2.6 * weight})
        else:
            x, y = np.concatenate(parts).T
            canvas.add(
                "scatter", name="knobs", x=x, y=y, mode="markers", marker={"color": colour, "size": 7.0 * weight}
            )


def add_shade(canvas: Canvas, place: Array) -> None:
    """Light from above the middle of a ball, and shade at its limb."""
    x, y = (place + RADIUS * DISC).T
    scale = [[0.0, "rgba(255,255,255,0.34)"], [0.45, "rgba(255,255,255,0.05)"], [0.75, "rgba(0,0,0,0.06)"],
             [1.0, "rgba(0,0,0,0.34)"]]  # fmt: skip
    canvas.add(
        "scatter", name="shade", x=x, y=y, mode="lines", fill="toself", line={"width": 0},
        fillgradient={"type": "radial", "colorscale": scale},
    )  # fmt: skip


def add_room(canvas: Canvas, places: Sequence[Array]) -> None:
    """What is to be in sight, words included."""
    canvas.add(
        "scatter", name="room", x=[-0.5, max(len(places), 1) - 0.5], y=[-BELOW, ABOVE], mode="markers",
        opacity=0.0, marker={"size": 1},
    )  # fmt: skip


def layout_of(theme: Theme, look: Look, balls: Sequence[Ball], places: Sequence[Array]) -> dict[str, Any]:
    """One scale both ways, no axes; titles above and angles below."""
    # A picture keeps the ranges that it is given; these are to follow how many balls there are.
    ends = ((-0.5, max(len(places), 1) - 0.5), (-BELOW, ABOVE))
    x, y = ({"visible": False, "autorangeoptions": {"clipmin": low, "clipmax": high}} for low, high in ends)
    words = []
    for ball, place in zip(balls, places, strict=True):
        colour = text_colour(theme, look.colour) if ball.kind == "principal" else theme.ink if ball.kind else theme.soft
        strong = theme.ink if ball.kind != "principal" else colour
        words += [
            word(theme, float(place[0]), float(place[1]) + RADIUS * REACH, ball.title, yanchor="bottom", name="title",
                 font={"size": theme.size - 0.5, "color": colour}),
            word(theme, float(place[0]), float(place[1]) - RADIUS * REACH, ball.below, yanchor="top", name="below",
                 font={"color": strong}),
        ]  # fmt: skip
    return common(theme) | {
        "margin": {"l": 4, "r": 4, "t": 2, "b": 2}, "xaxis": x, "yaxis": y | {"scaleanchor": "x"},
        "annotations": words, "clickanywhere": True,
    }  # fmt: skip
