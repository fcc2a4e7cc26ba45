"""Dormand and Prince's method of order 8 with error control, compiled once for every system.

A system gives its vector field as a compiled function field(y, p, dy). Error control alone chooses the steps. A sample
inside of one is a shorter step of its own from the same point: no interpolation limits its accuracy, and a point of the
flow is the same number whatever other samples are kept, and however long the run. The coefficients are those of scipy's
DOP853.
"""

import math

import numpy as np
from numba import types
from scipy.integrate import DOP853

from nhviz.kernels.compile import FIELD_SIGNATURE, kernel, piece

FIELD = types.FunctionType(FIELD_SIGNATURE)

STAGES = 12
A = np.ascontiguousarray(DOP853.A[:STAGES, :STAGES])
B = np.ascontiguousarray(DOP853.B)
E3 = np.ascontiguousarray(DOP853.E3)
E5 = np.ascontiguousarray(DOP853.E5)


@piece(forceinline=True)
def weighted(weights, stages, i, first, last):
    """Sum of weights times stages of one variable: stage 0 and those from first to last, the only ones that count.

    With numbers for first and last only those are left of it: the compiler would not write out a loop over so many.
    """
    total = weights[0] * stages[0, i]
    if first <= 1 <= last:
        total += weights[1] * stages[1, i]
    if first <= 2 <= last:
        total += weights[2] * stages[2, i]
    if first <= 3 <= last:
        total += weights[3] * stages[3, i]
    if first <= 4 <= last:
        total += weights[4] * stages[4, i]
    if first <= 5 <= last:
        total += weights[5] * stages[5, i]
    if first <= 6 <= last:
        total += weights[6] * stages[6, i]
    if first <= 7 <= last:
        total += weights[7] * stages[7, i]
    if first <= 8 <= last:
        total += weights[8] * stages[8, i]
    if first <= 9 <= last:
        total += weights[9] * stages[9, i]
    if first <= 10 <= last:
        total += weights[10] * stages[10, i]
    if first <= 11 <= last:
        total += weights[11] * stages[11, i]
    return total


@piece(forceinline=True)
def stage(field, y, p, h, stages, work, s, first):
    """Fill stage s, which uses stage 0 and those from first on."""
    for i in range(y.size):
        work[i] = y[i] + h * weighted(A[s], stages, i, first, s - 1)
    field(work, p, stages[s])


@kernel("number(vector, vector, matrix, number, number)")
def error_norm(y, new, stages, h, tolerance):
    """The method's combined estimate of orders 5 and 3, over the tolerance; accepted below 1."""
    fifth, third = 0.0, 0.0
    for i in range(y.size):
        scale = tolerance * (1.0 + max(abs(y[i]), abs(new[i])))
        e5, e3 = weighted(E5, stages, i, 5, 11), weighted(E3, stages, i, 5, 11)
        fifth += (e5 / scale) ** 2
        third += (e3 / scale) ** 2
    if fifth == 0.0:
        return 0.0
    return abs(h) * fifth / math.sqrt((fifth + 0.01 * third) * y.size)


@kernel("nothing(field, vector, vector, vector, number, matrix, vector, vector, vector)", field=FIELD)
def step(field, y, rest, p, h, stages, work, new, new_rest):
    """Fill the stages of one step (stages[0] holds the field at y), the new point and what its rounding left over."""
    stage(field, y, p, h, stages, work, np.int64(1), np.int64(1))
    stage(field, y, p, h, stages, work, np.int64(2), np.int64(1))
    stage(field, y, p, h, stages, work, np.int64(3), np.int64(2))
    stage(field, y, p, h, stages, work, np.int64(4), np.int64(2))
    stage(field, y, p, h, stages, work, np.int64(5), np.int64(3))
    stage(field, y, p, h, stages, work, np.int64(6), np.int64(3))
    stage(field, y, p, h, stages, work, np.int64(7), np.int64(3))
    stage(field, y, p, h, stages, work, np.int64(8), np.int64(3))
    stage(field, y, p, h, stages, work, np.int64(9), np.int64(3))
    stage(field, y, p, h, stages, work, np.int64(10), np.int64(3))
    stage(field, y, p, h, stages, work, np.int64(11), np.int64(3))
    for i in range(y.size):
        change = h * weighted(B, stages, i, 5, 11) + rest[i]
        new[i] = y[i] + change
        part = new[i] - y[i]
        new_rest[i] = (y[i] - (new[i] - part)) + (change - part)


@kernel("integer(field, vector, vector, vector, number, integer, matrix)", field=FIELD)
def integrate(field, start, p, times, tolerance, budget, out):
    """y' = field(y; p) from start at times[0]: out[:, k] is y at times[k].

    Returns the number of samples reached, fewer than asked when the budget of steps is spent; its negative when the
    step size has fallen to round-off. Samples inside of a step are not counted as steps.
    """
    n = start.size
    y, new, inside, work = start.copy(), np.empty(n), np.empty(n), np.empty(n)
    # The point is y + rest: without what each sum rounds off, its errors would add up over many steps.
    rest, new_rest, inside_rest = np.zeros(n), np.empty(n), np.empty(n)
    stages, slope = np.empty((STAGES + 1, n)), np.empty(n)
    field(y, p, stages[0])
    for i in range(n):
        out[i, 0] = y[i]
    t = times[0]
    speed, size = 0.0, 0.0
    for i in range(n):
        speed = max(speed, abs(stages[0, i]))
        size = max(size, abs(y[i]))
    sign = 1.0 if times[times.size - 1] >= times[0] else -1.0
    h = 0.01 * (1.0 + size) / (1.0 + speed)
    spent, sample = 0, 1
    while sample < times.size:
        # A step that leads from one number to another: sums of rounded times would run slow or fast.
        reached = t + sign * h
        trial = abs(reached - t)
        if not trial > 1e-15 * abs(t):
            return -sample
        spent += 1
        if spent > budget:
            return sample
        step(field, y, rest, p, sign * trial, stages, work, new, new_rest)
        field(new, p, stages[STAGES])
        error = error_norm(y, new, stages, trial, tolerance)
        if not error < 1.0:
            h = trial * (max(0.2, 0.9 * error**-0.125) if math.isfinite(error) else 0.1)
            continue
        h = trial * (10.0 if error == 0.0 else min(10.0, 0.9 * error**-0.125))
        for i in range(n):
            slope[i] = stages[STAGES, i]
        while sample < times.size and sign * (times[sample] - reached) < 0.0:
            step(field, y, rest, p, times[sample] - t, stages, work, inside, inside_rest)
            for i in range(n):
                out[i, sample] = inside[i]
            sample += 1
        t = reached
        for i in range(n):
            y[i], rest[i], stages[0, i] = new[i], new_rest[i], slope[i]
        while sample < times.size and times[sample] == reached:
            for i in range(n):
                out[i, sample] = y[i]
            sample += 1
    return times.size
