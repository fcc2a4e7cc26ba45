"""What the search can find, at an address of its own: the page fetches it when the search is first opened."""

import hashlib

from dash import Dash
from flask import Response, request

from callbacks.fragments import plain
from layouts import search
from layouts.document import ENTRIES


def register(app: Dash) -> None:
    """Answer at an address of its own."""
    app.server.add_url_rule(app.config.routes_pathname_prefix + ENTRIES, "entries", entries)


def entries() -> Response:
    """All entries; a browser that has these is told so."""
    text = plain(search.entries())
    response = Response(text, content_type="application/json", headers={"Cache-Control": "no-cache"})
    response.set_etag(hashlib.sha256(text).hexdigest()[:16])
    response.make_conditional(request)
    return response
