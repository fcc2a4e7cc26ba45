"""What cards ask of what is shown, for any system with an energy and discrete maps."""

import numpy as np

from nhviz.frame.said import Said, Sentence, method, number, percent, sentence
from nhviz.frame.shown import Shown
from nhviz.problem import Trajectory
from nhviz.views.numbers import ROUND_OFF as SHARE

ROUND_OFF = 1e-13
"""Of one step, relative to what is computed: some hundred roundings."""


def first_map(shown: Shown) -> Trajectory:
    """The first discrete run, which claims about a map are about; the run that moves if there is none."""
    return next(iter(shown.maps.values()), shown.lead)


def energy_change(run: Trajectory) -> float:
    """By which share of it the energy of a run changes."""
    energy = run.quantity("energy")
    return float(np.ptp(energy) / energy[0])


def keeps_energy(run: Trajectory) -> bool:
    """Whether a run keeps its energy up to round-off."""
    return energy_change(run) <= ROUND_OFF * len(run)


def told_energy(shown: Shown) -> Sentence:
    """By which shares the first and the last map change the energy."""
    names = list(shown.maps) or [shown.first]
    first, last = names[0], names[-1]
    said = sentence(method(shown.looks[first]), " changes the energy by ", change(shown.runs[first]))
    if last != first:
        said += sentence(", ", method(shown.looks[last]), " by ", change(shown.runs[last]))
    return said + sentence(".")


def change(run: Trajectory) -> Said:
    """The share of the energy that a run changes: a percentage, or a power of ten where it is round-off."""
    share = energy_change(run)
    return number(share) if share < SHARE else percent(share)
