"""Where the vertical of a rolling ball may be: the least and the largest energy over the directions of its momentum.

With K = c gamma + s e, e a unit vector across gamma, v = Lam^-1 gamma and F = <I gamma, v>, twice the kinetic energy is
E = (c^2 <gamma, v> + 2 c s <v, e>)/F + s^2 (<e, Lam^-1 e> + (D/F) <v, e>^2): a quadratic function of e on a circle. A
body is (I1, I2, I3, D). All of it is even in each component of gamma, so that one octant is enough.
"""

import math

import numpy as np

from nhviz.kernels.compile import kernel, piece

ROUNDS = 40
# A change of so little of the whole is round-off; a vertex is nearer to its curve than anybody sees.
SETTLED, NEAR = 1e-15, 1e-10


@piece()
def largest_on_circle(p, q, r):
    """The largest p x + q y + r (x^2 - y^2) with x^2 + y^2 = 1, for r >= 0.

    It is the least of t + p^2/(4 (t - r)) + q^2/(4 (t + r)) over t >= r. Where that is within t > r, the point has
    length one; Newton's method for the inverse of its length comes from below and does not pass.
    """
    q = abs(q)
    # What does not change r is nothing beside it.
    p = abs(p) if r + 0.5 * abs(p) > r else 0.0
    t = max(r + 0.5 * p, 0.5 * q - r)
    if t <= 0.0:
        return 0.0
    for _ in range(ROUNDS):
        x = 0.0 if p == 0.0 else 0.5 * p / (t - r)
        y = 0.0 if q == 0.0 else 0.5 * q / (t + r)
        square = x * x + y * y
        if square <= 1.0:
            break
        bend = (x * x / (t - r) if x > 0.0 else 0.0) + (y * y / (t + r) if y > 0.0 else 0.0)
        further = (math.sqrt(square) - 1.0) * square / bend
        t += further
        if further <= SETTLED * t:
            break
    first = 0.0 if p == 0.0 else 0.25 * p * p / (t - r)
    return t + first + (0.0 if q == 0.0 else 0.25 * q * q / (t + r))


@kernel("pair(four, triple, number, number)")
def extremes(body, gamma, along, across):
    """The least and the largest energy with <K, gamma> = along and a momentum of size `across` beside gamma."""
    i1, i2, i3, d = body
    g1, g2, g3 = gamma
    l1, l2, l3 = 1.0 / (i1 + d), 1.0 / (i2 + d), 1.0 / (i3 + d)
    v1, v2, v3 = l1 * g1, l2 * g2, l3 * g3
    over = 1.0 / (i1 * v1 * g1 + i2 * v2 * g2 + i3 * v3 * g3)
    # Two directions across gamma and across each other; the first is beside the axis to which gamma is least near.
    if abs(g1) <= abs(g2) and abs(g1) <= abs(g3):
        size = math.hypot(g2, g3)
        a1, a2, a3 = 0.0, g3 / size, -g2 / size
    elif abs(g2) <= abs(g3):
        size = math.hypot(g3, g1)
        a1, a2, a3 = -g3 / size, 0.0, g1 / size
    else:
        size = math.hypot(g1, g2)
        a1, a2, a3 = g2 / size, -g1 / size, 0.0
    b1, b2, b3 = g2 * a3 - g3 * a2, g3 * a1 - g1 * a3, g1 * a2 - g2 * a1
    va, vb = v1 * a1 + v2 * a2 + v3 * a3, v1 * b1 + v2 * b2 + v3 * b3
    square = across * across
    aa = square * (l1 * a1 * a1 + l2 * a2 * a2 + l3 * a3 * a3 + d * over * va * va)
    bb = square * (l1 * b1 * b1 + l2 * b2 * b2 + l3 * b3 * b3 + d * over * vb * vb)
    ab = square * (l1 * a1 * b1 + l2 * a2 * b2 + l3 * a3 * b3 + d * over * va * vb)
    # The quadratic part along its own axes.
    half = 0.5 * (aa - bb)
    r = math.hypot(half, ab)
    cosine = math.sqrt(0.5 * (1.0 + half / r)) if r > 0.0 else 1.0
    sine = math.copysign(math.sqrt(0.5 * max(1.0 - half / r, 0.0)), ab) if r > 0.0 else 0.0
    linear = 2.0 * along * across * over
    p, q = linear * (cosine * va + sine * vb), linear * (cosine * vb - sine * va)
    middle = along * along * over * (v1 * g1 + v2 * g2 + v3 * g3) + 0.5 * (aa + bb)
    return middle - largest_on_circle(q, p, r), middle + largest_on_circle(p, q, r)


@piece(forceinline=True)
def direction(row, column, n):
    """The point of the octant at a place of its grid: row/n of the way from the third axis, column/n from the first."""
    a, b = 0.5 * math.pi * row / n, 0.5 * math.pi * column / n
    # The rims of the octant lie in its planes exactly.
    across, up = (1.0, 0.0) if row == n else (math.sin(a), math.cos(a))
    first, second = (0.0, 1.0) if column == n else (math.cos(b), math.sin(b))
    return (across * first, across * second, up)


