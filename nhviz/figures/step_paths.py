"""Paths of one map with several steps beside the flow, each with how far it strays from it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nhviz.figures.flat import flat_layout, word
from nhviz.figures.orbits import add_cross, add_heads, add_orbit, in_order
from nhviz.figures.style import Canvas, Look, Orbit, Picture, Theme, fade, text_colour

CORNERS = ((0.0, 1.0), (1.0, 0.0), (1.0, 1.0), (0.0, 0.0))
"""Where words may stand, in shares of the picture to the right and upwards; the first two have the title of an axis."""
ROOM = (0.5, 0.45)
"""They take no more of its width and height."""
LINE, TITLE = 1.45, 1.75
"""The height of a line and of such a title, in sizes of the font."""


@dataclass(frozen=True)
class Astray:
    """What is said of a run."""

    look: Look
    text: str


def paths(
    theme: Theme,
    axes: tuple[str, str],
    orbits: Sequence[Orbit],
    heads: Sequence[Orbit],
    said: Sequence[Astray],
    names: Sequence[str],
) -> Picture:
    """Orbits in the plane, of which some have a head at the clock's instant; `names` are what a start is set by."""
    canvas = Canvas(theme)
    for orbit in in_order(orbits):
        add_orbit(canvas, orbit)
    add_heads(canvas, in_order(heads))
    keys = {orbit.look.key for orbit in heads}
    for orbit in orbits:
        if orbit.stopped and orbit.look.key not in keys:
            add_cross(canvas, orbit.look, *(float(values[-1]) for values in orbit.drawn))
    words = listed(theme, said, emptiest(orbits))
    handles = [{"at": [float(values[0]) for values in orbits[0].moving], "names": list(names)}]
    return canvas.picture(flat_layout(theme, *axes, equal=True, words=words, handles=handles))


def emptiest(orbits: Sequence[Orbit]) -> tuple[float, float]:
    """The corner in which fewest points of runs are."""
    places = [np.concatenate([orbit.drawn[axis] for orbit in orbits]) for axis in (0, 1)]
    shares = [(values - values.min()) / (float(np.ptp(values)) or 1.0) for values in places]

    def crowd(corner: tuple[float, float]) -> int:
        near = [np.abs(share - at) < room for share, at, room in zip(shares, corner, ROOM, strict=True)]
        return int(np.count_nonzero(near[0] & near[1]))

    return min(CORNERS, key=crowd)


def listed(theme: Theme, said: Sequence[Astray], corner: tuple[float, float]) -> list[dict[str, Any]]:
    """Words below one another in a corner, each with the marker of its run."""
    right, top = corner
    edge = TITLE if corner in CORNERS[:2] else 0.3
    place = {
        "xref": "x domain", "yref": "y domain", "xanchor": "right" if right else "left", "xshift": -6 if right else 6,
        "yanchor": "top" if top else "bottom", "bgcolor": fade(theme.paper, 0.8), "borderpad": 0, "name": "astray",
    }  # fmt: skip
    lines = range(len(said)) if top else range(len(said))[::-1]
    return [
        word(theme, right, top, f"{sample(theme, one.look)} {one.text}", **place,
             yshift=(-1 if top else 1) * (edge + LINE * line) * theme.size,
             font={"color": text_colour(theme, one.look.colour)})
        for one, line in zip(said, lines, strict=True)
    ]  # fmt: skip


def sample(theme: Theme, look: Look) -> str:
    """The marker of a run as a letter, as large as it is."""
    return f'<span style="font-size: {0.85 * theme.size * look.scale:.1f}px">{"○" if look.open else "●"}</span>'
