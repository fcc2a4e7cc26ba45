"""Numbers and pictures of the gallery at addresses of their own, past Dash: a page asks for them when it stands there.

States of entries never change: what a process has computed of them it keeps. What takes long passes the meter of all
work, as that of labs does: runs of cards by `server.service`, the rest as jobs of the workshop.
"""

import time
from functools import lru_cache
from typing import Any

import orjson
from dash import Dash
from flask import Response

from callbacks import claims, guard, trouble
from callbacks.fragments import plain
from callbacks.questions import worn
from callbacks.render import PREPARED, opened, require_open
from callbacks.shape import LONGEST_NAME, MalformedError, check_text, check_texts, require
from nhviz import registry
from nhviz.figures.style import Picture
from nhviz.frame import find, gallery
from nhviz.frame.gallery import Record
from nhviz.frame.records import Card, Correction, Result
from nhviz.frame.shown import of_view
from nhviz.frame.state import State
from nhviz.parameters import ParameterError
from server import jobs, limits, patience, service
from server.plain import said
from server.refusals import GoneError

JSON = "application/json"
MOST = 12
"""Entries of one request."""
ENOUGH = 1.0
"""Seconds after which a request answers with what it has: the page asks again for the rest."""
AGAIN = (patience.BUSY, patience.LOST)
UNKNOWN = "The gallery has no such entry."
FAILED = "This could not be computed."

kept: dict[Record, dict[str, Any]] = {}
"""What entries tell, as far as this process has computed it."""


def register(app: Dash) -> None:
    """Answer at addresses of their own."""
    prefix = app.config.routes_pathname_prefix
    for route, answer in (("gallery/told", told), ("gallery/pictures", pictures)):
        app.server.add_url_rule(prefix + route, f"post {route}", answer, methods=["POST"])


def told() -> Response:
    """What some entries of a kind tell, each with its sentence, or with why there is none."""
    body = asked()
    names: Any = body.get("ids")
    require(isinstance(names, list) and 0 < len(names) <= MOST, f"The request names 1 to {MOST} entries.")
    check_texts(names, "The request names entries.")
    records = {name: record_of(body, name) for name in names}
    until, found = time.monotonic() + ENOUGH, {}
    for name, record in records.items():
        found[name] = answered(record)
        if time.monotonic() > until:
            break
    return Response(plain(found), content_type=JSON)


def pictures() -> Response:
    """The pictures of a correction or a result in a theme, or a sentence that says why there are none."""
    body = asked()
    require(isinstance(body.get("id"), str), "The request names an entry.")
    check_text(body.get("theme"))
    record = record_of(body, body["id"])
    try:
        return Response(drawn(record, worn({"presenter": False}, body.get("theme"))), content_type=JSON)
    except ParameterError as error:
        return said(str(error), 422)


def asked() -> dict[str, Any]:
    """The body of a request."""
    body = guard.read_body()
    require(isinstance(body, dict), "The request must be an object.")
    require(isinstance(body.get("kind"), str), "The request names a kind of entries.")
    found: dict[str, Any] = body
    return found


def record_of(body: dict[str, Any], name: str) -> Record:
    """The entry that a request names; a MalformedError for what no page asks for."""
    record = gallery.of_kind(body["kind"], name) if len(name) <= LONGEST_NAME else None
    if record is None:
        raise MalformedError(UNKNOWN)
    return record


def known(tab: str) -> dict[str, Any]:
    """What this process has computed of a tab, by kind and id."""
    entries = gallery.of_tab(tab)
    return {f"{entry.kind} {entry.id}": kept[entry.record] for entry in entries if entry.record in kept}


def answered(record: Record) -> dict[str, Any]:
    """What an entry tells. One that cannot be computed says so and does not spoil the others; some can be later."""
    if record not in kept:
        try:
            kept[record] = of_card(record) if isinstance(record, Card) else of_entry(record)
        except ParameterError as error:
            return {"trouble": str(error), "again": error.name == PREPARED or str(error) in AGAIN}
        except GoneError:
            raise
        except Exception as error:
            trouble.note(error)
            return {"trouble": FAILED, "again": False}
    return kept[record]


def of_card(card: Card) -> dict[str, Any]:
    """The badge and the sentence of a card, in its own state."""
    name, _, query = card.state.partition("?")
    state, _ = State.from_query(find.lab(name), query, limits.admitted)
    shown = next(iter(opened(state).values()))
    return {"badge": claims.badge(card, shown), "sentence": claims.sentence(card, shown)}


def of_entry(record: Correction | Result) -> dict[str, Any]:
    """The sentence of a correction or a result, made in its turn."""
    kind = "correction" if isinstance(record, Correction) else "result"
    made = service.current().patience.make(jobs.of_told(kind, record.id, needed(record)))
    return {"sentence": orjson.loads(made)}


def needed(record: Correction | Result) -> list[str]:
    """The systems that an entry needs compiled: its own, or all where it names none; refused until they are."""
    system = gallery.named_system(record)
    names = [system] if system else list(registry.systems())
    require_open(names)
    return names


@lru_cache(maxsize=32)
def drawn(record: Record, theme: str) -> bytes:
    """The figures of an entry, as JSON: those that a correction makes, or the view of a result.

    One that sweeps are still to fill has none here: the picture that was made before stays.
    """
    if isinstance(record, Correction):
        return service.current().patience.make(jobs.of_pictures(record.id, theme, needed(record)))
    name, _, query = record.state.partition("?")
    state, _ = State.from_query(find.lab(name), query, limits.admitted)
    view = state.scene.all_views[record.view]
    picture = view.show(of_view(opened(state, theme), view))
    return plain([picture.figure] if isinstance(picture, Picture) and not picture.coming else [])
