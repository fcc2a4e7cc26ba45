"""The page around everything: header, themes, the start page, and the pages of labs that are still being prepared."""

import math
from pathlib import Path
from typing import Any

import dash_mantine_components as dmc
from dash import dcc, html

from layouts import document, header, ids, search
from nhviz.frame import find
from nhviz.frame.records import Lab
from nhviz.preparing.progress import Progress
from server.paths import address

ASSETS = Path(__file__).parent.parent / "assets"
LOOK = 700
"""Milliseconds between two looks at what is being prepared."""


def layout() -> dmc.MantineProvider:
    """Header and an empty place for the page of the address."""
    return dmc.MantineProvider(
        html.Div(
            [
                dcc.Location(id=ids.URL, refresh="callback-nav"),
                dcc.Store(id=ids.THEME, storage_type="local", data="light"),
                dcc.Store(id=ids.NAMES, data=document.names()),
                header.header(),
                html.Main(id=ids.PAGE),
                search.dialog(),
            ],
            className="shell",
        ),
        id=ids.PROVIDER,
        theme={"fontFamily": "var(--sans)", "headings": {"fontFamily": "var(--sans)"}},
    )


def unknown() -> html.Section:
    """The page of an address that names nothing."""
    return html.Section(
        [
            html.H1("There is no such lab"),
            html.P(["The address names no system. ", dcc.Link("All labs", href=address()), "."]),
        ],
        className="start",
    )


def start(progress: Progress, ready: dict[str, bool]) -> html.Section:
    """What this is, and one card per lab; asks again while some labs are being prepared."""
    watch = dcc.Interval(id=ids.WATCH, interval=LOOK, disabled=all(ready.values()) or bool(progress.failure))
    return html.Section([html.Div(start_content(progress, ready), id=ids.WELCOME), watch], className="start")


def start_content(progress: Progress, ready: dict[str, bool]) -> list[Any]:
    """The words and cards of the start page; `ready` says which labs can be used."""
    return [
        html.H1("See nonholonomic mechanics"),
        html.P(
            "Bodies with constraints on their velocities, such as a skate, a blade or a rolling ball, are not "
            "Hamiltonian and behave strangely. Pick a lab: every control changes all pictures at once."
        ),
        *([] if all(ready.values()) else [preparing(progress, ready)]),
        html.Div([card(lab, ready[name]) for name, lab in find.labs().items()], className="cards"),
    ]


def preparing(progress: Progress, ready: dict[str, bool]) -> html.Div:
    """How far the labs are, on the start page of a server that was just installed."""
    count = sum(ready.values())
    opened = f"{count} of {len(ready)} labs are open" if count else "The first labs open in a moment"
    words = f"Compiling for this computer, once. {opened}; the one that you open is compiled next. {left(progress)}"
    if progress.failure:
        words = f"Some labs could not be prepared. {progress.failure}"
    return html.Div([gauge(progress), html.Span(words)], className="preparing", role="status")


def wait(lab: Lab, progress: Progress) -> html.Section:
    """The page of a lab that is still being compiled; it turns into the lab by itself."""
    return html.Section(
        [
            picture(lab),
            html.H1(lab.heading),
            html.P(lab.about),
            html.Div(gauge(progress), id=ids.DONE),
            html.P(sentence(progress), id=ids.SENTENCE, role="status"),
            html.P(["The lab opens here by itself. ", dcc.Link("All labs", href=address())]),
            dcc.Interval(id=ids.WAIT, interval=LOOK),
        ],
        className="wait",
    )


def gauge(progress: Progress) -> html.Progress:
    """How much is done, as a bar."""
    return html.Progress(value=str(progress.done), max=str(max(progress.of, 1)))


def sentence(progress: Progress) -> str:
    """How far a lab is, in words."""
    if progress.failure:
        return f"This lab could not be prepared. {progress.failure} Restart the server to try again."
    done = f"{progress.done} of {progress.of} parts are compiled for this computer."
    return f"{done} {left(progress)} This happens once."


def left(progress: Progress) -> str:
    """The time that the rest takes, in words."""
    if progress.seconds is None:
        return ""
    seconds = math.ceil(progress.seconds)
    return f"About {seconds} s left." if seconds < 100 else f"About {math.ceil(seconds / 60)} minutes left."


def picture(lab: Lab) -> html.Img:
    """The drawing of a lab."""
    name = lab.id if (ASSETS / f"{lab.id}.svg").exists() else "other"
    return html.Img(src=address(f"assets/{name}.svg"), alt=f"{lab.heading}, drawn")


def card(lab: Lab, ready: bool) -> dcc.Link:
    """One lab: its picture, title and summary, and whether it is still being prepared."""
    state = [] if ready else [html.Span("being prepared", className="state")]
    return dcc.Link(
        [picture(lab), html.H2(lab.heading), html.P(lab.about), *state],
        href=address(lab.id),
        id=f"lab-{lab.id}",
        className="card" if ready else "card unready",
    )
