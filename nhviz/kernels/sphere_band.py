"""The band in which the energy of the discrete ball oscillates, for several steps: nothing else is kept."""

import numpy as np

from nhviz.kernels.compile import kernel
from nhviz.kernels.sphere import orbit


@kernel("nothing(four, triple, triple, vector, integers, matrix)")
def write_bands(body, gamma, omega, steps, counts, bands):
    """Write the least and the largest (E - E0)/E0 of counts[i] steps of length steps[i]; NaN where an orbit ends early.

    E = <K, omega> is twice the kinetic energy. A ball at rest has no band.
    """
    attitude, end, none = np.empty((0, 3, 3)), np.empty(6), np.empty((0, 3))
    for i in range(steps.size):
        samples = np.empty((11, 1, counts[i] + 1))
        state = samples[:, 0]
        taken = orbit(body, 1.0, gamma, omega, (0.0, 0.0), steps[i], counts[i], 1, state, attitude, end, none)
        start = state[6, 0] * state[0, 0] + state[7, 0] * state[1, 0] + state[8, 0] * state[2, 0]
        low, high = 0.0, 0.0
        for k in range(taken + 1):
            energy = state[6, k] * state[0, k] + state[7, k] * state[1, k] + state[8, k] * state[2, k]
            low, high = min(low, energy - start), max(high, energy - start)
        whole = taken == counts[i] and start > 0.0
        bands[i, 0], bands[i, 1] = (low / start, high / start) if whole else (np.nan, np.nan)
