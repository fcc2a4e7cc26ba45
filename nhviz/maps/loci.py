"""Momentum loci as surfaces, the plane d*, and the curves where they meet."""

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from nhviz import kernels
from nhviz.maps.sleigh_branches import cubic_fold, fedorov_zenkov_largest_step, inertias
from nhviz.parameters import Parameter, ParameterError
from nhviz.system import Array, Locus, Values

GRID = (
    Parameter("rows", 61, 2, 400, "rows of the grid"),
    Parameter("columns", 121, 2, 400, "columns of the grid"),
)
SECTION = (
    Parameter("q0_min", 0.0, 0.0, 1.0, "least cosine of half the rotation"),
    Parameter("q0_max", 1.0, 0.0, 1.0, "greatest cosine of half the rotation"),
    *GRID,
)
ANGLE = (Parameter("angle", 0.5 * np.pi, 0.01, 3.1, "greatest rotation", unit="rad"), *GRID)
EXTENT = (Parameter("extent", 3.0, 0.1, 100.0, "reach of the surface, in units of A"), *GRID)
SUSLOV_AXES = ("M1", "M2", "M3")
SLEIGH_AXES = ("eps (p_theta + b p_1)", "eps a p_1 + 2 m a^2", "sin dtheta")


def suslov_momentum(params: Values, step: float, q: Array, rational: bool) -> Array:
    """(M1, M2, M3) of displacements with Euler parameters q = (q1, q2, q0), arrays of one shape.

    Moser-Veselov (FZ (6.12), GJ (28)) is quadratic in q on the unit sphere; Cayley (GJ (41)) divides by powers of q0.
    """
    i11, i22, i13, i23 = (params[name] for name in ("I11", "I22", "I13", "I23"))
    q1, q2, q0 = q
    if rational:
        q1, q2, q0 = q1 / q0, q2 / q0, np.ones_like(q0)
    k = i13 * q1 + i23 * q2
    s = i11 * q1**2 + i22 * q2**2 if rational else 0.0
    momentum = np.stack(
        [q1 * (i11 * q0 + s) + q2 * k, q2 * (i22 * q0 + s) - q1 * k, k * q0 + (i22 - i11) * q1 * q2], axis=-1
    )
    return 2.0 / step * momentum


def moser_veselov_locus(params: Values, step: float, view: Values) -> Locus:
    """The generalised Steiner surface, or its section q0_min <= q0 <= q0_max (FZ figures 6.1 and 6.2)."""
    if view["q0_min"] >= view["q0_max"]:
        raise ParameterError(f"q0_min must be less than q0_max = {view['q0_max']:g}, not {view['q0_min']:g}.", "q0_min")
    nearest, farthest = np.arccos(view["q0_max"]), np.arccos(view["q0_min"])
    q = displacements(float(nearest), float(farthest), int(view["rows"]), int(view["columns"]))
    return Locus(suslov_momentum(params, step, q, rational=False), SUSLOV_AXES)


def cayley_locus(params: Values, step: float, view: Values) -> Locus:
    """The Cayley locus for rotations up to `angle` < pi; the whole of it is unbounded."""
    q = displacements(0.0, 0.5 * view["angle"], int(view["rows"]), int(view["columns"]))
    return Locus(suslov_momentum(params, step, q, rational=True), SUSLOV_AXES)


@lru_cache(maxsize=8)
def displacements(nearest: float, farthest: float, rows: int, columns: int) -> Array:
    """Euler parameters (3, rows, columns) of a grid: rows by half the angle, columns by the axis, all round."""
    alpha = np.linspace(nearest, farthest, rows)[:, None]
    psi = np.linspace(0.0, 2.0 * np.pi, columns)[None, :]
    return np.stack([np.sin(alpha) * np.cos(psi), np.sin(alpha) * np.sin(psi), np.cos(alpha) * np.ones_like(psi)])


def plane_normal(params: Values) -> Array:
    """Unit normal of d*: M3 = I13 M1 / I11 + I23 M2 / I22."""
    normal = np.array([-params["I13"] / params["I11"], -params["I23"] / params["I22"], 1.0])
    return normal / np.linalg.norm(normal)


def distance_to_plane(params: Values, m1: Array, m2: Array, m3: Array) -> Array:
    """Signed distance of momenta to the plane d*."""
    normal = plane_normal(params)
    return normal[0] * m1 + normal[1] * m2 + normal[2] * m3


def plane_patch(params: Values, extent: float, count: int = 2) -> Array:
    """A square piece of d* over |M1|, |M2| <= extent, as a grid (count, count, 3)."""
    patch, side = np.empty((count, count, 3)), np.linspace(-extent, extent, count)
    patch[..., 0], patch[..., 1] = side, side[:, None]
    patch[..., 2] = params["I13"] * patch[..., 0] / params["I11"] + params["I23"] * patch[..., 1] / params["I22"]
    return patch


