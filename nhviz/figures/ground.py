"""What bodies in space move on: a light grid on a floor or an incline, and their soft shadows on it."""

from functools import lru_cache

import numpy as np

from nhviz.figures.space import add_line, mixed
from nhviz.figures.style import Array, Canvas, Cursor

LINES = 12
"""So many squares along the longer side."""
ASIDE = (0.45, 0.1)
"""Where a shadow is beside a body, away from the light, in units of its radius."""
UNLIT = {"ambient": 1.0, "diffuse": 0.0, "specular": 0.0, "fresnel": 0.0}
SHADOW = "#1d2733"
SHADES = ((1.0, 0.1), (0.8, 0.12), (0.55, 0.16))
"""A soft shadow is made of discs: how large each is, and how dark."""


def add_ground(canvas: Canvas, corner: Array, first: Array, second: Array) -> None:
    """A parallelogram with a grid on it: a corner and its two sides from there."""
    theme = canvas.theme
    (a, b, c), (d, e, f) = first.tolist(), second.tolist()
    # numpy's own product of two vectors takes as long as all the rest here.
    normal = np.array([b * f - c * e, c * d - a * f, a * e - b * d])
    longest = max(float(np.linalg.norm(first)), float(np.linalg.norm(second)))
    down = -0.004 * longest * normal / np.linalg.norm(normal) * (1.0 if normal[2] > 0.0 else -1.0)
    x, y, z = (corner + np.array([0.0 * first, first, second, first + second]) + down).T
    canvas.add("mesh3d", x=x, y=y, z=z, i=[0, 0], j=[1, 3], k=[3, 2], color=theme.band, lighting=UNLIT, name="ground")
    for one, other in ((first, second), (second, first)):
        count = max(2, round(LINES * float(np.linalg.norm(one)) / longest))
        add_line(canvas, (corner + snake(one, other, count)).T, mixed(theme.line, theme.grid, 0.6), 1.0, name="grid")


def snake(one: Array, other: Array, count: int) -> Array:
    """The ends (n, 3) of lines along `other`, at count + 1 places along `one`, to be drawn without a gap."""
    across, along = winding(count)
    return across * one + along * other


@lru_cache(maxsize=64)
def winding(count: int) -> tuple[Array, Array]:
    """How far a snake is along its two sides at each of its ends (n, 1)."""
    across = np.linspace(0.0, 1.0, count + 1).repeat(2)
    along = np.tile([0.0, 1.0, 1.0, 0.0], count // 2 + 1)[: across.size]
    return across[:, None], along[:, None]


def add_shadow(canvas: Canvas, radius: float, places: Array, track: str) -> None:
    """A soft disc on the floor below a body that goes through places (n, 3)."""
    angle = np.linspace(0.0, 2.0 * np.pi, 33)[:-1]
    disc = np.concatenate([np.zeros((1, 3)), np.stack([np.cos(angle), np.sin(angle), 0.0 * angle], axis=1)])
    around = np.arange(32)
    level = np.broadcast_to(np.eye(3), (len(places), 3, 3))
    below = places * np.array([1.0, 1.0, 0.0])
    for number, (size, opacity) in enumerate(SHADES):
        # One above the other, all above the floor.
        shape = radius * (size * disc + np.array([*ASIDE, 0.004 * (number + 1)]))
        x, y, z = (shape + below[0]).T
        index = canvas.add(
            "mesh3d", x=x, y=y, z=z, i=[0] * 32, j=(around + 1).tolist(), k=((around + 1) % 32 + 1).tolist(),
            color=SHADOW, opacity=opacity, lighting=UNLIT, name="shadow",
        )  # fmt: skip
        canvas.cursors.append(Cursor(index, track, shape=shape, rotations=level, translations=below))
