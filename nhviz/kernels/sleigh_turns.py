"""The turn of one step of the discrete sleighs: principal roots of the cubic of FZ and of the equation of DS.

The discrete momenta of the papers are eps times the physical ones: P = eps (p_theta + b p_1) and c = eps a p_1, with
J (spin), mu = m a^2, A = J + mu (turning_inertia), x = J/mu. The turn is d = 2 f, T = tan f. The principal branch is
the one that grows from the identity along (s P, s c), s from 0 to 1, until it folds. Let P > 0; for P < 0 f changes
sign. Along the branch s(f) = N/D with N, D > 0, and it folds where s stops to rise.

**FZ.** (7.18) times cos^3 f is  F = sin f (q + 2 J cos^2 f) - P cos f = 0,  q = c + 2 mu,  smooth for every f and of
period pi: a half turn, f = pi/2, is a point like any other. N = 2 sin f (mu + J cos^2 f), D = P cos f - c sin f, so
the branch stays within 0 < f < pi. For a fixed f, F = 0 is a line of slope dq/dP = cot f; the fold is the envelope of
these lines, P = 4 J sin^3 f cos f, q = -2 J cos^2 f cos 2f. Over P >= 0 it has a lower arc f < pi/3, concave, with
slopes above 1/sqrt 3, and an upper arc pi/3 < f < pi/2, convex, with slopes between 0 and 1/sqrt 3; they meet in a
cusp at (3 sqrt 3 J/4, J/4). A ray starts at (0, 2 mu), above both. If it passes below the cusp it crosses the upper
arc once (a concave function of P that is positive at 0 and negative later) and then, being less steep than the lower
arc, that one once; otherwise it crosses neither. So s(f) either rises all the way, for 3 sqrt 3 J c >= P (J - 8 mu),
or it rises up to a fold at some f < pi/3, falls, and rises again from some f > pi/3. Hence a root f > 0 where F rises
is principal if f <= pi/3 or if the ray passes above the cusp; and beyond a half turn nothing folds.

**DS.** (23) times cos f is  f (2 A cos f + c + 2 mu f sin f) - P cos f = 0; the scheme divides by cos f, so |f| <
pi/2 is its domain and a half turn an end. N = 2 f (A cos f + mu f sin f), D = P cos f - c f, and s' has the sign of P
U + c W, U = J cos^2 f + mu (e^2 + f^2 cos^2 f), W = f^2 V, V = J sin f - mu f cos f, e = cos f + f sin f. For c >= 0
that is positive, since D > 0 means P > c f/cos f. For c < 0 the branch folds where R = W/U = P/|c|. The derivative of
R has the sign of x - k, k = (3 cos^2 f + f sin 2f - f^2)/g, g = 1 + sin^2 f + sin(2f)/f, and k falls from 1 as long
as it is positive: its numerator falls from 3 at the rate 2 sin 2f + 4 f sin^2 f, g >= 2, and g falls at most at the
rate 8f/3 - sin 2f, so the claim follows from 7 sin 2f > 4 f (1 + cos 2f), that is 7 tan f > 4 f. So R rises to
R(pi/2) = x, from 0 if x >= 1, and if x < 1 after it has fallen from 0 to a negative minimum. Therefore P/|c| is met
once, if it is less than x, and never otherwise; and a root f > 0 where the residual rises is principal.
"""

import math

import numpy as np

from nhviz.kernels.compile import kernel, piece
from nhviz.kernels.polynomials import cubic_root_between, cubic_value, quadratic_roots, settled

REACHED, FOLDED, HALF_TURN = 0, 1, 2
"""What becomes of a principal branch: it reaches the momentum, or it ends before."""

# Tangents between which the roots of DS (23) are looked for: 0 and infinity would be lost to a search by ratios.
SMALLEST, LARGEST = 1e-300, 1e300
# A Newton iteration that ends where the residual rises less than this (in units of A) may have met a fold.
CLEAR = 1e-6


