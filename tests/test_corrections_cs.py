"""The misprints of CS: the printed form fails, the corrected one holds to round-off."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from nhviz.corrections.cs import elliptic, rolling, rotations
from nhviz.figures.style import THEMES
from tests.corrections import settled
from tests.pictures.reading import ROUNDED, numbers

OTHER = {"J1": 0.3, "J2": 0.8, "J3": 1.1, "m": 1.7, "rho": 1.3}
balls = pytest.mark.parametrize("ball", [rolling.BALL, OTHER], ids=["default", "other"])
levels = pytest.mark.parametrize("level", [0.322, 0.326, 0.33])


@balls
def test_velocity(ball):
    settled(rolling.velocity(ball), 0.5, 1e-14)


@balls
def test_energy(ball):
    """The printed energy changes along the flow; the corrected one is <K, omega> and kept to the flow's accuracy."""
    settled(rolling.energy(ball), 0.05, 1e-10)
    motion = rolling.rolling(ball)
    _, printed, corrected = rolling.energies(ball)
    power = sum(motion[f"K{i}"] * motion[f"omega{i}"] for i in (1, 2, 3))
    np.testing.assert_allclose(corrected, power, rtol=1e-13)
    assert np.abs(printed / power - 1.0).min() > 0.01


def test_pictures_of_energy_and_count():
    """The curves are the two energies, and the counts with the paper's band."""
    curves, _ = rolling.energy_pictures(THEMES["light"])
    t, *energies = rolling.energies()
    for trace, values in zip(curves.figure["data"], energies, strict=True):
        np.testing.assert_allclose(numbers(trace["x"]), t, rtol=ROUNDED)
        np.testing.assert_allclose(numbers(trace["y"]), values, rtol=ROUNDED)
    (picture,) = rotations.count_pictures(THEMES["light"])
    band, counts = (numbers(trace["y"]) for trace in picture.figure["data"])
    assert set(band[np.isfinite(band)]) == {2.0, 4.0}
    np.testing.assert_array_equal(counts, rotations.counts()[1])


def test_contact():
    settled(rolling.contact(OTHER), 1.0, 1e-15)


@pytest.mark.parametrize("n", [3, 4, 5])
def test_reaction(n):
    settled(rolling.reaction(n), 1.0, 1e-12)


def test_isomorphism():
    settled(rolling.isomorphism(np.array([0.3, -1.2, 0.8])), 1.0, 1e-14)


def test_naive():
    settled(rolling.naive(), 1.0, 1e-15)


def test_force():
    settled(rolling.force(OTHER), 0.5, 1e-14)


def test_slips():
    settled(rolling.slips(OTHER), 0.1, 1e-14)


def test_orthogonality():
    settled(rotations.orthogonality(), 0.5, 1e-14)
    q0, q = rotations.parameters(rotations.FULL)
    found = rotations.matrices(q0, q, 2.0 * (q[1] * q[2] + q0 * q[0]))
    expected = Rotation.from_rotvec(rotations.FULL[:, None] * rotations.AXIS).as_matrix()
    np.testing.assert_allclose(found, expected, atol=1e-15)


def test_count():
    """None, four, six and eight: no bound of the paper holds. Each is a solution, and they are distinct."""
    assert rotations.counted() == (0, 6, 8, 4)
    for ball, k, gamma in (rotations.SIX, rotations.EIGHT):
        at = {f"K{i + 1}": k[i] for i in range(3)} | {f"gamma{i + 1}": gamma[i] for i in range(3)}
        found = rotations.sphere_branches.fedorov(ball, 1.0, at)
        inertia = np.array([ball["J2"] + ball["J3"], ball["J1"] + ball["J3"], ball["J1"] + ball["J2"]])
        d, up = ball["m"] * ball["rho"] ** 2, np.array(gamma)
        points = []
        for one in found:
            q0, q = one["q0"], np.array([one["q1"], one["q2"], one["q3"]])
            assert q0**2 + q @ q == pytest.approx(1.0, abs=1e-14)
            momentum = 2.0 * (q0 * inertia * q + np.cross(q, inertia * q) + d * q0 * (q - (up @ q) * up))
            np.testing.assert_allclose(momentum, k, atol=1e-13 * (inertia.sum() + d))
            points.append(np.array([q0, *q]) * np.sign(q0))
        gaps = [np.linalg.norm(a - b) for i, a in enumerate(points) for b in points[:i]]
        assert min(gaps) > 1e-6
    # The vertical part of a momentum, 2 <q0 I q + q x I q, gamma>, is at most (1 + sqrt 2) max I.
    powers, counts = rotations.counts()
    ball, k, gamma = rotations.EIGHT
    largest = max(ball["J1"] + ball["J2"], ball["J2"] + ball["J3"], ball["J1"] + ball["J3"])
    beyond = 10.0**powers * abs(np.dot(k, gamma)) > (1.0 + np.sqrt(2.0)) * largest
    assert beyond.any()
    assert np.all(counts[beyond] == 0)
    assert set(counts) == {0.0, 2.0, 4.0, 6.0, 8.0}


@balls
def test_factor(ball):
    settled(rotations.factor(ball), 0.2, 1e-13)


@balls
def test_carried(ball):
    settled(rotations.carried(ball), 1.9, 1e-13)


@balls
def test_implicit(ball):
    settled(rotations.implicit(ball), 1e-2, 1e-13)


@balls
def test_scale(ball):
    settled(rotations.scale(ball), 0.2, 1e-13)


@levels
def test_parametrisation(level):
    settled(elliptic.parametrisation(level), 0.5, 1e-13)


@levels
def test_square_root(level):
    settled(elliptic.square_root(level), 0.1, 1e-12)


@levels
def test_form(level):
    """Pi2 with G; and alpha, which as printed does not even agree with G where delta is small."""
    settled(elliptic.form(level), 1e-3, 1e-14)
    one = elliptic.constants(level=level)
    half = elliptic.jacobi(np.array([0.3, 0.6]), one.modulus)
    truth = elliptic.shape(one, half, one.modulus) / one.speed**2
    for factor, agrees in ((level, True), (1.0, False)):
        found = 1.0 + elliptic.alpha(one, factor) * half[0] ** 2 - one.beta * half[0] ** 4
        assert (np.abs(found - truth).max() < 1e-12) == agrees


@levels
def test_product(level):
    settled(elliptic.product(level), 1.0, 1e-13)


@levels
def test_weierstrass(level):
    """The slope of 1/sn^2 by differences, too."""
    settled(elliptic.weierstrass(level), 0.1, 1e-14)
    modulus = elliptic.constants(level=level).modulus
    u = np.array([0.4, 0.9])
    ahead, behind = (1.0 / elliptic.jacobi(u + s * 1e-5, modulus)[0] ** 2 for s in (1, -1))
    sn, cn, dn = elliptic.jacobi(u, modulus)
    np.testing.assert_allclose((ahead - behind) / 2e-5, -2.0 * cn * dn / sn**3, rtol=1e-7)
