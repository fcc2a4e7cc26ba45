"""Cards, corrections and new results as entries of one gallery: their tags, and which of them filters leave.

What is seen is an address: a tab, a paper, a kind of system, an idea, and the entry that is open.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal
from urllib.parse import parse_qsl, urlencode

from nhviz import registry
from nhviz.frame import find
from nhviz.frame.records import IDEAS, Card, Correction, Lab, Result
from nhviz.frame.state import State
from nhviz.frame.words import FOCUS, laid_out

PAPERS = ("FZ", "DS", "GJ", "CP", "CS")
"""The papers in the order in which they are presented; others follow."""
FIGURES, CLAIMS, CORRECTIONS, RESULTS = "figures", "claims", "corrections", "results"
TABS = {FIGURES: "Figures", CLAIMS: "Claims", CORRECTIONS: "Corrections", RESULTS: "New results"}
FILTERS = ("paper", "system", "idea")
FEW = 2
"""A kind of systems with more labs than that is told by its systems."""
Kind = Literal["card", "correction", "result"]
Record = Card | Correction | Result


@dataclass(frozen=True)
class Entry:
    """One of them, with what it can be found by."""

    kind: Kind
    record: Record
    tag: str
    paper: str
    system: str
    ideas: tuple[str, ...]

    @property
    def id(self) -> str:
        """Its id, which is its own among those of its kind."""
        return self.record.id

    @property
    def title(self) -> str:
        """What it is called."""
        return self.record.title or (self.record.claim if isinstance(self.record, Card) else "")

    def has(self, name: str, value: str) -> bool:
        """Whether it passes a filter."""
        return not value or (value in self.ideas if name == "idea" else getattr(self, name) == value)


@dataclass(frozen=True)
class Seen:
    """What of the gallery is seen, and the entry that is open there."""

    tab: str = FIGURES
    paper: str = ""
    system: str = ""
    idea: str = ""
    open: str = ""

    @classmethod
    def read(cls, query: str | None) -> "Seen":
        """What an address says; words that mean nothing are left out."""
        given = dict(parse_qsl((query or "").lstrip("?")))
        tab = given.get("tab", FIGURES)
        found = cls(tab if tab in TABS else FIGURES)
        entries = of_tab(found.tab)
        known = {name: choices(entries, name) for name in FILTERS} | {"open": [entry.id for entry in entries]}
        return replace(found, **{name: given[name] for name in known if given.get(name) in known[name]})

    def query(self) -> str:
        """Its text in an address; nothing for how the gallery opens."""
        words = {"tab": "" if self.tab == FIGURES else self.tab}
        words |= {name: getattr(self, name) for name in (*FILTERS, "open")}
        return urlencode({name: value for name, value in words.items() if value})

    def passes(self, entry: Entry) -> bool:
        """Whether an entry is left by all filters."""
        return all(entry.has(name, getattr(self, name)) for name in FILTERS)

    def left(self, entries: Sequence[Entry]) -> list[Entry]:
        """The entries that are left by all filters."""
        return [entry for entry in entries if self.passes(entry)]

    def count(self, entries: Sequence[Entry], name: str, value: str) -> int:
        """How many entries would be left with another value of one filter."""
        return len(replace(self, **{name: value}).left(entries))

    def to_clear(self, entries: Sequence[Entry]) -> str:
        """The filter that is best cleared where nothing is left; nothing where no single one helps."""
        wanted = [name for name in reversed(FILTERS) if getattr(self, name) and self.count(entries, name, "")]
        return wanted[0] if wanted else ""


def cards(drawn: bool) -> list[Entry]:
    """The cards of figures, or those of claims without one, by paper."""
    found = [
        Entry("card", one, tag(one.paper, one.figure), one.paper, kind_of(system_of(one.state)), one.ideas)
        for one in find.cards().values()
        if one.drawn == drawn
    ]
    return in_order(found)


def corrections() -> list[Entry]:
    """The corrections, by paper."""
    found = [
        Entry("correction", one, tag(one.paper, one.place), one.paper, kind_of(named_system(one)), one.ideas)
        for one in find.corrections().values()
    ]
    return in_order(found)


def results() -> list[Entry]:
    """The new results; no paper has them."""
    found = ((one, kind_of(named_system(one))) for one in find.results().values())
    return [Entry("result", one, system, "", system, one.ideas) for one, system in found]


def of_tab(tab: str) -> list[Entry]:
    """All entries of a tab, in order."""
    if tab == CORRECTIONS:
        return corrections()
    return results() if tab == RESULTS else cards(tab == FIGURES)


def of_kind(kind: str, name: str) -> Record | None:
    """A record by its kind and id, if there is one."""
    known: dict[str, Record] = {}
    if kind == "card":
        known |= find.cards()
    elif kind == "correction":
        known |= find.corrections()
    elif kind == "result":
        known |= find.results()
    return known.get(name)


def tab_of(record: Record) -> str:
    """The tab on which a record is."""
    if isinstance(record, Card):
        return FIGURES if record.drawn else CLAIMS
    return CORRECTIONS if isinstance(record, Correction) else RESULTS


def choices(entries: Sequence[Entry], name: str) -> list[str]:
    """What a filter can be among some entries: papers and ideas in their order, systems in that of the labs."""
    if name == "idea":
        return [idea for idea in IDEAS if any(entry.has(name, idea) for entry in entries)]
    found = {getattr(entry, name) for entry in entries} - {""}
    order = PAPERS if name == "paper" else tuple(kind_of(system) for system in registry.systems())
    return sorted(found, key=lambda value: (position(order, value), value))


def in_order(entries: list[Entry]) -> list[Entry]:
    """Entries by paper; those of one paper as they are declared."""
    return sorted(entries, key=lambda entry: position(PAPERS, entry.paper))


def position(order: Sequence[str], value: str) -> int:
    """The place of a value in an order; behind all where it has none."""
    return order.index(value) if value in order else len(order)


def tag(paper: str, place: str) -> str:
    """A paper and a place in it, short: FZ 4.1, or CS §5."""
    number = re.sub(r"^fig(ure|[.]) *", "", place, flags=re.IGNORECASE)
    return f"{paper} {re.sub('section ', '§', number, flags=re.IGNORECASE)}".strip()


def system_of(state: str) -> str:
    """The system that a state is about: that of its scene's first panel."""
    name, _, query = state.partition("?")
    return first_system(find.lab(name), query)


