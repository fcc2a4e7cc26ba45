"""Branches, folds and largest steps of the discrete Chaplygin sleighs.

The discrete momenta are P = eps (p_theta + b p_1) and c = eps a p_1; A = J + m a^2, mu = m a^2. A map folds where its
equation for the turn has a double root. The fold is a curve (P, c)(f), f half the turn, and
`nhviz.kernels.sleigh_turns` proves which part of it the principal branch meets. At energy E a step eps has the level
P^2/A + c^2/mu = 2 E eps^2.

Up to which level does the principal branch exist at every momentum? Displacements whose level is less than h and that
are connected with the identity form an open set C(h). As h grows, the first double root in its closure lies on the
boundary, and there the level along the fold is least, hence stationary, unless the fold ends or has a cusp there. So
the largest level is the least one among the stationary points, cusps and ends of the fold's principal part.
"""

import math
from itertools import pairwise
from typing import Any

import numpy as np

from nhviz import kernels
from nhviz.parameters import ParameterError
from nhviz.system import Array, Values


def inertias(params: Values) -> tuple[float, float]:
    """A = J + m a^2 and mu = m a^2."""
    mu = params["m"] * params["a"] ** 2
    return params["J"] + mu, mu


def scaled(params: Values, step: float, at: Values) -> tuple[float, float]:
    """P and c of a momentum; their squares, and the chord, must be numbers."""
    p, c = step * (at["p_theta"] + params["b"] * at["p_1"]), step * params["a"] * at["p_1"]
    largest = max(abs(p), abs(c), abs(step * at["p_1"] / params["m"]))
    if not largest < 1e150:
        raise ParameterError(
            f"The momentum times the step must be less than 1e150 in every term, not {largest:g}.", "at"
        )
    return p, c


def record(params: Values, turn: float, forward: float, sideways: float, principal: bool) -> dict[str, Any]:
    """The displacement coordinates of one branch: turn, and (V1, V2) in the frame of the body."""
    return {"dtheta": float(turn), "V1": float(forward), "V2": float(sideways), "principal": bool(principal)}


def cubic_zeros(coefficients: tuple[float, ...], ends: tuple[float, float], closed: bool) -> list[float]:
    """The zeros of a cubic in [-1, 1], or within, all of them: at most one between two of its stationary points.

    Its values at the ends are given, so that whoever divides a line into intervals loses no zero at their ends.
    """
    a, b, c, _ = coefficients
    value, between = kernels.polynomials.cubic_value, kernels.polynomials.cubic_root_between
    count, first, second = kernels.polynomials.quadratic_roots(3.0 * a, 2.0 * b, c)
    inner = sorted({x for x in (first, second)[:count] if -1.0 < x < 1.0})
    nodes = [(-1.0, ends[0]), *((x, value(*coefficients, x)) for x in inner), (1.0, ends[1])]
    zeros = [x for x, height in (nodes if closed else nodes[1:-1]) if height == 0.0]
    for (low, before), (high, after) in pairwise(nodes):
        if before < 0.0 < after:
            zeros.append(between(*coefficients, low, high))
        elif after < 0.0 < before:
            zeros.append(between(*(-x for x in coefficients), low, high))
    return zeros


def half_turns(spin: float, p: float, q: float) -> list[tuple[float, float]]:
    """(sin, cos) of every root f in (-pi/2, pi/2] of q tan^3 f - P tan^2 f + (q + 2J) tan f - P = 0.

    Up to pi/4 from 0 by that cubic, up to pi/4 from a half turn by the one for tan(f - pi/2).
    """
    r = q + 2.0 * spin
    rising, falling = 2.0 * (q + spin - p), 2.0 * (q + spin + p)
    pairs = [(x, 1.0) for x in cubic_zeros((q, -p, r, -p), (-falling, rising), closed=True)]
    pairs += [(1.0, -x) if x <= 0.0 else (-1.0, x) for x in cubic_zeros((p, r, p, q), (rising, falling), closed=False)]
    return [(sine / math.hypot(sine, cosine), cosine / math.hypot(sine, cosine)) for sine, cosine in pairs]


