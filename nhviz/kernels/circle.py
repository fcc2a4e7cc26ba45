"""Cosine and sine of an angle together, for a loop of many short steps: a call would empty the processor's registers.

An angle is brought to within pi/4 of zero by a whole number of quarter turns. There both are the polynomials of Sun's
fdlibm, which differ from them by less than 2^-57. Large angles are left to the library.
"""

import math

from nhviz.kernels.compile import piece

FAR = 1e5
QUARTER = float.fromhex("0x1.921fb54400000p0")
"""The first 33 bits of pi/2. Times a number of quarter turns below FAR it is exact."""
QUARTER_REST = float.fromhex("0x1.0b4611a626331p-34")
"""pi/2 - QUARTER."""
NEAR = 2.0**-7
"""Up to here x^7/7! and x^8/8! are below 2^-61."""
UNKNOWN = (math.nan, 0.0, 0.0)
"""What is known before the first angle: no other is near."""
TO_WHOLE = 6755399441055744.0
"""1.5 * 2^52: added and taken away again, it leaves the nearest whole number."""


@piece(forceinline=True)
def cosine_and_sine(angle):
    """(cos, sin) of an angle. Both are off by no more than 1.5 * 2^-53."""
    if not abs(angle) < FAR:
        return math.cos(angle), math.sin(angle)
    quarters = (angle * (2.0 / math.pi) + TO_WHOLE) - TO_WHOLE
    x = (angle - quarters * QUARTER) - quarters * QUARTER_REST
    c, s = cosine_near_zero(x), sine_near_zero(x)
    turn = int(quarters) & 3
    c, s = (-s, c) if turn & 1 else (c, s)
    return (-c, -s) if turn & 2 else (c, s)


@piece(forceinline=True)
def turned(angle, known):
    """(cos, sin) of an angle from those of one nearby, known = (angle, cos, sin): off by no more than 2.5 * 2^-53.

    The third answer is what is known for the next angle: the same while it is near, so that errors do not add up.
    """
    before, cosine, sine = known
    x = angle - before
    # Asked so that an angle that is no number is not near.
    if not abs(x) < NEAR:
        cosine, sine = cosine_and_sine(angle)
        return cosine, sine, (angle, cosine, sine)
    y = x * x
    s = x + x * y * (y * (1.0 / 120.0) - 1.0 / 6.0)
    c = y * y * (1.0 / 24.0 - y * (1.0 / 720.0)) - 0.5 * y
    return cosine + (cosine * c - sine * s), sine + (sine * c + cosine * s), known


@piece(forceinline=True)
def sine_near_zero(x):
    """sin x for |x| <= pi/4. Terms are added up in pairs, which a processor does at the same time."""
    y = x * x
    yy = y * y
    first = 8.33333333332248946124e-03 - y * 1.98412698298579493134e-04
    second = 2.75573137070700676789e-06 - y * 2.50507602534068634195e-08
    rest = first + yy * (second + yy * 1.58969099521155010221e-10)
    return x + x * y * (y * rest - 1.66666666666666324348e-01)


@piece(forceinline=True)
def cosine_near_zero(x):
    """cos x for |x| <= pi/4, with what 1 - x^2/2 rounds off."""
    y = x * x
    yy = y * y
    first = 4.16666666666666019037e-02 - y * 1.38888888888741095749e-03
    second = 2.48015872894767294178e-05 - y * 2.75573143513906633035e-07
    third = 2.08757232129817482790e-09 - y * 1.13596475577881948265e-11
    start = 1.0 - 0.5 * y
    return start + (((1.0 - start) - 0.5 * y) + yy * (first + yy * (second + yy * third)))
