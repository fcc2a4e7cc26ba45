"""The Suslov top with its 3 x 3 matrix as parts of a loop (`kernels.schemes`).

With equal gains the pull of the orthogonality is k0 R (R^T R - 1), as in CP (37).
"""

from numba.np.unsafe.ndarray import to_fixed_tuple

from nhviz.kernels.compile import kernel, piece
from nhviz.kernels.schemes import ORBIT, follow

ROOT = 2.0**0.5


@piece(forceinline=True)
def rates(y, body, known):
    """The field at y = (R row by row, M1, M2, M3)."""
    r11, r12, r13, r21, r22, r23, r31, r32, r33, m1, m2, m3 = y
    over_1, over_2, first, second, _ = body
    u, v = over_1 * m1, over_2 * m2
    dy = (
        -r13 * v, r13 * u, r11 * v - r12 * u,
        -r23 * v, r23 * u, r21 * v - r22 * u,
        -r33 * v, r33 * u, r31 * v - r32 * u,
        -m3 * v, m3 * u, m3 * (second * u - first * v),
    )  # fmt: skip
    return dy, (y, u, v), known


@piece(forceinline=True)
def pulled(dy, terms, body, gains, targets):
    """The rates pulled towards the products of R's columns, J and E_c."""
    y, u, v = terms
    r11, r12, r13, r21, r22, r23, r31, r32, r33, m1, m2, m3 = y
    _, _, first, second, over_root = body
    wide_1 = r11 * r11 + r21 * r21 + r31 * r31 - (1.0 + ROOT * targets[0])
    wide_2 = r12 * r12 + r22 * r22 + r32 * r32 - (1.0 + ROOT * targets[1])
    wide_3 = r13 * r13 + r23 * r23 + r33 * r33 - (1.0 + ROOT * targets[2])
    off_12 = r11 * r12 + r21 * r22 + r31 * r32 - targets[3]
    off_23 = r12 * r13 + r22 * r23 + r32 * r33 - targets[4]
    off_31 = r13 * r11 + r23 * r21 + r33 * r31 - targets[5]
    off_j = over_root * (m3 - first * m1 - second * m2) - targets[6]
    off_e = 0.5 * (m1 * u + m2 * v) - targets[7]
    s11, s22, s33 = gains[0] * wide_1, gains[1] * wide_2, gains[2] * wide_3
    s12, s23, s31 = gains[3] * off_12, gains[4] * off_23, gains[5] * off_31
    pull_j, pull_e = gains[6] * over_root * off_j, gains[7] * off_e
    dy = (
        dy[0] - (r11 * s11 + r12 * s12 + r13 * s31),
        dy[1] - (r11 * s12 + r12 * s22 + r13 * s23),
        dy[2] - (r11 * s31 + r12 * s23 + r13 * s33),
        dy[3] - (r21 * s11 + r22 * s12 + r23 * s31),
        dy[4] - (r21 * s12 + r22 * s22 + r23 * s23),
        dy[5] - (r21 * s31 + r22 * s23 + r23 * s33),
        dy[6] - (r31 * s11 + r32 * s12 + r33 * s31),
        dy[7] - (r31 * s12 + r32 * s22 + r33 * s23),
        dy[8] - (r31 * s31 + r32 * s23 + r33 * s33),
        dy[9] + pull_j * first - pull_e * u,
        dy[10] + pull_j * second - pull_e * v,
        dy[11] - pull_j,
    )
    return dy, (wide_1 / ROOT, wide_2 / ROOT, wide_3 / ROOT, off_12, off_23, off_31, off_j, off_e)


@kernel(ORBIT)
def orbit(start, p, gains, targets, step, steps, every, stages, limit, slack, out):
    """One orbit; p = (1/I11, 1/I22, I13, I23, 1/sqrt(s))."""
    return follow(
        rates, pulled, to_fixed_tuple(start, 12), (p[0], p[1], p[2] * p[0], p[3] * p[1], p[4]), (),
        to_fixed_tuple(gains, 8), to_fixed_tuple(targets, 8), step, steps, every, stages, limit, slack, out,
    )  # fmt: skip
