"""How long a step of a method takes on this computer: about, measured once."""

from dataclasses import replace
from functools import lru_cache
from time import perf_counter

from nhviz.problem import Problem
from nhviz.simulate import simulate

STEPS = (200, 2200)
"""Two runs of so many steps each: what does not grow with them is no part of a step."""
TRIES = 9


@lru_cache(maxsize=256)
def pace(problem: Problem) -> float:
    """Seconds that a step of a problem takes, all of which are kept; its own duration does not matter."""
    short, long = (least_time(replace(problem, duration=steps * problem.step, every=1)) for steps in STEPS)
    return max(long - short, 0.0) / (STEPS[1] - STEPS[0])


def least_time(problem: Problem) -> float:
    """The least time that a run takes in a few tries, after one that does not count."""
    simulate(problem)
    found = []
    for _ in range(TRIES):
        begun = perf_counter()
        simulate(problem)
        found.append(perf_counter() - begun)
    return min(found)
