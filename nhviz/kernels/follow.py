r"""Follow the principal branch of a quadratic map, with certainty.

Every discrete map of this house asks for a displacement z in R^n with f(z) = s g, where g is a momentum, s from 0 to 1
a share of it, and f is quadratic, f_i(z) = c_i + <l_i, z> + <z, H_i z>/2. A length that is one is an equation, too, and
keeps half turns harmless. The principal branch starts at the identity, where f = 0, and ends where f' is singular: it
folds there. It must not be lost to another branch, however narrow the gap between two folds is.

Let z be on the branch at the share s, R = f'(z)^-1, v = R g its tangent, w = R H(v, v)/2, and omega a bound of
|R H(t, t')| over unit vectors. From z + d v, Newton's method has the residual d^2 w but for R, and f' has changed by
at most omega |v| d but for R. So Newton and Kantorovich's constant is at most d^2 |w| omega/(1 - omega |v| d)^2, and it
is below 1/2 for every

    d < 1/(omega |v| + sqrt(2 omega |w|)).

As this holds for all smaller strides at once, the root that Newton's method finds is the only one around, and it is
joined to z by a branch without a fold. Next to a fold the stride is that to the fold itself, so few are needed.

The same theorem at the identity (s = 1, Newton's step -v) says more: if omega |v| <= 1/2 the branch reaches g and no
other root is nearer to the identity than 1/omega. As v = t + R H(t, t)/2 for a root at t from it, every root within
(sqrt(2) - 1)/omega of the identity is the principal one, whatever its momentum: `certain_distance`.

For a step of unit vectors (t, t0) whose second derivative at the identity, but for the first one's inverse, takes them
to (1, 2 t0 t + rest), |rest| <= bend |t|^2, the bound is omega^2 = 1 + (bend/2 + sqrt(1 + bend^2/4))^2: `omega_on_sphere`.
"""

import math

import numpy as np

from nhviz.kernels.compile import compiled
from nhviz.kernels.linear import invert, solve
from nhviz.kernels.polynomials import settled

NEWTON_ROUNDS = 25
# The share of a certain stride that is taken.
CAUTION = 0.9
# Where even a certain stride is shorter than this share of the way, the branch has folded.
SHORTEST_STRIDE = 1e-11


@compiled(forceinline=True)
def certain_distance(omega):
    """Every root that is nearer to the identity is principal; omega is the bound of the identity."""
    return (math.sqrt(2.0) - 1.0) / omega


@compiled(forceinline=True)
def omega_on_sphere(bend):
    """The bound omega at the identity of a map on a sphere."""
    return math.hypot(1.0, 0.5 * bend + math.sqrt(1.0 + 0.25 * bend * bend))


@compiled()
def gram(hessians):
    """The products <H_i, H_j> of the second derivatives."""
    n = hessians.shape[0]
    products = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            total = 0.0
            for a in range(n):
                for b in range(n):
                    total += hessians[i, a, b] * hessians[j, a, b]
            products[i, j] = products[j, i] = total
    return products


@compiled()
def write_slope(linear, hessians, z, slope):
    """f'(z)."""
    n = z.size
    for i in range(n):
        for j in range(n):
            total = linear[i, j]
            for k in range(n):
                total += hessians[i, j, k] * z[k]
            slope[i, j] = total


@compiled()
def correct(constant, linear, hessians, goal, share, z, slope, residual):
    """Newton's method for f(z) = share goal; whether it converged. f = c + (l + f') z/2."""
    n = z.size
    before = math.inf
    for _ in range(NEWTON_ROUNDS):
        write_slope(linear, hessians, z, slope)
        for i in range(n):
            total = constant[i] - share * goal[i]
            for j in range(n):
                total += 0.5 * (linear[i, j] + slope[i, j]) * z[j]
            residual[i] = total
        if solve(slope, residual) == 0.0:
            return False
        change, size = 0.0, 0.0
        for i in range(n):
            z[i] -= residual[i]
            change += abs(residual[i])
            size += abs(z[i])
        if not size < math.inf:
            return False
        if settled(change, before, size):
            return True
        before = change
    return False


@compiled()
def certain_stride(hessians, products, inverse, goal, tangent):
    """1/(omega |v| + sqrt(2 omega |w|)) of the module's docstring, and the tangent v. omega is Frobenius' norm."""
    n = goal.size
    omega, speed = 0.0, 0.0
    for i in range(n):
        v = 0.0
        for j in range(n):
            v += inverse[i, j] * goal[j]
            row = 0.0
            for k in range(n):
                row += products[j, k] * inverse[i, k]
            omega += inverse[i, j] * row
        tangent[i] = v
        speed += v * v
    bend = np.zeros(n)
    for j in range(n):
        curved = 0.0
        for a in range(n):
            row = 0.0
            for b in range(n):
                row += hessians[j, a, b] * tangent[b]
            curved += tangent[a] * row
        for i in range(n):
            bend[i] += 0.5 * inverse[i, j] * curved
    square = 0.0
    for i in range(n):
        square += bend[i] * bend[i]
    omega = math.sqrt(omega)
    return 1.0 / (omega * math.sqrt(speed) + math.sqrt(2.0 * omega * math.sqrt(square)))


@compiled()
def follow(constant, linear, hessians, goal, furthest, z):
    """Move z along the principal branch from f(z) = 0 towards f(z) = furthest * goal; returns the share reached.

    That is `furthest`, or the share at which the branch folds.
    """
    n = z.size
    products, slope = gram(hessians), np.empty((n, n))
    inverse, tangent, trial, residual = np.empty((n, n)), np.empty(n), np.empty(n), np.empty(n)
    reached = 0.0
    while reached < furthest:
        write_slope(linear, hessians, z, slope)
        if not invert(slope, inverse):
            break
        stride = CAUTION * certain_stride(hessians, products, inverse, goal, tangent)
        if not stride > SHORTEST_STRIDE * reached:
            break
        target = min(furthest, reached + stride)
        for i in range(n):
            trial[i] = z[i] + (target - reached) * tangent[i]
        if not correct(constant, linear, hessians, goal, target, trial, slope, residual):
            break
        z[:] = trial
        reached = target
    return reached
