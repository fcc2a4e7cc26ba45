"""Lines of the flow of the Suslov top in four dimensions, for a picture: many at once, by Runge and Kutta's method."""

from nhviz.kernels.compile import kernel, piece


@piece(forceinline=True)
def rate(c, j, x, y, z):
    """w' with C w' = w <j, w> - j |w|^2 for the velocities w = (x, y, z) (FZ (4.10))."""
    push, square = j[0] * x + j[1] * y + j[2] * z, x * x + y * y + z * z
    return (x * push - j[0] * square) / c[0], (y * push - j[1] * square) / c[1], (z * push - j[2] * square) / c[2]


@piece(forceinline=True)
def step(c, j, x, y, z, h):
    """One step of the classical method."""
    x1, y1, z1 = rate(c, j, x, y, z)
    x2, y2, z2 = rate(c, j, x + 0.5 * h * x1, y + 0.5 * h * y1, z + 0.5 * h * z1)
    x3, y3, z3 = rate(c, j, x + 0.5 * h * x2, y + 0.5 * h * y2, z + 0.5 * h * z2)
    x4, y4, z4 = rate(c, j, x + h * x3, y + h * y3, z + h * z3)
    share = h / 6.0
    return (
        x + share * (x1 + 2.0 * x2 + 2.0 * x3 + x4),
        y + share * (y1 + 2.0 * y2 + 2.0 * y3 + y4),
        z + share * (z1 + 2.0 * z2 + 2.0 * z3 + z4),
    )


@kernel("nothing(triple, triple, number, integer, cube)")
def follow(c, j, h, between, lines):
    """Fill velocities lines[line, sample] from those of sample 0 on, with so many steps h from one to the next.

    The lines take their steps in turn: they do not wait for each other, so that a processor can do several at once.
    """
    for sample in range(1, lines.shape[1]):
        for line in range(lines.shape[0]):
            for i in range(3):
                lines[line, sample, i] = lines[line, sample - 1, i]
        for _ in range(between):
            for line in range(lines.shape[0]):
                w = lines[line, sample]
                w[0], w[1], w[2] = step(c, j, w[0], w[1], w[2], h)
