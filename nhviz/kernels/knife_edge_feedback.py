"""Euler's scheme with feedback for the knife edge: `kernels.feedback.orbit`, written out.

The general loop asks field and integrals one after the other, each of which needs the sine and the cosine of the
heading, and keeps states and gradients in memory. A test holds both against each other.
"""

import math

from nhviz.kernels.circle import cosine_and_sine
from nhviz.kernels.compile import kernel
from nhviz.kernels.linear import assign


@kernel("integer(vector, vector, vector, vector, number, integer, integer, number, number, matrix)")
def euler(start, p, gains, targets, h, steps, every, limit, slack, out):
    """Fill out[sample] with (x, y, phi, p_x, p_y, p_phi); returns the steps taken, as `kernels.feedback.orbit` does.

    p = (m, J, G); gains and targets are those of J1, p_phi and the extended energy.
    """
    x, y, phi, p_x, p_y, p_phi = start[0], start[1], start[2], start[3], start[4], start[5]
    over_m, over_j, over_root, weight = 1.0 / p[0], 1.0 / p[1], 1.0 / math.sqrt(p[0]), p[0] * p[2]
    far_1, far_2 = slack * (1.0 + abs(targets[0])), slack * (1.0 + abs(targets[1]))
    far_3 = slack * (1.0 + abs(targets[2]))
    assign(out[0], start)
    sample, left = 1, every
    for count in range(1, steps + 1):
        c, s = cosine_and_sine(phi)
        along, across, turning = p_x * c + p_y * s, p_x * s - p_y * c, p_phi * over_j
        off_1, off_2 = across * over_root - targets[0], p_phi - targets[1]
        off_3 = 0.5 * (along * along * over_m + p_phi * turning) - weight * x - targets[2]
        if not (abs(off_1) <= far_1 and abs(off_2) <= far_2 and abs(off_3) <= far_3):
            return count - 1
        pull_1, pull_2, pull_3 = gains[0] * off_1 * over_root, gains[1] * off_2, gains[2] * off_3
        speed, reaction = along * over_m, -weight * s - turning * along
        repair = turning * across
        x += h * (speed * c + pull_3 * weight)
        y += h * speed * s
        phi += h * (turning - pull_1 * along + pull_3 * speed * across)
        p_x += h * (weight + reaction * s + repair * c - pull_1 * s - pull_3 * speed * c)
        p_y += h * (repair * s - reaction * c + pull_1 * c - pull_3 * speed * s)
        p_phi -= h * (pull_2 + pull_3 * turning)
        # Each on its own, and asked so that the answer is no for NaN, too.
        near = abs(x) < limit and abs(y) < limit and abs(phi) < limit
        if not (near and abs(p_x) < limit and abs(p_y) < limit and abs(p_phi) < limit):
            return count - 1
        left -= 1
        if left == 0:
            left = every
            row = out[sample]
            row[0], row[1], row[2], row[3], row[4], row[5] = x, y, phi, p_x, p_y, p_phi
            sample += 1
    return steps
