"""What happens in every lab: a question to pictures in one request, clicks to starts, downloads."""

import math
import zlib
from typing import Any

import orjson
from dash import ALL, Dash, Input, Output, State, ctx, dcc, html, no_update

from callbacks import guard
from callbacks.render import opened, render, state_of
from callbacks.shape import check_mounted
from layouts import ids
from nhviz import export
from nhviz.frame.shown import of_view
from nhviz.parameters import ParameterError
from server import limits, service


def finished(data: Any) -> bytes:
    """Plain data as JSON. As an orjson.Fragment Dash passes it on instead of walking through every number of it."""
    return orjson.dumps(data, option=orjson.OPT_SERIALIZE_NUMPY)


def changed(parts: dict[str, Any], sent: dict[str, int]) -> tuple[dict[str, Any], dict[str, int]]:
    """The parts that differ from what the browser has, as finished JSON, and the checksums of what it then has."""
    texts = {name: finished(part) for name, part in parts.items()}
    sums = {name: zlib.crc32(text) for name, text in texts.items()}
    news = {name: orjson.Fragment(text) for name, text in texts.items() if sent.get(name) != sums[name]}
    return news, sent | sums


def show(asked: dict[str, Any], theme: str, sent: dict[str, int]) -> tuple[Any, ...]:
    """Paint what a question shows, and send what the browser does not have."""
    graphs, texts = ([one["id"]["place"] for one in some] for some in ctx.outputs_list[:2])
    largest, remarks = ([one["id"]["panel"] for one in some] for some in ctx.outputs_list[2:4])
    check_mounted(asked["state"], {*graphs, *texts}, {*largest, *remarks})
    result = render(asked, theme)
    answer = {"errors": result.errors, "query": result.query, "preview": asked["preview"], "verdict": result.verdict}
    if result.errors:
        same = [[no_update] * len(some) for some in (graphs, texts, remarks)]
        return same[0], same[1], [""] * len(largest), same[2], no_update, no_update, answer, sent
    figures, sums = changed({f"figure {place}": figure for place, figure in result.figures.items()}, sent)
    moving, sums = changed({f"moving {place}": cursors for place, cursors in result.moving.items()}, sums)
    tracks, sums = changed({"tracks": result.tracks}, sums)
    frames = tracks | {"views": {name.partition(" ")[2]: cursors for name, cursors in moving.items()}}
    return (
        [figures.get(f"figure {place}", no_update) for place in graphs],
        [result.texts.get(place, no_update) for place in texts],
        [bound_lines(result.largest[panel]) for panel in largest],
        [result.remarks[panel] for panel in remarks],
        result.readout,
        orjson.Fragment(finished(frames)),
        answer,
        sums,
    )


def bound_lines(bounds: list[tuple[str, bool]]) -> list[Any]:
    """The largest admissible step of each chosen map; one that is exceeded says so."""
    return [
        html.Div(f"{text}, exceeded", className="exceeded") if exceeded else f"{text}. " for text, exceeded in bounds
    ]


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


def save_csv(clicks: int, asked: dict[str, Any]) -> Any:
    """All runs that are shown, as one table."""
    state = state_of(asked["state"])
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
        Output(ids.graph(ALL), "figure"),
        Output(ids.text(ALL), "children"),
        Output(ids.largest(ALL), "children"),
        Output(ids.remarks(ALL), "children"),
        Output(ids.READOUT, "children"),
        Output(ids.FRAMES, "data"),
        Output(ids.ANSWER, "data"),
        Output(ids.SENT, "data"),
        Input(ids.ASKED, "data"),
        Input(ids.THEME, "data"),
        State(ids.SENT, "data"),
    )(show)
    app.callback(Output(ids.START, "data"), Input(ids.CLICKED, "data"), prevent_initial_call=True)(start)
    app.callback(
        Output(ids.DOWNLOAD, "data"), Input(ids.CSV, "n_clicks"), State(ids.ASKED, "data"), prevent_initial_call=True
    )(save_csv)
