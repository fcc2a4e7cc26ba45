"""The Moser-Veselov map of the Suslov top on RP^2: invariant curves, saddles, centres, largest step.

A displacement is a rotation by 2 alpha about the axis (cos psi, sin psi, 0), with Euler parameters
(q1, q2, q0) = (sin alpha cos psi, sin alpha sin psi, cos alpha); opposite points are the same. The integral

    H(q) = 4 (I11 q1^2 + I22 q2^2)(I11 I22 q0^2 + (I13 q1 + I23 q2)^2) = eps^2 (I22 M1^2 + I11 M2^2)

(FZ (6.17); (6.18) is a quarter of it) reads, with w = sin^2 alpha, P = I11 I22, N = I11 cos^2 psi + I22 sin^2 psi
and kappa = I13 cos psi + I23 sin psi,

    H = 4 N (P w + (kappa^2 - P) w^2).

Along a direction psi it has the one maximum f(psi) = N P^2 / (P - kappa^2) at w = P / (2 (P - kappa^2)), or
4 N kappa^2 at w = 1 (the rim, rotations by pi) where kappa^2 > P/2. Critical points of H:

* inside, where f is stationary: saddles at its minimum, centres at its maximum;
* on the rim, where N kappa^2 is stationary along it: a saddle or a centre, by the signs of both second derivatives.

Two minima (the identity, and the half turn about the axis kappa = 0), s saddles and c centres make 2 - s + c = 1, as on
every RP^2 (a further minimum on the rim brings a further saddle). h*, the mountain pass, is where the inner oval of a
level meets the outer one: the least of f, unless that is on the rim, where the inner oval of an elongated body meets
itself.

Every momentum has a principal displacement up to the least level at which a principal branch ends: a critical point of
H, or for elongated bodies also a cusp of the momenta (`suslov_folds`). For mild bodies it is h* = min f.
"""

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from nhviz import kernels
from nhviz.maps import suslov_folds
from nhviz.maps.suslov_branches import inertia
from nhviz.system import Array, Values

ENTRIES = ("I11", "I22", "I13", "I23")
BESIDE = (-1e-3, 0.0, 1e-3)
"""A direction and its neighbours, which tell a minimum from a maximum."""


@dataclass(frozen=True)
class CriticalPoint:
    """A saddle or a centre of H: its place (q1, q2) in the disk, its level, and whether it is on the rim."""

    q1: float
    q2: float
    level: float
    saddle: bool
    on_rim: bool


def forms(params: Values, psi: Any) -> tuple[Array, Array, float]:
    """N(psi), kappa(psi)^2 and P."""
    c, s = np.cos(psi), np.sin(psi)
    return (
        params["I11"] * c**2 + params["I22"] * s**2,
        (params["I13"] * c + params["I23"] * s) ** 2,
        params["I11"] * params["I22"],
    )


def integral(params: Values, q1: Array, q2: Array) -> Array:
    """H at points of the disk, q0 = sqrt(1 - q1^2 - q2^2)."""
    q0_squared = np.maximum(1.0 - q1**2 - q2**2, 0.0)
    k = params["I13"] * q1 + params["I23"] * q2
    first = params["I11"] * q1**2 + params["I22"] * q2**2
    return 4.0 * first * (params["I11"] * params["I22"] * q0_squared + k**2)


def summit(params: Values, psi: Any) -> tuple[Array, Array]:
    """Along each direction the largest value f of H and the w = sin^2 alpha where it is taken."""
    n, kappa_squared, p = forms(params, np.asarray(psi, dtype=float))
    inside = 2.0 * kappa_squared <= p
    gap = np.where(inside, p - kappa_squared, p)
    return np.where(inside, n * p**2 / gap, 4.0 * n * kappa_squared), np.where(inside, p / (2.0 * gap), 1.0)


def summit_along(tensor: suslov_folds.Tensor, psi: float) -> tuple[float, float]:
    """The same along one direction."""
    i11, i22, i13, i23 = tensor
    c, s = math.cos(psi), math.sin(psi)
    n, kappa_squared, p = i11 * c * c + i22 * s * s, (i13 * c + i23 * s) ** 2, i11 * i22
    if 2.0 * kappa_squared > p:
        return 4.0 * n * kappa_squared, 1.0
    return n * p * p / (p - kappa_squared), p / (2.0 * (p - kappa_squared))


def interior_directions(params: Values) -> Array:
    """Directions psi in [0, pi) of the critical points inside the disk: eigenvectors of a pair of matrices."""
    return stationary_directions(inertia(params))[0]


