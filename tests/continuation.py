"""Where principal branches end, by continuation in plain numpy: an oracle that shares nothing with nhviz.

The principal branch of a momentum m is the displacement that grows out of the identity along the ray s m. All these
maps become systems of quadratic equations G(X) = 0 for X = (coordinates of the displacement, s), one equation fewer
than unknowns, if a displacement is given by Euler parameters, by an orthogonal matrix or, for the Cayley map, by
(x, y, S). The branch is then a curve, followed by its length: it passes half turns without noticing and ends at its
first fold, where s turns back.

No step leaves the curve. With B the derivative of G bordered by the unit tangent t, and K at least the norm of
B^-1 G'', the next point X + h t + y, with y orthogonal to t, is the fixed point of y -> -B^-1 G''(h t + y, h t + y)/2.
With K h <= 1/2 that is a contraction of the ball |y| <= K h^2 for this and every shorter h: the curve crosses every
such disk once, and what Newton's method finds in the last one is connected with X (round-off aside).

`test_principal_branches` asks nhviz about seeded bodies of it, and as a program about thousands of them.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

Array = np.ndarray
CONTRACTION = 0.3
"""K h of a step; less than 1/2, so that the tangent turns little on the way."""
MOST_STEPS = 50_000
THIN = 1e-9
"""An angle that starts do not hit: wedges of rays not wider than this are no one's business but a mathematician's."""


class SingularError(RuntimeError):
    """The curve comes too near a crossing with another one to be followed."""


@dataclass(frozen=True, eq=False)
class Quadratics:
    """G(X) = X.second.X/2 + first.X + constant, with as many equations as unknowns but one; the last unknown is s."""

    second: Array
    first: Array
    constant: Array
    spread: Array
    identity: Array

    def value(self, x: Array) -> Array:
        """G(X)."""
        return 0.5 * (self.second @ x) @ x + self.first @ x + self.constant

    def slope(self, x: Array) -> Array:
        """G'(X)."""
        return self.second @ x + self.first


def quadratics(equations: Callable[[Array], Array], identity: Array) -> Quadratics:
    """The coefficients of quadratic equations, from their values at sums of unit vectors."""
    size = identity.size
    unit = np.eye(size)
    constant = equations(np.zeros(size))
    ahead, back = (np.array([equations(sign * e) for e in unit]) for sign in (1.0, -1.0))
    second = np.empty((constant.size, size, size))
    for i in range(size):
        second[:, i, i] = ahead[i] + back[i] - 2.0 * constant
        for j in range(i):
            second[:, i, j] = second[:, j, i] = equations(unit[i] + unit[j]) - ahead[i] - ahead[j] + constant
    flat = second.reshape(constant.size, -1)
    return Quadratics(second, 0.5 * (ahead - back).T, constant, flat @ flat.T, identity)


def bordered(system: Quadratics, x: Array, border: Array) -> Array:
    """G' with one more row."""
    return np.vstack([system.slope(x), border])


def tangent(system: Quadratics, x: Array, before: Array) -> Array:
    """The unit tangent at a point of the curve, in the sense of the one before."""
    found = np.linalg.solve(bordered(system, x, before), np.append(np.zeros(x.size - 1), 1.0))
    return found / np.linalg.norm(found)


def onto(system: Quadratics, x: Array, along: Array) -> Array:
    """The point of the curve in the plane through x that is orthogonal to a direction, by Newton's method."""
    before = np.inf
    for _ in range(50):
        change = np.linalg.solve(bordered(system, x, along), np.append(system.value(x), 0.0))
        x, size = x - change, float(np.linalg.norm(change))
        if size >= before and size < 1e-9 * (1.0 + np.linalg.norm(x)):
            return x
        before = size if size > 0.0 else 0.0
    raise SingularError


@dataclass(frozen=True, eq=False)
class Branch:
    """A principal branch as far as it was followed: points, tangents and, if it was reached, its end.

    Points and tangents are in units in which displacement and step begin alike; `unit` is the step's. `end` is a step.
    """

    system: Quadratics
    points: list[Array]
    tangents: list[Array]
    unit: float
    end: float | None

    def at(self, step: float) -> Array | None:
        """The displacement with a step, or None where the branch has ended."""
        if self.end is not None and step >= self.end:
            return None
        share = step / self.unit
        if share > self.points[-1][-1]:
            raise ValueError("the branch was not followed so far")
        after = max(int(np.searchsorted([point[-1] for point in self.points], share)), 1)
        x, along = self.points[after - 1], self.tangents[after - 1]
        low, high = 0.0, float(along @ (self.points[after] - x))
        for _ in range(30):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if onto(self.system, x + middle * along, along)[-1] < share else (low, middle)
        found = onto(self.system, x + low * along, along)
        found[-1] = share
        return onto(self.system, found, np.append(np.zeros(x.size - 1), 1.0))[:-1]


