"""The flow of the Chaplygin sphere between its starts, its states (q, x, y, K in space) and its samples."""

import math

import numpy as np

from nhviz.kernels.attitude import write_matrix
from nhviz.kernels.compile import kernel
from nhviz.kernels.sphere import momentum, to_body, to_space, upright, velocity


@kernel("nothing(four, matrix, matrix, matrix, matrix)")
def write_starts(body, gammas, omegas, places, states):
    """Write the state of each start: a column of gammas, omegas and places."""
    r = np.empty((3, 3))
    for orbit in range(gammas.shape[1]):
        gamma = (gammas[0, orbit], gammas[1, orbit], gammas[2, orbit])
        omega = (omegas[0, orbit], omegas[1, orbit], omegas[2, orbit])
        q = upright(gamma)
        write_matrix(q, r)
        k = to_space(r, momentum(body, gamma, omega))
        for i in range(4):
            states[i, orbit] = q[i]
        states[4, orbit], states[5, orbit] = places[0, orbit], places[1, orbit]
        for i in range(3):
            states[6 + i, orbit] = k[i]


@kernel("nothing(four, matrix, matrix, cube, cube, four_indices)")
def read_samples(body, gammas, omegas, states, samples, attitudes):
    """Fill samples[(omega, gamma, K, x, y), orbit, sample] and attitudes[orbit, sample], unless they have no samples.

    The first sample is the start itself, not the start to round-off.
    """
    r, q = np.empty((3, 3)), np.empty(4)
    for orbit in range(states.shape[1]):
        for sample in range(states.shape[2]):
            square = 0.0
            for i in range(4):
                square += states[i, orbit, sample] * states[i, orbit, sample]
            for i in range(4):
                q[i] = states[i, orbit, sample] / math.sqrt(square)
            write_matrix(q, r)
            if sample == 0:
                gamma = (gammas[0, orbit], gammas[1, orbit], gammas[2, orbit])
                omega = (omegas[0, orbit], omegas[1, orbit], omegas[2, orbit])
                k = momentum(body, gamma, omega)
            else:
                gamma = (r[2, 0], r[2, 1], r[2, 2])
                k = to_body(r, (states[6, orbit, sample], states[7, orbit, sample], states[8, orbit, sample]))
                omega = velocity(body, gamma, k)
            for i in range(3):
                samples[i, orbit, sample], samples[3 + i, orbit, sample] = omega[i], gamma[i]
                samples[6 + i, orbit, sample] = k[i]
            samples[9, orbit, sample], samples[10, orbit, sample] = states[4, orbit, sample], states[5, orbit, sample]
            if attitudes.shape[1] > 0:
                write_matrix(q, attitudes[orbit, sample])
