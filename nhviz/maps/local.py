"""Local behaviour of the discrete maps: where they rest, multipliers there, leading errors of one step.

Displacements of the Suslov maps are (x, y) = (eps/2)(u, v) as in `nhviz.kernels.suslov`, with k = I13 x + I23 y.

The errors are the eps^3 terms of map minus flow in the momentum plane, as (error of the phase, error of the energy);
`nhviz.analysis.phase` adds them up along a run.
"""

import math
from typing import Any

import numpy as np

from nhviz import kernels
from nhviz.maps import cayley_folds, steiner
from nhviz.maps.sleigh_branches import inertias
from nhviz.maps.suslov_branches import inertia
from nhviz.system import Array, Values


def moser_veselov_multiplier(params: Values, step: float, momentum: Array) -> float:
    """Multiplier of the map across the line of its rest points: ratio of the Jacobians of both Legendre maps."""
    size = resting_size(params, step, momentum)
    # At 1/2 the map folds; beyond, no displacement on k = 0 has this momentum.
    if abs(size) >= 0.5:
        return float("inf")
    return resting_multiplier(kernels.suslov.MOSER_VESELOV, params, float(turn_of(size)))


def cayley_multiplier(params: Values, step: float, momentum: Array) -> float:
    """The same for the Cayley map, at one of its own rest points."""
    size = resting_size(params, step, momentum)
    # rho = (2/sqrt 3) sinh(t) solves rho + rho^3 = size with sinh(3 t) = (3 sqrt 3/2) size.
    rho = 2.0 / 3.0**0.5 * np.sinh(np.arcsinh(1.5 * 3.0**0.5 * size) / 3.0)
    return resting_multiplier(kernels.suslov.CAYLEY, params, rho)


def resting_direction(params: Values) -> tuple[Array, float]:
    """The unit vector e of the displacements with k = 0, towards the stable half, and N = I11 e1^2 + I22 e2^2."""
    i11, i22, i13, i23 = inertia(params)
    size = math.hypot(i13, i23)
    e1, e2 = -i23 / size, i13 / size
    return np.array([e1, e2]), i11 * e1 * e1 + i22 * e2 * e2


def resting_size(params: Values, step: float, momentum: Array) -> float:
    """e.m/N with m = (eps/2) M: at a rest point rho/(1 + rho^2) for Moser-Veselov and rho (1 + rho^2) for Cayley."""
    direction, shape = resting_direction(params)
    return float(0.5 * step * (direction @ momentum) / shape)


def turn_of(size: Any) -> Any:
    """The smaller root rho of rho/(1 + rho^2) = size."""
    return 2.0 * size / (1.0 + np.sqrt(1.0 - 4.0 * size**2))


def resting_multiplier(scheme: int, params: Values, rho: float) -> float:
    """Product of both multipliers, one of which is 1, at the displacement rho e."""
    i11, i22, i13, i23 = inertia(params)
    x, y = rho * resting_direction(params)[0]
    m1, m2, _ = kernels.suslov.legendre(scheme, (i11, i22, i13, i23), x, y)
    _, _, fx, fy, gx, gy = kernels.suslov.equation(scheme, (i11, i22, i13, i23), x, y, m1, m2)
    _, _, bx, by, cx, cy = kernels.suslov.equation(scheme, (i11, i22, -i13, -i23), x, y, m1, m2)
    return float((bx * cy - by * cx) / (fx * gy - fy * gx))


def moser_veselov_rest_points(params: Values, step: float, energy: Any) -> Array:
    """The momenta of energies that the map keeps, unstable ones first: those of the flow that it can step with.

    A step changes (m1, m2) by 2 k (-y, x)/D: it keeps them only where k = 0. There m = rho (I11 e1, I22 e2)/(1 + rho^2)
    is on the flow's line, and with s^2 = eps^2 E/(2 N) the energy asks for rho/(1 + rho^2) = s: it folds at s = 1/2.
    """
    scale = resting_scale(params, step, energy)
    scale = scale[(scale > 0.0) & (scale < 0.5)]
    if not scale.size:
        return np.zeros((0, 2))
    (e1, e2), _ = resting_direction(params)
    momenta = scale[:, None] * np.array([params["I11"] * e1, params["I22"] * e2])
    simple = 0.25 * steiner.simple_level(inertia(params))
    return resting(kernels.suslov.MOSER_VESELOV, params, step, turn_of(scale), momenta, simple)


def cayley_rest_points(params: Values, step: float, energy: Any) -> Array:
    """The same for the Cayley map, whose rest points leave the flow's line unless I11 = I22, I13 = 0 or I23 = 0.

    Again k = 0, but now m = rho (e1 (I11 + N rho^2), e2 (I22 + N rho^2)). With L = e1^2/I11 + e2^2/I22, w = rho^2 and
    s as above the energy asks for w (1 + 2 w + N L w^2) = s^2: one root, as the left side grows.
    """
    scale = resting_scale(params, step, energy)
    scale = scale[scale > 0.0]
    if not scale.size:
        return np.zeros((0, 2))
    (e1, e2), shape = resting_direction(params)
    bend = shape * (e1**2 / params["I11"] + e2**2 / params["I22"])
    w = kernels.suslov.cayley_rest_squares(bend, scale**2)
    rho = scale / np.sqrt(1.0 + w * (2.0 + bend * w))
    wide = shape * rho**2
    momenta = np.array([rho * e1 * (params["I11"] + wide), rho * e2 * (params["I22"] + wide)]).T
    return resting(kernels.suslov.CAYLEY, params, step, rho, momenta, cayley_folds.simple_level(inertia(params)))


