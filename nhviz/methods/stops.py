"""Why a run ended early: one sentence, with the number of steps that were made and the number that explains it.

The steps made are those between samples that the run would keep if it kept every one.
"""

import re

MADE = re.compile(r"after step (\d+)")


def steps_made(reason: str) -> int | None:
    """How many steps a run made that ended for this reason; None where its sentence does not count them."""
    found = MADE.search(reason)
    return int(found[1]) if found else 0 if after(0) in reason else None


def after(steps: int) -> str:
    """When a run ended, after so many steps."""
    return f"after step {steps}" if steps > 0 else "before the first step is complete"


def no_branch(steps: int, ending: str, step: float, bound: str = "") -> str:
    """A map whose branch, of which `ending` tells, has no real displacement; `bound` ends the sentence."""
    return f"no real branch {after(steps)}: the {ending} with step {abs(step):.6g}{bound}."


def folded(steps: int, step: float, largest: float) -> str:
    """A map whose principal branch has folded at a momentum with this largest step."""
    return no_branch(
        steps, "principal branch has folded", step, f"; the largest admissible step there is {largest:.6g}"
    )


def at_energy(largest: float | None) -> str:
    """The largest step of an energy, if there is one, as the end of a sentence."""
    return "" if largest is None else f"; the largest admissible step at this energy is {largest:.6g}"
