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

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from nhviz import kernels
from nhviz.system import Array

Tensor = tuple[float, float, float, float]
"""(I11, I22, I13, I23)."""

CUSPS = 3
# Directions at which inflections are looked for, doubled until there are three.
FEWEST, MOST = 128, 16384
# Rounds of false position, and a number that keeps quotients of vanished values finite.
ROUNDS, TINY = 60, 1e-300
# How far beside a ray its one-sided limits are taken: what happens in a thinner wedge of rays no run will meet. And how
# near an end is taken for the point itself: where a ray touches, S may leave it like the square root of that angle.
BESIDE, NEAR = 1e-10, 1e-3


@dataclass(frozen=True)
class Fold:
    """A point of the fold curve at which the least end may be: its scaled momentum and its displacement."""

    momentum: tuple[float, float]
    displacement: tuple[float, ...]


def radius(tensor: Tensor, momentum: Sequence[float]) -> float:
    """r of a scaled momentum."""
    return float(np.hypot(momentum[0] / tensor[0] ** 0.5, momentum[1] / tensor[1] ** 0.5))


def quadratic_forms(tensor: Tensor) -> tuple[Array, Array]:
    """m1 and m2 as symmetric matrices on (q1, q2, q0)."""
    i11, i22, i13, i23 = tensor
    first = np.array([[0.0, i13, i11], [i13, 2.0 * i23, 0.0], [i11, 0.0, 0.0]])
    second = np.array([[-2.0 * i13, -i23, 0.0], [-i23, 0.0, i22], [0.0, i22, 0.0]])
    return 0.5 * first, 0.5 * second


def momentum_of(tensor: Tensor, q: Array) -> tuple[float, float]:
    """(m1, m2) of a displacement of the Moser-Veselov map."""
    first, second = quadratic_forms(tensor)
    return float(q @ first @ q), float(q @ second @ q)


def curvature(tensor: Tensor, phi: Array) -> tuple[Array, Array]:
    """e + e'' of the middle eigenvalue at directions phi, times the gaps to the others; and the eigenvectors (n, 3).

    By perturbation e'' = -e + 2 sum_k <v_k, F' v>^2/(e - e_k), F' being the form of the direction phi + pi/2.
    """
    first, second = quadratic_forms(tensor)
    c, s = np.cos(phi)[:, None, None], np.sin(phi)[:, None, None]
    values, vectors = np.linalg.eigh(c * first + s * second)
    middle = vectors[:, :, 1]
    pulled = np.einsum("nij,nj->ni", c * second - s * first, middle)
    below, above = (np.einsum("ni,ni->n", vectors[:, :, k], pulled) for k in (0, 2))
    return below**2 * (values[:, 2] - values[:, 1]) - above**2 * (values[:, 1] - values[:, 0]), middle


@lru_cache(maxsize=256)
def moser_veselov_cusps(tensor: Tensor) -> tuple[Fold, ...]:
    """The three real cusps of the caustic; none without products of inertia, where it shrinks to a point."""
    if tensor[2] == 0.0 and tensor[3] == 0.0:
        return ()
    count, found = FEWEST, np.zeros(0, dtype=int)
    while found.size < CUSPS and count <= MOST:
        # A grid that does not meet the axes, on which the cusps of symmetric bodies are.
        phi = (np.arange(count + 1) + 0.3) * np.pi / count
        values = curvature(tensor, phi)[0]
        found = np.flatnonzero(values[:-1] * values[1:] < 0.0)
        count *= 2
    roots = zeros_between(lambda at: curvature(tensor, at)[0], phi[found], phi[found + 1])
    return tuple(Fold(momentum_of(tensor, q), tuple(q)) for q in curvature(tensor, roots)[1])


def zeros_between(function: Callable[[Array], Array], low: Array, high: Array) -> Array:
    """Zeros of a function of arrays, one in each bracket: false position with the Illinois rule, all at once."""
    value_low, value_high = function(low), function(high)
    for _ in range(ROUNDS):
        middle = high - value_high * (high - low) / (value_high - value_low)
        value = function(middle)
        crossed = value * value_high <= 0.0
        # The end that stays counts half, so that it cannot stay for ever.
        low, value_low = np.where(crossed, high, low), np.where(crossed, value_high, 0.5 * value_low)
        high, value_high = middle, value
        if np.all((np.abs(high - low) <= 1e-15) | (value == 0.0)):
            break
        value_high = np.where(value_high == value_low, value_low + TINY, value_high)
    return high


def touching_ray(tensor: Tensor) -> list[Fold]:
    """Where the ray of the permanent rotations touches the caustic.

    With k = |k| (c q2 - s q1) and the ray (I11 c, I22 s), I22 s m1 - I11 c m2 has the factor s q1 - c q2; the other
    one is P q0 - |k| (I11 c q1 + I22 s q2), P = I11 I22. The two lines of displacements cross at a point of the fold.
    """
    i11, i22, i13, i23 = tensor
    size = float(np.hypot(i13, i23))
    if size == 0.0:
        return []
    c, s = i23 / size, -i13 / size
    q = np.array([i11 * i22 * c, i11 * i22 * s, size * (i11 * c * c + i22 * s * s)])
    q /= np.linalg.norm(q)
    return [Fold(momentum_of(tensor, q), tuple(q))]


def least_radius(scheme: int, tensor: Tensor, candidates: Sequence[Fold]) -> float:
    """The infimum of the radii at which rays end; infinite if none does. The candidates contain every one of the above.

    No end is beyond the farthest candidate, since r has a maximum on the fold curve.
    """
    radii = [radius(tensor, fold.momentum) for fold in candidates]
    least, furthest = np.inf, 1.01 * max(radii, default=0.0)
    for fold, known in zip(candidates, radii, strict=True):
        angle = np.arctan2(fold.momentum[1] / tensor[1] ** 0.5, fold.momentum[0] / tensor[0] ** 0.5)
        for beside in (-BESIDE, BESIDE):
            end = end_of_ray(scheme, tensor, angle + beside, min(least, furthest))
            if end is not None:
                least = min(least, known if ends_at(end, fold, known) else end[0])
    return least


def end_of_ray(scheme: int, tensor: Tensor, angle: float, furthest: float) -> tuple[float, Array] | None:
    """The radius at which a ray ends, and the displacement there; None if it does not before `furthest`."""
    m1, m2 = tensor[0] ** 0.5 * np.cos(angle), tensor[1] ** 0.5 * np.sin(angle)
    reached, x, y = kernels.suslov.follow(scheme, tensor, m1, m2, furthest)
    return None if reached >= furthest else (float(reached), np.array([x, y]))


def ends_at(end: tuple[float, Array], fold: Fold, known: float) -> bool:
    """Whether the end beside a ray is that of the ray's own point."""
    reached, (x, y) = end
    if abs(reached - known) > NEAR * known:
        return False
    q, p = np.array([x, y, 1.0]), np.array(fold.displacement)
    cosine = abs(q @ p) / np.sqrt((q @ q) * (p @ p))
    return bool(1.0 - cosine < NEAR)
