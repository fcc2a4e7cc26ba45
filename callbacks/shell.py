"""Which page is shown: the start page, a lab, a card, a step of a lesson, or a sentence about an unknown address."""

from typing import Any

from dash import ALL, Dash, Input, Output, State, no_update

from callbacks import about
from callbacks.browser import in_browser
from layouts import ids, shell
from layouts import lab as lab_layout
from nhviz.frame import find
from nhviz.frame.records import Lab
from nhviz.frame.state import State as PageState
from server import limits, readiness
from server.paths import address, named


def target(name: str) -> tuple[Lab, str] | None:
    """The lab that an address names, with the state that a card or a step of a lesson wants."""
    wanted = about.state_of(name)
    lab, _, query = wanted.partition("?") if wanted else (name, "", "")
    found = find.labs().get(lab)
    return (found, query) if found else None


def page(path: str | None, search: str | None) -> Any:
    """The page of an address: the start, a lab, or how far a lab is that is still being compiled."""
    name = named(path)
    if not name:
        return shell.start(*overview())
    found = target(name)
    if found is None:
        return shell.unknown()
    lab, wanted = found
    if waiting_for(lab):
        return shell.wait(lab, readiness.waiting(waiting_for(lab)[0]))
    state, complaints = PageState.from_query(lab, search or wanted, limits.admitted)
    return lab_layout.page(state, complaints, address(name), about.about(name, address))


def waiting_for(lab: Lab) -> list[str]:
    """The systems of a lab that are still being compiled."""
    return [system for system in lab.systems if not readiness.is_open(system)]


def overview() -> tuple[Any, dict[str, bool]]:
    """How far everything is, and which labs can be used."""
    progress, systems = readiness.overview()
    return progress, {name: all(systems[system] for system in lab.systems) for name, lab in find.labs().items()}


def look_again(_: int, path: str, search: str) -> tuple[Any, Any, Any]:
    """While a lab is being compiled: how far it is; then the lab itself."""
    found = target(named(path))
    left = waiting_for(found[0]) if found else []
    if not left:
        return page(path, search), no_update, no_update
    progress = readiness.waiting(left[0])
    return no_update, shell.gauge(progress), shell.sentence(progress)


def look_at_all(_: int) -> tuple[Any, bool]:
    """On the start page, while labs are being compiled: its words and cards, and whether that was the last look."""
    progress, ready = overview()
    return shell.start_content(progress, ready), all(ready.values()) or bool(progress.failure)


def register(app: Dash) -> None:
    """Connect addresses to pages."""
    app.callback(Output(ids.PAGE, "children"), Input(ids.URL, "pathname"), Input(ids.URL, "search"))(page)
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
        Output(ids.WELCOME, "children"),
        Output(ids.WATCH, "disabled"),
        Input(ids.WATCH, "n_intervals"),
        prevent_initial_call=True,
    )(look_at_all)
    connect_header(app)


def connect_header(app: Dash) -> None:
    """The theme, the title of the page, where the visitor is, and the search: the browser's own."""
    in_browser(
        app,
        "cycle",
        Output(ids.THEME, "data"),
        Input(ids.THEME_BUTTON, "n_clicks"),
        State(ids.THEME, "data"),
        prevent_initial_call=True,
    )
    in_browser(
        app,
        "dress",
        Output(ids.PROVIDER, "forceColorScheme"),
        Output(ids.THEME_BUTTON, "aria-label"),
        Input(ids.THEME, "data"),
    )
    in_browser(
        app,
        "arrive",
        Output(ids.family(ALL), "className"),
        Output(ids.HERE, "children"),
        Input(ids.URL, "pathname"),
        State(ids.NAMES, "data"),
    )
    in_browser(
        app,
        "seek",
        Output(ids.DIALOG, "opened"),
        Output(ids.FOUND, "value"),
        Output(ids.FOUND, "searchValue"),
        Input(ids.SEARCH, "n_clicks"),
        prevent_initial_call=True,
    )
    in_browser(
        app,
        "found",
        Output(ids.URL, "pathname"),
        Output(ids.URL, "search"),
        Output(ids.DIALOG, "opened", allow_duplicate=True),
        Input(ids.FOUND, "value"),
        prevent_initial_call=True,
    )
