"""How much a page may ask for, and how long one request may take.

A problem of a page is `admitted`: it has no more steps than a page can wait for, and a flow that is integrated a budget
of internal steps. Both depend on the system and its parameters only, so that the page, the file and the lines of
Python of one state are the same run.

A run of many steps is measured before it is made, and such runs take turns. It is begun with a hundredth of its
duration; what the whole would take is then known well enough to refuse it with a sentence. The long runs of a request
share what is allowed. Of all processes together they use half of the cores (one, if there is one), so that sliders stay
quick.
"""

import contextlib
import math
import time
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass, replace

import nhviz
from nhviz.parameters import ParameterError
from nhviz.problem import Problem, Trajectory
from nhviz.registry import find
from nhviz.system import System, Values
from server.settings import SETTINGS
from server.turns import BusyError, Turns

MAP_NUMBERS, FLOW_NUMBERS = 28_000_000, 1_400_000
"""Most numbers that a page can wait for: in steps of a map, and in internal steps of a flow, which cost twenty times as
much."""
FILE_ROWS, FILE_NUMBERS = 20_000, 300_000
"""Most rows of a file that a page offers, and most numbers in it."""
SHORT_STEPS = 20_000
"""So many steps of the slowest map take less than two seconds."""
PROBE = 0.01

TURNS = Turns(max(1, SETTINGS.cores // 2), max(1, 3 * SETTINGS.threads // 4))
"""The turns of long runs; `cache.attach` gives them the folder of the machine."""


def admitted(problem: Problem) -> Problem:
    """A problem as a page may ask for it, its flow with a budget; a ParameterError if it has too many steps."""
    system, params = find(problem.system), dict(problem.params)
    most = most_steps(system, params)
    if problem.steps > most:
        raise ParameterError(
            f"duration / step is {problem.steps:,} steps; at most {most:,} are shown here: "
            "raise step or lower duration.",
            "step",
        )
    if system.method(problem.method).discrete:
        return problem
    budget = most_flow_steps(system, params)
    return replace(problem, budget=budget if problem.budget is None else min(budget, problem.budget))


def for_file(problem: Problem, runs: int = 1) -> Problem:
    """The same problem with as many samples as a file of so many runs may have, or as it has itself."""
    columns = 1 + numbers_of(find(problem.system), dict(problem.params))
    rows = max(1, min(FILE_ROWS, FILE_NUMBERS // columns) // runs)
    return replace(problem, every=max(1, min(problem.every, math.ceil(problem.steps / rows))))


def most_steps(system: System, params: Values) -> int:
    """How many steps a page can wait for: fewer in many dimensions, where a step has more numbers."""
    return min(SETTINGS.max_steps, MAP_NUMBERS // numbers_of(system, params))


def most_flow_steps(system: System, params: Values) -> int:
    """How many internal steps of a flow a page can wait for."""
    return FLOW_NUMBERS // numbers_of(system, params)


def numbers_of(system: System, params: Values) -> int:
    """How many numbers a sample of a run has."""
    return sum(math.prod(component.sizes(params)) for component in system.components_of(params))


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


def patience() -> float:
    """Until when this request waits, for a turn or for somebody who makes the same run."""
    return (allowance.get() or Allowance.whole()).until


@contextlib.contextmanager
def place(problem: Problem) -> Iterator[None]:
    """One of the places that a process has for what is long; a short run needs none."""
    with busy_is_said(), TURNS.place() if is_long(problem) else contextlib.nullcontext():
        yield


@contextlib.contextmanager
def busy_is_said() -> Iterator[None]:
    """Turn a lack of turns into a sentence beside the duration."""
    try:
        yield
    except BusyError:
        raise ParameterError("The server is busy with other long runs; try again in a moment.", "duration") from None


def simulate(problem: Problem) -> Trajectory:
    """A run, or a ParameterError that says why there is none: it would take too long, or others are being made."""
    if not is_long(problem):
        return nhviz.simulate(problem)
    left = allowance.get() or Allowance.whole()
    with busy_is_said(), TURNS.turn(left.until):
        return simulate_long(problem, left)


def simulate_long(problem: Problem, left: Allowance) -> Trajectory:
    """A run of many steps, unless its beginning shows that it takes too long."""
    expected = expected_seconds(problem)
    if expected > left.seconds:
        raise ParameterError(too_long(expected, SETTINGS.max_seconds - left.seconds), "duration")
    began = time.monotonic()
    found = nhviz.simulate(problem)
    left.seconds -= time.monotonic() - began
    return found


def too_long(expected: float, used: float) -> str:
    """Why a run is not made; `used` is what other runs of the same request have taken."""
    total = expected + used
    seconds = f"{math.ceil(total):,}" if total > 1.0 else f"{total:.2g}"
    advice = (
        "lower the duration, raise the step or choose fewer methods" if used else "lower the duration or raise the step"
    )
    return f"This would take about {seconds} s; at most {SETTINGS.max_seconds:g} s are allowed here: {advice}."


def is_long(problem: Problem) -> bool:
    """Whether a run may take long: it has many steps."""
    return problem.steps > SHORT_STEPS


def expected_seconds(problem: Problem) -> float:
    """The time of a run, from that of its beginning; of this thread alone, since others may be in its way just now."""
    part = replace(problem, duration=PROBE * problem.duration, every=max(1, round(PROBE * problem.steps)))
    began = time.thread_time()
    nhviz.simulate(part)
    return (time.thread_time() - began) / PROBE
