"""The dashboard with yardsticks: a callback that answers an empty figure, and below /empty/ a page of Dash with one.

They are the least that a callback, and a page with a picture, can do.
"""

from dash import Dash, Input, Output, dcc
from werkzeug.middleware.dispatcher import DispatcherMiddleware

from app import create_app

NOTHING = {"data": [], "layout": {}}


def with_empty_figure() -> Dash:
    """The application to measure, with a callback more."""
    app = create_app()

    @app.callback(Output("yardstick", "figure"), Input("yardstick", "id"))
    def empty(_: str) -> dict:
        return NOTHING

    return app


def empty_page() -> Dash:
    """A page of Dash with an empty figure, and no more."""
    app = Dash("empty", requests_pathname_prefix="/empty/", routes_pathname_prefix="/", assets_folder="none")
    app.layout = dcc.Graph(figure=NOTHING)
    return app


server = DispatcherMiddleware(with_empty_figure().server, {"/empty": empty_page().server})
