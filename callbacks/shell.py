"""Which page is shown: the start page, a lab, a card, a step of a lesson, or a sentence about an unknown address."""

from typing import Any

from dash import ALL, ClientsideFunction, Dash, Input, Output, State, no_update

from callbacks import about, gallery, questions, trouble
from layouts import gallery as gallery_layout
from layouts import ids, shell, waiting
from layouts import lab as lab_layout
from layouts import start as start_layout
from layouts import sweep as sweep_layout
from nhviz.frame import find, sweeping
from nhviz.frame.gallery import Seen
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


def page(path: str | None, search: str | None, theme: str | None = None) -> Any:
    """The page of an address: the start, a lab, or how far a lab is that is still being compiled."""
    name = named(path)
    if not name:
        return start_layout.start(*overview())
    if name == sweep_layout.NAME:
        return sweep_layout.page(*sweeping.read(search, limits.admitted))
    if name == gallery_layout.NAME:
        seen = Seen.read(search)
        return gallery_layout.page(seen, gallery.known(seen.tab))
    found = target(name)
    if found is None:
        return shell.unknown()
    lab, wanted = found
    if waiting_for(lab):
        return waiting.wait(lab, readiness.waiting(waiting_for(lab)[0]))
    state, complaints = PageState.from_query(lab, search or wanted, limits.admitted)
    told = about.about(name, address)
    asked = lab_layout.question(state, told)
    return lab_layout.page(state, complaints, address(name), told, *questions.at_first(asked, theme))


def waiting_for(lab: Lab) -> list[str]:
    """The systems of a lab that are still being compiled."""
    return [system for system in lab.systems if not readiness.is_open(system)]


def overview() -> tuple[Any, dict[str, bool]]:
    """How far everything is, and which labs can be used."""
    progress, systems = readiness.overview()
    return progress, {name: all(systems[system] for system in lab.systems) for name, lab in find.labs().items()}


def look_again(_: int, path: str, search: str, theme: str | None = None) -> tuple[Any, Any, Any]:
    """While a lab is being compiled: how far it is; then the lab itself."""
    found = target(named(path))
    left = waiting_for(found[0]) if found else []
    if not left:
        return page(path, search, theme), no_update, no_update
    progress = readiness.waiting(left[0])
    return no_update, waiting.gauge(progress), waiting.sentence(progress)


def look_at_all(_: int, known: list[str]) -> tuple[Any, ...]:
    """On the start page, while labs are being compiled: how far they are, what has opened since, if more will come."""
    progress, ready = overview()
    news = start_layout.opened(ready)
    changed = (start_layout.stage(ready), start_layout.labs(ready), news) if news != known else (no_update,) * 3
    return waiting.preparing(progress, ready), *changed, start_layout.is_last(progress, ready)


def register(app: Dash) -> None:
    """Connect addresses to pages."""
    app.callback(
        Output(ids.PAGE, "children"),
        Input(ids.URL, "pathname"),
        Input(ids.URL, "search"),
        State(ids.THEME, "data"),
        on_error=trouble.in_page,
    )(page)
    app.callback(
        Output(ids.PAGE, "children", allow_duplicate=True),
        Output(ids.DONE, "children"),
        Output(ids.SENTENCE, "children"),
        Input(ids.WAIT, "n_intervals"),
        State(ids.URL, "pathname"),
        State(ids.URL, "search"),
        State(ids.THEME, "data"),
        prevent_initial_call=True,
        on_error=trouble.in_page,
    )(look_again)
    app.callback(
        Output(ids.PREPARING, "children"),
        Output(ids.STAGE, "children"),
        Output(ids.LABS, "children"),
        Output(ids.KNOWN, "data"),
        Output(ids.WATCH, "disabled"),
        Input(ids.WATCH, "n_intervals"),
        State(ids.KNOWN, "data"),
        prevent_initial_call=True,
        on_error=trouble.in_page,
    )(look_at_all)
    connect_header(app)


def connect_header(app: Dash) -> None:
    """The theme, the title of the page, where the visitor is, and the search: the browser's own."""

    def by_shell(name: str, *arguments: Any, **more: Any) -> None:
        app.clientside_callback(ClientsideFunction("shell", name), *arguments, **more)

    by_shell(
        "cycle",
        Output(ids.THEME, "data"),
        Input(ids.THEME_BUTTON, "n_clicks"),
        State(ids.THEME, "data"),
        prevent_initial_call=True,
    )
    by_shell(
        "dress",
        Output(ids.PROVIDER, "forceColorScheme"),
        Output(ids.THEME_BUTTON, "aria-label"),
        Input(ids.THEME, "data"),
    )
    by_shell(
        "arrive",
        Output(ids.family(ALL), "className"),
        Output(ids.HERE, "children"),
        Input(ids.URL, "pathname"),
        State(ids.NAMES, "data"),
    )
    by_shell(
        "seek",
        Output(ids.DIALOG, "opened"),
        Output(ids.FOUND, "value"),
        Output(ids.FOUND, "searchValue"),
        Input(ids.SEARCH, "n_clicks"),
        State(ids.NAMES, "data"),
        prevent_initial_call=True,
    )
    by_shell(
        "found",
        Output(ids.URL, "pathname"),
        Output(ids.URL, "search"),
        Output(ids.DIALOG, "opened", allow_duplicate=True),
        Input(ids.FOUND, "value"),
        prevent_initial_call=True,
    )
