"""What happens in every lab besides questions: clicks to starts, pinned states to ghosts."""

import math
from typing import Any

from dash import Dash, Input, Output, State, no_update

from callbacks import guard, trouble
from callbacks.fragments import fragment
from callbacks.render import opened, state_of
from layouts import ids
from nhviz.figures.style import Picture
from nhviz.frame.shown import of_view
from nhviz.parameters import ParameterError
from server import limits


def start(click: dict[str, Any] | None) -> Any:
    """Values for an orbit that starts where a view was clicked, where that needs mathematics."""
    if not click:
        return no_update
    state = state_of(click["state"])
    view = state.scene.all_views[click["view"]]
    if not callable(view.start):
        return no_update
    wrong = next(iter(state.errors(limits.admitted).values()), "")
    if wrong:
        return {"values": {}, "problem": wrong}
    try:
        shown = of_view(opened(state), view)
        # A browser writes whole numbers without a point, however large.
        found = view.start(shown, *map(float, click["place"])).items()
    except ParameterError as error:
        return {"values": {}, "problem": str(error)}
    values = {
        # Six digits, as most views have, are finer than a pixel and keep the link short.
        shown.panel.word(name): value if isinstance(value, str) else float(f"{value:.{view.digits}g}")
        for name, value in found
    }
    if not all(isinstance(value, str) or math.isfinite(value) for value in values.values()):
        return {"values": {}, "problem": "No orbit can start there: its numbers are too large."}
    return {"values": values}


def ghosts(pinned: dict[str, Any] | None, theme: str | None) -> Any:
    """The runs of a state that was pinned, in views that were not in sight then, as traces."""
    if not pinned:
        return no_update
    state = state_of(pinned["state"])
    if state.errors(limits.admitted):
        return no_update
    try:
        shown = opened(state, theme or "light")
        views = [state.scene.all_views[name] for name in pinned["views"]]
        drawn = {view.id: view.show(of_view(shown, view)) for view in views if view.kind != "text"}
    except ParameterError:
        # It could be shown when it was pinned; now the server has no time for it, and there is no ghost.
        return no_update
    found = {name: picture.runs() for name, picture in drawn.items() if isinstance(picture, Picture)}
    return fragment(found)


def register(app: Dash) -> None:
    """Connect the functions above to the page, behind a guard against what the page cannot have sent."""
    guard.register(app)
    trouble.register(app)
    usual: dict[str, Any] = {"prevent_initial_call": True, "on_error": trouble.in_lab}
    app.callback(Output(ids.START, "data"), Input(ids.CLICKED, "data"), **usual)(start)
    app.callback(Output(ids.GHOSTS, "data"), Input(ids.PINNED, "data"), State(ids.THEME, "data"), **usual)(ghosts)
