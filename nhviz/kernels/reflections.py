"""Discrete Euler-Poincare-Suslov steps on SO(n) and SE(n) whose displacements turn one body axis (FZ sections 6, 7).

The constraint allows turns w_i in the planes (e_0, e_i) and, with `slides`, a velocity v along e_0 (FZ (4.8), (5.10)).
A displacement in exp d is W = 1 + a b^T - 2 e_0 e_0^T with a = (z_0, z, 0) of length one, b = (2 z_0, -2 z, l): a turn
that takes e_0 to (2 z_0^2 - 1, 2 z_0 z), and a chord l along a (FZ (6.7)). Let c = z/z_0, s = l/z_0, q = |c|^2,
C_i = J_0 + J_i + m a_0^2 with the mass tensor J about the centre of mass a, which is diagonal but for its row
j_i = J_0i, and T_i = eps (p_i + a_i p_v), T_v = eps p_v. Then the momentum before a step is that of c and s if

    (2 C_i + rho) c_i = (1 + q) T_i - 2 q j_i,    rho = -2 <j, c> + a_0 T_v + a_0 (T_v + 2 m a_0) q,
    s = ((1 + q) T_v + 2 m a_0 q)/m + 2 <a, c>,

and the step changes T_i by -(2 rho c_i + 4 q j_i)/(1 + q) and T_v by 4 m a_0 q/(1 + q). So a step is a problem for two
numbers, rho and q = |c|^2, in any dimension; offsets a_i across the axis only shift the momenta. The derivative of the
momenta has the sign of the determinant of that problem as long as all 2 C_i + rho are positive, as they are where the
principal branch begins. The top has a = 0 and no p_v. A negative eps gives the inverse map.
"""

import math

import numpy as np

from nhviz.kernels.compile import compiled
from nhviz.kernels.linear import orthogonalise
from nhviz.kernels.polynomials import settled

NEWTON_ROUNDS = 25
TIDY = 32
"""After so many products the attitude is made orthogonal again."""
LONGEST_STRIDE, SHORTEST_STRIDE = 0.3, 1e-9
"""Shares by which the momenta grow along the principal branch; at the smaller one it has folded."""
TINY, NEGLIGIBLE = 1e-300, 1e-20
"""A q of zero, and one below which no guess matters."""


@compiled(forceinline=True)
def newton(body, t, slide, rho, q):
    """(determinant, rho, q, moved): solve for the two numbers of a step with momenta t and slide, from a guess.

    The determinant is 0 without convergence, and where some 2 C_i + rho is not positive. `moved` is how far the numbers
    went, as shares of what they are measured by.
    """
    doubled, j, _, along, mass = body
    least = doubled[0]
    for i in range(1, doubled.size):
        least = min(least, doubled[i])
    drive = along * (slide + 2.0 * mass * along)
    before, moved = math.inf, 0.0
    for _ in range(NEWTON_ROUNDS):
        first, second = rho - along * slide - drive * q, q
        first_rho, first_q, second_rho, second_q = 1.0, -drive, 0.0, 1.0
        for i in range(doubled.size):
            over = 1.0 / (doubled[i] + rho)
            rise = (t[i] - 2.0 * j[i]) * over
            c = t[i] * over + q * rise
            first += 2.0 * j[i] * c
            second -= c * c
            first_rho -= 2.0 * j[i] * c * over
            first_q += 2.0 * j[i] * rise
            second_rho += 2.0 * c * c * over
            second_q -= 2.0 * c * rise
        determinant = first_rho * second_q - first_q * second_rho
        over = 1.0 / determinant
        change_rho = (second_q * first - first_q * second) * over
        change_q = (first_rho * second - second_rho * first) * over
        rho, q = rho - change_rho, q - change_q
        scale = least + abs(rho)
        change = abs(change_rho) / scale + abs(change_q) / (abs(q) + TINY)
        moved += abs(change_rho) / scale + abs(change_q) / (abs(q) + NEGLIGIBLE)
        if settled(change, before, 1.0):
            return (determinant if least + rho > 0.0 else 0.0), rho, q, moved
        if not change < math.inf:
            break
        before = change
    return 0.0, rho, q, moved


