"""Largest steps of many Suslov tops at once: the search of `nhviz.maps.steiner` and `suslov_folds` as one loop.

A tensor is (I11, I22, I13, I23). Every momentum has its principal Moser-Veselov displacement up to the least level at
which a branch ends; that is at a critical point of H on RP^2, at a cusp of the caustic, or where a ray touches it.
"""

import math

import numpy as np

from nhviz.kernels.compile import kernel, piece
from nhviz.kernels.polynomials import cubic_roots, quadratic_roots
from nhviz.kernels.suslov import MOSER_VESELOV
from nhviz.kernels.suslov_folds import least_radius, write_cusps

# The numbers of `nhviz.maps.suslov_folds` and `steiner`.
CUSPS, FEWEST, MOST, SAME = 3, 32, 16384, 1e-12
NEGLIGIBLE, BESIDE = 1e-14, 1e-3
# Two directions inside, each with its opposite, at most four on the rim, three cusps, one ray that touches.
CANDIDATES = 16


@piece()
def summit(inertia, psi):
    """(f, w): along a direction the largest value of H, and w = sin^2 alpha where it is taken."""
    i11, i22, i13, i23 = inertia
    c, s = math.cos(psi), math.sin(psi)
    n, kappa, p = i11 * c * c + i22 * s * s, i13 * c + i23 * s, i11 * i22
    square = kappa * kappa
    if 2.0 * square > p:
        return 4.0 * n * square, 1.0
    return n * p * p / (p - square), p / (2.0 * (p - square))


@piece()
def rim_level(inertia, psi):
    """H on the rim: 4 N kappa^2."""
    i11, i22, i13, i23 = inertia
    c, s = math.cos(psi), math.sin(psi)
    kappa = i13 * c + i23 * s
    return 4.0 * (i11 * c * c + i22 * s * s) * (kappa * kappa)


@kernel("integer(vector, vector)")
def write_directions(coefficients, out):
    """Write the real directions, angles in [0, pi), with sum coefficients[j] s^(n-j) c^j = 0; returns how many."""
    scale, degree = 0.0, coefficients.size - 1
    for j in range(degree + 1):
        scale = max(scale, abs(coefficients[j]))
    if scale == 0.0:
        out[0], out[1] = 0.0, 0.5 * math.pi
        return 2
    for j in range(degree + 1):
        entry = coefficients[j]
        coefficients[j] = entry / scale if abs(entry) >= NEGLIGIBLE * scale else 0.0
    found = 0
    if coefficients[0] == 0.0:
        out[0], found = 0.5 * math.pi, 1
    if degree == 2:
        count, first, second = quadratic_roots(coefficients[0], coefficients[1], coefficients[2])
        roots = np.array([first, second, 0.0])
    else:
        count, roots = cubic_roots(coefficients[0], coefficients[1], coefficients[2], coefficients[3])
    for i in range(count):
        out[found] = math.atan(roots[i]) % math.pi
        found += 1
    return found


@piece()
def write_fold(inertia, q1, q2, q0, row):
    """Write a displacement of the Moser-Veselov map as (m1, m2, q1, q2, q0)."""
    i11, i22, i13, i23 = inertia
    k = i13 * q1 + i23 * q2
    row[0], row[1] = i11 * q1 * q0 + q2 * k, i22 * q2 * q0 - q1 * k
    row[2], row[3], row[4] = q1, q2, q0


@piece()
def radius(inertia, row):
    """r of a scaled momentum."""
    return math.hypot(row[0] / math.sqrt(inertia[0]), row[1] / math.sqrt(inertia[1]))


@kernel("together(integer, number)(four, matrix, vector)")
def write_critical_points(inertia, folds, levels):
    """Write the saddles and centres of H, lowest level first; returns how many, and the least summit of a ray."""
    i11, i22, i13, i23 = inertia
    p = i11 * i22
    psi, found, least = np.empty(4), 0, math.inf
    inside = np.array([-i22 * i13 * i23, i22 * (p - i13 * i13) - i11 * (p - i23 * i23), i11 * i13 * i23])
    for i in range(write_directions(inside, psi)):
        height, w = summit(inertia, psi[i])
        if w < 1.0:
            least = min(least, height)
            # Opposite points inside the disk are two points of RP^2.
            for size in (math.sqrt(w), -math.sqrt(w)):
                q1, q2 = size * math.cos(psi[i]), size * math.sin(psi[i])
                write_fold(inertia, q1, q2, math.sqrt(max(1.0 - q1 * q1 - q2 * q2, 0.0)), folds[found])
                levels[found] = height
                found += 1
    if i13 == 0.0 and i23 == 0.0:
        return sort_rows(folds, levels, found), least
    turn = i22 - i11
    rim = np.array(
        [-2.0 * i13 * i22, 2.0 * i22 * i23 + 2.0 * turn * i23, -2.0 * i13 * i11 + 2.0 * turn * i13, 2.0 * i23 * i11]
    )
    for i in range(write_directions(rim, psi)):
        least = min(least, summit(inertia, psi[i])[0])
        q1, q2 = math.cos(psi[i]), math.sin(psi[i])
        before, level, after = (
            rim_level(inertia, psi[i] - BESIDE), rim_level(inertia, psi[i]), rim_level(inertia, psi[i] + BESIDE),
        )  # fmt: skip
        if 2.0 * (i13 * q1 + i23 * q2) ** 2 > p or after + before - 2.0 * level < 0.0:
            write_fold(inertia, q1, q2, math.sqrt(max(1.0 - q1 * q1 - q2 * q2, 0.0)), folds[found])
            levels[found] = level
            found += 1
    return sort_rows(folds, levels, found), least


