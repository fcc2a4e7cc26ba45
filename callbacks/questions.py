"""Questions of a page in one request: pictures, sentences, numbers, texts; what the browser has is not sent again.

The page's scripts ask at an address of its own, past Dash: hundreds of components need not be looked at to find one
callback, and the answer is finished JSON already.
"""

import zlib
from typing import Any

import orjson
from dash import Dash
from flask import Response

from callbacks import guard, trouble
from callbacks.fragments import in_page, plain
from callbacks.render import Rendered, render, state_of
from callbacks.shape import check_question
from nhviz.figures.style import THEMES
from server import limits
from server.patience import is_long

ROUTE = "ask"


def register(app: Dash) -> None:
    """Answer at an address of its own."""
    app.server.add_url_rule(app.config.routes_pathname_prefix + ROUTE, ROUTE, answer, methods=["POST"])


def answer() -> Response:
    """What is shown by the state that the page sends."""
    body = guard.read_body()
    check_question(body)
    return Response(answered(body["asked"], body.get("theme"), body["sent"]), content_type="application/json")


def answered(asked: dict[str, Any], theme: str | None, sent: dict[str, int]) -> bytes:
    """The answer to a question, the texts of the page, and the checksums of what the browser then has."""
    result = render(asked, wanted := worn(asked, theme))
    news, sums = written(asked, wanted, result, sent)
    return orjson.dumps({"answer": orjson.Fragment(news), "sent": sums, "texts": result.texts}, default=known)


def known(component: Any) -> Any:
    """A component of Dash, in a text, as the browser knows it."""
    return component.to_plotly_json()


def at_first(asked: dict[str, Any], theme: str | None) -> tuple[Any, dict[str, int], dict[str, Any]]:
    """The answer that a new page brings along, its checksums and its texts; nothing if it would keep the page waiting.

    Nor does it bring sentences beside controls.
    """
    state = state_of(asked["state"])
    if any(is_long(one) for panel in state.scene.panels for one in state.problems(panel, limits.admitted).values()):
        return None, {}, {}
    try:
        result = render(asked, wanted := worn(asked, theme))
    except Exception as error:
        # The page opens all the same: it asks for its pictures, is told that there are none, and can be changed.
        trouble.note(error)
        return None, {}, {}
    if result.errors:
        return None, {}, {}
    news, sums = written(asked, wanted, result, {})
    return orjson.Fragment(in_page(news)), sums, result.texts


def worn(asked: dict[str, Any], theme: str | None) -> str:
    """The theme of the pictures of an answer; of an unknown one it is the first."""
    return "presenter" if asked["presenter"] else theme if theme in THEMES else "light"


def written(asked: dict[str, Any], theme: str, result: Rendered, sent: dict[str, int]) -> tuple[bytes, dict[str, int]]:
    """What is rendered as an answer that leaves out what the browser has, and the checksums of what it then has."""
    about = {name: asked[name] for name in ("preview", "number")}
    if result.errors:
        return plain(about | {"errors": result.errors}), sent
    figures, sums = changed({f"figure {place}": plain(found) for place, found in result.figures.items()}, sent)
    moving, sums = changed({f"moving {place}": plain(cursors) for place, cursors in result.moving.items()}, sums)
    coming, sums = changed({f"coming {place}": plain(sweeps) for place, sweeps in result.coming.items()}, sums)
    tracks, sums = changed({"tracks": plain(result.tracks)}, sums)
    answer = about | {
        "errors": {},
        "theme": theme,
        "query": result.query,
        "figures": by_place(figures),
        "moving": by_place(moving),
        "coming": by_place(coming),
        **tracks,
        **result.said,
    }
    return plain(answer), sums


def changed(texts: dict[str, bytes], sent: dict[str, int]) -> tuple[dict[str, Any], dict[str, int]]:
    """The texts that differ from what the browser has, and the checksums of what it then has."""
    sums = {name: zlib.crc32(text) for name, text in texts.items()}
    news = {name: orjson.Fragment(text) for name, text in texts.items() if sent.get(name) != sums[name]}
    return news, sent | sums


def by_place(parts: dict[str, Any]) -> dict[str, Any]:
    """Parts that are called by their kind and place, by their place."""
    return {name.partition(" ")[2]: part for name, part in parts.items()}
