r"""The folds of the Suslov top's Cayley map, and its largest step.

With (x, y) = (eps/2)(u, v) the scaled momentum is cubic: m1 = I11 x + y k + x S, m2 = I22 y - x k + y S. It folds where
its Jacobian D, of degree 4, vanishes: on a bounded curve, because along every direction the leading coefficient of D is
3 N^2 > 0 (N = I11 cos^2 + I22 sin^2), or nowhere, as for all real bodies but thin rods. The points of that curve from
which the largest step follows (`suslov_folds`) are common zeros of D and of one more polynomial of degree 5:

* cusps: D changes along the kernel of the derivative, as little as D itself;
* stationary r: the gradient of r^2/2 = (m1^2/I11 + m2^2/I22)/2;
* rays that touch the caustic: m is in the image of the derivative.

Along a direction psi both are polynomials of rho; eliminating rho leaves one of degree 20 in exp(2 i psi). Its roots
next to the unit circle, and changes of sign along the curve, are the guesses from which Newton's method finds the
points.
"""

from functools import lru_cache

import numpy as np

from nhviz import kernels
from nhviz.maps import suslov_folds
from nhviz.maps.suslov_branches import inertia
from nhviz.system import Array, Values

DEGREE = 20
DIRECTIONS = 240
NEWTON_ROUNDS = 40
# Guesses are generous: what is no common zero does not survive Newton's method.
OFF_THE_CIRCLE, OFF_THE_REAL = 0.1, 0.05
# Products c^i s^j with i + j <= 4 in directions all round, (products, directions), and their powers i and j.
ALL_ROUND_POWERS = np.nonzero(np.add.outer(np.arange(5), np.arange(5)) <= 4)
ALL_ROUND = np.stack(
    [
        np.cos(np.pi * np.arange(256) / 256) ** i * np.sin(np.pi * np.arange(256) / 256) ** j
        for i, j in zip(*ALL_ROUND_POWERS, strict=True)
    ]
)


def largest_step(params: Values, energy: float) -> float | None:
    """Largest eps at which every momentum of this energy has its principal displacement; None if there is no limit."""
    radius = least_radius(inertia(params)) if energy > 0.0 else np.inf
    return float(radius * np.sqrt(2.0 / energy)) if np.isfinite(radius) else None


@lru_cache(maxsize=256)
def least_radius(tensor: suslov_folds.Tensor) -> float:
    """The least radius at which a principal branch ends; infinite if none does."""
    return suslov_folds.least_radius(kernels.suslov.CAYLEY, tensor, special_points(tensor))


@lru_cache(maxsize=256)
def simple_level(tensor: suslov_folds.Tensor) -> float:
    """The level I22 m1^2 + I11 m2^2 below which every momentum has one displacement.

    The identity is the only displacement without momentum, so every component of a set r < const contains it: there is
    one, and without a fold in it displacement -> momentum is one to one.
    """
    radii = [suslov_folds.radius(tensor, fold.momentum) for fold in special_points(tensor)]
    return tensor[0] * tensor[1] * min(radii, default=np.inf) ** 2 * (1.0 - 1e-9)


def product(first: Array, second: Array) -> Array:
    """The product of two polynomials, arrays [power of x, power of y]."""
    result = np.zeros((first.shape[0] + second.shape[0] - 1, first.shape[1] + second.shape[1] - 1))
    for i, j in np.argwhere(first):
        result[i : i + second.shape[0], j : j + second.shape[1]] += first[i, j] * second
    return result


def total(*terms: Array) -> Array:
    """The sum of polynomials."""
    result = np.zeros(np.max([term.shape for term in terms], axis=0))
    for term in terms:
        result[: term.shape[0], : term.shape[1]] += term
    return result


def slopes(polynomial: Array) -> tuple[Array, Array]:
    """The derivatives with respect to x and y."""
    rows, columns = polynomial.shape
    return polynomial[1:] * np.arange(1, rows)[:, None], polynomial[:, 1:] * np.arange(1, columns)


