"""A ball whose rolling is seen: octants in two tones, and at the ends of its three axes ink caps on rims of paper."""

from functools import lru_cache
from typing import Any

import numpy as np

from nhviz.figures.space import mixed, whole_numbers
from nhviz.figures.style import Array, Canvas, Cursor, Look
from nhviz.shapes import Mesh, octants, unit_sphere

FINE = (20, 40)
"""Rings and slices of the ball."""
LIGHT = {"ambient": 0.62, "diffuse": 0.55, "specular": 0.28, "roughness": 0.42, "fresnel": 0.1}
LIGHT_FROM = {"x": -6000, "y": -9000, "z": 12000}
RIM, CAP = (0.27, 1.003), (0.2, 1.007)
"""How far caps reach from their pole, in radians, and how far above the skin they lie."""
CORNERS = 18
TONES = (0.9, 0.11)
"""How much of a run's colour each tone has; the rest is white."""


def add_ball(canvas: Canvas, rho: float, poses: tuple[Array, Array], look: Look) -> None:
    """A ball of a run that goes through (rotations, centres), in tones of its colour."""
    vertices, triangles = unit_sphere(*FINE)
    scale = [[i, mixed(look.colour, "#ffffff", share)] for i, share in enumerate(TONES)]
    tones = whole_numbers(octants(*FINE).astype("<u2").tobytes())[0]
    paint = {
        "intensity": tones, "intensitymode": "cell", "cmin": 0, "cmax": 1, "colorscale": scale, "showscale": False,
    }  # fmt: skip
    add_skin(canvas, Mesh(rho * vertices, triangles, "body"), poses, look.key, paint)
    ink, paper = (
        (canvas.theme.ground, canvas.theme.ink) if canvas.theme.is_dark else (canvas.theme.ink, canvas.theme.paper)
    )
    for (reach, above), colour, name in ((RIM, paper, "rims"), (CAP, ink, "caps")):
        points, sides = caps(reach)
        add_skin(canvas, Mesh(above * rho * points, sides, name), poses, look.key, {"color": colour})


def add_skin(canvas: Canvas, mesh: Mesh, poses: tuple[Array, Array], track: str, paint: dict[str, Any]) -> None:
    """A part of the skin, at its first pose, with its poses for the player."""
    rotations, centres = poses
    x, y, z = (mesh.vertices @ rotations[0].T + centres[0]).T
    i, j, k = whole_numbers(mesh.triangles.T.astype("<u2").tobytes(), 3)
    index = canvas.add(
        "mesh3d", x=x, y=y, z=z, i=i, j=j, k=k, **paint, flatshading=False, lighting=LIGHT, lightposition=LIGHT_FROM,
        name=mesh.role,
    )  # fmt: skip
    canvas.cursors.append(Cursor(index, track, shape=mesh.vertices, rotations=rotations, translations=centres))


@lru_cache(maxsize=4)
def caps(reach: float) -> tuple[Array, Array]:
    """Vertices and triangles of six caps of the unit sphere about the ends of its axes."""
    angles = np.linspace(0.0, 2.0 * np.pi, CORNERS + 1)[:-1]
    rings = [
        np.stack([np.sin(tilt) * np.cos(angles), np.sin(tilt) * np.sin(angles), np.full(CORNERS, np.cos(tilt))], 1)
        for tilt in (0.5 * reach, reach)
    ]
    cap = np.concatenate([[[0.0, 0.0, 1.0]], *rings])
    near = np.arange(CORNERS)
    on = (near + 1) % CORNERS
    inner, outer = 1 + near, 1 + CORNERS + near
    fan = np.stack([0 * near, inner, 1 + on], axis=1)
    band = np.concatenate(
        [np.stack([inner, outer, 1 + CORNERS + on], 1), np.stack([inner, 1 + CORNERS + on, 1 + on], 1)]
    )
    sides = np.concatenate([fan, band])
    # The third axis becomes each axis in turn; the other end is the same, mirrored.
    turned = [sign * cap[:, order] for order in ([2, 0, 1], [1, 2, 0], [0, 1, 2]) for sign in (1.0, -1.0)]
    return np.concatenate(turned), np.concatenate([sides + i * len(cap) for i in range(6)])
