"""Rotation numbers of many balls with vertical momentum: the circle map of `nhviz.analysis.vertical` in one loop.

The increment of the elliptic coordinate is an analytic function on the circle R/2K. It is found at a few nodes by the
relation of `nhviz.kernels.elliptic`, as often as its Fourier series needs; orbits are then those of the series, thirty
times as fast. A ball is (I1, I2, I3, D), h the scaled momentum, l the level.
"""

import math

import numpy as np
from numba import types

from nhviz.kernels import elliptic
from nhviz.kernels.compile import kernel, piece

# Nodes of the series, doubled until its last quarter is less than this share of the period.
FEWEST, MOST, SMALL = 32, 512, 1e-14
# Steps of an orbit, doubled until two weighted means agree, and means of another start do.
SHORTEST, LONGEST, TOLERANCE = 512, 16384, 1e-11
ELSEWHERE = 0.381966
# Cycles that are looked for next to a mean that does not settle: how near, of how many steps, from how many places of a
# round of the cycle.
NEAR, LARGEST_Q, CYCLE_STARTS = 1e-6, 32, 64
# The fold is looked for from this sn^2 on, each next one larger by this factor.
NEAREST, STRIDE = 1e-16, 1.1
SHARE_OF_FOLD = 1.0 - 1e-8
FINE, NO_LEVEL, FOLDED = 0, 1, 2
CURVE = types.UniTuple(types.float64, 7)
ORDER = types.UniTuple(types.int64, 3)


@kernel("together(integer, order, number)(four, number)", order=ORDER)
def ordered(ball, level):
    """(FINE or NO_LEVEL, axes in the order of the elliptic functions, sign): Lam1 > Lam2 > Lam3, or turned round.

    The level must be strictly inside an interval of 1/Lam; an odd permutation of the axes changes the sign of gamma.
    """
    i1, i2, i3, d = ball
    moments = (i1, i2, i3)
    a, b, c = 0, 1, 2
    sign = 1.0
    if moments[a] < moments[b]:
        a, b, sign = b, a, -sign
    if moments[b] < moments[c]:
        b, c, sign = c, b, -sign
    if moments[a] < moments[b]:
        a, b, sign = b, a, -sign
    low, middle, high = 1.0 / (moments[a] + d), 1.0 / (moments[b] + d), 1.0 / (moments[c] + d)
    # Next to the ends the curve shrinks to a point or becomes a separatrix, and round-off takes over.
    gap = 1e-9 * high
    if level < middle:
        state = FINE if low + gap < level < middle - gap else NO_LEVEL
        return state, (c, b, a), -sign
    return FINE if middle + gap < level < high - gap else NO_LEVEL, (a, b, c), sign


@piece()
def semi_axes(a, b, c, level):
    """C1, C2, C3 of the curve with Lam = (a, b, c)."""
    return (
        math.sqrt(a * (1.0 - c * level) / (a - c)),
        math.sqrt(b * (1.0 - c * level) / (b - c)),
        math.sqrt(c * (a * level - 1.0) / (a - c)),
    )


@piece()
def lambdas(ball, order):
    """Lam1, Lam2, Lam3 along the ordered axes."""
    moments = (ball[0], ball[1], ball[2])
    return moments[order[0]] + ball[3], moments[order[1]] + ball[3], moments[order[2]] + ball[3]


@kernel("curve(four, order, number)", curve=CURVE, order=ORDER)
def curve_of(ball, order, level):
    """(k^2, V, D, l, mu, alpha, beta), the constants of the relation between u and delta."""
    a, b, c = lambdas(ball, order)
    c1, c2, c3 = semi_axes(a, b, c, level)
    k2 = (a - b) * (1.0 - c * level) / ((b - c) * (a * level - 1.0))
    v = -c2 * c3 * (b - c) / (c1 * b * c)
    alpha = (2.0 * a * c * level - (a + c - b)) / ((b - c) * (a * level - 1.0))
    beta = a * c / ((b - c) * (b - c)) * (1.0 - c * level) / (a * level - 1.0)
    return k2, v, ball[3], level, (1.0 - c * level) / (b - c), alpha, beta


@kernel("number(number)", inlined=True)
def quarter(k2):
    """K(k), a quarter of the period, by the arithmetic-geometric mean."""
    a, b = 1.0, math.sqrt(1.0 - k2)
    while abs(a - b) > 1e-15 * a:
        a, b = 0.5 * (a + b), math.sqrt(a * b)
    return math.pi / (a + b)


