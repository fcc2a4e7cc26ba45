"""How far a run strays: drifts of its quantities, and the axes about which a top turns first and last."""

import numpy as np

from nhviz.problem import Trajectory
from nhviz.system import Array


def drifts(run: Trajectory) -> dict[str, Array]:
    """The drift of every quantity."""
    return {quantity.id: drift_of(run, quantity.id) for quantity in run.system.quantities}


def drift_of(run: Trajectory, quantity: str) -> Array:
    """|value - start| of a quantity, over its scale: the start's size where that is not round-off, else 1."""
    values = run.quantity(quantity)
    scale = abs(values[0]) if abs(values[0]) > 1e-9 else 1.0
    return np.abs(values - values[0]) / scale


def rotation_axes(run: Trajectory) -> Array:
    """Segments (2, 2, 3) through the origin along the axis of rotation in space, at the first and the last sample."""
    segments = []
    for sample in (0, -1):
        omega = np.array([run["u"][sample], run["v"][sample], 0.0])
        size = np.linalg.norm(omega)
        axis = run["R"][sample] @ omega / size if size > 0.0 else np.zeros(3)
        segments.append([-1.1 * axis, 1.1 * axis])
    return np.array(segments)
