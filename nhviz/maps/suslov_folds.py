r"""Where the principal branch of a Suslov map ends: folds, their cusps, and the least level of an end.

Scaled momenta m = (eps/2)(M1, M2) are measured by the radius r = sqrt(m1^2/I11 + m2^2/I22): r^2 = eps^2 E_c/2. The
principal branch of a momentum grows from the identity along the ray s m; its end is a fold, a point where the
derivative of displacement -> m is singular, and where s has its first maximum.

The least radius of an end, over all rays, is found at few rays. Let S(theta) be the radius at which the ray theta ends.
Where S is smooth it runs along the image of the fold curve, the caustic; along that, r is stationary only at critical
points of r as a function of displacements and at cusps of the caustic. S jumps only at rays that meet a cusp, or touch
the caustic. So the infimum of S is one of its one-sided limits at these rays (`least_radius`). No ray is scanned.

Not every cusp makes rays end: a ray may also enter a cusp between its two arcs. Then the rays on both sides of it go
on, on different sheets. The ray itself goes nowhere: the principal branch splits in two.

Moser-Veselov: m1, m2 are quadratic forms on the unit sphere of Euler parameters q, so the fold points are the
eigenvectors of the forms cos(phi) m1 + sin(phi) m2, and the eigenvalue e(phi) is the support function of the caustic:
m = e (cos, sin) + e' (-sin, cos), with cusps where e + e'' = 0. The largest and the least eigenvalue give one convex
curve; the middle one gives the dual of the odd part of a plane cubic. A cubic has three real inflections, so this
curve has three cusps: three is how many must be found. One ray touches the caustic, that of the permanent rotations.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from nhviz import kernels
from nhviz.system import Array

Tensor = tuple[float, float, float, float]
"""(I11, I22, I13, I23)."""
CUSPS = 3
# Directions at which inflections are looked for, doubled until there are three.
FEWEST, MOST = 32, 16384
# Radii that differ by less are the same.
SAME = 1e-12


@dataclass(frozen=True)
class Fold:
    """A point of the fold curve at which the least end may be: its scaled momentum and its displacement."""

    momentum: tuple[float, float]
    displacement: tuple[float, ...]


def radius(tensor: Tensor, momentum: Sequence[float]) -> float:
    """r of a scaled momentum."""
    return math.hypot(momentum[0] / tensor[0] ** 0.5, momentum[1] / tensor[1] ** 0.5)


def quadratic_forms(tensor: Tensor) -> tuple[Array, Array]:
    """m1 and m2 as symmetric matrices on (q1, q2, q0)."""
    i11, i22, i13, i23 = tensor
    first = np.array([[0.0, i13, i11], [i13, 2.0 * i23, 0.0], [i11, 0.0, 0.0]])
    second = np.array([[-2.0 * i13, -i23, 0.0], [-i23, 0.0, i22], [0.0, i22, 0.0]])
    return 0.5 * first, 0.5 * second


def fold_of(tensor: Tensor, q1: float, q2: float, q0: float) -> Fold:
    """A displacement of the Moser-Veselov map, a unit vector, as a point of the fold."""
    i11, i22, i13, i23 = tensor
    k = i13 * q1 + i23 * q2
    return Fold((i11 * q1 * q0 + q2 * k, i22 * q2 * q0 - q1 * k), (q1, q2, q0))


@lru_cache(maxsize=256)
def moser_veselov_cusps(tensor: Tensor) -> tuple[Fold, ...]:
    """The three real cusps of the caustic; none without products of inertia, where it shrinks to a point."""
    if tensor[2] == 0.0 and tensor[3] == 0.0:
        return ()
    points, count, found = np.empty((CUSPS, 3)), FEWEST, 0
    while found < CUSPS and count <= MOST:
        found = kernels.suslov_folds.write_cusps(tensor, count, points)
        count *= 2
    return tuple(fold_of(tensor, *q) for q in points[:found].tolist())


def touching_ray(tensor: Tensor) -> list[Fold]:
    """Where the ray of the permanent rotations touches the caustic.

    With k = |k| (c q2 - s q1) and the ray (I11 c, I22 s), I22 s m1 - I11 c m2 has the factor s q1 - c q2; the other
    one is P q0 - |k| (I11 c q1 + I22 s q2), P = I11 I22. The two lines of displacements cross at a point of the fold.
    """
    i11, i22, i13, i23 = tensor
    size = math.hypot(i13, i23)
    if size == 0.0:
        return []
    c, s = i23 / size, -i13 / size
    q1, q2, q0 = i11 * i22 * c, i11 * i22 * s, size * (i11 * c * c + i22 * s * s)
    length = math.hypot(q1, q2, q0)
    return [fold_of(tensor, q1 / length, q2 / length, q0 / length)]


def least_radius(scheme: int, tensor: Tensor, candidates: Sequence[Fold], free: float = 0.0) -> float:
    """The infimum of the radii at which rays end; infinite if none does. The candidates contain every one of the above.

    No end is beyond the farthest candidate, since r has a maximum on the fold curve, and none is at a radius below
    `free`, where every momentum has one displacement.
    """
    if not candidates:
        return np.inf
    # An end at that radius would be the answer: those that may be one come first.
    first = sorted(candidates, key=lambda fold: abs(radius(tensor, fold.momentum) - free) > SAME * free)
    rows = np.array([(*fold.momentum, *fold.displacement) for fold in first])
    return float(kernels.suslov_folds.least_radius(scheme, tensor, rows, (1.0 + SAME) * free))
