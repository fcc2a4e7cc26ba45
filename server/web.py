"""What every answer of the server has: security headers, a health page that means something, plain error pages.

And how every body is read: as strict JSON, once for all who look at it.
"""

from collections.abc import Callable, Iterable
from typing import Any

import orjson
from dash import Dash
from flask import Flask, Response, jsonify, request
from flask.json.provider import DefaultJSONProvider

import nhviz
from server import hosts, readiness
from server.plain import said
from server.refusals import GoneError
from server.service import Service
from server.settings import Settings

ASSETS = "_dash_assets.static"
"""What Dash calls the files of the page."""


class StrictJSON(DefaultJSONProvider):
    """JSON as it is defined: no NaN, no numbers beyond a float, no broken text. flask keeps what a request has read."""

    def loads(self, s: str | bytes, **kwargs: Any) -> Any:
        """The value of a text; raises a ValueError."""
        return orjson.loads(s)


def register(app: Dash, service: Service) -> None:
    """Give an application its headers, its health page, its limits and its error pages."""
    server, settings = app.server, service.settings
    server.config["MAX_CONTENT_LENGTH"] = settings.max_body
    server.json = StrictJSON(server)
    server.before_request(service.patience.begin)
    server.teardown_request(service.patience.end)
    hosts.register(server, settings.hosts)
    policy = content_policy(app, settings)

    @server.after_request
    def add_headers(response: Response) -> Response:
        """Headers that a browser obeys; a page may be embedded only where the settings say so."""
        response.headers["Content-Security-Policy"] = policy
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Referrer-Policy"] = "no-referrer"
        response.headers["Permissions-Policy"] = "camera=(), microphone=(), geolocation=()"
        if request.endpoint == ASSETS:
            response.headers["Cache-Control"] = kept(response, request.args.get("m", ""))
        return response

    @server.errorhandler(413)
    def too_large(error: Exception) -> Response:
        """A body beyond the limit."""
        return said(f"The request is larger than {settings.max_body:,} bytes.", 413)

    @server.errorhandler(GoneError)
    def gone(error: Exception) -> Response:
        """What nobody waits for any more; the status is that of proxies."""
        return Response("", 499)

    server.add_url_rule(f"{settings.prefix}/health", "health", health)


def kept(asset: Response, version: str) -> str:
    """How long a browser keeps a file of the page: for good if it was asked for by the version that it has.

    Pictures and fonts, which style sheets name without a version, are used at once and asked for again meanwhile.
    """
    if asset.status_code not in (200, 206, 304):
        return "no-store"
    tag, _ = asset.get_etag()
    same = tag is not None and bool(version) and tag.startswith(f"{version}-")
    return "public, max-age=31536000, immutable" if same else "public, max-age=60, stale-while-revalidate=604800"


def health() -> Response | tuple[Response, int]:
    """Whether every lab can be used; then that the mathematics answers, by two steps of a run."""
    progress, ready = readiness.overview()
    if not all(ready.values()):
        told = {"ready": [name for name in ready if ready[name]], "done": progress.done, "of": progress.of}
        return jsonify(status="failed" if progress.failure else "starting", systems=len(ready), **told), 503
    run = nhviz.simulate("suslov", step=0.01, duration=0.02)
    return jsonify(status="ok" if len(run) == 3 else "wrong", systems=len(ready))


def content_policy(app: Dash, settings: Settings) -> str:
    """The content security policy: everything from here, scripts by their hash, nothing evaluated."""
    hashes = " ".join(f"'{value}'" if not value.startswith("'") else value for value in app.csp_hashes())
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src 'self' {hashes}".strip(),
            # plotly writes its styles into the page.
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "font-src 'self' data:",
            "connect-src 'self'",
            "worker-src 'self' blob:",
            "manifest-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            f"frame-ancestors {settings.frame_ancestors}",
        )
    )


class Prefixed:
    """A WSGI application that is reached with its path prefix or without it, as different proxies do."""

    def __init__(self, application: Callable[..., Iterable[bytes]], prefix: str) -> None:
        self.application, self.prefix = application, prefix

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answer as if the prefix had been there."""
        path = environ.get("PATH_INFO", "")
        if path != self.prefix and not path.startswith(f"{self.prefix}/"):
            environ["PATH_INFO"] = self.prefix + path
        elif path == self.prefix:
            environ["PATH_INFO"] = f"{self.prefix}/"
        return self.application(environ, start_response)


def mount(server: Flask, prefix: str) -> None:
    """Answer under a prefix as well as without it."""
    if prefix:
        server.wsgi_app = Prefixed(server.wsgi_app, prefix)  # type: ignore[method-assign]
