"""Texts of views as components."""

from typing import Any

from dash import dcc, html

from nhviz.frame.text import Lines, Table, Text, Words

LINES = "lines"


def blocks(text: Text) -> html.Div:
    """All blocks of a text."""
    return html.Div([block(one) for one in text])


def block(one: Words | Lines | Table) -> Any:
    """One block."""
    if isinstance(one, Words):
        return dcc.Markdown(one.text, mathjax=True, className="equations")
    if isinstance(one, Lines):
        return html.Div([dcc.Clipboard(target_id=LINES, title="copy"), html.Pre(one.text, id=LINES)])
    head = html.Tr([html.Th(name) for name in one.head])
    rows = [html.Tr([html.Td(cell) for cell in row]) for row in one.rows]
    table = [html.Table([html.Thead(head), html.Tbody(rows)])] if rows else []
    return html.Div([html.H3(one.title), *table, *([html.P(one.note)] if one.note else [])])
