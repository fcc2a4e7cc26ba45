"""Rotation matrices for whole runs at once: from quaternions, and how far they are from being rotations."""

import numpy as np

from nhviz import kernels
from nhviz.system import Array, Components, Quantity, Values


def matrices(q: Array) -> Array:
    """Rotation matrices (..., 3, 3) of quaternions (4, ...), normalised."""
    q0, q1, q2, q3 = q / np.sqrt(np.sum(q * q, axis=0))
    rows = [
        [1 - 2 * (q2 * q2 + q3 * q3), 2 * (q1 * q2 - q0 * q3), 2 * (q1 * q3 + q0 * q2)],
        [2 * (q1 * q2 + q0 * q3), 1 - 2 * (q1 * q1 + q3 * q3), 2 * (q2 * q3 - q0 * q1)],
        [2 * (q1 * q3 - q0 * q2), 2 * (q2 * q3 + q0 * q1), 1 - 2 * (q1 * q1 + q2 * q2)],
    ]
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))


def orthogonality(params: Values, run: Components) -> Array:
    """|R^T R - 1|, Frobenius norm."""
    r = run["R"]
    return kernels.rotations.distances(np.ascontiguousarray(r).reshape(-1, *r.shape[-2:])).reshape(r.shape[:-2])


ORTHOGONALITY = Quantity(
    "orthogonality", "distance of the attitude from a rotation", True, orthogonality, "", r"\|R^T R - 1\|"
)
"""For a system whose runs have R."""
