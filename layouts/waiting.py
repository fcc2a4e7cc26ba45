"""What is said while labs are being compiled: on the start page, and on the page of a lab that somebody waits for."""

import math
from typing import Any

from dash import dcc, html

from layouts import ids
from layouts.cards import picture
from nhviz.frame.records import Lab
from nhviz.preparing.progress import Progress
from server.paths import address

LOOK = 700
"""Milliseconds between two looks at what is being prepared."""


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


def preparing(progress: Progress, ready: dict[str, bool]) -> list[Any]:
    """How far the labs are, on the start page of a server that was just installed; then what to expect of them."""
    if all(ready.values()):
        return [html.Span("every control changes all pictures at once")]
    count = sum(ready.values())
    so_far = f"{count} of {len(ready)} labs are open" if count else "The first labs open in a moment"
    told = f"Compiling for this computer, once. {so_far}; the one that you open is compiled next. {left(progress)}"
    if progress.failure:
        told = f"Some labs could not be prepared. {progress.failure}"
    return [html.Div([gauge(progress), html.Span(told)], className="preparing", role="status")]


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