@compiled()
def tangent(body, t, slide, share, rho, q):
    """(rho', q'): how the two numbers of a step change with the share of the momenta t and slide that it has."""
    doubled, j, _, along, mass = body
    drive = along * (share * slide + 2.0 * mass * along)
    first, second = -along * slide * (1.0 + q), 0.0
    first_rho, first_q, second_rho, second_q = 1.0, -drive, 0.0, 1.0
    for i in range(doubled.size):
        over = 1.0 / (doubled[i] + rho)
        rise = (share * t[i] - 2.0 * j[i]) * over
        c, grown = share * t[i] * over + q * rise, (1.0 + q) * t[i] * over
        first += 2.0 * j[i] * grown
        second -= 2.0 * c * grown
        first_rho -= 2.0 * j[i] * c * over
        first_q += 2.0 * j[i] * rise
        second_rho += 2.0 * c * c * over
        second_q -= 2.0 * c * rise
    over = 1.0 / (first_rho * second_q - first_q * second_rho)
    return (first_q * second - second_q * first) * over, (second_rho * first - first_rho * second) * over


@compiled()
def is_near(body, t, share, rho, q, slopes, goal, next_rho, next_q):
    """Whether the displacement at another share is the one that the tangent leads to, but for a fifth of the way."""
    doubled, j = body[0], body[1]
    way, miss = 0.0, 0.0
    for i in range(doubled.size):
        over = 1.0 / (doubled[i] + rho)
        c = ((1.0 + q) * share * t[i] - 2.0 * q * j[i]) * over
        slope = ((1.0 + q) * t[i] + (share * t[i] - 2.0 * j[i]) * slopes[1] - c * slopes[0]) * over
        found = ((1.0 + next_q) * goal * t[i] - 2.0 * next_q * j[i]) / (doubled[i] + next_rho)
        way += (slope * (goal - share)) ** 2
        miss += (found - c - slope * (goal - share)) ** 2
    return miss <= 0.04 * way


@compiled()
def follow(body, t, slide, most):
    """(reached, rho, q): follow the displacement from the identity as its momenta grow to `most` times t and slide.

    reached is `most`, or the share at which the momenta fold and the principal branch ends, to nine digits. It begins
    where everything is linear; a stride that leaves the tangent is taken again at half its length.
    """
    doubled, j, _, along, _ = body
    rate, square = along * slide, 0.0
    for i in range(doubled.size):
        rate -= 2.0 * j[i] * t[i] / doubled[i]
        square += (t[i] / doubled[i]) ** 2
    pace = max(math.sqrt(square), abs(rate) / doubled.min())
    if pace == 0.0:
        return most, 0.0, 0.0
    reached, growth = min(most, 1e-3 / pace), LONGEST_STRIDE
    _, rho, q, _ = newton(body, reached * t, reached * slide, reached * rate, reached * reached * square)
    while reached < most:
        goal = min(most, reached * (1.0 + growth))
        slopes = tangent(body, t, slide, reached, rho, q)
        guess = max(q + slopes[1] * (goal - reached), 0.0)
        determinant, next_rho, next_q, _ = newton(
            body, goal * t, goal * slide, rho + slopes[0] * (goal - reached), guess
        )
        if determinant > 0.0 and is_near(body, t, reached, rho, q, slopes, goal, next_rho, next_q):
            rho, q, reached = next_rho, next_q, goal
            growth = min(2.0 * growth, LONGEST_STRIDE)
        else:
            growth *= 0.5
            if growth < SHORTEST_STRIDE:
                break
    return reached, rho, q


@compiled(forceinline=True)
def carry(body, t, slide, rho, q, c):
    """Fill the displacement c of the two numbers, change t to what it is after the step; returns the new slide."""
    doubled, j, _, along, mass = body
    share = 1.0 / (1.0 + q)
    for i in range(doubled.size):
        c[i] = ((1.0 + q) * t[i] - 2.0 * q * j[i]) / (doubled[i] + rho)
        t[i] -= share * (2.0 * rho * c[i] + 4.0 * q * j[i])
    return slide + 4.0 * share * mass * along * q


