"""Euler's scheme with feedback for the Suslov top with its 3 x 3 matrix: `kernels.feedback.orbit`, written out.

The general loop keeps the state and eight gradients of twelve entries in memory; here they are numbers in registers,
and the pull of the orthogonality is k0 R (R^T R - 1) as in CP (37). A test holds both against each other.
"""

from nhviz.kernels.compile import kernel
from nhviz.kernels.linear import assign

HALF_ROOT = 0.5**0.5


@kernel("integer(vector, vector, vector, vector, number, integer, integer, number, number, matrix)")
def euler(start, p, gains, targets, h, steps, every, limit, slack, out):
    """Fill out[sample] with (R row by row, M1, M2, M3); returns the steps taken, as `kernels.feedback.orbit` does.

    p = (1/I11, 1/I22, I13, I23, 1/sqrt(s)); gains and targets are those of the eight conserved functions.
    """
    k0, k1, k2 = h * gains[0], h * gains[6], h * gains[7]
    r11, r12, r13, r21, r22, r23 = start[0], start[1], start[2], start[3], start[4], start[5]
    r31, r32, r33, m1, m2, m3 = start[6], start[7], start[8], start[9], start[10], start[11]
    first, second = p[2] * p[0], p[3] * p[1]
    far, off_j, off_e = slack / HALF_ROOT, slack * (1.0 + abs(targets[6])), slack * (1.0 + abs(targets[7]))
    assign(out[0], start)
    sample, left = 1, every
    for count in range(1, steps + 1):
        u, v = p[0] * m1, p[1] * m2
        s11 = r11 * r11 + r21 * r21 + r31 * r31 - 1.0
        s22 = r12 * r12 + r22 * r22 + r32 * r32 - 1.0
        s33 = r13 * r13 + r23 * r23 + r33 * r33 - 1.0
        s12 = r11 * r12 + r21 * r22 + r31 * r32
        s23 = r12 * r13 + r22 * r23 + r32 * r33
        s31 = r13 * r11 + r23 * r21 + r33 * r31
        j = p[4] * (m3 - first * m1 - second * m2) - targets[6]
        e = 0.5 * (m1 * u + m2 * v) - targets[7]
        kept = max(abs(s11), abs(s22), abs(s33)) <= far and max(abs(s12), abs(s23), abs(s31)) <= slack
        if not (kept and abs(j) <= off_j and abs(e) <= off_e):
            return count - 1
        r11, r12, r13 = (
            r11 - h * r13 * v - k0 * (r11 * s11 + r12 * s12 + r13 * s31),
            r12 + h * r13 * u - k0 * (r11 * s12 + r12 * s22 + r13 * s23),
            r13 + h * (r11 * v - r12 * u) - k0 * (r11 * s31 + r12 * s23 + r13 * s33),
        )
        r21, r22, r23 = (
            r21 - h * r23 * v - k0 * (r21 * s11 + r22 * s12 + r23 * s31),
            r22 + h * r23 * u - k0 * (r21 * s12 + r22 * s22 + r23 * s23),
            r23 + h * (r21 * v - r22 * u) - k0 * (r21 * s31 + r22 * s23 + r23 * s33),
        )
        r31, r32, r33 = (
            r31 - h * r33 * v - k0 * (r31 * s11 + r32 * s12 + r33 * s31),
            r32 + h * r33 * u - k0 * (r31 * s12 + r32 * s22 + r33 * s23),
            r33 + h * (r31 * v - r32 * u) - k0 * (r31 * s31 + r32 * s23 + r33 * s33),
        )
        pull_j, pull_e = k1 * j * p[4], k2 * e
        turn = h * m3
        m1, m2, m3 = (
            m1 - turn * v + pull_j * first - pull_e * u,
            m2 + turn * u + pull_j * second - pull_e * v,
            m3 + turn * (second * u - first * v) - pull_j,
        )
        size = max(abs(m1), abs(m2), abs(m3))
        # R cannot be far while its products are near; a comparison that is false for NaN, too.
        if not size < limit:
            return count - 1
        left -= 1
        if left == 0:
            left = every
            row = out[sample]
            row[0], row[1], row[2], row[3], row[4], row[5] = r11, r12, r13, r21, r22, r23
            row[6], row[7], row[8], row[9], row[10], row[11] = r31, r32, r33, m1, m2, m3
            sample += 1
    return steps