@piece()
def momentum_about(curve, s):
    """(|h|, 2s times the derivative of log h by s) of the step about u = K whose half has s = sn^2 delta."""
    k2, v, d, level, mu, alpha, beta = curve
    cross, shape = 1.0 - k2 * s, 1.0 + s * (alpha - beta * s)
    rest = cross - d * (level - mu * s)
    h = 2.0 * math.sqrt(s * (1.0 - s) / cross) * rest / (abs(v) * shape)
    rate = 1.0 - s / (1.0 - s) + k2 * s / cross + 2.0 * s * ((d * mu - k2) / rest - (alpha - 2.0 * beta * s) / shape)
    return h, rate


@kernel("number(four, number)")
def largest_h(ball, level):
    """The least h at which the principal branch folds somewhere on the curve, less a little; NaN without a curve.

    At given u the relation of `elliptic` tells h by delta, and the branch folds at the first maximum. Over u that is
    least where h does not change with the middle u + delta either: sn = 0 or 1 there. As h grows with C, it is sn = 1.
    """
    state, order, _ = ordered(ball, level)
    if state != FINE:
        return math.nan
    curve = curve_of(ball, order, level)
    high = NEAREST
    # Written so that a pole, beyond which there is no branch either, is an end, too.
    while high < 1.0 and momentum_about(curve, high)[1] > 0.0:
        high *= STRIDE
    low, high = high / STRIDE, min(high, 1.0)
    while True:
        middle = 0.5 * (low + high)
        if middle <= low or middle >= high:
            return SHARE_OF_FOLD * momentum_about(curve, low)[0]
        if momentum_about(curve, middle)[1] > 0.0:
            low = middle
        else:
            high = middle


