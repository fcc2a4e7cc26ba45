"""The page of any lab, from its declarations: controls on the left, pictures on the right, the clock below them."""

from dataclasses import dataclass
from typing import Any

from dash import dcc, html

from layouts import controls, dock, ids, views
from layouts.attributes import aria, data
from nhviz.frame.experiments import Suggestion, suggestions
from nhviz.frame.records import Lab, Panel, Scene
from nhviz.frame.state import State, opening
from nhviz.frame.words import SCENE, open_options
from server.paths import plotly


@dataclass(frozen=True)
class About:
    """What a page is opened for: a card or a step of a lesson, with its words and its question.

    A card has a tag, says what to look at, and whose data are shown.
    """

    id: str = ""
    title: str = ""
    words: str = ""
    ask: str = ""
    onward: tuple[tuple[str, str], ...] = ()
    tag: str = ""
    look: str = ""
    whose: str = ""


NOTHING_ELSE = About()
FEW = 4
"""So many scenes stand side by side."""
STORES = (
    ids.TOLD, ids.CLICKED, ids.START, ids.PINNED, ids.GHOSTS, ids.NOTHING, ids.STARTED, ids.HAUNTED, ids.HEARD,
)  # fmt: skip
"""Through these the server and the page's scripts talk; the last four are where scripts leave nothing."""


def question(state: State, about: About = NOTHING_ELSE) -> dict[str, Any]:
    """What a new page in a state wants to know."""
    return {
        "state": state.to_dict(), "preview": False, "places": None, "about": about.id, "number": 0, "presenter": False,
    }  # fmt: skip


def page(
    state: State,
    complaints: list[str],
    address: str,
    about: About = NOTHING_ELSE,
    answer: Any = None,
    sums: dict[str, int] | None = None,
    texts: dict[str, Any] | None = None,
) -> html.Div:
    """A lab in a state; `address` is that of the lab, `about` says what to look at.

    It may come with the answer to its question, the checksums of that, and the texts of its places.
    """
    offered = suggestions(state.lab, state.scene)
    return html.Div(
        [
            dcc.Store(ids.ASKED, data=question(state, about)),
            dcc.Store(ids.ANSWER, data=answer),
            dcc.Store(ids.SENT, data=sums or {}),
            *(dcc.Store(name) for name in STORES),
            dcc.Store(ids.FACTS, data=facts(state, offered)),
            sidebar(state, offered, complaints, address, about),
            html.Div(
                [
                    html.Div([views.chips(state), views.insight()], className="top"),
                    views.views(state, texts or {}),
                    html.Div(className="pages", **aria(hidden="true")),
                    dock.dock(state),
                ],
                className="main",
            ),
        ],
        className="lab",
    )


def sidebar(state: State, offered: list[Suggestion], complaints: list[str], address: str, about: About) -> html.Dialog:
    """Words and controls. It is a dialog, which a phone opens as a sheet and a larger screen always shows."""
    scene, lab = state.scene, state.lab
    return html.Dialog(
        [
            html.Button("Done", className="sheet-close"),
            *companion(about),
            html.Div(
                [
                    html.H1(lab.heading),
                    html.P([scene.summary or lab.about, *try_first(scene.try_first or lab.try_first)]),
                    *scene_links(lab, scene, address),
                    html.Div([experiment(i, e) for i, e in enumerate(offered)], className="tries"),
                ],
                className="words",
            ),
            html.Div(" ".join(complaints), id=ids.NOTICE, className="notice", role="alert"),
            *controls.view_controls(state, at_top=True),
            *(control for panel in scene.panels for control in controls.panel_controls(panel, state)),
            *controls.view_controls(state),
        ],
        className="side",
        role="complementary",
        **aria(label="controls"),
    )


