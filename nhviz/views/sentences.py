"""One sentence, or two, that say what is seen now, with numbers."""

from math import isclose

import numpy as np

from nhviz.frame.said import Said, Sentence, method, number, percent, sentence
from nhviz.frame.shown import Shown
from nhviz.methods import stops as reasons
from nhviz.views import numbers

CHOOSE = sentence("Choose a method above.")


def said(shown: Shown) -> Sentence:
    """What a page says: to choose something, why a run ended early, or what its scene says."""
    if not shown.runs:
        return CHOOSE
    early = next((name for name, orbit in shown.runs.items() if orbit.stopped), None)
    if early is not None:
        return ended(shown, early)
    return (shown.state.scene.sentence or usual)(shown)


def usual(shown: Shown) -> Sentence:
    """What can be said of any system: who keeps the energy, and how much of the largest step is used."""
    kept = keeping(shown)
    return (*kept, *sentence(" " if kept else ""), *share_of_step(shown)) or duration(shown)


def duration(shown: Shown) -> Sentence:
    """How long a run is, where there is nothing else to say."""
    return sentence(method(shown.looks[shown.first]), " runs for ", number(float(shown.lead.t[-1]), "s"), ".")


def keeping(shown: Shown, quantity: str = "energy", title: str = "the energy") -> Sentence:
    """Which maps keep a quantity and which do not, by how much."""
    parts: list[str | Said] = []
    told = ""
    for name, orbit in shown.maps.items():
        if quantity not in shown.drifts[name]:
            continue
        parts += [", " if parts else "", method(shown.looks[name]), " "]
        verb, share = change(orbit.quantity(quantity), float(shown.drifts[name][quantity].max()))
        parts += [f"keeps {'it' if told else title}" if verb == "keeps" else verb]
        if verb == "keeps within":
            parts[-1] = f"keeps {'it' if told else title} within "
            parts += [percent(share)]
        elif verb != "keeps":
            parts += [" ", percent(share), "" if told else f" of {title.removeprefix('the ')}"]
        told = title
    return sentence(*parts, ".") if parts else ()


def change(values: np.ndarray, drift: float) -> tuple[str, float]:
    """What a run does to a quantity, and its greatest drift."""
    if drift < numbers.ROUND_OFF:
        return "keeps", drift
    away = values - values[0]
    up, down = float(away.max()), -float(away.min())
    sign = 1.0 if values[0] >= 0.0 else -1.0
    if min(up, down) > 0.2 * max(up, down) or not isclose(abs(away[-1]), max(up, down), rel_tol=0.5):
        return "keeps within", drift
    return ("gains" if sign * away[-1] > 0.0 else "loses"), drift


def share_of_step(shown: Shown) -> Sentence:
    """How much of the largest step is used, of the map that has the least room."""
    bounds = [bound for bound in numbers.largest_steps(shown).values() if bound is not None]
    return sentence("The step uses ", percent(shown.step / min(bounds)), " of the largest one.") if bounds else ()


def ended(shown: Shown, variant: str) -> Sentence:
    """Why a run ended early, with the number that it is past; and who goes on."""
    reason = shown.runs[variant].stopped or ""
    steps = reasons.steps_made(reason)
    look, bound = shown.looks[variant], numbers.largest_steps(shown).get(variant)
    after: tuple[str | Said, ...] = (" after ", number(str(steps)), " step" if steps == 1 else " steps")
    if steps == 0:
        after = (" from the start",)
    if steps is None:
        after = (" after ", number(float(shown.runs[variant].t[-1]), "s"))
    if bound is not None and shown.step > bound:
        why: tuple[str | Said, ...] = (" finds no next position", *after, ": the step is past its fold at ",
                                       number(bound, "s", 3), ".")  # fmt: skip
    elif shown.method(variant).bound is not None:
        why = (" finds no next position", *after, ": its branch ends there.")
    elif shown.method(variant).stable_gains is not None:
        why = (" loses its integrals", *after, *too_large(shown, variant))
    else:
        why = (" ends", *after, ".")
    return (*sentence(method(look), *why), *going_on(shown))


def too_large(shown: Shown, variant: str) -> tuple[str | Said, ...]:
    """Which gain of a feedback is too large, and how large it may be."""
    past = {name: bound for name, bound in numbers.stable_gains(shown, variant).items() if bound}
    past = {name: bound for name, bound in past.items() if name in shown.values and shown.values[name] > bound}
    if not past:
        return (": its gains are too large together.",)
    name, bound = next(iter(past.items()))
    return (f": {name} is past its largest stable value ", number(f"{bound:.3g}/step"), ".")


def going_on(shown: Shown) -> Sentence:
    """The first other map that goes on, and whether it has a fold at all."""
    others = [name for name, orbit in shown.maps.items() if not orbit.stopped]
    if not others:
        return ()
    bounds = numbers.largest_steps(shown)
    free = others[0] in bounds and bounds[others[0]] is None
    return sentence(" ", method(shown.looks[others[0]]), " has no fold and goes on." if free else " goes on.")
