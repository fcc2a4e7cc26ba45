"""Where the circle map of the sphere with vertical momentum is locked: plateaus over h, cycles, invariant densities.

A map is the Fourier series of its increment (`nhviz.kernels.vertical.write_series`), all in periods: u is a number
of half ovals. For h > 0 the coordinate falls, so rotations p/q have p < 0. The defect f^q(u) - u - p is zero on a
cycle; a map is locked where it has both signs.
"""

import math

import numpy as np
from numba import types

from nhviz.kernels import elliptic
from nhviz.kernels.compile import kernel, piece
from nhviz.kernels.vertical import MOST, write_series

CURVE = types.UniTuple(types.float64, 7)
# Places for each step of a cycle at which defects are looked at, and rounds of the golden section beside an extreme.
PLACES, ROUNDS = 24, 36
# Rounds of the secants that find an h, how near their last but one comes, in widths and in folds, and up to which share
# of the fold they look.
SECANTS, SHARE, NEAR, END = 60, 1e-4, 1e-15, 1.0 - 1e-7
# The first slope of a defect is that between an h and one that is less by this share.
BESIDE = 1e-5
# Spreads of defects below this, in each step, are round-off.
RESOLUTION = 1e-12
GOLDEN = 0.5 * (math.sqrt(5.0) - 1.0)
# The grid of places avoids simple fractions, where symmetric maps like to have their cycles.
ASIDE = 0.381966
# Efforts of a density: steps of the orbit and modes, raised until Liouville's equation holds.
EFFORTS = ((2048, 32), (8192, 64), (16384, 128), (32768, 256))
SMOOTH = 1e-9


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


@kernel("number(matrix, integer, integer, integer, number)")
def extreme(series, used, p, q, sign):
    """The greatest defect over the circle for the sign 1, the least one for -1."""
    count = PLACES * q
    best, place = -math.inf, 0.0
    for i in range(count):
        value = sign * defect(series, used, (i + ASIDE) / count, p, q)[0]
        if value > best:
            best, place = value, (i + ASIDE) / count
    low, high = place - 1.0 / count, place + 1.0 / count
    left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    at_left, at_right = sign * defect(series, used, left, p, q)[0], sign * defect(series, used, right, p, q)[0]
    for _ in range(ROUNDS):
        if at_left > at_right:
            high, right, at_right = right, left, at_left
            left = high - GOLDEN * (high - low)
            at_left = sign * defect(series, used, left, p, q)[0]
        else:
            low, left, at_left = left, right, at_right
            right = low + GOLDEN * (high - low)
            at_right = sign * defect(series, used, right, p, q)[0]
    return sign * max(best, at_left, at_right)


@kernel("number(curve, number, number, integer, integer)", curve=CURVE)
def closing(curve, h, period, p, q):
    """The defect at u = 0 by the relation itself; NaN beyond the fold."""
    u, total = 0.0, -float(p)
    for _ in range(q):
        found, delta, _ = elliptic.half_step(curve, h, u)
        if not found:
            return math.nan
        total, u = total + 2.0 * delta / period, (u + 2.0 * delta) % period
    return total


@kernel("number(curve, number, number, integer, integer)", curve=CURVE)
def centre(curve, largest, period, p, q):
    """The h at which u = 0 is on a cycle of rotation p/q, by false positions; NaN where none is below the fold.

    The map is symmetric under u -> -u, so every plateau has such an h.
    """
    low, high = 1e-6 * largest, END * largest
    at_low, at_high = closing(curve, low, period, p, q), closing(curve, high, period, p, q)
    # Written so that NaN fails.
    if not (at_low > 0.0 and at_high <= 0.0):
        return math.nan
    side = 0
    for _ in range(SECANTS):
        h = high - at_high * (high - low) / (at_high - at_low)
        value = closing(curve, h, period, p, q)
        if value == 0.0 or high - low <= NEAR * largest:
            return h
        if value > 0.0:
            moved, low, at_low = h - low, h, value
            at_high = 0.5 * at_high if side == 1 else at_high
            side = 1
        else:
            moved, high, at_high = high - h, h, value
            at_low = 0.5 * at_low if side == -1 else at_low
            side = -1
        if moved <= NEAR * largest:
            return h
    return h


