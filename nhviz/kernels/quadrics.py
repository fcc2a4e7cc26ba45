"""All common points of three real quadrics in projective space, certified: no root missed, none counted twice.

The quadrics z^T H_i z = 0 are those of the discrete sphere: z = (q0, q1, q2, q3) are Euler parameters and only the
identity matrix carries q0^2. Bezout's number is 8, so 8 certified and distinct complex points are all there are.

* Finding. A combination Q without q0^2 holds the point (1, 0, 0, 0). In suitable linear coordinates it is c w + X Y,
  and (c, X, Y, w) = (s0 t0, s0 t1, -s1 t0, s1 t1) runs over it along its two rulings. The other two quadrics become
  quadratic in t with coefficients quadratic in s; their resultant in t has degree 8 in s.
* Certifying. For quadrics Smale's alpha = beta gamma is a finite computation: beta is Newton's correction, gamma half
  the norm of DF^-1 D^2F. Below alpha = 0.03 one root lies within 2 beta, and Newton leads from every point within
  0.05/gamma to it (Blum, Cucker, Shub, Smale, Complexity and real computation, chapter 8). Round-off of the residual
  is part of beta.
* A root is real if its conjugate lies within 0.05/gamma: both converge to one root.
"""

import cmath
import math

import numpy as np

from nhviz.kernels.compile import compiled

ROOTS = 8
ATTEMPTS = 6
NEWTON_ROUNDS = 40
ALPHA_LIMIT, BASIN = 0.03, 0.05
ROUND_OFF = 4e-16
# The coordinates other than the chart's, and the three rows of a matrix with the two that follow each.
OTHERS = ((1, 2, 3), (2, 3, 0), (3, 0, 1), (0, 1, 2))
CYCLES = ((0, 1, 2), (1, 2, 0), (2, 0, 1))
# A turn of the ruling's parameter line: no special point of a symmetric problem sits at infinity.
COS_TURN, SIN_TURN = math.cos(0.6), math.sin(0.6)


@compiled()
def fill_quadrics(body, gamma, m, quadrics):
    """H_i of (q0 A q + q x I q - m z.z)_i = 0, A = I + D (1 - gamma gamma^T)."""
    i1, i2, i3, d = body
    quadrics[:] = 0.0
    lam = (i1 + d, i2 + d, i3 + d)
    for i in range(3):
        for j in range(3):
            a = (lam[i] if i == j else 0.0) - d * gamma[i] * gamma[j]
            quadrics[i, 0, j + 1] = quadrics[i, j + 1, 0] = 0.5 * a
        for j in range(4):
            quadrics[i, j, j] -= m[i]
    quadrics[0, 2, 3] = quadrics[0, 3, 2] = 0.5 * (i3 - i2)
    quadrics[1, 1, 3] = quadrics[1, 3, 1] = 0.5 * (i1 - i3)
    quadrics[2, 1, 2] = quadrics[2, 2, 1] = 0.5 * (i2 - i1)


@compiled()
def orthonormal(v, first, second):
    """Two unit vectors that complete the unit vector v to a right-handed frame."""
    least = 0
    for i in range(1, 3):
        if abs(v[i]) < abs(v[least]):
            least = i
    size = math.sqrt(1.0 - v[least] * v[least])
    for i in range(3):
        first[i] = ((1.0 if i == least else 0.0) - v[least] * v[i]) / size
    second[0] = v[1] * first[2] - v[2] * first[1]
    second[1] = v[2] * first[0] - v[0] * first[2]
    second[2] = v[0] * first[1] - v[1] * first[0]


@compiled()
def combine(weights, quadrics, out):
    """The quadric with the given weights."""
    for i in range(4):
        for j in range(4):
            out[i, j] = weights[0] * quadrics[0, i, j] + weights[1] * quadrics[1, i, j] + weights[2] * quadrics[2, i, j]