def fedorov_zenkov(params: Values, step: float, at: Values) -> list[dict[str, Any]]:
    """All real steps of the Fedorov-Zenkov sleigh, with turns in (-pi, pi]: the roots of a cubic in tan(dtheta / 2).

    A run goes on through a half turn: there a principal turn of more than pi is listed a full turn less.
    """
    total, mu = inertias(params)
    spin, m, a, b = (params[name] for name in ("J", "m", "a", "b"))
    p, c = scaled(params, step, at)
    found, *principal = kernels.sleigh_turns.cubic_half_turn(spin, mu, p, c)
    records = []
    apart = []
    for sine, cosine in sorted(half_turns(spin, p, c + 2.0 * mu), key=lambda pair: abs(math.atan2(*pair))):
        forward = step * at["p_1"] / m + 2.0 * sine * (a * sine + b * cosine)
        if cosine > 0.1:
            sideways = forward * sine / cosine
        elif mu > 0.0:
            # FZ (7.5): no division by the cosine. Without an arm there is no step that turns by a half.
            sideways = (p - 2.0 * total * sine * cosine) / (m * a) + 2.0 * b * sine * sine
        else:
            continue
        records.append(record(params, 2.0 * math.atan2(sine, cosine), forward, sideways, False))
        apart.append(abs(sine * principal[1] - cosine * principal[0]))
    if found and records:
        records[int(np.argmin(apart))]["principal"] = True
    return records


def midpoint(params: Values, step: float, at: Values) -> list[dict[str, Any]]:
    """All real steps of the midpoint sleigh with |dtheta| < pi; for m a^2 = 0 the only one, of any turn."""
    total, mu = inertias(params)
    m, a = params["m"], params["a"]
    p, c = scaled(params, step, at)
    if mu == 0.0:
        tangents, end, principal = [math.tan(0.5 * p / total)], kernels.sleigh_turns.REACHED, math.tan(0.5 * p / total)
        turns = [p / total]
    else:
        tangents = sorted(midpoint_tangents(params["J"], mu, p, c), key=abs)
        end, principal = kernels.sleigh_turns.midpoint_principal(params["J"], mu, p, c)
        turns = [2.0 * math.atan(tangent) for tangent in tangents]
    reached = end == kernels.sleigh_turns.REACHED
    nearest = int(np.argmin(np.abs(np.array(tangents) - principal))) if reached and tangents else -1
    records = []
    for i, (tangent, turn) in enumerate(zip(tangents, turns, strict=True)):
        # chord cos(d/2) and chord sin(d/2).
        forward = step * at["p_1"] / m + a * turn * math.sin(0.5 * turn)
        records.append(record(params, turn, forward, forward * tangent, i == nearest))
    return records


def midpoint_tangents(spin: float, mu: float, p: float, c: float) -> list[float]:
    """tan(d/2) of every root d of DS (23) with |d| < pi; mu > 0.

    With p >= 0, the share s of the momentum that a turn belongs to is monotone between the turns where P U + c W of
    `nhviz.kernels.sleigh_turns` vanishes, so there is at most one root between two of them. On the side of p that is
    one turn at most, if c < 0. On the other side P U - c W counts; W < 0 only for J < mu, and W/U has one minimum
    there: two turns at most, one on each side of it.
    """
    turns = kernels.sleigh_turns
    low, high = turns.SMALLEST, turns.LARGEST
    size = abs(p)

    def roots(momentum: float, nodes: list[float]) -> list[float]:
        values = [turns.midpoint_balance(spin, mu, momentum, c, node) for node in nodes]
        if momentum != 0.0:
            # The limit at 0, for momenta so small that their turn is less than any tangent looked at.
            values[0] = -math.copysign(math.inf, momentum)
        found = []
        for (left, before), (right, after) in pairwise(zip(nodes, values, strict=True)):
            if before < 0.0 <= after:
                found.append(turns.midpoint_search(False, spin, mu, momentum, c, left, right))
            elif after < 0.0 <= before:
                found.append(turns.midpoint_search(False, spin, mu, momentum, c, right, left))
        return found

    nodes = [low, high]
    if c < 0.0 and turns.midpoint_beyond_fold(spin, mu, size, c, high) > 0.0:
        nodes = [low, turns.midpoint_search(True, spin, mu, size, c, low, high), high]
    same = roots(size, nodes)
    if p == 0.0:
        return [0.0, *same, *(-root for root in same)]
    nodes = [low, high]
    if c < 0.0 and spin < mu:
        least = turns.midpoint_cusp(spin, mu)
        if turns.midpoint_beyond_fold(spin, mu, size, -c, least) > 0.0:
            first = turns.midpoint_search(True, spin, mu, size, -c, low, least)
            second = turns.midpoint_search(True, spin, mu, size, -c, high, least)
            nodes = [low, first, second, high]
    other = roots(-size, nodes) if c < 0.0 else []
    return [math.copysign(1.0, p) * root for root in (*same, *(-root for root in other))]


