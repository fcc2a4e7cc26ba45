"""The angle between the limit axes of the Suslov flow: closed form against the equations of motion themselves."""

import math
from math import pi

import mpmath
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from nhviz.analysis.limit_axes import coinciding_product, limit_axes_angle
from nhviz.frame.said import with_unit
from nhviz.labs import suslov
from tests.frames import opening, painted, panel

DEFAULTS = {"I11": 3.0, "I22": 4.0, "I33": 5.0, "I13": 1.0, "I23": 0.5}
TENSORS = [
    (3.0, 4.0, 1.0, 0.5),
    (3.0, 4.0, 2.0, -3.0),
    (1.0, 4.0, -2.0, 3.0),
    (4.0, 0.7, 0.9, 1.3),
    (2.0, 2.0, -1.1, 0.8),
    (1.5, 5.0, 1.2, 0.0),
    (5.0, 1.5, 1.2, 0.0),
    (5.0, 1.5, 0.0, -0.7),
]
EPS = np.finfo(float).eps
SETTINGS = settings(deadline=None, derandomize=True, database=None)


def tensor(i11, i22, i13, i23):
    """Parameters with any I33: the motion does not depend on it."""
    return {"I11": i11, "I22": i22, "I33": 1.0, "I13": i13, "I23": i23}


def end_axis(entries, momentum, sign):
    """The rotation vector's direction in space long after (sign 1) or before (-1) a start, from the equations.

    I11 u' = -v k, I22 v' = u k and Poisson's equation g' = g x omega for the three space axes seen from the body.
    """
    i11, i22, i13, i23 = entries

    def rates(_, y):
        u, v = y[:2]
        k = i13 * u + i23 * v
        turned = np.cross(y[2:].reshape(3, 3), [u, v, 0.0])
        return sign * np.concatenate([[-v * k / i11, u * k / i22], turned.ravel()])

    u, v = momentum[0] / i11, momentum[1] / i22
    radius = math.sqrt(i11 * u**2 + i22 * v**2)
    rate = radius * math.sqrt(i13**2 / i11 + i23**2 / i22) / math.sqrt(i11 * i22)
    # The body's axis comes to rest like e^-tau: 40 units of tau leave nothing but round-off.
    start = np.concatenate([[u, v], np.eye(3).ravel()])
    final = solve_ivp(rates, (0.0, 44.0 / rate), start, "DOP853", rtol=1e-12, atol=1e-13).y[:, -1]
    axis = final[2:].reshape(3, 3) @ [final[0], final[1], 0.0]
    return axis / np.linalg.norm(axis)


def angle_of_the_equations(entries, momentum):
    """Angle between the last and the first axis."""
    first, last = (end_axis(entries, momentum, sign) for sign in (-1.0, 1.0))
    return math.atan2(np.linalg.norm(np.cross(first, last)), first @ last)


@pytest.mark.parametrize("entries", TENSORS)
def test_closed_form_is_the_limit_of_the_equations(entries):
    """rtol 1e-12 over some hundred radians of turning: 1e-9 is safe, and any other formula is off by percents."""
    assert limit_axes_angle(tensor(*entries)) == pytest.approx(
        angle_of_the_equations(entries, (0.3, -1.1)), rel=0.0, abs=1e-9
    )


def test_it_is_a_matter_of_the_tensor_alone():
    """Other energies, other starts on an arc, and the other arc have the same angle."""
    entries = TENSORS[1]
    found = [angle_of_the_equations(entries, start) for start in ((1.0, 0.2), (40.0, 8.0), (-0.1, 2.0), (0.4, 0.8))]
    sides = [math.copysign(1.0, 2.0 * m1 / 3.0 - 3.0 * m2 / 4.0) for m1, m2 in ((1.0, 0.2), (-0.1, 2.0))]
    assert sides == [1.0, -1.0]
    np.testing.assert_allclose(found, limit_axes_angle(tensor(*entries)), rtol=0.0, atol=1e-9)


def test_the_defaults():
    """The number of the issue, which first and last sample of a run miss: 4.36 degrees, and 16 at half the duration."""
    assert math.degrees(limit_axes_angle(DEFAULTS)) == pytest.approx(3.6270, abs=5e-5)


def by_many_digits(entries):
    """The theorem's formula, literally, with enough digits for its cancellations."""
    with mpmath.workdps(60 + int(2.0 * math.pi * sum(entries[:2]) / max(map(abs, entries[2:])))):
        i11, i22, i13, i23 = map(mpmath.mpf, entries)
        scale = i13**2 / i11 + i23**2 / i22
        a = (-i23 / scale, i13 / scale)
        b = (mpmath.sqrt(i22 / i11) * i13 / scale, mpmath.sqrt(i11 / i22) * i23 / scale)
        size, dot = mpmath.hypot(*a), a[0] * b[0] + a[1] * b[1]
        loop = mpmath.cosh(mpmath.pi * mpmath.sqrt(mpmath.mpc(size**2 - b[0] ** 2 - b[1] ** 2, -2 * dot)) / 2)
        q = mpmath.pi * size / 2
        return float(2 * mpmath.asin(mpmath.hypot(loop.real / mpmath.cosh(q), loop.imag / mpmath.sinh(q))))


moments = st.floats(0.01, 100.0)
products = st.floats(-100.0, 100.0)


