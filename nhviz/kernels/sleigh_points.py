"""Cusps, total turns and phase leads of many sleighs; rows are a body (J, m, a, b) and a start of it each.

Runs are cut into pieces, so that long ones need no more room than short ones.
"""

import math

import numpy as np

from nhviz.kernels.compile import kernel
from nhviz.kernels.phases import ahead_of_flow, arc_of, unwrapped
from nhviz.kernels.sleigh import orbit
from nhviz.kernels.sleigh_path import exact_path, heading
from nhviz.kernels.sleigh_turns import cubic_half_turn, single_valued_level

PIECE = 1024
PANELS_BUDGET = 2_000_000
# An orbit that needs more steps to come to its limit turns for too long to be added up.
TURNS_BUDGET = 2_000_000
SMALLEST_ARM = 1e-150


@kernel("nothing(matrix, matrix, matrix)")
def flow_cusps(bodies, starts, out):
    """Time and place (t, x, y) of the flow's one cusp, before or after the start; NaN for motions without one."""
    times, path = np.zeros(2), np.empty((2, 2))
    for i in range(out.shape[0]):
        spin, m, a, b = bodies[i, 0], bodies[i, 1], bodies[i, 2], bodies[i, 3]
        theta, x, y, p_theta, p_1 = starts[i, 0], starts[i, 1], starts[i, 2], starts[i, 3], starts[i, 4]
        out[i, 0] = out[i, 1] = out[i, 2] = math.nan
        total = spin + m * a * a
        first, second = (p_theta + b * p_1) / math.sqrt(total), p_1 / math.sqrt(m)
        rate, phase, sign = arc_of(first, second, a * math.sqrt(m) / total)
        if rate == 0.0 or abs(a) < SMALLEST_ARM:
            continue
        times[1] = (math.asinh(-sign * b * math.sqrt(m / total)) - phase) / rate
        gain, speed = sign * math.sqrt(total / m) / a, math.hypot(first, second) / math.sqrt(m)
        if exact_path(theta, speed, gain, rate, phase, times, PANELS_BUDGET, path) < times.size:
            continue
        # The part of the path due to b omega is exact: the integral of b theta' (cos theta, sin theta).
        half = 0.5 * heading(gain, rate, phase, times[1])
        aside = 2.0 * b * math.sin(half)
        out[i, 0] = times[1]
        out[i, 1] = x + path[0, 1] + aside * math.cos(theta + half)
        out[i, 2] = y + path[1, 1] + aside * math.sin(theta + half)


@kernel("nothing(integer, four, five, number, integer, matrix, vector)")
def map_cusp(scheme, body, start, eps, steps, state, out):
    """(t, x, y) of the first vertex of a discrete path at which its chord changes sign; NaN if there is none."""
    before, when, done = 0.0, 0.0, 0
    out[0] = out[1] = out[2] = math.nan
    while done < steps:
        count = min(PIECE, steps - done)
        taken, _ = orbit(scheme, body, start, eps, count, 1, state)
        for k in range(min(taken - 1, count)):
            middle = 0.5 * (state[0, k + 1] + state[0, k])
            chord = (state[1, k + 1] - state[1, k]) * math.cos(middle) + (state[2, k + 1] - state[2, k]) * math.sin(
                middle
            )
            t = (done + k + 0.5) * eps
            if chord * before < 0.0:
                weight = before / (before - chord)
                out[0], out[1], out[2] = (1.0 - weight) * when + weight * t, state[1, k], state[2, k]
                return
            # A step of no length at all belongs to neither side.
            if chord != 0.0:
                before, when = chord, t
        if taken <= count:
            return
        start = (state[0, count], state[1, count], state[2, count], state[3, count], state[4, count])
        done += count


@kernel("nothing(integer, matrix, matrix, vector, integers, matrix)")
def map_cusps(scheme, bodies, starts, eps, steps, out):
    """`map_cusp` of every row."""
    state = np.empty((8, PIECE + 1))
    for i in range(out.shape[0]):
        body = (bodies[i, 0], bodies[i, 1], bodies[i, 2], bodies[i, 3])
        start = (starts[i, 0], starts[i, 1], starts[i, 2], starts[i, 3], starts[i, 4])
        map_cusp(scheme, body, start, eps[i], steps[i], state, out[i])


@kernel("number(number, number, number, number)")
def turn_from(spin, mu, p, c):
    """The sum of the turns of all steps of an orbit from here on (`nhviz.analysis.sleigh_turn`), p > 0, or NaN.

    The turns are added up with the round-off of each sum carried along.
    """
    total, turn, rest = spin + mu, 0.0, 0.0
    for _ in range(TURNS_BUDGET):
        if not abs(p) > 1e-18 * total:
            return turn + rest
        _, sine, cosine = cubic_half_turn(spin, mu, p, c)
        more = 2.0 * math.atan2(sine, cosine)
        grown = turn + more
        rest += (turn - grown) + more if abs(turn) >= abs(more) else (more - grown) + turn
        turn = grown
        p, c = 4.0 * total * sine * cosine - p, c + 4.0 * mu * sine * sine
    return math.nan


@kernel("nothing(matrix, matrix, vector, vector)")
def map_turns(bodies, starts, eps, out):
    """The total turn of the Fedorov-Zenkov orbit through each start, both ways; NaN where the map has many branches."""
    for i in range(out.size):
        spin, m, a, b = bodies[i, 0], bodies[i, 1], bodies[i, 2], bodies[i, 3]
        mu = m * a * a
        p, c = eps[i] * abs(starts[i, 3] + b * starts[i, 4]), eps[i] * a * starts[i, 4]
        out[i] = math.nan
        # Without an arm or a spin nothing comes to a limit, or nothing turns.
        if mu > 0.0 and p > 0.0 and p * p / (spin + mu) + c * c / mu < single_valued_level(spin, mu):
            out[i] = turn_from(spin, mu, p, c) + turn_from(spin, mu, p, -c)


@kernel("number(integer, four, five, number, integer, matrix)")
def phase_lead(scheme, body, start, eps, steps, state):
    """The phase of one run at its end minus that of the flow, positive where the run is ahead; NaN if it ends early."""
    spin, m, a, b = body
    total = spin + m * a * a
    rest = ((start[3] + b * start[4]) / math.sqrt(total), start[4] / math.sqrt(m))
    rate, phase, sign = arc_of(rest[0], rest[1], a * math.sqrt(m) / total)
    lead, done = 0.0, 0
    while True:
        count = min(PIECE, steps - done)
        taken, _ = orbit(scheme, body, start, eps, count, 1, state)
        if taken <= count:
            return math.nan
        for k in range(count + 1):
            x, y = (state[3, k] + b * state[4, k]) / math.sqrt(total), state[4, k] / math.sqrt(m)
            lead = unwrapped(ahead_of_flow(rate, phase, sign, rest, (done + k) * eps, x, y), lead)
        done += count
        if done >= steps:
            return sign * math.copysign(1.0, rate) * lead if rate != 0.0 else 0.0
        start = (state[0, count], state[1, count], state[2, count], state[3, count], state[4, count])


@kernel("nothing(integer, matrix, matrix, vector, integers, vector)")
def phase_leads(scheme, bodies, starts, eps, steps, out):
    """`phase_lead` of every row."""
    state = np.empty((8, PIECE + 1))
    for i in range(out.size):
        body = (bodies[i, 0], bodies[i, 1], bodies[i, 2], bodies[i, 3])
        start = (starts[i, 0], starts[i, 1], starts[i, 2], starts[i, 3], starts[i, 4])
        out[i] = phase_lead(scheme, body, start, eps[i], steps[i], state)
