"""One sentence, or two, that say what is seen now, with numbers; and the parts of which labs make theirs."""

from collections.abc import Mapping

import numpy as np

from nhviz.frame.said import Said, Sentence, method, number, percent, readable, sentence
from nhviz.frame.shown import Shown
from nhviz.methods import stops as reasons
from nhviz.methods.stability import BOUNDS
from nhviz.system import Array
from nhviz.views import numbers

CHOOSE = sentence("Choose a method above.")
SMALL = 1e-4
"""Below this share a number is told as it is, above as a percentage."""
Parts = tuple[str | Said, ...]


def said(shown: Shown) -> Sentence:
    """What a page says: to choose something, why a run ended early, or what its scene says."""
    if not shown.runs:
        return CHOOSE
    early = next((name for name, orbit in shown.runs.items() if orbit.stopped), None)
    if early is not None:
        return (*ended(shown, early), *going_on(shown))
    return (shown.state.scene.sentence or usual)(shown)


def notes(shown: Shown) -> Mapping[str, str]:
    """Small words beside the names of runs, by their keys, where a scene has some."""
    ask = shown.state.scene.notes
    return ask(shown) if ask and shown.runs else {}


def usual(shown: Shown) -> Sentence:
    """What can be said of any system: who keeps the energy, and how much of the largest step is used."""
    return joined(keeping(shown), share_of_step(shown)) or duration(shown)


def joined(*sentences: Sentence) -> Sentence:
    """Sentences one after the other; those that say nothing are left out."""
    found = [one for one in sentences if one]
    return tuple(part for i, one in enumerate(found) for part in (*sentence(" " if i else ""), *one))


def duration(shown: Shown) -> Sentence:
    """How long a run is, where there is nothing else to say."""
    return sentence(method(shown.looks[shown.first]), " runs for ", number(float(shown.lead.t[-1]), "s"), ".")


def keeping(shown: Shown, quantity: str = "energy", title: str = "the energy") -> Sentence:
    """Which maps keep a quantity and which do not, by how much; of no more than two."""
    parts: list[str | Said] = []
    for name, orbit in list(shown.maps.items())[:2]:
        if numbers.has(shown, quantity):
            drift = numbers.greatest(shown, name, quantity)
            deed = what_it_does(orbit.quantity(quantity), drift, "it" if parts else title)
            parts += [", " if parts else "", method(shown.looks[name]), " ", *deed]
    return sentence(*parts, ".") if parts else ()


def what_it_does(values: Array, drift: float, title: str) -> Parts:
    """What a run does to a quantity with this greatest relative drift: keep, gain, lose, or keep within."""
    if drift < numbers.ROUND_OFF:
        return (f"keeps {title}",)
    away = np.sign(values[0]) * (values - values[0])
    largest = float(np.abs(away).max())
    one_way = min(-away.min(), away.max()) < 0.2 * largest and abs(away[-1]) > 0.5 * largest
    if drift < SMALL:
        return (f"keeps {title} to ", number(readable(drift, 2)))
    if not one_way or values[0] == 0.0:
        return (f"keeps {title} within ", percent(drift))
    of = "" if title == "it" else f" of {title}"
    return ("gains " if away[-1] > 0.0 else "loses ", percent(drift), of)


def share_of_step(shown: Shown) -> Sentence:
    """How much of the largest step is used, of the map that has the least room."""
    bounds = [bound for bound in shown.largest_steps.values() if bound is not None]
    if not bounds:
        return ()
    if shown.step > min(bounds):
        return sentence("The step is past the largest safe one, ", number(min(bounds), "s", 3), ".")
    return sentence("The step uses ", percent(shown.step / min(bounds)), " of the largest one.")


def straying(shown: Shown, names: tuple[str, ...], unit: str = "m") -> Sentence:
    """How far the first map strays from the motion itself in the components named, if both are shown."""
    truths = [name for name in shown.runs if shown.method(name).truth]
    if not truths or not shown.maps:
        return ()
    variant, orbit = next(iter(shown.maps.items()))
    truth = shown.runs[truths[0]]
    used, common = [name for name in names if name in orbit.components], min(len(orbit), len(truth))
    gap = np.sqrt(sum((orbit[name][:common] - truth[name][:common]) ** 2 for name in used)).max()
    return sentence(method(shown.looks[variant]), " strays by ", number(readable(float(gap), 2), unit), ".")


def share_of_stability(shown: Shown) -> Sentence:
    """How much of its stability the first feedback uses."""
    for name, orbit in shown.maps.items():
        if shown.method(name).stable_gains is not None:
            limit = BOUNDS[str(dict(orbit.problem.options)["base"])]
            used = percent(orbit.greatest("stability") / limit)
            return sentence(method(shown.looks[name]), " uses ", used, " of its stability.")
    return ()


def ended(shown: Shown, variant: str) -> Sentence:
    """Why a run ended early, with the number that it is past."""
    reason, (hero, bound) = shown.runs[variant].stopped or "", numbers.bound_of(shown, variant)
    after, declared = how_long(shown, variant, reason), shown.method(variant)
    why: Parts
    if "lost its integrals" in reason:
        why = (" loses its integrals", *after, *too_large(shown, variant))
    elif bound is not None and shown.values[hero] > bound:
        past = (
            (": the step is past its fold at ", number(bound, "s", 3))
            if hero == "step"
            else (f": {hero} is past its fold at ", number(bound))
        )
        why = (" finds no next position", *after, *past, ".")
    elif declared.bound is not None:
        why = (" finds no next position", *after, ": its branch ends there.")
    elif "left |" in reason:
        why = (" runs away", *after, ": its step ", number(shown.step, "s", 3), " is too long.")
    else:
        why = (" ends", *after, ".")
    return sentence(method(shown.looks[variant]), *why)


def how_long(shown: Shown, variant: str, reason: str) -> Parts:
    """After how many steps, or how long, a run ended."""
    steps = reasons.steps_made(reason)
    if steps is None:
        return (" after ", number(float(shown.runs[variant].t[-1]), "s"))
    return (" after ", number(str(steps)), " step" if steps == 1 else " steps") if steps else (" from the start",)


def too_large(shown: Shown, variant: str) -> Parts:
    """Which gain of a feedback is too large, or the pull of all of them, and how large it may be."""
    pull, bounds = numbers.stable_pull(shown, variant), numbers.stable_gains(shown, variant)
    if pull and numbers.pulls(shown) and shown.values["pull"] > pull:
        return (": the pull is past its largest stable value ", number(readable(pull, 3)), ".")
    past = {name: bound for name, bound in bounds.items() if bound and shown.values.get(name, 0.0) > bound}
    if not past:
        return (": its gains are too large together.",)
    name, bound = next(iter(past.items()))
    return (f": {name} is past its largest stable value ", number(f"{readable(bound, 3)}/step"), ".")


def going_on(shown: Shown) -> Sentence:
    """The first other map that goes on, and whether it has a fold at all."""
    others = [name for name, orbit in shown.maps.items() if not orbit.stopped]
    if not others:
        return ()
    bounds = shown.largest_steps
    free = others[0] in bounds and bounds[others[0]] is None
    return sentence(" ", method(shown.looks[others[0]]), " has no fold and goes on." if free else " goes on.")
