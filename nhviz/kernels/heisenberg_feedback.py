"""The Heisenberg system as parts of a loop (`kernels.schemes`)."""

from numba.np.unsafe.ndarray import to_fixed_tuple

from nhviz.kernels.compile import kernel, piece
from nhviz.kernels.schemes import ORBIT, follow


@piece(forceinline=True)
def rates(y, body, known):
    """The field at y = (x, y, z, p_x, p_y, p_z)."""
    return (y[3], y[4], y[5], 0.0, 0.0, 0.0), y, known


@piece(forceinline=True)
def pulled(dy, terms, body, gains, targets):
    """The rates pulled towards J1, J2 and H."""
    x, y, _, p_x, p_y, p_z = terms
    spin = x * p_y - y * p_x
    off_1, off_2 = p_z + spin - targets[0], spin - targets[1]
    off_3 = 0.5 * (p_x * p_x + p_y * p_y + p_z * p_z) - targets[2]
    pull_1, pull_3 = gains[0] * off_1, gains[2] * off_3
    both = pull_1 + gains[1] * off_2
    dy = (
        p_x - both * p_y, p_y + both * p_x, p_z, both * y - pull_3 * p_x, -both * x - pull_3 * p_y,
        -pull_1 - pull_3 * p_z,
    )  # fmt: skip
    return dy, (off_1, off_2, off_3)


@kernel(ORBIT)
def orbit(start, p, gains, targets, step, steps, every, stages, limit, slack, out):
    """One orbit; there are no parameters."""
    return follow(
        rates, pulled, to_fixed_tuple(start, 6), (), (), to_fixed_tuple(gains, 3), to_fixed_tuple(targets, 3),
        step, steps, every, stages, limit, slack, out,
    )  # fmt: skip