def momenta(tensor: suslov_folds.Tensor) -> tuple[Array, Array]:
    """m1 and m2 as polynomials of x and y."""
    i11, i22, i13, i23 = tensor
    first, second = np.zeros((4, 4)), np.zeros((4, 4))
    first[1, 0], first[1, 1], first[0, 2], first[3, 0], first[1, 2] = i11, i13, i23, i11, i22
    second[0, 1], second[2, 0], second[1, 1], second[2, 1], second[0, 3] = i22, -i13, -i23, i11, i22
    return first, second


def determinant(tensor: suslov_folds.Tensor) -> Array:
    """D alone, multiplied out: quicker than products of polynomials."""
    i11, i22, i13, i23 = tensor
    p = i11 * i22
    return np.array(
        [
            [p, i13 * i22, 3.0 * p + i22**2 + 2.0 * i23**2, 3.0 * i13 * i22, 3.0 * i22**2],
            [-i11 * i23, 4.0 * i13 * i23, (i22 - 4.0 * i11) * i23, 0.0, 0.0],
            [3.0 * p + i11**2 + 2.0 * i13**2, (4.0 * i22 - i11) * i13, 6.0 * p, 0.0, 0.0],
            [-3.0 * i11 * i23, 0.0, 0.0, 0.0, 0.0],
            [3.0 * i11**2, 0.0, 0.0, 0.0, 0.0],
        ]
    )


def polynomials(tensor: suslov_folds.Tensor) -> tuple[Array, list[Array]]:
    """D, and the three polynomials whose common zeros with it are wanted."""
    first, second = momenta(tensor)
    (fx, fy), (gx, gy) = slopes(first), slopes(second)
    jacobian = total(product(fx, gy), -product(fy, gx))
    jx, jy = slopes(jacobian)
    cusps = total(product(jy, fx), -product(jx, fy))
    stationary = total(product(first, fx) / tensor[0], product(second, gx) / tensor[1])
    touching = total(product(first, gx), -product(second, fx))
    return jacobian, [cusps, stationary, touching]


def along(polynomial: Array, psi: Array) -> Array:
    """Coefficients (directions, power of rho) of a polynomial along directions."""
    c, s = np.cos(psi), np.sin(psi)
    result = np.zeros((psi.size, sum(polynomial.shape) - 1))
    for i, j in np.argwhere(polynomial):
        result[:, i + j] += polynomial[i, j] * c**i * s**j
    return result


def never_folds(jacobian: Array) -> Array:
    """Whether D > 0 is plain: with D = D0 + D1 rho + ... + D4 rho^4 it is where 4 D0 D2 D4 > D1^2 D4 + D3^2 D0.

    Two squares are left then. The difference is a trigonometric polynomial of degree 6, whose slope is at most 6 times
    its largest value (Bernstein): between directions pi/256 apart it varies by less than 0.04 of that. One answer for
    each of the determinants (..., 5, 5).
    """
    i, j = ALL_ROUND_POWERS
    by_power = np.zeros((*jacobian.shape[:-2], 5, i.size))
    by_power[..., i + j, np.arange(i.size)] = jacobian[..., i, j]
    d0, d1, d2, d3, d4 = np.moveaxis(by_power @ ALL_ROUND, -2, 0)
    gap = 4.0 * d0 * d2 * d4 - d1**2 * d4 - d3**2 * d0
    return np.asarray(gap.min(axis=-1) > 0.04 * np.abs(gap).max(axis=-1))


@lru_cache(maxsize=256)
def special_points(tensor: suslov_folds.Tensor) -> tuple[suslov_folds.Fold, ...]:
    """Cusps, stationary points of r, and points at which rays touch, on the fold of a tensor."""
    scale = (tensor[0] * tensor[1]) ** 0.5
    i11, i22, i13, i23 = tensor
    unit = (i11 / scale, i22 / scale, i13 / scale, i23 / scale)
    if never_folds(determinant(unit)):
        return ()
    jacobian, others = polynomials(unit)
    found: list[Array] = []
    for other in others:
        guesses = np.concatenate([eliminated(jacobian, other), crossings(jacobian, other)])
        for point in polished(jacobian, other, guesses):
            if all(np.hypot(*(point - known)) > 1e-9 * (1.0 + np.hypot(*point)) for known in found):
                found.append(point)
    return tuple(fold_at(tensor, point) for point in found)


