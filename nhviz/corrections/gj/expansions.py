"""Misprints of GJ in closed forms: expansions, the Legendre transformation, resultants and the quartic of the locus."""

from collections.abc import Mapping

import numpy as np
from scipy.spatial.transform import Rotation

from nhviz.system import Array, Values
from nhviz.views.leftovers import Leftover

BODY = {"I11": 3.0, "I22": 4.0, "I33": 5.0, "I13": 1.0, "I23": 0.5}
ANGLES = np.linspace(0.0, 2.0 * np.pi, 73)
PLACE = "angle of (M₁, M₂) (rad)"
Powers = Mapping[tuple[int, int, int], float]


def entries(body: Values) -> tuple[float, float, float, float]:
    """I11, I22, I13, I23."""
    return body["I11"], body["I22"], body["I13"], body["I23"]


def momenta() -> tuple[Array, Array]:
    """(M1, M2) all around."""
    return 3.0 * np.cos(ANGLES), 3.0 * np.sin(ANGLES)


def both(first: tuple[Array, Array], second: tuple[Array, Array]) -> Array:
    """The distance of two pairs of arrays."""
    return np.hypot(first[0] - second[0], first[1] - second[1])


# --- (18) -----------------------------------------------------------------------------------------------------------


def third_derivative(body: Values, m1: Array, m2: Array) -> tuple[Array, Array]:
    """M'''/6 of the flow GJ (14), which is B(M, M) with a bilinear B: M''' = 2 B(M', M') + 2 B(M, M'')."""
    i11, i22, i13, i23 = entries(body)

    def pair(a: tuple[Array, Array], b: tuple[Array, Array]) -> tuple[Array, Array]:
        """B symmetrised."""
        first, second = (i13 * c[0] / i11 + i23 * c[1] / i22 for c in (a, b))
        return -0.5 * (a[1] * second + b[1] * first) / i22, 0.5 * (a[0] * second + b[0] * first) / i11

    here = m1, m2
    rate = pair(here, here)
    second = pair(here, rate)
    third, fourth = pair(rate, rate), pair(here, (2.0 * second[0], 2.0 * second[1]))
    return (third[0] + fourth[0]) / 3.0, (third[1] + fourth[1]) / 3.0


def taylor(body: Values, m1: Array, m2: Array, printed: bool) -> tuple[Array, Array]:
    """mu_3 and nu_3 of GJ (18): 12 as printed or 6 in their denominators, I22 or its square in one term of nu_3."""
    i11, i22, i13, i23 = entries(body)
    over, power = (12.0, 1) if printed else (6.0, 2)
    front = (i13 * i22 * m1 + i11 * i23 * m2) / (over * i11**4 * i22**4)
    first = (
        -9 * i11 * i13 * i22 * i23 * m1 * m2**2 - 2 * i11**2 * i23**2 * m2**3 + 3 * i13 * i22**2 * i23 * m1**3
        + i22 * (4 * i11 * i23**2 - 5 * i13**2 * i22) * m1**2 * m2 + i11 * i13**2 * i22 * m2**3
    )  # fmt: skip
    second = (
        -9 * i11 * i13 * i22 * i23 * m1**2 * m2 - 2 * i22**power * i13**2 * m1**3 + 3 * i13 * i11**2 * i23 * m2**3
        + i11 * (4 * i22 * i13**2 - 5 * i23**2 * i11) * m1 * m2**2 + i22 * i23**2 * i11 * m1**3
    )  # fmt: skip
    return -front * first / i22, front * second / i11


def flow_expansion(body: Values = BODY) -> Leftover:
    """GJ (18) against the third derivative of the flow."""
    here = momenta()
    truth = third_derivative(body, *here)
    printed, corrected = (both(taylor(body, *here, printed), truth) for printed in (True, False))
    return Leftover("The difference of the third order", PLACE, ANGLES, printed, corrected)


# --- (40) -----------------------------------------------------------------------------------------------------------


def mass_tensor(body: Values) -> Array:
    """JJ of GJ section 3.3."""
    i11, i22, i13, i23 = entries(body)
    i33 = body["I33"]
    return np.array(
        [
            [0.5 * (i22 + i33 - i11), 0.0, -i13],
            [0.0, 0.5 * (i11 + i33 - i22), -i23],
            [-i13, -i23, 0.5 * (i11 + i22 - i33)],
        ]
    )


