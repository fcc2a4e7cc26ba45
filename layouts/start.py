"""The start page: a run that plays by itself, and one card for each lab."""

import json
from typing import Any

from dash import dcc, html

from layouts import ids
from layouts.cards import card, entries
from layouts.waiting import LOOK, preparing
from nhviz import showpiece
from nhviz.frame import find
from nhviz.preparing.progress import Progress
from server.paths import address

LARGE = 2
"""Kinds with no more labs than that have large cards."""
BEGIN = (
    ("0 s", "Pick a lab", " below. It starts with a run worth seeing."),
    ("5 s", "Drag the step", " ε towards its fold; every view follows."),
    ("15 s", "Click in a picture", ": a new orbit starts there."),
    ("20 s", "Share", ": the address holds all you see."),
)


def start(progress: Progress, ready: dict[str, bool]) -> html.Section:
    """What this is, the run, and the labs; asks again while some labs are being prepared."""
    heading = [html.H2("Labs"), html.Div(preparing(progress, ready), id=ids.PREPARING)]
    return html.Section(
        [
            html.Div([words(), html.Div(stage(ready), id=ids.STAGE)], className="hero"),
            html.Div(heading, className="heading"),
            html.Div(labs(ready), id=ids.LABS),
            dcc.Store(ids.KNOWN, data=opened(ready)),
            dcc.Interval(id=ids.WATCH, interval=LOOK, disabled=is_last(progress, ready)),
        ],
        className="start",
    )


def is_last(progress: Progress, ready: dict[str, bool]) -> bool:
    """Whether nothing will change any more."""
    return all(ready.values()) or bool(progress.failure)


def opened(ready: dict[str, bool]) -> list[str]:
    """The labs that can be used."""
    return [name for name, is_ready in ready.items() if is_ready]


def labs(ready: dict[str, bool]) -> list[Any]:
    """A card for each lab, and whether it can be used."""
    families = find.families()
    large = [lab for labs in families.values() if len(labs) <= LARGE for lab in labs]
    small = [lab for labs in families.values() if len(labs) > LARGE for lab in labs]
    return [
        html.Div([card(lab, ready[lab.id]) for lab in large], className="cards"),
        html.Div([*(card(lab, ready[lab.id]) for lab in small), *entries()], className="cards small"),
    ]


def words() -> html.Div:
    """What this is, and how to begin."""
    tours = [address(f"lesson/{name}") for name in find.lessons()][:1]
    tour = [dcc.Link("Two-minute tour", href=href, className="button icon tour") for href in tours]
    return html.Div(
        [
            html.H1(["Push it backwards.", html.Br(), "It turns round by itself."]),
            html.P(
                [
                    html.B("nhviz shows and computes nonholonomic mechanics"),
                    ": skates, blades and rolling balls, their discrete maps, and the surfaces on which these live.",
                ],
                className="purpose",
            ),
            html.Div(
                [
                    dcc.Link(
                        "Open this sleigh", href=address(showpiece.address()), className="button primary icon onward"
                    ),
                    *tour,
                ],
                className="buttons",
            ),
            html.Ol([html.Li([html.Span(when), html.Span([html.B(what), rest])]) for when, what, rest in BEGIN]),
        ],
        className="words",
    )


def stage(ready: dict[str, bool]) -> html.Div:
    """The run with its numbers, which the browser plays; its empty frame while it cannot be computed yet."""
    found = showpiece.showpiece() if ready[showpiece.LAB] else None
    data: Any = {"data-run": json.dumps(found.drawing, separators=(",", ":"))} if found else {}
    sentence = found.sentence if found else (("This run is being prepared.", False),)
    return html.Div(
        [
            html.Div(className="ice"),
            html.P([html.B(text) if strong else text for text, strong in sentence], className="said"),
            html.Div(className="clock-line"),
            html.Div(
                [html.P([html.B("Momentum plane"), " the same run"]), html.Div(className="momenta")], className="inset"
            ),
            html.Dl([fact(*one) for one in found.facts] if found else [], className="facts"),
        ],
        className="stage" if found else "stage skeleton",
        **data,
    )


def fact(name: str, number: str, power: str, unit: str) -> html.Div:
    """A number of the run with its name."""
    return html.Div([html.Dt(name), html.Dd([number, html.Sup(power), html.Small(f" {unit}")])])