@SETTINGS
@given(moments, moments, products, products)
def test_no_digits_are_lost(i11, i22, i13, i23):
    """Over the declared ranges; the phase pi y and the exponent q - p are known to round-off times their size."""
    entries = (i11, i22, i13, i23)
    # Beyond, the literal formula needs thousands of digits and both are 0.
    assume(max(abs(i13), abs(i23)) > 1e-3 * max(i11, i22))
    found, wanted = limit_axes_angle(tensor(*entries)), by_many_digits(entries)
    scale = i13**2 / i11 + i23**2 / i22
    size = math.sqrt((1.0 + i22 / i11) * i13**2 + (1.0 + i11 / i22) * i23**2) / scale
    assert 0.0 <= found < pi
    assert found == pytest.approx(wanted, rel=30.0 * EPS * (1.0 + size), abs=30.0 * EPS * size * decay(entries))


def decay(entries):
    """e^(p - q), of which the angle is a share: near a zero of the cosine only this scale is kept."""
    i11, i22, i13, i23 = entries
    scale = i13**2 / i11 + i23**2 / i22
    size = math.hypot(i13, i23) / scale
    square = complex((i11 - i22) * (i13**2 / i11 - i23**2 / i22), 2.0 * (i11 - i22) * i13 * i23 / math.sqrt(i11 * i22))
    return math.exp(min(0.0, pi * ((square**0.5).real / (2.0 * scale) - 0.5 * size)))


@SETTINGS
@given(moments, moments, st.floats(0.5, 100.0))
def test_one_product_of_inertia(i11, i22, i13):
    """sin^2(theta/2) = cos^2(pi sqrt(I11 (I22 - I11))/(2 |I13|))/cosh^2(pi I11/(2 |I13|)), and the other axis alike."""
    with mpmath.workdps(200):
        argument = mpmath.pi * mpmath.sqrt(mpmath.mpc(mpmath.mpf(i11) * (mpmath.mpf(i22) - i11))) / (2 * i13)
        sine = abs(mpmath.cos(argument)) / mpmath.cosh(mpmath.pi * i11 / (2 * mpmath.mpf(i13)))
        wanted = float(2 * mpmath.asin(sine))
    entries = (i11, i22, i13, 0.0)
    rounding = 30.0 * EPS * (1.0 + (i11 + i22) / i13)
    expected = pytest.approx(wanted, rel=rounding, abs=rounding * decay(entries))
    assert limit_axes_angle(tensor(*entries)) == expected
    assert limit_axes_angle(tensor(i22, i11, 0.0, -i13)) == expected


def test_equal_moments():
    """I11 = I22 = I: sin(theta/2) = 1/cosh(pi I/(2 sqrt(I13^2 + I23^2)))."""
    wanted = 2.0 * math.asin(1.0 / math.cosh(pi * 2.0 / (2.0 * math.hypot(1.1, 0.8))))
    assert limit_axes_angle(tensor(2.0, 2.0, -1.1, 0.8)) == pytest.approx(wanted, rel=30.0 * EPS)


@pytest.mark.parametrize("order", [0, 1, 2])
def test_where_the_axes_coincide(order):
    """I11 (I22 - I11) = (2 k + 1)^2 I13^2, with either axis; a second product of inertia parts them again."""
    product = coinciding_product(1.5, 5.0, order)
    assert (2 * order + 1) ** 2 * product**2 == pytest.approx(1.5 * (5.0 - 1.5))
    rounding = 30.0 * EPS * 6.5 / product
    assert limit_axes_angle(tensor(1.5, 5.0, product, 0.0)) < rounding
    assert limit_axes_angle(tensor(5.0, 1.5, 0.0, -product)) < rounding
    assert limit_axes_angle(tensor(1.5, 5.0, product, 0.1 * product)) > 1e-6
    assert angle_of_the_equations((1.5, 5.0, product, 0.0), (0.3, -1.1)) < 1e-9


def test_no_product_makes_the_axes_of_a_flat_direction_coincide():
    assert coinciding_product(5.0, 1.5) is None
    assert coinciding_product(2.0, 2.0) is None


def test_bodies_without_limit_axes_and_with_nearly_none():
    assert limit_axes_angle(tensor(3.0, 4.0, 0.0, 0.0)) is None
    # Beyond 1e-300 radians the angle is 0, and nothing overflows on the way.
    for small in (1e-3, 1e-100, 1e-200, 5e-324):
        assert limit_axes_angle(tensor(3.0, 4.0, small, 0.5 * small)) == 0.0
    angles = [limit_axes_angle(tensor(3.0, 4.0, small, 0.5 * small)) for small in (0.04, 0.02)]
    # theta ~ e^(p - q), and p - q is inversely proportional to the products.
    assert math.log(angles[1]) == pytest.approx(2.0 * math.log(angles[0]), rel=0.05)


@pytest.mark.parametrize("duration", [0.5, 1.0, 5.0])
@pytest.mark.parametrize("method", ["exact", "moser_veselov"])
def test_readout_shows_the_limit_whatever_the_duration(duration, method):
    for products, words in ({}, "3.627° apart"), ({"I13": 0.0, "I23": 0.0}, "every rotation stays"):
        state = opening("suslov", variants=[method], duration=duration, **products)
        assert {one.label: one.text for one in suslov.readout(panel(state))}["Limit axes"] == words
        told = {
            one["label"]: with_unit(one["value"], one["unit"]) for one in painted(state, places=[]).said["statistics"]
        }
        assert told["Limit axes"] == words
