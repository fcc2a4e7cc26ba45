"""Inner loops of the three discrete Chaplygin sleighs.

Notation of `sleigh_turns`; the chord of a step is its length along the mean heading (for the naive scheme along
the heading before the step). A negative eps gives the inverse map.

Two identities give the chord next to a half turn, where V_1/cos(d/2) is 0/0. FZ: (7.18) with sines says
c + 2 mu sin^2 f = P cot f - 2 A cos^2 f, so m a chord = P/sin f - 2 A cos f + 2 m a b sin f. DS: (23) itself says
m a chord = (P - A d)/f.
"""

import math

import numpy as np

from nhviz.kernels.compile import kernel, piece
from nhviz.kernels.polynomials import settled
from nhviz.kernels.sleigh_turns import (
    FOLDED,
    HALF_TURN,
    REACHED,
    cubic_half_turn,
    cubic_newton,
    midpoint_newton,
    midpoint_principal,
    single_valued_level,
)

FEDOROV_ZENKOV, MIDPOINT, NAIVE = 0, 1, 2
# Below this the turn of a step is nothing; smaller numbers would only be slow (they are denormal).
NOTHING = 1e-150


@piece(forceinline=True)
def fedorov_zenkov_displacement(body, eps, p_theta, p_1, guess, trusted):
    """(end, d, sin(d/2), chord, p_2): turn and chord of one step; the chord points along theta + d/2.

    A root that Newton's iteration finds is the only one (trusted), or known to be principal: of the sign of p, where
    the cubic rises, up to tau = sqrt 3.
    """
    spin, m, a, b = body
    mu = m * a * a
    total = spin + mu
    p, c = eps * (p_theta + b * p_1), eps * a * p_1
    found, tau = abs(p) < NOTHING * total and c > -total, 0.0
    if not found:
        found, tau = cubic_newton(total, mu, p, c, 0.5 * guess + guess**3 / 24.0)
        if not (found and tau * tau <= 3.0 and (trusted or tau * p > 0.0)):
            return fedorov_zenkov_far(body, eps, p_theta, p_1)
    over = 1.0 / (1.0 + tau * tau)
    sine, versine = 2.0 * tau * over, 2.0 * tau * tau * over
    forward = eps * p_1 / m + a * versine + b * sine
    p_2 = m * (forward * tau + a * sine - b * versine) / eps
    secant = math.sqrt(1.0 + tau * tau)
    return REACHED, 2.0 * math.atan(tau), tau / secant, forward * secant, p_2


@kernel("together(integer, number, number, number, number)(four, number, number, number)")
def fedorov_zenkov_far(body, eps, p_theta, p_1):
    """The same for any turn, half turns and more among them."""
    spin, m, a, b = body
    mu = m * a * a
    total = spin + mu
    p, c = eps * (p_theta + b * p_1), eps * a * p_1
    found, sine, cosine = cubic_half_turn(spin, mu, p, c)
    if not found:
        return FOLDED, 0.0, 0.0, 0.0, 0.0
    sine_d, versine = 2.0 * sine * cosine, 2.0 * sine * sine
    if abs(cosine) > 0.1:
        chord = (eps * p_1 / m + a * versine + b * sine_d) / cosine
    else:
        chord = (p / sine - 2.0 * total * cosine) / (m * a) + 2.0 * b * sine
    p_2 = m * (chord * sine + a * sine_d - b * versine) / eps
    return REACHED, 2.0 * math.atan2(sine, cosine), sine, chord, p_2


@piece()
def midpoint_chord(body, eps, p_theta, p_1, d, sine, cosine):
    """The chord of a turn d, from the formula with the smaller round-off; m a^2 > 0."""
    spin, m, a, _ = body
    along, lift = eps * p_1 / m, a * d * sine
    p, turned = eps * p_theta, (spin + m * a * a) * d
    weight = 0.5 * m * a * d
    if (abs(p) + abs(turned)) * cosine < abs(weight) * (abs(along) + abs(lift)):
        return (p - turned) / weight
    return (along + lift) / cosine