def rim_directions(params: Values) -> Array:
    """Directions psi in [0, pi) on the rim where N kappa^2 is stationary and not 0: roots of a cubic in tan psi."""
    return stationary_directions(inertia(params))[1]


@lru_cache(maxsize=256)
def stationary_directions(tensor: suslov_folds.Tensor) -> tuple[Array, Array]:
    """Those inside the disk, and those on the rim."""
    i11, i22, i13, i23 = tensor
    p = i11 * i22
    # f = P^2 n^T A n / n^T B n with A = diag(I11, I22), B = P - k k^T: stationary where A n || B n.
    inside = directions([-i22 * i13 * i23, i22 * (p - i13**2) - i11 * (p - i23**2), i11 * i13 * i23])
    inside = np.array([psi for psi in inside.tolist() if summit_along(tensor, psi)[1] < 1.0])
    # 2 kappa' N + kappa N' = 0
    rim = directions(
        [
            -2.0 * i13 * i22,
            2.0 * i22 * i23 + 2.0 * (i22 - i11) * i23,
            -2.0 * i13 * i11 + 2.0 * (i22 - i11) * i13,
            2.0 * i23 * i11,
        ]
    )
    return inside, rim if i13 or i23 else np.zeros(0)


def directions(coefficients: list[float]) -> Array:
    """Real directions (c, s) up to sign with sum coefficients[j] s^(n-j) c^j = 0, as angles in [0, pi)."""
    scale = max(map(abs, coefficients))
    if scale == 0.0:
        return np.array([0.0, 0.5 * np.pi])
    trimmed = [entry / scale if abs(entry) >= 1e-14 * scale else 0.0 for entry in coefficients]
    vertical = [] if trimmed[0] else [0.5 * np.pi]
    if len(trimmed) == 3:
        count, *both = kernels.polynomials.quadratic_roots(*trimmed)
        return np.array([*vertical, *(math.atan(root) % math.pi for root in both[:count])])
    count, roots = kernels.polynomials.cubic_roots(*trimmed)
    return np.array([*vertical, *(math.atan(root) % math.pi for root in roots[:count].tolist())])


def critical_points(params: Values) -> list[CriticalPoint]:
    """Saddles and centres of H on RP^2, lowest level first."""
    tensor = inertia(params)
    inside, rim = stationary_directions(tensor)
    found = []
    for psi in inside.tolist():
        heights = [summit_along(tensor, psi + beside) for beside in BESIDE]
        level = [height for height, _ in heights]
        saddle, distance = second_difference(level) > 0.0, math.sqrt(heights[1][1])
        # Opposite points inside the disk are two points of RP^2.
        for size in (distance, -distance):
            found.append(CriticalPoint(size * math.cos(psi), size * math.sin(psi), level[1], saddle, on_rim=False))
    for psi in rim.tolist():
        level = [rim_level(tensor, psi + beside) for beside in BESIDE]
        point = CriticalPoint(math.cos(psi), math.sin(psi), level[1], saddle=False, on_rim=True)
        summit_along_ray, summit_along_rim = beyond_half(params, point), second_difference(level) < 0.0
        if summit_along_ray or summit_along_rim:
            found.append(replace(point, saddle=summit_along_ray != summit_along_rim))
    return sorted(found, key=lambda point: point.level)


def rim_level(tensor: suslov_folds.Tensor, psi: float) -> float:
    """H on the rim: 4 N kappa^2."""
    i11, i22, i13, i23 = tensor
    c, s = math.cos(psi), math.sin(psi)
    return 4.0 * (i11 * c * c + i22 * s * s) * (i13 * c + i23 * s) ** 2


def second_difference(values: list[float]) -> float:
    """That of three values beside each other."""
    return values[2] + values[0] - 2.0 * values[1]


def mountain_pass(params: Values) -> float:
    """h*: the level at which the inner oval, around the identity, meets an outer one.

    Where kappa^2 > P/2 on the rim, H falls along the whole ray to the identity: such a saddle joins the inner oval with
    itself only. So they meet at a saddle inside, or at another one of the rim; as H has several minima there is one.
    Only a balanced body with I11 = I22 has none: f is the same everywhere, and they meet all round, at the top.
    """
    saddles = [point for point in critical_points(params) if point.saddle]
    joining = [point.level for point in saddles if not point.on_rim]
    itself = min((point.level for point in saddles if point.on_rim and beyond_half(params, point)), default=math.inf)
    if itself < min(joining, default=math.inf):
        # The inner oval has reached the rim, so that it can also meet the outer one there.
        joining += [max(itself, p.level) for p in saddles if p.on_rim and not beyond_half(params, p)]
    return min(joining, default=top_level(params))


