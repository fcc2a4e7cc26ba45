"""A sentence as a whole answer."""

from flask import Response


def said(sentence: object, status: int) -> Response:
    """A sentence as plain text, never as HTML."""
    return Response(f"{sentence}\n", status, content_type="text/plain; charset=utf-8")
