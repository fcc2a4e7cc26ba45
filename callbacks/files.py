"""The file of a page: all runs that it shows, as one table.

It is asked for by the page's scripts, past Dash, which would write it in letters of its own, and those into JSON: that
takes ten times as long as the rest, for an answer of 9 MB.
"""

from dash import Dash
from flask import Response

from callbacks import guard
from callbacks.render import opened, state_of
from callbacks.shape import check_file
from nhviz.frame.state import State
from nhviz.parameters import ParameterError
from server import limits, service
from server.plain import said

ROUTE = "table"


def register(app: Dash) -> None:
    """Answer at an address of its own."""
    app.server.add_url_rule(app.config.routes_pathname_prefix + ROUTE, ROUTE, answer, methods=["POST"])


def answer() -> Response:
    """The file of the state that the page sends, or a sentence that says why there is none."""
    body = guard.read_body()
    check_file(body)
    try:
        name, content = table(state_of(body["file"]["state"]))
    except ParameterError as error:
        return said(str(error), 422)
    response = Response(content, content_type="text/csv; charset=utf-8")
    response.headers.set("Content-Disposition", "attachment", filename=name)
    return response


def table(state: State) -> tuple[str, bytes]:
    """The name of a file and what is in it."""
    shown = opened(state).values()
    problems = {one.looks[name].key: problem for one in shown for name, problem in one.problems.items()}
    content = service.table({key: limits.for_file(problem, len(problems)) for key, problem in problems.items()})
    return "-".join([state.lab.id, *problems] if len(problems) == 1 else [state.lab.id]) + ".csv", content
