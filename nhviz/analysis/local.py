"""Local behaviour of the discrete maps: multipliers across the line of equilibria, leading errors of one step.

The errors are the eps^3 terms of map minus flow in the momentum plane, as (error of the phase, error of the energy);
`nhviz.analysis.phase` adds them up along a run.
"""

import numpy as np

from nhviz import kernels
from nhviz.analysis.sleigh_branches import inertias
from nhviz.analysis.suslov_branches import inertia
from nhviz.system import Array, Values


def moser_veselov_multiplier(params: Values, step: float, momentum: Array) -> float:
    """Multiplier of the map across the equilibrium line: ratio of the Jacobians of both Legendre maps."""
    return map_multiplier(kernels.suslov.MOSER_VESELOV, params, step, momentum)


def cayley_multiplier(params: Values, step: float, momentum: Array) -> float:
    """The same for the Cayley map; `momentum` is the flow's equilibrium, which the map shifts by O(eps^2)."""
    return map_multiplier(kernels.suslov.CAYLEY, params, step, momentum)


def map_multiplier(scheme: int, params: Values, step: float, momentum: Array) -> float:
    """Product of both multipliers, one of which is 1, at the displacement on k = 0 with this momentum."""
    i11, i22, i13, i23 = inertia(params)
    direction = np.array([i23, -i13])
    direction = direction * np.sign(direction @ (momentum / [i11, i22]))
    size = np.hypot(momentum[0] / i11, momentum[1] / i22) * 0.5 * step
    x, y = size * direction / np.hypot(i13, i23)
    if scheme == kernels.suslov.MOSER_VESELOV:
        # On k = 0 the equation m (1 + rho^2) = I rho is quadratic; take its smaller root.
        if size > 0.5:
            return float("inf")
        x, y = np.array([x, y]) * 2.0 / (1.0 + np.sqrt(1.0 - 4.0 * size**2))
    m1, m2, _ = kernels.suslov.legendre(scheme, (i11, i22, i13, i23), x, y)
    _, _, fx, fy, gx, gy = kernels.suslov.equation(scheme, (i11, i22, i13, i23), x, y, m1, m2)
    _, _, bx, by, cx, cy = kernels.suslov.equation(scheme, (i11, i22, -i13, -i23), x, y, m1, m2)
    return float((bx * cy - by * cx) / (fx * gy - fy * gx))


def moser_veselov_defect(params: Values, momentum: Array) -> tuple[Array, Array]:
    """Leading one-step errors over eps^3: of the phase, k times a form positive for moderate I13, I23; of E_c, none."""
    i11, i22, i13, i23 = inertia(params)
    u, v = momentum[0] / i11, momentum[1] / i22
    p, k = i11 * i22, i13 * u + i23 * v
    form = 3.0 * (u**2 + v**2) + ((i23 / i22) ** 2 + i13**2 / p) * u**2 + ((i13 / i11) ** 2 + i23**2 / p) * v**2
    return k * (form - 3.0 * k**2 / p) / (12.0 * np.sqrt(p)), np.zeros_like(u)


def cayley_defect(params: Values, momentum: Array) -> tuple[Array, Array]:
    """Leading one-step errors over eps^3 of the phase and of E_c.

    The phase error carries the factor k only if I11 = I22 or one product of inertia vanishes: otherwise the map's
    equilibria, k = 0 in (u, v), lie O(eps^2) beside the flow's in the momentum plane.
    """
    i11, i22, i13, i23 = inertia(params)
    u, v = momentum[0] / i11, momentum[1] / i22
    p, k, s = i11 * i22, i13 * u + i23 * v, i11 * u**2 + i22 * v**2
    moderate = 2.0 * (i13 * u**3 + i23 * v**3) + (i11 + i22) * u * v * (i23 * u / i22 + i13 * v / i11)
    products = 3.0 * k**2 / p - ((i23 / i22) ** 2 + i13**2 / p) * u**2 - ((i13 / i11) ** 2 + i23**2 / p) * v**2
    return -(3.0 * moderate + k * products) / (12.0 * np.sqrt(p)), u * v * (i11 - i22) * s * k / (4.0 * p)


def symmetric_multiplier(params: Values, step: float, momentum: Array) -> float:
    """(2A - eps a p_1)/(2A + eps a p_1), for both symmetric maps (DS Theorem 6)."""
    total, _ = inertias(params)
    c = step * params["a"] * momentum[1]
    return float((2.0 * total - c) / (2.0 * total + c)) if c != -2.0 * total else float("inf")


def naive_multiplier(params: Values, step: float, momentum: Array) -> float:
    """1 - eps a p_1 / A."""
    total, _ = inertias(params)
    return float(1.0 - step * params["a"] * momentum[1] / total)


def fedorov_zenkov_defect(params: Values, momentum: Array) -> tuple[Array, Array]:
    """Leading one-step errors over eps^3 of the phase (always ahead) and of the energy (none)."""
    total, mu = inertias(params)
    omega = (momentum[0] + params["b"] * momentum[1]) / total
    a, m = params["a"], params["m"]
    form = 3.0 * total**2 * omega**2 - 2.0 * total * mu * omega**2 + (a * momentum[1]) ** 2
    return a * m**0.5 * omega * form / (12.0 * total**2.5), np.zeros_like(omega)


def midpoint_defect(params: Values, momentum: Array) -> tuple[Array, Array]:
    """Leading one-step errors over eps^3 of the phase and of the energy."""
    total, mu = inertias(params)
    omega = (momentum[0] + params["b"] * momentum[1]) / total
    a, m, p = params["a"], params["m"], momentum[1]
    radius = total * m * omega**2 + p**2
    top = -(total**3) * m * omega**4 - 4.0 * total**2 * mu * m * omega**4 + 3.0 * total**2 * p**2 * omega**2
    top = top - 2.0 * total * mu * p**2 * omega**2 + 2.0 * a**2 * p**4
    safe = np.where(radius > 0.0, radius, 1.0)
    return a * m**0.5 * omega * top / (24.0 * total**2.5 * safe), -a * p * omega**4 / 6.0
