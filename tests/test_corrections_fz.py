"""The misprints of FZ: the printed form fails, the corrected one holds to round-off."""

import numpy as np
import pytest

from nhviz.corrections.fz import sleigh, top
from nhviz.figures.style import THEMES
from tests.corrections import settled
from tests.pictures.reading import ROUNDED, numbers

OTHER = np.array([[1.1, -0.2, 0.5], [-0.2, 2.3, 0.35], [0.5, 0.35, 1.6]])
tensors = pytest.mark.parametrize("tensor", [top.TENSOR, OTHER], ids=["first", "other"])
motions = pytest.mark.parametrize(("omega", "v2"), [(0.7, 0.3), (-1.2, 0.8)])


@motions
def test_about(omega, v2):
    settled(sleigh.about(omega, v2), 0.1, 1e-13)


@motions
def test_cross_terms(omega, v2):
    settled(sleigh.cross_term(omega, v2), 0.5, 1e-13)
    settled(sleigh.spin_momentum(omega, v2), 0.5, 1e-13)


def test_cusp():
    """The speed vanishes on the corrected line and not on the printed one; both are drawn."""
    settled(sleigh.cusp(), 0.5, 1e-13)
    m, a, b, centre, contact = sleigh.inertias()
    total = centre + m * a * a
    (picture,) = sleigh.cusp_pictures(THEMES["light"])
    for trace in picture.figure["data"]:
        p_theta, p_1 = numbers(trace["x"]), numbers(trace["y"])
        omega = (p_theta + b * p_1) / total
        speed = p_1 / m + b * omega
        if trace["name"] == "corrected":
            assert np.abs(speed).max() < 20 * ROUNDED
        elif trace["name"] == "printed":
            assert np.abs(speed).max() > 0.1
            # On the constraint p_2 = m a omega.
            assert np.abs(m * b * p_1 + contact * m * a * omega).max() < 20 * ROUNDED


@tensors
def test_factor(tensor):
    settled(top.factor(tensor), 0.5, 1e-14)


@tensors
def test_quarter(tensor):
    settled(top.quarter(tensor), 1.0, 1e-13)


def landscape(psi, alpha):
    """H of FZ (6.17) at the rotation by 2 alpha about (cos psi, sin psi, 0), of the body of the picture."""
    i11, i22, i13, i23 = (top.BODY[name] for name in ("I11", "I22", "I13", "I23"))
    q0, q1, q2 = np.cos(alpha), np.sin(alpha) * np.cos(psi), np.sin(alpha) * np.sin(psi)
    return 4.0 * (i11 * q1**2 + i22 * q2**2) * (i11 * i22 * q0**2 + (i13 * q1 + i23 * q2) ** 2)


def test_saddles():
    """Three saddles, by the Hessian of H in two angles, not the two of the paper; 2 minima - 3 + 2 centres = 1."""
    found, centres = top.saddles()
    assert len(found) == 3
    assert len(centres) == 2
    assert sum(one.on_rim for one in found) == 1
    h = 1e-4
    for one in (*found, *centres):
        psi, alpha = np.arctan2(one.q2, one.q1), np.arcsin(min(np.hypot(one.q1, one.q2), 1.0))
        assert landscape(psi, alpha) == pytest.approx(one.level, rel=1e-12)
        for a, b in ((h, 0.0), (0.0, h)):
            slope = landscape(psi + a, alpha + b) - landscape(psi - a, alpha - b)
            assert abs(slope) < 1e-7 * one.level
        here = landscape(psi, alpha)
        xx = landscape(psi + h, alpha) + landscape(psi - h, alpha) - 2 * here
        yy = landscape(psi, alpha + h) + landscape(psi, alpha - h) - 2 * here
        xy = landscape(psi + h, alpha + h) - landscape(psi + h, alpha - h)
        xy = (xy - landscape(psi - h, alpha + h) + landscape(psi - h, alpha - h)) / 4
        assert (xx * yy < xy**2) == one.saddle
    # The two minima: the identity, and the half turn about the axis of rest, where H is 0.
    rest = np.arctan2(-top.BODY["I13"], top.BODY["I23"])
    assert landscape(0.3, 0.0) == 0.0
    assert landscape(rest, np.pi / 2) == pytest.approx(0.0, abs=1e-28)
    (picture,) = top.saddle_pictures(THEMES["light"])
    places = {trace["name"]: (numbers(trace["x"]), numbers(trace["y"])) for trace in picture.figure["data"]}
    # The saddle of the rim is drawn at both its ends.
    assert [len(places[name][0]) for name in ("printed", "corrected")] == [2, 4]
    q1, q2 = places["corrected"]
    levels = landscape(np.arctan2(q2, q1), np.arcsin(np.minimum(np.hypot(q1, q2), 1.0)))
    assert sorted({round(float(level), 3) for level in levels}) == sorted({round(one.level, 3) for one in found})


