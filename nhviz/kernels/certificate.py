"""Certified roots of three quadrics z^T H_i z = 0 in projective space: Newton, and a proof of what it has found.

For quadrics Smale's alpha = beta gamma is a finite computation: beta is Newton's correction, gamma half the norm of
DF^-1 D^2F. Below alpha = 0.03 one root lies within 2 beta, and Newton leads from every point within 0.05/gamma to it
(Blum, Cucker, Shub, Smale, Complexity and real computation, chapter 8). Round-off of the residual is part of beta. A
root is real if its conjugate lies within 0.05/gamma: both converge to one root.
"""

import math

from numba import types

from nhviz.kernels.compile import kernel, piece
from nhviz.kernels.polynomials import square_size

ROOTS = 8
POINT, POINTS = types.complex128[::1], types.complex128[:, ::1]
NEWTON_ROUNDS = 40
ALPHA_LIMIT, BASIN = 0.03, 0.05
ROUND_OFF = 4e-16
# The coordinates other than the chart's, and the three rows of a matrix with the two that follow each.
OTHERS = ((1, 2, 3), (2, 3, 0), (3, 0, 1), (0, 1, 2))
CYCLES = ((0, 1, 2), (1, 2, 0), (2, 0, 1))


@piece()
def largest_coordinate(z):
    """The index of the largest coordinate."""
    largest = 0
    for i in range(1, 4):
        if square_size(z[i]) > square_size(z[largest]):
            largest = i
    return largest


@piece()
def polish(quadrics, z, work):
    """Newton in the chart of z's largest coordinate, in place; returns (alpha, beta, gamma, chart).

    The certificate holds at the point before the last step, where beta is that step and the round-off of the residual.
    alpha is infinite where Newton does not settle.
    """
    before = math.inf
    for _ in range(NEWTON_ROUNDS):
        chart = largest_coordinate(z)
        if not 0.0 < square_size(z[chart]) < math.inf:
            break
        over = z[chart].conjugate() / square_size(z[chart])
        for i in range(4):
            z[i] *= over
        z[chart] = 1.0
        if not derivatives(quadrics, z, chart, work):
            break
        # The noise is that of the residual just evaluated, before z moves.
        blur = noise(quadrics, z, work)
        change = newton_step(z, chart, work)
        if not math.isfinite(change):
            break
        beta = change + blur
        if beta < 1e-3:
            gamma = second_order(quadrics, chart, work)
            # The error after the step is about gamma beta^2; near a double root round-off may not let it fall that far.
            if beta * gamma < ALPHA_LIMIT and (gamma * beta * beta <= 1e-15 or change >= 0.5 * before):
                return beta * gamma, beta, gamma, chart
        before = change
    return math.inf, math.inf, math.inf, 0


@piece()
def derivatives(quadrics, z, chart, work):
    """Fill work[:, :3] with the inverse of DF in the chart and work[:, 3] with F; False where DF is singular."""
    a, b, c = OTHERS[chart]
    j = work[:, 4:]
    for i in range(3):
        h = quadrics[i]
        p0 = h[0, 0] * z[0] + h[0, 1] * z[1] + h[0, 2] * z[2] + h[0, 3] * z[3]
        p1 = h[1, 0] * z[0] + h[1, 1] * z[1] + h[1, 2] * z[2] + h[1, 3] * z[3]
        p2 = h[2, 0] * z[0] + h[2, 1] * z[1] + h[2, 2] * z[2] + h[2, 3] * z[3]
        p3 = h[3, 0] * z[0] + h[3, 1] * z[1] + h[3, 2] * z[2] + h[3, 3] * z[3]
        parts = (p0, p1, p2, p3)
        work[i, 3] = z[0] * p0 + z[1] * p1 + z[2] * p2 + z[3] * p3
        j[i, 0], j[i, 1], j[i, 2] = 2.0 * parts[a], 2.0 * parts[b], 2.0 * parts[c]
    for i, i1, i2 in CYCLES:
        for k, k1, k2 in CYCLES:
            work[k, i] = j[i1, k1] * j[i2, k2] - j[i1, k2] * j[i2, k1]
    determinant = j[0, 0] * work[0, 0] + j[0, 1] * work[1, 0] + j[0, 2] * work[2, 0]
    size = square_size(determinant)
    if size == 0.0:
        return False
    over = determinant.conjugate() / size
    for i in range(3):
        for k in range(3):
            work[k, i] *= over
    return True


