"""How each run of the race has done, in numbers: what it lost, how far it is off, what a step of it costs."""

from dataclasses import dataclass
from functools import lru_cache

from nhviz.analysis.pace import pace
from nhviz.frame.shown import Shown
from nhviz.labs.feedback.racers import METHOD, PLAIN_OF, RACERS, gains, values
from nhviz.labs.feedback.thing import is_truth, off
from nhviz.methods.feedback import STAGES
from nhviz.problem import Problem
from nhviz.views import numbers

ALIKE = 3.0
"""Errors that differ by less than this factor are as good as each other."""
FINE = 50.0
"""A step is timed with so much a shorter one than the page opens with, so that no run is lost meanwhile."""


@dataclass(frozen=True)
class Result:
    """A run at its finish: the largest drift of each quantity, the largest error, evaluations of the field a step.

    These are None where a step evaluates no field, or not always as often. `stopped` says that it did not arrive.
    """

    variant: str
    drifts: dict[str, float]
    off: float
    stages: int | None
    stopped: bool

    @property
    def is_exact(self) -> bool:
        """Whether it is off by round-off only."""
        return self.off < numbers.ROUND_OFF


def results(shown: Shown) -> dict[str, Result]:
    """All runs but the truth, by variant."""
    return shown.remember(all_results)


def all_results(shown: Shown) -> dict[str, Result]:
    """All runs but the truth, looked at once."""
    return {name: result(shown, name) for name in shown.runs if not is_truth(shown, name)}


def result(shown: Shown, variant: str) -> Result:
    """One run."""
    run = shown.runs[variant]
    drifts = {name: float(drift.max()) for name, drift in shown.drifts[variant].items()}
    return Result(variant, drifts, float(off(shown, variant).max()), stages(shown, variant), run.stopped is not None)


def stages(shown: Shown, variant: str) -> int | None:
    """How often a step evaluates the field; none of a map that solves for its next place, or of a flow."""
    method = shown.method(variant)
    if method.id == METHOD:
        return STAGES[str(shown.panel.ways[variant].options["base"])]
    return 1 if method.discrete and method.branches is None else None


def chosen(found: dict[str, Result]) -> Result | None:
    """The run that one would take: as near to the truth as the best, and of these the one that costs least.

    Plain before pulled, where both cost as many evaluations. A run that did not arrive is not taken.
    """
    arrived = [one for one in found.values() if not one.stopped]
    if not arrived:
        return None
    best = max(min(one.off for one in arrived), numbers.ROUND_OFF)
    near = [one for one in arrived if one.off <= ALIKE * best]
    return min(near, key=lambda one: (one.stages or max(STAGES.values()), one.variant in PLAIN_OF, one.off))


def seconds_a_step(shown: Shown, variant: str) -> float:
    """How long a step takes on this computer, about: with the body and the start that the page opens with."""
    way = shown.panel.ways[variant]
    plain = any(value == 0.0 for value in way.options.values())
    return pace(timed_problem(shown.system.id, way.method, str(way.options.get("base", "")), plain))


@lru_cache(maxsize=64)
def timed_problem(system: str, method: str, base: str, plain: bool) -> Problem:
    """What is timed: a method on the body of a race, with short steps."""
    racer = RACERS[system]
    opening, model = values(racer), racer.model
    step = opening["step"] / FINE
    gain = 0.0 if plain else opening["pull"] / step
    params, initial = (
        {p.name: opening[p.name] for p in group if p.name in opening} for group in (model.parameters, model.initial)
    )
    options = {"base": base, **dict.fromkeys(gains(model.method(method)), gain)} if base else {}
    return Problem.create(system, method, params, initial, step, step, options=options)
