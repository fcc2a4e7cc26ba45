"""Runs of the sphere with vertical momentum: its elliptic coordinate by the relation of `nhviz.kernels.elliptic`."""

import math

import numpy as np
from numba import types

from nhviz.kernels import elliptic
from nhviz.kernels.compile import kernel
from nhviz.kernels.sphere import follow

CURVE = types.UniTuple(types.float64, 7)


@kernel("integer(curve, number, number, number, integer, integer, vector)", curve=CURVE)
def walk(curve, h, period, start, steps, every, out):
    """Fill out with every so-manieth place of an orbit, in periods from a start in periods; returns the steps made.

    Whole periods are counted apart: a place keeps its digits however often it goes round.
    """
    turns = math.floor(start)
    u = (start - turns) * period
    out[0] = start
    for i in range(1, steps + 1):
        found, delta, _ = elliptic.half_step(curve, h, u)
        if not found:
            return i - 1
        u += 2.0 * delta
        past = math.floor(u / period)
        u, turns = u - past * period, turns + past
        if i % every == 0:
            out[i // every] = turns + u / period
    return steps


@kernel("nothing(curve, number, number, vector, vector)", curve=CURVE)
def write_increments(curve, h, period, places, out):
    """Write the increments at places, all in periods; NaN where the branch has folded."""
    for i in range(places.size):
        found, delta, _ = elliptic.half_step(curve, h, places[i] * period)
        out[i] = 2.0 * delta / period if found else math.nan


@kernel("nothing(four, number, matrix, matrix)")
def write_steps(ball, h, gammas, after):
    """Write the next verticals of rows of verticals, by the map itself; NaN where the branch has folded."""
    for i in range(gammas.shape[0]):
        x, y, z = gammas[i, 0], gammas[i, 1], gammas[i, 2]
        reached, g = follow(ball, (x, y, z), (0.5 * h * x, 0.5 * h * y, 0.5 * h * z), 1.0)
        # gamma + 2/(1 + |g|^2) (a + a x g) with a = gamma x g.
        a1, a2, a3 = y * g[2] - z * g[1], z * g[0] - x * g[2], x * g[1] - y * g[0]
        share = 2.0 / (1.0 + g[0] * g[0] + g[1] * g[1] + g[2] * g[2]) if reached >= 1.0 else np.nan
        after[i, 0] = x + share * (a1 + a2 * g[2] - a3 * g[1])
        after[i, 1] = y + share * (a2 + a3 * g[0] - a1 * g[2])
        after[i, 2] = z + share * (a3 + a1 * g[1] - a2 * g[0])