def legendre(body: Values, turn: Array, printed: bool) -> Array:
    """GJ (40) times eps as a vector; as printed the terms between two signs are one product."""
    j, g = mass_tensor(body), np.linalg.inv(2.0 * np.eye(3) + turn + turn.T)
    h, back = 2.0 * np.eye(3) - turn - turn.T, turn.T
    last = -g @ j @ h @ g @ back
    torn = last @ j @ g @ back if printed else last - j @ g @ back
    whole = turn @ g @ j - g @ j @ back + turn @ g @ j @ h @ g + torn
    whole = 2.0 * (whole + turn @ j @ g - g @ h @ j @ g @ back + turn @ g @ h @ j @ g)
    return np.array([whole[2, 1], whole[0, 2], whole[1, 0]])


def cayley_momenta(body: Values, u: float, v: float) -> Array:
    """GJ (41) with eps = 1, which is right as printed."""
    i11, i22, i13, i23 = entries(body)
    k, s = i13 * u + i23 * v, i11 * u**2 + i22 * v**2
    return np.array(
        [i11 * u + 0.5 * v * k + 0.25 * u * s, i22 * v - 0.5 * u * k + 0.25 * v * s, k + 0.5 * u * v * (i22 - i11)]
    )


def transformation(body: Values = BODY) -> Leftover:
    """GJ (40) at rotations about (0.6, 0.8, 0) against (41)."""
    turns = np.linspace(0.1, 2.0, 39)
    found = []
    for turn in turns:
        speed = 2.0 * np.tan(0.5 * turn)
        matrix = Rotation.from_rotvec([0.6 * turn, 0.8 * turn, 0.0]).as_matrix()
        truth = cayley_momenta(body, 0.6 * speed, 0.8 * speed)
        found.append([np.linalg.norm(legendre(body, matrix, printed) - truth) for printed in (True, False)])
    printed, corrected = np.array(found).T
    return Leftover("The difference of the momentum", "rotation of one step (rad)", turns, printed, corrected)


# --- Section 6.2 ----------------------------------------------------------------------------------------------------


def resultant(body: Values, v: Array) -> Array:
    """The resultant by u of the two cubics of GJ (42), with eps = 1 and both scalars 0, as a determinant."""
    i11, i22, i13, i23 = entries(body)
    one = np.ones_like(v)
    first = [0.25 * i11 * one, 0 * v, i11 + 0.5 * i13 * v + 0.25 * i22 * v**2, 0.5 * i23 * v**2]
    second = [-0.5 * i13 + 0.25 * i11 * v, -0.5 * i23 * v, i22 * v + 0.25 * i22 * v**3]
    matrix = np.zeros((len(v), 5, 5))
    for row in range(2):
        matrix[:, row, row : row + 4] = np.stack(first, axis=1)
    for row in range(3):
        matrix[:, 2 + row, row : row + 3] = np.stack(second, axis=1)
    return np.asarray(np.linalg.det(matrix))


def leading(body: Values, degree: int) -> tuple[float, float]:
    """The two highest coefficients of the resultant, which has this degree, from its values on a circle-like grid."""
    nodes = 2.0 * np.cos(np.pi * (np.arange(degree + 1) + 0.5) / (degree + 1))
    found = np.polynomial.polynomial.polyfit(nodes, resultant(body, nodes), degree)
    return float(found[-1]), float(found[-2])


def coefficients(body: Values = BODY) -> Leftover:
    """a_7, a_6 and, for equal moments, a_5 of GJ section 6.2 over their true values, less 1, for some I13."""
    products = np.linspace(0.2, 1.4, 25)
    found = []
    for product in products:
        other = dict(body) | {"I13": float(product)}
        i11, i22, i13, i23 = entries(other)
        seventh, sixth = leading(other, 7)
        fifth = leading(other | {"I22": i11}, 5)[0]
        rest = (i11 - i22) * (i11**2 * i22 - i11 * i22**2 - i11 * i23**2 - i13**2 * i22) / 64.0
        square = (i11 - i22) ** 2 / 256.0
        printed = square * (i11 + i22) * i23**2, rest, i11 * (i13**2 + i23**2) / 64.0
        corrected = square * (i11 * i23**2 + i22 * i13**2), i13 * rest, i11 * (i13**2 + i23**2) ** 2 / 64.0
        truth = np.array([seventh, sixth, fifth])
        found.append([float(np.abs(np.array(one) / truth - 1.0).max()) for one in (printed, corrected)])
    sizes = np.array(found).T
    return Leftover("The relative difference of the coefficients", "I₁₃ (kg m²)", products, sizes[0], sizes[1])