def facts(state: State, offered: list[Suggestion]) -> dict[str, Any]:
    """What the browser needs to know about a scene to turn events into states, and states into words."""
    words, scene = state.vocabulary, state.scene
    return {
        "plotly": plotly(),
        "numbers": {word: number.describe() for word, number in words.numbers.items()},
        "variants": {word: list(panel.ways) for word, panel in words.variants.items()},
        "runs": {panel.word(way): run_facts(panel, way, scene) for panel in scene.panels for way in panel.ways},
        "uses": {word: used for panel in scene.panels for word, used in uses(panel).items()},
        "planes": {panel.name: [panel.word(name) for name in panel.model.plane.axes]
                   for panel in scene.panels if panel.model.plane},
        "momenta": {panel.name: momenta(panel) for panel in scene.panels if panel.model.momentum},
        "views": {
            view.id: {
                "kind": view.kind,
                "title": view.title,
                "panel": scene.panel(view.panel).name,
                "start": [scene.panel(view.panel).word(name) for name in view.start]
                if isinstance(view.start, tuple)
                else [],
                "asks": callable(view.start),
            }
            for view in scene.all_views.values()
        },
        "places": {place.id: [view.id for view in place.views] for place in scene.places.values()},
        "experiments": [{"state": one.state.to_dict(), "shows": one.shows} for one in offered],
        "instant": scene.instant,
        "opening": opening(state.lab, scene).to_dict(),
    }  # fmt: skip


def momenta(panel: Panel) -> dict[str, list[str]]:
    """The words of velocities, of the momenta that may stand for them, and of the direction that joins both."""
    declared = panel.model.momentum
    assert declared is not None
    parts = {"velocities": declared.velocities, "momenta": declared.momenta, "along": declared.along}
    return {part: [panel.word(name) for name in names] for part, names in parts.items()}


def run_facts(panel: Panel, name: str, scene: Scene) -> dict[str, Any]:
    """What the browser says about a variant: its label, its slot, whether it makes steps, whose step that is."""
    way = panel.ways[name]
    return {
        "label": way.label,
        "slot": scene.slots[panel.word(name)],
        "discrete": panel.model.method(way.method).discrete,
        "step": panel.word("step"),
    }


def uses(panel: Panel) -> dict[str, list[str]]:
    """For each option of methods the variants that listen to it: it is hidden while none of them is chosen."""
    return {
        panel.word(option.name): [
            way.id
            for way in panel.ways.values()
            if option.name not in way.options and option in panel.model.method(way.method).options
        ]
        for option in open_options(panel)
    }


def companion(about: About) -> list[Any]:
    """What the page was opened for, above everything else."""
    if not about.id:
        return []
    links = [dcc.Link(words, href=href) for words, href in about.onward]
    if about.tag:
        return [html.Div([*claim(about), html.Nav(links)], className="companion")]
    return [
        html.Div(
            [
                html.H2(about.title),
                dcc.Markdown(about.words, mathjax=True),
                html.P(about.ask, className="ask"),
                html.P(id=ids.VERDICT, role="status", className="verdict"),
                html.Nav(links),
            ],
            className="companion",
        )
    ]


def claim(about: About) -> list[Any]:
    """A card: its tag and verdict, the claim, what to look at, and a sentence with numbers, which the page fills in."""
    look = [dcc.Markdown(about.look, mathjax=True)] if about.look else []
    return [
        html.Div(
            [html.Span(about.tag, className="tag"), html.Span(id=ids.VERDICT, role="status", className="verdict")],
            className="line",
        ),
        html.H2(about.title),
        dcc.Markdown(about.words, mathjax=True),
        *look,
        html.P(id=ids.CLAIM, className="told"),
        html.P(about.whose, className="whose"),
    ]


def try_first(words: str) -> list[Any]:
    """What to do first."""
    return [" ", html.B("Try: "), words] if words else []


def scene_links(lab: Lab, scene: Scene, address: str) -> list[Any]:
    """The scenes of a lab that has several: side by side, or many of them for a list that the browser makes."""
    if len(lab.scenes) == 1:
        return []
    links = [
        dcc.Link(one.title or one.id, href=f"{address}?{SCENE}={one.id}", className="current" if one is scene else "")
        for one in lab.scenes
    ]
    if len(lab.scenes) <= FEW:
        return [html.Nav(links, className="scenes")]
    return [html.Nav(html.Span(links, hidden=True), className="scenes many", **aria(label="what is shown"))]


def experiment(number: int, one: Suggestion) -> html.Button:
    """A suggested experiment as a button."""
    return html.Button(one.title, title=one.look, **data(experiment=number))