@kernel("together(truth, number)(number, number, number, number, number, number)")
def first_rise(a, b, c, d, low, high):
    """(found, x): the first x in [low, high] where a cubic that is negative at low comes to zero.

    Its stationary points bracket the root, so a small leading coefficient or a nearly double root do no harm.
    """
    count, first, second = quadratic_roots(3.0 * a, 2.0 * b, c)
    stationary = (min(first, second), max(first, second)) if count == 2 else (first, first)
    for x in stationary:
        if count > 0 and low < x < high:
            if cubic_value(a, b, c, d, x) >= 0.0:
                return True, cubic_root_between(a, b, c, d, low, x)
            low = x
    if cubic_value(a, b, c, d, high) >= 0.0:
        return True, cubic_root_between(a, b, c, d, low, high)
    return False, 0.0


@kernel("pair(number, number, number)")
def first_half_turn(spin, p, q):
    """(sin f, cos f) of the first root of F in (0, pi), for P > 0: F is negative at 0 and positive at pi.

    Up to pi/4 in T = tan f, up to 3 pi/4 in tan(f - pi/2), then again in T: each time a cubic on an interval.
    """
    r = q + 2.0 * spin
    found, t = first_rise(q, -p, r, -p, 0.0, 1.0)
    if found:
        cosine = 1.0 / math.sqrt(1.0 + t * t)
        return t * cosine, cosine
    found, t = first_rise(p, r, p, q, -1.0, 1.0)
    if found:
        sine = 1.0 / math.sqrt(1.0 + t * t)
        return sine, -t * sine
    _, t = first_rise(-q, p, -r, p, -1.0, 0.0)
    cosine = -1.0 / math.sqrt(1.0 + t * t)
    return t * cosine, cosine


@kernel("together(truth, number, number)(number, number, number, number)")
def cubic_half_turn(spin, mu, p, c):
    """(found, sin f, cos f): half the turn of the principal branch of FZ, |f| < pi."""
    if p == 0.0:
        # The straight step; it ends where the map folds at f = 0, q + 2J = 0.
        return c + 2.0 * (spin + mu) > 0.0, 0.0, 1.0
    size = abs(p)
    sine, cosine = first_half_turn(spin, size, c + 2.0 * mu)
    if cosine < 0.5 and 3.0 * math.sqrt(3.0) * spin * c < size * (spin - 8.0 * mu):
        return False, 0.0, 1.0
    return True, math.copysign(sine, p), cosine


@kernel("vector(number, number, vector, vector)")
def sines_of_turns(spin, mu, p, c):
    """sin d of the principal branch of FZ for many momenta; 0 where it has ended."""
    sines = np.empty(p.size)
    for i in range(p.size):
        _, sine, cosine = cubic_half_turn(spin, mu, p[i], c[i])
        sines[i] = 2.0 * sine * cosine
    return sines


@kernel("number(number, number)", inlined=True)
def single_valued_level(spin, mu):
    """Least P^2/A + c^2/mu at which the cubic has a double root; `nhviz.maps.sleigh_branches` has the proof."""
    if spin <= (2.0 * math.sqrt(13.0) - 6.0) * mu:
        return (spin + 4.0 * mu) ** 3 / (16.0 * (spin + mu) * mu)
    return 4.0 * mu


@piece(forceinline=True)
def cubic_newton(turning_inertia, mu, p, c, tau):
    """(converged, tau) of the cubic, from a guess, to a root where it clearly rises."""
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
            return slope > CLEAR * turning_inertia, tau
        before = abs(change)
    return False, 0.0


@kernel("pair(number, number, number, number, number)", inlined=True)
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


