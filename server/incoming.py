"""Requests as they come in: read completely, head and body, before anybody works on them.

gunicorn reads the head, so that there is one opinion about where a request ends. Bodies have a declared length: who
sends pieces of unknown number is refused, since no browser does that, nor a proxy that collects requests.
"""

from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from gunicorn.config import Config
from gunicorn.http import errors
from gunicorn.http.body import LengthReader
from gunicorn.http.message import Request
from gunicorn.http.unreader import IterUnreader

from server.clients import Peer

MOST_HEAD = 32_768
"""Most bytes of a head."""
END = b"\r\n\r\n"

NOT_HTTP = "The request is not HTTP as it is defined."
SENTENCES = {
    errors.LimitRequestLine: (414, "The address of the request is too long."),
    errors.LimitRequestHeaders: (431, "The header of the request is too large."),
    errors.ExpectationFailed: (417, "The request expects what this server does not do."),
    errors.UnsupportedTransferCoding: (501, "The request has a transfer coding that is not known here."),
}


@dataclass
class RefusedError(Exception):
    """A request that is not answered by the application: a status and one sentence."""

    status: int
    sentence: str

    def text(self) -> bytes:
        """The whole answer; nothing more is read from the connection."""
        body = f"{self.sentence}\n".encode()
        head = f"HTTP/1.1 {self.status} {HTTPStatus(self.status).phrase}\r\nConnection: close\r\n"
        return f"{head}Content-Type: text/plain\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


class Incoming:
    """The bytes of a connection that have not been answered, and the request with which they begin."""

    def __init__(self, cfg: Config, peer: Peer, most_body: int) -> None:
        self.cfg, self.peer, self.most_body = cfg, peer, most_body
        self.data = bytearray()
        self.searched = 0
        self.request: Any = None
        self.length = 0
        self.number = 0

    def begun(self) -> bool:
        """Whether a request has begun to come in."""
        return bool(self.data) or self.request is not None

    def take(self) -> Request | None:
        """The next request if it is complete; raises RefusedError. What follows it stays here."""
        if self.request is None and not self.read_head():
            return None
        if len(self.data) < self.length:
            return None
        request, self.request = self.request, None
        # The body is here: nobody waits to be told to go on.
        request._expected_100_continue = False
        request.unreader.unread(bytes(self.data[: self.length]))
        del self.data[: self.length]
        return request

    def asks_to_go_on(self) -> bool:
        """Whether a client waits with its body until it is told to go on; said once."""
        waits: bool = self.request is not None and self.request._expected_100_continue
        if waits:
            self.request._expected_100_continue = False
        return waits

    def read_head(self) -> bool:
        """Read the head if it is complete, and then the length of the body."""
        end = self.data.find(END, max(0, self.searched - len(END) + 1))
        self.searched = len(self.data)
        if end < 0 and len(self.data) <= MOST_HEAD and not has_bare_end(self.data):
            return False
        size = len(self.data) if end < 0 else end + len(END)
        if size > MOST_HEAD:
            raise RefusedError(*SENTENCES[errors.LimitRequestHeaders])
        self.number += 1
        request = self.parsed(bytes(self.data[:size]))
        del self.data[:size]
        self.searched = 0
        self.length = self.declared(request)
        self.request = request
        return True

    def parsed(self, head: bytes) -> Request:
        """A head as gunicorn reads it."""
        try:
            return Request(self.cfg, IterUnreader([head]), self.peer, self.number)
        except tuple(SENTENCES) as error:
            raise RefusedError(*SENTENCES[type(error)]) from error
        # What gunicorn raises for a head that is none: its own errors, the end of the data, or of an iteration.
        except (errors.ParseException, OSError, StopIteration) as error:
            raise RefusedError(400, NOT_HTTP) from error

    def declared(self, request: Request) -> int:
        """The length of a body."""
        if not isinstance(request.body.reader, LengthReader):
            raise RefusedError(411, "The request does not say how long it is.")
        length: int = request.body.reader.length
        if length > self.most_body:
            raise RefusedError(413, f"The request is larger than {self.most_body:,} bytes.")
        return length


def has_bare_end(data: bytearray) -> bool:
    """Whether a line ends as no line of a head may: its end would never come."""
    return data.count(b"\n") != data.count(b"\r\n")