def fold_at(tensor: suslov_folds.Tensor, point: Array) -> suslov_folds.Fold:
    """A displacement (x, y) as a point of the fold."""
    x, y = map(float, point)
    m1, m2, _ = kernels.suslov.legendre(kernels.suslov.CAYLEY, tensor, x, y)
    return suslov_folds.Fold((m1, m2), (x, y, 1.0))


def rho_roots(jacobian: Array, psi: Array) -> Array:
    """1/rho of the fold along directions, complex (directions, 4): D(0) > 0, so a companion matrix always exists."""
    coefficients = along(jacobian, psi)[:, :5]
    companion = np.zeros((psi.size, 4, 4))
    companion[:, 0, :] = -coefficients[:, 1:] / coefficients[:, :1]
    companion[:, [1, 2, 3], [0, 1, 2]] = 1.0
    return np.linalg.eigvals(companion)


def eliminated(jacobian: Array, other: Array) -> Array:
    """Guesses (n, 2) of common zeros from the resultant in rho, a polynomial of exp(2 i psi)."""
    psi = np.pi * np.arange(DEGREE + 1) / (DEGREE + 1)
    inverse = rho_roots(jacobian, psi)
    # The resultant is the product of the other polynomial over the roots of D, but for a factor that is not zero.
    powers = along(other, psi)[:, :6]
    values = np.ones(psi.size, dtype=complex)
    for root in inverse.T:
        values *= sum(powers[:, k] * root ** (5 - k) for k in range(powers.shape[1]))
    coefficients = np.fft.fft(np.exp(1j * DEGREE * psi) * values) / psi.size
    roots = np.roots(coefficients[::-1])
    on_circle = roots[np.abs(np.abs(roots) - 1.0) < OFF_THE_CIRCLE]
    return real_points(jacobian, 0.5 * np.angle(on_circle))


def real_points(jacobian: Array, psi: Array) -> Array:
    """Points (n, 2) of the fold along directions, also of roots that are only nearly real."""
    inverse = rho_roots(jacobian, psi)
    size = np.abs(inverse)
    directions, which = np.nonzero((np.abs(inverse.imag) <= OFF_THE_REAL * size) & (size > 0.0))
    rho = 1.0 / inverse[directions, which].real
    return np.stack([rho * np.cos(psi[directions]), rho * np.sin(psi[directions])], axis=1)


def crossings(jacobian: Array, other: Array) -> Array:
    """Guesses (n, 2) where a polynomial changes its sign between neighbouring directions of the fold."""
    psi = np.pi * (np.arange(DIRECTIONS + 1) + 0.3) / DIRECTIONS
    inverse = rho_roots(jacobian, psi)
    real = np.sort(np.where(np.abs(inverse.imag) <= 1e-9 * np.abs(inverse), inverse.real, np.nan), axis=1)
    powers = along(other, psi)[:, :6]
    values = sum(powers[:, k, None] * real ** (5 - k) for k in range(powers.shape[1]))
    directions, which = np.nonzero(values[:-1] * values[1:] <= 0.0)
    rho = 2.0 / (real[directions, which] + real[directions + 1, which])
    middle = 0.5 * (psi[directions] + psi[directions + 1])
    return np.stack([rho * np.cos(middle), rho * np.sin(middle)], axis=1)


def polished(jacobian: Array, other: Array, guesses: Array) -> list[Array]:
    """Common zeros by Newton's method from guesses."""
    from numpy.polynomial.polynomial import polyval2d

    forms = (jacobian, other, *slopes(jacobian), *slopes(other))
    found = []
    for guess in guesses:
        point = guess.copy()
        for _ in range(NEWTON_ROUNDS):
            a, b, *entries = (float(polyval2d(point[0], point[1], form)) for form in forms)
            determinant = entries[0] * entries[3] - entries[1] * entries[2]
            if determinant == 0.0:
                break
            change = np.array([entries[3] * a - entries[1] * b, entries[0] * b - entries[2] * a]) / determinant
            point = point - change
            size = float(np.hypot(*point))
            if not size < 1e6:
                break
            if np.hypot(*change) <= 1e-13 * (1e-3 + size):
                found.append(point)
                break
    return found
