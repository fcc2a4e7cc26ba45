"""A particle in space without parameters: what the Heisenberg system and the nonholonomic oscillator share."""

import numpy as np

from nhviz.system import Array, Component, Values

VARIABLES = ("x", "y", "z", "p_x", "p_y", "p_z")
COMPONENTS = (
    Component("x", "first coordinate", "m"),
    Component("y", "second coordinate", "m"),
    Component("z", "third coordinate", "m"),
    Component("p_x", "momentum along x", "kg m/s"),
    Component("p_y", "momentum along y", "kg m/s"),
    Component("p_z", "momentum along z", "kg m/s"),
)


def parameters(params: Values) -> Array:
    """There are none; a field expects an array all the same."""
    return np.zeros(1)
