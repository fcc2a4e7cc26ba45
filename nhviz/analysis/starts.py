"""From a place in a picture to the values that start there: momenta, and the branch that is followed."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from nhviz import kernels
from nhviz.analysis.branches import branches
from nhviz.maps.loci import suslov_momentum
from nhviz.maps.sleigh_branches import inertias
from nhviz.maps.suslov_branches import inertia
from nhviz.parameters import ParameterError
from nhviz.registry import find
from nhviz.system import Values


def from_disk(params: Values, step: float, q1: float, q2: float) -> dict[str, float]:
    """(M1, M2) of the displacement at a point of the disk RP^2, for the Moser-Veselov map."""
    distance = math.hypot(q1, q2)
    if distance >= 1.0:
        raise ParameterError(f"The click is outside the disk: its distance from the middle is {distance:.3g}.")
    q = np.array([q1, q2, math.sqrt(1.0 - distance**2)])
    m1, m2, _ = suslov_momentum(params, step, q, rational=False)
    return {"M1": float(m1), "M2": float(m2)}


def from_suslov_locus(
    params: Values, step: float, surfaces: Sequence[str], m1: float, m2: float, m3: float
) -> dict[str, float | str]:
    """(M1, M2) and the branch whose sheet of the surfaces shown passes the place (M1, M2, M3)."""
    at = {p.name: p.check(value) for p, value in zip(find("suslov").initial, (m1, m2), strict=True)}
    sheets = [(method, one) for method in surfaces for one in branches("suslov", method, params, step, at)]
    if not sheets:
        raise ParameterError(f"No displacement with this step has M1 = {m1:.4g}, M2 = {m2:.4g}.")
    method, sheet = min(sheets, key=lambda found: abs(found[1]["M3"] - m3))
    if sheet["principal"]:
        return {"M1": m1, "M2": m2, "branch": "0"}
    if method == "moser_veselov" and is_outer(params, step, sheet, m1, m2):
        return {"M1": m1, "M2": m2, "branch": "1"}
    raise ParameterError(
        f"M3 = {sheet['M3']:.4g} is on a sheet that no method follows: its displacement turns by "
        f"{np.degrees(sheet['angle']):.0f}°, that of the principal branch by less."
    )


def is_outer(params: Values, step: float, sheet: dict[str, Any], m1: float, m2: float) -> bool:
    """Whether a displacement is the one that branch 1 of the Moser-Veselov map follows, on the outer oval."""
    half = 0.5 * step
    found, x, y = kernels.suslov.moser_veselov_oval(inertia(params), half * m1, half * m2, False)
    # As rotations, up to sign: the displacement may be next to a half turn.
    same = abs(1.0 + half * (sheet["u"] * x + sheet["v"] * y)) * sheet["q0"]
    return bool(found) and same / np.sqrt(1.0 + x * x + y * y) > 1.0 - 1e-9


def from_sleigh_locus(params: Values, step: float, p: float, q: float) -> dict[str, float]:
    """(p_theta, p_1) at a point (P, q) of the sleigh's locus."""
    if params["a"] == 0.0:
        raise ParameterError(
            "With a = 0 the second axis of the locus does not tell p_1; click in the momentum plane.", "a"
        )
    p_1 = (q - 2.0 * inertias(params)[1]) / (step * params["a"])
    return {"p_theta": float(p / step - params["b"] * p_1), "p_1": float(p_1)}