@piece()
def newton_step(z, chart, work):
    """Move z by one Newton step; returns its size."""
    size = 0.0
    for k in range(3):
        change = work[k, 0] * work[0, 3] + work[k, 1] * work[1, 3] + work[k, 2] * work[2, 3]
        z[OTHERS[chart][k]] -= change
        size += square_size(change)
    return math.sqrt(size)


@piece()
def noise(quadrics, z, work):
    """What the round-off of the residual z^T H z, at most that of |z|^T |H| |z|, can add to a Newton step."""
    z0, z1, z2, z3 = abs(z[0]), abs(z[1]), abs(z[2]), abs(z[3])
    total = 0.0
    for i in range(3):
        h = quadrics[i]
        bound = abs(h[0, 0]) * (z0 * z0 + z1 * z1 + z2 * z2 + z3 * z3) + 2.0 * (
            z0 * (abs(h[0, 1]) * z1 + abs(h[0, 2]) * z2 + abs(h[0, 3]) * z3)
            + abs(h[1, 2]) * z1 * z2
            + abs(h[1, 3]) * z1 * z3
            + abs(h[2, 3]) * z2 * z3
        )
        column = square_size(work[0, i]) + square_size(work[1, i]) + square_size(work[2, i])
        total += bound * math.sqrt(column)
    return ROUND_OFF * total


@piece()
def second_order(quadrics, chart, work):
    """Smale's gamma in the Frobenius norm: |DF^-1 D^2F / 2| in the chart."""
    others = OTHERS[chart]
    gamma = 0.0
    for k in range(3):
        x, y, w = work[k, 0], work[k, 1], work[k, 2]
        for i in range(3):
            for j in range(i + 1):
                row, column = others[i], others[j]
                part = x * quadrics[0, row, column] + y * quadrics[1, row, column] + w * quadrics[2, row, column]
                gamma += (1.0 if i == j else 2.0) * square_size(part)
    return math.sqrt(gamma)


@piece()
def distance(z, chart, other):
    """How far another point is from z in z's chart; infinite if it is not in that chart."""
    size = square_size(other[chart])
    if size == 0.0:
        return math.inf
    over = other[chart].conjugate() / size
    total = 0.0
    for i in range(4):
        total += square_size(z[i] - over * other[i])
    return math.sqrt(total)


@piece()
def known(z, found, basins, count):
    """Whether Newton would lead from z to a root that was found already."""
    seen = False
    for i in range(count):
        seen = seen or distance(found[i], int(basins[i, 0]), z) <= basins[i, 1]
    return seen


@kernel("integer(cube, point, points, matrix, integer, points)", point=POINT, points=POINTS)
def keep(quadrics, z, found, basins, count, work):
    """Add a certified new root, and its conjugate if it is not real; returns the number of roots then known.

    found[i] is a root with the coordinate 1 in the chart basins[i, 0]; within basins[i, 1] of it there is no other.
    """
    alpha, beta, gamma, chart = polish(quadrics, z, work)
    if not alpha < ALPHA_LIMIT or known(z, found, basins, count):
        return count
    # The basin is that of the point before the last step, which was at most beta long.
    basin = BASIN / gamma - beta if gamma > 0.0 else math.inf
    asymmetry = 2.0 * math.sqrt(
        z[0].imag * z[0].imag + z[1].imag * z[1].imag + z[2].imag * z[2].imag + z[3].imag * z[3].imag
    )
    real = asymmetry <= basin
    if count + (1 if real else 2) > ROOTS or (not real and asymmetry <= 4.0 * beta):
        return count
    for i in range(4):
        found[count, i] = z[i].real if real else z[i]
    basins[count, 0], basins[count, 1] = chart, basin
    if real:
        return count + 1
    for i in range(4):
        found[count + 1, i] = z[i].conjugate()
    basins[count + 1, 0], basins[count + 1, 1] = chart, basin
    return count + 2
