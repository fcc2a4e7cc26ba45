"""What a person is told when a callback fails: one sentence. The log has the traceback, and what was asked."""

import json
import logging
import time
from typing import Any

from dash import Dash, set_props
from flask import request
from werkzeug.exceptions import InternalServerError

from layouts import ids, shell
from server.plain import said
from server.refusals import GoneError

SENTENCE = "The server could not answer. Nothing is lost: change a value, or try again."
LONGEST = 2000

log = logging.getLogger("nhviz.trouble")


def register(app: Dash) -> None:
    """Answer what fails with a sentence; flask logs the traceback of it."""

    def failed(_: Exception) -> Any:
        log.error("What was asked: %s", asked())
        return said(SENTENCE, 500)

    app.server.register_error_handler(InternalServerError, failed)


def asked() -> str:
    """The address and the body of the request on one line, as far as they are worth a line."""
    body = json.dumps(request.get_json(silent=True))
    return f"{request.method} {request.full_path.encode('unicode_escape').decode()} {body}"[:LONGEST]


def note(error: Exception) -> None:
    """Log what a callback raised."""
    log.error("A callback failed; what was asked: %s", asked(), exc_info=error)


def tell(sentence: str) -> None:
    """Say a sentence on the page of a lab, beside what a callback answers; the time makes it new each time."""
    set_props(ids.TOLD, {"data": {"sentence": sentence, "at": time.time()}})


def in_lab(error: Exception) -> None:
    """Have the page of a lab say so, unless nobody waits for its answer any more."""
    if isinstance(error, GoneError):
        raise error
    note(error)
    tell(SENTENCE)


def in_page(error: Exception) -> None:
    """Say so instead of a page."""
    note(error)
    set_props(ids.PAGE, {"children": shell.failed()})