# --- (44) and (46) --------------------------------------------------------------------------------------------------


def inverse(body: Values, m1: Array, m2: Array) -> tuple[Array, Array, Array, Array]:
    """F1, G1, F2, G2 of the inverse of GJ (41), by putting its expansion into (41)."""
    i11, i22, i13, i23 = entries(body)
    u, v = m1 / i11, m2 / i22
    k, s = i13 * u + i23 * v, i11 * u**2 + i22 * v**2
    f1, g1 = -0.5 * v * k / i11, 0.5 * u * k / i22
    change = i13 * f1 + i23 * g1
    f2 = -(0.5 * (g1 * k + v * change) + 0.25 * u * s) / i11
    return f1, g1, f2, (0.5 * (f1 * k + u * change) - 0.25 * v * s) / i22


def printed_inverse(body: Values, m1: Array, m2: Array) -> tuple[Array, Array]:
    """F2 and G2 as printed in GJ (44)."""
    i11, i22, i13, i23 = entries(body)
    front = -(i13 * i22 * m1 + i11 * i23 * m2) / (2 * i11**3 * i22**3)
    return (
        front * (i13 * i22 * m1**2 + 2 * i11 * i23 * m1 * m2 - i11 * i13 * m2**2),
        front * (i23 * i11 * m2**2 + 2 * i22 * i13 * m1 * m2 - i22 * i23 * m2**2),
    )


def corrected_inverse(body: Values, m1: Array, m2: Array) -> tuple[Array, Array]:
    """F2 and G2 in closed form."""
    i11, i22, i13, i23 = entries(body)
    mixed = 3 * i11 * i13 * i22 * i23 * m1 * m2
    first = i22**2 * (i11 * i22 + i13**2) * m1**3 + mixed * m1 - i11**2 * i13 * i23 * m2**3
    first = first + i11 * (i11 * i22**2 + 2 * i11 * i23**2 - i13**2 * i22) * m1 * m2**2
    second = i11**2 * (i11 * i22 + i23**2) * m2**3 + mixed * m2 - i22**2 * i13 * i23 * m1**3
    second = second + i22 * (i22 * i11**2 + 2 * i22 * i13**2 - i23**2 * i11) * m1**2 * m2
    return -first / (4 * i11**4 * i22**3), -second / (4 * i11**3 * i22**4)


def inversion(body: Values = BODY) -> Leftover:
    """GJ (44) against the inverse."""
    here = momenta()
    truth = inverse(body, *here)[2:]
    printed, corrected = (both(form(body, *here), truth) for form in (printed_inverse, corrected_inverse))
    return Leftover("The difference of the second order", PLACE, ANGLES, printed, corrected)


def third_order(body: Values, m1: Array, m2: Array) -> Array:
    """mu_3 of the consistent map: the step adds -eps v k to M1, so it is the second order of -v k."""
    i11, i22, i13, i23 = entries(body)
    f1, g1, f2, g2 = inverse(body, m1, m2)
    u, v = m1 / i11, m2 / i22
    return -(g2 * (i13 * u + i23 * v) + g1 * (i13 * f1 + i23 * g1) + v * (i13 * f2 + i23 * g2))


def momentum_expansion(body: Values = BODY) -> Leftover:
    """mu_3 of GJ (46), as printed and corrected, against that of the map."""
    i11, i22, i13, i23 = entries(body)
    m1, m2 = momenta()
    truth = third_order(body, m1, m2)
    shared = 2 * i13**2 * i22**3 * i23 * m1**4 - i11 * i23 * (2 * i11**3 * i22 + 2 * i11**2 * i23**2) * m2**4
    shared = shared + i11**2 * i23 * i13**2 * i22 * m2**4
    shared = shared + i11 * i22 * i23 * (3 * i11 * i23**2 - 2 * i11**2 * i22 - 12 * i13**2 * i22) * m1**2 * m2**2
    thirds = (
        i11 * (i11 * i13 * i22**2 + i13 * i22**3 - 5 * i13 * i22 * i23**2 + 4 * i11**2 * i22**2),
        i13 * (i11**2 * i22**2 + i11 * i22**3 - 5 * i11 * i22 * i23**2 + 4 * i13**2 * i22**2),
    )
    firsts = (
        i13**2 * i22 - i11 * i22**2 - i11 * i22**2,
        i13**2 * i22 - i11**2 * i22 - i11 * i22**2 - 10 * i11 * i23**2,
    )
    printed, corrected = (
        truth + (shared - i22 * a * m1**3 * m2 + i11 * i13 * i22 * b * m1 * m2**3) / (4 * i11**4 * i22**5)
        for a, b in zip(thirds, firsts, strict=True)
    )
    return Leftover("The difference of the third order", PLACE, ANGLES, printed, corrected)


