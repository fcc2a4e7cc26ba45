"""How long one request may take: a run of many steps is measured before it is made, and such runs take turns.

It is begun with a hundredth of its duration; what the whole would take is then known well enough to refuse it with a
sentence. Long runs use half of the cores, so that short ones, a slider's, always find one. Flows have a budget of
internal steps besides (`nhviz.methods.reference.at_most`).
"""

import time
from dataclasses import replace

import nhviz
from nhviz.parameters import ParameterError
from nhviz.problem import Problem, Trajectory
from server.settings import SETTINGS
from server.turns import BusyError, Turns

SHORT_STEPS = 20_000
"""So many steps of the slowest map take less than two seconds."""
PROBE = 0.01

TURNS = Turns(max(1, SETTINGS.cores // 2), max(1, SETTINGS.threads // 2))
"""The turns of long runs; `cache.attach` gives them the folder of the machine."""


def simulate(problem: Problem) -> Trajectory:
    """A run, or a ParameterError that says why there is none: it would take too long, or others are being made."""
    if not is_long(problem):
        return nhviz.simulate(problem)
    try:
        with TURNS.turn(SETTINGS.max_seconds):
            return simulate_long(problem)
    except BusyError:
        raise ParameterError("The server is busy with other long runs; try again in a moment.", "duration") from None


def simulate_long(problem: Problem) -> Trajectory:
    """A run of many steps, unless its beginning shows that it takes too long."""
    expected = expected_seconds(problem)
    if expected > SETTINGS.max_seconds:
        raise ParameterError(
            f"This run would take about {expected:.0f} s; at most {SETTINGS.max_seconds:g} s are allowed here: "
            "lower the duration or raise the step.",
            "duration",
        )
    return nhviz.simulate(problem)


def is_long(problem: Problem) -> bool:
    """Whether a run may take long: it has many steps."""
    return problem.steps > SHORT_STEPS


def expected_seconds(problem: Problem) -> float:
    """The time of a run, from that of its beginning."""
    part = replace(problem, duration=PROBE * problem.duration, every=max(1, round(PROBE * problem.steps)))
    began = time.perf_counter()
    nhviz.simulate(part)
    return (time.perf_counter() - began) / PROBE
