"""Small linear algebra in any dimension: products, systems, inverses, matrices made orthogonal again, an eigenvalue."""

import math

import numpy as np

from nhviz.kernels.compile import kernel, piece

JACOBI_SWEEPS = 30


@piece(forceinline=True)
def assign(target, source):
    """target[:] = source for vectors; numba compiles its own version, with checks of shapes, far longer."""
    for i in range(source.size):
        target[i] = source[i]


@piece()
def solve(matrix, right):
    """Replace `right` by the solution of matrix x = right, and the matrix by its factors; returns the determinant.

    Rows are exchanged for the largest pivot. With determinant 0 (or not a number) `right` is not a solution.
    """
    n = right.size
    determinant = 1.0
    for column in range(n):
        pivot, size = column, abs(matrix[column, column])
        for row in range(column + 1, n):
            if abs(matrix[row, column]) > size:
                pivot, size = row, abs(matrix[row, column])
        if not size > 0.0:
            return 0.0
        if pivot != column:
            for k in range(column, n):
                matrix[column, k], matrix[pivot, k] = matrix[pivot, k], matrix[column, k]
            right[column], right[pivot] = right[pivot], right[column]
            determinant = -determinant
        determinant *= matrix[column, column]
        over = 1.0 / matrix[column, column]
        for row in range(column + 1, n):
            factor = matrix[row, column] * over
            if factor != 0.0:
                for k in range(column + 1, n):
                    matrix[row, k] -= factor * matrix[column, k]
                right[row] -= factor * right[column]
    for row in range(n - 1, -1, -1):
        total = right[row]
        for k in range(row + 1, n):
            total -= matrix[row, k] * right[k]
        right[row] = total / matrix[row, row]
    return determinant


@piece(forceinline=True)
def solve_positive(n, matrix, right):
    """Replace `right` by the solution for a symmetric positive matrix of n rows, which is used up.

    Only what is on and below its diagonal is read: no rows need be exchanged. With a number for n the compiler writes
    the loops out.
    """
    for column in range(n):
        over = 1.0 / matrix[column, column]
        for row in range(column + 1, n):
            factor = matrix[row, column] * over
            for k in range(row, n):
                matrix[k, row] -= factor * matrix[k, column]
            right[row] -= factor * right[column]
        matrix[column, column] = over
    for row in range(n - 1, -1, -1):
        total = right[row]
        for k in range(row + 1, n):
            total -= matrix[k, row] * right[k]
        right[row] = total * matrix[row, row]


@kernel("truth(matrix, matrix)")
def invert(matrix, inverse):
    """Write the inverse of a matrix, which is used up; whether there is one. Rows are exchanged for large pivots."""
    n = matrix.shape[0]
    for i in range(n):
        for j in range(n):
            inverse[i, j] = 1.0 if i == j else 0.0
    for column in range(n):
        pivot, size = column, abs(matrix[column, column])
        for row in range(column + 1, n):
            if abs(matrix[row, column]) > size:
                pivot, size = row, abs(matrix[row, column])
        if not size > 0.0:
            return False
        for k in range(n):
            matrix[column, k], matrix[pivot, k] = matrix[pivot, k], matrix[column, k]
            inverse[column, k], inverse[pivot, k] = inverse[pivot, k], inverse[column, k]
        over = 1.0 / matrix[column, column]
        for k in range(n):
            matrix[column, k] *= over
            inverse[column, k] *= over
        for row in range(n):
            factor = matrix[row, column]
            if row != column and factor != 0.0:
                for k in range(n):
                    matrix[row, k] -= factor * matrix[column, k]
                    inverse[row, k] -= factor * inverse[column, k]
    return True


@kernel("nothing(matrix, integer, integer)")
def orthogonalise(matrix, first, size):
    """Bring a diagonal block B that is orthogonal but for round-off back to the rotations: B (3 - B^T B)/2.

    One round squares the distance from the rotations, which after some products of rotations is far below 1e-8.
    """
    square = np.empty((size, size))
    for i in range(size):
        for j in range(size):
            total = 3.0 if i == j else 0.0
            for k in range(size):
                total -= matrix[first + k, first + i] * matrix[first + k, first + j]
            square[i, j] = 0.5 * total
    row = np.empty(size)
    for i in range(size):
        for j in range(size):
            total = 0.0
            for k in range(size):
                total += matrix[first + i, first + k] * square[k, j]
            row[j] = total
        for j in range(size):
            matrix[first + i, first + j] = row[j]


@piece()
def product(a, b):
    """a b, summed in one fixed order: one orbit gives the same digits as many."""
    n = a.shape[0]
    c = np.empty((n, n))
    for i in range(n):
        for j in range(n):
            total = 0.0
            for k in range(n):
                total += a[i, k] * b[k, j]
            c[i, j] = total
    return c


@kernel("matrix(matrix)")
def transposed(a):
    """The transpose, as a matrix of its own."""
    out = np.empty(a.shape)
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            out[j, i] = a[i, j]
    return out


@piece(forceinline=True)
def rotate_away(matrix, i, j):
    """Turn the plane of i and j until their common entry is zero; returns the cosine and sine of the turn."""
    entry = matrix[i, j]
    if entry == 0.0:
        return 1.0, 0.0
    half = 0.5 * (matrix[j, j] - matrix[i, i]) / entry
    tangent = math.copysign(1.0, half) / (abs(half) + math.hypot(half, 1.0))
    cosine = 1.0 / math.sqrt(tangent * tangent + 1.0)
    sine = tangent * cosine
    matrix[i, i] -= tangent * entry
    matrix[j, j] += tangent * entry
    matrix[i, j] = matrix[j, i] = 0.0
    for k in range(matrix.shape[0]):
        if k not in (i, j):
            first, second = matrix[k, i], matrix[k, j]
            matrix[k, i] = matrix[i, k] = cosine * first - sine * second
            matrix[k, j] = matrix[j, k] = sine * first + cosine * second
    return cosine, sine


@kernel("number(matrix)")
def largest_eigenvalue(matrix):
    """The largest eigenvalue of a symmetric matrix by Jacobi's rotations, which leave it diagonal.

    Sweeps converge quadratically; what is off the diagonal at the end is below the rounding of the largest entry.
    """
    n = matrix.shape[0]
    for _ in range(JACOBI_SWEEPS):
        off, size = 0.0, 0.0
        for i in range(n):
            size = max(size, abs(matrix[i, i]))
            for j in range(i):
                off = max(off, abs(matrix[i, j]))
        if not off > 1e-17 * size:
            break
        for i in range(n):
            for j in range(i + 1, n):
                rotate_away(matrix, i, j)
    largest = matrix[0, 0]
    for i in range(1, n):
        largest = max(largest, matrix[i, i])
    return largest
