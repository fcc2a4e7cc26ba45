"""The Moser-Veselov map of the Suslov top on RP^2: invariant curves, saddles, centres, largest step.

A displacement is a rotation by 2 alpha about the axis (cos psi, sin psi, 0), with Euler parameters
(q1, q2, q0) = (sin alpha cos psi, sin alpha sin psi, cos alpha); opposite points are the same. The integral

    H(q) = 4 (I11 q1^2 + I22 q2^2)(I11 I22 q0^2 + (I13 q1 + I23 q2)^2) = eps^2 (I22 M1^2 + I11 M2^2)

(FZ (6.17); (6.18) is a quarter of it) reads, with w = sin^2 alpha, P = I11 I22, N = I11 cos^2 psi + I22 sin^2 psi
and kappa = I13 cos psi + I23 sin psi,

    H = 4 N (P w + (kappa^2 - P) w^2).

Along a direction psi it has the one maximum f(psi) = N P^2 / (P - kappa^2) at w = P / (2 (P - kappa^2)), or
4 N kappa^2 at w = 1 (the rim) where kappa^2 > P/2. Minima of f are the saddles of H, maxima its centres;
h* = min f is the mountain-pass value: below it every level has an inner and an outer oval.
"""

from dataclasses import dataclass

import numpy as np

from nhviz.system import Array, Values


@dataclass(frozen=True)
class CriticalPoint:
    """A saddle or a centre of H: its place (q1, q2) in the disk, its level, and whether it is on the rim."""

    q1: float
    q2: float
    level: float
    saddle: bool
    on_rim: bool


def forms(params: Values, psi: Array) -> tuple[Array, Array, float]:
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


def summit(params: Values, psi: Array) -> tuple[Array, Array]:
    """Along each direction the largest value f of H and the w = sin^2 alpha where it is taken."""
    n, kappa_squared, p = forms(params, np.asarray(psi, dtype=float))
    inside = 2.0 * kappa_squared <= p
    gap = np.where(inside, p - kappa_squared, p)
    return np.where(inside, n * p**2 / gap, 4.0 * n * kappa_squared), np.where(inside, p / (2.0 * gap), 1.0)


def critical_directions(params: Values) -> Array:
    """Directions psi in [0, pi) where f is stationary: eigenvectors inside, a cubic's roots on the rim."""
    i11, i22, i13, i23 = (params[name] for name in ("I11", "I22", "I13", "I23"))
    p = i11 * i22
    # Inside, f = P^2 n^T A n / n^T B n with A = diag(I11, I22), B = P - k k^T: stationary where A n || B n.
    quadratic = [
        -i22 * i13 * i23,
        i22 * (p - i13**2) - i11 * (p - i23**2),
        i11 * i13 * i23,
    ]
    # On the rim, f = 4 N kappa^2: stationary where 2 kappa' N + kappa N' = 0, a cubic in tan psi.
    cubic = [
        -2.0 * i13 * i22,
        2.0 * i22 * i23 + 2.0 * (i22 - i11) * i23,
        -2.0 * i13 * i11 + 2.0 * (i22 - i11) * i13,
        2.0 * i23 * i11,
    ]
    inside = directions(quadratic)
    rim = directions(cubic)
    _, at_inside = summit(params, inside)
    _, at_rim = summit(params, rim)
    return np.concatenate([inside[at_inside < 1.0], rim[at_rim >= 1.0]])


def directions(coefficients: list[float]) -> Array:
    """Real directions (c, s) up to sign with sum coefficients[j] s^(n-j) c^j = 0, as angles in [0, pi)."""
    scale = max(map(abs, coefficients))
    if scale == 0.0:
        return np.array([0.0, 0.5 * np.pi])
    trimmed = np.array(coefficients) / scale
    vertical = [0.5 * np.pi] if abs(trimmed[0]) < 1e-14 else []
    roots = np.roots(np.where(np.abs(trimmed) < 1e-14, 0.0, trimmed))
    real = roots.real[np.abs(roots.imag) <= 1e-9 * (1.0 + np.abs(roots))]
    return np.concatenate([vertical, np.arctan(real) % np.pi])


def critical_points(params: Values) -> list[CriticalPoint]:
    """Saddles and centres of H on RP^2, lowest level first."""
    psi = critical_directions(params)
    levels, w = summit(params, psi)
    near = 1e-4
    neighbours = 0.5 * (summit(params, psi + near)[0] + summit(params, psi - near)[0])
    found = []
    for angle, level, where, beside in zip(psi, levels, w, neighbours, strict=True):
        rim = bool(where >= 1.0)
        # On the rim opposite points are one point of RP^2; inside they are two.
        for sign in (1.0,) if rim else (1.0, -1.0):
            q = sign * np.sqrt(where) * np.array([np.cos(angle), np.sin(angle)])
            found.append(CriticalPoint(float(q[0]), float(q[1]), float(level), bool(beside > level), rim))
    return sorted(found, key=lambda point: point.level)


def mountain_pass(params: Values) -> float:
    """h*: the lowest saddle of H, the level up to which the inner ovals reach."""
    return float(np.min(summit(params, critical_directions(params))[0]))


def top_level(params: Values) -> float:
    """h**: the level of the highest centre, above which there are no real displacements."""
    return float(np.max(summit(params, critical_directions(params))[0]))


def level_of(params: Values, energy: float, step: float) -> float:
    """The level h of an energy: eps^2 (I22 M1^2 + I11 M2^2) = 2 I11 I22 E eps^2."""
    return 2.0 * params["I11"] * params["I22"] * energy * step**2


def largest_step(params: Values, energy: float) -> float | None:
    """Largest eps at which every momentum of this energy has a real displacement: sqrt(h* / (2 I11 I22 E))."""
    if energy == 0.0:
        return None
    return float(np.sqrt(mountain_pass(params) / (2.0 * params["I11"] * params["I22"] * energy)))


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
    """The curve over directions start..end, closed at its ends, where inner and outer radius meet.

    A curve around a centre on the rim has no outer part: it is left open there.
    """
    spacing = psi[1] - psi[0]
    low = edge(params, level, psi[start % (psi.size - 1)], -spacing)
    high = edge(params, level, psi[(end - 1) % (psi.size - 1)], spacing)
    high += 2.0 * np.pi * np.ceil((low - high) / (2.0 * np.pi))
    # Points crowd towards the ends, where the curve turns round.
    angle = low + (high - low) * 0.5 * (1.0 - np.cos(np.linspace(0.0, np.pi, 121)))
    inner, outer = radii(params, level, angle)
    # The ends themselves are where the discriminant vanishes: inner = outer.
    inside = ~np.isnan(inner)
    forward = polar(inner[inside], angle[inside])
    both = ~np.isnan(outer)
    if not both[inside].all():
        return [forward]
    back = polar(outer[inside][::-1], angle[inside][::-1])
    return [np.concatenate([forward, back, forward[:, :1]], axis=1)]


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
