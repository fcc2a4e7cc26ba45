"""The misprints of DS: the printed form fails, the corrected one holds to round-off."""

import numpy as np
import pytest
import sympy

from nhviz.corrections import ds
from nhviz.maps.sleigh_branches import inertias
from tests.corrections import settled


@pytest.mark.parametrize("theta", [0.4, -1.3])
def test_blade_momentum(theta):
    """-D1 L_d along the blade, differentiated exactly, has m dx."""
    settled(ds.blade_momentum(theta), 0.04, 1e-14)
    a, m, j, t0, t1, x0, x1, y0, y1 = sympy.symbols("a m j t0 t1 x0 x1 y0 y1")
    dt, dx, dy, mean = t1 - t0, x1 - x0, y1 - y0, (t0 + t1) / 2
    across = -dx * sympy.sin(mean) + dy * sympy.cos(mean)
    lagrangian = ((j + m * a**2) * dt**2 + m * (dx**2 + dy**2 + 2 * a * dt * across)) / 2
    corrected = m * dx - m * a * dt * sympy.sin(mean)
    assert sympy.simplify(-lagrangian.diff(x0) - corrected) == 0
    assert sympy.simplify(-lagrangian.diff(x0) - (corrected - m * dx + dx)) != 0


@pytest.mark.parametrize("momenta", [(0.3, 0.8), (-1.1, 0.45)])
def test_slope(momenta):
    settled(ds.slope(*momenta), 1.0, 1e-13)
    # The complex step is the derivative: central differences of order 2 with h = 1e-5.
    turn = np.array([0.3, 1.1, -1.7])
    central = (ds.equation(turn + 1e-5, *momenta) - ds.equation(turn - 1e-5, *momenta)) / 2e-5
    np.testing.assert_allclose(ds.equation(turn + 1e-30j, *momenta).imag / 1e-30, central, atol=1e-7)
    # DS (23) vanishes at the turn of its p_1, which it has with the total moment of the product.
    body = {"J": ds.J, "m": ds.M, "a": ds.A, "b": 0.0}
    assert inertias(body)[0] == pytest.approx(ds.J + ds.M * ds.A**2, rel=1e-15)


@pytest.mark.parametrize("theta", [0.4, 2.2])
def test_angular_momentum(theta):
    settled(ds.angular_momentum(theta), 0.2, 1e-14)
    # At these steps DS (19) and (23) agree: p_2 is what (20) gives.
    (dx, dy), middle = ds.steps(theta), theta + 0.5 * ds.TURNS
    chord = dx * np.cos(middle) + dy * np.sin(middle)
    p_1 = (ds.J + ds.M * ds.A**2) * ds.TURNS + 0.5 * ds.M * ds.A * ds.TURNS * chord
    p_2 = ds.M * (dx * np.cos(theta) + dy * np.sin(theta)) - ds.M * ds.A * ds.TURNS * np.sin(0.5 * ds.TURNS)
    for turn, first, second in zip(ds.TURNS, p_1, p_2, strict=True):
        assert abs(ds.equation(np.array(turn), first, second)) < 1e-14
