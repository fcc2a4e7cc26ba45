"""Dormand and Prince's method of order 8 with error control, compiled once for every system.

A system gives its vector field as a compiled function field(y, p, dy); samples are hit exactly, so
no interpolation limits the accuracy. The coefficients are those of scipy's DOP853.
"""

import math

import numpy as np
from numba import types
from scipy.integrate import DOP853

from nhviz.kernels.compile import FIELD_SIGNATURE, VECTOR, compiled

FIELD = types.FunctionType(FIELD_SIGNATURE)

STAGES = 12
A = np.ascontiguousarray(DOP853.A[:STAGES, :STAGES])
B = np.ascontiguousarray(DOP853.B)
E3 = np.ascontiguousarray(DOP853.E3)
E5 = np.ascontiguousarray(DOP853.E5)


@compiled(types.float64(VECTOR, VECTOR, types.float64[:, ::1], types.float64, types.float64))
def error_norm(y, new, stages, h, tolerance):
    """The method's combined estimate of orders 5 and 3, over the tolerance; accepted below 1."""
    fifth, third = 0.0, 0.0
    for i in range(y.size):
        scale = tolerance * (1.0 + max(abs(y[i]), abs(new[i])))
        e5, e3 = 0.0, 0.0
        for s in range(STAGES + 1):
            e5 += E5[s] * stages[s, i]
            e3 += E3[s] * stages[s, i]
        fifth += (e5 / scale) ** 2
        third += (e3 / scale) ** 2
    if fifth == 0.0:
        return 0.0
    return abs(h) * fifth / math.sqrt((fifth + 0.01 * third) * y.size)


@compiled(types.void(FIELD, VECTOR, VECTOR, types.float64, types.float64[:, ::1], VECTOR, VECTOR))
def stage_values(field, y, p, h, stages, work, new):
    """Fill the stages of one step (stages[0] holds the field at y) and the new point."""
    for s in range(1, STAGES):
        for i in range(y.size):
            total = 0.0
            for j in range(s):
                total += A[s, j] * stages[j, i]
            work[i] = y[i] + h * total
        field(work, p, stages[s])
    for i in range(y.size):
        total = 0.0
        for s in range(STAGES):
            total += B[s] * stages[s, i]
        new[i] = y[i] + h * total
    field(new, p, stages[STAGES])


@compiled(types.int64(FIELD, VECTOR, VECTOR, VECTOR, types.float64, types.int64, types.float64[:, ::1]))
def integrate(field, start, p, times, tolerance, budget, out):
    """y' = field(y; p) from start at times[0]: out[:, k] is y at times[k].

    Returns the number of samples reached: fewer than asked when the budget of steps is spent or the
    step size falls to round-off.
    """
    n = start.size
    y, new, work = start.copy(), np.empty(n), np.empty(n)
    stages = np.empty((STAGES + 1, n))
    field(y, p, stages[0])
    out[:, 0] = y
    t = times[0]
    speed, size = 0.0, 0.0
    for i in range(n):
        speed = max(speed, abs(stages[0, i]))
        size = max(size, abs(y[i]))
    sign = 1.0 if times[times.size - 1] >= times[0] else -1.0
    h = 0.01 * (1.0 + size) / (1.0 + speed)
    spent = 0
    for sample in range(1, times.size):
        target = times[sample]
        while sign * (target - t) > 0.0:
            remaining = abs(target - t)
            trial = min(h, remaining)
            # Avoid a sliver of a step before the sample.
            if trial < remaining < 1.5 * trial:
                trial = 0.5 * remaining
            spent += 1
            if spent > budget or not trial > 1e-15 * abs(t):
                return sample
            stage_values(field, y, p, sign * trial, stages, work, new)
            error = error_norm(y, new, stages, trial, tolerance)
            if not error < 1.0:
                h = trial * (max(0.2, 0.9 * error**-0.125) if math.isfinite(error) else 0.1)
                continue
            t = target if trial == remaining else t + sign * trial
            for i in range(n):
                y[i] = new[i]
                stages[0, i] = stages[STAGES, i]
            grown = trial * (10.0 if error == 0.0 else min(10.0, 0.9 * error**-0.125))
            h = max(h, grown) if trial < h else grown
        out[:, sample] = y
    return times.size