def contact_form(params: Values, psi: Array) -> Array:
    """Distance to d* per rho^2 along a direction: a quadratic form with two real zeros in [0, pi)."""
    i11, i22, i13, i23 = (params[name] for name in ("I11", "I22", "I13", "I23"))
    c, s = np.cos(psi), np.sin(psi)
    k = i13 * c + i23 * s
    return (i22 - i11) * c * s - k * (s * i13 / i11 - c * i23 / i22)


def contact_directions(params: Values) -> Array:
    """The two directions psi in which the Moser-Veselov locus lies in d*; none if it lies in d* altogether."""
    i11, i22, i13, i23 = (params[name] for name in ("I11", "I22", "I13", "I23"))
    # contact_form = a cos^2 + b cos sin + c sin^2 = (a + c)/2 + amplitude cos(2 psi - angle)
    a, b, c = i13 * i23 / i22, i22 - i11 - i13**2 / i11 + i23**2 / i22, -i13 * i23 / i11
    amplitude = 0.5 * np.hypot(a - c, b)
    if amplitude == 0.0:
        return np.zeros(0)
    angle, opening = np.arctan2(b, a - c), np.arccos(np.clip(-0.5 * (a + c) / amplitude, -1.0, 1.0))
    return np.sort(0.5 * np.array([angle - opening, angle + opening]) % np.pi)


def moser_veselov_contact(params: Values, step: float, count: int = 181, angle: float = np.pi) -> list[Array]:
    """Where the Moser-Veselov locus meets d*, for rotations up to `angle`: two conics through 0, each (3, count)."""
    alpha, psi = 0.5 * np.linspace(-angle, angle, count), contact_directions(params)[:, None]
    q = np.stack([np.sin(alpha) * np.cos(psi), np.sin(alpha) * np.sin(psi), np.cos(alpha) * np.ones_like(psi)])
    return [curve.T for curve in suslov_momentum(params, step, q, rational=False)]


def cayley_contact(params: Values, step: float, angle: float = 0.5 * np.pi, count: int = 721) -> list[Array]:
    """Where the Cayley locus meets d*, for rotations up to `angle`: GJ figure 2's curve, in pieces (3, n).

    Along a direction psi the distance is rho^2 (form - rho slope); form is `contact_form`, slope = N (I13 cos psi/I11 +
    I23 sin psi/I22). If both vanish in one direction, as for I11 = I22, that whole line belongs to the curve.
    """
    first, second = params["I13"] / params["I11"], params["I23"] / params["I22"]
    if first == 0.0 and second == 0.0:
        return [cayley_line(params, step, psi, angle) for psi in contact_directions(params)]

    def radius(psi: Array) -> Array:
        c, s = np.cos(psi), np.sin(psi)
        slope = (params["I11"] * c**2 + params["I22"] * s**2) * (first * c + second * s)
        return np.divide(contact_form(params, psi), slope, out=np.full_like(psi, np.inf), where=slope != 0.0)

    reach = np.tan(0.5 * angle)
    steep = np.arctan2(-first, second) % np.pi
    psi = refined(radius, np.unique(np.append(np.linspace(0.0, np.pi, count), steep)), reach)
    rho = radius(psi)
    inside = np.abs(rho) <= reach
    curves = []
    for block in np.split(np.arange(psi.size), np.flatnonzero(np.diff(inside.astype(int))) + 1):
        if inside[block[0]]:
            q = np.stack([rho[block] * np.cos(psi[block]), rho[block] * np.sin(psi[block]), np.ones(block.size)])
            curves.append(suslov_momentum(params, step, q, rational=True).T)
    if abs(contact_form(params, steep)) <= 1e-12 * np.max(np.abs(contact_form(params, psi))):
        curves.append(cayley_line(params, step, steep, angle))
    return curves


def refined(radius: Callable[[Array], Array], psi: Array, reach: float) -> Array:
    """Directions between which a radius, cut off a little beyond reach, jumps by at most a fiftieth of it.

    Halving stops at a pole, where the radius changes sign through infinity, after as many rounds as a number has bits.
    """
    for _ in range(48):
        rho = np.clip(radius(psi), -1.05 * reach, 1.05 * reach)
        beyond = np.abs(rho) > reach
        passed = beyond[1:] & beyond[:-1] & (rho[1:] * rho[:-1] > 0.0)
        wide = (np.abs(np.diff(rho)) > reach / 50.0) & ~passed
        if not wide.any():
            break
        psi = np.insert(psi, np.flatnonzero(wide) + 1, 0.5 * (psi[1:] + psi[:-1])[wide])
    return psi


def cayley_line(params: Values, step: float, psi: float, angle: float, count: int = 181) -> Array:
    """The image (3, count) of the displacements about the axis psi, by up to `angle`."""
    alpha = 0.5 * np.linspace(-angle, angle, count)
    q = np.stack([np.sin(alpha) * np.cos(psi), np.sin(alpha) * np.sin(psi), np.cos(alpha)])
    return suslov_momentum(params, step, q, rational=True).T


def sleigh_surface(params: Values, turn: Array, along: Array) -> tuple[Array, Array]:
    """(P, q) on the ruled surface of FZ figure 7.2: for each turn a straight line, parameter `along`."""
    return params["J"] * np.sin(turn) + along * np.sin(0.5 * turn), along * np.cos(0.5 * turn)


