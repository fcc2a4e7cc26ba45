"""The turn of one step of the discrete sleighs: principal roots of the cubic of FZ and of the equation of DS.

The discrete momenta of the papers are eps times the physical ones: p = eps (p_theta + b p_1) and
c = eps a p_1, with A = J + m a^2 (turning_inertia) and mu = m a^2. The turn is d = dtheta, tau = tan(d/2).
The principal branch is the one that grows from the identity as eps grows from 0: along
(s p, s c), s from 0 to 1, until it folds.
"""

import math

from nhviz.kernels.compile import compiled
from nhviz.kernels.polynomials import first_positive_root, quadratic_roots, settled

SCAN = 400


@compiled()
def cubic_fold_free(turning_inertia, mu, p, c, tau):
    """Whether the cubic's branch reaches tau > 0 (with p > 0) without a fold on the way.

    Along the branch s(tau) = 2 tau (mu tau^2 + A) / ((1 + tau^2)(p - c tau)); its derivative has the
    sign of mu tau^4 + 2 (c/p) J tau^3 + (2 mu - J) tau^2 + A, whose minima are the roots of a quadratic.
    """
    spin = turning_inertia - mu
    cubic, square = 2.0 * c / p * spin, 2.0 * mu - spin
    if ((mu * tau + cubic) * tau + square) * tau * tau + turning_inertia <= 0.0:
        return False
    count, first, second = quadratic_roots(2.0 * mu, 1.5 * cubic, square)
    for i in range(count):
        t = first if i == 0 else second
        if 0.0 < t < tau and ((mu * t + cubic) * t + square) * t * t + turning_inertia <= 0.0:
            return False
    return True


@compiled()
def cubic_principal(turning_inertia, mu, p, c):
    """(found, tau): principal root of q tau^3 - P tau^2 + (q + 2J) tau - P, q = c + 2 mu."""
    if p == 0.0:
        # The straight step; it ends where the map folds at tau = 0, q + 2J = 0.
        return c + 2.0 * turning_inertia > 0.0, 0.0
    sign = 1.0 if p > 0.0 else -1.0
    p = abs(p)
    q = c + 2.0 * mu
    found, smallest = first_positive_root(q, -p, q + 2.0 * (turning_inertia - mu), -p)
    if not found or not cubic_fold_free(turning_inertia, mu, p, c, smallest):
        return False, 0.0
    return True, sign * smallest


@compiled(forceinline=True)
def cubic_newton(turning_inertia, mu, p, c, tau):
    """(converged, tau) of the cubic, from a guess."""
    q = c + 2.0 * mu
    r = q + 2.0 * (turning_inertia - mu)
    before = math.inf
    for _ in range(25):
        value = ((q * tau - p) * tau + r) * tau - p
        slope = (3.0 * q * tau - 2.0 * p) * tau + r
        change = value / slope
        tau -= change
        size = abs(tau)
        if not math.isfinite(tau):
            return False, 0.0
        if settled(abs(change), before, size):
            return slope > 0.0, tau
        before = abs(change)
    return False, 0.0


@compiled()
def midpoint_equation(turning_inertia, mu, p, c, d):
    """Residual of DS (23) and its derivative in d."""
    half = 0.5 * d
    cosine, tangent = math.cos(half), math.tan(half)
    value = turning_inertia * d + 0.5 * c * d / cosine + 0.5 * mu * d * d * tangent - p
    slope = (
        turning_inertia
        + 0.5 * c * (1.0 + half * tangent) / cosine
        + mu * (d * tangent + 0.25 * d * d / (cosine * cosine))
    )
    return value, slope


@compiled()
def midpoint_fold_free(turning_inertia, mu, p, c, d):
    """Whether DS (23)'s branch reaches d > 0 (with p > 0) without a fold: s(t) rises on the way."""
    before = 0.0
    for i in range(1, SCAN + 1):
        t = d * i / SCAN
        denominator = p - 0.5 * c * t / math.cos(0.5 * t)
        rising = turning_inertia * t + 0.5 * mu * t * t * math.tan(0.5 * t)
        if denominator <= 0.0 or rising <= before * denominator:
            return False
        before = rising / denominator
    return True


@compiled()
def midpoint_principal(turning_inertia, mu, p, c):
    """(found, d): principal root of DS (23), by bracketing the first sign change in (0, pi)."""
    if p == 0.0:
        return c + 2.0 * turning_inertia > 0.0, 0.0
    sign = 1.0 if p > 0.0 else -1.0
    p = abs(p)
    low, high = 0.0, -1.0
    for i in range(1, SCAN):
        d = math.pi * i / SCAN
        value, _ = midpoint_equation(turning_inertia, mu, p, c, d)
        if value >= 0.0:
            high = d
            break
        low = d
    if high < 0.0:
        # The residual may still rise to infinity in the last cell before pi.
        high = math.pi * (1.0 - 1e-12)
        value, _ = midpoint_equation(turning_inertia, mu, p, c, high)
        if not value >= 0.0:
            return False, 0.0
    for _ in range(200):
        middle = 0.5 * (low + high)
        if middle in (low, high):
            break
        value, _ = midpoint_equation(turning_inertia, mu, p, c, middle)
        if value >= 0.0:
            high = middle
        else:
            low = middle
    if not midpoint_fold_free(turning_inertia, mu, p, c, high):
        return False, 0.0
    return True, sign * high


@compiled()
def midpoint_newton(turning_inertia, mu, p, c, d):
    """(converged, d) of DS (23), from a guess."""
    before = math.inf
    for _ in range(25):
        value, slope = midpoint_equation(turning_inertia, mu, p, c, d)
        change = value / slope
        d -= change
        size = abs(d)
        if not size < math.pi:
            return False, 0.0
        if settled(abs(change), before, size):
            return slope > 0.0, d
        before = abs(change)
    return False, 0.0


@compiled()
def midpoint_safe_momentum(turning_inertia, mu):
    """Largest r for which DS (23) is monotone in d, hence has one root, for every c >= -r."""
    safe = math.inf
    for i in range(SCAN):
        d = math.pi * i / SCAN
        half = 0.5 * d
        cosine, sine = math.cos(half), math.sin(half)
        inertia_part = 4.0 * turning_inertia * cosine * cosine + mu * (4.0 * d * sine * cosine + d * d)
        safe = min(safe, inertia_part / (2.0 * cosine + d * sine))
    return 0.99 * safe