def beyond_half(params: Values, point: CriticalPoint) -> bool:
    """Whether kappa^2 > P/2 at a rim point: H falls from there along the ray."""
    return bool(2.0 * (params["I13"] * point.q1 + params["I23"] * point.q2) ** 2 > params["I11"] * params["I22"])


def admissible_level(params: Values) -> float:
    """The level up to which every momentum has its principal displacement: the least one at which a branch ends."""
    return admissible_level_of(inertia(params))


@lru_cache(maxsize=256)
def admissible_level_of(tensor: suslov_folds.Tensor) -> float:
    """The admissible level of a tensor: 4 P r^2 with the least radius of an end."""
    candidates = (
        *(critical_fold(tensor, point) for point in critical_points(dict(zip(ENTRIES, tensor, strict=True)))),
        *suslov_folds.moser_veselov_cusps(tensor),
        *suslov_folds.touching_ray(tensor),
    )
    scale = 4.0 * tensor[0] * tensor[1]
    free = math.sqrt(least_level(tensor) / scale)
    return scale * suslov_folds.least_radius(kernels.suslov.MOSER_VESELOV, tensor, candidates, free) ** 2


def critical_fold(tensor: suslov_folds.Tensor, point: CriticalPoint) -> suslov_folds.Fold:
    """A critical point of H as a point of the fold."""
    q0 = math.sqrt(max(1.0 - point.q1**2 - point.q2**2, 0.0))
    return suslov_folds.fold_of(tensor, point.q1, point.q2, q0)


@lru_cache(maxsize=256)
def least_level(tensor: suslov_folds.Tensor) -> float:
    """A level below which every momentum has one displacement on the inner oval, the principal one.

    Below min f the inner ovals are curves around the identity, and H <= level inside one is a disk. If there is no fold
    in it, displacement -> momentum is a covering of a disk, hence one to one. H has its least value on the fold curve
    at a critical point, where it is at least min f, or at a cusp.
    """
    directions_of_f = [psi for part in stationary_directions(tensor) for psi in part.tolist()]
    least = min((summit_along(tensor, psi)[0] for psi in directions_of_f), default=math.inf)
    for cusp in suslov_folds.moser_veselov_cusps(tensor):
        q1, q2, q0 = cusp.displacement
        k = tensor[2] * q1 + tensor[3] * q2
        if tensor[0] * tensor[1] * (q0**2 - q1**2 - q2**2) + 2.0 * k**2 > -1e-9 * tensor[0] * tensor[1]:
            least = min(least, 4.0 * tensor[0] * tensor[1] * suslov_folds.radius(tensor, cusp.momentum) ** 2)
    return least


def simple_level(tensor: suslov_folds.Tensor) -> float:
    """The same, less round-off: what a run may rely on."""
    return least_level(tensor) * (1.0 - 1e-9)


def top_level(params: Values) -> float:
    """h**: the level of the highest centre, above which there are no real displacements."""
    return float(np.max(summit(params, np.concatenate([interior_directions(params), rim_directions(params)]))[0]))


def level_of(params: Values, energy: float, step: float) -> float:
    """The level h of an energy: eps^2 (I22 M1^2 + I11 M2^2) = 2 I11 I22 E eps^2."""
    return 2.0 * params["I11"] * params["I22"] * energy * step**2


def largest_step(params: Values, energy: float) -> float | None:
    """Largest eps at which every momentum of this energy has a principal displacement: sqrt(level / (2 I11 I22 E))."""
    if energy == 0.0:
        return None
    return float(np.sqrt(admissible_level(params) / (2.0 * params["I11"] * params["I22"] * energy)))


def invariant_curves(params: Values, level: float, count: int = 361) -> list[Array]:
    """The level set H = level on the disk, as curves (2, n) of (q1, q2).

    Below h*: an inner oval and an outer one, the latter cut where it leaves through the rim. Between h*
    and h**: closed curves around the centres. At or above h** nothing.
    """
    psi = np.linspace(0.0, 2.0 * np.pi, count)
    inner, outer = radii(params, level, psi)
    exists = ~np.isnan(inner)
    if exists.all():
        return [polar(inner, psi), *pieces(outer, psi)]
    if not exists.any():
        return []
    return [curve for start, end in runs(exists) for curve in lens(params, level, psi, start, end)]