def follow(system: Quadratics, unit: float, most: float) -> Branch:
    """The principal branch up to the step `most`, or to its fold if that comes first."""
    x = system.identity
    t = tangent(system, x, np.append(np.zeros(x.size - 1), 1.0))
    points, tangents = [x], [t]
    for _ in range(MOST_STEPS):
        part = np.linalg.inv(bordered(system, x, t))[:, :-1]
        bend = float(np.sqrt(np.linalg.eigvalsh(part @ system.spread @ part.T)[-1]))
        if not bend < 1e9:
            raise SingularError
        h = CONTRACTION / bend
        y = onto(system, x + h * t, t)
        # The ball of the contraction, with room for round-off.
        if np.linalg.norm(y - x - h * t) > bend * h * h + 1e-12 * (1.0 + np.linalg.norm(y)):
            raise SingularError
        along = tangent(system, y, t)
        fold = first_fold(system, (x, t), (y, along), h, -part @ ((system.second @ t) @ t))
        x, t = (y, along) if fold is None else (fold, t)
        points.append(x)
        tangents.append(t)
        if fold is not None:
            return Branch(system, points, tangents, unit, float(unit * fold[-1]))
        if x[-1] * unit >= most:
            return Branch(system, points, tangents, unit, None)
    raise SingularError


def first_fold(
    system: Quadratics, here: tuple[Array, Array], there: tuple[Array, Array], h: float, curvature: Array
) -> Array | None:
    """The first point of a step at which s turns back, or None."""
    (x, t), (_, along) = here, there

    def rate(length: float) -> tuple[Array, Array]:
        point = onto(system, x + length * t, t)
        return point, tangent(system, point, t)

    high = h
    if along[-1] > 0.0:
        # A dip of ds between two points at which s grows: only where it falls at first and rises in the end.
        def change(point: Array, direction: Array) -> float:
            curve = np.linalg.solve(
                bordered(system, point, direction), np.append((system.second @ direction) @ direction, 0.0)
            )
            return -float(curve[-1])

        if curvature[-1] >= 0.0 or change(*there) <= 0.0:
            return None
        low, high = 0.0, h
        for _ in range(40):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if change(*rate(middle)) < 0.0 else (low, middle)
        if rate(high)[1][-1] > 0.0:
            return None
    low = 0.0
    # The error of s is the square of that of the length: half the digits would do.
    for _ in range(40):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if rate(middle)[1][-1] > 0.0 else (low, middle)
    return rate(0.5 * (low + high))[0]


def branch_of(equations: Callable[[Array], Array], identity: Array, most: float) -> Branch:
    """The principal branch of equations whose last unknown is the step, in the unit in which both begin alike."""
    start = np.append(identity, 0.0)
    slope = tangent(quadratics(equations, start), start, np.append(np.zeros(identity.size), 1.0))
    unit = float(slope[-1] / np.linalg.norm(slope[:-1]))
    return follow(quadratics(lambda x: equations(np.append(x[:-1], unit * x[-1])), start), unit, most)


# --- the systems: displacement coordinates and step -> equations; what a displacement does to the momentum


def suslov_moser_veselov(inertia: Array, momentum: Array, most: float = np.inf) -> Branch:
    """(q1, q2, q0) of the Moser-Veselov map at the momentum (M1, M2); inertia = (I11, I22, I13, I23)."""
    i11, i22, i13, i23 = inertia

    def equations(x: Array) -> Array:
        q1, q2, q0, step = x
        k = i13 * q1 + i23 * q2
        return np.array(
            [
                i11 * q1 * q0 + q2 * k - 0.5 * step * momentum[0],
                i22 * q2 * q0 - q1 * k - 0.5 * step * momentum[1],
                0.5 * (q1 * q1 + q2 * q2 + q0 * q0 - 1.0),
            ]
        )

    return branch_of(equations, np.array([0.0, 0.0, 1.0]), most)


def suslov_cayley(inertia: Array, momentum: Array, most: float) -> Branch:
    """(x, y, S) of the Cayley map at the momentum (M1, M2), S = I11 x^2 + I22 y^2."""
    i11, i22, i13, i23 = inertia

    def equations(unknown: Array) -> Array:
        x, y, s, step = unknown
        k = i13 * x + i23 * y
        return np.array(
            [
                x * (i11 + s) + y * k - 0.5 * step * momentum[0],
                y * (i22 + s) - x * k - 0.5 * step * momentum[1],
                i11 * x * x + i22 * y * y - s,
            ]
        )

    return branch_of(equations, np.zeros(3), most)


def suslov_after(scheme: str, inertia: Array, momentum: Array, step: float, cayley: Array) -> Array:
    """(M1, M2) after a step with Cayley coordinates (x, y) = (q1, q2)/q0."""
    x, y = cayley
    k = (inertia[2] * x + inertia[3] * y) / (1.0 + x * x + y * y if scheme == "moser_veselov" else 1.0)
    return momentum + 4.0 / step * np.array([-y * k, x * k])


def sphere(mass: Array, d: float, gamma: Array, momentum: Array, most: float = np.inf) -> Branch:
    """(q0, q1, q2, q3) of the Chaplygin sphere, CS (5.2): three quadrics; d = m rho^2, gamma of length one."""
    inertia = mass.sum() - mass

    def equations(x: Array) -> Array:
        q0, q, step = x[0], x[1:4], x[4]
        turned = 2.0 * (q0 * inertia * q + np.cross(q, inertia * q)) + 2.0 * d * q0 * (q - (gamma @ q) * gamma)
        return np.array([*(turned - step * momentum), 0.5 * (x[:4] @ x[:4] - 1.0)])

    return branch_of(equations, np.array([1.0, 0.0, 0.0, 0.0]), most)


