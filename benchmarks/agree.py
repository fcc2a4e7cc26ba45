"""Before anything is timed, both sides must have computed the same thing."""

from collections.abc import Mapping

import numpy as np


def require(peer: Mapping[str, np.ndarray], ours: Mapping[str, np.ndarray], tolerance: float) -> None:
    """Every component of the peer must agree with ours."""
    for name, values in peer.items():
        if values.shape != ours[name].shape or not np.allclose(values, ours[name], rtol=tolerance, atol=tolerance):
            raise RuntimeError(f"The peer's {name} is not the one of nhviz to {tolerance:g}.")