@tensors
def test_theorem_6_3(tensor):
    """A run rests in Theta_+; the increments of the proof are twice the printed ones; (6.19), (6.20) are right."""
    assert top.rest_side() > 0.99
    settled(top.increments(tensor), 0.05, 1e-14)
    q1, q2, q0 = q = top.displacements()
    (j11, j12, j13), (_, j22, j23), (_, _, j33) = tensor
    l, determinant = j13 * q1 + j23 * q2, (j11 + j33) * (j22 + j33) - j12**2
    big = (j12 * j13 + j22 * j23 + j23 * j33) * q1 - (j11 * j13 + j12 * j23 + j13 * j33) * q2
    before = top.coordinates(tensor, top.matrix_momenta(tensor, q))
    after = top.coordinates(tensor, top.momenta(tensor, q, after=True))
    np.testing.assert_allclose(before[0], l * (big + determinant * q0), atol=1e-14)
    np.testing.assert_allclose(before[1], big * q0 - l**2, atol=1e-14)
    np.testing.assert_allclose(after[1] - before[1], 2.0 * l**2, atol=1e-14)
    assert np.abs(after[1] - before[1] - l**2).max() > 0.01


@pytest.mark.parametrize("arm", [0.0, 0.3, -0.8])
def test_cubic(arm):
    """Three displacements for every b; the fourth root of the quartic is none."""
    printed, corrected = sleigh.turns(arm)
    assert len(printed) == 4
    assert sleigh.rest(corrected, arm).max() < 1e-13
    assert (sleigh.rest(printed, arm) > 0.1).sum() == 1
    assert printed[np.argmax(sleigh.rest(printed, arm))] == 0.0


def counted(body, level, count=720):
    """The largest number of real displacements on an ellipse, by the real roots of the cubic."""
    most = 0
    for x, y in zip(*sleigh.ellipse(level, body, count), strict=True):
        q = body["a"] * y + 2.0 * body["m"] * body["a"] ** 2
        roots = np.roots([q, -x, q + 2.0 * body["J"], -x])
        most = max(most, int((np.abs(roots.imag) < 1e-9 * (1.0 + np.abs(roots))).sum()))
    return most


@pytest.mark.parametrize("spin", [0.5, 1.5, 4.0])
def test_theorem_7_4(spin):
    """One branch on every ellipse up to the sharp level, far beyond the theorem's; three just above it."""
    body = {"J": spin, "m": 1.0, "a": 1.0, "b": 0.0}
    printed, sharp = sleigh.levels(body)
    assert printed == pytest.approx(body["m"] ** 2 * body["a"] ** 2 * (spin + body["m"] * body["a"] ** 2), rel=1e-14)
    assert sharp / printed == pytest.approx(243 / 64 if spin == 0.5 else 4.0, rel=1e-12)
    assert counted(body, 1.01 * printed) == 1
    assert counted(body, 0.995 * sharp) == 1
    assert counted(body, 1.05 * sharp, 2880) == 3


def test_pictures_of_theorem_7_4():
    """Both ellipses lie where their levels are, and the curve of the fold has a double displacement at each point."""
    (picture,) = sleigh.sharp_pictures(THEMES["light"])
    body, (printed, sharp) = sleigh.BODY, sleigh.levels()
    total = body["J"] + body["m"] * body["a"] ** 2
    for trace in picture.figure["data"]:
        x, y = numbers(trace["x"]), numbers(trace["y"])
        if trace["name"] in ("printed", "corrected"):
            level = printed if trace["name"] == "printed" else sharp
            np.testing.assert_allclose(body["m"] * x**2 + total * y**2, level, rtol=20 * ROUNDED)
        else:
            # The discriminant of FZ Lemma 7.2, right as printed.
            q, j = body["a"] * y + 2.0 * body["m"] * body["a"] ** 2, body["J"]
            found = q**4 + 6 * j * q**3 + q**2 * (12 * j**2 + 2 * x**2) - q * (10 * j * x**2 - 8 * j**3)
            found += x**4 - j**2 * x**2
            assert np.abs(found).max() < 1e3 * ROUNDED


@pytest.mark.parametrize("p_1", [0.1, 0.5, 0.9])
def test_proof_of_theorem_7_4(p_1):
    """Within the theorem's bound a step takes less than all of p_theta, at every momentum tried; never more."""
    p, pull = sleigh.pulls(p_1)
    assert np.all(pull > 0.0)
    assert np.all(pull < p)


def test_slips():
    settled(sleigh.axis(), 0.1, 1e-14)
    settled(sleigh.axis(2.1), 0.1, 1e-14)
