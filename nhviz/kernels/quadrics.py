"""All common points of three real quadrics in projective space, certified: no root missed, none counted twice.

The quadrics z^T H_i z = 0 are those of the discrete sphere: z = (q0, q1, q2, q3) are Euler parameters and only the
identity matrix carries q0^2. Bezout's number is 8, so 8 certified and distinct complex points are all there are.

The lines on one combination of the quadrics (`kernels.ruling`) turn the other two into a polynomial of degree 8, whose
roots are polished and certified in space (`kernels.certificate`).
"""

import math

import numpy as np
from numba import types

from nhviz.kernels.certificate import POINTS, ROOTS, keep
from nhviz.kernels.compile import CUBE, MATRIX, VECTOR, kernel, piece
from nhviz.kernels.polynomials import deflate, laguerre
from nhviz.kernels.ruling import combine, minor, on_ruling, orthonormal, place, ruling

ATTEMPTS = 6
ROOM = types.Tuple((CUBE, MATRIX, CUBE, MATRIX, VECTOR, POINTS, MATRIX, POINTS))
"""What `make_room` makes."""


@kernel("nothing(four, triple, triple, cube)")
def fill_quadrics(body, gamma, m, quadrics):
    """H_i of (q0 A q + q x I q - m z.z)_i = 0, A = I + D (1 - gamma gamma^T)."""
    i1, i2, i3, d = body
    for i in range(3):
        for j in range(4):
            for k in range(4):
                quadrics[i, j, k] = 0.0
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


@piece()
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


@kernel("integer(room, number, number, integer)", room=ROOM)
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
    for k in range(ROOTS + 1):
        resultant[k] = 0.0
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


@kernel("integer(room, integer)", room=ROOM)
def try_special_points(room, count):
    """Try roots that a ruling can be blind to.

    They are near the identity and the three half turns, roots of a momentum of zero, and (0; 1, i, 0) and its like,
    roots of a body with two equal moments.
    """
    quadrics, roots, basins, work = room[0][:3], room[5], room[6], room[7]
    found, z = roots[:ROOTS], roots[ROOTS]
    for j in range(4):
        for k in range(4):
            z[k] = 1.0 if k == j else 0.0
        count = keep(quadrics, z, found, basins, count, work)
    for j in range(3):
        for k in range(4):
            z[k] = 0.0
        z[1 + j], z[1 + (j + 1) % 3] = 1.0, 1.0j
        count = keep(quadrics, z, found, basins, count, work)
    return count


@kernel("together(integer, integer)(four, triple, triple, matrix)")
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


@kernel("together(integer, integer)(four, triple, triple, room, matrix)", room=ROOM)
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


@piece()
def set_axis(m, axis):
    """The direction of m; any one if it is zero."""
    size = math.sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2])
    if size == 0.0:
        axis[0], axis[1], axis[2] = 1.0, 0.0, 0.0
    else:
        axis[0], axis[1], axis[2] = m[0] / size, m[1] / size, m[2] / size


@piece()
def write_unit(z, q):
    """A real root as unit Euler parameters with q0 >= 0."""
    total = 0.0
    for i in range(4):
        total += z[i].real * z[i].real
    scale = math.copysign(1.0 / math.sqrt(total), z[0].real)
    for i in range(4):
        q[i] = scale * z[i].real


@kernel("nothing(matrix, integer)")
def sort_rotations(rotations, count):
    """Smallest rotation first: largest q0 first."""
    for i in range(1, count):
        for j in range(i, 0, -1):
            if rotations[j, 0] > rotations[j - 1, 0]:
                for k in range(4):
                    rotations[j, k], rotations[j - 1, k] = rotations[j - 1, k], rotations[j, k]


@kernel("nothing(four, matrix, matrix, cube, integers, integers)")
def solve_many(body, gammas, momenta, rotations, counts, certified):
    """`solve` at many points: rotations[point, branch, 4], counts[point] and certified[point] are filled."""
    room = make_room()
    for i in range(gammas.shape[0]):
        gamma = (gammas[i, 0], gammas[i, 1], gammas[i, 2])
        m = (momenta[i, 0], momenta[i, 1], momenta[i, 2])
        counts[i], certified[i] = solve(body, gamma, m, room, rotations[i])
