"""Questions about many balls at once: how many real rotations a step has, and the step at which its branch folds.

Rows are a ball (I1, I2, I3, D) and a start (gamma, omega) of it each.
"""

import math

import numpy as np

from nhviz.kernels.compile import kernel, piece
from nhviz.kernels.quadrics import solve_many
from nhviz.kernels.sphere import follow, momentum


@piece()
def momentum_at(ball, starts, i):
    """(gamma, K) of a row of starts."""
    gamma, omega = (starts[i, 0], starts[i, 1], starts[i, 2]), (starts[i, 3], starts[i, 4], starts[i, 5])
    return gamma, momentum(ball, gamma, omega)


@kernel("nothing(matrix, matrix, vector, vector)")
def branch_counts(balls, starts, steps, out):
    """How many real rotations one step has at each start."""
    gamma_row, momentum_row, rotations = np.empty((1, 3)), np.empty((1, 3)), np.zeros((1, 8, 4))
    counts, roots = np.empty(1, dtype=np.int64), np.empty(1, dtype=np.int64)
    for i in range(out.size):
        ball = (balls[i, 0], balls[i, 1], balls[i, 2], balls[i, 3])
        gamma, k = momentum_at(ball, starts, i)
        for j in range(3):
            gamma_row[0, j], momentum_row[0, j] = gamma[j], 0.5 * steps[i] * k[j]
        solve_many(ball, gamma_row, momentum_row, rotations, counts, roots)
        out[i] = counts[0]


@kernel("nothing(matrix, matrix, vector)")
def largest_steps(balls, starts, out):
    """The step at which the principal branch of each start folds; infinite at rest."""
    for i in range(out.size):
        ball = (balls[i, 0], balls[i, 1], balls[i, 2], balls[i, 3])
        gamma, k = momentum_at(ball, starts, i)
        size = math.sqrt(k[0] * k[0] + k[1] * k[1] + k[2] * k[2])
        if size == 0.0:
            out[i] = math.inf
            continue
        # In units of the fold's order of magnitude; a momentum may be too small to be divided by.
        largest = max(ball[0], ball[1], ball[2], ball[3])
        half = (0.5 * largest * (k[0] / size), 0.5 * largest * (k[1] / size), 0.5 * largest * (k[2] / size))
        reached, _ = follow(ball, gamma, half, math.inf)
        out[i] = reached * (largest / size)
