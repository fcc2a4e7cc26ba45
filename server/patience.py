"""The one meter that all work of all requests passes: what is quick is done at once, what takes long elsewhere.

A map is long if it has many numbers to step through, or numbers beyond the sliders, where a single step may look for
its branch for milliseconds; and for a while after a run of its kind was slow against all expectation. How many internal
steps a flow takes is not known before: it is begun with a small budget, and is long if that is spent. What is long is
ordered from the workshop (`server.workshop`), where clients take turns and work ends with the time allowed, or with the
client. A request has so many seconds of it.

Outside of a server, in a test or a tool, there is no workshop, and long runs are made one at a time where they are
asked for.
"""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import TypeVar

from flask import request

import nhviz
from nhviz.parameters import Parameter, ParameterError
from nhviz.problem import Problem, Trajectory
from nhviz.registry import find
from nhviz.system import System
from server import entries, jobs, locks, orders
from server.jobs import Job
from server.places import Places
from server.refusals import BusyError, LateError, LostError

SHORT_MAP, SHORT_FLOW = 280_000, 350_000
"""Numbers that maps step through, and that flows do, within about a twentieth of a second."""
FEW_STEPS = 20
"""Steps that are never long, whatever they are made of."""
SLOW, SUSPICION = 0.25, 60.0
"""Seconds after which a run that should be short is slow, and for which others of its kind are then made elsewhere."""
SOON = 0.5
"""Seconds for which anybody may wait for what somebody else is making: most of it is short."""
FILE_SECONDS = 60.0
"""Seconds that a file may wait for its turn: who has pressed a button waits longer than who drags a slider."""
Found = TypeVar("Found")

BUSY = "The server is busy with other long runs; try again in a moment."
LOST = "The server lost this run; try again in a moment."


def go_on() -> None:
    """Let others go first, where there is nobody to tell."""


@dataclass
class Allowance:
    """What a request may still take: seconds of long work, and the time until which it waits for its turn.

    Whose it is, whether they are still there, and what lets other requests go first while this one waits.
    """

    seconds: float
    until: float
    client: str = ""
    is_gone: Callable[[], bool] = locks.never
    let_others: Callable[[], None] = go_on


allowance: ContextVar[Allowance | None] = ContextVar("allowance", default=None)
"""That of the request in this thread."""


