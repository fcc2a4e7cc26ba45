"""The page of sweeps: what is swept on the left, the map with its cuts, a cell and its run beside it, progress below.

The browser fills it (`assets/sweep`): selects, axes and presets follow what is chosen without a round trip.
"""

from typing import Any

from dash import dcc, html

from layouts import ids
from layouts.attributes import aria, data
from layouts.controls import group
from layouts.dock import icon
from layouts.sweep_facts import facts
from nhviz.frame.sweeping import Spot
from nhviz.sweeps.presets import PRESETS, Preset
from nhviz.sweeps.value import Sweep
from server.paths import address

NAME, TITLE = "sweep", "Sweeps"
LINE = "One quantity over two parameters, as a map."
ABOUT = (
    "One quantity over two parameters. Click a cell to see its run, twice to open its lab; "
    "drag a rectangle to look closer."
)
FOLDER = "assets/sweep"


def page(sweep: Sweep, complaints: list[str], at: Spot = ()) -> html.Div:
    """The page of a sweep, read first at these values; `complaints` say what of a link could not be used."""
    return html.Div(
        [
            dcc.Store(ids.SWEEP_FACTS, data=facts(sweep, at)),
            dcc.Store(ids.SWEPT),
            sidebar(complaints),
            html.Div([top(), html.Div([picture(), column()], className="sweep"), dock()], className="main"),
        ],
        className="sweep-page",
    )


def sidebar(complaints: list[str]) -> html.Dialog:
    """What is swept; a dialog, which a phone opens as a sheet and a larger screen always shows."""
    return html.Dialog(
        [
            html.Button("Done", className="sheet-close"),
            html.Div([html.H1(TITLE), html.P(ABOUT, className="about")], className="words"),
            html.Div(" ".join(complaints), id=ids.NOTICE, className="notice", role="alert"),
            html.Div([select("of", "Of"), select("show", "Show"), select("map", "Map")], className="ask-of"),
            group("Axes", [html.Div(className="axes")]),
            group("Kept fixed", [html.Div(className="kept")], folded=""),
            html.Div(
                [html.H2("Worth a look"), html.Div([thumbnail(one) for one in PRESETS], className="presets")],
                className="worth",
            ),
        ],
        className="side",
        role="complementary",
        **aria(label="what is swept"),
    )


def select(name: str, words: str) -> html.Label:
    """Room for a choice of one of several names."""
    return html.Label([html.Span(words), html.Span(className="select-room")], className="choose", **data(choose=name))


def thumbnail(preset: Preset) -> html.Button:
    """A preset as its picture and its name."""
    picture = html.Img(src=address(f"{FOLDER}/{preset.id}.png"), alt="", width=132, height=76)
    return html.Button([picture, html.Span(preset.title)], title=preset.words, **data(preset=preset.id))


def top() -> html.Div:
    """The sentence with the numbers of the map."""
    return html.Div(html.P(className="insight", role="status"), className="top")


def picture() -> html.Article:
    """The map: cells, everything around them, what the pointer reads, the rectangle that it draws."""
    hidden = aria(hidden="true")
    return html.Article(
        [
            html.Header([html.H2(), html.P(), html.Span(saves(), className="view-tools")]),
            html.Div(
                [
                    html.Canvas(className="cells", **hidden),
                    html.Div(className="drawing", **hidden),
                    html.Div(className="rubber", hidden=True),
                    html.Div(className="hint", hidden=True, role="tooltip"),
                ],
                className="plot surface",
                role="application",
                tabIndex="0",
                **aria(label="map", describedby="sweep-keys"),
            ),
            html.P("Arrows move the cross-hair, Enter opens the lab, Escape zooms out.", id="sweep-keys", hidden=True),
        ],
        className="view map",
    )


def saves() -> list[Any]:
    """The picture as a file."""
    return [
        html.Button(kind.upper(), className="save", title=f"save as {kind.upper()}", **data(save=kind))
        for kind in ("png", "svg")
    ]


def column() -> html.Div:
    """A cell: its value, its run, and the Python lines of the whole map."""
    copy = html.Button("Copy", className="button small", **data(act="copy"))
    return html.Div(
        [
            html.Section(
                [
                    html.P(className="at"),
                    html.P(className="value", **aria(live="polite")),
                    html.P(className="around"),
                    html.Div([html.A("Open in its lab", className="button primary icon onward small"), copy]),
                ],
                className="box reading",
                **aria(label="the cell at the cross-hair"),
            ),
            html.Article(
                [
                    html.Header([html.H2("This cell’s run"), html.P()]),
                    html.Div([html.Div(className="graph"), html.P(className="none")], className="plot"),
                ],
                className="view run",
            ),
            html.Section(
                [html.H2("The same in Python"), html.Pre(tabIndex="0", **aria(label="Python lines"))],
                className="box code",
            ),
        ],
        className="col",
    )


def dock() -> html.Footer:
    """How far the sweep is, and what can be done with it."""
    words = html.Div([html.P(className="far"), html.P(className="left")], className="progress-words")
    track = html.Div(html.I(), className="track", role="progressbar", **aria(label="cells done"))
    return html.Footer(
        [
            html.Div([words, track], className="progress"),
            act("cancel", [icon("close"), "Cancel"]),
            act("on", "Go on"),
            act("lines", "Python"),
            html.Span([act("csv", "CSV"), act("npz", "npz")], className="files"),
            act("out", "Zoom out"),
            html.Button([icon("controls"), "Controls"], className="sheet-open", **aria(haspopup="dialog")),
        ],
        className="dock sweep-dock",
    )


def act(name: str, words: Any) -> html.Button:
    """A button of the dock."""
    return html.Button(words, className="button small", **data(act=name))
