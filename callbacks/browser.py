"""What the browser answers itself: the page's scripts (`assets/`) learn of a new page and of starts."""

from typing import Any

from dash import ClientsideFunction, Dash, Input, Output, State

from layouts import ids


def in_browser(app: Dash, name: str, *arguments: Any, **more: Any) -> None:
    """A callback that the browser answers itself."""
    app.clientside_callback(ClientsideFunction("nhviz", name), *arguments, **more)


def register(app: Dash) -> None:
    """Connect stores with the scripts."""
    came_with = [State(name, "data") for name in (ids.ASKED, ids.ANSWER, ids.SENT)]
    in_browser(app, "opened", Output(ids.NOTHING, "data"), Input(ids.FACTS, "data"), *came_with)
    in_browser(app, "started", Output(ids.STARTED, "data"), Input(ids.START, "data"), prevent_initial_call=True)
    in_browser(app, "told", Output(ids.HEARD, "data"), Input(ids.TOLD, "data"), prevent_initial_call=True)
    in_browser(app, "ghosts", Output(ids.HAUNTED, "data"), Input(ids.GHOSTS, "data"), prevent_initial_call=True)
    in_browser(app, "swept", Output(ids.SWEPT, "data"), Input(ids.SWEEP_FACTS, "data"))
    in_browser(app, "hung", Output(ids.HUNG, "data"), Input(ids.GALLERY, "data"))
