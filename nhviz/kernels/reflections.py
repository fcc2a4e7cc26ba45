"""Discrete Euler-Poincare-Suslov steps on SO(n) and SE(n) whose displacements turn one body axis (FZ sections 6, 7).

The constraint allows turns w_i in the planes (e_0, e_i), i = 1..planes, and, with slides = 1, a velocity v along e_0
(FZ (4.8), (5.10)). A displacement in exp d is W = 1 + a b^T - 2 e_0 e_0^T with a = (z_0, z, 0) of length one and
b = (2 z_0, -2 z, l): a turn that takes e_0 to (2 z_0^2 - 1, 2 z_0 z), and a chord l along a (FZ (6.7)). In the Cayley
coordinates c = z/z_0, s = l/z_0, with D = 1 + |c|^2, the mass matrix m and r = m (0, -2 c, s), the momenta are

    before: D P_i = (2 m_00 + r_0) c_i - r_i + 2 m_i0 |c|^2,   D P_v = r_v - 2 m_v0 |c|^2,
    after:  the same with the signs of r_0 and of the terms in |c|^2 reversed.

Multiplied by D the equations for the next displacement are quadratic. A negative eps gives the inverse map.
"""

import math

import numpy as np

from nhviz.kernels.compile import compiled
from nhviz.kernels.linear import orthogonalise, solve
from nhviz.kernels.polynomials import settled

NEWTON_ROUNDS = 25
TIDY = 16
"""After so many products the attitude is made orthogonal again."""


@compiled(forceinline=True)
def tension(mass, planes, slides, y, r):
    """r = m (0, -2 c, s), and |c|^2."""
    square = 0.0
    for i in range(planes):
        square += y[i] * y[i]
    for a in range(mass.shape[0]):
        total = mass[a, planes + 1] * y[planes] if slides else 0.0
        for i in range(planes):
            total -= 2.0 * mass[a, i + 1] * y[i]
        r[a] = total
    return square


@compiled(forceinline=True)
def equations(mass, planes, slides, y, target, r, value, slope):
    """D times (momentum before the step - target) at the displacement y = (c, s), and its derivatives."""
    square = tension(mass, planes, slides, y, r)
    d = 1.0 + square
    lead = 2.0 * mass[0, 0] + r[0]
    for i in range(planes):
        value[i] = lead * y[i] - r[i + 1] + 2.0 * mass[i + 1, 0] * square - target[i] * d
        pull = 4.0 * mass[i + 1, 0] - 2.0 * target[i]
        for j in range(planes):
            slope[i, j] = 2.0 * (mass[i + 1, j + 1] - y[i] * mass[0, j + 1]) + pull * y[j]
        slope[i, i] += lead
        if slides:
            slope[i, planes] = y[i] * mass[0, planes + 1] - mass[i + 1, planes + 1]
    if slides:
        v = planes + 1
        value[planes] = r[v] - 2.0 * mass[v, 0] * square - target[planes] * d
        pull = 4.0 * mass[v, 0] + 2.0 * target[planes]
        for j in range(planes):
            slope[planes, j] = -2.0 * mass[v, j + 1] - pull * y[j]
        slope[planes, planes] = mass[v, v]


@compiled(forceinline=True)
def newton(mass, planes, slides, y, target, r, value, slope):
    """(determinant, moved): improve the displacement y until its momentum before the step is the target.

    The determinant is that of the derivatives, 0 without convergence; `moved` is how far y went.
    """
    before, moved = math.inf, 0.0
    for _ in range(NEWTON_ROUNDS):
        equations(mass, planes, slides, y, target, r, value, slope)
        determinant = solve(slope, value)
        change, size = 0.0, 0.0
        for i in range(y.size):
            y[i] -= value[i]
            change += abs(value[i])
            size += abs(y[i])
        moved += change
        if settled(change, before, size):
            return determinant, moved
        if not size < math.inf:
            break
        before = change
    return 0.0, moved


@compiled()
def follow(mass, planes, slides, target, y, r, value, slope):
    """Follow the displacement from the identity as its momentum grows towards the target; y is where it ends.

    Returns 1, or the share of the target at which the momenta fold and the principal branch ends.
    """
    k = y.size
    trial, aim = np.empty(k), np.empty(k)
    y[:] = 0.0
    reached, stride = 0.0, 0.1
    while reached < 1.0:
        goal = min(1.0, reached + stride)
        scale = goal / reached if reached > 0.0 else 0.0
        for i in range(k):
            trial[i], aim[i] = scale * y[i], goal * target[i]
        determinant, _ = newton(mass, planes, slides, trial, aim, r, value, slope)
        moved, size = 0.0, 0.0
        for i in range(k):
            moved += abs(trial[i] - y[i])
            size += abs(y[i])
        if determinant > 0.0 and (reached == 0.0 or moved <= 0.25 * (0.1 + size)):
            y[:] = trial
            reached = goal
            stride = min(2.0 * stride, 0.1)
        else:
            stride *= 0.5
            if stride < 1e-7:
                break
    return reached


