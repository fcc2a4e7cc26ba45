"""Arrows in space that stand on the skin of a ball, or point at it, and move with it.

Points of an arrow are (x, y, z, w): x and y across it, z along it, and w lengths of it, from the middle of the ball.
"""

from dataclasses import dataclass

import numpy as np

from nhviz.figures.space import add_line, add_words
from nhviz.figures.style import Array, Canvas, Cursor

CORNERS = 10
"""So many corners the foot of an arrow's head has."""
HEAD = (0.075, 0.22)
"""Radius and length of the head, in radii of the ball."""
ANGLES = np.linspace(0.0, 2.0 * np.pi, CORNERS + 1)[:-1]
CONE = np.zeros((CORNERS + 1, 4))
CONE[1:, 0], CONE[1:, 1] = np.cos(ANGLES), np.sin(ANGLES)
"""The head of an arrow, its tip first, of radius one and no length."""
SIDES = {"i": [0] * CORNERS, "j": list(range(1, CORNERS + 1)), "k": [*range(2, CORNERS + 1), 1]}
MATT = {"ambient": 0.8, "diffuse": 0.3, "specular": 0.0, "fresnel": 0.0}


@dataclass(frozen=True)
class Arrow:
    """What an arrow is drawn of: its shaft, its head, and where its name stands."""

    shaft: Array
    head: Array
    name: Array


def arrow(rho: float, outwards: bool, away: float) -> Arrow:
    """An arrow that leaves the skin; one that would leave it below the floor points at it from above instead.

    Its name is `away` from its upper end, in radii of the ball.
    """
    radius, length = HEAD[0] * rho, HEAD[1] * rho
    # The tip of an arrow that points at the ball is at its skin, on the other side.
    skin, tip, foot = (rho, 1.0, 0.0) if outwards else (-rho, 0.0, -1.0)
    head = radius * CONE
    head[:, 2], head[:, 3] = skin - length, tip
    head[0, 2] = skin
    beyond = away * rho if outwards else -away * rho
    return Arrow(
        np.array([[0.0, 0.0, skin, foot], [0.0, 0.0, skin - 0.9 * length, tip]]),
        head,
        np.array([[0.0, 0.0, skin + beyond, tip if outwards else foot]]),
    )


def poses(vectors: Array, longest: float) -> Array:
    """Matrices (n, 3, 4) for vectors (n, 3), of which the longest is drawn so long; one of no length is nowhere."""
    sizes = np.sqrt(np.einsum("ni,ni->n", vectors, vectors))
    lengths = np.where(sizes > 0.0, sizes, 1.0)
    x, y, z = along = vectors.T / lengths
    # Two directions across a unit vector without a division by anything small.
    upwards = np.copysign(1.0, z)
    over = -1.0 / (upwards + z)
    found = np.empty((len(vectors), 3, 4))
    found[:, 0, 0], found[:, 1, 0], found[:, 2, 0] = 1.0 + upwards * x * x * over, upwards * x * y * over, -upwards * x
    found[:, 0, 1], found[:, 1, 1], found[:, 2, 1] = x * y * over, upwards + y * y * over, -y
    found[:, :, 2] = along.T
    found[:, :, 3] = longest / (float(sizes.max()) or 1.0) * vectors
    return found


def add_arrow(
    canvas: Canvas, drawn: Arrow, moves: tuple[Array, Array], track: str, colour: str, word: tuple[str, str]
) -> None:
    """An arrow that moves through (rotations, translations), with its word, which stands beside its end as told."""
    rotations, translations = moves
    text, where = word
    kinds = (drawn.shaft, drawn.head, drawn.name)
    for number, shape in enumerate(kinds):
        points = (shape @ rotations[0].T + translations[0]).T
        if number == 0:
            index = add_line(canvas, points, colour, 7.0, name=f"arrow {text}")
        elif number == 1:
            x, y, z = points
            index = canvas.add(
                "mesh3d", x=x, y=y, z=z, **SIDES, color=colour, lighting=MATT, flatshading=True, name=f"head {text}"
            )
        else:
            index = add_words(canvas, points[:, 0], text, where, name="words")
            canvas.traces[index]["textfont"] = {"size": canvas.theme.size + 1.5, "color": colour}
        canvas.cursors.append(Cursor(index, track, shape=shape, rotations=rotations, translations=translations))