@lru_cache(maxsize=1024)
def first_system(lab: Lab, query: str) -> str:
    """The system of the first panel of a state."""
    return State.from_query(lab, query)[0].scene.panels[0].system


def named_system(record: Correction | Result) -> str:
    """The system of a correction or a result: the one that it names, else that of its state."""
    return record.system or (system_of(record.state) if record.state else "")


def kind_of(system: str) -> str:
    """What a system is called among others: its kind, or its own title where a kind has many labs."""
    if not system:
        return ""
    one, families = registry.find(system), find.families()
    return one.family if len(families.get(one.family, ())) in range(1, FEW + 1) else one.title


def beside(card: Card) -> tuple[Card | None, Card | None]:
    """The cards before and after a card on its tab."""
    around = [entry.record for entry in cards(card.drawn)]
    at = around.index(card)
    before, after = (around[i] if 0 <= i < len(around) else None for i in (at - 1, at + 1))
    return (before if isinstance(before, Card) else None), (after if isinstance(after, Card) else None)


def place(state: str, view: str) -> str:
    """The address of a state with a view of it in sight, and large where another one would be."""
    name, _, query = state.partition("?")
    found = in_sight(State.from_query(find.lab(name), query)[0], view).query()
    return f"{name}?{found}" if found else name


def in_sight(state: State, view: str) -> State:
    """A state with one of its views in sight."""
    spot = next((place for place in state.scene.places.values() if view in [one.id for one in place.views]), None)
    if spot is None:
        return state
    tabs = tuple((place, view if place == spot.id else chosen) for place, chosen in state.tabs)
    kind, large = laid_out(state.layout)
    return replace(state, tabs=tabs, layout=f"{FOCUS}{spot.id}" if kind != "all" and large != spot.id else state.layout)


def picture_name(record: Record) -> str:
    """What the pictures of a card or a result are called."""
    return record.id if isinstance(record, Card) else f"{tab_of(record)}-{record.id}"


def fingerprint(record: Card | Result) -> str:
    """A short text that changes with what a record shows: a picture of it that was made before is then an older one."""
    return hashlib.sha256(f"{record.state} {record.view}".encode()).hexdigest()[:12]
