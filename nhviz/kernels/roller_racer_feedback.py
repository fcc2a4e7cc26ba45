"""Euler's scheme with feedback for the roller racer: `kernels.feedback.orbit`, written out.

The general loop asks field and integrals one after the other, which are made of the same terms, and keeps states and
gradients in memory. A test holds both against each other.
"""

import math

from nhviz.kernels.circle import cosine_and_sine
from nhviz.kernels.compile import kernel
from nhviz.kernels.linear import assign


@kernel("integer(vector, vector, vector, vector, number, integer, integer, number, number, matrix)")
def euler(start, p, gains, targets, h, steps, every, limit, slack, out):
    """Fill out[sample] with (theta, x, y, phi, Pi_theta, Pi_x, Pi_y, p_phi); returns the steps taken.

    p = (m, I1, I2, d1, d2); gains and targets are those of J1, J2 and the extended energy. The names are those of
    `nhviz.systems.roller_racer`; n_turn, n_steer, n_speed are the derivatives of N by the momenta.
    """
    theta, x, y, phi, turn, push, side, steer = (
        start[0], start[1], start[2], start[3], start[4], start[5], start[6], start[7],
    )  # fmt: skip
    over_m, over_1, over_2, d1, d2 = 1.0 / p[0], 1.0 / p[1], 1.0 / p[2], p[3], p[4]
    front, over_root = d2 * d2 * over_2, 1.0 / math.sqrt(p[0])
    bend = over_m - d1 * d1 * over_1
    far_1, far_2 = slack * (1.0 + abs(targets[0])), slack * (1.0 + abs(targets[1]))
    far_3 = slack * (1.0 + abs(targets[2]))
    assign(out[0], start)
    sample, left = 1, every
    for count in range(1, steps + 1):
        c, s = cosine_and_sine(phi)
        a, b, u, lever = (turn - steer) * over_1, steer * over_2, push * over_m, d1 * c
        n_turn, n_speed = lever * over_1, s * over_m
        n_steer = d2 * over_2 - n_turn
        n = lever * a - s * u + d2 * b
        over_size = 1.0 / (s * n_speed + lever * n_turn + front)
        kappa, over_norm = n * over_size, math.sqrt(over_size)
        n_phi, half_size_phi = -d1 * s * a - c * u, s * c * bend
        off_1, off_2 = n * over_norm - targets[0], side * over_root - targets[1]
        off_3 = 0.5 * (push * u + (turn - steer) * a + steer * b - kappa * n) - targets[2]
        if not (abs(off_1) <= far_1 and abs(off_2) <= far_2 and abs(off_3) <= far_3):
            return count - 1
        pull_1, pull_2, pull_3 = gains[0] * off_1 * over_norm, gains[1] * off_2 * over_root, gains[2] * off_3
        turning, speed, steering = a - kappa * n_turn, u + kappa * n_speed, b - a - kappa * n_steer
        first, second, fourth = -side * speed, side * turning, kappa * (n_phi - kappa * half_size_phi)
        drift = n_turn * (first - fourth) - n_speed * second + d2 * over_2 * fourth + n_phi * steering
        reaction = (kappa * half_size_phi * steering - drift) * over_size
        ahead, aside = cosine_and_sine(theta)
        x += h * speed * ahead
        y += h * speed * aside
        theta += h * turning
        phi += h * (steering - pull_1 * (n_phi - kappa * half_size_phi) + pull_3 * fourth)
        turn += h * (first + reaction * (lever + d2) - pull_1 * n_turn - pull_3 * turning)
        push += h * (second - reaction * s + pull_1 * n_speed - pull_3 * speed)
        side -= h * pull_2
        steer += h * (fourth + reaction * d2 - pull_1 * n_steer - pull_3 * steering)
        # Each on its own, and asked so that the answer is no for NaN, too.
        near = abs(theta) < limit and abs(x) < limit and abs(y) < limit and abs(phi) < limit
        if not (near and abs(turn) < limit and abs(push) < limit and abs(side) < limit and abs(steer) < limit):
            return count - 1
        left -= 1
        if left == 0:
            left = every
            row = out[sample]
            row[0], row[1], row[2], row[3] = theta, x, y, phi
            row[4], row[5], row[6], row[7] = turn, push, side, steer
            sample += 1
    return steps
