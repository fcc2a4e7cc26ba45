"""The exact section of the nonholonomic oscillator as one rotation, for many amplitudes.

With y = A sin t, S = sqrt(1 + y^2) and w = S p_z the linear system of `nhviz.analysis.oscillator_section` for (x, z,
p_z) becomes (x, z, w)' = omega x (x, z, w), omega = -(1, y, 0)/S: a rotation of unit speed about an axis that swings in
a plane by alpha = atan(A sin t). At a crossing S = 1, so that a period of it is the return map.
"""

import math

import numpy as np

from nhviz.kernels.attitude import magnus_vector, turn_by_vector
from nhviz.kernels.compile import kernel, piece

# Steps are this share of the time in which the axis, or the body about it, turns by a radian: the sixth power of it,
# times the constant of the method, is round-off.
SHARE = 0.02


@piece()
def axis(amplitude, t):
    """-omega at time t."""
    y = amplitude * math.sin(t)
    over = 1.0 / math.sqrt(1.0 + y * y)
    return (over, y * over, 0.0)


@kernel("number(number)")
def rotation_number(amplitude):
    """Turns of the return map, between 0 and 1/2."""
    q = np.array([1.0, 0.0, 0.0, 0.0])
    offset, t = math.sqrt(15.0) / 10.0, 0.0
    while t < 2.0 * math.pi:
        y = amplitude * math.sin(t)
        swing = abs(amplitude * math.cos(t)) / (1.0 + y * y)
        # Where the axis is about to swing fast the step must not jump over it: |sin t| < 1/A lasts for about 1/A.
        near = abs(math.sin(t)) + 1.0 / (1.0 + amplitude)
        h = min(SHARE / (1.0 + swing), SHARE * 4.0 * near, 2.0 * math.pi - t)
        middle = t + 0.5 * h
        x, y, z = magnus_vector(
            h, axis(amplitude, middle - offset * h), axis(amplitude, middle), axis(amplitude, middle + offset * h)
        )
        turn_by_vector(q, x, y, z)
        t += h
        if 2.0 * math.pi - t < 1e-14:
            break
    return math.atan2(math.sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]), abs(q[0])) / math.pi


@kernel("nothing(vector, vector)")
def rotation_numbers(amplitudes, out):
    """`rotation_number` of every amplitude."""
    for i in range(out.size):
        out[i] = rotation_number(amplitudes[i])
