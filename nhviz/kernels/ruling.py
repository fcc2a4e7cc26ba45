"""The two families of lines on a quadric without q0^2, and other quadrics along them.

Such a quadric holds the point (1, 0, 0, 0). In suitable linear coordinates it is c w + X Y, and
(c, X, Y, w) = (s0 t0, s0 t1, -s1 t0, s1 t1) runs over it. Another quadric becomes quadratic in t with coefficients
quadratic in s, so that two of them have a resultant in t of degree 8 in s.
"""

import math

from nhviz.kernels.compile import kernel, piece
from nhviz.kernels.polynomials import square_size, value

# A turn of the ruling's parameter line: no special point of a symmetric problem sits at infinity.
COS_TURN, SIN_TURN = math.cos(0.6), math.sin(0.6)


@piece()
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


@piece()
def combine(weights, quadrics, out):
    """The quadric with the given weights."""
    for i in range(4):
        for j in range(4):
            out[i, j] = weights[0] * quadrics[0, i, j] + weights[1] * quadrics[1, i, j] + weights[2] * quadrics[2, i, j]


@kernel("truth(matrix, vector, vector, vector, matrix)")
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


@piece(forceinline=True)
def entry(to_z, half, i, j):
    """Entry (i, j) of T^T H T, where half = H T."""
    return to_z[0, i] * half[0, j] + to_z[1, i] * half[1, j] + to_z[2, i] * half[2, j] + to_z[3, i] * half[3, j]


@kernel("nothing(matrix, matrix, matrix, matrix)")
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


@kernel("nothing(matrix, matrix, integer, integer, vector)")
def minor(a, b, i, j, out):
    """out = a_i b_j - a_j b_i as a polynomial of degree 4 in s."""
    for k in range(5):
        out[k] = 0.0
    for k in range(3):
        for n in range(3):
            out[k + n] += a[i, k] * b[j, n] - a[j, k] * b[i, n]


@piece()
def place(sigma, minors, to_z, z):
    """The point z of the quadric at the parameter sigma of a common root."""
    two, one, zero = value(minors[0], 4, sigma), value(minors[1], 4, sigma), value(minors[2], 4, sigma)
    t0, t1 = (two, one) if square_size(two) >= square_size(zero) else (one, zero)
    s0, s1 = COS_TURN * sigma - SIN_TURN, SIN_TURN * sigma + COS_TURN
    c, x, y, w = s0 * t0, s0 * t1, -s1 * t0, s1 * t1
    for i in range(4):
        z[i] = to_z[i, 0] * c + to_z[i, 1] * x + to_z[i, 2] * y + to_z[i, 3] * w
