"""How far a run is from the motion itself, at the same instants: in its momenta, its path and its attitude."""

import re

import numpy as np

from nhviz.analysis.convergence import state_components
from nhviz.problem import Trajectory
from nhviz.system import Array, Component

COORDINATE = re.compile(r"[xyz]\d?")
"""The name of a coordinate of the path."""


def parts_of_state(run: Trajectory) -> dict[str, list[Component]]:
    """Components by the part of the state that they tell; parts that a system does not have are left out.

    Momenta, or velocities where a run starts from these, belong together, so do coordinates of a path. An attitude is
    a matrix, else the angles of the body.
    """
    declared = {c.name: c for c in run.system.components_of(run.params) if c.name in run.components}
    state = [declared[name] for name in state_components(run.system, run.params) if name in declared]
    matrices = [c for c in state if c.shape]
    moving = [c for c in state if c.unit.endswith("/s")]
    momenta = "Momenta" if any("kg" in c.unit for c in moving) else "Velocities"
    found = {
        momenta: moving,
        "Path": [c for c in declared.values() if COORDINATE.fullmatch(c.name)],
        "Attitude": matrices or [c for c in state if c.unit == "rad"],
    }
    return {part: members for part, members in found.items() if members}


def errors(run: Trajectory, truth: Trajectory) -> dict[str, Array]:
    """Distances of a run to the truth at its instants, by part of the state."""
    return {part: distance(run, truth, part) for part in truth.remember(parts_of_state)}


def distance(run: Trajectory, truth: Trajectory, part: str) -> Array:
    """The distance of a run to the truth in one part of the state, at the instants that both have.

    Momenta or velocities count relative to the greatest of their unit in the truth, coordinates as lengths, matrices as
    angles: |R - R'| / sqrt 2 is the angle between two rotations that are near each other.
    """
    samples = min(len(run), len(truth))
    members = truth.remember(parts_of_state)[part]
    square = np.zeros(samples)
    for unit in dict.fromkeys(c.unit for c in members):
        names = [c.name for c in members if c.unit == unit]
        gap = sum_of_squares([run[name][:samples] - truth[name][:samples] for name in names])
        square += gap / scale_of(part, [truth[name][:samples] for name in names])
    return np.sqrt(square)


def sum_of_squares(parts: list[Array]) -> Array:
    """The squares of all entries of parts (samples, ...), added up for each sample."""
    flat = (part.reshape(len(part), -1) for part in parts)
    return sum((np.einsum("ij,ij->i", rows, rows) for rows in flat), start=np.zeros(len(parts[0])))


def scale_of(part: str, theirs: list[Array]) -> float:
    """The square of what distances are measured in."""
    if part == "Attitude":
        return 2.0 if theirs[0].ndim > 1 else 1.0
    if part == "Path":
        return 1.0
    return float(sum_of_squares(theirs).max()) or 1.0