def rotation(q: Array) -> Array:
    """The matrix of unit Euler parameters, CS (5.1) corrected."""
    q0, v = q[0], q[1:]
    across = np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])
    return (q0 * q0 - v @ v) * np.eye(3) + 2.0 * np.outer(v, v) + 2.0 * q0 * across


def sphere_n(mass: Array, d: float, gamma: Array, momentum: Array, most: float = np.inf) -> Branch:
    """Omega, row by row, of the sphere in n dimensions, CS (4.12), (4.13), at the skew matrix K."""
    n = mass.size
    upper, whole = np.triu_indices(n, 1), np.triu_indices(n)
    shape, vertical = np.diag(mass) + 0.5 * d * np.outer(gamma, gamma), np.outer(gamma, gamma)

    def equations(x: Array) -> Array:
        omega = x[:-1].reshape(n, n)
        turned = omega @ shape - shape @ omega.T + 0.5 * d * (vertical @ omega - omega.T @ vertical)
        return np.append((turned - x[-1] * momentum)[upper], (omega.T @ omega - np.eye(n))[whole])

    return branch_of(equations, np.eye(n).ravel(), most)


def suslov_n(moments: Array, products: Array, momentum: Array, most: float = np.inf) -> Branch:
    """(z0, z) of the top in n dimensions: eps p = 2 (z0 C z + |z|^2 j - z <z, j>)."""

    def equations(x: Array) -> Array:
        z0, z, step = x[0], x[1:-1], x[-1]
        before = 2.0 * (z0 * moments * z + (z @ z) * products - z * (z @ products))
        return np.append(before - step * momentum, 0.5 * (z0 * z0 + z @ z - 1.0))

    return branch_of(equations, np.append(1.0, np.zeros(moments.size)), most)


def suslov_n_after(products: Array, momentum: Array, step: float, displacement: Array) -> Array:
    """The momentum after a step: the bracket changes its sign."""
    z = displacement[1:]
    return momentum - 4.0 / step * ((z @ z) * products - z * (z @ products))


def sleigh_generators(n: int) -> Array:
    """The allowed velocities of the sleigh on SE(n): turns w_i = omega_i1, and sliding along e_1."""
    found = np.zeros((n, n + 1, n + 1))
    for i in range(1, n):
        found[i - 1, i, 0], found[i - 1, 0, i] = 1.0, -1.0
    found[n - 1, 0, n] = 1.0
    return found


def sleigh_displacement(x: Array) -> Array:
    """Omega = 1 + alpha beta^T - 2 e_1 e_1^T, alpha = (z0, z, 0), beta = (2 z0, -2 z, l), FZ (6.7), (7.1)."""
    alpha, beta = np.append(x[:-1], 0.0), np.concatenate([[2.0 * x[0]], -2.0 * x[1:]])
    beta[-1] = x[-1]
    moved = np.eye(x.size) + np.outer(alpha, beta)
    moved[0, 0] -= 2.0
    return moved


def sleigh_n(mass_matrix: Array, momentum: Array, most: float = np.inf) -> Branch:
    """(z0, z, l) of the sleigh in n dimensions at the momenta of `sleigh_generators`.

    eps <P, xi> = tr(xi Omega M (Omega - 1)^T) = tr(xi M (Omega - 1)^T): the rest, (Omega - 1) M (Omega - 1)^T, is
    symmetric and without a last row and column, and the turns of xi are skew.
    """
    n = momentum.size
    generators = sleigh_generators(n)

    def equations(x: Array) -> Array:
        z, step = x[:-2], x[-1]
        shift = sleigh_displacement(x[:-1]) - np.eye(n + 1)
        before = np.einsum("iab,bc,ac->i", generators, mass_matrix, shift)
        return np.append(before - step * momentum, 0.5 * (z @ z - 1.0))

    return branch_of(equations, np.append(1.0, np.zeros(n)), most)


def sleigh_n_after(mass_matrix: Array, step: float, displacement: Array) -> Array:
    """The momenta after a step: xi and Omega change places."""
    moved = sleigh_displacement(displacement)
    shift = moved - np.eye(moved.shape[0])
    generators = sleigh_generators(displacement.size - 1)
    return np.array([np.trace(moved @ xi @ mass_matrix @ shift.T) for xi in generators]) / step


# --- explicit ends of the Suslov maps, many rays at once


def product(*forms: Array) -> Array:
    """The product of binary forms with coefficients (..., degree + 1)."""
    total = np.ones((1,))
    for form in forms:
        shape = np.broadcast_shapes(total.shape[:-1], form.shape[:-1])
        found = np.zeros((*shape, total.shape[-1] + form.shape[-1] - 1))
        for i in range(form.shape[-1]):
            found[..., i : i + total.shape[-1]] += form[..., i : i + 1] * total
        total = found
    return total


