"""What of the Chaplygin sleigh can be swept: largest steps, cusps, total turns, phase leads."""

import math
from collections.abc import Callable

import numpy as np

from nhviz import kernels
from nhviz.maps import sleigh_branches
from nhviz.measures import phase, steps
from nhviz.measures.cells import once_each, rows_of
from nhviz.system import Array, Measure, MomentumPlane, Points

BODY = ("J", "m", "a", "b")
START = ("theta", "x", "y", "p_theta", "p_1")
FLOWS, MAPS = ("exact", "reference"), ("fedorov_zenkov", "midpoint", "naive")


def measures(plane: MomentumPlane) -> tuple[Measure, ...]:
    """The measures that the sleigh declares."""
    turn = "angle between the directions of the blade at both ends of time"
    return (
        steps.measure(plane, MAPS, largest_steps),
        cusp("cusp_time", "Time of the cusp", "s", "when the contact point turns back; before 0 if that is past", 0),
        cusp("cusp_x", "Cusp, first coordinate", "m", "where the contact point turns back, first coordinate", 1),
        cusp("cusp_y", "Cusp, second coordinate", "m", "where the contact point turns back, second coordinate", 2),
        Measure(
            "total_turn", "Total turn", "rad", turn, (*FLOWS, "fedorov_zenkov"), total_turns, no_turn, kind="angle"
        ),
        phase.measure(MAPS, phase_leads),
    )


def cusp(name: str, title: str, unit: str, meaning: str, which: int) -> Measure:
    """The measure of one number of the cusp."""

    def evaluate(points: Points) -> Array:
        return cusps(points)[:, which]

    return Measure(name, title, unit, meaning, (*FLOWS, *MAPS), evaluate, no_cusp, kind="signed")


def scheme(points: Points) -> int:
    """The map, as the kernels know it."""
    return MAPS.index(points.method)


def counts(points: Points) -> Array:
    """How many steps the run of each cell has."""
    return np.round(points.duration / points.step).astype(np.int64)


def cusps(points: Points) -> Array:
    """Rows (t, x, y): the flow's one cusp at any time, or the first one within the run of a map."""
    bodies, starts, found = rows_of(points.params, BODY), rows_of(points.initial, START), np.empty((points.size, 3))
    if points.method in FLOWS:
        kernels.sleigh_points.flow_cusps(bodies, starts, found)
    else:
        kernels.sleigh_points.map_cusps(scheme(points), bodies, starts, points.step, counts(points), found)
    return found


def no_cusp(points: Points) -> str:
    """Why a cell has no cusp."""
    if points.method in FLOWS:
        return "The path has no cusp: a = 0, or the sleigh glides straight on for ever."
    return f"The path has no cusp within {points.duration:g} s, as far as the run goes."


def total_turns(points: Points) -> Array:
    """pi sqrt(1 + J/(m a^2)) for the flow, the sum of all turns of its orbit for the map."""
    if points.method not in FLOWS:
        found = np.empty(points.size)
        bodies, starts = rows_of(points.params, BODY), rows_of(points.initial, START)
        kernels.sleigh_points.map_turns(bodies, starts, points.step, found)
        return found
    total, mu = inertias(points)
    with np.errstate(divide="ignore"):
        return np.pi * np.sqrt(total / mu)


def no_turn(points: Points) -> str:
    """Why a cell has no total turn."""
    if points.method in FLOWS:
        return "With a = 0 the sleigh turns for ever."
    return (
        "There is no total turn: the step is too long for one branch, so short that more than 2,000,000 of them are "
        "needed, or the sleigh does not turn at all."
    )


def phase_leads(points: Points) -> Array:
    """The phase lead of every cell's map at the end of its run."""
    found = np.empty(points.size)
    bodies, starts = rows_of(points.params, BODY), rows_of(points.initial, START)
    kernels.sleigh_points.phase_leads(scheme(points), bodies, starts, points.step, counts(points), found)
    return found


def inertias(points: Points) -> tuple[Array, Array]:
    """A = J + m a^2 and mu = m a^2."""
    mu = points.params["m"] * points.params["a"] ** 2
    return points.params["J"] + mu, mu


def largest_steps(points: Points) -> Array:
    """The closed forms of `maps.sleigh_branches` at the energy of each start; NaN without a limit."""
    p_1 = points.initial["p_1"]
    total, _ = inertias(points)
    energy = (points.initial["p_theta"] + points.params["b"] * p_1) ** 2 / (2.0 * total) + p_1**2 / (
        2.0 * points.params["m"]
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.sqrt(LEVELS[points.method](points) / (2.0 * energy))


def fedorov_zenkov_levels(points: Points) -> Array:
    """A^2/J, or (J + 4 mu)^3/(16 A mu) for J < 2 mu."""
    total, mu = inertias(points)
    spin = points.params["J"]
    with np.errstate(divide="ignore"):
        return np.where(spin >= 2.0 * mu, total**2 / spin, (spin + 4.0 * mu) ** 3 / (16.0 * total * mu))


def naive_levels(points: Points) -> Array:
    """The square of A^2/(|a b| m + sqrt((a b m)^2 + A^2)), over A."""
    total, _ = inertias(points)
    offset = np.abs(points.params["a"] * points.params["b"]) * points.params["m"]
    return (total**2 / (offset + np.hypot(offset, total))) ** 2 / total


def midpoint_levels(points: Points) -> Array:
    """The least level on the fold of DS (23): found once for each body, whatever its start."""

    def answer(bodies: Array, out: Array) -> None:
        for row, (spin, m, a) in enumerate(bodies.tolist()):
            # At the energy 1/2 the square of the largest step is the level itself.
            step = sleigh_branches.midpoint_largest_step({"J": spin, "m": m, "a": a, "b": 0.0}, 0.5)
            out[row] = math.nan if step is None else step**2

    return once_each(rows_of(points.params, BODY[:3]), answer)


LEVELS: dict[str, Callable[[Points], Array]] = {
    "fedorov_zenkov": fedorov_zenkov_levels,
    "midpoint": midpoint_levels,
    "naive": naive_levels,
}