# --- Proposition 9.1 ------------------------------------------------------------------------------------------------


def quartic(body: Values, printed: bool) -> Powers:
    """The coefficients of p4 of GJ Proposition 9.1 with eps = 1, by powers of (M1, M2, M3)."""
    i11, i22, i13, i23 = entries(body)
    gap, both_squares = i11 - i22, i13**2 + i23**2
    y2, x4, xz2 = (1.0, 0.5, 1.0) if printed else (2.0, 0.5 * i13 / i23, 1.0 / i13)
    start = 0.0 if printed else i11**2 * i22 - i11 * i22**2
    return {
        (1, 0, 0): -4 * gap * i13 * i22, (0, 1, 0): -4 * gap * i11 * i23, (0, 0, 1): 4 * gap * i11 * i22,
        (0, 0, 2): -2 * i11 * i22 / (i23 * i13) * both_squares, (2, 0, 0): 2 * i22 * i13 / i23 * gap,
        (1, 1, 0): 4 * gap**2,
        (0, 1, 1): 2 / i13 * (i11**2 * i22 + 2 * i11 * i13**2 - i11 * i22**2 + i11 * i23**2 - i13**2 * i22),
        (0, 2, 0): -y2 * i11 * i23 / i13 * gap,
        (1, 0, 1): -2 / i23 * (i11**2 * i22 - i11 * i22**2 + i11 * i23**2 - i13**2 * i22 - 2 * i22 * i23**2),
        (3, 0, 0): i13, (0, 3, 0): -i23, (0, 2, 1): 4 * i11 - i22,
        (0, 1, 2): -(i11**2 + i11 * i22 + both_squares) / i23,
        (2, 1, 0): -(i11**2 - 3 * i11 * i22 + i13**2 + 2 * i22**2 - 2 * i23**2) / i23, (2, 0, 1): i11 - 4 * i22,
        (1, 0, 2): xz2 * (i11 * i22 + i13**2 + i22**2 + i23**2), (0, 0, 3): gap,
        (1, 1, 1): -(start + 3 * i11 * i23**2 - 3 * i13**2 * i22) / (i13 * i23),
        (1, 2, 0): (2 * i11**2 - 3 * i11 * i22 - 2 * i13**2 + i22**2 + i23**2) / i13,
        (1, 2, 1): i22 / i23, (1, 1, 2): -1.0, (0, 0, 4): -both_squares / (2 * i23 * i13), (3, 1, 0): -1.0,
        (1, 3, 0): -1.0, (4, 0, 0): -x4, (0, 1, 3): i11 / i13, (0, 3, 1): i11 / i13, (2, 1, 1): i11 / i13,
        (1, 0, 3): i22 / i23, (3, 0, 1): i22 / i23, (0, 4, 0): -i23 / (2 * i13),
        (0, 2, 2): -(i11**2 + i13**2 + 2 * i23**2) / (2 * i13 * i23),
        (2, 0, 2): -(2 * i13**2 + i22**2 + i23**2) / (2 * i13 * i23),
        (2, 2, 0): -(i11**2 - 2 * i11 * i22 + i13**2 + i22**2 + i23**2) / (2 * i13 * i23),
    }  # fmt: skip


def locus(body: Values, size: float = 1.1) -> tuple[Array, Array, Array]:
    """Points of the locus GJ (28) with eps = 1, at displacements of one size all around."""
    i11, i22, i13, i23 = entries(body)
    u, v = size * np.cos(ANGLES), size * np.sin(ANGLES)
    k, over = i13 * u + i23 * v, 2.0 / (4.0 + size**2)
    return over * (2 * i11 * u + v * k), over * (2 * i22 * v - u * k), over * (2 * k + (i22 - i11) * u * v)


def surface(body: Values = BODY) -> Leftover:
    """p4 on the locus, over the size of its terms there."""
    x, y, z = locus(body)
    found = []
    for printed in (True, False):
        terms = [c * x**i * y**j * z**k for (i, j, k), c in quartic(body, printed).items()]
        found.append(sum(terms) / np.abs(terms).sum(axis=0).max())
    return Leftover("The rest of the quartic on its surface, over its terms,", "angle of (u, v) (rad)", ANGLES, *found)
