"""Turns of the points of a section from one crossing to the next: a rotation number, where there is one."""

import numpy as np

from nhviz.analysis.oscillator_section import ReturnMap
from nhviz.system import Array

FEWEST = 8
"""A rotation number is the mean over so many crossings at least."""
SPREAD = 0.12
"""Where turns differ by more than this (root mean square) the points do not go round."""


def turns_of(places: Array) -> float | None:
    """Turns per crossing, at most a half, of places (n, 2) on a closed curve about their mean; None if they are not."""
    if len(places) < FEWEST:
        return None
    away = places - places.mean(axis=0)
    size = np.sqrt((away**2).mean(axis=0))
    # What does not vary in one direction does not go round; nor does what differs by round-off alone.
    if not np.all(size > 1e-9 * (1.0 + np.abs(places).max())):
        return None
    return mean_turn(np.arctan2(away[:, 1] / size[1], away[:, 0] / size[0]))


def turns_about(exact: ReturnMap, places: Array) -> float | None:
    """The same for places (n, 3) of the oscillator's section, about the axis of the exact rotation."""
    first = exact.first - exact.height * exact.axis
    if len(places) < FEWEST or not first.any():
        return None
    side = np.cross(exact.axis, first)
    return mean_turn(np.arctan2(places @ side, places @ first))


def mean_turn(angles: Array) -> float | None:
    """The mean of the turns between angles, in turns, folded to at most a half.

    None if they differ too much, or do not make one turn together: such points do not go round.
    """
    turns = np.diff(angles) / (2.0 * np.pi)
    # About their mean direction, so that turns near 0 and near 1 are near each other.
    middle = np.angle(np.mean(np.exp(2j * np.pi * turns))) / (2.0 * np.pi)
    about = turns - middle
    about -= np.round(about)
    if np.sqrt(np.mean(about**2)) > SPREAD:
        return None
    mean = (middle + float(np.mean(about))) % 1.0
    found = min(mean, 1.0 - mean)
    return found if found * turns.size >= 1.0 else None
