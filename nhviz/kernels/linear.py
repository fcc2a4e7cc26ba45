"""Small linear algebra for maps in any dimension: products, a system solved, a matrix made orthogonal again."""

import numpy as np

from nhviz.kernels.compile import compiled


@compiled(forceinline=True)
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


@compiled()
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


@compiled()
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
