"""The page of any lab, from its declarations: controls on the left, places with views on the right, one play bar."""

from dataclasses import dataclass
from typing import Any

from dash import dcc, html

from layouts import controls, ids
from nhviz.frame.experiments import Suggestion, suggestions
from nhviz.frame.records import Lab, Place, Scene
from nhviz.frame.state import State
from nhviz.frame.words import SCENE

GRAPH_CONFIG: Any = {
    "displaylogo": False,
    "scrollZoom": True,
    "modeBarButtonsToRemove": ["select2d", "lasso2d", "toImage"],
}
SPEEDS = (0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0)


@dataclass(frozen=True)
class About:
    """What a page is opened for: a card or a step of a lesson, with its words and its question."""

    id: str = ""
    title: str = ""
    words: str = ""
    ask: str = ""
    onward: tuple[tuple[str, str], ...] = ()


NOTHING_ELSE = About()


def page(state: State, complaints: list[str], address: str, about: About = NOTHING_ELSE) -> html.Div:
    """A lab in a state; `address` is that of the lab, `about` says what to look at."""
    scene, lab = state.scene, state.lab
    offered = suggestions(lab, scene)
    return html.Div(
        [
            dcc.Store(ids.ASKED, data={"state": state.to_dict(), "preview": False, "places": None, "about": about.id}),
            dcc.Store(ids.FACTS, data=facts(state, offered)),
            *(dcc.Store(name) for name in (ids.FRAMES, ids.ANSWER, ids.CLICKED, ids.START, ids.ASIDE, ids.NOTHING)),
            dcc.Store(ids.SENT, data={}),
            dcc.Download(ids.DOWNLOAD),
            html.Aside(
                [
                    *companion(about),
                    html.H1(lab.heading),
                    html.P([lab.about, *try_first(lab)]),
                    *scene_links(lab, scene, address),
                    html.Div([experiment(i, e) for i, e in enumerate(offered)], className="experiments"),
                    html.Div(" ".join(complaints), id=ids.NOTICE, className="notice", role="alert"),
                    *(control for panel in scene.panels for control in controls.panel_controls(panel, state)),
                    *controls.view_controls(state),
                ],
                className="sidebar",
            ),
            html.Section(
                [place_figure(place, state) for place in scene.places.values()],
                id=ids.VIEWS,
                className="views",
                style={"--areas": " ".join(f'"{row}"' for row in scene.rows)},
            ),
            play_bar(max(value for word, value in state.numbers if word.rpartition(".")[2] == "duration")),
        ],
        className="lab",
    )


def facts(state: State, offered: list[Suggestion]) -> dict[str, Any]:
    """What the browser needs to know about a scene to turn events into states."""
    words, scene = state.vocabulary, state.scene
    return {
        "numbers": {word: number.describe() for word, number in words.numbers.items()},
        "variants": {word: list(panel.ways) for word, panel in words.variants.items()},
        "views": {
            view.id: {
                "kind": view.kind,
                "start": [scene.panel(view.panel).word(name) for name in view.start]
                if isinstance(view.start, tuple)
                else [],
                "asks": callable(view.start),
            }
            for view in scene.all_views.values()
        },
        "places": {place.id: [view.id for view in place.views] for place in scene.places.values()},
        "experiments": [{"state": one.state.to_dict(), "shows": one.shows} for one in offered],
    }


def companion(about: About) -> list[Any]:
    """What the page was opened for, above everything else."""
    if not about.id:
        return []
    links = [dcc.Link(words, href=href) for words, href in about.onward]
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


def try_first(lab: Lab) -> list[Any]:
    """What to do first."""
    return [" ", html.Strong("Try first: "), lab.try_first] if lab.try_first else []


def scene_links(lab: Lab, scene: Scene, address: str) -> list[Any]:
    """The scenes of a lab that has several."""
    if len(lab.scenes) == 1:
        return []
    return [
        html.Nav(
            [
                dcc.Link(
                    one.title or one.id,
                    href=f"{address}?{SCENE}={one.id}",
                    className="current" if one is scene else "",
                )
                for one in lab.scenes
            ],
            className="scenes",
        )
    ]


def experiment(number: int, one: Suggestion) -> html.Button:
    """A suggested experiment as a button."""
    return html.Button(one.title, id=ids.experiment(number), title=one.look, n_clicks=0)


def place_figure(place: Place, state: State) -> html.Figure:
    """One place: the title of its view or its tabs, buttons that save and enlarge it, its graph and its text."""
    titles = {view.id: view.title for view in place.views}
    several = len(place.views) > 1
    title = (
        dcc.RadioItems(titles, dict(state.tabs)[place.id], id=ids.tabs(place.id), inline=True, className="tabs")
        if several
        else html.Span(place.views[0].title, title=place.views[0].caption)
    )
    save = [
        html.Button(ending.upper(), id=ids.picture(place.id, ending), title=f"save as {ending.upper()}", n_clicks=0)
        for ending in ("png", "svg")
    ]
    data: Any = {"data-place": place.id}
    large = html.Button("⤢", id=ids.enlarge(place.id), title="this one alone, or all again", n_clicks=0)
    return html.Figure(
        [
            html.Figcaption([title, html.Span([html.Span(save, className="save"), large], className="tools")]),
            dcc.Graph(
                id=ids.graph(place.id), config=GRAPH_CONFIG, responsive=True, className="graph", clear_on_unhover=False
            ),
            html.Div(id=ids.text(place.id), className="text"),
        ],
        className=f"view view-{place.id}",
        style={"--area": place.id},
        **data,
    )


def play_bar(duration: float) -> html.Div:
    """One clock for all views, and the numbers of the runs."""
    speed = min(SPEEDS, key=lambda s: abs(s - duration / 8.0))
    return html.Div(
        [
            html.Button("▶ play", id=ids.PLAY, n_clicks=0, title="play or pause (all views)"),
            dcc.Input(id=ids.CLOCK, type="range", min=0, max=1000, step=1, value=0, className="clock", name="instant"),
            html.Output("t = 0", id=ids.TIME, className="time"),
            html.Label(["speed ", dcc.Dropdown(
                [{"label": f"{s:g}x", "value": s} for s in SPEEDS], speed, id=ids.SPEED, clearable=False,
                searchable=False, className="speed",
            )]),
            html.Div(id=ids.READOUT, className="readout"),
        ],
        className="play-bar",
    )  # fmt: skip
