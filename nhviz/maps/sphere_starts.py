"""Verticals and momenta of the sphere as directions: places on the globe, the momentum turned, the velocity of both.

Vectors are arrays (3, ...). The globe is the unit sphere of verticals in the body, by latitude and longitude about the
third axis.
"""

from collections.abc import Sequence

import numpy as np

from nhviz.maps.sphere_branches import dot
from nhviz.system import Array


def vertical(latitude: Array, longitude: Array) -> Array:
    """The unit vector at a place on the globe."""
    level = np.cos(latitude)
    return np.stack([level * np.cos(longitude), level * np.sin(longitude), np.sin(latitude) * np.ones_like(longitude)])


def place(gamma: Array) -> tuple[Array, Array]:
    """Latitude and longitude of unit vectors, the latter from 0 to 2 pi."""
    latitude = np.arctan2(gamma[2], np.hypot(gamma[0], gamma[1]))
    return latitude, np.mod(np.arctan2(gamma[1], gamma[0]), 2.0 * np.pi)


def aside(gamma: Array, k: Array) -> Array:
    """The unit vector orthogonal to gamma towards K; of a vertical K any one."""
    rest = k - dot(k, gamma) * gamma
    size = np.sqrt(dot(rest, rest))
    least = np.eye(3)[np.argmin(np.abs(gamma), axis=0)]
    other = np.moveaxis(least, -1, 0) - np.take_along_axis(gamma, np.argmin(np.abs(gamma), axis=0)[None], 0) * gamma
    other /= np.sqrt(dot(other, other))
    is_there = size > 1e-12 * np.sqrt(dot(k, k))
    return np.where(is_there, rest / np.where(is_there, size, 1.0), other)


def turned(gamma: Array, k: Array, angle: Array) -> Array:
    """K at an angle to gamma, turned in their plane."""
    size = np.sqrt(dot(k, k))
    return size * (np.cos(angle) * gamma + np.sin(angle) * aside(gamma, k))


def angle_between(gamma: Array, k: Array) -> Array:
    """The angle of K to gamma."""
    along = dot(gamma, k)
    (a, b, c), (x, y, z) = gamma, k
    across = np.sqrt((b * z - c * y) ** 2 + (c * x - a * z) ** 2 + (a * y - b * x) ** 2)
    return np.asarray(np.arctan2(across, along))


def velocity(ball: Sequence[float] | Array, gamma: Array, k: Array) -> Array:
    """omega of the momentum: Lam omega = K + (D/F) <gamma, Lam^-1 K> gamma (CS above (2.5), corrected).

    The ball is (I1, I2, I3, D), of numbers or of arrays.
    """
    moments, d = np.stack([part * np.ones_like(gamma[0]) for part in ball[:3]]), ball[3]
    over = 1.0 / (moments + d)
    push = d / dot(moments * over * gamma, gamma) * dot(gamma, over * k)
    found: Array = over * (k + push * gamma)
    return found
