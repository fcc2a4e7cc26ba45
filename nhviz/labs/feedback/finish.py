"""The finish of the race as a table: what each run lost, how far it is off the truth, what a step of it costs."""

from math import log10

from nhviz.figures.palette import SYMBOLS
from nhviz.frame.said import readable, with_unit
from nhviz.frame.shown import Shown
from nhviz.frame.text import Cell, Ranking, Row, Text, Words
from nhviz.labs.feedback import results
from nhviz.labs.feedback.racers import PULLED_RK4, RK4
from nhviz.labs.feedback.results import Result
from nhviz.labs.feedback.thing import is_truth, unit
from nhviz.system import Quantity
from nhviz.views import numbers
from nhviz.views.pictures import in_words

SHORTEST = 1.5
"""The bar of the smallest error is of so many powers of ten."""
WORSE = 2.0
"""A drift so many times as large is worth a word."""
NOTHING = (Words("Choose a method above."),)


def finish(shown: Shown) -> Text:
    """All runs, and which of them one would take."""
    if not shown.runs:
        return NOTHING
    found = results.results(shown)
    taken = results.chosen(found)
    lost, kept = told(shown, found)
    rows = [truth_row(shown, name, lost) for name in shown.runs if is_truth(shown, name)]
    rows += [row(shown, one, found, lost, one is taken) for one in found.values()]
    head = (*(lowered(in_words(q)) for q in lost), "off the truth", "field / step", "time / step")
    corner = f"After {shown.values['duration']:g} s, step {shown.step:g} s"
    return (Ranking(corner, head, tuple(rows), " ".join(filter(None, (keeping(kept), worse(shown, found))))),)


def lowered(text: str) -> str:
    """Words in the middle of a line."""
    return text[0].lower() + text[1:]


def told(shown: Shown, found: dict[str, Result]) -> tuple[list[Quantity], list[Quantity]]:
    """The quantities that some run loses, which have a column each, and those that all keep to round-off."""
    lost = [q for q in shown.system.quantities if any(one.drifts[q.id] >= numbers.ROUND_OFF for one in found.values())]
    return lost, [q for q in shown.system.quantities if q not in lost]


def keeping(kept: list[Quantity]) -> str:
    """What all runs keep."""
    names = [lowered(in_words(q)) for q in kept]
    listed = " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))
    return f"All keep the {listed} to round-off." if names else ""


def truth_row(shown: Shown, variant: str, lost: list[Quantity]) -> Row:
    """The motion itself: what it drifts by is round-off, and it is off nothing."""
    drifts = (Cell(drifted(numbers.greatest(shown, variant, q.id))) for q in lost)
    cost = "closed" if shown.method(variant).order_with() is None else "adaptive"
    cells = (*drifts, Cell("truth"), Cell(cost), Cell(timed(results.seconds_a_step(shown, variant))))
    look = shown.looks[variant]
    return Row(look.key, look.label, shown.state.scene.slots[look.key], "line", cells)


def row(shown: Shown, one: Result, found: dict[str, Result], lost: list[Quantity], taken: bool) -> Row:
    """A run with its drifts, its error on a logarithmic bar, its evaluations, and how long a step takes."""
    drifts = (
        Cell(drifted(one.drifts[q.id]), is_best(one.drifts[q.id], [other.drifts[q.id] for other in found.values()]))
        for q in lost
    )
    offs = [other.off for other in found.values()]
    error = "round-off" if one.is_exact else with_unit(compact(one.off), unit(shown))
    cells = (
        *drifts,
        Cell("stopped" if one.stopped else error, is_best(one.off, offs) and not one.stopped, bar(one.off, offs)),
        Cell("solves" if one.stages is None else str(one.stages)),
        Cell(timed(results.seconds_a_step(shown, one.variant))),
    )
    look, slot = shown.looks[one.variant], shown.state.scene.slots[shown.looks[one.variant].key]
    return Row(look.key, look.label, slot, SYMBOLS[slot], cells, taken)


def drifted(drift: float) -> str:
    """The largest drift of a quantity in two digits."""
    return "kept" if drift < numbers.ROUND_OFF else compact(drift)


def compact(value: float) -> str:
    """A number of two digits, in little room."""
    return readable(value, 2).replace(" · ", "·")


def is_best(value: float, column: list[float]) -> bool:
    """Whether a number is the least of its column, or round-off; where all are, none is marked."""
    least = max(min(column), numbers.ROUND_OFF)
    return value <= least < max(column)


def bar(value: float, column: list[float]) -> float | None:
    """How long the bar of an error is, on a logarithmic scale; the largest has all, round-off none."""
    if value < numbers.ROUND_OFF:
        return None
    low, high = (log10(max(end, numbers.ROUND_OFF)) for end in (min(column), max(column)))
    return (log10(max(value, numbers.ROUND_OFF)) - low + SHORTEST) / (high - low + SHORTEST)


def timed(seconds: float) -> str:
    """A time in one digit: it is measured, and another time it is a little different."""
    return f"≈ {float(f'{1e6 * seconds:.0e}'):g} µs"


def worse(shown: Shown, found: dict[str, Result]) -> str:
    """Where the pull makes things worse, it is said."""
    if RK4 not in found or PULLED_RK4 not in found or shown.values.get("off", 0.0):
        return ""
    first = shown.system.quantities[0]
    plain, pulled = (max(found[name].drifts[first.id], numbers.ROUND_OFF) for name in (RK4, PULLED_RK4))
    if pulled < WORSE * plain:
        return ""
    return f"With feedback the {first.title} of RK4 drifts {readable(pulled / plain, 2)} times more."