@kernel("nothing(four, number, number, cube)")
def write_fields(body, along, across, fields):
    """Write the least energy into fields[0] and the largest into fields[1], at the points of the octant's grid."""
    n = fields.shape[1] - 1
    for row in range(n + 1):
        for column in range(n + 1):
            least, most = extremes(body, direction(float(row), float(column), float(n)), along, across)
            fields[0, row, column], fields[1, row, column] = least, most


@piece(forceinline=True)
def ends_of(edge, n):
    """(row, column) of both ends of an edge of the grid; edges along rows come first."""
    if edge < (n + 1) * n:
        row, column = edge // n, edge % n
        return row, column, row, column + 1
    row, column = (edge - (n + 1) * n) // (n + 1), (edge - (n + 1) * n) % (n + 1)
    return row, column, row + 1, column


@piece()
def crossing(body, along, across, which, level, field, edge):
    """The point of an edge at which the energy has a level: the rule of false position, halved where it stalls."""
    n = field.shape[0] - 1
    row, column, to_row, to_column = ends_of(edge, n)
    low, high = 0.0, 1.0
    below, above = field[row, column] - level, field[to_row, to_column] - level
    point, side = direction(float(row), float(column), float(n)), 0
    for _ in range(ROUNDS):
        share = (low * above - high * below) / (above - below)
        point = direction(row + share * (to_row - row), column + share * (to_column - column), float(n))
        value = extremes(body, point, along, across)[which] - level
        if value == 0.0 or high - low <= SETTLED or abs(value) <= NEAR * abs(level):
            break
        if (value > 0.0) == (above > 0.0):
            high, above = share, value
            below *= 0.5 if side == 1 else 1.0
            side = 1
        else:
            low, below = share, value
            above *= 0.5 if side == -1 else 1.0
            side = -1
    return point


@piece()
def write_links(body, along, across, which, level, field, links):
    """Write which edges of the grid a level connects, two at most for each; -1 for none."""
    n = field.shape[0] - 1
    upright = (n + 1) * n
    links[:] = -1
    for row in range(n):
        for column in range(n):
            # Round the cell: above, right, below, left.
            edges = (row * n + column, upright + row * (n + 1) + column + 1,
                     (row + 1) * n + column, upright + row * (n + 1) + column)  # fmt: skip
            a, b = field[row, column] >= level, field[row, column + 1] >= level
            c, d = field[row + 1, column + 1] >= level, field[row + 1, column] >= level
            crossed = (a != b, b != c, c != d, d != a)
            count = crossed[0] + crossed[1] + crossed[2] + crossed[3]
            if count == 4:
                middle = extremes(body, direction(row + 0.5, column + 0.5, float(n)), along, across)[which]
                turn = 1 if (middle >= level) == a else 3
                for first in (0, 2):
                    join(links, edges[first], edges[(first + turn) % 4])
            elif count == 2:
                first = 0 if crossed[0] else 1 if crossed[1] else 2
                second = 3 if crossed[3] else 2 if crossed[2] else 1
                join(links, edges[first], edges[second])


@piece(forceinline=True)
def join(links, one, other):
    """Connect two edges."""
    links[one, 0 if links[one, 0] < 0 else 1] = other
    links[other, 0 if links[other, 0] < 0 else 1] = one


@kernel("integer(four, number, number, integer, number, matrix, matrix)")
def write_level(body, along, across, which, level, field, points):
    """Write the curves of the octant on which the least (0) or largest (1) energy has a level; returns their length.

    Each vertex is on its curve to ten digits of its energy. Behind each curve there is a row of NaN.
    """
    n = field.shape[0] - 1
    links = np.empty((2 * (n + 1) * n, 2), dtype=np.int64)
    write_links(body, along, across, which, level, field, links)
    length = 0
    # Curves from rim to rim first, then closed ones.
    for closed in range(2):
        for start in range(links.shape[0]):
            if links[start, 0] < 0 or (closed == 0 and links[start, 1] >= 0):
                continue
            edge, came = start, -1
            while edge >= 0 and length < points.shape[0] - 2:
                point = crossing(body, along, across, which, level, field, edge)
                for i in range(3):
                    points[length, i] = point[i]
                length += 1
                onward = links[edge, 0] if links[edge, 0] != came else links[edge, 1]
                links[edge, 0] = links[edge, 1] = -1
                came = edge
                edge = onward if onward >= 0 and links[onward, 0] >= 0 else -1
            if closed == 1:
                point = crossing(body, along, across, which, level, field, start)
                for i in range(3):
                    points[length, i] = point[i]
                length += 1
            for i in range(3):
                points[length, i] = np.nan
            length += 1
    return length


@kernel("integer(four, number, number, vector, cube, matrix, integers)")
def write_levels(body, along, across, levels, fields, points, ends):
    """Write the curves of several levels, of the least and of the largest energy, in all octants; ends[i] is their end.

    Returns the length of all of them, or -1 if there is no room: each octant is that of the positive axes, mirrored.
    """
    length = 0
    for i in range(levels.size):
        first = length
        for which in range(2):
            length += write_level(body, along, across, which, levels[i], fields[which], points[length:])
        octant = length - first
        if first + 8 * octant + 2 > points.shape[0]:
            return -1
        for number in range(1, 8):
            for k in range(octant):
                for axis in range(3):
                    sign = -1.0 if (number >> (2 - axis)) & 1 else 1.0
                    points[length + k, axis] = sign * points[first + k, axis]
            length += octant
        ends[i] = length
    return length