def naive(params: Values, step: float, at: Values) -> list[dict[str, Any]]:
    """Both real steps of the naive sleigh, the roots of a quadratic in tan(dtheta / 2), or none."""
    total, _ = inertias(params)
    p, _ = scaled(params, step, at)
    a, b, m = params["a"], params["b"], params["m"]
    leading = p + 2.0 * a * b * m
    count, *taus = kernels.polynomials.quadratic_roots(leading, -2.0 * total, p)
    turns = [2.0 * math.atan(tau) for tau in sorted(taus[:count], key=abs)]
    if leading == 0.0:
        turns.append(math.pi)
    records = []
    for i, turn in enumerate(turns):
        forward = step * at["p_1"] / m + a * (1.0 - math.cos(turn)) + b * math.sin(turn)
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


def step_of_level(level: float, energy: float) -> float | None:
    """The step at which an energy has a level: sqrt(level / (2 E)); at rest there is none."""
    return math.sqrt(level) / math.sqrt(2.0 * energy) if energy > 0.0 else None


def fold_level(x: float, s: float) -> float:
    """P^2/A + c^2/mu over mu on the fold of the cubic, x = J/mu, s = sin^2(dtheta/2).

    There P^2 = 16 J^2 s^3 (1 - s) and c = -2 (mu - J (2s - 1)(1 - s)): see `cubic_fold` with tau^2 = s/(1 - s).
    """
    return 16.0 * x**2 * s**3 * (1.0 - s) / (1.0 + x) + 4.0 * (1.0 - x * (2.0 * s - 1.0) * (1.0 - s)) ** 2


def fedorov_zenkov_largest_step(params: Values, energy: float) -> float | None:
    """Largest eps at which the principal branch exists for every momentum of this energy, in closed form.

    The principal branch meets all of the fold with s <= 3/4 and nothing else of it. The derivative of `fold_level` is
    8 x (1 + x)(4s - 3)(2w - 1)(w - 1) with w = x s/(1 + x) < 1. So the level falls from s = 0 to the cusp s = 3/4,
    where it is (x + 4)^3/(16 (1 + x)), if x <= 2, and otherwise to s = (1 + x)/(2x), where it is (1 + x)^2/x, that is
    P^2/A + c^2/mu = A^2/J.
    """
    total, mu = inertias(params)
    spin = params["J"]
    if spin >= 2.0 * mu:
        return step_of_level(total**2 / spin, energy)
    return step_of_level((spin + 4.0 * mu) ** 3 / (16.0 * total * mu), energy)


def single_valued_step(params: Values, energy: float) -> float | None:
    """Theorem 7.4: below sqrt(m a^2 / (2 E)) the Fedorov-Zenkov map has one real branch and is bi-asymptotic."""
    return step_of_level(inertias(params)[1], energy)


