"""The dashboard: create_app() for tests and tools, create_server() for gunicorn."""

from dash import Dash
from flask import Flask

from callbacks import browser, lab, shell
from layouts import shell as page
from server import service, web
from server.settings import Settings, read_or_exit


def create_app(settings: Settings | None = None) -> Dash:
    """A Dash application that serves everything itself, by default with the settings of the environment."""
    settings = settings or Settings.read()
    app = Dash(
        __name__,
        title="nhviz",
        serve_locally=True,
        # The title stays while something is computed; Dash means None by it.
        update_title=None,  # type: ignore[arg-type]
        suppress_callback_exceptions=True,
        url_base_pathname=f"{settings.prefix}/",
    )
    app.layout = page.layout
    shell.register(app)
    lab.register(app)
    browser.register(app)
    web.register(app, service.attach(app.server, settings))
    web.mount(app.server, settings.prefix)
    app.server.test_client().get(f"{settings.prefix}/")
    return app


def create_server() -> Flask:
    """What gunicorn serves; a setting that cannot be used ends the start with a sentence."""
    return create_app(read_or_exit()).server
