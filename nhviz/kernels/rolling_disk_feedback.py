"""The rolling disk as parts of a loop (`kernels.schemes`), with the names of `nhviz.systems.rolling_disk`."""

from numba.np.unsafe.ndarray import to_fixed_tuple

from nhviz.kernels.circle import UNKNOWN, turned
from nhviz.kernels.compile import kernel, piece
from nhviz.kernels.schemes import ORBIT, follow


@piece(forceinline=True)
def rates(y, body, known):
    """The field at y = (theta, x, y, psi, Pi_theta, Pi_x, Pi_y, Pi_psi)."""
    theta, _, _, _, turn, push, side, roll = y
    over_m, over_i, over_j = body
    c, s, known = turned(theta, known)
    speed = push * over_m
    return (turn * over_j, speed * c, speed * s, roll * over_i, 0.0, 0.0, 0.0, 0.0), (turn, push, side, roll), known


@piece(forceinline=True)
def pulled(dy, terms, body, gains, targets):
    """The rates pulled towards the four momenta."""
    off_1, off_2, off_3, off_4 = (
        terms[0] - targets[0], terms[1] - targets[1], terms[2] - targets[2], terms[3] - targets[3],
    )  # fmt: skip
    pulls = -gains[0] * off_1, -gains[1] * off_2, -gains[2] * off_3, -gains[3] * off_4
    return dy[:4] + pulls, (off_1, off_2, off_3, off_4)


@kernel(ORBIT)
def orbit(start, p, gains, targets, step, steps, every, stages, limit, slack, out):
    """One orbit; p = (m, I, J)."""
    return follow(
        rates, pulled, to_fixed_tuple(start, 8), (1.0 / p[0], 1.0 / p[1], 1.0 / p[2]), UNKNOWN,
        to_fixed_tuple(gains, 4), to_fixed_tuple(targets, 4), step, steps, every, stages, limit, slack, out,
    )  # fmt: skip
