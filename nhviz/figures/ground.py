"""What bodies in space move on: a light grid on a floor or an incline, and their soft shadows on it."""

from functools import lru_cache
from math import hypot

import numpy as np

from nhviz.figures.space import add_line, mixed
from nhviz.figures.style import Array, Canvas, Cursor

LINES = 12
"""So many squares along the longer side."""
THROUGH = 0.6
"""How opaque the ground is."""
ASIDE = (0.45, 0.1)
"""Where a shadow is beside a body, away from the light, in units of its radius."""
UNLIT = {"ambient": 1.0, "diffuse": 0.0, "specular": 0.0, "fresnel": 0.0}
SHADOW = "#1d2733"
SHADES = ((1.0, 0.1), (0.8, 0.12), (0.55, 0.16))
"""A soft shadow is made of discs: how large each is, and how dark."""
RIM = 32
"""So many corners a disc has."""
ANGLES = np.linspace(0.0, 2.0 * np.pi, RIM + 1)[:-1]
DISC = np.concatenate([np.zeros((1, 3)), np.stack([np.cos(ANGLES), np.sin(ANGLES), 0.0 * ANGLES], axis=1)])
FANS = {"i": [0] * RIM, "j": list(range(1, RIM + 1)), "k": [*range(2, RIM + 1), 1]}
"""Its triangles."""


def add_ground(canvas: Canvas, corner: Array, first: Array, second: Array) -> None:
    """A parallelogram with a grid on it: a corner and its two sides from there."""
    theme, long = canvas.theme, (hypot(*first), hypot(*second))
    normal = across(first.tolist(), second.tolist())
    down = -0.004 * max(long) / hypot(*normal) * (1.0 if normal[2] > 0.0 else -1.0) * np.array(normal)
    x, y, z = (corner + np.array([0.0 * first, first, second, first + second]) + down).T
    # As pale as the band of a flat picture, although one sees through it: from below, too, a body is in sight.
    colour = mixed(theme.band, theme.paper, 1.0 / THROUGH)
    canvas.add(
        "mesh3d", x=x, y=y, z=z, i=[0, 0], j=[1, 3], k=[3, 2], color=colour, opacity=THROUGH, lighting=UNLIT,
        name="ground",
    )  # fmt: skip
    for one, other, length in ((first, second, long[0]), (second, first, long[1])):
        lines = corner + snake(max(2, round(LINES * length / max(long)))) @ np.array([one, other])
        add_line(canvas, lines.T, mixed(theme.line, theme.grid, 0.6), 1.0, name="grid")


def across(one: list[float], other: list[float]) -> list[float]:
    """The vector product of two vectors; numpy's takes ten times as long for so few numbers."""
    (a, b, c), (x, y, z) = one, other
    return [b * z - c * y, c * x - a * z, a * y - b * x]


@lru_cache(maxsize=16)
def snake(count: int) -> Array:
    """The ends (n, 2) of lines up the unit square at count + 1 places across it, to be drawn without a gap."""
    across = np.linspace(0.0, 1.0, count + 1).repeat(2)
    return np.stack([across, np.tile([0.0, 1.0, 1.0, 0.0], count // 2 + 1)[: across.size]], axis=1)


def add_shadow(canvas: Canvas, radius: float, places: Array, track: str) -> None:
    """A soft disc on the floor below a body that goes through places (n, 3)."""
    level = np.broadcast_to(np.eye(3), (len(places), 3, 3))
    below = places * np.array([1.0, 1.0, 0.0])
    for number, (size, opacity) in enumerate(SHADES):
        # One above the other, all above the floor.
        shape = radius * (size * DISC + np.array([*ASIDE, 0.004 * (number + 1)]))
        x, y, z = (shape + below[0]).T
        index = canvas.add(
            "mesh3d", x=x, y=y, z=z, **FANS, color=SHADOW, opacity=opacity, lighting=UNLIT, name="shadow"
        )
        canvas.cursors.append(Cursor(index, track, shape=shape, rotations=level, translations=below))
