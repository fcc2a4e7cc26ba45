"""The search: labs with their experiments, views, methods, parameters and equations, sweeps, and what the gallery has.

Each entry has its address. They are many, and come when the search is first opened.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

import dash_mantine_components as dmc

from layouts import gallery, ids, sweep
from nhviz.figures import symbols
from nhviz.frame import find
from nhviz.frame.experiments import suggestions
from nhviz.frame.gallery import CORRECTIONS, RESULTS, Seen, tag
from nhviz.frame.records import Card, Lab, Panel, Scene, View
from nhviz.frame.state import State, opening
from nhviz.frame.words import VARIANTS, vocabulary
from nhviz.sweeps import link
from nhviz.sweeps.presets import PRESETS
from nhviz.views import texts
from server.paths import address

MOST = 12
"""So many entries are listed at a time: the list needs no scrolling, which a keyboard could not do."""
Words = tuple[str, str, str]
"""What an entry is called, its address, and further words by which it is found."""
Entries = Iterator[Words]


def dialog() -> dmc.Modal:
    """A box to type in, with the entries that fit."""
    box = dmc.Select(
        id=ids.FOUND,
        data=[],
        searchable=True,
        limit=MOST,
        filter={"function": "everyWord"},
        placeholder="One moment",
        nothingFoundMessage="Nothing has all these words.",
        selectFirstOptionOnChange=True,
        dropdownOpened=True,
        withScrollArea=False,
        rightSection=" ",
        comboboxProps={"transitionProps": {"duration": 0}, "offset": 6, "shadow": "none", "zIndex": 400},
        classNames={"dropdown": "menu", "option": "item", "groupLabel": "label"},
        **{"aria-label": "Search", "data-autofocus": "true"},
    )
    return dmc.Modal(
        box,
        id=ids.DIALOG,
        opened=False,
        withCloseButton=False,
        yOffset="12vh",
        size="40rem",
        padding=0,
        # One that changes its size would leave the list of entries narrower than the box.
        transitionProps={"transition": "fade", "duration": 120},
        title="Search",
        classNames={"content": "search", "header": "unseen"},
    )


def entries() -> list[dict[str, Any]]:
    """Everything that can be found now."""
    return groups(address(), tuple(find.labs().values()), tuple(find.cards().values()))


@lru_cache(maxsize=8)
def groups(start: str, labs: tuple[Lab, ...], cards: tuple[Card, ...] = ()) -> list[dict[str, Any]]:
    """All entries by kind, with addresses below `start`; a number keeps those with one address apart."""
    kinds = {"Labs": scenes, "Experiments": experiments, "Views": views, "Methods": methods}
    found = {title: [entry for lab in labs for entry in entries(lab)] for title, entries in kinds.items()}
    found["Sweeps"] = [(preset.title, f"{sweep.NAME}?{link.query(preset.create())}", "") for preset in PRESETS]
    found |= {"Figures and claims": hung(cards), "Corrections": list(corrected()), "New results": list(new())}
    found["Parameters"] = without_twins(entry for lab in labs for entry in parameters(lab))
    found["Equations"] = without_twins(entry for lab in labs for entry in equations(lab))
    return [
        {
            "group": title,
            "items": [written(f"{title}{i} {start}{at}", words, more) for i, (words, at, more) in enumerate(entries)],
        }
        for title, entries in found.items()
        if entries
    ]


def written(value: str, words: str, more: str) -> dict[str, str]:
    """An entry as the browser gets it."""
    return {"value": value.replace(" ", "-", value.count(" ") - 1), "label": words, **({"more": more} if more else {})}


def scenes(lab: Lab) -> Entries:
    """A lab, and its scenes where it has several."""
    yield lab.heading, lab.id, lab.about
    for scene in lab.scenes[1:]:
        yield f"{lab.heading}: {scene.title or scene.id}", place(opening(lab, scene)), ""


def experiments(lab: Lab) -> Entries:
    """What a lab suggests."""
    for scene in lab.scenes:
        for one in suggestions(lab, scene):
            yield of(lab, one.title), place(one.state), ""


def views(lab: Lab) -> Entries:
    """The views of a lab, each alone on its page."""
    for scene in lab.scenes:
        for spot in scene.places.values():
            for view in spot.views:
                yield of(lab, view.title), place(alone(lab, scene, view)), ""


def alone(lab: Lab, scene: Scene, view: View) -> State:
    """The opening state of a scene with one view of it alone."""
    first = opening(lab, scene)
    spot = next(spot for spot in scene.places.values() if view in spot.views)
    tabs = {**dict(first.tabs), **({spot.id: view.id} if len(spot.views) > 1 else {})}
    return replace(first, tabs=tuple(tabs.items()), layout=spot.id)


def methods(lab: Lab) -> Entries:
    """The ways to run a lab, each beside those with which it opens."""
    for scene in lab.scenes:
        for panel in scene.panels:
            for name, way in panel.ways.items():
                yield of(lab, way.label), place(with_variant(lab, scene, panel, name)), ""


def hung(cards: tuple[Card, ...]) -> list[Words]:
    """Figures and claims of the papers."""
    return [
        (f"{tag(one.paper, one.figure)}: {one.title or one.claim}", f"card/{one.id}", f"{one.claim} {one.look}")
        for one in cards
    ]


def corrected() -> Entries:
    """Corrections of the papers, each open."""
    for one in find.corrections().values():
        seen = Seen(CORRECTIONS, open=one.id)
        yield f"{tag(one.paper, one.place)}: {one.title}", f"{gallery.NAME}?{seen.query()}", one.words


def new() -> Entries:
    """New results, each open."""
    for one in find.results().values():
        yield one.title, f"{gallery.NAME}?{Seen(RESULTS, open=one.id).query()}", one.statement


def parameters(lab: Lab) -> Entries:
    """The numbers that can be set in a lab, by their symbol, name and meaning."""
    for scene in lab.scenes:
        for number in vocabulary(scene).numbers.values():
            declared = number.declared
            symbol = re.sub("<[^>]*>", "", symbols.symbol(declared.symbol or declared.name))
            yield of(lab, f"{symbol}, {declared.meaning}", lift=False), place(opening(lab, scene)), declared.name


def equations(lab: Lab) -> Entries:
    """The equations of a lab's systems, by what they say and as they are written, where that lab shows them."""
    for scene in lab.scenes:
        shown = {view.panel: view for view in scene.all_views.values() if view.show is texts.equations}
        for name, view in shown.items():
            at = place(alone(lab, scene, view))
            for one in scene.panel(name).model.equations:
                yield of(lab, f"{one.meaning} ({one.source})" if one.source else one.meaning), at, one.tex


def without_twins(found: Iterable[Words]) -> list[Words]:
    """Entries of different names: of several scenes the first is enough."""
    return list({words: (words, at, more) for words, at, more in reversed(list(found))}.values())[::-1]


def with_variant(lab: Lab, scene: Scene, panel: Panel, name: str) -> State:
    """The opening state of a scene in which a variant runs, too."""
    first = opening(lab, scene)
    chosen = dict(first.variants)
    word = panel.word(VARIANTS)
    chosen[word] = tuple(way for way in panel.ways if way in (*chosen[word], name))
    return replace(first, variants=tuple(chosen.items()))


def place(state: State) -> str:
    """The address of a state below that of the start page."""
    query = state.query()
    return f"{state.lab.id}?{query}" if query else state.lab.id


def of(lab: Lab, words: str, lift: bool = True) -> str:
    """What an entry is called, and whose it is; symbols keep their first letter."""
    return f"{words[:1].upper() if lift else words[:1]}{words[1:]} · {lab.heading}"
