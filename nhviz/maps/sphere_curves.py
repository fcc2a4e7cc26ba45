"""Every rotation of the sphere's map as the step grows: continuous curves, which end in pairs at folds.

A curve is followed in the space of Euler parameters, whatever the step does on the way (`kernels.sphere_curves`). One
grows out of the identity: up to its first fold it is the principal branch. Others are found from the rotations of some
steps, until all of these are on a curve.
"""

from dataclasses import dataclass

import numpy as np

from nhviz import kernels
from nhviz.maps.sphere_folds import Ball
from nhviz.system import Array

MOST = 4000
HALF_TURN = 1e-9
"""Below, q0 is round-off."""
SEEDS = (0.02, 0.18, 0.37, 0.58, 0.79, 0.97)
"""Shares of the last step at which rotations are looked for."""
ON_CURVE = 1e-3
"""A rotation so near to a curve, as the sine of an angle, is on it: its points are nearer to each other than 0.03."""


@dataclass(frozen=True)
class Curve:
    """Rotations (n, 4) as unit Euler parameters with q0 >= 0, and their steps (n,)."""

    rotations: Array
    steps: Array

    @property
    def angles(self) -> Array:
        """The angles of the rotations."""
        q = self.rotations
        return 2.0 * np.arctan2(np.sqrt(np.sum(q[:, 1:] ** 2, axis=1)), q[:, 0])

    def axes_to(self, k: Array) -> Array:
        """The angles of their axes to a vector; NaN for the identity, which has none."""
        axes = self.rotations[:, 1:]
        x, y, z = axes.T
        across = np.sqrt((y * k[2] - z * k[1]) ** 2 + (z * k[0] - x * k[2]) ** 2 + (x * k[1] - y * k[0]) ** 2)
        return np.where((x != 0.0) | (y != 0.0) | (z != 0.0), np.arctan2(across, axes @ k), np.nan)


def curves(ball: Ball, gamma: Array, k: Array, last: float) -> list[Curve]:
    """All curves of rotations with momentum K at gamma for steps up to the last; the first begins at the identity."""
    size = float(np.linalg.norm(k))
    forms, end = np.empty((6, 4, 4)), 0.5 * last * size
    x, y, z = (float(part) / size for part in k)
    u, v, w = map(float, gamma)
    kernels.sphere_curves.fill_forms(ball, (u, v, w), (x, y, z), forms)
    found = [curve_of(forms, k, *traced(forms, np.array([1.0, 0.0, 0.0, 0.0]), (0.0,), end))]
    for share in SEEDS:
        for rotation in rotations(ball, gamma, 0.5 * share * last * k):
            if not any(kernels.sphere_curves.is_on(curve.rotations, rotation, ON_CURVE) for curve in found):
                found.append(curve_of(forms, k, *traced(forms, rotation, (-1.0, 1.0), end)))
    return found


def rotations(ball: Ball, gamma: Array, m: Array) -> Array:
    """All real rotations (n, 4) of a scaled momentum."""
    solved, counts, roots = np.zeros((1, 8, 4)), np.empty(1, dtype=np.int64), np.empty(1, dtype=np.int64)
    kernels.quadrics.solve_many(ball, gamma[None].copy(), m[None].copy(), solved, counts, roots)
    found: Array = solved[0, : counts[0]]
    return found


def traced(forms: Array, start: Array, senses: tuple[float, ...], end: float) -> tuple[Array, ...]:
    """Points on both sides of a start, or on the one to which the step grows, in their order."""
    sides = []
    for sense in senses:
        points = np.empty((MOST, 4))
        count = kernels.sphere_curves.trace(forms, start, sense, end, points)
        sides.append(points[:count])
    return tuple(sides)


def curve_of(forms: Array, k: Array, *sides: Array) -> Curve:
    """One curve of the sides of its start, the first backwards."""
    size = float(np.linalg.norm(k))
    points = sides[0] if len(sides) == 1 else np.concatenate([sides[0][::-1], sides[1][1:]])
    steps = 2.0 / size * np.einsum("ni,ij,nj->n", points, forms[2], points)
    # <q, K> has the sign of q0: of a half turn it tells the same.
    signs = np.where(np.abs(points[:, 0]) > HALF_TURN, points[:, 0], points[:, 1:] @ k)
    return Curve(points * np.where(signs < 0.0, -1.0, 1.0)[:, None], steps)
