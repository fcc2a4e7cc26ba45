"""Feedback integrators: an explicit scheme for y' = X(y) - grad V(y), with V = sum of (k_i/2)(c_i - c_i(0))^2.

A system gives its extended field X and its conserved functions c_i with their gradients as compiled functions; the
rest is here. With all gains zero the functions are not even evaluated: that is the plain scheme.

How large can a gain be? Near the integrals the feedback adds -M, M = sum of k_i g_i g_i^T with the gradients g_i of the
conserved functions; a scheme is stable while the largest eigenvalue of M stays below a level L. M grows with every k_i
in the order of symmetric matrices, hence so does that eigenvalue: what is stable is an interval from 0 on. With N the
part of M of all other gains and X the matrix of the gradients that the gain k multiplies, the eigenvalue of
N + k X^T X reaches L > |N| where L - N - k X^T X becomes singular, which is at

    k = 1 / largest eigenvalue of X (L - N)^-1 X^T.

With N = S^T S and the Gram matrices of S and X alone, X (L - N)^-1 X^T = (X X^T + X S^T (L - S S^T)^-1 S X^T)/L: no
matrix is larger than the number of gains, and no search is needed.
"""

import math

import numpy as np
from numba import types

from nhviz.kernels.compile import FIELD_SIGNATURE, MATRIX, VECTOR, kernel, piece
from nhviz.kernels.linear import assign, largest_eigenvalue

COLUMNS = types.int64[:, ::1]
CONSERVED_SIGNATURE = types.void(VECTOR, VECTOR, VECTOR, MATRIX)
"""conserved(y, p, values, gradients): entries of the gradients that are always zero need not be written."""

FIELD = types.FunctionType(FIELD_SIGNATURE)
CONSERVED = types.FunctionType(CONSERVED_SIGNATURE)

COARSE = 400
"""So many samples find where a run is worst; its neighbours are then looked at closely."""
NOT_MORE = 1.0 + 1e-12
"""What is larger by less than this factor is so by round-off."""
SPARSE = 16
"""One of so many samples is looked at first where the others are only compared with these."""


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


@piece(forceinline=True)
def fill_gram(gradients, gram):
    """gram[i, j] = <grad c_i, grad c_j>."""
    for i in range(gradients.shape[0]):
        for j in range(i + 1):
            total = 0.0
            for k in range(gradients.shape[1]):
                total += gradients[i, k] * gradients[j, k]
            gram[i, j] = gram[j, i] = total


@piece(forceinline=True)
def fill_scaled(gradients, roots, matrix):
    """matrix[i, j] = sqrt(k_i k_j) <grad c_i, grad c_j>, the roots being those of the gains."""
    fill_gram(gradients, matrix)
    for i in range(roots.size):
        for j in range(roots.size):
            matrix[i, j] *= roots[i] * roots[j]


@kernel("nothing(conserved, matrix, vector, vector, vector)", conserved=CONSERVED)
def eigenvalues(conserved, states, p, gains, out):
    """The largest eigenvalue of sqrt(k_i k_j) <grad c_i, grad c_j> at each of the states (samples, n)."""
    count, n = gains.size, states.shape[1]
    values, gradients, matrix = np.zeros(count), np.zeros((count, n)), np.empty((count, count))
    roots = np.sqrt(gains)
    for sample in range(states.shape[0]):
        conserved(states[sample], p, values, gradients)
        fill_scaled(gradients, roots, matrix)
        out[sample] = largest_eigenvalue(matrix)


@piece()
def is_below(matrix, level, room):
    """Whether all eigenvalues of a symmetric matrix are below a level: all pivots of their difference are positive."""
    n = matrix.shape[0]
    for i in range(n):
        for j in range(n):
            room[i, j] = (level if i == j else 0.0) - matrix[i, j]
    for i in range(n):
        if not room[i, i] > 0.0:
            return False
        for j in range(i + 1, n):
            factor = room[j, i] / room[i, i]
            for k in range(i + 1, n):
                room[j, k] -= factor * room[i, k]
    return True