def radii(params: Values, level: float, psi: Array) -> tuple[Array, Array]:
    """Inner and outer |(q1, q2)| where each direction meets the level; NaN marks that it does not."""
    n, kappa_squared, p = forms(params, psi)
    gap = p - kappa_squared
    discriminant = p**2 - gap * level / n
    root = np.sqrt(np.where(discriminant >= 0.0, discriminant, np.nan))
    # w = (P -+ root) / (2 gap), the first written so that gap = 0 is harmless.
    inner = 0.5 * level / n / (p + root)
    with np.errstate(divide="ignore", invalid="ignore"):
        outer = (p + root) / (2.0 * gap)
    inner = np.where(inner <= 1.0, inner, np.nan)
    outer = np.where((outer >= 0.0) & (outer <= 1.0), outer, np.nan)
    return np.sqrt(inner), np.sqrt(outer)


def polar(radius: Array, psi: Array) -> Array:
    """Points (2, n) from polar coordinates."""
    return np.stack([radius * np.cos(psi), radius * np.sin(psi)])


def runs(mask: Array) -> list[tuple[int, int]]:
    """Index ranges [start, end) of consecutive True in a mask over one full turn, which may wrap."""
    n = mask.size - 1
    starts = [i for i in range(n) if mask[i] and not mask[i - 1 if i else n - 1]]
    result = []
    for start in starts:
        end = start
        while mask[end % n]:
            end += 1
        result.append((start, end))
    return result


def pieces(radius: Array, psi: Array) -> list[Array]:
    """The curve of a radius over one turn, cut where the radius does not exist."""
    exists = ~np.isnan(radius)
    if exists.all():
        return [polar(radius, psi)]
    n = psi.size - 1
    return [polar(radius[np.arange(a, b) % n], psi[np.arange(a, b) % n]) for a, b in runs(exists)]


def lens(params: Values, level: float, psi: Array, start: int, end: int) -> list[Array]:
    """The curve over directions start..end: inner and outer radius meet at its ends; it closes or ends on the rim."""
    spacing = psi[1] - psi[0]
    low = edge(params, level, psi[start % (psi.size - 1)], -spacing)
    high = edge(params, level, psi[(end - 1) % (psi.size - 1)], spacing)
    high += 2.0 * np.pi * np.ceil((low - high) / (2.0 * np.pi))
    # Points crowd towards the ends, where the curve turns round.
    angle = low + (high - low) * 0.5 * (1.0 - np.cos(np.linspace(0.0, np.pi, 121)))
    inner, outer = radii(params, level, angle)
    inside = np.flatnonzero(~np.isnan(inner))
    missing = np.flatnonzero(np.isnan(outer[inside]))
    forward = polar(inner[inside], angle[inside])
    back = polar(outer[inside], angle[inside])
    if not missing.size:
        return [np.concatenate([forward, back[:, ::-1], forward[:, :1]], axis=1)]
    # The outer part leaves through the rim: begin after the last gap, turn into the inner part, end before the first.
    main = np.concatenate([back[:, missing[-1] + 1 :], forward[:, ::-1], back[:, : missing[0]]], axis=1)
    # Between two gaps it may come back through the rim, for elongated bodies.
    islands = [back[:, a + 1 : b] for a, b in pairwise(missing) if b > a + 1]
    return [main, *islands]


def edge(params: Values, level: float, inside: float, direction: float) -> float:
    """The last angle from `inside` towards `direction` at which the level is met, by bisection."""
    outside = inside + direction
    for _ in range(60):
        middle = 0.5 * (inside + outside)
        if np.isnan(radii(params, level, np.array([middle]))[0][0]):
            outside = middle
        else:
            inside = middle
    return inside


def disk_point(u: Array, v: Array, step: float) -> tuple[Array, Array]:
    """(q1, q2) of a displacement with Cayley coordinates (u, v): where an orbit is on RP^2."""
    x, y = 0.5 * step * u, 0.5 * step * v
    q0 = 1.0 / np.sqrt(1.0 + x**2 + y**2)
    return x * q0, y * q0


def equilibrium_line(params: Values, count: int = 101) -> Array:
    """The diameter I13 q1 + I23 q2 = 0 of the disk, (2, count): the permanent rotations."""
    length = np.hypot(params["I13"], params["I23"])
    if length == 0.0:
        return np.zeros((2, 0))
    direction = np.array([params["I23"], -params["I13"]]) / length
    return direction[:, None] * np.linspace(-1.0, 1.0, count)


def joined(curves: list[Array]) -> Array:
    """Curves (2, n) as one, with NaN between them."""
    gap = np.full((2, 1), np.nan)
    return np.concatenate([piece for curve in curves for piece in (curve, gap)] or [gap], axis=1)