class Patience:
    """The patience of an application: so many seconds for the long work of a request, and so many threads for it."""

    def __init__(self, seconds: float, places: int) -> None:
        self.seconds, self.places = seconds, Places(places)
        self.here = threading.Lock()
        self.slow_until: dict[tuple[str, str], float] = {}

    def begin(self) -> None:
        """A new request in this thread. The server's workers tell who asks, and whether they are still there."""
        told = request.environ
        allowance.set(
            replace(
                self.whole(),
                client=told.get("nhviz.client") or request.remote_addr or "",
                is_gone=told.get("nhviz.gone", locks.never),
                let_others=told.get("nhviz.waits", go_on),
            )
        )

    def end(self, error: BaseException | None) -> None:
        """The request is over; what is computed outside of one has an allowance for each run."""
        allowance.set(None)

    def whole(self) -> Allowance:
        """What a request begins with."""
        return Allowance(self.seconds, time.monotonic() + self.seconds)

    def left(self) -> Allowance:
        """What this request may still take."""
        return allowance.get() or self.whole()

    def wait_for_file(self) -> None:
        """This request is for a file: it waits longer for its turn."""
        left = allowance.get()
        if left is not None:
            left.until = time.monotonic() + FILE_SECONDS

    @contextlib.contextmanager
    def said(self) -> Iterator[None]:
        """Turn a reason why something long is not made into a sentence beside the duration."""
        late = (
            f"This took longer than the {self.seconds:g} s that are allowed here: lower the duration or raise the step."
        )
        sentences = {BusyError: BUSY, LateError: late, LostError: LOST, entries.EntryError: LOST}
        try:
            yield
        except tuple(sentences) as error:
            raise ParameterError(sentences[type(error)], "duration") from None

    def waited(self, look: Callable[[], Found | None]) -> Found | None:
        """What a look finds, soon or after a longer wait, which takes a place; None if it finds nothing in time."""
        found = look()
        if found is not None:
            return found
        left = self.left()
        left.let_others()
        found = locks.wait_for(look, min(left.until, time.monotonic() + SOON), left.is_gone)
        if found is not None:
            return found
        with self.said(), self.places.place(left.client):
            return locks.wait_for(look, left.until, left.is_gone)

    def simulate(self, problem: Problem) -> Trajectory:
        """A run, or a ParameterError that says why there is none: it would take too long, or others are being made."""
        if is_long(problem) or self.was_slow(problem):
            return self.simulate_long(problem)
        begun = briefly(problem)
        found = self.simulate_short(begun)
        if begun is problem:
            return found
        if not found.stopped:
            return replace(found, problem=problem)
        return self.simulate_long(problem)

    def simulate_short(self, problem: Problem) -> Trajectory:
        """A run that is made here and now; that it was slow is remembered for its kind."""
        began = time.thread_time()
        found = nhviz.simulate(problem)
        if time.thread_time() - began > SLOW:
            self.slow_until[problem.system, problem.method] = time.monotonic() + SUSPICION
        return found

    def was_slow(self, problem: Problem) -> bool:
        """Whether a run of this kind was slow a while ago."""
        return time.monotonic() < self.slow_until.get((problem.system, problem.method), 0.0)

    def simulate_long(self, problem: Problem) -> Trajectory:
        """A run that is made in its turn."""
        left = self.left()
        with self.said():
            return entries.decode(self.made(jobs.of_run(problem, self.seconds - left.seconds), left), problem)

    def table(self, problems: Mapping[str, Problem]) -> bytes:
        """A table of runs, which is made in its turn, all within the time of a request."""
        return self.make(jobs.of_table(problems))

    def make(self, job: Job) -> bytes:
        """What a job makes in its turn, or a ParameterError that says why it is not made."""
        with self.said():
            return self.made(job, self.left())

    def made(self, job: Job, left: Allowance) -> bytes:
        """What a job makes; its time is taken from the allowance."""
        with self.places.place(left.client):
            left.let_others()
            found, seconds = self.ordered(job, left) if orders.channels else self.made_here(job, left)
        left.seconds -= seconds
        return found

    def ordered(self, job: Job, left: Allowance) -> tuple[bytes, float]:
        """What the workshop makes of a job, and the seconds that it took."""
        return orders.order(job, left.client, left.seconds, left.until, left.is_gone)

    def made_here(self, job: Job, left: Allowance) -> tuple[bytes, float]:
        """What this thread makes of a job, in its turn, and the seconds that it took."""
        if not self.here.acquire(timeout=max(0.0, left.until - time.monotonic())):
            raise BusyError
        try:
            began = time.thread_time()
            return jobs.perform(job, left.seconds), time.thread_time() - began
        finally:
            self.here.release()


def is_long(problem: Problem) -> bool:
    """Whether a run is known to take long."""
    system = find(problem.system)
    if system.method(problem.method).discrete:
        many = problem.steps * system.size(dict(problem.params)) > SHORT_MAP
        return many or (problem.steps > FEW_STEPS and not is_usual(system, problem))
    return problem.samples * system.size(dict(problem.params)) > SHORT_FLOW


def is_usual(system: System, problem: Problem) -> bool:
    """Whether all numbers of a problem are within their sliders.

    A step of an explicit scheme takes as long whatever its length and its gains are.
    """
    method = system.method(problem.method)
    own = () if method.stable_gains is not None else (*method.options, system.step)
    values = dict(problem.params) | dict(problem.initial) | dict(problem.options) | {system.step.name: problem.step}
    declared = (*system.parameters, *system.initial, *own)
    sliders = ((one, values[one.name]) for one in declared if isinstance(one, Parameter) and one.name in values)
    return all(is_within(one, value, problem.step) for one, value in sliders)


def is_within(number: Parameter, value: float, step: float) -> bool:
    """Whether a value is within the slider of a number, or its range if it has none, but for round-off."""
    low, high = number.slider or (number.minimum, number.maximum)
    scale = 1.0 / step if number.per_step else 1.0
    room = 1e-9 * (abs(low) + abs(high)) * scale
    return low * scale - room <= value <= high * scale + room


def briefly(problem: Problem) -> Problem:
    """The same problem with a budget of internal steps that is spent soon, if it is a flow with a larger one."""
    system = find(problem.system)
    few = max(1, SHORT_FLOW // system.size(dict(problem.params)))
    if system.method(problem.method).discrete or (problem.budget is not None and problem.budget <= few):
        return problem
    return replace(problem, budget=few)
