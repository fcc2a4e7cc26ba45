"""Attitudes as unit quaternions (q0, q1, q2, q3), and the attitude of a body whose angular velocity is known.

A product of many rotations drifts away from the rotation group only through the norm of its
quaternion, which is restored at every step: R stays orthogonal to round-off for any number of steps.
"""

import math

from nhviz.kernels.compile import kernel, piece


@kernel("nothing(vector, number, number, number)", inlined=True)
def turn(q, x, y, z):
    """q <- q (1, x, y, z) normalised: turn by the Cayley vector (x, y, z) of the body frame."""
    q0, q1, q2, q3 = q[0], q[1], q[2], q[3]
    w0 = q0 - q1 * x - q2 * y - q3 * z
    w1 = q1 + q0 * x + q2 * z - q3 * y
    w2 = q2 + q0 * y + q3 * x - q1 * z
    w3 = q3 + q0 * z + q1 * y - q2 * x
    scale = 1.0 / math.sqrt(w0 * w0 + w1 * w1 + w2 * w2 + w3 * w3)
    q[0], q[1], q[2], q[3] = scale * w0, scale * w1, scale * w2, scale * w3


@kernel("nothing(vector, number, number, number)", inlined=True)
def turn_by_vector(q, x, y, z):
    """q <- q exp(x, y, z / 2): turn by the rotation vector (x, y, z) of the body frame."""
    half = 0.5 * math.sqrt(x * x + y * y + z * z)
    # sin(half) / (2 half); its Taylor series avoids 0 / 0.
    ratio = 0.5 - half * half / 12.0 if half < 1e-4 else 0.5 * math.sin(half) / half
    q0, q1, q2, q3 = q[0], q[1], q[2], q[3]
    c, x, y, z = math.cos(half), ratio * x, ratio * y, ratio * z
    w0 = c * q0 - q1 * x - q2 * y - q3 * z
    w1 = c * q1 + q0 * x + q2 * z - q3 * y
    w2 = c * q2 + q0 * y + q3 * x - q1 * z
    w3 = c * q3 + q0 * z + q1 * y - q2 * x
    scale = 1.0 / math.sqrt(w0 * w0 + w1 * w1 + w2 * w2 + w3 * w3)
    q[0], q[1], q[2], q[3] = scale * w0, scale * w1, scale * w2, scale * w3


@kernel("nothing(vector, matrix)", inlined=True)
def write_matrix(q, matrix):
    """Write the rotation matrix of a unit quaternion (body frame to space frame)."""
    q0, q1, q2, q3 = q[0], q[1], q[2], q[3]
    matrix[0, 0] = 1.0 - 2.0 * (q2 * q2 + q3 * q3)
    matrix[0, 1] = 2.0 * (q1 * q2 - q0 * q3)
    matrix[0, 2] = 2.0 * (q1 * q3 + q0 * q2)
    matrix[1, 0] = 2.0 * (q1 * q2 + q0 * q3)
    matrix[1, 1] = 1.0 - 2.0 * (q1 * q1 + q3 * q3)
    matrix[1, 2] = 2.0 * (q2 * q3 - q0 * q1)
    matrix[2, 0] = 2.0 * (q1 * q3 - q0 * q2)
    matrix[2, 1] = 2.0 * (q2 * q3 + q0 * q1)
    matrix[2, 2] = 1.0 - 2.0 * (q1 * q1 + q2 * q2)


@kernel("triple(number, triple, triple, triple)", inlined=True)
def magnus_vector(h, a, b, c):
    """Rotation vector of one step of R' = R hat(omega), sixth order (Magnus, three Gauss points).

    a, b, c are omega at the Gauss points of the step h. The expansion is written for Y' = A Y;
    here Y = R^T and A = -hat(omega), hence the two changes of sign.
    """
    root = math.sqrt(15.0)
    p = (-h * b[0], -h * b[1], -h * b[2])
    f = -h * root / 3.0
    q = (f * (c[0] - a[0]), f * (c[1] - a[1]), f * (c[2] - a[2]))
    f = -h * 10.0 / 3.0
    r = (
        f * (c[0] - 2.0 * b[0] + a[0]),
        f * (c[1] - 2.0 * b[1] + a[1]),
        f * (c[2] - 2.0 * b[2] + a[2]),
    )
    c1 = cross(p, q)
    s = cross(p, (2.0 * r[0] + c1[0], 2.0 * r[1] + c1[1], 2.0 * r[2] + c1[2]))
    left = (
        -20.0 * p[0] - r[0] + c1[0],
        -20.0 * p[1] - r[1] + c1[1],
        -20.0 * p[2] - r[2] + c1[2],
    )
    right = (q[0] - s[0] / 60.0, q[1] - s[1] / 60.0, q[2] - s[2] / 60.0)
    t = cross(left, right)
    return (
        -(p[0] + r[0] / 12.0 + t[0] / 240.0),
        -(p[1] + r[1] / 12.0 + t[1] / 240.0),
        -(p[2] + r[2] / 12.0 + t[2] / 240.0),
    )


@piece()
def cross(a, b):
    """Vector product of two triples."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
