"""Paths of one map with several steps beside the flow, each with how far it strays from it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from nhviz.figures.flat import flat_layout, word
from nhviz.figures.orbits import add_cross, add_heads, add_orbit, in_order
from nhviz.figures.style import Canvas, Look, Orbit, Picture, Theme, fade, text_colour

PLACES = ((0.9, 12.0, 34.0), (0.55, 20.0, 54.0), (0.72, -30.0, -36.0), (0.3, -24.0, -40.0))
"""Where words stand: at a share of their run, and so many pixels to the right of it and below."""


@dataclass(frozen=True)
class Astray:
    """What is said at a run, at the instants (2, n) of its clock."""

    look: Look
    places: tuple[Any, Any]
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
    words = [pointed(theme, one, PLACES[i % len(PLACES)]) for i, one in enumerate(said)]
    handles = [{"at": [float(values[0]) for values in orbits[0].moving], "names": list(names)}]
    return canvas.picture(flat_layout(theme, *axes, equal=True, words=words, handles=handles))


def pointed(theme: Theme, one: Astray, place: tuple[float, float, float]) -> dict[str, Any]:
    """Words with a thin line to their run."""
    share, right, below = place
    sample = round(share * (len(one.places[0]) - 1))
    return word(
        theme, float(one.places[0][sample]), float(one.places[1][sample]), one.text, name="astray", showarrow=True,
        arrowhead=0, arrowwidth=1, arrowcolor=theme.faint, ax=right * theme.weight, ay=below * theme.weight,
        bgcolor=fade(theme.paper, 0.85), font={"color": text_colour(theme, one.look.colour)},
    )  # fmt: skip
