"""The angle in space between the limit rotations of many Suslov tops: the closed form of `nhviz.analysis.limit_axes`.

A tensor is (I11, I22, I13, I23); where everything rests there is no angle.
"""

import cmath
import math

from nhviz.kernels.compile import kernel

# e^-800 is below the smallest number.
VANISHED = 800.0


@kernel("number(four)")
def angle(inertia):
    """The angle in radians; NaN without products of inertia."""
    i11, i22, i13, i23 = inertia
    largest = max(abs(i13), abs(i23))
    if largest == 0.0:
        return math.nan
    # A, B, x and y are multiples of 1/unit: without it the squares of small products would underflow.
    first, second = i13 / largest, i23 / largest
    unit = largest * (first * first / i11 + second * second / i22)
    half, elongation = 0.5 * math.hypot(first, second), math.sqrt(i22 / i11)
    real = 0.25 * (i11 - i22) * (first * first / i11 - second * second / i22)
    imaginary = 0.5 * (i11 - i22) * first * second / math.sqrt(i11 * i22)
    root = cmath.sqrt(complex(real, imaginary))
    # |A|/2 - x without cancellation, from (|A|^2/4 - x^2)(|A|^2/4 + y^2) = |A x B|^2/16.
    cross = 0.25 * (elongation * first * first + second * second / elongation)
    gap = cross * cross / ((half * half + root.imag * root.imag) * (half + root.real))
    if math.pi * gap > VANISHED * unit:
        return 0.0
    over = math.pi / unit
    p, q, phase, apart = over * root.real, over * half, over * root.imag, over * gap
    # cosh z = (e^z/2)(1 + e^-2z) and sinh z = (e^z/2)(1 - e^-2z): no exponential grows.
    rest = 1.0 + math.exp(-2.0 * q)
    even, odd = (1.0 + math.exp(-2.0 * p)) / rest, math.expm1(-2.0 * p) / math.expm1(-2.0 * q)
    sine = math.exp(-apart) * math.hypot(even * math.cos(phase), odd * math.sin(phase))
    wobble = math.hypot(1.0, 2.0 * math.exp(-q) * math.sin(phase) / math.expm1(-2.0 * q))
    share = math.sqrt(math.expm1(-2.0 * apart) * math.expm1(-2.0 * (q + p)))
    return 2.0 * math.atan2(sine, share * wobble / rest)


@kernel("nothing(matrix, vector)")
def angles(tensors, out):
    """`angle` of every row."""
    for i in range(out.size):
        out[i] = angle((tensors[i, 0], tensors[i, 1], tensors[i, 2], tensors[i, 3]))