@kernel("number(conserved, matrix, vector, vector)", conserved=CONSERVED)
def greatest_eigenvalue(conserved, states, p, gains):
    """The greatest of the `eigenvalues` along states (samples, n).

    An eigenvalue takes ten times as long as the answer to whether it is below another. So some of the states come
    first, and then of all only those count that are not below what was found so far.
    """
    count, n, greatest = gains.size, states.shape[1], -math.inf
    values, gradients, roots = np.zeros(count), np.zeros((count, n)), np.sqrt(gains)
    matrix, room = np.empty((count, count)), np.empty((count, count))
    for stride in (SPARSE, 1):
        for sample in range(0, states.shape[0], stride):
            conserved(states[sample], p, values, gradients)
            fill_scaled(gradients, roots, matrix)
            if not is_below(matrix, NOT_MORE * greatest, room):
                greatest = max(greatest, largest_eigenvalue(matrix))
    return greatest


@piece()
def inverse_gain(gram, roots, owners, own, level, known, matrix):
    """1/k of the gain `own` at one state, from the Gram matrix of all gradients; infinite if the others pass the level.

    Where it is less than what is `known` of other states, it is that.

    L - S S^T, S X^T and -X X^T are the parts of a symmetric matrix, from which the others are eliminated: what
    is left of it is minus a matrix whose largest eigenvalue is L/k.
    """
    n = roots.size
    for i in range(n):
        for j in range(n):
            if owners[i] == own and owners[j] == own:
                matrix[i, j] = -gram[i, j]
            elif owners[i] == own or owners[j] == own:
                matrix[i, j] = gram[i, j] * (roots[j] if owners[i] == own else roots[i])
            else:
                matrix[i, j] = (level if i == j else 0.0) - roots[i] * roots[j] * gram[i, j]
    for i in range(n):
        if owners[i] == own:
            continue
        # All pivots of L - S S^T are positive if it is; false for NaN, too.
        if not matrix[i, i] > 0.0:
            return math.inf
        for j in range(n):
            if owners[j] == own or j > i:
                factor = matrix[j, i] / matrix[i, i]
                for k in range(n):
                    if owners[k] == own or k > i:
                        matrix[j, k] -= factor * matrix[i, k]
    return max(known, largest_of(matrix, owners, own, known * level) / level)


@piece()
def largest_of(matrix, owners, own, known):
    """Minus the least eigenvalue of the rows and columns of a symmetric matrix that belong to `own`, or what is known.

    Whether it is below that is asked first, as in `greatest_eigenvalue`.
    """
    count, last = 0, 0
    for i in range(owners.size):
        if owners[i] == own:
            count, last = count + 1, i
    if count == 1:
        return -matrix[last, last]
    form = np.empty((count, count))
    row = 0
    for i in range(owners.size):
        if owners[i] == own:
            column = 0
            for j in range(owners.size):
                if owners[j] == own:
                    form[row, column] = -matrix[i, j]
                    column += 1
            row += 1
    return known if is_below(form, NOT_MORE * known, np.empty((count, count))) else largest_eigenvalue(form)


@kernel("nothing(conserved, matrix, vector, vector, integers, number, vector)", conserved=CONSERVED)
def inverse_gains(conserved, states, p, gains, owners, level, out):
    """1/k of the largest stable gain of each name along states (samples, n), the others being as they are.

    owners[i] is the number of the name of gains[i]. Zero says that nothing bounds a gain.
    """
    count, n, samples = gains.size, states.shape[1], states.shape[0]
    values, gradients = np.zeros(count), np.zeros((count, n))
    gram, matrix, roots = np.empty((count, count)), np.empty((count, count)), np.sqrt(gains)
    stride = -(-samples // COARSE)
    worst = np.zeros(out.size, dtype=np.int64)
    for own in range(out.size):
        out[own] = 0.0
    for sample in range(0, samples, stride):
        conserved(states[sample], p, values, gradients)
        fill_gram(gradients, gram)
        for own in range(out.size):
            found = inverse_gain(gram, roots, owners, own, level, out[own], matrix)
            if found > out[own]:
                out[own], worst[own] = found, sample
    for own in range(out.size):
        for sample in range(max(worst[own] - stride, 0), min(worst[own] + stride + 1, samples)):
            conserved(states[sample], p, values, gradients)
            fill_gram(gradients, gram)
            out[own] = inverse_gain(gram, roots, owners, own, level, out[own], matrix)
