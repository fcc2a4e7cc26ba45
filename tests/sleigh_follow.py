"""The displacement of a discrete sleigh, followed by arc length from the identity: independent of nhviz's equations.

Unknowns are the displacement itself and the share s of the momentum, so neither a fold nor a half turn is special. The
equations are the discrete Legendre transformations and constraints of the papers before any elimination:
FZ (7.5) with the constraint V1 sin(d/2) = V2 cos(d/2), or V2 = 0; DS (20) with the chord towards d/2.
"""

from math import cos, sin

import numpy as np


def equations(method, body, momentum):
    """residual(z), jacobian(z), with z = (turn, lengths..., s); momentum = eps (p_theta, p_1)."""
    j, m, a, b = (body[name] for name in ("J", "m", "a", "b"))
    inertia = j + m * (a * a + b * b)
    p_theta, p_1 = momentum
    if method == "midpoint":

        def residual(z):
            d, chord, s = z.tolist()
            half = 0.5 * d
            return np.array(
                [
                    m * chord * cos(half) - m * a * d * sin(half) - s * p_1,
                    inertia * d + m * a * half * chord - s * p_theta,
                ]
            )

        def jacobian(z):
            d, chord, _ = z.tolist()
            half = 0.5 * d
            c, sn = cos(half), sin(half)
            return np.array(
                [
                    [-0.5 * m * chord * sn - m * a * (sn + half * c), m * c, -p_1],
                    [inertia + 0.5 * m * a * chord, m * a * half, -p_theta],
                ]
            )

        return residual, jacobian
    rolling = method == "fedorov_zenkov"

    def residual(z):
        d, v1, v2, s = z.tolist()
        c, sn = cos(d), sin(d)
        return np.array(
            [
                m * (v1 - a * (1.0 - c) - b * sn) - s * p_1,
                inertia * sn + m * (a * v2 - b * v1) - s * p_theta,
                v1 * sin(0.5 * d) - v2 * cos(0.5 * d) if rolling else v2,
            ]
        )

    def jacobian(z):
        d, v1, v2, _ = z.tolist()
        c, sn = cos(d), sin(d)
        half = (cos(0.5 * d), sin(0.5 * d))
        last = [0.5 * (v1 * half[0] + v2 * half[1]), half[1], -half[0], 0.0] if rolling else [0.0, 0.0, 1.0, 0.0]
        return np.array(
            [[m * (-a * sn - b * c), m, 0.0, -p_1], [inertia * c, -m * b, m * a, -p_theta], last],
        )

    return residual, jacobian


def largest(values):
    """The largest magnitude of a few numbers, for which numpy takes longer."""
    return max(map(abs, values.tolist()))


def follow(method, body, momentum, most=1.0):
    """(end, s, d): "reached" with the turn at s = most, or "fold" or "half turn" with the s and d of the end."""
    residual, jacobian = equations(method, body, momentum)
    size = 3 if method == "midpoint" else 4
    j, m, a, b = (body[name] for name in ("J", "m", "a", "b"))
    total = j + m * a * a
    # Lengths in units of the displacement, equations in units of their terms.
    length = abs(momentum[1]) * most / m + abs(a) + abs(b) + 1e-3 * (total / m) ** 0.5
    units = np.full(size, length)
    units[0], units[-1] = 1.0, most
    rows = np.array([m * length, total + m * length * (abs(a) + abs(b)), length][: size - 1])
    if method == "naive":
        rows[1] = total + m * length * abs(b)

    scale = units / rows[:, None]

    def matrix(z):
        return jacobian(z * units) * scale

    def tangent(z, before):
        _, _, vt = np.linalg.svd(matrix(z))
        return vt[-1] * np.sign(vt[-1] @ before)

    def corrected(z, direction):
        full, right = np.empty((size, size)), np.zeros(size)
        full[-1] = direction
        for _ in range(12):
            full[:-1], right[:-1] = matrix(z), residual(z * units) / rows
            change = np.linalg.solve(full, right)
            z = z - change
            if largest(change) < 1e-13 * (1.0 + largest(z)):
                return z
        return None

    z, along = np.zeros(size), np.zeros(size)
    along[-1] = 1.0
    along = tangent(z, along)
    stride = 1e-3
    edge = np.pi if method == "midpoint" else np.inf

    def state(z, along):
        """Which event has happened at a point."""
        if along[-1] <= 0.0:
            return "fold"
        if abs(z[0]) >= edge:
            return "half turn"
        return "reached" if z[-1] >= 1.0 else None

    for _ in range(20_000):
        ahead = corrected(z + stride * along, along)
        if ahead is None or np.linalg.norm(ahead - z) > 1.5 * stride:
            stride *= 0.5
            continue
        next_along = tangent(ahead, along)
        # Where s nearly stands still, steps shorten with its rise: a fold next to a cusp is gone within a short way.
        if next_along @ along < 0.995 or (next_along[-1] < 0.5 * along[-1] and stride > 1e-5):
            stride *= 0.5
            continue
        if state(ahead, next_along) is None:
            z, along, stride = ahead, next_along, min(1.5 * stride, 0.05)
            continue
        # Something has happened within this stride; which came first, and where?
        low, high, point, event = 0.0, stride, ahead, state(ahead, next_along)
        for _ in range(60):
            middle = 0.5 * (low + high)
            candidate = corrected(z + middle * along, along)
            found = state(candidate, tangent(candidate, along))
            if found is None:
                low = middle
            else:
                high, point, event = middle, candidate, found
        return event, point[-1] * most, point[0]
    raise AssertionError("the continuation did not come to an end")
