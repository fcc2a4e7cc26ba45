"""The bar below the pictures: the clock of all views, and the numbers of the runs."""

from dash import html

from layouts import controls, ids
from layouts.attributes import aria, data
from nhviz.frame.state import State

SPEEDS = (0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0)
PLAYS = 8.0
"""A run plays for about so many seconds."""


def dock(state: State) -> html.Footer:
    """Play, one step back and on, the clock, its speed, numbers; the first hero, too, where there is no sidebar."""
    first = state.scene.panels[0]
    word = first.word(first.heroes[0])
    duration = max(value for word, value in state.numbers if word.rpartition(".")[2] == "duration")
    speed = min(SPEEDS, key=lambda s: abs(s - duration / PLAYS))
    return html.Footer(
        [
            controls.gauge(word, state.vocabulary.numbers[word], own=False),
            html.Button(icon("play"), id=ids.PLAY, className="go", title="play (space)", **aria(label="play")),
            html.Span(
                [
                    nudge(-1, "back", "one step back (←)"),
                    nudge(1, "on", "one step on (→)"),
                ],
                className="nudge",
            ),
            html.Div(
                [
                    html.Div([html.B(id=ids.TIME), html.Span(className="steps")], className="time-top"),
                    html.Div(className="beats"),
                ],
                className="time",
            ),
            html.Span(id=ids.SPEED, className="speed-room", **data(speed=speed, speeds=" ".join(map(str, SPEEDS)))),
            html.Dl(id=ids.READOUT, className="stats"),
            html.Button([icon("controls"), "Controls"], className="sheet-open", **aria(haspopup="dialog")),
        ],
        className="dock" if state.scene.clock else "dock still",
    )


def nudge(by: int, name: str, title: str) -> html.Button:
    """A button that moves the clock by one sample."""
    return html.Button(icon(name), className="tool", title=title, **data(nudge=by), **aria(label=title))


def icon(name: str) -> html.Span:
    """A drawing from the style sheet, in the colour of the text."""
    return html.Span(className=f"i i-{name}", **aria(hidden="true"))
