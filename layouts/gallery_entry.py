"""A correction or a new result of the gallery: one line of it, or all of it beside its pictures."""

from typing import Any

from dash import dcc, html

from layouts import badges
from layouts.attributes import aria, data
from nhviz.frame import gallery
from nhviz.frame.gallery import Entry
from nhviz.frame.records import Correction, Result
from server.paths import address

STATUS = {"proved": "proved", "evidence": "evidence from runs"}


def folded(entry: Entry, href: str) -> html.Article:
    """An entry that opens: its tag, its title and what it tells."""
    inside = [html.Span(entry.tag, className="tag"), html.H2(entry.title), html.P(className="told")]
    return html.Article(dcc.Link(inside, href=href), className="folded pending", **marks(entry))


def opened(entry: Entry, number: str, picture: html.Div) -> html.Article:
    """All of an entry; its pictures are drawn by the browser, over the one that was made before."""
    words = of_correction(entry.record) if isinstance(entry.record, Correction) else of_result(entry.record)
    look = badges.badge(*(badges.CORRECTED if entry.kind == "correction" else badges.NEW))
    line = [*([html.Span(entry.tag, className="tag")] if entry.tag else []), look, html.Span(number, className="which")]
    has_pictures = not isinstance(entry.record, Correction) or entry.record.pictures is not None
    right = html.Div([picture] if entry.kind == "result" else [], className="drawings", **data(draw=entry.id))
    return html.Article(
        [
            html.Div([html.Div(line, className="line"), html.H2(entry.title, tabIndex="-1"), *words], className="body"),
            *([right] if has_pictures else []),
        ],
        className="unfolded pending" if has_pictures else "unfolded pending alone",
        **marks(entry),
    )


def marks(entry: Entry) -> dict[str, Any]:
    """What the browser finds an entry by."""
    return data(entry=f"{entry.kind} {entry.id}")


def of_correction(one: Correction) -> list[Any]:
    """What is printed against what is right, the number that decides, and where it is seen."""
    formulas = [
        html.Dt("printed"),
        formula(one.printed, "bad"),
        html.Dt("corrected"),
        formula(one.corrected, "good"),
    ]
    links = [onward("Show it in the lab", address(one.state))] if one.state else []
    return [
        dcc.Markdown(one.words, mathjax=True, className="prose"),
        html.Dl(formulas, className="formulas"),
        html.P(className="told"),
        html.Div(links, className="buttons"),
        test_of(one.test, "fails for the printed form"),
    ]


def of_result(record: Any) -> list[Any]:
    """The statement, why it is so, its numbers, its data, and where it is seen."""
    assert isinstance(record, Result)
    one: Result = record
    stated = [html.Dt("result"), formula(one.formula, "good")] if one.formula else []
    sweep = [dcc.Link("Sweep it", href=address(one.sweep), className="button")] if one.sweep else []
    return [
        html.P(STATUS[one.status], className=f"status {one.status}"),
        dcc.Markdown(one.statement, mathjax=True, className="prose"),
        *([html.Dl(stated, className="formulas")] if stated else []),
        html.P(className="told"),
        html.Div([onward("Show it", address(gallery.place(one.state, one.view))), *sweep], className="buttons"),
        html.Details([html.Summary("Proof" if one.status == "proved" else "Evidence"),
                      dcc.Markdown(one.because, mathjax=True, className="prose")]),
        html.P([html.Span("Data: "), one.parameters], className="data"),
        test_of(one.test, "checks it"),
    ]  # fmt: skip


def formula(tex: str, look: str) -> html.Dd:
    """A formula in TeX, typeset; one that brings its own signs keeps them. A keyboard scrolls one that is long."""
    return html.Dd(dcc.Markdown(tex if "$" in tex else f"$$\n{tex}\n$$", mathjax=True), className=look, tabIndex="0")


def onward(words: str, href: str) -> dcc.Link:
    """A button to a lab."""
    return dcc.Link(words, href=href, className="button primary icon onward")


def test_of(name: str, does: str) -> html.P:
    """Which test backs an entry."""
    return html.P(["The test ", html.Code(name), f" {does}."], className="test", **aria(label="its test"))
