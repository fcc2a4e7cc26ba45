"""An answer in the making. It is made in parts: a stream goes on when the last part of it has been sent.

Nobody waits with it for the network: a part goes into a wire, and the thread is free again.
"""

import contextvars
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import Any

from gunicorn.config import Config
from gunicorn.glogging import Logger
from gunicorn.http import wsgi
from gunicorn.http.message import Request

from server.clients import Peer
from server.incoming import RefusedError
from server.wire import Wire

PART = 256_000
"""Bytes of a part: while more than these wait to be sent, the rest is not made yet."""
FAILED = RefusedError(500, "The server could not answer.")

Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


class Answer:
    """The answer of an application to a request, written to a wire.

    It `is_whole` once nothing more is to come, and `keeps` its connection if another request may follow on it. `more`
    is what the application may know beside the request.
    """

    def __init__(
        self, application: Application, request: Request, wire: Wire, ends: tuple[Peer, Peer], more: dict[str, Any]
    ) -> None:
        self.application, self.request, self.wire, self.ends, self.more = application, request, wire, ends, more
        self.is_whole, self.keeps = False, True
        self.began = datetime.now()
        self.context = contextvars.copy_context()
        self.response: Any = None
        self.body: Iterable[bytes] = ()
        self.parts: Iterator[bytes] = iter(())

    def go_on(self, cfg: Config, log: Logger) -> None:
        """Make the next part, in whichever thread, and send what can be sent at once."""
        self.context.run(self.make_part, cfg, log)
        self.wire.flush()

    def make_part(self, cfg: Config, log: Logger) -> None:
        """Make the next part; what fails is logged, and said if nothing has been said yet."""
        try:
            if self.response is None:
                self.begin(cfg)
            if self.is_written():
                self.end(log)
        except (Exception, SystemExit):
            log.exception("Error handling request %s", self.request.uri)
            if self.response is None or not self.response.headers_sent:
                self.wire.sendall(FAILED.text())
            self.is_whole, self.keeps = True, False
            self.clean_up()

    def begin(self, cfg: Config) -> None:
        """Ask the application."""
        self.response, environ = wsgi.create(self.request, self.wire, *self.ends, cfg)
        self.environ = environ | {"wsgi.multithread": True, **self.more}
        if not self.keeps:
            self.response.force_close()
        self.body = self.application(self.environ, self.response.start_response)
        self.parts = iter(self.body)

    def is_written(self) -> bool:
        """Write until a part is full; whether nothing more is to come."""
        for piece in self.parts:
            self.response.write(piece)
            if self.response.sent == self.response.response_length:
                break
            if self.wire.size >= PART:
                self.wire.flush()
            if self.wire.size >= PART or self.wire.broken:
                return False
        return True

    def end(self, log: Logger) -> None:
        """Nothing more is to come."""
        self.response.close()
        self.is_whole, self.keeps = True, not self.response.should_close() and not self.is_short()
        log.access(self.response, self.request, self.environ, datetime.now() - self.began)
        self.clean_up()

    def is_short(self) -> bool:
        """Whether less came than was said, as of a file that was replaced: what follows would be taken for the rest."""
        has_body = self.request.method != "HEAD" and self.response.status_code != 304
        said = self.response.response_length
        return has_body and said is not None and self.response.sent < said

    def clean_up(self) -> None:
        """Let the application clean up, and let go of what it has made: the wire has what is not sent."""
        body, self.body, self.parts = self.body, (), iter(())
        if hasattr(body, "close"):
            body.close()

    def abandon(self, log: Logger) -> None:
        """Nobody listens any more."""
        try:
            self.context.run(self.clean_up)
        except Exception:
            log.exception("Error after request %s", self.request.uri)
