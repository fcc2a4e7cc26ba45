"""How long one request may take: a run of many steps is measured before it is made, and such runs take turns.

It is begun with a hundredth of its duration; what the whole would take is then known well enough to refuse it with a
sentence. The long runs of a request share what is allowed. Of all processes together they use half of the cores (one,
if there is one), so that sliders stay quick.
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
from server.turns import BusyError, Turns

SHORT_STEPS = 20_000
"""So many steps of the slowest map take less than two seconds."""
PROBE = 0.01


@dataclass
class Allowance:
    """What a request may still take: seconds of computing, and the time until which it waits for its turn."""

    seconds: float
    until: float


allowance: ContextVar[Allowance | None] = ContextVar("allowance", default=None)
"""That of the request in this thread."""


class Patience:
    """The patience of an application: so many seconds for the long runs of a request, which have turns."""

    def __init__(self, seconds: float, turns: Turns) -> None:
        self.seconds, self.turns = seconds, turns

    def begin(self) -> None:
        """A new request in this thread."""
        allowance.set(self.whole())

    def end(self, error: BaseException | None) -> None:
        """The request is over; what is computed outside of one has an allowance for each run."""
        allowance.set(None)

    def whole(self) -> Allowance:
        """What a request begins with."""
        return Allowance(self.seconds, time.monotonic() + self.seconds)

    def left(self) -> Allowance:
        """What this request may still take."""
        return allowance.get() or self.whole()

    @contextlib.contextmanager
    def place(self, problem: Problem) -> Iterator[None]:
        """One of the places that a process has for what is long; a short run needs none."""
        with busy_is_said(), self.turns.place() if is_long(problem) else contextlib.nullcontext():
            yield

    def simulate(self, problem: Problem) -> Trajectory:
        """A run, or a ParameterError that says why there is none: it would take too long, or others are being made."""
        if not is_long(problem):
            return nhviz.simulate(problem)
        left = self.left()
        with busy_is_said(), self.turns.turn(left.until):
            return self.simulate_long(problem, left)

    def simulate_long(self, problem: Problem, left: Allowance) -> Trajectory:
        """A run of many steps, unless its beginning shows that it takes too long."""
        expected = expected_seconds(problem)
        if expected > left.seconds:
            raise ParameterError(too_long(expected, self.seconds - left.seconds, self.seconds), "duration")
        began = time.monotonic()
        found = nhviz.simulate(problem)
        left.seconds -= time.monotonic() - began
        return found


@contextlib.contextmanager
def busy_is_said() -> Iterator[None]:
    """Turn a lack of turns into a sentence beside the duration."""
    try:
        yield
    except BusyError:
        raise ParameterError("The server is busy with other long runs; try again in a moment.", "duration") from None


def too_long(expected: float, used: float, allowed: float) -> str:
    """Why a run is not made; `used` is what other runs of the same request have taken."""
    total = expected + used
    seconds = f"{math.ceil(total):,}" if total > 1.0 else f"{total:.2g}"
    advice = (
        "lower the duration, raise the step or choose fewer methods" if used else "lower the duration or raise the step"
    )
    return f"This would take about {seconds} s; at most {allowed:g} s are allowed here: {advice}."


def is_long(problem: Problem) -> bool:
    """Whether a run may take long: it has many steps."""
    return problem.steps > SHORT_STEPS


def expected_seconds(problem: Problem) -> float:
    """The time of a run, from that of its beginning; of this thread alone, since others may be in its way just now.

    What is done once in a process, as loading the kernel, is done before the clock starts. A run that ends in its
    beginning takes no longer than that.
    """
    nhviz.simulate(replace(problem, duration=problem.step, every=1))
    part = replace(problem, duration=PROBE * problem.duration, every=max(1, round(PROBE * problem.steps)))
    began = time.thread_time()
    beginning = nhviz.simulate(part)
    seconds = time.thread_time() - began
    return seconds if beginning.stopped else seconds / PROBE
