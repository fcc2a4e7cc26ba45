"""What is said of errors over steps: orders, who errs less with short steps, where that changes; and the numbers."""

import numpy as np

from nhviz.analysis import pace
from nhviz.analysis.asymptotic import crossing
from nhviz.frame.said import Said, Sentence, Statistic, method, number, readable, sentence
from nhviz.frame.shown import Shown
from nhviz.labs.convergence.ladders import OF, Ladder, ladders
from nhviz.labs.convergence.subjects import BY_SYSTEM, INTEGRAL
from nhviz.views import sentences

TOLD = 3
"""Of so many methods a sentence tells the order."""
CLEARLY = 1.05
"""Errors that differ by a smaller factor are alike."""
SMALLEST = 1e-4
"""An uncertainty below is told as this one."""
WORDS = {1: "first order", 2: "second order", 4: "fourth order"}
NEARLY = 0.15
"""An order so near to a whole number is that."""
NO_STEP = sentence("A run without a step cannot err: raise the duration.")
Parts = list[str | Said]


def said(shown: Shown) -> Sentence:
    """Who is exact, the orders of the others, then who errs less and where they cross."""
    found = ladders(shown)
    if not found:
        return NO_STEP
    exact = [name for name, one in found.items() if one.is_round_off]
    rest = {name: one for name, one in found.items() if name not in exact}
    if len(rest) == 1 and not exact and (alone := example(shown, *rest.values())):
        return alone
    more = () if exact else compared(shown, rest)
    return sentences.joined(exactly(shown, exact, not rest), orders(shown, rest) if rest else (), more)


def is_drift(shown: Shown) -> bool:
    """Whether the pictures are about an integral."""
    return shown.choice(OF).startswith(INTEGRAL)


def exactly(shown: Shown, names: list[str], all_of_them: bool) -> Sentence:
    """Which methods err by round-off alone, if any do."""
    if not names:
        return ()
    what = BY_SYSTEM[shown.system.id].questions[shown.choice(OF)]
    verb = ("keep" if is_drift(shown) else "find") + ("s" if len(names) == 1 else "")
    who: Parts = ["All methods"] if all_of_them and len(names) > 1 else listed(shown, names)
    always = ", whatever the step." if all_of_them else "."
    return sentence(*who, f" {verb} the {what} to ", number("round-off"), always)


def named(order: float) -> str:
    """An order in words where it is that of a scheme, else its number."""
    whole = round(order)
    return WORDS[whole] if whole in WORDS and abs(order - whole) < NEARLY else f"order {readable(order, 2)}"


def order_of(one: Ladder) -> str:
    """The order of a ladder in words; nothing where it has none."""
    return "" if one.fit is None else named(one.fit.order)


def orders(shown: Shown, found: dict[str, Ladder]) -> Sentence:
    """Which methods have which order, of no more than a few."""
    groups: dict[str, list[str]] = {}
    for name, one in list(found.items())[:TOLD]:
        if one.fit is not None:
            groups.setdefault(order_of(one), []).append(name)
    parts: Parts = []
    drift = is_drift(shown)
    for told, names in groups.items():
        if parts:
            whose: Parts = ["that of "] if drift else []
            parts += [", ", *whose, *listed(shown, names), " of ", number(told.removesuffix(" order"))]
        else:
            whose = ["The drift of ", *listed(shown, names, "both maps")] if drift else listed(shown, names)
            parts += [*whose, " are of " if len(names) > 1 and not drift else " is of ", number(told)]
    return sentence(*parts, ".") if parts else sentence("No slope can be told yet: halve the step more often.")


def listed(shown: Shown, names: list[str], both: str = "Both maps") -> Parts:
    """Methods by their names, with what joins them; two maps, if there are no others, are both maps."""
    maps = [name for name in shown.runs if shown.method(name).stable_gains is None]
    if len(maps) == 2 and names == maps:
        return [both]
    parts: Parts = []
    for i, name in enumerate(names):
        parts += ["" if i == 0 else " and " if i == len(names) - 1 else ", ", method(shown.looks[name])]
    return parts


