"""Inner loops of the Chaplygin sphere in n dimensions: one step of the discrete map, its fold, whole orbits.

A ball is its mass tensor diag(mass) and D; gamma is a unit vector, omega and K are skew matrices. A rotation of one
step is kept as P = Omega - 1: the momentum is linear in Omega and vanishes at 1, so that a small rotation has a
momentum with all its digits. With v = (P - P^T) gamma, CS (4.13) reads

    F(P)_ij = P_ij J_j - J_i P_ji + (D/2)(v_i gamma_j - gamma_i v_j) = eps K_ij.

Skew matrices are also written as their entries above the diagonal, row by row. A negative eps gives the inverse map.

The principal branch is followed as in `kernels.follow`. In the chart Omega exp(delta) the derivative of exp changes by
no more than |delta| (the exponential of a skew matrix is a rotation, and |delta|, the length of its entries, bounds
what it turns), so that the second derivative but for the first one's inverse R is bounded by omega = sqrt(2) |R F|, F
taken as a map of all matrices: R F Omega has the same length as R F. A stride of 1/(2 omega |R goal|) is certain.
"""

import math

import numpy as np
from numba import types

from nhviz.kernels.compile import kernel, piece
from nhviz.kernels.follow import CAUTION, certain_distance
from nhviz.kernels.linear import assign, invert, orthogonalise, product, solve, solve_positive, transposed
from nhviz.kernels.polynomials import settled

NEWTON_ROUNDS = 25
# Where even a certain stride is shorter than this share of the way, the branch has folded.
SHORTEST_STRIDE = 1e-11


@piece(forceinline=True)
def write_entries(skew, above):
    """Write the entries of a skew matrix above the diagonal, row by row."""
    at = 0
    for i in range(skew.shape[0]):
        for j in range(i + 1, skew.shape[0]):
            above[at] = skew[i, j]
            at += 1


@kernel("vector(matrix)")
def entries(skew):
    """The entries of a skew matrix above the diagonal, row by row."""
    above = np.empty(skew.shape[0] * (skew.shape[0] - 1) // 2)
    write_entries(skew, above)
    return above


@kernel("vector(number, vector)")
def multiple(factor, vector):
    """factor times a vector."""
    out = np.empty(vector.size)
    for i in range(vector.size):
        out[i] = factor * vector[i]
    return out


@piece(forceinline=True)
def write_to_body(n, r, above, inner, out):
    """Write R^T A R above the diagonal and below: a skew matrix of space, given by its entries, in the body.

    `inner` is room for A R.
    """
    for i in range(n):
        for j in range(n):
            inner[i, j] = 0.0
    at = 0
    for i in range(n):
        for j in range(i + 1, n):
            for column in range(n):
                inner[i, column] += above[at] * r[j, column]
                inner[j, column] -= above[at] * r[i, column]
            at += 1
    for i in range(n):
        out[i, i] = 0.0
        for j in range(i + 1, n):
            total = 0.0
            for k in range(n):
                total += r[k, i] * inner[k, j]
            out[i, j], out[j, i] = total, -total


@kernel("matrix(matrix, vector)")
def to_body(r, above):
    """R^T A R: a skew matrix of space, given by its entries, in the body."""
    n = r.shape[0]
    out = np.empty((n, n))
    write_to_body(n, r, above, np.empty((n, n)), out)
    return out


@kernel("matrix(vector, number, vector, matrix)")
def momentum(mass, d, gamma, omega):
    """K = (J + D Gamma) omega + omega (J + D Gamma), the momentum about the contact point (CS (2.13))."""
    n = gamma.size
    v = np.zeros(n)
    for i in range(n):
        for j in range(n):
            v[i] += omega[i, j] * gamma[j]
    k = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1, n):
            k[i, j] = (mass[i] + mass[j]) * omega[i, j] + d * (v[i] * gamma[j] - gamma[i] * v[j])
            k[j, i] = -k[i, j]
    return k


@kernel("vector(vector, number, vector, matrix, vector)")
def residual(mass, d, gamma, p, goal):
    """F(P) - goal, entries above the diagonal."""
    n = gamma.size
    v = np.zeros(n)
    for i in range(n):
        for j in range(n):
            v[i] += (p[i, j] - p[j, i]) * gamma[j]
    out, at = np.empty(goal.size), 0
    for i in range(n):
        for j in range(i + 1, n):
            roll = 0.5 * d * (v[i] * gamma[j] - gamma[i] * v[j])
            out[at] = p[i, j] * mass[j] - mass[i] * p[j, i] + roll - goal[at]
            at += 1
    return out