@piece()
def midpoint_displacement(body, eps, p_theta, p_1, guess):
    """(end, d, sin(d/2), chord, p_2) of the scheme of DS, b = 0."""
    spin, m, a, _ = body
    mu = m * a * a
    total = spin + mu
    p, c = eps * p_theta, eps * a * p_1
    found, d = abs(p) < NOTHING * total and c > -total, 0.0
    if not found:
        found, d = midpoint_newton(total, mu, p, c, guess)
        if not found:
            return midpoint_far(body, eps, p_theta, p_1)
    sine, cosine = math.sin(0.5 * d), math.cos(0.5 * d)
    chord = (eps * p_1 / m + a * d * sine) / cosine
    return REACHED, d, sine, chord, m * (chord * sine + a * d * cosine) / eps


@kernel("together(integer, number, number, number, number)(four, number, number, number)")
def midpoint_far(body, eps, p_theta, p_1):
    """The same for any turn of less than pi; where m a^2 is 0 to a computer the equation A d = P has no such limit."""
    spin, m, a, _ = body
    mu = m * a * a
    total = spin + mu
    p, c = eps * p_theta, eps * a * p_1
    if mu > 0.0:
        end, tau = midpoint_principal(spin, mu, p, c)
        if end != REACHED:
            return end, 0.0, 0.0, 0.0, 0.0
        cosine = 1.0 / math.hypot(1.0, tau)
        d, sine = 2.0 * math.atan(tau), tau * cosine
        chord = midpoint_chord(body, eps, p_theta, p_1, d, sine, cosine)
    else:
        d = p / total
        sine, cosine = math.sin(0.5 * d), math.cos(0.5 * d)
        if abs(cosine) <= 1e-15 * abs(d) and p_1 != 0.0:
            # A half turn to round-off: the chord is infinite.
            return HALF_TURN, 0.0, 0.0, 0.0, 0.0
        chord = (eps * p_1 / m + a * d * sine) / cosine
    return REACHED, d, sine, chord, m * (chord * sine + a * d * cosine) / eps


@piece()
def naive_displacement(body, eps, p_theta, p_1):
    """(end, d, sin(d/2), V_1, p_2) of the scheme with constraint V_2 = 0: the smaller root of a quadratic."""
    spin, m, a, b = body
    total = spin + m * a * a
    p = eps * (p_theta + b * p_1)
    inside = total * total - p * (p + 2.0 * a * b * m)
    if inside < 0.0:
        return FOLDED, 0.0, 0.0, 0.0, 0.0
    tau = p / (total + math.sqrt(inside)) if abs(p) > NOTHING * total else 0.0
    over = 1.0 / (1.0 + tau * tau)
    sine, versine = 2.0 * tau * over, 2.0 * tau * tau * over
    forward = eps * p_1 / m + a * versine + b * sine
    return REACHED, 2.0 * math.atan(tau), tau * math.sqrt(over), forward, m * (a * sine - b * versine) / eps


@kernel("together(truth, number, number)(four, number, number, number, number)")
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
        if settled(abs(change), before, abs(d)):
            cosine = math.cos(d)
            top = eps * p_1 - m * (a * (1.0 - cosine) - b * math.sin(d))
            return slope > 0.0, d, top / (m * cosine)
        before = abs(change)
    return False, 0.0, 0.0


@piece(forceinline=True)
def displacement(scheme, body, eps, p_theta, p_1, guess, trusted):
    """(end, d, sin(d/2), chord, p_2) of one step of a scheme, by the principal branch."""
    if scheme == FEDOROV_ZENKOV:
        return fedorov_zenkov_displacement(body, eps, p_theta, p_1, guess, trusted)
    if scheme == MIDPOINT:
        return midpoint_displacement(body, eps, p_theta, p_1, guess)
    return naive_displacement(body, abs(eps), p_theta, p_1)


