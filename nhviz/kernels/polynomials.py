"""Roots of polynomials: real ones of small degrees in closed form, polished; all complex ones of others, one by one."""

import cmath
import math

import numpy as np

from nhviz.kernels.compile import kernel, piece


@piece()
def settled(change, before, size):
    """Whether a Newton iteration is at round-off: its corrections vanish, shrink quadratically, or only jitter."""
    if change <= 1e-15 * size or (change <= 1e-8 * size and change <= 1e-3 * before):
        return True
    return change <= 1e-10 * size and change >= 0.5 * before


@kernel("together(integer, number, number)(number, number, number)")
def quadratic_roots(a, b, c):
    """Real roots of a x^2 + b x + c as (count, first, second), without cancellation.

    A vanishing leading coefficient sends one root to infinity: only the finite one is counted.
    """
    if a == 0.0:
        if b == 0.0:
            return 0, 0.0, 0.0
        return 1, -c / b, 0.0
    half = -0.5 * b
    discriminant = half * half - a * c
    if discriminant < 0.0:
        return 0, 0.0, 0.0
    larger = half + math.copysign(math.sqrt(discriminant), half)
    if larger == 0.0:
        return 1, 0.0, 0.0
    first = larger / a
    second = c / larger
    if not math.isfinite(first):
        return 1, second, 0.0
    return 2, first, second


@piece()
def polish_cubic(a, b, c, d, root):
    """Two Newton steps on a x^3 + b x^2 + c x + d, kept only where they lower the residual."""
    value = ((a * root + b) * root + c) * root + d
    for _ in range(2):
        slope = (3.0 * a * root + 2.0 * b) * root + c
        if slope == 0.0:
            break
        candidate = root - value / slope
        residual = ((a * candidate + b) * candidate + c) * candidate + d
        if not abs(residual) < abs(value):
            break
        root, value = candidate, residual
    return root


@kernel("together(integer, vector)(number, number, number, number)")
def cubic_roots(a, b, c, d):
    """Real roots of a x^3 + b x^2 + c x + d as (count, array of 3), Cardano and Viete."""
    roots = np.zeros(3)
    scale = max(abs(b), abs(c), abs(d))
    if abs(a) <= 1e-14 * scale:
        count, roots[0], roots[1] = quadratic_roots(b, c, d)
        return count, roots
    shift = b / (3.0 * a)
    p = c / a - 3.0 * shift * shift
    q = (2.0 * shift * shift - c / a) * shift + d / a
    inside = 0.25 * q * q + p * p * p / 27.0
    if inside > 0.0:
        larger = -0.5 * q - math.copysign(math.sqrt(inside), q)
        cube = math.copysign(abs(larger) ** (1.0 / 3.0), larger)
        roots[0] = cube - (p / (3.0 * cube) if cube != 0.0 else 0.0) - shift
        count = 1
    else:
        radius = 2.0 * math.sqrt(max(-p / 3.0, 0.0))
        cosine = 0.0 if radius == 0.0 else -4.0 * q / radius**3
        angle = math.acos(min(1.0, max(-1.0, cosine))) / 3.0
        for i in range(3):
            roots[i] = radius * math.cos(angle - 2.0 * math.pi * i / 3.0) - shift
        count = 3
    for i in range(count):
        roots[i] = polish_cubic(a, b, c, d, roots[i])
    return count, roots


@kernel("number(number, number, number, number, number)", inlined=True)
def cubic_value(a, b, c, d, x):
    """a x^3 + b x^2 + c x + d."""
    return ((a * x + b) * x + c) * x + d


@kernel("number(number, number, number, number, number, number)")
def cubic_root_between(a, b, c, d, low, high):
    """The root in [low, high] where the cubic rises through zero: Newton, kept inside a shrinking bracket."""
    x = 0.5 * (low + high)
    for _ in range(120):
        value = cubic_value(a, b, c, d, x)
        if value == 0.0:
            return x
        if value < 0.0:
            low = x
        else:
            high = x
        slope = (3.0 * a * x + 2.0 * b) * x + c
        candidate = x - value / slope
        if not low < candidate < high:
            candidate = 0.5 * (low + high)
        if candidate in (x, low, high):
            return candidate
        x = candidate
    return x


@piece(forceinline=True)
def square_size(x):
    """|x|^2 of a complex number."""
    return x.real * x.real + x.imag * x.imag


@kernel("complex(vector, integer, complex)")
def value(polynomial, degree, x):
    """A real polynomial at a complex point, by Horner's rule."""
    total = complex(polynomial[degree])
    for k in range(degree - 1, -1, -1):
        total = total * x + polynomial[k]
    return total


@kernel("complex(vector, integer, complex, number)")
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


@kernel("integer(vector, integer, complex)")
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
