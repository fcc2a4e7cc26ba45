"""By which names the server may be asked for. No answer repeats the name: anybody may make one up."""

from urllib.parse import urlsplit

from flask import Flask, Response, request
from werkzeug.sansio.utils import host_is_trusted

from server.plain import said

ANY_NAME = "health"
"""A check of health asks by the address of the machine, and its answer is the same for all."""


def register(server: Flask, names: tuple[str, ...]) -> None:
    """Answer to these names only, to any if there are none, and redirect within the server."""

    @server.before_request
    def check_name() -> Response | None:
        if not names or request.endpoint == ANY_NAME or host_is_trusted(request.host.lower(), names):
            return None
        return said("There is nothing of this name here: the request is for another host.", 400)

    @server.after_request
    def stay_here(response: Response) -> Response:
        if "Location" in response.headers:
            response.headers["Location"] = within(response.headers["Location"])
            response.data = b""
        return response


def within(address: str) -> str:
    """An address of this server without the name of the server: it begins with one slash."""
    parts = urlsplit(address)
    return "/" + parts.path.lstrip("/\\") + (f"?{parts.query}" if parts.query else "")
