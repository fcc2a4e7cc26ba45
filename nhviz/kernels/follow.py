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

Where the branch runs along a fold, or past one, such strides are short: there it is followed by its arc length d,
with (z, s) as unknowns and <T, (z, s)> = d, T the unit tangent, as one more equation. Its derivative has an inverse at
folds, too; with the bound Omega of the second derivative but for that inverse, strides below 1/(2 Omega) are certain
as above. The derivatives of (z, s)(d) are at most those of (1 - sqrt(1 - 2 Omega d))/Omega, hence the cubic with the
values and slopes of s' at both ends of a stride is wrong by no more than (105/384) (Omega d)^4/(1 - 2 Omega d)^(9/2).
If it exceeds that, s rises all the way; if it falls below minus that, there is a fold; else the stride is too long.

The same theorem at the identity (s = 1, Newton's step -v) says more: if omega |v| <= 1/2 the branch reaches g and no
other root is nearer to the identity than 1/omega. As v = t + R H(t, t)/2 for a root at t from it, every root within
(sqrt(2) - 1)/omega of the identity is the principal one, whatever its momentum: `certain_distance`.

For a step of unit vectors (t, t0) whose second derivative at the identity, but for the first one's inverse, takes them
to (1, 2 t0 t + rest), |rest| <= bend |t|^2, it is omega^2 = 1 + (bend/2 + sqrt(1 + bend^2/4))^2: `omega_on_sphere`.
"""

import math

import numpy as np

from nhviz.kernels.compile import kernel, piece
from nhviz.kernels.linear import assign, invert, solve
from nhviz.kernels.polynomials import quadratic_roots, settled

NEWTON_ROUNDS = 25
# The share of a certain stride that is taken.
CAUTION = 0.9
# Newton's method on the way ends with a step as short as this.
NEAR = 1e-7
# Unknowns larger than this are measured by their size.
LARGE = 2.0
# A stride that moves z by less than this is better taken along the arc.
CRAWL = 0.02
# Omega d of the longest stride along an arc, and of one that tells a fold from none as well as round-off allows.
LONGEST_ARC, FINEST_ARC = 0.15, 0.002
# Strides end at this share of the way to a fold that is foreseen.
BEFORE = 0.8
# An arc on which even the finest stride is shorter than this is at a point where branches cross.
SHORTEST_ARC = 1e-10
# Along a nearly degenerate family of solutions certain strides are as short as its symmetry is exact. After so many of
# them strides begin to grow, each by this share, and only the convergence of Newton's method guards them.
PATIENCE, HASTE, BOLDEST = 20_000, 1e-3, 1e-3
MOVED, FOLDED, CROSSED = 0, 1, 2


@piece(forceinline=True)
def certain_distance(omega):
    """Every root that is nearer to the identity is principal; omega is the bound of the identity."""
    return (math.sqrt(2.0) - 1.0) / omega


@piece(forceinline=True)
def omega_on_sphere(bend):
    """The bound omega at the identity of a map on a sphere."""
    return math.hypot(1.0, 0.5 * bend + math.sqrt(1.0 + 0.25 * bend * bend))


@piece()
def write_gram(hessians, products):
    """The products <H_i, H_j> of the second derivatives."""
    n = hessians.shape[0]
    for i in range(n):
        for j in range(i + 1):
            total = 0.0
            for a in range(n):
                for b in range(n):
                    total += hessians[i, a, b] * hessians[j, a, b]
            products[i, j] = products[j, i] = total


@piece()
def write_slope(linear, hessians, z, slope):
    """f'(z)."""
    n = z.size
    for i in range(n):
        for j in range(n):
            total = linear[i, j]
            for k in range(n):
                total += hessians[i, j, k] * z[k]
            slope[i, j] = total


@piece()
def correct(constant, linear, hessians, goal, share, near, z, slope, residual):
    """Newton's method for f(z) = share goal, until it settles or moves by less than `near`; whether it converged."""
    n = z.size
    before = math.inf
    for _ in range(NEWTON_ROUNDS):
        write_slope(linear, hessians, z, slope)
        for i in range(n):
            # f - s g = c + (l + f') z/2 - s g.
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
        if change <= near or settled(change, before, size):
            return True
        before = change
    return False


@piece()
def bound(products, inverse):
    """Frobenius' norm of the second derivatives times an inverse, whose further columns belong to linear equations."""
    n, square = products.shape[0], 0.0
    for i in range(inverse.shape[0]):
        for j in range(n):
            row = 0.0
            for k in range(n):
                row += products[j, k] * inverse[i, k]
            square += inverse[i, j] * row
    return math.sqrt(square)


@piece()
def write_bend(hessians, inverse, direction, bend):
    """R H(v, v) of a direction v."""
    n = hessians.shape[0]
    for i in range(bend.size):
        bend[i] = 0.0
    for j in range(n):
        curved = 0.0
        for a in range(n):
            row = 0.0
            for b in range(n):
                row += hessians[j, a, b] * direction[b]
            curved += direction[a] * row
        for i in range(bend.size):
            bend[i] += inverse[i, j] * curved


@piece()
def length(vector):
    """Euclid's length."""
    square = 0.0
    for i in range(vector.size):
        square += vector[i] * vector[i]
    return math.sqrt(square)


@piece()
def certain_stride(hessians, products, inverse, goal, tangent, bend):
    """1/(omega |v| + sqrt(2 omega |w|)) of the module's docstring, and the tangent v."""
    n = goal.size
    for i in range(n):
        tangent[i] = 0.0
        for j in range(n):
            tangent[i] += inverse[i, j] * goal[j]
    write_bend(hessians, inverse, tangent, bend)
    omega = bound(products, inverse)
    return 1.0 / (omega * length(tangent) + math.sqrt(omega * length(bend)))


@kernel("truth(matrix, cube, vector, vector, vector)")
def write_tangent(linear, hessians, goal, x, tangent):
    """Write the unit tangent (z', s') of the branch at x = (z, s), with s' > 0; whether there is one."""
    n = goal.size
    slope, direction = np.empty((n, n)), goal.copy()
    write_slope(linear, hessians, x[:n], slope)
    if solve(slope, direction) == 0.0:
        return False
    size = math.hypot(1.0, length(direction))
    for i in range(n):
        tangent[i] = direction[i] / size
    tangent[n] = 1.0 / size
    return size < math.inf


@kernel("nothing(matrix, cube, vector, vector, vector, matrix)")
def write_arc_slope(linear, hessians, goal, normal, x, slope):
    """The derivative of (f(z) - s g, <T, (z, s)>) at x = (z, s)."""
    n = goal.size
    for i in range(n):
        for j in range(n):
            total = linear[i, j]
            for k in range(n):
                total += hessians[i, j, k] * x[k]
            slope[i, j] = total
        slope[i, n] = -goal[i]
    for j in range(n + 1):
        slope[n, j] = normal[j]


@kernel("truth(vector, matrix, cube, vector, vector, vector, number, vector)")
def correct_arc(constant, linear, hessians, goal, normal, start, d, x):
    """Newton's method for the point x = (z, s) of the branch with <T, x - start> = d; whether it converged."""
    n = goal.size
    slope, residual = np.empty((n + 1, n + 1)), np.empty(n + 1)
    before = math.inf
    for _ in range(NEWTON_ROUNDS):
        write_arc_slope(linear, hessians, goal, normal, x, slope)
        residual[n] = -d
        for i in range(n + 1):
            residual[n] += normal[i] * (x[i] - start[i])
        for i in range(n):
            # f - s g = c + (l + f') z/2 - s g.
            residual[i] = constant[i] - x[n] * goal[i]
            for j in range(n):
                residual[i] += 0.5 * (linear[i, j] + slope[i, j]) * x[j]
        if solve(slope, residual) == 0.0:
            return False
        for i in range(n + 1):
            x[i] -= residual[i]
        change, size = length(residual), length(x)
        if not size < math.inf:
            return False
        if settled(change, before, size):
            return True
        before = change
    return False


@kernel("triple(number, number, number, number)")
def first_fold(a, slope_a, b, slope_b):
    """(least, u, area): of the cubic on [0, 1] with these values and slopes at its ends, a > 0.

    They are its least value, its first zero (1 if there is none), and the integral up to there.
    """
    c2, c3 = 3.0 * (b - a) - 2.0 * slope_a - slope_b, 2.0 * (a - b) + slope_a + slope_b
    least = min(a, b)
    count, first, second = quadratic_roots(3.0 * c3, 2.0 * c2, slope_a)
    low, high = 0.0, 1.0 if b < 0.0 else -1.0
    for i in range(count):
        u = first if i == 0 else second
        if 0.0 < u < 1.0:
            value = ((c3 * u + c2) * u + slope_a) * u + a
            least = min(least, value)
            # A minimum below zero, or the last place above it before the end.
            if value < 0.0 and (high < 0.0 or u < high):
                high = u
    if high < 0.0:
        return least, 1.0, a + 0.5 * slope_a + c2 / 3.0 + 0.25 * c3
    for _ in range(60):
        u = 0.5 * (low + high)
        if ((c3 * u + c2) * u + slope_a) * u + a > 0.0:
            low = u
        else:
            high = u
    return least, low, low * (a + low * (0.5 * slope_a + low * (c2 / 3.0 + 0.25 * low * c3)))


@kernel("nothing(vector, matrix, cube, vector, vector, number, number, vector)")
def meet(constant, linear, hessians, goal, normal, most, longest, x):
    """Move x = (z, s) along an arc on which s rises to s = most, less than `longest` away: by bracketed secants."""
    n = goal.size
    trial, low, high = x.copy(), 0.0, longest
    below, d = x[n], 0.5 * longest
    above = math.inf
    for _ in range(100):
        for i in range(n + 1):
            trial[i] = x[i] + d * normal[i]
        correct_arc(constant, linear, hessians, goal, normal, x, d, trial)
        if abs(trial[n] - most) <= 1e-15 * most:
            break
        if trial[n] < most:
            low, below = d, trial[n]
        else:
            high, above = d, trial[n]
        secant = low + (high - low) * (most - below) / (above - below)
        d = min(max(secant, low + 0.1 * (high - low)), high - 0.1 * (high - low))
    assign(x, trial)
    x[n] = most


@kernel("truth(matrix, cube, vector, vector, vector, matrix, vector, vector)")
def write_rates(linear, hessians, goal, normal, x, inverse, rates, bends):
    """Write (z, s)' and (z, s)'' by the arc's length at x, and the inverse they come from; whether there is one."""
    n = goal.size
    slope = np.empty((n + 1, n + 1))
    write_arc_slope(linear, hessians, goal, normal, x, slope)
    if not invert(slope, inverse):
        return False
    for i in range(n + 1):
        rates[i] = inverse[i, n]
    write_bend(hessians, inverse, rates, bends)
    for i in range(n + 1):
        bends[i] = -bends[i]
    return True


@kernel("integer(vector, matrix, cube, matrix, vector, number, number, vector)")
def go_along_arc(constant, linear, hessians, products, goal, most, boldness, x):
    """Go on along the arc from x = (z, s), s rising, to a later point of the branch, to s = most, or to its fold.

    Strides are `boldness` times as long as certain ones, up to BOLDEST. Returns MOVED, FOLDED, or CROSSED where
    branches cross; then x stays.
    """
    n = goal.size
    inverse, normal = np.empty((n + 1, n + 1)), np.empty(n + 1)
    rates, bends, trial = np.empty(n + 1), np.empty(n + 1), np.empty(n + 1)
    if not write_tangent(linear, hessians, goal, x, normal):
        return CROSSED
    if not write_rates(linear, hessians, goal, normal, x, inverse, rates, bends):
        return CROSSED
    omega, rate, bend, share = bound(products, inverse), rates[n], bends[n], LONGEST_ARC
    omega = min(omega, max(omega / boldness, LONGEST_ARC / BOLDEST))
    while share > SHORTEST_ARC * omega:
        d, finest = share / omega, share <= FINEST_ARC
        for i in range(n + 1):
            trial[i] = x[i] + d * normal[i]
        if not correct_arc(constant, linear, hessians, goal, normal, x, d, trial):
            share *= 0.5
            continue
        if not write_rates(linear, hessians, goal, normal, trial, inverse, rates, bends):
            break
        least, u, area = first_fold(rate, d * bend, rates[n], d * bends[n])
        rises = least > 105.0 / 384.0 * share**4 / (1.0 - 2.0 * share) ** 4.5 or (finest and u == 1.0)
        if (rises and trial[n] >= most) or (finest and x[n] + d * area >= most):
            meet(constant, linear, hessians, goal, normal, most, d if rises else u * d, x)
            return MOVED
        if rises:
            assign(x, trial)
            return MOVED
        if finest:
            for i in range(n):
                x[i] += u * (trial[i] - x[i])
            x[n] += d * area
            return FOLDED
        # Next time it ends before the fold, where there is one; else it is a half as long.
        share = max(min(0.5, BEFORE * u) * share, FINEST_ARC)
    return CROSSED


@kernel("nothing(vector, vector)")
def write_balance(moments, scale):
    """Units for the first unknowns in which unequal moments of inertia weigh the same; their product is one."""
    mean = 1.0
    for i in range(moments.size):
        mean *= moments[i] ** (1.0 / moments.size)
    for i in range(moments.size):
        scale[i] = math.sqrt(mean / moments[i])


@kernel("nothing(matrix, cube, integer, number)")
def change_unit(linear, hessians, i, factor):
    """Measure the unknown i in a unit that is a factor larger."""
    for j in range(linear.shape[0]):
        linear[j, i] *= factor
        for k in range(linear.shape[0]):
            hessians[j, i, k] *= factor
            hessians[j, k, i] *= factor


@kernel("truth(matrix, cube, vector, vector)")
def rescale(linear, hessians, z, scale):
    """Measure unknowns that have grown in units of their size, so that strides grow with them; whether any has."""
    changed = False
    for i in range(z.size):
        factor = abs(z[i])
        if factor > LARGE:
            changed = True
            z[i] /= factor
            scale[i] *= factor
            change_unit(linear, hessians, i, factor)
    return changed


@kernel("number(vector, matrix, cube, vector, number, vector, vector)")
def follow(constant, linear, hessians, goal, furthest, z, scale):
    """Move z along the principal branch from f(z) = 0 towards f(z) = furthest * goal; returns the share reached.

    That is `furthest`, or the share at which the branch ends. Lengths are measured in the units `scale` of the
    unknowns. All arrays but z are used up.
    """
    n = z.size
    for i in range(n):
        change_unit(linear, hessians, i, scale[i])
        z[i] /= scale[i]
    # Two arrays instead of seven: asking for memory would take as long as a stride.
    matrices, vectors = np.empty((3, n, n)), np.empty((4, n))
    products, slope, inverse = matrices[0], matrices[1], matrices[2]
    tangent, bend, trial, residual = vectors[0], vectors[1], vectors[2], vectors[3]
    write_gram(hessians, products)
    # One unit of s is one of z at the identity.
    write_slope(linear, hessians, z, slope)
    assign(tangent, goal)
    solve(slope, tangent)
    unit = length(tangent)
    if unit == 0.0:
        return furthest
    for i in range(n):
        goal[i] /= unit
    s, most, strides = 0.0, unit * furthest, 0
    while s < most:
        if rescale(linear, hessians, z, scale):
            write_gram(hessians, products)
        if s > LARGE:
            for i in range(n):
                goal[i] *= s
            unit, most, s = unit / s, most / s, 1.0
        write_slope(linear, hessians, z, slope)
        if not invert(slope, inverse):
            break
        stride = CAUTION * certain_stride(hessians, products, inverse, goal, tangent, bend)
        target = min(most, s + stride)
        if target < most and stride * length(tangent) < CRAWL:
            x = np.empty(n + 1)
            assign(x, z)
            x[n] = s
            strides += 1
            boldness = max(1.0, math.exp(HASTE * (strides - PATIENCE)))
            outcome = go_along_arc(constant, linear, hessians, products, goal, most, boldness, x)
            assign(z, x[:n])
            s = x[n]
            if outcome != MOVED:
                break
            continue
        for i in range(n):
            trial[i] = z[i] + (target - s) * tangent[i]
        # On the way a point that is next to the branch will do: the square of `near` is no error any more.
        near = NEAR if target < most else 0.0
        if not correct(constant, linear, hessians, goal, target, near, trial, slope, residual):
            break
        assign(z, trial)
        s = target
    for i in range(n):
        z[i] *= scale[i]
    return furthest if s >= most else s / unit