@compiled()
def ruling(quadric, n, u, v, to_z):
    """Fill the matrix from (c, X, Y, w) to z with z^T quadric z = c w + X Y; False if its lines are not real.

    The quadric has no square of z0: it is z0 L(q) + S(q), and S splits into two factors where L vanishes; n, u, v are
    room for a frame with n along L.
    """
    size = 2.0 * math.sqrt(quadric[0, 1] ** 2 + quadric[0, 2] ** 2 + quadric[0, 3] ** 2)
    for i in range(3):
        n[i] = 2.0 * quadric[0, i + 1] / size
    orthonormal(n, u, v)
    uu, uv, vv, nu, nv, nn = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(3):
        for j in range(3):
            s = quadric[i + 1, j + 1]
            uu += u[i] * s * u[j]
            uv += u[i] * s * v[j]
            vv += v[i] * s * v[j]
            nu += n[i] * s * u[j]
            nv += n[i] * s * v[j]
            nn += n[i] * s * n[j]
    discriminant = uv * uv - uu * vv
    if discriminant <= 1e-6 * (uu * uu + uv * uv + vv * vv):
        return False
    t = uv + math.copysign(math.sqrt(discriminant), uv)
    determinant = 2.0 * (uv - t)
    # X = uu x + t y and Y = x + (vv/t) y, solved for x and y; q = (c/size) n + x u + y v.
    xx, xy = (vv / t) / determinant, -t / determinant
    yx, yy = -1.0 / determinant, uu / determinant
    for i in range(3):
        to_z[i + 1, 0] = n[i] / size
        to_z[i + 1, 1] = xx * u[i] + yx * v[i]
        to_z[i + 1, 2] = xy * u[i] + yy * v[i]
        to_z[i + 1, 3] = 0.0
    to_z[0, 0] = -nn / (size * size)
    to_z[0, 1] = -2.0 * (nu * xx + nv * yx) / size
    to_z[0, 2] = -2.0 * (nu * xy + nv * yy) / size
    to_z[0, 3] = 1.0
    return True


@compiled(forceinline=True)
def entry(to_z, half, i, j):
    """Entry (i, j) of T^T H T, where half = H T."""
    return to_z[0, i] * half[0, j] + to_z[1, i] * half[1, j] + to_z[2, i] * half[2, j] + to_z[3, i] * half[3, j]


@compiled()
def on_ruling(quadric, to_z, half, form):
    """Fill form[power of t0, power of s]: the quadric on the ruled surface, with s turned and s1 = t1 = 1.

    half is room for a matrix.
    """
    for i in range(4):
        for j in range(4):
            half[i, j] = (
                quadric[i, 0] * to_z[0, j]
                + quadric[i, 1] * to_z[1, j]
                + quadric[i, 2] * to_z[2, j]
                + quadric[i, 3] * to_z[3, j]
            )
    c, s = COS_TURN, SIN_TURN
    for power in range(3):
        # Coefficients of s0^2, s0 s1, s1^2.
        if power == 2:
            a, b, d = entry(to_z, half, 0, 0), -2.0 * entry(to_z, half, 0, 2), entry(to_z, half, 2, 2)
        elif power == 1:
            a, d = 2.0 * entry(to_z, half, 0, 1), -2.0 * entry(to_z, half, 2, 3)
            b = 2.0 * (entry(to_z, half, 0, 3) - entry(to_z, half, 1, 2))
        else:
            a, b, d = entry(to_z, half, 1, 1), 2.0 * entry(to_z, half, 1, 3), entry(to_z, half, 3, 3)
        # s0 = c sigma - s, s1 = s sigma + c.
        form[power, 2] = a * c * c + b * c * s + d * s * s
        form[power, 1] = -2.0 * a * c * s + b * (c * c - s * s) + 2.0 * d * c * s
        form[power, 0] = a * s * s - b * c * s + d * c * c


@compiled()
def minor(a, b, i, j, out):
    """out = a_i b_j - a_j b_i as a polynomial of degree 4 in s."""
    out[:] = 0.0
    for k in range(3):
        for n in range(3):
            out[k + n] += a[i, k] * b[j, n] - a[j, k] * b[i, n]


@compiled()
def value(polynomial, degree, x):
    """A real polynomial at a complex point, by Horner's rule."""
    total = complex(polynomial[degree])
    for k in range(degree - 1, -1, -1):
        total = total * x + polynomial[k]
    return total