@piece(forceinline=True)
def row_of(i, j, n):
    """Where the entry (i, j), i < j, is among those above the diagonal."""
    return i * n - i * (i + 1) // 2 + j - i - 1


@kernel("matrix(vector, number, vector, matrix)")
def derivative(mass, d, gamma, p):
    """The matrix of delta -> dF for Omega -> Omega (1 + delta), on the entries above the diagonal.

    dF = Omega delta J + J delta Omega^T + (D/2)(A Gamma + Gamma A) with A = Omega delta + delta Omega^T. At P = 0 it is
    the operator omega -> K, which is positive.
    """
    n = gamma.size
    size = n * (n - 1) // 2
    rotation, z = p.copy(), gamma.copy()
    for i in range(n):
        rotation[i, i] += 1.0
        for j in range(n):
            z[i] += p[j, i] * gamma[j]
    matrix, v = np.empty((size, size)), np.empty(n)
    column = 0
    for a in range(n):
        for b in range(a + 1, n):
            for i in range(n):
                v[i] = rotation[i, a] * gamma[b] - rotation[i, b] * gamma[a]
            v[a] += z[b]
            v[b] -= z[a]
            row = 0
            for i in range(n):
                for j in range(i + 1, n):
                    matrix[row, column] = 0.5 * d * (v[i] * gamma[j] - gamma[i] * v[j])
                    row += 1
            for i in range(b):
                matrix[row_of(i, b, n), column] += mass[b] * rotation[i, a]
            for i in range(a):
                matrix[row_of(i, a, n), column] -= mass[a] * rotation[i, b]
            for j in range(a + 1, n):
                matrix[row_of(a, j, n), column] += mass[a] * rotation[j, b]
            for j in range(b + 1, n):
                matrix[row_of(b, j, n), column] -= mass[b] * rotation[j, a]
            column += 1
    return matrix


@piece(forceinline=True)
def write_velocity(n, mass, d, gamma, k, matrix, v, omega):
    """Write the skew matrix omega of the momentum K, of which the entries above the diagonal are read.

    With v = omega gamma, omega_ij = (K_ij - D (v_i gamma_j - gamma_i v_j))/(J_i + J_j). Multiplied by gamma this is a
    system for v alone, of n equations instead of n (n - 1)/2. Its matrix is 1 + D L with L positive semidefinite; it
    and v are made in the places given.
    """
    for i in range(n):
        v[i], matrix[i, i], omega[i, i] = 0.0, 1.0, 0.0
    for i in range(n):
        for j in range(i + 1, n):
            share = 1.0 / (mass[i] + mass[j])
            omega[j, i] = share
            v[i] += share * k[i, j] * gamma[j]
            v[j] -= share * k[i, j] * gamma[i]
            share *= d
            matrix[i, i] += share * gamma[j] * gamma[j]
            matrix[j, j] += share * gamma[i] * gamma[i]
            matrix[j, i] = -share * gamma[i] * gamma[j]
    solve_positive(n, matrix, v)
    for i in range(n):
        for j in range(i + 1, n):
            omega[i, j] = omega[j, i] * (k[i, j] - d * (v[i] * gamma[j] - gamma[i] * v[j]))
            omega[j, i] = -omega[i, j]


@kernel("matrix(vector, number, vector, matrix)")
def velocity(mass, d, gamma, k):
    """The skew matrix omega of the momentum K."""
    n = gamma.size
    omega = np.empty((n, n))
    write_velocity(n, mass, d, gamma, k, np.empty((n, n)), np.empty(n), omega)
    return omega