def example(shown: Shown, one: Ladder) -> Sentence:
    """The order of a method that is alone, and by how much it errs with the shortest and with the longest step."""
    chosen = np.flatnonzero(one.known & (one.errors > one.floor))
    if one.fit is None:
        return ()
    chosen = chosen[np.argsort(one.steps[chosen])]
    (short, first), (long, last) = (
        (number(readable(float(one.steps[i]), 2), "s"), number(readable(float(one.errors[i]), 2)))
        for i in (chosen[0], chosen[-1])
    )
    whose = (
        ("The drift of ", method(shown.looks[one.variant])) if is_drift(shown) else (method(shown.looks[one.variant]),)
    )
    deed = ": it is " if is_drift(shown) else ": it errs by "
    return sentence(
        *whose, " is of ", number(named(one.fit.order)), deed, first, " with ", short, ", ", last, " with ", long, "."
    )


def compared(shown: Shown, found: dict[str, Ladder]) -> Sentence:
    """Which of two methods errs less with the shortest step, and where they cross: of one order, if there are such."""
    pair = first_pair(found)
    if pair is None:
        return ()
    one, other = pair
    both = one.known & other.known & (np.minimum(one.errors, other.errors) > one.floor)
    if not both.any():
        return ()
    shortest = int(np.flatnonzero(both)[np.argmin(one.steps[both])])
    better, worse = (one, other) if one.errors[shortest] < other.errors[shortest] else (other, one)
    times = float(worse.errors[shortest] / better.errors[shortest])
    name, second = (method(shown.looks[each.variant]) for each in (better, worse))
    verb = " drifts " if is_drift(shown) else " errs "
    if times < CLEARLY:
        return sentence("With short steps both err alike.")
    cross = crossing(one.steps[both], one.errors[both], other.errors[both])
    if cross is None:
        return sentence(name, verb, number(f"{readable(times, 2)} times"), " less with short steps.")
    beyond = (", ", second, " beyond ", number(readable(cross, 2), "s"), ".")
    return sentence(name, verb, number(f"{readable(times, 2)} times"), " less with short steps", *beyond)


def first_pair(found: dict[str, Ladder]) -> tuple[Ladder, Ladder] | None:
    """The first two methods of one order, else the first two; they have the same steps."""
    fitted = [one for one in found.values() if one.fit is not None]
    for i, one in enumerate(fitted):
        for other in fitted[i + 1 :]:
            if order_of(one) == order_of(other) and one.steps.size == other.steps.size:
                return one, other
    return (fitted[0], fitted[1]) if len(fitted) > 1 and fitted[0].steps.size == fitted[1].steps.size else None


def notes(shown: Shown) -> dict[str, str]:
    """What each chip says: the measured order."""
    return {shown.looks[name].key: note(one) for name, one in ladders(shown).items()}


def note(one: Ladder) -> str:
    """The measured order, or why there is none."""
    if one.is_round_off:
        return "round-off"
    return "no slope" if one.fit is None else f"order {one.fit.order:.2f}"


def readout(shown: Shown) -> tuple[Statistic, ...]:
    """How many runs there are, which steps were fitted, how runs were timed, and the orders with their uncertainty."""
    found = ladders(shown)
    runs = sum(one.steps.size for one in found.values())
    fitted = [(name, one.fit) for name, one in found.items() if one.fit is not None]
    slopes = tuple(
        Statistic(f"Order, {shown.looks[name].label}", f"{fit.order:.3f}", f"± {max(fit.uncertainty, SMALLEST):.1g}",
                  shown.looks[name].key)
        for name, fit in fitted[:TOLD]
    )  # fmt: skip
    timed = Statistic("Times", "best of", f"{pace.FEWEST} to {pace.BEST_OF}", rare=True)
    return (Statistic("Runs", str(runs)), *slopes, timed) if found else ()
