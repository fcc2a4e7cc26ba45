"""Badges of the gallery: a drawing and a word, so that colour is never alone."""

from typing import Any

from dash import html

from layouts.attributes import data

BADGES = {
    "yes": ("holds", "hold"),
    "fix": ("with correction", "with correction"),
    "no": ("does not hold", "do not hold"),
}
"""What is said of a claim, and of several."""
CORRECTED, NEW = ("fix", "corrected"), ("new", "new")


def badge(look: str, words: str) -> html.Span:
    """A badge that is known already."""
    return html.Span(words, className=f"badge icon {look}")


def tally() -> list[html.Span]:
    """How many claims hold: counted in the browser as their verdicts come in."""
    return [
        html.Span([html.B(), html.Span(many)], className=f"badge icon {look}", hidden=True, **counted(look, one, many))
        for look, (one, many) in BADGES.items()
    ]


def counted(look: str, one: str, many: str) -> dict[str, Any]:
    """What the browser needs to count: which badges, and the words for one and for many."""
    return data(tally=look, one=one, many=many)
