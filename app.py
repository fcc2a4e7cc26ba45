"""The dashboard: create_app() for tests and tools, `server` for gunicorn."""

from dash import Dash

from layouts import shell


def create_app() -> Dash:
    """A Dash application that serves everything itself."""
    app = Dash(__name__, title="nhviz", serve_locally=True, update_title=None)
    app.layout = shell.layout
    return app


server = create_app().server
