"""From a place in a picture to the momentum that starts there."""

import numpy as np

from nhviz.maps.loci import suslov_momentum
from nhviz.maps.sleigh_branches import inertias
from nhviz.parameters import ParameterError
from nhviz.system import Values


def from_disk(params: Values, step: float, q1: float, q2: float) -> dict[str, float]:
    """(M1, M2) of the displacement at a point of the disk RP^2, for the Moser-Veselov map."""
    square = q1 * q1 + q2 * q2
    if square >= 1.0:
        raise ParameterError(f"The click is outside the disk: its distance from the middle is {np.sqrt(square):.3g}.")
    q = np.array([q1, q2, np.sqrt(1.0 - square)])
    m1, m2, _ = suslov_momentum(params, step, q, rational=False)
    return {"M1": float(m1), "M2": float(m2)}


def from_sleigh_locus(params: Values, step: float, p: float, q: float) -> dict[str, float]:
    """(p_theta, p_1) at a point (P, q) of the sleigh's locus."""
    if params["a"] == 0.0:
        raise ParameterError(
            "With a = 0 the second axis of the locus does not tell p_1; click in the momentum plane.", "a"
        )
    p_1 = (q - 2.0 * inertias(params)[1]) / (step * params["a"])
    return {"p_theta": float(p / step - params["b"] * p_1), "p_1": float(p_1)}