@piece()
def sort_rows(folds, levels, count):
    """Sort the first rows by their levels, equal ones staying as they are; returns how many there are."""
    for i in range(1, count):
        for k in range(i, 0, -1):
            if not levels[k] < levels[k - 1]:
                break
            levels[k], levels[k - 1] = levels[k - 1], levels[k]
            for j in range(folds.shape[1]):
                folds[k, j], folds[k - 1, j] = folds[k - 1, j], folds[k, j]
    return count


@kernel("integer(four, matrix)")
def write_all_cusps(inertia, points):
    """Write the three cusps of the caustic; returns how many were found, none without products of inertia."""
    if inertia[2] == 0.0 and inertia[3] == 0.0:
        return 0
    count, found = FEWEST, 0
    while found < CUSPS and count <= MOST:
        found = write_cusps(inertia, count, points)
        count *= 2
    return found


@piece()
def write_touching_ray(inertia, row):
    """Write where the ray of the permanent rotations touches the caustic."""
    i11, i22, i13, i23 = inertia
    size = math.hypot(i13, i23)
    c, s = i23 / size, -i13 / size
    q1, q2, q0 = i11 * i22 * c, i11 * i22 * s, size * (i11 * c * c + i22 * s * s)
    length = math.sqrt(q1 * q1 + q2 * q2 + q0 * q0)
    write_fold(inertia, q1 / length, q2 / length, q0 / length, row)


@kernel("together(integer, number)(four, matrix, vector)")
def write_candidates(inertia, folds, levels):
    """Write all points of the fold at which the least end may be; returns how many, and the least level.

    Below that level every momentum has one displacement on the inner oval, the principal one (`steiner.least_level`).
    """
    cusps = np.empty((CUSPS, 3))
    count, least = write_critical_points(inertia, folds, levels)
    p = inertia[0] * inertia[1]
    for i in range(write_all_cusps(inertia, cusps)):
        q1, q2, q0 = cusps[i, 0], cusps[i, 1], cusps[i, 2]
        write_fold(inertia, q1, q2, q0, folds[count])
        k = inertia[2] * q1 + inertia[3] * q2
        if p * (q0 * q0 - q1 * q1 - q2 * q2) + 2.0 * k * k > -1e-9 * p:
            least = min(least, 4.0 * p * radius(inertia, folds[count]) ** 2)
        count += 1
    if inertia[2] != 0.0 or inertia[3] != 0.0:
        write_touching_ray(inertia, folds[count])
        count += 1
    return count, least


@kernel("number(four, matrix, vector)")
def admissible_level(inertia, folds, levels):
    """The level up to which every momentum has its principal displacement: 4 P r^2 with the least radius of an end."""
    count, least = write_candidates(inertia, folds, levels)
    p = inertia[0] * inertia[1]
    free = math.sqrt(least / (4.0 * p))
    # An end at that radius would be the answer: those that may be one come first.
    for i in range(count):
        levels[i] = 1.0 if abs(radius(inertia, folds[i]) - free) > SAME * free else 0.0
    sort_rows(folds, levels, count)
    return 4.0 * p * least_radius(MOSER_VESELOV, inertia, folds[:count], (1.0 + SAME) * free) ** 2


@kernel("nothing(matrix, vector)")
def admissible_levels(tensors, out):
    """`admissible_level` of every row."""
    folds, levels = np.empty((CANDIDATES, 5)), np.empty(CANDIDATES)
    for i in range(out.size):
        out[i] = admissible_level((tensors[i, 0], tensors[i, 1], tensors[i, 2], tensors[i, 3]), folds, levels)


@kernel("nothing(matrix, vector)")
def least_levels(tensors, out):
    """The level of every row below which a momentum has one displacement on the inner oval."""
    folds, levels = np.empty((CANDIDATES, 5)), np.empty(CANDIDATES)
    for i in range(out.size):
        inertia = (tensors[i, 0], tensors[i, 1], tensors[i, 2], tensors[i, 3])
        out[i] = write_candidates(inertia, folds, levels)[1]
