"""Texts of views as components."""

from typing import Any

from dash import dcc, html

from layouts.attributes import aria, data
from nhviz.frame.text import Cell, Lines, Ranking, Row, Table, Text, Words

LINES = "lines"


def blocks(text: Text) -> html.Div:
    """All blocks of a text."""
    return html.Div([block(one) for one in text])


def block(one: Words | Lines | Table | Ranking) -> Any:
    """One block."""
    if isinstance(one, Ranking):
        return ranking(one)
    if isinstance(one, Words):
        return dcc.Markdown(one.text, mathjax=True, className="equations")
    if isinstance(one, Lines):
        return html.Div([dcc.Clipboard(target_id=LINES, title="copy"), html.Pre(one.text, id=LINES)])
    head = html.Tr([html.Th(name) for name in one.head])
    rows = [html.Tr([html.Td(cell) for cell in row]) for row in one.rows]
    table = [html.Table([html.Thead(head), html.Tbody(rows)])] if rows else []
    return html.Div([html.H3(one.title), *table, *([html.P(one.note)] if one.note else [])])


def ranking(one: Ranking) -> dict[str, Any]:
    """Runs in rows, each with a button that brings it to the front."""
    head = plain("Tr", [plain("Th", text, scope="col") for text in (one.corner, *one.head)])
    rows = plain("Tbody", [ranked(row) for row in one.rows])
    table = plain("Table", [plain("Thead", head), rows], className="ranking")
    return plain("Div", [table, *([plain("P", one.note)] if one.note else [])])


def ranked(row: Row) -> dict[str, Any]:
    """One run, in its colour."""
    sample = plain("Span", None, className=f"sample sample-{row.symbol}")
    name = plain("Button", [sample, row.label], **data(front=row.key), **aria(pressed="false"))
    return plain(
        "Tr",
        [plain("Th", name, scope="row"), *(plain("Td", inside(cell)) for cell in row.cells)],
        className="chosen" if row.chosen else "",
        style={"--c": f"var(--method-{row.slot})"},
        **data(run=row.key),
    )


def inside(cell: Cell) -> Any:
    """A number, marked if it is the best, and its bar."""
    best = [plain("Span", "best: ", className="unseen"), cell.text]
    number = plain("B", best) if cell.best else cell.text
    return number if cell.bar is None else [number, plain("I", None, style={"--share": f"{100.0 * cell.bar:.1f}%"})]


def plain(kind: str, children: Any, **properties: Any) -> dict[str, Any]:
    """An element as the browser gets it: a table of them is made for every step of a slider, and Dash takes long."""
    return {"type": kind, "namespace": "dash_html_components", "props": {"children": children, **properties}}
