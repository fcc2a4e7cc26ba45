"""Numbers below the pictures, and how far a number can go. Each says whose it is."""

import math
from collections.abc import Callable
from dataclasses import replace
from decimal import ROUND_FLOOR, Context
from typing import Any

import numpy as np

from nhviz.analysis.drift import drift_of
from nhviz.figures.style import picked
from nhviz.frame.said import Gauge, Lane, Statistic, Stop, readable, with_unit
from nhviz.frame.shown import Shown
from nhviz.methods import stops as reasons
from nhviz.parameters import Choice, Parameter, ParameterError
from nhviz.problem import Trajectory

MOST = 5
"""A page has room for so many statistics."""
ROUND_OFF = 1e-12
"""Drifts below are those of rounding: a run of a million steps adds up no more."""
SAFE = 0.95
"""Next to its bound a stable feedback forgets too slowly: so much of it works."""
TRIES = 8


def statistics(shown: Shown) -> tuple[Statistic, ...]:
    """The statistics of a scene; without a run there are none."""
    return shown.state.scene.readout(shown) if shown.runs else ()


def usual(shown: Shown) -> tuple[Statistic, ...]:
    """Energy, and the drifts of the maps: the greatest first, of every panel."""
    found: list[Statistic] = []
    for one in (shown.beside or {"": shown}).values():
        before = f"{one.panel.title or one.panel.name}: " if one.panel.name else ""
        own = [*energies(one), *(drift(one, name, "energy") for name in one.maps), *stability(one)]
        found += [replace(statistic, label=before + statistic.label) for statistic in own if statistic]
    return tuple(found[:MOST])


def energies(shown: Shown, share: float = 1.0) -> list[Statistic]:
    """The energy at the start, or a share of it, if the system has one."""
    declared = [q for q in shown.system.quantities if q.id == "energy"]
    return [measured("Energy", share * float(shown.lead.quantity(q.id)[0]), q.unit, rare=True) for q in declared]


def measured(label: str, value: float, unit: str = "", key: str = "", rare: bool = False) -> Statistic:
    """A number with four digits."""
    return Statistic(label, readable(value), unit, key, rare=rare)


def followed(label: str, values: np.ndarray, unit: str, shown: Shown, variant: str) -> Statistic:
    """A number that follows the clock along a run; the page opens at its start."""
    at_clock = picked(values, shown.points(shown.runs[variant]))
    return Statistic(label, readable(float(at_clock[0]), 3), unit, shown.looks[variant].key, at_clock)


def drift(shown: Shown, variant: str, quantity: str, label: str = "") -> Statistic | None:
    """The greatest drift of a quantity of a run, relative to its start."""
    if not has(shown, quantity):
        return None
    words, most = (
        label or f"{quantity.capitalize()} drift, {shown.looks[variant].label}",
        greatest(shown, variant, quantity),
    )
    return Statistic(words, readable(most, 2), "", shown.looks[variant].key)


def has(shown: Shown, quantity: str) -> bool:
    """Whether a system has a quantity."""
    return any(declared.id == quantity for declared in shown.system.quantities)


def greatest(shown: Shown, variant: str, quantity: str) -> float:
    """The greatest drift of one quantity; the others need not be evaluated."""
    return float(drift_of(shown.runs[variant], quantity).max())


def energy_drift(shown: Shown) -> tuple[Statistic, ...]:
    """The energy drift of the leading map."""
    found = [drift(shown, name, "energy", "Energy drift") for name in list(shown.maps)[:1]]
    return tuple(one for one in found if one)


def lead_now(shown: Shown) -> tuple[Statistic, ...]:
    """How far the leading map is ahead of the flow, at the clock's instant."""
    return tuple(followed("Lead now", lead, "rad", shown, name) for name, lead in list(shown.leads.items())[:1])


def stability(shown: Shown) -> list[Statistic]:
    """The greatest of what only the runs of one method have, such as the stability number of a feedback."""
    return [
        Statistic(
            f"{q.id.capitalize()}, {shown.looks[name].label}", readable(orbit.greatest(q.id)), q.unit,
            shown.looks[name].key, rare=True,
        )
        for name, orbit in shown.runs.items()
        for q in orbit.method.quantities
    ]  # fmt: skip


def energy_form(shown: Shown) -> tuple[float, float, float] | None:
    """(a, b, d) with E = (a p1^2 + 2 b p1 p2 + d p2^2)/2 in the momenta of the system's plane, if it has one."""
    if shown.system.plane is None:
        return None
    matrix = shown.system.plane.matrix(shown.params)
    form = matrix.T @ matrix
    return float(form[0, 0]), float(form[0, 1]), float(form[1, 1])


def momentum_form(shown: Shown) -> dict[str, Any] | None:
    """Diagonal and rest of the form that gives momenta of velocities (`nhviz.system.Momentum`), if there is one."""
    if shown.system.momentum is None:
        return None
    diagonal, less = shown.system.momentum.form(shown.params)
    return {"diagonal": list(diagonal), "less": less}


