"""The sleigh with an angle as parts of a loop (`kernels.schemes`), with the names of `nhviz.systems.sleigh`."""

import math

from numba.np.unsafe.ndarray import to_fixed_tuple

from nhviz.kernels.circle import UNKNOWN, turned
from nhviz.kernels.compile import kernel, piece
from nhviz.kernels.schemes import ORBIT, follow


@piece(forceinline=True)
def rates(y, body, known):
    """The field at y = (theta, x, y, Pi_theta, Pi_x, Pi_y)."""
    theta, _, _, turn, push, side = y
    over_total, over_m, a_over_total, b, _, _ = body
    c, s, known = turned(theta, known)
    spin = turn + b * push
    omega, forward = spin * over_total, push * over_m
    v = forward + b * omega
    dy = omega, v * c, v * s, -side * v, side * omega, -a_over_total * push * side
    return dy, (omega, v, side, spin, 0.5 * (spin * omega + push * forward)), known


@piece(forceinline=True)
def pulled(dy, terms, body, gains, targets):
    """The rates pulled towards J1 and the extended energy."""
    _, x_rate, y_rate, turn_rate, push_rate, side_rate = dy
    omega, v, side, spin, energy = terms
    _, _, _, b, by_turn, by_side = body
    off_1, off_2 = by_side * side + by_turn * spin - targets[0], energy - targets[1]
    pull_1, pull_2 = gains[0] * off_1, gains[1] * off_2
    dy = (
        omega, x_rate, y_rate, turn_rate - pull_1 * by_turn - pull_2 * omega,
        push_rate - pull_1 * (b * by_turn) - pull_2 * v, side_rate - pull_1 * by_side,
    )  # fmt: skip
    return dy, (off_1, off_2)


@kernel(ORBIT)
def orbit(start, p, gains, targets, step, steps, every, stages, limit, slack, out):
    """One orbit; p = (J, m, a, b). J1 is linear in the momenta: its derivatives are constant."""
    inertia, m, a, b = p[0], p[1], p[2], p[3]
    total = inertia + m * a * a
    scale = math.sqrt(m * inertia / total)
    body = 1.0 / total, 1.0 / m, a / total, b, -scale * a / inertia, scale * (1.0 / m + a * a / inertia)
    return follow(
        rates, pulled, to_fixed_tuple(start, 6), body, UNKNOWN, to_fixed_tuple(gains, 2), to_fixed_tuple(targets, 2),
        step, steps, every, stages, limit, slack, out,
    )  # fmt: skip
