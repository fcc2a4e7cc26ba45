"""The dashboard: create_app() for tests and tools, `server` for gunicorn."""

from dash import Dash

import nhviz
from callbacks import lab, shell
from layouts import shell as page


def create_app() -> Dash:
    """A Dash application that serves everything itself, with all code compiled before the first request."""
    app = Dash(__name__, title="nhviz", serve_locally=True, update_title=None, suppress_callback_exceptions=True)
    app.layout = page.layout
    shell.register(app)
    lab.register(app)
    nhviz.warm()
    app.server.add_url_rule("/health", "health", lambda: {"status": "ok", "systems": len(nhviz.systems())})
    app.server.test_client().get("/")
    return app


server = create_app().server
