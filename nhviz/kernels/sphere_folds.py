"""Folds of the principal rotation for many verticals and momenta: followed with certainty now and then, else continued.

With m along a unit vector k, the fold is where  A g + g x I g = (1 + |g|^2) t k  and det(d/dg) = 0: four equations for
(g, t), which Newton's method solves from the fold next to it.
"""

import math

import numpy as np

from nhviz.kernels.compile import kernel, piece
from nhviz.kernels.linear import solve
from nhviz.kernels.sphere import dot, equation, follow

ROUNDS = 12
SETTLED = 1e-11
# A neighbour farther away, relative to itself, is not believed: one in between comes first.
JUMP = 0.25
# Within a shorter share of the way to a neighbour there is none in between: it is followed.
SHORTEST = 1.0 / 64.0
# Followed and continued folds are one if they agree to this.
SAME = 1e-6


@piece()
def cofactors(a):
    """The nine cofactors of a 3 x 3 matrix, row by row: the derivatives of its determinant."""
    return (
        a[4] * a[8] - a[5] * a[7], a[5] * a[6] - a[3] * a[8], a[3] * a[7] - a[4] * a[6],
        a[2] * a[7] - a[1] * a[8], a[0] * a[8] - a[2] * a[6], a[1] * a[6] - a[0] * a[7],
        a[1] * a[5] - a[2] * a[4], a[2] * a[3] - a[0] * a[5], a[0] * a[4] - a[1] * a[3],
    )  # fmt: skip


@piece()
def write_fold(body, gamma, k, g, t, matrix, right):
    """Write the linear system of a Newton step for (g, t)."""
    i1, i2, i3, _ = body
    m = (t * k[0], t * k[1], t * k[2])
    residual, a = equation(body, gamma, m, g)
    c = cofactors(a)
    size = 1.0 + dot(g, g)
    for i in range(3):
        right[i] = residual[i]
        matrix[i, 3] = -size * k[i]
        for j in range(3):
            matrix[i, j] = a[3 * i + j]
    right[3] = a[0] * c[0] + a[1] * c[1] + a[2] * c[2]
    # The matrix is linear in g: d a_ij/d g_n is that of g x I g, and -2 m_i for j = n.
    matrix[3, 0] = (i1 - i3) * c[5] + (i2 - i1) * c[7] - 2.0 * (m[0] * c[0] + m[1] * c[3] + m[2] * c[6])
    matrix[3, 1] = (i3 - i2) * c[2] + (i2 - i1) * c[6] - 2.0 * (m[0] * c[1] + m[1] * c[4] + m[2] * c[7])
    matrix[3, 2] = (i3 - i2) * c[1] + (i1 - i3) * c[3] - 2.0 * (m[0] * c[2] + m[1] * c[5] + m[2] * c[8])
    total = 0.0
    for i in range(3):
        for j in range(3):
            total -= 2.0 * k[i] * g[j] * c[3 * i + j]
    matrix[3, 3] = total


@piece()
def polish(body, gamma, k, g, t, matrix, right):
    """(found, g, t) of the fold, by Newton's method from a guess."""
    for _ in range(ROUNDS):
        write_fold(body, gamma, k, g, t, matrix, right)
        if solve(matrix, right) == 0.0:
            return False, g, t
        g, t = (g[0] - right[0], g[1] - right[1], g[2] - right[2]), t - right[3]
        moved = abs(right[0]) + abs(right[1]) + abs(right[2])
        if not math.isfinite(moved + t):
            return False, g, t
        if moved <= SETTLED * (1.0 + math.sqrt(dot(g, g))) and abs(right[3]) <= SETTLED * abs(t):
            return True, g, t
    return False, g, t


@piece()
def between(first, second, share):
    """The unit vector between two unit vectors, at a share of the way."""
    x = (
        first[0] + share * (second[0] - first[0]),
        first[1] + share * (second[1] - first[1]),
        first[2] + share * (second[2] - first[2]),
    )
    over = 1.0 / math.sqrt(dot(x, x))
    return (over * x[0], over * x[1], over * x[2])


@piece()
def continued(body, first, second, g, t, matrix, right):
    """(found, g, t) of the fold at (gamma, k) = second, from that at first, in as many steps as it takes."""
    share, length = 0.0, 1.0
    while share < 1.0 and length >= SHORTEST:
        goal = min(share + length, 1.0)
        gamma, k = between(first[0], second[0], goal), between(first[1], second[1], goal)
        found, there, reach = polish(body, gamma, k, g, t, matrix, right)
        if found and abs(reach - t) < JUMP * t:
            g, t, share = there, reach, goal
            length *= 2.0
        else:
            length *= 0.5
    return share == 1.0, g, t


