"""The flow of the Chaplygin sphere in n dimensions: its first states, its field, and samples from its states.

A state is (R row by row, x). The momentum K is fixed in space: it is a parameter of an orbit, by its entries above the
diagonal.
"""

import math

import numpy as np

from nhviz.kernels import sphere_4
from nhviz.kernels.compile import kernel, piece
from nhviz.kernels.linear import assign, orthogonalise
from nhviz.kernels.sphere_n import (
    entries,
    momentum,
    of_start,
    write_matrix,
    write_sample,
    write_to_body,
    write_velocity,
)


@kernel("together(matrix, matrix)(vector, number, matrix, cube)")
def first_states(mass, d, gammas, omegas):
    """States (variables, orbits) in which the flow begins, and momenta in space (entries, orbits).

    An orbit begins with the shortest rotation to the vertical, in the origin.
    """
    orbits, n = gammas.shape
    states, momenta = np.zeros((n * n + n - 1, orbits)), np.empty((n * (n - 1) // 2, orbits))
    for orbit in range(orbits):
        r, _, in_space = of_start(mass, d, gammas[orbit], omegas[orbit])
        for i in range(n):
            for j in range(n):
                states[n * i + j, orbit] = r[i, j]
        above = entries(in_space)
        for i in range(above.size):
            momenta[i, orbit] = above[i]
    return states, momenta


@piece(forceinline=True)
def write_rates(n, y, p, dy):
    """The field in n dimensions, whose matrices share one piece of memory: to ask for one takes long."""
    places = n * n
    r, gamma, room = y[:places].reshape((n, n)), y[places - n : places], np.empty((5, n, n))
    k, omega = room[0], room[1]
    write_to_body(n, r, p[n + 1 :], room[2], k)
    write_velocity(n, p[:n], p[n], gamma, k, room[3], room[4, 0], omega)
    for i in range(n):
        for j in range(n):
            total = 0.0
            for middle in range(n):
                total += r[i, middle] * omega[middle, j]
            dy[n * i + j] = total
    for i in range(n - 1):
        total = 0.0
        for j in range(n):
            total += dy[n * i + j] * gamma[j]
        dy[places + i] = total


def field(y, p, dy):
    """y = (R row by row, x), p = (J1, ..., Jn, D, K in space above the diagonal). Compiled by the reference flow.

    With a number for n the compiler writes the loops out, as far as it can.
    """
    if y.size == 19:
        sphere_4.write_rates(y, p, dy)
    elif y.size == 11:
        write_rates(np.int64(3), y, p, dy)
    else:
        # n^2 + n - 1 variables.
        write_rates(int(math.sqrt(y.size + 1)), y, p, dy)


@kernel("nothing(vector, number, vector, matrix, vector, part, part, cube)")
def read_flow(mass, d, gamma, omega, in_space, states, state, attitude):
    """Samples of one orbit from the states of the flow: R is made orthogonal, K is carried from space."""
    n = gamma.size
    y, room = np.empty(states.shape[0]), np.empty((3, n, n))
    r, place = y[: n * n].reshape((n, n)), y[n * n :]
    # The first sample is the start itself, not the start to round-off.
    k, gamma, omega = momentum(mass, d, gamma, omega), gamma.copy(), omega.copy()
    for sample in range(states.shape[1]):
        assign(y, states[:, sample])
        if sample > 0:
            orthogonalise(r, 0, n)
            assign(gamma, r[n - 1])
            write_to_body(n, r, in_space, room[0], k)
            write_velocity(n, mass, d, gamma, k, room[1], room[2, 0], omega)
        write_sample(omega, gamma, k, place, state[:, sample])
        if attitude.shape[0] > 0:
            write_matrix(r, attitude[sample])