@compiled(forceinline=True)
def chord(body, slide, q, c):
    """s of a step: its chord over z_0."""
    _, _, lever, along, mass = body
    total = ((1.0 + q) * slide + 2.0 * mass * along * q) / mass
    for i in range(c.size):
        total += 2.0 * lever[i] * c[i]
    return total


@compiled(forceinline=True)
def move(axis, c, s, g):
    """Multiply the attitude (with the place in a last column, if there is one) by a displacement, from the right.

    The axis that turns is the first or the last one; the others follow or precede it.
    """
    planes = c.size
    slides = g.shape[1] > planes + 1
    other = 1 if axis == 0 else 0
    square = 0.0
    for i in range(planes):
        square += c[i] * c[i]
    over = 1.0 / (1.0 + square)
    for row in range(planes + 1):
        along = g[row, axis]
        for i in range(planes):
            along += g[row, i + other] * c[i]
        along *= over
        g[row, axis] = 2.0 * along - g[row, axis]
        for i in range(planes):
            g[row, i + other] -= 2.0 * along * c[i]
        if slides:
            g[row, planes + 1] += along * s


@compiled()
def orbit(body, start, slide, eps, steps, every, axis, slides, momenta, attitude, last):
    """One orbit into momenta[coordinate, sample], p_i + a_i p_v and p_v, and attitude[sample, row, column].

    `axis` is the one that turns, 0 or the last. An attitude of no samples is not computed. Returns the number of steps
    taken; fewer than asked where the principal branch has folded, and `last` are the momenta there.
    """
    k = start.size
    t, c, slide = eps * start, np.empty(k), eps * slide
    rho, rho_a, rho_b, q, q_a, q_b = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    turning, over = attitude.shape[0] > 0, 1.0 / eps
    g = np.eye(k + 1, k + 1 + slides)
    step, sample, due, untidy = 0, 0, 0, 0
    while True:
        if step == due:
            for i in range(k):
                momenta[i, sample] = t[i] * over
            if slides:
                momenta[k, sample] = slide * over
            if turning:
                for i in range(g.shape[0]):
                    for j in range(g.shape[1]):
                        attitude[sample, i, j] = g[i, j]
            sample, due = sample + 1, due + every
        if step == steps:
            break
        # Both numbers are extrapolated from the last three steps.
        next_rho, next_q = 3.0 * (rho - rho_a) + rho_b, max(3.0 * (q - q_a) + q_b, 0.0)
        rho_b, q_b, rho_a, q_a = rho_a, q_a, rho, q
        determinant, rho, q, moved = newton(body, t, slide, next_rho, next_q)
        if not (determinant > 0.0 and moved <= 0.1):
            reached, rho, q = follow(body, t, slide, 1.0)
            if reached < 1.0:
                break
            rho_a, rho_b, q_a, q_b = rho, rho, q, q
        before = slide
        slide = carry(body, t, slide, rho, q, c)
        if turning:
            move(axis, c, chord(body, before, q, c) if slides else 0.0, g)
            untidy += 1
            if untidy == TIDY:
                orthogonalise(g, 0, k + 1)
                untidy = 0
        step += 1
    for i in range(k):
        last[i] = t[i] * over
    if slides:
        last[k] = slide * over
    return step


@compiled()
def orbits(body, starts, eps, steps, every, axis, slides, momenta, attitude, last):
    """Many orbits: `orbit` for each column of starts; returns the steps each could take."""
    k = body[0].size
    taken = np.empty(starts.shape[1], dtype=np.int64)
    for i in range(starts.shape[1]):
        start, slide = starts[:k, i].copy(), starts[k, i] if slides else 0.0
        taken[i] = orbit(body, start, slide, eps, steps, every, axis, slides, momenta[:, i], attitude[i], last[i])
    return taken
