"""What happens in every lab: a question to pictures in one request, clicks to starts, downloads."""

import math
import zlib
from typing import Any

import orjson
from dash import ALL, Dash, Input, Output, State, ctx, dcc, no_update

from callbacks import guard
from callbacks.fragments import figure, finished, fragment
from callbacks.render import Rendered, opened, render, state_of
from callbacks.shape import check_mounted
from layouts import ids
from nhviz import export
from nhviz.figures.style import THEMES, Picture
from nhviz.frame.shown import of_view
from nhviz.parameters import ParameterError
from server import limits, service
from server.patience import is_long


def changed(texts: dict[str, bytes], sent: dict[str, int]) -> tuple[dict[str, Any], dict[str, int]]:
    """The texts that differ from what the browser has, and the checksums of what it then has."""
    sums = {name: zlib.crc32(text) for name, text in texts.items()}
    news = {name: orjson.Fragment(text) for name, text in texts.items() if sent.get(name) != sums[name]}
    return news, sent | sums


def show(asked: dict[str, Any], theme: str | None, sent: dict[str, int]) -> tuple[Any, ...]:
    """Paint what a question shows, and send what the browser does not have."""
    texts = [one["id"]["place"] for one in ctx.outputs_list[0]]
    check_mounted(asked["state"], set(texts))
    result = render(asked, wanted := worn(asked, theme))
    answer, sums = written(asked, wanted, result, sent)
    return [result.texts.get(place, no_update) for place in texts], answer, sums


def at_first(asked: dict[str, Any], theme: str | None) -> tuple[Any, dict[str, int]]:
    """The answer that a new page brings along, and its checksums; nothing if it would keep the page waiting.

    Nor does it bring texts, which stand in the page itself, or sentences beside controls.
    """
    state = state_of(asked["state"])
    if any(is_long(one) for panel in state.scene.panels for one in state.problems(panel, limits.admitted).values()):
        return None, {}
    result = render(asked, wanted := worn(asked, theme))
    return (None, {}) if result.errors or result.texts else written(asked, wanted, result, {})


def worn(asked: dict[str, Any], theme: str | None) -> str:
    """The theme of the pictures of an answer; of an unknown one it is the first."""
    return "presenter" if asked["presenter"] else theme if theme in THEMES else "light"


def written(
    asked: dict[str, Any], theme: str, result: Rendered, sent: dict[str, int]
) -> tuple[orjson.Fragment, dict[str, int]]:
    """What is rendered as an answer that leaves out what the browser has, and the checksums of what it then has."""
    about = {name: asked[name] for name in ("preview", "number")}
    if result.errors:
        return fragment(about | {"errors": result.errors}), sent
    figures, sums = changed({f"figure {place}": figure(found) for place, found in result.figures.items()}, sent)
    moving, sums = changed({f"moving {place}": finished(cursors) for place, cursors in result.moving.items()}, sums)
    tracks, sums = changed({"tracks": finished(result.tracks)}, sums)
    answer = about | {
        "errors": {},
        "theme": theme,
        "query": fragment(result.query),
        "figures": by_place(figures),
        "moving": by_place(moving),
        **tracks,
        **{name: fragment(part) for name, part in result.said.items()},
    }
    return orjson.Fragment(orjson.dumps(answer)), sums


def by_place(parts: dict[str, Any]) -> dict[str, Any]:
    """Parts that are called by their kind and place, by their place."""
    return {name.partition(" ")[2]: part for name, part in parts.items()}


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
        found = view.start(shown, *click["place"]).items()
    except ParameterError as error:
        return {"values": {}, "problem": str(error)}
    values = {
        # Six digits are finer than a pixel and keep the link short.
        shown.panel.word(name): value if isinstance(value, str) else float(f"{value:.6g}")
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


def save_csv(clicks: int, seen: dict[str, Any]) -> Any:
    """All runs that are shown, as one table."""
    state = state_of(seen["state"])
    try:
        shown = opened(state).values()
        problems = {one.looks[name].key: problem for one in shown for name, problem in one.problems.items()}
        runs = {key: service.run(limits.for_file(problem, len(problems))) for key, problem in problems.items()}
    except ParameterError:
        # What is wrong stands beside its control already.
        return no_update
    name = "-".join([state.lab.id, *runs] if len(runs) == 1 else [state.lab.id])
    return dcc.send_bytes(export.runs_to_csv(runs), f"{name}.csv")


def register(app: Dash) -> None:
    """Connect the functions above to the page, behind a guard against what the page cannot have sent."""
    guard.register(app)
    app.callback(
        Output(ids.text(ALL), "children"),
        Output(ids.ANSWER, "data"),
        Output(ids.SENT, "data"),
        Input(ids.ASKED, "data"),
        State(ids.THEME, "data"),
        State(ids.SENT, "data"),
        # A new page brings its first answer along, or asks for it; the page's scripts ask past the components.
        prevent_initial_call=True,
    )(show)
    app.callback(Output(ids.START, "data"), Input(ids.CLICKED, "data"), prevent_initial_call=True)(start)
    app.callback(
        Output(ids.GHOSTS, "data"), Input(ids.PINNED, "data"), State(ids.THEME, "data"), prevent_initial_call=True
    )(ghosts)
    app.callback(
        Output(ids.DOWNLOAD, "data"), Input(ids.CSV, "n_clicks"), State(ids.SEEN, "data"), prevent_initial_call=True
    )(save_csv)
