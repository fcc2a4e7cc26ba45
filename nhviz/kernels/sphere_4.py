"""The field of the Chaplygin sphere in four dimensions, the usual number: `sphere_n_flow.write_rates`, written out.

Vectors are four numbers, skew matrices the six above their diagonal, row by row. A processor keeps them at hand, while
matrices that are written to memory and read again take twice as long. A test holds both against each other.
"""

from nhviz.kernels.compile import piece


@piece(forceinline=True)
def four(values, first, stride):
    """Four numbers of an array: a row of a matrix that is kept row by row, or a column."""
    return values[first], values[first + stride], values[first + 2 * stride], values[first + 3 * stride]


@piece(forceinline=True)
def dot(a, b):
    """<a, b>."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]


@piece(forceinline=True)
def applied(skew, a):
    """The skew matrix times a."""
    s12, s13, s14, s23, s24, s34 = skew
    return (
        s12 * a[1] + s13 * a[2] + s14 * a[3],
        s23 * a[2] + s24 * a[3] - s12 * a[0],
        s34 * a[3] - s13 * a[0] - s23 * a[1],
        -s14 * a[0] - s24 * a[1] - s34 * a[2],
    )


@piece(forceinline=True)
def wedge(a, b):
    """a b^T - b a^T."""
    return (
        a[0] * b[1] - b[0] * a[1], a[0] * b[2] - b[0] * a[2], a[0] * b[3] - b[0] * a[3],
        a[1] * b[2] - b[1] * a[2], a[1] * b[3] - b[1] * a[3], a[2] * b[3] - b[2] * a[3],
    )  # fmt: skip


@piece(forceinline=True)
def products(a, b):
    """a_ij b_ij."""
    return a[0] * b[0], a[1] * b[1], a[2] * b[2], a[3] * b[3], a[4] * b[4], a[5] * b[5]


@piece(forceinline=True)
def less(a, b):
    """a_ij - b_ij."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3], a[4] - b[4], a[5] - b[5]


@piece(forceinline=True)
def to_body(columns, skew):
    """R^T A R for a skew matrix A of space and the columns of R."""
    a, b, c, d = columns
    along_b, along_c, along_d = applied(skew, b), applied(skew, c), applied(skew, d)
    return (
        dot(a, along_b), dot(a, along_c), dot(a, along_d), dot(b, along_c), dot(b, along_d), dot(c, along_d),
    )  # fmt: skip


@piece(forceinline=True)
def shares_of(mass):
    """1/(J_i + J_j)."""
    a, b, c, d = mass
    return 1.0 / (a + b), 1.0 / (a + c), 1.0 / (a + d), 1.0 / (b + c), 1.0 / (b + d), 1.0 / (c + d)


@piece(forceinline=True)
def solved(diagonal, above, right):
    """The solution for a symmetric positive matrix, by elimination; no rows need be exchanged."""
    (a11, a22, a33, a44), (a12, a13, a14, a23, a24, a34), (x1, x2, x3, x4) = diagonal, above, right
    over1 = 1.0 / a11
    f2, f3, f4 = a12 * over1, a13 * over1, a14 * over1
    a22, a33, a44 = a22 - f2 * a12, a33 - f3 * a13, a44 - f4 * a14
    a23, a24, a34 = a23 - f2 * a13, a24 - f2 * a14, a34 - f3 * a14
    x2, x3, x4 = x2 - f2 * x1, x3 - f3 * x1, x4 - f4 * x1
    over2 = 1.0 / a22
    f3, f4 = a23 * over2, a24 * over2
    a33, a44, a34 = a33 - f3 * a23, a44 - f4 * a24, a34 - f3 * a24
    x3, x4 = x3 - f3 * x2, x4 - f4 * x2
    over3 = 1.0 / a33
    f4 = a34 * over3
    x4 = (x4 - f4 * x3) / (a44 - f4 * a34)
    x3 = (x3 - a34 * x4) * over3
    x2 = (x2 - a23 * x3 - a24 * x4) * over2
    return (x1 - a12 * x2 - a13 * x3 - a14 * x4) * over1, x2, x3, x4


@piece(forceinline=True)
def system_of(rolling, gamma):
    """The matrix 1 + D L of v = omega gamma, on its diagonal and above, from D/(J_i + J_j)."""
    s12, s13, s14, s23, s24, s34 = rolling
    a, b, c, d = gamma
    aa, bb, cc, dd = a * a, b * b, c * c, d * d
    diagonal = (
        1.0 + s12 * bb + s13 * cc + s14 * dd,
        1.0 + s12 * aa + s23 * cc + s24 * dd,
        1.0 + s13 * aa + s23 * bb + s34 * dd,
        1.0 + s14 * aa + s24 * bb + s34 * cc,
    )
    return diagonal, (-s12 * a * b, -s13 * a * c, -s14 * a * d, -s23 * b * c, -s24 * b * d, -s34 * c * d)


@piece(forceinline=True)
def velocity(mass, d, gamma, k):
    """omega_ij = (K_ij - D (v_i gamma_j - gamma_i v_j))/(J_i + J_j), where v is found as in `sphere_n`."""
    shares = shares_of(mass)
    free, rolling = products(shares, k), products((d, d, d, d, d, d), shares)
    diagonal, above = system_of(rolling, gamma)
    v = solved(diagonal, above, applied(free, gamma))
    return less(free, products(rolling, wedge(v, gamma)))


@piece(forceinline=True)
def write_rates(y, p, dy):
    """R' = R omega, of which each row is minus omega times a row of R, and x' = R' gamma but for the last row."""
    columns = four(y, 0, 4), four(y, 1, 4), four(y, 2, 4), four(y, 3, 4)
    gamma, in_space = four(y, 12, 1), (p[5], p[6], p[7], p[8], p[9], p[10])
    omega = velocity(four(p, 0, 1), p[4], gamma, to_body(columns, in_space))
    for i in range(4):
        a, b, c, d = applied(omega, four(y, 4 * i, 1))
        dy[4 * i], dy[4 * i + 1], dy[4 * i + 2], dy[4 * i + 3] = -a, -b, -c, -d
        if i < 3:
            dy[16 + i] = -dot((a, b, c, d), gamma)
