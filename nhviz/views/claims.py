"""What cards ask of what is shown, for any system with an energy and discrete maps."""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

import numpy as np

from nhviz.frame.said import Said, Sentence, method, number, percent, sentence
from nhviz.frame.shown import Shown
from nhviz.problem import Trajectory
from nhviz.views.numbers import ROUND_OFF as SHARE

ROUND_OFF = 1e-13
"""Of one step, relative to what is computed: some hundred roundings."""
STILL = sentence("Nothing moves here, so there is nothing to tell.")
Answer = TypeVar("Answer")
Ask = Callable[[Shown], Answer]


def only(test: Ask[bool], otherwise: Answer) -> Callable[[Ask[Answer]], Ask[Answer]]:
    """Ask a question only where a test is passed: a page may be set to anything. Elsewhere it has another answer."""

    def asked_there(ask: Ask[Answer]) -> Ask[Answer]:
        return wraps(ask)(lambda shown: ask(shown) if test(shown) else otherwise)

    return asked_there


def moves(shown: Shown) -> bool:
    """Whether something runs, and has energy."""
    return bool(shown.runs) and float(shown.lead.quantity("energy")[0]) > 0.0


def first_map(shown: Shown) -> Trajectory:
    """The first discrete run, which claims about a map are about; the run that moves if there is none."""
    return next(iter(shown.maps.values()), shown.lead)


def energy_change(run: Trajectory) -> float:
    """By which share of it the energy of a run changes."""
    energy = run.quantity("energy")
    return float(np.ptp(energy) / energy[0])


def keeps_energy(run: Trajectory) -> bool:
    """Whether a run keeps its energy up to round-off."""
    energy = run.quantity("energy")
    return bool(np.ptp(energy) <= ROUND_OFF * len(run) * energy[0])


@only(moves, STILL)
def told_energy(shown: Shown) -> Sentence:
    """By which shares the first and the last map change the energy."""
    names = list(shown.maps or shown.runs)
    first, last = names[0], names[-1]
    said = sentence(method(shown.looks[first]), " changes the energy by ", change(shown.runs[first]))
    if last != first:
        said += sentence(", ", method(shown.looks[last]), " by ", change(shown.runs[last]))
    return said + sentence(".")


def change(run: Trajectory) -> Said:
    """The share of the energy that a run changes: a percentage, or a power of ten where it is round-off."""
    share = energy_change(run)
    return number(share) if share < SHARE else percent(share)
