"""The discrete Lagrange-d'Alembert map of the nonholonomic oscillator (CP (84), (85)), and its inverse.

With p_{i+1} = (q_{i+1} - q_i)/h it reads p_{i+1} = p_i - h q_i - c (1, 0, y_i), q_{i+1} = q_i + h p_{i+1}, with c from
p_{i+1}.(1, 0, y_i) = 0: no difference of nearby places has to be divided by h.
"""

from nhviz.kernels.compile import kernel, piece


@kernel("integer(vector, number, integer, integer, number, matrix)")
def orbit(start, step, steps, every, limit, out):
    """Fill out[(q, p), sample]; a negative step runs the map backwards. Returns the steps taken below the limit.

    The first step of a forward run is q_1 = q_0 + h p_0 (CP (87)).
    """
    h = abs(step)
    y = start.copy()
    write_column(y, out, 0)
    sample = 1
    for count in range(1, steps + 1):
        if step < 0.0:
            backward(h, y)
        else:
            forward(h, y, count == 1)
        size = 0.0
        for j in range(6):
            size += abs(y[j])
        # A comparison that is false for NaN, too.
        if not size < limit:
            return count - 1
        if count % every == 0:
            write_column(y, out, sample)
            sample += 1
    return steps


@piece()
def write_column(y, out, sample):
    """out[:, sample] = y."""
    for j in range(6):
        out[j, sample] = y[j]


@piece()
def forward(h, y, first):
    """One step; the first one keeps the momentum."""
    if not first:
        for j in range(3):
            y[3 + j] -= h * y[j]
        pull = (y[3] + y[1] * y[5]) / (1.0 + y[1] * y[1])
        y[3] -= pull
        y[5] -= pull * y[1]
    for j in range(3):
        y[j] += h * y[3 + j]


@piece()
def backward(h, y):
    """The step before: its momentum satisfies the constraint at the place it came from."""
    for j in range(3):
        y[j] -= h * y[3 + j]
    for j in range(3):
        y[3 + j] += h * y[j]
    origin = y[1] - h * y[4]
    push = -(y[3] + origin * y[5]) / (1.0 + origin * y[1])
    y[3] += push
    y[5] += push * y[1]
