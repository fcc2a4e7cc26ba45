r"""The angle in space between the two limit rotations of the Suslov flow, in closed form for every tensor.

**Theorem.** Let N = I13^2/I11 + I23^2/I22 > 0 and

    A = (-I23, I13)/N,    B = (sqrt(I22/I11) I13, sqrt(I11/I22) I23)/N,
    4 (x + i y)^2 = |A|^2 - |B|^2 - 2 i A.B with x >= 0,    q = pi |A|/2,    p = pi x.

The angle theta between the rotation vectors in space as t -> -oo and t -> +oo has

    sin^2(theta/2) = cosh^2(p) cos^2(pi y)/cosh^2(q) + sinh^2(p) sin^2(pi y)/sinh^2(q),
    cos^2(theta/2) = sinh(q - p) sinh(q + p) (sinh^2(q) + sin^2(pi y))/(sinh^2(q) cosh^2(q)).

It is a matter of the tensor alone: neither the energy, nor the start on an arc, nor which of the two arcs counts.

*Proof.* In tau = r kappa t + c (`nhviz.methods.ellipse`) the angular velocity is r kappa (A tanh(tau) + B sech(tau)),
on the other arc with -B. The energy is gone, and c only says where on the arc the time is 0. With s = sinh(tau) the
attitude, a unit quaternion Q, obeys dQ/ds = Q (A s + B)/(2 (1 + s^2)): a Fuchsian equation with three singular points,
i, -i and infinity. Near infinity Q = C (1 + O(1/s)) |s|^(A/2), with C = C_- on the negative and C_+ on the positive
side, and T = C_-^-1 C_+ is in SU(2). The rotation vectors are along -A first and A last, so that in a basis in which
A/|A| = diag(i, -i) and T = [[alpha, beta], [-beta*, alpha*]] the angle between them has sin^2(theta/2) = |alpha|^2.
Now go along the real line and back by a large half circle in the upper half plane. The way back multiplies by
exp(i pi A/2) = diag(e^-q, e^q). The loop surrounds i alone, where the residue (A - i B)/4 has the eigenvalues
-+ i (x + i y)/2, so that the trace of its monodromy is 2 cosh(pi (x + i y)):

    alpha e^-q + alpha* e^q = 2 cosh(p + i pi y),

whose real and imaginary parts give alpha = cosh(p) cos(pi y)/cosh(q) - i sinh(p) sin(pi y)/sinh(q). The second formula
is 1 - |alpha|^2. With -B in place of B only the sign of y changes.

**Corollaries.** For I23 = 0 it is A.B = 0, A^2 = I11^2/I13^2 and A^2 - B^2 = I11 (I11 - I22)/I13^2:

    sin^2(theta/2) = cos^2(pi sqrt(I11 (I22 - I11))/(2 |I13|))/cosh^2(pi I11/(2 |I13|)),

with cosh and the positive root for I22 < I11; for I13 = 0 the same with both axes exchanged. For I11 = I22 = I it is
sin(theta/2) = 1/cosh(pi I/(2 sqrt(I13^2 + I23^2))). The axes coincide only where alpha = 0: x = 0 and y = k + 1/2. For
I23 = 0 that is where I11 (I22 - I11) = (2 k + 1)^2 I13^2, for I13 = 0 likewise; with both products it is nowhere.
They are never opposite, as p < q. For small products the body turns many times on its way, and theta decays like
exp(p - q): the axis in space is an adiabatic invariant.
"""

import cmath
import math

from nhviz.system import Values

# e^-800 is below the smallest number.
VANISHED = 800.0


def limit_axes_angle(params: Values) -> float | None:
    """Angle in radians between the rotation vectors of the flow in space at both ends of time; None if all rest."""
    i11, i22, i13, i23 = (params[name] for name in ("I11", "I22", "I13", "I23"))
    largest = max(abs(i13), abs(i23))
    if largest == 0.0:
        return None
    # A, B, x and y are multiples of 1/unit: without it the squares of small products would underflow.
    first, second = i13 / largest, i23 / largest
    unit = largest * (first**2 / i11 + second**2 / i22)
    half, elongation = 0.5 * math.hypot(first, second), math.sqrt(i22 / i11)
    real = 0.25 * (i11 - i22) * (first**2 / i11 - second**2 / i22)
    imaginary = 0.5 * (i11 - i22) * first * second / math.sqrt(i11 * i22)
    root = cmath.sqrt(complex(real, imaginary))
    # |A|/2 - x without cancellation, from (|A|^2/4 - x^2)(|A|^2/4 + y^2) = |A x B|^2/16.
    cross = 0.25 * (elongation * first**2 + second**2 / elongation)
    gap = cross**2 / ((half**2 + root.imag**2) * (half + root.real))
    if math.pi * gap > VANISHED * unit:
        return 0.0
    p, q, phase, apart = (math.pi * value / unit for value in (root.real, half, root.imag, gap))
    # cosh z = (e^z/2)(1 + e^-2z) and sinh z = (e^z/2)(1 - e^-2z): no exponential grows.
    even, odd = (1.0 + math.exp(-2.0 * p)) / (1.0 + math.exp(-2.0 * q)), math.expm1(-2.0 * p) / math.expm1(-2.0 * q)
    sine = math.exp(-apart) * math.hypot(even * math.cos(phase), odd * math.sin(phase))
    wobble = math.hypot(1.0, 2.0 * math.exp(-q) * math.sin(phase) / math.expm1(-2.0 * q))
    share = math.sqrt(math.expm1(-2.0 * apart) * math.expm1(-2.0 * (q + p)))
    return 2.0 * math.atan2(sine, share * wobble / (1.0 + math.exp(-2.0 * q)))


def coinciding_product(along: float, across: float, order: int = 0) -> float | None:
    """The product of inertia of one axis, |I13| with I23 = 0, at which both limit axes coincide; None if none does.

    `along` is that axis' own moment (I11), `across` the other one (I22): sqrt(I11 (I22 - I11))/(2 order + 1).
    """
    return math.sqrt(along * (across - along)) / (2 * order + 1) if across > along else None
