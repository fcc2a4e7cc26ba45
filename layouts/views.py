"""The pictures of a lab: chips that are legend and switch, the sentence about what is seen, the places with views."""

import re
from typing import Any

from dash import html

from layouts import controls, ids
from layouts.attributes import aria, data
from layouts.dock import icon
from nhviz.figures import palette
from nhviz.frame.records import Key, Panel, Place, Scene
from nhviz.frame.shown import visible
from nhviz.frame.state import State
from nhviz.frame.words import VARIANTS, laid_out

LAYOUTS = {"all": "all views alike", "focus": "one view large, the others beside it", "single": "one view alone"}


def chips(state: State) -> html.Div:
    """All variants of all panels, then what the page can be laid out like, and the picker of a presentation."""
    scene = state.scene
    return html.Div(
        [
            html.Div(
                [*(chip for panel in scene.panels for chip in panel_chips(panel, state)), *map(key, scene.legend)],
                className="switches",
                role="group",
                **aria(label="methods: legend and switches"),
            ),
            html.Span([picker(scene), *tools()], className="end"),
        ],
        className="chips",
    )


def panel_chips(panel: Panel, state: State) -> list[Any]:
    """The chips of a panel, after its title where it has one."""
    title = [html.B(panel.title or panel.name, className="whose")] if panel.name else []
    return [*title, *(chip(panel, name, state) for name in in_order(panel))]


def in_order(panel: Panel) -> list[str]:
    """The motion first, then maps, then other ways to the motion, then integrators that are pulled back.

    Where the page is about these, maps that do not run at first come last.
    """

    def is_pulled(name: str) -> bool:
        return panel.model.method(panel.ways[name].method).stable_gains is not None

    def rank(name: str) -> int:
        method = panel.model.method(panel.ways[name].method)
        if not method.discrete:
            return 0 if name == flows[0] else 2
        return 3 if is_pulled(name) else 4 if about_these and name not in panel.opening else 1

    about_these = any(is_pulled(name) for name in panel.opening)
    flows = [name for name, way in panel.ways.items() if not panel.model.method(way.method).discrete]
    return sorted(panel.ways, key=rank)


def chip(panel: Panel, name: str, state: State) -> html.Button:
    """One variant: its marker or line, its name, a small word; pressed while it runs."""
    way, slot = panel.ways[name], state.scene.slots[panel.word(name)]
    method = panel.model.method(way.method)
    chosen = name in dict(state.variants)[panel.word(VARIANTS)]
    shape = palette.SYMBOLS[slot] if method.discrete else "line"
    return html.Button(
        [html.Span(className=f"sample sample-{shape}"), html.Span(way.label), html.Small(method.small)],
        className="chip on" if chosen else "chip",
        title=method.remark,
        style={"--c": f"var(--method-{slot})"},
        **data(variants=panel.word(VARIANTS), variant=name, key=panel.word(name), small=method.small),
        **aria(pressed=str(chosen).lower()),
    )


def key(one: Key) -> html.Span:
    """What a colour means: a swatch of it, or a line in ink, and its words."""
    sample = html.I(className="swatch" if one.light else "sample sample-line")
    colours = {"--light": one.light, "--dark": one.dark} if one.light else {}
    return html.Span([sample, one.text], className="key", style=colours)


def picker(scene: Scene) -> html.Span:
    """Which places a presentation shows."""
    names = {place.id: place.views[0].short or place.views[0].title for place in scene.places.values()}
    buttons = [html.Button(text, **data(see=name), **aria(pressed="false")) for name, text in names.items()]
    return html.Span(buttons, className="seen", role="group", **aria(label="views to show"))