def fedorov_zenkov_locus(params: Values, step: float, view: Values) -> Locus:
    """FZ figure 7.2, in the paper's discrete momenta: rows are turns from -pi to pi, each a straight line."""
    reach = view["extent"] * inertias(params)[0]
    turn = np.linspace(-np.pi, np.pi, int(view["rows"]))[:, None]
    along = np.linspace(-reach, reach, int(view["columns"]))[None, :]
    p, q = sleigh_surface(params, turn, along)
    return Locus(np.stack([p, q, np.sin(turn) * np.ones_like(along)], axis=-1), SLEIGH_AXES)


def sleigh_patch(params: Values, low: Array, high: Array, rows: int, columns: int) -> Array:
    """The sheet (rows, columns, 3) of FZ's surface about the identity, with q and sin(turn) as in two corners.

    Rows are turns, equally spaced by their sines.
    """
    sine = np.linspace(max(low[2], -1.0), min(high[2], 1.0), rows)[:, None]
    q = np.linspace(low[1], high[1], columns)[None, :]
    turn = np.arcsin(sine)
    p, q = sleigh_surface(params, turn, q / np.cos(0.5 * turn))
    return np.stack(np.broadcast_arrays(p, q, sine), axis=-1)


def largest_ring(params: Values, energy: float, count: int = 145) -> Array | None:
    """All momenta of an energy on FZ's surface (3, count) at the largest step, where they first meet its fold.

    There P^2/A + c^2/mu = 2 E eps^2. At the step itself round-off may lose the branch where they meet: a little less.
    """
    largest = fedorov_zenkov_largest_step(params, energy)
    if largest is None or params["a"] == 0.0:
        return None
    total, _ = inertias(params)
    angle = np.linspace(0.0, 2.0 * np.pi, count)
    p_1 = np.sqrt(2.0 * energy * params["m"]) * np.sin(angle)
    p_theta = np.sqrt(2.0 * energy * total) * np.cos(angle) - params["b"] * p_1
    return orbit_on_sleigh_locus(params, (1.0 - 1e-9) * largest, p_theta, p_1)


def midpoint_locus(params: Values, step: float, view: Values) -> Locus:
    """The same picture for the midpoint sleigh: P against q for turns up to 0.9 pi."""
    total, mu = inertias(params)
    reach = view["extent"] * total
    d = 0.9 * np.pi * np.linspace(-1.0, 1.0, int(view["rows"]))[:, None]
    q = np.linspace(-reach, reach, int(view["columns"]))[None, :]
    p = d * (total + 0.5 * ((q - 2.0 * mu) + mu * d * np.sin(0.5 * d)) / np.cos(0.5 * d))
    return Locus(np.stack(np.broadcast_arrays(p, q, np.sin(d)), axis=-1), SLEIGH_AXES)


def naive_locus(params: Values, step: float, view: Values) -> Locus:
    """The same picture for the naive sleigh: P depends on the turn alone, a cylinder."""
    total, _ = inertias(params)
    reach = view["extent"] * total
    d = np.pi * np.linspace(-1.0, 1.0, int(view["rows"]))[:, None]
    q = np.linspace(-reach, reach, int(view["columns"]))[None, :]
    p = total * np.sin(d) - params["a"] * params["b"] * params["m"] * (1.0 - np.cos(d))
    return Locus(np.stack(np.broadcast_arrays(p, q, np.sin(d)), axis=-1), SLEIGH_AXES)


def sleigh_point(params: Values, step: float, p_theta: Array, p_1: Array, turn: Array) -> Array:
    """Where an orbit is on these surfaces, (n, 3)."""
    p = step * (p_theta + params["b"] * p_1)
    q = step * params["a"] * p_1 + 2.0 * inertias(params)[1]
    return np.stack([p, q, np.sin(turn)], axis=-1)


def tangent_lines(params: Values, reach: float) -> list[Array]:
    """The lines +-P - q = J along which FZ's surface touches the planes z = +-1, each (2, 3)."""
    j = params["J"]
    q = np.array([-reach, reach])
    return [np.stack([sign * (j + q), q, np.full(2, sign)], axis=-1) for sign in (1.0, -1.0)]


def discriminant_curve(params: Values, height: float = -1.3, count: int = 201) -> Array:
    """Lemma 7.2's curve below the surface, (3, n): inside it three displacements share a momentum."""
    angle = np.linspace(-np.pi, np.pi, count)[1:-1]
    p, q = cubic_fold(params, np.tan(0.5 * angle))
    return np.stack([p, q, np.full(p.size, height)])


def orbit_on_sleigh_locus(params: Values, step: float, p_theta: Array, p_1: Array) -> Array:
    """Where momenta are on FZ's surface by the principal branch, (3, n)."""
    _, mu = inertias(params)
    p = step * (p_theta + params["b"] * p_1)
    c = step * params["a"] * p_1
    return np.stack([p, c + 2.0 * mu, kernels.sleigh_turns.sines_of_turns(params["J"], mu, p, c)])