@piece()
def midpoint_newton(turning_inertia, mu, p, c, d):
    """(converged, d) of DS (23), from a guess, to a root that is principal: of the sign of p, where the residual rises.

    Close to a half turn the division by cos(d/2) costs digits: `midpoint_principal` knows better.
    """
    before = math.inf
    for _ in range(25):
        value, slope = midpoint_equation(turning_inertia, mu, p, c, d)
        change = value / slope
        d -= change
        size = abs(d)
        if not size < 2.9:
            return False, 0.0
        if settled(abs(change), before, size):
            return slope > CLEAR * turning_inertia and d * p > 0.0, d
        before = abs(change)
    return False, 0.0


@kernel("number(number, number, number, number, number)", inlined=True)
def midpoint_balance(spin, mu, p, c, tangent):
    """DS (23) times cos(f)/f, at tan f: positive beyond a root of the principal branch."""
    half, cosine = math.atan(tangent), 1.0 / math.hypot(1.0, tangent)
    pull = 0.0 if p == 0.0 else (p / half) * cosine
    return 2.0 * (spin + mu) * cosine + c + 2.0 * mu * half * (tangent * cosine) - pull


@kernel("number(number, number, number, number, number)", inlined=True)
def midpoint_beyond_fold(spin, mu, p, c, tangent):
    """-(P U + c W)/f^2 at tan f: positive where the branch along (s p, s c) comes back."""
    half, cosine = math.atan(tangent), 1.0 / math.hypot(1.0, tangent)
    sine = tangent * cosine
    e = cosine + half * sine
    u = spin * cosine * cosine + mu * (e * e + (half * cosine) ** 2)
    pull = 0.0 if p == 0.0 else p / half / half * u
    return -(pull + c * (spin * sine - mu * half * cosine))


@kernel("number(truth, number, number, number, number, number, number)")
def midpoint_search(folding, spin, mu, p, c, negative, positive):
    """The tangent between two others where the balance, or `midpoint_beyond_fold`, changes its sign, to round-off."""
    for _ in range(200):
        # Halving of the ratio first, as the root may be next to 0 or next to a half turn.
        near = negative < 2.0 * positive and positive < 2.0 * negative
        middle = 0.5 * (negative + positive) if near else math.sqrt(negative) * math.sqrt(positive)
        if middle in (negative, positive):
            break
        value = midpoint_beyond_fold(spin, mu, p, c, middle) if folding else midpoint_balance(spin, mu, p, c, middle)
        if value < 0.0:
            negative = middle
        else:
            positive = middle
    return positive


@kernel("together(integer, number)(number, number, number, number)")
def midpoint_principal(spin, mu, p, c):
    """(end, tau): tan of half the principal turn of DS (23), |d| < pi, or how the branch ends before; mu > 0."""
    if p == 0.0:
        # The straight step; another root crosses it where c + 2A = 0.
        return (REACHED if c + 2.0 * (spin + mu) > 0.0 else FOLDED), 0.0
    size, last, end = abs(p), LARGEST, HALF_TURN
    if c < 0.0 and midpoint_beyond_fold(spin, mu, size, c, LARGEST) > 0.0:
        last = midpoint_search(True, spin, mu, size, c, SMALLEST, LARGEST)
        end = FOLDED
    if not midpoint_balance(spin, mu, size, c, last) > 0.0:
        return end, 0.0
    return REACHED, math.copysign(midpoint_search(False, spin, mu, size, c, SMALLEST, last), p)


@kernel("number(number, number)")
def midpoint_cusp(spin, mu):
    """tan f where W/U is least, k = J/mu: the cusp of the fold of DS (23), if J < mu."""
    low, high = SMALLEST, LARGEST
    for _ in range(64):
        middle = math.sqrt(low) * math.sqrt(high)
        half, cosine = math.atan(middle), 1.0 / math.hypot(1.0, middle)
        sine = middle * cosine
        top = 3.0 * cosine * cosine + 2.0 * half * sine * cosine - half * half
        if mu * top > spin * (1.0 + sine * sine + 2.0 * sine * cosine / half):
            low = middle
        else:
            high = middle
    return high
