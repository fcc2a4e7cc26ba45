"""Sweeps at addresses of their own, past Dash: how one stands, to cancel it, one cell of it, and its file.

The desk of the server (`server.desk`) computes and answers; here questions are checked and handed on.
"""

import contextlib
from typing import Any

import orjson
from dash import Dash
from flask import Response

from callbacks import guard
from callbacks.fragments import plain
from callbacks.questions import worn
from callbacks.render import opened
from callbacks.shape import MalformedError, check_text, require
from nhviz.figures.style import Picture
from nhviz.frame.shown import of_view
from nhviz.frame.where import flat_view, state_of
from nhviz.parameters import ParameterError
from nhviz.problem import Problem
from nhviz.sweeps.value import Sweep
from server import maps, readiness
from server.paths import address
from server.refusals import LostError

JSON = "application/json"
LONGEST_JOURNAL = 40
MOST_TILES = 10_000
KINDS = {"csv": "text/csv; charset=utf-8", "npz": "application/octet-stream", "json": JSON}
LOST = "The server lost this sweep for a moment; what was computed is kept: ask again."


def register(app: Dash) -> None:
    """Answer at addresses of their own."""
    prefix = app.config.routes_pathname_prefix
    for route, answer in (("sweep", look), ("sweep/cancel", cancel), ("sweep/cell", cell), ("sweep/file", file)):
        app.server.add_url_rule(prefix + route, f"post {route}", answered(answer), methods=["POST"])


def answered(answer: Any) -> Any:
    """An answer to a checked body; a sweep that cannot be is told with the name of what is wrong with it."""

    def respond() -> Response:
        body = guard.read_body()
        require(isinstance(body, dict), "The request must be an object.")
        try:
            return answer(body, sweep_of(body))
        except ParameterError as error:
            return Response(orjson.dumps({"sentence": str(error), "name": error.name}), 422, content_type=JSON)
        except LostError:
            return Response(orjson.dumps({"sentence": LOST, "name": ""}), 503, content_type=JSON)

    return respond


def sweep_of(body: dict[str, Any]) -> Sweep:
    """The sweep of a request, within what this server computes; a ParameterError says what is wrong with it."""
    require(isinstance(body.get("sweep"), dict), "The request needs a sweep.")
    sweep = maps.admitted(Sweep.from_dict(body["sweep"]))
    if not readiness.is_open(sweep.system):
        done = readiness.waiting(sweep.system)
        raise ParameterError(f"This is being prepared: {done.done} of {done.of} parts are compiled.", "system")
    return sweep


def look(body: dict[str, Any], sweep: Sweep) -> Response:
    """How a sweep stands and the tiles that the page does not have; with `go` it is begun or goes on."""
    require(isinstance(body.get("go"), bool), "The request says whether to go on.")
    return Response(maps.look(sweep, *page_of(body), body["go"]), content_type=JSON)


def cancel(body: dict[str, Any], sweep: Sweep) -> Response:
    """Stop a sweep."""
    return Response(maps.cancel(sweep, *page_of(body)), content_type=JSON)


def page_of(body: dict[str, Any]) -> tuple[str, int]:
    """The journal that a page has, and how many tiles of it; nothing unless it says so."""
    journal, since = body.get("journal", ""), body.get("since", 0)
    require(isinstance(journal, str) and len(journal) <= LONGEST_JOURNAL, "The journal must be a short text.")
    require(type(since) is int and 0 <= since <= MOST_TILES, "What the page has must be a number of tiles.")
    return journal, since


def cell(body: dict[str, Any], sweep: Sweep) -> Response:
    """One cell: its value or why it has none, its problem, where its run is seen, and a picture of that."""
    check_text(body.get("theme"))
    i, j = sweep.cell(whole(body, "i"), whole(body, "j"))
    answer = maps.cell(sweep, i, j) | {"href": "", "problem": None, "figure": None}
    # Where there is no such body the reason has said so, and a lab may not have so many steps.
    with contextlib.suppress(ParameterError):
        problem = sweep.problem(i, j)
        answer["problem"] = problem.to_dict()
        answer |= seen(problem, worn({"presenter": False}, body.get("theme")))
    return Response(plain(answer), content_type=JSON)


def whole(body: dict[str, Any], name: str) -> int:
    """A whole number of a request."""
    value = body.get(name)
    if type(value) is not int:
        raise MalformedError(f"The request needs a whole number {name}.")
    return value


def seen(problem: Problem, theme: str) -> dict[str, Any]:
    """The address of a lab that runs a problem, and the first flat picture there."""
    state = state_of(problem)
    if state is None:
        return {}
    shown = opened(state, theme)
    flat = flat_view(state)
    picture = flat.show(of_view(shown, flat)) if flat is not None else None
    figure = picture.figure if isinstance(picture, Picture) else None
    return {"href": f"{address(state.lab.id)}?{state.query()}", "figure": figure}


def file(body: dict[str, Any], sweep: Sweep) -> Response:
    """What is known of a sweep now, as a file."""
    require(isinstance(body.get("kind"), str) and body["kind"] in KINDS, "The request names no kind of file.")
    kind = body["kind"]
    response = Response(maps.file(sweep, kind), content_type=KINDS[kind])
    name = f"{sweep.system}-{sweep.quantity}.{kind}"
    response.headers.set("Content-Disposition", "attachment", filename=name)
    return response
