"""Runs of one problem with ever shorter steps: the rungs of a ladder, what each errs by, and what it loses."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from time import thread_time

import numpy as np

from nhviz import registry
from nhviz.analysis.drift import drift_of
from nhviz.analysis.errors import distance, parts_of_state, sum_of_squares
from nhviz.analysis.ladder import ROUND_OFF
from nhviz.parameters import Parameter
from nhviz.problem import Problem, Trajectory
from nhviz.simulate import simulate
from nhviz.system import Method

PER_HALVING = 2
"""Rungs for every halving of the step."""
ENOUGH = 1.0
"""Seconds of the processor for all rungs of a ladder."""
ALIKE = 1e-9
"""Steps that differ by a smaller share of themselves are the same."""
KEPT = 600
"""Samples of a run along which a drift is looked for, about."""


def counts(longest: int, halvings: int, most: int) -> list[int]:
    """The numbers of steps of the rungs: from that of the longest step on by equal factors, halved so often.

    No rung has more steps than `most`.
    """
    shares = 2.0 ** (np.arange(PER_HALVING * halvings + 1) / PER_HALVING)
    found = sorted({sampled(round(longest * share)) for share in shares if longest * share <= most})
    return found or [longest]


def fewest(duration: float, step: float) -> int:
    """The least number of equal steps to a time, none of them longer than a given one."""
    return max(1, int(np.ceil(duration / step * (1.0 - ALIKE))))


def sampled(count: int) -> int:
    """A number of steps near to one, of which so many are kept that the last is among them."""
    return count // every(count) * every(count)


def every(count: int) -> int:
    """Which steps of a run are kept."""
    return -(-count // KEPT)


def gains(method: Method) -> tuple[str, ...]:
    """The options of a method that are gains, given in multiples of 1/step."""
    return tuple(o.name for o in method.options if isinstance(o, Parameter) and o.per_step)


def on_rung(problem: Problem, duration: float, count: int, growing: bool = False, whole: bool = False) -> Problem:
    """The run of so many steps to the same end. Gains are held, or `growing` as 1/step.

    It has its two ends alone, or as a `whole` the samples along which drifts are looked for.
    """
    options, step = dict(problem.options), duration / count
    if growing:
        names = gains(registry.find(problem.system).method(problem.method))
        options |= {name: options[name] * problem.step / step for name in names}
    kept = every(count) if whole else count
    return replace(problem, duration=duration).by(problem.method, step, kept, options)


@lru_cache(maxsize=256)
def made(problem: Problem) -> Trajectory:
    """The run of a rung, which is small; the latest are kept."""
    return simulate(problem)


def climbed(rungs: Sequence[Problem]) -> list[Trajectory]:
    """The runs of rungs, ever finer ones, as many as can be made in good time.

    Each takes about as much longer than the one before as it has more steps, so that the last is not late by much.
    """
    begun, found = thread_time(), list[Trajectory]()
    for rung in rungs:
        if found and thread_time() - begun > ENOUGH:
            break
        found.append(made(rung))
    return found


def true_ends(problem: Problem, duration: float) -> Problem:
    """The motion itself, at its two ends alone."""
    truth = registry.find(problem.system).truth.id
    return replace(problem, duration=duration).by(truth, duration, 1, {})


def end_error(run: Trajectory, truth: Trajectory, part: str) -> float:
    """How far a run is off at the end in one part of its state (`nhviz.analysis.errors`); NaN if it ended early."""
    if run.stopped or truth.stopped:
        return float("nan")
    return float(distance(run, truth, part)[-1])


def greatest_drift(run: Trajectory, quantity: str) -> float:
    """The greatest drift of a quantity along a run; NaN if it ended early."""
    return float("nan") if run.stopped else float(drift_of(run, quantity).max())


def floor_of_error(truth: Trajectory, part: str) -> float:
    """The size of an error that may be round-off: of lengths that of the greatest one, else that of 1."""
    if part != "Path":
        return ROUND_OFF
    lengths = sum_of_squares([truth[c.name] for c in truth.remember(parts_of_state)[part]])
    return ROUND_OFF * max(1.0, float(np.sqrt(lengths.max())))
