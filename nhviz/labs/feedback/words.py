"""What is said of the race: whether the pull helps, which run one would take, and the numbers below the pictures."""

import numpy as np

from nhviz.frame.said import Gauge, Lane, Said, Sentence, Statistic, method, number, readable, sentence
from nhviz.frame.shown import Shown
from nhviz.labs.feedback import results
from nhviz.labs.feedback.racers import EULER, PLAIN_OF, PULLED_EULER
from nhviz.labs.feedback.results import Result
from nhviz.labs.feedback.thing import is_truth, off, unit
from nhviz.methods.stability import BOUNDS
from nhviz.views import numbers, sentences

COUNTS = {1: "one evaluation", 4: "four evaluations"}
BETTER = 1.25
"""What changes by less than this factor stays as it is."""
BACK = 0.05
"""A run is back on the constraint when no more than this share of what it was off by is left."""
Parts = tuple[str | Said, ...]


def said(shown: Shown) -> Sentence:
    """Whether the pull helps, and which run one would take; off the constraint, whether it falls back."""
    if shown.values.get("off", 0.0):
        return falling(shown)
    found = results.results(shown)
    told = sentences.joined(beyond(shown) or helping(shown, found), taking(shown, found))
    return told or sentences.usual(shown)


def helping(shown: Shown, found: dict[str, Result]) -> Sentence:
    """What the pull does to the first scheme that runs with it and without it."""
    pairs = [(found[plain], found[pulled]) for pulled, plain in PLAIN_OF.items() if {plain, pulled} <= set(found)]
    if not pairs:
        return ()
    plain, pulled = pairs[0]
    name = method(shown.looks[plain.variant])
    if plain.is_exact and pulled.is_exact:
        return sentence(name, " is exact here, and the pull has nothing to correct.")
    times = max(plain.off, numbers.ROUND_OFF) / max(pulled.off, numbers.ROUND_OFF)
    before, after = (number(readable(one.off, 2), unit(shown)) for one in (plain, pulled))
    drift = drift_ratio(shown, plain, pulled)
    if times > BETTER:
        more: Parts = (" and its energy drift ", number(f"{readable(drift, 2)} times")) if drift > BETTER else ()
        return sentence("Feedback cuts ", name, "’s error from ", before, " to ", after, *more, ".")
    if times < 1.0 / BETTER:
        less: Parts = (
            (", though its energy drifts ", number(f"{readable(drift, 2)} times"), " less") if drift > BETTER else ()
        )
        return sentence("Feedback raises ", name, "’s error from ", before, " to ", after, *less, ".")
    if drift > BETTER:
        return sentence("Feedback cuts ", name, "’s energy drift ", number(f"{readable(drift, 2)} times"),
                        ", its error stays ", after, ".")  # fmt: skip
    return sentence(name, " keeps its integrals by itself: the pull leaves its error at ", after, ".")


def drift_ratio(shown: Shown, plain: Result, pulled: Result) -> float:
    """How many times less the energy drifts with the pull."""
    first = shown.system.quantities[0].id
    return max(plain.drifts[first], numbers.ROUND_OFF) / max(pulled.drifts[first], numbers.ROUND_OFF)


def taking(shown: Shown, found: dict[str, Result]) -> Sentence:
    """Which run one would take, and what a step of it costs."""
    one = results.chosen(found)
    if one is None or len(found) < 2:
        return ()
    name = method(shown.looks[one.variant])
    cost = f"at {COUNTS[one.stages]} a step." if one.stages in COUNTS else "which solves an equation each step."
    needless = one.variant in PLAIN_OF.values() and not (one.variant == EULER and one.is_exact)
    return sentence(name, " needs none: take it, ", cost) if needless else sentence("Take ", name, ", ", cost)


def beyond(shown: Shown) -> Sentence:
    """That the pull is past the bound of a scheme which arrives all the same."""
    for lane in lanes(shown):
        pull = shown.values["pull"]
        if lane.bound is not None and pull > lane.bound:
            variant = next(name for name in shown.runs if shown.looks[name].key == lane.key)
            limit = BOUNDS[str(shown.panel.ways[variant].options["base"])]
            reached = number(readable(pull / lane.bound * limit, 3))
            return sentence(
                "Beyond the bound: ", method(shown.looks[variant]), " has εΛ = ", reached, " of ",
                number(readable(limit, 4) if limit != 2.0 else "2"), ", and yet it arrives.",
            )  # fmt: skip
    return ()


