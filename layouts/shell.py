"""The page around everything: its theme, the header, and an empty place for the page of the address."""

from typing import Any

import dash_mantine_components as dmc
from dash import dcc, html

from layouts import document, header, ids, search
from server.paths import address

THEME: Any = {
    "fontFamily": "var(--sans)",
    "headings": {"fontFamily": "var(--sans)"},
    # A menu holds its items and nothing else: the first of them is focused, not an empty element before it.
    "components": {"Menu": {"defaultProps": {"withInitialFocusPlaceholder": False}}},
}
"""What the component library takes from the page."""


def layout() -> dmc.MantineProvider:
    """Header and an empty place for the page of the address."""
    return dmc.MantineProvider(
        html.Div(
            [
                dcc.Location(id=ids.URL, refresh="callback-nav"),
                dcc.Store(id=ids.THEME, storage_type="local", data="light"),
                dcc.Store(id=ids.NAMES, data=document.names()),
                header.header(),
                html.Main(outline(), id=ids.PAGE),
                search.dialog(),
            ],
            className="shell",
        ),
        id=ids.PROVIDER,
        theme=THEME,
    )


def outline() -> html.Div:
    """The outline of a lab, which stands there until the lab does; the style sheet hides it on other pages."""
    views = html.Div([html.I() for _ in range(4)], className="views")
    main = html.Div([html.Div(className="top"), views, html.Div(className="dock")], className="main")
    return html.Div([html.Div(className="side"), main], className="outline")


def unknown() -> html.Section:
    """The page of an address that names nothing."""
    return instead("There is no such lab", "The address names no system.")


def failed() -> html.Section:
    """What stands there if a page could not be made."""
    return instead("There is no page", "The server could not make this page. Try again, or open another lab.")


def instead(title: str, sentence: str) -> html.Section:
    """A sentence instead of a page, and the way to all labs."""
    return html.Section(
        [
            html.H1(title),
            html.P(sentence),
            dcc.Link("All labs", href=address(), className="button primary icon onward"),
        ],
        className="wait",
    )
