"""How far matrices are from being rotations."""

import math

import numpy as np

from nhviz.kernels.compile import kernel


@kernel("vector(cube)")
def distances(matrices):
    """|R^T R - 1|, Frobenius norm, of each of some matrices."""
    count, n, _ = matrices.shape
    found = np.empty(count)
    for sample in range(count):
        total = 0.0
        for i in range(n):
            for j in range(n):
                entry = -1.0 if i == j else 0.0
                for k in range(n):
                    entry += matrices[sample, k, i] * matrices[sample, k, j]
                total += entry * entry
        found[sample] = math.sqrt(total)
    return found
