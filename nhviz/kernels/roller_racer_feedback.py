"""The roller racer as parts of a loop (`kernels.schemes`).

The names are those of `nhviz.systems.roller_racer`; n_turn, n_steer, n_speed are the derivatives of N by the momenta.
Where its field has kappa^2 twice with opposite signs, the reaction is written without.
"""

import math

from numba.np.unsafe.ndarray import to_fixed_tuple

from nhviz.kernels.circle import UNKNOWN, turned
from nhviz.kernels.compile import kernel, piece
from nhviz.kernels.schemes import ORBIT, follow


@piece(forceinline=True)
def rates(y, body, known):
    """The field at y = (theta, x, y, phi, Pi_theta, Pi_x, Pi_y, p_phi)."""
    theta, _, _, phi, turn, push, side, steer = y
    over_m, over_1, over_2, d1, d2, d1_over_1, d2_over_2, bend, _ = body
    c, s, known_phi = turned(phi, known[0])
    ahead, aside, known_theta = turned(theta, known[1])
    relative = turn - steer
    a, b, u, lever = relative * over_1, steer * over_2, push * over_m, d1 * c
    n_turn, n_speed = c * d1_over_1, s * over_m
    n_steer = d2_over_2 - n_turn
    n = d2 * b + lever * a - s * u
    size = s * s * over_m + (c * c * (d1 * d1_over_1) + d2 * d2_over_2)
    over_size = 1.0 / size
    kappa = n * over_size
    change = -d1 * s * a - c * u - kappa * (s * c * bend)
    turning, speed, steering = a - kappa * n_turn, u + kappa * n_speed, b - a - n * n_steer * over_size
    fourth = kappa * change
    reaction = (side * (n_turn * u + n_speed * a) - change * (b - a)) * over_size
    dy = (
        turning, speed * ahead, speed * aside, steering, reaction * (lever + d2) - side * speed,
        side * turning - reaction * s, 0.0, fourth + reaction * d2,
    )  # fmt: skip
    energy = 0.5 * (push * u + relative * a + steer * b)
    terms = n, size, over_size, kappa, change, n_turn, n_speed, n_steer, speed, side, energy
    return dy, terms, (known_phi, known_theta)


@piece(forceinline=True)
def pulled(dy, terms, body, gains, targets):
    """The rates pulled towards J1, J2 and the extended energy."""
    turning, along_x, along_y, steering, first, second, _, fourth = dy
    n, size, over_size, kappa, change, n_turn, n_speed, n_steer, speed, side, energy = terms
    # A root beside the quotient: one of the quotient would come after it.
    over_norm, over_root = math.sqrt(size) * over_size, body[-1]
    off_1, off_2 = n * over_norm - targets[0], side * over_root - targets[1]
    off_3 = energy - targets[2] - 0.5 * n * kappa
    aim, pull_3 = gains[0] * targets[0] * over_norm, gains[2] * off_3
    pull_1 = gains[0] * kappa - aim
    dy = (
        turning, along_x, along_y, steering + ((pull_3 - gains[0]) * kappa + aim) * change,
        first - pull_1 * n_turn - pull_3 * turning, second + pull_1 * n_speed - pull_3 * speed,
        -gains[1] * off_2 * over_root, fourth - pull_1 * n_steer - pull_3 * steering,
    )  # fmt: skip
    return dy, (off_1, off_2, off_3)


@kernel(ORBIT)
def orbit(start, p, gains, targets, step, steps, every, stages, limit, slack, out):
    """One orbit; p = (m, I1, I2, d1, d2)."""
    over_m, over_1, over_2, d1, d2 = 1.0 / p[0], 1.0 / p[1], 1.0 / p[2], p[3], p[4]
    bend = over_m - d1 * d1 * over_1
    body = over_m, over_1, over_2, d1, d2, d1 * over_1, d2 * over_2, bend, math.sqrt(over_m)
    return follow(
        rates, pulled, to_fixed_tuple(start, 8), body, (UNKNOWN, UNKNOWN), to_fixed_tuple(gains, 3),
        to_fixed_tuple(targets, 3), step, steps, every, stages, limit, slack, out,
    )  # fmt: skip
