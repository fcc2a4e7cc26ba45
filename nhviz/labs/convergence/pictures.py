"""The two large pictures, errors against the step and against time, and the same numbers as a table."""

import numpy as np

from nhviz.analysis import pace
from nhviz.figures import work
from nhviz.figures.style import Picture
from nhviz.figures.work import Curve, End, Slope
from nhviz.frame.said import readable
from nhviz.frame.shown import Shown
from nhviz.frame.text import Lines, Table, Text, Words
from nhviz.labs.convergence.ladders import OF, Ladder, ladders
from nhviz.labs.convergence.subjects import BY_SYSTEM, INTEGRAL
from nhviz.views.pictures import MEASURED_IN

TRIED = f"best of up to {pace.BEST_OF}"
NOTHING = (Words("Choose a method above."),)


def upwards(shown: Shown) -> str:
    """What is measured, with its unit, and when."""
    asked, found = shown.choice(OF), ladders(shown)
    if asked.startswith(INTEGRAL):
        return f"drift of the {BY_SYSTEM[shown.system.id].questions[asked]}"
    lasts = next((one.duration for one in found.values()), shown.values["duration"])
    return f"error of the {asked} ({MEASURED_IN[asked.capitalize()]}) at <i>t</i> = {lasts:.4g} s"


def slope_of(ladder: Ladder) -> Slope | None:
    """The measured slope and where it was measured."""
    found = ladder.fit
    if found is None:
        return None
    steps = ladder.steps[found.chosen]
    return Slope(found.order, found.uncertainty, float(steps.min()), float(steps.max()))


def over_steps(shown: Shown) -> Picture:
    """Errors against the step, with the slopes at the shortest ones, and where each method ends."""
    found = ladders(shown)
    curves = [
        Curve(shown.looks[name], one.steps[one.known], one.errors[one.known], slope_of(one))
        for name, one in found.items()
    ]
    ends = [
        End(shown.looks[name], one.limit.step, f"{one.limit.what} {readable(one.limit.step, 3)} s")
        for name, one in found.items()
        if one.limit is not None
    ]
    return work.over_steps(shown.theme, curves, ends, upwards(shown))


def over_time(shown: Shown) -> Picture:
    """Errors against what a run takes on this computer."""
    curves = [
        Curve(shown.looks[name], 1e3 * one.seconds[one.known], one.errors[one.known])
        for name, one in ladders(shown).items()
    ]
    return work.over_time(shown.theme, curves, upwards(shown), TRIED)


def table(shown: Shown) -> Text:
    """The same numbers, and the lines that give them."""
    found = ladders(shown)
    blocks: list[Words | Lines | Table] = []
    for name, one in found.items():
        rows = tuple(
            (str(problem.steps), f"{step:.6g}", "ended early" if np.isnan(error) else f"{error:.4e}")
            for problem, step, error in zip(one.problems, one.steps, one.errors, strict=True)
        )
        fitted = one.fit
        note = (
            f"Slope {fitted.order:.3f} ± {fitted.uncertainty:.3f}, from {fitted.chosen.size} steps." if fitted else ""
        )
        blocks.append(Table(shown.looks[name].label, ("steps", "step (s)", "error"), rows, note))
    return (*blocks, python(shown)) if blocks else NOTHING


def python(shown: Shown) -> Lines:
    """The lines that measure the first method: its errors and their slope."""
    one = next(iter(ladders(shown).values()))
    first = one.problems[0]
    counts = ", ".join(str(problem.steps) for problem in one.problems)
    options = "".join(f", {name}={value!r}" for name, value in first.options)
    lines = [
        "from nhviz.analysis import asymptotic, convergence",
        "",
        f"counts = [{counts}]",
        "found = convergence.convergence(",
        f"    {first.system!r}, {first.method!r}, [{one.duration!r} / count for count in counts], {one.duration!r},",
        f"    params={dict(first.params)!r},",
        f"    initial={dict(first.initial)!r}{options})",
        "asymptotic.fit(found.steps, found.errors, floor=1e-9)   # order, uncertainty, which steps",
    ]
    return Lines("\n".join(lines))