@kernel("matrix(vector, integer)")
def cayley(above, n):
    """Cay(delta) - 1 = (1 - delta/2)^-1 delta for the entries of delta above the diagonal.

    The symmetric part of 1 - delta/2 is 1: elimination needs no exchange of rows.
    """
    out, matrix, at = np.empty((n, n)), np.empty((n, n)), 0
    for i in range(n):
        out[i, i], matrix[i, i] = 0.0, 1.0
        for j in range(i + 1, n):
            out[i, j], out[j, i] = above[at], -above[at]
            matrix[i, j], matrix[j, i] = -0.5 * above[at], 0.5 * above[at]
            at += 1
    for column in range(n):
        over = 1.0 / matrix[column, column]
        for row in range(column + 1, n):
            factor = matrix[row, column] * over
            for k in range(column + 1, n):
                matrix[row, k] -= factor * matrix[column, k]
            for k in range(n):
                out[row, k] -= factor * out[column, k]
    for row in range(n - 1, -1, -1):
        for column in range(n):
            total = out[row, column]
            for k in range(row + 1, n):
                total -= matrix[row, k] * out[k, column]
            out[row, column] = total / matrix[row, row]
    return out


@kernel("matrix(matrix, matrix)")
def composed(p, q):
    """(1 + P)(1 + Q) - 1."""
    n, out = p.shape[0], product(p, q)
    for i in range(n):
        for j in range(n):
            out[i, j] += p[i, j] + q[i, j]
    return out


@kernel("matrix(matrix)")
def cleaned(p):
    """P of the rotation next to 1 + P, which is one but for round-off."""
    defect = composed(transposed(p), p)
    n, out = p.shape[0], product(p, defect)
    for i in range(n):
        for j in range(n):
            out[i, j] = p[i, j] - 0.5 * (defect[i, j] + out[i, j])
    return out


@piece()
def distance(p, q):
    """The largest entry of the difference of two matrices."""
    n, largest = p.shape[0], 0.0
    for i in range(n):
        for j in range(n):
            largest = max(largest, abs(p[i, j] - q[i, j]))
    return largest


@kernel("together(truth, matrix)(vector, number, vector, vector, matrix)")
def newton(mass, d, gamma, goal, p):
    """(converged, P) of the rotation with momentum `goal`, from a guess."""
    n = gamma.size
    before = math.inf
    for _ in range(NEWTON_ROUNDS):
        change = residual(mass, d, gamma, p, goal)
        determinant = solve(derivative(mass, d, gamma, p), change)
        moved = 0.0
        for i in range(change.size):
            moved += abs(change[i])
        if determinant == 0.0 or not math.isfinite(moved):
            return False, p
        p = composed(p, cayley(multiple(-1.0, change), n))
        size = 0.0
        for i in range(n):
            for j in range(i + 1, n):
                size += abs(p[i, j])
        if settled(moved, before, size):
            return True, p
        before = moved
    return False, p


@kernel("matrix(vector, number, vector)")
def momentum_gram(mass, d, gamma):
    """F F^T for F as a map of all matrices to the entries above the diagonal."""
    n = gamma.size
    size = n * (n - 1) // 2
    still, unit, columns = np.zeros(size), np.zeros((n, n)), np.empty((n * n, size))
    for a in range(n):
        for b in range(n):
            unit[a, b] = 1.0
            assign(columns[n * a + b], residual(mass, d, gamma, unit, still))
            unit[a, b] = 0.0
    products = np.zeros((size, size))
    for i in range(size):
        for j in range(size):
            for k in range(n * n):
                products[i, j] += columns[k, i] * columns[k, j]
    return products


@kernel("pair(matrix, matrix, vector, vector)")
def certain_stride(products, inverse, goal, tangent):
    """(stride, omega) of the module's docstring, and the tangent R goal."""
    size = goal.size
    square, speed = 0.0, 0.0
    for i in range(size):
        v = 0.0
        for j in range(size):
            v += inverse[i, j] * goal[j]
            row = 0.0
            for k in range(size):
                row += products[j, k] * inverse[i, k]
            square += inverse[i, j] * row
        tangent[i] = v
        speed += v * v
    omega = math.sqrt(2.0 * square)
    return 0.5 / (omega * math.sqrt(speed)), omega