def positive_roots(coefficients: Array) -> Array:
    """Angles in (0, pi) with sum coefficients[..., i] cos^(n-i) sin^i = 0, infinite in place of complex ones."""
    degree = coefficients.shape[-1] - 1
    scaled = coefficients / np.abs(coefficients).max(axis=-1, keepdims=True)
    lead = scaled[..., -1:]
    # A root at infinity is the angle pi/2 as well as one at 1e15.
    lead = np.where(np.abs(lead) < 1e-15, 1e-15, lead)
    companion = np.zeros((*scaled.shape[:-1], degree, degree))
    companion[..., 0, :] = -scaled[..., degree - 1 :: -1] / lead
    companion[..., np.arange(1, degree), np.arange(degree - 1)] = 1.0
    roots = np.linalg.eigvals(companion)
    return np.where(np.abs(roots.imag) <= 1e-7 * np.abs(roots), np.arctan(roots.real) % np.pi, np.inf)


def moser_veselov_ends(inertia: Array, alpha: Array, beta: Array) -> Array:
    """The s at which the principal branch along each ray s (alpha, beta) = m ends, m = (eps/2) M.

    The ray is a conic, parametrised by the direction psi of (q1, q2): with (c, s) = (cos psi, sin psi),
    D = beta I11 c - alpha I22 s, kappa = I13 c + I23 s and N = I11 c^2 + I22 s^2, it is
    q0/|(q1, q2)| = -kappa (alpha c + beta s)/D, and on it s = -D kappa N/(D^2 + kappa^2 (alpha c + beta s)^2). It
    begins at D = 0, in the sense in which s is positive, and ends at the first critical point of s: a root of a sextic.
    """
    i11, i22, i13, i23 = inertia
    # The frame (e, f) begins at D = 0, and turns in the sense in which s is positive: that of the sign of kappa there.
    size = np.hypot(alpha / i11, beta / i22)
    e1, e2 = alpha / i11 / size, beta / i22 / size
    sense = np.where(i13 * e1 + i23 * e2 < 0.0, -1.0, 1.0)
    f1, f2 = -sense * e2, sense * e1

    def form(first: Array, second: Array) -> Array:
        return np.stack([first * e1 + second * e2, first * f1 + second * f2], axis=-1)

    kappa, along, d = form(i13, i23), form(alpha, beta), form(beta * i11, -alpha * i22)
    d[..., 0] = 0.0
    shape = i11 * product(form(1.0, 0.0), form(1.0, 0.0)) + i22 * product(form(0.0, 1.0), form(0.0, 1.0))
    over = -product(d, kappa, shape)
    under = product(d, d, np.array([1.0, 0.0, 1.0])) + product(kappa, kappa, along, along)
    # The derivatives by the two coordinates of a direction; the sextic is their cross product.
    power = np.arange(4)
    slopes = [(quartic[..., :-1] * (4 - power), quartic[..., 1:] * (power + 1)) for quartic in (over, under)]
    sextic = product(slopes[0][0], slopes[1][1]) - product(slopes[0][1], slopes[1][0])
    way = positive_roots(sextic).min(axis=-1)
    monomials = np.stack([np.cos(way) ** (4 - i) * np.sin(way) ** i for i in range(5)], axis=-1)
    return (over * monomials).sum(axis=-1) / (under * monomials).sum(axis=-1)


def cayley_curve(inertia: Array, alpha: Array, beta: Array, x: Array, y: Array) -> tuple[Array, ...]:
    """Value, gradient, Hessian and size of the third derivative of the cubic beta m1 = alpha m2 of a ray."""
    i11, i22, i13, i23 = inertia
    shape, k, across, along = i11 * x * x + i22 * y * y, i13 * x + i23 * y, beta * x - alpha * y, alpha * x + beta * y
    value = across * shape + k * along + beta * i11 * x - alpha * i22 * y
    by_x = beta * shape + 2.0 * i11 * x * across + i13 * along + alpha * k + beta * i11
    by_y = -alpha * shape + 2.0 * i22 * y * across + i23 * along + beta * k - alpha * i22
    xx = 4.0 * beta * i11 * x + 2.0 * i11 * across + 2.0 * i13 * alpha
    yy = -4.0 * alpha * i22 * y + 2.0 * i22 * across + 2.0 * i23 * beta
    xy = 2.0 * beta * i22 * y - 2.0 * alpha * i11 * x + i13 * beta + i23 * alpha
    third = np.sqrt(
        (6.0 * beta * i11) ** 2 + (6.0 * alpha * i22) ** 2 + 12.0 * ((alpha * i11) ** 2 + (beta * i22) ** 2)
    )
    return value, by_x, by_y, np.sqrt(xx * xx + 2.0 * xy * xy + yy * yy), third


def cayley_momentum(inertia: Array, x: Array, y: Array) -> tuple[Array, Array]:
    """(m1, m2) of the Cayley map."""
    i11, i22, i13, i23 = inertia
    k, shape = i13 * x + i23 * y, i11 * x * x + i22 * y * y
    return x * (i11 + shape) + y * k, y * (i22 + shape) - x * k


