"""Which page is shown: the start page, a lab, or a sentence about an address that does not exist."""

from typing import Any

from dash import ALL, ClientsideFunction, Dash, Input, Output, State, no_update

from layouts import ids, shell
from server import readiness


def page(path: str | None, search: str | None) -> Any:
    """The page of an address: the start, a lab, or how far a lab is that is still being compiled."""
    if shell.is_start(path):
        return shell.start(*readiness.overview())
    name = shell.system_of(path)
    if name is None:
        return shell.unknown()
    return shell.lab_page(name, search) if readiness.is_open(name) else shell.wait(name, readiness.waiting(name))


def look_again(_: int, path: str, search: str) -> tuple[Any, Any, Any]:
    """While a lab is being compiled: how far it is; then the lab itself."""
    name = shell.system_of(path)
    if name is None or readiness.is_open(name):
        return page(path, search), no_update, no_update
    progress = readiness.waiting(name)
    return no_update, shell.gauge(progress), shell.sentence(progress)


def look_at_all(_: int) -> tuple[Any, bool]:
    """On the start page, while labs are being compiled: its words and cards, and whether that was the last look."""
    progress, ready = readiness.overview()
    return shell.start_content(progress, ready), all(ready.values()) or bool(progress.failure)


def register(app: Dash) -> None:
    """Connect addresses to pages, and the browser's own functions to the controls."""

    @app.callback(Output(ids.PAGE, "children"), Input(ids.URL, "pathname"), State(ids.URL, "search"))
    def show_page(path: str, search: str) -> Any:
        """The page of an address."""
        return page(path, search)

    app.callback(
        Output(ids.PAGE, "children", allow_duplicate=True),
        Output(ids.DONE, "children"),
        Output(ids.SENTENCE, "children"),
        Input(ids.WAIT, "n_intervals"),
        State(ids.URL, "pathname"),
        State(ids.URL, "search"),
        prevent_initial_call=True,
    )(look_again)
    app.callback(
        Output(ids.START, "children"),
        Output(ids.WATCH, "disabled"),
        Input(ids.WATCH, "n_intervals"),
        prevent_initial_call=True,
    )(look_at_all)

    def browser(name: str, *arguments: Any, **more: Any) -> None:
        app.clientside_callback(ClientsideFunction("nhviz", name), *arguments, **more)

    browser(
        "gather",
        Output(ids.STATE, "data"),
        Output(ids.slider(ALL), "value"),
        Output(ids.box(ALL), "value"),
        Output(ids.METHODS, "value"),
        Input(ids.slider(ALL), "drag_value"),
        Input(ids.slider(ALL), "value"),
        Input(ids.box(ALL), "value"),
        Input(ids.preset(ALL), "n_clicks"),
        Input(ids.METHODS, "value"),
        Input(ids.option(ALL), "value"),
        Input(ids.LAUNCH, "data"),
        State(ids.STATE, "data"),
        State(ids.FACTS, "data"),
        prevent_initial_call=True,
    )
    browser("link", Output(ids.NOTHING, "data"), Input(ids.STATE, "data"), State(ids.FACTS, "data"))
    browser("frames", Output(ids.CLOCK, "value"), Input(ids.FRAMES, "data"))
    browser(
        "play",
        Output(ids.PLAY, "children"),
        Input(ids.PLAY, "n_clicks"),
        State(ids.SPEED, "value"),
        prevent_initial_call=True,
    )
    browser("speed", Output(ids.SPEED, "title"), Input(ids.SPEED, "value"))
    browser("seek", Output(ids.TIME, "title"), Input(ids.CLOCK, "value"), prevent_initial_call=True)
    browser("hover", Output(ids.TIME, "lang"), Input(ids.graph(ALL), "hoverData"), prevent_initial_call=True)
    browser("save", Output(ids.DOWNLOAD, "base64"), Input(ids.picture(ALL, ALL), "n_clicks"), prevent_initial_call=True)
    browser("copy", Output(ids.LINK, "children"), Input(ids.LINK, "n_clicks"), prevent_initial_call=True)
    browser("tab", Output(ids.TEXT, "className"), Input(ids.TAB, "value"), Input(ids.TEXT, "children"))
    browser("theme", Output(ids.PAGE, "title"), Input(ids.THEME, "value"))