@compiled()
def laguerre(polynomial, degree, x, tolerance):
    """A root of a real polynomial by Laguerre's iteration from x, until its relative steps are below a tolerance."""
    for _ in range(40):
        p, dp, ddp = complex(polynomial[degree]), 0.0j, 0.0j
        for k in range(degree - 1, -1, -1):
            ddp = ddp * x + dp
            dp = dp * x + p
            p = p * x + polynomial[k]
        size = square_size(p)
        if size == 0.0:
            return x
        over = p.conjugate() / size
        g = dp * over
        root = cmath.sqrt((degree - 1.0) * ((degree - 1.0) * g * g - 2.0 * degree * ddp * over))
        # The sign that makes the denominator larger.
        larger = g + root if g.real * root.real + g.imag * root.imag >= 0.0 else g - root
        size = square_size(larger)
        if size == 0.0:
            x = x + 0.5 + 0.3j
            continue
        change = degree / size * larger.conjugate()
        x = x - change
        if square_size(change) <= tolerance * tolerance * square_size(x):
            return x
    return x


@compiled(forceinline=True)
def square_size(x):
    """|x|^2 of a complex number."""
    return x.real * x.real + x.imag * x.imag


@compiled()
def polish(quadrics, z, work):
    """Newton in the chart of z's largest coordinate, in place; returns (alpha, beta, gamma, chart).

    The certificate holds at the point before the last step, where beta is that step and the round-off of the residual.
    alpha is infinite where Newton does not settle.
    """
    before = math.inf
    for _ in range(NEWTON_ROUNDS):
        chart = 0
        for i in range(1, 4):
            if square_size(z[i]) > square_size(z[chart]):
                chart = i
        if not 0.0 < square_size(z[chart]) < math.inf:
            break
        over = z[chart].conjugate() / square_size(z[chart])
        for i in range(4):
            z[i] *= over
        z[chart] = 1.0
        if not derivatives(quadrics, z, chart, work):
            break
        # The noise is that of the residual just evaluated, before z moves.
        blur = noise(quadrics, z, work)
        change = newton_step(z, chart, work)
        if not math.isfinite(change):
            break
        beta = change + blur
        if beta < 1e-3:
            gamma = second_order(quadrics, chart, work)
            # The error after the step is about gamma beta^2; near a double root round-off may not let it fall that far.
            if beta * gamma < ALPHA_LIMIT and (gamma * beta * beta <= 1e-15 or change >= 0.5 * before):
                return beta * gamma, beta, gamma, chart
        before = change
    return math.inf, math.inf, math.inf, 0


@compiled()
def derivatives(quadrics, z, chart, work):
    """Fill work[:, :3] with the inverse of DF in the chart and work[:, 3] with F; False where DF is singular."""
    a, b, c = OTHERS[chart]
    j = work[:, 4:]
    for i in range(3):
        h = quadrics[i]
        p0 = h[0, 0] * z[0] + h[0, 1] * z[1] + h[0, 2] * z[2] + h[0, 3] * z[3]
        p1 = h[1, 0] * z[0] + h[1, 1] * z[1] + h[1, 2] * z[2] + h[1, 3] * z[3]
        p2 = h[2, 0] * z[0] + h[2, 1] * z[1] + h[2, 2] * z[2] + h[2, 3] * z[3]
        p3 = h[3, 0] * z[0] + h[3, 1] * z[1] + h[3, 2] * z[2] + h[3, 3] * z[3]
        parts = (p0, p1, p2, p3)
        work[i, 3] = z[0] * p0 + z[1] * p1 + z[2] * p2 + z[3] * p3
        j[i, 0], j[i, 1], j[i, 2] = 2.0 * parts[a], 2.0 * parts[b], 2.0 * parts[c]
    for i, i1, i2 in CYCLES:
        for k, k1, k2 in CYCLES:
            work[k, i] = j[i1, k1] * j[i2, k2] - j[i1, k2] * j[i2, k1]
    determinant = j[0, 0] * work[0, 0] + j[0, 1] * work[1, 0] + j[0, 2] * work[2, 0]
    size = square_size(determinant)
    if size == 0.0:
        return False
    over = determinant.conjugate() / size
    for i in range(3):
        for k in range(3):
            work[k, i] *= over
    return True


@compiled()
def newton_step(z, chart, work):
    """Move z by one Newton step; returns its size."""
    size = 0.0
    for k in range(3):
        change = work[k, 0] * work[0, 3] + work[k, 1] * work[1, 3] + work[k, 2] * work[2, 3]
        z[OTHERS[chart][k]] -= change
        size += square_size(change)
    return math.sqrt(size)


