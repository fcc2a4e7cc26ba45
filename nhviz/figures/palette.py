"""Which colour and marker a run has: the papers' methods keep theirs on every page, the others take what is free.

A slot is a number: of the colours of a theme, of the markers below, and of the swatches in the page's style sheet.
"""

from collections.abc import Iterable

from nhviz.figures.style import THEMES, Look, Theme

SYMBOLS = (
    "circle", "circle-open", "circle", "diamond-open", "triangle-up-open", "square-open", "cross-open", "star-open",
    "hexagon-open", "pentagon-open", "circle", "circle-open", "square", "diamond",
)  # fmt: skip
"""The first map alone is filled: where dots of others coincide with its own they are rings around them."""
PREFERRED = {
    "exact": 0, "reference": 1, "moser_veselov": 2, "fedorov_zenkov": 2, "fedorov": 2, "cayley": 3, "midpoint": 3,
    "naive": 4, "feedback": 5, "dla": 6,
}  # fmt: skip
COLOURS = min(len(theme.methods) for theme in THEMES.values())
"""So many runs can be told apart on one page."""
SHORTER, LONGER = COLOURS, COLOURS + 1
"""Slots to be asked for: the first map with a shorter and with a longer step, in its colour."""
SCALES = {SHORTER: 0.7, LONGER: 1.6}
"""How large their dots are: size is the step."""
FIRST = 2
"""The slot of the first map."""
PULLED, PULLED_MORE = COLOURS + 2, COLOURS + 3
"""Slots to be asked for: a scheme of one stage and one of several, pulled back to their integrals; with full dots."""
COLOUR_OF = {SHORTER: FIRST, LONGER: FIRST, PULLED: PREFERRED["feedback"], PULLED_MORE: FIRST}
"""Slots that have the colour of another one. A page that asks for them leaves those alone."""


def slots(wishes: Iterable[tuple[str, str, int | None]]) -> dict[str, int]:
    """A slot for each key of (key, method, wish), no two alike.

    Wishes come first, then the slots of well-known methods; whoever finds theirs taken gets the first that is free.
    """
    wishes = list(wishes)
    found: dict[str, int] = {}
    wanted = [(key, own) for key, _, own in wishes] + [(key, PREFERRED.get(method)) for key, method, _ in wishes]
    for key, slot in wanted:
        if key not in found and slot is not None and slot not in found.values():
            found[key] = slot
    free = (slot for slot in (*range(2, COLOURS), 0, 1) if slot not in found.values())
    return {key: found[key] if key in found else next(free) for key, _, _ in wishes}


def look(theme: Theme, slot: int, key: str, label: str) -> Look:
    """The look of a run in a theme."""
    colour = theme.methods[COLOUR_OF.get(slot, slot)]
    return Look(key, label, colour, SYMBOLS[slot], SCALES.get(slot, 1.0))
