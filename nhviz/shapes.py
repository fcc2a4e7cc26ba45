"""Curves, points, segments and meshes as plain arrays: what a system draws, what figures paint.

A motion is a set of rigid parts, each drawn once in its own frame and placed at every sample by a
rotation and a translation, so that a browser can play it from these arrays alone.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

Array = np.ndarray
FINE = (16, 32)
"""Rings and slices of a ball, the rim of which is seen against the ground."""


@dataclass(frozen=True)
class Curve:
    """A line through points (n, d)."""

    points: Array
    role: str


@dataclass(frozen=True)
class Points:
    """Separate points (n, 2) or (n, 3)."""

    points: Array
    role: str


@dataclass(frozen=True)
class Mesh:
    """Triangles (n, 3) of indices into vertices (m, 3); `tones`, 0 or 1 for each triangle, paints it in two tones."""

    vertices: Array
    triangles: Array
    role: str
    tones: Array | None = None


Shape = Curve | Points | Mesh


def points_of(shape: Shape) -> Array:
    """The points of a shape."""
    return shape.vertices if isinstance(shape, Mesh) else shape.points


@dataclass(frozen=True)
class Part:
    """A rigid body: shapes in its frame, its rotations (n, d, m) and translations (n, d).

    Of a body in m > d dimensions the shadow is drawn: the first d rows of its rotations.
    """

    shapes: tuple[Shape, ...]
    rotations: Array
    translations: Array


@dataclass(frozen=True)
class Motion:
    """What moves and what stands still, what the axes of space are called, and whether z = 0 is a floor."""

    parts: tuple[Part, ...]
    background: tuple[Shape, ...] = ()
    axes: tuple[str, str, str] = ("<i>x</i> (m)", "<i>y</i> (m)", "<i>z</i> (m)")
    floor: bool = False


def ellipsoid(semi_axes: Array, frame: Array, role: str, toned: bool = False) -> Mesh:
    """An ellipsoid with the given semi-axes along the columns of frame; its octants may alternate between two tones."""
    vertices, triangles = unit_sphere()
    return Mesh((vertices * semi_axes) @ frame.T, triangles, role, octants() if toned else None)


def box(half_sides: Array, frame: Array, role: str) -> Curve:
    """The edges of a box in any dimension, with its sides along the columns of frame, as one walk along all of them."""
    return Curve((cube_walk(len(half_sides)) * half_sides) @ frame.T, role)


@lru_cache(maxsize=8)
def cube_walk(n: int) -> Array:
    """Corners of the cube [-1, 1]^n in an order that passes each edge there and back.

    The walk through n dimensions is, at every corner of the walk through n - 1 of them when it is new, a step across.
    """
    if n == 0:
        return np.zeros((1, 0))
    below, seen, walk = cube_walk(n - 1), set(), []
    for side in (-1.0, 1.0):
        for corner in below:
            walk.append((*corner, side))
            if side < 0.0 and tuple(corner) not in seen:
                seen.add(tuple(corner))
                walk += [(*corner, 1.0), (*corner, side)]
        if side < 0.0:
            # The walk below is closed, so the way across leads to where it begins on the other side.
            walk.append((*below[0], 1.0))
    return np.array([*walk, walk[0]])


def ball(radius: float, role: str) -> Mesh:
    """A ball whose eight octants alternate between two tones, so that its turning shows."""
    vertices, triangles = unit_sphere(*FINE)
    return Mesh(radius * vertices, triangles, role, octants(*FINE))


@lru_cache(maxsize=4)
def octants(rings: int = 12, slices: int = 24) -> Array:
    """A tone, 0 or 1, for each triangle of the unit sphere."""
    vertices, triangles = unit_sphere(rings, slices)
    middles = vertices[triangles].mean(axis=1)
    return (np.prod(np.sign(middles), axis=1) > 0).astype(int)


@lru_cache(maxsize=4)
def unit_sphere(rings: int = 12, slices: int = 24) -> tuple[Array, Array]:
    """Vertices and triangles of the unit sphere, by latitude and longitude."""
    latitude = np.linspace(0.0, np.pi, rings + 1)[:, None]
    longitude = np.linspace(0.0, 2.0 * np.pi, slices, endpoint=False)[None, :]
    vertices = np.stack(
        [
            np.sin(latitude) * np.cos(longitude),
            np.sin(latitude) * np.sin(longitude),
            np.cos(latitude) * np.ones_like(longitude),
        ],
        axis=-1,
    ).reshape(-1, 3)
    index = np.arange((rings + 1) * slices).reshape(rings + 1, slices)
    a, b = index[:-1], index[1:]
    c, d = np.roll(b, -1, axis=1), np.roll(a, -1, axis=1)
    triangles = np.concatenate([np.stack([a, b, c], -1), np.stack([a, c, d], -1)]).reshape(-1, 3)
    return vertices, triangles


def plane_rotations(angles: Array) -> Array:
    """Rotation matrices (n, 2, 2) of angles (n,)."""
    turned = np.empty((len(angles), 2, 2))
    turned[:, 0, 0] = turned[:, 1, 1] = np.cos(angles)
    turned[:, 1, 0] = np.sin(angles)
    turned[:, 0, 1] = -turned[:, 1, 0]
    return turned