@piece(forceinline=True)
def momenta_after(scheme, body, eps, p_theta, p_1, d, half, chord, p_2):
    """(p_theta, p_1) after a step: FZ (7.20), DS (22), or FZ (7.7) for the naive constraint; half = sin(d/2)."""
    _, m, a, _ = body
    if scheme == FEDOROV_ZENKOV:
        pull = 2.0 * a * m / eps
        return p_theta - pull * (chord * half), p_1 + 2.0 * pull * (half * half)
    if scheme == MIDPOINT:
        return p_theta - m * a * d * chord / eps, p_1 + 2.0 * m * a * d * half / eps
    return p_theta - p_2 * chord, p_1 * math.cos(d) + p_2 * math.sin(d)


@piece()
def naive_momenta_before(body, eps, p_theta, d, chord):
    """(p_theta, p_1) before a naive step that ended with p_theta, eps > 0."""
    _, m, a, b = body
    sine, versine = math.sin(d), 2.0 * math.sin(0.5 * d) ** 2
    p_2 = m * (a * sine - b * versine) / eps
    return p_theta + p_2 * chord, m * (chord - a * versine - b * sine) / eps


@kernel("together(integer, integer)(integer, four, five, number, integer, integer, part)")
def orbit(scheme, body, start, eps, steps, every, state):
    """One orbit into state[(theta, x, y, p_theta, p_1, p_2, omega, v), sample].

    Returns the number of steps whose displacement exists, steps + 1 when the orbit is complete, and what became of the
    principal branch after them.
    """
    spin, m, a, b = body
    mu = m * a * a
    total = spin + mu
    theta, x, y, p_theta, p_1 = start
    energy = (p_theta + b * p_1) ** 2 / (2.0 * total) + p_1 * p_1 / (2.0 * m)
    # Below this energy the cubic has one real root at every point of the ellipse.
    trusted = 2.0 * energy * eps * eps < single_valued_level(spin, mu)
    d = eps * (p_theta + b * p_1) / total
    before = d
    sample = 0
    for step in range(steps + 1):
        guess = 2.0 * d - before
        before = d
        end, d, half, chord, p_2 = displacement(scheme, body, eps, p_theta, p_1, guess, trusted)
        if end != REACHED:
            return step, end
        if step % every == 0:
            state[0, sample], state[1, sample], state[2, sample] = theta, x, y
            state[3, sample], state[4, sample], state[5, sample] = p_theta, p_1, p_2
            omega = (p_theta + b * p_1) / total
            state[6, sample], state[7, sample] = omega, p_1 / m + b * omega
            sample += 1
        if scheme == NAIVE and eps < 0.0:
            found, d, chord = naive_backward(body, -eps, p_theta, p_1, d)
            if not found:
                return step + 1, FOLDED
            theta -= d
            x -= chord * math.cos(theta)
            y -= chord * math.sin(theta)
            p_theta, p_1 = naive_momenta_before(body, -eps, p_theta, d, chord)
            continue
        aim = theta if scheme == NAIVE else theta + 0.5 * d
        x += chord * math.cos(aim)
        y += chord * math.sin(aim)
        theta += d
        p_theta, p_1 = momenta_after(scheme, body, eps, p_theta, p_1, d, half, chord, p_2)
    return steps + 1, REACHED


@kernel("together(integers, integers)(integer, four, matrix, number, integer, integer, cube)")
def orbits(scheme, body, starts, eps, steps, every, state):
    """Many orbits: `orbit` for each column of starts; returns the steps each could take and how it ended."""
    taken, ends = np.empty(starts.shape[1], dtype=np.int64), np.empty(starts.shape[1], dtype=np.int64)
    for i in range(starts.shape[1]):
        start = (starts[0, i], starts[1, i], starts[2, i], starts[3, i], starts[4, i])
        taken[i], ends[i] = orbit(scheme, body, start, eps, steps, every, state[:, i])
    return taken, ends