@kernel("together(number, matrix)(vector, number, vector, vector, number)")
def follow(mass, d, gamma, goal, furthest):
    """(reached, P): follow the rotation from the identity as the momentum grows from 0 to furthest * goal.

    reached is furthest, or the share of the goal at which the principal branch folds.
    """
    n = gamma.size
    p, reached = np.zeros((n, n)), 0.0
    products, inverse, tangent = momentum_gram(mass, d, gamma), np.empty((goal.size, goal.size)), np.empty(goal.size)
    while reached < furthest:
        if not invert(derivative(mass, d, gamma, p), inverse):
            break
        stride, omega = certain_stride(products, inverse, goal, tangent)
        stride *= CAUTION
        if not stride > SHORTEST_STRIDE * reached:
            break
        target = min(furthest, reached + stride)
        guess = composed(p, cayley(multiple(target - reached, tangent), n))
        converged, new = newton(mass, d, gamma, multiple(target, goal), guess)
        # The only root around is within 1/omega of the guess; round-off next to the fold may lead to another one.
        if not (converged and distance(guess, new) <= 1.0 / omega):
            break
        p, reached = cleaned(new), target
    return reached, p


@kernel("number(vector)")
def certain_turn(mass):
    """tr(1 - Omega) below which a rotation is the principal one.

    At the identity R F takes a skew matrix to itself and a symmetric one, Y, to R (Y_ij (J_j - J_i)), and 1/R is not
    less than the diagonal J_i + J_j. So omega^2 is at most 1 + max (J_j - J_i)^2/(J_i + J_j)/min (J_i + J_j). Of angles
    within 0.42 of zero none exceeds 1.008 times its chord.
    """
    least, spread = math.inf, 0.0
    for i in range(mass.size):
        for j in range(i):
            total = mass[i] + mass[j]
            least, spread = min(least, total), max(spread, (mass[i] - mass[j]) ** 2 / total)
    return (certain_distance(math.sqrt(1.0 + spread / least)) / 1.008) ** 2


@kernel("together(truth, matrix)(vector, number, vector, vector, matrix, number)")
def displacement(mass, d, gamma, goal, guess, safe):
    """(found, P) of the principal branch: Newton from a guess where tr(1 - Omega) < safe, else followed."""
    converged, p = newton(mass, d, gamma, goal, guess)
    turned = 0.0
    for i in range(gamma.size):
        turned -= p[i, i]
    if converged and turned < safe:
        return True, p
    reached, p = follow(mass, d, gamma, goal, 1.0)
    return reached >= 1.0, p


@kernel("matrix(vector)")
def upright(gamma):
    """The shortest rotation with R gamma = e_n, in the plane of the two; diag(1, ..., 1, -1, -1) if gamma = -e_n."""
    n = gamma.size
    r, side, largest = np.zeros((n, n)), np.zeros(n), 0.0
    for i in range(n):
        r[i, i] = 1.0
    for i in range(n - 1):
        side[i] = gamma[i]
        largest = max(largest, abs(gamma[i]))
    if largest == 0.0:
        if gamma[n - 1] < 0.0:
            r[n - 2, n - 2], r[n - 1, n - 1] = -1.0, -1.0
        return r
    # Scaled first, so that no square leaves the range of numbers.
    length = 0.0
    for i in range(n - 1):
        side[i] /= largest
        length += side[i] * side[i]
    length = math.sqrt(length)
    for i in range(n - 1):
        side[i] /= length
    angle = math.atan2(largest * length, gamma[n - 1])
    sine, fall = math.sin(angle), 2.0 * math.sin(0.5 * angle) ** 2
    for i in range(n - 1):
        for j in range(n - 1):
            r[i, j] -= fall * side[i] * side[j]
        r[n - 1, i], r[i, n - 1] = sine * side[i], -sine * side[i]
    r[n - 1, n - 1] = math.cos(angle)
    orthogonalise(r, 0, n)
    return r


@kernel("together(matrix, matrix, matrix)(vector, number, vector, matrix)")
def of_start(mass, d, gamma, omega):
    """(R, K in the body, K in space) of a start."""
    r = upright(gamma)
    k = momentum(mass, d, gamma, omega)
    return r, k, to_body(transposed(r), entries(k))


@piece()
def write_matrix(matrix, out):
    """out[:, :] = matrix."""
    for i in range(matrix.shape[0]):
        assign(out[i], matrix[i])


