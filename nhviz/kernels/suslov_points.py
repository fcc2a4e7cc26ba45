"""Phase leads and real branches of many Suslov tops; rows are tensors (I11, I22, I13, I23) with a start each.

Runs are cut into pieces, so that long ones need no more room than short ones.
"""

import math

import numpy as np

from nhviz.kernels.compile import kernel
from nhviz.kernels.phases import ahead_of_flow, arc_of, unwrapped
from nhviz.kernels.suslov import moser_veselov_points, orbit

PIECE = 1024


@kernel("number(integer, four, number, number, number, integer, integer, number, matrix)")
def phase_lead(scheme, inertia, m1, m2, eps, steps, branch, level, state):
    """The phase of one run at its end minus that of the flow, positive where the run is ahead; NaN if it ends early."""
    i11, i22, i13, i23 = inertia
    along, across = i13 / math.sqrt(i11), i23 / math.sqrt(i22)
    size = math.hypot(along, across)
    c, s = (along / size, across / size) if size > 0.0 else (1.0, 0.0)
    first, second = m1 / math.sqrt(i11), m2 / math.sqrt(i22)
    rest = (c * first + s * second, c * second - s * first)
    rate, phase, sign = arc_of(rest[0], rest[1], size / math.sqrt(i11 * i22))
    attitude, end = np.empty((0, 3, 3)), np.empty(2)
    lead, done = 0.0, 0
    while True:
        count = min(PIECE, steps - done)
        if orbit(scheme, inertia, m1, m2, eps, count, 1, branch, level, state, attitude, end) <= count:
            return math.nan
        for i in range(count + 1):
            first, second = state[2, i] / math.sqrt(i11), state[3, i] / math.sqrt(i22)
            x, y = c * first + s * second, c * second - s * first
            lead = unwrapped(ahead_of_flow(rate, phase, sign, rest, (done + i) * eps, x, y), lead)
        done += count
        if done >= steps:
            return sign * math.copysign(1.0, rate) * lead if rate != 0.0 else 0.0
        m1, m2 = state[2, count], state[3, count]


@kernel("nothing(integer, matrix, matrix, vector, integers, integer, vector, vector)")
def phase_leads(scheme, tensors, momenta, eps, steps, branch, levels, out):
    """`phase_lead` of every row; levels are those below which a step has one displacement only."""
    state = np.empty((5, PIECE + 1))
    for i in range(out.size):
        inertia = (tensors[i, 0], tensors[i, 1], tensors[i, 2], tensors[i, 3])
        out[i] = phase_lead(scheme, inertia, momenta[i, 0], momenta[i, 1], eps[i], steps[i], branch, levels[i], state)


@kernel("nothing(matrix, matrix, vector, vector)")
def branch_counts(tensors, momenta, eps, out):
    """How many real displacements the Moser-Veselov map has at each start."""
    for i in range(out.size):
        inertia = (tensors[i, 0], tensors[i, 1], tensors[i, 2], tensors[i, 3])
        half = 0.5 * eps[i]
        out[i] = moser_veselov_points(inertia, half * momenta[i, 0], half * momenta[i, 1])[0]
