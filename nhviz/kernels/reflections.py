"""Discrete Euler-Poincare-Suslov steps on SO(n) and SE(n) whose displacements turn one body axis (FZ sections 6, 7).

The constraint allows turns w_i in the planes (e_0, e_i) and, with `slides`, a velocity v along e_0 (FZ (4.8), (5.10)).
A displacement in exp d is W = 1 + a b^T - 2 e_0 e_0^T with a = (z_0, z, 0) of length one, b = (2 z_0, -2 z, l): a turn
that takes e_0 to (2 z_0^2 - 1, 2 z_0 z), and a chord l along a (FZ (6.7)). Let c = z/z_0, s = l/z_0, q = |c|^2,
C_i = J_0 + J_i + m a_0^2 with the mass tensor J about the centre of mass a, which is diagonal but for its row
j_i = J_0i, and T_i = eps (p_i + a_i p_v), T_v = eps p_v. Then the momentum before a step is that of c and s if

    (2 C_i + rho) c_i = (1 + q) T_i - 2 q j_i,    rho = -2 <j, c> + a_0 T_v + a_0 (T_v + 2 m a_0) q,
    s = ((1 + q) T_v + 2 m a_0 q)/m + 2 <a, c>,

and the step changes T_i by -(2 rho c_i + 4 q j_i)/(1 + q) and T_v by 4 m a_0 q/(1 + q). So a step is a problem for two
numbers, rho and q = |c|^2, in any dimension; offsets a_i across the axis only shift the momenta. Newton's method for
these is quick, but a 2 C_i + rho may vanish, and it cannot tell branches apart. The principal branch is followed in
z_0, z and y = (l - 2 <a, z>)/unit, in which the same equations are quadratic,

    2 C_i z_i z_0 + 2 |z|^2 j_i - 2 <j, z> z_i + m a_0 unit y z_i = T_i,    m unit z_0 y - 2 m a_0 |z|^2 = T_v.

The top has a = 0 and no p_v. A negative eps gives the inverse map.
"""

import math

import numpy as np
from numba import types

from nhviz.kernels import follow as certain
from nhviz.kernels.compile import VECTOR, kernel, piece
from nhviz.kernels.linear import orthogonalise
from nhviz.kernels.polynomials import settled

NEWTON_ROUNDS = 25
TIDY = 32
"""After so many products the attitude is made orthogonal again."""
SMALLEST_COSINE = 1e-100
"""No quotient by the cosine of half a turn exceeds the numbers."""
TINY = 1e-300
"""A q of zero."""
BODY = types.Tuple((VECTOR, VECTOR, VECTOR, types.float64, types.float64))
"""(2 C_i, j_i, a_i, a_0, m)."""


@piece(forceinline=True)
def least(values):
    """The smallest of some numbers."""
    smallest = values[0]
    for i in range(1, values.size):
        smallest = min(smallest, values[i])
    return smallest


@piece(forceinline=True)
def newton(body, t, slide, rho, q):
    """(converged, rho, q): solve for the two numbers of a step with momenta t and slide, from a guess."""
    doubled, j, _, along, mass = body
    smallest = least(doubled)
    drive = along * (slide + 2.0 * mass * along)
    before = math.inf
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
        over = 1.0 / (first_rho * second_q - first_q * second_rho)
        change_rho = (second_q * first - first_q * second) * over
        change_q = (first_rho * second - second_rho * first) * over
        rho, q = rho - change_rho, q - change_q
        change = abs(change_rho) / (smallest + abs(rho)) + abs(change_q) / (abs(q) + TINY)
        if settled(change, before, 1.0):
            return smallest + rho > 0.0, rho, q
        if not change < math.inf:
            break
        before = change
    return False, rho, q


@piece()
def unit_of_chord(body):
    """The length in which chords are measured: that of the smallest moment."""
    doubled, _, _, _, mass = body
    return math.sqrt(0.5 * least(doubled) / mass)


@kernel("number(body)", body=BODY)
def certain_square(body):
    """The square of the distance from the identity, in z_0, z and y, within which a step is the principal one.

    The bend of `kernels.follow` has the parts C^-1 (2 |z|^2 j - 2 <j, z> z + m a_0 unit y z) and -(4 a_0/unit) |z|^2.
    """
    doubled, j, _, along, mass = body
    square = 0.0
    for i in range(j.size):
        square += j[i] * j[i]
    bend, smallest = 4.0 * math.sqrt(square), least(doubled)
    if mass > 0.0:
        unit = unit_of_chord(body)
        bend = math.hypot((bend + mass * abs(along) * unit) / smallest, 4.0 * abs(along) / unit)
    else:
        bend /= smallest
    return certain.certain_distance(certain.omega_on_sphere(bend)) ** 2


@piece(forceinline=True)
def is_certain(body, slide, q, safe, turn):
    """Whether a step with these numbers is so near to the identity that no other one is; without chord |c|^2 < turn."""
    _, _, _, along, mass = body
    if mass == 0.0 or q >= turn:
        return q < turn
    # y^2 + (1 - z_0)^2 + |z|^2 with m z_0 unit y = T_v + 2 m a_0 |z|^2.
    cosine = 1.0 / math.sqrt(1.0 + q)
    y = (slide + 2.0 * mass * along * q * cosine * cosine) / (mass * cosine)
    return 2.0 - 2.0 * cosine + 2.0 * mass * y * y / least(body[0]) < safe