@piece()
def followed(body, gamma, k, matrix, right):
    """(g, t) of the fold, followed from the identity and polished."""
    largest = max(body[0], body[1], body[2], body[3])
    reached, g = follow(body, gamma, (largest * k[0], largest * k[1], largest * k[2]), math.inf)
    t = reached * largest
    found, better, polished = polish(body, gamma, k, g, t, matrix, right)
    # Beyond a half turn, where a branch is taken to end, there is no such fold.
    return (better, polished) if found and abs(polished - t) <= SAME * t else (g, t)


@piece()
def row(rows, i):
    """A row of a matrix as a triple."""
    return (rows[i, 0], rows[i, 1], rows[i, 2])


@piece()
def repair(body, gammas, momenta, before, anchor, here, reach, t, g, matrix, right):
    """Continue the folds back from an anchor, (here, reach), to where they are those that were continued to it.

    If there is no such place since the anchor before, all are followed.
    """
    for i in range(anchor - 1, before, -1):
        gamma, k = row(gammas, i), row(momenta, i)
        last = (row(gammas, i + 1), row(momenta, i + 1))
        found, here, reach = continued(body, last, (gamma, k), here, reach, matrix, right)
        if not found:
            here, reach = followed(body, gamma, k, matrix, right)
        if abs(reach - t[i]) <= SAME * reach:
            return
        t[i] = reach
        g[i, 0], g[i, 1], g[i, 2] = here
    for i in range(before + 1, anchor):
        here, t[i] = followed(body, row(gammas, i), row(momenta, i), matrix, right)
        g[i, 0], g[i, 1], g[i, 2] = here


@kernel("nothing(four, matrix, matrix, integer, vector, matrix)")
def folds(body, gammas, momenta, every, t, g):
    """t[i] and g[i] of the folds for unit vectors gammas[i] and momenta[i], neighbours next to each other.

    Every so many of them is followed with certainty; what was continued since and does not lead there is repaired.
    """
    matrix, right = np.empty((4, 4)), np.empty(4)
    before = 0
    for i in range(t.size):
        gamma, k = row(gammas, i), row(momenta, i)
        anchored = i % every == 0 or i == t.size - 1
        here, found = (0.0, 0.0, 0.0), False
        reach = 0.0
        if i > 0:
            last = (row(gammas, i - 1), row(momenta, i - 1))
            found, here, reach = continued(body, last, (gamma, k), row(g, i - 1), t[i - 1], matrix, right)
        if anchored or not found:
            sure, certain = followed(body, gamma, k, matrix, right)
            if anchored and i > 0 and not (found and abs(certain - reach) <= SAME * certain):
                repair(body, gammas, momenta, before, i, sure, certain, t, g, matrix, right)
            here, reach = sure, certain
        t[i] = reach
        g[i, 0], g[i, 1], g[i, 2] = here
        if anchored:
            before = i


@kernel("nothing(four, triple, number, matrix, matrix, matrix, matrix, matrix, matrix)")
def crossings(body, k, level, first, second, ends, from_g, to_g, places):
    """places[i]: where between the verticals first[i] and second[i] the fold is at t = level.

    ends[i] are the values of t there, from_g and to_g their rotations. Secants by regula falsi; each value is continued
    from the rotation of the nearer end.
    """
    matrix, right = np.empty((4, 4)), np.empty(4)
    for i in range(ends.shape[0]):
        a, b = row(first, i), row(second, i)
        low, high, at_low, at_high = 0.0, 1.0, ends[i, 0] - level, ends[i, 1] - level
        share, last = at_low / (at_low - at_high), 0
        for _ in range(8):
            gamma = between(a, b, share)
            guess = row(from_g, i) if share < 0.5 else row(to_g, i)
            near = ends[i, 0] if share < 0.5 else ends[i, 1]
            found, _, t = polish(body, gamma, k, guess, near, matrix, right)
            value = t - level
            if not found or abs(value) <= 1e-9 * level:
                break
            if (value > 0.0) == (at_low > 0.0):
                low, at_low = share, value
                at_high *= 0.5 if last == 1 else 1.0
                last = 1
            else:
                high, at_high = share, value
                at_low *= 0.5 if last == 2 else 1.0
                last = 2
            share = low + (high - low) * at_low / (at_low - at_high)
        places[i, 0], places[i, 1], places[i, 2] = between(a, b, share)
