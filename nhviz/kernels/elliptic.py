"""Jacobi's elliptic functions, and the circle map of the discrete sphere with vertical momentum.

The map u -> u + 2 delta is given by the relation of CS (5.15), corrected, with s = sn^2 delta, w = sn cn dn(delta):
    h V (1 + alpha s - beta s^2) C = 2 w (C - D (l - mu s)),   C = 1 - k^2 sn^2(u + delta) s.
A curve is (k^2, V, D, l, mu, alpha, beta); the constants are those of `nhviz.analysis.vertical`.
"""

import math

import numpy as np
from numba import types

from nhviz.kernels.compile import kernel, piece
from nhviz.kernels.polynomials import settled

LEVELS = 12
CURVE = types.UniTuple(types.float64, 7)
ROUNDS = 60


@kernel("triple(number, number)")
def jacobi(u, k2):
    """(sn, cn, dn) for a parameter 0 <= k2 < 1, by descending Landen transformations."""
    a = np.empty(LEVELS)
    c = np.empty(LEVELS)
    a[0], c[0], b = 1.0, math.sqrt(k2), math.sqrt(1.0 - k2)
    level = 0
    while abs(c[level]) > 1e-16 * a[level] and level < LEVELS - 1:
        a[level + 1], c[level + 1], b = 0.5 * (a[level] + b), 0.5 * (a[level] - b), math.sqrt(a[level] * b)
        level += 1
    phi = math.ldexp(a[level] * u, level)
    for i in range(level, 0, -1):
        phi = 0.5 * (phi + math.asin(c[i] / a[i] * math.sin(phi)))
    sn = math.sin(phi)
    return sn, math.cos(phi), math.sqrt(1.0 - k2 * sn * sn)


@piece(forceinline=True)
def middle_of(k2, start, half):
    """(sn^2, sn cn dn) of u + delta by the theorem of addition, of (sn, cn, dn) of both."""
    over = 1.0 / (1.0 - k2 * start[0] * start[0] * half[0] * half[0])
    sn = (start[0] * half[1] * half[2] + half[0] * start[1] * start[2]) * over
    cn = (start[1] * half[1] - start[0] * half[0] * start[2] * half[2]) * over
    dn = (start[2] * half[2] - k2 * start[0] * half[0] * start[1] * half[1]) * over
    return sn * sn, sn * cn * dn


@piece(forceinline=True)
def relation(curve, h, half, far, far_w):
    """(residual, its derivative by delta, its derivative by u) of the relation between u and delta.

    `half` is (sn, cn, dn) of delta; far = sn^2 and far_w = sn cn dn are those of the middle, u + delta.
    """
    k2, v, d, level, mu, alpha, beta = curve
    sn, cn, dn = half
    s, w = sn * sn, sn * cn * dn
    cross = 1.0 - k2 * far * s
    cross_u = -2.0 * k2 * far_w * s
    cross_delta = cross_u - 2.0 * k2 * far * w
    shape, shape_delta = h * v * (1.0 + s * (alpha - beta * s)), 2.0 * h * v * w * (alpha - 2.0 * beta * s)
    w_delta = cn * cn * dn * dn - s * dn * dn - k2 * s * cn * cn
    rest, rest_delta = cross - d * (level - mu * s), cross_delta + 2.0 * d * mu * w
    return (
        2.0 * w * rest - shape * cross,
        2.0 * (w_delta * rest + w * rest_delta) - shape_delta * cross - shape * cross_delta,
        (2.0 * w - shape) * cross_u,
    )


@piece(forceinline=True)
def with_sine(sn, k2):
    """(sn, cn, dn) of an argument within a quarter of the period."""
    return sn, math.sqrt(1.0 - sn * sn), math.sqrt(1.0 - k2 * sn * sn)


@kernel("together(truth, number, number)(curve, number, number)", curve=CURVE)
def half_step(curve, h, u):
    """(found, delta, slope) of the principal branch, the root that Newton climbs to from 0; slope is d delta/d u.

    A guess from a neighbour could lead to another branch next to the fold. The unknown is sn delta: a round needs no
    elliptic functions.
    """
    k2 = curve[0]
    start, half, before, last = jacobi(u, k2), (0.0, 1.0, 1.0), math.inf, False
    for _ in range(ROUNDS):
        far, far_w = middle_of(k2, start, half)
        value, by_delta, by_u = relation(curve, h, half, far, far_w)
        # Past the fold the derivative has changed its sign; there is none beyond sn = 1.
        if not by_delta > 0.0:
            break
        if last:
            return True, amplitude_to_u(math.asin(half[0]), k2), -by_u / by_delta
        change = value / by_delta * half[1] * half[2]
        half = with_sine(half[0] - change, k2)
        last = settled(abs(change), before, abs(half[0])) or abs(change) < 1e-17
        before = abs(change)
    return False, 0.0, 0.0


@kernel("together(truth, number)(curve, number, number)", curve=CURVE)
def half_about(curve, h, far):
    """(found, delta) of the principal branch as `half_step` finds it, of the step whose middle has sn^2 = far."""
    k2 = curve[0]
    half, before = (0.0, 1.0, 1.0), math.inf
    for _ in range(ROUNDS):
        value, by_delta, _ = relation(curve, h, half, far, 0.0)
        if not by_delta > 0.0:
            break
        change = value / by_delta * half[1] * half[2]
        half = with_sine(half[0] - change, k2)
        if settled(abs(change), before, abs(half[0])) or abs(change) < 1e-17:
            return abs(half[0]) < 1.0, amplitude_to_u(math.asin(half[0]), k2)
        before = abs(change)
    return False, 0.0


@kernel("number(number, number)")
def amplitude_to_u(phi, k2):
    """The u within a quarter of the period of which phi is the amplitude, by arithmetic-geometric means."""
    a, b, scale = 1.0, math.sqrt(1.0 - k2), 1.0
    while abs(a - b) > 1e-15 * a:
        phi += math.atan(b / a * math.tan(phi)) + math.pi * round(phi / math.pi)
        a, b, scale = 0.5 * (a + b), math.sqrt(a * b), 2.0 * scale
    return phi * 2.0 / (scale * (a + b))


@kernel("integer(curve, number, vector, vector, vector)", curve=CURVE)
def increments(curve, h, u, out, slopes):
    """Fill out with Delta u and slopes with its derivative at every u; returns how many were found."""
    for i in range(u.size):
        found, delta, slope = half_step(curve, h, u[i])
        if not found:
            return i
        out[i], slopes[i] = 2.0 * delta, 2.0 * slope
    return u.size


@kernel("integer(curve, number, number, number, vector)", curve=CURVE)
def orbit(curve, h, period, u, out):
    """Fill out with the increments along an orbit from u, which is kept within a period against round-off."""
    for i in range(out.size):
        found, delta, _ = half_step(curve, h, u)
        if not found:
            return i
        out[i] = 2.0 * delta
        u = (u + 2.0 * delta) % period
    return out.size
