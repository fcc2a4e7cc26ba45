"""Inner loops of the Chaplygin sphere: one step of the discrete map, its fold, and whole orbits.

With the Cayley vector g = q/q0 of a rotation, the scaled momentum m = (eps/2) K and A = I + D (1 - gamma gamma^T),
CS (5.2) divided by 2 q0^2 reads  A g + g x I g = (1 + |g|^2) m.  A body is (I1, I2, I3, D); vectors are triples.
A negative eps gives the inverse map.
"""

import math

import numpy as np

from nhviz.kernels import follow as certain
from nhviz.kernels.attitude import turn, write_matrix
from nhviz.kernels.compile import kernel, piece
from nhviz.kernels.polynomials import settled

NEWTON_ROUNDS = 25
# No quotient by the cosine of half a turn exceeds the numbers.
SMALLEST_COSINE = 1e-100
# Verticals that differ by less are the same, but for the round-off of many steps.
SAME_VERTICAL = 1e-9


@piece(forceinline=True)
def dot(a, b):
    """Scalar product of two triples."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@piece(forceinline=True)
def momentum(body, gamma, omega):
    """K = I omega + D (omega - <omega, gamma> gamma), the momentum about the contact point."""
    i1, i2, i3, d = body
    along = dot(omega, gamma)
    return (
        i1 * omega[0] + d * (omega[0] - along * gamma[0]),
        i2 * omega[1] + d * (omega[1] - along * gamma[1]),
        i3 * omega[2] + d * (omega[2] - along * gamma[2]),
    )


@piece(forceinline=True)
def velocity(body, gamma, k):
    """omega of the momentum: Lam omega = K + (D/F) <gamma, Lam^-1 K> gamma (CS above (2.5), corrected).

    F = <I gamma, Lam^-1 gamma> is a sum of positive terms; 1 - D <gamma, Lam^-1 gamma> would cancel for a heavy ball.
    """
    i1, i2, i3, d = body
    l1, l2, l3 = 1.0 / (i1 + d), 1.0 / (i2 + d), 1.0 / (i3 + d)
    f = i1 * l1 * gamma[0] * gamma[0] + i2 * l2 * gamma[1] * gamma[1] + i3 * l3 * gamma[2] * gamma[2]
    push = d / f * (gamma[0] * l1 * k[0] + gamma[1] * l2 * k[1] + gamma[2] * l3 * k[2])
    return (l1 * (k[0] + push * gamma[0]), l2 * (k[1] + push * gamma[1]), l3 * (k[2] + push * gamma[2]))


@piece(forceinline=True)
def equation(body, gamma, m, g):
    """Residual A g + g x I g - (1 + |g|^2) m of a displacement, and its nine derivatives row by row."""
    i1, i2, i3, d = body
    g1, g2, g3 = g
    along = d * dot(gamma, g)
    size = 1.0 + dot(g, g)
    r1 = (i1 + d) * g1 + (i3 - i2) * g2 * g3 - along * gamma[0] - size * m[0]
    r2 = (i2 + d) * g2 + (i1 - i3) * g3 * g1 - along * gamma[1] - size * m[1]
    r3 = (i3 + d) * g3 + (i2 - i1) * g1 * g2 - along * gamma[2] - size * m[2]
    d1, d2, d3 = d * gamma[0], d * gamma[1], d * gamma[2]
    x, y, z = 2.0 * g1, 2.0 * g2, 2.0 * g3
    return (
        (r1, r2, r3),
        (
            i1 + d - d1 * gamma[0] - x * m[0],
            (i3 - i2) * g3 - d1 * gamma[1] - y * m[0],
            (i3 - i2) * g2 - d1 * gamma[2] - z * m[0],
            (i1 - i3) * g3 - d2 * gamma[0] - x * m[1],
            i2 + d - d2 * gamma[1] - y * m[1],
            (i1 - i3) * g1 - d2 * gamma[2] - z * m[1],
            (i2 - i1) * g2 - d3 * gamma[0] - x * m[2],
            (i2 - i1) * g1 - d3 * gamma[1] - y * m[2],
            i3 + d - d3 * gamma[2] - z * m[2],
        ),
    )


@piece(forceinline=True)
def solve(a, b):
    """The solution of a 3 x 3 system by cofactors."""
    c1 = a[4] * a[8] - a[5] * a[7]
    c2 = a[5] * a[6] - a[3] * a[8]
    c3 = a[3] * a[7] - a[4] * a[6]
    over = 1.0 / (a[0] * c1 + a[1] * c2 + a[2] * c3)
    x = c1 * b[0] + (a[2] * a[7] - a[1] * a[8]) * b[1] + (a[1] * a[5] - a[2] * a[4]) * b[2]
    y = c2 * b[0] + (a[0] * a[8] - a[2] * a[6]) * b[1] + (a[2] * a[3] - a[0] * a[5]) * b[2]
    z = c3 * b[0] + (a[1] * a[6] - a[0] * a[7]) * b[1] + (a[0] * a[4] - a[1] * a[3]) * b[2]
    return (over * x, over * y, over * z)


@piece(forceinline=True)
def newton(body, gamma, m, g):
    """(converged, g) of the displacement with scaled momentum m, from a guess."""
    before = math.inf
    for _ in range(NEWTON_ROUNDS):
        residual, matrix = equation(body, gamma, m, g)
        change = solve(matrix, residual)
        g = (g[0] - change[0], g[1] - change[1], g[2] - change[2])
        moved = abs(change[0]) + abs(change[1]) + abs(change[2])
        size = abs(g[0]) + abs(g[1]) + abs(g[2])
        if not math.isfinite(size):
            return False, (0.0, 0.0, 0.0)
        if settled(moved, before, size):
            return True, g
        before = moved
    return False, (0.0, 0.0, 0.0)


@piece()
def write_quadratic(body, gamma, hessians):
    """Write CS (5.2), quadratic in the unit Euler parameters (q1, q2, q3, q0), as `kernels.follow` wants it."""
    i1, i2, i3, d = body
    for i in range(3):
        for j in range(3):
            entry = -d * gamma[i] * gamma[j]
            if i == j:
                entry += d + (i1 if i == 0 else i2 if i == 1 else i3)
            hessians[i, j, 3] = hessians[i, 3, j] = entry
    hessians[0, 1, 2] = hessians[0, 2, 1] = i3 - i2
    hessians[1, 2, 0] = hessians[1, 0, 2] = i1 - i3
    hessians[2, 0, 1] = hessians[2, 1, 0] = i2 - i1
    for i in range(4):
        hessians[3, i, i] = 1.0


@kernel("together(number, triple)(four, triple, triple, number)")
def follow(body, gamma, m, furthest):
    """(reached, g): follow the displacement from the identity as the momentum grows from 0 to furthest * m.

    reached is furthest, or the share of m at which the principal branch ends: there det(dK/dq) vanishes.
    """
    matrices, vectors = np.zeros((5, 4, 4)), np.zeros((5, 4))
    hessians, linear = matrices[:4], matrices[4]
    constant, goal, q, scale, moments = vectors[0], vectors[1], vectors[2], vectors[3], vectors[4]
    write_quadratic(body, gamma, hessians)
    constant[3], q[3], scale[3] = -0.5, 1.0, 1.0
    for i in range(3):
        goal[i], moments[i] = m[i], hessians[i, i, 3]
    certain.write_balance(moments[:3], scale)
    reached = certain.follow(constant, linear, hessians, goal, furthest, q, scale)
    # A half turn has no Cayley vector; it is kept finite.
    over = 1.0 / (q[3] if abs(q[3]) > SMALLEST_COSINE else math.copysign(SMALLEST_COSINE, q[3]))
    return reached, (over * q[0], over * q[1], over * q[2])


@kernel("number(four)", inlined=True)
def certain_square(body):
    """|g|^2 below which a displacement is the principal one, whatever gamma and the momentum are.

    The bend of `kernels.follow` is A^-1 (2 t x I t) with A = I + D (1 - gamma gamma^T) >= I.
    """
    i1, i2, i3, _ = body
    least, most = min(i1, i2, i3), max(i1, i2, i3)
    distance = certain.certain_distance(certain.omega_on_sphere((most - least) / least))
    cosine = 1.0 - 0.5 * distance * distance
    return 1.0 / (cosine * cosine) - 1.0


@piece(forceinline=True)
def leads_to(gamma, g, after, known):
    """Whether a displacement takes gamma to the vertical in that row, if there is one: the next is Omega^T gamma."""
    if after >= known.shape[0]:
        return False
    # gamma + 2/(1 + |g|^2) (a + a x g) with a = gamma x g.
    a = (gamma[1] * g[2] - gamma[2] * g[1], gamma[2] * g[0] - gamma[0] * g[2], gamma[0] * g[1] - gamma[1] * g[0])
    share = 2.0 / (1.0 + dot(g, g))
    x = gamma[0] + share * (a[0] + a[1] * g[2] - a[2] * g[1]) - known[after, 0]
    y = gamma[1] + share * (a[1] + a[2] * g[0] - a[0] * g[2]) - known[after, 1]
    z = gamma[2] + share * (a[2] + a[0] * g[1] - a[1] * g[0]) - known[after, 2]
    return abs(x) + abs(y) + abs(z) < SAME_VERTICAL


@piece(forceinline=True)
def displacement(body, gamma, m, guess, safe, after, known):
    """(found, g) of the principal branch: Newton from a guess where that is certain, else followed from the identity.

    It is where |g|^2 < safe, or if it leads to the vertical that the principal one is known to lead to.
    """
    ok, g = newton(body, gamma, m, guess)
    if ok and (dot(g, g) < safe or leads_to(gamma, g, after, known)):
        return True, g
    reached, g = follow(body, gamma, m, 1.0)
    return reached >= 1.0, g


@kernel("vector(triple)", inlined=True)
def upright(gamma):
    """The shortest rotation with R gamma = e3 as a quaternion, about gamma x e3; about e1 if gamma points down."""
    aside = math.hypot(gamma[0], gamma[1])
    if aside == 0.0:
        return np.array([1.0, 0.0, 0.0, 0.0]) if gamma[2] > 0.0 else np.array([0.0, 1.0, 0.0, 0.0])
    half = 0.5 * math.atan2(aside, gamma[2])
    sine = math.sin(half)
    return np.array([math.cos(half), sine * (gamma[1] / aside), -sine * (gamma[0] / aside), 0.0])


@piece(forceinline=True)
def to_space(r, v):
    """R v for a matrix and a triple."""
    return (
        r[0, 0] * v[0] + r[0, 1] * v[1] + r[0, 2] * v[2],
        r[1, 0] * v[0] + r[1, 1] * v[1] + r[1, 2] * v[2],
        r[2, 0] * v[0] + r[2, 1] * v[1] + r[2, 2] * v[2],
    )


@piece(forceinline=True)
def to_body(r, v):
    """R^T v for a matrix and a triple."""
    return (
        r[0, 0] * v[0] + r[1, 0] * v[1] + r[2, 0] * v[2],
        r[0, 1] * v[0] + r[1, 1] * v[1] + r[2, 1] * v[2],
        r[0, 2] * v[0] + r[1, 2] * v[1] + r[2, 2] * v[2],
    )


@kernel("integer(four, number, triple, triple, pair, number, integer, integer, part, cube, vector, matrix)")
def orbit(body, rho, gamma, omega, place, eps, steps, every, state, attitude, end, known):
    """One orbit into state[(omega, gamma, K, x, y), sample] and attitude[sample, 3, 3] (skipped if it has no samples).

    K and gamma are fixed in space (CS (5.3)), so both are read off the attitude at every step: their products
    are kept to round-off over any number of steps. Returns the steps taken; where the branch has folded, end holds the
    gamma and K that have no displacement. known[i] is the vertical after the step i, for as many as are known.
    """
    half, safe = 0.5 * eps, certain_square(body)
    q = upright(gamma)
    r = np.empty((3, 3))
    write_matrix(q, r)
    k = momentum(body, gamma, omega)
    in_space = to_space(r, k)
    x, y = place
    # The first guess is half the turn of the flow; then past displacements are extrapolated.
    g = (half * omega[0], half * omega[1], half * omega[2])
    ga, gb = g, g
    sample = 0
    for step in range(steps + 1):
        if step > 0:
            write_matrix(q, r)
            gamma = (r[2, 0], r[2, 1], r[2, 2])
            k = to_body(r, in_space)
        if step % every == 0:
            if step > 0:
                omega = velocity(body, gamma, k)
            for i in range(3):
                state[i, sample], state[3 + i, sample], state[6 + i, sample] = omega[i], gamma[i], k[i]
            state[9, sample], state[10, sample] = x, y
            if attitude.shape[0] > 0:
                write_matrix(q, attitude[sample])
            sample += 1
        if step == steps:
            break
        guess = (
            3.0 * (g[0] - ga[0]) + gb[0],
            3.0 * (g[1] - ga[1]) + gb[1],
            3.0 * (g[2] - ga[2]) + gb[2],
        )
        found, new = displacement(body, gamma, (half * k[0], half * k[1], half * k[2]), guess, safe, step, known)
        if not found:
            for i in range(3):
                end[i], end[3 + i] = gamma[i], k[i]
            return step
        if step == 0:
            ga, g = new, new
        gb, ga, g = ga, g, new
        # Rolling: dr = (rho/2)(W - W^T) e3 with W = R_{k+1} R_k^T (CS (4.9), with the sign of gamma pointing up).
        along = to_space(r, g)
        roll = 2.0 * rho / (1.0 + dot(g, g))
        x, y = x + roll * along[1], y - roll * along[0]
        turn(q, g[0], g[1], g[2])
    return steps


@kernel("integers(four, number, matrix, matrix, matrix, number, integer, integer, cube, four_indices, matrix, cube)")
def orbits(body, rho, gammas, omegas, places, eps, steps, every, state, attitude, ends, known):
    """Many orbits: `orbit` for each column of starts; returns the steps each could take."""
    count = gammas.shape[1]
    taken = np.empty(count, dtype=np.int64)
    for i in range(count):
        gamma = (gammas[0, i], gammas[1, i], gammas[2, i])
        omega = (omegas[0, i], omegas[1, i], omegas[2, i])
        place = (places[0, i], places[1, i])
        taken[i] = orbit(body, rho, gamma, omega, place, eps, steps, every, state[:, i], attitude[i], ends[i], known[i])
    return taken


@kernel("nothing(four, matrix, matrix, cube, integers, integers)")
def principal_many(body, gammas, momenta, rotations, counts, principal):
    """Find the principal branch among the rotations[point, branch, 4] of many points; -1 where it has folded."""
    safe, none = certain_square(body), np.empty((0, 3))
    for i in range(gammas.shape[0]):
        gamma = (gammas[i, 0], gammas[i, 1], gammas[i, 2])
        m = (momenta[i, 0], momenta[i, 1], momenta[i, 2])
        principal[i] = -1
        if counts[i] == 0:
            continue
        found, g = displacement(body, gamma, m, velocity(body, gamma, m), safe, 0, none)
        if not found:
            continue
        size = math.sqrt(1.0 + dot(g, g))
        best = 1.0 - 1e-9
        for branch in range(counts[i]):
            q = rotations[i, branch]
            match = abs(q[0] + g[0] * q[1] + g[1] * q[2] + g[2] * q[3]) / size
            if match > best:
                principal[i], best = branch, match
