"""The coordinate in which the circle map of the sphere with vertical momentum is a rotation: Abel's equation.

With u and delta in periods, phi(u) = u + sum b_m sin(2 pi m u) has to satisfy phi(u + 2 delta) = phi(u) + omega. It is
odd, as the map has a mirror: if a step leads from u to u' then one leads from -u' to -u. About the middle c of a step

    2 delta(c) + 2 sum b_m cos(2 pi m c) sin(2 pi m delta(c)) = omega,

which is linear in b and omega, and even in c. The density of the map is phi', the rotation number is omega.
"""

import math

import numpy as np
from numba import types

from nhviz.kernels import elliptic
from nhviz.kernels.compile import kernel, piece
from nhviz.kernels.linear import solve

CURVE = types.UniTuple(types.float64, 7)
# Modes, doubled until the last eighth of the density's coefficients is small enough.
FEWEST, MOST = 32, 256


@kernel("together(integer, number, number)(curve, number, number, number, vector)", curve=CURVE)
def conjugate(curve, h, period, small, density):
    """Write the coefficients of cos(2 pi m u) in the density; returns (modes, omega, how small the last eighth is).

    There are no modes where the branch has folded at a node. A map that is locked has no such coordinate.
    """
    modes = FEWEST
    while True:
        matrix, right = np.empty((modes + 1, modes + 1)), np.empty(modes + 1)
        if not write_equations(curve, h, period, matrix, right):
            return 0, math.nan, math.inf
        solve(matrix, right)
        last = 0.0
        for m in range(1, modes + 1):
            density[m] = 2.0 * math.pi * m * right[m]
            if 8 * m > 7 * modes:
                last = max(last, abs(density[m]))
        density[0] = 1.0
        if last <= small or modes == MOST:
            return modes, right[0], last
        modes *= 2


@piece()
def write_equations(curve, h, period, matrix, right):
    """Write Abel's equation for (omega, b_1, b_2, ...) about as many middles; whether the branch reaches all of them.

    Waves follow from those before: cos (m + 1)x = 2 cos x cos mx - cos (m - 1)x.
    """
    count = right.size
    for i in range(count):
        middle = 0.5 * (i + 0.5) / count
        found, delta = elliptic.half_about(curve, h, elliptic.jacobi(middle * period, curve[0])[0] ** 2)
        if not found:
            return False
        delta /= period
        across, along = 2.0 * math.cos(2.0 * math.pi * middle), 2.0 * math.cos(2.0 * math.pi * delta)
        c, c_before, s, s_before = 0.5 * across, 1.0, math.sin(2.0 * math.pi * delta), 0.0
        matrix[i, 0], right[i] = 1.0, 2.0 * delta
        for m in range(1, count):
            matrix[i, m] = -2.0 * c * s
            c, c_before = across * c - c_before, c
            s, s_before = along * s - s_before, s
    return True


@kernel("nothing(vector, integer, vector, vector)")
def write_density(density, modes, places, out):
    """Write the density at places, by Clenshaw's sum; its mean is 1."""
    for i in range(places.size):
        c = math.cos(2.0 * math.pi * places[i])
        here, before = 0.0, 0.0
        for m in range(modes, 0, -1):
            here, before = density[m] + 2.0 * c * here - before, here
        out[i] = 1.0 + c * here - before
