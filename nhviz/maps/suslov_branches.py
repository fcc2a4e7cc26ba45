"""Every real displacement of the Suslov maps with a given momentum.

Moser-Veselov: two conics of the projective plane (compiled, `nhviz.kernels.conics`). Cayley: with
(x, y) = (eps/2)(u, v) = rho (cos psi, sin psi), m = (eps/2) M, N = I11 cos^2 psi + I22 sin^2 psi and
kappa = I13 cos psi + I23 sin psi, the Legendre equations become

    N rho (1 + rho^2) = m1 cos psi + m2 sin psi,
    kappa rho^2 + (I11 - I22) cos psi sin psi rho = m1 sin psi - m2 cos psi.

Eliminating rho leaves a trigonometric polynomial of degree 7 in psi with odd harmonics only, hence a
polynomial of degree 7 in exp(2 i psi): seven complex displacements, an odd number of them real.
"""

from typing import Any

import numpy as np

from nhviz import kernels
from nhviz.system import Array, Values


def inertia(params: Values) -> tuple[float, float, float, float]:
    """(I11, I22, I13, I23): the entries that the motion depends on."""
    return params["I11"], params["I22"], params["I13"], params["I23"]


def moser_veselov(params: Values, step: float, at: Values) -> list[dict[str, Any]]:
    """All real displacements of the Moser-Veselov map at (M1, M2): 0, 2, or for elongated bodies 4 of them."""
    m1, m2 = 0.5 * step * at["M1"], 0.5 * step * at["M2"]
    count, points = kernels.suslov.moser_veselov_points(inertia(params), m1, m2)
    points = points[:count] * np.where(points[:count, 2:] < 0.0, -1.0, 1.0)
    points = points[np.argsort(-points[:, 2])]
    # A half turn has no Cayley coordinates; they are kept finite.
    cayley = points[:, :2] / np.maximum(points[:, 2:], 1e-15)
    return marked(params, step, cayley, kernels.suslov.MOSER_VESELOV, m1, m2)


def cayley(params: Values, step: float, at: Values) -> list[dict[str, Any]]:
    """All real displacements of the Cayley map at (M1, M2): mostly 1; an odd number, 3 for a thin rod."""
    m1, m2 = 0.5 * step * at["M1"], 0.5 * step * at["M2"]
    return marked(params, step, cayley_points(inertia(params), m1, m2), kernels.suslov.CAYLEY, m1, m2)


def marked(params: Values, step: float, points: Array, scheme: int, m1: float, m2: float) -> list[dict[str, Any]]:
    """Records of all displacements, with the principal one, if it has not folded, marked."""
    found, x, y = kernels.suslov.principal(scheme, inertia(params), m1, m2)
    # As rotations: next to a half turn Cayley coordinates are far apart.
    cosines = np.abs(1.0 + points @ np.array([x, y])) / np.sqrt(1.0 + np.sum(points**2, axis=1))
    principal = int(np.argmax(cosines)) if found and cosines.size else -1
    return [record(params, step, xy, scheme, i == principal) for i, xy in enumerate(points)]


def record(params: Values, step: float, xy: Array, scheme: int, principal: bool) -> dict[str, Any]:
    """The displacement coordinates of one branch."""
    x, y = map(float, xy)
    q0 = 1.0 / np.sqrt(1.0 + x * x + y * y)
    _, _, m3 = kernels.suslov.legendre(scheme, inertia(params), x, y)
    return {
        "u": 2.0 * x / step,
        "v": 2.0 * y / step,
        "q0": float(q0),
        "q1": float(x * q0),
        "q2": float(y * q0),
        "angle": float(2.0 * np.arctan(np.hypot(x, y))),
        "M3": 2.0 * m3 / step,
        "principal": bool(principal),
    }


def cayley_points(tensor: tuple[float, float, float, float], m1: float, m2: float) -> Array:
    """All real (x, y) of the Cayley map with scaled momentum (m1, m2), smallest rotation first."""
    if m1 == 0.0 and m2 == 0.0:
        return cayley_points_at_rest(tensor)
    points: list[Array] = []
    for z in cayley_polynomial_roots(tensor, m1, m2):
        # Real directions are on the unit circle; a wide net, since Newton and the residual decide.
        if abs(abs(z) - 1.0) > 1e-3:
            continue
        psi = 0.5 * np.angle(z)
        rho = signed_radius(tensor, m1, m2, psi)
        ok, x, y, _ = kernels.suslov.newton(kernels.suslov.CAYLEY, tensor, rho * np.cos(psi), rho * np.sin(psi), m1, m2)
        fresh = all(np.hypot(x - p[0], y - p[1]) > 1e-7 * (1.0 + np.hypot(x, y)) for p in points)
        if ok and fresh:
            points.append(np.array([x, y]))
    return np.array(sorted(points, key=lambda p: np.hypot(p[0], p[1]))).reshape(-1, 2)


def cayley_points_at_rest(tensor: tuple[float, float, float, float]) -> Array:
    """At zero momentum N rho (1 + rho^2) = 0: only the identity."""
    return np.zeros((1, 2))


def cayley_polynomial_roots(tensor: tuple[float, float, float, float], m1: float, m2: float) -> Array:
    """The seven complex roots z = exp(2 i psi) of the eliminated equation."""
    psi = np.pi * np.arange(8) / 8.0
    values = cayley_resultant(tensor, m1, m2, psi)
    # exp(7 i psi) R(psi) is a polynomial of degree 7 in z, known at the 8 roots of unity.
    coefficients = np.fft.fft(np.exp(7j * psi) * values) / 8.0
    return np.roots(coefficients[::-1])


def cayley_resultant(tensor: tuple[float, float, float, float], m1: float, m2: float, psi: Array) -> Array:
    """Resultant in rho of N rho^3 + N rho - C and kappa rho^2 + d rho - S, up to scaling."""
    i11, i22, i13, i23 = tensor
    c, s = np.cos(psi), np.sin(psi)
    n = i11 * c**2 + i22 * s**2
    kappa, d = i13 * c + i23 * s, (i11 - i22) * c * s
    forward, across = m1 * c + m2 * s, m1 * s - m2 * c
    sylvester = np.zeros((psi.size, 5, 5))
    for row in range(2):
        for column, entry in enumerate((n, 0.0 * n, n, -forward)):
            sylvester[:, row, row + column] = entry
    for row in range(3):
        for column, entry in enumerate((kappa, d, -across)):
            sylvester[:, 2 + row, row + column] = entry
    return np.linalg.det(sylvester)


def signed_radius(tensor: tuple[float, float, float, float], m1: float, m2: float, psi: float) -> float:
    """The one real rho with N rho (1 + rho^2) = m1 cos psi + m2 sin psi."""
    i11, i22, _, _ = tensor
    c, s = np.cos(psi), np.sin(psi)
    target = (m1 * c + m2 * s) / (i11 * c**2 + i22 * s**2)
    # rho = (2/sqrt 3) sinh(t) solves rho + rho^3 = target with sinh(3 t) = (3 sqrt 3 / 2) target.
    return float(2.0 / np.sqrt(3.0) * np.sinh(np.arcsinh(1.5 * np.sqrt(3.0) * target) / 3.0))
