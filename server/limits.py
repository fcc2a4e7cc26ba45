"""How long one request may take: a run of many steps is measured before it is made, and such runs take turns.

It is begun with a hundredth of its duration; what the whole would take is then known well enough to refuse it with a
sentence. All runs of a request share what is allowed. Long runs use half of the cores, so that short ones, a slider's,
always find one. Flows have a budget of internal steps besides (`nhviz.methods.reference.at_most`).
"""

import time
from contextvars import ContextVar
from dataclasses import dataclass, replace

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


@dataclass
class Allowance:
    """What a request may still take: seconds of computing, and the time until which it waits for its turn."""

    seconds: float
    until: float

    @classmethod
    def whole(cls) -> "Allowance":
        """What a request begins with."""
        return cls(SETTINGS.max_seconds, time.monotonic() + SETTINGS.max_seconds)


allowance: ContextVar[Allowance | None] = ContextVar("allowance", default=None)


def begin() -> None:
    """A new request in this thread."""
    allowance.set(Allowance.whole())


def end(error: BaseException | None) -> None:
    """The request is over; what is computed outside of one has an allowance for each run."""
    allowance.set(None)


def simulate(problem: Problem) -> Trajectory:
    """A run, or a ParameterError that says why there is none: it would take too long, or others are being made."""
    if not is_long(problem):
        return nhviz.simulate(problem)
    left = allowance.get() or Allowance.whole()
    try:
        with TURNS.turn(left.until - time.monotonic()):
            return simulate_long(problem, left)
    except BusyError:
        raise ParameterError("The server is busy with other long runs; try again in a moment.", "duration") from None


def simulate_long(problem: Problem, left: Allowance) -> Trajectory:
    """A run of many steps, unless its beginning shows that it takes too long."""
    expected = expected_seconds(problem)
    if expected > left.seconds:
        raise ParameterError(
            f"This would take about {expected + SETTINGS.max_seconds - left.seconds:.3g} s; at most "
            f"{SETTINGS.max_seconds:g} s are allowed here: lower the duration, raise the step or choose fewer methods.",
            "duration",
        )
    began = time.monotonic()
    found = nhviz.simulate(problem)
    left.seconds -= time.monotonic() - began
    return found


def is_long(problem: Problem) -> bool:
    """Whether a run may take long: it has many steps."""
    return problem.steps > SHORT_STEPS


def expected_seconds(problem: Problem) -> float:
    """The time of a run, from that of its beginning."""
    part = replace(problem, duration=PROBE * problem.duration, every=max(1, round(PROBE * problem.steps)))
    began = time.perf_counter()
    nhviz.simulate(part)
    return (time.perf_counter() - began) / PROBE
