"""All rotations of a momentum as the step grows: the curves on which their Euler parameters move.

For a momentum along a unit vector k the rotations of all steps make up the curve z^T E_a z = z^T E_b z = 0 on the unit
sphere of z = (q0, q1, q2, q3), with the parts of CS (5.2) along two unit vectors a, b orthogonal to k. Its part along k
is t = z^T E_k z, half the step times the momentum. The curve is followed by its tangent, round every fold.
"""

import math

import numpy as np

from nhviz.kernels.compile import kernel, piece
from nhviz.kernels.linear import solve
from nhviz.kernels.quadrics import fill_quadrics
from nhviz.kernels.ruling import combine, orthonormal

FIRST, SHORTEST, LONGEST = 1e-3, 1e-9, 0.03
# A step turns the tangent by less than this, as a cosine.
STRAIGHT = 0.995
ROUNDS = 6
SETTLED = 1e-13


@kernel("nothing(four, triple, triple, cube)")
def fill_forms(body, gamma, k, forms):
    """Write E_a, E_b, E_k into forms[:3] of six matrices; the last three are used up."""
    scratch = forms[3:]
    fill_quadrics(body, gamma, (0.0, 0.0, 0.0), scratch)
    axis, first, second = np.array([k[0], k[1], k[2]]), np.empty(3), np.empty(3)
    orthonormal(axis, first, second)
    combine((first[0], first[1], first[2]), scratch, forms[0])
    combine((second[0], second[1], second[2]), scratch, forms[1])
    combine((k[0], k[1], k[2]), scratch, forms[2])


@piece()
def apply(form, z, out):
    """out = form z; returns z^T form z."""
    total = 0.0
    for i in range(4):
        out[i] = form[i, 0] * z[0] + form[i, 1] * z[1] + form[i, 2] * z[2] + form[i, 3] * z[3]
        total += out[i] * z[i]
    return total


@piece()
def tangent(forms, z, rows, out):
    """The unit tangent of the curve: orthogonal to the gradients of both forms and to z."""
    apply(forms[0], z, rows[0])
    apply(forms[1], z, rows[1])
    for i in range(4):
        rows[2, i] = z[i]
    total = 0.0
    for i in range(4):
        a, b, c = (1 if i < 1 else 0), (2 if i < 2 else 1), (3 if i < 3 else 2)
        minor = (
            rows[0, a] * (rows[1, b] * rows[2, c] - rows[1, c] * rows[2, b])
            - rows[0, b] * (rows[1, a] * rows[2, c] - rows[1, c] * rows[2, a])
            + rows[0, c] * (rows[1, a] * rows[2, b] - rows[1, b] * rows[2, a])
        )
        out[i] = minor if i % 2 == 0 else -minor
        total += minor * minor
    over = 1.0 / math.sqrt(total)
    for i in range(4):
        out[i] *= over


@piece()
def correct(forms, z, along, border, matrix, right):
    """Put z onto the curve, at right angles to `along`, or to where t is at a border; returns how far it was.

    It is infinity if that cannot be done; without a border there is not a number in its place.
    """
    first, moved = 0.0, math.inf
    for turn in range(ROUNDS):
        total = 0.0
        for j in range(2):
            right[j] = 0.5 * apply(forms[j], z, matrix[j])
            size = 0.0
            for i in range(4):
                size = max(size, abs(matrix[j, i]))
            for i in range(4):
                matrix[j, i] /= size
            right[j] /= size
        for i in range(4):
            matrix[2, i], matrix[3, i] = z[i], along[i]
            total += z[i] * z[i]
        right[2], right[3] = 0.5 * (total - 1.0), 0.0
        if not math.isnan(border):
            right[3] = 0.5 * (apply(forms[2], z, matrix[3]) - border)
        if solve(matrix, right) == 0.0:
            return math.inf
        moved = math.sqrt(right[0] ** 2 + right[1] ** 2 + right[2] ** 2 + right[3] ** 2)
        if turn == 0:
            first = moved
        if not math.isfinite(moved):
            return math.inf
        for i in range(4):
            z[i] -= right[i]
        if moved <= SETTLED:
            return first
    return first if moved <= 1e-10 else math.inf


@piece()
def inner(a, b):
    """Scalar product of two vectors of four."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]


@kernel("integer(cube, vector, number, number, matrix)")
def trace(forms, start, sense, end, points):
    """Follow the curve from a point of it into points[n, 4] while 0 <= t <= end; returns how many there are.

    With sense 1 it begins along the tangent, with -1 against it, with 0 to where t grows. A closed curve ends where it
    began; the last point of another one is at t = 0 or at the end, unless there is no room for more.
    """
    room = np.empty((4, 4))
    right, now, before, here, work = np.empty(4), np.empty(4), np.empty(4), np.empty(4), np.empty(4)
    for i in range(4):
        points[0, i] = start[i]
    tangent(forms, start, room, before)
    if sense == 0.0:
        apply(forms[2], start, work)
        sense = math.copysign(1.0, inner(work, before))
    for i in range(4):
        before[i] *= sense
    count, length, value = 1, FIRST, apply(forms[2], start, work)
    while count < points.shape[0] and length > SHORTEST:
        for i in range(4):
            here[i] = points[count - 1, i] + length * before[i]
        away = correct(forms, here, before, math.nan, room, right)
        if away > 0.3 * length:
            length *= 0.5
            continue
        tangent(forms, here, room, now)
        turned = inner(now, before)
        if abs(turned) < STRAIGHT:
            length *= 0.5
            continue
        reached = apply(forms[2], here, work)
        if reached < 0.0 or reached > end:
            # The last point is on the border: as far as the line to the next one says, and then on the curve.
            border = 0.0 if reached < 0.0 else end
            share = (border - value) / (reached - value)
            for i in range(4):
                here[i] = points[count - 1, i] + share * (here[i] - points[count - 1, i])
            if share > 0.0 and correct(forms, here, before, border, room, right) < LONGEST:
                for i in range(4):
                    points[count, i] = here[i]
                count += 1
            break
        for i in range(4):
            points[count, i] = here[i]
            before[i] = math.copysign(1.0, turned) * now[i]
        count, value = count + 1, reached
        near = abs(inner(here, start))
        if count > 8 and near > math.cos(0.6 * length) and near > 1.0 - 0.5 * LONGEST * LONGEST:
            break
        length = min(1.5 * length, LONGEST)
    return count


@kernel("truth(matrix, vector, number)")
def is_on(curve, rotation, near):
    """Whether a rotation, up to its sign, is nearer than so much to a polygon of rotations."""
    for n in range(curve.shape[0] - 1):
        a, b = curve[n], curve[n + 1]
        first = -1.0 if inner(a, rotation) < 0.0 else 1.0
        second = -1.0 if inner(b, rotation) < 0.0 else 1.0
        along, length = 0.0, 1e-300
        for i in range(4):
            way = second * b[i] - first * a[i]
            along += way * (rotation[i] - first * a[i])
            length += way * way
        share, away = min(max(along / length, 0.0), 1.0), 0.0
        for i in range(4):
            away += (first * a[i] + share * (second * b[i] - first * a[i]) - rotation[i]) ** 2
        if away < near * near:
            return True
    return False