def cayley_rate(inertia: Array, alpha: Array, beta: Array, x: Array, y: Array) -> tuple[Array, Array, Array]:
    """The unit tangent of the cubic, in the sense in which it leaves the identity with s > 0, and ds along it."""
    i11, i22, i13, i23 = inertia
    _, by_x, by_y, *_ = cayley_curve(inertia, alpha, beta, x, y)
    size = np.hypot(by_x, by_y)
    tx, ty = -by_y / size, by_x / size
    k, shape = i13 * x + i23 * y, i11 * x * x + i22 * y * y
    m1 = (i11 + shape + 2.0 * i11 * x * x + i13 * y) * tx + (2.0 * i22 * x * y + k + i23 * y) * ty
    m2 = (2.0 * i11 * x * y - k - i13 * x) * tx + (i22 + shape + 2.0 * i22 * y * y - i23 * x) * ty
    return tx, ty, alpha * m1 + beta * m2


def cayley_bend(inertia: Array, alpha: Array, beta: Array, x: Array, y: Array) -> Array:
    """The derivative of ds along the cubic."""
    i11, i22, i13, i23 = inertia
    tx, ty, _ = cayley_rate(inertia, alpha, beta, x, y)
    _, by_x, by_y, *_ = cayley_curve(inertia, alpha, beta, x, y)
    first = 6.0 * i11 * x, 2.0 * i22 * y + i13, 2.0 * i22 * x + 2.0 * i23
    second = 2.0 * i11 * y - 2.0 * i13, 2.0 * i11 * x - i23, 6.0 * i22 * y

    def along(form: tuple[Array, ...]) -> Array:
        return form[0] * tx * tx + 2.0 * form[1] * tx * ty + form[2] * ty * ty

    # The curve bends as (beta m1 - alpha m2) must stay zero.
    turn = -(beta * along(first) - alpha * along(second)) / (by_x * by_x + by_y * by_y)
    k, shape = i13 * x + i23 * y, i11 * x * x + i22 * y * y
    m1 = (i11 + shape + 2.0 * i11 * x * x + i13 * y) * by_x + (2.0 * i22 * x * y + k + i23 * y) * by_y
    m2 = (2.0 * i11 * x * y - k - i13 * x) * by_x + (i22 + shape + 2.0 * i22 * y * y - i23 * x) * by_y
    return alpha * along(first) + beta * along(second) + turn * (alpha * m1 + beta * m2)


def cayley_settle(inertia: Array, alpha: Array, beta: Array, x: Array, y: Array, normal: tuple[Array, Array]) -> tuple:
    """Newton's method for the point of the cubic on the line through (x, y) along a normal."""
    for _ in range(4):
        value, by_x, by_y, *_ = cayley_curve(inertia, alpha, beta, x, y)
        change = value / (by_x * normal[0] + by_y * normal[1])
        x, y = x - change * normal[0], y - change * normal[1]
    return x, y


def fold_radii(inertia: Array, psi: Array) -> Array:
    """The signed radii (..., 4) at which the Cayley map is singular along directions, NaN for complex ones."""
    i11, i22, i13, i23 = inertia
    c, s = np.cos(psi), np.sin(psi)
    shape, kappa, one = i11 * c * c + i22 * s * s, i13 * c + i23 * s, np.ones_like(c)
    first = np.stack([i11 * one, i13 * s, shape + 2.0 * i11 * c * c], axis=-1)
    second = np.stack([i22 * one, -i23 * c, shape + 2.0 * i22 * s * s], axis=-1)
    third = np.stack([0.0 * one, kappa + i23 * s, 2.0 * i22 * c * s], axis=-1)
    fourth = np.stack([0.0 * one, -kappa - i13 * c, 2.0 * i11 * c * s], axis=-1)
    quartic = product(first, second) - product(third, fourth)
    # In units in which the first and the last coefficient are one.
    unit = (quartic[..., :1] / quartic[..., -1:]) ** 0.25
    scaled = quartic * unit ** np.arange(5)
    scaled /= scaled[..., -1:]
    companion = np.zeros((*psi.shape, 4, 4))
    companion[..., 0, :] = -scaled[..., 3::-1]
    companion[..., [1, 2, 3], [0, 1, 2]] = 1.0
    roots = np.linalg.eigvals(companion)
    return unit * np.where(np.abs(roots.imag) <= 1e-7 * np.abs(roots), roots.real, np.nan)


def cayley_far(inertia: Array) -> float:
    """A bound of m1^2/I11 + m2^2/I22 at displacements not beyond the farthest fold: above it no branch folds.

    Zero where nothing folds. On a circle of radius r the momentum's length is at most that of a cubic in r.
    """
    psi = np.linspace(0.0, np.pi, 4001)
    radii = np.abs(fold_radii(inertia, psi))
    if np.isnan(radii).all():
        return 0.0
    reach = 1.05 * float(np.nanmax(radii))
    x, y = reach * np.cos(2.0 * psi), reach * np.sin(2.0 * psi)
    i11, i22, i13, i23 = inertia
    k, shape = i13 * x + i23 * y, i11 * x * x + i22 * y * y
    # The three terms grow with the radius one by one.
    bound = [np.abs(part) for part in (i11 * x, y * k, x * shape, i22 * y, x * k, y * shape)]
    return float(np.max(sum(bound[:3]) ** 2 / i11 + sum(bound[3:]) ** 2 / i22))


