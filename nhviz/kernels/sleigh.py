"""Inner loops of the Chaplygin sleigh: three discrete maps and the closed form of the flow.

The discrete momenta of the papers are eps times the physical ones: P = eps (p_theta + b p_1) and
c = eps a p_1, with A = J + m a^2 and mu = m a^2. The turn of one step is d = dtheta, tau = tan(d/2).
The principal branch is the one that grows from the identity as eps grows from 0: along
(s P, s c), s from 0 to 1, until it folds. A negative eps gives the inverse map.
"""

import math

import numpy as np

from nhviz.kernels.compile import compiled
from nhviz.kernels.polynomials import first_positive_root, quadratic_roots

FEDOROV_ZENKOV, MIDPOINT, NAIVE = 0, 1, 2
SCAN = 400
GAUSS_POINTS, GAUSS_WEIGHTS = np.polynomial.legendre.leggauss(10)


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


@compiled()
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
        if abs(change) <= 1e-15 * size or (abs(change) <= 1e-8 * size and abs(change) <= 1e-3 * before):
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
        if abs(change) <= 1e-15 * size or (abs(change) <= 1e-8 * size and abs(change) <= 1e-3 * before):
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


@compiled()
def fedorov_zenkov_displacement(body, eps, p_theta, p_1, guess, trusted):
    """(found, d, chord, p_2): turn and chord of one step; the chord points along theta + d/2."""
    spin, m, a, b = body
    mu = m * a * a
    total = spin + mu
    p, c = eps * (p_theta + b * p_1), eps * a * p_1
    found, tau = False, 0.0
    if trusted:
        found, tau = cubic_newton(total, mu, p, c, math.tan(0.5 * guess))
    if not found:
        found, tau = cubic_principal(total, mu, p, c)
        if not found:
            return False, 0.0, 0.0, 0.0
    over = 1.0 / (1.0 + tau * tau)
    sine, versine = 2.0 * tau * over, 2.0 * tau * tau * over
    forward = eps * p_1 / m + a * versine + b * sine
    p_2 = m * (forward * tau + a * sine - b * versine) / eps
    return True, 2.0 * math.atan(tau), forward * math.sqrt(1.0 + tau * tau), p_2


@compiled()
def midpoint_displacement(body, eps, p_theta, p_1, guess, safe):
    """(found, d, chord, p_2) of the scheme of DS, b = 0."""
    spin, m, a, _ = body
    mu = m * a * a
    total = spin + mu
    p, c = eps * p_theta, eps * a * p_1
    found, d = False, 0.0
    if c >= -safe:
        found, d = midpoint_newton(total, mu, p, c, guess)
    if not found:
        found, d = midpoint_principal(total, mu, p, c)
        if not found:
            return False, 0.0, 0.0, 0.0
    sine, cosine = math.sin(0.5 * d), math.cos(0.5 * d)
    chord = (eps * p_1 / m + a * d * sine) / cosine
    return True, d, chord, m * (chord * sine + a * d * cosine) / eps


@compiled()
def naive_displacement(body, eps, p_theta, p_1):
    """(found, d, V_1, p_2) of the scheme with constraint V_2 = 0: the smaller root of a quadratic."""
    spin, m, a, b = body
    total = spin + m * a * a
    p = eps * (p_theta + b * p_1)
    inside = total * total - p * (p + 2.0 * a * b * m)
    if inside < 0.0:
        return False, 0.0, 0.0, 0.0
    tau = p / (total + math.sqrt(inside))
    over = 1.0 / (1.0 + tau * tau)
    sine, versine = 2.0 * tau * over, 2.0 * tau * tau * over
    forward = eps * p_1 / m + a * versine + b * sine
    return True, 2.0 * math.atan(tau), forward, m * (a * sine - b * versine) / eps


@compiled()
def naive_backward(body, eps, p_theta, p_1, d):
    """(found, d, V_1) of the naive step that ends at (p_theta, p_1): one equation for d, Newton from a guess.

    With V_1 = (eps p_1 - m (a (1 - cos d) - b sin d)) / (m cos d) it reads
    (A + m b^2) sin d - m V_1 (a sin d + b cos d) = eps p_theta.
    """
    spin, m, a, b = body
    total = spin + m * a * a + m * b * b
    forward, before = 0.0, math.inf
    for _ in range(60):
        sine, cosine = math.sin(d), math.cos(d)
        top = eps * p_1 - m * (a * (1.0 - cosine) - b * sine)
        forward = top / (m * cosine)
        arm = a * sine + b * cosine
        forward_slope = (-m * (a * sine - b * cosine) * cosine + top * sine) / (m * cosine * cosine)
        value = total * sine - m * forward * arm - eps * p_theta
        slope = total * cosine - m * forward_slope * arm - m * forward * (a * cosine - b * sine)
        change = value / slope
        d -= change
        if not abs(d) < 0.5 * math.pi:
            return False, 0.0, 0.0
        if abs(change) <= 1e-15 * abs(d) or (abs(change) <= 1e-9 * abs(d) and abs(change) <= 1e-3 * before):
            cosine = math.cos(d)
            top = eps * p_1 - m * (a * (1.0 - cosine) - b * math.sin(d))
            return slope > 0.0, d, top / (m * cosine)
        before = abs(change)
    return False, 0.0, 0.0


