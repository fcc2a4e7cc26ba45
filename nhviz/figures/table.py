"""A round table on which a ball rolls: a disc with a grid and a rim, and the soft shadow that goes with the ball."""

import math

import numpy as np

from nhviz.figures.ground import DISC, FANS, SHADOW, UNLIT
from nhviz.figures.space import add_line, mixed
from nhviz.figures.style import Array, Canvas, Cursor

SQUARE = 0.5
"""The side of a square of the grid, in radii of the ball."""
ROUND = np.stack(
    [np.cos(np.linspace(0.0, 2.0 * np.pi, 121)), np.sin(np.linspace(0.0, 2.0 * np.pi, 121)), np.zeros(121)]
)
"""The rim of a table of radius one."""
SHADES = 7
"""A soft shadow is made of so many discs, each a little smaller and nearer to the ball."""
SHADOWS = np.concatenate(
    [
        (1.0 - 0.125 * i) * DISC + np.array([0.3 * (1.0 - i / (SHADES + 1)), 0.05, 0.002 + 0.001 * i])
        for i in range(SHADES)
    ]
)
SHADOW_FANS = {side: [i * len(DISC) + at for i in range(SHADES) for at in FANS[side]] for side in "ijk"}
"""All of them are one mesh: what is seen through blends alike within one and between several."""
RING = np.concatenate([0.34 * DISC[1:], 0.34 * DISC[1:2]]) + np.array([0.0, 0.0, 0.012])
DARKNESS = {False: 0.055, True: 0.16}
"""How dark each is, by whether the theme is."""
BELOW = -0.03
"""How far the table is below the ball, in radii of it, so that lines on it are seen."""


def add_table(canvas: Canvas, middle: Array, radius: float, rho: float) -> None:
    """A disc about a place of the plane, in the units of a ball of radius rho."""
    theme = canvas.theme
    x, y, z = (radius * DISC + np.array([*middle, BELOW * rho])).T
    canvas.add("mesh3d", x=x, y=y, z=z, **FANS, color=theme.band, lighting=UNLIT, flatshading=True, name="table")
    height = 0.5 * BELOW * rho
    lines = grid(middle.tolist(), radius, SQUARE * rho * max(1, round(radius / (8.0 * rho))))
    # A gap is one in all coordinates.
    lines[2] += height
    add_line(canvas, lines, theme.line, 1.4, name="grid")
    rim = radius * ROUND + np.array([[middle[0]], [middle[1]], [height]])
    add_line(canvas, rim, mixed(theme.faint, theme.line, 0.4), 2.0, name="rim")


def grid(middle: list[float], radius: float, side: float) -> Array:
    """Lines (3, n) at multiples of `side` across a disc of height 0, both ways, with NaN between them."""
    first = [math.ceil((at - radius) / side) for at in middle]
    counts = [math.floor((at + radius) / side) + 1 - begin for at, begin in zip(middle, first, strict=True)]
    lines = np.full((3, 3 * sum(counts)), np.nan)
    lines[2, 0::3] = lines[2, 1::3] = 0.0
    for way, part in ((0, lines[:, : 3 * counts[0]]), (1, lines[:, 3 * counts[0] :])):
        at = side * np.arange(first[way], first[way] + counts[way])
        half = np.sqrt(np.maximum(radius**2 - (at - middle[way]) ** 2, 0.0))
        part[way, 0::3] = part[way, 1::3] = at
        part[1 - way, 0::3], part[1 - way, 1::3] = middle[1 - way] - half, middle[1 - way] + half
    return lines


def add_shadow(canvas: Canvas, rho: float, poses: tuple[Array, Array], track: str) -> None:
    """The shadow of a ball that goes through poses: rotations that are none, and its contact points (n, 3)."""
    level, below = poses
    shape = rho * SHADOWS
    x, y, z = (shape + below[0]).T
    index = canvas.add(
        "mesh3d", x=x, y=y, z=z, **SHADOW_FANS, color=SHADOW, opacity=DARKNESS[canvas.theme.is_dark], lighting=UNLIT,
        name="shadow",
    )  # fmt: skip
    canvas.cursors.append(Cursor(index, track, shape=shape, rotations=level, translations=below))


def contact_ring(rho: float) -> Array:
    """A ring (n, 3) about the point of contact, so wide that the ball does not hide it."""
    return rho * RING
