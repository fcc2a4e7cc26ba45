"""Where the principal branches of the Suslov maps end: cusps of the caustic, and ends of rays.

The mathematics is in `nhviz.maps.suslov_folds`.
"""

import math

import numpy as np

from nhviz.kernels.compile import kernel, piece
from nhviz.kernels.linear import JACOBI_SWEEPS, rotate_away
from nhviz.kernels.suslov import follow

# Rounds of false position, and a number that keeps quotients of vanished values finite.
ROUNDS, TINY = 60, 1e-300
# How far beside a ray its one-sided limits are taken: what happens in a thinner wedge of rays no run will meet. And how
# near an end is taken for the point itself: where a ray touches, S may leave it like the square root of that angle.
BESIDE, NEAR = 1e-10, 1e-3


@piece()
def write_forms(inertia, c, s, form, pull):
    """Write the form c m1 + s m2 on (q1, q2, q0), and c m2 - s m1, that of the direction a quarter turn ahead."""
    i11, i22, i13, i23 = inertia
    for target, first, second in ((form, c, s), (pull, -s, c)):
        target[0, 0], target[1, 1], target[2, 2] = -second * i13, first * i23, 0.0
        target[0, 1] = target[1, 0] = 0.5 * (first * i13 - second * i23)
        target[0, 2] = target[2, 0] = 0.5 * first * i11
        target[1, 2] = target[2, 1] = 0.5 * second * i22


@kernel("number(four, number, cube, vector)")
def curvature(inertia, phi, room, middle):
    """e + e'' of the middle eigenvalue at a direction phi, times the gaps to the others; writes its eigenvector.

    By perturbation e'' = -e + 2 sum_k <v_k, F' v>^2/(e - e_k), F' being the form of the direction phi + pi/2.
    """
    form, pull, vectors = room[0], room[1], room[2]
    write_forms(inertia, math.cos(phi), math.sin(phi), form, pull)
    vectors[:] = 0.0
    vectors[0, 0] = vectors[1, 1] = vectors[2, 2] = 1.0
    for _ in range(JACOBI_SWEEPS):
        size = max(abs(form[0, 0]), abs(form[1, 1]), abs(form[2, 2]))
        if not max(abs(form[0, 1]), abs(form[0, 2]), abs(form[1, 2])) > 1e-17 * size:
            break
        for i, j in ((0, 1), (0, 2), (1, 2)):
            cosine, sine = rotate_away(form, i, j)
            for k in range(3):
                first, second = vectors[i, k], vectors[j, k]
                vectors[i, k], vectors[j, k] = cosine * first - sine * second, sine * first + cosine * second
    low, mid, high = 0, 1, 2
    if form[low, low] > form[mid, mid]:
        low, mid = mid, low
    if form[mid, mid] > form[high, high]:
        mid, high = high, mid
    if form[low, low] > form[mid, mid]:
        low, mid = mid, low
    below, above = 0.0, 0.0
    for i in range(3):
        middle[i] = vectors[mid, i]
        pulled = pull[i, 0] * vectors[mid, 0] + pull[i, 1] * vectors[mid, 1] + pull[i, 2] * vectors[mid, 2]
        below += vectors[low, i] * pulled
        above += vectors[high, i] * pulled
    return below**2 * (form[high, high] - form[mid, mid]) - above**2 * (form[mid, mid] - form[low, low])


@kernel("number(four, number, number, cube, vector)")
def inflection(inertia, low, high, room, q):
    """The direction between two of different curvature where it vanishes; writes the eigenvector there.

    False position with the Illinois rule: the end that stays counts half, so that it cannot stay for ever.
    """
    value_low, value_high = curvature(inertia, low, room, q), curvature(inertia, high, room, q)
    for _ in range(ROUNDS):
        if value_high == value_low:
            value_high += TINY
        middle = high - value_high * (high - low) / (value_high - value_low)
        value = curvature(inertia, middle, room, q)
        if value * value_high <= 0.0:
            low, value_low = high, value_high
        else:
            value_low *= 0.5
        high, value_high = middle, value
        if abs(high - low) <= 1e-15 or value == 0.0:
            break
    return high


@kernel("integer(four, integer, matrix)")
def write_cusps(inertia, count, points):
    """Write the cusps that are seen with so many directions, displacements (q1, q2, q0); returns how many they are."""
    room, q = np.empty((3, 3, 3)), np.empty(3)
    found = 0
    # A grid that does not meet the axes, on which the cusps of symmetric bodies are.
    before = curvature(inertia, 0.3 * math.pi / count, room, q)
    for i in range(1, count + 1):
        after = curvature(inertia, (i + 0.3) * math.pi / count, room, q)
        if before * after < 0.0 and found < points.shape[0]:
            inflection(inertia, (i - 0.7) * math.pi / count, (i + 0.3) * math.pi / count, room, points[found])
            found += 1
        before = after
    return found


@kernel("number(integer, four, matrix, number)")
def least_radius(scheme, inertia, folds, free):
    """The infimum of the radii at which rays end; infinite if none does. Rows of folds are (m1, m2, q1, q2, q0).

    No ray ends before the radius `free`, but for round-off: an end there needs no others to compare with.
    """
    first, second = math.sqrt(inertia[0]), math.sqrt(inertia[1])
    least, furthest = math.inf, 0.0
    for i in range(folds.shape[0]):
        furthest = max(furthest, 1.01 * math.hypot(folds[i, 0] / first, folds[i, 1] / second))
    for i in range(folds.shape[0]):
        m1, m2, q1, q2, q0 = folds[i, 0], folds[i, 1], folds[i, 2], folds[i, 3], folds[i, 4]
        known = math.hypot(m1 / first, m2 / second)
        angle = math.atan2(m2 / second, m1 / first)
        for beside in (-BESIDE, BESIDE):
            bound = min(least, furthest)
            goal = first * math.cos(angle + beside), second * math.sin(angle + beside)
            reached, x, y = follow(scheme, inertia, goal[0], goal[1], bound)
            if reached < bound:
                # Whether the end beside the ray is that of the ray's own point.
                sizes = math.sqrt((x * x + y * y + 1.0) * (q1 * q1 + q2 * q2 + q0 * q0))
                same = abs(reached - known) <= NEAR * known and 1.0 - abs(q1 * x + q2 * y + q0) / sizes < NEAR
                least = min(least, known if same else reached)
                if least <= free:
                    return least
    return least
