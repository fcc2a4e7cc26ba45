"""The dashboard: create_app() for tests and tools, `server` for gunicorn."""

from dash import Dash

from callbacks import lab, shell
from layouts import shell as page
from server import cache, web
from server.settings import SETTINGS


def create_app() -> Dash:
    """A Dash application that serves everything itself."""
    app = Dash(
        __name__,
        title="nhviz",
        serve_locally=True,
        update_title=None,
        suppress_callback_exceptions=True,
        url_base_pathname=f"{SETTINGS.prefix}/",
    )
    app.layout = page.layout
    shell.register(app)
    lab.register(app)
    cache.attach(app.server, SETTINGS)
    web.register(app, SETTINGS)
    web.mount(app.server, SETTINGS.prefix)
    app.server.test_client().get(f"{SETTINGS.prefix}/")
    return app


server = create_app().server
