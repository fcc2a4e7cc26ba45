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
    """Distances of a run to the truth at its instants, by part of the state.

    Momenta or velocities count relative to the greatest of their unit in the truth, coordinates as lengths, matrices as
    angles: |R - R'| / sqrt 2 is the angle between two rotations that are near each other.
    """
    samples = min(len(run), len(truth))
    found = {}
    for part, members in parts_of_state(truth).items():
        square = np.zeros(samples)
        for unit in dict.fromkeys(c.unit for c in members):
            ours, theirs = (
                np.stack([one[c.name][:samples].reshape(samples, -1) for c in members if c.unit == unit], axis=1)
                for one in (run, truth)
            )
            scale = scale_of(part, theirs)
            square += np.sum((ours - theirs) ** 2, axis=(1, 2)) / scale**2
        found[part] = np.sqrt(square)
    return found


def scale_of(part: str, theirs: Array) -> float:
    """What distances (samples, components, entries) are measured in."""
    if part == "Attitude":
        return 2.0**0.5 if theirs.shape[2] > 1 else 1.0
    if part == "Path":
        return 1.0
    return float(np.linalg.norm(theirs, axis=(1, 2)).max()) or 1.0