@compiled()
def noise(quadrics, z, work):
    """What the round-off of the residual z^T H z, at most that of |z|^T |H| |z|, can add to a Newton step."""
    z0, z1, z2, z3 = abs(z[0]), abs(z[1]), abs(z[2]), abs(z[3])
    total = 0.0
    for i in range(3):
        h = quadrics[i]
        bound = abs(h[0, 0]) * (z0 * z0 + z1 * z1 + z2 * z2 + z3 * z3) + 2.0 * (
            z0 * (abs(h[0, 1]) * z1 + abs(h[0, 2]) * z2 + abs(h[0, 3]) * z3)
            + abs(h[1, 2]) * z1 * z2
            + abs(h[1, 3]) * z1 * z3
            + abs(h[2, 3]) * z2 * z3
        )
        column = square_size(work[0, i]) + square_size(work[1, i]) + square_size(work[2, i])
        total += bound * math.sqrt(column)
    return ROUND_OFF * total


@compiled()
def second_order(quadrics, chart, work):
    """Smale's gamma in the Frobenius norm: |DF^-1 D^2F / 2| in the chart."""
    others = OTHERS[chart]
    gamma = 0.0
    for k in range(3):
        x, y, w = work[k, 0], work[k, 1], work[k, 2]
        for i in range(3):
            for j in range(i + 1):
                row, column = others[i], others[j]
                part = x * quadrics[0, row, column] + y * quadrics[1, row, column] + w * quadrics[2, row, column]
                gamma += (1.0 if i == j else 2.0) * square_size(part)
    return math.sqrt(gamma)


@compiled()
def distance(z, chart, other):
    """How far another point is from z in z's chart; infinite if it is not in that chart."""
    size = square_size(other[chart])
    if size == 0.0:
        return math.inf
    over = other[chart].conjugate() / size
    total = 0.0
    for i in range(4):
        total += square_size(z[i] - over * other[i])
    return math.sqrt(total)


@compiled()
def known(z, found, basins, count):
    """Whether Newton would lead from z to a root that was found already."""
    seen = False
    for i in range(count):
        seen = seen or distance(found[i], int(basins[i, 0]), z) <= basins[i, 1]
    return seen


@compiled()
def keep(quadrics, z, found, basins, count, work):
    """Add a certified new root, and its conjugate if it is not real; returns the number of roots then known.

    found[i] is a root with the coordinate 1 in the chart basins[i, 0]; within basins[i, 1] of it there is no other.
    """
    alpha, beta, gamma, chart = polish(quadrics, z, work)
    if not alpha < ALPHA_LIMIT or known(z, found, basins, count):
        return count
    # The basin is that of the point before the last step, which was at most beta long.
    basin = BASIN / gamma - beta if gamma > 0.0 else math.inf
    asymmetry = 2.0 * math.sqrt(
        z[0].imag * z[0].imag + z[1].imag * z[1].imag + z[2].imag * z[2].imag + z[3].imag * z[3].imag
    )
    real = asymmetry <= basin
    if count + (1 if real else 2) > ROOTS or (not real and asymmetry <= 4.0 * beta):
        return count
    for i in range(4):
        found[count, i] = z[i].real if real else z[i]
    basins[count, 0], basins[count, 1] = chart, basin
    if real:
        return count + 1
    for i in range(4):
        found[count + 1, i] = z[i].conjugate()
    basins[count + 1, 0], basins[count + 1, 1] = chart, basin
    return count + 2


@compiled()
def make_room():
    """Arrays for `solve`: allocating them for every point would cost as much as a tenth of the work."""
    complex_room = np.empty((ROOTS + 1, 4), dtype=np.complex128)
    return (
        np.empty((6, 4, 4)),
        np.empty((6, 3)),
        np.empty((2, 3, 3)),
        np.empty((3, 5)),
        np.empty(ROOTS + 1),
        complex_room,
        np.empty((ROOTS, 2)),
        np.empty((3, 7), dtype=np.complex128),
    )


