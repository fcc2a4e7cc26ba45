"""The errors of all chosen methods over their steps, with their slopes and where each ends: found once for a page."""

from dataclasses import dataclass

import numpy as np

from nhviz.analysis import pace, work_precision
from nhviz.analysis.asymptotic import Fit, fit
from nhviz.analysis.ladder import ROUND_OFF
from nhviz.frame.shown import Shown
from nhviz.labs.convergence.subjects import BY_SYSTEM, GROWING, INTEGRAL
from nhviz.once import once
from nhviz.problem import Problem, Trajectory
from nhviz.system import Array
from nhviz.views import numbers

OF, HALVINGS = "by_step.of", "by_step.halvings"
"""The words of what is measured, and of how often the longest step is halved."""
FEWEST = 8
"""Of a run with more steps than the finest rung may have, even so many times fewer, only the beginning is measured."""


@dataclass(frozen=True)
class Limit:
    """The step from which on a method does not go any more, and what that is."""

    step: float
    what: str


@dataclass(frozen=True, eq=False)
class Ladder:
    """The errors of one variant over its steps, NaN where its run ended early; below the floor they are round-off."""

    variant: str
    duration: float
    steps: Array
    errors: Array
    floor: float
    problems: tuple[Problem, ...]
    limit: Limit | None

    @once
    def fit(self) -> Fit | None:
        """The slope at the shortest steps."""
        return fit(self.steps, self.errors, self.floor)

    @property
    def known(self) -> Array:
        """Which of the errors can be shown on a logarithmic scale."""
        return np.isfinite(self.errors) & (self.errors > 0.0)

    @property
    def is_round_off(self) -> bool:
        """Whether it errs by nothing but round-off."""
        whole = self.errors[np.isfinite(self.errors)]
        return bool(whole.size) and bool(whole.max() <= self.floor)

    @once
    def seconds(self) -> Array:
        """What each run takes, measured; NaN where it ended early."""
        return np.array(
            [
                pace.run_time(problem) if np.isfinite(error) else np.nan
                for problem, error in zip(self.problems, self.errors, strict=True)
            ]
        )


def ladders(shown: Shown) -> dict[str, Ladder]:
    """The ladders of all chosen variants, found once."""
    return shown.remember(all_ladders)


def all_ladders(shown: Shown) -> dict[str, Ladder]:
    """The ladders of all chosen variants; none of a run without steps."""
    return {name: ladder(shown, name) for name, problem in shown.problems.items() if problem.steps > 0}


def ladder(shown: Shown, variant: str) -> Ladder:
    """The ladder of a variant, from its longest step down.

    With that one it is a run of the page, which is known to be no long one; a shorter step takes no longer.
    """
    problem, most, asked = shown.problems[variant], BY_SYSTEM[shown.system.id].most, shown.choice(OF)
    duration = min(shown.values["duration"], most // FEWEST * problem.step)
    counts = work_precision.counts(work_precision.fewest(duration, problem.step), halvings(shown), most)
    whole = asked.startswith(INTEGRAL)
    rungs = [work_precision.on_rung(problem, duration, count, variant == GROWING, whole) for count in counts]
    runs = work_precision.climbed(rungs)
    errors, floor = measured(shown, runs, work_precision.true_ends(problem, duration), asked)
    steps = duration / np.array(counts[: len(runs)], dtype=float)
    ends = limit(shown, variant, steps, errors)
    return Ladder(variant, duration, steps, errors, floor, tuple(rungs[: len(runs)]), ends)


def halvings(shown: Shown) -> int:
    """How often the longest step is halved."""
    return int(shown.state.number(HALVINGS))


def measured(shown: Shown, runs: list[Trajectory], truth: Problem, asked: str) -> tuple[Array, float]:
    """What each run errs by in what is asked, or loses of it; and the size of round-off in that."""
    if asked.startswith(INTEGRAL):
        quantity = asked.removeprefix(INTEGRAL)
        return np.array([work_precision.greatest_drift(run, quantity) for run in runs]), ROUND_OFF
    ends, part = shown.run(shown.admitted(truth)), asked.capitalize()
    return np.array([work_precision.end_error(run, ends, part) for run in runs]), work_precision.floor_of_error(
        ends, part
    )


def limit(shown: Shown, variant: str, steps: Array, errors: Array) -> Limit | None:
    """Where a method ends: at its fold, where held gains are unstable, or else at the first step that ends early."""
    fold = shown.largest_steps.get(variant)
    if fold is not None:
        return Limit(fold, "fold")
    stable = None if variant == GROWING else numbers.stable_pull(shown, variant)
    if stable:
        # With held gains, step * Lambda grows as the step does.
        return Limit(stable * shown.step, "stable up to")
    lost = steps[np.isnan(errors)]
    return Limit(float(lost.min()), "ends early from") if lost.size else None