@kernel("number(body, vector, number, number, vector)", body=BODY)
def follow(body, t, slide, furthest, c):
    """Follow the displacement from the identity as its momenta grow to `furthest` times t and slide, into c = z/z_0.

    Returns `furthest`, or the share at which the principal branch folds.
    """
    doubled, j, _, along, mass = body
    k = doubled.size
    slides = mass > 0.0
    n = k + 2 if slides else k + 1
    matrices, vectors, last = np.zeros((n + 1, n, n)), np.zeros((4, n)), n - 1
    hessians, linear = matrices[:n], matrices[n]
    constant, goal, z, scale = vectors[0], vectors[1], vectors[2], vectors[3]
    unit = unit_of_chord(body) if slides else 0.0
    for i in range(k):
        goal[i] = t[i]
        hessians[i, i, last] = hessians[i, last, i] = doubled[i]
        for a in range(k):
            hessians[i, a, a] += 4.0 * j[i]
            hessians[i, i, a] -= 2.0 * j[a]
            hessians[i, a, i] -= 2.0 * j[a]
        if slides:
            hessians[i, i, k] = hessians[i, k, i] = mass * along * unit
            hessians[k, i, i] = -4.0 * mass * along
    if slides:
        goal[k] = slide
        hessians[k, k, last] = hessians[k, last, k] = mass * unit
    for i in range(k):
        hessians[last, i, i] = 1.0
    constant[last], z[last], hessians[last, last, last] = -0.5, 1.0, 1.0
    for i in range(n):
        scale[i] = 1.0
    certain.write_balance(doubled, scale)
    reached = certain.follow(constant, linear, hessians, goal, furthest, z, scale)
    # A half turn has no c; it is kept finite.
    cosine = z[last] if abs(z[last]) > SMALLEST_COSINE else math.copysign(SMALLEST_COSINE, z[last])
    for i in range(k):
        c[i] = z[i] / cosine
    return reached


@piece(forceinline=True)
def numbers_of(body, slide, c):
    """(rho, q) of a displacement."""
    _, j, _, along, mass = body
    q, rho = 0.0, along * slide
    for i in range(c.size):
        q += c[i] * c[i]
        rho -= 2.0 * j[i] * c[i]
    return rho + along * (slide + 2.0 * mass * along) * q, q


@piece(forceinline=True)
def write_displacement(body, t, rho, q, c):
    """c of the two numbers."""
    doubled, j = body[0], body[1]
    for i in range(doubled.size):
        c[i] = ((1.0 + q) * t[i] - 2.0 * q * j[i]) / (doubled[i] + rho)


@piece(forceinline=True)
def carry(body, t, slide, rho, q, c):
    """Change t to what it is after the step c with its two numbers; returns the new slide."""
    _, j, _, along, mass = body
    share = 1.0 / (1.0 + q)
    for i in range(j.size):
        t[i] -= share * (2.0 * rho * c[i] + 4.0 * q * j[i])
    return slide + 4.0 * share * mass * along * q


@piece(forceinline=True)
def chord(body, slide, q, c):
    """s of a step: its chord over z_0."""
    _, _, lever, along, mass = body
    total = ((1.0 + q) * slide + 2.0 * mass * along * q) / mass
    for i in range(c.size):
        total += 2.0 * lever[i] * c[i]
    return total


@piece(forceinline=True)
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


@kernel("integer(body, vector, number, number, integer, integer, integer, integer, part, cube, vector)", body=BODY)
def orbit(body, start, slide, eps, steps, every, axis, slides, momenta, attitude, last):
    """One orbit into momenta[coordinate, sample], p_i + a_i p_v and p_v, and attitude[sample, row, column].

    `axis` is the one that turns, 0 or the last. An attitude of no samples is not computed. Returns the number of steps
    taken; fewer than asked where the principal branch has folded, and `last` are the momenta there.
    """
    k = start.size
    t, c, slide = eps * start, np.empty(k), eps * slide
    rho, rho_a, rho_b, q, q_a, q_b = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    turning, over = attitude.shape[0] > 0, 1.0 / eps
    g = np.zeros((k + 1, k + 1 + slides))
    for i in range(k + 1):
        g[i, i] = 1.0
    step, sample, due, untidy, safe = 0, 0, 0, 0, certain_square(body)
    turn = 1.0 / (1.0 - 0.5 * safe) ** 2 - 1.0
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
        converged, rho, q = newton(body, t, slide, next_rho, next_q)
        if converged and is_certain(body, slide, q, safe, turn):
            write_displacement(body, t, rho, q, c)
        else:
            if follow(body, t, slide, 1.0, c) < 1.0:
                break
            rho, q = numbers_of(body, slide, c)
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


@kernel("integers(body, matrix, number, integer, integer, integer, integer, cube, four_indices, matrix)", body=BODY)
def orbits(body, starts, eps, steps, every, axis, slides, momenta, attitude, last):
    """Many orbits: `orbit` for each column of starts; returns the steps each could take."""
    k = body[0].size
    taken = np.empty(starts.shape[1], dtype=np.int64)
    for i in range(starts.shape[1]):
        start, slide = starts[:k, i].copy(), starts[k, i] if slides else 0.0
        taken[i] = orbit(body, start, slide, eps, steps, every, axis, slides, momenta[:, i], attitude[i], last[i])
    return taken
