"""The knife edge as parts of a loop (`kernels.schemes`), with the names of `nhviz.systems.knife_edge`."""

import math

from numba.np.unsafe.ndarray import to_fixed_tuple

from nhviz.kernels.circle import UNKNOWN, turned
from nhviz.kernels.compile import kernel, piece
from nhviz.kernels.schemes import ORBIT, follow


@piece(forceinline=True)
def rates(y, body, known):
    """The field at y = (x, y, phi, p_x, p_y, p_phi)."""
    x, _, phi, p_x, p_y, p_phi = y
    over_m, over_j, weight, _ = body
    c, s, known = turned(phi, known)
    along, across, turning = p_x * c + p_y * s, p_x * s - p_y * c, p_phi * over_j
    speed, reaction, repair = along * over_m, -weight * s - turning * along, turning * across
    dy = speed * c, speed * s, turning, weight + reaction * s + repair * c, repair * s - reaction * c, 0.0
    rest = 0.5 * p_phi * turning - weight * x
    return dy, (c, s, along, across, speed, p_phi, rest), known


@piece(forceinline=True)
def pulled(dy, terms, body, gains, targets):
    """The rates pulled towards J1, p_phi and the extended energy."""
    x_rate, y_rate, turning, force_x, force_y, _ = dy
    c, s, along, across, speed, p_phi, rest = terms
    _, _, weight, over_root = body
    off_1, off_2 = across * over_root - targets[0], p_phi - targets[1]
    off_3 = rest - targets[2] + 0.5 * along * speed
    pull_1, pull_3 = gains[0] * off_1 * over_root, gains[2] * off_3
    dy = (
        x_rate + pull_3 * weight, y_rate, turning - pull_1 * along + pull_3 * (speed * across),
        force_x - pull_1 * s - pull_3 * x_rate, force_y + pull_1 * c - pull_3 * y_rate,
        -(gains[1] * off_2 + pull_3 * turning),
    )  # fmt: skip
    return dy, (off_1, off_2, off_3)


@kernel(ORBIT)
def orbit(start, p, gains, targets, step, steps, every, stages, limit, slack, out):
    """One orbit; p = (m, J, G)."""
    body = 1.0 / p[0], 1.0 / p[1], p[0] * p[2], 1.0 / math.sqrt(p[0])
    return follow(
        rates, pulled, to_fixed_tuple(start, 6), body, UNKNOWN, to_fixed_tuple(gains, 3), to_fixed_tuple(targets, 3),
        step, steps, every, stages, limit, slack, out,
    )  # fmt: skip
