"""Polynomials that vanish on given points: as many as there are, no more."""

import numpy as np

from nhviz.analysis import algebraic


def sphere():
    """Points of the sphere of radius 2 about (1, 0, 0)."""
    directions = np.random.default_rng(5).normal(size=(60, 3))
    return 2.0 * directions / np.linalg.norm(directions, axis=1, keepdims=True) + [1.0, 0.0, 0.0]


def test_a_sphere_has_one_equation_of_degree_2_and_none_of_degree_1():
    assert algebraic.vanishing(sphere(), 1).shape == (4, 0)
    assert algebraic.vanishing(sphere(), 2).shape == (10, 1)


def test_its_multiples_are_found_too():
    """Times 1, x, y and z."""
    assert algebraic.vanishing(sphere(), 3).shape == (20, 4)


def test_the_equation_vanishes_on_the_sphere_and_nowhere_else():
    points = sphere()
    found, scale = algebraic.vanishing(points, 2), float(np.abs(points).max())
    other = np.array([[3.0, 0.0, 0.0], [1.0, 2.0, 0.0], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    values = np.abs(algebraic.values(found, 2, other, scale))[:, 0]
    assert values[:2].max() < 1e-13
    # |x - (1, 0, 0)|^2 - 4 is -3 at the origin and -4 at the centre, in some unit.
    assert abs(values[2] / values[3] - 0.75) < 1e-12