def stable_gains(shown: Shown, variant: str) -> dict[str, float | None]:
    """The largest stable gains of a run, each with the others as they are, in multiples of 1/step.

    None of a variant that has all its gains itself: nobody can set them.
    """
    ask, own = shown.method(variant).stable_gains, shown.panel.ways[variant].options
    if ask is None or all(option.name in own for option in shown.method(variant).options if is_gain(option)):
        return {}
    found = ask(along(shown, variant), dict(shown.problems[variant].options))
    return {name: None if gain is None else gain * shown.step for name, gain in found.items()}


def is_gain(option: Choice | Parameter) -> bool:
    """Whether an option is a gain, which is given in multiples of 1/step."""
    return isinstance(option, Parameter) and option.per_step


def stable_pull(shown: Shown, variant: str) -> float | None:
    """The largest stable factor on all gains of a run, as these are; None without a bound, or without such a factor."""
    ask = shown.method(variant).stable_pull
    return None if ask is None else ask(along(shown, variant), dict(shown.problems[variant].options))


def along(shown: Shown, variant: str) -> Trajectory:
    """The run along which a feedback must be stable: the motion itself, as a run that is lost goes elsewhere."""
    whole = {name: orbit for name, orbit in shown.runs.items() if not orbit.stopped}
    truths = [orbit for name, orbit in whole.items() if shown.method(name).truth]
    if truths or variant in whole:
        return truths[0] if truths else whole[variant]
    problem = shown.problems[variant]
    return shown.run(shown.admitted(replace(problem, method=shown.system.truth.id, options=())))


def gauges(shown: Shown) -> tuple[Gauge, ...]:
    """How far the step can go for each chosen map, or what its panel has instead, and the gains of a feedback."""
    heroes = shown.panel.gauges
    found = [gauge(shown, "step", step_lanes(shown))] if heroes is None else heroes(shown)
    lanes: dict[str, list[Lane]] = {}
    for variant in shown.maps:
        look, own = shown.looks[variant], shown.panel.ways[variant].options
        for name, bound in stable_gains(shown, variant).items():
            note = "no bound" if bound is None else "the other gains are too large" if bound == 0.0 else ""
            if name not in own:
                lanes.setdefault(name, []).append(Lane(look.key, look.label, bound, "stable", note))
        if shown.method(variant).stable_pull is not None and "pull" not in (*own, *shown.panel.heroes):
            most = stable_pull(shown, variant)
            note = "no bound" if most is None else ""
            lanes.setdefault("pull", []).append(Lane(look.key, look.label, most, "stable", note))
    return (*found, *(gauge(shown, name, each) for name, each in lanes.items()))


def step_lanes(shown: Shown) -> list[Lane]:
    """A lane for each chosen map: up to its fold, or to the end. What runs aside has none."""
    bounds, lanes = shown.largest_steps, []
    for variant in [name for name in shown.maps if not shown.panel.ways[name].aside]:
        look, bound = shown.looks[variant], bounds.get(variant)
        if shown.method(variant).stable_gains is not None:
            # Gains are multiples of 1/step, so that step * Lambda is the same for every step.
            lanes.append(Lane(look.key, look.label, None, "stable", "gains follow 1/step"))
        else:
            note = "" if bound is not None else "no fold" if variant in bounds else "no bound"
            lanes.append(Lane(look.key, look.label, bound, "fold", note))
    return lanes


def gauge(shown: Shown, name: str, lanes: list[Lane]) -> Gauge:
    """Lanes with the end of their scale, which shows some of what is beyond the largest bound, and the value itself."""
    word = shown.panel.word(name)
    declared = shown.state.vocabulary.numbers[word].declared
    largest = max((lane.bound for lane in lanes if lane.bound), default=None)
    own = (declared.slider or (declared.minimum, declared.maximum))[1]
    end = own if largest is None else round_number(1.25 * largest, 1.4 * largest)
    value = shown.values[name]
    end = end if value <= end else round_number(1.05 * value, 1.25 * value)
    return Gauge(word, tuple(lanes), min(end, declared.maximum))


def round_number(low: float, high: float) -> float:
    """The roundest number between two: a multiple of the largest of 1, 1/2, 1/5 times a power of ten."""
    power = math.floor(math.log10(high)) + 1
    while True:
        for share in (1.0, 0.5, 0.2):
            unit = share * 10.0**power
            count = math.ceil(low / unit)
            if count * unit <= high:
                return float(f"{count * unit:.12g}")
        power -= 1


def rounded_down(value: float, digits: int = 3) -> float:
    """The largest number of so many digits that is not above another one, however small that is."""
    # Rounding to 64 bits is monotonic: it does not lift the decimal number above the value, which has them already.
    return float(Context(prec=digits, rounding=ROUND_FLOOR).create_decimal_from_float(value))


def stops(shown: Shown) -> tuple[Stop, ...]:
    """The runs that ended early: what happened, and what mends it."""
    return tuple(stop(shown, name, orbit.stopped) for name, orbit in shown.runs.items() if orbit.stopped)


