"""The search: labs, their experiments, views and methods, and sweeps worth a look, each with its address."""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

import dash_mantine_components as dmc

from layouts import ids, sweep
from nhviz.frame import find
from nhviz.frame.experiments import suggestions
from nhviz.frame.records import Lab, Panel, Scene
from nhviz.frame.state import State, opening
from nhviz.frame.words import VARIANTS
from nhviz.sweeps import link
from nhviz.sweeps.presets import PRESETS
from server.paths import address

MOST = 12
"""So many entries are listed at a time: the list needs no scrolling, which a keyboard could not do."""
Entries = Iterator[tuple[str, str]]


def dialog() -> dmc.Modal:
    """A box to type in, with the entries that fit."""
    box = dmc.Select(
        id=ids.FOUND,
        data=groups(address(), tuple(find.labs().values())),
        searchable=True,
        limit=MOST,
        filter={"function": "everyWord"},
        placeholder="Labs, experiments, views, methods, sweeps",
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


@lru_cache(maxsize=8)
def groups(start: str, labs: tuple[Lab, ...]) -> list[dict[str, Any]]:
    """All entries of labs by kind, with addresses below `start`; a number keeps those with one address apart."""
    kinds = {"Labs": scenes, "Experiments": experiments, "Views": views, "Methods": methods}
    found = {title: [entry for lab in labs for entry in entries(lab)] for title, entries in kinds.items()}
    found["Sweeps"] = [(preset.title, f"{sweep.NAME}?{link.query(preset.create())}") for preset in PRESETS]
    return [
        {
            "group": title,
            "items": [{"value": f"{title}{i} {start}{at}", "label": words} for i, (words, at) in enumerate(entries)],
        }
        for title, entries in found.items()
    ]


def scenes(lab: Lab) -> Entries:
    """A lab, and its scenes where it has several."""
    yield lab.heading, lab.id
    for scene in lab.scenes[1:]:
        yield f"{lab.heading}: {scene.title or scene.id}", place(opening(lab, scene))


def experiments(lab: Lab) -> Entries:
    """What a lab suggests."""
    for scene in lab.scenes:
        for one in suggestions(lab, scene):
            yield of(lab, one.title), place(one.state)


def views(lab: Lab) -> Entries:
    """The views of a lab, each alone on its page."""
    for scene in lab.scenes:
        first = opening(lab, scene)
        for spot in scene.places.values():
            for view in spot.views:
                tabs = {**dict(first.tabs), **({spot.id: view.id} if len(spot.views) > 1 else {})}
                yield of(lab, view.title), place(replace(first, tabs=tuple(tabs.items()), layout=spot.id))


def methods(lab: Lab) -> Entries:
    """The ways to run a lab, each beside those with which it opens."""
    for scene in lab.scenes:
        for panel in scene.panels:
            for name, way in panel.ways.items():
                yield of(lab, way.label), place(with_variant(lab, scene, panel, name))


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


def of(lab: Lab, words: str) -> str:
    """What an entry is called, and whose it is."""
    return f"{words[:1].upper()}{words[1:]} · {lab.heading}"
