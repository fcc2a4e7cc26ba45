"""Where a sampled function passes zero: between two samples it is the polynomial through the nearest ones."""

from nhviz.kernels.compile import kernel, piece

# Shares of an interval that differ by less are one.
SETTLED, ROUNDS = 1e-15, 100


@piece(forceinline=True)
def write_weights(place, weights):
    """Write Lagrange's weights of the samples 0, 1, 2, ... at a place between them."""
    for j in range(weights.size):
        found = 1.0
        for i in range(weights.size):
            if i != j:
                found *= (place - i) / (j - i)
        weights[j] = found


@piece(forceinline=True)
def value_at(heights, first, place, weights):
    """The polynomial through the samples from the first on, at a place between them, whose weights are written."""
    write_weights(place, weights)
    total = 0.0
    for j in range(weights.size):
        total += weights[j] * heights[first + j]
    return total


@kernel("nothing(vector, integers, integers, matrix)")
def write_crossings(heights, intervals, firsts, shares):
    """For the intervals after samples, in which the heights pass zero, write the first sample and weights of the zero.

    The rule of false position, halved where it stalls; a zero at a sample is that sample.
    """
    count = shares.shape[1]
    for n in range(intervals.size):
        i, weights = intervals[n], shares[n]
        first = min(max(i + 1 - count // 2, 0), heights.size - count)
        firsts[n] = first
        low, high, below, above, side = 0.0, 1.0, heights[i], heights[i + 1], 0
        share = 0.0
        for _ in range(ROUNDS if below != 0.0 else 0):
            share = low + (high - low) * below / (below - above)
            value = value_at(heights, first, i - first + share, weights)
            if value == 0.0 or high - low <= SETTLED:
                break
            if (value > 0.0) == (above > 0.0):
                moved, high, above = high - share, share, value
                below *= 0.5 if side == 1 else 1.0
                side = 1
            else:
                moved, low, below = share - low, share, value
                above *= 0.5 if side == 2 else 1.0
                side = 2
            if moved <= SETTLED:
                break
        write_weights(i - first + share, weights)