@kernel("number(curve, number, integer, integer, number, number, number)", curve=CURVE)
def edge(curve, period, p, q, sign, h, largest):
    """The h at which the greatest (sign 1) or least (-1) defect is zero, by secants from the middle of a plateau."""
    nodes, series = np.empty(MOST), np.empty((MOST // 2, 2))
    used, middle = write_series(curve, h, period, nodes, series), h
    value = extreme(series, used, p, q, sign)
    by_h = (closing(curve, h, period, p, q) - closing(curve, h * (1.0 - BESIDE), period, p, q)) / (BESIDE * h)
    for _ in range(SECANTS):
        after = min(h - value / by_h, END * largest)
        # The next secant would change it by much less than this.
        if abs(after - h) <= max(SHARE * abs(after - middle), NEAR * largest):
            return after
        used = write_series(curve, after, period, nodes, series)
        if used == 0:
            break
        at_after = extreme(series, used, p, q, sign)
        # Below the noise of the defect a secant says nothing any more.
        if abs(at_after - value) > 1e-9 * abs(value) and abs(at_after) < abs(value):
            by_h = (at_after - value) / (after - h)
        elif abs(at_after) >= abs(value):
            break
        h, value = after, at_after
    return h


@kernel("integer(curve, number, number, integer, matrix)", curve=CURVE)
def plateaus(curve, period, largest, largest_q, found):
    """Rows (p, q, middle, low, high, spread) of the fractions up to 1/2 below the fold; returns how many.

    `spread` is the difference of the greatest and the least defect in the middle: round-off if it is no plateau.
    """
    nodes, series = np.empty(MOST), np.empty((MOST // 2, 2))
    count = 0
    for q in range(2, largest_q + 1):
        for size in range(1, q // 2 + 1):
            if greatest_divisor(size, q) != 1:
                continue
            h = centre(curve, largest, period, -size, q)
            if math.isnan(h) or count >= found.shape[0]:
                continue
            used = write_series(curve, h, period, nodes, series)
            if used == 0:
                continue
            spread = extreme(series, used, -size, q, 1.0) - extreme(series, used, -size, q, -1.0)
            # Defects fall as h grows: the least one leaves zero first.
            low, high = h, h
            if spread > RESOLUTION * q:
                low = edge(curve, period, -size, q, -1.0, h, largest)
                high = edge(curve, period, -size, q, 1.0, h, largest)
            row = found[count]
            row[0], row[1], row[2], row[3], row[4], row[5] = size, q, h, low, high, spread
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


@kernel("together(integer, number)(matrix, integer, matrix)")
def density(series, used, coefficients):
    """Write the Fourier coefficients of the invariant density, (real, imaginary); returns (modes, residual).

    They are weighted means along an orbit, as in `nhviz.analysis.circle`; the residual is the greatest violation of
    Liouville's equation, relative to the mean.
    """
    residual, modes = math.inf, 0
    for steps, modes in EFFORTS:
        write_modes(series, used, steps, modes, coefficients)
        residual = violation(series, used, modes, coefficients)
        if residual <= SMOOTH:
            break
    return modes, residual


@kernel("nothing(matrix, integer, integer, integer, matrix)")
def write_modes(series, used, steps, modes, coefficients):
    """Write the weighted means of exp(-2 pi i m u) along an orbit of so many steps."""
    coefficients[: modes + 1] = 0.0
    place, whole = 0.0, 0.0
    for i in range(steps):
        t = (i + 0.5) / steps
        weight = math.exp(-1.0 / (t * (1.0 - t)))
        c, s = math.cos(2.0 * math.pi * place), -math.sin(2.0 * math.pi * place)
        x, y = weight, 0.0
        for m in range(1, modes + 1):
            x, y = x * c - y * s, x * s + y * c
            coefficients[m, 0] += x
            coefficients[m, 1] += y
        whole += weight
        place += image(series, used, place)[0]
        place -= math.floor(place)
    for m in range(1, modes + 1):
        coefficients[m, 0] /= whole
        coefficients[m, 1] /= whole
    coefficients[0, 0] = 1.0


@kernel("number(matrix, integer, number)")
def density_at(coefficients, modes, place):
    """The density at a place; its mean is 1."""
    c, s = math.cos(2.0 * math.pi * place), math.sin(2.0 * math.pi * place)
    x, y = 0.0, 0.0
    for m in range(modes, 0, -1):
        x, y = x + coefficients[m, 0], y + coefficients[m, 1]
        x, y = x * c - y * s, x * s + y * c
    return 1.0 + 2.0 * x


@kernel("number(matrix, integer, integer, matrix)")
def violation(series, used, modes, coefficients):
    """The greatest violation of density(u) = density(f u) f'(u)."""
    greatest = 0.0
    for i in range(4 * modes):
        place = i / (4.0 * modes)
        increment, slope = image(series, used, place)
        after = density_at(coefficients, modes, place + increment) * (1.0 + slope)
        greatest = max(greatest, abs(after - density_at(coefficients, modes, place)))
    return greatest


@kernel("nothing(matrix, integer, vector, vector)")
def write_density(coefficients, modes, places, out):
    """Write the density at places."""
    for i in range(places.size):
        out[i] = density_at(coefficients, modes, places[i])