@compiled()
def search(room, angle, tolerance, count):
    """Collect roots by the ruling of one combination of the quadrics; returns how many are known then.

    The first vector of the room is the direction of m: combinations orthogonal to it have no square of q0.
    """
    matrices, vectors, forms, minors, resultant, roots, basins, work = room
    quadrics, pair, rest, to_z = matrices[:3], matrices[3], matrices[4], matrices[5]
    axis, first, second = vectors[0], vectors[1], vectors[2]
    orthonormal(axis, first, second)
    c, s = math.cos(angle), math.sin(angle)
    combine((c * first[0] + s * second[0], c * first[1] + s * second[1], c * first[2] + s * second[2]), quadrics, pair)
    if not ruling(pair, vectors[3], vectors[4], vectors[5], to_z):
        return count
    a, b = forms[0], forms[1]
    combine((c * second[0] - s * first[0], c * second[1] - s * first[1], c * second[2] - s * first[2]), quadrics, rest)
    on_ruling(rest, to_z, pair, a)
    combine((axis[0], axis[1], axis[2]), quadrics, rest)
    on_ruling(rest, to_z, pair, b)
    # With E_a = a2 t^2 + a1 t + a0: (t^2, t, 1) is along the vector product of the two rows.
    minor(a, b, 1, 0, minors[0])
    minor(a, b, 0, 2, minors[1])
    minor(a, b, 2, 1, minors[2])
    resultant[:] = 0.0
    for k in range(5):
        for n in range(5):
            resultant[k + n] += minors[1, k] * minors[1, n] - minors[0, k] * minors[2, n]
    found, z = roots[:ROOTS], roots[ROOTS]
    degree, guess = ROOTS, 0.4 + 0.3j
    while degree > 0 and resultant[degree] != 0.0 and count < ROOTS:
        sigma = laguerre(resultant, degree, guess, tolerance)
        if abs(sigma.imag) <= 1e-9 * abs(sigma.real):
            sigma = complex(sigma.real)
        place(sigma, minors, to_z, z)
        count = keep(quadrics, z, found, basins, count, work)
        degree = deflate(resultant, degree, sigma)
        guess = sigma.conjugate()
    return count


@compiled()
def place(sigma, minors, to_z, z):
    """The point z of the quadric at the parameter sigma of a common root."""
    two, one, zero = value(minors[0], 4, sigma), value(minors[1], 4, sigma), value(minors[2], 4, sigma)
    t0, t1 = (two, one) if square_size(two) >= square_size(zero) else (one, zero)
    s0, s1 = COS_TURN * sigma - SIN_TURN, SIN_TURN * sigma + COS_TURN
    c, x, y, w = s0 * t0, s0 * t1, -s1 * t0, s1 * t1
    for i in range(4):
        z[i] = to_z[i, 0] * c + to_z[i, 1] * x + to_z[i, 2] * y + to_z[i, 3] * w


@compiled()
def deflate(polynomial, degree, root):
    """Divide a real polynomial by its root, and by the conjugate of a root that is not real; returns the new degree."""
    if root.imag == 0.0:
        carried = polynomial[degree]
        for k in range(degree - 1, -1, -1):
            polynomial[k], carried = carried, polynomial[k] + root.real * carried
        return degree - 1
    # Divide by x^2 - p x - q.
    p, q = 2.0 * root.real, -square_size(root)
    first, second = polynomial[degree], polynomial[degree - 1] + p * polynomial[degree]
    for k in range(degree - 2, -1, -1):
        carried = polynomial[k] + p * second + q * first
        polynomial[k], first, second = first, second, carried
    return degree - 2


@compiled()
def try_special_points(room, count):
    """Try roots that a ruling can be blind to.

    They are near the identity and the three half turns, roots of a momentum of zero, and (0; 1, i, 0) and its like,
    roots of a body with two equal moments.
    """
    quadrics, roots, basins, work = room[0][:3], room[5], room[6], room[7]
    found, z = roots[:ROOTS], roots[ROOTS]
    for j in range(4):
        z[:] = 0.0
        z[j] = 1.0
        count = keep(quadrics, z, found, basins, count, work)
    for j in range(3):
        z[:] = 0.0
        z[1 + j], z[1 + (j + 1) % 3] = 1.0, 1.0j
        count = keep(quadrics, z, found, basins, count, work)
    return count


