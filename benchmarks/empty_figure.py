"""The dashboard with one more callback: it answers an empty figure, the least a callback can do."""

from dash import Dash, Input, Output

from app import create_app


def with_empty_figure() -> Dash:
    """The application to measure, with its own yardstick."""
    app = create_app()

    @app.callback(Output("yardstick", "figure"), Input("yardstick", "id"))
    def empty(_: str) -> dict:
        return {"data": [], "layout": {}}

    return app


server = with_empty_figure().server
