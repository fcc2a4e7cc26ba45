"""Samples of bodies whose constraint turns one body axis, from the states of their flow (velocities, g row by row).

The loop over samples is the inner one everywhere, which a processor does for several samples at once.
"""

import numpy as np

from nhviz.kernels.compile import kernel, piece


@piece(forceinline=True)
def fill(out, value):
    """out[:] = value."""
    for sample in range(out.size):
        out[sample] = value


@piece(forceinline=True)
def add_multiple(out, factor, values):
    """out += factor * values."""
    for sample in range(out.size):
        out[sample] += factor * values[sample]


@piece(forceinline=True)
def add_products(out, sign, first, second):
    """out += sign * first * second."""
    for sample in range(out.size):
        out[sample] += sign * (first[sample] * second[sample])


@kernel("nothing(matrix, cube, cube)")
def apply(matrix, vectors, out):
    """out[:, orbit, sample] = matrix times vectors, added up in one order: an orbit is the same alone and among others.

    There may be more coordinates in `vectors`, which are left alone.
    """
    for i in range(matrix.shape[0]):
        for orbit in range(out.shape[1]):
            fill(out[i, orbit], 0.0)
            for j in range(matrix.shape[1]):
                add_multiple(out[i, orbit], matrix[i, j], vectors[j, orbit])


@kernel("nothing(integer, cube, four_indices, cube)")
def read_elements(first, states, attitudes, places):
    """Fill attitudes[orbit, sample] and places[orbit, sample], if there are any, from the states from `first` on.

    An attitude B is brought back to the rotations, B (3 - B^T B)/2, which squares its distance from them.
    """
    n = attitudes.shape[2]
    width = n if places.shape[2] == 0 else n + 1
    defect, entry = np.empty((n, n, states.shape[2])), np.empty(states.shape[2])
    for orbit in range(states.shape[1]):
        for i in range(n):
            for j in range(i, n):
                fill(defect[i, j], 3.0 if i == j else 0.0)
                for k in range(n):
                    row = first + width * k
                    add_products(defect[i, j], -1.0, states[row + i, orbit], states[row + j, orbit])
        for i in range(n):
            row = first + width * i
            for j in range(n):
                fill(entry, 0.0)
                for k in range(n):
                    add_products(entry, 0.5, states[row + k, orbit], defect[min(j, k), max(j, k)])
                for sample in range(entry.size):
                    attitudes[orbit, sample, i, j] = entry[sample]
        for i in range(places.shape[2]):
            for sample in range(entry.size):
                places[orbit, sample, i] = states[first + width * i + n, orbit, sample]