def cayley_ends(inertia: Array, alpha: Array, beta: Array, most: float = np.inf) -> Array:
    """The s at which the principal branch of the Cayley map along each ray s (alpha, beta) ends, or infinity.

    All rays are followed at once along their cubics, with the same kind of contraction as above.
    """
    far = cayley_far(inertia)
    ends, square = np.full(alpha.shape, np.inf), alpha**2 + beta**2
    last = np.minimum(np.sqrt(far / (alpha**2 / inertia[0] + beta**2 / inertia[1])), most) * square
    x, y, open_rays = np.zeros_like(alpha), np.zeros_like(alpha), np.arange(alpha.size)
    for _ in range(20_000):
        a, b, px, py = alpha[open_rays], beta[open_rays], x[open_rays], y[open_rays]
        m1, m2 = cayley_momentum(inertia, px, py)
        unfinished = a * m1 + b * m2 < last[open_rays]
        open_rays, a, b, px, py = (part[unfinished] for part in (open_rays, a, b, px, py))
        if open_rays.size == 0:
            return ends / square
        _, by_x, by_y, second, third = cayley_curve(inertia, a, b, px, py)
        size = np.hypot(by_x, by_y)
        tx, ty = -by_y / size, by_x / size
        # second h + third h^2 = CONTRACTION size.
        h = 2.0 * CONTRACTION * size / (second + np.sqrt(second**2 + 4.0 * CONTRACTION * size * third))
        qx, qy = cayley_settle(inertia, a, b, px + h * tx, py + h * ty, (-ty, tx))
        rate, other = (cayley_rate(inertia, a, b, *point)[2] for point in ((px, py), (qx, qy)))
        bend, other_bend = (cayley_bend(inertia, a, b, *point) for point in ((px, py), (qx, qy)))
        folded = other <= 0.0
        # Where ds falls at first and rises in the end its tangents meet below it; s may turn back where that is low.
        dips = ~folded & (bend < 0.0) & (other_bend > 0.0)
        meet = (other - rate - other_bend * h) / np.where(dips, bend - other_bend, -1.0)
        dips &= rate + bend * meet < 0.3 * np.minimum(rate, other)
        if dips.any():
            h[dips], least = cayley_dip(inertia, *(part[dips] for part in (a, b, px, py, tx, ty, h)))
            folded[dips] = least <= 0.0
        x[open_rays], y[open_rays] = qx, qy
        if folded.any():
            ends[open_rays[folded]] = cayley_fold(inertia, *(part[folded] for part in (a, b, px, py, tx, ty, h)))
            open_rays = open_rays[~folded]
    raise SingularError


def cayley_dip(
    inertia: Array, alpha: Array, beta: Array, x: Array, y: Array, tx: Array, ty: Array, h: Array
) -> tuple[Array, Array]:
    """(length, ds) where ds is least within a step."""
    low, high = np.zeros_like(h), h
    for _ in range(45):
        middle = 0.5 * (low + high)
        px, py = cayley_settle(inertia, alpha, beta, x + middle * tx, y + middle * ty, (-ty, tx))
        falling = cayley_bend(inertia, alpha, beta, px, py) < 0.0
        low, high = np.where(falling, middle, low), np.where(falling, high, middle)
    return middle, cayley_rate(inertia, alpha, beta, px, py)[2]


def cayley_fold(inertia: Array, alpha: Array, beta: Array, x: Array, y: Array, tx: Array, ty: Array, h: Array) -> Array:
    """(alpha m1 + beta m2) where ds changes its sign within a step."""
    low, high = np.zeros_like(h), h
    for _ in range(45):
        middle = 0.5 * (low + high)
        px, py = cayley_settle(inertia, alpha, beta, x + middle * tx, y + middle * ty, (-ty, tx))
        rising = cayley_rate(inertia, alpha, beta, px, py)[2] > 0.0
        low, high = np.where(rising, middle, low), np.where(rising, high, middle)
    m1, m2 = cayley_momentum(inertia, px, py)
    return alpha * m1 + beta * m2


def suslov_ends(scheme: str, inertia: Array, energy: float, angles: Array, most: float = np.inf) -> Array:
    """The steps at which the principal branches of momenta on an energy ellipse end; infinite beyond `most`."""
    size = np.sqrt(0.5 * energy)
    alpha, beta = size * np.sqrt(inertia[0]) * np.cos(angles), size * np.sqrt(inertia[1]) * np.sin(angles)
    if scheme == "moser_veselov":
        return moser_veselov_ends(inertia, alpha, beta)
    ends = cayley_ends(inertia, alpha, beta, most)
    return np.where(ends > most, np.inf, ends)


