"""The nonholonomic oscillator as parts of a loop (`kernels.schemes`), with the names of `nhviz.systems.oscillator`."""

import math

from numba.np.unsafe.ndarray import to_fixed_tuple

from nhviz.kernels.compile import kernel, piece
from nhviz.kernels.schemes import ORBIT, follow


@piece(forceinline=True)
def rates(y, body, known):
    """The field at a state (x, y, z, p_x, p_y, p_z)."""
    x, y, z, p_x, p_y, p_z = y
    r, a, b = 1.0 + y * y, y * p_x - p_z, p_x + y * p_z
    over_r = 1.0 / r
    speed, slip = a * over_r, b * over_r
    force, repair = (x + y * z + speed * p_y) * over_r, -p_y * over_r * slip
    dy = speed * y, p_y, -speed, force + repair * y - x, -y, force * y - repair - z
    return dy, (x, y, z, p_y, r, over_r, a, b, speed, slip), known


@piece(forceinline=True)
def pulled(dy, terms, body, gains, targets):
    """The rates pulled towards Ht, H_y and J."""
    x, y, z, p_y, r, over_r, a, b, speed, slip = terms
    # A root beside the quotient: one of the quotient would come after it.
    over_root = math.sqrt(r) * over_r
    double_own = p_y * p_y + y * y
    off_1 = 0.5 * (double_own + x * x + z * z) - targets[0] + 0.5 * a * speed
    off_2, off_3 = 0.5 * double_own - targets[1], b * over_root - targets[2]
    pull_1, pull_3 = gains[0] * off_1, gains[2] * slip - gains[2] * targets[2] * over_root
    both = pull_1 + gains[1] * off_2
    dy = (
        dy[0] - pull_1 * x, p_y - both * y - pull_1 * (speed * slip) + pull_3 * speed, dy[2] - pull_1 * z,
        dy[3] - pull_1 * (speed * y) - pull_3, -y - both * p_y, dy[5] + pull_1 * speed - pull_3 * y,
    )  # fmt: skip
    return dy, (off_1, off_2, off_3)


@kernel(ORBIT)
def orbit(start, p, gains, targets, step, steps, every, stages, limit, slack, out):
    """One orbit; there are no parameters."""
    return follow(
        rates, pulled, to_fixed_tuple(start, 6), (), (), to_fixed_tuple(gains, 3), to_fixed_tuple(targets, 3),
        step, steps, every, stages, limit, slack, out,
    )  # fmt: skip