def resting_scale(params: Values, step: float, energy: Any) -> Array:
    """s = eps sqrt(E/(2 N)), half the angle by which the flow's permanent rotation turns in a step; 0 if all rest.

    There is one for every energy.
    """
    energies = np.atleast_1d(np.asarray(energy, dtype=float))
    if params["I13"] == 0.0 and params["I23"] == 0.0:
        return np.zeros(energies.size)
    return step * np.sqrt(0.5 * energies / resting_direction(params)[1])


def resting(scheme: int, params: Values, step: float, rho: Array, momenta: Array, simple: float) -> Array:
    """The momenta of the displacements -rho e and rho e, where these are the map's principal ones.

    Those of rho e are (2/eps) `momenta`, (n, 2). Below the level `simple` a momentum has no other displacement.
    """
    tensor = inertia(params)
    kept = np.tile(tensor[1] * momenta[:, 0] ** 2 + tensor[0] * momenta[:, 1] ** 2 < simple, 2)
    both = np.concatenate([-momenta, momenta])
    if not kept.all():
        places = np.outer(np.concatenate([-rho, rho]), resting_direction(params)[0])
        for i in np.flatnonzero(~kept):
            kept[i] = is_principal(scheme, tensor, places[i], both[i])
    return both[kept] * (2.0 / step)


def is_principal(scheme: int, tensor: tuple[float, float, float, float], place: Array, momentum: Array) -> bool:
    """Whether a displacement is the principal one of its momentum."""
    found, x, y = kernels.suslov.principal(scheme, tensor, momentum[0], momentum[1])
    # Another displacement with this momentum is far away, unless both are about to fold.
    return found and bool(np.hypot(x - place[0], y - place[1]) <= 1e-6 * np.hypot(*place))


def moser_veselov_defect(params: Values, momentum: Array) -> tuple[Array, Array]:
    """Leading one-step errors over eps^3: of the phase, k times a form positive for moderate I13, I23; of E_c, none."""
    i11, i22, i13, i23 = inertia(params)
    u, v = momentum[0] / i11, momentum[1] / i22
    p, k = i11 * i22, i13 * u + i23 * v
    form = 3.0 * (u**2 + v**2) + ((i23 / i22) ** 2 + i13**2 / p) * u**2 + ((i13 / i11) ** 2 + i23**2 / p) * v**2
    return k * (form - 3.0 * k**2 / p) / (12.0 * np.sqrt(p)), np.zeros_like(u)


def cayley_defect(params: Values, momentum: Array) -> tuple[Array, Array]:
    """Leading one-step errors over eps^3 of the phase and of E_c.

    The phase error carries the factor k only if I11 = I22 or one product of inertia vanishes: otherwise the map's
    equilibria, k = 0 in (u, v), lie O(eps^2) beside the flow's in the momentum plane.
    """
    i11, i22, i13, i23 = inertia(params)
    u, v = momentum[0] / i11, momentum[1] / i22
    p, k, s = i11 * i22, i13 * u + i23 * v, i11 * u**2 + i22 * v**2
    moderate = 2.0 * (i13 * u**3 + i23 * v**3) + (i11 + i22) * u * v * (i23 * u / i22 + i13 * v / i11)
    products = 3.0 * k**2 / p - ((i23 / i22) ** 2 + i13**2 / p) * u**2 - ((i13 / i11) ** 2 + i23**2 / p) * v**2
    return -(3.0 * moderate + k * products) / (12.0 * np.sqrt(p)), u * v * (i11 - i22) * s * k / (4.0 * p)


def symmetric_multiplier(params: Values, step: float, momentum: Array) -> float:
    """(2A - eps a p_1)/(2A + eps a p_1), for both symmetric maps (DS Theorem 6)."""
    total, _ = inertias(params)
    c = step * params["a"] * momentum[1]
    return float((2.0 * total - c) / (2.0 * total + c)) if c != -2.0 * total else float("inf")


def naive_multiplier(params: Values, step: float, momentum: Array) -> float:
    """1 - eps a p_1 / A."""
    total, _ = inertias(params)
    return float(1.0 - step * params["a"] * momentum[1] / total)


def fedorov_zenkov_defect(params: Values, momentum: Array) -> tuple[Array, Array]:
    """Leading one-step errors over eps^3 of the phase (always ahead) and of the energy (none)."""
    total, mu = inertias(params)
    omega = (momentum[0] + params["b"] * momentum[1]) / total
    a, m = params["a"], params["m"]
    form = 3.0 * total**2 * omega**2 - 2.0 * total * mu * omega**2 + (a * momentum[1]) ** 2
    return a * m**0.5 * omega * form / (12.0 * total**2.5), np.zeros_like(omega)


def midpoint_defect(params: Values, momentum: Array) -> tuple[Array, Array]:
    """Leading one-step errors over eps^3 of the phase and of the energy."""
    total, mu = inertias(params)
    omega = (momentum[0] + params["b"] * momentum[1]) / total
    a, m, p = params["a"], params["m"], momentum[1]
    radius = total * m * omega**2 + p**2
    top = -(total**3) * m * omega**4 - 4.0 * total**2 * mu * m * omega**4 + 3.0 * total**2 * p**2 * omega**2
    top = top - 2.0 * total * mu * p**2 * omega**2 + 2.0 * a**2 * p**4
    safe = np.where(radius > 0.0, radius, 1.0)
    return a * m**0.5 * omega * top / (24.0 * total**2.5 * safe), -a * p * omega**4 / 6.0