def stop(shown: Shown, variant: str, reason: str) -> Stop:
    """One run that ended early."""
    text, key = f"{happened(reason)} {when(shown, variant, reason)}", shown.looks[variant].key
    # What runs aside does not say how long the step should be.
    values = {} if shown.panel.ways[variant].aside else mended(shown, variant)
    return Stop(key, text, {shown.panel.word(name): value for name, value in values.items()}, advice(shown, values))


def advice(shown: Shown, values: dict[str, float]) -> str:
    """What the button says that sets these numbers."""
    name, value = next(iter(values.items()), ("", 0.0))
    short = f"{value:g}".replace("e-0", "e-")
    if len(values) > 1:
        return f"Use {readable(value / shown.values[name], 2)} of the gains"
    if name in shown.panel.heroes:
        return f"Use {with_unit(short, 's')}" if name == "step" else f"Use {called(shown, name)} = {short}"
    return f"Use {name} = {short}{'' if name == 'pull' else '/step'}" if name else ""


def called(shown: Shown, name: str) -> str:
    """What a number is called in a sentence: by the symbol that its panel gives it, or by its name."""
    return str(shown.panel.words.get(name, {}).get("symbol", name)).replace(r"\varepsilon", "ε")


def happened(reason: str) -> str:
    """What ended a run, in a word or two."""
    known = {
        "folded": "Stopped at the fold",
        "half turn": "Stopped at a half turn",
        "lost its integrals": "Lost its integrals",
        "left |": "Ran away",
    }
    return next((words for sign, words in known.items() if sign in reason), "Stopped")


def when(shown: Shown, variant: str, reason: str) -> str:
    """When a run ended: after how many steps, or after how long."""
    steps = reasons.steps_made(reason)
    if steps is None:
        return f"after {with_unit(readable(float(shown.runs[variant].t[-1])), 's')}"
    return reasons.after(steps).removesuffix(" is complete")


def mended(shown: Shown, variant: str) -> dict[str, float]:
    """The largest numbers with which the run completes: the step, one gain, or else all gains; none where none do."""
    if shown.method(variant).bound is not None:
        hero, bound = bound_of(shown, variant)
        value = shown.values[hero]
        return working(shown, variant, lambda most: {hero: most}, value if bound is None else min(bound, value))
    own, gains = shown.panel.ways[variant].options, stable_gains(shown, variant)
    if "pull" not in own and pulls(shown) and (most := stable_pull(shown, variant)):
        return working(shown, variant, lambda pull: {"pull": pull}, min(SAFE * most, shown.values["pull"]))
    within = {name: gain for name, gain in gains.items() if gain and name not in own}
    shares = {name: gain / shown.values[name] for name, gain in within.items() if shown.values[name] > SAFE * gain}
    if shares:
        name = max(shares, key=lambda one: shares[one])
        if found := working(shown, variant, lambda gain: {name: gain}, SAFE * within[name]):
            return found
    large = {name: shown.values[name] for name in gains if name not in own and shown.values[name] > 0.0}
    return working(shown, variant, lambda share: {one: rounded_down(share * gain) for one, gain in large.items()}, 1.0)


def pulls(shown: Shown) -> bool:
    """Whether the pull is what a page has been turned up by: its hero, or a number that is not the usual 1."""
    return "pull" in shown.panel.heroes or shown.values.get("pull", 0.0) > 1.0


def bound_of(shown: Shown, variant: str) -> tuple[str, float | None]:
    """The number whose bound counts for a map, the step or the hero of its panel, and how far it can go."""
    if shown.panel.gauges is None:
        return "step", shown.largest_steps.get(variant)
    lanes = next(iter(shown.panel.gauges(shown))).lanes
    bounds = {lane.key: lane.bound for lane in lanes}
    return shown.panel.heroes[0], bounds.get(shown.looks[variant].key)


def working(shown: Shown, variant: str, numbers: Callable[[float], dict[str, float]], most: float) -> dict[str, float]:
    """The numbers of the largest value up to `most`, of three digits, with which a run completes, after a few tries."""
    low, high = 0.0, rounded_down(most)
    if not numbers(high):
        return {}
    if is_enough(shown, variant) or completes(shown, variant, numbers(high)):
        return numbers(high)
    for _ in range(TRIES):
        middle = rounded_down(0.5 * (low + high))
        low, high = (middle, high) if completes(shown, variant, numbers(middle)) else (low, middle)
    return numbers(low) if low else {}


def is_enough(shown: Shown, variant: str) -> bool:
    """Whether the largest step of an energy is that of the whole run, as the map keeps the energy."""
    method = shown.method(variant)
    return method.bound is not None and method.bound.at_energy is not None and "energy" in method.preserves


def completes(shown: Shown, variant: str, values: dict[str, float]) -> bool:
    """Whether a run of this panel can be made with other numbers, and reaches its end."""
    words, state = {shown.panel.word(name): value for name, value in values.items()}, shown.state
    other = replace(state, numbers=tuple((word, words.get(word, old)) for word, old in state.numbers))
    try:
        problem = other.problem(shown.panel, shown.panel.ways[variant], shown.admitted)
    except ParameterError:
        return False
    return shown.run(problem).stopped is None
