"""The dashboard: create_app() for tests and tools, `server` for gunicorn."""

from dash import Dash

import nhviz
from callbacks import lab, shell
from layouts import shell as page
from server import cache, web
from server.settings import SETTINGS, Settings


def create_app(settings: Settings = SETTINGS) -> Dash:
    """A Dash application that serves everything itself, with all code compiled before the first request."""
    app = Dash(
        __name__,
        title="nhviz",
        serve_locally=True,
        update_title=None,
        suppress_callback_exceptions=True,
        url_base_pathname=f"{settings.prefix}/",
    )
    app.layout = page.layout
    shell.register(app)
    lab.register(app)
    cache.attach(app.server, settings)
    web.register(app, settings)
    web.mount(app.server, settings.prefix)
    nhviz.warm()
    app.server.test_client().get(f"{settings.prefix}/")
    return app


server = create_app().server
