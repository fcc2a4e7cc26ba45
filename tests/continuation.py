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

`tests/disagreements.py` asks nhviz about it at the bodies of `tests/seeded_bodies.py`.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

Array = np.ndarray
CONTRACTION = 0.3
"""K h of a step; less than 1/2, so that the tangent turns little on the way."""
MOST_STEPS = 50_000


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
