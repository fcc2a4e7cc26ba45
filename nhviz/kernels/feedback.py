"""Feedback integrators: an explicit scheme for y' = X(y) - grad V(y), with V = sum of (k_i/2)(c_i - c_i(0))^2.

A system gives its extended field X and its conserved functions c_i with their gradients as compiled functions; the
rest is here. With all gains zero the functions are not even evaluated: that is the plain scheme.
"""

import math

import numpy as np
from numba import types

from nhviz.kernels.compile import FIELD_SIGNATURE, MATRIX, VECTOR, kernel
from nhviz.kernels.linear import assign, largest_eigenvalue

COLUMNS = types.int64[:, ::1]
CONSERVED_SIGNATURE = types.void(VECTOR, VECTOR, VECTOR, MATRIX)
"""conserved(y, p, values, gradients): entries of the gradients that are always zero need not be written."""

FIELD = types.FunctionType(FIELD_SIGNATURE)
CONSERVED = types.FunctionType(CONSERVED_SIGNATURE)


@kernel(
    "integer(field, conserved, vector, vector, vector, vector, columns, number, integer, integer, integer, number, "
    "number, matrix)",
    field=FIELD,
    conserved=CONSERVED,
    columns=COLUMNS,
)
def orbit(field, conserved, start, p, gains, targets, columns, step, steps, every, stages, limit, slack, out):
    """Fill out[sample] by Euler's scheme (stages 1) or the classical one of Runge and Kutta (stages 4).

    columns[i] lists the variables on which function i depends, ended by -1. A negative step runs time backwards, with
    the feedback still pulling towards the integrals. Returns the number of steps taken: fewer than asked once the state
    has left |y| < limit, or an integral is off by more than a share slack.

    Everything is in one loop: a call with a dozen arrays as arguments would cost as much as the step itself.
    """
    n = start.size
    y, work, total, dy = start.copy(), start.copy(), np.zeros(n), np.empty(n)
    values, gradients = np.zeros(targets.size), np.zeros((targets.size, n))
    backward, h = step < 0.0, abs(step)
    assign(out[0], y)
    sample, left = 1, every
    for count in range(1, steps + 1):
        for stage in range(stages):
            field(work, p, dy)
            if backward:
                for j in range(n):
                    dy[j] = -dy[j]
            if gains.size > 0:
                conserved(work, p, values, gradients)
                for i in range(values.size):
                    off = values[i] - targets[i]
                    if stage == 0 and abs(off) > slack * (1.0 + abs(targets[i])):
                        return count - 1
                    pull = gains[i] * off
                    for k in range(columns.shape[1]):
                        j = columns[i, k]
                        if j < 0:
                            break
                        dy[j] -= pull * gradients[i, j]
            if stages > 1:
                weight = 2.0 if 0 < stage < 3 else 1.0
                share = h if stage == 2 else 0.5 * h
                for j in range(n):
                    total[j] += weight * dy[j]
                    work[j] = y[j] + share * dy[j]
        good = True
        for j in range(n):
            if stages == 1:
                y[j] += h * dy[j]
            else:
                y[j] += h / 6.0 * total[j]
                total[j] = 0.0
            work[j] = y[j]
            # False for NaN, too.
            good &= abs(y[j]) < limit
        if not good:
            return count - 1
        left -= 1
        if left == 0:
            left = every
            for j in range(n):
                out[sample, j] = y[j]
            sample += 1
    return steps


@kernel("nothing(conserved, matrix, vector, matrix, cube)", conserved=CONSERVED)
def along(conserved, states, p, values, gradients):
    """Values (samples, functions) and gradients (samples, functions, n) along states (samples, n)."""
    for k in range(states.shape[0]):
        conserved(states[k], p, values[k], gradients[k])


@kernel("nothing(conserved, matrix, vector, vector, vector)", conserved=CONSERVED)
def eigenvalues(conserved, states, p, gains, out):
    """The largest eigenvalue of sqrt(k_i k_j) <grad c_i, grad c_j> at each of the states (samples, n)."""
    count, n = gains.size, states.shape[1]
    values, gradients, matrix = np.zeros(count), np.zeros((count, n)), np.empty((count, count))
    for sample in range(states.shape[0]):
        conserved(states[sample], p, values, gradients)
        for i in range(count):
            for j in range(i + 1):
                total = 0.0
                for k in range(n):
                    total += gradients[i, k] * gradients[j, k]
                matrix[i, j] = matrix[j, i] = math.sqrt(gains[i] * gains[j]) * total
        out[sample] = largest_eigenvalue(matrix)
