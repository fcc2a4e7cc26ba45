"""How long a step or a run of a method takes on this computer: about, measured once."""

from dataclasses import dataclass, field, replace
from functools import lru_cache
from time import perf_counter

from nhviz.problem import Problem
from nhviz.simulate import simulate

STEPS = (200, 2200)
"""Two runs of so many steps each: what does not grow with them is no part of a step."""
TRIES = 9
BEST_OF = 30
"""So often a short run is timed; one that takes long, as often as the time for it allows."""
ENOUGH = 0.01
"""Seconds for the tries of one run."""
FEWEST = 5


@lru_cache(maxsize=256)
def pace(problem: Problem) -> float:
    """Seconds that a step of a problem takes, all of which are kept; its own duration does not matter."""
    short, long = (least_time(replace(problem, duration=steps * problem.step, every=1)) for steps in STEPS)
    return max(long - short, 0.0) / (STEPS[1] - STEPS[0])


def least_time(problem: Problem) -> float:
    """The least time that a run takes in a few tries, after one that does not count."""
    simulate(problem)
    return min(once(problem) for _ in range(TRIES))


def once(problem: Problem) -> float:
    """Seconds that a run takes this time."""
    begun = perf_counter()
    simulate(problem)
    return perf_counter() - begun


@dataclass(frozen=True)
class Timed:
    """A run to be timed. What it takes is a matter of its `kind` alone: another body of the same kind takes as long."""

    kind: tuple[object, ...]
    problem: Problem = field(compare=False)


def run_time(problem: Problem) -> float:
    """Seconds of a run: the best of several, measured once for a system, its dimension, a method, so many steps."""
    choices = tuple(value for _, value in problem.options if isinstance(value, str))
    kind = (problem.system, problem.method, choices, dict(problem.params).get("n"), problem.steps, problem.every)
    return best_time(Timed(kind, problem))


@lru_cache(maxsize=4096)
def best_time(timed: Timed) -> float:
    """The least time of up to `BEST_OF` tries, after one that does not count."""
    begun = perf_counter()
    once(timed.problem)
    found = [once(timed.problem) for _ in range(FEWEST)]
    while len(found) < BEST_OF and perf_counter() - begun < ENOUGH:
        found.append(once(timed.problem))
    return min(found)
