"""A round table on which a ball rolls: a disc with a grid and a rim, and the soft shadow that goes with the ball."""

import numpy as np

from nhviz.figures.ground import DISC, FANS, RIM, SHADOW, UNLIT
from nhviz.figures.space import add_line, mixed
from nhviz.figures.style import Array, Canvas, Cursor

SQUARE = 0.5
"""The side of a square of the grid, in radii of the ball."""
ROUND = np.linspace(0.0, 2.0 * np.pi, 121)
SHADES = 7
"""A soft shadow is made of so many discs, each a little smaller and nearer to the ball."""
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
    lines = grid(middle, radius, SQUARE * rho * max(1, round(radius / (8.0 * rho))))
    # A gap is one in all coordinates.
    add_line(canvas, np.stack([*lines, height + 0.0 * lines[0]]), theme.line, 1.4, name="grid")
    rim = np.stack([middle[0] + radius * np.cos(ROUND), middle[1] + radius * np.sin(ROUND), np.full(121, height)])
    add_line(canvas, rim, mixed(theme.faint, theme.line, 0.4), 2.0, name="rim")


def grid(middle: Array, radius: float, side: float) -> Array:
    """Lines (2, n) at multiples of `side` across a disc, both ways, with NaN between them."""
    found = []
    for way in (0, 1):
        first = np.ceil((middle[way] - radius) / side)
        at = side * np.arange(first, np.floor((middle[way] + radius) / side) + 1.0)
        half = np.sqrt(np.maximum(radius**2 - (at - middle[way]) ** 2, 0.0))
        across = np.stack([at, at, np.full(at.size, np.nan)], axis=1).ravel()
        along = np.stack([middle[1 - way] - half, middle[1 - way] + half, np.full(at.size, np.nan)], axis=1).ravel()
        found.append(np.stack([across, along] if way == 0 else [along, across]))
    return np.concatenate(found, axis=1)


def add_shadow(canvas: Canvas, rho: float, poses: tuple[Array, Array], track: str) -> None:
    """The shadow of a ball that goes through poses: rotations that are none, and its contact points (n, 3)."""
    level, below = poses
    opacity = DARKNESS[canvas.theme.is_dark]
    for number in range(SHADES):
        aside = np.array([0.3 * (1.0 - number / (SHADES + 1)), 0.05, 0.002 + 0.001 * number])
        shape = rho * ((1.0 - 0.125 * number) * DISC + aside)
        x, y, z = (shape + below[0]).T
        index = canvas.add(
            "mesh3d", x=x, y=y, z=z, **FANS, color=SHADOW, opacity=opacity, lighting=UNLIT, name="shadow"
        )
        canvas.cursors.append(Cursor(index, track, shape=shape, rotations=level, translations=below))


def contact_ring(rho: float) -> Array:
    """A ring (n, 3) about the point of contact, so wide that the ball does not hide it."""
    angles = np.linspace(0.0, 2.0 * np.pi, RIM + 1)
    return rho * np.stack([0.34 * np.cos(angles), 0.34 * np.sin(angles), np.full(RIM + 1, 0.012)], axis=1)
