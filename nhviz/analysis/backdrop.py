"""What a momentum plane shows besides the runs: arcs of several energies, the line of equilibria, their ends."""

import math

import numpy as np

from nhviz.analysis.equilibria import end_points
from nhviz.methods import ellipse
from nhviz.system import Array, Method, MomentumPlane, Values
from nhviz.systems.sleigh import PLANE

LEVELS = (0.1, 0.35, 0.7, 1.0, 1.5)
BEYOND = 1.1 * max(LEVELS)
"""Lines end at this multiple of the energy, a little beyond the outermost arc."""
SHARES = np.linspace(0.0, 1.0, 13)[1:] ** 2
"""Energies of the points through which curves of rest points are drawn."""
# What is nearer to the flow's line than this share of its length cannot be told from it.
VISIBLE = 1e-3


def arcs(plane: MomentumPlane, params: Values, energy: float, levels: tuple[float, ...] = LEVELS) -> Array:
    """Ellipses of multiples of an energy as one curve (2, n), with NaN between them."""
    unit = np.hstack([ellipse.ellipse(plane, params, 1.0, 121), np.full((2, 1), np.nan)])
    return np.hstack([np.sqrt(level * energy) * unit for level in levels])


def line_of_equilibria(plane: MomentumPlane, params: Values, energy: float) -> Array:
    """(2, 3): the unstable end, the origin and the stable end, a little beyond the outermost arc."""
    ends = end_points(plane, params, BEYOND * energy)
    return np.stack([ends[0], np.zeros(2), ends[1]], axis=1) if ends else np.zeros((2, 3))


def rest_curve(plane: MomentumPlane, method: Method, params: Values, step: float, energy: float) -> Array | None:
    """Where a map rests, (2, n) from the unstable to the stable side; None if that cannot be told from the flow's line.

    It ends early on a side on which the step is too long for the map to rest.
    """
    local = method.local
    if local is None or local.rest_points is None or local.rests_on_line:
        return None
    ends = end_points(plane, params, BEYOND * energy)
    if not ends:
        return None
    length = math.hypot(*ends[1])
    along = ends[1] / length
    points = np.concatenate([np.zeros((1, 2)), local.rest_points(params, step, SHARES * (BEYOND * energy))])
    curve = points[np.argsort(points @ along)].T
    across = along[0] * curve[1] - along[1] * curve[0]
    return curve if np.abs(across).max() > VISIBLE * length else None


def ends_of_arcs(plane: MomentumPlane, params: Values, energy: float) -> list[tuple[Array, bool]]:
    """(momentum, stable) of the equilibria of every drawn energy."""
    ends = end_points(plane, params, energy)
    return [
        (np.sqrt(level) * end, stable) for level in LEVELS for end, stable in zip(ends, (False, True), strict=False)
    ]


def cusp_line(params: Values, energy: float) -> Array:
    """The line v = 0 of the sleigh, m b p_theta + (J + m (a^2 + b^2)) p_1 = 0, as (2, 2), through all arcs."""
    first = params["m"] * params["b"]
    second = params["J"] + params["m"] * (params["a"] ** 2 + params["b"] ** 2)
    direction = np.array([second, -first]) / np.hypot(first, second)
    reach = np.sqrt(BEYOND * energy / ellipse.energy(PLANE, params, direction))
    return direction[:, None] * np.array([-reach, reach])