@kernel("integer(curve, number, number, vector, matrix)", curve=CURVE)
def write_series(curve, h, period, nodes, series):
    """Write the Fourier coefficients of the increment, (real, imaginary) by harmonic, in periods.

    Returns how many there are with that of 0, or 0 where the branch has folded at a node. All nodes of half as many
    are among those of as many: only the new ones are found.
    """
    count, stride = FEWEST, MOST // FEWEST
    while True:
        for i in range(0, MOST, stride):
            if count > FEWEST and i % (2 * stride) == 0:
                continue
            found, delta, _ = elliptic.half_step(curve, h, i * (period / MOST))
            if not found:
                return 0
            nodes[i] = 2.0 * delta / period
        write_coefficients(nodes, stride, series)
        tail = 0.0
        for m in range(3 * count // 8, count // 2):
            tail = max(tail, abs(series[m, 0]), abs(series[m, 1]))
        if tail < SMALL or count == MOST:
            break
        count, stride = 2 * count, stride // 2
    used = count // 2
    while used > 1 and max(abs(series[used - 1, 0]), abs(series[used - 1, 1])) < 0.1 * SMALL:
        used -= 1
    return used


@kernel("nothing(vector, integer, matrix)")
def write_coefficients(nodes, stride, series):
    """Write c_m = mean of f exp(-2 pi i m t) over every stride-th node, for m below half of their number."""
    count = nodes.size // stride
    for m in range(count // 2):
        turn = -2.0 * math.pi * m / count
        step_c, step_s, c, s = math.cos(turn), math.sin(turn), 1.0, 0.0
        real, imaginary = 0.0, 0.0
        for i in range(count):
            value = nodes[i * stride]
            real, imaginary = real + value * c, imaginary + value * s
            c, s = c * step_c - s * step_s, s * step_c + c * step_s
        series[m, 0], series[m, 1] = real / count, imaginary / count


@kernel("nothing(matrix, integer, number, integer, integer, vector)")
def write_orbit(series, used, start, first, last, increments):
    """Write the increments first, ..., last - 1 along the orbit of a start, given those before."""
    place = start
    for i in range(first):
        place += increments[i]
    for i in range(first, last):
        place -= math.floor(place)
        c, s = math.cos(2.0 * math.pi * place), math.sin(2.0 * math.pi * place)
        x, y = 0.0, 0.0
        for m in range(used - 1, 0, -1):
            x, y = x + series[m, 0], y + series[m, 1]
            x, y = x * c - y * s, x * s + y * c
        increments[i] = series[0, 0] + 2.0 * x
        place += increments[i]


@piece()
def weighted_mean(weights, increments, steps):
    """The mean of increments with the weights of so many steps, which begin at that place of their table."""
    total = 0.0
    for i in range(steps):
        total += weights[steps + i] * increments[i]
    return total


@kernel("truth(matrix, integer, integer, integer, vector)")
def is_locked(series, used, p, q, room):
    """Whether there is a cycle of q steps and p rounds: then f^q(u) - u - p has both signs on the circle, or is 0."""
    above, below = False, False
    for k in range(CYCLE_STARTS):
        write_orbit(series, used, k / (CYCLE_STARTS * q), 0, q, room)
        away = -float(p)
        for i in range(q):
            away += room[i]
        above, below = above or away >= 0.0, below or away <= 0.0
        if above and below:
            return True
    return False


@kernel("number(matrix, integer, number, vector)")
def settled_on_cycle(series, used, value, room):
    """The fraction next to a mean that has not settled, if the map has a cycle of it, else the mean itself.

    Where the rotation is locked an orbit may come near its cycle very slowly.
    """
    for q in range(1, LARGEST_Q + 1):
        p = round(q * value)
        if abs(q * value - p) <= NEAR * q and is_locked(series, used, p, q, room):
            return p / q
    return value


@kernel("number(matrix, integer, vector, matrix)")
def mean_increment(series, used, weights, room):
    """The rotation number on R/2K, by weighted means over orbits that double until they agree (`analysis.circle`)."""
    here, there = room[0], room[1]
    write_orbit(series, used, 0.0, 0, SHORTEST, here)
    steps, before, known = SHORTEST, weighted_mean(weights, here, SHORTEST), 0
    while True:
        write_orbit(series, used, 0.0, steps, 2 * steps, here)
        steps *= 2
        value = weighted_mean(weights, here, steps)
        if abs(value - before) <= TOLERANCE or steps >= LONGEST:
            write_orbit(series, used, ELSEWHERE, known, steps, there)
            known = steps
            if abs(value - weighted_mean(weights, there, steps)) <= TOLERANCE and abs(value - before) <= TOLERANCE:
                return value
            if steps >= LONGEST:
                return settled_on_cycle(series, used, value, there)
        before = value


@kernel("nothing(matrix, vector, vector, vector, vector, vector)")
def rotations(balls, h, levels, largest, weights, out):
    """Turns of gamma round its whole oval in one step, for rows of balls; NaN without a curve or beyond the fold.

    `weights` is the table of `weight_table`, `largest` holds the largest h of each cell.
    """
    nodes, series, room = np.empty(MOST), np.empty((MOST // 2, 2)), np.empty((2, LONGEST))
    for i in range(out.size):
        ball = (balls[i, 0], balls[i, 1], balls[i, 2], balls[i, 3])
        out[i] = math.nan
        state, order, _ = ordered(ball, levels[i])
        if state != FINE or not 0.0 < abs(h[i]) < largest[i]:
            continue
        curve = curve_of(ball, order, levels[i])
        used = write_series(curve, h[i], 2.0 * quarter(curve[0]), nodes, series)
        if used > 0:
            out[i] = 0.5 * mean_increment(series, used, weights, room)


@kernel("vector()")
def weight_table():
    """Weights exp(-1/(t (1 - t))) of sum 1 for SHORTEST, 2 SHORTEST, ... steps; those of n steps begin at index n."""
    table = np.zeros(2 * LONGEST)
    steps = SHORTEST
    while steps <= LONGEST:
        total = 0.0
        for i in range(steps):
            t = (i + 0.5) / steps
            table[steps + i] = math.exp(-1.0 / (t * (1.0 - t)))
            total += table[steps + i]
        for i in range(steps):
            table[steps + i] /= total
        steps *= 2
    return table


@kernel("nothing(matrix, vector, matrix, matrix)")
def write_starts(balls, levels, gammas, directions):
    """Write gamma at u = 0 and Lam^-1 gamma/(1 - D l), along which omega is, for rows of balls; NaN without a curve."""
    for i in range(levels.size):
        ball = (balls[i, 0], balls[i, 1], balls[i, 2], balls[i, 3])
        state, order, sign = ordered(ball, levels[i])
        a, b, c = lambdas(ball, order)
        for j in range(3):
            gammas[i, j] = 0.0 if state == FINE else math.nan
        if state == FINE:
            c1, _, c3 = semi_axes(a, b, c, levels[i])
            gammas[i, order[0]], gammas[i, order[2]] = sign * c1, sign * c3
        for j in range(3):
            directions[i, j] = gammas[i, j] / (balls[i, j] + ball[3]) / (1.0 - ball[3] * levels[i])
