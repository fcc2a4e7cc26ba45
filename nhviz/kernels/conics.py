"""Every real point where two conics of the projective plane meet.

The pencil C1 + s C2 contains a degenerate conic, a pair of lines, for each root s of the cubic
det(C1 + s C2) = 0. When real points exist, one real root gives a pair of real lines through
them; meeting those lines with the other conic leaves a quadratic equation each. The method needs
no start value and misses nothing, and it stays well conditioned where two solutions share a
direction, which is where the Suslov orbits end.
"""

import math

import numpy as np

from nhviz.kernels.compile import kernel, piece
from nhviz.kernels.linear import assign
from nhviz.kernels.polynomials import cubic_roots, quadratic_roots


@kernel("matrix(matrix)")
def adjugate(c):
    """Adjugate of a symmetric 3 x 3 matrix."""
    result = np.empty((3, 3))
    for i in range(3):
        i1, i2 = (i + 1) % 3, (i + 2) % 3
        for j in range(3):
            j1, j2 = (j + 1) % 3, (j + 2) % 3
            result[j, i] = c[i1, j1] * c[i2, j2] - c[i1, j2] * c[i2, j1]
    return result


@piece()
def trace_product(a, b):
    """trace(a b) of two symmetric matrices."""
    total = 0.0
    for i in range(3):
        for j in range(3):
            total += a[i, j] * b[i, j]
    return total


@kernel("together(truth, matrix)(matrix, matrix)")
def line_pair(first, second):
    """(found, two lines): the most clearly real pair of lines in the pencil of two conics."""
    adjugate_first, adjugate_second = adjugate(first), adjugate(second)
    determinant_first = trace_product(first, adjugate_first) / 3.0
    determinant_second = trace_product(second, adjugate_second) / 3.0
    count, roots = cubic_roots(
        determinant_second,
        trace_product(first, adjugate_second),
        trace_product(second, adjugate_first),
        determinant_first,
    )
    best = -1e-13
    lines = np.zeros((2, 3))
    found = False
    for candidate in range(count + 1):
        # The last candidate is the second conic itself, the root at infinity.
        weight = 1.0 if candidate < count else 0.0
        root = roots[candidate] if candidate < count else 1.0
        if candidate == count and abs(determinant_second) > 1e-14:
            break
        size = max(1.0, abs(root))
        pair = (weight / size) * first + (root / size) * second
        cofactors = adjugate(pair)
        pivot = 0
        for i in range(1, 3):
            if abs(cofactors[i, i]) > abs(cofactors[pivot, pivot]):
                pivot = i
        if cofactors[pivot, pivot] < best:
            best = cofactors[pivot, pivot]
            found = True
            split_lines(pair, cofactors, pivot, lines)
    return found, lines


@kernel("nothing(matrix, matrix, integer, matrix)")
def split_lines(pair, cofactors, pivot, lines):
    """Write the two real lines of a degenerate conic: C + [p]x has rank one."""
    scale = math.sqrt(-cofactors[pivot, pivot])
    p0, p1, p2 = cofactors[0, pivot] / scale, cofactors[1, pivot] / scale, cofactors[2, pivot] / scale
    rank_one = pair.copy()
    rank_one[0, 1] -= p2
    rank_one[1, 0] += p2
    rank_one[0, 2] += p1
    rank_one[2, 0] -= p1
    rank_one[1, 2] -= p0
    rank_one[2, 1] += p0
    row, column = 0, 0
    for i in range(3):
        for j in range(3):
            if abs(rank_one[i, j]) > abs(rank_one[row, column]):
                row, column = i, j
    for i in range(3):
        lines[0, i] = rank_one[row, i]
        lines[1, i] = rank_one[i, column]


@piece()
def dot(x, y):
    """Scalar product, written out: numba's own would load a BLAS."""
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2]


@piece()
def form(c, x, y):
    """x^T c y."""
    return x[0] * dot(c[0], y) + x[1] * dot(c[1], y) + x[2] * dot(c[2], y)


@piece()
def gradient(c, x):
    """Gradient 2 c x of the quadratic form."""
    return np.array([2.0 * dot(c[0], x), 2.0 * dot(c[1], x), 2.0 * dot(c[2], x)])


@piece()
def normalised(x):
    """x over its length."""
    return x / math.sqrt(dot(x, x))


@kernel("together(vector, vector)(vector)")
def line_basis(line):
    """Two orthonormal points that span a line of the projective plane."""
    normal = normalised(line)
    smallest = 0
    for i in range(1, 3):
        if abs(normal[i]) < abs(normal[smallest]):
            smallest = i
    first = -normal * normal[smallest]
    first[smallest] += 1.0
    first = normalised(first)
    second = np.array(
        [
            normal[1] * first[2] - normal[2] * first[1],
            normal[2] * first[0] - normal[0] * first[2],
            normal[0] * first[1] - normal[1] * first[0],
        ]
    )
    return first, second


@kernel("vector(matrix, matrix, vector)")
def polish_point(first, second, point):
    """Newton on the unit sphere for both conics at once, kept where it lowers the residual."""
    residual = abs(form(first, point, point)) + abs(form(second, point, point))
    for _ in range(4):
        a, b = gradient(first, point), gradient(second, point)
        f, g = form(first, point, point), form(second, point, point)
        # Least-norm correction: it lies in the plane of the two gradients.
        aa, ab, bb = dot(a, a), dot(a, b), dot(b, b)
        determinant = aa * bb - ab * ab
        if determinant <= 1e-28 * aa * bb:
            break
        alpha = (bb * f - ab * g) / determinant
        beta = (aa * g - ab * f) / determinant
        candidate = normalised(point - alpha * a - beta * b)
        lowered = abs(form(first, candidate, candidate)) + abs(form(second, candidate, candidate))
        if not lowered < residual:
            break
        point, residual = candidate, lowered
    return point


@piece()
def scaled(c):
    """A conic whose largest entry is one."""
    largest = 0.0
    for i in range(3):
        for j in range(3):
            largest = max(largest, abs(c[i, j]))
    return c / largest


@kernel("together(integer, matrix)(matrix, matrix)")
def intersect(first, second):
    """(count, points): all real intersections of two conics, as unit vectors, each once."""
    first, second = scaled(first), scaled(second)
    points = np.zeros((4, 3))
    count = 0
    found, lines = line_pair(first, second)
    if not found:
        return count, points
    for which in range(2):
        p, q = line_basis(lines[which])
        # The conic that cuts this line more decisively gives the better quadratic.
        conic = first
        if abs(form(second, p, p)) + abs(form(second, q, q)) > abs(form(first, p, p)) + abs(form(first, q, q)):
            conic = second
        a, b, c = form(conic, q, q), 2.0 * form(conic, p, q), form(conic, p, p)
        swap = abs(a) < abs(c)
        if swap:
            a, c = c, a
            p, q = q, p
        number, t1, t2 = quadratic_roots(a, b, c)
        for i in range(number):
            point = polish_point(first, second, normalised(p + (t1 if i == 0 else t2) * q))
            residual = abs(form(first, point, point)) + abs(form(second, point, point))
            # Entries so small that their squares vanish leave no point at all.
            fresh = residual < 1e-10 and abs(dot(point, point) - 1.0) < 1e-9
            for j in range(count):
                fresh = fresh and abs(abs(dot(point, points[j])) - 1.0) > 1e-15
            if fresh:
                assign(points[count], point)
                count += 1
    return count, points