def fold_angles(scheme: str, inertia: Array, count: int) -> Array:
    """Angles on the energy ellipse of the momenta at which the map is singular, from directions in even steps.

    They crowd where even steps of the angle itself would leave gaps: in thin wedges of early folds.
    """
    i11, i22, i13, i23 = inertia
    psi = np.linspace(0.0, np.pi, count, endpoint=False)
    c, s = np.cos(psi), np.sin(psi)
    if scheme == "cayley":
        radii = fold_radii(inertia, psi)
        m1, m2 = cayley_momentum(inertia, radii * c[:, None], radii * s[:, None])
    else:
        # The determinant of the gradients of m1 and m2 and q = (c, s, g) is a cubic in g.
        kappa, one = i13 * c + i23 * s, np.ones_like(c)
        rows = [
            [(i13 * s, i11 * one), (kappa + i23 * s, 0.0 * c), (i11 * c, 0.0 * c)],
            [(-kappa - i13 * c, 0.0 * c), (-i23 * c, i22 * one), (i22 * s, 0.0 * c)],
            [(c, 0.0 * c), (s, 0.0 * c), (0.0 * c, one)],
        ]
        entry = [[np.stack(pair, axis=-1) for pair in row] for row in rows]
        cubic = sum(
            sign * product(entry[0][i], entry[1][j], entry[2][k])
            for (i, j, k), sign in (
                ((0, 1, 2), 1), ((1, 2, 0), 1), ((2, 0, 1), 1), ((0, 2, 1), -1), ((2, 1, 0), -1), ((1, 0, 2), -1)
            )
        )  # fmt: skip
        companion = np.zeros((count, 3, 3))
        companion[:, 0, :] = -cubic[:, 2::-1] / cubic[:, 3:]
        companion[:, [1, 2], [0, 1]] = 1.0
        roots = np.linalg.eigvals(companion)
        g = np.where(np.abs(roots.imag) <= 1e-7 * (1.0 + np.abs(roots)), roots.real, np.nan)
        c, s, kappa = c[:, None], s[:, None], kappa[:, None]
        m1, m2 = i11 * c * g + s * kappa, i22 * s * g - c * kappa
    angles = np.arctan2(m2 / np.sqrt(i22), m1 / np.sqrt(i11)).ravel()
    return angles[~np.isnan(angles)]


def suslov_largest_steps(
    scheme: str, inertia: Array, energy: float, rays: int = 2000, most: float = np.inf
) -> list[tuple[float, float]]:
    """[(step, angle), ...]: the lowest steps at which principal branches end on an energy ellipse, and where.

    Of the Cayley map what is beyond `most` is taken for infinite.

    Rays in even steps and through folds in even steps of the direction; the lowest ones are then closed in on, by
    nets around the lowest point so far. Next to a jump that finds the lower side's limit. The first one is the infimum.
    More follow only where it belongs to a wedge of rays that is thinner than `THIN`; the last one is not so thin.
    """
    if scheme == "cayley" and cayley_far(inertia) == 0.0:
        return [(np.inf, np.nan)]
    turn = 2.0 * np.pi
    even = np.linspace(0.0, turn, rays, endpoint=False) + 1e-4
    angles = np.unique(np.concatenate([even, fold_angles(scheme, inertia, rays) % turn]))
    ends = suslov_ends(scheme, inertia, energy, angles, most)
    lowest: list[int] = []
    rising = (ends <= np.roll(ends, 1)) & (ends <= np.roll(ends, -1)) & np.isfinite(ends)
    for i in sorted(np.flatnonzero(rising), key=lambda i: ends[i]):
        if len(lowest) < 12 and all(abs(angles[i] - angles[j]) > 1e-6 for j in lowest):
            lowest.append(int(i))
    if not lowest:
        return [(np.inf, np.nan)]
    around = np.concatenate([[angles[-1] - turn], angles, [angles[0] + turn]])
    low, high = around[lowest], around[np.array(lowest) + 2]
    best, where = ends[lowest].copy(), angles[lowest].copy()
    for _ in range(14):
        net = np.linspace(low, high, 22)[1:-1]
        found = suslov_ends(scheme, inertia, energy, net.ravel(), most).reshape(net.shape)
        found, net = np.vstack([found, best]), np.vstack([net, where])
        index = found.argmin(axis=0)
        best, where = found.min(axis=0), np.take_along_axis(net, index[None], axis=0)[0]
        width = (high - low) / 21.0
        low, high = where - width, where + width
    steps = []
    for i in np.argsort(best):
        steps.append((float(best[i]), float(where[i] % turn)))
        beside = suslov_ends(scheme, inertia, energy, where[i] + np.array([-THIN, THIN]), most)
        if beside.min() <= best[i] * (1.0 + 1e-4):
            return steps
    return [*steps, (np.inf, np.nan)]


def cayley_cusp_on_the_way(inertia: Array, energy: float, step: float) -> bool:
    """Whether a step is that of the lowest fold of the Cayley map, and the principal branch leads there.

    Then it is a cusp: next to it the branch folds, but where I11 and I22 are nearly the same or the products of inertia
    nearly along an axis, only in a wedge of rays too thin to be met.
    """
    psi = np.linspace(0.0, np.pi, 4001)
    for _ in range(8):
        radii = fold_radii(inertia, psi)
        x, y = radii * np.cos(psi)[:, None], radii * np.sin(psi)[:, None]
        m1, m2 = cayley_momentum(inertia, x, y)
        level = m1**2 / inertia[0] + m2**2 / inertia[1]
        i, j = np.unravel_index(np.nanargmin(level), level.shape)
        x, y, m1, m2, least = x[i, j], y[i, j], m1[i, j], m2[i, j], level[i, j]
        width = psi[1] - psi[0]
        psi = np.linspace(psi[i] - 2.0 * width, psi[i] + 2.0 * width, 41)
    if abs(np.sqrt(2.0 * least / energy) - step) > 1e-6 * step:
        return False
    # Next to the cusp's ray, which itself cannot be followed through the cusp.
    size = np.sqrt(2.0 * energy / least)
    there = suslov_cayley(inertia, size * np.array([m1, m2 + 1e-6 * m1]), step).at(step * (1.0 - 1e-4))
    return there is not None and np.hypot(there[0] - x, there[1] - y) < 0.1 * np.hypot(x, y)