def sharp_single_valued_step(params: Values, energy: float) -> float | None:
    """The step up to which, and not beyond, the Fedorov-Zenkov map has one real branch at all momenta of an energy.

    It is where the level first meets the fold, anywhere on 0 <= s <= 1. By the derivative in
    `fedorov_zenkov_largest_step` the level falls up to s = min(3/4, (1 + x)/(2x)); beyond s = 3/4 it rises up to (1 +
    x)/(2x), if that lies there, and then falls to 4 at s = 1. So its least value is 4, or (x + 4)^3/(16 (1 + x)) at
    the cusp, which is less if x^2 + 12 x < 16, x < 2 sqrt 13 - 6. Over all x that has its minimum at x = 1/2, where 3
    (1 + x) = x + 4: 243/64. So every sleigh is single-valued for eps < (9 sqrt 3/8) sqrt(m a^2/(2E)), and for J = m
    a^2/2 not for more.
    """
    _, mu = inertias(params)
    return step_of_level(kernels.sleigh_turns.single_valued_level(params["J"], mu), energy)


def midpoint_largest_step(params: Values, energy: float) -> float | None:
    """Largest eps at which DS (23) has its principal root for every momentum of this energy.

    On the fold at f = d/2 the direction of (P, c) is (f, cos f), so the level is stationary where mu P f + A c cos f
    = 0. Divided by cos f and positive factors that is y = f^4 (t - 1) - (1 + x) B with t = x tan(f)/f, x = J/mu, B =
    e^2 + (x + f^2) cos^2 f, e = cos f + f sin f >= 1. The principal branch meets the part t > 1, and y vanishes once
    there, once at all: y < 0 for t <= 1; t rises; B' = 2 f cos^2 f (2 - t), so for t >= 2 y rises to infinity; for t
    < 2 and f <= 1 y < f^4 - B <= 0; for t < 2 and f >= 1 y rises, since f^2 (2f/sin 2f - 1) > 2 (1 + f cot f) cos^2
    f, at f = 1 and all the more beyond. There the level is least: it falls before and rises after, up to the half
    turn, where the fold ends and where the branches end that meet no fold (c = -pi mu and P >= pi J). The straight
    step ends at c = -2A, which is the beginning of the fold for J >= mu, and for J < mu a point of its own. For m a^2
    = 0 the equation is linear and has no fold: no limit.
    """
    total, mu = inertias(params)
    if mu == 0.0:
        return None
    spin, root = params["J"], math.sqrt(mu)

    def parts(tangent: float) -> tuple[float, float, float, float]:
        half, cosine = math.atan(tangent), 1.0 / math.hypot(1.0, tangent)
        return half, tangent * cosine, cosine, cosine + half * tangent * cosine

    def past(tangent: float) -> bool:
        half, sine, cosine, e = parts(tangent)
        share = cosine / root
        rest = mu * (e * e + (half * cosine) ** 2) + spin * (mu * share) * share
        return half**3 * (spin * sine - mu * half * cosine) * mu > total * cosine * rest

    low, high = kernels.sleigh_turns.SMALLEST, kernels.sleigh_turns.LARGEST
    # Halving of the ratio: the turn may be next to pi. At the least level an error counts by its square.
    for _ in range(64):
        middle = math.sqrt(low) * math.sqrt(high)
        low, high = (low, middle) if past(middle) else (middle, high)
    half, sine, cosine, e = parts(high)
    p = 2.0 * half**2 * (spin * sine - mu * half * cosine) / e
    c_over_root = -2.0 * (root * e + (spin + mu * half**2) * cosine * (cosine / root) / e)
    straight = 2.0 * total / root
    return step_of_level(min(p * p / total + c_over_root * c_over_root, straight * straight), energy)


def naive_largest_step(params: Values, energy: float) -> float | None:
    """Largest eps at which the naive quadratic has real roots for every momentum of this energy."""
    if energy == 0.0:
        return None
    total, _ = inertias(params)
    offset = abs(params["a"] * params["b"]) * params["m"]
    largest = total**2 / (offset + np.hypot(offset, total))
    return float(largest / np.sqrt(2.0 * total * energy))
