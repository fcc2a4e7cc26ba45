"""Where the circle map of the sphere with vertical momentum is locked: plateaus over h, and cycles.

A map is the Fourier series of its increment (`nhviz.kernels.vertical.write_series`), all in periods: u is a number
of half ovals. For h > 0 the coordinate falls, so rotations p/q have p < 0. The defect f^q(u) - u - p is zero on a
cycle; a map is locked where it has both signs.
"""

import math

import numpy as np
from numba import types

from nhviz.kernels import elliptic
from nhviz.kernels.compile import kernel, piece

CURVE = types.UniTuple(types.float64, 7)
# Places for each step of a cycle at which defects are looked at.
PLACES = 24
# Rounds of the secants that find an h, how near they come, in folds, how far apart two h tell a slope, and up to which
# share of the fold they look.
SECANTS, NEAR, NEAR_SLOPE, END = 60, 1e-15, 1e-9, 1.0 - 1e-7
# Spreads of defects below this, in each step, are round-off.
RESOLUTION = 1e-12
# The grid of places avoids simple fractions, where symmetric maps like to have their cycles.
ASIDE = 0.381966


@piece()
def image(series, used, place):
    """(increment, its slope) at a place."""
    c, s = math.cos(2.0 * math.pi * place), math.sin(2.0 * math.pi * place)
    x, y, by_x, by_y = 0.0, 0.0, 0.0, 0.0
    for m in range(used - 1, 0, -1):
        x, y = x + series[m, 0], y + series[m, 1]
        by_x, by_y = by_x - m * series[m, 1], by_y + m * series[m, 0]
        x, y = x * c - y * s, x * s + y * c
        by_x, by_y = by_x * c - by_y * s, by_x * s + by_y * c
    return series[0, 0] + 2.0 * x, 4.0 * math.pi * by_x


@kernel("pair(matrix, integer, number, integer, integer)")
def defect(series, used, place, p, q):
    """(f^q(u) - u - p, the derivative of f^q) at a place."""
    total, derivative = -float(p), 1.0
    for _ in range(q):
        increment, slope = image(series, used, place)
        total, derivative, place = total + increment, derivative * (1.0 + slope), place + increment
        place -= math.floor(place)
    return total, derivative


@kernel("number(curve, number, number, integer, integer, truth)", curve=CURVE)
def closing(curve, h, period, p, q, other):
    """How far half a round from a symmetric place is off its end, p/2 away, where a symmetric cycle has to be.

    The map has a mirror: if a step leads from u to u' then one leads from -u' to -u. A cycle that is its own mirror
    image has steps about 0 or K, or places there: one kind of cycle has the place 0, the `other` one has, for an odd q,
    the place K, and else a step about 0. NaN beyond the fold.
    """
    u, total = 0.0, -0.5 * p
    steps, half = q // 2, q % 2 == 1
    if other and half:
        u = 0.5 * period
    elif other:
        found, delta = elliptic.half_about(curve, h, 0.0)
        if not found:
            return math.nan
        u, total, steps, half = delta % period, total + delta / period, steps - 1, True
    for _ in range(steps):
        found, delta, _ = elliptic.half_step(curve, h, u)
        if not found:
            return math.nan
        total, u = total + 2.0 * delta / period, (u + 2.0 * delta) % period
    if half:
        found, delta, _ = elliptic.half_step(curve, h, u)
        total = total + delta / period if found else math.nan
    return total