@compiled()
def orbit(scheme, body, start, eps, steps, every, state):
    """One orbit into state[(theta, x, y, p_theta, p_1, p_2), sample].

    Returns the number of steps whose displacement exists: steps + 1 when the orbit is complete.
    """
    spin, m, a, b = body
    mu = m * a * a
    total = spin + mu
    theta, x, y, p_theta, p_1 = start
    backward_naive = scheme == NAIVE and eps < 0.0
    energy = (p_theta + b * p_1) ** 2 / (2.0 * total) + p_1 * p_1 / (2.0 * m)
    # Theorem 7.4: below this energy the cubic has one real root at every point of the ellipse.
    trusted = 2.0 * energy * eps * eps < mu
    safe = midpoint_safe_momentum(total, mu) if scheme == MIDPOINT else 0.0
    d = eps * (p_theta + b * p_1) / total
    before = d
    sample = 0
    for step in range(steps + 1):
        guess = 2.0 * d - before
        before = d
        if scheme == FEDOROV_ZENKOV:
            found, d, chord, p_2 = fedorov_zenkov_displacement(body, eps, p_theta, p_1, guess, trusted)
            aim = theta + 0.5 * d
        elif scheme == MIDPOINT:
            found, d, chord, p_2 = midpoint_displacement(body, eps, p_theta, p_1, guess, safe)
            aim = theta + 0.5 * d
        else:
            found, d, chord, p_2 = naive_displacement(body, abs(eps), p_theta, p_1)
            aim = theta
        if not found:
            return step
        if step % every == 0:
            state[0, sample], state[1, sample], state[2, sample] = theta, x, y
            state[3, sample], state[4, sample], state[5, sample] = p_theta, p_1, p_2
            sample += 1
        if step == steps:
            break
        if backward_naive:
            found, d, chord = naive_backward(body, -eps, p_theta, p_1, d)
            if not found:
                return step + 1
            theta -= d
            x -= chord * math.cos(theta)
            y -= chord * math.sin(theta)
            sine, versine = math.sin(d), 2.0 * math.sin(0.5 * d) ** 2
            p_2 = -m * (a * sine - b * versine) / eps
            p_theta += p_2 * chord
            p_1 = (m * chord - m * (a * versine + b * sine)) / -eps
            continue
        x += chord * math.cos(aim)
        y += chord * math.sin(aim)
        theta += d
        if scheme == FEDOROV_ZENKOV:
            half = math.sin(0.5 * d)
            p_theta -= 2.0 * a * m * chord * half / eps
            p_1 += 4.0 * a * m * half * half / eps
        elif scheme == MIDPOINT:
            p_theta -= m * a * d * chord / eps
            p_1 += 2.0 * m * a * d * math.sin(0.5 * d) / eps
        else:
            p_theta -= p_2 * chord
            p_1 = p_1 * math.cos(d) + p_2 * math.sin(d)
    return steps + 1


@compiled()
def orbits(scheme, body, starts, eps, steps, every, state):
    """Many orbits: `orbit` for each column of starts; returns the steps each could take."""
    taken = np.empty(starts.shape[1], dtype=np.int64)
    for i in range(starts.shape[1]):
        start = (starts[0, i], starts[1, i], starts[2, i], starts[3, i], starts[4, i])
        taken[i] = orbit(scheme, body, start, eps, steps, every, state[:, i])
    return taken


@compiled()
def heading(gain, rate, phase, t):
    """theta(t) - theta(0) = gain (gd(rate t + phase) - gd(phase)), without cancellation."""
    half = 0.5 * rate * t
    middle = phase + half
    # sinh(half) / cosh(middle), scaled so that neither overflows.
    decay = math.exp(abs(half) - abs(middle))
    ratio = decay * -math.expm1(-2.0 * abs(half)) / (1.0 + math.exp(-2.0 * abs(middle)))
    return 2.0 * gain * math.atan(math.copysign(ratio, half))


@compiled()
def path_piece(speed, theta, gain, rate, phase, t0, t1):
    """Integral of speed tanh(rate t + phase) (cos, sin)(heading) over [t0, t1], one Gauss rule."""
    half, middle = 0.5 * (t1 - t0), 0.5 * (t0 + t1)
    dx, dy = 0.0, 0.0
    for i in range(GAUSS_POINTS.size):
        t = middle + half * GAUSS_POINTS[i]
        v = speed * math.tanh(rate * t + phase) * GAUSS_WEIGHTS[i]
        angle = theta + heading(gain, rate, phase, t)
        dx += v * math.cos(angle)
        dy += v * math.sin(angle)
    return half * dx, half * dy


@compiled()
def exact_path(theta, speed, gain, rate, phase, times, budget, path):
    """The part of the contact path due to p_1 / m: path[(x, y), sample] = integral from times[0] = 0.

    Where |rate t + phase| > 40 the motion is straight to round-off and one panel is exact.
    Returns the number of samples reached within the budget of panels.
    """
    path[0, 0], path[1, 0] = 0.0, 0.0
    x, y = 0.0, 0.0
    # Panels short against the width of sech and against one radian of heading.
    width = 1.2 / (abs(rate) * max(1.0, abs(gain)))
    spent = 0
    for sample in range(1, times.size):
        t0, t1 = times[sample - 1], times[sample]
        inside0, inside1 = t0, t1
        if rate != 0.0:
            edge0, edge1 = (-40.0 - phase) / rate, (40.0 - phase) / rate
            low, high = min(edge0, edge1), max(edge0, edge1)
            inside0, inside1 = min(max(t0, low), high), min(max(t1, low), high)
        count = math.ceil(abs(inside1 - inside0) / width)
        spent += count + 1
        if spent > budget:
            return sample
        for start, end, panels in ((t0, inside0, 1), (inside0, inside1, count), (inside1, t1, 1)):
            if start == end:
                continue
            h = (end - start) / panels
            for panel in range(panels):
                dx, dy = path_piece(speed, theta, gain, rate, phase, start + panel * h, start + (panel + 1) * h)
                x += dx
                y += dy
        path[0, sample], path[1, sample] = x, y
    return times.size