def falling(shown: Shown) -> Sentence:
    """How soon a run with feedback falls back onto the constraint, and how far off a plain one stays."""
    quantity = constraint(shown)
    pulled = next((name for name in PLAIN_OF if name in shown.runs), None)
    if pulled is None or not quantity:
        return sentence("The start is off the constraint, and nothing pulls it back.")
    run, plain = shown.runs[pulled], PLAIN_OF[pulled]
    away = np.abs(run.quantity(quantity))
    near = np.flatnonzero(away <= BACK * away[0])
    name, start = method(shown.looks[pulled]), number(readable(float(away[0]), 2))
    parts: list[str | Said] = ["Started ", start, " off the constraint, ", name]
    if near.size:
        parts += [" is down to ", number("5 %"), " of that after ", number(readable(float(run.t[near[0]]), 2), "s")]
    else:
        parts += [" is still off by ", number(readable(float(away[-1]), 2)), " at the end"]
    if plain in shown.runs:
        left = float(np.abs(shown.runs[plain].quantity(quantity)[-1]))
        parts += ["; ", method(shown.looks[plain]), " ends ", number(readable(left, 2)), " off"]
    return sentence(*parts, ".")


def constraint(shown: Shown) -> str:
    """The constraint that the first scheme is off the most at its start; nothing without a scheme."""
    run = next((shown.runs[name] for name in (*PLAIN_OF, *PLAIN_OF.values()) if name in shown.runs), None)
    names = [q.id for q in shown.system.quantities if q.id.startswith("constraint")]
    return max(names, key=lambda name: abs(float(run.quantity(name)[0]))) if run else ""


def readout(shown: Shown) -> tuple[Statistic, ...]:
    """How far the first scheme is off now, and with feedback, and the largest stability number."""
    found = []
    for name in shown.runs:
        if not is_truth(shown, name) and name in (EULER, PULLED_EULER):
            found.append(off_now(shown, name, "With feedback" if name in PLAIN_OF else "Off now"))
    others = [name for name in shown.runs if not is_truth(shown, name)]
    if not found and others:
        found.append(off_now(shown, others[0], "Off now"))
    return (*found, *stability(shown))[: numbers.MOST]


def off_now(shown: Shown, variant: str, label: str) -> Statistic:
    """How far a run is off the truth, at the clock's instant."""
    away = off(shown, variant)
    run = shown.runs[variant]
    # Where the truth ends before a run does, how far that is off is not known any more.
    held = np.concatenate([away, np.full(len(run) - len(away), away[-1])])
    values = held[shown.points(run)]
    text = readable(float(values[0]), 3)
    return Statistic(label, text, unit(shown), shown.looks[variant].key, values, size=True)


def stability(shown: Shown) -> list[Statistic]:
    """The largest stability number of the first run with feedback, of what its scheme allows."""
    for name in PLAIN_OF:
        if name in shown.runs:
            limit = BOUNDS[str(shown.panel.ways[name].options["base"])]
            value = readable(shown.runs[name].greatest("stability"), 3)
            return [Statistic("Stability εΛ", value, f"of {limit:.4g}", shown.looks[name].key)]
    return []


def lanes(shown: Shown) -> list[Lane]:
    """The lanes of the gauge, found once."""
    return shown.remember(all_lanes)


def all_lanes(shown: Shown) -> list[Lane]:
    """How far the pull can go for each run with feedback, with the stability number that it has now."""
    found = []
    for name in PLAIN_OF:
        if name in shown.runs:
            look, bound = shown.looks[name], numbers.stable_pull(shown, name)
            limit = BOUNDS[str(shown.panel.ways[name].options["base"])]
            now = "" if bound is None else f"εΛ {readable(shown.values['pull'] / bound * limit, 3)} of {limit:.4g}"
            found.append(Lane(look.key, look.label, bound, "stable", now or "no bound"))
    return found


def gauges(shown: Shown) -> tuple[Gauge, ...]:
    """The pull, with a lane for each run with feedback."""
    return (numbers.gauge(shown, "pull", lanes(shown)),)