@kernel("pair(curve, number, number, integer, integer)", curve=CURVE)
def first_edge(curve, largest, period, p, q):
    """(h, slope): where the place 0 is on a cycle of rotation p/q, by false positions; NaN if none is below the fold.

    The slope is that of `closing` there.
    """
    low, high = 1e-6 * largest, END * largest
    at_low, at_high = closing(curve, low, period, p, q, False), closing(curve, high, period, p, q, False)
    h, side, slope = high, 0, math.nan
    # Written so that NaN fails.
    if not (at_low > 0.0 and at_high <= 0.0):
        return math.nan, slope
    before, at_before = low, at_low
    for _ in range(SECANTS):
        h = high - at_high * (high - low) / (at_high - at_low)
        value = closing(curve, h, period, p, q, False)
        if abs(h - before) > NEAR_SLOPE * largest:
            slope = (value - at_before) / (h - before)
        moved, before, at_before = abs(h - before), h, value
        if value == 0.0 or moved <= NEAR * largest:
            break
        if value > 0.0:
            low, at_low = h, value
            at_high = 0.5 * at_high if side == 1 else at_high
            side = 1
        else:
            high, at_high = h, value
            at_low = 0.5 * at_low if side == -1 else at_low
            side = -1
    return h, slope


@kernel("number(curve, number, integer, integer, number, number, number)", curve=CURVE)
def second_edge(curve, period, p, q, h, slope, largest):
    """Where the other symmetric cycle of a plateau is, by secants from the first; the fold, if that comes before."""
    value = closing(curve, h, period, p, q, True)
    for _ in range(SECANTS):
        after = min(h - value / slope, END * largest)
        at_after = closing(curve, after, period, p, q, True)
        moved = abs(after - h)
        if moved <= NEAR * largest or not abs(at_after) < abs(value):
            return after
        if moved > NEAR_SLOPE * largest:
            slope = (at_after - value) / (after - h)
        h, value = after, at_after
    return h


@kernel("integer(curve, number, number, integer, matrix)", curve=CURVE)
def plateaus(curve, period, largest, largest_q, found):
    """Rows (p, q, low, high, spread) of the fractions up to 1/2 below the fold; returns how many.

    Attracting and repelling cycles are mirror images, so they meet, where a plateau ends, in a symmetric cycle.
    `spread` is by how much defects differ between both ends: round-off if it is no plateau.
    """
    count = 0
    for q in range(2, largest_q + 1):
        for size in range(1, q // 2 + 1):
            if greatest_divisor(size, q) != 1 or count >= found.shape[0]:
                continue
            h, slope = first_edge(curve, largest, period, -size, q)
            if math.isnan(h):
                continue
            other = second_edge(curve, period, -size, q, h, slope, largest)
            row = found[count]
            row[0], row[1], row[2], row[3] = size, q, min(h, other), max(h, other)
            row[4] = 2.0 * abs(slope * (other - h))
            count += 1
    return count


@piece()
def greatest_divisor(a, b):
    """The greatest number that divides both."""
    while b:
        a, b = b, a % b
    return a


@kernel("truth(matrix, integer, integer, integer, matrix, vector)")
def cycles(series, used, p, q, points, multipliers):
    """Write the points and the multiplier of an attracting and a repelling cycle; returns whether there are both."""
    count, missing = PLACES * q, 2
    seen = np.zeros(2, dtype=np.bool_)
    before = defect(series, used, ASIDE / count, p, q)[0]
    for i in range(1, count + 1):
        value = defect(series, used, (i + ASIDE) / count, p, q)[0]
        kind = 0 if before > 0.0 and value <= 0.0 else 1 if before < 0.0 and value >= 0.0 else 2
        before = value
        if kind == 2 or seen[kind]:
            continue
        place = zero(series, used, p, q, (i - 1 + ASIDE) / count, (i + ASIDE) / count)
        multipliers[kind] = defect(series, used, place, p, q)[1]
        for k in range(q):
            place -= math.floor(place)
            points[kind, k] = place
            place += image(series, used, place)[0]
        seen[kind] = True
        missing -= 1
        if missing == 0:
            return True
    return False


@kernel("number(matrix, integer, integer, integer, number, number)")
def zero(series, used, p, q, low, high):
    """Where the defect is zero between two places at which it has different signs, by halving."""
    rising = defect(series, used, low, p, q)[0] < 0.0
    while True:
        middle = 0.5 * (low + high)
        if middle <= low or middle >= high:
            return middle
        if (defect(series, used, middle, p, q)[0] < 0.0) == rising:
            low = middle
        else:
            high = middle