@compiled()
def homogeneous(body, gamma, m, rotations):
    """`solve` for three equal moments: q is along A^-1 m, and sin(angle) = 2 |A^-1 m| has two solutions or none.

    A momentum of zero belongs to every half turn: then only the identity is listed, and 0 says that it is not all.
    """
    moment, d = body[0], body[3]
    along = (m[0] * gamma[0] + m[1] * gamma[1] + m[2] * gamma[2]) * d / moment
    over = 1.0 / (moment + d)
    c = (over * (m[0] + along * gamma[0]), over * (m[1] + along * gamma[1]), over * (m[2] + along * gamma[2]))
    size = math.sqrt(c[0] * c[0] + c[1] * c[1] + c[2] * c[2])
    if size == 0.0:
        rotations[0, 0], rotations[0, 1], rotations[0, 2], rotations[0, 3] = 1.0, 0.0, 0.0, 0.0
        return 1, 0
    if size > 0.5:
        return 0, ROOTS
    half = 0.5 * math.asin(2.0 * size)
    for i in range(2):
        cosine, sine = (math.cos(half), math.sin(half)) if i == 0 else (math.sin(half), math.cos(half))
        rotations[i, 0] = cosine
        for j in range(3):
            rotations[i, j + 1] = sine * c[j] / size
    return 2, ROOTS


@compiled()
def solve(body, gamma, m, room, rotations):
    """All real rotations with scaled momentum m, smallest first, as unit (q0 >= 0, q1, q2, q3); see `solve_many`.

    Returns (real roots, certified complex roots): 8 of the latter are the proof that nothing is missing.
    """
    # |q0 A q + q x I q| of a unit q is below Lam + I: a larger momentum has no rotation.
    largest = max(body[0], body[1], body[2])
    if max(abs(m[0]), abs(m[1]), abs(m[2])) > 2.0 * largest + body[3]:
        return 0, ROOTS
    if body[0] == body[1] == body[2]:
        return homogeneous(body, gamma, m, rotations)
    scale = 1.0 / (body[0] + body[1] + body[2] + body[3])
    fill_quadrics(
        (scale * body[0], scale * body[1], scale * body[2], scale * body[3]),
        gamma,
        (scale * m[0], scale * m[1], scale * m[2]),
        room[0][:3],
    )
    set_axis(m, room[1][0])
    count = 0
    for attempt in range(ATTEMPTS):
        # Roots are polished in space, so the first attempt can be quick; the others take care.
        tolerance = 1e-4 if attempt == 0 else 1e-13
        count = search(room, 0.3 + 1.1 * attempt, tolerance, count)
        if count == ROOTS:
            break
    if count < ROOTS:
        count = try_special_points(room, count)
    real, roots = 0, room[5]
    for i in range(count):
        if roots[i, 0].imag == roots[i, 1].imag == roots[i, 2].imag == roots[i, 3].imag == 0.0:
            write_unit(roots[i], rotations[real])
            real += 1
    sort_rotations(rotations, real)
    return real, count


@compiled()
def set_axis(m, axis):
    """The direction of m; any one if it is zero."""
    size = math.sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2])
    if size == 0.0:
        axis[0], axis[1], axis[2] = 1.0, 0.0, 0.0
    else:
        axis[0], axis[1], axis[2] = m[0] / size, m[1] / size, m[2] / size


@compiled()
def write_unit(z, q):
    """A real root as unit Euler parameters with q0 >= 0."""
    total = 0.0
    for i in range(4):
        total += z[i].real * z[i].real
    scale = math.copysign(1.0 / math.sqrt(total), z[0].real)
    for i in range(4):
        q[i] = scale * z[i].real


@compiled()
def sort_rotations(rotations, count):
    """Smallest rotation first: largest q0 first."""
    for i in range(1, count):
        for j in range(i, 0, -1):
            if rotations[j, 0] > rotations[j - 1, 0]:
                for k in range(4):
                    rotations[j, k], rotations[j - 1, k] = rotations[j - 1, k], rotations[j, k]


@compiled()
def solve_many(body, gammas, momenta, rotations, counts, certified):
    """`solve` at many points: rotations[point, branch, 4], counts[point] and certified[point] are filled."""
    room = make_room()
    for i in range(gammas.shape[0]):
        gamma = (gammas[i, 0], gammas[i, 1], gammas[i, 2])
        m = (momenta[i, 0], momenta[i, 1], momenta[i, 2])
        counts[i], certified[i] = solve(body, gamma, m, room, rotations[i])
