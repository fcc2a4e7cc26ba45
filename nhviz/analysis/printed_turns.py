"""All complex turns of one step of the discrete sleigh, from FZ's own equations and for every b.

With w = exp(i dtheta) the Legendre transformation (7.5) and the constraint V2 sin dtheta = V1 (1 - cos dtheta), (7.12),
leave after V1 and V2 are eliminated a polynomial of degree 4 in w. For b = 0 that is (7.18). It always has the root
w = 1, no turn at all, at which (7.12) says nothing and the true constraint (7.11) fails.
"""

import numpy as np
from numpy.polynomial import Polynomial

from nhviz.system import Array, Values

SAME = 1e-6
"""Two roots of a quartic nearer than this are a double one, which round-off splits by its square root."""


def printed_quartic(params: Values, step: float, p_theta: float, p_1: float) -> Polynomial:
    """The polynomial in w = exp(i dtheta), from momenta in physical units."""
    j, m, a, b = (params[name] for name in ("J", "m", "a", "b"))
    w = Polynomial([0.0, 1.0])
    sine, versine = (w**2 - 1.0) / 2.0j, w - (w**2 + 1.0) / 2.0
    forward = step * p_1 / m * w + a * versine + b * sine
    spin = (j + m * (a**2 + b**2)) * sine**2
    return spin + m * (a * versine - b * sine) * forward - step * p_theta * sine * w


def turns(params: Values, step: float, p_theta: float, p_1: float) -> Array:
    """The roots w that are turns: all but w = 1, once."""
    roots = np.asarray(printed_quartic(params, step, p_theta, p_1).roots(), dtype=complex)
    nearest = int(np.argmin(np.abs(roots - 1.0)))
    return np.delete(roots, nearest) if abs(roots[nearest] - 1.0) < SAME else roots