def logarithmic(random: np.random.Generator, low: float, high: float, size: int | None = None) -> Array:
    """Numbers whose logarithms are evenly spread."""
    return np.exp(random.uniform(np.log(low), np.log(high), size))


def suslov_case(random: np.random.Generator, shape: str) -> tuple[dict[str, float], float, float]:
    """A mild, elongated or needle-like top, an energy and an angle on its ellipse."""
    i11, i22 = logarithmic(random, 0.1, 5.0, 2)
    reach = logarithmic(random, *{"mild": (0.05, 0.7), "elongated": (0.7, 3.0), "needle": (3.0, 20.0)}[shape])
    angle = random.uniform(0.0, 2.0 * np.pi)
    if random.uniform() < 0.2:
        # Nearly along an axis.
        angle = 0.5 * np.pi * np.round(2.0 * angle / np.pi) + random.normal() * 10.0 ** random.uniform(-5.0, -1.0)
    i13, i23 = reach * np.sqrt(i11 * i22) * np.array([np.cos(angle), np.sin(angle)])
    least = i13**2 / i11 + i23**2 / i22
    i33 = least * (1.0 + logarithmic(random, 1e-3, 1.0)) + 0.01
    params = {"I11": i11, "I22": i22, "I33": i33, "I13": i13, "I23": i23}
    # One unit for all of them, so that the longest of needles stays within its range.
    unit = min(1.0, 900.0 / i33, 90.0 / max(abs(i13), abs(i23)))
    values = unit * np.array([i11, i22, i33, i13, i23])
    if values[:2].min() < 0.01:
        return suslov_case(random, shape)
    params = dict(zip(("I11", "I22", "I33", "I13", "I23"), values.tolist(), strict=True))
    return params, float(logarithmic(random, 0.05, 500.0) * unit), float(random.uniform(0.0, 2.0 * np.pi))


def sphere_case(random: np.random.Generator, n: int, shape: str) -> tuple[Array, float, Array, Array]:
    """(J, D, gamma, omega as a skew matrix) of a mild, rod-like or heavy ball in n dimensions."""
    mass = logarithmic(random, 0.2, 1.0, n)
    if shape != "mild":
        mass = logarithmic(random, 0.003, 0.3, n)
        mass[random.integers(n)] *= logarithmic(random, 10.0, 100.0)
    d = float(logarithmic(random, 30.0, 800.0) if shape == "heavy" else logarithmic(random, 0.05, 12.0))
    gamma, omega = random.normal(size=n), random.normal(size=(n, n))
    if random.uniform() < 0.3:
        # Nearly along an axis.
        gamma *= 10.0 ** random.uniform(-3.0, 0.0, n)
    return np.maximum(mass, 0.002), d, gamma / np.linalg.norm(gamma), omega - omega.T


def suslov_n_case(random: np.random.Generator, n: int, shape: str) -> tuple[Array, Array, Array]:
    """(J, j, p): diagonal and last column of the mass tensor, and a momentum, of a mild or elongated body."""
    while True:
        mass = logarithmic(random, *((0.3, 2.0) if shape == "mild" else (0.01, 4.0)), n)
        products = random.normal(size=n - 1) * logarithmic(random, *((0.05, 0.4) if shape == "mild" else (0.1, 3.0)))
        tensor = np.diag(mass)
        tensor[:-1, -1] = tensor[-1, :-1] = products
        least = np.linalg.eigvalsh(tensor)
        if least[0] + least[1] > 1e-3 * least[-1]:
            return mass, products, random.normal(size=n - 1) * logarithmic(random, 0.1, 10.0)


def sleigh_n_case(random: np.random.Generator, n: int, shape: str) -> tuple[Array, Array, float, Array, Array]:
    """(J, j, m, a, P): diagonal and first row of the mass tensor, mass, centre of mass and momenta."""
    while True:
        mass = logarithmic(random, *((0.1, 1.0) if shape == "mild" else (0.003, 3.0)), n)
        products = random.normal(size=n - 1) * logarithmic(random, 0.01, 0.3 if shape == "mild" else 2.0)
        tensor = np.diag(mass)
        tensor[0, 1:] = tensor[1:, 0] = products
        least = np.linalg.eigvalsh(tensor)
        if least[0] > 1e-3 * least[-1]:
            m, centre = float(logarithmic(random, 0.1, 5.0)), random.normal(size=n) * logarithmic(random, 0.03, 1.0)
            return mass, products, m, centre, random.normal(size=n) * logarithmic(random, 0.1, 10.0)


def sleigh_mass_matrix(mass: Array, products: Array, m: float, centre: Array) -> Array:
    """The mass matrix about the blade, FZ (5.8)."""
    whole = np.append(centre, 1.0)
    matrix = m * np.outer(whole, whole)
    matrix[:-1, :-1] += np.diag(mass)
    matrix[0, 1:-1] += products
    matrix[1:-1, 0] += products
    return matrix
