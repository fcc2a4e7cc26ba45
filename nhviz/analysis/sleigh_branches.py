"""Branches, folds and largest steps of the discrete Chaplygin sleighs.

The discrete momenta are P = eps (p_theta + b p_1) and c = eps a p_1; A = J + m a^2, mu = m a^2. A map folds
where its equation for the turn has a double root. The fold is a curve (P, c)(t); the energy scaled by
eps^2, P^2/A + c^2/mu = 2 E eps^2, is least somewhere on the part that the principal branch meets,
and that limits eps at a given energy.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from nhviz import kernels
from nhviz.system import Array, Values


def inertias(params: Values) -> tuple[float, float]:
    """A = J + m a^2 and mu = m a^2."""
    mu = params["m"] * params["a"] ** 2
    return params["J"] + mu, mu


def scaled(params: Values, step: float, at: Values) -> tuple[float, float]:
    """P and c of a momentum."""
    return step * (at["p_theta"] + params["b"] * at["p_1"]), step * params["a"] * at["p_1"]


def record(params: Values, turn: float, forward: float, sideways: float, principal: bool) -> dict[str, Any]:
    """The displacement coordinates of one branch: turn, and (V1, V2) in the frame of the body."""
    return {"dtheta": float(turn), "V1": float(forward), "V2": float(sideways), "principal": bool(principal)}


def fedorov_zenkov(params: Values, step: float, at: Values) -> list[dict[str, Any]]:
    """All real steps of the Fedorov-Zenkov sleigh: the roots of a cubic in tan(dtheta / 2)."""
    total, mu = inertias(params)
    p, c = scaled(params, step, at)
    q = c + 2.0 * mu
    count, roots = kernels.polynomials.cubic_roots(q, -p, q + 2.0 * params["J"], -p)
    found, principal = kernels.sleigh_turns.cubic_principal(total, mu, p, c)
    taus = sorted(roots[:count], key=abs)
    nearest = int(np.argmin(np.abs(np.array(taus) - principal))) if found and count else -1
    records = []
    for i, tau in enumerate(taus):
        turn = 2.0 * np.arctan(tau)
        forward = step * at["p_1"] / params["m"] + params["a"] * (1.0 - np.cos(turn)) + params["b"] * np.sin(turn)
        records.append(record(params, turn, forward, forward * tau, i == nearest))
    return records


def midpoint(params: Values, step: float, at: Values, cells: int = 2000) -> list[dict[str, Any]]:
    """All real steps of the midpoint sleigh with |dtheta| < pi, by sign changes and bisection."""
    from scipy.optimize import brentq

    total, mu = inertias(params)
    p, c = scaled(params, step, at)

    def residual(d: float) -> float:
        return float(kernels.sleigh_turns.midpoint_equation(total, mu, p, c, d)[0])

    grid = np.pi * (1.0 - 1e-9) * np.linspace(-1.0, 1.0, cells)
    values = np.array([residual(d) for d in grid])
    turns = [float(d) for d, value in zip(grid, values, strict=True) if value == 0.0]
    for cell in np.flatnonzero(values[:-1] * values[1:] < 0.0):
        turns.append(float(brentq(residual, grid[cell], grid[cell + 1], xtol=1e-15)))
    found, principal = kernels.sleigh_turns.midpoint_principal(total, mu, p, c)
    turns.sort(key=abs)
    nearest = int(np.argmin(np.abs(np.array(turns) - principal))) if found and turns else -1
    records = []
    for i, d in enumerate(turns):
        half = 0.5 * d
        chord = (step * at["p_1"] / params["m"] + params["a"] * d * np.sin(half)) / np.cos(half)
        records.append(record(params, d, chord * np.cos(half), chord * np.sin(half), i == nearest))
    return records


def naive(params: Values, step: float, at: Values) -> list[dict[str, Any]]:
    """Both real steps of the naive sleigh, the roots of a quadratic in tan(dtheta / 2), or none."""
    total, _ = inertias(params)
    p, _ = scaled(params, step, at)
    a, b, m = params["a"], params["b"], params["m"]
    count, first, second = kernels.polynomials.quadratic_roots(p + 2.0 * a * b * m, -2.0 * total, p)
    records = []
    for i, tau in enumerate(sorted((first, second)[:count], key=abs)):
        turn = 2.0 * np.arctan(tau)
        forward = step * at["p_1"] / m + a * (1.0 - np.cos(turn)) + b * np.sin(turn)
        records.append(record(params, turn, forward, 0.0, i == 0))
    return records


def cubic_fold(params: Values, tau: Array) -> tuple[Array, Array]:
    """The fold of the cubic (Lemma 7.2's discriminant curve) as (P, q) at the double root tau.

    It has cusps at tau = 0, (0, -2J), and tau = +-sqrt 3, (+-3 sqrt 3 J/4, J/4). For |tau| < sqrt 3 the
    principal branch meets its partner there; beyond, two other roots appear.
    """
    total, mu = inertias(params)
    square = np.asarray(tau, dtype=float) ** 2
    c = -2.0 * (mu * square**2 - (total - 3.0 * mu) * square + total) / (1.0 + square) ** 2
    p = c * tau + 2.0 * tau * (mu * square + total) / (1.0 + square)
    return p, c + 2.0 * mu


def discriminant(params: Values, p: Array, q: Array) -> Array:
    """Lemma 7.2's polynomial: negative where the cubic has three real roots, positive where it has one."""
    j = params["J"]
    return (
        q**4
        + 6.0 * j * q**3
        + q**2 * (12.0 * j**2 + 2.0 * p**2)
        - q * (10.0 * j * p**2 - 8.0 * j**3)
        + (p**4 - j**2 * p**2)
    )


def fedorov_zenkov_largest_step(params: Values, energy: float) -> float | None:
    """Largest eps at which the principal branch exists for every momentum of this energy.

    It is at least the bound of Theorem 7.4, `single_valued_step`.
    """
    if energy == 0.0:
        return None
    total, mu = inertias(params)
    level = fold_crossing(params) ** 2 / total
    if mu > 0.0:
        level = min(level, least(lambda tau: fold_energy(params, tau), fold_grid(params)))
    return float(np.sqrt(level / (2.0 * energy)))


def fold_energy(params: Values, tau: Array) -> Array:
    """P^2/A + c^2/mu on the fold of the cubic."""
    total, mu = inertias(params)
    p, q = cubic_fold(params, tau)
    return p**2 / total + (q - 2.0 * mu) ** 2 / mu


def least(function: Callable[[Array], Array], grid: Array) -> float:
    """The least value of a function over a sorted grid, looked at more closely around the best point, twice."""
    for _ in range(3):
        values = function(grid)
        best = int(np.argmin(values))
        grid = np.linspace(grid[max(best - 1, 0)], grid[min(best + 1, grid.size - 1)], 101)
    return float(np.min(values))


def crossing_square(params: Values) -> float | None:
    """tau^2 where the principal part of the fold crosses c = 0: mu tau^4 - (A - 3 mu) tau^2 + A = 0."""
    total, mu = inertias(params)
    middle = total - 3.0 * mu
    inside = middle**2 - 4.0 * mu * total
    if middle <= 0.0 or inside < 0.0:
        return None
    square = 2.0 * total / (middle + np.sqrt(inside))
    return float(square) if square <= 3.0 else None


def fold_crossing(params: Values) -> float:
    """|P| where the principal part of the fold crosses c = 0; infinite if it does not."""
    square = crossing_square(params)
    return np.inf if square is None else float(cubic_fold(params, np.sqrt(square))[0])


def fold_grid(params: Values) -> Array:
    """Double roots tau in [0, sqrt 3], dense around c = 0, where the scaled energy has a narrow valley for small mu."""
    even = np.linspace(0.0, np.sqrt(3.0), 1001)
    square = crossing_square(params)
    if square is None:
        return even
    offsets = np.geomspace(1e-12, 1e-2, 150)
    near = np.clip(np.sqrt(square) + np.concatenate([-offsets, offsets]), 0.0, np.sqrt(3.0))
    return np.sort(np.concatenate([even, near]))


def single_valued_step(params: Values, energy: float) -> float | None:
    """Theorem 7.4: below sqrt(m a^2 / (2 E)) the Fedorov-Zenkov map has one real branch and is bi-asymptotic."""
    return float(np.sqrt(inertias(params)[1] / (2.0 * energy))) if energy > 0.0 else None


def midpoint_fold(params: Values, d: Array) -> tuple[Array, Array]:
    """The fold of DS (23) as (P, c) at the double root d."""
    total, mu = inertias(params)
    half = 0.5 * np.asarray(d, dtype=float)
    cosine, sine = np.cos(half), np.sin(half)
    c = -(4.0 * total * cosine**2 + mu * (8.0 * half * sine * cosine + 4.0 * half**2)) / (
        2.0 * cosine + 2.0 * half * sine
    )
    p = d * (total + 0.5 * (c + mu * d * sine) / cosine)
    return p, c


def midpoint_largest_step(params: Values, energy: float) -> float | None:
    """Largest eps at which DS (23) has its principal root for every momentum of this energy.

    At a = 0 the equation is linear and there is no limit. The principal branch's part of the fold ends at
    its first cusp, where c turns back.
    """
    if params["a"] == 0.0 or energy == 0.0:
        return None
    d = np.linspace(0.0, np.pi, 2001)[:-1]
    change = np.diff(midpoint_fold(params, d)[1])
    turned = np.flatnonzero(change * change[0] < 0.0)
    end = int(turned[0]) + 1 if turned.size else d.size
    level = least(lambda turn: midpoint_fold_energy(params, turn), d[:end])
    return float(np.sqrt(level / (2.0 * energy)))


def midpoint_fold_energy(params: Values, d: Array) -> Array:
    """P^2/A + c^2/mu on the fold of DS (23)."""
    total, mu = inertias(params)
    p, c = midpoint_fold(params, d)
    return p**2 / total + c**2 / mu


def naive_largest_step(params: Values, energy: float) -> float | None:
    """Largest eps at which the naive quadratic has real roots for every momentum of this energy."""
    if energy == 0.0:
        return None
    total, _ = inertias(params)
    offset = abs(params["a"] * params["b"]) * params["m"]
    largest = total**2 / (offset + np.hypot(offset, total))
    return float(largest / np.sqrt(2.0 * total * energy))