@compiled()
def reach(mass, planes, slides, target):
    """The share of a scaled momentum eps p at which the principal branch towards it ends; 1 if it does not."""
    k = target.size
    return follow(
        mass, planes, slides, target, np.empty(k), np.empty(mass.shape[0]), np.empty(k), np.empty((k, k))
    )  # fmt: skip


@compiled(forceinline=True)
def carry(mass, planes, slides, y, target, r):
    """Replace the scaled momentum before a step by that after it."""
    square = tension(mass, planes, slides, y, r)
    over = 1.0 / (1.0 + square)
    for i in range(planes):
        target[i] -= over * (2.0 * r[0] * y[i] + 4.0 * mass[i + 1, 0] * square)
    if slides:
        target[planes] += 4.0 * over * mass[planes + 1, 0] * square


@compiled(forceinline=True)
def move(planes, slides, y, g):
    """Multiply the attitude (with the place in its last column, if it slides) by the displacement, from the right."""
    square = 0.0
    for i in range(planes):
        square += y[i] * y[i]
    over = 1.0 / (1.0 + square)
    for row in range(planes + 1):
        along = g[row, 0]
        for i in range(planes):
            along += g[row, i + 1] * y[i]
        along *= over
        g[row, 0] = 2.0 * along - g[row, 0]
        for i in range(planes):
            g[row, i + 1] -= 2.0 * along * y[i]
        if slides:
            g[row, planes + 1] += along * y[planes]


@compiled()
def glide(mass, planes, slides, state, pose, eps, step, steps, every, momenta, attitude):
    """Go on from a step while its displacement can be guessed; returns the step that it could not take, or `steps`.

    The rows of `state` are the scaled momentum and the last three displacements, from which the next one is
    extrapolated. Everything that changes is a local array: nothing else can point to it, and the small loops are fast.
    """
    k = state.shape[1]
    target, y, first, second, g = state[0].copy(), state[1].copy(), state[2].copy(), state[3].copy(), pose.copy()
    r, value, slope = np.empty(mass.shape[0]), np.empty(k), np.empty((k, k))
    turning = attitude.shape[0] > 0
    while True:
        if step % every == 0:
            sample = step // every
            for i in range(k):
                momenta[i, sample] = target[i] / eps
            if turning:
                for i in range(g.shape[0]):
                    for j in range(g.shape[1]):
                        attitude[sample, i, j] = g[i, j]
        if step == steps:
            break
        size = 0.0
        for i in range(k):
            guess = 3.0 * (y[i] - first[i]) + second[i]
            second[i], first[i], y[i] = first[i], y[i], guess
            size += abs(guess)
        determinant, moved = newton(mass, planes, slides, y, target, r, value, slope)
        if not (determinant > 0.0 and moved <= 0.1 * size):
            break
        carry(mass, planes, slides, y, target, r)
        if turning:
            move(planes, slides, y, g)
            if step % TIDY == 0:
                orthogonalise(g, 0, planes + 1)
        step += 1
    state[0], state[1], state[2], state[3] = target, y, first, second
    pose[:] = g
    return step


@compiled()
def orbit(mass, planes, slides, start, eps, steps, every, momenta, attitude, last):
    """One orbit into momenta[coordinate, sample] and attitude[sample, planes + 1, planes + 1 + slides].

    An attitude of no samples is not computed. Returns the number of steps taken; fewer than asked where the principal
    branch has folded, and `last` is the momentum there.
    """
    k = start.size
    state, pose = np.zeros((4, k)), np.zeros((planes + 1, planes + 1 + slides))
    for i in range(planes + 1):
        pose[i, i] = 1.0
    state[0] = eps * start
    r, value, slope = np.empty(mass.shape[0]), np.empty(k), np.empty((k, k))
    step, found = 0, -1
    while True:
        step = glide(mass, planes, slides, state, pose, eps, step, steps, every, momenta, attitude)
        stuck = step in (steps, found)
        if stuck or follow(mass, planes, slides, state[0], state[1], r, value, slope) < 1.0:
            last[:] = state[0] / eps
            return step
        state[2], state[3] = state[1], state[1]
        found = step


@compiled()
def orbits(mass, planes, slides, starts, eps, steps, every, momenta, attitude, last):
    """Many orbits: `orbit` for each column of starts; returns the steps each could take."""
    taken = np.empty(starts.shape[1], dtype=np.int64)
    for i in range(starts.shape[1]):
        start = starts[:, i].copy()
        taken[i] = orbit(mass, planes, slides, start, eps, steps, every, momenta[:, i], attitude[i], last[i])
    return taken
