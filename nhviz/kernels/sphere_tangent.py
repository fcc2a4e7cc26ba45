"""The tangent map of the discrete Chaplygin sphere, and how fast nearby orbits part.

A step solves F(g; gamma, m) = A g + g x I g - (1 + |g|^2) m = 0 with A = I + D (1 - gamma gamma^T), and carries gamma
and K = 2 m/eps by v -> v + c (w + w x g), w = v x g, c = 2/(1 + |g|^2). By the implicit function theorem

    F_g dg = D (<gamma, g> dgamma + <dgamma, g> gamma) + (1 + |g|^2) dm,

and dv' follows by the product rule. Deviations are those of a small turn of the body, (dgamma, dK) = (a x gamma, a x
K): they keep the integrals <gamma, gamma>, <K, gamma>, <K, K>, and so does the tangent map.
"""

import math

import numpy as np

from nhviz.kernels.attitude import cross
from nhviz.kernels.compile import kernel, piece
from nhviz.kernels.sphere import certain_square, displacement, dot, equation, momentum, solve

# The turn from which deviations begin: a direction of no importance, the same for all.
FIRST_TURN = (0.53, -0.71, 0.46)


@piece()
def carried(v, g):
    """v after a step: Omega^T v."""
    w = cross(v, g)
    back = cross(w, g)
    c = 2.0 / (1.0 + dot(g, g))
    return (v[0] + c * (w[0] + back[0]), v[1] + c * (w[1] + back[1]), v[2] + c * (w[2] + back[2]))


@piece()
def carried_deviation(v, dv, g, dg):
    """The derivative of `carried` along (dv, dg)."""
    c = 2.0 / (1.0 + dot(g, g))
    dc = -c * c * dot(g, dg)
    w = cross(v, g)
    by_v, by_g = cross(dv, g), cross(v, dg)
    dw = (by_v[0] + by_g[0], by_v[1] + by_g[1], by_v[2] + by_g[2])
    back, back_w, back_g = cross(w, g), cross(dw, g), cross(w, dg)
    return (
        dv[0] + dc * (w[0] + back[0]) + c * (dw[0] + back_w[0] + back_g[0]),
        dv[1] + dc * (w[1] + back[1]) + c * (dw[1] + back_w[1] + back_g[1]),
        dv[2] + dc * (w[2] + back[2]) + c * (dw[2] + back_w[2] + back_g[2]),
    )


@piece()
def displacement_deviation(body, gamma, m, g, dgamma, dm):
    """dg of a deviation of the vertical and of the scaled momentum."""
    _, matrix = equation(body, gamma, m, g)
    along, other, size = body[3] * dot(gamma, g), body[3] * dot(dgamma, g), 1.0 + dot(g, g)
    right = (
        along * dgamma[0] + other * gamma[0] + size * dm[0],
        along * dgamma[1] + other * gamma[1] + size * dm[1],
        along * dgamma[2] + other * gamma[2] + size * dm[2],
    )
    return solve(matrix, right)


@kernel("number(four, triple, triple, number, integer, triple)")
def growth(body, gamma, omega, eps, steps, turn):
    """The logarithm of the growth of a deviation along an orbit, whose momenta count in units of |K|.

    It begins as a turn of the body; NaN where the branch folds on the way, or at rest.
    """
    k, safe, half = momentum(body, gamma, omega), certain_square(body), 0.5 * eps
    dgamma, dk, none = cross(turn, gamma), cross(turn, k), np.empty((0, 3))
    unit = 1.0 / math.sqrt(dot(k, k))
    first = math.sqrt(dot(dgamma, dgamma) + unit * unit * dot(dk, dk))
    # What is a unit deviation at first grows from there; it is brought back to that size at every step.
    dgamma, dk = (
        (dgamma[0] / first, dgamma[1] / first, dgamma[2] / first), (dk[0] / first, dk[1] / first, dk[2] / first),
    )  # fmt: skip
    g, total = (half * omega[0], half * omega[1], half * omega[2]), 0.0
    for _ in range(steps):
        m = (half * k[0], half * k[1], half * k[2])
        found, g = displacement(body, gamma, m, g, safe, 0, none)
        if not found:
            return math.nan
        dg = displacement_deviation(body, gamma, m, g, dgamma, (half * dk[0], half * dk[1], half * dk[2]))
        dgamma, dk = carried_deviation(gamma, dgamma, g, dg), carried_deviation(k, dk, g, dg)
        gamma, k = carried(gamma, g), carried(k, g)
        size = math.sqrt(dot(dgamma, dgamma) + unit * unit * dot(dk, dk))
        total += math.log(size)
        over = 1.0 / size
        dgamma = (over * dgamma[0], over * dgamma[1], over * dgamma[2])
        dk = (over * dk[0], over * dk[1], over * dk[2])
    return total


@kernel("nothing(matrix, matrix, vector, integers, vector)")
def exponents(balls, starts, eps, steps, out):
    """The mean rate of growth over the run of each row: a ball (I1, I2, I3, D) and a start (gamma, omega)."""
    for i in range(out.size):
        ball = (balls[i, 0], balls[i, 1], balls[i, 2], balls[i, 3])
        gamma, omega = (starts[i, 0], starts[i, 1], starts[i, 2]), (starts[i, 3], starts[i, 4], starts[i, 5])
        out[i] = growth(ball, gamma, omega, eps[i], steps[i], FIRST_TURN) / (eps[i] * steps[i])
