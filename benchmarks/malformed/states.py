"""States with values that cannot be used, with changes in their shape, and with any values of the allowed ranges."""

import random
from collections.abc import Callable
from typing import Any

from benchmarks.dashboard import opening
from benchmarks.malformed.bodies import CSV, GHOSTS, RENDER, START, any_lab, asked_of, body, path_of, scene_of, state_of
from benchmarks.malformed.material import FINITE, NUMBERS, TEXTS, Case, encoded, junk
from benchmarks.malformed.requests import disturb
from nhviz.frame import find
from nhviz.frame.words import vocabulary


def wrong_values(chance: random.Random) -> Case:
    """A state of the right shape with values that cannot be used: the page refuses them beside their controls."""
    callback = chance.choices((RENDER, START, GHOSTS, CSV), weights=(5, 2, 1, 1))[0]
    data = body(chance, callback)
    state = state_of(data)
    about = []
    for _ in range(chance.choice((1, 1, 2, 4))):
        field = chance.choice(("numbers", "numbers", "numbers", "options", "variants"))
        if not state[field]:
            continue
        word = chance.choice(list(state[field]))
        if field == "numbers":
            low, high = limits(state)[word]
            found = chance.choice((chance.choice(FINITE), chance.choice(FINITE), low, high, chance.uniform(low, high)))
        elif field == "options":
            found = chance.choice(TEXTS)
        else:
            found = chance.sample(state[field][word], chance.randint(0, len(state[field][word])))
        state[field][word] = found
        about.append(f"{word} = {found!r}"[:60])
    what = f"{callback.rpartition('.')[0] or callback}: {'; '.join(about)}"
    return Case("values", what, path_of(callback), encoded(data))


def broken_state(chance: random.Random) -> Case:
    """A whole body around a state with changes in its shape and its values."""
    callback = chance.choices((RENDER, START, GHOSTS, CSV), weights=(5, 2, 1, 1))[0]
    data = body(chance, callback)
    state = state_of(data)
    about = []
    for _ in range(chance.choice((1, 1, 2, 4, 12))):
        spoil = chance.choice((spoil_number, spoil_number, spoil_number, *SPOILS, disturb))
        about.append(spoil(chance, state))
    what = f"{callback.rpartition('.')[0] or callback}: {'; '.join(about)}"
    return Case("state", what, path_of(callback), encoded(data))


def extreme_state(chance: random.Random) -> Case:
    """A good body with any values of the allowed ranges, their ends above all, any variants, and a click anywhere."""
    callback = chance.choices((RENDER, START, GHOSTS, CSV), weights=(6, 3, 2, 1))[0]
    data = body(chance, callback)
    asked = asked_of(data)
    state = asked["state"]
    words = vocabulary(scene_of(state))
    for word, panel in words.variants.items():
        state["variants"][word] = chance.sample(list(panel.ways), chance.randint(1, len(panel.ways)))
    for word, (low, high) in limits(state).items():
        if chance.random() < 0.3:
            state["numbers"][word] = chance.choice((low, high, 0.0, chance.uniform(low, high), chance.gauss(0.0, 1.0)))
    state["options"] = {word: chance.choice(option.allowed) for word, option in words.options.items()}
    state["layout"] = chance.choice(("all", *words.layouts))
    if callback == START:
        asked["place"] = [
            chance.choice((0.0, chance.gauss(0.0, 1.0), 1e3, 1e300, -1e308, 5e-324)) for _ in asked["place"]
        ]
    elif callback != GHOSTS:
        asked["preview"] = chance.random() < 0.3
        asked["places"] = chance.choice((None, None, [], list(words.tabs)))
        asked["presenter"] = chance.random() < 0.3
    what = f"{state['lab']}, {callback.rpartition('.')[0] or callback}"
    return Case("extreme", what, path_of(callback), encoded(data))


def spoil_number(chance: random.Random, state: dict[str, Any]) -> str:
    """Another number, in or out of its range, or no number."""
    numbers = state.get("numbers")
    if not isinstance(numbers, dict) or not numbers:
        return "no numbers"
    word = chance.choice([*numbers, "step", "duration"])
    low, high = limits(state).get(word, (0.0, 1.0))
    numbers[word] = chance.choice(
        (chance.choice(NUMBERS), chance.choice(NUMBERS), low, high, chance.uniform(low, high), junk(chance))
    )
    return f"{word} = {numbers[word]!r}"[:60]


def limits(state: dict[str, Any]) -> dict[str, tuple[float, float]]:
    """The range of every number."""
    declared = {word: number.declared for word, number in vocabulary(scene_of(state)).numbers.items()}
    return {word: (one.minimum, one.maximum) for word, one in declared.items()}


def spoil_variants(chance: random.Random, state: dict[str, Any]) -> str:
    """Variants of any lab, twice, many times, or none."""
    scenes = [scene for lab in find.labs().values() for scene in lab.scenes]
    known = [way for scene in scenes for panel in scene.panels for way in panel.ways]
    count = chance.choice((0, 1, 2, 5, 90, 10_000))
    chosen = [chance.choice((chance.choice(known), chance.choice(TEXTS))) for _ in range(count)]
    own = [way for panel in scene_of(state).panels for way in panel.ways]
    words = list(state["variants"]) if isinstance(state.get("variants"), dict) else []
    if not words:
        return "no variants"
    word = chance.choice(words)
    state["variants"][word] = chance.choice((chosen, chosen, own, own * 2, own[::-1], []))
    return f"{len(state['variants'][word])} variants"


def spoil_option(chance: random.Random, state: dict[str, Any]) -> str:
    """An option that is not on offer."""
    words = list(state["options"]) if isinstance(state.get("options"), dict) else []
    if not words:
        return "no options"
    word = chance.choice(words)
    state["options"][word] = chance.choice((chance.choice(TEXTS), chance.choice(TEXTS), junk(chance)))
    return f"{word} chosen"


def spoil_sight(chance: random.Random, state: dict[str, Any]) -> str:
    """A tab or a layout that is not there, or one of another lab."""
    others = [place for lab in find.labs().values() for place in lab.scenes[0].all_views]
    found = chance.choice((chance.choice(others), chance.choice(TEXTS), junk(chance)))
    tabs = list(state["tabs"]) if isinstance(state.get("tabs"), dict) else []
    if tabs and chance.random() < 0.6:
        state["tabs"][chance.choice(tabs)] = found
        return "another tab"
    state["layout"] = found
    return "another layout"


def spoil_name(chance: random.Random, state: dict[str, Any]) -> str:
    """The name of another lab or scene, or of none: the words are then those of another."""
    field = chance.choice(("lab", "lab", "scene"))
    state[field] = chance.choice((any_lab(chance).id, chance.choice(TEXTS), junk(chance)))
    return f"{field} = {state[field]!r}"[:60]


def spoil_words(chance: random.Random, state: dict[str, Any]) -> str:
    """A word too many, one too few, or the words of another lab."""
    field = chance.choice(("numbers", "options", "variants", "tabs"))
    given = state.get(field)
    how = chance.choice(("more", "fewer", "other"))
    if how == "other":
        state[field] = opening(any_lab(chance))[field]
    elif isinstance(given, dict) and how == "more":
        given[chance.choice((chance.choice(TEXTS), "step", "left.step"))] = junk(chance)
    elif isinstance(given, dict) and given:
        del given[chance.choice(list(given))]
    return f"{how} {field}"


SPOILS: tuple[Callable[[random.Random, dict[str, Any]], str], ...] = (
    spoil_variants,
    spoil_option,
    spoil_sight,
    spoil_name,
    spoil_words,
)