@kernel("together(matrix, cube)(matrix, matrix)")
def starts(gammas, omegas):
    """(verticals of length one, skew matrices) for columns of gamma, which has a direction, and of entries of omega.

    A gamma of length one to round-off stays as it is.
    """
    n, orbits = gammas.shape
    units, skews = np.empty((orbits, n)), np.empty((orbits, n, n))
    for orbit in range(orbits):
        largest, square = 0.0, 0.0
        for i in range(n):
            largest = max(largest, abs(gammas[i, orbit]))
        # Scaled first, so that no square leaves the range of numbers.
        for i in range(n):
            square += (gammas[i, orbit] / largest) ** 2
        length = math.sqrt(square)
        is_unit = abs(largest * length - 1.0) <= 4e-16
        for i in range(n):
            units[orbit, i] = gammas[i, orbit] if is_unit else gammas[i, orbit] / largest / length
        at = 0
        for i in range(n):
            skews[orbit, i, i] = 0.0
            for j in range(i + 1, n):
                skews[orbit, i, j], skews[orbit, j, i] = omegas[at, orbit], -omegas[at, orbit]
                at += 1
    return units, skews


@kernel("nothing(matrix, vector, matrix, vector, column)", column=types.float64[:])
def write_sample(omega, gamma, k, place, column):
    """One column (omega, gamma, K, x) of a run's states."""
    n, size = gamma.size, gamma.size * (gamma.size - 1) // 2
    write_entries(omega, column[:size])
    assign(column[size : size + n], gamma)
    write_entries(k, column[size + n : 2 * size + n])
    assign(column[2 * size + n :], place)


@piece()
def roll(r, p, gamma, place):
    """Move the place by dr = (1/2)(W - W^T) e_n, W = R_{k+1} R_k^T (CS (4.9), with the sign of gamma pointing up)."""
    n = gamma.size
    for i in range(n - 1):
        for j in range(n):
            total = 0.0
            for k in range(n):
                total += r[i, k] * (p[k, j] - p[j, k])
            place[i] += 0.5 * total * gamma[j]


@piece()
def turn(r, p):
    """R <- R (1 + P), orthogonal to round-off."""
    n, change = r.shape[0], product(r, p)
    for i in range(n):
        for j in range(n):
            r[i, j] += change[i, j]
    orthogonalise(r, 0, n)


@kernel("integer(vector, number, vector, matrix, number, integer, integer, part, cube, vector)")
def orbit(mass, d, gamma, omega, eps, steps, every, state, attitude, end):
    """One orbit into state[(omega, gamma, K, x), sample] and attitude[sample, n, n] (skipped if it has no samples).

    K and gamma are fixed in space (CS (4.12)), so both are read off the attitude at every step: their invariants are
    kept to round-off over any number of steps. Returns the steps taken; where the branch has folded, end holds the
    gamma and K that have no rotation.
    """
    n = gamma.size
    r, k, whole = of_start(mass, d, gamma, omega)
    in_space, place = entries(whole), np.zeros(n - 1)
    # The first guess is the turn of the flow; then past rotations are extrapolated.
    p = cayley(multiple(eps, entries(omega)), n)
    change, bend = np.zeros((n, n)), np.zeros((n, n))
    sample, safe = 0, certain_turn(mass)
    for step in range(steps + 1):
        if step > 0:
            gamma = r[n - 1].copy()
            k = to_body(r, in_space)
        if step % every == 0:
            if step > 0:
                omega = velocity(mass, d, gamma, k)
            write_sample(omega, gamma, k, place, state[:, sample])
            if attitude.shape[0] > 0:
                write_matrix(r, attitude[sample])
            sample += 1
        if step == steps:
            break
        guess = cleaned(composed(composed(p, change), bend))
        found, new = displacement(mass, d, gamma, multiple(eps, entries(k)), guess, safe)
        if not found:
            assign(end[:n], gamma)
            assign(end[n:], entries(k))
            return step
        if step > 0:
            latest = composed(transposed(p), new)
            if step > 1:
                bend = composed(transposed(change), latest)
            change = latest
        p = new
        roll(r, p, gamma, place)
        turn(r, p)
    return steps


@kernel("integers(vector, number, matrix, cube, number, integer, integer, cube, four_indices, matrix)")
def orbits(mass, d, gammas, omegas, eps, steps, every, state, attitude, ends):
    """Many orbits: `orbit` for each start; returns the steps each could take."""
    taken = np.empty(gammas.shape[0], dtype=np.int64)
    for i in range(taken.size):
        taken[i] = orbit(mass, d, gammas[i], omegas[i], eps, steps, every, state[:, i], attitude[i], ends[i])
    return taken
