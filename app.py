"""The dashboard: create_app() for tests and tools, create_server() for gunicorn."""

from pathlib import Path
from typing import Any

from dash import Dash
from flask import Flask, request

from callbacks import browser, files, finding, gallery, lab, questions, shell, sweeps
from layouts import document, scripts
from layouts import shell as page
from nhviz.frame.words import LAYOUT
from server import service, web
from server.paths import address
from server.settings import Settings, read_or_exit


class Dashboard(Dash):
    """Dash with a document of our own around it, and all scripts of the page in one file."""

    scripts_file: str

    def interpolate_index(self, **parts: Any) -> str:
        """The document of the address that is asked for."""
        own = f'<script src="{address(self.scripts_file)}"></script>'
        wanted = parts | {"scripts": parts["scripts"] + own}
        return document.document(request.path, request.args.get(LAYOUT, ""), self.asset, wanted)

    def asset(self, name: str) -> str:
        """The address of a file of the page with its version, as Dash writes it for the files that it finds itself."""
        changed = (Path(self.config.assets_folder) / name).stat().st_mtime
        return f"{self.get_asset_url(name)}?m={changed}"


def create_app(settings: Settings | None = None) -> Dash:
    """A Dash application that serves everything itself, by default with the settings of the environment."""
    settings = settings or Settings.read()
    app = Dashboard(
        __name__,
        title=document.TITLE,
        serve_locally=True,
        assets_ignore=r"\.js$",
        # The title stays while something is computed; Dash means None by it.
        update_title=None,  # type: ignore[arg-type]
        suppress_callback_exceptions=True,
        url_base_pathname=f"{settings.prefix}/",
    )
    app.layout = page.layout
    app.scripts_file = scripts.register(app)
    shell.register(app)
    lab.register(app)
    questions.register(app)
    files.register(app)
    sweeps.register(app)
    gallery.register(app)
    finding.register(app)
    browser.register(app)
    web.register(app, service.attach(app.server, settings))
    web.mount(app.server, settings.prefix)
    app.server.test_client().get(f"{settings.prefix}/")
    return app


def create_server() -> Flask:
    """What gunicorn serves; a setting that cannot be used ends the start with a sentence."""
    return create_app(read_or_exit()).server