def tools() -> list[Any]:
    """Keep the present runs to compare with, undo, redo, lay out, leave a presentation."""
    layouts = [
        html.Button(icon(f"layout-{name}"), title=f"{text}", **data(layout=name), **aria(label=text))
        for name, text in LAYOUTS.items()
    ]
    return [
        html.Button(
            icon("pin"), className="tool pin", title="pin: keep these runs as a ghost to compare with (G)",
            **aria(label="pin these runs"), **aria(pressed="false"),
        ),
        html.Button(icon("undo"), className="tool undo", title="undo (Ctrl Z)", disabled=True, **aria(label="undo")),
        html.Button(icon("redo"), className="tool redo", title="redo (Ctrl Y)", disabled=True, **aria(label="redo")),
        html.Span(layouts, className="lay", role="group", **aria(label="layout")),
        html.Button(icon("close"), className="tool leave", title="leave the presentation (Esc)", **aria(label="leave")),
    ]  # fmt: skip


def insight() -> html.Div:
    """The sentence about what is seen now, and how long it takes to see something new."""
    return html.Div(
        [
            html.Div(id=ids.INSIGHT, role="status", className="insight"),
            html.Button("Cancel", className="cancel", hidden=True),
            html.Div(className="waiting-bar"),
        ],
        className="says",
    )


def place_view(place: Place, number: int, state: State, text: Any = None) -> html.Article:
    """One place: a header with title or tabs, what to see, and tools; its picture and its text, if that is known."""
    several = len(place.views) > 1
    first = place.views[0]
    _, large = laid_out(state.layout)
    shown = visible(state).get(place.id)
    marks = ["big"] * (place.id == large) + ["shows-text"] * (shown is not None and shown.kind == "text")
    choices = controls.options(state, first.id) if first.at_top else []
    alone: list[Any] = [html.H2(first.title), *choices, caption(first.caption, first.long)]
    heading = [tabs(place, state)] if several else alone
    buttons = [
        *(
            html.Button(ending.upper(), className="save", title=f"save as {ending.upper()}", **data(save=ending))
            for ending in ("png", "svg")
        ),
        html.Button(icon("fit"), className="tool fit", title="fit: the whole, first camera (F)", **aria(label="fit")),
        html.Button(
            icon("expand"), className="tool expand", title=f"large (double click, {number}); Esc returns",
            **aria(label="make this view large"),
        ),
    ]  # fmt: skip
    return html.Article(
        [
            html.Header(
                [
                    *heading,
                    html.Span(className="note"),
                    html.Span(className="coming"),
                    html.Span(buttons, className="view-tools"),
                ]
            ),
            html.Div(id=ids.graph(place.id), className="plot graph"),
            html.Div(text, id=ids.text(place.id), className="text", tabIndex="0"),
        ],
        className=" ".join(["view", f"view-{place.id}", *marks]),
        style={"--area": place.id},
        hidden=shown is None,
        **data(place=place.id),
        **aria(label=first.title),
    )


def caption(text: str, long: str) -> html.P:
    """One line of what to see; more of it where the view is large. Of several phrases one without room is left out."""
    more = f"{'. ' if text and text[-1] not in '.!?' else ' '}{long}" if long else ""
    own, further = ([phrase for phrase in re.split(r"(?=[;.] )", words) if phrase] for words in (text, more))
    return html.P(
        [*map(html.Span, own), *(html.Span(phrase, className="long") for phrase in further)],
        className="phrases" if len(own) > 1 else "",
        title=text,
    )


def tabs(place: Place, state: State) -> html.Div:
    """The views of a place, of which one is shown."""
    current = dict(state.tabs)[place.id]
    return html.Div(
        [
            html.Button(
                view.title, role="tab", title=view.caption, **data(tab=view.id),
                **aria(selected=str(view.id == current).lower()),
            )
            for view in place.views
        ],
        className="tabs", role="tablist", **aria(label="views"),
    )  # fmt: skip


def views(state: State, texts: dict[str, Any]) -> html.Section:
    """All places of the page, with the texts that are known."""
    scene = state.scene
    return html.Section(
        [place_view(place, i + 1, state, texts.get(place.id)) for i, place in enumerate(scene.places.values())],
        id=ids.VIEWS,
        className="views",
        tabIndex="-1",
        **data(layout=laid_out(state.layout)[0]),
        style={"--areas": " ".join(f'"{row}"' for row in scene.rows), "--beside": len(scene.places) - 1},
    )
