"""The flow of a left-invariant nonholonomic system on any matrix group, as `nhviz.ll` has it."""

import numpy as np

from nhviz.kernels.compile import piece


@piece(forceinline=True)
def write_rates(k, r, y, p, dy):
    """The field of k free velocities and matrices of r rows."""
    parts = 2 + k * k * k
    for i in range(k):
        total = 0.0
        for a in range(k):
            for b in range(k):
                total += p[2 + (i * k + a) * k + b] * y[a] * y[b]
        dy[i] = total
    for column in range(r):
        for row in range(r):
            dy[k + row * r + column] = 0.0
        # An entry of the velocity serves all rows; many of them are always zero.
        for middle in range(r):
            velocity = 0.0
            for i in range(k):
                velocity += y[i] * p[parts + (i * r + middle) * r + column]
            if velocity != 0.0:
                for row in range(r):
                    dy[k + row * r + column] += y[k + row * r + middle] * velocity


def field(y, p, dy):
    """y = (x, g row by row), p = (k, r, G, D): x_i' = G_iab x_a x_b, g' = g sum of x_i D_i.

    With numbers for k and r the compiler writes the loops out, for the sizes that are seen most.
    """
    k, r = int(p[0]), int(p[1])
    if k == 3 and r == 4:
        write_rates(np.int64(3), np.int64(4), y, p, dy)
    elif k == 2 and r == 3:
        write_rates(np.int64(2), np.int64(3), y, p, dy)
    else:
        write_rates(k, r, y, p, dy)
